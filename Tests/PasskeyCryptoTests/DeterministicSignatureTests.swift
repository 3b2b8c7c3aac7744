import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Deterministic ECDSA, RFC 6979")
struct DeterministicSignatureTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var algorithm: COSEAlgorithmIdentifier
        var scalar: String
        var message: String
        var r: String
        var s: String

        var testDescription: String { "\(algorithm), \(message)" }
    }

    /// Appendices A.2.5 to A.2.7.
    static let vectors = [
        Vector(
            algorithm: .es256,
            scalar: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            message: "sample",
            r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        Vector(
            algorithm: .es256,
            scalar: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            message: "test",
            r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
        Vector(
            algorithm: .es384,
            scalar: """
                6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D8\
                96D5724E4C70A825F872C9EA60D2EDF5
                """,
            message: "sample",
            r: """
                94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C\
                81A648152E44ACF96E36DD1E80FABE46
                """,
            s: """
                99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94F\
                A329C145786E679E7B82C71A38628AC8
                """
        ),
        Vector(
            algorithm: .es512,
            scalar: """
                00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75\
                CAA896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B8\
                3538
                """,
            message: "sample",
            r: """
                00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F\
                174E25A1EE9017B5D450606ADD152B534931D7D4E8455CC91F9B15BF05EC36E3\
                77FA
                """,
            s: """
                00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF\
                282623EAA63E5B5C0723D8B8C37FF0777B1A20F8CCB1DCCC43997F1EE0E44DA4\
                A67A
                """
        ),
    ]

    @Test("Known signatures", arguments: vectors)
    func known(_ vector: Vector) throws {
        let key = try PrivateKey(ec: vector.algorithm, scalar: hex(vector.scalar))
        let message = Array(vector.message.utf8)
        let r = try Array(hex(vector.r).drop { $0 == 0 })
        let s = try Array(hex(vector.s).drop { $0 == 0 })
        let signature = try key.signDeterministically(message)
        #expect(signature == ECDSASignature(r: r, s: s).der)
        #expect(try PublicKey(key.publicKey).verify(signature, of: message))
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("The same twice, another for another message, and always valid", arguments: SignatureAlgorithms.supported)
    func repeated(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        let verifier = try PublicKey(key.publicKey)
        guard try SignatureScheme(algorithm).padding != .pss else {
            expectError(.unsupported) { () throws(CryptoError) in try key.signDeterministically([1]) }
            return
        }
        for count in 0..<20 {
            let message = [UInt8](repeating: 0x5A, count: count)
            let signature = try key.signDeterministically(message)
            #expect(try key.signDeterministically(message) == signature)
            #expect(try verifier.verify(signature, of: message))
            #expect(try !verifier.verify(signature, of: message + [1]))
            #expect(try key.signDeterministically(message + [1]) != signature)
        }
    }

    @Test("The ordinary signature takes a new nonce each time")
    func ordinary() throws {
        let key = try Keys.of(.es256)
        #expect(try key.sign([1]) != key.sign([1]))
    }
}
