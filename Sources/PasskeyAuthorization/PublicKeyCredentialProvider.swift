#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A provider of passkeys for one relying party.
public protocol AuthorizationPublicKeyCredentialProvider: AuthorizationProvider {
    /// The RP ID, such as `example.com`.
    var relyingPartyIdentifier: String { get }

    /// The kind of authenticator that its requests are for.
    var attachment: AuthenticatorAttachment { get }
}

/// Passkeys of the device itself, and of the password managers on it.
public struct AuthorizationPlatformPublicKeyCredentialProvider: AuthorizationPublicKeyCredentialProvider, Hashable {
    /// The RP ID.
    public let relyingPartyIdentifier: String

    /// Makes a provider.
    ///
    /// - Parameter relyingPartyIdentifier: The RP ID, such as `example.com`.
    public init(relyingPartyIdentifier: String) {
        self.relyingPartyIdentifier = relyingPartyIdentifier
    }

    /// ``AuthenticatorAttachment/platform``.
    public var attachment: AuthenticatorAttachment { .platform }
}

/// Passkeys on security keys.
public struct AuthorizationSecurityKeyPublicKeyCredentialProvider: AuthorizationPublicKeyCredentialProvider, Hashable {
    /// The RP ID.
    public let relyingPartyIdentifier: String

    /// Makes a provider.
    ///
    /// - Parameter relyingPartyIdentifier: The RP ID, such as `example.com`.
    public init(relyingPartyIdentifier: String) {
        self.relyingPartyIdentifier = relyingPartyIdentifier
    }

    /// ``AuthenticatorAttachment/crossPlatform``.
    public var attachment: AuthenticatorAttachment { .crossPlatform }
}

extension AuthorizationPublicKeyCredentialProvider {
    /// Asks for a passkey to be made.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - displayName: The user's own name.
    ///   - name: What the user knows the account by.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialRegistrationRequest(
        challenge: Data,
        displayName: String? = nil,
        name: String,
        userID: Data
    ) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        var request = AuthorizationPublicKeyCredentialRegistrationRequest(
            provider: self,
            challenge: challenge,
            name: name,
            userID: userID
        )
        request.displayName = displayName
        return request
    }

    /// Asks for a passkey to be made.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - displayName: The user's own name.
    ///   - name: What the user knows the account by.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialRegistrationRequest(
        challenge: [UInt8],
        displayName: String? = nil,
        name: String,
        userID: [UInt8]
    ) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        createCredentialRegistrationRequest(
            challenge: Data(challenge),
            displayName: displayName,
            name: name,
            userID: Data(userID)
        )
    }

    /// Asks for a passkey to be made, in one of two styles.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - name: What the user knows the account by.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    ///   - requestStyle: Whether the user is asked.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialRegistrationRequest(
        challenge: Data,
        name: String,
        userID: Data,
        requestStyle: RegistrationRequestStyle
    ) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        var request = createCredentialRegistrationRequest(challenge: challenge, name: name, userID: userID)
        request.requestStyle = requestStyle
        return request
    }

    /// Asks for a passkey to be made as a server's options say.
    ///
    /// - Parameter options: The options; their `rp.id` counts before the provider's.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialRegistrationRequest(
        options: PublicKeyCredentialCreationOptions
    ) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        AuthorizationPublicKeyCredentialRegistrationRequest(provider: self, options: options)
    }

    /// Asks for a sign-in.
    ///
    /// - Parameter challenge: The server's challenge, 1 to 1,024 bytes.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialAssertionRequest(challenge: Data) -> AuthorizationPublicKeyCredentialAssertionRequest {
        AuthorizationPublicKeyCredentialAssertionRequest(provider: self, challenge: challenge)
    }

    /// Asks for a sign-in.
    ///
    /// - Parameter challenge: The server's challenge, 1 to 1,024 bytes.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialAssertionRequest(
        challenge: [UInt8]
    ) -> AuthorizationPublicKeyCredentialAssertionRequest {
        createCredentialAssertionRequest(challenge: Data(challenge))
    }

    /// Asks for a sign-in as a server's options say.
    ///
    /// - Parameter options: The options; their `rpId` counts before the provider's.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialAssertionRequest(
        options: PublicKeyCredentialRequestOptions
    ) -> AuthorizationPublicKeyCredentialAssertionRequest {
        AuthorizationPublicKeyCredentialAssertionRequest(provider: self, options: options)
    }
}

extension AuthenticatorAttachment {
    /// The provider whose requests are for authenticators that are attached so.
    func provider(relyingPartyIdentifier: String) -> any AuthorizationPublicKeyCredentialProvider {
        switch self {
        case .platform:
            AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyIdentifier)
        case .crossPlatform:
            AuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyIdentifier)
        }
    }
}
