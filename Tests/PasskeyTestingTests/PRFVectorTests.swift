import PasskeyCrypto
import PasskeyModel
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyTesting

@Suite("hmac-secret by the W3C's test vectors of prf", .needsShared)
struct PRFVectorTests {
    private func file() throws -> JSONValue {
        let folder = try #require(Vectors.shared, "the folder ../shared/vectors is not there")
        return try JSONValue(json: Vectors.bytes(folder + "/webauthn-prf.json"))
    }

    private func bytes(_ value: JSONValue?) throws -> [UInt8] {
        let text = try #require(value?.string)
        return try #require(Hex.decode(text))
    }

    private func sides(_ file: JSONValue) throws -> (platform: PrivateKey, authenticator: CBOR, credRandom: [UInt8]) {
        let shared = try #require(file["shared"])
        let peer = try #require(shared["authenticator_key_agreement_public_key"])
        return (
            try PrivateKey(ec: .es256, scalar: bytes(shared["platform_key_agreement_private_key"])),
            [1: 2, 3: -25, -1: 1, -2: .bytes(try bytes(peer["-2"])), -3: .bytes(try bytes(peer["-3"]))],
            try bytes(shared["authenticator_cred_random"])
        )
    }

    @Test("Every value that is printed")
    func printed() throws {
        let file = try file()
        let (platform, authenticator, credRandom) = try sides(file)
        let cases = try #require(file["hmacSecretCases"]?.array)
        #expect(cases.count == 3)
        for vector in cases {
            let pinProtocol = try #require(vector["pinProtocol"]?.number?.int.flatMap(PINProtocol.init))
            let secret = try pinProtocol.sharedSecret(platform, peer: authenticator)
            #expect(secret.bytes == (try bytes(vector["shared_secret"])))

            var salts: [[UInt8]] = []
            var outputs: [[UInt8]] = []
            for (input, salt, output) in [
                ("prf_eval_first", "salt1", "output1"), ("prf_eval_second", "salt2", "output2"),
            ] where vector[input] != nil {
                salts.append(try HMACSecret.salt(bytes(vector[input])))
                #expect(salts.last == (try bytes(vector[salt])))
                outputs.append(try bytes(vector[output]))
            }
            #expect(outputs.first == (try bytes(vector["prf_results_first"])))

            // The random bytes of protocol two are the first ones of what is printed.
            let saltEnc = try bytes(vector["salt_enc"])
            let outputEnc = try bytes(vector["output_enc"])
            #expect(try secret.encrypt(salts.flatMap { $0 }, in: Self.environment(saltEnc)) == saltEnc)
            // Both sides derive the same secret, so that the platform's key may stand for the authenticator's here.
            let input: CBOR = [
                1: authenticator, 2: .bytes(saltEnc), 3: .bytes(try secret.authenticate(saltEnc)),
                4: CBOR(pinProtocol.rawValue),
            ]
            let answer = try HMACSecret.respond(
                to: input,
                credRandom: credRandom,
                key: platform,
                in: Self.environment(outputEnc)
            )
            #expect(answer == outputEnc)
            #expect(try HMACSecret.open(outputEnc, secret) == outputs)
        }
    }

    private static func environment(_ printed: [UInt8]) -> VirtualEnvironment {
        VirtualEnvironment(random: { Array(printed.prefix($0)) })
    }
}

@Suite("hmac-secret between client and authenticator")
struct HMACSecretTests {
    private let authenticatorKey = Result { try PrivateKey.generate(.es256) }
    private let credRandom = [UInt8](repeating: 3, count: 32)
    private let salts = [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)]

    private func request(
        _ pinProtocol: PINProtocol,
        _ salts: [[UInt8]]
    ) throws -> (input: CBOR, sharedSecret: PINProtocol.SharedSecret) {
        let peer = try PINProtocol.keyAgreement(authenticatorKey.get())
        return try HMACSecret.request(salts, pinProtocol, peer: peer, in: VirtualEnvironment())
    }

    private func respond(_ input: CBOR) throws -> [UInt8] {
        try HMACSecret.respond(
            to: input,
            credRandom: credRandom,
            key: authenticatorKey.get(),
            in: VirtualEnvironment()
        )
    }

    @Test("What goes one way comes back", arguments: PINProtocol.allCases)
    func roundTrip(_ pinProtocol: PINProtocol) throws {
        for salts in [Array(salts.prefix(1)), salts] {
            let (input, secret) = try request(pinProtocol, salts)
            let expected = try salts.map { try HMAC.authenticationCode(.sha256, key: credRandom, $0) }
            #expect(try HMACSecret.open(respond(input), secret) == expected)
        }
    }

    @Test("What is asked wrongly is refused", arguments: PINProtocol.allCases)
    func refusals(_ pinProtocol: PINProtocol) throws {
        let (input, _) = try request(pinProtocol, salts)
        func changed(_ key: CBOR, _ value: CBOR?) -> CBOR {
            .map(
                (input.entries ?? []).compactMap { entry in
                    entry.key == key ? value.map { CBOR.Entry(key, $0) } : entry
                }
            )
        }
        func code(_ input: CBOR) -> CryptoError.Code? {
            do {
                _ = try respond(input)
                return nil
            } catch {
                return (error as? CryptoError)?.code
            }
        }
        #expect(code(input) == nil)
        for missing in [1, 2, 3] as [CBOR] { #expect(code(changed(missing, nil)) == .unsupported) }
        #expect(code(changed(4, 3)) == .unsupported)
        #expect(code(changed(4, "2")) == .unsupported)
        #expect(code(changed(4, nil)) == (pinProtocol == .one ? nil : .notAuthentic), "protocol one is the default")
        var mac = try #require(input[3]?.byteArray)
        mac[0] ^= 1
        #expect(code(changed(3, .bytes(mac))) == .notAuthentic)
        #expect(code(changed(3, .bytes([]))) == .notAuthentic)
        var text = try #require(input[2]?.byteArray)
        text[0] ^= 1
        #expect(code(changed(2, .bytes(text))) == .notAuthentic)
        // A point that is on no curve, one of the wrong length, and another kind of key.
        let zero = CBOR.bytes([UInt8](repeating: 0, count: 32))
        #expect(code(changed(1, [1: 2, 3: -25, -1: 1, -2: zero, -3: zero])) == .malformedKey)
        #expect(code(changed(1, [1: 2, 3: -25, -1: 1, -2: .bytes([1]), -3: zero])) == .malformedKey)
        #expect(code(changed(1, [1: 1, 3: -8, -1: 6, -2: zero])) == .malformedKey)
        // The key itself, with a member that is another, missing or one too many.
        let key = try #require(input[1]?.entries)
        for (label, value) in [(1, 1), (3, -7), (3, nil), (-1, 2), (-1, nil), (-2, nil), (-3, true), (2, 0)]
            as [(CBOR, CBOR?)]
        {
            let others = key.filter { $0.key != label }
            let wrong = others + (value.map { [CBOR.Entry(label, $0)] } ?? [])
            #expect(code(changed(1, .map(wrong))) == .malformedKey, "\(label)")
        }
        // A MAC of the other protocol's length.
        let right = try #require(input[3]?.byteArray)
        #expect(right.count == (pinProtocol == .one ? 16 : 32))
        let other = pinProtocol == .one ? right + right : Array(right.prefix(16))
        #expect(code(changed(3, .bytes(other))) == .notAuthentic)
        // Salts of another length, authenticated as they are.
        for count in [0, 16, 48, 96] {
            let (odd, _) = try request(pinProtocol, [[UInt8](repeating: 0, count: count)])
            #expect(code(odd) == .unsupported, "\(count) bytes")
        }
    }

    @Test("Nothing of the results is in authenticator data in clear, and the client gives them to the page")
    func throughTheClient() throws {
        let authenticator = VirtualAuthenticator(.securityKey)
        let client = VirtualClient(origin: World.origin, authenticators: [authenticator])
        let inputs = PRFInputs(eval: PRFValues(first: [1], second: [2]))
        let made = try client.create(World.creationOptions { $0.extensions.prf = inputs })
        let results = try #require(made.clientExtensionResults.prf?.results)
        #expect(made.clientExtensionResults.prf?.enabled == true)
        #expect(results.first.count == 32 && results.second?.count == 32)
        let used = try client.get(World.requestOptions { $0.extensions.prf = inputs })
        #expect(used.clientExtensionResults.prf == PRFOutputs(results: results))
        for data in [made.attestationObject, used.authenticatorData] {
            #expect(!data.contains(results.first))
        }
        let unverified = try client.get(
            World.requestOptions {
                $0.extensions.prf = inputs
                $0.userVerification = .discouraged
            }
        )
        #expect(unverified.clientExtensionResults.prf?.results?.first != results.first)

        // Without hmac-secret-mc a registration says `enabled` alone; without anything, that it is not.
        authenticator.options.extensions.remove(.hmacSecretMC)
        let older = try client.create(World.creationOptions { $0.extensions.prf = inputs })
        #expect(older.clientExtensionResults.prf == PRFOutputs(enabled: true))
        authenticator.options.extensions = []
        let without = try client.create(World.creationOptions { $0.extensions.prf = inputs })
        #expect(without.clientExtensionResults.prf == PRFOutputs(enabled: false))
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
