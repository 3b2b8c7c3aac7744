import PasskeyModel
public import PasskeyRelyingParty
import PasskeySystem
import PasskeyWire

/// Credentials, ceremonies and used tokens in a SQLite database, for one machine.
///
/// It may share a file with an application's own tables: its own begin with `passkey_`. Several processes may use one
/// file. An acknowledged change is on the disk (`synchronous=FULL`) and survives the end of the process and of the
/// power. The connection is on a thread of its own, so that waiting for the disk or for another process's lock blocks
/// nobody else.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public actor SQLiteStore: CredentialStore, CeremonyStore, ReplayGuard {
    private let executor = ThreadExecutor()
    let connection: SQLiteConnection
    private let clock: @Sendable () -> Timestamp
    private var putCount = 0

    /// The thread of the connection.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens a database, and makes its tables what this version needs.
    ///
    /// - Parameters:
    ///   - path: The file, which is made if it is not there; `nil` for a database in memory.
    ///   - busyTimeout: How long another process's lock is waited for, in milliseconds; then an operation fails with
    ///     ``PasskeyRelyingParty/StoreError/Code/unavailable``.
    ///   - clock: Where the time comes from, which says what has expired; `nil` for the system's clock.
    /// - Throws: ``PasskeyRelyingParty/StoreError`` if the file cannot be opened, is no database, or was made by a later
    ///   version.
    public init(
        path: String?,
        busyTimeout: Int32 = 5000,
        clock: (@Sendable () -> Timestamp)? = nil
    ) throws(StoreError) {
        self.clock = clock ?? Timestamp.now
        connection = try SQLiteConnection(path ?? "", busyTimeout: busyTimeout)
        try SQLiteSchema.prepare(connection)
    }

    // MARK: CredentialStore

    /// Keeps a new credential.
    ///
    /// - Parameter credential: The credential.
    /// - Throws: ``PasskeyRelyingParty/StoreError``, with `duplicate` if it is there already.
    public func insert(_ credential: StoredCredential) async throws(StoreError) {
        let record = credential.record
        try connection.run(
            "INSERT INTO passkey_credential (id, user_handle, sign_count, name, record) VALUES (?, ?, ?, ?, ?)",
            [
                .blob(record.id), .blob(record.userHandle.bytes), .integer(Int64(record.signCount)),
                .text(credential.name), .text(Self.text(record)),
            ]
        )
    }

    /// The credential with an identifier.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: The credential; `nil` if there is none.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func credential(_ id: [UInt8]) async throws(StoreError) -> StoredCredential? {
        let rows = try connection.run("SELECT record, name FROM passkey_credential WHERE id = ?", [.blob(id)])
        guard let row = rows.first else { return nil }
        return try Self.credential(row)
    }

    /// The credentials of a user, the oldest first.
    ///
    /// - Parameter userHandle: The user.
    /// - Returns: The credentials.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func credentials(of userHandle: UserHandle) async throws(StoreError) -> [StoredCredential] {
        let rows = try connection.run(
            "SELECT record, name FROM passkey_credential WHERE user_handle = ? ORDER BY sequence",
            [.blob(userHandle.bytes)]
        )
        var credentials: [StoredCredential] = []
        for row in rows { credentials.append(try Self.credential(row)) }
        return credentials
    }

    /// Replaces a record after a sign-in, if nobody has moved its counter meanwhile.
    ///
    /// - Parameters:
    ///   - record: The new record.
    ///   - signCount: The counter that the stored record must still have.
    /// - Returns: Whether it was replaced.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func update(
        _ record: CredentialRecord,
        ifSignCountIs signCount: UInt32
    ) async throws(StoreError) -> Bool {
        try connection.run(
            """
            UPDATE passkey_credential SET record = ?, sign_count = ?
            WHERE id = ? AND user_handle = ? AND sign_count = ?
            """,
            [
                .text(Self.text(record)), .integer(Int64(record.signCount)), .blob(record.id),
                .blob(record.userHandle.bytes), .integer(Int64(signCount)),
            ]
        )
        return connection.changes == 1
    }

    /// Gives a credential another name.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - userHandle: The user, who must own it.
    ///   - name: The name.
    /// - Returns: Whether there was such a credential.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func rename(
        _ id: [UInt8],
        of userHandle: UserHandle,
        to name: String
    ) async throws(StoreError) -> Bool {
        try connection.run(
            "UPDATE passkey_credential SET name = ? WHERE id = ? AND user_handle = ?",
            [.text(name), .blob(id), .blob(userHandle.bytes)]
        )
        return connection.changes == 1
    }

    /// Removes a credential.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - userHandle: The user, who must own it.
    /// - Returns: Whether there was such a credential.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func remove(_ id: [UInt8], of userHandle: UserHandle) async throws(StoreError) -> Bool {
        try connection.run(
            "DELETE FROM passkey_credential WHERE id = ? AND user_handle = ?",
            [.blob(id), .blob(userHandle.bytes)]
        )
        return connection.changes == 1
    }

    // MARK: CeremonyStore

    /// Keeps a ceremony.
    ///
    /// - Parameter entry: The ceremony.
    /// - Returns: What names it.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func put(_ entry: CeremonyEntry) async throws(StoreError) -> String {
        let token = try CeremonyToken()
        try removeExpiredNowAndThen()
        try connection.run(
            "INSERT INTO passkey_ceremony (hash, entry, expires_at) VALUES (?, ?, ?)",
            [
                .blob(token.hash), .text(String(decoding: entry.jsonBytes(), as: UTF8.self)),
                .integer(entry.expiresAt.millisecondsSince1970),
            ]
        )
        return token.text
    }

    /// Takes a ceremony out.
    ///
    /// - Parameter token: What names it.
    /// - Returns: The ceremony; `nil` if it is not known, or was taken before.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func take(_ token: String) async throws(StoreError) -> CeremonyEntry? {
        guard let token = CeremonyToken(token) else { return nil }
        // RETURNING would need SQLite 3.35.
        let text = try connection.transaction { () throws(StoreError) -> String? in
            let rows = try connection.run("SELECT entry FROM passkey_ceremony WHERE hash = ?", [.blob(token.hash)])
            guard let row = rows.first else { return nil }
            try connection.run("DELETE FROM passkey_ceremony WHERE hash = ?", [.blob(token.hash)])
            return row[0].text ?? ""
        }
        guard let text else { return nil }
        do throws(ModelError) {
            return try CeremonyEntry(json: text)
        } catch {
            throw StoreError(.corrupt, "a ceremony: \(error)")
        }
    }

    // MARK: ReplayGuard

    /// Uses a token up.
    ///
    /// - Parameters:
    ///   - id: What names the token.
    ///   - expiresAt: Until when it is to be remembered.
    /// - Returns: Whether it was not used before.
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func use(_ id: [UInt8], until expiresAt: Timestamp) async throws(StoreError) -> Bool {
        try removeExpiredNowAndThen()
        try connection.run(
            "INSERT OR IGNORE INTO passkey_used_token (id, expires_at) VALUES (?, ?)",
            [.blob(id), .integer(expiresAt.millisecondsSince1970)]
        )
        return connection.changes == 1
    }

    /// Forgets what has expired.
    ///
    /// It is done by itself now and then.
    ///
    /// - Throws: ``PasskeyRelyingParty/StoreError``.
    public func removeExpired() async throws(StoreError) {
        try expire()
    }

    private func removeExpiredNowAndThen() throws(StoreError) {
        putCount += 1
        if putCount % 256 == 0 { try expire() }
    }

    private func expire() throws(StoreError) {
        let now = SQLiteValue.integer(clock().millisecondsSince1970)
        try connection.run("DELETE FROM passkey_ceremony WHERE expires_at <= ?", [now])
        try connection.run("DELETE FROM passkey_used_token WHERE expires_at <= ?", [now])
    }

    // MARK: Records

    private static func text(_ record: CredentialRecord) -> String {
        String(decoding: record.jsonBytes(), as: UTF8.self)
    }

    private static func credential(_ row: [SQLiteValue]) throws(StoreError) -> StoredCredential {
        guard let text = row[0].text, let name = row[1].text else {
            throw StoreError(.corrupt, "a record is no text")
        }
        do throws(ModelError) {
            return StoredCredential(try CredentialRecord(json: text), name: name)
        } catch {
            throw StoreError(.corrupt, "a record: \(error)")
        }
    }
}
