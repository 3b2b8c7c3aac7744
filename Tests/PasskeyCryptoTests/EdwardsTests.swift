import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Ed25519 and Ed448, RFC 8032")
struct EdwardsTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var algorithm: COSEAlgorithmIdentifier
        var seed: String
        var publicKey: String
        var message: String
        var signature: String

        var testDescription: String { name }
    }

    /// RFC 8032 sections 7.1 and 7.4.
    static let vectors = [
        Vector(
            name: "Ed25519, test 1",
            algorithm: .edDSA,
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155\
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """
        ),
        Vector(
            name: "Ed25519, test 2",
            algorithm: .edDSA,
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """
        ),
        Vector(
            name: "Ed25519, test 3",
            algorithm: .ed25519,
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac\
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """
        ),
        Vector(
            name: "Ed448, blank",
            algorithm: .ed448,
            seed: """
                6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3\
                528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b
                """,
            publicKey: """
                5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778\
                edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180
                """,
            message: "",
            signature: """
                533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f\
                2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980ff0d2028d4b18a\
                9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db\
                b61149f05a7363268c71d95808ff2e652600
                """
        ),
        Vector(
            name: "Ed448, 1 octet",
            algorithm: .ed448,
            seed: """
                c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463a\
                fbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e
                """,
            publicKey: """
                43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c086\
                6aea01eb00742802b8438ea4cb82169c235160627b4c3a9480
                """,
            message: "03",
            signature: """
                26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f435\
                2541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cb\
                cee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0f\
                f3348ab21aa4adafd1d234441cf807c03a00
                """
        ),
    ]

    @Test("Known keys and signatures", arguments: vectors)
    func known(_ vector: Vector) throws {
        let key = try PrivateKey(seed: hex(vector.seed), vector.algorithm)
        let x = try hex(vector.publicKey)
        let curve: COSEKey.Curve = vector.algorithm == .ed448 ? .ed448 : .ed25519
        #expect(key.publicKey.parameters == .okp(curve, x: x))
        let message = try hex(vector.message)
        let signature = try hex(vector.signature)
        #expect(try key.sign(message) == signature)
        #expect(try key.signDeterministically(message) == signature)
        #expect(try PublicKey(key.publicKey).verify(signature, of: message))
        #expect(try !PublicKey(key.publicKey).verify(signature, of: message + [0]))
    }

    @Test("S that is not reduced is refused (RFC 8032 section 5.1.7)")
    func malleability() throws {
        // Test 2 with the order of the group added to S.
        let vector = Self.vectors[1]
        let signature = try hex(vector.signature)
        let order = try hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var sum: [UInt8] = []
        var carry = 0
        for (a, b) in zip(signature[32...], order) {
            let total = Int(a) + Int(b) + carry
            sum.append(UInt8(total & 0xFF))
            carry = total >> 8
        }
        let verifier = try PublicKey(PrivateKey(seed: hex(vector.seed), .edDSA).publicKey)
        #expect(try verifier.verify(signature, of: hex(vector.message)))
        #expect(try !verifier.verify(signature[..<32] + sum, of: hex(vector.message)))
    }

    // MARK: Keys

    private func accepts(_ bytes: [UInt8], _ kind: KeyKind) throws -> Bool {
        do throws(CryptoError) {
            try EdwardsPoint.check(bytes, kind)
            return true
        } catch {
            #expect(error.code == .malformedKey)
            return false
        }
    }

    private func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> ($0 * 8)) : 0 }
    }

    @Test("All eight points of small order of Ed25519 are refused, with either sign")
    func smallOrder25519() throws {
        for (order, y) in [
            (1, "0100000000000000000000000000000000000000000000000000000000000000"),
            (2, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
            (4, "0000000000000000000000000000000000000000000000000000000000000000"),
            (8, "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
            (8, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
        ] {
            let bytes = try hex(y)
            #expect(try !accepts(bytes, .ed25519), "order \(order)")
            #expect(try !accepts(bytes.flipping(bit: 255), .ed25519), "order \(order), the other sign")
        }
        // The generator has the whole order.
        let generator = try hex("5866666666666666666666666666666666666666666666666666666666666666")
        #expect(try accepts(generator, .ed25519))
        #expect(try accepts(generator.flipping(bit: 255), .ed25519))
    }

    @Test("All four points of small order of Ed448 are refused, with either sign")
    func smallOrder448() throws {
        let minusOne = [UInt8](repeating: 0xFF, count: 28) + [0xFE] + [UInt8](repeating: 0xFF, count: 27) + [0]
        for (order, y) in [(1, littleEndian(1, 57)), (2, [0xFE] + minusOne.dropFirst()), (4, littleEndian(0, 57))] {
            #expect(try !accepts(y, .ed448), "order \(order)")
            #expect(try !accepts(y.flipping(bit: 455), .ed448), "order \(order), the other sign")
        }
        for vector in Self.vectors where vector.algorithm == .ed448 {
            #expect(try accepts(hex(vector.publicKey), .ed448))
        }
    }

    @Test("y that is not reduced is refused, whatever point it would be")
    func notCanonical() throws {
        // p + i for all i that fit in 255 bits.
        for i in 0..<19 {
            let bytes = [UInt8(0xED + i)] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
            #expect(try !accepts(bytes, .ed25519), "p + \(i)")
            #expect(try !accepts(bytes.flipping(bit: 255), .ed25519), "p + \(i)")
        }
        let prime = [UInt8](repeating: 0xFF, count: 28) + [0xFE] + [UInt8](repeating: 0xFF, count: 27) + [0]
        #expect(try !accepts(prime, .ed448))
        // Bits above the 448th, y = 3 otherwise, which is on the curve or not; both are tried.
        for y in 2..<10 {
            #expect(try !accepts(littleEndian(y, 57).flipping(bit: 448), .ed448), "\(y)")
            #expect(try !accepts(littleEndian(y, 57).flipping(bit: 454), .ed448), "\(y)")
        }
        #expect(try (2..<10).contains { try accepts(littleEndian($0, 57), .ed448) })
    }

    /// 207 and 204 were counted with Python's `pow`.
    @Test("y on no point is refused: about half of all are")
    func noPoint() throws {
        #expect(try (2...401).count { try accepts(littleEndian($0, 32), .ed25519) } == 207)
        #expect(try (2...401).count { try accepts(littleEndian($0, 57), .ed448) } == 204)
        #expect(try !accepts(littleEndian(2, 32), .ed25519))
        #expect(try accepts(littleEndian(3, 32), .ed25519))
    }

    @Test("Other lengths are refused", arguments: [0, 1, 31, 33, 56, 57, 58, 114])
    func lengths(_ count: Int) throws {
        let bytes = littleEndian(3, 114).prefix(count)
        if count != 32 { #expect(try !accepts(Array(bytes), .ed25519)) }
        if count != 57 { #expect(try !accepts(Array(bytes), .ed448)) }
    }

    @Test("The key under which one signature verifies every message is not let in")
    func universalSignature() throws {
        let identity = littleEndian(1, 32)
        // This is what the check is for: libcrypto takes the key and verifies the signature.
        let handle = try KeyHandle.importing(.ed25519, octets: identity)
        let universal = identity + littleEndian(0, 32)
        #expect(try handle.verify(universal, of: [1, 2, 3], SignatureScheme(.edDSA)))
        #expect(try handle.verify(universal, of: [], SignatureScheme(.edDSA)))
        let key = try COSEKey(algorithm: .edDSA, .okp(.ed25519, x: identity))
        expectError(.malformedKey) { () throws(CryptoError) in try PublicKey(key) }
    }
}
