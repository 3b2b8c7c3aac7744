import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// A response, and the authenticator that it came from.
struct Answer<Response: Sendable>: Sendable {
    let response: Response
    let authenticator: VirtualAuthenticator
}

extension VirtualClient {
    /// `[[Create]](origin, options, sameOriginWithAncestors)` (`#sctn-createCredential`).
    func createCredential(
        _ pkOptions: PublicKeyCredentialCreationOptions
    ) throws(ClientError) -> Answer<RegistrationResponse> {
        // 1: options.publicKey is present: it is the argument.
        // 2: a frame of another origin needs permission and the user's activation; the virtual page has both. Mediation
        // is never conditional yet.
        // 3: pkOptions is the argument. 4: the timer.
        let lifetimeTimer = lifetimeTimer(pkOptions.timeout)
        // 5: a user handle of another length than 1 to 64 bytes is a TypeError; a UserHandle has no other.
        // 6: the origin is not opaque. 7: its effective domain is a domain.
        let effectiveDomain = try effectiveDomain(step: 6)
        // 8: the RP ID is the domain, or one above it. Related origins are not fetched yet.
        let rpID = try relyingPartyIdentifier(pkOptions.rp.id, on: effectiveDomain, step: 8)

        // 9, 10: types and algorithms; without any, ES256 and RS256.
        let algorithms = pkOptions.acceptableAlgorithms
        guard !algorithms.isEmpty else {
            throw ClientError(.notSupported, .noKnownCredentialType, step: 10, "no credential type is known")
        }

        // 11, 12: extensions. credProps is the client's own; others are not supported yet, and passed over.
        // 13, 14: client data. 15: its hash.
        let clientDataJSON = clientDataJSON(type: "webauthn.create", challenge: pkOptions.challenge)
        let clientDataHash = try ClientError.hash(clientDataJSON, step: 15)

        // 16: the caller has not ended the ceremony.
        try checkAborted(step: 16)

        // 17: issuedRequests: each authenticator answers before the next one is asked, so the set has one at most.
        // 18: authenticators: those of this client.
        // 19: conditional mediation: never yet.
        // 20: hints order a dialog, and there is none.
        // 21: the timer starts. 22: the loop.
        // 22, the timer expires, or the caller ends the ceremony: nobody is asked any more.
        try checkAborted(step: 22)
        guard !isTooSlow(lifetimeTimer) else {
            throw ClientError(.notAllowed, .timedOut, step: 23, "the user took \(userDelay)")
        }
        // 22, the user cancels in the client's own dialog: there is none. An authenticator ceases to be available: none does.
        var errors: [AuthenticatorError] = []
        for authenticator in authenticators {
            // 22, an authenticator becomes available.
            guard let request = makeCredentialParameters(pkOptions, rpID, clientDataHash, authenticator) else {
                continue
            }
            do throws(AuthenticatorError) {
                let made = try authenticator.makeCredential(request, in: environment, user: .willing)
                // 22, an authenticator indicates success.
                let response = try credential(
                    clientDataJSON,
                    made.attestationObject,
                    authenticator,
                    pkOptions,
                    requireResidentKey: request.requireResidentKey
                )
                return Answer(response: response, authenticator: authenticator)
            } catch {
                errors.append(error)
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

        // 23: nobody succeeded. The page learns it when the timer has run out; here no time passes.
        throw .nobodySucceeded(errors, otherwise: .noAuthenticator, step: 23)
    }

    /// What a candidate authenticator is asked, or `nil` if it cannot do what the options ask for (step 22).
    private func makeCredentialParameters(
        _ pkOptions: PublicKeyCredentialCreationOptions,
        _ rpID: String,
        _ clientDataHash: [UInt8],
        _ authenticator: VirtualAuthenticator
    ) -> MakeCredentialParameters? {
        let options = authenticator.options
        // 1: the candidate. 2: what the options select.
        let selection = pkOptions.authenticatorSelection ?? AuthenticatorSelectionCriteria()
        // 2.1: attachment. 2.2: discoverable credentials. 2.3: user verification.
        guard selection.authenticatorAttachment.map({ $0 == options.attachment }) ?? true,
            selection.residentKey != .required || options.storesDiscoverableCredentials,
            selection.userVerification != .required || options.canVerifyUser
        else { return nil }

        // 3: the effective resident key requirement. (requireResidentKey is in residentKey already.)
        let requireResidentKey =
            switch selection.residentKey {
            case .required: true
            case .preferred: options.storesDiscoverableCredentials
            case .discouraged: false
            }
        // 4: the effective user verification requirement.
        let userVerification = selection.userVerification.isEffective(options)
        // 5: enterprise attestation is possible where the relying party asks for it: this client knows no list of those
        // that may.
        // 6, 7: the attestation formats; where no attestation is wanted, "none" alone.
        let attestationFormats = pkOptions.attestation == .none ? [.none] : pkOptions.attestationFormats
        // 8, 9: the exclude list. The client may leave out credentials that are reached over another transport; it does
        // not, because a hint that is out of date would then make two credentials on one authenticator.
        // 10: the request. 11: no other is pending.
        return MakeCredentialParameters(
            hash: clientDataHash,
            rpID: rpID,
            user: pkOptions.user,
            requireResidentKey: requireResidentKey,
            requireUserVerification: userVerification,
            credTypesAndPubKeyAlgs: pkOptions.acceptableAlgorithms.map { PublicKeyCredentialParameters(alg: $0) },
            excludeCredentialDescriptorList: pkOptions.excludeCredentials,
            enterpriseAttestationPossible: pkOptions.attestation == .enterprise,
            attestationFormats: attestationFormats
        )
    }

    /// constructCredentialAlg (step 22, success).
    private func credential(
        _ clientDataJSON: [UInt8],
        _ attestationObjectResult: [UInt8],
        _ authenticator: VirtualAuthenticator,
        _ pkOptions: PublicKeyCredentialCreationOptions,
        requireResidentKey: Bool
    ) throws(AuthenticatorError) -> RegistrationResponse {
        let options = authenticator.options
        let object = try AuthenticatorError.operation(step: 14) { () throws(WireError) in
            try AttestationObject(attestationObjectResult)
        }
        // 3.1: attestation conveyance. "direct" is conveyed unaltered, and so is "indirect", which a client MAY alter.
        // 3.2: attestationObject.
        var attestationObject = attestationObjectResult
        if pkOptions.attestation == .none, !object.isAnonymousSelfAttestation {
            attestationObject = try AuthenticatorError.operation(step: 14) { () throws(WireError) in
                try AttestationObject.encode(
                    format: .none,
                    statement: .map([]),
                    authenticatorData: object.authenticatorData.bytes
                )
            }
        }
        // 1, 2: credentialCreationData and its extension results. credProps.rk is what was asked for
        // (#sctn-authenticator-credential-properties-extension).
        var results = AuthenticationExtensionsClientOutputs()
        if pkOptions.extensions.credProps == true {
            results.credProps = CredentialPropertiesOutput(rk: requireResidentKey)
        }
        // 3.3: the ID is the attested one. 3.4, 3.5: the credential, with its transports once each and in order.
        // 4: no other request is pending.
        return RegistrationResponse(
            id: object.authenticatorData.attestedCredentialData?.credentialID ?? [],
            clientDataJSON: clientDataJSON,
            attestationObject: attestationObject,
            transports: Set(options.transports).sorted { $0.rawValue < $1.rawValue },
            authenticatorAttachment: options.attachment.rawValue,
            clientExtensionResults: results,
            claims: .init(of: object.authenticatorData)
        )
    }
}

extension AttestationObject {
    /// Whether it is self attestation that tells nothing: the one statement that is conveyed though none is wanted.
    fileprivate var isAnonymousSelfAttestation: Bool {
        authenticatorData.attestedCredentialData?.aaguid == .zero && format == .packed && statement.root["x5c"] == nil
    }
}

extension RegistrationResponse.Claims {
    /// What a browser puts beside the attestation object (`#sctn-public-key-easy`): the key as far as it must know it.
    fileprivate init(of data: AuthenticatorData) {
        self.init(authenticatorData: data.bytes)
        guard let bytes = data.attestedCredentialData?.credentialPublicKey, let key = try? COSEKey(bytes) else {
            return
        }
        publicKeyAlgorithm = key.algorithm.rawValue
        publicKey = (try? PublicKey(key)).flatMap { try? $0.subjectPublicKeyInfo() }
    }
}

extension UserVerificationRequirement {
    /// The effective user verification requirement for an authenticator.
    func isEffective(_ options: VirtualAuthenticatorOptions) -> Bool {
        switch self {
        case .required: true
        case .preferred: options.canVerifyUser
        case .discouraged: false
        }
    }
}

extension ClientError {
    /// SHA-256, which fails only if the library does.
    static func hash(_ bytes: [UInt8], step: Int) throws(ClientError) -> [UInt8] {
        do throws(CryptoError) {
            return try sha256(bytes)
        } catch {
            throw ClientError(.unknown, .authenticatorFailed, step: step, "\(error)")
        }
    }
}
