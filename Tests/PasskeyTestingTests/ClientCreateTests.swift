import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("§5.1.3: candidates, errors, attestation conveyance, the response")
struct ClientCreateTests {
    private func client(_ options: VirtualAuthenticatorOptions...) -> VirtualClient {
        VirtualClient(origin: World.origin, authenticators: options.map { VirtualAuthenticator($0) })
    }

    private func refusal(
        _ client: VirtualClient,
        _ change: (inout PublicKeyCredentialCreationOptions) -> Void = { _ in }
    ) throws -> ClientError {
        try #require(throws: ClientError.self) { try client.create(World.creationOptions(change)) }
    }

    @Test("Only InvalidStateError is passed on; all else is a NotAllowedError that tells nothing")
    func errors() throws {
        let cases: [((inout VirtualAuthenticatorOptions) -> Void, ClientError.Reason)] = [
            ({ $0.algorithms = [] }, .noSupportedAlgorithm),
            ({ $0.isUserConsenting = false }, .consentDenied),
            ({ $0.isUserVerified = false }, .userVerificationFailed),
            (
                {
                    $0.attestation = "x-format"
                    $0.honorsAttestationFormats = false
                }, .authenticatorFailed
            ),
            // Not asked at all: candidates that cannot do what is required.
            ({ $0.hasResidentKey = false }, .noAuthenticator),
            ({ $0.hasUserVerification = false }, .noAuthenticator),
        ]
        for (change, reason) in cases {
            let error = try refusal(client(World.options(change)))
            #expect((error.name, error.reason, error.step) == (.notAllowed, reason, 23))
            #expect(error.authenticatorErrors.isEmpty == (reason == .noAuthenticator))
        }
        #expect(try refusal(client()).reason == .noAuthenticator)

        let registered = client(.platform)
        let id = try registered.create(World.creationOptions()).id
        let error = try refusal(registered) { $0.excludeCredentials = [.init(id: id)] }
        #expect((error.name, error.reason, error.step) == (.invalidState, .excludedCredential, 22))
        registered.authenticators[0].options.isUserConsenting = false
        let hidden = try refusal(registered) { $0.excludeCredentials = [.init(id: id)] }
        #expect((hidden.name, hidden.reason, hidden.step) == (.notAllowed, .consentDenied, 23))
    }

    @Test("An exclude list with another relying party's credential, or with transports, behaves")
    func excludeList() throws {
        let client = client(.platform)
        let other = try VirtualClient(origin: "https://other.example", authenticators: client.authenticators)
            .create(World.creationOptions { $0.rp.id = "other.example" }).id
        _ = try client.create(World.creationOptions { $0.excludeCredentials = [.init(id: other), .init(id: [1])] })
        let id = try #require(client.authenticators[0].credentials.first { $0.id != other }?.id)
        // A transport that this authenticator does not have: still the same credential.
        let error = try refusal(client) { $0.excludeCredentials = [.init(id: id, transports: [.usb])] }
        #expect(error.reason == .excludedCredential)
    }

    @Test("Of several authenticators the first that succeeds answers; one that fails is passed over")
    func several() throws {
        let unwilling = World.options { $0.isUserConsenting = false }
        let client = client(unwilling, .securityKey, .platform)
        let response = try client.create(World.creationOptions())
        #expect(response.authenticatorAttachment == "cross-platform")
        #expect(response.transports == [.nfc, .usb])
        #expect(client.authenticators.map(\.credentials.count) == [0, 1, 0])
        let platform = try client.create(
            World.creationOptions { $0.authenticatorSelection?.authenticatorAttachment = .platform }
        )
        #expect(platform.authenticatorAttachment == "platform")
        #expect(client.authenticators.map(\.credentials.count) == [0, 1, 1])
    }

    @Test(
        "The effective resident key requirement, and credProps",
        arguments: [
            (ResidentKeyRequirement.required, true, true), (.preferred, true, true), (.discouraged, true, false),
            (.preferred, false, false), (.discouraged, false, false),
        ]
    )
    func residentKey(_ requirement: ResidentKeyRequirement, _ isCapable: Bool, _ isResident: Bool) throws {
        let client = client(World.options { $0.hasResidentKey = isCapable })
        let response = try client.create(
            World.creationOptions {
                $0.authenticatorSelection?.residentKey = requirement
                $0.extensions.credProps = true
            }
        )
        #expect(client.authenticators[0].credentials.map(\.isDiscoverable) == [isResident])
        #expect(response.clientExtensionResults.credProps?.rk == isResident)
    }

    @Test("credProps is told only where it was asked for; other extensions are passed over")
    func extensions() throws {
        let client = client(.platform)
        let silent = try client.create(
            World.creationOptions {
                $0.extensions.minPinLength = true
                $0.extensions.uvm = true
            }
        )
        #expect(silent.clientExtensionResults.isEmpty)
        let refused = try client.create(World.creationOptions { $0.extensions.credProps = false })
        #expect(refused.clientExtensionResults.credProps == nil)
    }

    @Test("Without authenticatorSelection the user is verified where that can be done, and nothing is resident")
    func defaults() throws {
        for isCapable in [true, false] {
            let client = client(World.options { $0.hasUserVerification = isCapable })
            let response = try client.create(World.creationOptions { $0.authenticatorSelection = nil })
            let data = try AttestationObject(response.attestationObject).authenticatorData
            #expect(data.flags.contains(.userVerified) == isCapable)
            #expect(client.authenticators[0].credentials.map(\.isDiscoverable) == [false])
        }
    }

    @Test("discouraged user verification is not made")
    func discouraged() throws {
        let response = try client(World.options { $0.isUserVerified = false }).create(
            World.creationOptions { $0.authenticatorSelection?.userVerification = .discouraged }
        )
        #expect(try !AttestationObject(response.attestationObject).authenticatorData.flags.contains(.userVerified))
    }

    @Test("Attestation conveyance none: format and statement go, authenticator data stays to the bit")
    func conveyance() throws {
        let aaguid = try #require(AAGUID("00112233-4455-6677-8899-aabbccddeeff"))
        func object(
            _ conveyance: AttestationConveyancePreference,
            aaguid: AAGUID
        ) throws -> (AttestationObject, VirtualCredential) {
            let client = client(
                World.options {
                    $0.attestation = .packed
                    $0.honorsAttestationFormats = false
                    $0.aaguid = aaguid
                }
            )
            let response = try client.create(World.creationOptions { $0.attestation = conveyance })
            let credential = try #require(client.authenticators[0].credentials.first)
            #expect(response.id == credential.id)
            return (try AttestationObject(response.attestationObject), credential)
        }
        // An AAGUID that tells something: the statement is replaced, and the AAGUID stays (Level 3).
        let (rewritten, credential) = try object(.none, aaguid: aaguid)
        #expect(rewritten.format == .none)
        #expect(rewritten.statement.bytes == [0xA0])
        #expect(rewritten.authenticatorData.attestedCredentialData?.aaguid == aaguid)
        let attested = try AttestedCredentialData(
            aaguid: aaguid,
            credentialID: credential.id,
            credentialPublicKey: credential.publicKey
        )
        #expect(
            try rewritten.authenticatorData.bytes
                == AuthenticatorData(
                    rpIDHash: rewritten.authenticatorData.rpIDHash,
                    flags: [.userPresent, .userVerified, .backupEligible, .backupState],
                    signCount: 0,
                    attestedCredentialData: attested
                ).bytes
        )
        #expect(
            try rewritten.bytes
                == AttestationObject.encode(
                    format: .none,
                    statement: .map([]),
                    authenticatorData: rewritten.authenticatorData.bytes
                )
        )
        // Self attestation with a zero AAGUID tells nothing, and is left as it is.
        #expect(try object(.none, aaguid: .zero).0.format == .packed)
        // Whoever asks for attestation gets it unaltered.
        for conveyance in [AttestationConveyancePreference.indirect, .direct, .enterprise] {
            let (conveyed, _) = try object(conveyance, aaguid: aaguid)
            #expect(conveyed.format == .packed)
            #expect(conveyed.authenticatorData.attestedCredentialData?.aaguid == aaguid)
        }
    }

    @Test("Without attestation wanted, an authenticator that can is asked for none")
    func askedForNone() throws {
        let client = client(World.options { $0.attestation = .packed })
        let none = try client.create(World.creationOptions { $0.attestationFormats = [.packed] })
        #expect(try AttestationObject(none.attestationObject).format == .none)
        let direct = try client.create(World.creationOptions { $0.attestation = .direct })
        #expect(try AttestationObject(direct.attestationObject).format == .packed)
    }

    @Test("The response: transports once each and in order, and the copies that a browser puts beside the object")
    func response() throws {
        let client = client(World.options { $0.transports = [.usb, .internal, .hybrid, .usb] })
        let response = try client.create(World.creationOptions())
        let object = try AttestationObject(response.attestationObject)
        #expect(response.transports == [.hybrid, .internal, .usb])
        #expect(try response.id == object.attested().credentialID)
        #expect(response.claims.authenticatorData == object.authenticatorData.bytes)
        #expect(response.claims.publicKeyAlgorithm == -7)
        // SubjectPublicKeyInfo of P-256: 26 bytes of header, then 04 ‖ x ‖ y.
        let key = try #require(response.claims.publicKey)
        let cose = try CBOR(object.attested().credentialPublicKey)
        #expect(key.count == 91)
        #expect(key.suffix(64) == (cose[-2]?.byteArray ?? []) + (cose[-3]?.byteArray ?? []))
        // What a server parses is what was sent.
        let parsed = try RegistrationResponse(json: response.jsonBytes())
        #expect(parsed == response)
    }
}
