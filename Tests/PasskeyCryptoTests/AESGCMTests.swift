import Testing

@testable import PasskeyCrypto

@Suite("AES-GCM")
struct AESGCMTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var key: String
        var nonce: String
        var additional = ""
        var plaintext: String
        var ciphertext: String
        var tag: String

        var testDescription: String { name }
    }

    private static let text = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """

    /// Of the submission to NIST, "The Galois/Counter Mode of Operation", appendix B.
    static let vectors = [
        Vector(
            name: "test case 1",
            key: "00000000000000000000000000000000",
            nonce: "000000000000000000000000",
            plaintext: "",
            ciphertext: "",
            tag: "58e2fccefa7e3061367f1d57a4e7455a"
        ),
        Vector(
            name: "test case 2",
            key: "00000000000000000000000000000000",
            nonce: "000000000000000000000000",
            plaintext: "00000000000000000000000000000000",
            ciphertext: "0388dace60b6a392f328c2b971b2fe78",
            tag: "ab6e47d42cec13bdf53a67b21257bddf"
        ),
        Vector(
            name: "test case 4",
            key: "feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            additional: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: text,
            ciphertext: """
                42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e\
                21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091
                """,
            tag: "5bc94fbc3221a5db94fae95ae7121a47"
        ),
        Vector(
            name: "test case 13",
            key: "0000000000000000000000000000000000000000000000000000000000000000",
            nonce: "000000000000000000000000",
            plaintext: "",
            ciphertext: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        Vector(
            name: "test case 16",
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            additional: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: text,
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                """,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ]

    @Test("Known ciphertexts", arguments: vectors)
    func known(_ vector: Vector) throws {
        let key = try hex(vector.key)
        let nonce = try hex(vector.nonce)
        let additional = try hex(vector.additional)
        let plaintext = try hex(vector.plaintext)
        let expected = try hex(vector.ciphertext + vector.tag)
        #expect(try AESGCM.seal(plaintext, key: key, nonce: nonce, authenticating: additional) == expected)
        #expect(try AESGCM.open(expected, key: key, nonce: nonce, authenticating: additional) == plaintext)
    }

    @Test("Whatever is changed, it is not opened", arguments: vectors)
    func changed(_ vector: Vector) throws {
        let key = try hex(vector.key)
        let nonce = try hex(vector.nonce)
        let additional = try hex(vector.additional)
        let sealed = try hex(vector.ciphertext + vector.tag)
        func refuses(_ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ additional: [UInt8]) {
            expectError(.notAuthentic) { () throws(CryptoError) in
                try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: additional)
            }
            #expect(CryptoError.isQueueEmpty)
        }
        for bit in 0..<sealed.count * 8 {
            refuses(sealed.flipping(bit: bit), key, nonce, additional)
        }
        for count in 0..<sealed.count {
            refuses(Array(sealed.prefix(count)), key, nonce, additional)
        }
        refuses(sealed + [0], key, nonce, additional)
        refuses(sealed, key.flipping(bit: 0), nonce, additional)
        refuses(sealed, key, nonce.flipping(bit: 95), additional)
        refuses(sealed, key, nonce, additional + [0])
        if !additional.isEmpty { refuses(sealed, key, nonce, Array(additional.dropLast())) }
    }

    @Test("Keys and nonces of other lengths are errors, and no traps")
    func lengths() throws {
        let nonce = [UInt8](repeating: 0, count: 12)
        let sealed = try AESGCM.seal([1], key: [UInt8](repeating: 0, count: 16), nonce: nonce)
        for count in [0, 1, 15, 17, 24, 31, 33, 64] {
            let key = [UInt8](repeating: 0, count: count)
            expectError(.malformedKey, "\(count)") { () throws(CryptoError) in
                try AESGCM.seal([1], key: key, nonce: nonce)
            }
            expectError(.malformedKey, "\(count)") { () throws(CryptoError) in
                try AESGCM.open(sealed, key: key, nonce: nonce)
            }
        }
        for count in [0, 8, 11, 13, 16] {
            let nonce = [UInt8](repeating: 0, count: count)
            expectError(.unsupported, "\(count)") { () throws(CryptoError) in
                try AESGCM.seal([1], key: [UInt8](repeating: 0, count: 16), nonce: nonce)
            }
        }
    }
}
