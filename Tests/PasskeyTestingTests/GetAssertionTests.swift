import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import Testing

@Suite("§6.3.3 authenticatorGetAssertion")
struct GetAssertionTests {
    private func refusal(
        _ authenticator: VirtualAuthenticator,
        _ parameters: GetAssertionParameters
    ) throws -> AuthenticatorError {
        try #require(throws: AuthenticatorError.self) { try authenticator.getAssertion(parameters) }
    }

    /// An authenticator with one credential for each user.
    private func authenticator(
        _ options: VirtualAuthenticatorOptions = .platform,
        users: ClosedRange<UInt8> = 1...1
    ) throws -> VirtualAuthenticator {
        let authenticator = VirtualAuthenticator(options)
        for user in users { _ = try authenticator.makeCredential(World.makeCredential(user: user)) }
        return authenticator
    }

    @Test("1: malformed parameters are an UnknownError")
    func malformed() throws {
        let authenticator = try authenticator()
        for change in [
            { (parameters: inout GetAssertionParameters) in parameters.hash = [] },
            { $0.rpID = "" },
            { $0.extensions = .null },
        ] {
            let error = try refusal(authenticator, World.getAssertion(change))
            #expect((error.code, error.reason, error.step) == (.unknown, .malformedParameters, 1))
        }
        #expect(throws: Never.self) { try authenticator.getAssertion(World.getAssertion()) }
    }

    @Test("6: no credential is a NotAllowedError, whether or not the user would consent")
    func noCredential() throws {
        let authenticator = try authenticator()
        let absent: [GetAssertionParameters] = [
            World.getAssertion { $0.rpID = "other.example" },
            World.getAssertion { $0.allowCredentialDescriptorList = [] },
            World.getAssertion { $0.allowCredentialDescriptorList = [.init(id: [1])] },
        ]
        for isConsenting in [true, false] {
            authenticator.options.isUserConsenting = isConsenting
            for parameters in absent {
                let error = try refusal(authenticator, parameters)
                #expect((error.code, error.reason, error.step) == (.notAllowed, .noCredential, 6))
            }
        }
    }

    @Test("7: a user who does not consent, or is not verified, is a NotAllowedError")
    func gesture() throws {
        let authenticator = try authenticator()
        authenticator.options.isUserConsenting = false
        let unwilling = try refusal(authenticator, World.getAssertion())
        #expect((unwilling.code, unwilling.reason, unwilling.step) == (.notAllowed, .consentDenied, 7))
        authenticator.options.isUserConsenting = true
        authenticator.options.isUserVerified = false
        let unverified = try refusal(authenticator, World.getAssertion())
        #expect((unverified.code, unverified.reason, unverified.step) == (.notAllowed, .userVerificationFailed, 7))
        let result = try authenticator.getAssertion(World.getAssertion { $0.requireUserVerification = false })
        #expect(try AuthenticatorData(result.authenticatorData).flags == [.userPresent, .backupEligible, .backupState])
    }

    @Test("3, 5, 7: the newest of the credentials that fit is selected")
    func selection() throws {
        let clock = TickingClock()
        let authenticator = VirtualAuthenticator(clock: clock.now)
        for user in 1...3 as ClosedRange<UInt8> {
            _ = try authenticator.makeCredential(World.makeCredential(user: user))
        }
        _ = try authenticator.makeCredential(World.makeCredential(user: 4) { $0.rpID = "other.example" })
        #expect(authenticator.credentials.map(\.userName.first) == ["a", "a", "a", "a"])
        #expect(try authenticator.getAssertion(World.getAssertion()).userHandle == World.handle(3))
        let oldest = try #require(authenticator.credentials.last)
        let allowed = World.getAssertion { $0.allowCredentialDescriptorList = [oldest.descriptor(), .init(id: [1])] }
        #expect(try authenticator.getAssertion(allowed).userHandle == World.handle(1))
    }

    @Test("9: counters", arguments: SignatureCounterMode.allCases)
    func counters(_ mode: SignatureCounterMode) throws {
        let authenticator = try authenticator(
            World.options {
                $0.counterMode = mode
                $0.counterStep = 5
            },
            users: 1...2
        )
        let (first, second) = (authenticator.credentials[0], authenticator.credentials[1])
        let counts = try [first, second, first, first].map { credential in
            let result = try authenticator.getAssertion(
                World.getAssertion { $0.allowCredentialDescriptorList = [credential.descriptor()] }
            )
            return try AuthenticatorData(result.authenticatorData).signCount
        }
        switch mode {
        case .none: #expect(counts == [0, 0, 0, 0])
        case .perCredential: #expect(counts == [5, 5, 10, 15])
        default: #expect(counts == [5, 10, 15, 20])
        }
        // What was sent is what is stored.
        let stored = try #require(authenticator.credentials.first { $0.id == first.id })
        #expect(stored.signCount == (mode == .none ? nil : counts.last))
    }

    @Test("9: a counter goes on from what it is set to, and over its end without a trap")
    func counterBounds() throws {
        let authenticator = try authenticator(World.options { $0.counterMode = .perCredential })
        let id = authenticator.credentials[0].id
        func count() throws -> UInt32 {
            try AuthenticatorData(authenticator.getAssertion(World.getAssertion()).authenticatorData).signCount
        }
        #expect(authenticator.setCredentialProperties(id, signCount: 41))
        #expect(try count() == 42)
        #expect(authenticator.setCredentialProperties(id, signCount: .max))
        #expect(try count() == 1)
        #expect(!authenticator.setCredentialProperties([1], signCount: 1))
    }

    @Test("10: authenticator data, byte for byte: nothing is attested")
    func authenticatorData() throws {
        let authenticator = try authenticator(.securityKey)
        let result = try authenticator.getAssertion(World.getAssertion())
        #expect(try result.authenticatorData == sha256([UInt8]("example.com".utf8)) + [0x05, 0, 0, 0, 1])
    }

    @Test("10: backup flags follow the credential's properties")
    func backup() throws {
        let authenticator = try authenticator()
        let id = authenticator.credentials[0].id
        func flags() throws -> UInt8 {
            try AuthenticatorData(authenticator.getAssertion(World.getAssertion()).authenticatorData).flags.rawValue
        }
        #expect(try flags() == 0x1D)
        authenticator.setCredentialProperties(id, backupState: false)
        #expect(try flags() == 0x0D)
        authenticator.setCredentialProperties(id, backupEligibility: false)
        #expect(try flags() == 0x05)
    }

    @Test("13: the ID is returned unless exactly one was allowed; a user handle if it is discoverable")
    func returnValues() throws {
        let authenticator = try authenticator()
        _ = try authenticator.makeCredential(World.makeCredential(user: 2) { $0.requireResidentKey = false })
        let resident = try #require(authenticator.credentials.first { $0.isDiscoverable })
        let other = try #require(authenticator.credentials.first { !$0.isDiscoverable })

        let discovered = try authenticator.getAssertion(World.getAssertion())
        #expect(discovered.credentialID == resident.id)
        #expect(try discovered.userHandle == World.handle(1))
        let one = try authenticator.getAssertion(
            World.getAssertion { $0.allowCredentialDescriptorList = [other.descriptor()] }
        )
        #expect(one.credentialID == nil)
        #expect(one.userHandle == nil)
        let two = try authenticator.getAssertion(
            World.getAssertion { $0.allowCredentialDescriptorList = [.init(id: [1]), resident.descriptor()] }
        )
        #expect(two.credentialID == resident.id)
    }

    @Test("A removed credential signs no more")
    func removal() throws {
        let authenticator = try authenticator(users: 1...2)
        let ids = authenticator.credentials.map(\.id)
        #expect(authenticator.removeCredential(ids[0])?.id == ids[0])
        #expect(authenticator.removeCredential(ids[0]) == nil)
        #expect(authenticator.credentials.map(\.id) == [ids[1]])
        authenticator.removeAllCredentials()
        #expect(try refusal(authenticator, World.getAssertion()).step == 6)
    }

    @Test("Every algorithm signs what its public key verifies", arguments: SignatureAlgorithms.supported)
    func algorithms(_ algorithm: COSEAlgorithmIdentifier) throws {
        let authenticator = VirtualAuthenticator(World.options { $0.attestation = .packed })
        let object = try AttestationObject(
            authenticator.makeCredential(World.makeCredential { $0.credTypesAndPubKeyAlgs = [.init(alg: algorithm)] })
        )
        let key = try object.attested().credentialPublicKey
        let statement = try #require(object.statement.root["sig"]?.byteArray)
        #expect(object.statement.root["alg"]?.int == algorithm.rawValue)
        #expect(try World.verifies(statement, object.authenticatorData.bytes, World.hash, publicKey: key))

        let result = try authenticator.getAssertion(World.getAssertion())
        #expect(try World.verifies(result.signature, result.authenticatorData, World.hash, publicKey: key))
        // Its twin: the same signature over another hash.
        let other = [UInt8](repeating: 1, count: 32)
        #expect(try !World.verifies(result.signature, result.authenticatorData, other, publicKey: key))
    }
}
