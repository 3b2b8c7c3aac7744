import Foundation
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("What distinguishes clients: attestation, candidates, timers, capabilities")
struct ClientProfileTests {
    private static let profiles: [ClientProfile] = [.standard, .chromium, .firefox, .safari, .iOSApplication]
    private let aaguid = AAGUID("00112233-4455-6677-8899-aabbccddeeff")

    private func object(
        _ conveyance: AttestationConveyancePreference,
        _ options: VirtualAuthenticatorOptions,
        _ change: (inout VirtualClient) -> Void
    ) throws -> AttestationObject {
        var client = VirtualClient(origin: World.origin, authenticators: [VirtualAuthenticator(options)])
        change(&client)
        return try AttestationObject(
            client.create(World.creationOptions { $0.attestation = conveyance }).attestationObject
        )
    }

    private func options(
        _ base: VirtualAuthenticatorOptions = .platform,
        aaguid: AAGUID? = nil
    ) -> VirtualAuthenticatorOptions {
        var options = base
        options.attestation = .packed
        options.honorsAttestationFormats = false
        options.aaguid = aaguid ?? self.aaguid ?? .zero
        return options
    }

    @Test("indirect: conveyed, or without statement and AAGUID; self attestation that tells nothing stays")
    func indirect() throws {
        let conveyed = try object(.indirect, options()) { $0.profile = .standard }
        #expect(conveyed.format == .packed)
        let anonymous = try object(.indirect, options()) { $0.profile = .firefox }
        #expect(anonymous.format == .none)
        #expect(try anonymous.attested().aaguid == .zero)
        #expect(anonymous.authenticatorData.flags == conveyed.authenticatorData.flags)
        #expect(try object(.indirect, options(aaguid: .zero)) { $0.profile = .firefox }.format == .packed)
        #expect(try object(.direct, options()) { $0.profile = .firefox }.format == .packed)
    }

    @Test("none: the AAGUID stays, goes, or goes with security keys alone")
    func aaguidWithoutAttestation() throws {
        for (rule, platform, roaming) in [
            (ClientProfile.AAGUIDWithoutAttestation.isConveyed, aaguid, aaguid),
            (.isConveyedForPlatform, aaguid, .zero), (.isZeroed, .zero, .zero),
        ] {
            for (base, expected) in [(VirtualAuthenticatorOptions.platform, platform), (.securityKey, roaming)] {
                let object = try object(.none, options(base)) { $0.profile.aaguidWithoutAttestation = rule }
                #expect(object.format == .none)
                #expect(try object.attested().aaguid == expected)
            }
        }
    }

    @Test("Enterprise attestation is asked for where the client permits it, and is as direct elsewhere")
    func enterprise() throws {
        let authority = AttestationAuthority()
        var options = VirtualAuthenticatorOptions.securityKey
        options.attestationProfile = AttestationProfile(.packed, authority: authority)
        options.attestationProfile?.isEnterprise = true
        let serialNumber = Array("serial number".utf8)
        options.attestationProfile?.serialNumber = serialNumber
        func tells(_ permitted: [String]?, _ conveyance: AttestationConveyancePreference) throws -> Bool {
            let object = try object(conveyance, options) { $0.enterpriseRelyingParties = permitted }
            #expect(object.format == .packed)
            let certificate = try #require(object.statement.root["x5c"]?.elements?.first { _ in true }?.byteArray)
            return certificate.indices.contains { certificate[$0...].starts(with: serialNumber) }
        }
        #expect(try !tells(nil, .direct))
        #expect(try tells(nil, .enterprise))
        #expect(try tells([World.rpID], .enterprise))
        #expect(try !tells(["other.example", "EXAMPLE.com"], .enterprise))
        #expect(try !tells([], .enterprise))
    }

    @Test("Where no authenticator can do what is required: the end of the timer, or a ConstraintError")
    func unsuitable() throws {
        func error(
            _ policy: ClientProfile.UnsuitableAuthenticator,
            _ options: [VirtualAuthenticatorOptions],
            _ change: (inout PublicKeyCredentialCreationOptions) -> Void = { _ in }
        ) throws -> ClientError? {
            var client = VirtualClient(origin: World.origin, authenticators: options.map { VirtualAuthenticator($0) })
            client.profile.unsuitableAuthenticator = policy
            let creation = try World.creationOptions(change)
            do throws(ClientError) {
                _ = try client.create(creation)
                return nil
            } catch {
                return error
            }
        }
        for lacking in [World.options { $0.hasResidentKey = false }, World.options { $0.hasUserVerification = false }] {
            #expect(try error(.isPassedOver, [lacking])?.name == .notAllowed)
            let constraint = try #require(try error(.isConstraintError, [lacking]))
            #expect((constraint.name, constraint.reason, constraint.step) == (.constraint, .noAuthenticator, 22))
            // Another one can.
            #expect(try error(.isConstraintError, [lacking, .platform]) == nil)
            // Another one could, and its user refuses.
            let refused = try error(.isConstraintError, [lacking, World.options { $0.isUserConsenting = false }])
            #expect((refused?.name, refused?.reason) == (.notAllowed, .consentDenied))
        }
        // None of the attachment that is asked for is no such error.
        let other = try error(.isConstraintError, [.platform]) {
            $0.authenticatorSelection?.authenticatorAttachment = .crossPlatform
        }
        #expect((other?.name, other?.reason) == (.notAllowed, .noAuthenticator))
        #expect(try error(.isConstraintError, [])?.name == .notAllowed)
    }

    @Test("An authenticator's ConstraintError or InvalidStateError never escapes from a sign-in")
    func neverEscapes() throws {
        var client = VirtualClient(origin: World.origin)
        client.profile.unsuitableAuthenticator = .isConstraintError
        _ = try client.create(World.creationOptions())
        client.authenticators[0].options.hasUserVerification = false
        let error = try #require(throws: ClientError.self) { try client.get(World.requestOptions()) }
        #expect((error.name, error.reason) == (.notAllowed, .noAuthenticator))
    }

    @Test("Timeouts are brought into the client's range")
    func timers() throws {
        for (profile, timeout, longest) in [
            (ClientProfile.firefox, UInt32?.none, 30_000), (.firefox, 1, 15_000), (.firefox, .max, 120_000),
            (.chromium, 1, 10_000), (.safari, 1, 1), (.safari, nil, 120_000), (.standard, 1, 300_000),
        ] {
            var client = VirtualClient(origin: World.origin)
            client.profile = profile
            client.userDelay = .milliseconds(longest)
            #expect(throws: Never.self) { try client.create(World.creationOptions { $0.timeout = timeout }) }
            client.userDelay += .milliseconds(1)
            #expect(throws: ClientError.self) { try client.create(World.creationOptions { $0.timeout = timeout }) }
        }
    }

    @Test("A profile is data, and survives JSON", arguments: profiles)
    func data(_ profile: ClientProfile) throws {
        let decoded = try roundTrip(profile)
        #expect(decoded == profile)
        #expect(Set(Self.profiles).count == Self.profiles.count)
        var client = VirtualClient(origin: World.origin)
        client.profile = profile
        #expect(client.clientDataForm == profile.clientDataForm)
        client.clientDataForm = .native
        client.timeoutRange = 1...2
        client.defaultTimeout = 2
        #expect(client.profile.clientDataForm == .native)
        #expect(client.profile.timeoutRange == 1...2)
        #expect(client.profile.defaultTimeout == 2)
    }

    @Test("Capabilities are the profile's, the authenticators', and those of the network")
    func capabilities() throws {
        var client = VirtualClient(origin: World.origin)
        var told = client.getClientCapabilities()
        #expect(told[.conditionalCreate] == true)
        #expect(told[.conditionalGet] == true)
        #expect(told[.userVerifyingPlatformAuthenticator] == true)
        #expect(told[.passkeyPlatformAuthenticator] == true)
        #expect(told[.relatedOrigins] == false)
        #expect(told[.extension("prf")] == true)
        client.fetch = { _ in nil }
        #expect(client.getClientCapabilities()[.relatedOrigins] == true)
        #expect(try client.isUserVerifyingPlatformAuthenticatorAvailable())
        #expect(client.isConditionalMediationAvailable())

        client.authenticators = [VirtualAuthenticator(.securityKey)]
        #expect(try !client.isUserVerifyingPlatformAuthenticatorAvailable())
        #expect(try client.isPasskeyPlatformAuthenticatorAvailable())
        client.profile.capabilities[.hybridTransport] = false
        #expect(try !client.isPasskeyPlatformAuthenticatorAvailable())
        client.authenticators = [VirtualAuthenticator(World.options { $0.hasUserVerification = false })]
        #expect(try !client.isUserVerifyingPlatformAuthenticatorAvailable())

        client.profile = ClientProfile(name: "bare", capabilities: [:])
        told = client.getClientCapabilities()
        #expect(told.named.count == 9)
        #expect(told.named.allSatisfy { told[$0] == false })
        #expect(!client.isConditionalMediationAvailable())
    }

    @Test("An extension that the client does not support is passed over, its errors too")
    func extensions() throws {
        var client = VirtualClient(origin: World.origin)
        let options = try World.creationOptions {
            $0.extensions.credProps = true
            $0.extensions.largeBlob = LargeBlobInputs(read: true)
        }
        let error = try #require(throws: ClientError.self) { try client.create(options) }
        #expect((error.name, error.reason, error.step) == (.notSupported, .extensionInput, 12))
        client.profile.capabilities[.extension("largeBlob")] = false
        #expect(try client.create(options).clientExtensionResults.credProps?.rk == true)
        client.profile.capabilities[.extension("credProps")] = false
        #expect(try client.create(options).clientExtensionResults.isEmpty)
        let request = try World.requestOptions { $0.extensions.appid = "https://other.example" }
        #expect(throws: ClientError.self) { try client.get(request) }
        client.profile.capabilities[.extension("appid")] = false
        #expect(try client.get(request).clientExtensionResults.isEmpty)
    }

    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
}
