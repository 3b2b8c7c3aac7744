import PasskeyCrypto
import PasskeyModel
import PasskeySystem

/// An authenticator made of software, with real keys and real signatures (`#sctn-authenticator-model`).
///
/// Its operations are ``makeCredential(_:user:)`` (`#sctn-op-make-cred`), ``getAssertion(_:user:)``
/// (`#sctn-op-get-assertion`), ``silentCredentialDiscovery(rpID:)`` and ``cancel()``, each written down step by step. A
/// ``VirtualClient`` calls them as a browser would. It may be used from several threads at once.
public final class VirtualAuthenticator: Sendable {
    let storage: Lock<CredentialStorage>
    let environment: VirtualEnvironment

    /// Makes an authenticator without credentials.
    ///
    /// - Parameters:
    ///   - options: What it is and how its user behaves.
    ///   - random: Where its bytes come from; `nil` for what its client has, or else for the system's source.
    ///   - clock: Where its time comes from; `nil` for what its client has, or else for the system's clock.
    public convenience init(
        _ options: VirtualAuthenticatorOptions = .platform,
        random: VirtualRandomSource? = nil,
        clock: VirtualClock? = nil
    ) {
        self.init(options, in: VirtualEnvironment(random: random, clock: clock))
    }

    init(_ options: VirtualAuthenticatorOptions, in environment: VirtualEnvironment) {
        storage = Lock(CredentialStorage(options: options))
        self.environment = environment
    }

    /// What it is and how its user behaves.
    ///
    /// A change counts from the next operation on.
    public var options: VirtualAuthenticatorOptions {
        get { storage.withLock { $0.options } }
        set { storage.withLock { $0.options = newValue } }
    }

    /// Its credentials, the newest first, and those that are hidden among them.
    ///
    /// Of the credentials whose IDs hold their keys, those that this object made or used are here.
    public var credentials: [VirtualCredential] { sources.map(\.credential) }

    /// Its credentials with their keys, the newest first.
    var sources: [CredentialSource] {
        storage.withLock { Array($0.byID.values) }.sorted { Self.isNewer($0.credential, $1.credential) }
    }

    /// Removes a credential.
    ///
    /// - Parameter id: The credential's ID.
    /// - Returns: The credential, or `nil` if there was none.
    @discardableResult
    public func removeCredential(_ id: [UInt8]) -> VirtualCredential? {
        storage.withLock { $0.remove(id) }?.credential
    }

    /// Removes all credentials.
    public func removeAllCredentials() {
        storage.withLock { $0.removeAll() }
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
        storage.withLock { storage in
            let isChanged: Void? = storage.update(id) { source in
                source.credential.backupEligibility = backupEligibility ?? source.credential.backupEligibility
                source.credential.backupState = backupState ?? source.credential.backupState
                source.credential.signCount = signCount ?? source.credential.signCount
            }
            return isChanged != nil
        }
    }

    /// Ends the operations that run (`#sctn-op-cancel`).
    ///
    /// An operation that waits for its user fails with ``AuthenticatorError/Reason/cancelled``; one whose user has
    /// answered already goes on.
    public func cancel() {
        storage.withLock { $0.cancelOperations() }
    }

    /// Looks up a credential source by its ID (`#sctn-op-lookup-credsource-by-credid`).
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - relyingPartyIdentifier: The RP ID that it must be for.
    /// - Returns: The source; `nil` if there is none.
    func source(_ id: [UInt8], for relyingPartyIdentifier: String) -> CredentialSource? {
        let (stored, wrappingKey) = storage.withLock { storage in
            (storage.byID[id], storage.removed.contains(id) ? nil : storage.wrappingKey)
        }
        if let stored {
            return stored.credential.relyingPartyIdentifier.hasSameBytes(as: relyingPartyIdentifier) ? stored : nil
        }
        guard let wrappingKey,
            let wrapped = WrappedCredential(id, for: relyingPartyIdentifier, with: wrappingKey),
            let source = try? wrapped.source(
                id: id,
                relyingPartyIdentifier: relyingPartyIdentifier,
                environment.clock
            )
        else { return nil }
        storage.withLock { $0.store(source) }
        return source
    }

    /// The credential source of an ID that this object made or used, for the adversary.
    func source(_ id: [UInt8]) -> CredentialSource? {
        storage.withLock { $0.byID[id] }
    }

    /// The order in which credentials are offered: as CTAP has it, the newest first; the ID settles a tie.
    static func isNewer(_ first: VirtualCredential, _ second: VirtualCredential) -> Bool {
        guard first.createdAt == second.createdAt else { return first.createdAt > second.createdAt }
        return first.id.lexicographicallyPrecedes(second.id)
    }
}
