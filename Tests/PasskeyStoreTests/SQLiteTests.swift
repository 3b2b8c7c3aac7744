import Foundation
import PasskeyModel
import PasskeyRelyingParty
import Testing

@testable import PasskeySQLite

@Suite("SQLite", .timeLimit(.minutes(5)))
struct SQLiteTests {
    @Test("What was kept is there when the file is opened again, by several at once")
    func persistence() async throws {
        let file = TemporaryFile()
        defer { file.remove() }
        let record = try Site().record()
        let entry = CeremonyEntry(
            purpose: .registration,
            content: [],
            session: nil,
            expiresAt: Timestamp.now().advanced(byMilliseconds: 60_000)
        )
        let token: String
        do {
            let store = try SQLiteStore(path: file.path)
            try await store.insert(StoredCredential(record, name: "Phone"))
            token = try await store.put(entry)
            #expect(try await store.use([7], until: entry.expiresAt))
        }
        let stores = try (0..<4).map { _ in try SQLiteStore(path: file.path) }
        #expect(try await stores[1].credential(record.id)?.name == "Phone")
        #expect(try await !stores[2].use([7], until: entry.expiresAt))
        let taken = try await concurrently(32) { index in try await stores[index % 4].take(token) }
        #expect(taken.compactMap { $0 } == [entry])
        let updates = try await concurrently(32) { index in
            var next = record
            next.signCount = UInt32(index) + 1
            return try await stores[index % 4].update(next, ifSignCountIs: 0)
        }
        #expect(updates.filter { $0 }.count == 1)
    }

    @Test("What has expired is forgotten, and what has not is kept")
    func expiry() async throws {
        let clock = Clock()
        let store = try SQLiteStore(path: nil, clock: clock.now)
        func entry(_ milliseconds: Int64) -> CeremonyEntry {
            let expiresAt = clock.now().advanced(byMilliseconds: milliseconds)
            return CeremonyEntry(purpose: .registration, content: [], session: nil, expiresAt: expiresAt)
        }
        let (short, long) = (try await store.put(entry(10)), try await store.put(entry(1000)))
        #expect(try await store.use([1], until: entry(10).expiresAt))
        clock.advance(milliseconds: 10)
        try await store.removeExpired()
        #expect(try await store.take(short) == nil)
        #expect(try await store.take(long) != nil)
        #expect(try await store.use([1], until: entry(10).expiresAt))
    }

    @Test("A file that is no database, one of a later version, and a folder that is not there")
    func refusals() async throws {
        let file = TemporaryFile()
        defer { file.remove() }
        try Data("this is no database, and is longer than a header of one".utf8).write(to: URL(filePath: file.path))
        var error = #expect(throws: StoreError.self) { try SQLiteStore(path: file.path) }
        #expect(error?.code == .corrupt)
        error = #expect(throws: StoreError.self) { try SQLiteStore(path: "/nonexistent/folder/file") }
        #expect(error?.code == .unavailable)

        let later = TemporaryFile()
        defer { later.remove() }
        _ = try SQLiteStore(path: later.path)
        try sql(later, "UPDATE passkey_schema SET version = 99")
        error = #expect(throws: StoreError.self) { try SQLiteStore(path: later.path) }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.contains("99") == true)
        try sql(later, "UPDATE passkey_schema SET version = 1")
        _ = try SQLiteStore(path: later.path)
    }

    @Test("A record that cannot be read is an error and not a missing one")
    func corruptRecord() async throws {
        let file = TemporaryFile()
        defer { file.remove() }
        let store = try SQLiteStore(path: file.path)
        let record = try Site().record()
        try await store.insert(StoredCredential(record))
        try sql(file, "UPDATE passkey_credential SET record = substr(record, 1, 50)")
        let error = await #expect(throws: StoreError.self) { try await store.credential(record.id) }
        #expect(error?.code == .corrupt)
    }

    @Test("Another process's lock is waited for, and then it is an error that changes nothing")
    func lock() async throws {
        let file = TemporaryFile()
        defer { file.remove() }
        let store = try SQLiteStore(path: file.path, busyTimeout: 50)
        let record = try Site().record()
        let holder = try SQLiteConnection(file.path, busyTimeout: 50)
        try holder.run("BEGIN IMMEDIATE")
        let error = await #expect(throws: StoreError.self) { try await store.insert(StoredCredential(record)) }
        #expect(error?.code == .unavailable)
        // Readers are not kept waiting.
        #expect(try await store.credential(record.id) == nil)
        try holder.run("ROLLBACK")
        try await store.insert(StoredCredential(record))
    }

    @Test("A full disk is an error that changes nothing, and loses nothing")
    func full() async throws {
        let file = TemporaryFile()
        defer { file.remove() }
        let store = try SQLiteStore(path: file.path)
        var record = try Site().record()
        try await store.execute("PRAGMA max_page_count = 16")
        var kept: [[UInt8]] = []
        var failure: StoreError?
        while failure == nil {
            record.id = [UInt8(kept.count), 1]
            do throws(StoreError) {
                try await store.insert(StoredCredential(record, name: String(repeating: "x", count: 1000)))
                kept.append(record.id)
            } catch {
                failure = error
            }
        }
        #expect(failure?.code == .unavailable)
        #expect(kept.count > 1)
        #expect(try await store.credentials(of: record.userHandle).map(\.id) == kept)
        try await store.execute("PRAGMA max_page_count = 1000000")
        try await store.insert(StoredCredential(record))
        #expect(try await SQLiteStore(path: file.path).credentials(of: record.userHandle).count == kept.count + 1)
    }

    @Test("A constraint of somebody else's is no duplicate")
    func otherConstraint() async throws {
        let file = TemporaryFile()
        defer { file.remove() }
        let store = try SQLiteStore(path: file.path)
        try sql(
            file,
            "CREATE TRIGGER no BEFORE INSERT ON passkey_credential BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        let record = try Site().record()
        let error = await #expect(throws: StoreError.self) { try await store.insert(StoredCredential(record)) }
        #expect(error?.code == .unavailable)
        #expect(try await store.credential(record.id) == nil)
    }

    /// Runs a statement on a connection of its own, as another process would.
    private func sql(_ file: TemporaryFile, _ text: String) throws {
        try SQLiteConnection(file.path, busyTimeout: 1000).run(text)
    }
}

extension SQLiteStore {
    /// Runs a statement on the store's own connection.
    fileprivate func execute(_ text: String) throws {
        try connection.run(text)
    }
}
