#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data {
    /// Reads base64url as WebAuthn has it: without padding, white space or bits left over (RFC 4648 §5).
    ///
    /// - Parameter text: The text.
    /// - Returns: The bytes; `nil` if the text is anything else.
    public static func fromBase64Url(_ text: String) -> Data? {
        (try? Base64URL.decode(text)).map { Data($0) }
    }

    /// The bytes as base64url, without padding.
    public func toBase64URL() -> String { Base64URL.encode(self) }
}
