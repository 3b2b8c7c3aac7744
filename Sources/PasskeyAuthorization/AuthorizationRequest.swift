/// Something that credentials come from; it makes requests.
public protocol AuthorizationProvider: Sendable {}

/// What a fulfilled request yields.
public protocol AuthorizationCredential: Sendable {}

/// What an application asks for.
public protocol AuthorizationRequest<Credential>: Sendable {
    /// What the request yields when it is fulfilled.
    associatedtype Credential: AuthorizationCredential

    /// The ceremony that fulfils requests of this type.
    static var operation: AuthorizationOperation { get }

    /// Who made the request.
    var provider: any AuthorizationProvider { get }
}

/// How a ceremony ended that did not fail.
public struct AuthorizationResult: Sendable {
    /// Whose request was fulfilled.
    public let provider: any AuthorizationProvider

    /// The credential; cast it to the type that the request yields, or call
    /// ``AuthorizationController/perform(_:)``.
    public let credential: any AuthorizationCredential

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - provider: Whose request was fulfilled.
    ///   - credential: The credential.
    public init(provider: any AuthorizationProvider, credential: any AuthorizationCredential) {
        self.provider = provider
        self.credential = credential
    }
}
