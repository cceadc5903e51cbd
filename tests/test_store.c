// SPDX-License-Identifier: MIT
// The database as a file: what is kept, by whom it may be used, and what every misfortune says.
#include "check.h"
#include "folder_support.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan/plan.h"
#include "sql/statement.h"
#include "store/attempt.h"
#include "store/store_handle.h"
#include "store/tables.h"

static const char *folder;
static char path[128];
static struct error failure;
static struct experiment *experiment;

static int make_folder(void **state)
{
    static const char text[] = "fixed: {scene: open, variant: naive}\n";
    folder = folder_new();
    snprintf(path, sizeof path, "%s/it's a 100%% test?.db", folder);
    experiment = experiment_parse("try.yaml", text, sizeof text - 1, &failure);
    return experiment ? 0 : -1;
}

static int free_experiment(void **state)
{
    experiment_free(experiment);
    return 0;
}

#define need(call)                                                                                                     \
    do {                                                                                                               \
        if (!(call))                                                                                                   \
            fail_msg("%s: %s", #call, failure.message);                                                                \
    } while (0)

static struct store *open_store(enum store_mode mode)
{
    struct store *store = store_open(path, mode, &failure);
    need(store);
    return store;
}

static int64_t begin_run(struct store *store)
{
    static const char *const environment[] = {"git", "abc", "cpu", "x", NULL};
    const struct run_header header = {"label", "warpstudy run", experiment_record(experiment), environment};
    int64_t run;
    need(store_begin_run(store, &header, &run, &failure));
    return run;
}

static struct trial_row a_row(int seed)
{
    static const struct trial_derived lanes = {"lanes", {.type = STORE_INTEGER, .integer = 128}};
    struct trial_row row = {.ordinal = seed,
                            .point = 1,
                            .collections = 1,
                            .spec.parameters = parameters_default(),
                            .derived = &lanes,
                            .derived_count = 1};
    strcpy(row.spec.scene, "open");
    strcpy(row.spec.variant, "naive");
    strcpy(row.spec.device, "emulator");
    row.spec.parameters.seed = seed;
    return row;
}

static int64_t a_trial(struct store *store, int64_t run, int seed)
{
    const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
    const struct trial_row row = a_row(seed);
    char key[HASH_TEXT];
    int64_t trial;
    need(store_trial(store, run, &row, &provenance, &trial, key, &failure));
    return trial;
}

enum { ROWS = 9 };

static struct measurement a_measurement(void)
{
    static struct measured_counts counts[ROWS + 1];
    static struct measured_launch launch = {.kernel = "naive", .grid = 4, .block = 64, .bounce = -1};
    static struct measured_kernel kernel = {.kernel = "naive", .facts = {46, 0, -1, 0}};
    static struct measured_repetition repetition = {.host_seconds = 1, .launches_path = 1};
    for (uint32_t i = 0; i <= ROWS; ++i)
        counts[i] =
            (struct measured_counts){0, i < ROWS ? i : MEASURED_TOTALS, {.active_paths = 256 >> i, .active_warps = 8}};
    return (struct measurement){.collection = COLLECTION_COUNTS,
                                .stop_reason = "fixed",
                                .warp_width = 32,
                                .counts = counts,
                                .count_count = ROWS + 1,
                                .launches = &launch,
                                .launch_count = 1,
                                .kernels = &kernel,
                                .kernel_count = 1,
                                .repetitions = &repetition,
                                .repetition_count = 1,
                                .path_hash = UINT64_MAX};
}

static void finish_one(struct store *store, int64_t run, int64_t trial)
{
    const struct measurement measurement = a_measurement();
    int64_t attempt;
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
    need(store_finish_attempt(store, attempt, &measurement, &failure));
}

static bool take(void *context, const struct store_row *row)
{
    snprintf(context, 256, "%s", row->values[0].type == STORE_NULL ? "NULL" : row->values[0].text);
    return false;
}

static const char *value(struct store *store, const char *sql)
{
    static char text[256];
    strcpy(text, "(no row)");
    need(store_query(store, sql, NULL, take, text, &failure));
    return text;
}

// ---- what is kept

// No path is cut, which would lead to another file.
static void finds_the_standard_path(void **state)
{
    char here[400], longer[5000];
    assert_true(getcwd(here, sizeof here) && !chdir(folder));
    assert_string_equal(store_default_path(), "warpstudy.db");
    assert_int_equal(mkdir("results", 0777), 0);
    assert_string_equal(store_default_path(), "results/warpstudy.db");
    memset(longer, '/', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    setenv("WARPSTUDY_DB", longer, 1);
    assert_string_equal(store_default_path(), longer);
    unsetenv("WARPSTUDY_DB");
    assert_int_equal(rmdir("results") | chdir(here), 0);
}

static void keeps_trials_and_attempts(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 1);
    assert_int_equal(a_trial(store, run, 1), trial); // the same key is the same trial
    assert_int_not_equal(a_trial(store, run, 2), trial);
    finish_one(store, run, trial);
    need(store_end_run(store, run, "complete", &failure));
    store_close(store);

    store = open_store(STORE_READ);
    assert_string_equal(value(store, "SELECT count(*) FROM trial"), "2");
    assert_string_equal(value(store, "SELECT sum(active_paths) FROM bounce"), "511");
    assert_string_equal(value(store, "SELECT group_concat(bounce) FROM bounce_counts WHERE bounce < 1"), "-1,0");
    assert_string_equal(value(store, "SELECT path_hash FROM trial WHERE id = 1"), "ffffffffffffffff");
    assert_string_equal(value(store, "SELECT registers || ',' || coalesce(local_bytes, 'NULL') FROM kernels"),
                        "46,NULL");
    assert_string_equal(value(store, "SELECT derived FROM trial WHERE id = 1"), "lanes = 128");
    assert_string_equal(value(store, "SELECT value FROM environment WHERE name = 'git'"), "abc");
    assert_string_equal(value(store, "SELECT reason FROM run"), "complete");
    assert_string_equal(
        value(store, "SELECT max_bounces || ',' || warp_width || ',' || coalesce(tile_m, 'NULL') FROM trial"),
        "8,32,NULL"); // naive ignores tile heights
    store_close(store);
}

static void settles(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 100);
    int64_t attempt, count;
    enum attempt_status found;
    for (int i = 0; i < 3; ++i) { // two retries: three tries in all
        need(store_settled(store, trial, COLLECTION_COUNTS, "", 2, &found, &failure));
        assert_int_equal(found, ATTEMPT_RUNNING);
        need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
        need(store_fail_attempt(store, attempt, ATTEMPT_TIMEOUT, "slow", false, &failure));
    }
    need(store_settled(store, trial, COLLECTION_COUNTS, "", 2, &found, &failure));
    assert_int_not_equal(found, ATTEMPT_RUNNING);
    need(store_settled(store, trial, COLLECTION_FRAME, "", 2, &found, &failure));
    assert_int_equal(found, ATTEMPT_RUNNING);
    need(store_redo(store, "seed = 100", UINT32_MAX, &count, &failure));
    assert_int_equal(count, 1);
    need(store_settled(store, trial, COLLECTION_COUNTS, "", 2, &found, &failure));
    assert_int_equal(found, ATTEMPT_RUNNING);
    finish_one(store, run, trial);
    need(store_settled(store, trial, COLLECTION_COUNTS, "", 2, &found, &failure));
    assert_int_not_equal(found, ATTEMPT_RUNNING);
    assert_string_equal(
        value(store, "SELECT number FROM attempt WHERE status = 'done' AND trial = (SELECT max(id) FROM trial)"), "4");
    const struct measurement measurement = a_measurement();
    assert_false(store_finish_attempt(store, attempt, &measurement, &failure)); // it is not running any more
    assert_false(store_redo(store, "1); DELETE FROM attempt; SELECT (1", UINT32_MAX, &count, &failure));
    assert_false(store_redo(store, "nonsense = 1", UINT32_MAX, &count, &failure));
    store_close(store);
}

static enum attempt_status state_of(struct store *store, int64_t trial, enum collection collection, const char *made_by)
{
    enum attempt_status found;
    need(store_settled(store, trial, collection, made_by, 0, &found, &failure));
    return found;
}

static void finish_by(struct store *store, int64_t run, int64_t trial, enum collection collection, const char *made_by)
{
    int64_t attempt;
    struct measurement measurement = a_measurement();
    measurement.collection = collection;
    need(store_begin_attempt(store, run, trial, collection, made_by, &attempt, &failure));
    need(store_finish_attempt(store, attempt, &measurement, &failure));
}

// An attempt settles those whose words are among its own, and outdates what other words made, when it is done.
static void settles_by_makers(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 150);
    int64_t attempt, count;
    finish_by(store, run, trial, COLLECTION_FRAME, "");
    finish_by(store, run, trial, COLLECTION_COUNTERS, "a:1 bc:2");
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2"), ATTEMPT_DONE);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2 a:1"), ATTEMPT_DONE);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "b:2"), ATTEMPT_RUNNING);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "a:1 bc:3"), ATTEMPT_RUNNING);
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTERS, "a:1 d:4", &attempt, &failure));
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2"), ATTEMPT_DONE); // until the other is done
    need(store_fail_attempt(store, attempt, ATTEMPT_SKIPPED, "not permitted", true, &failure));
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "d:4"), ATTEMPT_RUNNING); // it may pass
    finish_by(store, run, trial, COLLECTION_COUNTERS, "a:1 d:4");
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2"), ATTEMPT_RUNNING);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "d:4"), ATTEMPT_DONE);
    need(store_redo(store, "seed = 150", 1u << COLLECTION_COUNTERS, &count, &failure));
    assert_int_equal(count, 1);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "d:4"), ATTEMPT_RUNNING);
    assert_int_equal(state_of(store, trial, COLLECTION_FRAME, ""), ATTEMPT_DONE); // left alone
    need(store_redo(store, "seed = 150", UINT32_MAX, &count, &failure));
    assert_int_equal(state_of(store, trial, COLLECTION_FRAME, ""), ATTEMPT_RUNNING);
    store_close(store);
}

static void recovers(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 200);
    int64_t attempt, abandoned;
    enum attempt_status found;
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
    need(store_recover(store, &abandoned, &failure));
    assert_int_equal(abandoned, 1);
    need(store_settled(store, trial, COLLECTION_COUNTS, "", 0, &found, &failure));
    assert_int_equal(found, ATTEMPT_RUNNING); // being abandoned is no failure
    store_close(store);
}

static void survives_kills(void **state)
{
    srand(1);
    for (int kill_number = 0; kill_number < 12; ++kill_number) {
        const pid_t child = fork();
        if (!child) {
            struct store *store = open_store(STORE_WRITE);
            const int64_t run = begin_run(store);
            for (int i = 0; i < 100000; ++i)
                finish_one(store, run, a_trial(store, run, 1000 + 100000 * kill_number + i));
            _exit(0);
        }
        usleep(20000 + (useconds_t)(rand() % 150000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        struct store *store = open_store(STORE_WRITE);
        int64_t abandoned;
        need(store_recover(store, &abandoned, &failure));
        assert_true(abandoned <= 1);
        assert_string_equal(value(store, "SELECT count(*) FROM attempt a WHERE status = 'done' AND (SELECT count(*) "
                                         "FROM bounce_counts WHERE attempt = a.id) <> 10"),
                            "0");
        assert_string_equal(value(store, "SELECT count(*) FROM bounce_counts WHERE attempt NOT IN "
                                         "(SELECT id FROM attempt WHERE status = 'done')"),
                            "0");
        assert_string_equal(value(store, "PRAGMA integrity_check"), "ok");
        store_close(store);
    }
}

// ---- who may use it

static void leaves_one_file(void **state)
{
    char log[160];
    struct stat status;
    store_close(open_store(STORE_WRITE));
    snprintf(log, sizeof log, "%s-wal", path);
    assert_int_not_equal(stat(log, &status), 0);
}

static bool there_is(const char *file, const char *ending)
{
    char name[200];
    struct stat status;
    snprintf(name, sizeof name, "%s%s", file, ending);
    return !stat(name, &status);
}

static void leaves_nothing_unused(void **state)
{
    char file[160];
    snprintf(file, sizeof file, "%s/unused.db", folder);
    struct store *store = store_open(file, STORE_WRITE, &failure);
    need(store && store_lock(store, &failure));
    assert_true(there_is(file, ""));
    store_close(store);
    assert_false(there_is(file, "") || there_is(file, "-wal") || there_is(file, "-shm"));

    store = store_open(file, STORE_WRITE, &failure); // another process finds a use for it in the meantime
    struct store *other = store_open(file, STORE_WRITE, &failure);
    need(store && other && store_lock(other, &failure));
    assert_false(store_lock(store, &failure));
    store_close(store);
    begin_run(other);
    store_close(other);
    assert_true(there_is(file, ""));

    need(store = store_open(file, STORE_WRITE, &failure)); // what was there before stays
    store_close(store);
    assert_true(there_is(file, ""));
    unlink(file);

    store = store_open(file, STORE_WRITE, &failure); // removed by its maker before the second one locks it
    other = store_open(file, STORE_WRITE, &failure);
    need(store && other);
    store_close(store);
    assert_false(store_lock(other, &failure));
    assert_non_null(strstr(failure.remedy, "again"));
    store_close(other);
    assert_false(there_is(file, ""));
}

static void locks_once(void **state)
{
    struct store *first = open_store(STORE_WRITE), *second = open_store(STORE_WRITE);
    char pid[32];
    need(store_lock(first, &failure));
    need(store_lock(first, &failure));
    assert_false(store_lock(second, &failure));
    snprintf(pid, sizeof pid, "process %ld", (long)getpid());
    assert_non_null(strstr(failure.message, pid));
    assert_true(failure.remedy[0] && error_exit_code(&failure) == 2);
    store_close(first);
    need(store_lock(second, &failure));
    store_close(second);
}

static void refuses(const char *file, enum store_mode mode, const char *message)
{
    failure = (struct error){0};
    struct store *store = store_open(file, mode, &failure);
    assert_null(store);
    if (!strstr(failure.message, message))
        fail_msg("wanted '%s', got: %s", message, failure.message);
    assert_true(failure.remedy[0] && error_exit_code(&failure) == 2);
}

static void check_stored(struct store *store, int stored)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%d %d", stored, 10 * stored);
    assert_string_equal(value(store, "SELECT count(*) || ' ' || (SELECT count(*) FROM bounce_counts) FROM attempt "
                                     "WHERE status = 'done'"),
                        wanted);
    assert_string_equal(value(store, "PRAGMA integrity_check"), "ok");
}

// The lock is the file's, not a name's: neither another name nor a file beside it lets a second run in.
static void locks_the_file(void **state)
{
    char link_name[160], hard[160], target[160], log[180];
    snprintf(link_name, sizeof link_name, "%s/link.db", folder);
    snprintf(hard, sizeof hard, "%s/hard.db", folder);
    snprintf(target, sizeof target, "%s/elsewhere", folder);
    assert_int_equal(mkdir(target, 0777) | symlink("elsewhere/real.db", link_name), 0);
    struct store *store = store_open(link_name, STORE_WRITE, &failure); // which makes what the link leads to
    need(store && store_lock(store, &failure));
    begin_run(store);
    snprintf(target, sizeof target, "%s/elsewhere/real.db", folder);
    snprintf(log, sizeof log, "%s.lock", target);
    unlink(log); // of what earlier programs had beside it
    assert_true(there_is(target, "-wal") && !there_is(link_name, "-wal"));
    struct store *other = store_open(target, STORE_WRITE, &failure);
    need(other);
    assert_false(store_lock(other, &failure));
    assert_non_null(strstr(failure.message, "another run"));
    store_close(other);
    store_close(store);
    assert_int_equal(link(target, hard), 0);
    refuses(hard, STORE_WRITE, "2 names");
    refuses(link_name, STORE_WRITE, "2 names");
    unlink(hard);
    need(store = store_open(link_name, STORE_WRITE, &failure));
    store_close(store);
}

// ---- a file that is removed while it is in use

enum { REMOVED, REMOVED_ALL, REPLACED, FOLDER_REMOVED, RENAMED, FOLDER_RENAMED, LOSSES };

// Stores some attempts, loses the file in one of these ways, stores one more, and returns where they are said to be.
static const char *lose(int loss, const char *place, const char *database)
{
    static char said[sizeof failure.message], moved[256];
    struct store *store = store_open(database, STORE_WRITE, &failure);
    need(store && store_lock(store, &failure));
    const int64_t run = begin_run(store);
    int64_t attempt, trial = a_trial(store, run, 1);
    finish_one(store, run, trial);
    trial = a_trial(store, run, 2);
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
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
    need(store_finish_attempt(store, attempt, &measurement, &failure)); // which nobody else has
    assert_false(store_begin_attempt(store, run, a_trial(store, run, 3), COLLECTION_COUNTS, "", &attempt, &failure));
    assert_false(store_keep(store, &failure));
    assert_int_equal(error_exit_code(&failure), 2);
    snprintf(said, sizeof said, "%s", strrchr(failure.message, ' ') + 1);
    store_close(store);
    return strstr(failure.message, "written again") ? database : said;
}

static void keeps_what_was_removed(void **state)
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
        struct store *store = store_open(where, STORE_WRITE, &failure);
        need(store && store_lock(store, &failure));
        check_stored(store, 2);
        store_close(store);
    }
    assert_int_equal(chdir(here), 0);
}

// Also where that happens after all has been looked at: the renamed file holds everything without the log.
static void ends_renamed_files_whole(void **state)
{
    char database[128], moved[160];
    snprintf(database, sizeof database, "%s/late.db", folder);
    snprintf(moved, sizeof moved, "%s/late-moved.db", folder);
    struct store *store = store_open(database, STORE_WRITE, &failure);
    need(store && store_lock(store, &failure));
    const int64_t run = begin_run(store);
    finish_one(store, run, a_trial(store, run, 1));
    need(store_keep(store, &failure));
    assert_int_equal(rename(database, moved), 0);
    store_close(store);
    need(store = store_open(moved, STORE_WRITE, &failure));
    check_stored(store, 1);
    store_close(store);
}

static void waits_for_writers(void **state)
{
    struct store *first = open_store(STORE_WRITE), *second = open_store(STORE_WRITE);
    int64_t attempt;
    const int64_t run = begin_run(first), trial = a_trial(first, run, 300);
    need(sql_begin(&first->db, &failure));
    sqlite3_busy_timeout(second->db.connection, 50);
    assert_false(store_begin_attempt(second, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
    assert_non_null(strstr(failure.message, "locked"));
    assert_non_null(strstr(failure.remedy, "another process"));
    sql_rollback(&first->db);
    need(store_begin_attempt(second, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
    store_close(first);
    store_close(second);
}

static void reads_beside_a_writer(void **state)
{
    struct store *writer = open_store(STORE_WRITE), *reader = open_store(STORE_READ);
    const int64_t run = begin_run(writer);
    finish_one(writer, run, a_trial(writer, run, 301));
    assert_string_equal(value(reader, "SELECT count(*) FROM trial WHERE seed = 301 AND counts = 'done'"), "1");
    assert_false(store_begin_attempt(reader, run, 1, COLLECTION_COUNTS, "", &(int64_t){0}, &failure));
    assert_non_null(strstr(failure.remedy, "read-only"));
    store_close(writer);
    store_close(reader);
}

static void reads_where_nothing_may_be_written(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    need(sql_exec(&store->db, "PRAGMA wal_checkpoint(TRUNCATE)", "checkpoint", &failure));
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
        struct store *reader = store_open(path, STORE_READ, &failure);
        if (!reader)
            fprintf(stderr, "%s\n", failure.message);
        _exit(!dropped ? 77 : reader && !strcmp(value(reader, "SELECT count(*) > 0 FROM trial"), "1") ? 0 : 1);
    }
    int status;
    chmod(folder, 0555);
    waitpid(child, &status, 0);
    chmod(folder, 0755);
    chmod(path, 0644);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77));
}

// ---- what goes wrong

static void write_file(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");
    fputs(text, stream);
    fclose(stream);
}

static void refuses_other_files(void **state)
{
    char other[160];
    sqlite3 *db;
    snprintf(other, sizeof other, "%s/none.db", folder);
    refuses(other, STORE_READ, "cannot open");
    snprintf(other, sizeof other, "%s/no/such/folder.db", folder);
    refuses(other, STORE_WRITE, "unable to open");
    refuses(folder, STORE_READ, "not a file");
    snprintf(other, sizeof other, "%s/text.db", folder);
    write_file(other, "this is a text, and a long one, so that it cannot be taken for an empty database file");
    refuses(other, STORE_READ, "not a database");
    refuses(other, STORE_WRITE, "not a database");
    snprintf(other, sizeof other, "%s/empty.db", folder);
    write_file(other, "");
    refuses(other, STORE_READ, "empty");
    snprintf(other, sizeof other, "%s/foreign.db", folder);
    assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE theirs (x)", NULL, NULL, NULL);
    sqlite3_close(db);
    refuses(other, STORE_WRITE, "not one of warpstudy");
    refuses(other, STORE_READ, "not one of warpstudy");
    store_close(open_store(STORE_WRITE));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL);
    sqlite3_close(db);
    refuses(path, STORE_READ, "schema version 99");
    refuses(path, STORE_WRITE, "schema version 99");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 4", NULL, NULL, NULL);
    sqlite3_close(db);
    refuses(path, STORE_READ, "schema version 4; this program reads only version 6");
    refuses(path, STORE_WRITE, "schema version 4; this program reads only version 6");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 6", NULL, NULL, NULL);
    sqlite3_close(db);
}

static void reports_a_full_disk(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 400);
    struct measurement measurement = a_measurement();
    static struct measured_repetition many[100000];
    int64_t attempt;
    measurement.repetitions = many;
    measurement.repetition_count = 100000;
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
    need(sql_exec(&store->db, "PRAGMA max_page_count = 1", "limit", &failure)); // no more than there are
    assert_false(store_finish_attempt(store, attempt, &measurement, &failure));
    assert_non_null(strstr(failure.message, "full"));
    assert_non_null(strstr(failure.remedy, "stays valid"));
    need(sql_exec(&store->db, "PRAGMA max_page_count = 1000000", "limit", &failure));
    assert_string_equal(value(store, "SELECT count(*) FROM repetition WHERE attempt = (SELECT max(id) FROM attempt)"),
                        "0");
    need(store_finish_attempt(store, attempt, &measurement, &failure)); // with room again it goes on
    store_close(store);
}

// ---- a disk that is full

static char disk[96], disk_database[128], ballast[128];

// A disk of 4 MiB, in a name space of this process: nothing stays mounted, however the test ends.
static int mount_disk(void **state)
{
    static bool mounted;
    *state = &mounted;
    snprintf(disk, sizeof disk, "%s/disk", folder);
    snprintf(disk_database, sizeof disk_database, "%s/full.db", disk);
    snprintf(ballast, sizeof ballast, "%s/ballast", disk);
    mkdir(disk, 0755);
    mounted = !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
              !mount("tmpfs", disk, "tmpfs", 0, "size=4m");
    if (!mounted)
        printf("skipped: no small disk can be mounted here: %s\n", strerror(errno));
    return 0;
}

static int unmount_disk(void **state)
{
    umount2(disk, MNT_DETACH);
    return 0;
}

// Takes all room but so many bytes; frees what it took before.
static void leave_room(off_t bytes)
{
    static const char block[4096];
    unlink(ballast);
    const int descriptor = open(ballast, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    off_t size = 0;
    while (write(descriptor, block, sizeof block) == (ssize_t)sizeof block)
        size += (off_t)sizeof block;
    assert_int_equal(ftruncate(descriptor, size > bytes ? size - bytes : 0), 0);
    close(descriptor);
}

static struct store *open_on_disk(void)
{
    failure = (struct error){0};
    return store_open(disk_database, STORE_WRITE, &failure);
}

static bool store_one(struct store *store, int64_t run, int seed, int64_t *attempt)
{
    const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
    const struct trial_row row = a_row(seed);
    const struct measurement measurement = a_measurement();
    char key[HASH_TEXT];
    int64_t trial;
    *attempt = 0;
    failure = (struct error){0};
    return store_trial(store, run, &row, &provenance, &trial, key, &failure) &&
           store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", attempt, &failure) &&
           store_finish_attempt(store, *attempt, &measurement, &failure);
}

static void check_disk_error(void)
{
    if (!strstr(failure.remedy, "space") || !strstr(failure.remedy, "stays valid") || error_exit_code(&failure) != 2)
        fail_msg("a full disk says: %s; %s", failure.message, failure.remedy);
}

// Stores until the disk is full, and returns how many attempts that were.
static int fill_disk(struct store *store, int64_t run, int seed, int64_t *attempt)
{
    int stored = 0;
    while (store_one(store, run, seed + stored, attempt))
        if (++stored > 100000)
            fail_msg("the disk is never full");
    check_disk_error();
    return stored;
}

static void survives_a_full_disk(void **state)
{
    if (!*(bool *)*state)
        skip();
    leave_room(0);
    assert_null(open_on_disk());
    check_disk_error();
    assert_false(there_is(disk_database, ""));

    int64_t attempt;
    leave_room(1792 << 10);
    struct store *store = open_on_disk();
    need(store != NULL);
    need(store_lock(store, &failure));
    const int64_t run = begin_run(store);
    int stored = fill_disk(store, run, 0, &attempt);
    assert_true(stored > 5);
    check_stored(store, stored); // all that was there is still there, and no half of the next
    leave_room(512 << 10);       // the same run goes on
    if (attempt) {
        const struct measurement measurement = a_measurement();
        need(store_finish_attempt(store, attempt, &measurement, &failure));
        ++stored;
    }
    stored += fill_disk(store, run, 1000, &attempt);
    store_close(store); // while the disk is full

    leave_room(512 << 10);
    need((store = open_on_disk()) != NULL); // and so does the next one
    int64_t abandoned;
    need(store_recover(store, &abandoned, &failure));
    assert_true(abandoned <= 1);
    check_stored(store, stored);
    need(store_one(store, begin_run(store), 5000, &attempt));
    check_stored(store, stored + 1);
    unlink(ballast);
    store_close(store); // with room to fold the log in
    assert_false(there_is(disk_database, "-wal"));
}

// ---- growing older

static void gains_columns(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    need(sql_exec(
        &store->db,
        "DROP VIEW main.trial; ALTER TABLE trial_record DROP COLUMN sampler; ALTER TABLE trial_record DROP COLUMN "
        "threads; DROP VIEW main.table3",
        "make it older", &failure));
    store_close(store);
    struct stat before, after;
    stat(path, &before);
    store = open_store(STORE_READ); // the file stays as it is
    assert_string_equal(value(store, "SELECT sampler || coalesce(threads, ' NULL') FROM trial"), "counter NULL");
    assert_string_equal(value(store, "SELECT sql LIKE '%sampler%' FROM main.sqlite_schema WHERE name = 'trial_record'"),
                        "0");
    store_close(store);
    stat(path, &after);
    assert_true(before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    store_close(open_store(STORE_WRITE));
    store = open_store(STORE_READ);
    assert_string_equal(value(store, "SELECT sampler FROM main.trial"), "counter");
    store_close(store);
}

// Whatever views and meanings the file has, they are the program's that are read.
static void hides_other_views(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    char trials[64];
    snprintf(trials, sizeof trials, "%s", value(store, "SELECT count(*) || ' ' || max(id) FROM trial"));
    const int metrics = atoi(value(store, "SELECT count(*) FROM metric"));
    need(sql_exec(&store->db,
                  "DROP VIEW main.trial; CREATE VIEW trial AS SELECT 'other' AS id; DROP VIEW main.residency; DROP "
                  "TABLE main.catalogue; "
                  "DELETE FROM main.metric; DELETE FROM main.compute_capability",
                  "change the views", &failure));
    store_close(store);
    struct stat before, after;
    stat(path, &before);
    store = open_store(STORE_READ);
    assert_string_equal(value(store, "SELECT count(*) || ' ' || max(id) FROM trial"), trials);
    assert_int_equal(atoi(value(store, "SELECT count(*) FROM metric")), metrics);
    assert_true(atoi(value(store, "SELECT count(*) FROM compute_capability")) > 0);
    assert_true(atoi(value(store, "SELECT count(*) FROM catalogue")) > 0);
    need(store_keep_views(store, "SELECT * FROM residency", &failure));
    assert_string_equal(value(store, "SELECT count(*) || ' ' || max(id) FROM trial"), trials);
    assert_string_equal(value(store, "SELECT max(id) FROM main.trial"), "other");
    store_close(store);
    stat(path, &after);
    assert_true(before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    store_close(open_store(STORE_WRITE)); // which renews them
    store = open_store(STORE_READ);
    assert_string_equal(value(store, "SELECT count(*) || ' ' || max(id) FROM main.trial"), trials);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_standard_path),
        cmocka_unit_test(keeps_trials_and_attempts),
        cmocka_unit_test(settles),
        cmocka_unit_test(settles_by_makers),
        cmocka_unit_test(recovers),
        cmocka_unit_test(survives_kills),
        cmocka_unit_test(leaves_one_file),
        cmocka_unit_test(leaves_nothing_unused),
        cmocka_unit_test(locks_the_file),
        cmocka_unit_test(keeps_what_was_removed),
        cmocka_unit_test(ends_renamed_files_whole),
        cmocka_unit_test(locks_once),
        cmocka_unit_test(waits_for_writers),
        cmocka_unit_test(reads_beside_a_writer),
        cmocka_unit_test(reads_where_nothing_may_be_written),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(reports_a_full_disk),
        cmocka_unit_test_setup_teardown(survives_a_full_disk, mount_disk, unmount_disk),
        cmocka_unit_test(gains_columns),
        cmocka_unit_test(hides_other_views),
    };
    return cmocka_run_group_tests_name("store", tests, make_folder, free_experiment);
}
