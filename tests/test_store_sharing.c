// SPDX-License-Identifier: MIT
// The database as a file: by whom it may be used, and what happens where it is removed meanwhile.
#include "check.h"
#include <sys/stat.h>
#include <sys/wait.h>
#include "plan/plan.h"
#include "sql/statement.h"
#include "store/store_handle.h"
#include "ask_support.h"
#include "store_support.h"

// ---- who may use it

TEST(leaves_one_file)
{
    char log[160];
    struct stat status;
    store_close(open_store(STORE_WRITE));
    snprintf(log, sizeof log, "%s-wal", path);
    assert_int_not_equal(stat(log, &status), 0);
}

TEST(leaves_nothing_unused)
{
    char file[160];
    snprintf(file, sizeof file, "%s/unused.db", folder);
    struct store *store = store_open(file, STORE_WRITE, &why);
    need(store && store_lock(store, &why));
    assert_true(there_is(file, ""));
    store_close(store);
    assert_false(there_is(file, "") || there_is(file, "-wal") || there_is(file, "-shm"));

    store = store_open(file, STORE_WRITE, &why); // another process finds a use for it in the meantime
    struct store *other = store_open(file, STORE_WRITE, &why);
    need(store && other && store_lock(other, &why));
    assert_false(store_lock(store, &why));
    store_close(store);
    begin_run(other);
    store_close(other);
    assert_true(there_is(file, ""));

    need(store = store_open(file, STORE_WRITE, &why)); // what was there before stays
    store_close(store);
    assert_true(there_is(file, ""));
    unlink(file);

    store = store_open(file, STORE_WRITE, &why); // removed by its maker before the second one locks it
    other = store_open(file, STORE_WRITE, &why);
    need(store && other);
    store_close(store);
    assert_false(store_lock(other, &why));
    assert_non_null(strstr(why.remedy, "again"));
    store_close(other);
    assert_false(there_is(file, ""));
}

TEST(locks_once)
{
    struct store *first = open_store(STORE_WRITE), *second = open_store(STORE_WRITE);
    char pid[32];
    need(store_lock(first, &why));
    need(store_lock(first, &why));
    assert_false(store_lock(second, &why));
    snprintf(pid, sizeof pid, "process %ld", (long)getpid());
    assert_non_null(strstr(why.message, pid));
    assert_true(why.remedy[0] && error_exit_code(&why) == 2);
    assert_false(store_is_run(second)); // it could be a merge
    need(store_lock_to_run(first, &why));
    assert_true(store_is_run(second));
    store_close(first);
    assert_false(store_is_run(second));
    need(store_lock(second, &why));
    store_close(second);
}

// The lock is the file's, not a name's: neither another name nor a file beside it lets a second run in.
TEST(locks_the_file)
{
    char link_name[160], hard[160], target[160], log[180];
    snprintf(link_name, sizeof link_name, "%s/link.db", folder);
    snprintf(hard, sizeof hard, "%s/hard.db", folder);
    snprintf(target, sizeof target, "%s/elsewhere", folder);
    assert_int_equal(mkdir(target, 0777) | symlink("elsewhere/real.db", link_name), 0);
    struct store *store = store_open(link_name, STORE_WRITE, &why); // which makes what the link leads to
    need(store && store_lock(store, &why));
    begin_run(store);
    snprintf(target, sizeof target, "%s/elsewhere/real.db", folder);
    snprintf(log, sizeof log, "%s.lock", target);
    unlink(log); // of what earlier programs had beside it
    assert_true(there_is(target, "-wal") && !there_is(link_name, "-wal"));
    struct store *other = made(store_open(target, STORE_WRITE, &why));
    assert_false(store_lock(other, &why));
    assert_non_null(strstr(why.message, "another run"));
    store_close(other);
    store_close(store);
    assert_int_equal(link(target, hard), 0);
    refuses(hard, STORE_WRITE, "2 names");
    refuses(link_name, STORE_WRITE, "2 names");
    unlink(hard);
    need(store = store_open(link_name, STORE_WRITE, &why));
    store_close(store);
}

// ---- a file that is removed while it is in use

enum { REMOVED, REMOVED_ALL, REPLACED, FOLDER_REMOVED, RENAMED, FOLDER_RENAMED, LOSSES };

// Stores some attempts, loses the file in one of these ways, stores one more, and returns where they are said to be.
static const char *lose(int loss, const char *place, const char *database)
{
    static char said[sizeof why.message], moved[256];
    struct store *store = store_open(database, STORE_WRITE, &why);
    need(store && store_lock(store, &why));
    const int64_t run = begin_run(store);
    int64_t attempt, trial = a_trial(store, run, 1);
    finish_one(store, run, trial);
    trial = a_trial(store, run, 2);
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &why));
    char name[256];
    for (int i = 0; (loss == REMOVED_ALL || loss == FOLDER_REMOVED) && i < 2; ++i) {
        snprintf(name, sizeof name, "%s-%s", database, i ? "shm" : "wal");
        unlink(name);
    }
    snprintf(moved, sizeof moved, "%s.moved", loss == FOLDER_RENAMED ? place : database);
    if (loss <= FOLDER_REMOVED)
        unlink(database);
    if (loss == REPLACED) {
        snprintf(name, sizeof name, "touch %s", database);
        assert_int_equal(system(name), 0);
    }
    if (loss == FOLDER_REMOVED)
        assert_int_equal(rmdir(place), 0);
    if (loss >= RENAMED)
        assert_int_equal(rename(loss == RENAMED ? database : place, moved), 0);
    const struct measurement measurement = a_measurement();
    need(store_finish_attempt(store, attempt, &measurement, &why)); // which nobody else has
    assert_false(store_begin_attempt(store, run, a_trial(store, run, 3), COLLECTION_COUNTS, "", &attempt, &why));
    assert_false(store_keep(store, &why));
    assert_int_equal(error_exit_code(&why), 2);
    snprintf(said, sizeof said, "%s", strrchr(why.message, ' ') + 1);
    store_close(store);
    return strstr(why.message, "written again") ? database : said;
}

TEST(keeps_what_was_removed)
{
    char here[400];
    assert_true(getcwd(here, sizeof here) && !chdir(folder));
    for (int loss = 0; loss < LOSSES; ++loss) {
        char place[128], database[160];
        snprintf(place, sizeof place, "%s/lost-%d", folder, loss);
        snprintf(database, sizeof database, "%s/x.db", place);
        assert_int_equal(mkdir(place, 0777), 0);
        const char *where = lose(loss, place, database);
        if (loss == FOLDER_REMOVED)
            assert_string_equal(where, "./x.db.rescued");
        struct stat log; // an old one would be taken for the new file's
        char name[180];
        snprintf(name, sizeof name, "%s-wal", database);
        assert_true(stat(name, &log) || !log.st_size);
        struct store *store = store_open(where, STORE_WRITE, &why);
        need(store && store_lock(store, &why));
        check_stored(store, 2);
        store_close(store);
    }
    assert_int_equal(chdir(here), 0);
}

// Also where that happens after all has been looked at: the renamed file holds everything without the log.
TEST(ends_renamed_files_whole)
{
    char database[128], moved[160];
    snprintf(database, sizeof database, "%s/late.db", folder);
    snprintf(moved, sizeof moved, "%s/late-moved.db", folder);
    struct store *store = store_open(database, STORE_WRITE, &why);
    need(store && store_lock(store, &why));
    const int64_t run = begin_run(store);
    finish_one(store, run, a_trial(store, run, 1));
    need(store_keep(store, &why));
    assert_int_equal(rename(database, moved), 0);
    store_close(store);
    need(store = store_open(moved, STORE_WRITE, &why));
    check_stored(store, 1);
    store_close(store);
}

TEST(waits_for_writers)
{
    struct store *first = open_store(STORE_WRITE), *second = open_store(STORE_WRITE);
    int64_t attempt;
    const int64_t run = begin_run(first), trial = a_trial(first, run, 300);
    need(sql_begin(&first->db, &why));
    sqlite3_busy_timeout(second->db.connection, 50);
    assert_false(store_begin_attempt(second, run, trial, COLLECTION_COUNTS, "", &attempt, &why));
    assert_non_null(strstr(why.message, "locked"));
    assert_non_null(strstr(why.remedy, "another process"));
    sql_rollback(&first->db);
    need(store_begin_attempt(second, run, trial, COLLECTION_COUNTS, "", &attempt, &why));
    store_close(first);
    store_close(second);
}

TEST(reads_beside_a_writer)
{
    struct store *writer = open_store(STORE_WRITE), *reader = open_store(STORE_READ);
    const int64_t run = begin_run(writer);
    finish_one(writer, run, a_trial(writer, run, 301));
    assert_string_equal(ask(reader, "SELECT count(*) FROM trial WHERE seed = 301 AND counts = 'done'"), "1");
    assert_false(store_begin_attempt(reader, run, 1, COLLECTION_COUNTS, "", &(int64_t){0}, &why));
    assert_non_null(strstr(why.remedy, "read-only"));
    store_close(writer);
    store_close(reader);
}

TEST(reads_where_nothing_may_be_written)
{
    struct store *store = open_store(STORE_WRITE);
    need(sql_exec(&store->db, "PRAGMA wal_checkpoint(TRUNCATE)", "checkpoint", &why));
    store->reading = true; // closes without leaving WAL mode, as after a kill whose log was folded in
    store_close(store);
    char log[160];
    snprintf(log, sizeof log, "%s-wal", path);
    unlink(log);
    snprintf(log, sizeof log, "%s-shm", path);
    unlink(log);
    chmod(path, 0444);
    chmod(folder, 0555);
    const pid_t child = fork();
    if (!child) {
        const bool dropped = getuid() || (!setgid(65534) && !setuid(65534)); // the superuser may write anywhere
        chmod(folder, 0555);
        struct store *reader = store_open(path, STORE_READ, &why);
        if (!reader)
            fprintf(stderr, "%s\n", why.message);
        _exit(!dropped ? 77 : reader && !strcmp(ask(reader, "SELECT count(*) > 0 FROM trial"), "1") ? 0 : 1);
    }
    int status;
    chmod(folder, 0555);
    waitpid(child, &status, 0);
    chmod(folder, 0755);
    chmod(path, 0644);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77));
}

TEST_GROUP(make_database, free_experiment)
