public import PasskeyAuthorization
import PasskeySystem
import PasskeyWire

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Answers requests to sign in with Apple.
public protocol AppleIDIssuer: Sendable {
    /// Whether an account is there that can be offered at once.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether it is.
    func isImmediatelyAvailable(for request: AuthorizationAppleIDRequest) -> Bool

    /// Has the user sign in.
    ///
    /// - Parameter request: The request.
    /// - Returns: The credential.
    /// - Throws: ``AuthorizationError``.
    func authorize(
        _ request: AuthorizationAppleIDRequest
    ) async throws(AuthorizationError) -> AuthorizationAppleIDCredential
}

extension AppleIDIssuer {
    /// Yes.
    public func isImmediatelyAvailable(for request: AuthorizationAppleIDRequest) -> Bool { true }
}

/// Goes to a page, as a browser does in a web session.
public protocol WebUserAgent: Sendable {
    /// Goes to the request's page, and on from there until its callback is reached.
    ///
    /// - Parameter request: The request.
    /// - Returns: The callback with all its parameters.
    /// - Throws: ``AuthorizationError``.
    func open(_ request: WebAuthenticationRequest) async throws(AuthorizationError) -> URL
}

/// An issuer that signs nothing: one account, for tests of an application that does not look into tokens.
///
/// It keeps Apple's rule that name and address are told once.
public final class StandInAppleIDIssuer: AppleIDIssuer, AppleIDCredentialStateProvider {
    /// The account.
    public struct Account: Hashable, Sendable {
        /// The stable identifier.
        public var user: String

        /// An address by which the user is reached.
        public var email: String?

        /// The user's given name.
        public var givenName: String?

        /// The user's family name.
        public var familyName: String?

        /// Makes an account.
        ///
        /// - Parameters:
        ///   - user: The stable identifier.
        ///   - email: An address by which the user is reached.
        ///   - givenName: The user's given name.
        ///   - familyName: The user's family name.
        public init(
            user: String = "000001.0123456789abcdef0123456789abcdef.0001",
            email: String? = nil,
            givenName: String? = nil,
            familyName: String? = nil
        ) {
            self.user = user
            self.email = email
            self.givenName = givenName
            self.familyName = familyName
        }
    }

    private let account: Account
    private let identityToken: @Sendable (AuthorizationAppleIDRequest) -> Data?
    private let state = Lock<AppleIDCredentialState>(.notFound)

    /// Makes an issuer whose user has not authorized the application yet.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - identityToken: Gives the identity token; without it there is none, which no server may accept.
    public init(
        _ account: Account = Account(),
        identityToken: @escaping @Sendable (AuthorizationAppleIDRequest) -> Data? = { _ in nil }
    ) {
        self.account = account
        self.identityToken = identityToken
    }

    /// Withdraws the user's permission, as the user does in the system's settings.
    public func revoke() {
        state.withLock { if $0 == .authorized { $0 = .revoked } }
    }

    /// Whether the user has authorized the application before.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether so.
    public func isImmediatelyAvailable(for request: AuthorizationAppleIDRequest) -> Bool {
        state.withLock { $0 == .authorized }
    }

    /// Has the user sign in; name and address are told the first time.
    ///
    /// - Parameter request: The request.
    /// - Returns: The credential.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/failed`` if the request names another user.
    public func authorize(
        _ request: AuthorizationAppleIDRequest
    ) async throws(AuthorizationError) -> AuthorizationAppleIDCredential {
        if let user = request.user, !user.hasSameBytes(as: account.user) {
            throw AuthorizationError(type: .failed, message: "there is no user \(user)")
        }
        let isFirst = state.withLock { state in
            defer { state = .authorized }
            return state != .authorized
        }
        let asked = Set(request.requestedScopes)
        let (tellsName, tellsEmail) = (isFirst && asked.contains(.fullName), isFirst && asked.contains(.email))
        return AuthorizationAppleIDCredential(
            user: account.user,
            state: request.state,
            authorizedScopes: request.requestedScopes,
            identityToken: identityToken(request),
            realUserStatus: isFirst ? .likelyReal : .unsupported,
            email: tellsEmail ? account.email : nil,
            givenName: tellsName ? account.givenName : nil,
            familyName: tellsName ? account.familyName : nil
        )
    }

    /// What became of the user's permission.
    ///
    /// - Parameter userID: The user's stable identifier.
    /// - Returns: The state.
    /// - Throws: Nothing; the protocol's other issuers may.
    public func credentialState(
        forUserID userID: String
    ) async throws(AuthorizationError) -> AppleIDCredentialState {
        userID.hasSameBytes(as: account.user) ? state.withLock { $0 } : .notFound
    }
}

/// A browser without pages: a function says where each session comes back to.
public struct StandInWebUserAgent: WebUserAgent {
    private let answer: @Sendable (WebAuthenticationRequest) async throws(AuthorizationError) -> URL

    /// Makes a browser.
    ///
    /// - Parameter answer: Gives the callback with all its parameters.
    public init(_ answer: @escaping @Sendable (WebAuthenticationRequest) async throws(AuthorizationError) -> URL) {
        self.answer = answer
    }

    /// Comes back to where the function says.
    ///
    /// - Parameter request: The request.
    /// - Returns: The callback with all its parameters.
    /// - Throws: What the function throws.
    public func open(_ request: WebAuthenticationRequest) async throws(AuthorizationError) -> URL {
        try await answer(request)
    }
}

/// What the virtual user fills in when an account is made.
public struct VirtualContact: Hashable, Sendable, Codable {
    /// The user's address for email.
    public var email: String?

    /// The user's telephone number.
    public var phoneNumber: String?

    /// The user's given name.
    public var givenName: String?

    /// The user's family name.
    public var familyName: String?

    /// Makes a contact.
    ///
    /// - Parameters:
    ///   - email: The user's address for email.
    ///   - phoneNumber: The user's telephone number.
    ///   - givenName: The user's given name.
    ///   - familyName: The user's family name.
    public init(
        email: String? = nil,
        phoneNumber: String? = nil,
        givenName: String? = nil,
        familyName: String? = nil
    ) {
        self.email = email
        self.phoneNumber = phoneNumber
        self.givenName = givenName
        self.familyName = familyName
    }

    /// The first address of a kind that is accepted.
    func identifier(accepting kinds: [ContactIdentifierRequest]) -> ContactIdentifier? {
        for kind in kinds {
            switch kind {
            case .email: if let email { return .email(email) }
            case .phoneNumber: if let phoneNumber { return .phoneNumber(phoneNumber) }
            }
        }
        return nil
    }
}
