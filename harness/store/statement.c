// SPDX-License-Identifier: MIT
#include "store/store_internal.h"

#include <math.h>

static const char *remedy_for(int code)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another process is writing to this database: wait for it, or give another one with --db";
    case SQLITE_FULL: return "the disk is full: free some space and start again; what is stored already stays valid";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "the file or its folder is read-only: mend the permissions, or give another place with --db";
    case SQLITE_NOTADB: return "this file is not a warpstudy database: give another one with --db";
    case SQLITE_CORRUPT:
        return "the file is damaged: restore a copy, or save what is readable with `sqlite3 FILE .recover`";
    case SQLITE_CANTOPEN: return "make the folder and see that you may write there, or give another place with --db";
    case SQLITE_IOERR:
        return "the disk or network drive failed: check space and state of the disk; what is stored already stays "
               "valid";
    default: return "";
    }
}

bool store_failed(sqlite3 *db, const char *path, const char *doing, struct error *error)
{
    const int code = sqlite3_errcode(db), extended = sqlite3_extended_errcode(db);
    if (code == SQLITE_INTERRUPT) {
        error_set(error, ERROR_INTERRUPTED, "interrupted");
        return false;
    }
    const enum error_kind kind = code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? ERROR_INPUT
                                 : code == SQLITE_ERROR || code == SQLITE_AUTH   ? ERROR_USE
                                                                                 : ERROR_SYSTEM;
    error_set_at(error, kind, path, 0, "cannot %s: %s", doing, sqlite3_errmsg(db));
    return error_remedy(error, "%s", remedy_for(extended == SQLITE_OK ? code : extended));
}

bool store_exec(struct store *store, const char *sql, const char *doing, struct error *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           store_failed(store->db, store->path, doing, error);
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct error *error)
{
    for (size_t i = 0; i < STORE_STATEMENTS; ++i) {
        if (store->statements[i].sql == sql) {
            sqlite3_reset(store->statements[i].statement);
            sqlite3_clear_bindings(store->statements[i].statement);
            return store->statements[i].statement;
        }
        if (store->statements[i].sql)
            continue;
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
            store_failed(store->db, store->path, "use the database", error);
            return NULL;
        }
        store->statements[i].sql = sql;
        return store->statements[i].statement = statement;
    }
    error_set(error, ERROR_SYSTEM, "too many kinds of statements: raise STORE_STATEMENTS");
    return NULL;
}

void store_forget_statements(struct store *store)
{
    for (size_t i = 0; i < STORE_STATEMENTS; ++i) {
        sqlite3_finalize(store->statements[i].statement);
        store->statements[i].statement = NULL;
        store->statements[i].sql = NULL;
    }
}

int store_row(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    if (!statement)
        return -1;
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return 1;
    if (code != SQLITE_DONE)
        store_failed(store->db, store->path, "use the database", error);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : -1;
}

bool store_run(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    const int row = store_row(store, statement, error);
    if (row == 1)
        sqlite3_reset(statement);
    return row >= 0;
}

bool store_integer(struct store *store, sqlite3_stmt *statement, int64_t missing, int64_t *value, struct error *error)
{
    const int row = store_row(store, statement, error);
    *value = row == 1 ? sqlite3_column_int64(statement, 0) : missing;
    if (row == 1)
        sqlite3_reset(statement);
    return row >= 0;
}

bool store_begin(struct store *store, struct error *error)
{
    return store_run(store, store_prepare(store, "BEGIN IMMEDIATE", error), error);
}

bool store_commit(struct store *store, struct error *error)
{
    store->fresh = false;
    if (store_run(store, store_prepare(store, "COMMIT", error), error))
        return true;
    store_rollback(store);
    return false;
}

void store_rollback(struct store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

void store_bind_text(sqlite3_stmt *statement, int column, const char *text)
{
    if (!statement)
        return;
    if (text)
        sqlite3_bind_text(statement, column, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(statement, column);
}

void store_bind_real(sqlite3_stmt *statement, int column, double value)
{
    if (statement && isnan(value))
        sqlite3_bind_null(statement, column);
    else if (statement)
        sqlite3_bind_double(statement, column, value);
}

void store_bind_integer(sqlite3_stmt *statement, int column, int64_t value)
{
    if (statement)
        sqlite3_bind_int64(statement, column, value);
}
