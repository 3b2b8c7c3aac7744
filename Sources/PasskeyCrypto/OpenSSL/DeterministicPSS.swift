import CPasskeyOpenSSL

/// RSASSA-PSS with a salt that is given (RFC 8017 section 8.1), which libcrypto draws by itself otherwise.
enum DeterministicPSS {
    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: The message itself.
    ///   - hash: The hash function of the message and of MGF1.
    ///   - salt: The salt; every verifier of this library wants one as long as a digest.
    ///   - key: An RSA key pair.
    /// - Returns: The signature, as long as the modulus.
    /// - Throws: `CryptoError` if the key is too short or the library fails.
    static func sign(
        _ message: [UInt8],
        _ hash: HashFunction,
        salt: [UInt8],
        _ key: KeyHandle
    ) throws(CryptoError) -> [UInt8] {
        let bits = try key.withKey { key throws(CryptoError) in Int(unsafe EVP_PKEY_get_bits(key)) }
        let encoded = try encode(message, hash, salt: salt, bits: bits - 1)
        // With a bit more than whole bytes, the encoded message is a byte shorter than the modulus.
        return try key.applyPrivate([UInt8](repeating: 0, count: (bits + 7) / 8 - encoded.count) + encoded)
    }

    /// EMSA-PSS-ENCODE (RFC 8017 section 9.1.1).
    static func encode(
        _ message: [UInt8],
        _ hash: HashFunction,
        salt: [UInt8],
        bits: Int
    ) throws(CryptoError) -> [UInt8] {
        let count = (bits + 7) / 8
        let hashCount = hash.byteCount
        guard count >= hashCount + salt.count + 2 else {
            throw CryptoError(.malformedKey, "a modulus too short for PSS")
        }
        let digest = try hash.digest([UInt8](repeating: 0, count: 8), hash.digest(message), salt)
        let block = [UInt8](repeating: 0, count: count - salt.count - hashCount - 2) + [1] + salt
        var masked = zip(block, try mask(hash, digest, count: block.count)).map { $0 ^ $1 }
        masked[0] &= 0xFF >> UInt8(8 * count - bits)
        return masked + digest + [0xBC]
    }

    /// MGF1 (RFC 8017 appendix B.2.1).
    private static func mask(_ hash: HashFunction, _ seed: [UInt8], count: Int) throws(CryptoError) -> [UInt8] {
        var mask: [UInt8] = []
        var counter: UInt32 = 0
        while mask.count < count {
            let octets = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: counter >> UInt32($0)) }
            mask += try hash.digest(seed, octets)
            counter += 1
        }
        return Array(mask.prefix(count))
    }
}

extension KeyHandle {
    /// The private operation of RSA on a number less than the modulus (RFC 8017 section 5.2.1), without any padding.
    fileprivate func applyPrivate(_ number: [UInt8]) throws(CryptoError) -> [UInt8] {
        try withKey { key throws(CryptoError) in
            guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
                throw .takingQueue(.failed, "EVP_PKEY_CTX_new_from_pkey")
            }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            var count = number.count
            var result = [UInt8](repeating: 0, count: count)
            guard
                unsafe EVP_PKEY_sign_init(context) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1,
                unsafe EVP_PKEY_sign(context, &result, &count, number, number.count) == 1,
                count == result.count
            else { throw .takingQueue(.failed, "EVP_PKEY_sign") }
            return result
        }
    }
}
