public import PasskeyModel

extension PasskeyService {
    /// The longest name of a passkey, in UTF-8; what is longer is cut at a character.
    public static let maximumNameByteCount = 200

    /// A user's passkeys, the oldest first.
    ///
    /// - Parameter userHandle: The user.
    /// - Returns: The passkeys.
    /// - Throws: ``PasskeyServiceError``.
    public func passkeys(of userHandle: UserHandle) async throws(PasskeyServiceError) -> [StoredCredential] {
        try await store { () async throws(StoreError) in try await credentials.credentials(of: userHandle) }
    }

    /// Gives a passkey another name.
    ///
    /// - Parameters:
    ///   - id: The credential's identifier.
    ///   - userHandle: The user, who must own it.
    ///   - name: The name.
    /// - Returns: Whether the user has such a passkey.
    /// - Throws: ``PasskeyServiceError``.
    @discardableResult
    public func renamePasskey(
        _ id: [UInt8],
        of userHandle: UserHandle,
        to name: String
    ) async throws(PasskeyServiceError) -> Bool {
        let name = Self.bounded(name)
        let isRenamed = try await store { () async throws(StoreError) in
            try await credentials.rename(id, of: userHandle, to: name)
        }
        if isRenamed { events(.renamed(userHandle, credentialID: id)) }
        return isRenamed
    }

    /// Removes a passkey; whether a user may remove the last one is the application's to say.
    ///
    /// - Parameters:
    ///   - id: The credential's identifier.
    ///   - userHandle: The user, who must own it.
    /// - Returns: What the client's authenticators should be told; `nil` if the user has no such passkey.
    /// - Throws: ``PasskeyServiceError``.
    @discardableResult
    public func removePasskey(
        _ id: [UInt8],
        of userHandle: UserHandle
    ) async throws(PasskeyServiceError) -> PasskeySignal? {
        let isRemoved = try await store { () async throws(StoreError) in
            try await credentials.remove(id, of: userHandle)
        }
        guard isRemoved else { return nil }
        events(.removed(userHandle, credentialID: id))
        return try await acceptedCredentials(of: userHandle)
    }

    /// What the client's authenticators should be told of a user's passkeys.
    ///
    /// Tell it after each change, to a user who is signed in.
    ///
    /// - Parameter userHandle: The user.
    /// - Returns: The signal.
    /// - Throws: ``PasskeyServiceError``.
    public func acceptedCredentials(of userHandle: UserHandle) async throws(PasskeyServiceError) -> PasskeySignal {
        .allAcceptedCredentials(
            rpId: relyingParty.id.string,
            userId: userHandle,
            allAcceptedCredentialIds: try await passkeys(of: userHandle).map(\.id)
        )
    }

    /// What the client's authenticators should be told of a user's names.
    ///
    /// - Parameter user: The user, by the present names.
    /// - Returns: The signal.
    public func currentDetails(of user: PublicKeyCredentialUserEntity) -> PasskeySignal {
        .currentUserDetails(
            rpId: relyingParty.id.string,
            userId: user.id,
            name: user.name,
            displayName: user.displayName
        )
    }

    /// A name that is not longer than it may be.
    static func bounded(_ name: String) -> String {
        guard name.utf8.count > maximumNameByteCount else { return name }
        var bounded = ""
        var count = 0
        for scalar in name.unicodeScalars {
            count += String(scalar).utf8.count
            guard count <= maximumNameByteCount else { break }
            bounded.unicodeScalars.append(scalar)
        }
        return bounded
    }
}
