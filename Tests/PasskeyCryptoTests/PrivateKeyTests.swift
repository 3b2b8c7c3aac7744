import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Private keys")
struct PrivateKeyTests {
    static let algorithms = SignatureAlgorithms.supported
    static let message: [UInt8] = [1, 2, 3]

    @Test("Written as PKCS #8 and read back, it is the same key", arguments: algorithms)
    func roundTrip(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        let der = try key.pkcs8()
        let read = try PrivateKey(pkcs8: der, algorithm: algorithm)
        #expect(read.publicKey == key.publicKey)
        #expect(read.algorithm == algorithm)
        #expect(try read.pkcs8() == der)
        #expect(try PublicKey(key.publicKey).verify(read.sign(Self.message), of: Self.message))
    }

    @Test("Not under another kind of algorithm", arguments: algorithms)
    func otherAlgorithm(_ algorithm: COSEAlgorithmIdentifier) throws {
        let der = try Keys.of(algorithm).pkcs8()
        let kind = try SignatureScheme(algorithm).kind
        for other in Self.algorithms {
            if try SignatureScheme(other).kind == kind {
                #expect(try PrivateKey(pkcs8: der, algorithm: other).algorithm == other)
            } else {
                expectError(.malformedKey, "as \(other)") { () throws(CryptoError) in
                    try PrivateKey(pkcs8: der, algorithm: other)
                }
            }
        }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("Cut short or with a byte after it, it is refused", arguments: algorithms)
    func length(_ algorithm: COSEAlgorithmIdentifier) throws {
        let der = try Keys.of(algorithm).pkcs8()
        expectError(.malformedKey) { () throws(CryptoError) in try PrivateKey(pkcs8: der + [0], algorithm: algorithm) }
        for count in stride(from: 0, to: der.count, by: max(1, der.count / 50)) {
            expectError(.malformedKey, "\(count) bytes") { () throws(CryptoError) in
                try PrivateKey(pkcs8: Array(der.prefix(count)), algorithm: algorithm)
            }
        }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("One bit changed: refused, or a key whose halves are a pair", arguments: algorithms)
    func changed(_ algorithm: COSEAlgorithmIdentifier) throws {
        let der = try Keys.of(algorithm).pkcs8()
        let kind = try SignatureScheme(algorithm).kind
        var generator = SeededGenerator(2)
        // Finding an RSA key's numbers to be no pair takes longer.
        for bit in der.sampledBits(kind == .rsa ? 40 : 400, &generator) {
            guard let key = try? PrivateKey(pkcs8: der.flipping(bit: bit), algorithm: algorithm) else { continue }
            #expect(try PublicKey(key.publicKey).verify(key.sign(Self.message), of: Self.message), "bit \(bit)")
        }
        #expect(CryptoError.isQueueEmpty)
    }

    // MARK: What others write

    private static let scalar = "3d2be891f492e05da8863fe3d96579b350e98c22adca9bd0aad2bcae998b441d"
    private static let x = "434ddc4c6a753f566c81d5925e1a96f1e9982eb3c6465084445ce49602ec4e57"
    private static let y = "5e297d8cabfdded0d7b668abd1130956e45298efd06ed2fe03350c0bf7f648d0"

    @Test(
        "An EC key with its point in full, compressed, or left out",
        arguments: [
            "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420" + scalar + "a14403420004" + x
                + y,
            "3067020100301306072a8648ce3d020106082a8648ce3d030107044d304b0201010420" + scalar + "a12403220002" + x,
            "3041020100301306072a8648ce3d020106082a8648ce3d03010704273025020101" + "0420" + scalar,
        ]
    )
    func pointForms(_ der: String) throws {
        let key = try PrivateKey(pkcs8: hex(der), algorithm: .es256)
        #expect(try key.publicKey.parameters == .ec2(.p256, x: hex(Self.x), y: hex(Self.y)))
        #expect(try key.publicKey == PrivateKey(ec: .es256, scalar: hex(Self.scalar)).publicKey)
        // It is written in full, whatever it was read from.
        #expect(try key.pkcs8() == PrivateKey(ec: .es256, scalar: hex(Self.scalar)).pkcs8())
    }

    @Test("An EC key with the point of another key is refused")
    func otherPoint() throws {
        let other = try PrivateKey.generate(.es256)
        guard case .ec2(_, let x, let y) = other.publicKey.parameters else {
            Issue.record("no point")
            return
        }
        let head = try hex(
            "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420" + Self.scalar + "a14403420004"
        )
        #expect(try PrivateKey(pkcs8: head + hex(Self.x + Self.y), algorithm: .es256).algorithm == .es256)
        expectError(.malformedKey) { () throws(CryptoError) in
            try PrivateKey(pkcs8: head + x + y, algorithm: .es256)
        }
    }

    @Test("A traditional ECPrivateKey is no PKCS #8")
    func traditional() throws {
        let der = try hex(
            "30770201010420" + Self.scalar + "a00a06082a8648ce3d030107a14403420004" + Self.x + Self.y
        )
        expectError(.malformedKey) { () throws(CryptoError) in try PrivateKey(pkcs8: der, algorithm: .es256) }
    }

    @Test("The example of RFC 8410 section 10.3, without its public key")
    func rfc8410() throws {
        let short = try hex(
            "302e020100300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842"
        )
        let key = try PrivateKey(pkcs8: short, algorithm: .edDSA)
        let x = try hex("19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
        #expect(key.publicKey.parameters == .okp(.ed25519, x: x))
        #expect(try key.pkcs8() == short)
    }

    // MARK: From numbers

    @Test("A scalar must be in 1..<n", arguments: [COSEAlgorithmIdentifier.es256, .es384, .es512, .es256K, .esp256])
    func scalars(_ algorithm: COSEAlgorithmIdentifier) throws {
        let curve = try EllipticCurve.of(SignatureScheme(algorithm).kind)
        let order = try curve.order().bytes()
        #expect(order.last.map { $0 & 1 } == 1)
        let largest = order.dropLast() + [order[order.count - 1] - 1]
        let above = order.dropLast() + [order[order.count - 1] + 1]
        for refused in [[], [0], [UInt8](repeating: 0, count: curve.byteCount), order, Array(above), [1] + order] {
            expectError(.malformedKey) { () throws(CryptoError) in try PrivateKey(ec: algorithm, scalar: refused) }
        }
        for accepted in [[1], [0, 1], Array(largest), [0, 0] + Array(largest)] {
            let key = try PrivateKey(ec: algorithm, scalar: accepted)
            #expect(try PublicKey(key.publicKey).verify(key.sign(Self.message), of: Self.message))
            let read = try PrivateKey(pkcs8: key.pkcs8(), algorithm: algorithm)
            #expect(read.publicKey == key.publicKey)
        }
        // 1 times G and n-1 times G have the same x.
        let first = try PrivateKey(ec: algorithm, scalar: [1]).publicKey
        let last = try PrivateKey(ec: algorithm, scalar: Array(largest)).publicKey
        guard case .ec2(_, let x, let y) = first.parameters, case .ec2(_, let lastX, let lastY) = last.parameters
        else {
            Issue.record("no points")
            return
        }
        #expect(x == lastX)
        #expect(y != lastY)
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("A coordinate keeps its leading zeros")
    func leadingZeros() throws {
        // cose-024 of the shared vectors: d = 379.
        let key = try PrivateKey(ec: .es256, scalar: [0x01, 0x7B])
        guard case .ec2(_, let x, let y) = key.publicKey.parameters else {
            Issue.record("no point")
            return
        }
        #expect(x.count == 32)
        #expect(y.count == 32)
        #expect(x[0] == 0)
    }

    @Test("A scalar belongs to ECDSA, a seed to the others, primes to RSA")
    func wrongMaterial() throws {
        for algorithm in Self.algorithms {
            let kind = try SignatureScheme(algorithm).kind
            #expect(((try? PrivateKey(ec: algorithm, scalar: [1])) != nil) == kind.isECDSA, "\(algorithm)")
            for count in [0, 31, 32, 33, 57] {
                let key = try? PrivateKey(seed: [UInt8](repeating: 7, count: count), algorithm)
                #expect((key != nil) == (kind.seedByteCount == count), "\(algorithm), \(count) bytes")
            }
            guard kind != .rsa else { continue }
            expectError(.malformedKey) { () throws(CryptoError) in try PrivateKey(rsa: algorithm, p: [3], q: [5]) }
        }
    }

    @Test("An RSA key from two Mersenne primes of very unequal size, as in the W3C's vectors")
    func primes() throws {
        let p = [0x7F] + [UInt8](repeating: 0xFF, count: 159)  // 2^1279 - 1
        let q = [0x07] + [UInt8](repeating: 0xFF, count: 275)  // 2^2203 - 1
        for (first, second) in [(p, q), (q, p)] {
            let key = try PrivateKey(rsa: .rs256, p: first, q: second)
            guard case .rsa(let n, let e) = key.publicKey.parameters else {
                Issue.record("not RSA")
                return
            }
            #expect(n.count == 436)
            #expect(n[0] == 3)
            #expect(e == [1, 0, 1])
            #expect(try key.sign(Self.message) == key.signDeterministically(Self.message))
            #expect(try PublicKey(key.publicKey).verify(key.sign(Self.message), of: Self.message))
        }
    }

    @Test("Numbers that are no primes of an RSA key are refused, and do not hang")
    func noPrimes() throws {
        let p = [0x7F] + [UInt8](repeating: 0xFF, count: 159)
        let q = [0x07] + [UInt8](repeating: 0xFF, count: 275)
        for (first, second, exponent) in [
            ([], q, [1, 0, 1]), (p, [], [1, 0, 1]), (p, q, []), ([0], q, [3]), (p, [1], [3]), (p, q, [2]),
            (p, p, [1, 0, 1]), (p.flipping(bit: 159 * 8 + 3), q, [1, 0, 1]), (p, q, [0]),
            ([UInt8](repeating: 0xFF, count: 5000), q, [1, 0, 1]),
        ] as [([UInt8], [UInt8], [UInt8])] {
            #expect((try? PrivateKey(rsa: .rs256, p: first, q: second, e: exponent)) == nil)
            #expect(CryptoError.isQueueEmpty)
        }
    }
}
