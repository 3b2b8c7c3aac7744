import Foundation
import PasskeyModel
import PasskeyRelyingParty
import PasskeySQLite
import PasskeySystem
import PasskeyTesting
import Testing

/// The stores that pass one suite.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case memory
    case sqlite

    var testDescription: String { rawValue }

    /// A store of each kind, empty.
    func make(clock: Clock = Clock()) throws -> Stores {
        switch self {
        case .memory:
            return Stores(
                credentials: InMemoryCredentialStore(),
                ceremonies: InMemoryCeremonyStore(clock: clock.now),
                replayGuard: InMemoryReplayGuard(clock: clock.now),
                clock: clock
            )
        case .sqlite:
            let store = try SQLiteStore(path: TemporaryFile().path, clock: clock.now)
            return Stores(credentials: store, ceremonies: store, replayGuard: store, clock: clock)
        }
    }
}

/// A store's three sides.
struct Stores: Sendable {
    let credentials: any CredentialStore
    let ceremonies: any CeremonyStore
    let replayGuard: any ReplayGuard
    let clock: Clock
}

/// A clock that a test turns.
final class Clock: Sendable {
    private let time = Lock<Int64>(1_800_000_000_000)

    var now: @Sendable () -> Timestamp {
        { Timestamp(millisecondsSince1970: self.time.withLock { $0 }) }
    }

    func advance(milliseconds: Int64) {
        time.withLock { $0 += milliseconds }
    }
}

/// A file of a test's own; what SQLite makes beside it has its name, and more.
final class TemporaryFile: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "passkey-\(UUID().uuidString).sqlite").path
    }

    func remove() {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}

/// A user, a site, and an authenticator that makes records for it.
struct Site {
    static let id = "example.com"
    static let origin = "https://example.com"

    let relyingParty: RelyingParty
    let authenticator: VirtualAuthenticator
    let clock: Clock

    init(_ clock: Clock = Clock(), counting: Bool = false) throws {
        self.clock = clock
        relyingParty = try RelyingParty(id: Self.id, name: "Example", origins: [Self.origin], clock: clock.now)
        var options = VirtualAuthenticatorOptions()
        options.algorithms = [.es256]
        options.counterMode = counting ? .perCredential : .none
        authenticator = VirtualAuthenticator(options)
    }

    var client: VirtualClient { VirtualClient(origin: Self.origin, authenticators: [authenticator]) }

    static func user(_ byte: UInt8 = 1) throws -> PublicKeyCredentialUserEntity {
        PublicKeyCredentialUserEntity(
            id: try UserHandle(bytes: [UInt8](repeating: byte, count: 16)),
            name: "ada\(byte)@example.com",
            displayName: "Ada"
        )
    }

    /// A verified record that no store has.
    func record(of byte: UInt8 = 1) throws -> CredentialRecord {
        let (options, ceremony) = try relyingParty.beginRegistration(for: Self.user(byte), excluding: [])
        return try relyingParty.finishRegistration(client.create(options), ceremony, owner: nil).credential
    }
}
