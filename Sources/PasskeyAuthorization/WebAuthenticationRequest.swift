#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a web session comes back to.
public enum WebAuthenticationCallback: Hashable, Sendable, Codable {
    /// A URL of this scheme, which is the application's own.
    case customScheme(String)

    /// A URL of this host and path over `https`.
    case https(host: String, path: String)

    /// Whether a URL is one that ends the session.
    ///
    /// - Parameter url: The URL that the browser was sent to.
    /// - Returns: Whether it fits: scheme and host without regard to case, the path exactly.
    public func matches(_ url: URL) -> Bool {
        switch self {
        case .customScheme(let scheme): url.scheme?.lowercased() == scheme.lowercased()
        case .https(let host, let path):
            url.scheme?.lowercased() == "https" && url.host()?.lowercased() == host.lowercased()
                && url.path().utf8.elementsEqual(path.utf8) && (url.port ?? 443) == 443
        }
    }
}

/// A request to send the user through a page, as `ASWebAuthenticationSession` does.
public struct WebAuthenticationRequest: AuthorizationRequest {
    /// What the request yields.
    public typealias Credential = WebAuthenticationCredential

    /// ``AuthorizationOperation/authorize``.
    public static var operation: AuthorizationOperation { .authorize }

    /// Whose request it is: the browser's.
    public struct Provider: AuthorizationProvider, Hashable {
        /// Makes a provider.
        public init() {}
    }

    /// Who made the request.
    public let provider: any AuthorizationProvider

    /// The page to begin with.
    public let url: URL

    /// Where the session comes back to.
    public let callback: WebAuthenticationCallback

    /// Whether the browser forgets all cookies, before and afterwards.
    public var prefersEphemeralWebBrowserSession = true

    /// Headers that the first request has beside the browser's own.
    public var additionalHeaderFields: [String: String] = [:]

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: The page to begin with.
    ///   - callback: Where the session comes back to.
    public init(url: URL, callback: WebAuthenticationCallback) {
        provider = Provider()
        self.url = url
        self.callback = callback
    }
}

/// Where a web session came back to.
///
/// Whoever reads it must check its `state` before anything else of it.
public struct WebAuthenticationCredential: AuthorizationCredential, Hashable, Codable {
    /// The whole URL.
    public var callbackURL: URL

    /// Makes a credential.
    ///
    /// - Parameter callbackURL: The whole URL.
    public init(callbackURL: URL) {
        self.callbackURL = callbackURL
    }
}
