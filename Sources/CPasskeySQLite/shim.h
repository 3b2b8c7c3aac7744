#ifndef PASSKEY_SQLITE_SHIM_H
#define PASSKEY_SQLITE_SHIM_H

#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3031000
#error "PasskeySQLite needs SQLite 3.31 or later"
#endif

/* SQLITE_TRANSIENT is a cast, which Swift cannot import: the bytes are copied before the call returns. */
static inline int passkey_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int passkey_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
