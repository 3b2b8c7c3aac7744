import Foundation
import PasskeyWire
import Testing

@testable import PasskeyCrypto

/// A file of C2SP Wycheproof with signatures to be verified.
struct WycheproofFile: Decodable {
    struct Group: Decodable {
        struct Key: Decodable {
            /// EC: `04 || x || y`.
            var uncompressed: String?
            /// Ed25519 and Ed448.
            var pk: String?
            /// RSA, as the content of an INTEGER.
            var modulus: String?
            var publicExponent: String?
        }

        var publicKey: Key
        var tests: [Entry]
    }

    struct Entry: Decodable {
        var tcId: Int
        var comment: String
        var msg: String
        var sig: String
        var result: String
    }

    var numberOfTests: Int
    var testGroups: [Group]
}

@Suite("Wycheproof", .needsShared)
struct WycheproofTests {
    struct Source: Sendable, CustomTestStringConvertible {
        var name: String
        var algorithm: COSEAlgorithmIdentifier
        var count: Int
        /// Whether the signatures are `r || s`, as in IEEE P1363, which no authenticator sends.
        var isRaw = false

        var testDescription: String { name }
    }

    static let sources = [
        Source(name: "ecdsa_secp256r1_sha256", algorithm: .es256, count: 484),
        Source(name: "ecdsa_secp256r1_sha256_p1363", algorithm: .es256, count: 262, isRaw: true),
        Source(name: "ecdsa_secp384r1_sha384", algorithm: .es384, count: 504),
        Source(name: "ecdsa_secp384r1_sha384_p1363", algorithm: .es384, count: 280, isRaw: true),
        Source(name: "ecdsa_secp521r1_sha512", algorithm: .es512, count: 542),
        Source(name: "ecdsa_secp521r1_sha512_p1363", algorithm: .es512, count: 318, isRaw: true),
        Source(name: "ed25519", algorithm: .edDSA, count: 151),
        Source(name: "ed448", algorithm: .ed448, count: 87),
        Source(name: "rsa_signature_2048_sha256", algorithm: .rs256, count: 259),
        Source(name: "rsa_signature_3072_sha256", algorithm: .rs256, count: 259),
        Source(name: "rsa_signature_4096_sha256", algorithm: .rs256, count: 258),
        Source(name: "rsa_pss_2048_sha256_mgf1_32", algorithm: .ps256, count: 108),
    ]

    @Test("Valid is accepted, invalid and acceptable are refused: 3,512 tests")
    func all() throws {
        var total = 0
        for source in Self.sources {
            let verdicts = try run(source)
            #expect(verdicts.accepted + verdicts.refused == source.count, "\(source.name)")
            // A verifier that says the same to all would stand out here.
            #expect(verdicts.accepted > 0, "\(source.name)")
            #expect(verdicts.refused > 0, "\(source.name)")
            print("Wycheproof \(source.name): \(verdicts.accepted) accepted, \(verdicts.refused) refused")
            total += verdicts.accepted + verdicts.refused
        }
        print("Wycheproof: \(total) tests")
        #expect(total == 3512)
    }

    /// Runs a file, and counts the tests that came out as they should.
    private func run(_ source: Source) throws -> (accepted: Int, refused: Int) {
        let file = try shared("wycheproof/\(source.name)_test.json", as: WycheproofFile.self)
        #expect(file.numberOfTests == source.count)
        var accepted = 0
        var refused = 0
        for group in file.testGroups {
            let key = try publicKey(group.publicKey, source.algorithm)
            for entry in group.tests {
                var isAccepted = false
                if let signature = try signature(entry, source) {
                    isAccepted = try key.verify(signature, of: hex(entry.msg))
                }
                guard isAccepted == (entry.result == "valid") else {
                    Issue.record("\(source.name) \(entry.tcId), \(entry.result): \(entry.comment)")
                    continue
                }
                if isAccepted { accepted += 1 } else { refused += 1 }
                if !CryptoError.isQueueEmpty { Issue.record("\(source.name) \(entry.tcId) left an error behind") }
            }
        }
        return (accepted, refused)
    }

    private func publicKey(
        _ key: WycheproofFile.Group.Key,
        _ algorithm: COSEAlgorithmIdentifier
    ) throws -> PublicKey {
        let parameters: COSEKey.Parameters
        let kind = try SignatureScheme(algorithm).kind
        if kind == .rsa {
            parameters = try .rsa(
                n: Array(hex(#require(key.modulus)).drop { $0 == 0 }),
                e: Array(hex(#require(key.publicExponent)).drop { $0 == 0 })
            )
        } else if kind.isECDSA {
            let octets = try hex(#require(key.uncompressed))
            let size = octets.count / 2
            #expect(octets[0] == 4)
            parameters = try .ec2(
                #require(kind.curve),
                x: Array(octets[1...size]),
                y: Array(octets[(size + 1)...])
            )
        } else {
            parameters = try .okp(#require(kind.curve), x: hex(#require(key.pk)))
        }
        return try PublicKey(COSEKey(algorithm: algorithm, parameters))
    }

    /// The signature as an authenticator would send it; `nil` for a raw one of another length than `r || s` has.
    private func signature(_ entry: WycheproofFile.Entry, _ source: Source) throws -> [UInt8]? {
        let bytes = try hex(entry.sig)
        guard source.isRaw else { return bytes }
        let size = try #require(SignatureScheme(source.algorithm).kind.byteCount)
        guard bytes.count == 2 * size else { return nil }
        return ECDSASignature(
            r: Array(bytes[..<size].drop { $0 == 0 }),
            s: Array(bytes[size...].drop { $0 == 0 })
        ).der
    }
}
