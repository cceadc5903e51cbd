// SPDX-License-Identifier: MIT
// The database as a file: what is kept, and how it grows older.
#include "check.h"
#include <sys/stat.h>
#include <sys/wait.h>
#include "plan/plan.h"
#include "store/store_handle.h"
#include "store/kept.h"
#include "ask_support.h"
#include "store_support.h"

// ---- what is kept

// No path is cut, which would lead to another file.
TEST(finds_the_standard_path)
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

TEST(keeps_trials_and_attempts)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 1);
    assert_int_equal(a_trial(store, run, 1), trial); // the same key is the same trial
    assert_int_not_equal(a_trial(store, run, 2), trial);
    finish_one(store, run, trial);
    need(store_end_run(store, run, "complete", &why));
    store_close(store);

    store = open_store(STORE_READ);
    assert_string_equal(ask(store, "SELECT count(*) FROM trial"), "2");
    assert_string_equal(ask(store, "SELECT sum(active_paths) FROM bounce"), "511");
    assert_string_equal(ask(store, "SELECT group_concat(bounce) FROM bounce_counts WHERE bounce < 1"), "-1,0");
    assert_string_equal(ask(store, "SELECT path_hash FROM trial WHERE id = 1"), "ffffffffffffffff");
    assert_string_equal(ask(store, "SELECT registers || ',' || coalesce(local_bytes, 'NULL') FROM kernels"), "46,NULL");
    assert_string_equal(ask(store, "SELECT derived FROM trial WHERE id = 1"), "lanes = 128");
    assert_string_equal(ask(store, "SELECT value FROM environment WHERE name = 'git'"), "abc");
    assert_string_equal(ask(store, "SELECT reason FROM run"), "complete");
    assert_string_equal(
        ask(store, "SELECT max_bounces || ',' || warp_width || ',' || coalesce(tile_m, 'NULL') FROM trial"),
        "8,32,NULL"); // naive ignores tile heights
    store_close(store);
}

static enum attempt_status state_of(struct store *store, int64_t trial, enum collection collection, const char *made_by,
                                    int32_t retries)
{
    enum attempt_status found;
    need(store_settled(store, trial, collection, made_by, retries, &found, &why));
    return found;
}

TEST(settles)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 100);
    int64_t attempt, count;
    for (int i = 0; i < 3; ++i) { // two retries: three tries in all
        assert_int_equal(state_of(store, trial, COLLECTION_COUNTS, "", 2), ATTEMPT_RUNNING);
        need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &why));
        need(store_fail_attempt(store, attempt, ATTEMPT_TIMEOUT, "slow", false, &why));
    }
    assert_int_not_equal(state_of(store, trial, COLLECTION_COUNTS, "", 2), ATTEMPT_RUNNING);
    assert_int_equal(state_of(store, trial, COLLECTION_FRAME, "", 2), ATTEMPT_RUNNING);
    need(store_redo(store, "seed = 100", UINT32_MAX, &count, &why));
    assert_int_equal(count, 1);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTS, "", 2), ATTEMPT_RUNNING);
    finish_one(store, run, trial);
    assert_int_not_equal(state_of(store, trial, COLLECTION_COUNTS, "", 2), ATTEMPT_RUNNING);
    assert_string_equal(
        ask(store, "SELECT number FROM attempt WHERE status = 'done' AND trial = (SELECT max(id) FROM trial)"), "4");
    const struct measurement measurement = a_measurement();
    assert_false(store_finish_attempt(store, attempt, &measurement, &why)); // it is not running any more
    assert_false(store_redo(store, "1); DELETE FROM attempt; SELECT (1", UINT32_MAX, &count, &why));
    assert_false(store_redo(store, "nonsense = 1", UINT32_MAX, &count, &why));
    assert_false(store_redo(store, "100.0", UINT32_MAX, &count, &why)); // the same for every trial
    store_close(store);
}

static void finish_by(struct store *store, int64_t run, int64_t trial, enum collection collection, const char *made_by)
{
    int64_t attempt;
    struct measurement measurement = a_measurement();
    measurement.collection = collection;
    need(store_begin_attempt(store, run, trial, collection, made_by, &attempt, &why));
    need(store_finish_attempt(store, attempt, &measurement, &why));
}

// An attempt settles those whose words are among its own, and outdates what other words made, when it is done.
TEST(settles_by_makers)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 150);
    int64_t attempt, count;
    finish_by(store, run, trial, COLLECTION_FRAME, "");
    finish_by(store, run, trial, COLLECTION_COUNTERS, "a:1 bc:2");
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2", 0), ATTEMPT_DONE);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2 a:1", 0), ATTEMPT_DONE);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "b:2", 0), ATTEMPT_RUNNING);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "a:1 bc:3", 0), ATTEMPT_RUNNING);
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTERS, "a:1 d:4", &attempt, &why));
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2", 0), ATTEMPT_DONE); // until the other is done
    need(store_fail_attempt(store, attempt, ATTEMPT_SKIPPED, "not permitted", true, &why));
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "d:4", 0), ATTEMPT_RUNNING); // it may pass
    finish_by(store, run, trial, COLLECTION_COUNTERS, "a:1 d:4");
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "bc:2", 0), ATTEMPT_RUNNING);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "d:4", 0), ATTEMPT_DONE);
    need(store_redo(store, "seed = 150", 1u << COLLECTION_COUNTERS, &count, &why));
    assert_int_equal(count, 1);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTERS, "d:4", 0), ATTEMPT_RUNNING);
    assert_int_equal(state_of(store, trial, COLLECTION_FRAME, "", 0), ATTEMPT_DONE); // left alone
    need(store_redo(store, "seed = 150", UINT32_MAX, &count, &why));
    assert_int_equal(state_of(store, trial, COLLECTION_FRAME, "", 0), ATTEMPT_RUNNING);
    store_close(store);
}

// What a device built by itself is kept beside the result; of other results there is no row.
TEST(keeps_device_trees)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 170);
    int64_t attempt;
    struct measurement measurement = a_measurement();
    finish_one(store, run, trial);
    need(store_begin_attempt(store, run, trial, COLLECTION_FRAME, "", &attempt, &why));
    measurement.collection = COLLECTION_FRAME;
    measurement.structure = (struct device_structure){.bytes = 100, .build_bytes = 300, .seconds = 0.25};
    measurement.tracing = (struct device_tracing){"OptiX 9.0", 20, true};
    need(store_finish_attempt(store, attempt, &measurement, &why));
    assert_string_equal(ask(store, "SELECT group_concat(tracer || rt_cores || reorders || bytes || build_bytes || "
                                   "build_seconds) FROM device_tree JOIN attempt AS a ON a.id = attempt "
                                   "WHERE a.trial = (SELECT max(id) FROM trial)"),
                        "OptiX 9.02011003000.25");
    store_close(store);
}

// A GPU is one through OpenCL, too; a CPU is none.
TEST(tells_kinds_of_devices)
{
    static const struct {
        const char *device, *name, *kind;
    } rows[] = {{"opencl:1", "OpenCL on a GPU: X", "gpu"},
                {"opencl", "OpenCL: cpu-X", "processor"},
                {"cuda:0", "X", "gpu"},
                {"emulator", "emulator", "model"}};
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store);
    for (int i = 0; i < 4; ++i) {
        const struct trial_provenance provenance = {"scene", "programs", rows[i].name, "driver", "policy", "harness"};
        struct trial_row row = a_row(180 + i);
        char key[HASH_TEXT];
        int64_t trial;
        snprintf(row.spec.device, sizeof row.spec.device, "%s", rows[i].device);
        need(store_trial(store, run, &row, &provenance, &trial, key, &why));
        assert_string_equal(ask(store, "SELECT device_kind FROM trial WHERE id = (SELECT max(id) FROM trial)"),
                            rows[i].kind);
    }
    store_close(store);
}

// Which of several equal devices it was does not make another trial; another model does.
TEST(knows_trials_on_any_of_equal_devices)
{
    static const struct {
        const char *device, *name;
    } rows[] = {{"cuda:0", "X"}, {"cuda:1", "X"}, {"cuda", "X"}, {"cuda:1", "Y"}, {"opencl:1", "X"}};
    static const int wanted[] = {0, 0, 0, 3, 4};
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store);
    int64_t trials[5];
    for (int i = 0; i < 5; ++i) {
        const struct trial_provenance provenance = {"scene", "programs", rows[i].name, "driver", "policy", "harness"};
        struct trial_row row = a_row(190);
        char key[HASH_TEXT];
        snprintf(row.spec.device, sizeof row.spec.device, "%s", rows[i].device);
        need(store_trial(store, run, &row, &provenance, &trials[i], key, &why));
        for (int k = 0; k <= i; ++k)
            assert_int_equal(trials[k] == trials[i], wanted[k] == wanted[i]);
    }
    assert_string_equal(ask(store, "SELECT group_concat(DISTINCT device) FROM trial_record WHERE seed = 190"),
                        "cuda,opencl");
    store_close(store);
}

TEST(recovers)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 200);
    int64_t attempt, abandoned;
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &why));
    need(store_recover(store, &abandoned, &why));
    assert_int_equal(abandoned, 1);
    assert_int_equal(state_of(store, trial, COLLECTION_COUNTS, "", 0),
                     ATTEMPT_RUNNING); // being abandoned is no failure
    store_close(store);
}

TEST(survives_kills)
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
        need(store_recover(store, &abandoned, &why));
        assert_true(abandoned <= 1);
        assert_string_equal(ask(store, "SELECT count(*) FROM attempt a WHERE status = 'done' AND (SELECT count(*) "
                                       "FROM bounce_counts WHERE attempt = a.id) <> 10"),
                            "0");
        assert_string_equal(ask(store, "SELECT count(*) FROM bounce_counts WHERE attempt NOT IN "
                                       "(SELECT id FROM attempt WHERE status = 'done')"),
                            "0");
        assert_string_equal(ask(store, "PRAGMA integrity_check"), "ok");
        store_close(store);
    }
}

// ---- growing older

TEST(gains_columns)
{
    struct store *store = open_store(STORE_WRITE);
    need(sql_exec(
        &store->db,
        "DROP VIEW main.trial; ALTER TABLE trial_record DROP COLUMN sampler; ALTER TABLE trial_record DROP COLUMN "
        "threads; DROP VIEW main.table3",
        "make it older", &why));
    store_close(store);
    struct stat before, after;
    stat(path, &before);
    store = open_store(STORE_READ); // the file stays as it is
    assert_string_equal(ask(store, "SELECT sampler || coalesce(threads, ' NULL') FROM trial"), "counter NULL");
    assert_string_equal(ask(store, "SELECT sql LIKE '%sampler%' FROM main.sqlite_schema WHERE name = 'trial_record'"),
                        "0");
    store_close(store);
    stat(path, &after);
    assert_true(before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    store_close(open_store(STORE_WRITE));
    store = open_store(STORE_READ);
    assert_string_equal(ask(store, "SELECT sampler FROM main.trial"), "counter");
    store_close(store);
}

// Whatever views and meanings the file has, they are the program's that are read.
TEST(hides_other_views)
{
    struct store *store = open_store(STORE_WRITE);
    char trials[64];
    snprintf(trials, sizeof trials, "%s", ask(store, "SELECT count(*) || ' ' || max(id) FROM trial"));
    const int metrics = atoi(ask(store, "SELECT count(*) FROM metric"));
    need(sql_exec(&store->db,
                  "DROP VIEW main.trial; CREATE VIEW trial AS SELECT 'other' AS id; DROP VIEW main.residency; DROP "
                  "TABLE main.catalogue; "
                  "DELETE FROM main.metric; DELETE FROM main.compute_capability",
                  "change the views", &why));
    store_close(store);
    struct stat before, after;
    stat(path, &before);
    store = open_store(STORE_READ);
    assert_string_equal(ask(store, "SELECT count(*) || ' ' || max(id) FROM trial"), trials);
    assert_int_equal(atoi(ask(store, "SELECT count(*) FROM metric")), metrics);
    assert_true(atoi(ask(store, "SELECT count(*) FROM compute_capability")) > 0);
    assert_true(atoi(ask(store, "SELECT count(*) FROM catalogue")) > 0);
    need(store_keep_views(store, "SELECT * FROM residency", &why));
    assert_string_equal(ask(store, "SELECT count(*) || ' ' || max(id) FROM trial"), trials);
    assert_string_equal(ask(store, "SELECT max(id) FROM main.trial"), "other");
    store_close(store);
    stat(path, &after);
    assert_true(before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    store_close(open_store(STORE_WRITE)); // which renews them
    store = open_store(STORE_READ);
    assert_string_equal(ask(store, "SELECT count(*) || ' ' || max(id) FROM main.trial"), trials);
    store_close(store);
}

TEST_GROUP(make_folder, free_experiment)
