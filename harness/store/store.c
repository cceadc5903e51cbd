// SPDX-License-Identifier: MIT
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sql/snapshot.h"
#include "sql/statement.h"
#include "store/schema.h"
#include "store/store_handle.h"
#include "store/vocabulary.h"

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

static bool open_file(struct store *store, const char *name, int flags, struct error *error)
{
    return sql_open(&store->db, name, flags, error) && vocabulary_functions(&store->db, error);
}

// These functions declare their columns at their first use, which a query's authorizer would take for writing.
static bool tune_connection(struct sql *db, struct error *error)
{
    return sql_exec(db,
                    "PRAGMA cache_size = -131072; PRAGMA temp_store = MEMORY;"
                    "SELECT 1 FROM json_each('[]'), json_tree('[]'), pragma_table_info('meta'), "
                    "pragma_page_count, pragma_page_size",
                    "open the database", error);
}

static bool can_read(struct sql *db)
{
    return sqlite3_exec(db->connection, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_OK;
}

static bool missing_remedy(const char *path, struct error *error)
{
    static const char *const suffixes[] = {".xz", ".gz"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char *packed = memory_format("%s%s", path, suffixes[i]);
        const bool there = access(packed, R_OK) == 0;
        if (there)
            error_remedy(error, "it is there packed: %s -k %s", sql_unpacker(packed), packed);
        free(packed);
        if (there)
            return false;
    }
    return error_remedy(error, "`warpstudy run` makes a database; give an existing one with --db");
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

// In a folder that may not be written SQLite cannot make the index of its log. Without a log the file is all there is.
static bool open_immutable(struct store *store, struct error *error)
{
    if (sql_file_has_log(&store->file)) {
        error_set_at(error, ERROR_SYSTEM, store->path, 0,
                     "the database was not closed cleanly, and its folder is read-only, so its log cannot be read");
        return error_remedy(error, "copy the file and %s-wal into a folder that you may write", store->file.name);
    }
    sql_close(&store->db);
    char *uri = sqlite3_mprintf("file:"), *text = store->file.name;
    for (; uri && *text; ++text)
        uri = strchr("?#%", *text) ? sqlite3_mprintf("%z%%%02x", uri, (unsigned)(unsigned char)*text)
                                   : sqlite3_mprintf("%z%c", uri, *text);
    uri = uri ? sqlite3_mprintf("%z?immutable=1", uri) : NULL;
    const bool done = uri && open_file(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
    sqlite3_free(uri);
    return done && (can_read(&store->db) || sql_failed(&store->db, "read the database", error));
}

static bool open_reading(struct store *store, struct error *error)
{
    bool empty;
    if (!check_file(store->path, true, error))
        return false;
    sql_file_find(&store->file, store->path);
    // A URI is what tables.c attaches; the name is absolute, so it is none.
    if (!open_file(store, store->file.name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error))
        return false;
    if (!can_read(&store->db)) {
        const int code = sqlite3_errcode(store->db.connection) & 0xff;
        const bool blocked = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
        if (!(blocked ? open_immutable(store, error) : sql_failed(&store->db, "read the database", error)))
            return false;
    }
    if (!tune_connection(&store->db, error) || !schema_check(&store->db, &empty, error))
        return false;
    if (!empty)
        return schema_views(&store->db, true, error);
    error_set_at(error, ERROR_INPUT, store->path, 0, "this database is empty");
    return error_remedy(error, "`warpstudy run` fills it; or give another one with --db");
}

// SQLite waits for no other process when it switches to a log, since two that switch would wait for each other.
static bool use_log(struct sql *db, struct error *error)
{
    static const char sql[] = "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL";
    const double end = clock_seconds() + 1e-3 * SQL_BUSY_MS;
    int code;
    while ((code = sqlite3_exec(db->connection, sql, NULL, NULL, NULL)) != SQLITE_OK && (code & 0xff) == SQLITE_BUSY &&
           clock_seconds() < end)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    return code == SQLITE_OK || sql_failed(db, "open the database", error);
}

// Commits do not wait for the disk; store_finish_attempt raises this to FULL once a second.
static bool set_journal(struct sql *db, struct error *error)
{
    return use_log(db, error) &&
           sql_exec(db,
                    "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;"
                    "PRAGMA wal_autocheckpoint = 2000",
                    "open the database", error);
}

// A log that another file of this name left has pages of that one, which the first checkpoint would write into this one.
static bool check_log(struct store *store, struct error *error)
{
    char *found = NULL;
    const char *name = store->file.name;
    const bool asked = sql_text(&store->db, error, &found, "PRAGMA quick_check(1)");
    const bool whole = asked && !strcmp(found, "ok");
    if (asked ? !whole : sqlite3_errcode(store->db.connection) == SQLITE_CORRUPT) {
        error_set_at(error, ERROR_INPUT, store->path, 0, "with its log the database is damaged: %.300s",
                     asked ? found : sqlite3_errmsg(store->db.connection));
        error_remedy(error, "if another file was put here, remove %s-wal and %s-shm; else restore a copy without these",
                     name, name);
    }
    sqlite3_free(found);
    if (whole)
        return true;
    sqlite3_db_config(store->db.connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL); // closing must not write either
    sql_close(&store->db);
    return false;
}

static bool open_writing(struct store *store, bool memory, struct error *error)
{
    bool empty;
    if (!memory && (!check_file(store->path, false, error) || !sql_file_hold(&store->file, store->path, error)))
        return false;
    const bool logged = !memory && sql_file_has_log(&store->file);
    // Only sql_file_hold makes a file; what stands there now may be another one.
    if (!open_file(store, memory ? ":memory:" : store->file.name, SQLITE_OPEN_READWRITE, error) ||
        !sql_file_check(&store->file, error) || (logged && !check_log(store, error)) ||
        !schema_check(&store->db, &empty, error))
        return false;
    if (sqlite3_db_readonly(store->db.connection, "main") == 1) {
        error_set_at(error, ERROR_SYSTEM, store->path, 0, "the database is read-only");
        return error_remedy(error, "correct the permissions, or give another place with --db");
    }
    return tune_connection(&store->db, error) && set_journal(&store->db, error) &&
           schema_update(&store->db, empty, error);
}

struct store *store_open(const char *path, enum store_mode mode, struct error *error)
{
    struct store *store = memory_new(1, sizeof *store);
    store->path = memory_copy(mode == STORE_MEMORY ? ":memory:" : path);
    store->reading = mode == STORE_READ;
    store->file.held = -1;
    store->db.path = store->path;
    store->db.doing = "open the database";
    const bool opened =
        mode == STORE_READ ? open_reading(store, error) : open_writing(store, mode == STORE_MEMORY, error);
    store->db.doing = "use the database";
    if (opened)
        return store;
    store_close(store);
    return NULL;
}

// Leaves one plain file behind, which also opens in a folder that may not be written. One that was renamed at the last
// moment must not need its log, which stands beside the old name, and which SQLite would leave there as it is.
static void leave_single_file(struct store *store)
{
    sqlite3_busy_timeout(store->db.connection, 200);
    sqlite3_exec(store->db.connection, "PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    if (sql_file_present(&store->file))
        sqlite3_exec(store->db.connection, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
}

// Whether nothing was ever stored, by this process or another.
static bool store_is_empty(struct store *store)
{
    struct error ignored = {0};
    int64_t run = 0;
    return !store->db.written &&
           !(sql_integer(&store->db, sql_prepare(&store->db, "SELECT id FROM run", &ignored), 0, &run, &ignored) &&
             run);
}

// Whether the file was made for nothing: what it was made for never began, or the disk had no room for it. Only who
// holds the lock may tell, for another process may be using the file by now.
static bool store_is_useless(struct store *store)
{
    struct error ignored = {0};
    return store->file.fresh && sql_file_lock(&store->file, &ignored) && sql_file_present(&store->file) &&
           store_is_empty(store);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    const bool opened = store->db.connection != NULL;
    if (opened)
        sql_rollback(&store->db);
    const bool useless = opened ? store_is_useless(store) : store->file.fresh && sql_file_present(&store->file);
    sql_forget_statements(&store->db);
    if (opened && !store->reading && store->file.name && !useless)
        leave_single_file(store);
    sql_close(&store->db);
    if (useless)
        sql_file_remove(&store->file);
    sql_file_release(&store->file);
    free(store->path);
    free(store);
}

// ---- while another process holds it

static int wait_longer(void *context, int calls)
{
    struct store *store = context;
    const double now = clock_seconds();
    if (!calls)
        store->wait_began = now;
    if (!store->wait(store->wait_context, now - store->wait_began))
        return 0;
    nanosleep(&(struct timespec){.tv_nsec = calls < 20 ? 5000000 : 100000000}, NULL);
    return 1;
}

void store_wait(struct store *store, bool (*wait)(void *context, double seconds), void *context)
{
    store->wait = wait;
    store->wait_context = context;
    sqlite3_busy_handler(store->db.connection, wait_longer, store);
}

// ---- its file

bool store_is_run(struct store *store)
{
    return sql_file_is_run(&store->file);
}

bool store_lock(struct store *store, struct error *error)
{
    return store->file.locked || (sql_file_lock(&store->file, error) && store_keep(store, error));
}

bool store_lock_to_run(struct store *store, struct error *error)
{
    const bool done = store_lock(store, error);
    if (done)
        sql_file_mark_run(&store->file);
    return done;
}

bool store_keep(struct store *store, struct error *error)
{
    if (sql_file_present(&store->file) || store_is_empty(store))
        return sql_file_check(&store->file, error);
    return sql_file_rescue(&store->file, &store->db, error);
}

bool store_snapshot(struct store *store, const char *path, struct error *error)
{
    return sql_snapshot(&store->db, path, error);
}
