import CPasskeyOpenSSL

/// The keyed hash of RFC 2104.
package enum HMAC {
    /// The authentication code of a message.
    ///
    /// - Parameters:
    ///   - hash: The hash function.
    ///   - key: The key, of any length.
    ///   - message: The message.
    /// - Returns: As many bytes as a digest has. Compare them with `constantTimeEquals`.
    /// - Throws: `CryptoError` if the library fails.
    package static func authenticationCode(
        _ hash: HashFunction,
        key: [UInt8],
        _ message: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        // Zeros at the end of a key that is shorter than a block change nothing, and an empty key that is passed as no
        // key at all would mean "the key as before".
        let key = key.isEmpty ? [0] : key
        guard let length = CInt(exactly: key.count) else {
            throw CryptoError(.unsupported, "a key of \(key.count) bytes")
        }
        var code = [UInt8](repeating: 0, count: hash.byteCount)
        let function = unsafe try hash.messageDigest()
        guard unsafe CPasskeyOpenSSL.HMAC(function, key, length, message, message.count, &code, nil) != nil else {
            throw .takingQueue(.failed, "HMAC")
        }
        return code
    }
}
