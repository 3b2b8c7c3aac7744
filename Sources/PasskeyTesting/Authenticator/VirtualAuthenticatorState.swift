import PasskeyModel
import PasskeySystem

/// A whole authenticator as a value: what it is, and all that it knows, secrets included.
///
/// With it a test begins where another one ended, or a transcript with the authenticator that it was recorded with.
public struct VirtualAuthenticatorState: Hashable, Sendable, Codable {
    /// What it is and how its user behaves.
    public var options: VirtualAuthenticatorOptions

    /// Its credentials, the newest first.
    public var credentials: [VirtualCredentialParameters]

    /// The counter that serves all credentials; `nil` until it has counted.
    public var globalCounter: UInt32?

    /// What encrypts the keys in IDs, 32 bytes; `nil` if no ID holds one yet.
    public var wrappingKey: [UInt8]?

    /// Makes a state.
    ///
    /// - Parameters:
    ///   - options: What it is and how its user behaves.
    ///   - credentials: Its credentials.
    ///   - globalCounter: The counter that serves all credentials.
    ///   - wrappingKey: What encrypts the keys in IDs, 32 bytes.
    public init(
        options: VirtualAuthenticatorOptions = .platform,
        credentials: [VirtualCredentialParameters] = [],
        globalCounter: UInt32? = nil,
        wrappingKey: [UInt8]? = nil
    ) {
        self.options = options
        self.credentials = credentials
        self.globalCounter = globalCounter
        self.wrappingKey = wrappingKey
    }
}

extension VirtualAuthenticator {
    /// Makes an authenticator as it was.
    ///
    /// - Parameters:
    ///   - state: What it was.
    ///   - random: Where its bytes come from; `nil` for what its client has, or else for the system's source.
    ///   - clock: Where its time comes from; `nil` for what its client has, or else for the system's clock.
    /// - Throws: ``CredentialImportError`` for the first credential that cannot be.
    public convenience init(
        _ state: VirtualAuthenticatorState,
        random: VirtualRandomSource? = nil,
        clock: VirtualClock? = nil
    ) throws(CredentialImportError) {
        try self.init(state, in: VirtualEnvironment(random: random, clock: clock))
    }

    convenience init(
        _ state: VirtualAuthenticatorState,
        in environment: VirtualEnvironment
    ) throws(CredentialImportError) {
        self.init(state.options, in: environment)
        try restore(state)
    }

    /// Makes the authenticator what it was, its credentials included.
    func restore(_ state: VirtualAuthenticatorState) throws(CredentialImportError) {
        options = state.options
        removeAllCredentials()
        for parameters in state.credentials.reversed() { try importCredential(parameters) }
        storage.withLock { storage in
            storage.globalCounter = state.globalCounter ?? storage.globalCounter
            storage.wrappingKey = state.wrappingKey
        }
    }

    /// All of the authenticator as a value.
    public var state: VirtualAuthenticatorState {
        let (options, globalCounter, wrappingKey) = storage.withLock { storage in
            (storage.options, storage.globalCounter, storage.wrappingKey)
        }
        return VirtualAuthenticatorState(
            options: options,
            credentials: sources.compactMap(VirtualCredentialParameters.init),
            globalCounter: globalCounter,
            wrappingKey: wrappingKey
        )
    }
}
