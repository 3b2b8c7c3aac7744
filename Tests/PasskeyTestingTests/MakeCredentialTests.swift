import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("§6.3.2 authenticatorMakeCredential")
struct MakeCredentialTests {
    /// The error of an operation that must fail.
    private func refusal(
        _ options: VirtualAuthenticatorOptions = .platform,
        _ parameters: MakeCredentialParameters
    ) throws -> AuthenticatorError {
        let authenticator = VirtualAuthenticator(options)
        let error = try #require(throws: AuthenticatorError.self) { try authenticator.makeCredential(parameters) }
        #expect(authenticator.credentials.isEmpty, "a refused operation left a credential")
        return error
    }

    @Test("1: malformed parameters are an UnknownError")
    func malformed() throws {
        for change in [
            { (parameters: inout MakeCredentialParameters) in parameters.hash.removeLast() },
            { $0.rpID = "" },
            { $0.extensions = .array([]) },
        ] {
            let error = try refusal(World.platform, World.makeCredential(change))
            #expect((error.code, error.reason, error.step) == (.unknown, .malformedParameters, 1))
        }
        #expect(throws: Never.self) { try VirtualAuthenticator().makeCredential(World.makeCredential()) }
    }

    @Test("2: no supported algorithm is a NotSupportedError")
    func noAlgorithm() throws {
        let onlyES256 = World.options { $0.algorithms = [.es256] }
        for list in [
            [],
            [PublicKeyCredentialParameters(alg: .edDSA)],
            [PublicKeyCredentialParameters(type: "other", alg: .es256)],
            [PublicKeyCredentialParameters(alg: .rs1)],
        ] {
            let error = try refusal(onlyES256, World.makeCredential { $0.credTypesAndPubKeyAlgs = list })
            #expect((error.code, error.reason, error.step) == (.notSupported, .noSupportedAlgorithm, 2))
        }
    }

    @Test("3: an excluded credential is told only to a user who consents")
    func excluded() throws {
        let authenticator = VirtualAuthenticator()
        _ = try authenticator.makeCredential(World.makeCredential())
        let id = try #require(authenticator.credentials.first?.id)
        let excluding = try World.makeCredential(user: 2) {
            $0.excludeCredentialDescriptorList = [.init(id: [9, 9]), .init(id: id)]
        }
        let told = try #require(throws: AuthenticatorError.self) { try authenticator.makeCredential(excluding) }
        #expect((told.code, told.reason, told.step) == (.invalidState, .excludedCredential, 3))

        authenticator.options.isUserConsenting = false
        let hidden = try #require(throws: AuthenticatorError.self) { try authenticator.makeCredential(excluding) }
        #expect((hidden.code, hidden.reason, hidden.step) == (.notAllowed, .consentDenied, 3))
        authenticator.options.isUserConsenting = true

        // Twins: an unknown ID, another type, the same ID under another RP ID.
        #expect(throws: Never.self) {
            _ = try authenticator.makeCredential(
                World.makeCredential(user: 3) { $0.excludeCredentialDescriptorList = [.init(id: [9])] }
            )
            _ = try authenticator.makeCredential(
                World.makeCredential(user: 4) { $0.excludeCredentialDescriptorList = [.init(type: "other", id: id)] }
            )
            _ = try authenticator.makeCredential(
                World.makeCredential(user: 5) {
                    $0.rpID = "other.example"
                    $0.excludeCredentialDescriptorList = [.init(id: id)]
                }
            )
        }
        #expect(authenticator.credentials.count == 4)
    }

    @Test("4: a required resident key that cannot be stored is a ConstraintError")
    func noResidentKey() throws {
        let options = World.options { $0.hasResidentKey = false }
        let error = try refusal(options, World.makeCredential())
        #expect((error.code, error.reason, error.step) == (.constraint, .residentKeyUnsupported, 4))
        let authenticator = VirtualAuthenticator(options)
        _ = try authenticator.makeCredential(World.makeCredential { $0.requireResidentKey = false })
        #expect(authenticator.credentials.map(\.isDiscoverable) == [false])
    }

    @Test("5: required user verification that cannot be made is a ConstraintError")
    func noUserVerification() throws {
        let options = World.options { $0.hasUserVerification = false }
        let error = try refusal(options, World.makeCredential())
        #expect((error.code, error.reason, error.step) == (.constraint, .userVerificationUnsupported, 5))
        let bytes = try VirtualAuthenticator(options)
            .makeCredential(World.makeCredential { $0.requireUserVerification = false })
        #expect(try !AttestationObject(bytes).authenticatorData.flags.contains(.userVerified))
    }

    @Test("6: a user who does not consent, or is not verified, is a NotAllowedError")
    func gesture() throws {
        let unwilling = try refusal(World.options { $0.isUserConsenting = false }, World.makeCredential())
        #expect((unwilling.code, unwilling.reason, unwilling.step) == (.notAllowed, .consentDenied, 6))
        let unverified = World.options { $0.isUserVerified = false }
        let error = try refusal(unverified, World.makeCredential())
        #expect((error.code, error.reason, error.step) == (.notAllowed, .userVerificationFailed, 6))
        #expect(throws: Never.self) {
            try VirtualAuthenticator(unverified)
                .makeCredential(World.makeCredential { $0.requireUserVerification = false })
        }
    }

    @Test("The first failing step decides: 1 before 2 before 3 before 4 before 5 before 6")
    func order() throws {
        let authenticator = VirtualAuthenticator(World.options { $0.algorithms = [.es256] })
        _ = try authenticator.makeCredential(World.makeCredential())
        let id = try #require(authenticator.credentials.first?.id)
        authenticator.options.hasResidentKey = false
        authenticator.options.hasUserVerification = false
        authenticator.options.isUserVerified = false
        var parameters = try World.makeCredential {
            $0.hash = []
            $0.credTypesAndPubKeyAlgs = [.init(alg: .rs256)]
            $0.excludeCredentialDescriptorList = [.init(id: id)]
        }
        func step() throws -> Int {
            try #require(throws: AuthenticatorError.self) { try authenticator.makeCredential(parameters) }.step
        }
        #expect(try step() == 1)
        parameters.hash = World.hash
        #expect(try step() == 2)
        parameters.credTypesAndPubKeyAlgs = [.init(alg: .es256)]
        #expect(try step() == 3)
        parameters.excludeCredentialDescriptorList = []
        #expect(try step() == 4)
        authenticator.options.hasResidentKey = true
        #expect(try step() == 5)
        authenticator.options.hasUserVerification = true
        #expect(try step() == 6)
        authenticator.options.isUserVerified = true
        #expect(throws: Never.self) { try authenticator.makeCredential(parameters) }
    }

    @Test("7: the first supported algorithm of the list is used, and an account has one discoverable credential")
    func creation() throws {
        let authenticator = VirtualAuthenticator(World.options { $0.algorithms = [.es256, .es384] })
        let parameters = try World.makeCredential {
            $0.credTypesAndPubKeyAlgs = [.init(alg: .edDSA), .init(alg: .es384), .init(alg: .es256)]
        }
        let first = try AttestationObject(authenticator.makeCredential(parameters)).attested()
        let credential = try #require(authenticator.credentials.first)
        #expect(credential.algorithm == .es384)
        #expect(credential.id == first.credentialID)
        #expect(credential.publicKey == first.credentialPublicKey)
        #expect(credential.userName == "ada1@example.com")
        #expect(credential.relyingPartyIdentifier == World.rpID)

        // The same account: replaced. Another account, and the same account without a resident key: added.
        let second = try AttestationObject(authenticator.makeCredential(parameters)).attested()
        #expect(authenticator.credentials.map(\.id) == [second.credentialID])
        _ = try authenticator.makeCredential(World.makeCredential(user: 2))
        _ = try authenticator.makeCredential(World.makeCredential { $0.requireResidentKey = false })
        #expect(authenticator.credentials.count == 3)
        #expect(Set(authenticator.credentials.map(\.id)).count == 3)
    }

    @Test(
        "7: credential IDs have the length that was set, within bounds",
        arguments: [(0, 16), (20, 20), (9999, 1023)]
    )
    func identifierLength(_ asked: Int, _ given: Int) throws {
        let authenticator = VirtualAuthenticator(World.options { $0.credentialIDLength = asked })
        let object = try AttestationObject(authenticator.makeCredential(World.makeCredential()))
        #expect(try object.attested().credentialID.count == given)
    }

    @Test("8: a random source that gives too little is an UnknownError")
    func brokenRandomness() throws {
        let authenticator = VirtualAuthenticator(random: { _ in [1, 2, 3] })
        let error = try #require(throws: AuthenticatorError.self) {
            try authenticator.makeCredential(World.makeCredential())
        }
        #expect((error.code, error.reason, error.step) == (.unknown, .operationFailed, 8))
        // A source of nothing but zeros gives no scalar, and is not asked for ever.
        let zeros = VirtualAuthenticator(random: { [UInt8](repeating: 0, count: $0) })
        #expect(throws: AuthenticatorError.self) { try zeros.makeCredential(World.makeCredential()) }
    }

    @Test("7: a random source that repeats itself makes one credential, the later one")
    func repeatedIdentifier() throws {
        let authenticator = VirtualAuthenticator(random: { [UInt8](repeating: 0x33, count: $0) })
        _ = try authenticator.makeCredential(World.makeCredential(user: 1))
        _ = try authenticator.makeCredential(World.makeCredential(user: 2))
        #expect(try authenticator.credentials.map(\.userHandle) == [World.handle(2)])
        #expect(try authenticator.getAssertion(World.getAssertion()).userHandle == World.handle(2))
    }

    @Test("10: the counter of a new credential", arguments: SignatureCounterMode.allCases)
    func counter(_ mode: SignatureCounterMode) throws {
        let authenticator = VirtualAuthenticator(World.options { $0.counterMode = mode })
        _ = try authenticator.makeCredential(World.makeCredential())
        for _ in 0..<3 { _ = try authenticator.getAssertion(World.getAssertion()) }
        let second = try AttestationObject(authenticator.makeCredential(World.makeCredential(user: 2)))
        #expect(second.authenticatorData.signCount == (mode == .global ? 3 : 0))
    }

    @Test("11, 13: authenticator data, byte for byte")
    func authenticatorData() throws {
        let aaguid = try #require(AAGUID("00112233-4455-6677-8899-aabbccddeeff"))
        let authenticator = VirtualAuthenticator(World.options { $0.aaguid = aaguid })
        let data = try AttestationObject(authenticator.makeCredential(World.makeCredential())).authenticatorData
        let credential = try #require(authenticator.credentials.first)
        let expected =
            try sha256([UInt8]("example.com".utf8)) + [0x5D, 0, 0, 0, 0] + aaguid.bytes + [0, 32] + credential.id
            + credential.publicKey
        #expect(data.bytes == expected)
    }

    @Test(
        "13: flags",
        arguments: [
            (false, false, true, 0x41 as UInt8), (false, true, true, 0x41), (true, false, true, 0x49),
            (true, true, true, 0x59), (true, true, false, 0x5D), (false, false, false, 0x45),
        ]
    )
    func flags(_ eligible: Bool, _ backedUp: Bool, _ skipsVerification: Bool, _ expected: UInt8) throws {
        let authenticator = VirtualAuthenticator(
            World.options {
                $0.defaultBackupEligibility = eligible
                $0.defaultBackupState = backedUp
            }
        )
        let parameters = try World.makeCredential { $0.requireUserVerification = !skipsVerification }
        let object = try AttestationObject(authenticator.makeCredential(parameters))
        #expect(object.authenticatorData.flags.rawValue == expected)
        let assertion = try authenticator.getAssertion(
            World.getAssertion { $0.requireUserVerification = !skipsVerification }
        )
        #expect(try AuthenticatorData(assertion.authenticatorData).flags.rawValue == expected & ~0x40)
    }

    @Test("12, 14: the format is the first wanted one that can be made, or else the preferred one")
    func format() throws {
        let cases: [(AttestationStatementFormat, Bool, [AttestationStatementFormat], AttestationStatementFormat)] = [
            (.none, true, [], .none),
            (.packed, true, [], .packed),
            (.packed, true, [.none], .none),
            (.none, true, [.tpm, .packed, .none], .packed),
            (.packed, true, [.tpm], .packed),
            (.packed, false, [.none], .packed),
        ]
        for (preferred, honors, wanted, expected) in cases {
            let authenticator = VirtualAuthenticator(
                World.options {
                    $0.attestation = preferred
                    $0.honorsAttestationFormats = honors
                }
            )
            let parameters = try World.makeCredential { $0.attestationFormats = wanted }
            let object = try AttestationObject(authenticator.makeCredential(parameters))
            #expect(object.format == expected)
            guard expected == .packed else {
                #expect(object.statement.bytes == [0xA0])
                continue
            }
            let signature = try #require(object.statement.root["sig"]?.byteArray)
            #expect(object.statement.root["alg"]?.int == -7)
            #expect(object.statement.root.count == 2)
            #expect(
                try World.verifies(
                    signature,
                    object.authenticatorData.bytes,
                    World.hash,
                    publicKey: object.attested().credentialPublicKey
                )
            )
        }
    }

    @Test("14: a preferred format that cannot be made is an UnknownError, and nothing is stored")
    func impossibleFormat() throws {
        let error = try refusal(World.options { $0.attestation = "x-format" }, World.makeCredential())
        #expect((error.code, error.step) == (.unknown, 14))
    }

    @Test("The attestation object is CTAP2's canonical CBOR: fmt, attStmt, authData")
    func canonical() throws {
        for attestation in [AttestationStatementFormat.none, .packed] {
            let bytes = try VirtualAuthenticator(World.options { $0.attestation = attestation })
                .makeCredential(World.makeCredential()).attestationObject
            #expect(throws: Never.self) { try CBORDocument(bytes, mode: .ctap2) }
            #expect(try CBOR(bytes).entries?.map(\.key) == [.text("fmt"), .text("attStmt"), .text("authData")])
        }
    }
}

extension World {
    static let platform = VirtualAuthenticatorOptions.platform
}
