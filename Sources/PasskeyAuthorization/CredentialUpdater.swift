#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Takes what an application tells the device of its credentials, as `ASCredentialUpdater` does.
///
/// None of it tells whether the device had anything to update: an answer would tell who has an account.
public protocol CredentialUpdater: Sendable {
    /// Tells that the server does not know a credential.
    ///
    /// - Parameters:
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - credentialID: The credential's identifier.
    /// - Throws: ``AuthorizationError`` if nothing can be told.
    func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String,
        credentialID: Data
    ) async throws(AuthorizationError)

    /// Tells all credentials that the server accepts for an account.
    ///
    /// A list that lacks one by mistake hides it from its user, until a later list has it.
    ///
    /// - Parameters:
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - userHandle: The account's user handle.
    ///   - acceptedCredentialIDs: All of the account's credentials, not only those of this device.
    /// - Throws: ``AuthorizationError`` if nothing can be told.
    func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String,
        userHandle: Data,
        acceptedCredentialIDs: [Data]
    ) async throws(AuthorizationError)

    /// Tells what an account is called now.
    ///
    /// - Parameters:
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - userHandle: The account's user handle.
    ///   - newName: What the user knows the account by.
    /// - Throws: ``AuthorizationError`` if nothing can be told.
    func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String,
        userHandle: Data,
        newName: String
    ) async throws(AuthorizationError)

    /// Tells that an account has no password any more.
    ///
    /// - Parameters:
    ///   - domain: The server's domain.
    ///   - userName: What the user knows the account by.
    /// - Throws: ``AuthorizationError`` if nothing can be told.
    func reportUnusedPasswordCredential(domain: String, userName: String) async throws(AuthorizationError)
}

/// The name that AuthenticationServices has for it since iOS 26.2.
public typealias CredentialDataManager = CredentialUpdater

extension CredentialUpdater {
    /// Tells all credentials that the server accepts for an account, under the name of WebAuthn's signal method.
    ///
    /// - Parameters:
    ///   - rpID: The RP ID.
    ///   - userHandle: The account's user handle.
    ///   - acceptedCredentialIDs: All of the account's credentials, not only those of this device.
    /// - Throws: ``AuthorizationError`` if nothing can be told.
    public func signalAllAcceptedCredentials(
        rpID: String,
        userHandle: Data,
        acceptedCredentialIDs: [Data]
    ) async throws(AuthorizationError) {
        try await reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: rpID,
            userHandle: userHandle,
            acceptedCredentialIDs: acceptedCredentialIDs
        )
    }
}

/// Asks who holds the device to prove it, as `LAContext` does.
public protocol DeviceOwnerAuthenticator: Sendable {
    /// Asks who holds the device to prove it.
    ///
    /// - Parameters:
    ///   - biometricsOnly: Whether a passcode does not count.
    ///   - localizedReason: What the user is told.
    /// - Throws: ``AuthorizationError``, of type ``AuthorizationErrorType/userVerificationFailed`` for somebody else.
    func evaluateDeviceOwner(biometricsOnly: Bool, localizedReason: String) async throws(AuthorizationError)
}
