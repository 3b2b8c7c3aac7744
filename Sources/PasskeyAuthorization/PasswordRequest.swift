/// Passwords that the device keeps for the application.
public struct AuthorizationPasswordProvider: AuthorizationProvider, Hashable {
    /// Makes a provider.
    public init() {}

    /// Asks for a password.
    ///
    /// - Returns: A request to perform.
    public func createRequest() -> AuthorizationPasswordRequest { AuthorizationPasswordRequest(provider: self) }
}

/// A request to sign in with a password that the device keeps.
public struct AuthorizationPasswordRequest: AuthorizationRequest {
    /// What the request yields.
    public typealias Credential = PasswordCredential

    /// ``AuthorizationOperation/authorize``.
    public static var operation: AuthorizationOperation { .authorize }

    /// Who made the request.
    public let provider: any AuthorizationProvider

    /// Makes a request.
    ///
    /// - Parameter provider: Who makes it.
    public init(provider: AuthorizationPasswordProvider = .init()) {
        self.provider = provider
    }
}

/// A password, with the name that it belongs to.
///
/// Nothing verifies it but the server that knows the user; ``description`` does not have it.
public struct PasswordCredential: AuthorizationCredential, Hashable, Codable, CustomStringConvertible {
    /// What the user knows the account by.
    public var user: String

    /// The password.
    public var password: String

    /// Makes a password.
    ///
    /// - Parameters:
    ///   - user: What the user knows the account by.
    ///   - password: The password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The name alone.
    public var description: String { "password of \(user)" }
}
