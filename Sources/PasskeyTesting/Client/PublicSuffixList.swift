import PasskeyModel
import PasskeyWire

/// Under which domains anybody may register one: the rules of the public suffix list (`https://publicsuffix.org/list/`).
///
/// A browser refuses an RP ID that is such a suffix, since unrelated sites lie below it, and it groups related origins by
/// the label in front of one. ``builtIn`` is a short list written for tests; a test that needs the whole one reads its
/// file with ``init(parsing:)``. What no rule matches has its last label as public suffix: the default rule is `*`.
public struct PublicSuffixList: Hashable, Sendable {
    /// What a rule says of the domain that it names.
    private enum Rule: UInt8 {
        /// It is a public suffix.
        case suffix

        /// It is none, although a wildcard says so.
        case exception
    }

    /// Rules by the bytes of their domain; a wildcard's begins with `*.`.
    private let rules: [[UInt8]: Rule]

    /// Reads the list's text format.
    ///
    /// A line is one rule up to its first white space; empty lines and those that begin with `//` are none. Labels of
    /// other scripts become A-labels (`xn--…`). A line that is no rule is skipped, as browsers skip it.
    ///
    /// - Parameter text: UTF-8, of which the first 4 MiB count; the whole list has about 320 KiB.
    public init(parsing text: [UInt8]) {
        var rules: [[UInt8]: Rule] = [:]
        for line in text.prefix(Self.greatestLength).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let (domain, rule) = Self.rule(line) else { continue }
            rules[domain] = rule
        }
        self.rules = rules
    }

    /// Reads the list's text format.
    ///
    /// - Parameter text: As `init(parsing:)` has it on bytes.
    public init(parsing text: String) {
        self.init(parsing: [UInt8](text.utf8))
    }

    /// How many rules there are.
    public var count: Int { rules.count }

    /// The public suffix of a domain, such as `co.uk` for `www.example.co.uk`.
    ///
    /// - Parameter domain: A domain as a browser spells it: lower case, ASCII, no dot at the end.
    /// - Returns: The suffix, which may be the whole domain; `nil` if the text is no domain, such as an IP address.
    public func publicSuffix(of domain: String) -> String? {
        guard DomainName.fault(in: domain) == nil else { return nil }
        let labels = Self.labels(domain)
        return Self.suffix(of: labels, length: suffixLength(labels))
    }

    /// The registrable domain of a domain: its public suffix and one label more, such as `example.co.uk`.
    ///
    /// - Parameter domain: A domain as a browser spells it.
    /// - Returns: The registrable domain; `nil` if the domain is a public suffix, or none.
    public func registrableDomain(of domain: String) -> String? {
        guard DomainName.fault(in: domain) == nil else { return nil }
        let labels = Self.labels(domain)
        let length = suffixLength(labels)
        return labels.count > length ? Self.suffix(of: labels, length: length + 1) : nil
    }

    /// Whether one host "is a registrable domain suffix of or is equal to" another (HTML,
    /// `#is-a-registrable-domain-suffix-of-or-is-equal-to`).
    ///
    /// - Parameters:
    ///   - suffix: What is claimed, such as an RP ID; it must be spelt as a browser spells hosts.
    ///   - host: The host of the page.
    /// - Returns: Whether the claim holds.
    public func isRegistrableSuffix(_ suffix: String, ofOrEqualTo host: String) -> Bool {
        guard !suffix.isEmpty else { return false }
        if suffix.hasSameBytes(as: host) { return true }
        guard DomainName.fault(in: suffix) == nil, DomainName.fault(in: host) == nil,
            host.utf8.reversed().starts(with: ("." + suffix).utf8.reversed())
        else { return false }
        // Neither is it a public suffix, nor does it lie above the host's.
        return Self.labels(suffix).count > max(suffixLength(Self.labels(suffix)), suffixLength(Self.labels(host)))
    }

    /// How many labels the public suffix has: those of the exception less one, or else of the longest rule, or else one.
    private func suffixLength(_ labels: [ArraySlice<UInt8>]) -> Int {
        var longest = 1
        var name: [UInt8] = []
        for (index, label) in labels.reversed().enumerated() {
            // The wildcard stands for one label, with its parent as the rest.
            if index > 0, rules[Self.wildcard + name] != nil { longest = index + 1 }
            name = index == 0 ? Array(label) : label + [Self.dot] + name
            switch rules[name] {
            case .exception: return index
            case .suffix: longest = index + 1
            case nil: break
            }
        }
        return longest
    }

    private static let greatestLength = 4 << 20
    private static let dot = UInt8(ascii: ".")
    private static let wildcard = [UInt8(ascii: "*"), dot]

    private static func labels(_ domain: String) -> [ArraySlice<UInt8>] {
        [UInt8](domain.utf8).split(separator: dot, omittingEmptySubsequences: false)
    }

    private static func suffix(of labels: [ArraySlice<UInt8>], length: Int) -> String {
        String(decoding: Array(labels.suffix(length).joined(separator: [dot])), as: UTF8.self)
    }

    /// One line's rule, its labels in their A-form.
    private static func rule(_ line: ArraySlice<UInt8>) -> (domain: [UInt8], rule: Rule)? {
        var text = line.prefix { $0 != 0x20 && $0 != 0x09 }
        guard !text.isEmpty, !text.starts(with: Array("//".utf8)), text.count <= 1024 else { return nil }
        let isException = text.first == UInt8(ascii: "!")
        if isException { text = text.dropFirst() }
        let isWildcard = text.starts(with: wildcard)
        if isWildcard { text = text.dropFirst(2) }
        guard !(isException && isWildcard), let domain = DomainLabels.ascii(text),
            DomainName.fault(in: domain) == nil
        else { return nil }
        return ((isWildcard ? wildcard : []) + [UInt8](domain.utf8), isException ? .exception : .suffix)
    }
}
