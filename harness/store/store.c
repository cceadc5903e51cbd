// SPDX-License-Identifier: MIT
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "store/store_internal.h"

enum { STORE_PAGE_BYTES = 8192 }; // as set_journal sets it

const char *store_default_path(void)
{
    struct stat status;
    const char *chosen = getenv("WARPSTUDY_DB");
    if (chosen && *chosen)
        return chosen;
    return !stat("results", &status) && S_ISDIR(status.st_mode) ? "results/warpstudy.db" : "warpstudy.db";
}

const char *store_path(const struct store *store)
{
    return store->path;
}

// What every connection has; a damaged or hostile file can do no more than hold wrong rows.
static bool configure(struct store *store, struct error *error)
{
    sqlite3_busy_timeout(store->db, STORE_BUSY_MS);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_extended_result_codes(store->db, 1);
    return vocabulary_functions(store, error);
}

static bool open_file(struct store *store, const char *name, int flags, struct error *error)
{
    if (sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return store_failed(store->db, store->path, "open the database", error);
    return configure(store, error);
}

// These functions declare their columns at their first use, which a query's authorizer would take for writing.
static bool tune(struct store *store, struct error *error)
{
    return store_exec(store,
                      "PRAGMA cache_size = -131072; PRAGMA temp_store = MEMORY;"
                      "SELECT 1 FROM json_each('[]'), json_tree('[]'), pragma_table_info('meta')",
                      "open the database", error);
}

static bool probe(struct store *store)
{
    return sqlite3_exec(store->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_OK;
}

static bool missing_remedy(const char *path, struct error *error)
{
    char *packed = memory_format("%s.gz", path);
    const bool there = access(packed, R_OK) == 0;
    free(packed);
    return there ? error_remedy(error, "it is there packed: gunzip -k %s.gz", path)
                 : error_remedy(error, "`warpstudy run` makes a database; give an existing one with --db");
}

static bool check_file(const char *path, bool must_exist, struct error *error)
{
    struct stat status;
    // SQLite would make a private database of these, which is gone at the end.
    if (!path[0] || !strcmp(path, ":memory:")) {
        error_set(error, ERROR_USE, "'%s' is not the name of a database", path);
        return error_remedy(error, "give a file with --db, --into or WARPSTUDY_DB");
    }
    if (!stat(path, &status)) {
        if (S_ISREG(status.st_mode))
            return true;
        error_set_at(error, ERROR_INPUT, path, 0, "this is not a file");
        return error_remedy(error, "give the database's file with --db");
    }
    if (!must_exist && errno == ENOENT)
        return true;
    error_set_errno(error, "open", path);
    return errno == ENOENT ? missing_remedy(path, error) : false;
}

static bool log_pending(const struct store *store)
{
    struct stat status;
    char *name = file_beside(store, "-wal");
    const bool pending = !stat(name, &status) && status.st_size > 0;
    free(name);
    return pending;
}

// In a folder that may not be written SQLite cannot make the index of its log. Without a log the file is all there is.
static bool open_immutable(struct store *store, struct error *error)
{
    if (log_pending(store)) {
        error_set_at(error, ERROR_SYSTEM, store->path, 0,
                     "the database was not closed cleanly, and its folder is read-only, so its log cannot be read");
        return error_remedy(error, "copy the file and %s-wal into a folder that you may write", store->file);
    }
    sqlite3_close(store->db);
    store->db = NULL;
    char *uri = sqlite3_mprintf("file:"), *text = store->file;
    for (; uri && *text; ++text)
        uri = strchr("?#%", *text) ? sqlite3_mprintf("%z%%%02x", uri, (unsigned)(unsigned char)*text)
                                   : sqlite3_mprintf("%z%c", uri, *text);
    uri = uri ? sqlite3_mprintf("%z?immutable=1", uri) : NULL;
    const bool done = uri && open_file(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
    sqlite3_free(uri);
    return done && (probe(store) || store_failed(store->db, store->path, "read the database", error));
}

static bool open_reading(struct store *store, struct error *error)
{
    bool empty;
    if (!check_file(store->path, true, error) || !file_find(store) || !network_enter(store, error) ||
        !open_file(store, store->file, SQLITE_OPEN_READONLY, error))
        return false;
    if (!probe(store)) {
        const int code = sqlite3_errcode(store->db) & 0xff;
        const bool blocked = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
        if (!(blocked ? open_immutable(store, error)
                      : store_failed(store->db, store->path, "read the database", error)))
            return false;
    }
    if (!tune(store, error) || !schema_check(store, &empty, error))
        return false;
    if (!empty)
        return schema_views(store, error);
    error_set_at(error, ERROR_INPUT, store->path, 0, "this database is empty");
    return error_remedy(error, "`warpstudy run` fills it; or give another one with --db");
}

// SQLite waits for no other process when it switches to a log, since two that switch would wait for each other.
static bool use_log(struct store *store, struct error *error)
{
    static const char sql[] = "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL";
    const double end = clock_seconds() + 1e-3 * STORE_BUSY_MS;
    int code;
    while ((code = sqlite3_exec(store->db, sql, NULL, NULL, NULL)) != SQLITE_OK && (code & 0xff) == SQLITE_BUSY &&
           clock_seconds() < end)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    return code == SQLITE_OK || store_failed(store->db, store->path, "open the database", error);
}

// Commits do not wait for the disk; store_finish_attempt raises this to FULL once a second.
static bool set_journal(struct store *store, struct error *error)
{
    return use_log(store, error) &&
           store_exec(store,
                      "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;"
                      "PRAGMA wal_autocheckpoint = 2000",
                      "open the database", error);
}

static bool open_writing(struct store *store, struct error *error)
{
    const bool memory = store->mode == STORE_MEMORY;
    bool empty;
    if (!memory && (!check_file(store->path, false, error) || !file_hold(store, error) || !network_enter(store, error)))
        return false;
    // Only file_hold makes a file; what stands there now may be another one.
    if (!open_file(store, memory ? ":memory:" : store->file, SQLITE_OPEN_READWRITE, error) ||
        !file_check(store, error) || !schema_check(store, &empty, error))
        return false;
    if (sqlite3_db_readonly(store->db, "main") == 1) {
        error_set_at(error, ERROR_SYSTEM, store->path, 0, "the database is read-only");
        return error_remedy(error, "mend the permissions, or give another place with --db");
    }
    return tune(store, error) && set_journal(store, error) && schema_update(store, empty, error);
}

struct store *store_open(const char *path, enum store_mode mode, struct error *error)
{
    struct store *store = memory_new(1, sizeof *store);
    store->path = memory_copy(mode == STORE_MEMORY ? ":memory:" : path);
    store->mode = mode;
    store->held = -1;
    store->log = -1;
    store->expression_seconds = EXPRESSION_SECONDS;
    store->doing = "open the database";
    const bool opened = mode == STORE_READ ? open_reading(store, error) : open_writing(store, error);
    store->doing = "use the database";
    if (opened)
        return store;
    file_rescue(store, error);
    store_close(store);
    return NULL;
}

// Leaves one plain file behind, which also opens in a folder that may not be written. One that was renamed at the last
// moment must not need its log, which stands beside the old name, and which SQLite would leave there as it is.
static void leave_single_file(struct store *store)
{
    sqlite3_busy_timeout(store->db, 200);
    if (!file_present(store)) {
        sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
        return;
    }
    sqlite3_exec(store->db, "PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE", NULL,
                 NULL, NULL);
}

// The disk may have no room even for reading, and a file that is lost no connection.
bool store_is_empty(const struct store *store)
{
    sqlite3_stmt *runs = NULL;
    struct stat status;
    int code = SQLITE_CANTOPEN;
    if (store->db && (code = sqlite3_prepare_v2(store->db, "SELECT 1 FROM run", -1, &runs, NULL)) == SQLITE_OK)
        code = sqlite3_step(runs);
    sqlite3_finalize(runs);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return code == SQLITE_DONE;
    return code == SQLITE_ERROR || (!fstat(store->held, &status) && status.st_size <= STORE_PAGE_BYTES &&
                                    !log_pending(store) && !file_had_log(store));
}

// Whether the file was made for nothing: what it was made for never began, or the disk had no room for it. Only who
// holds the lock may tell, for another process may be using the file by now.
static bool is_useless(struct store *store)
{
    struct error ignored = {0};
    return store->fresh && store->db && store_lock(store, &ignored) && file_present(store) && store_is_empty(store);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    bool useless = false;
    if (store->db) {
        store_rollback(store);
        store_forget_statements(store);
        useless = is_useless(store);
        if (store->mode == STORE_WRITE && !useless)
            leave_single_file(store);
    }
    plan_close(store);
    sqlite3_close_v2(store->db);
    if (useless || (store->fresh && !store->db && file_present(store)))
        file_remove(store);
    network_leave(store);
    file_release(store);
    free(store->path);
    free(store);
}
