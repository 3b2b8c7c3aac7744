import PasskeyCrypto
public import PasskeyModel
import PasskeyWire

/// The server half, ready-made: ceremonies are begun and finished once, records are looked up, kept and updated.
///
/// ```swift
/// let service = try PasskeyService(relyingParty, credentials: store, ceremonies: ceremonies)
/// let begun = try await service.beginRegistration(for: user, session: sessionID)
/// send(begun.options.jsonBytes(), begun.token)
/// // … and when the response comes
/// let passkey = try await service.finishRegistration(response, token: token, session: sessionID)
/// ```
///
/// `session` ties a ceremony to the browser that began it: pass the same secret to both halves, such as the value of a
/// cookie that is set before anybody has signed in. Without it, whoever can have a victim's browser send a request may
/// have it finish a ceremony of another (§13.4.9).
public struct PasskeyService: Sendable {
    /// Who verifies.
    public let relyingParty: RelyingParty

    /// Where records are.
    public let credentials: any CredentialStore

    /// Where ceremonies are.
    public let ceremonies: any CeremonyStore

    /// What decoys are made of.
    let decoyKey: [UInt8]

    let clock: @Sendable () -> Timestamp
    let events: @Sendable (PasskeyEvent) -> Void

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - relyingParty: Who verifies.
    ///   - credentials: Where records are.
    ///   - ceremonies: Where ceremonies are.
    ///   - decoyKey: 32 secret bytes, the same on all machines and for good, of which the credentials of unknown users
    ///     are made; `nil` for random ones, which are others after each start.
    ///   - clock: Where the time comes from; `nil` for the system's clock.
    ///   - events: Is told what happens; it must not block.
    /// - Throws: ``ModelError`` if the key has another length.
    public init(
        _ relyingParty: RelyingParty,
        credentials: any CredentialStore,
        ceremonies: any CeremonyStore,
        decoyKey: [UInt8]? = nil,
        clock: (@Sendable () -> Timestamp)? = nil,
        events: @escaping @Sendable (PasskeyEvent) -> Void = { _ in }
    ) throws(ModelError) {
        let key = decoyKey ?? SealingKeys.randomKey()
        guard key.count == 32 else {
            throw ModelError(.outOfRange, at: "decoyKey", "a decoy key has 32 bytes, not \(key.count)")
        }
        self.relyingParty = relyingParty
        self.credentials = credentials
        self.ceremonies = ceremonies
        self.decoyKey = key
        self.clock = clock ?? Timestamp.now
        self.events = events
    }
}

/// The first half of a registration.
public struct BegunRegistration: Hashable, Sendable {
    /// What goes to the browser, as the member `publicKey`.
    public let options: PublicKeyCredentialCreationOptions

    /// What goes to the browser beside it.
    public let mediation: CredentialMediationRequirement

    /// What names the ceremony; it comes back with the response, or stays in the session.
    public let token: String

    /// The argument of `navigator.credentials.create()` in JSON, with the token beside it.
    public var json: JSONValue { Self.json(options.json, mediation, token) }

    static func json(_ options: JSONValue, _ mediation: CredentialMediationRequirement, _ token: String) -> JSONValue {
        var writer = JSONObjectWriter()
        writer.write("publicKey", options)
        if mediation != .optional { writer.write("mediation", mediation.rawValue) }
        writer.write("token", token)
        return writer.json
    }
}

/// The first half of a sign-in.
public struct BegunAuthentication: Hashable, Sendable {
    /// What goes to the browser, as the member `publicKey`.
    public let options: PublicKeyCredentialRequestOptions

    /// What goes to the browser beside it.
    public let mediation: CredentialMediationRequirement

    /// What names the ceremony; it comes back with the response, or stays in the session.
    public let token: String

    /// The argument of `navigator.credentials.get()` in JSON, with the token beside it.
    public var json: JSONValue { BegunRegistration.json(options.json, mediation, token) }
}

// MARK: Ceremonies

extension PasskeyService {
    /// Keeps a ceremony.
    func put(
        _ purpose: CeremonyEntry.Purpose,
        _ content: [UInt8],
        _ session: [UInt8]?,
        until expiresAt: Timestamp
    ) async throws(PasskeyServiceError) -> String {
        let session = try session.map(hash)
        let entry = CeremonyEntry(purpose: purpose, content: content, session: session, expiresAt: expiresAt)
        return try await store { () async throws(StoreError) in try await ceremonies.put(entry) }
    }

    /// Takes a ceremony, which is over with that, whatever comes of it.
    func take<Ceremony: JSONRepresentable>(
        _ token: String,
        _ purpose: CeremonyEntry.Purpose,
        _ session: [UInt8]?,
        as type: Ceremony.Type
    ) async throws(PasskeyServiceError) -> Ceremony {
        let entry = try await store { () async throws(StoreError) in try await ceremonies.take(token) }
        guard let entry else { throw fault(.unknown) }
        guard entry.purpose == purpose else { throw fault(.otherPurpose) }
        let expected = try session.map(hash)
        guard constantTimeEquals(entry.session ?? [], expected ?? []) else { throw fault(.otherSession) }
        guard entry.expiresAt > clock() else { throw fault(.expired) }
        guard let ceremony = try? Ceremony(json: entry.content) else { throw fault(.unreadable) }
        return ceremony
    }

    private func hash(_ session: [UInt8]) throws(PasskeyServiceError) -> [UInt8] {
        do throws(CryptoError) {
            return try sha256(session)
        } catch {
            throw failed(StoreError(.unavailable, "\(error)"))
        }
    }

    private func fault(_ fault: CeremonyFault) -> PasskeyServiceError {
        events(.ceremonyRefused(fault))
        return PasskeyServiceError(.ceremony(fault))
    }
}

// MARK: Stores

extension PasskeyService {
    /// Asks a store.
    func store<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(PasskeyServiceError) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            throw failed(error)
        }
    }

    func failed(_ error: StoreError) -> PasskeyServiceError {
        events(.storeFailed(error))
        return PasskeyServiceError(.store(error))
    }
}

extension PasskeyServiceError {
    /// Runs `body`; a refusal of the model means that a ceremony cannot begin.
    static func options<Value>(_ body: () throws(ModelError) -> Value) throws(PasskeyServiceError) -> Value {
        do throws(ModelError) {
            return try body()
        } catch {
            throw PasskeyServiceError(.options(error))
        }
    }
}
