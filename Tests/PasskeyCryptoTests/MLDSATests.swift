import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("ML-DSA, FIPS 204")
struct MLDSATests {
    static let algorithms: [COSEAlgorithmIdentifier] = [.mlDSA44, .mlDSA65, .mlDSA87]

    static func sizes(_ algorithm: COSEAlgorithmIdentifier) -> (publicKey: Int, signature: Int) {
        switch algorithm {
        case .mlDSA44: (1312, 2420)
        case .mlDSA65: (1952, 3309)
        default: (2592, 4627)
        }
    }

    @Test(
        "Sizes, and keys that come from a seed",
        .enabled(if: SignatureAlgorithms.supportsMLDSA, "the linked libcrypto has no ML-DSA"),
        arguments: algorithms
    )
    func sizesAndSeeds(_ algorithm: COSEAlgorithmIdentifier) throws {
        let (publicKeySize, signatureSize) = Self.sizes(algorithm)
        let key = try PrivateKey.generate(algorithm)
        guard case .akp(let bytes) = key.publicKey.parameters else {
            Issue.record("no AKP key")
            return
        }
        #expect(bytes.count == publicKeySize)
        let signature = try key.sign([1])
        #expect(signature.count == signatureSize)
        #expect(try key.sign([1]) != signature, "hedged")
        #expect(try key.signDeterministically([1]) == key.signDeterministically([1]))
        let verifier = try PublicKey(key.publicKey)
        #expect(try verifier.verify(signature, of: [1]))
        #expect(try verifier.verify(key.signDeterministically([1]), of: [1]))
        #expect(try !verifier.verify(signature, of: [2]))

        let seed = [UInt8](0..<32)
        let seeded = try PrivateKey(seed: seed, algorithm)
        #expect(try PrivateKey(seed: seed, algorithm).publicKey == seeded.publicKey)
        #expect(try PrivateKey(seed: seed.flipping(bit: 0), algorithm).publicKey != seeded.publicKey)
        expectError(.malformedKey) { () throws(CryptoError) in
            try PrivateKey(seed: Array(seed.dropLast()), algorithm)
        }
    }

    @Test(
        "Public keys of other lengths are refused",
        .enabled(if: SignatureAlgorithms.supportsMLDSA, "the linked libcrypto has no ML-DSA"),
        arguments: algorithms
    )
    func lengths(_ algorithm: COSEAlgorithmIdentifier) throws {
        let (publicKeySize, _) = Self.sizes(algorithm)
        for count in [0, 1, 1312, 1952, 2592, publicKeySize - 1, publicKeySize + 1] {
            let bytes = [UInt8](repeating: 1, count: count)
            guard let key = try? COSEKey(algorithm: algorithm, .akp(publicKey: bytes)) else {
                #expect(count != publicKeySize)
                continue
            }
            #expect(((try? PublicKey(key)) != nil) == (count == publicKeySize), "\(count) bytes")
        }
    }

    @Test(
        "Where the library has none, it is a typed error",
        .enabled(if: !SignatureAlgorithms.supportsMLDSA, "the linked libcrypto has ML-DSA"),
        arguments: algorithms
    )
    func absent(_ algorithm: COSEAlgorithmIdentifier) throws {
        #expect(!SignatureAlgorithms.isSupported(algorithm))
        expectError(.unsupported) { () throws(CryptoError) in try PrivateKey.generate(algorithm) }
        expectError(.unsupported) { () throws(CryptoError) in
            try PrivateKey(seed: [UInt8](0..<32), algorithm)
        }
        let bytes = [UInt8](repeating: 1, count: Self.sizes(algorithm).publicKey)
        let key = try COSEKey(algorithm: algorithm, .akp(publicKey: bytes))
        expectError(.unsupported) { () throws(CryptoError) in try PublicKey(key) }
        #expect(CryptoError.isQueueEmpty)
    }
}
