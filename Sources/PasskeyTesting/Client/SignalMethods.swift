import PasskeyModel
import PasskeyWire

// §5.1.10: what a relying party tells of its credentials (`#sctn-signal-methods`). Nothing is ever told back.

extension VirtualClient {
    /// Tells that a credential is not known (`#sctn-signalUnknownCredential`).
    ///
    /// Whether an authenticator had it is not told.
    ///
    /// - Parameters:
    ///   - rpId: The RP ID.
    ///   - credentialId: The credential's ID in base64url.
    /// - Throws: ``ClientError``: `TypeError` for text that is not base64url, `SecurityError` for an RP ID that is not the
    ///   page's.
    public func signalUnknownCredential(rpId: String, credentialId: String) throws(ClientError) {
        try checkSupports(.signalUnknownCredential)
        let id = try Self.decode(credentialId, "credentialId", step: 1)
        let rpID = try signalRelyingPartyIdentifier(rpId, step: 2)
        for authenticator in authenticators {
            authenticator.signalUnknownCredential(rpID: rpID, credentialID: id)
        }
    }

    /// Tells all credentials of an account that are accepted (`#sctn-signalAllAcceptedCredentials`).
    ///
    /// A list that lacks one by mistake hides it from its user, until a later list has it.
    ///
    /// - Parameters:
    ///   - rpId: The RP ID.
    ///   - userId: The user handle in base64url.
    ///   - allAcceptedCredentialIds: The credentials' IDs in base64url.
    /// - Throws: ``ClientError``, as ``signalUnknownCredential(rpId:credentialId:)`` throws it.
    public func signalAllAcceptedCredentials(
        rpId: String,
        userId: String,
        allAcceptedCredentialIds: [String]
    ) throws(ClientError) {
        try checkSupports(.signalAllAcceptedCredentials)
        let user = try Self.decode(userId, "userId", step: 1)
        var ids: [[UInt8]] = []
        for id in allAcceptedCredentialIds {
            ids.append(try Self.decode(id, "allAcceptedCredentialIds", step: 2))
        }
        let rpID = try signalRelyingPartyIdentifier(rpId, step: 3)
        // No account has a handle of another length.
        guard let userHandle = try? UserHandle(bytes: user) else { return }
        for authenticator in authenticators {
            authenticator.signalAllAcceptedCredentials(
                rpID: rpID,
                userHandle: userHandle,
                allAcceptedCredentialIDs: ids
            )
        }
    }

    /// Tells an account's present names (`#sctn-signalCurrentUserDetails`).
    ///
    /// - Parameters:
    ///   - rpId: The RP ID.
    ///   - userId: The user handle in base64url.
    ///   - name: What the user knows the account by.
    ///   - displayName: The user's own name.
    /// - Throws: ``ClientError``, as ``signalUnknownCredential(rpId:credentialId:)`` throws it.
    public func signalCurrentUserDetails(
        rpId: String,
        userId: String,
        name: String,
        displayName: String
    ) throws(ClientError) {
        try checkSupports(.signalCurrentUserDetails)
        let user = try Self.decode(userId, "userId", step: 1)
        let rpID = try signalRelyingPartyIdentifier(rpId, step: 2)
        guard let userHandle = try? UserHandle(bytes: user) else { return }
        for authenticator in authenticators {
            authenticator.signalCurrentUserDetails(
                rpID: rpID,
                userHandle: userHandle,
                name: name,
                displayName: displayName
            )
        }
    }

    /// The asynchronous RP ID validation algorithm (`#sctn-signal-methods-async-rp-id-validation`).
    private func signalRelyingPartyIdentifier(_ requested: String, step: Int) throws(ClientError) -> String {
        do throws(ClientError) {
            return try relyingPartyIdentifier(requested, on: effectiveDomain(step: step), step: step)
        } catch {
            // An opaque origin has no effective domain, and here that is the same error.
            throw ClientError(.security, error.reason, step: step, error.detail)
        }
    }

    /// A client without the method has no function to call.
    private func checkSupports(_ method: ClientCapability) throws(ClientError) {
        guard profile.supports(method) else {
            throw ClientError(.type, .unsupported, step: 0, "\(method) is not a function")
        }
    }

    private static func decode(_ text: String, _ name: String, step: Int) throws(ClientError) -> [UInt8] {
        do throws(WireError) {
            return try Base64URL.decode(text)
        } catch {
            throw ClientError(.type, .malformedOptions, step: step, "\(name) is not base64url: \(error)")
        }
    }
}
