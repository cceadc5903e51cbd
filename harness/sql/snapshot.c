// SPDX-License-Identifier: MIT
#include "sql/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

// All pages in one step, of which a run that writes meanwhile neither sees nor changes anything; in one file, without a
// log. Page by page, since the tables of an older version may be hidden by views of this one.
static bool write_pages(struct sql *db, const char *partial, const char *path, struct error *error)
{
    struct sql copy = {.path = path};
    bool done =
        sqlite3_open_v2(partial, &copy.connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK;
    sqlite3_backup *backup = done ? sqlite3_backup_init(copy.connection, "main", db->connection, "main") : NULL;
    if (backup) {
        sqlite3_backup_step(backup, -1);
        sqlite3_backup_finish(backup); // leaves what went wrong with the connection
    }
    done = done && sqlite3_errcode(copy.connection) == SQLITE_OK &&
           sqlite3_exec(copy.connection, "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE", NULL, NULL, NULL) ==
               SQLITE_OK;
    if (!done)
        sql_failed(&copy, "write the copy", error);
    sql_close(&copy);
    return done;
}

// What a database of this name left would be taken for the copy's own, and damage it.
static bool check_beside(const char *path, struct error *error)
{
    static const char *const endings[] = {"-wal", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char *name = memory_format("%s%s", path, endings[i]);
        const bool there = !access(name, F_OK);
        if (there)
            error_set_at(error, ERROR_SYSTEM, name, 0, "this log of another database would damage the copy");
        free(name);
        if (there)
            return error_remedy(error, "remove it and %s-shm first, or give another name", path);
    }
    return true;
}

// Some file systems know no hard links.
static bool give_name(const char *from, const char *path, struct error *error)
{
    if (!check_beside(path, error))
        return false;
    if (!link(from, path) || (errno != EEXIST && !renameat2(AT_FDCWD, from, AT_FDCWD, path, RENAME_NOREPLACE)))
        return true;
    const bool there = errno == EEXIST;
    error_set_errno(error, "make", path);
    return there ? error_remedy(error, "remove it first, with %s-wal and %s-shm, or give another name", path, path)
                 : false;
}

// What a copy may leave: static, for the handler of signals.
enum { PARTIAL_FILES = 4 };
static char *partial_names[PARTIAL_FILES];

static void remove_partial(void)
{
    for (int i = 0; i < PARTIAL_FILES; ++i)
        unlink(partial_names[i]);
}

// The process then ends by the same signal, which has its default effect again.
static void abandon_copy(int signal)
{
    remove_partial();
    raise(signal);
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

// Those that the caller's shell ignores stay ignored.
static void catch_signals(struct sigaction before[ENDING_SIGNALS])
{
    struct sigaction action = {.sa_handler = abandon_copy, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING_SIGNALS; ++i)
        if (!sigaction(ending_signals[i], NULL, &before[i]) && before[i].sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &action, NULL);
}

bool sql_snapshot(struct sql *db, const char *path, struct error *error)
{
    static const char *const endings[PARTIAL_FILES] = {"", "-journal", "-wal", "-shm"};
    struct sigaction before[ENDING_SIGNALS];
    for (int i = 0; i < PARTIAL_FILES; ++i)
        partial_names[i] = memory_format("%s.partial-%d%s", path, (int)getpid(), endings[i]);
    catch_signals(before);
    remove_partial();
    const bool done = write_pages(db, partial_names[0], path, error) && give_name(partial_names[0], path, error);
    remove_partial();
    for (int i = 0; i < ENDING_SIGNALS; ++i)
        sigaction(ending_signals[i], &before[i], NULL);
    for (int i = 0; i < PARTIAL_FILES; ++i)
        free(partial_names[i]);
    return done;
}
