#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sign in with Apple.
public struct AuthorizationAppleIDProvider: AuthorizationProvider, Hashable {
    /// Makes a provider.
    public init() {}

    /// Asks the user to sign in with Apple.
    ///
    /// - Returns: A request to adjust further or to perform.
    public func createRequest() -> AuthorizationAppleIDRequest { AuthorizationAppleIDRequest(provider: self) }
}

/// A request to sign in with Apple.
public struct AuthorizationAppleIDRequest: AuthorizationRequest {
    /// What the request yields.
    public typealias Credential = AuthorizationAppleIDCredential

    /// ``AuthorizationOperation/authorize``.
    public static var operation: AuthorizationOperation { .authorize }

    /// What an application may ask to learn.
    @nonexhaustive
    public enum Scope: String, Hashable, Sendable, Codable, CaseIterable {
        /// The user's name.
        case fullName

        /// An address by which the user is reached.
        case email
    }

    /// What the request is for.
    @nonexhaustive
    public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
        /// As the state of the account says.
        case implicit

        /// To sign in.
        case login

        /// To sign in again.
        case refresh

        /// To sign out.
        case logout
    }

    /// Who made the request.
    public let provider: any AuthorizationProvider

    /// What is to be learned; the user may refuse, and Apple tells it once.
    public var requestedScopes: [Scope] = []

    /// What ties the identity token to this request; pass it, hashed or not, as the server expects to find it.
    public var nonce: String?

    /// What comes back unchanged.
    public var state: String?

    /// The user who is to sign in again.
    public var user: String?

    /// What the request is for.
    public var requestedOperation = Operation.implicit

    /// Makes a request.
    ///
    /// - Parameter provider: Who makes it.
    public init(provider: AuthorizationAppleIDProvider = .init()) {
        self.provider = provider
    }
}

/// A user who signed in with Apple.
///
/// Nothing in it is verified before a server has verified ``identityToken``. ``description`` has neither token nor code.
public struct AuthorizationAppleIDCredential: AuthorizationCredential, Hashable, Codable, CustomStringConvertible {
    /// How sure Apple is that a person is behind the account.
    @nonexhaustive
    public enum RealUserStatus: Int, Hashable, Sendable, Codable, CaseIterable {
        /// The system cannot tell.
        case unsupported = 0

        /// Apple does not know.
        case unknown = 1

        /// A person, by all that is known.
        case likelyReal = 2
    }

    /// The user's stable identifier, the same for all applications of a team.
    public var user: String

    /// The request's state.
    public var state: String?

    /// What the user agreed to tell.
    public var authorizedScopes: [AuthorizationAppleIDRequest.Scope]

    /// The identity token: a JWT in UTF-8.
    public var identityToken: Data?

    /// What the server exchanges for tokens, once and within five minutes.
    public var authorizationCode: Data?

    /// How sure Apple is that a person is behind the account.
    public var realUserStatus: RealUserStatus

    /// An address by which the user is reached; at the first authorization alone.
    public var email: String?

    /// The user's given name; at the first authorization alone.
    public var givenName: String?

    /// The user's family name; at the first authorization alone.
    public var familyName: String?

    /// Makes a credential, as a test may want to.
    ///
    /// - Parameters:
    ///   - user: The user's stable identifier.
    ///   - state: The request's state.
    ///   - authorizedScopes: What the user agreed to tell.
    ///   - identityToken: The identity token.
    ///   - authorizationCode: What the server exchanges for tokens.
    ///   - realUserStatus: How sure Apple is that a person is behind the account.
    ///   - email: An address by which the user is reached.
    ///   - givenName: The user's given name.
    ///   - familyName: The user's family name.
    public init(
        user: String,
        state: String? = nil,
        authorizedScopes: [AuthorizationAppleIDRequest.Scope] = [],
        identityToken: Data? = nil,
        authorizationCode: Data? = nil,
        realUserStatus: RealUserStatus = .unknown,
        email: String? = nil,
        givenName: String? = nil,
        familyName: String? = nil
    ) {
        self.user = user
        self.state = state
        self.authorizedScopes = authorizedScopes
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.realUserStatus = realUserStatus
        self.email = email
        self.givenName = givenName
        self.familyName = familyName
    }

    /// The user's identifier alone.
    public var description: String { "Apple ID \(user)" }
}

/// What became of a user's permission to sign in with Apple.
@nonexhaustive
public enum AppleIDCredentialState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user may sign in.
    case authorized

    /// The user withdrew the permission.
    case revoked

    /// There never was such a user.
    case notFound

    /// The application went to another team, where the user has another identifier.
    case transferred
}

/// Tells what became of a user's permission.
public protocol AppleIDCredentialStateProvider: Sendable {
    /// What became of a user's permission.
    ///
    /// - Parameter userID: The user's stable identifier.
    /// - Returns: The state.
    /// - Throws: ``AuthorizationError`` if it cannot be learned.
    func credentialState(forUserID userID: String) async throws(AuthorizationError) -> AppleIDCredentialState
}
