public import PasskeyWire

/// Where a ceremony ran: a web page, an Android application, or something else that names itself.
public struct Origin: JSONRepresentable, CustomStringConvertible {
    /// What stands behind an origin.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// A web page: `https`, or `http`; the host; the port, `nil` for the scheme's own.
        case web(scheme: String, host: String, port: Int?)

        /// An Android application, by the SHA-256 of its signing certificate.
        case android(certificateHash: [UInt8])

        /// Any other text, compared byte for byte, such as a native client's own scheme.
        case opaque
    }

    /// The canonical text: what a client is expected to send, byte for byte.
    public let string: String

    /// What stands behind it.
    public let kind: Kind

    /// Reads an origin out of a server's configuration.
    ///
    /// Scheme and host are brought to lower case, a default port and a lone `/` at the end are dropped. What a client
    /// sends is never changed like this: see ``init(serialized:)``.
    ///
    /// - Parameter text: `https://example.com`, `android:apk-key-hash:…`, or another client's own form.
    /// - Throws: ``ModelError`` for a web origin with a path, user information, or a host that is none.
    public init(_ text: String) throws(ModelError) {
        guard (1...1024).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ModelError(.invalid, "an origin is 1 to 1,024 printable characters of ASCII: \"\(excerpt(text))\"")
        }
        if let web = try Origin.webOrigin(text) {
            self = web
        } else if text.hasPrefix(Origin.androidPrefix) {
            self.init(androidCertificateHash: try Origin.androidHash(text))
        } else {
            guard Origin.hasScheme(text) else {
                throw ModelError(.invalid, "the origin \"\(excerpt(text))\" has no scheme, such as https://")
            }
            self.init(string: text, kind: .opaque)
        }
    }

    /// Reads an origin that a client sent; `nil` if it is not spelt as a client spells it.
    ///
    /// - Parameter text: The `origin` or `topOrigin` of client data.
    public init?(serialized text: String) {
        guard let origin = try? Origin(text), origin.string.hasSameBytes(as: text) else { return nil }
        self = origin
    }

    /// The origin of an Android application.
    ///
    /// - Parameter certificateHash: SHA-256 of the certificate that signs the application: 32 bytes.
    /// - Returns: The origin `android:apk-key-hash:…`.
    /// - Throws: ``ModelError`` if there are not 32.
    public static func android(certificateHash: [UInt8]) throws(ModelError) -> Origin {
        guard certificateHash.count == 32 else {
            throw ModelError(.outOfRange, "a SHA-256 has 32 bytes, not \(certificateHash.count)")
        }
        return Origin(androidCertificateHash: certificateHash)
    }

    /// The host of a web origin.
    public var host: String? {
        guard case .web(_, let host, _) = kind else { return nil }
        return host
    }

    /// Whether a browser runs ceremonies here at all: `https`, `http` on the machine itself, or no web page.
    public var isSecure: Bool {
        guard case .web(let scheme, let host, _) = kind else { return true }
        return scheme == "https" || DomainName.isLoopback(host)
    }

    /// The RP ID that a page uses when it names none: its host, without scheme and port.
    public var defaultRelyingPartyIdentifier: RelyingPartyIdentifier? {
        host.flatMap { try? RelyingPartyIdentifier($0) }
    }

    /// The canonical text.
    public var description: String { string }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        try self.init(JSONMembers.string(json))
    }

    /// The JSON form.
    public var json: JSONValue { .string(string) }

    private static let androidPrefix = "android:apk-key-hash:"

    private init(androidCertificateHash hash: [UInt8]) {
        self.init(
            string: Origin.androidPrefix + Base64URL.encode(hash),
            kind: .android(certificateHash: hash)
        )
    }

    private init(scheme: String, host: String, port: Int?) {
        self.init(
            string: "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? ""),
            kind: .web(scheme: scheme, host: host, port: port)
        )
    }

    private init(string: String, kind: Kind) {
        self.string = string
        self.kind = kind
    }

    private static func androidHash(_ text: String) throws(ModelError) -> [UInt8] {
        guard let hash = try? Base64URL.decode(String(text.dropFirst(androidPrefix.count))), hash.count == 32 else {
            throw ModelError(.invalid, "\"\(excerpt(text))\" has no SHA-256 in unpadded base64url")
        }
        return hash
    }

    /// RFC 3986 section 3.1: a letter, then letters, digits, `+`, `-` and `.`, then the colon.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        return isLetter(first)
            && text.utf8[..<colon].allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    /// Splits `scheme://host[:port][/]`; `nil` for any other scheme.
    private static func webOrigin(_ text: String) throws(ModelError) -> Origin? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        guard text.utf8[..<colon].count <= 5 else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        func refusal(_ reason: String) -> ModelError {
            ModelError(.invalid, "the origin \"\(excerpt(text))\" \(reason)")
        }
        var rest = text[colon...].dropFirst()
        guard rest.hasPrefix("//") else { throw refusal("has no host") }
        rest = rest.dropFirst(2)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.utf8.contains(where: { "/?#@\\".utf8.contains($0) }) else {
            throw refusal("has more than scheme, host and port")
        }
        var host = rest.lowercased()
        var port: Int?
        let afterBracket = host.lastIndex(of: "]") ?? host.startIndex
        if let separator = host[afterBracket...].lastIndex(of: ":") {
            let digits = host[separator...].dropFirst()
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.utf8.first != 0x30,
                let number = Int(digits), number <= 65_535
            else { throw refusal("has no port that can be") }
            port = number == (scheme == "https" ? 443 : 80) ? nil : number
            host = String(host[..<separator])
        }
        guard isHost(host) else { throw refusal("has no host that can be") }
        return Origin(scheme: scheme, host: host, port: port)
    }

    /// A domain, or an IP address: a page may stand on one, though no RP ID fits it.
    private static func isHost(_ host: String) -> Bool {
        if DomainName.fault(in: host) == nil { return true }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.utf8.count > 3
                && host.utf8.dropFirst().dropLast().allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: ":")
                        || $0 == UInt8(ascii: ".")
                }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }
}
