import PasskeyCrypto
public import PasskeyModel

/// A relying party: it begins ceremonies and verifies what comes back (`#sctn-rp-operations`).
///
/// Each ceremony has two calls. `begin…` states the policy once and gives options for the browser and a ceremony for
/// the server to keep; `finish…` takes the ceremony back and either gives a result or throws the step that refused.
/// Verification is synchronous, and reads nothing but its arguments and the clock.
public struct RelyingParty: Sendable {
    /// The RP ID.
    public let id: RelyingPartyIdentifier

    /// The name that an authenticator may show.
    public let name: String

    /// The origins that are accepted.
    public let origins: OriginPolicy

    /// How attestation is asked for and verified.
    public let attestation: AttestationVerifier

    /// SHA-256 of the RP ID.
    let idHash: [UInt8]

    private let clock: @Sendable () -> Timestamp
    private let random: (@Sendable (Int) -> [UInt8])?

    /// How much longer than the client's timeout a ceremony may take: the response travels, too.
    private static let graceMilliseconds: Int64 = 60_000

    /// Makes a relying party.
    ///
    /// - Parameters:
    ///   - id: The RP ID: a domain, such as `example.com`.
    ///   - name: The name that an authenticator may show.
    ///   - origins: Every origin that ceremonies may come from, such as `https://example.com`, sub-domains, related
    ///     origins and Android applications (`android:apk-key-hash:…`) included.
    ///   - attestation: How attestation is asked for and verified.
    ///   - compatibility: Departures from the strict reading.
    ///   - clock: The time; `nil` for the system's.
    ///   - random: Gives as many random bytes as it is asked for; `nil` for the system's. For tests alone.
    /// - Throws: ``ModelError`` for an RP ID or an origin that cannot be.
    public init(
        id: String,
        name: String,
        origins: [String],
        attestation: AttestationVerifier = .optional,
        compatibility: CompatibilityPolicy = .strict,
        clock: (@Sendable () -> Timestamp)? = nil,
        random: (@Sendable (Int) -> [UInt8])? = nil
    ) throws(ModelError) {
        var list: [Origin] = []
        for origin in origins { list.append(try Origin(origin)) }
        try self.init(
            id: RelyingPartyIdentifier(id),
            name: name,
            origins: OriginPolicy(list),
            attestation: attestation,
            compatibility: compatibility,
            clock: clock,
            random: random
        )
    }

    /// Makes a relying party with an origin policy of its own: frames, sub-domains, ports.
    ///
    /// - Parameters:
    ///   - id: The RP ID.
    ///   - name: The name that an authenticator may show.
    ///   - origins: The origins that are accepted.
    ///   - attestation: How attestation is asked for and verified.
    ///   - compatibility: Departures from the strict reading.
    ///   - clock: The time; `nil` for the system's.
    ///   - random: Gives as many random bytes as it is asked for; `nil` for the system's. For tests alone.
    /// - Throws: ``ModelError`` if there is no origin, or one on which no browser runs a ceremony.
    public init(
        id: RelyingPartyIdentifier,
        name: String,
        origins: OriginPolicy,
        attestation: AttestationVerifier = .optional,
        compatibility: CompatibilityPolicy = .strict,
        clock: (@Sendable () -> Timestamp)? = nil,
        random: (@Sendable (Int) -> [UInt8])? = nil
    ) throws(ModelError) {
        guard !origins.origins.isEmpty else { throw ModelError(.missing, at: "origins", "there is no origin") }
        for origin in origins.origins where !origin.isSecure && !compatibility.allowsInsecureOrigins {
            throw ModelError(.invalid, at: "origins", "no browser runs a ceremony on \(origin)")
        }
        self.id = id
        self.name = name
        self.origins = origins
        self.attestation = attestation
        self.clock = clock ?? Timestamp.now
        self.random = random
        do throws(CryptoError) {
            idHash = try sha256([UInt8](id.string.utf8))
        } catch {
            throw ModelError(.invalid, at: "id", error.detail)
        }
    }

    // MARK: Registration

    /// Begins a registration.
    ///
    /// - Parameters:
    ///   - user: The account. Its handle is the same for all its passkeys, and tells nothing of the user.
    ///   - known: The account's credentials, so that an authenticator does not make a second one. This is advice to
    ///     the client: step 26, with `owner`, is what keeps identifiers unique.
    ///   - options: What is asked for.
    /// - Returns: The options for the client, as ``PublicKeyCredentialCreationOptions/json``, and the ceremony to keep.
    /// - Throws: ``ModelError`` if an algorithm is asked for that cannot be verified here.
    public func beginRegistration(
        for user: PublicKeyCredentialUserEntity,
        excluding known: [CredentialRecord],
        _ options: RegistrationOptions = RegistrationOptions()
    ) throws(ModelError) -> (options: PublicKeyCredentialCreationOptions, ceremony: RegistrationCeremony) {
        let algorithms = options.algorithms ?? SignatureAlgorithms.supported
        guard !algorithms.isEmpty else { throw ModelError(.missing, at: "algorithms", "no algorithm is offered") }
        for algorithm in algorithms where !SignatureAlgorithms.isSupported(algorithm) {
            throw ModelError(.invalid, at: "algorithms", "\(algorithm) cannot be verified here")
        }
        let challenge = try challenge()
        let creation = PublicKeyCredentialCreationOptions(
            rp: PublicKeyCredentialRpEntity(id: id.string, name: name),
            user: user,
            challenge: challenge,
            pubKeyCredParams: algorithms.map { PublicKeyCredentialParameters(alg: $0) },
            timeout: options.timeout,
            excludeCredentials: known.map(\.descriptor),
            authenticatorSelection: options.authenticatorSelection,
            hints: options.hints,
            attestation: attestation.conveyance,
            attestationFormats: options.attestationFormats,
            extensions: options.extensions
        )
        let ceremony = RegistrationCeremony(
            challenge: challenge,
            relyingPartyID: id.string,
            userHandle: user.id,
            expiresAt: expiry(timeout: options.timeout),
            algorithms: algorithms,
            options
        )
        return (creation, ceremony)
    }

    /// Finishes a registration: `#sctn-registering-a-new-credential`.
    ///
    /// - Parameters:
    ///   - response: What the client sent.
    ///   - ceremony: What `beginRegistration` gave, taken out of its store.
    ///   - owner: Whose the credential ``RegistrationResponse/id`` is already: look it up among all users. `nil` says
    ///     that it is nobody's.
    /// - Returns: The record to store, and what was found.
    /// - Throws: ``RegistrationError`` with the step that refused.
    public func finishRegistration(
        _ response: RegistrationResponse,
        _ ceremony: RegistrationCeremony,
        owner: UserHandle?
    ) throws(RegistrationError) -> Registration {
        var procedure = Procedure<RegistrationError>(reports: false)
        let registration = try verification(response, ceremony, owner).run(&procedure)
        guard let registration else { throw RegistrationError(.ceremony, "the verification did not end") }
        return registration
    }

    /// Runs every check of a registration, also after one that refuses.
    ///
    /// - Parameters:
    ///   - response: What the client sent.
    ///   - ceremony: What `beginRegistration` gave.
    ///   - owner: Whose the credential is already.
    /// - Returns: What came of each check.
    public func verificationReport(
        _ response: RegistrationResponse,
        _ ceremony: RegistrationCeremony,
        owner: UserHandle?
    ) -> VerificationReport {
        var procedure = Procedure<RegistrationError>(reports: true)
        _ = try? verification(response, ceremony, owner).run(&procedure)
        return procedure.report
    }

    // MARK: Authentication

    /// Begins the sign-in of a user who is known, by name or by a session.
    ///
    /// - Parameters:
    ///   - userHandle: The user. The credential that signs must be theirs.
    ///   - records: Their credentials: only these may sign. None lets the client offer any discoverable one.
    ///   - options: What is asked for.
    /// - Returns: The options for the client, as ``PublicKeyCredentialRequestOptions/json``, and the ceremony to keep.
    /// - Throws: ``ModelError`` if a random source of the caller's own gives no usable challenge.
    public func beginAuthentication(
        of userHandle: UserHandle,
        allowing records: [CredentialRecord],
        _ options: AuthenticationOptions = AuthenticationOptions()
    ) throws(ModelError) -> (options: PublicKeyCredentialRequestOptions, ceremony: AuthenticationCeremony) {
        try beginAuthentication(userHandle, records.map(\.descriptor), options)
    }

    /// Begins the sign-in of a user whom the passkey will name: a button without a user name, or autofill.
    ///
    /// - Parameter options: What is asked for.
    /// - Returns: The options for the client, as ``PublicKeyCredentialRequestOptions/json``, and the ceremony to keep.
    /// - Throws: ``ModelError`` if a random source of the caller's own gives no usable challenge.
    public func beginDiscoverableAuthentication(
        _ options: AuthenticationOptions = AuthenticationOptions()
    ) throws(ModelError) -> (options: PublicKeyCredentialRequestOptions, ceremony: AuthenticationCeremony) {
        try beginAuthentication(nil, [], options)
    }

    /// Finishes a sign-in: `#sctn-verifying-assertion`.
    ///
    /// - Parameters:
    ///   - response: What the client sent.
    ///   - ceremony: What `begin…` gave, taken out of its store.
    ///   - record: The record stored under ``AuthenticationResponse/id``; `nil` if there is none, which is refused at
    ///     its own step.
    /// - Returns: The updated record, and what was found.
    /// - Throws: ``AuthenticationError`` with the step that refused.
    public func finishAuthentication(
        _ response: AuthenticationResponse,
        _ ceremony: AuthenticationCeremony,
        _ record: CredentialRecord?
    ) throws(AuthenticationError) -> Authentication {
        let verification = verification(response, ceremony, record)
        var procedure = Procedure<AuthenticationError>(reports: false)
        let authentication: Authentication?
        do throws(AuthenticationError) {
            authentication = try verification.run(&procedure)
        } catch {
            throw verification.withCodeOfLaterSteps(error)
        }
        guard let authentication else { throw AuthenticationError(.ceremony, "the verification did not end") }
        return authentication
    }

    /// Runs every check of a sign-in, also after one that refuses.
    ///
    /// - Parameters:
    ///   - response: What the client sent.
    ///   - ceremony: What `begin…` gave.
    ///   - record: The record stored under the response's ID.
    /// - Returns: What came of each check.
    public func verificationReport(
        _ response: AuthenticationResponse,
        _ ceremony: AuthenticationCeremony,
        _ record: CredentialRecord?
    ) -> VerificationReport {
        var procedure = Procedure<AuthenticationError>(reports: true)
        _ = try? verification(response, ceremony, record).run(&procedure)
        return procedure.report
    }

    // MARK: Parts

    /// Begins a sign-in with the credentials of a list, none of which need exist.
    func beginAuthentication(
        _ userHandle: UserHandle?,
        _ allowed: [PublicKeyCredentialDescriptor],
        _ options: AuthenticationOptions
    ) throws(ModelError) -> (options: PublicKeyCredentialRequestOptions, ceremony: AuthenticationCeremony) {
        let challenge = try challenge()
        let request = PublicKeyCredentialRequestOptions(
            challenge: challenge,
            timeout: options.timeout,
            rpId: id.string,
            allowCredentials: allowed,
            userVerification: options.userVerification,
            hints: options.hints,
            extensions: options.extensions
        )
        let ceremony = AuthenticationCeremony(
            challenge: challenge,
            relyingPartyID: id.string,
            userHandle: userHandle,
            allowedCredentials: allowed.map(\.id),
            expiresAt: expiry(timeout: options.timeout),
            options
        )
        return (request, ceremony)
    }

    private func verification(
        _ response: RegistrationResponse,
        _ ceremony: RegistrationCeremony,
        _ owner: UserHandle?
    ) -> VerifyRegistration {
        VerifyRegistration(
            relyingParty: self,
            ceremony: ceremony,
            response: response,
            owner: owner,
            now: clock()
        )
    }

    private func verification(
        _ response: AuthenticationResponse,
        _ ceremony: AuthenticationCeremony,
        _ record: CredentialRecord?
    ) -> VerifyAuthentication {
        VerifyAuthentication(
            relyingParty: self,
            ceremony: ceremony,
            response: response,
            record: record,
            now: clock()
        )
    }

    private func challenge() throws(ModelError) -> Challenge {
        guard let random else { return .random() }
        let bytes = random(32)
        guard bytes.count >= 16 else {
            throw ModelError(.outOfRange, at: "challenge", "a challenge has at least 16 random bytes")
        }
        return try Challenge(bytes: bytes)
    }

    private func expiry(timeout: UInt32) -> Timestamp {
        clock().advanced(byMilliseconds: Int64(timeout) + RelyingParty.graceMilliseconds)
    }
}
