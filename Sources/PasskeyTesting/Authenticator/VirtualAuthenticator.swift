import PasskeyCrypto
import PasskeyModel
import PasskeySystem

/// An authenticator made of software, with real keys and real signatures (`#sctn-authenticator-model`).
///
/// Its two operations are ``makeCredential(_:)`` (`#sctn-op-make-cred`) and ``getAssertion(_:)``
/// (`#sctn-op-get-assertion`), each written down step by step. A ``VirtualClient`` calls them as a browser would.
/// It may be used from several threads at once.
public final class VirtualAuthenticator: Sendable {
    struct State: Sendable {
        var options: VirtualAuthenticatorOptions

        /// All credential sources by their ID.
        ///
        /// A device without storage would wrap the key of one that is not discoverable into the ID.
        private(set) var byID: [[UInt8]: CredentialSource] = [:]

        /// The credentials map: the IDs of discoverable credentials.
        private(set) var discoverable: [AccountKey: [UInt8]] = [:]

        var globalCounter: UInt32 = 0

        /// Looks up a credential source by its ID (`#sctn-op-lookup-credsource-by-credid`).
        func source(_ id: [UInt8]) -> CredentialSource? { byID[id] }

        /// The credential sources of the credentials map.
        var discoverableSources: [CredentialSource] { discoverable.values.compactMap { byID[$0] } }

        /// Stores a source; a discoverable one in place of its account's older one.
        mutating func store(_ source: CredentialSource) {
            let id = source.credential.id
            // A random source that repeats itself makes one ID twice; the later credential counts.
            remove(id)
            if source.credential.isDiscoverable {
                let account = AccountKey(source.credential)
                if let older = discoverable[account] { remove(older) }
                discoverable[account] = id
            }
            byID[id] = source
        }

        @discardableResult
        mutating func remove(_ id: [UInt8]) -> CredentialSource? {
            guard let source = byID.removeValue(forKey: id) else { return nil }
            if source.credential.isDiscoverable { discoverable[AccountKey(source.credential)] = nil }
            return source
        }

        mutating func removeAll() {
            byID = [:]
            discoverable = [:]
        }
    }

    let state: Lock<State>
    let environment: VirtualEnvironment

    /// Makes an authenticator without credentials.
    ///
    /// - Parameters:
    ///   - options: What it is and how its user behaves.
    ///   - random: Where its bytes come from; `nil` for what its client has, or else for the system's source.
    ///   - clock: Where its time comes from; `nil` for what its client has, or else for the system's clock.
    public init(
        _ options: VirtualAuthenticatorOptions = .platform,
        random: VirtualRandomSource? = nil,
        clock: VirtualClock? = nil
    ) {
        state = Lock(State(options: options))
        environment = VirtualEnvironment(random: random, clock: clock)
    }

    /// What it is and how its user behaves.
    ///
    /// A change counts from the next operation on.
    public var options: VirtualAuthenticatorOptions {
        get { state.withLock { $0.options } }
        set { state.withLock { $0.options = newValue } }
    }

    /// Its credentials, the newest first.
    public var credentials: [VirtualCredential] { sources.map(\.credential) }

    /// Its credentials with their keys, the newest first.
    var sources: [CredentialSource] {
        state.withLock { Array($0.byID.values) }.sorted { VirtualAuthenticator.isNewer($0.credential, $1.credential) }
    }

    /// Removes a credential.
    ///
    /// - Parameter id: The credential's ID.
    /// - Returns: The credential, or `nil` if there was none.
    @discardableResult
    public func removeCredential(_ id: [UInt8]) -> VirtualCredential? {
        state.withLock { $0.remove(id) }?.credential
    }

    /// Removes all credentials.
    public func removeAllCredentials() {
        state.withLock { $0.removeAll() }
    }

    /// Changes what a credential says of itself (`#sctn-automation-set-credential-properties`).
    ///
    /// - Parameters:
    ///   - id: The credential's ID.
    ///   - backupEligibility: Whether it may be copied to other devices; `nil` for no change.
    ///   - backupState: Whether it is backed up; `nil` for no change.
    ///   - signCount: The counter of its last use; `nil` for no change.
    /// - Returns: Whether there is such a credential.
    @discardableResult
    public func setCredentialProperties(
        _ id: [UInt8],
        backupEligibility: Bool? = nil,
        backupState: Bool? = nil,
        signCount: UInt32? = nil
    ) -> Bool {
        state.withLock { state in
            guard var source = state.source(id) else { return false }
            source.credential.backupEligibility = backupEligibility ?? source.credential.backupEligibility
            source.credential.backupState = backupState ?? source.credential.backupState
            source.credential.signCount = signCount ?? source.credential.signCount
            state.store(source)
            return true
        }
    }

    /// The credential source of an ID, for the adversary.
    func source(_ id: [UInt8]) -> CredentialSource? {
        state.withLock { $0.source(id) }
    }

    /// The order in which credentials are offered: as CTAP has it, the newest first; the ID settles a tie.
    static func isNewer(_ first: VirtualCredential, _ second: VirtualCredential) -> Bool {
        guard first.createdAt == second.createdAt else { return first.createdAt > second.createdAt }
        return first.id.lexicographicallyPrecedes(second.id)
    }
}
