import PasskeyCrypto
public import PasskeyModel
import PasskeyWire

/// Keys for sealed tokens: the one that seals, and those before it that still open.
///
/// To rotate, put a new key first and keep the old one until the last token that it sealed has expired.
public struct SealingKeys: Sendable {
    /// A key and its public name.
    fileprivate struct Key: Sendable {
        let secret: [UInt8]
        let name: [UInt8]
    }

    fileprivate let keys: [Key]

    /// Makes keys.
    ///
    /// - Parameters:
    ///   - current: The key that seals: 32 random bytes, the same on all machines.
    ///   - previous: Keys that open what was sealed before.
    /// - Throws: ``ModelError`` if a key has another length, or is there twice.
    public init(current: [UInt8], previous: [[UInt8]] = []) throws(ModelError) {
        var keys: [Key] = []
        for secret in [current] + previous {
            guard secret.count == 32 else {
                throw ModelError(.outOfRange, at: "key", "a sealing key has 32 bytes, not \(secret.count)")
            }
            do throws(CryptoError) {
                let info = [UInt8]("passkey ceremony key name".utf8)
                let name = try HKDF.derive(.sha256, secret: secret, salt: [], info: info, count: 8)
                guard !keys.contains(where: { $0.name == name }) else {
                    throw CryptoError(.failed, "a sealing key is there twice")
                }
                keys.append(Key(secret: secret, name: name))
            } catch {
                throw ModelError(.invalid, at: "key", error.detail)
            }
        }
        self.keys = keys
    }

    /// Makes a key.
    ///
    /// - Returns: 32 bytes from the system's random source.
    public static func randomKey() -> [UInt8] { UserHandle.random().bytes }
}

/// Remembers which sealed tokens were used, until they expire.
public protocol ReplayGuard: Sendable {
    /// Uses a token up: of all who ask at the same time, one may go on.
    ///
    /// - Parameters:
    ///   - id: What names the token: 32 bytes.
    ///   - expiresAt: Until when it is to be remembered.
    /// - Returns: Whether it was not used before.
    /// - Throws: ``StoreError``.
    func use(_ id: [UInt8], until expiresAt: Timestamp) async throws(StoreError) -> Bool
}

/// Ceremonies that no store keeps: the token is the ceremony, encrypted and authenticated.
///
/// Any machine with the key finishes what another one began. What it does **not** give without a ``ReplayGuard`` is
/// one-time use: whoever has a token and the response that belongs to it can send both again until the token expires,
/// six minutes after it was made. A sign-in that somebody has read in full is worth another sign-in then; a signature
/// counter, where there is one, refuses that, and passkeys that are synchronised have none.
///
/// A token is about 400 bytes long and grows with the allow list: a ceremony for a user with many passkeys may be too
/// large for a cookie.
public struct SealedCeremonyStore: CeremonyStore {
    private let keys: SealingKeys
    private let replayGuard: (any ReplayGuard)?

    /// The longest token that is opened, in bytes; it has room for thousands of allowed credentials.
    public static let maximumByteCount = 4 * 1024 * 1024

    private static let version: UInt8 = 1
    private static let saltCount = 32

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - replayGuard: Remembers used tokens; without one they can be used again until they expire.
    public init(keys: SealingKeys, replayGuard: (any ReplayGuard)? = nil) {
        self.keys = keys
        self.replayGuard = replayGuard
    }

    /// Seals a ceremony.
    ///
    /// - Parameter entry: The ceremony.
    /// - Returns: The token.
    /// - Throws: ``StoreError`` if it is too large, or there is no randomness.
    public func put(_ entry: CeremonyEntry) async throws(StoreError) -> String {
        let text = Base64URL.encode(try StoreError.crypto { () throws(CryptoError) in try seal(entry) })
        guard text.utf8.count <= Self.maximumByteCount else {
            throw StoreError(.tooLarge, "the ceremony makes a token of \(text.utf8.count) bytes")
        }
        return text
    }

    /// Opens a token.
    ///
    /// - Parameter token: The token.
    /// - Returns: The ceremony; `nil` for anything that was not sealed with one of the keys, or was used before.
    /// - Throws: ``StoreError`` of the replay guard.
    public func take(_ token: String) async throws(StoreError) -> CeremonyEntry? {
        guard token.utf8.count <= Self.maximumByteCount, let bytes = try? Base64URL.decode(token),
            let (entry, id) = open(bytes)
        else { return nil }
        guard let replayGuard else { return entry }
        return try await replayGuard.use(id, until: entry.expiresAt) ? entry : nil
    }

    // A token: version, name of the key (8), salt (32), ciphertext and tag. Each token has a key of its own, so that
    // none of the limits on random nonces is ever near.

    private func seal(_ entry: CeremonyEntry) throws(CryptoError) -> [UInt8] {
        let key = keys.keys[0]
        let salt = try SystemRandom.bytes(Self.saltCount)
        let header = [Self.version] + key.name + salt
        let (secret, nonce) = try Self.derive(key.secret, salt)
        return header + (try AESGCM.seal(entry.jsonBytes(), key: secret, nonce: nonce, authenticating: header))
    }

    private func open(_ bytes: [UInt8]) -> (CeremonyEntry, id: [UInt8])? {
        let headerCount = 1 + 8 + Self.saltCount
        guard bytes.count > headerCount, bytes[0] == Self.version,
            let key = keys.keys.first(where: { $0.name.elementsEqual(bytes[1..<9]) })
        else { return nil }
        let header = Array(bytes[..<headerCount])
        let salt = Array(header[9...])
        guard let (secret, nonce) = try? Self.derive(key.secret, salt),
            let text = try? AESGCM.open(
                Array(bytes[headerCount...]),
                key: secret,
                nonce: nonce,
                authenticating: header
            ),
            let entry = try? CeremonyEntry(json: text)
        else { return nil }
        return (entry, salt)
    }

    private static func derive(
        _ secret: [UInt8],
        _ salt: [UInt8]
    ) throws(CryptoError) -> (key: [UInt8], nonce: [UInt8]) {
        let info = [UInt8]("passkey sealed ceremony 1".utf8)
        let bytes = try HKDF.derive(.sha256, secret: secret, salt: salt, info: info, count: 44)
        return (Array(bytes[..<32]), Array(bytes[32...]))
    }
}

/// A replay guard in memory: for one process.
public actor InMemoryReplayGuard: ReplayGuard {
    private var used: [[UInt8]: Timestamp] = [:]
    private let capacity: Int
    private let clock: @Sendable () -> Timestamp

    /// Makes a guard that has seen nothing.
    ///
    /// - Parameters:
    ///   - capacity: How many tokens are remembered; beyond that none is accepted until some have expired.
    ///   - clock: Where the time comes from; `nil` for the system's clock.
    public init(capacity: Int = 1_000_000, clock: (@Sendable () -> Timestamp)? = nil) {
        self.capacity = capacity
        self.clock = clock ?? Timestamp.now
    }

    /// Uses a token up.
    ///
    /// - Parameters:
    ///   - id: What names the token.
    ///   - expiresAt: Until when it is to be remembered.
    /// - Returns: Whether it was not used before.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` if there is no room to remember it.
    public func use(_ id: [UInt8], until expiresAt: Timestamp) async throws(StoreError) -> Bool {
        guard used[id] == nil else { return false }
        if used.count >= capacity {
            let now = clock()
            used = used.filter { $0.value > now }
        }
        guard used.count < capacity else { throw StoreError(.unavailable, "too many tokens are remembered") }
        used[id] = expiresAt
        return true
    }
}

extension StoreError {
    /// Runs `body`; a failure of the cryptographic library makes the store unavailable.
    static func crypto<Value>(_ body: () throws(CryptoError) -> Value) throws(StoreError) -> Value {
        do throws(CryptoError) {
            return try body()
        } catch {
            throw StoreError(.unavailable, "\(error)")
        }
    }
}
