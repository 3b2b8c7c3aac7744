/// A hash function.
package enum HashFunction: Hashable, Sendable, CaseIterable {
    /// For attestation statements of old TPMs and nothing else.
    case sha1
    case sha256
    case sha384
    case sha512

    /// The length of a digest in bytes.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}

/// The SHA-256 digest of bytes.
///
/// - Parameter bytes: The message.
/// - Returns: 32 bytes.
/// - Throws: `CryptoError` if the library fails.
package func sha256(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    try HashFunction.sha256.digest(bytes)
}
