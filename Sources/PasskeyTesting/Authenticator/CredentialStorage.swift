import PasskeyCrypto
import PasskeyModel

/// What an authenticator remembers.
struct CredentialStorage: Sendable {
    var options: VirtualAuthenticatorOptions

    /// Credential sources by their ID: all discoverable ones, and of the others those that this object made or met.
    private(set) var byID: [[UInt8]: CredentialSource] = [:]

    /// The credentials map: the IDs of discoverable credentials.
    private(set) var discoverable: [AccountKey: [UInt8]] = [:]

    /// The IDs of credentials that were removed: one that holds its own key would come back otherwise.
    private(set) var removed: Set<[UInt8]> = []

    /// What encrypts the keys in IDs; `nil` until it is needed.
    var wrappingKey: [UInt8]?

    /// What was counted for all credentials together; `nil` until something was.
    var globalCounter: UInt32?

    /// The key of `getKeyAgreement`; `nil` until it is needed.
    var keyAgreementKey: PrivateKey?

    /// The operations that run, and those of them that were cancelled.
    private var running: Set<UInt64> = []
    private var cancelled: Set<UInt64> = []
    private var lastOperation: UInt64 = 0

    init(options: VirtualAuthenticatorOptions) {
        self.options = options
    }

    /// The credential sources of the credentials map.
    var discoverableSources: [CredentialSource] { discoverable.values.compactMap { byID[$0] } }

    /// Whether one more discoverable credential of an account finds room.
    func hasRoom(for account: AccountKey) -> Bool {
        guard let capacity = options.residentKeyCapacity else { return true }
        return discoverable[account] != nil || discoverable.count < capacity
    }

    /// Stores a source; a discoverable one in place of its account's older one.
    mutating func store(_ source: CredentialSource) {
        let id = source.credential.id
        // A random source that repeats itself makes one ID twice; the later credential counts.
        remove(id)
        removed.remove(id)
        if source.credential.isDiscoverable {
            let account = AccountKey(source.credential)
            if let older = discoverable[account] { remove(older) }
            discoverable[account] = id
        }
        byID[id] = source
    }

    /// Changes a credential.
    ///
    /// - Returns: What `change` returned; `nil` if there is no such credential.
    mutating func update<Value>(_ id: [UInt8], _ change: (inout CredentialSource) -> Value) -> Value? {
        guard var source = byID[id] else { return nil }
        defer { byID[id] = source }
        return change(&source)
    }

    @discardableResult
    mutating func remove(_ id: [UInt8]) -> CredentialSource? {
        guard let source = byID.removeValue(forKey: id) else { return nil }
        if source.credential.isDiscoverable { discoverable[AccountKey(source.credential)] = nil }
        removed.insert(id)
        return source
    }

    mutating func removeAll() {
        removed.formUnion(byID.keys)
        byID = [:]
        discoverable = [:]
    }

    /// What the registration of a credential tells.
    var counterOfNewCredential: UInt32 {
        switch options.counterMode {
        case .none, .u2f: 0
        case .perCredential: options.initialSignCount
        case .global: globalCounter ?? options.initialSignCount
        }
    }

    /// Counts one more signature, and says what it tells.
    ///
    /// At the end of 32 bits a counter wraps around, and then passes over zero.
    mutating func incrementCounter(of id: [UInt8]) -> UInt32 {
        let step = max(options.counterStep, 1)
        guard let own = byID[id]?.credential.signCount else { return 0 }
        let next: UInt32
        switch options.counterMode {
        case .global, .u2f:
            next = (globalCounter ?? options.initialSignCount).counted(by: step)
            globalCounter = next
        case .perCredential, .none:
            next = own.counted(by: step)
        }
        byID[id]?.credential.signCount = next
        return next
    }

    // MARK: Operations in progress

    mutating func beginOperation() -> UInt64 {
        lastOperation += 1
        running.insert(lastOperation)
        return lastOperation
    }

    mutating func endOperation(_ operation: UInt64) {
        running.remove(operation)
        cancelled.remove(operation)
    }

    mutating func cancelOperations() { cancelled = running }

    func isCancelled(_ operation: UInt64) -> Bool { cancelled.contains(operation) }
}

extension UInt32 {
    fileprivate func counted(by step: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(step)
        return overflow ? Swift.max(sum, 1) : sum
    }
}
