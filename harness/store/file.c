// SPDX-License-Identifier: MIT
// The database as a file: which one a path leads to, who may write it, and what becomes of it where it is removed while it
// is in use.
//
// The lock is on the file itself, so that neither another name of it nor anything beside it lets a second run in. It
// belongs to an open file description (fcntl's F_OFD_SETLK), of a descriptor of our own, opened before SQLite opens the
// file and closed after: closing any descriptor of a file takes all of a process's other locks on it, those of SQLite,
// with it. For this reason a process opens a database for writing only once.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "store/store_internal.h"

bool file_find(struct store *store)
{
    store->file = realpath(store->path, NULL);
    if (!store->file)
        store->file = memory_copy(store->path);
    return true;
}

bool file_hold(struct store *store, struct error *error)
{
    struct stat status;
    store->fresh = access(store->path, F_OK) && errno == ENOENT;
    store->held = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); // where it fails, SQLite will say why
    file_find(store);
    char *log = file_beside(store, "-wal");
    store->log = store->fresh ? -1 : open(log, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    free(log);
    if (store->log >= 0 && !file_present(store)) { // it may be another one's
        close(store->log);
        store->log = -1;
    }
    if (store->held < 0 || fstat(store->held, &status) || status.st_nlink <= 1)
        return true;
    error_set_at(error, ERROR_USE, store->path, 0,
                 "the database has %ju names (hard links): with a log beside each of them results would be lost",
                 (uintmax_t)status.st_nlink);
    return error_remedy(error, "remove the other names, or copy it with cp and give the copy");
}

void file_release(struct store *store)
{
    if (store->held >= 0)
        close(store->held);
    if (store->log >= 0)
        close(store->log);
    free(store->file);
}

char *file_beside(const struct store *store, const char *ending)
{
    return memory_format("%s%s", store->file, ending);
}

bool file_had_log(const struct store *store)
{
    struct stat status;
    return store->log >= 0 && !fstat(store->log, &status) && status.st_size > 0;
}

static void remove_beside(const struct store *store)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char *name = file_beside(store, endings[i]);
        unlink(name);
        free(name);
    }
}

void file_remove(const struct store *store)
{
    unlink(store->file);
    remove_beside(store);
}

// ---- whether it is still there

static bool is_gone(const struct store *store)
{
    struct stat there;
    return stat(store->file, &there) && (errno == ENOENT || errno == ENOTDIR);
}

bool file_present(const struct store *store)
{
    struct stat held, there;
    if (store->held < 0 || fstat(store->held, &held))
        return true;
    if (stat(store->file, &there)) // what cannot be looked at now is not taken for gone
        return !is_gone(store);
    return held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

bool file_check(const struct store *store, struct error *error)
{
    if (file_present(store))
        return true;
    error_set_at(error, ERROR_SYSTEM, store->path, 0, "the database was %s while it was in use",
                 is_gone(store) ? "removed" : "replaced by another file");
    return error_remedy(error, "start again");
}

// ---- who may write it

// Far behind SQLite's own locks, which are at 2^30, and as long as the number of the process that holds it: by the
// length of a lock that is in its way a process learns whose it is.
static struct flock lock_of(pid_t pid)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 60, .l_len = pid};
}

// Whether no process has the number any more. Where it is one of another host or container, that says nothing.
static bool has_ended(off_t pid)
{
    return pid > 0 && pid <= INT_MAX && kill((pid_t)pid, 0) && errno == ESRCH;
}

// A process that was killed while it started another one has its descriptors closed only when that one's new program
// begins, or notices that its parent is gone.
enum { RELEASE_MS = 5000 };

bool file_lock(struct store *store, struct error *error)
{
    if (store->mode != STORE_WRITE || store->locked)
        return true;
    struct flock wanted = lock_of(getpid()), other = wanted;
    const double end = clock_seconds() + 1e-3 * RELEASE_MS;
    while (fcntl(store->held, F_OFD_SETLK, &wanted)) {
        if (errno != EAGAIN && errno != EACCES) {
            error_set_errno(error, "lock", store->path);
            return error_remedy(error, "give a database on another drive, a local one: --db");
        }
        if (fcntl(store->held, F_OFD_GETLK, &other) || other.l_type == F_UNLCK) {
            other = wanted; // released meanwhile
            continue;
        }
        if (has_ended(other.l_len) && clock_seconds() < end) {
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
            other = wanted;
            continue;
        }
        error_set_at(error, ERROR_SYSTEM, store->path, 0, "another run uses this database: process %lld",
                     (long long)other.l_len);
        return error_remedy(error, "wait for it or stop it, or give another database with --db");
    }
    store->locked = true; // until the descriptor is closed, however the process ends
    return true;
}

bool store_lock(struct store *store, struct error *error)
{
    if (store->mode != STORE_WRITE || store->locked)
        return true;
    return file_lock(store, error) && store_keep(store, error);
}

// ---- where it was removed

// An empty file NAME.rescued, or with a number behind, beside the database, else in the working folder, else in /tmp:
// its descriptor, or -1 and the error of the last.
static int make_place(const struct store *store, char **name, bool *beside, struct error *error)
{
    static const char *const folders[] = {NULL, ".", "/tmp"};
    enum { NUMBERS = 100 };
    const char *slash = strrchr(store->file, '/'), *base = slash ? slash + 1 : store->file;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i)
        for (int number = 1; number <= NUMBERS; ++number) {
            char digits[16] = "";
            if (number > 1)
                snprintf(digits, sizeof digits, "-%d", number);
            *beside = !folders[i];
            *name = *beside ? memory_format("%s.rescued%s", store->file, digits)
                            : memory_format("%s/%s.rescued%s", folders[i], base, digits);
            const int descriptor = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (descriptor >= 0)
                return descriptor;
            error_set_errno(error, "make", *name);
            free(*name);
            if (errno != EEXIST)
                break;
        }
    return -1;
}

static bool copy_bytes(int from, int to, const char *name, struct error *error)
{
    char bytes[1 << 16];
    ssize_t length, written = 0;
    for (off_t at = 0; (length = pread(from, bytes, sizeof bytes, at)) > 0; at += written)
        if ((written = pwrite(to, bytes, (size_t)length, at)) <= 0)
            return error_set_errno(error, "write", name);
    return !length || error_set_errno(error, "read what is left of", name);
}

// The file that is held, with the log that stood beside it, as one file.
static bool copy_held(const struct store *store, int descriptor, const char *name, struct error *error)
{
    char *log = memory_format("%s-wal", name);
    const int beside = file_had_log(store) ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    bool done = copy_bytes(store->held, descriptor, name, error);
    if (done && file_had_log(store)) {
        sqlite3 *db = NULL;
        done = beside >= 0 ? copy_bytes(store->log, beside, log, error) : error_set_errno(error, "make", log);
        done = done && ((sqlite3_open(name, &db) == SQLITE_OK &&
                         sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) == SQLITE_OK) ||
                        store_failed(db, name, "read the log", error));
        sqlite3_close(db);
    }
    if (beside >= 0)
        close(beside);
    if (!done)
        unlink(log);
    free(log);
    return done;
}

// All that the connection sees or, where there is none, that is held, as one file without a log.
static bool write_copy(struct store *store, int descriptor, const char *name, struct error *error)
{
    bool done =
        store->db ? store_script(store, error, "VACUUM INTO %Q", name) : copy_held(store, descriptor, name, error);
    if (done && fsync(descriptor))
        done = error_set_errno(error, "write", name);
    close(descriptor);
    if (!done)
        unlink(name);
    return done;
}

// Under its own name again. What stands there of the log belongs to the file that is gone, and would damage this one.
static bool put_back(const struct store *store, const char *name)
{
    if (!is_gone(store))
        return false;
    remove_beside(store);
    return !renameat2(AT_FDCWD, name, AT_FDCWD, store->file, RENAME_NOREPLACE);
}

// Where the file that is open has another name by now: that name, to be freed. NULL: it has none that can be found.
static char *other_name(const struct store *store)
{
    struct stat held, there;
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", store->held);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    name[length > 0 ? length : 0] = 0;
    return !fstat(store->held, &held) && held.st_nlink && !stat(name, &there) && held.st_dev == there.st_dev &&
                   held.st_ino == there.st_ino
               ? memory_copy(name)
               : NULL;
}

// Where it was kept is told as an error, since the next run would not find it there.
static bool kept(const struct store *store, const char *event, const char *name, struct error *error)
{
    error_set_at(error, ERROR_SYSTEM, store->path, 0, "the database was %s while it was in use; all results are in %s",
                 event, name);
    return error_remedy(error, "move it back, or go on with it: --db %s", name);
}

bool store_keep(struct store *store, struct error *error)
{
    struct error cause = {0};
    bool beside;
    if (file_present(store) || store_is_empty(store))
        return file_check(store, error);
    const char *event = is_gone(store) ? "removed" : "replaced by another file";
    // Whoever opens another file of this name now must not find a log beside it that is not its own.
    const bool whole =
        store->db ? sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK
                  : !file_had_log(store);
    char *name = whole ? other_name(store) : NULL;
    if (name) {
        kept(store, "renamed", name, error);
        free(name);
        return false;
    }
    const int descriptor = make_place(store, &name, &beside, &cause);
    if (descriptor < 0 || !write_copy(store, descriptor, name, &cause)) {
        error_set_at(error, ERROR_SYSTEM, store->path, 0,
                     "the database was %s while it was in use, and its results are lost: %s", event, cause.message);
        error_remedy(error, "%s", cause.remedy);
    } else if (beside && put_back(store, name)) {
        error_set_at(error, ERROR_SYSTEM, store->path, 0,
                     "the database was removed while it was in use; it was written again, with all results");
        error_remedy(error, "see what removes it, such as a purge of old files, and start again to go on");
    } else {
        kept(store, event, name, error);
    }
    if (descriptor >= 0)
        free(name);
    return false;
}

void file_rescue(struct store *store, struct error *error)
{
    struct error ignored = {0};
    if (store->held < 0 || !store->db || file_present(store) || !file_lock(store, &ignored))
        return; // where another run has it open, that one keeps what it holds
    store_forget_statements(store);
    sqlite3_close_v2(store->db); // which may be another file's
    store->db = NULL;
    store_keep(store, error);
}
