public import PasskeyModel

/// A browser, as far as `navigator.credentials` goes: what stands between a page and its authenticators.
///
/// ``create(_:)`` is §5.1.3 and ``get(_:)`` is §5.1.4 of the specification, each written down step by step. No time
/// passes in them: the virtual user's ``userDelay`` is held against the ceremony's timer.
public struct VirtualClient: Sendable {
    /// What the client puts into client data.
    @nonexhaustive
    public enum ClientDataForm: String, Hashable, Sendable, Codable, CaseIterable {
        /// What the specification says.
        case standard

        /// What a native application on iOS sends: there is no `crossOrigin`.
        case native
    }

    /// The origin of the page, as a browser spells it, such as `https://example.com`.
    public var origin: String

    /// The authenticators, in the order in which the user turns to them.
    public var authenticators: [VirtualAuthenticator]

    /// Whether the page is not in a frame of another origin.
    public var sameOriginWithAncestors = true

    /// The origin of the page around the frame, if the page is in a frame of another origin.
    public var topOrigin: String?

    /// What the client puts into client data.
    public var clientDataForm = ClientDataForm.standard

    /// How long the virtual user takes.
    public var userDelay = Duration.zero

    /// The timeouts that the client finds reasonable, in milliseconds (`#sctn-timeout-recommended-range`).
    public var timeoutRange: ClosedRange<UInt32> = 300_000...600_000

    /// The timeout where the options name none, in milliseconds.
    public var defaultTimeout: UInt32 = 300_000

    /// Whether the caller has ended the ceremony: an `AbortSignal`.
    public var isAborted: (@Sendable () -> Bool)?

    /// Who spoils what the ceremonies yield; `nil` for nobody.
    public var adversary: Adversary?

    /// Where bytes come from for authenticators that have no source of their own; `nil` for the system's source.
    public var random: VirtualRandomSource?

    /// Where the time comes from for authenticators that have no clock of their own; `nil` for the system's clock.
    public var clock: VirtualClock?

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - origin: The origin of the page, such as `https://example.com`.
    ///   - authenticators: The authenticators, in the order in which the user turns to them.
    public init(origin: String, authenticators: [VirtualAuthenticator] = [VirtualAuthenticator()]) {
        self.origin = origin
        self.authenticators = authenticators
    }

    var environment: VirtualEnvironment { VirtualEnvironment(random: random, clock: clock) }

    /// Makes a credential (`#sctn-createCredential`).
    ///
    /// - Parameter options: What the server sent.
    /// - Returns: What goes back to the server.
    /// - Throws: ``ClientError``.
    public func create(_ options: PublicKeyCredentialCreationOptions) throws(ClientError) -> RegistrationResponse {
        let made = try createCredential(options)
        guard let mutation = adversary?.mutation(of: .create) else { return made.response }
        return try spoil(made.authenticator, made.response.id, options.acceptableAlgorithms) {
            (context) throws(MutationError) in
            try mutation.applied(to: made.response, context)
        }
    }

    /// Signs in with a credential (`#sctn-getAssertion`).
    ///
    /// - Parameter options: What the server sent.
    /// - Returns: What goes back to the server.
    /// - Throws: ``ClientError``.
    public func get(_ options: PublicKeyCredentialRequestOptions) throws(ClientError) -> AuthenticationResponse {
        let made = try getCredential(options)
        guard let mutation = adversary?.mutation(of: .get) else { return made.response }
        return try spoil(made.authenticator, made.response.id, []) { (context) throws(MutationError) in
            try mutation.applied(to: made.response, context)
        }
    }

    /// Lets the adversary have what a ceremony yielded, together with the key that signed it.
    private func spoil<Response>(
        _ authenticator: VirtualAuthenticator,
        _ id: [UInt8],
        _ algorithms: [COSEAlgorithmIdentifier],
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
                    acceptableAlgorithms: algorithms,
                    counterStep: max(authenticator.options.counterStep, 1),
                    environment: authenticator.environment.completed(by: environment).forAdversary(of: id)
                )
            )
        } catch {
            throw ClientError(.unknown, .mutationNotApplicable, step: 0, error.detail)
        }
    }
}

extension VirtualClient {
    /// The host of the page, which an RP ID has to fit (`#CreateCred-DetermineRpId`, `#GetAssn-DetermineRpId`).
    ///
    /// - Parameter step: The step that refuses an opaque origin; the one after it refuses a host that is no domain.
    /// - Returns: The host.
    /// - Throws: ``ClientError``.
    func effectiveDomain(step: Int) throws(ClientError) -> String {
        guard let origin = Origin(serialized: origin), let host = origin.host else {
            throw ClientError(.notAllowed, .opaqueOrigin, step: step, "\(self.origin) is not the origin of a web page")
        }
        guard DomainName.fault(in: host) == nil else {
            throw ClientError(.security, .invalidDomain, step: step + 1, "\(host) is not a domain")
        }
        // The API is not there at all where the page is not secure; here is the next place to say so.
        guard origin.isSecure else {
            throw ClientError(.security, .invalidDomain, step: step + 1, "\(origin) is not a secure context")
        }
        return host
    }

    /// The RP ID of a ceremony.
    ///
    /// The rule for "is a registrable domain suffix of or is equal to" is simple: the RP ID is the host, or the host
    /// ends in a dot and the RP ID, and an RP ID above the host has a dot itself. So `example.com` serves
    /// `login.example.com`, and `com` serves nobody; there is no list of public suffixes that would refuse `co.uk`.
    func relyingPartyIdentifier(_ requested: String?, on host: String, step: Int) throws(ClientError) -> String {
        guard let requested else { return host }
        let isSuffix = DomainName.isEqualOrBelow(host, requested) && DomainName.fault(in: requested) == nil
        guard requested == host || (isSuffix && requested.contains(".")) else {
            throw ClientError(.security, .relyingPartyIdentifier, step: step, "\(requested) is not for \(host)")
        }
        return requested
    }

    /// The ceremony's timer in milliseconds, corrected to what is reasonable.
    func lifetimeTimer(_ timeout: UInt32?) -> UInt32 {
        guard let timeout else { return defaultTimeout }
        return min(max(timeout, timeoutRange.lowerBound), timeoutRange.upperBound)
    }

    /// The serialized client data (`#clientdatajson-serialization`).
    func clientDataJSON(type: String, challenge: Challenge) -> [UInt8] {
        ClientData.serialize(
            type: type,
            challenge: challenge.bytes,
            origin: origin,
            crossOrigin: clientDataForm == .native ? nil : !sameOriginWithAncestors,
            topOrigin: sameOriginWithAncestors ? nil : topOrigin
        )
    }

    /// Throws if the caller has ended the ceremony.
    func checkAborted(step: Int) throws(ClientError) {
        guard let isAborted, isAborted() else { return }
        throw ClientError(.abort, .aborted, step: step, "the caller ended the ceremony")
    }

    /// Whether the user takes longer than the timer runs.
    func isTooSlow(_ lifetimeTimer: UInt32) -> Bool {
        userDelay > .milliseconds(lifetimeTimer)
    }
}
