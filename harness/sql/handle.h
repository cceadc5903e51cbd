// SPDX-License-Identifier: MIT
// A connection to a database, and what SQLite's errors mean. Only the folder sql/ includes sqlite3.h; store/ and plan/ come to it
// through here.
#pragma once

#include <sqlite3.h>

#include "base/error.h"

enum {
    SQL_STATEMENTS = 64, // prepared statements kept
    SQL_BUSY_MS = 5000   // wait for another process's transaction
};

struct sql {
    sqlite3 *connection;
    const char *path;  // for messages; NULL: in memory
    const char *doing; // for messages: "merge"
    bool written;      // sql_end has committed something
    struct {
        const char *sql; // compared by address: a literal
        sqlite3_stmt *statement;
    } statements[SQL_STATEMENTS];
};

// The command that unpacks a file with the suffix of PATH, or NULL where it has none of a packed file.
const char *sql_unpacker(const char *path);

// `flags` of sqlite3_open_v2. Text in double quotes is no text there, and a damaged or hostile file can do no more than hold wrong
// rows. sql_close() it, also after a failure.
bool sql_open(struct sql *db, const char *name, int flags, struct error *error);
void sql_close(struct sql *db); // nothing where it is not open
// Turns the connection's error into ours: cause and remedy. `doing`: "store the trial". Always false.
bool sql_failed(const struct sql *db, const char *doing, struct error *error);
bool sql_exec(struct sql *db, const char *script, const char *doing, struct error *error);
void sql_forget_statements(struct sql *db);
