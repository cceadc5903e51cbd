// SPDX-License-Identifier: MIT
// Temporary tables of reports, and what views cost: counted in steps of SQLite's virtual machine, which no clock and no
// other program disturbs.
#include "check.h"
#include "ask_support.h"
#include "folder_support.h"

#include <pthread.h>

#include "bench_trials.h"
#include "store/store_handle.h"
#include "store/kept.h"
#include "store/shared.h"
#include "store/tables.h"

enum { FEW = 1840, MANY = 2 * FEW };

static const char *folder;
static struct store *few, *many; // of FEW and of MANY trials

static struct store *make(int64_t trials)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%lld.db", folder, (long long)trials);
    return bench_trials(path, MIX_STUDY, trials, 0, &why) ? store_open(path, STORE_READ, &why) : NULL;
}

static int make_both(void **state)
{
    folder = folder_new();
    if (!(few = make(FEW)) || !(many = make(MANY)))
        fprintf(stderr, "%s\n", why.message);
    return few && many ? 0 : -1;
}

static int close_both(void **state)
{
    store_close(few);
    store_close(many);
    return 0;
}

static bool script(struct store *store, const char *text, const char *scene)
{
    const char *const bindings[] = {"scene", scene, NULL};
    return store_make_tables(store, text, "some/script.sql", bindings, &why);
}

// ---- scripts

TEST(makes_tables)
{
    static const char text[] = "-- a comment; with a semicolon\nCREATE TEMP TABLE wanted AS\n"
                               "SELECT id AS trial, scene FROM trial_record WHERE scene = :scene;\n\n"
                               "CREATE INDEX temp.wanted_trial ON wanted (trial);\n"
                               "CREATE TEMP TABLE twice AS SELECT * FROM wanted UNION ALL SELECT * FROM wanted;\n";
    const int64_t open = ask_int(few, "SELECT count(*) FROM trial_record WHERE scene = 'open'");
    const int64_t villa = ask_int(few, "SELECT count(*) FROM trial_record WHERE scene = 'villa'");
    assert_true(open > 0 && villa > 0);
    need(script(few, text, "open"));
    assert_int_equal(ask_int(few, "SELECT count(*) FROM twice"), 2 * open);
    why = (struct error){0};
    assert_false(script(few, text, "villa")); // they are there
    need(store_forget_tables(few, &why));
    need(script(few, text, "villa"));
    assert_int_equal(ask_int(few, "SELECT count(*) FROM twice"), 2 * villa);
    assert_int_equal(ask_int(few, "SELECT count(*) FROM main.sqlite_schema WHERE name IN ('wanted', 'twice')"), 0);
}

TEST(refuses_all_else)
{
    static const char *const bad[] = {
        "SELECT 1",
        "DELETE FROM attempt",
        "DROP TABLE attempt",
        "DROP VIEW trial",
        "UPDATE attempt SET status = 'failed'",
        "INSERT INTO meta VALUES ('a', 'b')",
        "CREATE TABLE main.here AS SELECT 1",
        "CREATE TABLE here AS SELECT 1",
        "CREATE VIEW here AS SELECT 1",
        "CREATE INDEX here ON attempt (image)",
        "CREATE INDEX main.here ON attempt (image)",
        "CREATE TEMP TRIGGER here AFTER INSERT ON attempt BEGIN SELECT 1; END",
        "ATTACH ':memory:' AS other",
        "PRAGMA writable_schema = 1",
        "VACUUM",
        "CREATE TEMP TABLE here AS SELECT * FROM nowhere",
        "CREATE TEMP TABLE here AS SELECT :unknown",
        "CREATE TEMP VIEW here AS SELECT :scene",
        "CREATE TEMP TABLE here AS SELECT load_extension('x')",
    };
    char path[128];
    snprintf(path, sizeof path, "%s/copy.db", folder);
    need(bench_trials(path, MIX_PLAIN, 3, 0, &why));
    struct store *store = store_open(path, STORE_WRITE, &why); // where writing is possible, too
    need(store);
    const int64_t before =
        ask_int(store, "SELECT (SELECT count(*) FROM sqlite_schema) + (SELECT count(*) FROM attempt)");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        why = (struct error){0};
        if (script(store, bad[i], "open"))
            fail_msg("allowed: %s", bad[i]);
        assert_string_equal(why.file, "some/script.sql");
        assert_true(why.message[0]);
    }
    assert_int_equal(ask_int(store, "SELECT (SELECT count(*) FROM sqlite_schema) + (SELECT count(*) FROM attempt)"),
                     before);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM attempt WHERE status = 'done'"), 3);
    store_close(store);
}

// ---- kept views

static int64_t is_kept(const char *name)
{
    char sql[160];
    snprintf(
        sql, sizeof sql,
        "SELECT count(*) FROM temp.sqlite_schema WHERE (type = 'table' OR sql LIKE '%% FROM kept.%%') AND name = '%s'",
        name);
    return ask_int(few, sql);
}

TEST(keeps_views)
{
    static const char text[] = "CREATE TEMP VIEW held AS SELECT setting, resident_warps FROM residency;\n"
                               "CREATE TEMP VIEW unread AS SELECT setting FROM held;\n",
                      sum[] = "WITH x AS (SELECT * FROM held) SELECT sum(resident_warps * length(setting)) FROM x",
                      other[] = "SELECT count(*) FROM bounce_waves";
    need(script(few, text, "open"));
    const int64_t before = ask_int(few, sum), waves = ask_int(few, other);
    assert_true(before > 0 && waves > 0);
    need(store_keep_views(few, "WITH held AS (SELECT 1 AS a) SELECT a FROM held", &why)); // another of the name
    assert_int_equal(is_kept("residency") + is_kept("held"), 0);
    need(store_keep_views(few, sum, &why)); // what it reads, through another view too
    assert_int_equal(is_kept("residency") + is_kept("held"), 2);
    assert_int_equal(is_kept("unread") + is_kept("counted_setting") + is_kept("bounce_waves"), 0);
    assert_int_equal(ask_int(few, sum), before);
    need(store_keep_views(few, other, &why));
    assert_int_equal(is_kept("counted_setting"), 1);
    assert_int_equal(ask_int(few, other), waves);
    // What reads them reads the tables: emptied, they leave nothing.
    need(sql_exec(&few->db, "DELETE FROM kept.counted_setting", "empty", &why));
    assert_int_equal(ask_int(few, other), 0);
    need(store_forget_tables(few, &why));
    assert_int_equal(is_kept("counted_setting") + is_kept("held"), 0);
    assert_int_equal(ask_int(few, other), waves);
    assert_int_equal(ask_int(few, "SELECT count(*) FROM main.sqlite_schema WHERE type = 'view'"),
                     ask_int(few, "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'view'"));
    // Rows of the program's views outlast that, until the database changes.
    need(store_keep_views(few, other, &why));
    assert_int_equal(ask_int(few, other), 0);
    struct store *writer = store_open(store_path(few), STORE_WRITE, &why);
    need(writer && sql_exec(&writer->db, "UPDATE trial_record SET created = created", "change", &why));
    store_close(writer);
    need(store_forget_tables(few, &why) && store_keep_views(few, other, &why));
    assert_int_equal(ask_int(few, other), waves);
    // In the middle of a study they stay: what is kept after another process has stored does not take them away.
    writer = store_open(store_path(few), STORE_WRITE, &why);
    need(writer && sql_exec(&writer->db, "UPDATE trial_record SET created = created", "change", &why));
    store_close(writer);
    need(store_keep_views(few, "SELECT * FROM frame_seconds", &why));
    assert_int_equal(ask_int(few, other), waves);
    need(store_keep_views(few, "SELECT nothing", &why)); // what is wrong with it shows when it is run
}

static const char slow_views[] =
    "SELECT (SELECT count(*) FROM bounce_time) + 1000 * (SELECT count(*) FROM frame_parts) + "
    "1000000 * (SELECT count(*) FROM frame_quality)";

static void *keep_slow(void *store)
{
    struct error trouble;
    return store_keep_views(store, slow_views, &trouble) ? store : NULL;
}

// What one connection has kept the other takes over: it is right also where its rows are gone meanwhile. The other way round, and by two
// threads at once, as one alone does.
TEST(shares_views)
{
    struct store *pair[2] = {make(230), NULL};
    need(pair[0] && (pair[1] = store_open(store_path(pair[0]), STORE_READ, &why)));
    const int64_t alone = ask_int(pair[0], slow_views);
    assert_true(alone > 1001001);
    for (int turn = 0; turn < 8; ++turn) {
        struct store_shared *shared = store_shared_new(NULL);
        pthread_t threads[2];
        for (int i = 0; i < 2; ++i) {
            need(store_forget_tables(pair[i], &why) && kept_forget(pair[i], &why));
            store_share(pair[i], shared);
            assert_int_equal(pthread_create(&threads[i], NULL, keep_slow, pair[i]), 0);
        }
        for (int i = 0; i < 2; ++i) {
            void *kept = NULL;
            pthread_join(threads[i], &kept);
            assert_ptr_equal(kept, pair[i]);
            assert_int_equal(
                ask_int(pair[i],
                        "SELECT count(*) FROM kept.sqlite_schema WHERE name IN ('bounce_time', 'frame_parts')"),
                2);
            assert_int_equal(ask_int(pair[i], slow_views), alone);
        }
        for (int i = 0; i < 2; ++i)
            store_share(pair[i], NULL);
        store_shared_free(shared);
    }
    struct store_shared *shared = store_shared_new(NULL);
    for (int i = 0; i < 2; ++i) {
        need(store_forget_tables(pair[i], &why) && kept_forget(pair[i], &why));
        store_share(pair[i], shared);
    }
    need(keep_slow(pair[0]));
    struct store *writer = store_open(store_path(pair[0]), STORE_WRITE, &why);
    need(writer && sql_exec(&writer->db, "DELETE FROM launch; DELETE FROM launch_time", "change", &why));
    store_close(writer);
    assert_int_not_equal(ask_int(pair[1], slow_views), alone);
    need(keep_slow(pair[1]));
    assert_int_equal(ask_int(pair[1], slow_views), alone);
    store_close(pair[1]);
    store_close(pair[0]);
    store_shared_free(shared);
}

// Frame times with the program's median, as reports keep them, are those of the view as any program reads it; of both numbers of
// repetitions, even and odd.
TEST(keeps_the_medians_of_the_view)
{
    static const char differing[] = "SELECT count(*) FROM (SELECT * FROM (SELECT * FROM kept.frame_seconds EXCEPT "
                                    "SELECT * FROM main.frame_seconds) UNION ALL SELECT * FROM (SELECT * FROM "
                                    "main.frame_seconds EXCEPT SELECT * FROM kept.frame_seconds))";
    struct store *store = make(250);
    need(store);
    struct store *writer = store_open(store_path(store), STORE_WRITE, &why);
    need(writer && sql_exec(&writer->db,
                            "DELETE FROM repetition WHERE number = 9 AND attempt % 2; "
                            "UPDATE repetition SET host_seconds = NULL WHERE number = 3 AND attempt % 3 = 0",
                            "change", &why));
    store_close(writer);
    need(store_keep_views(store, "SELECT * FROM frame_seconds", &why));
    assert_int_equal(ask_int(store, "SELECT instr(sql, 'ntile') FROM temp.sqlite_schema WHERE name = 'replicate_time'"),
                     0);
    assert_true(ask_int(store, "SELECT count(*) FROM kept.frame_seconds") > 10);
    assert_int_equal(ask_int(store, differing), 0);
    store_close(store);
}

// Views of a study's scripts are shared while both connections are prepared for it, and no longer when one has turned
// to another. (The second has another view of the name, to tell.)
TEST(shares_views_of_one_study)
{
    static const char held[] = "SELECT a FROM held";
    struct store *pair[2] = {make(60), NULL};
    need(pair[0] && (pair[1] = store_open(store_path(pair[0]), STORE_READ, &why)));
    struct store_shared *shared = store_shared_new("one");
    for (int i = 0; i < 2; ++i) {
        store_share(pair[i], shared);
        need(store_forget_tables(pair[i], &why) && store_prefer_programs(pair[i], "one", NULL, &why));
        need(script(pair[i], i ? "CREATE TEMP VIEW held AS SELECT 2 AS a;" : "CREATE TEMP VIEW held AS SELECT 1 AS a;",
                    "open"));
        need(store_keep_views(pair[i], held, &why));
        assert_int_equal(ask_int(pair[i], held), 1);
    }
    need(store_forget_tables(pair[1], &why) && store_prefer_programs(pair[1], "other", NULL, &why));
    need(script(pair[1], "CREATE TEMP VIEW held AS SELECT 2 AS a;", "open"));
    need(store_keep_views(pair[1], held, &why));
    assert_int_equal(ask_int(pair[1], held), 2);
    for (int i = 0; i < 2; ++i)
        store_close(pair[i]);
    store_shared_free(shared);
}

// ---- what views cost

static int64_t steps(struct store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db.connection, sql, -1, &statement, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW)
        code = sqlite3_step(statement);
    if (code != SQLITE_DONE)
        fail_msg("%s: %s", sql, sqlite3_errmsg(store->db.connection));
    const int64_t count = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
    sqlite3_finalize(statement);
    return count;
}

// Twice the trials may cost twice the work and a little more: whatever reads all of a table for each row of another
// costs four times as much.
TEST(views_grow_with_their_rows)
{
    sqlite3_stmt *views = NULL;
    int count = 0;
    assert_int_equal(sqlite3_prepare_v2(many->db.connection, "SELECT name FROM main.sqlite_schema WHERE type = 'view'",
                                        -1, &views, NULL),
                     SQLITE_OK);
    while (sqlite3_step(views) == SQLITE_ROW) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT * FROM main.%s", sqlite3_column_text(views, 0));
        const int64_t less = steps(few, sql), more = steps(many, sql);
        if (getenv("SHOW_STEPS"))
            printf("%-40s %lld steps, %.2f times\n", sql, (long long)less, (double)more / (double)less);
        if (more > 300000 && (double)more > 2.6 * (double)less) // fewer steps: a handful of rows, of other variants
            fail_msg("%s: %lld steps of %d trials, %lld of %d", sql, (long long)less, FEW, (long long)more, MANY);
        ++count;
    }
    sqlite3_finalize(views);
    assert_true(count > 30);
}

// What one trial costs does not depend on how many others there are.
TEST(one_trial_costs_one_trial)
{
    static const char *const queries[] = {
        "SELECT * FROM main.trial WHERE id = 77",
        "SELECT * FROM main.bounce WHERE trial = 77",
        "SELECT * FROM main.table2 WHERE trial = 77",
        "SELECT * FROM main.material_hits WHERE trial = 77",
        "SELECT * FROM main.lockstep_efficiency WHERE trial = 1200",
        "SELECT * FROM main.naive_pairing WHERE trial = 77",
        "SELECT * FROM main.replicate_time WHERE trial = 77",
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; ++i) {
        const int64_t less = steps(few, queries[i]), more = steps(many, queries[i]);
        if (more > 2 * less || more > 20000)
            fail_msg("%s: %lld steps of %d trials, %lld of %d", queries[i], (long long)less, FEW, (long long)more,
                     MANY);
    }
}

TEST_GROUP(make_both, close_both)
