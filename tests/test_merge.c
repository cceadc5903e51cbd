// SPDX-License-Identifier: MIT
// Merging made-up databases. What must come out is worked out with SQLite alone, on the files.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "folder_support.h"
#include "base/hash.h"
#include "report_support.h"
#include "store/merge.h"
#include "store/store_handle.h"

static char names[4][96];
static const char *a, *b, *into, *other;

static int name_databases(void **state)
{
    static const char *const stems[] = {"a", "b", "into", "other"};
    const char *folder = folder_new();
    for (int i = 0; i < 4; ++i)
        snprintf(names[i], sizeof names[i], "%s/%s.db", folder, stems[i]);
    a = names[0], b = names[1], into = names[2], other = names[3];
    return 0;
}

static struct store *open_file(const char *path, enum store_mode mode)
{
    struct error error = {0};
    struct store *store = store_open(path, mode, &error);
    must(store != NULL, &error);
    return store;
}

static void exec(struct store *store, const char *sql)
{
    struct error error = {0};
    must(sql_exec(&store->db, sql, "change", &error), &error);
}

// ---- sources

// What no function of report_support.h makes, for the last attempt and run.
static const char rare_rows[] =
    "INSERT INTO card (uuid, node, ordinal) SELECT 'GPU of ' || label, 'node', 0 FROM run;"
    "INSERT INTO card (uuid, node, ordinal) VALUES ('GPU', 'node', 1);"
    "INSERT INTO attempt_card SELECT id, 1 + id % 2 FROM attempt WHERE status = 'done';"
    "INSERT INTO condition VALUES ((SELECT max(id) FROM attempt), 'before', 40, 300, 1980, 2600, 0, 0);"
    "INSERT INTO launch_time VALUES ((SELECT max(attempt) FROM launch), 1, 0, 12345);"
    "INSERT INTO lockstep VALUES ((SELECT max(id) FROM attempt), 0, 0, 0, 10, 200, 5, 100, 3);"
    "INSERT INTO entry_lanes VALUES ((SELECT max(id) FROM attempt), 31, 3, 10, 200, 5, 100);"
    "INSERT INTO metric_name (name) VALUES ('achieved_occupancy');"
    "INSERT INTO metric_value VALUES ((SELECT max(id) FROM attempt), -1, (SELECT max(id) FROM metric_name), 0.5);"
    "INSERT INTO site_count VALUES ((SELECT max(id) FROM attempt), 0, 1, 2, 3, 4);"
    "INSERT INTO stall_reason (name) VALUES ('waits');"
    "INSERT INTO source_file (name) VALUES ('extend.h');"
    "INSERT INTO stall VALUES ((SELECT max(id) FROM attempt), 0, (SELECT max(id) FROM kernel), "
    "(SELECT max(id) FROM stall_reason), 99);"
    "INSERT INTO stall_line VALUES ((SELECT max(id) FROM attempt), (SELECT max(id) FROM kernel), "
    "(SELECT max(id) FROM source_file), 12, (SELECT max(id) FROM stall_reason), 98);"
    "INSERT INTO timeline_sample VALUES ((SELECT max(id) FROM attempt), 0, 0, -1000, 2000, 500, 400, 300, 2400, 9000, "
    "40, 90, 8);"
    "INSERT INTO timeline_launch VALUES ((SELECT max(id) FROM attempt), 0, 0, 0, 7000);"
    "INSERT INTO environment VALUES ((SELECT max(id) FROM run), 'host', 'here');"
    "INSERT INTO derived VALUES ((SELECT max(id) FROM run), 0, 'fill', 0.25);"
    "INSERT INTO film SELECT min(id), 8, 8, x'89504e' FROM attempt;"
    "INSERT INTO picture VALUES ('open', 'c', '', 8, 8, 1, 'i', x'89504e');";

static struct made on_gpu(const char *variant, int32_t replicate)
{
    struct made made = made_fairy(variant, fairy_warps);
    made.device = "cuda";
    made.replicate = replicate;
    return made;
}

static void add_trial(struct store *store, int64_t run, const struct made *made, double seconds)
{
    const double frames[] = {seconds, seconds * 1.01, seconds * 0.99};
    const int64_t trial = made_asked(store, run, made, 1 << COLLECTION_COUNTS | 1 << COLLECTION_FRAME);
    made_counts(store, run, trial, made);
    made_frames(store, run, trial, made, frames, 3, 100);
}

// Two replicates of a variant, with a failure, and a row in every table. `kernels` decides what numbers names have.
static void make_source(const char *path, const char *label, const char *variant, const char *kernels)
{
    unlink(path);
    struct store *store = open_file(path, STORE_WRITE);
    const int64_t run = made_run(store, label);
    exec(store, kernels);
    for (int r = 0; r < 2; ++r) {
        const struct made made = on_gpu(variant, r);
        add_trial(store, run, &made, 0.1 + 0.001 * r);
    }
    struct made made = on_gpu(variant, 0);
    made.max_bounces = 1;
    made_failed(store, run, made_asked(store, run, &made, 1 << COLLECTION_STALLS), COLLECTION_STALLS, ATTEMPT_KILLED,
                "the machine was switched off");
    const struct measured_launch row = {.bounce = 0, .seconds = 0.05};
    made_launches(store, run, made_asked(store, run, &made, 1 << COLLECTION_LAUNCHES), &made, &row, 1, 0.001, 100);
    exec(store, rare_rows);
    store_close(store);
}

static void make_sources(void)
{
    make_source(a, "on a", "naive", "INSERT INTO kernel (name) VALUES ('first of a')");
    make_source(b, "on b", "whole_frame", "INSERT INTO kernel (name) VALUES ('b1'), ('b2'), ('kernel')");
}

static struct merge_counts merge(const char *target, const char *source)
{
    struct error error = {0};
    struct merge_counts counts;
    struct store *to = open_file(target, STORE_WRITE), *from = open_file(source, STORE_READ);
    must(store_merge_begin(to, &error) && store_merge(to, from, &counts, &error) && store_merge_end(to, &error),
         &error);
    store_close(from);
    store_close(to);
    return counts;
}

// ---- files as SQLite alone sees them

static sqlite3 *files; // the merged one, and the sources as a and b

static void open_files(void)
{
    char sql[512];
    assert_int_equal(sqlite3_open(into, &files), SQLITE_OK);
    snprintf(sql, sizeof sql, "ATTACH '%s' AS a; ATTACH '%s' AS b", a, b);
    assert_int_equal(sqlite3_exec(files, sql, NULL, NULL, NULL), SQLITE_OK);
}

static char *ask(const char *sql)
{
    static char text[8192];
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(files, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(files), sql);
    strcpy(text, "no row");
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
        snprintf(text, sizeof text, "%s", sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
}

static void check(const char *sql, const char *wanted)
{
    const char *got = ask(sql);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s, not %s: %s", got, wanted, sql);
}

#define BASE(column) "substr(" column ", 1, instr(" column " || '@', '@') - 1)"
#define RUN "(SELECT label || started FROM %s.run WHERE id = x.%s)"

// What a column says, without numbers that only its file knows; "" for those numbers.
static char *meaning(const char *schema, const char *table, const char *column)
{
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT \"table\" FROM pragma_foreign_key_list('%s') WHERE \"from\" = '%s'", table,
             column);
    const char *parent = ask(sql);
    if (!strcmp(column, "id") || !strcmp(column, "origin"))
        return sqlite3_mprintf("''");
    if (!strcmp(parent, "run"))
        return sqlite3_mprintf(RUN, schema, column);
    if (!strcmp(parent, "trial_record"))
        return sqlite3_mprintf("(SELECT " BASE("key") " FROM %s.trial_record WHERE id = x.%s)", schema, column);
    if (!strcmp(parent, "attempt"))
        return sqlite3_mprintf("(SELECT x1.collection || x1.number || t.key || r.label FROM %s.attempt AS x1 "
                               "JOIN %s.trial_record AS t ON t.id = x1.trial JOIN %s.run AS r ON r.id = x1.run "
                               "WHERE x1.id = x.%s)",
                               schema, schema, schema, column);
    if (!strcmp(parent, "card"))
        return sqlite3_mprintf("(SELECT uuid || node || ordinal FROM %s.card WHERE id = x.%s)", schema, column);
    if (!strcmp(parent, "experiment"))
        return sqlite3_mprintf("(SELECT hash || path FROM %s.experiment WHERE id = x.%s)", schema, column);
    if (strcmp(parent, "no row") != 0)
        return sqlite3_mprintf("(SELECT name FROM %s.%s WHERE id = x.%s)", schema, parent, column);
    return sqlite3_mprintf(!strcmp(column, "key") || !strcmp(column, "setting") ? "quote(" BASE("x.%s") ")"
                                                                                : "quote(x.%.0s%s)",
                           column, column);
}

// A query for every row of the table as one text.
static char *lines(const char *schema, const char *table)
{
    char columns[4096], *sql = sqlite3_mprintf("SELECT ''"), sql_columns[128], *next;
    snprintf(sql_columns, sizeof sql_columns, "SELECT group_concat(name, ' ') FROM pragma_table_info('%s', 'main')",
             table);
    snprintf(columns, sizeof columns, "%s", ask(sql_columns));
    for (char *column = strtok_r(columns, " ", &next); column; column = strtok_r(NULL, " ", &next)) {
        char *text = meaning(schema, table, column);
        sql = sqlite3_mprintf("%z || '|' || %z", sql, text);
    }
    return sqlite3_mprintf("%z AS line FROM %s.%s AS x%s", sql, schema, table,
                           strcmp(table, "environment") != 0 ? "" : " WHERE name <> 'origin'");
}

// Rows of these that both have are one; of all others each file has its own.
static bool is_shared(const char *table)
{
    return strstr(" card experiment kernel metric_name stall_reason source_file long_text picture ", table);
}

static void assert_union(const char *table)
{
    char *one = lines("a", table), *two = lines("b", table), *both = lines("main", table);
    char *sql = sqlite3_mprintf("SELECT count(*) || ' of ' || (SELECT count(*) FROM (%s)) FROM (%s %s %s)", both, one,
                                is_shared(table) ? "UNION" : "UNION ALL", two);
    char *missing = sqlite3_mprintf("SELECT line FROM (%s UNION %s) EXCEPT %s", one, two, both);
    char *rows =
        sqlite3_mprintf("SELECT min((SELECT count(*) FROM a.%s), (SELECT count(*) FROM b.%s)) > 0", table, table);
    check(rows, "1"); // else the test says nothing of this table
    long long wanted, got;
    assert_int_equal(sscanf(ask(sql), "%lld of %lld", &wanted, &got), 2);
    if (wanted != got)
        fail_msg("%s has %lld rows, not %lld", table, got, wanted);
    if (strcmp(ask(missing), "no row") != 0)
        fail_msg("%s lacks %s", table, ask(missing));
    sqlite3_free(sql);
    sqlite3_free(missing);
    sqlite3_free(rows);
    sqlite3_free(one);
    sqlite3_free(two);
    sqlite3_free(both);
}

// Every table of the file but those that the program makes anew: a new one is neither lost nor forgotten here.
static void assert_tables(void)
{
    char tables[4096], *next;
    snprintf(
        tables, sizeof tables, "%s",
        ask("SELECT group_concat(name, ' ') FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND "
            "name NOT IN ('meta', 'metric', 'compute_capability', 'variant_trait', 'device_kind', 'step_weight', "
            "'catalogue')"));
    size_t count = 0;
    for (char *table = strtok_r(tables, " ", &next); table; table = strtok_r(NULL, " ", &next), ++count)
        assert_union(table);
    assert_true(count >= 25);
}

static void hash_of(const char *path, char text[HASH_TEXT])
{
    struct hash hash;
    struct error error = {0};
    must(hash_file(path, &hash, &error), &error);
    hash_text(hash, text);
}

// ---- tests

static void carries_everything(void **state)
{
    char before[2][HASH_TEXT], after[2][HASH_TEXT];
    make_sources();
    unlink(into);
    hash_of(a, before[0]);
    hash_of(b, before[1]);
    const struct merge_counts first = merge(into, a), second = merge(into, b);
    hash_of(a, after[0]);
    hash_of(b, after[1]);
    assert_string_equal(before[0], after[0]);
    assert_string_equal(before[1], after[1]);
    assert_int_equal(first.runs + second.runs, 2);
    assert_int_equal(first.trials, 3);
    assert_int_equal(second.attempts, 6);
    assert_int_equal(first.second + second.second + first.known + second.known, 0);
    open_files();
    assert_tables();
    check("SELECT count(*) FROM pragma_foreign_key_check", "0");
    check("SELECT group_concat(origin = (SELECT value FROM a.meta WHERE name = 'id'), '') FROM trial_record "
          "WHERE variant = 'naive'",
          "111");
    sqlite3_close(files);
}

static void adds_sums(void **state)
{
    static const char *const sums[] = {"sum(active_paths) || ' ' || sum(active_warps) FROM %s.bounce",
                                       "sum(cum_paths) || ' ' || count(*) FROM %s.table2",
                                       "sum(repetitions) || ' ' || round(sum(seconds), 9) FROM %s.frame_time",
                                       "sum(done) || ' ' || sum(failed) || ' ' || sum(killed) FROM %s.progress",
                                       "sum(results) || ' ' || sum(trials) FROM %s.verification",
                                       "sum(samples) || ' ' || count(*) FROM %s.stall"};
    make_sources();
    unlink(into);
    merge(into, a);
    merge(into, b);
    open_files();
    for (size_t i = 0; i < sizeof sums / sizeof *sums; ++i) {
        double parts[3][3] = {{0}};
        for (int s = 0; s < 3; ++s) {
            char sql[256] = "SELECT ";
            snprintf(sql + 7, sizeof sql - 7, sums[i], s == 0 ? "a" : s == 1 ? "b" : "main");
            assert_true(sscanf(ask(sql), "%lf %lf %lf", &parts[s][0], &parts[s][1], &parts[s][2]) >= 2);
        }
        for (int k = 0; k < 3; ++k)
            assert_true(parts[2][k] - parts[0][k] - parts[1][k] < 1e-8 &&
                        parts[0][k] + parts[1][k] - parts[2][k] < 1e-8);
        assert_true(parts[2][0] > 0);
    }
    sqlite3_close(files);
}

static const char everything[] =
    "SELECT (SELECT count(*) || '/' || sum(superseded) FROM attempt) || ' ' || (SELECT count(*) FROM trial_record) || "
    "' ' "
    "|| (SELECT count(*) FROM run) || ' ' || (SELECT count(*) FROM environment) || ' ' || (SELECT count(*) FROM "
    "run_trial) || ' ' || (SELECT count(*) FROM repetition) || ' ' || (SELECT count(*) FROM kernel) || ' ' || "
    "(SELECT group_concat(origin || key || setting || last_run) FROM trial_record)";

static void adds_nothing_twice(void **state)
{
    char first[8192];
    make_sources();
    unlink(into);
    merge(into, a);
    merge(into, b);
    open_files();
    strcpy(first, ask(everything));
    sqlite3_close(files);
    for (int i = 0; i < 2; ++i) {
        const struct merge_counts counts = merge(into, i ? a : b);
        assert_int_equal(counts.runs + counts.trials + counts.attempts, 0);
        assert_int_equal(counts.known, 6);
    }
    unlink(other); // by way of a third one, which comes back
    merge(other, into);
    assert_int_equal(merge(other, a).attempts, 0);
    assert_int_equal(merge(into, other).attempts, 0);
    assert_int_equal(merge(a, into).attempts, 6); // what b measured, and nothing of its own
    open_files();
    check(everything, first);
    sqlite3_close(files);
}

static void grows(void **state)
{
    int64_t redone;
    struct error error = {0};
    make_sources();
    unlink(into);
    struct store *store = open_file(a, STORE_WRITE);
    exec(store, "INSERT INTO attempt (trial, collection, run, number, status, started) VALUES (1, 'stalls', 1, 1, "
                "'running', '2026-01-01')");
    store_close(store);
    assert_int_equal(merge(into, a).attempts, 6); // the one that runs is no result yet
    store = open_file(a, STORE_WRITE);
    exec(store, "UPDATE attempt SET status = 'failed', reason = 'late' WHERE status = 'running';"
                "UPDATE run SET ended = '2026-01-02', reason = 'complete'");
    must(store_redo(store, "replicate = 1", UINT32_MAX, &redone, &error), &error);
    const struct made made = on_gpu("naive", 1);
    add_trial(store, made_run(store, "again"), &made, 0.2);
    store_close(store);
    const struct merge_counts counts = merge(into, a);
    assert_int_equal(counts.runs, 1);
    assert_int_equal(counts.trials, 0);
    assert_int_equal(counts.attempts, 3);
    open_files();
    check("SELECT reason FROM run WHERE label = 'on a'", "complete");
    check("SELECT count(*) FROM attempt WHERE reason = 'late'", "1");
    check("SELECT sum(superseded) FROM attempt", "2");
    check("SELECT round(median_seconds, 6) FROM replicate_time WHERE replicate = 1", "0.2");
    check("SELECT label FROM trial WHERE replicate = 1", "again");
    sqlite3_close(files);
}

// The same trial on two machines, one of which measured another replicate too.
static void keeps_copies_apart(void **state)
{
    make_source(a, "on a", "naive", "SELECT 1");
    make_source(b, "on b", "naive", "SELECT 1");
    struct store *store = open_file(b, STORE_WRITE);
    const struct made made = on_gpu("naive", 2);
    add_trial(store, made_run(store, "more"), &made, 0.3);
    store_close(store);
    unlink(into);
    merge(into, a);
    const struct merge_counts counts = merge(into, b);
    assert_int_equal(counts.trials, 4);
    assert_int_equal(counts.second, 3);
    assert_int_equal(merge(into, b).trials, 0);
    open_files();
    check("SELECT count(*) FROM trial_record WHERE key LIKE '%@' || (SELECT value FROM b.meta WHERE name = 'id')", "3");
    check("SELECT group_concat(replicates) FROM (SELECT replicates FROM frame_time ORDER BY 1)", "2,3");
    check("SELECT group_concat(DISTINCT replicates) FROM a.frame_time", "2");
    check("SELECT group_concat(DISTINCT replicates) FROM b.frame_time", "3");
    check("SELECT count(*) FROM trial WHERE current", "4"); // the copies merged last
    check("SELECT count(DISTINCT origin) FROM trial WHERE current", "1");
    sqlite3_close(files);
}

static char *conflicts(const char *target, const char *source)
{
    static char text[2048];
    struct error error = {0};
    struct merge_counts counts;
    struct store *to = open_file(target, STORE_WRITE), *from = open_file(source, STORE_READ);
    must(store_merge_begin(to, &error) && store_merge(to, from, &counts, &error) && store_merge_end(to, &error),
         &error);
    sqlite3 *kept = files;
    files = to->db.connection;
    strcpy(text, ask("SELECT group_concat(conflict || ': ' || trials, '; ') FROM (SELECT * FROM temp.merge_conflict "
                     "ORDER BY conflict)"));
    files = kept;
    store_close(from);
    store_close(to);
    return text;
}

static void names_conflicts(void **state)
{
    make_source(a, "on a", "naive", "SELECT 1");
    make_source(b, "on b", "naive", "SELECT 1");
    unlink(into);
    assert_string_equal(conflicts(into, a), "no row");
    assert_string_equal(conflicts(into, b), "no row");
    struct store *store = open_file(b, STORE_WRITE);
    exec(store, "UPDATE attempt SET image = 'f' || substr(image, 2)");
    store_close(store);
    unlink(into);
    merge(into, a);
    assert_string_equal(conflicts(into, b), "same trial, different image: 3");
    make_source(b, "on b", "naive", "SELECT 1");
    store = open_file(b, STORE_WRITE); // another policy makes another key
    exec(store, "INSERT INTO long_text (name) VALUES ('once'); UPDATE trial_record SET policy_text = (SELECT max(id) "
                "FROM long_text), key = 'f' || substr(key, 2)");
    store_close(store);
    unlink(into);
    merge(into, a);
    assert_string_equal(conflicts(into, b), "same specification, other policy: 3");
    make_sources();
    store = open_file(b, STORE_WRITE);
    exec(store, "UPDATE attempt SET path_hash = 'f' || substr(path_hash, 2)");
    store_close(store);
    unlink(into);
    merge(into, a);
    assert_string_equal(conflicts(into, b), "same work, different images or counts: 4");
}

// Ends this process in the middle of a merge, after all rows were added.
static void die_merging(void)
{
    struct error error = {0};
    struct merge_counts counts;
    struct store *to = open_file(into, STORE_WRITE), *from = open_file(b, STORE_READ);
    _exit(store_merge_begin(to, &error) && store_merge(to, from, &counts, &error) && counts.attempts == 6 ? 7 : 1);
}

static void survives_a_kill(void **state)
{
    int status;
    char before[8192];
    make_sources();
    unlink(into);
    merge(into, a);
    open_files();
    strcpy(before, ask(everything));
    sqlite3_close(files);
    const pid_t child = fork();
    if (!child)
        die_merging();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    open_files();
    check(everything, before);
    check("PRAGMA integrity_check", "ok");
    sqlite3_close(files);
    assert_int_equal(merge(into, b).attempts, 6);
}

// A result that the target's own run made of a merged trial is not replaced.
static void keeps_its_own(void **state)
{
    make_sources();
    unlink(into);
    merge(into, a);
    struct made made = on_gpu("naive", 0);
    const struct measured_launch row = {.bounce = 0, .seconds = 0.05};
    for (int i = 0; i < 2; ++i) {
        struct store *store = open_file(i ? a : into, STORE_WRITE);
        const int64_t run = made_run(store, "later"), trial = made_asked(store, run, &made, 1 << COLLECTION_LAUNCHES);
        made_launches(store, run, trial, &made, &row, 1, 0.001, 100);
        store_close(store);
    }
    assert_int_equal(merge(into, a).attempts, 1);
    open_files();
    check("SELECT count(*) || ' ' || sum(superseded) FROM attempt WHERE collection = 'launches' AND trial = 1", "2 1");
    check(
        "SELECT label FROM run WHERE id = (SELECT run FROM attempt WHERE collection = 'launches' AND trial = 1 AND NOT "
        "superseded)",
        "later");
    sqlite3_close(files);
}

// Of a program without the parameter: its trials were made with the default.
static void takes_files_that_lack_columns(void **state)
{
    char before[HASH_TEXT], after[HASH_TEXT];
    make_sources();
    struct store *store = open_file(a, STORE_WRITE);
    exec(store, "DROP VIEW main.trial; ALTER TABLE trial_record DROP COLUMN sampler");
    store_close(store);
    hash_of(a, before);
    unlink(into);
    assert_true(merge(into, a).trials > 0);
    assert_int_equal(merge(into, a).attempts, 0);
    hash_of(a, after);
    assert_string_equal(before, after);
    open_files();
    check("SELECT group_concat(DISTINCT sampler) FROM trial_record", "counter");
    sqlite3_close(files);
}

static void refuses_what_it_does_not_know(void **state)
{
    struct error error = {0};
    struct merge_counts counts;
    make_sources();
    struct store *store = open_file(b, STORE_WRITE);
    exec(store, "ALTER TABLE trial_record ADD COLUMN mood TEXT");
    store_close(store);
    unlink(into);
    merge(into, a);
    struct store *to = open_file(into, STORE_WRITE), *from = open_file(b, STORE_READ);
    assert_true(store_merge_begin(to, &error));
    assert_false(store_merge(to, from, &counts, &error));
    assert_string_equal(error.message, "its table trial_record has a column 'mood' that is not known here");
    store_close(from);
    store_close(to);
    open_files();
    check("SELECT count(*) FROM run", "1");
    sqlite3_close(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_everything),
        cmocka_unit_test(adds_sums),
        cmocka_unit_test(adds_nothing_twice),
        cmocka_unit_test(grows),
        cmocka_unit_test(keeps_copies_apart),
        cmocka_unit_test(names_conflicts),
        cmocka_unit_test(survives_a_kill),
        cmocka_unit_test(keeps_its_own),
        cmocka_unit_test(takes_files_that_lack_columns),
        cmocka_unit_test(refuses_what_it_does_not_know),
    };
    return cmocka_run_group_tests_name("merge", tests, name_databases, NULL);
}
