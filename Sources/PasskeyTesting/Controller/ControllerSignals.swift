public import PasskeyAuthorization
import PasskeyWire

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension VirtualAuthorizationController: CredentialUpdater {
    /// Tells that the server does not know a credential, which no authenticator offers from then on.
    ///
    /// - Parameters:
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - credentialID: The credential's identifier.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/domainNotAssociated``.
    public func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String,
        credentialID: Data
    ) async throws(AuthorizationError) {
        let id = Base64URL.encode(credentialID)
        try signal(.unknownCredential, relyingPartyIdentifier, credentialIds: [id]) { (client) throws(ClientError) in
            try client.signalUnknownCredential(rpId: relyingPartyIdentifier, credentialId: id)
        }
    }

    /// Tells all credentials that the server accepts for an account: others are hidden, and those come back.
    ///
    /// - Parameters:
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - userHandle: The account's user handle.
    ///   - acceptedCredentialIDs: All of the account's credentials.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/domainNotAssociated``.
    public func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String,
        userHandle: Data,
        acceptedCredentialIDs: [Data]
    ) async throws(AuthorizationError) {
        let account = Base64URL.encode(userHandle)
        let ids = acceptedCredentialIDs.map { Base64URL.encode($0) }
        try signal(.allAcceptedCredentials, relyingPartyIdentifier, account: account, credentialIds: ids) {
            (client) throws(ClientError) in
            try client.signalAllAcceptedCredentials(
                rpId: relyingPartyIdentifier,
                userId: account,
                allAcceptedCredentialIds: ids
            )
        }
    }

    /// Tells what an account is called now; the user's own name becomes the same.
    ///
    /// - Parameters:
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - userHandle: The account's user handle.
    ///   - newName: What the user knows the account by.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/domainNotAssociated``.
    public func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String,
        userHandle: Data,
        newName: String
    ) async throws(AuthorizationError) {
        let account = Base64URL.encode(userHandle)
        try signal(.currentUserDetails, relyingPartyIdentifier, account: account) { (client) throws(ClientError) in
            try client.signalCurrentUserDetails(
                rpId: relyingPartyIdentifier,
                userId: account,
                name: newName,
                displayName: newName
            )
        }
    }

    /// Tells that an account has no password any more; the virtual device forgets it.
    ///
    /// - Parameters:
    ///   - domain: The server's domain.
    ///   - userName: What the user knows the account by.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/domainNotAssociated``.
    public func reportUnusedPasswordCredential(domain: String, userName: String) async throws(AuthorizationError) {
        try signal(.unusedPassword, domain, account: userName) { _ in
            self.forgetPassword(of: userName)
        }
    }

    private func signal(
        _ kind: SignalRecord.Kind,
        _ relyingPartyIdentifier: String,
        account: String? = nil,
        credentialIds: [String] = [],
        _ body: (VirtualClient) throws(ClientError) -> Void
    ) throws(AuthorizationError) {
        var failure: CeremonyRecord.Failure?
        defer {
            journal.note(kind, relyingPartyIdentifier, account: account, credentialIds: credentialIds, failure: failure)
        }
        do throws(AuthorizationError) {
            let client = try signallingClient(for: relyingPartyIdentifier)
            try AuthorizationError.client(.authorize, client.profile.authorizationErrors) { () throws(ClientError) in
                try body(client)
            }
        } catch {
            failure = CeremonyRecord.Failure(error)
            throw error
        }
    }
}
