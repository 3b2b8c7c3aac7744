import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Key agreement and CBC, for CTAP's PIN/UV auth protocols")
struct KeyAgreementTests {
    @Test("NIST SP 800-38A F.2.5 and F.2.6: AES-256 in CBC mode")
    func cbc() throws {
        let key = try hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
        let vector = try hex("000102030405060708090a0b0c0d0e0f")
        let plaintext = try hex(
            """
            6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
            30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
            """
        )
        let ciphertext = try hex(
            """
            f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d
            39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b
            """
        )
        #expect(try AESCBC.encrypt(plaintext, key: key, initializationVector: vector) == ciphertext)
        #expect(try AESCBC.decrypt(ciphertext, key: key, initializationVector: vector) == plaintext)
        #expect(try AESCBC.encrypt([], key: key, initializationVector: vector).isEmpty)
        #expect(throws: CryptoError.self) {
            try AESCBC.encrypt(Array(plaintext.dropLast()), key: key, initializationVector: vector)
        }
        #expect(throws: CryptoError.self) {
            try AESCBC.decrypt(ciphertext, key: Array(key.prefix(16)), initializationVector: vector)
        }
        #expect(throws: CryptoError.self) { try AESCBC.decrypt(ciphertext, key: key, initializationVector: []) }
    }

    @Test("RFC 5903 §8.1: the shared secret on P-256, the same from both sides")
    func agreement() throws {
        let initiator = try PrivateKey(
            ec: .es256,
            scalar: hex("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433")
        )
        let responder = try PrivateKey(
            ec: .es256,
            scalar: hex("C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53")
        )
        let secret = try hex("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE")
        #expect(try PublicKey(responder.publicKey).sharedSecret(with: initiator) == secret)
        #expect(try PublicKey(initiator.publicKey).sharedSecret(with: responder) == secret)
    }

    /// A file of C2SP Wycheproof with public keys as bare points.
    private struct File: Decodable {
        struct Group: Decodable {
            var tests: [Entry]
        }

        struct Entry: Decodable {
            var tcId: Int
            var comment: String
            var `public`: String
            var `private`: String
            var shared: String
            var result: String
        }

        var testGroups: [Group]
    }

    @Test("Wycheproof: the secret of every valid test, and no other point gets in", .needsShared)
    func wycheproof() throws {
        let file: File = try shared("wycheproof/ecdh_secp256r1_ecpoint_test.json")
        var count = 0
        for entry in file.testGroups.flatMap(\.tests) {
            let octets = try hex(entry.public)
            // Compressed points do not come as two coordinates.
            var peer: PublicKey?
            if octets.count == 65, octets[0] == 4 {
                let parameters = COSEKey.Parameters.ec2(.p256, x: Array(octets[1...32]), y: Array(octets[33...]))
                peer = try? PublicKey(COSEKey(algorithm: .es256, parameters))
            }
            #expect((peer != nil) == (entry.result == "valid"), "\(entry.tcId): \(entry.comment)")
            guard let peer else { continue }
            let key = try PrivateKey(ec: .es256, scalar: hex(entry.private))
            #expect(try peer.sharedSecret(with: key) == hex(entry.shared), "\(entry.tcId): \(entry.comment)")
            count += 1
        }
        #expect(count == 330)
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("Keys on other curves agree on nothing")
    func otherCurves() throws {
        let p256 = try PrivateKey.generate(.es256)
        for algorithm in [COSEAlgorithmIdentifier.es384, .edDSA, .rs256, .es256K] {
            let other = try PrivateKey.generate(algorithm)
            #expect(throws: CryptoError.self) { try PublicKey(other.publicKey).sharedSecret(with: p256) }
            #expect(throws: CryptoError.self) { try PublicKey(p256.publicKey).sharedSecret(with: other) }
        }
    }
}
