import CPasskeyOpenSSL

/// The random source of libcrypto, which the operating system seeds.
package enum SystemRandom {
    /// Bytes that nobody can predict.
    ///
    /// - Parameter count: How many.
    /// - Returns: `count` bytes.
    /// - Throws: `CryptoError` if the source fails, which it does when the system cannot seed it.
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard let length = CInt(exactly: count), length >= 0 else {
            throw CryptoError(.unsupported, "\(count) random bytes")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe RAND_bytes(&bytes, length) == 1 else { throw .takingQueue(.failed, "RAND_bytes") }
        return bytes
    }
}

/// Compares two strings of bytes in a time that depends on their lengths alone.
///
/// - Parameters:
///   - left: One string.
///   - right: The other.
/// - Returns: Whether they are.
package func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
