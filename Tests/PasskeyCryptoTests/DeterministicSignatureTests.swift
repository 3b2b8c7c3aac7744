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
        Vector(
            algorithm: .es384,
            scalar: """
                6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D8\
                96D5724E4C70A825F872C9EA60D2EDF5
                """,
            message: "test",
            r: """
                8203B63D3C853E8D77227FB377BCF7B7B772E97892A80F36AB775D509D7A5FEB\
                0542A7F0812998DA8F1DD3CA3CF023DB
                """,
            s: """
                DDD0760448D42D8A43AF45AF836FCE4DE8BE06B485E9B61B827C2F13173923E0\
                6A739F040649A667BF3B828246BAA5A5
                """
        ),
        Vector(
            algorithm: .es512,
            scalar: """
                00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75\
                CAA896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B8\
                3538
                """,
            message: "test",
            r: """
                013E99020ABF5CEE7525D16B69B229652AB6BDF2AFFCAEF38773B4B7D08725F1\
                0CDB93482FDCC54EDCEE91ECA4166B2A7C6265EF0CE2BD7051B7CEF945BABD47\
                EE6D
                """,
            s: """
                01FBD0013C674AA79CB39849527916CE301C66EA7CE8B80682786AD60F98F7E7\
                8A19CA69EFF5C57400E3B3A0AD66CE0978214D13BAF4E9AC60752F7B155E2DE4\
                DCE3
                """
        ),
    ]

    /// Digests that are longer and shorter than the order of the group, from appendices A.2.5 and A.2.7.
    static let others: [(kind: KeyKind, hash: HashFunction, scalar: String, r: String, s: String)] = [
        (
            .p256, .sha384, "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719",
            "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"
        ),
        (
            .p256, .sha512, "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00",
            "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"
        ),
        (
            .p521, .sha256,
            """
            00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75\
            CAA896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B8\
            3538
            """,
            """
            01511BB4D675114FE266FC4372B87682BAECC01D3CC62CF2303C92B352601265\
            9D16876E25C7C1E57648F23B73564D67F61C6F14D527D54972810421E7D87589\
            E1A7
            """,
            """
            004A171143A83163D6DF460AAF61522695F207A58B95C0644D87E52AA1A34791\
            6E4F7A72930B1BC06DBE22CE3F58264AFD23704CBB63B29B931F7DE6C9D949A7\
            ECFC
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

    @Test("Known signatures over digests that are longer or shorter than the order")
    func otherDigests() throws {
        for vector in Self.others {
            let curve = try EllipticCurve.of(vector.kind)
            let scalar = try BigNumber(hex(vector.scalar))
            let signature = try DeterministicECDSA.sign(Array("sample".utf8), vector.hash, curve, scalar)
            let r = try Array(hex(vector.r).drop { $0 == 0 })
            let s = try Array(hex(vector.s).drop { $0 == 0 })
            #expect(signature == ECDSASignature(r: r, s: s).der, "\(vector.kind), \(vector.hash)")
        }
    }

    @Test("The same twice, another for another message, and always valid", arguments: SignatureAlgorithms.supported)
    func repeated(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        let verifier = try PublicKey(key.publicKey)
        let salt = [UInt8](repeating: 7, count: key.saltByteCount)
        for count in 0..<20 {
            let message = [UInt8](repeating: 0x5A, count: count)
            let signature = try key.signDeterministically(message, salt: salt)
            #expect(try key.signDeterministically(message, salt: salt) == signature)
            #expect(try verifier.verify(signature, of: message))
            #expect(try !verifier.verify(signature, of: message + [1]))
            #expect(try key.signDeterministically(message + [1], salt: salt) != signature)
        }
    }

    @Test("The ordinary signature takes a new nonce each time")
    func ordinary() throws {
        let key = try Keys.of(.es256)
        #expect(try key.sign([1]) != key.sign([1]))
    }
}
