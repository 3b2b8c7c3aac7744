import PasskeyAuthorization
public import PasskeyModel
public import PasskeyWire

/// A browser, as far as `navigator.credentials` goes: what stands between a page and its authenticators.
///
/// ``create(_:mediation:)`` is §5.1.3 and ``get(_:mediation:)`` is §5.1.4 of the specification, each written down step by
/// step. No time passes in them: the virtual user's ``userDelay`` is held against the ceremony's timer, and what ends when
/// a timer does ends at once. Authenticators are asked one after the other, in the order in which the user turns to them.
public struct VirtualClient: Sendable {
    /// The origin of the page, as a browser spells it, such as `https://example.com`.
    public var origin: String

    /// The authenticators, in the order in which the user turns to them; hints of the options go before it.
    public var authenticators: [VirtualAuthenticator]

    /// Which client it is.
    public var profile = ClientProfile.standard

    /// Who sits before it.
    public var user = VirtualUser.willing

    // MARK: The page

    /// Whether the page is not in a frame of another origin.
    public var sameOriginWithAncestors = true

    /// The origin of the page around the frame, if the page is in a frame of another origin.
    public var topOrigin: String?

    /// Whether the page may use the feature `publickey-credentials-create` (`#sctn-permissions-policy`).
    ///
    /// A page may, and a frame of another origin where the page around it says so.
    public var mayCreateCredentials = true

    /// Whether the page may use the feature `publickey-credentials-get` (`#sctn-permissions-policy`).
    public var mayGetCredentials = true

    /// Whether the user did something in the page just now, which a frame of another origin needs to register.
    ///
    /// A registration consumes the activation; the virtual user gives a new one before each.
    public var hasTransientActivation = true

    /// Whether the user signed in to this origin just now, without which there is no conditional registration.
    public var hasRecentAuthentication = false

    // MARK: The user

    /// How long the virtual user takes.
    public var userDelay = Duration.zero

    /// Whether the user closes the client's own dialog before turning to an authenticator.
    ///
    /// Conditional mediation has no dialog.
    public var closesDialog = false

    /// Tells a ceremony that its caller ended it.
    public var signal: AbortSignal?

    /// Whether the caller has ended the ceremony, for a caller that has no ``signal``.
    public var isAborted: (@Sendable () -> Bool)?

    // MARK: The client's configuration

    /// The public suffixes that the client knows.
    public var publicSuffixes = PublicSuffixList.builtIn

    /// Fetches a file of related origins; `nil` for a client that does not do that.
    public var fetch: RelatedOriginsFetch?

    /// The RP IDs that may ask for enterprise attestation; `nil` for all.
    ///
    /// Whoever else asks for it gets what `direct` gives.
    public var enterpriseRelyingParties: [String]?

    /// Members that the client adds to client data, after those of the specification and in this order.
    ///
    /// Those that are named as the specification's own are left out.
    public var extraClientData = JSONObject()

    /// Who spoils what the ceremonies yield; `nil` for nobody.
    public var adversary: Adversary?

    /// Where bytes come from for authenticators that have no source of their own; `nil` for the system's source.
    public var random: VirtualRandomSource?

    /// Where the time comes from for authenticators that have no clock of their own; `nil` for the system's clock.
    public var clock: VirtualClock?

    /// Where its ceremonies are written down; `nil` for nowhere.
    public var journal: CeremonyJournal?

    /// The record of the ceremony that the client is part of, where somebody else began it.
    var recorder: CeremonyRecorder?

    /// Whether authenticators' own forms of client data do not count: a browser made it.
    var overridesAuthenticatorForms = false

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - origin: The origin of the page, such as `https://example.com`.
    ///   - authenticators: The authenticators, in the order in which the user turns to them.
    public init(origin: String, authenticators: [VirtualAuthenticator] = [VirtualAuthenticator()]) {
        self.origin = origin
        self.authenticators = authenticators
    }

    /// What the client puts into client data: ``ClientProfile/clientDataForm`` of its profile.
    public var clientDataForm: ClientDataForm {
        get { profile.clientDataForm }
        set { profile.clientDataForm = newValue }
    }

    /// The timeouts that the client finds reasonable: ``ClientProfile/timeoutRange`` of its profile.
    public var timeoutRange: ClosedRange<UInt32> {
        get { profile.timeoutRange }
        set { profile.timeoutRange = newValue }
    }

    /// The timeout where the options name none: ``ClientProfile/defaultTimeout`` of its profile.
    public var defaultTimeout: UInt32 {
        get { profile.defaultTimeout }
        set { profile.defaultTimeout = newValue }
    }

    var environment: VirtualEnvironment { VirtualEnvironment(random: random, clock: clock) }

    /// Makes a credential (`#sctn-createCredential`).
    ///
    /// - Parameters:
    ///   - options: What the server sent.
    ///   - mediation: How much the user sees; `conditional` for a registration that rides on a sign-in. With `silent`
    ///     nothing can be made.
    /// - Returns: What goes back to the server.
    /// - Throws: ``ClientError``.
    public func create(
        _ options: PublicKeyCredentialCreationOptions,
        mediation: CredentialMediationRequirement = .optional
    ) throws(ClientError) -> RegistrationResponse {
        try recorded(.create, rpID: options.rp.id, \.json, options: options.json) { (client) throws(ClientError) in
            let made = try client.createCredential(options, mediation)
            guard let mutation = client.adversary?.mutation(of: .create) else { return made.response }
            client.recorder?.note(.mutation(mutation.id))
            return try client.spoil(made.authenticator, made.response.id, options) { (context) throws(MutationError) in
                try mutation.applied(to: made.response, context)
            }
        }
    }

    /// Signs in with a credential (`#sctn-getAssertion`).
    ///
    /// - Parameters:
    ///   - options: What the server sent.
    ///   - mediation: How much the user sees; `conditional` for a request that waits in a text field. With `silent` a
    ///     page gets `null`, for which there is ``ClientError/Reason/silentMediation`` here.
    /// - Returns: What goes back to the server.
    /// - Throws: ``ClientError``.
    public func get(
        _ options: PublicKeyCredentialRequestOptions,
        mediation: CredentialMediationRequirement = .optional
    ) throws(ClientError) -> AuthenticationResponse {
        try recorded(
            mediation == .conditional ? .authorizeWithAutoFill : .authorize,
            rpID: options.rpId,
            \.json,
            options: options.json
        ) { (client) throws(ClientError) in
            let made = try client.getCredential(options, mediation)
            guard let mutation = client.adversary?.mutation(of: .get) else { return made.response }
            client.recorder?.note(.mutation(mutation.id))
            return try client.spoil(made.authenticator, made.response.id, nil) { (context) throws(MutationError) in
                try mutation.applied(to: made.response, context)
            }
        }
    }

    /// Runs a ceremony, and writes it down where that is wanted.
    private func recorded<Response>(
        _ operation: AuthorizationOperation,
        rpID: String?,
        _ json: (Response) -> JSONValue,
        options: @autoclosure () -> JSONValue,
        _ body: (VirtualClient) throws(ClientError) -> Response
    ) throws(ClientError) -> Response {
        // A record that somebody else began is theirs to end; such a client has no journal.
        guard let journal else { return try body(self) }
        let request = CeremonyRecord.Request(.page, rpID, options: options().serialized())
        var client = self
        let recorder = journal.begin(operation, [request])
        client.recorder = recorder
        do throws(ClientError) {
            let response = try body(client)
            recorder.end(CeremonyRecord.Response(json: json(response).serialized()))
            return response
        } catch {
            recorder.end(CeremonyRecord.Failure(error))
            throw error
        }
    }

    /// Asks the user, and writes down the answer.
    func ask(_ prompt: VirtualUser.Prompt) -> VirtualUser.Answer {
        let answer = user.answer(prompt)
        recorder?.note(.prompt(Transcript.Prompt(prompt, answer)))
        return answer
    }

    /// Lets the adversary have what a ceremony yielded, together with the key that signed it.
    private func spoil<Response>(
        _ authenticator: VirtualAuthenticator,
        _ id: [UInt8],
        _ creation: PublicKeyCredentialCreationOptions?,
        _ body: (MutationContext) throws(MutationError) -> Response
    ) throws(ClientError) -> Response {
        do throws(MutationError) {
            guard let source = authenticator.source(id) else {
                throw MutationError("the credential is gone")
            }
            return try body(
                MutationContext(
                    source: source,
                    others: authenticator.sources.filter { $0.credential.id != id },
                    creation: creation,
                    options: authenticator.options,
                    recording: adversary?.recording ?? Adversary.Recording(),
                    environment: authenticator.environment.completed(by: environment).forAdversary(of: id)
                )
            )
        } catch {
            throw ClientError(.unknown, .mutationNotApplicable, step: 0, error.detail)
        }
    }
}
