// SPDX-License-Identifier: MIT
#include "sql/handle.h"

#include <pthread.h>
#include <string.h>

static const char *remedy_for(int code)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another process is writing to this database: wait for it, or give another one with --db";
    case SQLITE_FULL: return "the disk is full: free some space and start again; what is stored already stays valid";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "the file or its folder is read-only: correct the permissions, or give another place with --db";
    case SQLITE_NOTADB: return "this file is not a warpstudy database: give another one with --db";
    case SQLITE_CORRUPT:
        return "the file is damaged: restore a copy, without FILE-wal and FILE-shm beside it, or save what is readable "
               "with `sqlite3 FILE .recover`";
    case SQLITE_CANTOPEN: return "make the folder and see that you may write there, or give another place with --db";
    case SQLITE_IOERR:
        return "the disk or network drive failed: check space and state of the disk; what is stored already stays "
               "valid";
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
        return "the file is damaged, or was changed by another program: restore a copy, without FILE-wal and FILE-shm "
               "beside it, or give another one with --db";
    default: return "";
    }
}

const char *sql_unpacker(const char *path)
{
    const size_t length = strlen(path);
    const char *suffix = path + length - (length < 3 ? 0 : 3);
    return !strcmp(suffix, ".gz") ? "gunzip" : !strcmp(suffix, ".xz") ? "unxz" : NULL;
}

bool sql_failed(const struct sql *db, const char *doing, struct error *error)
{
    const int code = sqlite3_errcode(db->connection), extended = sqlite3_extended_errcode(db->connection);
    if (code == SQLITE_INTERRUPT) {
        error_set(error, ERROR_INTERRUPTED, "interrupted");
        return false;
    }
    const enum error_kind kind = code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? ERROR_INPUT
                                 : code == SQLITE_ERROR || code == SQLITE_AUTH   ? ERROR_USE
                                                                                 : ERROR_SYSTEM;
    error_set_at(error, kind, db->path, 0, "cannot %s: %s", doing, sqlite3_errmsg(db->connection));
    const char *unpacker = code == SQLITE_NOTADB ? sql_unpacker(db->path) : NULL;
    if (unpacker)
        return error_remedy(error, "it is compressed: `%s -k %s`, and give what that makes", unpacker, db->path);
    return error_remedy(error, "%s", remedy_for(extended == SQLITE_OK ? code : extended));
}

// Before the first connection: without sums of the memory in use, each of which takes a lock that threads would share.
static void configure(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// SQLite says only that it cannot open it. It makes names of its own with up to 8 characters more.
static bool check_length(const struct sql *db, const char *name, struct error *error)
{
    const size_t most = (size_t)sqlite3_vfs_find(NULL)->mxPathname - 8;
    if (name[0] != '/' || strlen(name) <= most)
        return true;
    error_set_at(error, ERROR_USE, db->path, 0, "the path has %zu characters, and SQLite takes at most %zu",
                 strlen(name), most);
    return error_remedy(error, "give another place with --db");
}

bool sql_open(struct sql *db, const char *name, int flags, struct error *error)
{
    static pthread_once_t configured = PTHREAD_ONCE_INIT;
    pthread_once(&configured, configure);
    if (!check_length(db, name, error))
        return false;
    if (sqlite3_open_v2(name, &db->connection, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return sql_failed(db, db->doing, error);
    sqlite3_busy_timeout(db->connection, SQL_BUSY_MS);
    sqlite3_db_config(db->connection, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db->connection, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(db->connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_extended_result_codes(db->connection, 1);
    return true;
}

void sql_close(struct sql *db)
{
    sql_forget_statements(db);
    sqlite3_close_v2(db->connection);
    db->connection = NULL;
}

bool sql_exec(struct sql *db, const char *script, const char *doing, struct error *error)
{
    return sqlite3_exec(db->connection, script, NULL, NULL, NULL) == SQLITE_OK || sql_failed(db, doing, error);
}

void sql_forget_statements(struct sql *db)
{
    for (size_t i = 0; i < SQL_STATEMENTS; ++i) {
        sqlite3_finalize(db->statements[i].statement);
        db->statements[i].statement = NULL;
        db->statements[i].sql = NULL;
    }
}
