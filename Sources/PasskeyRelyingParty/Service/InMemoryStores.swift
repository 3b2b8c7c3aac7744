public import PasskeyModel

/// A credential store in memory: for tests, and for servers whose users may be lost with the process.
public actor InMemoryCredentialStore: CredentialStore {
    private var credentials: [[UInt8]: StoredCredential] = [:]
    private var order: [UserHandle: [[UInt8]]] = [:]

    /// Makes an empty store.
    public init() {}

    /// Keeps a new credential.
    ///
    /// - Parameter credential: The credential.
    /// - Throws: ``StoreError`` with ``StoreError/Code/duplicate``.
    public func insert(_ credential: StoredCredential) async throws(StoreError) {
        guard credentials[credential.id] == nil else {
            throw StoreError(.duplicate, "the credential is registered already")
        }
        credentials[credential.id] = credential
        order[credential.record.userHandle, default: []].append(credential.id)
    }

    /// The credential with an identifier.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: The credential; `nil` if there is none.
    public func credential(_ id: [UInt8]) -> StoredCredential? { credentials[id] }

    /// The credentials of a user, the oldest first.
    ///
    /// - Parameter userHandle: The user.
    /// - Returns: The credentials.
    public func credentials(of userHandle: UserHandle) -> [StoredCredential] {
        (order[userHandle] ?? []).compactMap { credentials[$0] }
    }

    /// Replaces a record after a sign-in, if nobody has moved its counter meanwhile.
    ///
    /// - Parameters:
    ///   - record: The new record.
    ///   - signCount: The counter that the stored record must still have.
    /// - Returns: Whether it was replaced.
    public func update(_ record: CredentialRecord, ifSignCountIs signCount: UInt32) -> Bool {
        guard let stored = owned(record.id, record.userHandle), stored.record.signCount == signCount else {
            return false
        }
        credentials[record.id]?.record = record
        return true
    }

    /// Gives a credential another name.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - userHandle: The user, who must own it.
    ///   - name: The name.
    /// - Returns: Whether there was such a credential.
    public func rename(_ id: [UInt8], of userHandle: UserHandle, to name: String) -> Bool {
        guard owned(id, userHandle) != nil else { return false }
        credentials[id]?.name = name
        return true
    }

    /// Removes a credential.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - userHandle: The user, who must own it.
    /// - Returns: Whether there was such a credential.
    public func remove(_ id: [UInt8], of userHandle: UserHandle) -> Bool {
        guard owned(id, userHandle) != nil else { return false }
        credentials[id] = nil
        order[userHandle]?.removeAll { $0 == id }
        if order[userHandle]?.isEmpty == true { order[userHandle] = nil }
        return true
    }

    private func owned(_ id: [UInt8], _ userHandle: UserHandle) -> StoredCredential? {
        guard let stored = credentials[id], stored.record.userHandle == userHandle else { return nil }
        return stored
    }
}

/// A ceremony store in memory: for one process, whose ceremonies are lost with it.
public actor InMemoryCeremonyStore: CeremonyStore {
    private var entries: [[UInt8]: CeremonyEntry] = [:]
    private let capacity: Int
    private let clock: @Sendable () -> Timestamp

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - capacity: How many ceremonies may be in flight; beyond that none begins.
    ///   - clock: Where the time comes from; `nil` for the system's clock.
    public init(capacity: Int = 100_000, clock: (@Sendable () -> Timestamp)? = nil) {
        self.capacity = capacity
        self.clock = clock ?? Timestamp.now
    }

    /// Keeps a ceremony.
    ///
    /// - Parameter entry: The ceremony.
    /// - Returns: What names it.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` if there are too many.
    public func put(_ entry: CeremonyEntry) async throws(StoreError) -> String {
        if entries.count >= capacity { removeExpired() }
        guard entries.count < capacity else {
            throw StoreError(.unavailable, "there are \(entries.count) ceremonies in flight")
        }
        let token = try CeremonyToken()
        entries[token.hash] = entry
        return token.text
    }

    /// Takes a ceremony out.
    ///
    /// - Parameter token: What names it.
    /// - Returns: The ceremony; `nil` if it is not known, or was taken before.
    public func take(_ token: String) -> CeremonyEntry? {
        CeremonyToken(token).flatMap { entries.removeValue(forKey: $0.hash) }
    }

    private func removeExpired() {
        let now = clock()
        entries = entries.filter { $0.value.expiresAt > now }
    }
}
