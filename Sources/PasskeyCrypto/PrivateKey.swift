package import PasskeyWire

/// A key pair of an authenticator.
package final class PrivateKey: Sendable {
    let scheme: SignatureScheme
    let handle: KeyHandle
    /// Where the context of an EC key waits for the next signature.
    private let signers = Pool<ECDSASigner>(capacity: 1)

    /// The public half.
    package let publicKey: COSEKey

    /// The algorithm that the key is for.
    package var algorithm: COSEAlgorithmIdentifier { scheme.algorithm }

    private init(_ scheme: SignatureScheme, _ handle: KeyHandle) throws(CryptoError) {
        self.scheme = scheme
        self.handle = handle
        let parameters = try handle.coseParameters(scheme.kind)
        do {
            publicKey = try COSEKey(algorithm: scheme.algorithm, parameters)
        } catch {
            throw CryptoError(.malformedKey, "\(error)")
        }
    }

    /// A new key pair; RSA has 2048 bits.
    ///
    /// - Parameter algorithm: What it is for.
    /// - Returns: The key pair.
    /// - Throws: `CryptoError` if the algorithm is not known, not in the libcrypto that is linked, or the library fails.
    package static func generate(_ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) -> PrivateKey {
        let scheme = try SignatureScheme(algorithm)
        return try PrivateKey(scheme, KeyHandle.generating(scheme.kind))
    }

    /// Reads a DER PrivateKeyInfo (PKCS #8, RFC 5208), unencrypted and with no bytes after it.
    ///
    /// - Parameters:
    ///   - pkcs8: The bytes.
    ///   - algorithm: What the key is for; the kind of key and the curve must be those of it.
    /// - Throws: `CryptoError` with `malformedKey` if the bytes are no such key, or its two halves are not a pair.
    package convenience init(pkcs8: [UInt8], algorithm: COSEAlgorithmIdentifier) throws(CryptoError) {
        let scheme = try SignatureScheme(algorithm)
        try self.init(scheme, KeyHandle.importing(scheme.kind, pkcs8: pkcs8))
        try requirePair()
    }

    /// A key pair on P-256, P-384, P-521 or secp256k1.
    ///
    /// - Parameters:
    ///   - algorithm: An ECDSA algorithm, which names the curve.
    ///   - scalar: The secret number, most significant byte first, with leading zeros or without.
    /// - Throws: `CryptoError` with `malformedKey` if the number is not in `1..<n`.
    package convenience init(ec algorithm: COSEAlgorithmIdentifier, scalar: [UInt8]) throws(CryptoError) {
        let scheme = try SignatureScheme(algorithm)
        guard scheme.kind.isECDSA else { throw CryptoError(.malformedKey, "\(algorithm) has no scalar") }
        try self.init(scheme, KeyHandle.importing(scheme.kind, scalar: scalar))
    }

    /// A key pair of Ed25519, Ed448 or ML-DSA from the bytes that all of it is computed from.
    ///
    /// - Parameters:
    ///   - seed: The private key of RFC 8032, 32 or 57 bytes, or the seed ξ of FIPS 204, 32 bytes.
    ///   - algorithm: The algorithm.
    /// - Throws: `CryptoError` with `malformedKey` if the length is another.
    package convenience init(seed: [UInt8], _ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) {
        let scheme = try SignatureScheme(algorithm)
        guard scheme.kind.seedByteCount == seed.count else {
            throw CryptoError(.malformedKey, "\(algorithm) has no seed of \(seed.count) bytes")
        }
        try self.init(scheme, KeyHandle.importing(scheme.kind, seed: seed))
    }

    /// An RSA key pair from its primes.
    ///
    /// - Parameters:
    ///   - algorithm: An RSA algorithm.
    ///   - p: One prime, most significant byte first.
    ///   - q: The other.
    ///   - e: The public exponent.
    /// - Throws: `CryptoError` with `malformedKey` if these are not the primes of a key.
    package convenience init(
        rsa algorithm: COSEAlgorithmIdentifier,
        p: [UInt8],
        q: [UInt8],
        e: [UInt8] = [1, 0, 1]
    ) throws(CryptoError) {
        let scheme = try SignatureScheme(algorithm)
        guard scheme.kind == .rsa else { throw CryptoError(.malformedKey, "\(algorithm) has no primes") }
        try self.init(scheme, KeyHandle.importing(primes: p, q, exponent: e))
        try requirePair()
    }

    /// An RSA key pair of 2048 bits from given bytes: the same bytes give the same key.
    ///
    /// - Parameters:
    ///   - algorithm: An RSA algorithm.
    ///   - source: Gives as many bytes as it is asked for: 128 for each of the two primes, and more often where it gives
    ///     none that are fit.
    /// - Throws: What the source throws, and `CryptoError` with `failed` if it gives no primes, or the same one each time.
    package convenience init(
        rsa algorithm: COSEAlgorithmIdentifier,
        drawing source: (_ count: Int) throws(CryptoError) -> [UInt8]
    ) throws(CryptoError) {
        let (p, q) = try RSAKeySearch.primes(drawing: source)
        try self.init(rsa: algorithm, p: p, q: q, e: RSAKeySearch.exponent)
    }

    /// The key pair as a DER PrivateKeyInfo (PKCS #8, RFC 5208), unencrypted.
    ///
    /// - Throws: `CryptoError` if the library fails.
    package func pkcs8() throws(CryptoError) -> [UInt8] { try handle.pkcs8() }

    /// Signs a message.
    ///
    /// - Parameter message: The message itself, not its digest.
    /// - Returns: The signature in the form of WebAuthn, `#sctn-signature-attestation-types`: DER for ECDSA, raw
    ///   otherwise.
    /// - Throws: `CryptoError` if the library fails.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard scheme.kind.isECDSA, let hash = scheme.hash else { return try handle.sign(message, scheme) }
        let digest = try hash.digest(message)
        let signer = if let waiting = signers.take() { waiting } else { try ECDSASigner(handle) }
        let signature = try signer.sign(digest)
        signers.put(signer)
        return signature
    }

    /// Signs a message so that the same key and message give the same signature, for reproducible tests.
    ///
    /// ECDSA takes its nonce from RFC 6979, RSASSA-PSS the salt that it is given, and ML-DSA is the deterministic variant
    /// of FIPS 204. Ed25519, Ed448 and RSASSA-PKCS1-v1_5 always are deterministic. The arithmetic of RFC 6979 here is not
    /// hardened against an observer on the same machine.
    ///
    /// - Parameters:
    ///   - message: The message itself, not its digest.
    ///   - salt: `saltByteCount` bytes.
    /// - Returns: The signature, in the form that `sign` gives.
    /// - Throws: `CryptoError` with `unsupported` for a salt of another length.
    package func signDeterministically(_ message: [UInt8], salt: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        guard salt.count == saltByteCount else {
            throw CryptoError(.unsupported, "\(algorithm) has a salt of \(saltByteCount) bytes, not \(salt.count)")
        }
        if scheme.padding == .pss, let hash = scheme.hash {
            return try DeterministicPSS.sign(message, hash, salt: salt, handle)
        }
        guard scheme.kind.isECDSA, let hash = scheme.hash else {
            return try handle.sign(message, scheme, deterministically: true)
        }
        return try DeterministicECDSA.sign(message, hash, EllipticCurve.of(scheme.kind), handle.scalar())
    }

    /// The length of the salt in a signature: that of the digest for RSASSA-PSS, and zero for what has none.
    package var saltByteCount: Int { scheme.padding == .pss ? scheme.hash?.byteCount ?? 0 : 0 }

    /// Checks that what the private half signs verifies under the public half, which must be sound itself.
    private func requirePair() throws(CryptoError) {
        let message: [UInt8] = [0x70, 0x61, 0x69, 0x72]
        let verifier = try PublicKey(publicKey, allowingSHA1: true)
        guard try verifier.verify(sign(message), of: message) else {
            throw CryptoError(.malformedKey, "the halves of the key are not a pair")
        }
    }
}
