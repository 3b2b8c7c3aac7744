import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("Where an authenticator keeps its keys")
struct AuthenticatorKeyTests {
    private func nonDiscoverable(
        _ change: (inout MakeCredentialParameters) -> Void = { _ in }
    ) throws -> MakeCredentialParameters {
        try World.makeCredential {
            $0.requireResidentKey = false
            change(&$0)
        }
    }

    private func assertion(_ id: [UInt8], _ authenticator: VirtualAuthenticator) throws -> GetAssertionResult {
        try authenticator.getAssertion(World.getAssertion { $0.allowCredentialDescriptorList = [.init(id: id)] })
    }

    @Test("A wrapped ID signs on each device with the same secret, for its relying party alone")
    func wrapped() throws {
        let authenticator = VirtualAuthenticator(.securityKey)
        let made = try AttestationObject(authenticator.makeCredential(nonDiscoverable())).attested()
        #expect(made.credentialID.count < 128)
        var state = authenticator.state
        state.credentials = []
        let other = try VirtualAuthenticator(state)
        #expect(other.credentials.isEmpty, "the key is in the ID and nowhere else")
        let result = try assertion(made.credentialID, other)
        #expect(
            try World.verifies(
                result.signature,
                result.authenticatorData,
                World.hash,
                publicKey: made.credentialPublicKey
            )
        )
        #expect(result.userHandle == nil)

        // Another secret, another relying party, another bit.
        #expect(throws: AuthenticatorError.self) {
            try assertion(made.credentialID, VirtualAuthenticator(.securityKey))
        }
        let elsewhere = World.getAssertion {
            $0.rpID = "other.example"
            $0.allowCredentialDescriptorList = [.init(id: made.credentialID)]
        }
        #expect(throws: AuthenticatorError.self) { try other.getAssertion(elsewhere) }
        #expect(throws: AuthenticatorError.self) { try VirtualAuthenticator(state).getAssertion(elsewhere) }
        for index in made.credentialID.indices {
            var id = made.credentialID
            id[index] ^= 1
            #expect(throws: AuthenticatorError.self) { try assertion(id, VirtualAuthenticator(state)) }
        }
    }

    @Test("A wrapped ID is excluded like any other, and stays away once it is removed")
    func wrappedIsACredential() throws {
        let authenticator = VirtualAuthenticator(.securityKey)
        let id = try AttestationObject(authenticator.makeCredential(nonDiscoverable())).attested().credentialID
        let excluding = try nonDiscoverable { $0.excludeCredentialDescriptorList = [.init(id: id)] }
        let error = try #require(throws: AuthenticatorError.self) { try authenticator.makeCredential(excluding) }
        #expect(error.reason == .excludedCredential)
        #expect(authenticator.removeCredential(id)?.id == id)
        #expect(throws: AuthenticatorError.self) { try assertion(id, authenticator) }
        #expect(throws: Never.self) { try authenticator.makeCredential(excluding) }
    }

    @Test("A wrapped ID holds a key of any algorithm", arguments: SignatureAlgorithms.supported)
    func wrappedAlgorithms(_ algorithm: COSEAlgorithmIdentifier) throws {
        let authenticator = VirtualAuthenticator(.securityKey)
        let made = try AttestationObject(
            authenticator.makeCredential(nonDiscoverable { $0.credTypesAndPubKeyAlgs = [.init(alg: algorithm)] })
        ).attested()
        var state = authenticator.state
        state.credentials = []
        let result = try assertion(made.credentialID, VirtualAuthenticator(state))
        #expect(
            try World.verifies(
                result.signature,
                result.authenticatorData,
                World.hash,
                publicKey: made.credentialPublicKey
            )
        )
    }

    @Test("A store with no room refuses another account, and takes another credential of one it has")
    func capacity() throws {
        let authenticator = VirtualAuthenticator(World.options { $0.residentKeyCapacity = 1 })
        _ = try authenticator.makeCredential(World.makeCredential(user: 1))
        let full = try #require(throws: AuthenticatorError.self) {
            try authenticator.makeCredential(World.makeCredential(user: 2))
        }
        #expect((full.code, full.reason, full.status) == (.unknown, .keyStoreFull, .keyStoreFull))
        _ = try authenticator.makeCredential(World.makeCredential(user: 1))
        _ = try authenticator.makeCredential(nonDiscoverable())
        #expect(authenticator.credentials.count == 2)
    }

    @Test("A counter that was kept goes on after a crash: what was sent is stored")
    func counterSurvives() throws {
        for mode in SignatureCounterMode.allCases {
            let authenticator = VirtualAuthenticator(World.options { $0.counterMode = mode })
            _ = try authenticator.makeCredential(World.makeCredential())
            let first = try AuthenticatorData(authenticator.getAssertion(World.getAssertion()).authenticatorData)
            let again = try VirtualAuthenticator(authenticator.state)
            let second = try AuthenticatorData(again.getAssertion(World.getAssertion()).authenticatorData)
            #expect(second.signCount == first.signCount + (mode == .none ? 0 : 1), "\(mode)")
        }
    }

    @Test("A counter begins where it is said to, and U2F's tells zero in a registration")
    func counterBegins() throws {
        for (mode, expected) in [
            (SignatureCounterMode.none, [0, 0]), (.perCredential, [7, 8]), (.global, [7, 8]), (.u2f, [0, 8]),
        ] {
            let authenticator = VirtualAuthenticator(
                World.options {
                    $0.counterMode = mode
                    $0.initialSignCount = 7
                }
            )
            let made = try AttestationObject(authenticator.makeCredential(World.makeCredential())).authenticatorData
            let used = try AuthenticatorData(authenticator.getAssertion(World.getAssertion()).authenticatorData)
            #expect([made.signCount, used.signCount] == expected.map { UInt32($0) }, "\(mode)")
        }
    }

    @Test("U2F: no user is verified, nothing is discoverable, ES256 alone, zero AAGUID, presence alone")
    func u2f() throws {
        let authenticator = VirtualAuthenticator(.u2f())
        func parameters(
            _ change: (inout MakeCredentialParameters) -> Void = { _ in }
        ) throws -> MakeCredentialParameters {
            try nonDiscoverable {
                $0.requireUserVerification = false
                change(&$0)
            }
        }
        let object = try AttestationObject(authenticator.makeCredential(parameters()))
        #expect(object.format == .fidoU2F)
        #expect(object.authenticatorData.flags == [.userPresent, .attestedCredentialData])
        #expect(try object.attested().aaguid == .zero)
        #expect(object.authenticatorData.signCount == 0)
        for (change, reason) in [
            ({ $0.requireResidentKey = true }, .residentKeyUnsupported),
            ({ $0.requireUserVerification = true }, .userVerificationUnsupported),
            ({ $0.credTypesAndPubKeyAlgs = [.init(alg: .edDSA)] }, .noSupportedAlgorithm),
        ] as [((inout MakeCredentialParameters) -> Void, AuthenticatorError.Reason)] {
            let error = try #require(throws: AuthenticatorError.self) {
                try authenticator.makeCredential(parameters(change))
            }
            #expect(error.reason == reason)
        }
        let withExtension = try parameters { $0.extensions = ["credProtect": 3] }
        let passedOver = try AttestationObject(authenticator.makeCredential(withExtension))
        #expect(passedOver.authenticatorData.extensions == nil)
    }
}
