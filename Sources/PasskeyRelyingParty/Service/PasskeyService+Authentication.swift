public import PasskeyModel

/// A user who signed in.
public struct SignedInUser: Sendable {
    /// What is kept, as it is after the sign-in.
    public let credential: StoredCredential

    /// What was verified.
    public let authentication: Authentication

    /// Who signed in.
    public var userHandle: UserHandle { authentication.userHandle }
}

extension PasskeyService {
    /// Begins a sign-in of whoever the passkey names: behind a button, or in a text field with `conditional` mediation.
    ///
    /// - Parameters:
    ///   - mediation: `conditional` for a text field, whose browser suggests passkeys.
    ///   - session: The browser's session.
    ///   - options: What is asked.
    /// - Returns: What goes to the browser.
    /// - Throws: ``PasskeyServiceError``.
    public func beginDiscoverableAuthentication(
        mediation: CredentialMediationRequirement = .optional,
        session: [UInt8]?,
        _ options: AuthenticationOptions = AuthenticationOptions()
    ) async throws(PasskeyServiceError) -> BegunAuthentication {
        let begun = try PasskeyServiceError.options { () throws(ModelError) in
            try relyingParty.beginDiscoverableAuthentication(options)
        }
        return try await began(begun, .authentication, nil, mediation, session)
    }

    /// Begins a sign-in of a user who has typed a name.
    ///
    /// A name that nobody has, and a user without passkeys, get credentials that do not exist, the same each time: nobody
    /// learns from the answer who has an account (`#sctn-username-enumeration`). What an application says elsewhere may
    /// still tell.
    ///
    /// - Parameters:
    ///   - name: What was typed, in the form in which it was looked up.
    ///   - userHandle: Whose name it is; `nil` if it is nobody's.
    ///   - session: The browser's session.
    ///   - options: What is asked.
    /// - Returns: What goes to the browser.
    /// - Throws: ``PasskeyServiceError``.
    public func beginAuthentication(
        ofUserNamed name: String,
        _ userHandle: UserHandle?,
        session: [UInt8]?,
        _ options: AuthenticationOptions = AuthenticationOptions()
    ) async throws(PasskeyServiceError) -> BegunAuthentication {
        let decoys = Decoys(name, decoyKey)
        // Both take the same way, so that they take the same time.
        let nobody = try decoys.userHandle()
        let user = userHandle ?? nobody
        let known = try await store { () async throws(StoreError) in try await credentials.credentials(of: user) }
        let nothing = try decoys.descriptors()
        let descriptors = known.isEmpty ? nothing : known.map(\.record.descriptor)
        let begun = try PasskeyServiceError.options { () throws(ModelError) in
            try relyingParty.beginAuthentication(user, descriptors, options)
        }
        return try await began(begun, .authentication, user, .optional, session)
    }

    /// Begins a proof of a user who is signed in already, before something that needs one.
    ///
    /// - Parameters:
    ///   - userHandle: The user.
    ///   - session: The browser's session.
    ///   - options: What is asked.
    /// - Returns: What goes to the browser.
    /// - Throws: ``PasskeyServiceError``.
    public func beginReauthentication(
        of userHandle: UserHandle,
        session: [UInt8]?,
        _ options: AuthenticationOptions = AuthenticationOptions()
    ) async throws(PasskeyServiceError) -> BegunAuthentication {
        let known = try await store { () async throws(StoreError) in try await credentials.credentials(of: userHandle) }
        let begun = try PasskeyServiceError.options { () throws(ModelError) in
            try relyingParty.beginAuthentication(of: userHandle, allowing: known.map(\.record), options)
        }
        return try await began(begun, .reauthentication, userHandle, .optional, session)
    }

    /// Finishes a sign-in: verifies the response, and keeps what is new of the record after the application has agreed.
    ///
    /// - Parameters:
    ///   - response: The browser's response.
    ///   - token: What names the ceremony.
    ///   - session: The browser's session.
    ///   - approves: The application's own checks of what was verified (§7.2, step 24), such as whether the account is
    ///     locked. It is asked again where another sign-in came between.
    /// - Returns: Who signed in.
    /// - Throws: ``PasskeyServiceError``; the record is as it was then.
    public func finishAuthentication(
        _ response: AuthenticationResponse,
        token: String,
        session: [UInt8]?,
        approves: @Sendable (Authentication) async -> Bool = { _ in true }
    ) async throws(PasskeyServiceError) -> SignedInUser {
        let ceremony = try await take(token, .authentication, session, as: AuthenticationCeremony.self)
        return try await finish(response, ceremony, approves)
    }

    /// Finishes a proof of a user who is signed in already.
    ///
    /// - Parameters:
    ///   - response: The browser's response.
    ///   - token: What names the ceremony.
    ///   - session: The browser's session.
    ///   - userHandle: The user: a proof that was begun for another one is refused.
    ///   - approves: The application's own checks of what was verified.
    /// - Returns: Who it was.
    /// - Throws: ``PasskeyServiceError``; the record is as it was then.
    public func finishReauthentication(
        _ response: AuthenticationResponse,
        token: String,
        session: [UInt8]?,
        of userHandle: UserHandle,
        approves: @Sendable (Authentication) async -> Bool = { _ in true }
    ) async throws(PasskeyServiceError) -> SignedInUser {
        let ceremony = try await take(token, .reauthentication, session, as: AuthenticationCeremony.self)
        guard ceremony.userHandle == userHandle else {
            throw refused(AuthenticationError(.ceremony, "the proof was begun for another user"), response.id)
        }
        return try await finish(response, ceremony, approves)
    }

    private func began(
        _ begun: (options: PublicKeyCredentialRequestOptions, ceremony: AuthenticationCeremony),
        _ purpose: CeremonyEntry.Purpose,
        _ userHandle: UserHandle?,
        _ mediation: CredentialMediationRequirement,
        _ session: [UInt8]?
    ) async throws(PasskeyServiceError) -> BegunAuthentication {
        let token = try await put(purpose, begun.ceremony.jsonBytes(), session, until: begun.ceremony.expiresAt)
        events(.authenticationBegan(purpose, userHandle))
        return BegunAuthentication(options: begun.options, mediation: mediation, token: token)
    }

    /// How often a sign-in is verified again because another one came between.
    private static let attempts = 8

    private func finish(
        _ response: AuthenticationResponse,
        _ ceremony: AuthenticationCeremony,
        _ approves: @Sendable (Authentication) async -> Bool
    ) async throws(PasskeyServiceError) -> SignedInUser {
        for _ in 0..<Self.attempts {
            let stored = try await store { () async throws(StoreError) in
                try await credentials.credential(response.id)
            }
            let authentication: Authentication
            do throws(AuthenticationError) {
                authentication = try relyingParty.finishAuthentication(response, ceremony, stored?.record)
            } catch {
                throw refused(error, response.id)
            }
            guard let stored else { throw refused(.unknownCredential, response.id) }
            let (user, id) = (authentication.userHandle, stored.id)
            guard await approves(authentication) else {
                events(.applicationRefused(user, credentialID: id))
                throw PasskeyServiceError(.application)
            }
            let isUpdated = try await store { () async throws(StoreError) in
                try await credentials.update(authentication.credential, ifSignCountIs: stored.record.signCount)
            }
            guard isUpdated else { continue }
            if authentication.cloneWarning { events(.cloneSuspected(user, credentialID: id)) }
            events(
                .authenticated(
                    user,
                    credentialID: id,
                    userVerified: authentication.userVerified,
                    backupState: authentication.credential.backupState
                )
            )
            return SignedInUser(
                credential: StoredCredential(authentication.credential, name: stored.name),
                authentication: authentication
            )
        }
        throw PasskeyServiceError(.contended)
    }

    private func refused(_ error: AuthenticationError, _ id: [UInt8]) -> PasskeyServiceError {
        events(.authenticationRefused(error, credentialID: id))
        return PasskeyServiceError(
            .authentication(error),
            signal: error.isUnknownCredential
                ? .unknownCredential(rpId: relyingParty.id.string, credentialId: id) : nil
        )
    }
}

extension AuthenticationError {
    /// A credential that nobody has; verification says so before this is reached.
    fileprivate static let unknownCredential = AuthenticationError(
        .credential,
        "there is no such credential",
        isUnknownCredential: true
    )
}
