public import PasskeyModel
import PasskeyWire

/// Which pages and applications a relying party's ceremonies may come from (`#sctn-validating-origin`).
///
/// Nothing is derived from the RP ID: list every origin, related ones and applications too. Leniency is by name.
public struct OriginPolicy: Hashable, Sendable {
    /// Whether ceremonies may run inside frames of other origins.
    public enum Framing: Hashable, Sendable {
        /// A ceremony in a frame of another origin is refused: the default.
        case refused

        /// A ceremony may run in a frame; where the client tells the page around it, that must be one of these.
        case allowed(topOrigins: [Origin])
    }

    /// The origins that are accepted.
    public var origins: [Origin]

    /// Whether every sub-domain of a listed web origin is accepted too, with the same scheme and port.
    ///
    /// Any of them can then register and sign in: think of pages that users or other teams control.
    public var allowsSubdomains: Bool

    /// Whether any port of a listed web origin is accepted too.
    ///
    /// For development: other ports may be served by others.
    public var allowsAnyPort: Bool

    /// Whether ceremonies may run inside frames of other origins.
    public var framing: Framing

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - origins: The origins that are accepted.
    ///   - allowsSubdomains: Whether their sub-domains are too.
    ///   - allowsAnyPort: Whether their other ports are too.
    ///   - framing: Whether ceremonies may run inside frames.
    public init(
        _ origins: [Origin],
        allowsSubdomains: Bool = false,
        allowsAnyPort: Bool = false,
        framing: Framing = .refused
    ) {
        self.origins = origins
        self.allowsSubdomains = allowsSubdomains
        self.allowsAnyPort = allowsAnyPort
        self.framing = framing
    }

    /// The fault of `origin`, if it has one.
    func fault(ofOrigin origin: String) -> String? {
        accepts(origin) ? nil : "the origin \"\(excerpt(origin))\" is not expected"
    }

    /// Whether a client's origin is accepted.
    ///
    /// The text is compared as it was sent: a spelling that no client uses is another origin.
    private func accepts(_ text: String) -> Bool {
        if origins.contains(where: { $0.string.hasSameBytes(as: text) }) { return true }
        guard allowsSubdomains || allowsAnyPort,
            case .web(let scheme, let host, let port)? = Origin(serialized: text)?.kind
        else { return false }
        return origins.contains { listed in
            guard case .web(scheme, let listedHost, let listedPort) = listed.kind else { return false }
            let isHost = allowsSubdomains ? DomainName.isEqualOrBelow(host, listedHost) : host == listedHost
            return isHost && (allowsAnyPort || port == listedPort)
        }
    }

    /// The fault of `crossOrigin`, if it has one.
    func fault(ofCrossOrigin crossOrigin: Bool?) -> String? {
        crossOrigin == true && framing == .refused ? "the ceremony ran in a frame of another origin" : nil
    }

    /// The fault of `topOrigin`, if it has one.
    func fault(ofTopOrigin topOrigin: String?, crossOrigin: Bool?) -> String? {
        guard let topOrigin else { return nil }
        guard crossOrigin == true else { return "there is a topOrigin though crossOrigin is not true" }
        guard case .allowed(let topOrigins) = framing,
            topOrigins.contains(where: { $0.string.hasSameBytes(as: topOrigin) })
        else {
            return "not expected to be framed by \"\(excerpt(topOrigin))\""
        }
        return nil
    }
}
