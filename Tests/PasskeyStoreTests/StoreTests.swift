import Foundation
import PasskeyModel
import PasskeyRelyingParty
import Testing

@Suite("Every store", .timeLimit(.minutes(5)))
struct StoreTests {
    @Test("A credential is kept, found by identifier and by user, renamed and removed", arguments: StoreKind.allCases)
    func credentials(_ kind: StoreKind) async throws {
        let store = try kind.make().credentials
        let site = try Site()
        let (first, second) = (try site.record(), try site.record(of: 2))
        #expect(try await store.credential(first.id) == nil)
        #expect(try await store.credentials(of: first.userHandle).isEmpty)
        try await store.insert(StoredCredential(first, name: "Phone — \u{1F511}\0'\""))
        try await store.insert(StoredCredential(second))
        #expect(try await store.credential(first.id) == StoredCredential(first, name: "Phone — \u{1F511}\0'\""))
        #expect(try await store.credentials(of: first.userHandle).map(\.record) == [first])
        #expect(try await store.credentials(of: second.userHandle).map(\.record) == [second])
        // An identifier counts in full.
        #expect(try await store.credential(Array(first.id.dropLast())) == nil)
        #expect(try await store.credential(first.id + [0]) == nil)

        #expect(try await store.rename(first.id, of: first.userHandle, to: "Key"))
        #expect(try await store.credential(first.id)?.name == "Key")
        #expect(try await !store.rename(first.id, of: second.userHandle, to: "stolen"))
        #expect(try await !store.rename([1], of: first.userHandle, to: "nothing"))
        #expect(try await store.credential(first.id)?.name == "Key")

        #expect(try await !store.remove(first.id, of: second.userHandle))
        #expect(try await store.remove(first.id, of: first.userHandle))
        #expect(try await !store.remove(first.id, of: first.userHandle))
        #expect(try await store.credential(first.id) == nil)
        #expect(try await store.credentials(of: first.userHandle).isEmpty)
        #expect(try await store.credential(second.id) != nil)
        // What was removed may come back.
        try await store.insert(StoredCredential(first))
    }

    @Test("An identifier is there once among all users", arguments: StoreKind.allCases)
    func duplicates(_ kind: StoreKind) async throws {
        let store = try kind.make().credentials
        let record = try Site().record()
        try await store.insert(StoredCredential(record, name: "first"))
        var other = record
        other.userHandle = try Site.user(2).id
        for again in [record, other] {
            let error = await #expect(throws: StoreError.self) { try await store.insert(StoredCredential(again)) }
            #expect(error?.code == .duplicate)
        }
        #expect(try await store.credential(record.id)?.name == "first")
        #expect(try await store.credentials(of: other.userHandle).isEmpty)
    }

    @Test("A user's credentials come in the order in which they were kept", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) async throws {
        let store = try kind.make().credentials
        var record = try Site().record()
        let ids = (0..<20 as Range<UInt8>).map { index in [index &* 77, 1, index] }
        for id in ids {
            record.id = id
            try await store.insert(StoredCredential(record))
        }
        #expect(try await store.credentials(of: record.userHandle).map(\.id) == ids)
    }

    @Test("Identifiers and names at their bounds", arguments: StoreKind.allCases)
    func bounds(_ kind: StoreKind) async throws {
        let store = try kind.make().credentials
        var record = try Site().record()
        for id in [[0], [UInt8](repeating: 0, count: 1023), [UInt8](repeating: 0xFF, count: 1023)] as [[UInt8]] {
            record.id = id
            try await store.insert(StoredCredential(record, name: String(repeating: "é", count: 100)))
            #expect(try await store.credential(id)?.record == record)
        }
        record.signCount = .max
        #expect(try await store.update(record, ifSignCountIs: 0))
        #expect(try await store.credential(record.id)?.record.signCount == .max)
        #expect(try await store.update(record, ifSignCountIs: .max))
    }

    @Test(
        "A record is replaced only while its counter is what it was, and its owner too",
        arguments: StoreKind.allCases
    )
    func update(_ kind: StoreKind) async throws {
        let store = try kind.make().credentials
        var record = try Site().record()
        try await store.insert(StoredCredential(record, name: "Phone"))
        record.signCount = 5
        record.backupState = false
        #expect(try await store.update(record, ifSignCountIs: 0))
        #expect(try await store.credential(record.id) == StoredCredential(record, name: "Phone"))
        record.signCount = 6
        #expect(try await !store.update(record, ifSignCountIs: 4))
        #expect(try await store.credential(record.id)?.record.signCount == 5)
        var stolen = record
        stolen.userHandle = try Site.user(2).id
        #expect(try await !store.update(stolen, ifSignCountIs: 5))
        var unknown = record
        unknown.id = [1]
        #expect(try await !store.update(unknown, ifSignCountIs: 5))
        #expect(try await store.update(record, ifSignCountIs: 5))
    }

    @Test("Of 64 updates from one counter value, one counts", arguments: StoreKind.allCases)
    func concurrentUpdates(_ kind: StoreKind) async throws {
        let store = try kind.make().credentials
        let record = try Site().record()
        try await store.insert(StoredCredential(record))
        let done = try await concurrently(64) { index in
            var next = record
            next.signCount = UInt32(index) + 1
            return try await store.update(next, ifSignCountIs: 0) ? next.signCount : 0
        }
        let winner = done.filter { $0 > 0 }
        #expect(winner.count == 1)
        #expect(try await store.credential(record.id)?.record.signCount == winner.first)
    }

    @Test("Of 64 inserts of one identifier, one counts", arguments: StoreKind.allCases)
    func concurrentInserts(_ kind: StoreKind) async throws {
        let store = try kind.make().credentials
        let record = try Site().record()
        let done = try await concurrently(64) { index in
            do throws(StoreError) {
                try await store.insert(StoredCredential(record, name: "\(index)"))
                return index
            } catch {
                #expect(error.code == .duplicate)
                return -1
            }
        }
        let winner = done.filter { $0 >= 0 }
        #expect(winner.count == 1)
        #expect(try await store.credential(record.id)?.name == winner.first.map(String.init))
    }

    // MARK: Ceremonies

    private func entry(_ stores: Stores, session: [UInt8]? = [1]) -> CeremonyEntry {
        CeremonyEntry(
            purpose: .authentication,
            content: [UInt8](#"{"é":1}"#.utf8),
            session: session,
            expiresAt: stores.clock.now().advanced(byMilliseconds: 1000)
        )
    }

    @Test("A ceremony is taken once, by its own name", arguments: StoreKind.allCases)
    func ceremony(_ kind: StoreKind) async throws {
        let stores = try kind.make()
        let (first, second) = (entry(stores), entry(stores, session: nil))
        let token = try await stores.ceremonies.put(first)
        let other = try await stores.ceremonies.put(second)
        #expect((token == other) == false)
        for text in ["", "x", String(token.dropLast()), token + "A", String(token.reversed()), token + "="] {
            #expect(try await stores.ceremonies.take(text) == nil)
        }
        #expect(try await stores.ceremonies.take(token) == first)
        #expect(try await stores.ceremonies.take(token) == nil)
        #expect(try await stores.ceremonies.take(other) == second)
    }

    @Test("Of 64 who take one ceremony, one gets it", arguments: StoreKind.allCases)
    func concurrentTakes(_ kind: StoreKind) async throws {
        let stores = try kind.make()
        let token = try await stores.ceremonies.put(entry(stores))
        let taken = try await concurrently(64) { _ in try await stores.ceremonies.take(token) != nil }
        #expect(taken.filter { $0 }.count == 1)
    }

    @Test("A token is used once, and remembered until it has expired", arguments: StoreKind.allCases)
    func replayGuard(_ kind: StoreKind) async throws {
        let stores = try kind.make()
        let until = stores.clock.now().advanced(byMilliseconds: 1000)
        let used = try await concurrently(64) { _ in try await stores.replayGuard.use([1, 2], until: until) }
        #expect(used.filter { $0 }.count == 1)
        #expect(try await stores.replayGuard.use([1, 3], until: until))
        #expect(try await !stores.replayGuard.use([1, 3], until: until))
    }
}

/// Runs a closure several times at once.
func concurrently<Value: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for index in 0..<count { group.addTask { try await body(index) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
