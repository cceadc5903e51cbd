// SPDX-License-Identifier: MIT
#include "sql/snapshot.h"

#include <errno.h>
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

static bool give_name(const char *from, const char *path, struct error *error)
{
    if (!link(from, path))
        return true;
    const bool there = errno == EEXIST;
    error_set_errno(error, "make", path);
    return there ? error_remedy(error, "remove it first, or give another name") : false;
}

static void remove_partial(const char *partial)
{
    static const char *const endings[] = {"", "-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char *name = memory_format("%s%s", partial, endings[i]);
        unlink(name);
        free(name);
    }
}

bool sql_snapshot(struct sql *db, const char *path, struct error *error)
{
    char *partial = memory_format("%s.partial-%d", path, (int)getpid());
    remove_partial(partial);
    const bool done = write_pages(db, partial, path, error) && give_name(partial, path, error);
    remove_partial(partial);
    free(partial);
    return done;
}
