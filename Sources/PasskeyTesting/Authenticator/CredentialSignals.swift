public import PasskeyModel
import PasskeySystem

/// What an authenticator tells of a credential without asking its user (`#discoverable-credential-metadata`).
public struct DiscoverableCredentialMetadata: Hashable, Sendable {
    /// The credential's identifier.
    public let id: [UInt8]

    /// The RP ID.
    public let rpID: String

    /// The account.
    public let userHandle: UserHandle?

    /// What the user knows the account by.
    public let userName: String

    /// The user's own name.
    public let userDisplayName: String
}

extension VirtualAuthenticator {
    /// The silentCredentialDiscovery operation (`#sctn-op-silent-discovery`).
    ///
    /// - Parameter rpID: The RP ID.
    /// - Returns: What there is for it, the newest first; nothing that needs user verification to be seen.
    public func silentCredentialDiscovery(rpID: String) -> [DiscoverableCredentialMetadata] {
        // 1, 2: the credentials map, by RP ID.
        sources.map(\.credential).filter { credential in
            credential.isDiscoverable && !credential.isHidden
                && credential.relyingPartyIdentifier.hasSameBytes(as: rpID)
                && credential.protection.allows(isUserVerified: false, isNamed: false)
        }.map { credential in
            DiscoverableCredentialMetadata(
                id: credential.id,
                rpID: credential.relyingPartyIdentifier,
                userHandle: credential.userHandle,
                userName: credential.userName,
                userDisplayName: credential.userDisplayName
            )
        }
    }

    /// Takes a signal that a relying party does not know a credential (`#sctn-signalUnknownCredential`).
    ///
    /// Whether there was such a credential is not told.
    ///
    /// - Parameters:
    ///   - rpID: The RP ID.
    ///   - credentialID: The credential's ID.
    public func signalUnknownCredential(rpID: String, credentialID: [UInt8]) {
        let isHere = source(credentialID, for: rpID) != nil
        guard isHere else { return }
        storage.withLock { $0.disown(credentialID) }
    }

    /// Takes a list of all credentials that a relying party accepts for an account
    /// (`#sctn-signalAllAcceptedCredentials`).
    ///
    /// Credentials of the account that are not on it are disowned; hidden ones that are on it come back.
    ///
    /// - Parameters:
    ///   - rpID: The RP ID.
    ///   - userHandle: The account.
    ///   - allAcceptedCredentialIDs: The IDs.
    public func signalAllAcceptedCredentials(
        rpID: String,
        userHandle: UserHandle,
        allAcceptedCredentialIDs: [[UInt8]]
    ) {
        let accepted = Set(allAcceptedCredentialIDs)
        storage.withLock { storage in
            for id in storage.credentials(of: userHandle, for: rpID) {
                if accepted.contains(id) {
                    _ = storage.update(id) { $0.credential.isHidden = false }
                } else {
                    storage.disown(id)
                }
            }
        }
    }

    /// Takes an account's present names (`#sctn-signalCurrentUserDetails`).
    ///
    /// - Parameters:
    ///   - rpID: The RP ID.
    ///   - userHandle: The account.
    ///   - name: What the user knows the account by.
    ///   - displayName: The user's own name.
    public func signalCurrentUserDetails(
        rpID: String,
        userHandle: UserHandle,
        name: String,
        displayName: String
    ) {
        storage.withLock { storage in
            let limit = storage.options.stringByteLimit
            guard storage.options.signalEffect != .ignores else { return }
            for id in storage.credentials(of: userHandle, for: rpID) {
                _ = storage.update(id) { source in
                    source.credential.userName = name.truncated(toBytes: limit)
                    source.credential.userDisplayName = displayName.truncated(toBytes: limit)
                }
            }
        }
    }
}

extension CredentialStorage {
    /// The discoverable credentials of an account.
    fileprivate func credentials(of userHandle: UserHandle, for rpID: String) -> [[UInt8]] {
        byID.values.map(\.credential).filter { credential in
            credential.isDiscoverable && credential.userHandle == userHandle
                && credential.relyingPartyIdentifier.hasSameBytes(as: rpID)
        }.map(\.id)
    }

    fileprivate mutating func disown(_ id: [UInt8]) {
        switch options.signalEffect {
        case .hides: _ = update(id) { $0.credential.isHidden = true }
        case .removes: remove(id)
        case .ignores: break
        }
    }
}
