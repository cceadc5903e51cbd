// SPDX-License-Identifier: MIT
// The lock is on the file itself, so that neither another name of it nor anything beside it lets a second run in. It
// belongs to an open file description (fcntl's F_OFD_SETLK), of a descriptor of our own, opened before SQLite opens the
// file and closed after: closing any descriptor of a file takes all of a process's other locks on it, those of SQLite,
// with it. For this reason a process opens a database for writing only once.
#include "sql/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sql/statement.h"

void sql_file_find(struct sql_file *file, const char *path)
{
    *file = (struct sql_file){.path = path, .name = realpath(path, NULL), .held = -1};
    if (!file->name)
        file->name = memory_copy(path);
}

bool sql_file_hold(struct sql_file *file, const char *path, struct error *error)
{
    struct stat status;
    const bool fresh = access(path, F_OK) && errno == ENOENT;
    const int held = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); // where it fails, SQLite will say why
    sql_file_find(file, path);
    file->held = held;
    file->fresh = fresh;
    if (held < 0 || fstat(held, &status) || status.st_nlink <= 1)
        return true;
    error_set_at(error, ERROR_USE, path, 0,
                 "the database has %ju names (hard links): with a log beside each of them results would be lost",
                 (uintmax_t)status.st_nlink);
    return error_remedy(error, "remove the other names, or copy it with cp and give the copy");
}

void sql_file_release(struct sql_file *file)
{
    if (file->held >= 0)
        close(file->held);
    free(file->name);
}

bool sql_file_has_log(const struct sql_file *file)
{
    struct stat status;
    char *log = memory_format("%s-wal", file->name);
    const bool there = !stat(log, &status) && status.st_size > 0;
    free(log);
    return there;
}

static void remove_log(const struct sql_file *file)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char *name = memory_format("%s%s", file->name, endings[i]);
        unlink(name);
        free(name);
    }
}

void sql_file_remove(const struct sql_file *file)
{
    unlink(file->name);
    remove_log(file);
}

// ---- whether it is still there

static bool is_gone(const struct sql_file *file)
{
    struct stat there;
    return stat(file->name, &there) && (errno == ENOENT || errno == ENOTDIR);
}

bool sql_file_present(const struct sql_file *file)
{
    struct stat held, there;
    if (file->held < 0 || fstat(file->held, &held))
        return true;
    if (stat(file->name, &there)) // what cannot be looked at now is not taken for gone
        return !is_gone(file);
    return held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

static const char *loss_of(const struct sql_file *file)
{
    return is_gone(file) ? "removed" : "replaced by another file";
}

bool sql_file_check(const struct sql_file *file, struct error *error)
{
    if (sql_file_present(file))
        return true;
    error_set_at(error, ERROR_SYSTEM, file->path, 0, "the database was %s while it was in use", loss_of(file));
    return error_remedy(error, "start again");
}

// ---- who may write it

// Far behind SQLite's own locks, which are at 2^30, and as long as the number of the process that holds it: by the
// length of a lock that is in its way a process learns whose it is.
static struct flock lock_of(pid_t pid)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 60, .l_len = pid};
}

// A run's own beside it, by which it is told from others that write.
static struct flock lock_of_run(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = ((off_t)1 << 60) - 1, .l_len = 1};
}

// Whether no process has the number any more. Where it is one of another host or container, that says nothing.
static bool has_ended(off_t pid)
{
    return pid > 0 && pid <= INT_MAX && kill((pid_t)pid, 0) && errno == ESRCH;
}

// The descriptor stays open until the database is closed: see above.
bool sql_file_is_run(struct sql_file *file)
{
    struct flock other = lock_of_run();
    if (file->held < 0)
        file->held = open(file->name, O_RDONLY | O_CLOEXEC);
    return file->held >= 0 && !fcntl(file->held, F_OFD_GETLK, &other) && other.l_type != F_UNLCK;
}

void sql_file_mark_run(const struct sql_file *file)
{
    struct flock wanted = lock_of_run();
    if (file->locked)
        fcntl(file->held, F_OFD_SETLK, &wanted);
}

// A process that was killed while it started another one has its descriptors closed only when that one's new program
// begins, or notices that its parent is gone.
enum { RELEASE_MS = 5000 };

bool sql_file_lock(struct sql_file *file, struct error *error)
{
    if (file->held < 0 || file->locked)
        return true;
    struct flock wanted = lock_of(getpid()), other = wanted;
    const double end = clock_seconds() + 1e-3 * RELEASE_MS;
    while (fcntl(file->held, F_OFD_SETLK, &wanted)) {
        if (errno != EAGAIN && errno != EACCES) {
            error_set_errno(error, "lock", file->path);
            return error_remedy(error, "give a database on another drive, a local one: --db");
        }
        other = wanted;
        const bool held = !fcntl(file->held, F_OFD_GETLK, &other) && other.l_type != F_UNLCK; // not released meanwhile
        if (held && !(has_ended(other.l_len) && clock_seconds() < end)) {
            error_set_at(error, ERROR_SYSTEM, file->path, 0, "another run uses this database: process %lld",
                         (long long)other.l_len);
            return error_remedy(error, "wait for it or stop it, or give another database with --db");
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    file->locked = true; // until the descriptor is closed, however the process ends
    return true;
}

// ---- where it was removed

// A new empty file NAME.rescued, or NAME.rescued-XXXXXX where that is taken, beside the database, else in the working
// folder, else in /tmp: its descriptor, or -1 and the error of the last. *name: to be freed.
static int make_rescued(const struct sql_file *file, char **name, bool *beside, struct error *error)
{
    static const char *const folders[] = {NULL, ".", "/tmp"};
    const char *slash = strrchr(file->name, '/'), *base = slash ? slash + 1 : file->name;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i)
        for (int taken = 0; taken < 2; ++taken) {
            const char *ending = taken ? "-XXXXXX" : "";
            *beside = !folders[i];
            *name = *beside ? memory_format("%s.rescued%s", file->name, ending)
                            : memory_format("%s/%s.rescued%s", folders[i], base, ending);
            const int descriptor =
                taken ? mkostemp(*name, O_CLOEXEC) : open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (descriptor >= 0)
                return descriptor;
            error_set_errno(error, "make", *name);
            free(*name);
        }
    return -1;
}

// Under its own name again. What stands there of the log belongs to the file that is gone, and would damage this one.
static bool put_back(const struct sql_file *file, const char *name)
{
    if (!is_gone(file))
        return false;
    remove_log(file);
    return !renameat2(AT_FDCWD, name, AT_FDCWD, file->name, RENAME_NOREPLACE);
}

static bool write_rescued(struct sql *db, int descriptor, const char *name, struct error *error)
{
    const bool done =
        sql_script(db, error, "VACUUM INTO %Q", name) && (!fsync(descriptor) || error_set_errno(error, "write", name));
    if (!done)
        unlink(name);
    return done;
}

// Where it was kept is told as an error, since the next run would not find it there.
bool sql_file_rescue(const struct sql_file *file, struct sql *db, struct error *error)
{
    struct error cause = {0};
    char *name = NULL;
    bool beside;
    const char *loss = loss_of(file);
    // Whoever opens another file of this name now must not find a log beside it that is not its own.
    sqlite3_wal_checkpoint_v2(db->connection, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    const int descriptor = make_rescued(file, &name, &beside, &cause);
    if (descriptor < 0 || !write_rescued(db, descriptor, name, &cause)) {
        error_set_at(error, ERROR_SYSTEM, file->path, 0,
                     "the database was %s while it was in use, and its results are lost: %s", loss, cause.message);
        error_remedy(error, "%s", cause.remedy);
    } else if (beside && put_back(file, name)) {
        error_set_at(error, ERROR_SYSTEM, file->path, 0,
                     "the database was removed while it was in use; it was written again, with all results");
        error_remedy(error, "see what removes it, such as a purge of old files, and start again to go on");
    } else {
        error_set_at(error, ERROR_SYSTEM, file->path, 0,
                     "the database was %s while it was in use; all results are in %s", loss, name);
        error_remedy(error, "move it back, or go on with it: --db %s", name);
    }
    if (descriptor >= 0) {
        close(descriptor);
        free(name);
    }
    return false;
}
