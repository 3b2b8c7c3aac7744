/// What a cryptographic operation failed with.
///
/// A signature that does not verify is no error: `PublicKey.verify` answers `false`.
package struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program branches on.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// Not a key: off its curve, out of range, of a small order, or not what its encoding says.
        case malformedKey = "malformed-key"
        /// Not a certificate or a revocation list, or one with a part that cannot be read.
        case malformedCertificate = "malformed-certificate"
        /// The library that is linked, or this one, does not do it.
        case unsupported
        /// The library failed where it should not have; memory ran out, for example.
        case failed
        /// Encrypted data that was changed, or is under another key.
        case notAuthentic = "not-authentic"
    }

    /// What a program branches on.
    package var code: Code

    /// What goes to the log.
    package var detail: String

    /// Makes an error.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
