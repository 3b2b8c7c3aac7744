import PasskeyModel

extension VirtualClient {
    /// `[[Create]](origin, options, sameOriginWithAncestors)` (`#sctn-createCredential`).
    func createCredential(
        _ pkOptions: PublicKeyCredentialCreationOptions,
        _ mediation: CredentialMediationRequirement
    ) throws(ClientError) -> Answer<RegistrationResponse> {
        let isConditional = mediation == .conditional
        // What comes before: the permissions policy and mediation.
        try checkMayCreate(mediation)

        // 1: options.publicKey is present: it is the argument.
        // 2: a frame of another origin. 2.1: it may not register conditionally. 2.2: it needs the user's activation.
        // 2.3: the activation is consumed; the virtual user gives a new one before each call. 2.4: the user is told; no
        // dialog is there to do it.
        try checkFrame(isConditional)
        // 3: pkOptions is the argument. 4: the timer.
        let lifetimeTimer = lifetimeTimer(pkOptions.timeout)
        // 5: a user handle of another length than 1 to 64 bytes is a TypeError; a UserHandle has no other, and
        // parseCreationOptionsFromJSON() refuses it.
        // 6: the origin is not opaque. 7: its effective domain is a domain.
        let effectiveDomain = try effectiveDomain(step: 6)
        // 8: the RP ID is the domain, or one above it, or related.
        let rpID = try relyingPartyIdentifier(pkOptions.rp.id, on: effectiveDomain, step: 8)

        // 9, 10: types and algorithms; without any, ES256 and RS256.
        guard !pkOptions.acceptableAlgorithms.isEmpty else {
            throw ClientError(.notSupported, .noKnownCredentialType, step: 10, "no credential type is known")
        }

        // 11, 12: extensions. 12.1: one that the client does not support is passed over.
        let inputs = profile.supported(pkOptions.extensions)
        let extensions = try ClientError.extensionInput(step: 12) { () throws(ExtensionInputError) in
            try RegistrationClientExtensions(inputs)
        }
        try checkAppID(inputs.appidExclude, step: 12)
        // 13, 14: client data. 15: its hash. An authenticator that brings its own client gets that one's.
        let clientData = try clientData(.create, pkOptions.challenge, form: profile.clientDataForm, step: 15)

        // 16: the caller has not ended the ceremony.
        try checkAborted(step: 16)

        // 17: issuedRequests. Each authenticator answers before the next one is asked, so that it has those alone whose
        // user does nothing.
        var issuedRequests: [VirtualAuthenticator] = []
        defer { for authenticator in issuedRequests { authenticator.cancel() } }
        // 18: authenticators: those of this client.
        // 19: conditional mediation: the user has just signed in here, and agrees to such registrations.
        if isConditional { try checkConditional(rpID) }
        // 20: hints order the dialog.
        let authenticators = authenticators(by: pkOptions.hints)
        // 21: the timer starts. 22: the loop.
        // 22, the timer expires, the user cancels in the client's dialog, or the caller ends the ceremony: nobody is asked
        // any more, and those that are at it are told to stop.
        try checkRunning(lifetimeTimer, hasDialog: !isConditional, step: 22)
        var errors: [AuthenticatorError] = []
        var unsuitable: [String] = []
        for authenticator in authenticators {
            // 22, an authenticator becomes available. (None ceases to be.)
            let data =
                try formOfItsOwn(authenticator).map { (form) throws(ClientError) in
                    try self.clientData(.create, pkOptions.challenge, form: form, step: 15)
                } ?? clientData
            let candidate = try candidate(pkOptions, rpID, data.hash, authenticator, extensions, isConditional)
            guard case .request(var request) = candidate else {
                if case .unsuitable(let lack) = candidate { unsuitable.append(lack) }
                continue
            }
            do throws(AuthenticatorError) {
                let asked = try extensions.request(authenticator, environment)
                request.extensions = asked.inputs
                let made = try authenticator.makeCredential(request, in: environment, user: user(before: authenticator))
                // 22, an authenticator indicates success.
                let response = try credential(data.json, made, authenticator, pkOptions) {
                    data throws(AuthenticatorError) in
                    try extensions.outputs(
                        asked,
                        data,
                        made.unsignedExtensionOutputs,
                        requireResidentKey: request.requireResidentKey
                    )
                }
                recorder?.note(.authenticator(authenticator.options.aaguid, nil))
                return Answer(response: response, authenticator: authenticator)
            } catch {
                recorder?.note(.authenticator(authenticator.options.aaguid, error.status))
                errors.append(error)
                // 22, the user cancels at an authenticator: no virtual one tells that from a refusal, and the user turns to
                // the next one.
                if error.reason == .ignored { issuedRequests.append(authenticator) }
                // 22, the error is InvalidStateError: the user agreed that it be told.
                guard error.code != .invalidState else {
                    throw ClientError(
                        .invalidState,
                        .excludedCredential,
                        step: 22,
                        "an authenticator has an excluded credential",
                        authenticatorErrors: errors
                    )
                }
                // 22, another error: the next authenticator.
            }
            try checkAborted(step: 22)
        }

        // The errors that the section lists at its end: none of those that are there can do what is required.
        if errors.isEmpty, !unsuitable.isEmpty, profile.unsuitableAuthenticator == .isConstraintError {
            throw ClientError(.constraint, .noAuthenticator, step: 22, unsuitable.joined(separator: "; "))
        }
        // 23: nobody succeeded. The page learns it when the timer has run out; here no time passes.
        throw .nobodySucceeded(errors, otherwise: .noAuthenticator, step: 23)
    }

    /// What Credential Management asks before `[[Create]]`: the permissions policy, and a mediation that can be.
    private func checkMayCreate(_ mediation: CredentialMediationRequirement) throws(ClientError) {
        guard mayCreateCredentials else {
            throw ClientError(
                .notAllowed,
                .permissionsPolicy,
                step: 0,
                "the page may not use publickey-credentials-create"
            )
        }
        guard mediation != .silent else {
            throw ClientError(.notAllowed, .silentMediation, step: 0, "no credential is made without the user")
        }
        guard mediation != .conditional || profile.supports(.conditionalCreate) else {
            throw ClientError(.notSupported, .unsupported, step: 0, "the client makes no credential conditionally")
        }
    }

    /// Step 2.
    private func checkFrame(_ isConditional: Bool) throws(ClientError) {
        guard !sameOriginWithAncestors else { return }
        guard !isConditional else {
            throw ClientError(.notAllowed, .frame, step: 2, "a frame of another origin may not register conditionally")
        }
        guard hasTransientActivation else {
            throw ClientError(.notAllowed, .frame, step: 2, "a frame of another origin needs the user's activation")
        }
    }

    /// Step 19.
    private func checkConditional(_ rpID: String) throws(ClientError) {
        guard hasRecentAuthentication else {
            throw ClientError(.notAllowed, .noRecentAuthentication, step: 19, "the user did not just sign in here")
        }
        switch ask(VirtualUser.Prompt(.conditionalCreate, relyingPartyIdentifier: rpID)) {
        case .consents, .picks, .failsVerification: break
        case .refuses, .ignores:
            throw ClientError(.notAllowed, .consentDenied, step: 19, "the user does not consent to such a registration")
        }
    }

    /// What becomes of an authenticator that is there.
    private enum Candidate {
        /// It is asked.
        case request(MakeCredentialParameters)

        /// It is not what was chosen.
        case notChosen

        /// It cannot do what is required.
        case unsuitable(String)
    }

    /// What a candidate authenticator is asked (step 22, "If an authenticator becomes available").
    private func candidate(
        _ pkOptions: PublicKeyCredentialCreationOptions,
        _ rpID: String,
        _ clientDataHash: [UInt8],
        _ authenticator: VirtualAuthenticator,
        _ extensions: RegistrationClientExtensions,
        _ isConditional: Bool
    ) throws(ClientError) -> Candidate {
        let options = authenticator.options
        // 1: the candidate. 2: what the options select.
        let selection = pkOptions.authenticatorSelection ?? AuthenticatorSelectionCriteria()
        // 2.1: attachment.
        guard selection.authenticatorAttachment.map({ $0 == options.attachment }) ?? true else { return .notChosen }
        // 2.2: discoverable credentials. 2.3: user verification.
        guard selection.residentKey != .required || options.storesDiscoverableCredentials else {
            return .unsuitable("an authenticator stores no discoverable credentials")
        }
        guard selection.userVerification != .required || options.canVerifyUser else {
            return .unsuitable("an authenticator cannot verify the user")
        }
        // (Extensions have requirements, too.)
        guard extensions.isFulfilled(by: options) else {
            return .unsuitable("an authenticator does not know an extension that is required")
        }

        // 3: the effective resident key requirement. (requireResidentKey is in residentKey already.)
        let requireResidentKey =
            switch selection.residentKey {
            case .required: true
            case .preferred: options.storesDiscoverableCredentials
            case .discouraged: false
            }
        // 4: the effective user verification requirement. Without a dialog neither it nor presence is collected.
        let collectsGesture = !isConditional || profile.collectsGestureInConditionalCreate
        guard collectsGesture || selection.userVerification != .required else {
            throw ClientError(
                .constraint,
                .userVerificationFailed,
                step: 22,
                "user verification is required, and a conditional registration cannot collect it"
            )
        }
        let userVerification = collectsGesture && selection.userVerification.isEffective(options)
        // 5: enterprise attestation is possible where it is asked for by a relying party that the client permits it.
        let isPermitted = enterpriseRelyingParties?.contains { $0.hasSameBytes(as: rpID) } ?? true
        let enterpriseAttestationPossible = pkOptions.attestation == .enterprise && isPermitted
        // 6, 7: the attestation formats; where no attestation is wanted, "none" alone.
        let attestationFormats = pkOptions.attestation == .none ? [.none] : pkOptions.attestationFormats
        // 8, 9: the exclude list, by the AppID too where an extension asks for that. The client may leave out credentials that are reached over another transport; it does
        // not, because a hint that is out of date would then make two credentials on one authenticator.
        // 10: the request. 11: the authenticator is among issuedRequests while its user does nothing.
        return .request(
            MakeCredentialParameters(
                hash: clientDataHash,
                rpID: rpID,
                rpName: pkOptions.rp.name,
                user: pkOptions.user,
                requireResidentKey: requireResidentKey,
                requireUserPresence: collectsGesture,
                requireUserVerification: userVerification,
                credTypesAndPubKeyAlgs: pkOptions.acceptableAlgorithms.map { PublicKeyCredentialParameters(alg: $0) },
                excludeCredentialDescriptorList: pkOptions.excludeCredentials,
                excludeAppID: pkOptions.extensions.appidExclude,
                enterpriseAttestationPossible: enterpriseAttestationPossible,
                attestationFormats: attestationFormats
            )
        )
    }
}
