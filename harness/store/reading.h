// SPDX-License-Identifier: MIT
// Statements of readers: they may only read. Only for files of store/.
#pragma once

#include "sql/handle.h"

// Turns SQLite's error on a reader's `sql` into ours. Always false.
bool store_query_failed(struct sql *db, const char *sql, struct error *error);
// One statement that only reads, or NULL and an error.
sqlite3_stmt *store_prepare_reading(struct sql *db, const char *sql, struct error *error);
// Every parameter gets its value of `bindings` (as in store_query); an error where one has none.
bool store_bind_all(sqlite3_stmt *statement, const char *const *bindings, struct error *error);
// Where a program may only read: true for actions that change nothing. For sqlite3_set_authorizer.
int store_authorize_reading(void *unused, int action, const char *first, const char *second, const char *database,
                            const char *trigger);
