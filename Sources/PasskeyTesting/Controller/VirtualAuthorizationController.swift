public import PasskeyAuthorization
import PasskeyModel
import PasskeySystem
import PasskeyWire

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A controller whose authenticators are virtual: no device, no dialog, and real credentials.
///
/// It answers every kind of request: platform requests by its platform authenticators and by devices nearby, security-key
/// requests by its security keys, and passwords, Apple IDs and web sessions by what it is given for them. An application
/// that takes an ``AuthorizationController`` takes this one in a test:
///
/// ```swift
/// let controller = VirtualAuthorizationController()
/// let provider = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
/// let passkey = try await controller.perform(
///     provider.createCredentialRegistrationRequest(challenge: challenge, name: "ada@example.com", userID: userID))
/// controller.next(.authorize, fails: .cancelled)
/// ```
///
/// A ceremony takes no time unless it is told to. It may be used from several threads at once.
public final class VirtualAuthorizationController: AuthorizationController {
    /// How a ceremony goes.
    public typealias Outcome = CeremonyOutcome

    struct State: Sendable {
        var world: VirtualWorld
        var standing: [AuthorizationOperation: CeremonyOutcome] = [:]
        var outcomes: [AuthorizationOperation: [CeremonyOutcome]] = [:]
        var pending: PendingCeremony?
        var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    }

    let state: Lock<State>

    /// What every ceremony was asked, what was decided in it, and what it gave.
    public let journal: CeremonyJournal

    /// Makes a controller.
    ///
    /// - Parameters:
    ///   - authenticators: The authenticators, in the order in which the user turns to them.
    ///   - random: Where bytes come from for authenticators that have no source of their own; `nil` for the system's
    ///     source.
    ///   - clock: Where the time comes from for authenticators that have no clock of their own, and for the journal; `nil`
    ///     for the system's clock.
    public init(
        authenticators: [VirtualAuthenticator] = [VirtualAuthenticator(.platform), VirtualAuthenticator(.securityKey)],
        random: VirtualRandomSource? = nil,
        clock: VirtualClock? = nil
    ) {
        let environment = VirtualEnvironment(random: random, clock: clock)
        state = Lock(State(world: VirtualWorld(authenticators: authenticators, environment: environment)))
        journal = CeremonyJournal(clock: clock)
    }

    // MARK: The device

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

    /// Which client it is: what goes into client data, what it can do, and the codes of its errors.
    ///
    /// ``ClientProfile/iOSApplication`` is an application on an iPhone.
    public var clientProfile: ClientProfile {
        get { state.withLock { $0.world.clientProfile } }
        set { state.withLock { $0.world.clientProfile = newValue } }
    }

    /// What goes into client data: ``ClientProfile/clientDataForm`` of the client.
    public var clientDataForm: VirtualClient.ClientDataForm {
        get { clientProfile.clientDataForm }
        set { state.withLock { $0.world.clientProfile.clientDataForm = newValue } }
    }

    /// Passwords of the device.
    ///
    /// One whose name is a registration's is why a conditional registration is agreed to.
    public var passwords: [PasswordCredential] {
        get { state.withLock { $0.world.passwords } }
        set { state.withLock { $0.world.passwords = newValue } }
    }

    /// Who answers requests to sign in with Apple; without one they are not supported.
    public var appleID: (any AppleIDIssuer)? {
        get { state.withLock { $0.world.appleID } }
        set { state.withLock { $0.world.appleID = newValue } }
    }

    /// Who answers requests for a web session; without one they are not supported.
    public var userAgent: (any WebUserAgent)? {
        get { state.withLock { $0.world.userAgent } }
        set { state.withLock { $0.world.userAgent = newValue } }
    }

    // MARK: The user

    /// Who sits before the authenticators.
    public var user: VirtualUser {
        get { state.withLock { $0.world.user } }
        set { state.withLock { $0.world.user = newValue } }
    }

    /// Chooses from what a dialog offers: a place in the list, or `nil` to dismiss the dialog; the first without a choice.
    ///
    /// Where what was chosen had no credential, it is asked again with the rest. It may be called from any thread.
    public var chooses: @Sendable (_ offered: [VirtualCandidate]) -> Int? {
        get { state.withLock { $0.world.chooses } }
        set { state.withLock { $0.world.chooses = newValue } }
    }

    /// What the user fills in when an account is made.
    public var contact: VirtualContact {
        get { state.withLock { $0.world.contact } }
        set { state.withLock { $0.world.contact = newValue } }
    }

    /// Whether the user signed in just now by other means than one of the ``passwords``, which a conditional registration
    /// needs.
    public var hasRecentAuthentication: Bool {
        get { state.withLock { $0.world.hasRecentAuthentication } }
        set { state.withLock { $0.world.hasRecentAuthentication = newValue } }
    }

    // MARK: The test

    /// Who spoils what the ceremonies yield; `nil` for nobody.
    public var adversary: Adversary? {
        get { state.withLock { $0.world.adversary } }
        set { state.withLock { $0.world.adversary = newValue } }
    }

    /// How delays and timeouts pass: a clock of the test's own, or none.
    public var sleep: @Sendable (Duration) async throws -> Void {
        get { state.withLock { $0.sleep } }
        set { state.withLock { $0.sleep = newValue } }
    }

    /// How ceremonies go that no one-shot outcome is for, by kind; success without an entry.
    public var standing: [AuthorizationOperation: CeremonyOutcome] {
        get { state.withLock { $0.standing } }
        set { state.withLock { $0.standing = newValue } }
    }

    /// Says how the next ceremony of a kind goes.
    ///
    /// Outcomes queue up. Each is used once; afterwards ``standing`` counts again.
    ///
    /// - Parameters:
    ///   - operation: The kind of ceremony.
    ///   - outcome: How it goes.
    public func next(_ operation: AuthorizationOperation, _ outcome: CeremonyOutcome) {
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

    /// Forgets the outcomes that were said and not used yet.
    public func clearOutcomes() {
        state.withLock { $0.outcomes = [:] }
    }

    /// Whether a ceremony waits: one that hangs or is delayed, or one that waits for the user to pick from autofill.
    public var isWaiting: Bool {
        state.withLock { $0.pending != nil }
    }

    /// Has the virtual user pick a suggestion of the text field that a ceremony with autofill waits for.
    ///
    /// Where nothing is suggested, the ceremony fails with ``AuthorizationErrorType/noCredentialsAvailable``.
    ///
    /// - Parameter credentialID: The credential; `nil` for the first that is suggested.
    /// - Returns: Whether a ceremony waited.
    @discardableResult
    public func pickFromAutoFill(_ credentialID: Data? = nil) -> Bool {
        guard let ceremony = state.withLock({ $0.pending }), ceremony.isPickable else { return false }
        return ceremony.proceed(in: ceremony.phase, picking: credentialID)
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
        where authenticator.source(id)?.credential.relyingPartyIdentifier.hasSameBytes(as: relyingPartyID) == true {
            return authenticator.removeCredential(id)
        }
        return nil
    }

    /// Removes all credentials from all authenticators; passwords stay.
    public func clearAllCredentials() {
        for authenticator in authenticators { authenticator.removeAllCredentials() }
    }

    // MARK: AuthorizationController

    /// Makes a passkey.
    ///
    /// - Parameter requests: Registration requests and such for accounts; the user chooses one of them.
    /// - Returns: A ``PasskeyRegistrationCredential`` or an ``AuthorizationAccountCreationPlatformPublicKeyCredential``,
    ///   and its request's provider.
    /// - Throws: ``AuthorizationError``.
    public func create(requests: [any AuthorizationRequest]) async throws(AuthorizationError) -> AuthorizationResult {
        try await run(.create, requests) { (world) throws(AuthorizationError) in try world.creationOffers(requests) }
    }

    /// Signs in.
    ///
    /// - Parameters:
    ///   - requests: Any but registrations; the user chooses from what they offer together.
    ///   - preferImmediatelyAvailableCredentials: Whether only what is on this device counts. Where nothing is, the
    ///     ceremony fails with ``AuthorizationErrorType/noCredentialsAvailable``, and nobody is asked.
    /// - Returns: The credential, and its request's provider.
    /// - Throws: ``AuthorizationError``.
    public func authorize(
        requests: [any AuthorizationRequest],
        preferImmediatelyAvailableCredentials: Bool
    ) async throws(AuthorizationError) -> AuthorizationResult {
        try await run(.authorize, requests) { (world) throws(AuthorizationError) in
            try world.signInOffers(requests, isLocal: preferImmediatelyAvailableCredentials)
        }
    }

    /// Signs in with a passkey that the virtual user picks from a text field's suggestions.
    ///
    /// It waits for ``pickFromAutoFill(_:)``, however long its request's timeout is.
    ///
    /// - Parameter requests: Assertion requests for platform passkeys.
    /// - Returns: A ``PasskeyAssertionCredential``, and its request's provider.
    /// - Throws: ``AuthorizationError``.
    public func authorizeWithAutoFill(
        requests: [any AuthorizationRequest]
    ) async throws(AuthorizationError) -> AuthorizationResult {
        try await run(.authorizeWithAutoFill, requests) { (world) throws(AuthorizationError) in
            try world.autoFillOffers(requests)
        }
    }

    /// Ends the ceremony in flight, if there is one.
    public func cancel() async {
        state.withLock { $0.pending }?.end(.cancelled("the ceremony was cancelled"))
    }
}

extension VirtualAuthorizationController {
    /// The client that hands on a signal.
    func signallingClient(for relyingPartyIdentifier: String) throws(AuthorizationError) -> VirtualClient {
        try state.withLock { $0.world }.signallingClient(for: relyingPartyIdentifier)
    }

    func forgetPassword(of user: String) {
        state.withLock { $0.world.passwords.removeAll { $0.user.hasSameBytes(as: user) } }
    }
}
