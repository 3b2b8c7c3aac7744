import PasskeyModel

extension VirtualClient {
    /// `[[DiscoverFromExternalSource]](origin, options, sameOriginWithAncestors)` (`#sctn-discover-from-external-source`).
    func getCredential(
        _ options: PublicKeyCredentialRequestOptions,
        _ mediation: CredentialMediationRequirement
    ) throws(ClientError) -> Answer<AuthenticationResponse> {
        let isConditional = mediation == .conditional
        // What comes before: the permissions policy and mediation.
        try checkMayGet(mediation)

        // 1: options.publicKey is present. 2: pkOptions is the argument.
        var pkOptions = options
        // 3: a conditional request. 3.1: its allow list only filters. 3.2: none is left to name credentials that are not
        // discoverable. 3.3: its timer never ends. 4: any other request. 4.1: there is no filter. 4.2: the timer.
        var credentialIdFilter: [PublicKeyCredentialDescriptor] = []
        if isConditional { swap(&credentialIdFilter, &pkOptions.allowCredentials) }
        let lifetimeTimer = isConditional ? nil : lifetimeTimer(pkOptions.timeout)
        // 5: the origin is not opaque. 6: its effective domain is a domain.
        let effectiveDomain = try effectiveDomain(step: 5)
        // 7: the RP ID is the domain, or one above it, or related.
        let rpID = try relyingPartyIdentifier(pkOptions.rpId, on: effectiveDomain, step: 7)

        // 8, 9: extensions. 9.1: one that the client does not support is passed over.
        let inputs = profile.supported(options.extensions)
        pkOptions.extensions = inputs
        let extensions = try ClientError.extensionInput(step: 9) { () throws(ExtensionInputError) in
            try AuthenticationClientExtensions(inputs, allowCredentials: options.allowCredentials)
        }
        try checkAppID(inputs.appid, step: 9)
        // 10, 11: client data. 12: its hash. An authenticator that brings its own client gets that one's.
        let clientData = try clientData(.get, pkOptions.challenge, form: profile.clientDataForm, step: 12)

        // 13: the caller has not ended the ceremony.
        try checkAborted(step: 13)

        // 14: issuedRequests. Each authenticator answers before the next one is asked, so that it has those alone whose
        // user does nothing. 15: savedCredentialIds: the request's own list says it.
        var ceremony = GetCeremony(
            client: self,
            pkOptions: pkOptions,
            rpID: rpID,
            clientData: clientData,
            extensions: extensions
        )
        defer { for authenticator in ceremony.issuedRequests { authenticator.cancel() } }
        // 16: authenticators: those of this client. 18: hints order the dialog.
        let authenticators = authenticators(by: pkOptions.hints)
        // 19: the timer starts. 20: the loop.
        // 20, the timer expires, the user cancels in the client's dialog, or the caller ends the ceremony: nobody is asked
        // any more, and those that are at it are told to stop.
        try checkRunning(lifetimeTimer, hasDialog: !isConditional, step: 20)
        if isConditional { return try ceremony.offer(authenticators, filter: credentialIdFilter) }

        for authenticator in authenticators {
            // 20, an authenticator becomes available. (None ceases to be.) 2.1: a request is issued to it.
            if let answer = try ceremony.issue(to: authenticator) { return answer }
        }

        // 20, no authenticator will have one of the allowed credentials: the user acknowledges that at once.
        guard !ceremony.errors.isEmpty || pkOptions.allowCredentials.isEmpty else {
            throw ClientError(
                .notAllowed,
                .noCredential,
                step: 20,
                "no authenticator has one of the allowed credentials"
            )
        }
        // 21: nobody succeeded. The page learns it when the timer has run out; here no time passes.
        throw .nobodySucceeded(ceremony.errors, otherwise: .noAuthenticator, step: 21)
    }

    /// What Credential Management asks before `[[DiscoverFromExternalSource]]`: the permissions policy, and a mediation
    /// that can be.
    private func checkMayGet(_ mediation: CredentialMediationRequirement) throws(ClientError) {
        guard mayGetCredentials else {
            throw ClientError(
                .notAllowed,
                .permissionsPolicy,
                step: 0,
                "the page may not use publickey-credentials-get"
            )
        }
        // Nothing is collected from a credential store, which is all that may be done silently; a page gets null.
        guard mediation != .silent else {
            throw ClientError(.notAllowed, .silentMediation, step: 0, "no passkey is used without the user")
        }
        guard mediation != .conditional || profile.supports(.conditionalGet) else {
            throw ClientError(.type, .unsupported, step: 0, "the client has no conditional mediation")
        }
    }
}

/// A sign-in under way: steps 14 to 20 of `#sctn-discover-from-external-source`.
struct GetCeremony {
    let client: VirtualClient
    let pkOptions: PublicKeyCredentialRequestOptions
    let rpID: String
    let clientData: SerializedClientData
    let extensions: AuthenticationClientExtensions

    /// The authenticators that wait for a user who does nothing.
    private(set) var issuedRequests: [VirtualAuthenticator] = []

    /// What those that failed answered.
    private(set) var errors: [AuthenticatorError] = []

    init(
        client: VirtualClient,
        pkOptions: PublicKeyCredentialRequestOptions,
        rpID: String,
        clientData: SerializedClientData,
        extensions: AuthenticationClientExtensions
    ) {
        self.client = client
        self.pkOptions = pkOptions
        self.rpID = rpID
        self.clientData = clientData
        self.extensions = extensions
    }

    /// A conditional request: what is there is offered in a text field, and the user picks.
    ///
    /// - Parameters:
    ///   - authenticators: The authenticators.
    ///   - credentialIdFilter: The credentials that may be offered; empty for all.
    /// - Returns: The answer.
    /// - Throws: ``ClientError``: no timer ends the request, and what a browser would wait for is an error here.
    mutating func offer(
        _ authenticators: [VirtualAuthenticator],
        filter credentialIdFilter: [PublicKeyCredentialDescriptor]
    ) throws(ClientError) -> Answer<AuthenticationResponse> {
        let filter = Set(credentialIdFilter.map(\.id))
        // 17: silentlyDiscoveredCredentials.
        var discovered: [(credential: VirtualCredential, authenticator: VirtualAuthenticator)] = []
        for authenticator in authenticators {
            // 20, an authenticator becomes available, 1: it supports silent discovery, as all here do. 1.1, 1.2.
            let metadata = authenticator.silentCredentialDiscovery(rpID: rpID)
            let ids = Set(metadata.map(\.id).filter { filter.isEmpty || filter.contains($0) })
            discovered += authenticator.credentials.filter { ids.contains($0.id) }.map { ($0, authenticator) }
        }
        // 20, the user turns to the text field. 1.1: the prompt; one whose authenticator failed is not offered again.
        while !discovered.isEmpty {
            let prompt = VirtualUser.Prompt(
                .conditionalGet,
                relyingPartyIdentifier: rpID,
                candidates: discovered.map(\.credential)
            )
            let answer = client.ask(prompt)
            try client.checkAborted(step: 20)
            guard let index = answer.choice(among: prompt.candidates) else { break }
            // 1.2: the request names the one that was picked.
            let (credential, authenticator) = discovered.remove(at: index)
            if let answer = try issue(to: authenticator, allow: [credential.descriptor()]) { return answer }
        }
        guard errors.isEmpty else { throw .nobodySucceeded(errors, otherwise: .noCredential, step: 20) }
        throw ClientError(
            .notAllowed,
            discovered.isEmpty ? .noCredential : .pending,
            step: 20,
            discovered.isEmpty ? "there is nothing to offer" : "the user picks nothing"
        )
    }

    /// Asks an authenticator, if it can be asked.
    ///
    /// - Parameters:
    ///   - authenticator: The authenticator.
    ///   - allowCredentials: The allow list; `nil` for that of the options.
    /// - Returns: The answer; `nil` where it has none to give.
    /// - Throws: ``ClientError`` if the caller ends the ceremony meanwhile.
    mutating func issue(
        to authenticator: VirtualAuthenticator,
        allow allowCredentials: [PublicKeyCredentialDescriptor]? = nil
    ) throws(ClientError) -> Answer<AuthenticationResponse>? {
        let data =
            try client.formOfItsOwn(authenticator).map { [client, pkOptions] (form) throws(ClientError) in
                try client.clientData(.get, pkOptions.challenge, form: form, step: 12)
            } ?? clientData
        let allowed = allowCredentials ?? pkOptions.allowCredentials
        guard var request = parameters(for: authenticator, allowed, data.hash) else { return nil }
        do throws(AuthenticatorError) {
            let user = client.user(before: authenticator)
            let asked = try extensions.request(
                authenticator,
                request.allowCredentialDescriptorList,
                client.environment
            )
            request.extensions = asked.inputs
            let result = try authenticator.getAssertion(request, in: client.environment, user: user)
            // 20, an authenticator indicates success. Without an allow list, only a user handle says whose it is.
            guard result.userHandle != nil || request.allowCredentialDescriptorList != nil,
                let id = result.credentialID ?? request.allowCredentialDescriptorList?.first?.id
            else { return nil }
            let response = AuthenticationResponse(
                id: id,
                clientDataJSON: data.json,
                authenticatorData: result.authenticatorData,
                signature: result.signature,
                userHandle: result.userHandle,
                authenticatorAttachment: authenticator.options.attachment.rawValue,
                clientExtensionResults: try extensions.outputs(
                    asked,
                    result.authenticatorData,
                    result.unsignedExtensionOutputs,
                    usedAppID: !request.rpID.hasSameBytes(as: rpID)
                )
            )
            client.recorder?.note(.authenticator(authenticator.options.aaguid, nil))
            return Answer(response: response, authenticator: authenticator)
        } catch {
            client.recorder?.note(.authenticator(authenticator.options.aaguid, error.status))
            // 20, an authenticator returns an error: the next one. No error of an authenticator reaches the page.
            errors.append(error)
            if error.reason == .ignored { issuedRequests.append(authenticator) }
        }
        try client.checkAborted(step: 20)
        return nil
    }

    /// Issuing a credential request (`#sctn-issuing-cred-request-to-authenticator`), or `nil` if the authenticator cannot
    /// handle it.
    private func parameters(
        for authenticator: VirtualAuthenticator,
        _ allowCredentials: [PublicKeyCredentialDescriptor],
        _ clientDataHash: [UInt8]
    ) -> GetAssertionParameters? {
        let options = authenticator.options
        // 1: the user can be verified, if that is required.
        guard pkOptions.userVerification != .required || options.canVerifyUser else { return nil }
        // 2: the effective user verification requirement.
        let userVerification = pkOptions.userVerification.isEffective(options)
        // 3: the allowed credentials that are on this authenticator. A virtual one can be asked.
        // Credentials that U2F's own API made are there under the AppID (#sctn-appid-extension).
        var allowed: [PublicKeyCredentialDescriptor]?
        var boundTo = rpID
        if !allowCredentials.isEmpty {
            func bound(to rpID: String) -> [PublicKeyCredentialDescriptor] {
                allowCredentials.filter { $0.type == .publicKey && authenticator.source($0.id, for: rpID) != nil }
            }
            var found = bound(to: rpID)
            if found.isEmpty, let appID = pkOptions.extensions.appid {
                found = bound(to: appID)
                boundTo = appID
            }
            guard !found.isEmpty else { return nil }
            allowed = extensions.narrowed(found, options)
        }
        // The transport: an authenticator made of software is not told how it is reached.
        // 4: the request is issued.
        return GetAssertionParameters(
            rpID: boundTo,
            hash: clientDataHash,
            allowCredentialDescriptorList: allowed,
            requireUserVerification: userVerification
        )
    }
}

extension VirtualUser.Answer {
    /// The place of the credential that the user takes; `nil` for none of them.
    fileprivate func choice(among candidates: [VirtualCredential]) -> Int? {
        switch self {
        case .consents, .failsVerification: candidates.isEmpty ? nil : 0
        case .picks(let id): candidates.firstIndex { $0.id == id }
        case .refuses, .ignores: nil
        }
    }
}
