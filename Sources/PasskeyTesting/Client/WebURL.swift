import PasskeyModel

/// A URL of `https` or `http`, as far as a client needs one: whose origin it has, and where a redirect leads.
///
/// It reads less than a browser's parser, which mends much: a host has to be spelt in ASCII, and two slashes have to follow
/// the scheme.
struct WebURL {
    let origin: Origin

    /// What follows the authority, without the fragment.
    private let rest: Substring.UTF8View

    init?(_ text: String) {
        let trimmed = Self.trimmed(text)
        let start = String(Substring(trimmed.prefix(8))).lowercased()
        let length = start.hasPrefix("https://") ? 8 : start.hasPrefix("http://") ? 7 : 0
        guard length > 0 else { return nil }
        let body = trimmed.dropFirst(length)
        let end = body.firstIndex { "/\\?#".utf8.contains($0) } ?? body.endIndex
        var authority = body[..<end]
        if let userInfoEnd = authority.lastIndex(of: UInt8(ascii: "@")) {
            authority = authority[userInfoEnd...].dropFirst()
        }
        guard let origin = try? Origin(String(start.prefix(length)) + String(Substring(authority))) else { return nil }
        self.origin = origin
        rest = Self.withoutFragment(body[end...])
    }

    /// Where a `Location` leads from here; `nil` if that is no URL of these schemes.
    func resolving(_ location: String) -> String? {
        let target = Self.withoutFragment(Self.trimmed(location))
        let slash = UInt8(ascii: "/")
        let absolute: String
        if target.starts(with: [slash, slash]) {
            absolute = (origin.string.hasPrefix("https:") ? "https:" : "http:") + Substring(target)
        } else if target.first == slash {
            absolute = origin.string + Substring(target)
        } else if target.first(where: { ":/?#".utf8.contains($0) }) == UInt8(ascii: ":") {
            absolute = String(Substring(target))
        } else {
            // Beside what it is relative to.
            let path = rest.prefix { $0 != UInt8(ascii: "?") }
            let folder = path.lastIndex(of: slash).map { Substring(path[...$0]) } ?? "/"
            absolute = origin.string + folder + Substring(target)
        }
        guard let url = WebURL(absolute) else { return nil }
        return url.origin.string + (url.rest.first == slash ? "" : "/") + Substring(url.rest)
    }

    /// White space at the ends is no part of a URL.
    private static func trimmed(_ text: String) -> Substring.UTF8View {
        var result = text.utf8[...]
        while let first = result.first, first <= 0x20 { result = result.dropFirst() }
        while let last = result.last, last <= 0x20 { result = result.dropLast() }
        return result
    }

    private static func withoutFragment(_ text: Substring.UTF8View) -> Substring.UTF8View {
        text.prefix { $0 != UInt8(ascii: "#") }
    }
}
