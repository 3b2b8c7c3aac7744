/// The key derivation function of RFC 5869.
package enum HKDF {
    /// Extracts a key from a secret and expands it.
    ///
    /// - Parameters:
    ///   - hash: The hash function under the HMAC.
    ///   - secret: The input keying material.
    ///   - salt: Not secret; empty stands for as many zeros as a digest is long.
    ///   - info: What the key is for.
    ///   - count: How many bytes to derive: at most 255 digests.
    /// - Returns: `count` bytes.
    /// - Throws: `CryptoError` if `count` is out of range or the library fails.
    package static func derive(
        _ hash: HashFunction,
        secret: [UInt8],
        salt: [UInt8],
        info: [UInt8],
        count: Int
    ) throws(CryptoError) -> [UInt8] {
        try expand(hash, extract(hash, secret: secret, salt: salt), info: info, count: count)
    }

    /// The first half, RFC 5869 section 2.2.
    ///
    /// - Parameters:
    ///   - hash: The hash function under the HMAC.
    ///   - secret: The input keying material.
    ///   - salt: Not secret; empty stands for as many zeros as a digest is long.
    /// - Returns: The pseudorandom key, as long as a digest.
    /// - Throws: `CryptoError` if the library fails.
    package static func extract(
        _ hash: HashFunction,
        secret: [UInt8],
        salt: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        // HMAC pads its key with zeros, so that an empty salt and one of zeros are the same key.
        try HMAC.authenticationCode(hash, key: salt, secret)
    }

    /// The second half, RFC 5869 section 2.3.
    ///
    /// - Parameters:
    ///   - hash: The hash function under the HMAC.
    ///   - key: The pseudorandom key.
    ///   - info: What the key is for.
    ///   - count: How many bytes to derive: at most 255 digests.
    /// - Returns: `count` bytes.
    /// - Throws: `CryptoError` if `count` is out of range or the library fails.
    package static func expand(
        _ hash: HashFunction,
        _ key: [UInt8],
        info: [UInt8],
        count: Int
    ) throws(CryptoError) -> [UInt8] {
        guard (0...255 * hash.byteCount).contains(count) else {
            throw CryptoError(.unsupported, "HKDF gives at most \(255 * hash.byteCount) bytes, not \(count)")
        }
        var output: [UInt8] = []
        output.reserveCapacity(count + hash.byteCount)
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while output.count < count {
            counter += 1
            block = try HMAC.authenticationCode(hash, key: key, block + info + [counter])
            output += block
        }
        return Array(output.prefix(count))
    }
}
