import CPasskeySQLite
import PasskeyRelyingParty

/// A value that is bound or read.
enum SQLiteValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}

/// One connection and its prepared statements; for one thread at a time.
@safe
final class SQLiteConnection {
    private var database: OpaquePointer?
    private var statements: [String: OpaquePointer]

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file, which is made if it is not there; empty for one in memory.
    ///   - busyTimeout: How long another connection's lock is waited for, in milliseconds.
    /// - Throws: `StoreError`.
    init(_ path: String, busyTimeout: Int32) throws(StoreError) {
        unsafe statements = [:]
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let name = path.isEmpty ? ":memory:" : path
        let status = unsafe sqlite3_open_v2(name, &database, flags, nil)
        guard status == SQLITE_OK else { throw error(status) }
        unsafe sqlite3_extended_result_codes(database, 1)
        unsafe sqlite3_busy_timeout(database, busyTimeout)
    }

    deinit {
        while let statement = unsafe statements.popFirst()?.value { unsafe sqlite3_finalize(statement) }
        unsafe sqlite3_close_v2(database)
    }

    /// Runs a statement to its end.
    ///
    /// - Parameters:
    ///   - sql: One statement, always the same text for the same purpose.
    ///   - values: What its parameters stand for, in turn.
    /// - Returns: The rows.
    /// - Throws: `StoreError`.
    @discardableResult
    func run(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> [[SQLiteValue]] {
        let statement = unsafe try prepared(sql)
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let status = unsafe bind(value, Int32(index) + 1, statement)
            guard status == SQLITE_OK else { throw error(status) }
        }
        var rows: [[SQLiteValue]] = []
        while true {
            let status = unsafe sqlite3_step(statement)
            switch status {
            case SQLITE_ROW:
                let count = unsafe sqlite3_column_count(statement)
                rows.append((0..<count).map { unsafe column($0, statement) })
            case SQLITE_DONE: return rows
            default: throw error(status)
            }
        }
    }

    /// How many rows the last statement changed.
    var changes: Int { unsafe Int(sqlite3_changes(database)) }

    /// Runs statements as one, holding the lock on writing from the beginning.
    ///
    /// - Parameter body: What to do.
    /// - Returns: What it gives.
    /// - Throws: `StoreError`; nothing is changed then.
    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // After some errors SQLite has rolled back already.
            if unsafe sqlite3_get_autocommit(database) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = unsafe statements[sql] { return unsafe statement }
        var statement: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK, let statement = unsafe statement else { throw error(status) }
        unsafe statements[sql] = statement
        return unsafe statement
    }

    private func bind(_ value: SQLiteValue, _ index: Int32, _ statement: OpaquePointer) -> Int32 {
        switch value {
        case .integer(let integer): return unsafe sqlite3_bind_int64(statement, index, integer)
        case .null: return unsafe sqlite3_bind_null(statement, index)
        case .blob(let bytes):
            return unsafe passkey_sqlite3_bind_blob(statement, index, bytes, UInt64(bytes.count))
        case .text(let text):
            return unsafe passkey_sqlite3_bind_text(statement, index, text, UInt64(text.utf8.count))
        }
    }

    private func column(_ index: Int32, _ statement: OpaquePointer) -> SQLiteValue {
        switch unsafe sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(statement, index))
        case SQLITE_TEXT:
            let bytes = unsafe sqlite3_column_text(statement, index)
            let count = unsafe Int(sqlite3_column_bytes(statement, index))
            return unsafe .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = unsafe sqlite3_column_blob(statement, index)
            let count = unsafe Int(sqlite3_column_bytes(statement, index))
            return unsafe .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }

    private func error(_ status: Int32) -> StoreError {
        let text = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) }
        let detail = "SQLite \(status)\(text.map { ": " + $0 } ?? "")"
        // SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY are macros that Swift cannot import.
        if status == SQLITE_CONSTRAINT | 8 << 8 || status == SQLITE_CONSTRAINT | 6 << 8 {
            return StoreError(.duplicate, detail)
        }
        switch status & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_SCHEMA: return StoreError(.corrupt, detail)
        case SQLITE_TOOBIG: return StoreError(.tooLarge, detail)
        default: return StoreError(.unavailable, detail)
        }
    }
}
