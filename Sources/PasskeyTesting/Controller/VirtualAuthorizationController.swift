public import PasskeyAuthorization
import PasskeySystem

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A controller whose authenticators are virtual: no device, no dialog, and real credentials.
///
/// It answers passkey requests of both kinds: platform requests by its platform authenticators, security-key requests by
/// its roaming ones. An application that takes an ``AuthorizationController`` takes this one in a test:
///
/// ```swift
/// let controller = VirtualAuthorizationController()
/// let provider = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
/// let passkey = try await controller.perform(
///     provider.createCredentialRegistrationRequest(challenge: challenge, name: "ada@example.com", userID: userID))
/// controller.next(.authorize, fails: .cancelled)
/// ```
///
/// A ceremony takes no time unless it is told to hang. It may be used from several threads at once.
public final class VirtualAuthorizationController: AuthorizationController {
    /// How a ceremony goes.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable {
        /// As the authenticators decide.
        case succeeds

        /// It fails, and the authenticators are not asked.
        case fails(AuthorizationErrorType)

        /// Nothing happens until it is cancelled, another ceremony begins, or its request's timeout is over.
        case hangs
    }

    private struct State: Sendable {
        var world: VirtualWorld
        var outcomes: [AuthorizationOperation: [Outcome]] = [:]
        var pending: PendingCeremony?
    }

    private let state: Lock<State>

    /// Makes a controller.
    ///
    /// - Parameters:
    ///   - authenticators: The authenticators, in the order in which the user turns to them.
    ///   - random: Where bytes come from for authenticators that have no source of their own; `nil` for the system's
    ///     source.
    ///   - clock: Where the time comes from for authenticators that have no clock of their own; `nil` for the system's
    ///     clock.
    public init(
        authenticators: [VirtualAuthenticator] = [VirtualAuthenticator(.platform), VirtualAuthenticator(.securityKey)],
        random: VirtualRandomSource? = nil,
        clock: VirtualClock? = nil
    ) {
        let environment = VirtualEnvironment(random: random, clock: clock)
        state = Lock(State(world: VirtualWorld(authenticators: authenticators, environment: environment)))
    }

    /// The authenticators, in the order in which the user turns to them.
    public var authenticators: [VirtualAuthenticator] {
        get { state.withLock { $0.world.authenticators } }
        set { state.withLock { $0.world.authenticators = newValue } }
    }

    /// The RP IDs that the application may use; `nil` for all.
    ///
    /// A request for another one fails with ``AuthorizationErrorType/domainNotAssociated``.
    public var associatedDomains: Set<String>? {
        get { state.withLock { $0.world.associatedDomains } }
        set { state.withLock { $0.world.associatedDomains = newValue } }
    }

    /// The origin that goes into client data, by RP ID: `https://` and the RP ID unless told otherwise.
    public var origin: @Sendable (_ relyingPartyIdentifier: String) -> String {
        get { state.withLock { $0.world.origin } }
        set { state.withLock { $0.world.origin = newValue } }
    }

    /// What goes into client data.
    public var clientDataForm: VirtualClient.ClientDataForm {
        get { state.withLock { $0.world.clientDataForm } }
        set { state.withLock { $0.world.clientDataForm = newValue } }
    }

    /// Who spoils what the ceremonies yield; `nil` for nobody.
    public var adversary: Adversary? {
        get { state.withLock { $0.world.adversary } }
        set { state.withLock { $0.world.adversary = newValue } }
    }

    /// Says how the next ceremony of a kind goes.
    ///
    /// Outcomes queue up. Each is used once; afterwards ceremonies go as the authenticators decide.
    ///
    /// - Parameters:
    ///   - operation: The kind of ceremony.
    ///   - outcome: How it goes.
    public func next(_ operation: AuthorizationOperation, _ outcome: Outcome) {
        state.withLock { $0.outcomes[operation, default: []].append(outcome) }
    }

    /// Says that the next ceremony of a kind fails.
    ///
    /// - Parameters:
    ///   - operation: The kind of ceremony.
    ///   - type: What it fails with.
    public func next(_ operation: AuthorizationOperation, fails type: AuthorizationErrorType) {
        next(operation, .fails(type))
    }

    /// Whether a ceremony waits: one that hangs, or one that waits for the user to pick from autofill.
    public var isWaiting: Bool {
        state.withLock { $0.pending != nil }
    }

    /// Has the virtual user pick a suggestion of the text field that a ceremony with autofill waits for.
    ///
    /// - Returns: Whether a ceremony waited.
    @discardableResult
    public func pickFromAutoFill() -> Bool {
        guard let ceremony = state.withLock({ $0.pending }), ceremony.isPickable else { return false }
        return ceremony.end(.proceeds)
    }

    /// Removes a credential from whichever authenticator has it.
    ///
    /// - Parameters:
    ///   - relyingPartyID: The RP ID that it is for.
    ///   - credentialID: The credential's ID.
    /// - Returns: The credential, or `nil` if there was none.
    @discardableResult
    public func removeCredential(relyingPartyID: String, credentialID: Data) -> VirtualCredential? {
        let id = [UInt8](credentialID)
        for authenticator in authenticators
        where authenticator.source(id)?.credential.relyingPartyIdentifier == relyingPartyID {
            return authenticator.removeCredential(id)
        }
        return nil
    }

    /// Makes a passkey.
    ///
    /// - Parameter requests: Registration requests; the first that an authenticator can fulfil is fulfilled.
    /// - Returns: A ``PasskeyRegistrationCredential``, and its request's provider.
    /// - Throws: ``AuthorizationError``.
    public func create(requests: [any AuthorizationRequest]) async throws(AuthorizationError) -> AuthorizationResult {
        try await run(.create, requests, waits: false) { (request, world) throws(AuthorizationError) in
            try world.registration(request)
        }
    }

    /// Signs in with a passkey.
    ///
    /// - Parameters:
    ///   - requests: Assertion requests; the first that an authenticator can fulfil is fulfilled.
    ///   - preferImmediatelyAvailableCredentials: Whether to leave roaming authenticators alone. No dialog is shown
    ///     either way, so having no credential is ``AuthorizationErrorType/noCredentialsAvailable`` at once.
    /// - Returns: A ``PasskeyAssertionCredential``, and its request's provider.
    /// - Throws: ``AuthorizationError``.
    public func authorize(
        requests: [any AuthorizationRequest],
        preferImmediatelyAvailableCredentials: Bool
    ) async throws(AuthorizationError) -> AuthorizationResult {
        try await run(.authorize, requests, waits: false) { (request, world) throws(AuthorizationError) in
            try world.assertion(request, isLocal: preferImmediatelyAvailableCredentials)
        }
    }

    /// Signs in with a passkey that the virtual user picks from a text field's suggestions.
    ///
    /// It waits for ``pickFromAutoFill()``, however long its request's timeout is.
    ///
    /// - Parameter requests: Assertion requests; the first that an authenticator can fulfil is fulfilled.
    /// - Returns: A ``PasskeyAssertionCredential``, and its request's provider.
    /// - Throws: ``AuthorizationError``.
    public func authorizeWithAutoFill(
        requests: [any AuthorizationRequest]
    ) async throws(AuthorizationError) -> AuthorizationResult {
        try await run(.authorizeWithAutoFill, requests, waits: true) { (request, world) throws(AuthorizationError) in
            try world.assertion(request, isLocal: true)
        }
    }

    /// Ends the ceremony in flight, if there is one.
    public func cancel() async {
        state.withLock { $0.pending }?.end(.cancelled)
    }
}

extension VirtualAuthorizationController {
    /// Runs one ceremony from its beginning to its end.
    private func run(
        _ operation: AuthorizationOperation,
        _ requests: [any AuthorizationRequest],
        waits: Bool,
        _ fulfil: (any AuthorizationRequest, VirtualWorld) throws(AuthorizationError) -> any AuthorizationCredential
    ) async throws(AuthorizationError) -> AuthorizationResult {
        let (ceremony, outcome, superseded) = state.withLock { state in
            let outcome = state.outcomes[operation]?.popFirst() ?? .succeeds
            let ceremony = PendingCeremony(isPickable: waits && outcome == .succeeds)
            let superseded = state.pending
            state.pending = ceremony
            return (ceremony, outcome, superseded)
        }
        superseded?.end(.cancelled)
        defer { state.withLock { if $0.pending === ceremony { $0.pending = nil } } }

        guard !Task.isCancelled else { throw .cancelled("the task was cancelled") }
        switch outcome {
        case .fails(let type):
            throw AuthorizationError(type: type, message: "as the test says")
        case .hangs:
            // A ceremony with autofill has no timeout.
            try await wait(ceremony, timeout: waits ? nil : requests.compactMap(\.timeoutIfAny).min())
        case .succeeds:
            if waits {
                try await wait(ceremony, timeout: nil)
            } else if !ceremony.end(.proceeds) {
                throw .cancelled("the ceremony was cancelled")
            }
        }

        // From here on nothing is awaited: the ceremony is no longer in flight, and nobody ends it any more.
        let world = state.withLock { state -> VirtualWorld? in
            guard state.pending === ceremony else { return nil }
            state.pending = nil
            return state.world
        }
        guard let world else { throw .cancelled("another ceremony began") }
        var refusal = AuthorizationError(type: .functionNotSupported, message: "nothing was requested")
        for (index, request) in requests.enumerated() {
            do throws(AuthorizationError) {
                return AuthorizationResult(provider: request.provider, credential: try fulfil(request, world))
            } catch {
                // The first refusal counts; but only where nobody could be asked is there a point in asking further.
                if index == 0 { refusal = error }
                guard error.type == .noCredentialsAvailable || error.type == .deviceNotConfigured else { throw error }
            }
        }
        throw refusal
    }

    /// Waits until the virtual user acts.
    private func wait(_ ceremony: PendingCeremony, timeout: Duration?) async throws(AuthorizationError) {
        let timer = timeout.map { timeout in
            Task {
                try await Task.sleep(for: timeout)
                ceremony.end(.timedOut)
            }
        }
        defer { timer?.cancel() }
        switch await ceremony.wait() {
        case .proceeds: break
        case .cancelled: throw .cancelled("the ceremony was cancelled")
        case .timedOut: throw AuthorizationError(type: .timedOut, message: "the request's timeout is over")
        }
    }
}

extension Array {
    /// Removes and returns the first element, if there is one.
    fileprivate mutating func popFirst() -> Element? {
        isEmpty ? nil : removeFirst()
    }
}
