import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("HMAC, RFC 4231")
struct HMACTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var number: Int
        var key: String
        var message: String
        var codes: [HashFunction: String]

        var testDescription: String { "test case \(number)" }
    }

    static let vectors = [
        Vector(
            number: 1,
            key: String(repeating: "0b", count: 20),
            message: "4869205468657265",
            codes: [
                .sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                .sha384: """
                afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c\
                faea9ea9076ede7f4af152e8b2fa9cb6
                """,
                .sha512: """
                87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde\
                daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854
                """,
            ]
        ),
        Vector(
            number: 2,
            key: "4a656665",
            message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            codes: [
                .sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                .sha384: """
                af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e\
                8e2240ca5e69e2c78b3239ecfab21649
                """,
                .sha512: """
                164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
                9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                """,
            ]
        ),
        Vector(
            number: 3,
            key: String(repeating: "aa", count: 20),
            message: String(repeating: "dd", count: 50),
            codes: [
                .sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ]
        ),
        // A key that is longer than a block.
        Vector(
            number: 6,
            key: String(repeating: "aa", count: 131),
            message: """
                54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a\
                65204b6579202d2048617368204b6579204669727374
                """,
            codes: [
                .sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ]
        ),
    ]

    @Test("Known codes", arguments: vectors)
    func known(_ vector: Vector) throws {
        for (function, code) in vector.codes {
            #expect(
                try HMAC.authenticationCode(function, key: hex(vector.key), hex(vector.message)) == hex(code),
                "\(function)"
            )
        }
    }

    @Test("An empty key is a key, and not the key before")
    func emptyKey() throws {
        _ = try HMAC.authenticationCode(.sha256, key: [1, 2, 3], [])
        let code = try HMAC.authenticationCode(.sha256, key: [], [])
        #expect(try code == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }
}

@Suite("HKDF, RFC 5869 appendix A")
struct HKDFTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var number: Int
        var function: HashFunction
        var secret: String
        var salt: String
        var info: String
        var output: String

        var testDescription: String { "test case \(number)" }
    }

    private static func range(_ values: ClosedRange<UInt8>) -> String { Hex.encode(values) }

    static let vectors = [
        Vector(
            number: 1,
            function: .sha256,
            secret: String(repeating: "0b", count: 22),
            salt: range(0x00...0x0C),
            info: range(0xF0...0xF9),
            output: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        Vector(
            number: 2,
            function: .sha256,
            secret: range(0x00...0x4F),
            salt: range(0x60...0xAF),
            info: range(0xB0...0xFF),
            output: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
        ),
        Vector(
            number: 3,
            function: .sha256,
            secret: String(repeating: "0b", count: 22),
            salt: "",
            info: "",
            output: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
        Vector(
            number: 4,
            function: .sha1,
            secret: String(repeating: "0b", count: 11),
            salt: range(0x00...0x0C),
            info: range(0xF0...0xF9),
            output: "085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896"
        ),
    ]

    @Test("Known keys", arguments: vectors)
    func known(_ vector: Vector) throws {
        let expected = try hex(vector.output)
        let derived = try HKDF.derive(
            vector.function,
            secret: hex(vector.secret),
            salt: hex(vector.salt),
            info: hex(vector.info),
            count: expected.count
        )
        #expect(derived == expected)
    }

    @Test("Lengths from none to 255 digests, and no more")
    func lengths() throws {
        func derive(_ count: Int) throws(CryptoError) -> [UInt8] {
            try HKDF.derive(.sha256, secret: [1], salt: [2], info: [3], count: count)
        }
        let longest = try derive(255 * 32)
        #expect(longest.count == 255 * 32)
        for count in [0, 1, 31, 32, 33, 64, 65] {
            #expect(try derive(count) == Array(longest.prefix(count)))
        }
        for count in [255 * 32 + 1, Int.max, -1, Int.min] {
            expectError(.unsupported, "\(count)") { () throws(CryptoError) in try derive(count) }
        }
    }
}
