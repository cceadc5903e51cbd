// SPDX-License-Identifier: MIT
// Merging made-up databases.
#include "check.h"
#include <sys/wait.h>
#include "merge_support.h"

TEST(carries_everything)
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

TEST(adds_sums)
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

TEST(adds_nothing_twice)
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

TEST(grows)
{
    int64_t redone;
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
    need(store_redo(store, "replicate = 1", UINT32_MAX, &redone, &why));
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

// A copy was made while an attempt ran; what became of that comes later, whether or not the copy was used since.
static void follow_copy(const char *there, const char *here, const char *wanted)
{
    char copy[512];
    make_sources();
    unlink(into);
    struct store *store = open_file(a, STORE_WRITE);
    exec(store, "INSERT INTO attempt (trial, collection, run, number, status, started) VALUES (1, 'stalls', 1, 1, "
                "'running', '2026-01-01')");
    snprintf(copy, sizeof copy, "VACUUM INTO '%s'", into);
    exec(store, copy);
    assert_int_equal(merge(into, a).attempts, 0); // it still runs
    exec(store, there);
    store_close(store);
    store = open_file(into, STORE_WRITE);
    exec(store, here);
    store_close(store);
    assert_int_equal(merge(into, a).attempts, 1);
    assert_int_equal(merge(into, a).attempts, 0);
    open_files();
    check("SELECT group_concat(a.status || a.superseded || coalesce(r.number, ''), ' ') FROM attempt AS a LEFT JOIN "
          "repetition AS r ON r.attempt = a.id WHERE a.trial = 1 AND a.collection = 'stalls' ORDER BY a.id",
          wanted);
    sqlite3_close(files);
}

TEST(brings_what_ran_when_it_was_copied)
{
    static const char finished[] = "UPDATE attempt SET status = 'done' WHERE status = 'running';"
                                   "INSERT INTO repetition SELECT max(id), 7, 1, 1, 0, 1, 0, 0, NULL FROM attempt",
                      given_up[] = "UPDATE attempt SET status = 'abandoned' WHERE status = 'running'",
                      anew[] = "UPDATE attempt SET status = 'abandoned' WHERE status = 'running';"
                               "INSERT INTO attempt (trial, collection, run, number, status, started) "
                               "VALUES (1, 'stalls', 1, 2, 'done', '2026-01-02')";
    follow_copy(finished, "SELECT 1", "done07");
    follow_copy(finished, given_up, "done07");
    follow_copy(finished, anew, "done0 done17");
    follow_copy(given_up, "SELECT 1", "abandoned0");
}

// Of one trial whose copies were both measured that with more counters is current.
static void count_both(const char *there, const char *here, const char *wanted)
{
    static const char insert[] = "INSERT INTO attempt (trial, collection, run, number, status, started, made_by) "
                                 "VALUES (1, 'counters', 1, %d, 'done', '2026-01-01', '%s')";
    char text[512];
    make_sources();
    unlink(into);
    struct store *store = open_file(a, STORE_WRITE);
    snprintf(text, sizeof text, "VACUUM INTO '%s'", into);
    exec(store, text);
    snprintf(text, sizeof text, insert, 8, there);
    exec(store, text);
    store_close(store);
    store = open_file(into, STORE_WRITE);
    snprintf(text, sizeof text, insert, 9, here);
    exec(store, text);
    store_close(store);
    assert_int_equal(merge(into, a).attempts, 1);
    assert_int_equal(merge(into, a).attempts, 0);
    open_files();
    check("SELECT group_concat(made_by, ',') FROM attempt WHERE trial = 1 AND number > 7 AND NOT superseded", wanted);
    sqlite3_close(files);
}

TEST(of_counters_the_more_are_current)
{
    count_both("x:1 y:2", "x:1", "x:1 y:2");
    count_both("x:1", "x:1 y:2", "x:1 y:2");
    count_both("x:1 y:2", "x:1 z:3", "x:1 z:3");
}

// The same trial on two machines, one of which measured another replicate too.
TEST(keeps_copies_apart)
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
    struct merge_counts counts;
    struct store *to = open_file(target, STORE_WRITE), *from = open_file(source, STORE_READ);
    need(store_merge_begin(to, &why) && store_merge(to, from, &counts, &why) && store_merge_end(to, &why));
    sqlite3 *kept = files;
    files = to->db.connection;
    strcpy(text, ask("SELECT group_concat(conflict || ': ' || trials, '; ') FROM (SELECT * FROM temp.merge_conflict "
                     "ORDER BY conflict)"));
    files = kept;
    store_close(from);
    store_close(to);
    return text;
}

TEST(names_conflicts)
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
    assert_string_equal(conflicts(into, b), "same work, different images or counts: 4"); // not only the first time
    assert_string_equal(conflicts(into, a), "same work, different images or counts: 4");
}

// Ends this process in the middle of a merge, after all rows were added.
static void die_merging(void)
{
    struct merge_counts counts;
    struct store *to = open_file(into, STORE_WRITE), *from = open_file(b, STORE_READ);
    _exit(store_merge_begin(to, &why) && store_merge(to, from, &counts, &why) && counts.attempts == 6 ? 7 : 1);
}

TEST(survives_a_kill)
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
TEST(keeps_its_own)
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
TEST(takes_files_that_lack_columns)
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

TEST(refuses_what_it_does_not_know)
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

TEST_GROUP(name_databases, NULL)
