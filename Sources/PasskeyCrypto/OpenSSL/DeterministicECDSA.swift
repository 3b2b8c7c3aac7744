import CPasskeyOpenSSL
import PasskeyWire

/// ECDSA whose nonce comes from the key and the message (RFC 6979), which libcrypto has from version 3.2 on.
enum DeterministicECDSA {
    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: The message itself.
    ///   - hash: The hash function of the signature and of the nonce.
    ///   - curve: The curve.
    ///   - scalar: The private key, in `1..<n`.
    /// - Returns: The signature in DER.
    /// - Throws: `CryptoError` if the library fails.
    static func sign(
        _ message: [UInt8],
        _ hash: HashFunction,
        _ curve: EllipticCurve,
        _ scalar: consuming BigNumber
    ) throws(CryptoError) -> [UInt8] {
        let digest = try hash.digest(message)
        return try withCleanErrorQueue { () throws(CryptoError) in
            let field = try ModularArithmetic(modulo: curve.order())
            // FIPS 186-5 section 6.4.1: the leftmost bits of the digest, as many as n has. Every curve here has a
            // multiple of 8 bits but P-521, and no digest is as long as that.
            let number = try BigNumber(Array(digest.prefix(curve.byteCount)))
            let reduced = try field.reduce(number)
            var nonces = try NonceGenerator(
                hash,
                key: scalar.bytes(count: curve.byteCount),
                digest: reduced.bytes(count: curve.byteCount)
            )
            while true {
                // Section 3.2 step h: the leftmost bits, as above; for P-521 the lowest 7 bits of 66 bytes go.
                let nonce = try BigNumber(nonces.next(curve.byteCount))
                let excess = unsafe CInt(curve.byteCount * 8) - BN_num_bits(field.modulus.pointer)
                guard unsafe BN_rshift(nonce.pointer, nonce.pointer, excess) == 1 else {
                    throw .takingQueue(.failed, "BN_rshift")
                }
                guard !nonce.isZero, nonce.isLess(than: field.modulus) else { continue }
                let point = try curve.multiplyGenerator(by: nonce)
                let r = try field.reduce(BigNumber(Array(point[1...curve.byteCount])))
                let s = try field.product(
                    field.inverse(nonce),
                    field.sum(reduced, field.product(r, scalar))
                )
                guard !r.isZero, !s.isZero else { continue }
                return ECDSASignature(r: try r.bytes(), s: try s.bytes()).der
            }
        }
    }

    /// HMAC_DRBG as RFC 6979 section 3.2 uses it.
    private struct NonceGenerator {
        private let hash: HashFunction
        private var key: [UInt8]
        private var value: [UInt8]
        private var isFirst = true

        /// Steps b to g, with `key` as int2octets(x) and `digest` as bits2octets(h1).
        init(_ hash: HashFunction, key secret: [UInt8], digest: [UInt8]) throws(CryptoError) {
            self.hash = hash
            key = [UInt8](repeating: 0, count: hash.byteCount)
            value = [UInt8](repeating: 1, count: hash.byteCount)
            try update([0] + secret + digest)
            try update([1] + secret + digest)
        }

        /// Step h: the next candidate of `count` bytes.
        mutating func next(_ count: Int) throws(CryptoError) -> [UInt8] {
            if !isFirst { try update([0]) }
            isFirst = false
            var candidate: [UInt8] = []
            while candidate.count < count {
                value = try HMAC.authenticationCode(hash, key: key, value)
                candidate += value
            }
            return Array(candidate.prefix(count))
        }

        private mutating func update(_ data: [UInt8]) throws(CryptoError) {
            key = try HMAC.authenticationCode(hash, key: key, value + data)
            value = try HMAC.authenticationCode(hash, key: key, value)
        }
    }
}

extension KeyHandle {
    /// The secret scalar of an EC key pair.
    func scalar() throws(CryptoError) -> BigNumber {
        try withKey { key throws(CryptoError) in
            guard let scalar = unsafe passkey_key_scalar(key) else {
                throw .takingQueue(.failed, "EVP_PKEY_get_bn_param")
            }
            return unsafe BigNumber(adopting: scalar)
        }
    }
}
