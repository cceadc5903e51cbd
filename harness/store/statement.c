// SPDX-License-Identifier: MIT
#include "store/store_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

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
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
        return "the file is damaged, or was changed by another program: restore a copy, or give another one with --db";
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

// ---- waiting for another process

static void describe_process(int pid, char *text, size_t size)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    FILE *file = fopen(path, "r");
    if (file && fgets(name, sizeof name, file))
        name[strcspn(name, "\n")] = 0;
    if (file)
        fclose(file);
    snprintf(text, size, "%s (process %d)", name[0] ? name : "another program", pid);
}

// The process with a write lock on the database or the index of its log, from the list of locks: asking about a lock
// would open the file, and closing it again would drop our own locks.
static void find_holder(const struct store *store, char *text, size_t size)
{
    char line[256], *shared = file_beside(store, "-shm");
    struct stat file = {0}, index = {0};
    text[0] = 0;
    const bool has_file = !stat(store->file, &file), has_index = !stat(shared, &index);
    free(shared);
    FILE *locks = fopen("/proc/locks", "r");
    while (locks && !text[0] && fgets(line, sizeof line, locks)) {
        int pid;
        unsigned long long inode;
        if (sscanf(line, "%*d: %*s %*s WRITE %d %*[0-9a-f]:%*[0-9a-f]:%llu", &pid, &inode) == 2 && pid > 0 &&
            pid != (int)getpid() &&
            ((has_file && inode == (unsigned long long)file.st_ino) ||
             (has_index && inode == (unsigned long long)index.st_ino)))
            describe_process(pid, text, size);
    }
    if (locks)
        fclose(locks);
}

static int wait_longer(void *context, int calls)
{
    struct store *store = context;
    char holder[96];
    const double now = clock_seconds();
    if (!calls)
        store->wait_began = now;
    find_holder(store, holder, sizeof holder);
    if (!store->wait(store->wait_context, now - store->wait_began, holder))
        return 0;
    nanosleep(&(struct timespec){.tv_nsec = calls < 20 ? 5000000 : 100000000}, NULL);
    return 1;
}

void store_wait(struct store *store, bool (*wait)(void *context, double seconds, const char *holder), void *context)
{
    store->wait = wait;
    store->wait_context = context;
    sqlite3_busy_handler(store->db, wait_longer, store);
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
            store_failed(store->db, store->path, store->doing, error);
            return NULL;
        }
        store->statements[i].sql = sql;
        return store->statements[i].statement = statement;
    }
    error_set(error, ERROR_SYSTEM, "too many kinds of statements: raise STORE_STATEMENTS");
    return NULL;
}

// ---- SQL that is made for once

sqlite3_stmt *store_make_of(struct store *store, struct error *error, char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (!sql)
        error_set(error, ERROR_SYSTEM, "no memory left");
    else if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        store_failed(store->db, store->path, store->doing, error);
    sqlite3_free(sql);
    return statement;
}

bool store_text_of(struct store *store, struct error *error, char **text, char *sql)
{
    sqlite3_stmt *statement = store_make_of(store, error, sql);
    const int row = store_row(store, statement, error);
    const unsigned char *found = row == 1 ? sqlite3_column_text(statement, 0) : NULL;
    *text = found ? sqlite3_mprintf("%s", found) : NULL;
    sqlite3_finalize(statement);
    return row >= 0;
}

bool store_script_of(struct store *store, struct error *error, char *sql)
{
    const bool done =
        sql ? store_exec(store, sql, store->doing, error) : error_set(error, ERROR_SYSTEM, "no memory left");
    sqlite3_free(sql);
    return done;
}

bool store_copy(struct store *to, struct store *from, const char *select, const char *insert, struct error *error)
{
    sqlite3_stmt *rows = store_make(from, error, "%s", select),
                 *added = rows ? store_make(to, error, "%s", insert) : NULL;
    int found = -1;
    bool done = added != NULL;
    while (done && (found = store_row(from, rows, error)) > 0) {
        for (int i = 0; i < sqlite3_column_count(rows); ++i)
            sqlite3_bind_value(added, i + 1, sqlite3_column_value(rows, i));
        done = store_run(to, added, error);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(added);
    return done && !found;
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
        store_failed(store->db, store->path, store->doing, error);
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

bool store_end(struct store *store, bool done, struct error *error)
{
    if (done && store_run(store, store_prepare(store, "COMMIT", error), error)) {
        store->fresh = false;
        return true;
    }
    store_rollback(store);
    return false;
}

void store_rollback(struct store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

void store_bind(sqlite3_stmt *statement, int column, struct bound value)
{
    if (!statement)
        return;
    if (value.type == SQLITE_INTEGER)
        sqlite3_bind_int64(statement, column, value.integer);
    else if (value.type == SQLITE_FLOAT && !isnan(value.real))
        sqlite3_bind_double(statement, column, value.real);
    else if (value.type == SQLITE_TEXT && value.text)
        sqlite3_bind_text(statement, column, value.text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(statement, column);
}

sqlite3_stmt *store_with_values(struct store *store, const char *sql, const struct bound *values, size_t count,
                                struct error *error)
{
    sqlite3_stmt *statement = store_prepare(store, sql, error);
    for (size_t i = 0; i < count; ++i)
        store_bind(statement, (int)i + 1, values[i]);
    return statement;
}
