import PasskeyAuthorization
import PasskeyModel
import PasskeyWire

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a ceremony of the controller finds: its settings as they are when it comes to act.
struct VirtualWorld: Sendable {
    var authenticators: [VirtualAuthenticator]
    var environment: VirtualEnvironment
    var associatedDomains: Set<String>?
    var origin: @Sendable (String) -> String = { "https://" + $0 }
    var clientProfile = ClientProfile.standard
    var user = VirtualUser.willing
    var chooses: @Sendable ([VirtualCandidate]) -> Int? = { _ in 0 }
    var passwords: [PasswordCredential] = []
    var contact = VirtualContact()
    var hasRecentAuthentication = false
    var appleID: (any AppleIDIssuer)?
    var userAgent: (any WebUserAgent)?
    var adversary: Adversary?
    var recorder: CeremonyRecorder?
    var isEnded: (@Sendable () -> Bool)?

    init(authenticators: [VirtualAuthenticator], environment: VirtualEnvironment) {
        self.authenticators = authenticators
        self.environment = environment
    }
}

/// Something that the user is offered, and what comes of choosing it.
struct Offer {
    /// What comes of choosing it.
    enum Fulfilment {
        /// It takes no time.
        case now(() throws(AuthorizationError) -> any AuthorizationCredential)

        /// Somebody else is asked, who takes time.
        case later(@Sendable () async throws(AuthorizationError) -> any AuthorizationCredential)
    }

    let candidate: VirtualCandidate
    let provider: any AuthorizationProvider
    let fulfilment: Fulfilment
}

extension VirtualAuthenticator {
    /// Whether it is a device of its own, reached over the hybrid transport: no security key, and not this device.
    fileprivate var isAnotherDevice: Bool {
        let options = options
        return options.attachment == .crossPlatform && options.transports.contains(.hybrid)
    }
}

// MARK: Clients

extension VirtualWorld {
    /// The RP ID that an application, or a page of its, may use; a page's own host decides where a browser asks.
    private func checkDomain(_ rpID: String, _ clientData: PublicKeyCredentialClientData?) throws(AuthorizationError) {
        guard clientData == nil, let associatedDomains else { return }
        guard associatedDomains.contains(where: { $0.hasSameBytes(as: rpID) }) else {
            throw AuthorizationError(
                type: .domainNotAssociated,
                message: "The application \(AuthorizationErrorTable.notAssociatedReason) \(rpID)",
                code: clientProfile.authorizationErrors.code(for: .domainNotAssociated)
            )
        }
    }

    /// The client of one request: an application that is, or is not, associated with the domain.
    private func client(
        for rpID: String,
        _ clientData: PublicKeyCredentialClientData?,
        _ operation: AuthorizationOperation
    ) throws(AuthorizationError) -> VirtualClient {
        try checkDomain(rpID, clientData)
        var client = VirtualClient(origin: clientData?.origin ?? origin(rpID), authenticators: [])
        client.profile = clientProfile
        client.user = user
        client.adversary = adversary
        client.random = environment.random
        client.clock = environment.clock
        client.recorder = recorder
        client.isAborted = isEnded
        if let clientData {
            client.overridesAuthenticatorForms = true
            client.topOrigin = clientData.topOrigin
            client.sameOriginWithAncestors = clientData.crossOrigin != .crossOrigin
            client.clientDataForm = clientData.crossOrigin == .notSet ? .native : .standard
        }
        // Nobody is shown a dialog for a domain that is not the application's.
        try AuthorizationError.client(operation, clientProfile.authorizationErrors) { () throws(ClientError) in
            let step = operation == .create ? 6 : 5
            _ = try client.relyingPartyIdentifier(rpID, on: client.effectiveDomain(step: step), step: step + 2)
        }
        return client
    }

    /// The client that hands on a signal, to all authenticators.
    func signallingClient(for rpID: String) throws(AuthorizationError) -> VirtualClient {
        var client = try client(for: rpID, nil, .authorize)
        client.authenticators = authenticators
        return client
    }

    /// The authenticators that a request reaches, this device's before others.
    private func reach(_ attachment: AuthenticatorAttachment, hybrid: Bool) -> [VirtualAuthenticator] {
        switch attachment {
        case .platform:
            authenticators.filter { $0.options.attachment == .platform }
                + (hybrid ? authenticators.filter(\.isAnotherDevice) : [])
        case .crossPlatform:
            authenticators.filter { $0.options.attachment == .crossPlatform && !$0.isAnotherDevice }
        }
    }
}

// MARK: Making credentials

extension VirtualWorld {
    /// What the user is offered when something is to be made.
    func creationOffers(_ requests: [any AuthorizationRequest]) throws(AuthorizationError) -> [Offer] {
        var offers: [Offer] = []
        for request in requests {
            switch request {
            case let request as AuthorizationPublicKeyCredentialRegistrationRequest:
                guard request.requestStyle == .standard || requests.count == 1 else {
                    throw .notSupported("a conditional registration has no dialog, and so no alternatives")
                }
                let make = try registration(request)
                offers.append(
                    Offer(
                        candidate: request.attachment == .platform
                            ? .newPasskey(name: request.name) : .newPasskeyOnSecurityKey(name: request.name),
                        provider: request.provider,
                        fulfilment: .now { () throws(AuthorizationError) in try make() }
                    )
                )
            case let request as AuthorizationAccountCreationPlatformPublicKeyCredentialRequest:
                offers.append(
                    Offer(
                        candidate: .newAccount,
                        provider: request.provider,
                        fulfilment: .now { () throws(AuthorizationError) in try account(request) }
                    )
                )
            default: throw .notSupported("create has no use for \(Swift.type(of: request))")
            }
        }
        return offers
    }

    /// A registration that is ready to be run.
    private func registration(
        _ request: AuthorizationPublicKeyCredentialRegistrationRequest
    ) throws(AuthorizationError) -> () throws(AuthorizationError) -> PasskeyRegistrationCredential {
        var options = try request.creationOptions()
        // What is asked is chosen below, and a device nearby is not built in.
        options.authenticatorSelection?.authenticatorAttachment = nil
        let isConditional = request.requestStyle == .conditional
        var client = try client(for: request.relyingPartyIdentifier, request.clientData, .create)
        client.authenticators = reach(
            request.attachment,
            hybrid: request.shouldShowHybridTransport && !isConditional
        )
        // A passkey is made beside the password that the user just signed in with.
        client.hasRecentAuthentication =
            hasRecentAuthentication || passwords.contains { $0.user.hasSameBytes(as: request.name) }
        let (table, attachment) = (clientProfile.authorizationErrors, request.attachment)
        return { [client, options] () throws(AuthorizationError) in
            let response = try AuthorizationError.client(.create, table) { () throws(ClientError) in
                try client.create(options, mediation: isConditional ? .conditional : .optional)
            }
            return PasskeyRegistrationCredential(response, attachment: attachment)
        }
    }

    private func account(
        _ request: AuthorizationAccountCreationPlatformPublicKeyCredentialRequest
    ) throws(AuthorizationError) -> AuthorizationAccountCreationPlatformPublicKeyCredential {
        guard let identifier = contact.identifier(accepting: request.acceptedContactIdentifiers) else {
            throw .cancelled("the user has no address of a kind that is accepted")
        }
        var registration = request.registrationRequest(name: identifier.value)
        registration.shouldShowHybridTransport = false
        registration.userVerificationPreference = .required
        return AuthorizationAccountCreationPlatformPublicKeyCredential(
            contactIdentifier: identifier,
            givenName: request.shouldRequestName ? contact.givenName : nil,
            familyName: request.shouldRequestName ? contact.familyName : nil,
            credentialRegistration: try self.registration(registration)()
        )
    }
}

// MARK: Signing in

extension VirtualWorld {
    /// What the user is offered to sign in with.
    ///
    /// - Parameters:
    ///   - requests: What is asked for.
    ///   - isLocal: Whether only this device counts.
    /// - Returns: The offers, in the order of the requests.
    /// - Throws: ``AuthorizationError`` for a request that cannot be answered.
    func signInOffers(
        _ requests: [any AuthorizationRequest],
        isLocal: Bool
    ) throws(AuthorizationError) -> [Offer] {
        var offers: [Offer] = []
        for request in requests {
            switch request {
            case let request as AuthorizationPublicKeyCredentialAssertionRequest:
                offers += try passkeyOffers(request, isLocal: isLocal)
            case is AuthorizationPasswordRequest:
                offers += passwords.map { password in
                    Offer(
                        candidate: .password(user: password.user),
                        provider: request.provider,
                        fulfilment: .now { password }
                    )
                }
            case let request as AuthorizationAppleIDRequest:
                guard let appleID else { throw .notSupported("the virtual world has no issuer of Apple IDs") }
                guard !isLocal || appleID.isImmediatelyAvailable(for: request) else { continue }
                offers.append(
                    Offer(
                        candidate: .appleID,
                        provider: request.provider,
                        fulfilment: .later { () throws(AuthorizationError) in try await appleID.authorize(request) }
                    )
                )
            case let request as WebAuthenticationRequest:
                guard let userAgent else { throw .notSupported("the virtual world has no browser") }
                guard !isLocal else { continue }
                offers.append(
                    Offer(
                        candidate: .web(request.url),
                        provider: request.provider,
                        fulfilment: .later { () throws(AuthorizationError) in
                            let url = try await userAgent.open(request)
                            guard request.callback.matches(url) else {
                                throw AuthorizationError(
                                    type: .invalidResponse,
                                    message: "the browser came back to another place than the callback",
                                    code: .invalidResponse
                                )
                            }
                            return WebAuthenticationCredential(callbackURL: url)
                        }
                    )
                )
            default: throw .notSupported("authorize has no use for \(Swift.type(of: request))")
            }
        }
        return offers
    }

    /// What the user is offered in a text field: passkeys of this device.
    func autoFillOffers(_ requests: [any AuthorizationRequest]) throws(AuthorizationError) -> [Offer] {
        var offers: [Offer] = []
        for request in requests {
            guard let request = request as? AuthorizationPublicKeyCredentialAssertionRequest,
                request.attachment == .platform
            else { throw .notSupported("autofill has no use for \(Swift.type(of: request))") }
            offers += try passkeyOffers(request, isLocal: true, mediation: .conditional)
        }
        return offers
    }

    private func passkeyOffers(
        _ request: AuthorizationPublicKeyCredentialAssertionRequest,
        isLocal: Bool,
        mediation: CredentialMediationRequirement = .optional
    ) throws(AuthorizationError) -> [Offer] {
        let options = try request.requestOptions()
        let client = try client(for: request.relyingPartyIdentifier, request.clientData, .authorize)
        func offer(
            _ candidate: VirtualCandidate,
            _ authenticators: [VirtualAuthenticator],
            picking id: [UInt8]? = nil
        ) -> Offer {
            var client = client
            client.authenticators = authenticators
            if let id { client.user = client.user.picking(id) }
            let (table, attachment) = (clientProfile.authorizationErrors, request.attachment)
            return Offer(
                candidate: candidate,
                provider: request.provider,
                fulfilment: .now { [client] () throws(AuthorizationError) in
                    let response = try AuthorizationError.client(.authorize, table) { () throws(ClientError) in
                        try client.get(options, mediation: mediation)
                    }
                    return PasskeyAssertionCredential(response, attachment: attachment)
                }
            )
        }

        let reached = reach(request.attachment, hybrid: request.shouldShowHybridTransport && !isLocal)
        let here = reached.filter { $0.options.attachment == .platform }
        let elsewhere = reached.filter { $0.options.attachment == .crossPlatform }
        var offers: [Offer] = []
        for authenticator in here {
            for credential in authenticator.offered(for: request.relyingPartyIdentifier, options.allowCredentials) {
                offers.append(
                    offer(
                        .passkey(name: credential.userName, credentialID: Data(credential.id)),
                        [authenticator],
                        picking: credential.id
                    )
                )
            }
        }
        if !elsewhere.isEmpty, !isLocal {
            offers.append(offer(request.attachment == .platform ? .anotherDevice : .securityKey, elsewhere))
        }
        return offers
    }

    /// What comes of a ceremony in which nothing could be offered: this device's authenticators say why, or have
    /// something that they do not show to a user who is not verified.
    func withoutOffer(
        _ requests: [any AuthorizationRequest],
        in operation: AuthorizationOperation
    ) throws(AuthorizationError) -> AuthorizationResult {
        let table = clientProfile.authorizationErrors
        guard !requests.isEmpty else { throw .notSupported("nothing was requested") }
        var refusal: AuthorizationError?
        for case let request as AuthorizationPublicKeyCredentialAssertionRequest in requests
        where request.attachment == .platform {
            var client = try client(for: request.relyingPartyIdentifier, request.clientData, operation)
            client.authenticators = reach(.platform, hybrid: false)
            let options = try request.requestOptions()
            do throws(AuthorizationError) {
                let response = try AuthorizationError.client(operation, table) { [client] () throws(ClientError) in
                    try client.get(options)
                }
                return AuthorizationResult(
                    provider: request.provider,
                    credential: PasskeyAssertionCredential(response, attachment: .platform)
                )
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? AuthorizationError(
                type: .noCredentialsAvailable,
                message: AuthorizationErrorTable.noCredentialsReason,
                code: table.code(for: .noCredentialsAvailable)
            )
    }
}

extension VirtualAuthenticator {
    /// The credentials that a dialog shows before anybody touches anything.
    fileprivate func offered(
        for rpID: String,
        _ allowCredentials: [PublicKeyCredentialDescriptor]
    ) -> [VirtualCredential] {
        guard allowCredentials.isEmpty else {
            // By name those are found, too, that are not discoverable.
            return allowCredentials.compactMap { source($0.id, for: rpID)?.credential }.filter { !$0.isHidden }
        }
        let ids = Set(silentCredentialDiscovery(rpID: rpID).map(\.id))
        return credentials.filter { ids.contains($0.id) }
    }
}

extension VirtualUser {
    /// The same user, who has picked a credential in a dialog already.
    fileprivate func picking(_ id: [UInt8]) -> VirtualUser {
        VirtualUser { prompt in
            // In a text field the picking is all that there is to do.
            if prompt.purpose == .conditionalGet { return .picks(id) }
            let answer = self.answer(prompt)
            guard answer == .consents, prompt.candidates.contains(where: { $0.id == id }) else { return answer }
            return .picks(id)
        }
    }
}
