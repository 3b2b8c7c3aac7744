import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("RSA from given bytes")
struct DeterministicRSATests {
    private static let pss: [COSEAlgorithmIdentifier] = [.ps256, .ps384, .ps512]

    /// Gives what SplitMix64 gives, and remembers how often it was asked; a second one of a seed gives the same.
    private final class Source {
        private var generator: SeededGenerator
        private(set) var counts: [Int] = []

        init(_ seed: UInt64) { generator = SeededGenerator(seed) }

        func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
            counts.append(count)
            return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }

    // MARK: Keys

    @Test("The same bytes give the same key of 2048 bits, in one draw for each prime", arguments: [UInt64(1), 2, 3])
    func sameKey(_ seed: UInt64) throws {
        let source = Source(seed)
        let key = try PrivateKey(rsa: .rs256, drawing: source.bytes)
        #expect(source.counts == [128, 128])
        #expect(try PrivateKey(rsa: .rs256, drawing: Source(seed).bytes).pkcs8() == key.pkcs8())
        #expect(try PrivateKey(rsa: .rs256, drawing: Source(seed + 10).bytes).publicKey != key.publicKey)
        guard case .rsa(let n, let e) = key.publicKey.parameters else {
            Issue.record("not RSA")
            return
        }
        #expect(n.count == 256)
        #expect(n[0] & 0x80 == 0x80)
        #expect(e == [1, 0, 1])
        #expect(try PublicKey(key.publicKey).verify(key.sign([1]), of: [1]))
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("Each prime is the first one above its draw that is fit")
    func primes() throws {
        let source = Source(4)
        let draws = try [source.bytes(128), source.bytes(128)]
        let (p, q) = try RSAKeySearch.primes(drawing: Source(4).bytes)
        #expect(p.count == 128)
        #expect(q.count == 128)
        for (prime, draw) in [(p, draws[0]), (q, draws[1])] {
            #expect(prime[0] & 0xC0 == 0xC0)
            #expect(prime[127] & 1 == 1)
            // The search goes up by a few thousand at most, so that all but the lowest bytes are as drawn.
            #expect(Array(prime[1..<120]) == Array(draw[1..<120]))
        }
    }

    @Test("A source that repeats itself, is short or fails gives an error and no endless search")
    func badSources() throws {
        var count = 0
        expectError(.failed) { () throws(CryptoError) in
            try PrivateKey(rsa: .rs256) { (length) throws(CryptoError) in
                count += 1
                return [UInt8](repeating: 0x5A, count: length)
            }
        }
        #expect(count == 5)
        // What is drawn first has all bits, and nothing of 1024 bits is above it; the next draws do.
        var draws = 0
        let source = Source(5)
        let key = try PrivateKey(rsa: .rs256) { (length) throws(CryptoError) in
            draws += 1
            return draws == 1 ? [UInt8](repeating: 0xFF, count: length) : try source.bytes(length)
        }
        #expect(draws == 3)
        #expect(try key.publicKey == PrivateKey(rsa: .rs256, drawing: Source(5).bytes).publicKey)
        expectError(.notAuthentic) { () throws(CryptoError) in
            try PrivateKey(rsa: .rs256) { (_) throws(CryptoError) in throw CryptoError(.notAuthentic, "the source's") }
        }
        // Nothing at all is the number with the bits that are set anyway.
        expectError(.failed) { () throws(CryptoError) in
            try PrivateKey(rsa: .rs256) { (_) throws(CryptoError) in [] }
        }
    }

    @Test("Other algorithms have no primes")
    func otherAlgorithms() {
        expectError(.malformedKey) { () throws(CryptoError) in
            try PrivateKey(rsa: .es256, drawing: Source(1).bytes)
        }
    }

    // MARK: RSASSA-PSS

    @Test("The salt decides, and nothing else", arguments: pss)
    func salts(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        let verifier = try PublicKey(key.publicKey)
        let count = try #require(HashFunction(of: algorithm)).byteCount
        #expect(key.saltByteCount == count)
        let salts = [UInt8](0..<4).map { [UInt8](repeating: $0, count: count) }
        let signatures = try salts.map { (salt) throws in try key.signDeterministically([1, 2, 3], salt: salt) }
        #expect(Set(signatures).count == salts.count)
        for signature in signatures {
            #expect(try verifier.verify(signature, of: [1, 2, 3]))
            #expect(try !verifier.verify(signature, of: [1, 2, 4]))
        }
        for wrong in [0, 1, count - 1, count + 1, 256] {
            expectError(.unsupported) { () throws(CryptoError) in
                try key.signDeterministically([1], salt: [UInt8](repeating: 0, count: wrong))
            }
        }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("With the salt of a signature of libcrypto's, the signature is the same", arguments: pss)
    func sameAsLibcrypto(_ algorithm: COSEAlgorithmIdentifier) throws {
        let hash = try #require(HashFunction(of: algorithm))
        let key = try Keys.of(algorithm)
        guard case .rsa(let n, _) = key.publicKey.parameters else {
            Issue.record("not RSA")
            return
        }
        let message = [UInt8](repeating: 0xA5, count: 100)
        let theirs = try key.sign(message)
        let salt = try Self.salt(of: theirs, hash, modulus: n)
        #expect(salt != [UInt8](repeating: 0, count: hash.byteCount))
        #expect(try key.signDeterministically(message, salt: salt) == theirs)
    }

    /// The salt in a signature of a key with e = 65537 (RFC 8017 section 9.1.2, steps 5 to 11).
    private static func salt(of signature: [UInt8], _ hash: HashFunction, modulus: [UInt8]) throws -> [UInt8] {
        let field = try ModularArithmetic(modulo: BigNumber(modulus))
        var power = try field.reduce(BigNumber(signature))
        for _ in 0..<16 { power = try field.product(power, power) }
        let encoded = try field.product(power, BigNumber(signature)).bytes(count: modulus.count)
        #expect(encoded.last == 0xBC)
        let masked = encoded.dropLast(hash.byteCount + 1)
        let seed = Array(encoded[masked.count..<masked.count + hash.byteCount])
        var mask: [UInt8] = []
        for counter in 0..<UInt8(modulus.count / hash.byteCount + 1) {
            mask += try hash.digest(seed, [0, 0, 0, counter])
        }
        return Array(zip(masked, mask).map { $0 ^ $1 }.suffix(hash.byteCount))
    }

    @Test("Moduli whose bits end anywhere in a byte", arguments: 770...778)
    func moduli(_ bits: Int) throws {
        let p = [0x7F] + [UInt8](repeating: 0xFF, count: 159)  // 2^1279 - 1
        let source = Source(UInt64(bits))
        let q = try RSAKeySearch.prime(bits: bits, drawing: source.bytes).bytes()
        for algorithm in Self.pss {
            let key = try PrivateKey(rsa: algorithm, p: p, q: q)
            guard case .rsa(let n, _) = key.publicKey.parameters else { continue }
            #expect(n.count == (1279 + bits + 7) / 8)
            let signature = try key.signDeterministically([1], salt: [UInt8](repeating: 9, count: key.saltByteCount))
            #expect(signature.count == n.count)
            #expect(try PublicKey(key.publicKey).verify(signature, of: [1]), "\(algorithm), \(bits) bits")
        }
    }
}
