import PasskeyCrypto
import PasskeyModel
import PasskeySystem
import PasskeyWire

extension VirtualAuthenticator {
    /// The authenticatorMakeCredential operation (`#sctn-op-make-cred`).
    ///
    /// - Parameters:
    ///   - parameters: What the client passes.
    ///   - user: Who sits before the device.
    /// - Returns: The attestation object, and what belongs to it.
    /// - Throws: ``AuthenticatorError`` with the number of the step that failed.
    public func makeCredential(
        _ parameters: MakeCredentialParameters,
        user: VirtualUser = .willing
    ) throws(AuthenticatorError) -> MakeCredentialResult {
        try makeCredential(parameters, in: VirtualEnvironment(), user: user)
    }

    /// The operation for a client that lends what the authenticator does not have of its own.
    func makeCredential(
        _ parameters: MakeCredentialParameters,
        in client: VirtualEnvironment,
        user: VirtualUser
    ) throws(AuthenticatorError) -> MakeCredentialResult {
        let environment = environment.completed(by: client)
        return try operation(user) { (gesture) throws(AuthenticatorError) in
            try self.makeCredential(parameters, environment, gesture)
        }
    }

    private func makeCredential(
        _ parameters: MakeCredentialParameters,
        _ environment: VirtualEnvironment,
        _ gesture: AuthorizationGesture
    ) throws(AuthenticatorError) -> MakeCredentialResult {
        let options = gesture.options

        // 1: the parameters are well-formed and of the correct length. (A user handle cannot be otherwise.)
        guard parameters.hash.count == 32, !parameters.rpID.isEmpty, parameters.extensions.entries != nil else {
            throw AuthenticatorError(.unknown, .malformedParameters, step: 1, "a parameter has a wrong form or length")
        }

        let algorithm: COSEAlgorithmIdentifier
        let flags: AuthenticatorData.Flags
        switch options.order {
        case .webauthn:
            // 2: at least one type and algorithm is supported.
            algorithm = try supportedAlgorithm(parameters, options)
            // 3: no excluded credential is here.
            try refuseExcluded(parameters, gesture)
            // 4: a discoverable credential, if required, can be stored. 5: the user, if that is required, can be verified.
            try requireStorage(parameters, options)
            try requireVerification(parameters, options)
            // 6: the authorization gesture.
            flags = try authorize(parameters, gesture)
        case .ctap2:
            // CTAP 2.2 §6.1.2: the same checks, but that the user is verified before anything else is looked at. The
            // gesture is one for the virtual user, so presence comes with it.
            try requireVerification(parameters, options)
            let isExcluded = excludedCredential(parameters) != nil
            flags = try isExcluded && !parameters.requireUserVerification ? [] : authorize(parameters, gesture)
            try refuseExcluded(parameters, gesture)
            algorithm = try supportedAlgorithm(parameters, options)
            try requireStorage(parameters, options)
        }

        // 7: the new credential. 7.1: the key pair, of the first algorithm that is supported. 7.2 to 7.5: the credential
        // source and its ID. 8: an error on the way is an UnknownError.
        let extensions = RegistrationExtensions(parameters, options, isUserVerified: flags.contains(.userVerified))
        var source = try AuthenticatorError.operation(step: 8) { () throws(CryptoError) in
            try self.makeSource(algorithm, parameters, extensions, options, environment)
        }

        // 9: extension processing.
        let outputs = try extensions.process(&source, self, environment)

        // 10: the signature counter. A new credential's own is at its beginning, and zero where there is none.
        let signCount = storage.withLock { $0.counterOfNewCredential }

        // 11: attested credential data.
        let attestedCredentialData = try AuthenticatorError.operation(step: 11) {
            try AttestedCredentialData(
                aaguid: options.isU2F ? .zero : options.aaguid,
                credentialID: source.credential.id,
                credentialPublicKey: source.credential.publicKey
            )
        }

        // 12: the attestation statement format: the first wanted one that can be made, or else the preferred one. A
        // serial number is told only where enterprise attestation is possible.
        let isEnterprise = parameters.enterpriseAttestationPossible && options.isEnterpriseAttestationEnabled
        let wanted = options.honorsAttestationFormats ? parameters.attestationFormats : []
        let preferred = options.attestationProfile?.format ?? options.attestation
        let format: AttestationStatementFormat =
            options.attestsForEnterpriseAlone && !isEnterprise
            ? .none : wanted.first(where: options.attestationFormats.contains) ?? preferred
        let profile = options.attestationProfile(format, mayTellSerialNumber: isEnterprise)

        // 13: authenticator data.
        let authenticatorData = try AuthenticatorError.operation(step: 13) {
            try AuthenticatorData(
                rpIDHash: sha256([UInt8](parameters.rpID.utf8)),
                flags: flags.union(source.credential.backupFlags),
                signCount: signCount,
                attestedCredentialData: attestedCredentialData,
                extensions: outputs.signed.isEmpty ? nil : AuthenticatorExtensionOutputs(.map(outputs.signed))
            )
        }

        // 14: the attestation object.
        let attestationObject = try AuthenticatorError.operation(step: 14) {
            try AttestationObject.encode(
                format: format,
                statement: StatementMaker(
                    profile: profile,
                    subject: StatementSubject(authenticatorData),
                    clientDataHash: parameters.hash,
                    credentialKey: source.privateKey,
                    environment: environment
                ).statement(),
                authenticatorData: authenticatorData.bytes
            )
        }

        // 7.4.4, late: nothing is stored when a later step fails. A discoverable credential takes the place of the
        // account's older one.
        let isStored = storage.withLock { storage in
            guard !source.credential.isDiscoverable || storage.hasRoom(for: AccountKey(source.credential)) else {
                return false
            }
            storage.store(source)
            return true
        }
        guard isStored else {
            throw AuthenticatorError(.unknown, .keyStoreFull, step: 8, "there is no room for another credential")
        }
        return MakeCredentialResult(
            attestationObject: attestationObject,
            isEnterpriseAttestation: profile.isEnterprise || (options.attestsForEnterpriseAlone && isEnterprise),
            unsignedExtensionOutputs: .map(outputs.unsigned)
        )
    }
}

// MARK: The steps that come in two orders

extension VirtualAuthenticator {
    /// 2: the first type and algorithm that is supported.
    private func supportedAlgorithm(
        _ parameters: MakeCredentialParameters,
        _ options: VirtualAuthenticatorOptions
    ) throws(AuthenticatorError) -> COSEAlgorithmIdentifier {
        let candidate = parameters.credTypesAndPubKeyAlgs.first { candidate in
            candidate.type == .publicKey && options.makesKeys(for: candidate.alg)
                && SignatureAlgorithms.isSupported(candidate.alg)
        }
        guard let candidate else {
            throw AuthenticatorError(
                .notSupported,
                .noSupportedAlgorithm,
                step: 2,
                "none of the algorithms is supported"
            )
        }
        return candidate.alg
    }

    /// The excluded credential that is here, if one is.
    ///
    /// One that is guarded by user verification does not show itself to a user who is not verified (CTAP 2.2,
    /// `credProtect`).
    private func excludedCredential(_ parameters: MakeCredentialParameters) -> VirtualCredential? {
        for descriptor in parameters.excludeCredentialDescriptorList where descriptor.type == .publicKey {
            let source =
                source(descriptor.id, for: parameters.rpID)
                ?? parameters.excludeAppID.flatMap { self.source(descriptor.id, for: $0) }
            guard let credential = source?.credential,
                credential.protection != .userVerificationRequired || parameters.requireUserVerification
            else { continue }
            return credential
        }
        return nil
    }

    /// 3: no excluded credential is here.
    ///
    /// The user is asked before anything is disclosed.
    private func refuseExcluded(
        _ parameters: MakeCredentialParameters,
        _ gesture: AuthorizationGesture
    ) throws(AuthenticatorError) {
        guard let credential = excludedCredential(parameters) else { return }
        _ = try gesture.collect(
            VirtualUser.Prompt(
                .excludedCredential,
                relyingPartyIdentifier: parameters.rpID,
                candidates: [credential]
            ),
            requireUserPresence: true,
            step: 3
        )
        throw AuthenticatorError(.invalidState, .excludedCredential, step: 3, "an excluded credential is here")
    }

    /// 4: a discoverable credential, if required, can be stored.
    private func requireStorage(
        _ parameters: MakeCredentialParameters,
        _ options: VirtualAuthenticatorOptions
    ) throws(AuthenticatorError) {
        guard !parameters.requireResidentKey || options.storesDiscoverableCredentials else {
            throw AuthenticatorError(.constraint, .residentKeyUnsupported, step: 4, "nothing can be stored")
        }
    }

    /// 5: the user, if that is required, can be verified.
    private func requireVerification(
        _ parameters: MakeCredentialParameters,
        _ options: VirtualAuthenticatorOptions
    ) throws(AuthenticatorError) {
        guard !parameters.requireUserVerification || options.canVerifyUser else {
            throw AuthenticatorError(.constraint, .userVerificationUnsupported, step: 5, "the user cannot be verified")
        }
    }

    /// 6: the authorization gesture.
    private func authorize(
        _ parameters: MakeCredentialParameters,
        _ gesture: AuthorizationGesture
    ) throws(AuthenticatorError) -> AuthenticatorData.Flags {
        try gesture.collect(
            VirtualUser.Prompt(
                .makeCredential,
                relyingPartyIdentifier: parameters.rpID,
                wantsVerification: gesture.options.wantsVerification(
                    parameters.requireUserVerification,
                    isUserPresent: parameters.requireUserPresence
                )
            ),
            requireUserPresence: parameters.requireUserPresence,
            step: 6
        ).flags
    }

    /// 7: the credential source.
    private func makeSource(
        _ algorithm: COSEAlgorithmIdentifier,
        _ parameters: MakeCredentialParameters,
        _ extensions: RegistrationExtensions,
        _ options: VirtualAuthenticatorOptions,
        _ environment: VirtualEnvironment
    ) throws(CryptoError) -> CredentialSource {
        let backupState = options.defaultBackupEligibility && options.defaultBackupState
        if !parameters.requireResidentKey, options.wrapsKeys {
            let wrapped = WrappedCredential(
                seed: try environment.randomBytes(32),
                algorithm: algorithm,
                backupEligibility: options.defaultBackupEligibility,
                backupState: backupState,
                protection: extensions.protection,
                supportsPRF: extensions.needsSecrets,
                signCount: options.counterMode == .none ? nil : options.initialSignCount
            )
            let id = try wrapped.seal(
                for: parameters.rpID,
                with: wrappingKey(in: environment),
                in: environment
            )
            return try wrapped.source(
                id: id,
                relyingPartyIdentifier: parameters.rpID,
                environment.clock ?? { environment.now }
            )
        }
        let key = try environment.makeKey(algorithm)
        let id = try environment.randomBytes(min(max(options.credentialIDLength, 16), 1023))
        var credential = VirtualCredential(
            id: id,
            relyingPartyIdentifier: parameters.rpID,
            userHandle: parameters.user.id,
            userName: parameters.user.name.truncated(toBytes: options.stringByteLimit),
            userDisplayName: parameters.user.displayName.truncated(toBytes: options.stringByteLimit),
            algorithm: algorithm,
            publicKey: key.publicKey.encoded,
            isDiscoverable: parameters.requireResidentKey,
            createdAt: environment.now,
            signCount: options.counterMode == .none ? nil : options.initialSignCount,
            backupEligibility: options.defaultBackupEligibility,
            backupState: backupState
        )
        credential.protection = extensions.protection
        credential.supportsPRF = extensions.needsSecrets
        return CredentialSource(
            credential: credential,
            privateKey: key,
            secrets: extensions.needsSecrets ? try CredentialSecrets(from: environment) : nil
        )
    }

    /// What encrypts the keys in IDs, made when it is needed first.
    private func wrappingKey(in environment: VirtualEnvironment) throws(CryptoError) -> [UInt8] {
        if let key = storage.withLock({ $0.wrappingKey }) { return key }
        let new = try environment.randomBytes(32)
        return storage.withLock { storage in
            let key = storage.wrappingKey ?? new
            storage.wrappingKey = key
            return key
        }
    }
}

extension VirtualAuthenticatorOptions {
    /// Whether an operation verifies its user: where it must, and on some devices always.
    func wantsVerification(_ isRequired: Bool, isUserPresent: Bool) -> Bool {
        isRequired || (alwaysVerifiesUser && isUserPresent && canVerifyUser)
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

extension String {
    /// As much of the text as fits into a number of bytes, cut where a code point begins (`#sctn-strings-truncation`).
    ///
    /// - Parameter limit: The number; 64 at least, whatever is given. `nil` for all of it.
    /// - Returns: The text, or its beginning.
    func truncated(toBytes limit: Int?) -> String {
        guard let limit = limit.map({ max($0, 64) }), utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
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
