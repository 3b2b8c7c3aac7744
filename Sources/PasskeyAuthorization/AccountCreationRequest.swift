#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Accounts that are made in one dialog, with a passkey and a way to reach the user; since iOS 26.
public struct AuthorizationAccountCreationProvider: AuthorizationProvider, Hashable {
    /// Makes a provider.
    public init() {}

    /// Asks for an account with a passkey.
    ///
    /// - Parameters:
    ///   - acceptedContactIdentifiers: The kinds of addresses of which the account needs one.
    ///   - shouldRequestName: Whether the user is asked for a name.
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    /// - Returns: A request to perform.
    public func createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: [ContactIdentifierRequest],
        shouldRequestName: Bool,
        relyingPartyIdentifier: String,
        challenge: Data,
        userID: Data
    ) -> AuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
        AuthorizationAccountCreationPlatformPublicKeyCredentialRequest(
            provider: self,
            acceptedContactIdentifiers: acceptedContactIdentifiers,
            shouldRequestName: shouldRequestName,
            relyingPartyIdentifier: relyingPartyIdentifier,
            challenge: challenge,
            userID: userID
        )
    }
}

/// A kind of address by which a new account is reached.
@nonexhaustive
public enum ContactIdentifierRequest: String, Hashable, Sendable, Codable, CaseIterable {
    /// An address for email.
    case email

    /// A telephone number.
    case phoneNumber
}

/// An address by which a new account is reached.
@nonexhaustive
public enum ContactIdentifier: Hashable, Sendable, Codable {
    /// An address for email.
    case email(String)

    /// A telephone number.
    case phoneNumber(String)

    /// The kind of the address.
    public var kind: ContactIdentifierRequest {
        switch self {
        case .email: .email
        case .phoneNumber: .phoneNumber
        }
    }

    /// The address.
    public var value: String {
        switch self {
        case .email(let value), .phoneNumber(let value): value
        }
    }
}

/// A request to make an account with a passkey.
public struct AuthorizationAccountCreationPlatformPublicKeyCredentialRequest: AuthorizationRequest {
    /// What the request yields.
    public typealias Credential = AuthorizationAccountCreationPlatformPublicKeyCredential

    /// ``AuthorizationOperation/create``.
    public static var operation: AuthorizationOperation { .create }

    /// Who made the request.
    public let provider: any AuthorizationProvider

    /// The kinds of addresses of which the account needs one.
    public let acceptedContactIdentifiers: [ContactIdentifierRequest]

    /// Whether the user is asked for a name.
    public let shouldRequestName: Bool

    /// The RP ID.
    public let relyingPartyIdentifier: String

    /// The server's challenge, 1 to 1,024 bytes.
    public let challenge: Data

    /// The account's user handle, 1 to 64 bytes.
    public let userID: Data

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - provider: Who makes it.
    ///   - acceptedContactIdentifiers: The kinds of addresses of which the account needs one.
    ///   - shouldRequestName: Whether the user is asked for a name.
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    public init(
        provider: AuthorizationAccountCreationProvider = .init(),
        acceptedContactIdentifiers: [ContactIdentifierRequest],
        shouldRequestName: Bool,
        relyingPartyIdentifier: String,
        challenge: Data,
        userID: Data
    ) {
        self.provider = provider
        self.acceptedContactIdentifiers = acceptedContactIdentifiers
        self.shouldRequestName = shouldRequestName
        self.relyingPartyIdentifier = relyingPartyIdentifier
        self.challenge = challenge
        self.userID = userID
    }

    /// The request for the passkey alone, once it is known what the user is called.
    ///
    /// - Parameter name: What the user knows the account by.
    /// - Returns: The request.
    public func registrationRequest(name: String) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyIdentifier)
            .createCredentialRegistrationRequest(challenge: challenge, name: name, userID: userID)
    }
}

/// An account that the user agreed to make.
///
/// Nobody has verified that the address is the user's.
public struct AuthorizationAccountCreationPlatformPublicKeyCredential: AuthorizationCredential, Hashable {
    /// The address by which the user is reached.
    public var contactIdentifier: ContactIdentifier

    /// The user's given name, if it was asked for.
    public var givenName: String?

    /// The user's family name, if it was asked for.
    public var familyName: String?

    /// The passkey.
    public var credentialRegistration: PasskeyRegistrationCredential

    /// Makes a credential, as a test may want to.
    ///
    /// - Parameters:
    ///   - contactIdentifier: The address by which the user is reached.
    ///   - givenName: The user's given name.
    ///   - familyName: The user's family name.
    ///   - credentialRegistration: The passkey.
    public init(
        contactIdentifier: ContactIdentifier,
        givenName: String? = nil,
        familyName: String? = nil,
        credentialRegistration: PasskeyRegistrationCredential
    ) {
        self.contactIdentifier = contactIdentifier
        self.givenName = givenName
        self.familyName = familyName
        self.credentialRegistration = credentialRegistration
    }
}
