import PasskeyWire
import Testing

@testable import PasskeyCrypto

/// Section 16 of Web Authentication Level 3 derives every private key by HKDF and signs with RFC 6979.
@Suite("The W3C's test vectors, derived and signed anew", .needsShared)
struct W3CSignatureTests {
    /// The members of `webauthn-l3.json` that matter here.
    struct CaseFile: Decodable {
        struct Case: Decodable {
            struct Input: Decodable {
                var response: Credential
                var record: Record?
            }

            struct Credential: Decodable {
                var response: Response
            }

            struct Response: Decodable {
                var clientDataJSON: String
                var authenticatorData: String?
                var signature: String?
            }

            struct Record: Decodable {
                var publicKey: String
            }

            var id: String
            var operation: String
            var input: Input
        }

        var cases: [Case]
    }

    /// The members of `webauthn-l3-derivation.json` that matter here.
    struct DerivationFile: Decodable {
        struct Vector: Decodable {
            struct Derivations: Decodable {
                var registration: [String: Derivation]
            }

            struct Printed: Decodable {
                var registration: [String: String]
            }

            var name: String
            var alg: Int
            var derivation: Derivations
            var printed: Printed
        }

        struct Derivation: Decodable {
            var ikm: String
            var salt: String
            var info: String
            var length: Int

            func value() throws -> [UInt8] {
                try HKDF.derive(
                    .sha256,
                    secret: Array(ikm.utf8),
                    salt: hex(salt),
                    info: Array(info.utf8),
                    count: length
                )
            }
        }

        var vectors: [Vector]
    }

    private func privateKey(_ vector: DerivationFile.Vector) throws -> PrivateKey {
        let algorithm = COSEAlgorithmIdentifier(rawValue: vector.alg)
        let derivations = vector.derivation.registration
        if let scalar = derivations["credential_private_key"] {
            return try PrivateKey(ec: algorithm, scalar: scalar.value())
        }
        if let seed = derivations["private_key"] {
            return try PrivateKey(seed: seed.value(), algorithm)
        }
        let p = try #require(vector.printed.registration["private_key_p"])
        let q = try #require(vector.printed.registration["private_key_q"])
        return try PrivateKey(rsa: algorithm, p: hex(p), q: hex(q))
    }

    @Test("Every key and every assertion signature, bit for bit")
    func all() throws {
        let cases = try shared("webauthn-l3.json", as: CaseFile.self).cases
        var count = 0
        for vector in try shared("webauthn-l3-derivation.json", as: DerivationFile.self).vectors {
            let name = vector.name
            let entry = try #require(cases.first { $0.id == "w3c-\(name)-authentication" }, "\(name)")
            let response = entry.input.response.response
            let authenticatorData = try Base64URL.decode(#require(response.authenticatorData))
            let signature = try Base64URL.decode(#require(response.signature))
            let message = try authenticatorData + sha256(Base64URL.decode(response.clientDataJSON))

            let key = try privateKey(vector)
            let stored = try COSEKey(Base64URL.decode(#require(entry.input.record?.publicKey)))
            #expect(key.publicKey == stored, "\(name)")
            #expect(try key.signDeterministically(message) == signature, "\(name)")
            #expect(try PublicKey(stored).verify(signature, of: message), "\(name)")
            #expect(try !PublicKey(stored).verify(signature, of: message.flipping(bit: 0)), "\(name)")
            count += 1
        }
        #expect(count == 15)
    }
}
