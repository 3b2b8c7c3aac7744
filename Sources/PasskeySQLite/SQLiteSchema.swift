import PasskeyRelyingParty

/// The tables, and how they came to be what they are.
enum SQLiteSchema {
    /// What each version adds to the one before, from version 1 on; none is ever changed.
    static let migrations: [[String]] = [
        [
            """
            CREATE TABLE passkey_credential (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                id BLOB NOT NULL UNIQUE,
                user_handle BLOB NOT NULL,
                sign_count INTEGER NOT NULL,
                name TEXT NOT NULL,
                record TEXT NOT NULL
            )
            """,
            "CREATE INDEX passkey_credential_user ON passkey_credential (user_handle, sequence)",
            """
            CREATE TABLE passkey_ceremony (
                hash BLOB PRIMARY KEY,
                entry TEXT NOT NULL,
                expires_at INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
            "CREATE INDEX passkey_ceremony_expiry ON passkey_ceremony (expires_at)",
            """
            CREATE TABLE passkey_used_token (
                id BLOB PRIMARY KEY,
                expires_at INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
            "CREATE INDEX passkey_used_token_expiry ON passkey_used_token (expires_at)",
        ]
    ]

    /// Sets the connection up and brings the tables to the newest version.
    static func prepare(_ connection: SQLiteConnection) throws(StoreError) {
        for pragma in ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"] {
            try connection.run("PRAGMA " + pragma)
        }
        try connection.transaction { () throws(StoreError) in
            try connection.run("CREATE TABLE IF NOT EXISTS passkey_schema (version INTEGER NOT NULL)")
            let version = try connection.run("SELECT version FROM passkey_schema").first?[0].integer
            let present = version.flatMap { Int(exactly: $0) } ?? 0
            guard (0...migrations.count).contains(present) else {
                throw StoreError(.corrupt, "the tables have version \(present), this library knows \(migrations.count)")
            }
            for statements in migrations[present...] {
                for statement in statements { try connection.run(statement) }
            }
            try connection.run(
                version == nil
                    ? "INSERT INTO passkey_schema (version) VALUES (?)" : "UPDATE passkey_schema SET version = ?",
                [.integer(Int64(migrations.count))]
            )
        }
    }
}
