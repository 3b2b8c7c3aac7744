import PasskeyModel

extension VirtualClient {
    /// `[[DiscoverFromExternalSource]](origin, options, sameOriginWithAncestors)` (`#sctn-discover-from-external-source`).
    func getCredential(
        _ pkOptions: PublicKeyCredentialRequestOptions
    ) throws(ClientError) -> Answer<AuthenticationResponse> {
        // 1: options.publicKey is present. 2: pkOptions is the argument.
        // 3: conditional mediation: never yet. 4: the timer; credentialIdFilter is empty.
        let lifetimeTimer = lifetimeTimer(pkOptions.timeout)
        // 5: the origin is not opaque. 6: its effective domain is a domain.
        let effectiveDomain = try effectiveDomain(step: 5)
        // 7: the RP ID is the domain, or one above it. Related origins are not fetched yet.
        let rpID = try relyingPartyIdentifier(pkOptions.rpId, on: effectiveDomain, step: 7)

        // 8, 9: extensions: none of a sign-in is supported yet, and they are passed over.
        // 10, 11: client data. 12: its hash.
        let clientDataJSON = clientDataJSON(type: "webauthn.get", challenge: pkOptions.challenge)
        let clientDataHash = try ClientError.hash(clientDataJSON, step: 12)

        // 13: the caller has not ended the ceremony.
        try checkAborted(step: 13)

        // 14: issuedRequests: each authenticator answers before the next one is asked, so the set has one at most.
        // 15: savedCredentialIds: the request's own list says it.
        // 16: authenticators: those of this client. 17: silent discovery is for conditional mediation.
        // 18: hints order a dialog, and there is none.
        // 19: the timer starts. 20: the loop.
        // 20, the timer expires, or the caller ends the ceremony: nobody is asked any more.
        try checkAborted(step: 20)
        guard !isTooSlow(lifetimeTimer) else {
            throw ClientError(.notAllowed, .timedOut, step: 21, "the user took \(userDelay)")
        }
        // 20, the user cancels in the client's own dialog: there is none. The user picks from autofill: not yet.
        var errors: [AuthenticatorError] = []
        for authenticator in authenticators {
            // 20, an authenticator becomes available.
            guard let request = getAssertionParameters(pkOptions, rpID, clientDataHash, authenticator) else { continue }
            do throws(AuthenticatorError) {
                let result = try authenticator.getAssertion(request, in: environment, user: .willing)
                // 20, an authenticator indicates success. Without an allow list, only a user handle says whose it is.
                guard result.userHandle != nil || request.allowCredentialDescriptorList != nil else { continue }
                guard let id = result.credentialID ?? request.allowCredentialDescriptorList?.first?.id else { continue }
                let response = AuthenticationResponse(
                    id: id,
                    clientDataJSON: clientDataJSON,
                    authenticatorData: result.authenticatorData,
                    signature: result.signature,
                    userHandle: result.userHandle,
                    authenticatorAttachment: authenticator.options.attachment.rawValue
                )
                return Answer(response: response, authenticator: authenticator)
            } catch {
                // 20, an authenticator returns an error: the next one. No error of an authenticator reaches the page.
                errors.append(error)
            }
            try checkAborted(step: 20)
        }

        // 20, no authenticator will have one of the allowed credentials: the user acknowledges that at once.
        guard !errors.isEmpty || pkOptions.allowCredentials.isEmpty else {
            throw ClientError(
                .notAllowed,
                .noCredential,
                step: 20,
                "no authenticator has one of the allowed credentials"
            )
        }
        // 21: nobody succeeded. The page learns it when the timer has run out; here no time passes.
        throw .nobodySucceeded(errors, otherwise: .noAuthenticator, step: 21)
    }

    /// Issuing a credential request (`#sctn-issuing-cred-request-to-authenticator`), or `nil` if the authenticator cannot
    /// handle it.
    private func getAssertionParameters(
        _ pkOptions: PublicKeyCredentialRequestOptions,
        _ rpID: String,
        _ clientDataHash: [UInt8],
        _ authenticator: VirtualAuthenticator
    ) -> GetAssertionParameters? {
        let options = authenticator.options
        // 1: the user can be verified, if that is required.
        guard pkOptions.userVerification != .required || options.canVerifyUser else { return nil }
        // 2: the effective user verification requirement.
        let userVerification = pkOptions.userVerification.isEffective(options)
        // 3: the allowed credentials that are on this authenticator. A virtual one can be asked.
        var allowed: [PublicKeyCredentialDescriptor]?
        if !pkOptions.allowCredentials.isEmpty {
            let bound = pkOptions.allowCredentials.filter { descriptor in
                descriptor.type == .publicKey
                    && authenticator.source(descriptor.id, for: rpID) != nil
            }
            guard !bound.isEmpty else { return nil }
            allowed = bound
        }
        // The transport: an authenticator made of software is not told how it is reached.
        // 4: the request is issued.
        return GetAssertionParameters(
            rpID: rpID,
            hash: clientDataHash,
            allowCredentialDescriptorList: allowed,
            requireUserVerification: userVerification
        )
    }
}
