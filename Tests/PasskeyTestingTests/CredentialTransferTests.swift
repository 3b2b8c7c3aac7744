import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Credentials in and out")
struct CredentialTransferTests {
    private func parameters(
        _ algorithm: COSEAlgorithmIdentifier = .es256,
        _ change: (inout VirtualCredentialParameters) -> Void = { _ in }
    ) throws -> VirtualCredentialParameters {
        var parameters = VirtualCredentialParameters(
            credentialID: [1, 2, 3],
            isResidentCredential: true,
            relyingPartyIdentifier: World.rpID,
            privateKey: try PrivateKey.generate(algorithm).pkcs8(),
            userHandle: try World.handle(1)
        )
        change(&parameters)
        return parameters
    }

    @Test("What is exported signs elsewhere, as itself, after a way through JSON")
    func roundTrip() throws {
        let authenticator = VirtualAuthenticator(World.options { $0.counterMode = .perCredential })
        let made = try AttestationObject(
            authenticator.makeCredential(
                World.makeCredential {
                    $0.extensions = ["credProtect": 2, "hmac-secret": true, "credBlob": .bytes([9]), "largeBlob": [:]]
                }
            )
        ).attested()
        let exported = try #require(authenticator.exportCredential(made.credentialID))
        let text = exported.jsonBytes()
        let read = try VirtualCredentialParameters(json: text)
        #expect(read == exported)
        #expect(read.secrets != nil && read.credBlob == [9] && read.supportsLargeBlob)
        #expect(read.protection == .userVerificationOptionalWithCredentialIDList)

        let other = VirtualAuthenticator()
        #expect(try other.importCredential(read) == authenticator.credentials[0])
        let result = try other.getAssertion(World.getAssertion())
        #expect(
            try World.verifies(
                result.signature,
                result.authenticatorData,
                World.hash,
                publicKey: made.credentialPublicKey
            )
        )
        #expect(authenticator.exportCredential([0]) == nil)
    }

    @Test("A whole authenticator goes through JSON as a value", arguments: AuthenticatorProfile.all.map(\.name))
    func wholeState(_ name: String) throws {
        let profile = try #require(AuthenticatorProfile.all.first { $0.name == name })
        let authenticator = VirtualAuthenticator.profile(profile)
        _ = try authenticator.makeCredential(
            World.makeCredential {
                $0.requireResidentKey = profile.options.hasResidentKey
                $0.requireUserVerification = profile.options.hasUserVerification
                $0.credTypesAndPubKeyAlgs = [.init(alg: .es256)]
            }
        )
        let state = authenticator.state
        let data = try JSONEncoder().encode(state)
        let read = try JSONDecoder().decode(VirtualAuthenticatorState.self, from: data)
        #expect(read == state)
        #expect(try VirtualAuthenticator(read).state == state)
    }

    @Test("The kind of a key tells its algorithm, unless somebody else does", arguments: SignatureAlgorithms.supported)
    func algorithms(_ algorithm: COSEAlgorithmIdentifier) throws {
        var parameters = try parameters(algorithm)
        let usual = try VirtualAuthenticator().importCredential(parameters).algorithm
        parameters.algorithm = algorithm
        #expect(try VirtualAuthenticator().importCredential(parameters).algorithm == algorithm)
        parameters.algorithm = usual
        #expect(try VirtualAuthenticator().importCredential(parameters).algorithm == usual)
    }

    @Test("Each import that cannot be is refused for its reason, and made right accepted")
    func refusals() throws {
        let key = try PrivateKey.generate(.es256).pkcs8()
        let cases: [(CredentialImportError.Reason, (inout VirtualCredentialParameters) -> Void)] = [
            (.credentialID, { $0.credentialID = [] }),
            (.credentialID, { $0.credentialID = [UInt8](repeating: 1, count: 1024) }),
            (.relyingPartyIdentifier, { $0.relyingPartyIdentifier = "not a domain" }),
            (.privateKey, { $0.privateKey = [UInt8]("not a key".utf8) }),
            (.privateKey, { $0.privateKey = key + [0] }),
            (.privateKey, { $0.privateKey = Array(key.dropLast()) }),
            (.privateKey, { $0.algorithm = .es384 }),
            (.userHandle, { $0.userHandle = nil }),
            (.property, { $0.credBlob = [UInt8](repeating: 1, count: 33) }),
            (.property, { $0.secrets = CredentialSecrets(withUserVerification: [1], withoutUserVerification: [2]) }),
        ]
        for (reason, change) in cases {
            let authenticator = VirtualAuthenticator()
            let wrong = try parameters(.es256, change)
            let error = try #require(throws: CredentialImportError.self) { try authenticator.importCredential(wrong) }
            #expect(error.reason == reason)
            #expect(authenticator.credentials.isEmpty)
        }
        #expect(throws: Never.self) { try VirtualAuthenticator().importCredential(parameters()) }
        #expect(throws: Never.self) {
            try VirtualAuthenticator().importCredential(
                parameters {
                    $0.credentialID = [UInt8](repeating: 1, count: 1023)
                    $0.isResidentCredential = false
                    $0.userHandle = nil
                }
            )
        }
        let storeless = VirtualAuthenticator(World.options { $0.hasResidentKey = false })
        let error = try #require(throws: CredentialImportError.self) { try storeless.importCredential(parameters()) }
        #expect(error.reason == .residentKeyUnsupported)
        let full = VirtualAuthenticator(World.options { $0.residentKeyCapacity = 0 })
        #expect(throws: CredentialImportError.self) { try full.importCredential(parameters()) }
    }

    private func parameters(
        _ change: (inout VirtualCredentialParameters) -> Void
    ) throws -> VirtualCredentialParameters {
        try parameters(.es256, change)
    }

    @Test("JSON: WebDriver's names, and signCount is a number of 32 bits or null, but never absent")
    func json() throws {
        let parameters = try parameters { $0.signCount = nil }
        let text = String(decoding: parameters.jsonBytes(), as: UTF8.self)
        for member in ["\"credentialId\":\"AQID\"", "\"isResidentCredential\":true", "\"rpId\":", "\"signCount\":null"]
        {
            #expect(text.contains(member))
        }
        #expect(try VirtualCredentialParameters(json: text).signCount == nil)
        for (count, isRight) in [
            ("0", true), ("4294967295", true), ("4294967296", false), ("-1", false), ("\"1\"", false),
        ] {
            let changed = text.replacingOccurrences(of: "\"signCount\":null", with: "\"signCount\":\(count)")
            #expect(((try? VirtualCredentialParameters(json: changed)) != nil) == isRight, "\(count)")
        }
        let without = text.replacingOccurrences(of: "\"signCount\":null,", with: "")
        let error = try #require(throws: ModelError.self) { try VirtualCredentialParameters(json: without) }
        #expect((error.code, error.path) == (.missing, "signCount"))
    }

    @Test("A credential without a counter signs with zero; one with a counter counts wherever it comes to")
    func importedCounters() throws {
        for mode in SignatureCounterMode.allCases {
            for (count, expected) in [(nil, [0, 0]), (5, [6, 7])] as [(UInt32?, [UInt32])] {
                let authenticator = VirtualAuthenticator(World.options { $0.counterMode = mode })
                try authenticator.importCredential(parameters { $0.signCount = count })
                let counts = try (0..<2).map { _ in
                    try AuthenticatorData(authenticator.getAssertion(World.getAssertion()).authenticatorData).signCount
                }
                #expect(counts == expected, "\(mode)")
            }
        }
    }
}

extension String {
    /// FoundationEssentials has none.
    fileprivate func replacingOccurrences(of part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(in: range, other)
    }

    private func replacingCharacters(in range: Range<String.Index>, _ other: String) -> String {
        var copy = self
        copy.replaceSubrange(range, with: other)
        return copy
    }
}
