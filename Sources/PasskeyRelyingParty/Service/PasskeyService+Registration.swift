public import PasskeyModel

/// A passkey that was registered and kept.
public struct RegisteredPasskey: Sendable {
    /// What is kept.
    public let credential: StoredCredential

    /// What was verified.
    public let registration: Registration

    /// What the client's authenticators should be told: all of the user's passkeys, this one among them.
    public let signal: PasskeySignal
}

extension PasskeyService {
    /// Begins a registration, whose exclude list are the user's passkeys.
    ///
    /// - Parameters:
    ///   - user: Who registers: a user who is signed in, or one that is about to be made.
    ///   - session: The browser's session.
    ///   - options: What is asked; with `mediation` `conditional` the browser shows no dialog, and user verification must
    ///     not be required.
    /// - Returns: What goes to the browser.
    /// - Throws: ``PasskeyServiceError``.
    public func beginRegistration(
        for user: PublicKeyCredentialUserEntity,
        session: [UInt8]?,
        _ options: RegistrationOptions = RegistrationOptions()
    ) async throws(PasskeyServiceError) -> BegunRegistration {
        let known = try await store { () async throws(StoreError) in try await credentials.credentials(of: user.id) }
        let (creation, ceremony) = try PasskeyServiceError.options { () throws(ModelError) in
            try relyingParty.beginRegistration(for: user, excluding: known.map(\.record), options)
        }
        let token = try await put(.registration, ceremony.jsonBytes(), session, until: ceremony.expiresAt)
        events(.registrationBegan(user.id))
        return BegunRegistration(options: creation, mediation: options.mediation, token: token)
    }

    /// Finishes a registration: verifies the response and keeps the record.
    ///
    /// - Parameters:
    ///   - response: The browser's response.
    ///   - token: What names the ceremony.
    ///   - session: The browser's session.
    ///   - userHandle: Who registers: a registration that was begun for another user is refused.
    ///   - name: What the user calls the passkey.
    ///   - approves: The application's own checks of what was verified.
    /// - Returns: What is kept.
    /// - Throws: ``PasskeyServiceError``; nothing is kept then.
    public func finishRegistration(
        _ response: RegistrationResponse,
        token: String,
        session: [UInt8]?,
        of userHandle: UserHandle,
        name: String = "",
        approves: @Sendable (Registration) async -> Bool = { _ in true }
    ) async throws(PasskeyServiceError) -> RegisteredPasskey {
        let ceremony = try await take(token, .registration, session, as: RegistrationCeremony.self)
        guard ceremony.userHandle == userHandle else {
            throw refused(RegistrationError(.ceremony, "the registration was begun for another user"))
        }
        let known = try await store { () async throws(StoreError) in try await credentials.credential(response.id) }
        let registration: Registration
        do throws(RegistrationError) {
            registration = try relyingParty.finishRegistration(
                response,
                ceremony,
                owner: known?.record.userHandle
            )
        } catch {
            throw refused(error)
        }
        guard await approves(registration) else {
            events(.applicationRefused(userHandle, credentialID: response.id))
            throw PasskeyServiceError(.application)
        }
        let credential = StoredCredential(registration.credential, name: Self.bounded(name))
        do throws(StoreError) {
            try await credentials.insert(credential)
        } catch {
            // Somebody was faster: step 26 saw neither.
            guard error.code == .duplicate else { throw failed(error) }
            throw refused(RegistrationError(.credentialIDUniqueness, "the credential is registered already"))
        }
        events(
            .registered(
                userHandle,
                credentialID: credential.id,
                aaguid: credential.record.aaguid,
                attestation: registration.attestationType
            )
        )
        return RegisteredPasskey(
            credential: credential,
            registration: registration,
            signal: try await acceptedCredentials(of: userHandle)
        )
    }

    private func refused(_ error: RegistrationError) -> PasskeyServiceError {
        events(.registrationRefused(error))
        return PasskeyServiceError(.registration(error))
    }
}
