import PasskeyCrypto
public import PasskeyModel
import PasskeySystem
public import PasskeyWire

/// What a client passes to ``VirtualAuthenticator/makeCredential(_:)``.
public struct MakeCredentialParameters: Hashable, Sendable {
    /// The hash of the serialized client data: 32 bytes.
    public var hash: [UInt8]

    /// The relying party's ID.
    public var rpID: String

    /// The account.
    public var user: PublicKeyCredentialUserEntity

    /// Whether the credential must be discoverable.
    public var requireResidentKey: Bool

    /// Whether the user must be present, which WebAuthn always asks for.
    public var requireUserPresence: Bool

    /// Whether the user must be verified.
    public var requireUserVerification: Bool

    /// The types and algorithms, the most wanted first.
    public var credTypesAndPubKeyAlgs: [PublicKeyCredentialParameters]

    /// Credentials of which none may be on the authenticator already.
    public var excludeCredentialDescriptorList: [PublicKeyCredentialDescriptor]

    /// Whether an attestation may tell which device it is.
    public var enterpriseAttestationPossible: Bool

    /// The attestation statement formats that are wanted, the most wanted first.
    public var attestationFormats: [AttestationStatementFormat]

    /// Authenticator extension inputs: a CBOR map.
    public var extensions: CBOR

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - hash: The hash of the serialized client data: 32 bytes.
    ///   - rpID: The relying party's ID.
    ///   - user: The account.
    ///   - requireResidentKey: Whether the credential must be discoverable.
    ///   - requireUserPresence: Whether the user must be present.
    ///   - requireUserVerification: Whether the user must be verified.
    ///   - credTypesAndPubKeyAlgs: The types and algorithms, the most wanted first.
    ///   - excludeCredentialDescriptorList: Credentials of which none may be on the authenticator already.
    ///   - enterpriseAttestationPossible: Whether an attestation may tell which device it is.
    ///   - attestationFormats: The attestation statement formats that are wanted.
    ///   - extensions: Authenticator extension inputs: a CBOR map.
    public init(
        hash: [UInt8],
        rpID: String,
        user: PublicKeyCredentialUserEntity,
        requireResidentKey: Bool = true,
        requireUserPresence: Bool = true,
        requireUserVerification: Bool = true,
        credTypesAndPubKeyAlgs: [PublicKeyCredentialParameters] = PublicKeyCredentialParameters.recommended,
        excludeCredentialDescriptorList: [PublicKeyCredentialDescriptor] = [],
        enterpriseAttestationPossible: Bool = false,
        attestationFormats: [AttestationStatementFormat] = [],
        extensions: CBOR = .map([])
    ) {
        self.hash = hash
        self.rpID = rpID
        self.user = user
        self.requireResidentKey = requireResidentKey
        self.requireUserPresence = requireUserPresence
        self.requireUserVerification = requireUserVerification
        self.credTypesAndPubKeyAlgs = credTypesAndPubKeyAlgs
        self.excludeCredentialDescriptorList = excludeCredentialDescriptorList
        self.enterpriseAttestationPossible = enterpriseAttestationPossible
        self.attestationFormats = attestationFormats
        self.extensions = extensions
    }
}

extension VirtualAuthenticator {
    /// The authenticatorMakeCredential operation (`#sctn-op-make-cred`).
    ///
    /// - Parameter parameters: What the client passes.
    /// - Returns: The attestation object.
    /// - Throws: ``AuthenticatorError`` with the number of the step that failed.
    public func makeCredential(_ parameters: MakeCredentialParameters) throws(AuthenticatorError) -> [UInt8] {
        try makeCredential(parameters, in: VirtualEnvironment())
    }

    /// The operation for a client that lends what the authenticator does not have of its own.
    func makeCredential(
        _ parameters: MakeCredentialParameters,
        in client: VirtualEnvironment
    ) throws(AuthenticatorError) -> [UInt8] {
        let environment = environment.completed(by: client)
        let options = options

        // 1: the parameters are well-formed and of the correct length. (A user handle cannot be otherwise.)
        guard parameters.hash.count == 32, !parameters.rpID.isEmpty, parameters.extensions.entries != nil else {
            throw AuthenticatorError(.unknown, .malformedParameters, step: 1, "a parameter has a wrong form or length")
        }

        // 2: at least one type and algorithm is supported.
        let algorithm = parameters.credTypesAndPubKeyAlgs.first { candidate in
            candidate.type == .publicKey && options.makesKeys(for: candidate.alg)
                && SignatureAlgorithms.isSupported(candidate.alg)
        }?.alg
        guard let algorithm else {
            throw AuthenticatorError(
                .notSupported,
                .noSupportedAlgorithm,
                step: 2,
                "none of the algorithms is supported"
            )
        }

        // 3: no excluded credential is here. The user is asked before anything is disclosed.
        for descriptor in parameters.excludeCredentialDescriptorList where descriptor.type == .publicKey {
            guard source(descriptor.id)?.credential.relyingPartyIdentifier == parameters.rpID else { continue }
            guard options.isUserConsenting else {
                throw AuthenticatorError(.notAllowed, .consentDenied, step: 3, "the user does not consent")
            }
            throw AuthenticatorError(.invalidState, .excludedCredential, step: 3, "an excluded credential is here")
        }

        // 4: a discoverable credential, if required, can be stored.
        guard !parameters.requireResidentKey || options.hasResidentKey else {
            throw AuthenticatorError(.constraint, .residentKeyUnsupported, step: 4, "nothing can be stored")
        }

        // 5: the user, if that is required, can be verified.
        guard !parameters.requireUserVerification || options.hasUserVerification else {
            throw AuthenticatorError(.constraint, .userVerificationUnsupported, step: 5, "the user cannot be verified")
        }

        // 6: the authorization gesture.
        let gesture = try authorizationGesture(
            requireUserPresence: parameters.requireUserPresence,
            requireUserVerification: parameters.requireUserVerification,
            step: 6
        )

        // 7: the new credential. 7.1: the key pair, of the first algorithm that is supported.
        // 7.2, 7.3: the credential source. 7.4, 7.5: its ID.
        // 8: an error on the way is an UnknownError.
        let source = try AuthenticatorError.operation(step: 8) { () throws(CryptoError) in
            let key = try environment.makeKey(algorithm)
            let id = try environment.randomBytes(min(max(options.credentialIDLength, 16), 1023))
            return CredentialSource(
                credential: VirtualCredential(
                    id: id,
                    relyingPartyIdentifier: parameters.rpID,
                    userHandle: parameters.user.id,
                    userName: parameters.user.name,
                    userDisplayName: parameters.user.displayName,
                    algorithm: algorithm,
                    publicKey: key.publicKey.encoded,
                    isDiscoverable: parameters.requireResidentKey,
                    createdAt: environment.now,
                    signCount: 0,
                    backupEligibility: options.defaultBackupEligibility,
                    backupState: options.defaultBackupEligibility && options.defaultBackupState
                ),
                privateKey: key
            )
        }

        // 9: extension processing. No extension is supported yet, and those that are not supported are passed over.

        // 10: the signature counter. A new credential's own is zero, and so is the one of an authenticator that has none.
        let signCount = options.counterMode == .global ? state.withLock { $0.globalCounter } : 0

        // 11: attested credential data.
        let attestedCredentialData = try AuthenticatorError.operation(step: 11) {
            try AttestedCredentialData(
                aaguid: options.aaguid,
                credentialID: source.credential.id,
                credentialPublicKey: source.credential.publicKey
            )
        }

        // 12: the attestation statement format: the first wanted one that can be made, or else the preferred one. A
        // serial number is told only where enterprise attestation is possible.
        let wanted = options.honorsAttestationFormats ? parameters.attestationFormats : []
        let preferred = options.attestationProfile?.format ?? options.attestation
        let format = wanted.first(where: options.attestationFormats.contains) ?? preferred
        let profile = options.attestationProfile(
            format,
            mayTellSerialNumber: parameters.enterpriseAttestationPossible
        )

        // 13: authenticator data.
        let authenticatorData = try AuthenticatorError.operation(step: 13) {
            try AuthenticatorData(
                rpIDHash: sha256([UInt8](parameters.rpID.utf8)),
                flags: gesture.union(source.credential.backupFlags),
                signCount: signCount,
                attestedCredentialData: attestedCredentialData
            )
        }

        // 14: the attestation object.
        let attestationObject = try AuthenticatorError.operation(step: 14) {
            try AttestationObject.encode(
                format: format,
                statement: StatementMaker(
                    profile: profile,
                    authenticatorData: authenticatorData,
                    clientDataHash: parameters.hash,
                    credentialKey: source.privateKey,
                    environment: environment
                ).statement(),
                authenticatorData: authenticatorData.bytes
            )
        }

        // 7.4.4, late: nothing is stored when a later step fails. A discoverable credential takes the place of the
        // account's older one.
        state.withLock { $0.store(source) }
        return attestationObject
    }

    /// Collects the authorization gesture: consent, presence and, where it is required, verification.
    ///
    /// - Returns: The flags UP and UV.
    func authorizationGesture(
        requireUserPresence: Bool,
        requireUserVerification: Bool,
        step: Int
    ) throws(AuthenticatorError) -> AuthenticatorData.Flags {
        let options = options
        guard options.isUserConsenting else {
            throw AuthenticatorError(.notAllowed, .consentDenied, step: step, "the user does not consent")
        }
        guard !requireUserVerification || (options.hasUserVerification && options.isUserVerified) else {
            throw AuthenticatorError(.notAllowed, .userVerificationFailed, step: step, "user verification fails")
        }
        var flags: AuthenticatorData.Flags = []
        if requireUserPresence { flags.insert(.userPresent) }
        if requireUserVerification { flags.insert(.userVerified) }
        return flags
    }
}

extension VirtualCredential {
    /// The flags BE and BS, as the credential has them.
    var backupFlags: AuthenticatorData.Flags {
        var flags: AuthenticatorData.Flags = []
        if backupEligibility { flags.insert(.backupEligible) }
        if backupState { flags.insert(.backupState) }
        return flags
    }
}

extension AuthenticatorError {
    /// Runs `body`; its errors become UnknownError at the step.
    static func operation<Value>(
        step: Int,
        _ body: () throws -> Value
    ) throws(AuthenticatorError) -> Value {
        do {
            return try body()
        } catch {
            throw AuthenticatorError(.unknown, .operationFailed, step: step, "\(error)")
        }
    }
}
