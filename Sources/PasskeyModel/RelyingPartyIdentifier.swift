public import PasskeyWire

/// The RP ID: the domain that a credential belongs to (`#rp-id`).
///
/// On the web it is a domain name, such as `example.com`: no scheme, no port. A credential made for it works on that
/// host and its sub-domains, and it cannot be changed later without losing every credential.
public struct RelyingPartyIdentifier: JSONRepresentable, CustomStringConvertible {
    /// The identifier, exactly as it is hashed into authenticator data.
    public let string: String

    /// Takes a domain name.
    ///
    /// It is compared and hashed byte for byte, so it must be spelled as a browser spells a host: lower case, ASCII
    /// (`xn--…` for other scripts), no dot at the end, not an IP address.
    ///
    /// - Parameter domain: The domain, such as `example.com` or `localhost`.
    /// - Throws: ``ModelError`` with the reason.
    public init(_ domain: String) throws(ModelError) {
        if let reason = DomainName.fault(in: domain) {
            throw ModelError(.invalid, "the RP ID \"\(excerpt(domain))\" is not a domain name: \(reason)")
        }
        string = domain
    }

    /// Takes an identifier that is no domain name, for platforms other than the web.
    ///
    /// Browsers refuse such an RP ID. It is for protocols that borrow WebAuthn's structures, and for credentials that a
    /// library without this check once registered.
    ///
    /// - Parameter string: 1 to 255 bytes of UTF-8.
    /// - Throws: ``ModelError`` if it is empty or longer.
    public init(notADomain string: String) throws(ModelError) {
        guard (1...255).contains(string.utf8.count) else {
            throw ModelError(.outOfRange, "an RP ID has 1 to 255 bytes")
        }
        self.string = string
    }

    /// The identifier.
    public var description: String { string }

    /// Whether both have the same bytes; canonical equivalence is not equality here.
    public static func == (first: Self, second: Self) -> Bool {
        first.string.hasSameBytes(as: second.string)
    }

    /// Feeds the bytes to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: string)
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let text = try JSONMembers.string(json)
        if let domain = try? RelyingPartyIdentifier(text) {
            self = domain
        } else {
            try self.init(notADomain: text)
        }
    }

    /// The JSON form.
    public var json: JSONValue { .string(string) }
}

/// Host names as a browser spells them.
package enum DomainName {
    /// Why the text is not a valid domain string in its canonical spelling, or `nil` if it is one.
    package static func fault(in domain: String) -> String? {
        guard !domain.isEmpty else { return "it is empty" }
        guard domain.utf8.count <= 253 else { return "it is longer than 253 bytes" }
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            guard !label.isEmpty else { return "a label is empty" }
            guard label.count <= 63 else { return "a label is longer than 63 bytes" }
            for byte in label {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    continue
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): return "a browser spells it in lower case"
                case 0x80...: return "a browser spells it in ASCII (xn--…)"
                case UInt8(ascii: ":"), UInt8(ascii: "/"): return "leave out scheme, port and path"
                default: return "it has a character that no host has"
                }
            }
            guard label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
                return "a label begins or ends with a hyphen"
            }
        }
        // The URL standard reads a host whose last label is a number as an IPv4 address.
        guard let last = labels.last, !isNumber(last) else { return "it is an IP address" }
        return nil
    }

    /// Whether `host` is `domain` or lies below it, at a dot.
    package static func isEqualOrBelow(_ host: String, _ domain: String) -> Bool {
        host == domain || host.hasSuffix("." + domain)
    }

    /// Whether a browser treats plain HTTP on this host as secure.
    package static func isLoopback(_ host: String) -> Bool {
        isEqualOrBelow(host, "localhost") || host == "127.0.0.1" || host == "[::1]"
    }

    private static func isNumber(_ label: Substring.UTF8View) -> Bool {
        let text = Array(label)
        let isDecimal = text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !isDecimal, text.starts(with: Array("0x".utf8)) else { return isDecimal }
        return text.dropFirst(2).allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
}
