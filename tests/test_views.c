// SPDX-License-Identifier: MIT
// What the views derive, on numbers small enough to check by hand, and what a query may do.
#include "plan/experiment.h"
#include "store/attempt.h"
#include "store/run.h"
#include "store/tables.h"
#include "views_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/counts.h"

static int64_t trial_of(const char *variant, int replicate, const char *programs, uint64_t tile_m)
{
    struct trial_row plan = {.ordinal = 1,
                             .point = 1,
                             .replicate = replicate,
                             .collections = replicate ? 6 : 7,
                             .spec.parameters = parameters_default()};
    const char *device = strcmp(programs, "failed") ? "device" : "";
    const struct trial_provenance provenance = {"scene", programs, device, "driver", "policy", "harness"};
    char key[HASH_TEXT];
    int64_t trial;
    strcpy(plan.spec.scene, "open");
    snprintf(plan.spec.variant, sizeof plan.spec.variant, "%s", variant);
    strcpy(plan.spec.device, "emulator");
    plan.spec.parameters.max_bounces = 3;
    plan.spec.parameters.width = plan.spec.parameters.height = 16;
    plan.spec.parameters.tile_m = (int64_t)tile_m;
    need(store_trial(store, run, &plan, &provenance, &trial, key, &failure));
    return trial;
}

// 256 paths, 8 warps: 256, 128, 32 and no paths; naive 8, 8, 4 warps in one launch.
static void count_naive(int64_t trial, uint64_t image)
{
    struct measured_counts counts[] = {{0, 0, {.active_paths = 256, .active_warps = 8, .shadow_rays = 10}},
                                       {0, 1, {.active_paths = 128, .active_warps = 8}},
                                       {0, 2, {.active_paths = 32, .active_warps = 4, .hits = {[3] = 9}}},
                                       {0, MEASURED_TOTALS, {.active_warps = 20}}};
    struct measured_launch launch = {.kernel = "naive", .grid = 4, .block = 64, .bounce = -1, .seconds = 0.1};
    struct measured_lockstep lockstep = {
        0, 0, 1, {.inner_steps = 10, .inner_live = 160, .triangle_steps = 5, .triangle_live = 32, .warps = 8}};
    finish(trial, &(struct measurement){.counts = counts,
                                        .count_count = 4,
                                        .launches = &launch,
                                        .launch_count = 1,
                                        .lockstep = &lockstep,
                                        .lockstep_count = 1,
                                        .image = {image, 1},
                                        .path_hash = 77});
}

// The same paths compacted: 8, 4, 1 warps in one launch per bounce, each of 8 warps.
static void count_compacted(int64_t trial, uint64_t image)
{
    struct measured_counts counts[] = {{0, 0, {.active_paths = 256, .active_warps = 8, .shadow_rays = 10}},
                                       {2, 1, {.active_paths = 128, .active_warps = 4}},
                                       {4, 2, {.active_paths = 32, .active_warps = 1, .hits = {[3] = 9}}},
                                       {0, MEASURED_TOTALS, {.active_warps = 8}}};
    struct measured_launch launches[5] = {
        {.kernel = "bounce"}, {.kernel = "select"}, {.kernel = "bounce"}, {.kernel = "select"}, {.kernel = "bounce"}};
    for (uint32_t i = 0; i < 5; ++i) {
        launches[i].index = i;
        launches[i].grid = 4;
        launches[i].block = 64;
        launches[i].auxiliary = i % 2;
        launches[i].bounce = (int32_t)i / 2;
    }
    finish(trial, &(struct measurement){.counts = counts,
                                        .count_count = 4,
                                        .launches = launches,
                                        .launch_count = 5,
                                        .image = {image, 1},
                                        .path_hash = 77});
}

static void time_frames(int64_t trial, double first, double second, double third)
{
    struct measured_repetition repetitions[3] = {
        {first, NAN, NAN, NAN, 1, 0, 0}, {second, NAN, NAN, NAN, 1, 0, 0}, {third, NAN, NAN, NAN, 1, 0, 0}};
    finish(trial, &(struct measurement){.collection = COLLECTION_FRAME,
                                        .repetitions = repetitions,
                                        .repetition_count = 3,
                                        .times = true,
                                        .image = {9, 1}});
}

static void time_launches(int64_t trial)
{
    struct measured_launch launches[6];
    for (uint32_t i = 0; i < 6; ++i)
        launches[i] = (struct measured_launch){.repetition = i / 2,
                                               .index = i % 2,
                                               .bounce = 1,
                                               .auxiliary = i % 2,
                                               .kernel = "bounce",
                                               .grid = 1,
                                               .block = 64,
                                               .seconds = 1e-6 * (i == 2 ? 400 : 8)};
    finish(trial, &(struct measurement){.collection = COLLECTION_LAUNCHES,
                                        .launches = launches,
                                        .launch_count = 6,
                                        .times = true,
                                        .image = {9, 1}});
}

static int fill_store(void **state)
{
    open_empty(state);
    const int64_t naive = trial_of("naive", 0, "p", 4), compacted = trial_of("whole_frame", 0, "p", 4);
    count_naive(naive, 9);
    count_compacted(compacted, 9);
    time_frames(naive, 2, 9, 1);
    time_frames(compacted, 1, 1, 1);
    for (int replicate = 1; replicate < 3; ++replicate) {
        time_frames(trial_of("naive", replicate, "p", 4), 2 * replicate, 2 * replicate, 2 * replicate);
        time_frames(trial_of("whole_frame", replicate, "p", 4), 1, 1, 1);
    }
    time_launches(compacted);
    return 0;
}

#define WHERE_NAIVE " WHERE variant = 'naive' AND bounce = "
#define WHERE_COMPACTED " WHERE variant = 'whole_frame' AND bounce = "

static void makes_table_2(void **state)
{
    static const char columns[] =
        "SELECT active_paths, cum_paths, active_warps, cum_warps, paths_per_warp, cum_paths_per_warp, "
        "util, util_launch, saved FROM table2";
    char sql[512];
    static const char *const wanted[2][3] = {{"256 256 8 8 32.0 32.0 1.0 1.0 1.0", "128 384 8 16 16.0 24.0 0.5 0.5 1.0",
                                              "32 416 4 20 8.0 20.8 0.25 0.125 1.0"},
                                             {"256 256 8 8 32.0 32.0 1.0 1.0 1.0",
                                              "128 384 4 12 32.0 32.0 1.0 0.5 1.33333333333333",
                                              "32 416 1 13 32.0 32.0 1.0 0.125 1.53846153846154"}};
    for (int variant = 0; variant < 2; ++variant)
        for (int bounce = 0; bounce < 3; ++bounce) {
            snprintf(sql, sizeof sql, "%s%s%d", columns, variant ? WHERE_COMPACTED : WHERE_NAIVE, bounce);
            check(sql, wanted[variant][bounce]);
        }
    check("SELECT study, experiment, label, scene, warp_width, naive_trial, naive_cum_warps FROM table2" WHERE_COMPACTED
          "2",
          "s t one open 32 1 20");
    check("SELECT count(*) FROM table2", "6");
    check("SELECT inner_efficiency, triangle_efficiency, simd_efficiency FROM table2" WHERE_NAIVE "1", "0.5 0.2 0.4");
    check("SELECT material, hits FROM material_hits WHERE trial = 1", "3 9");
    check("SELECT survival, alive FROM survival WHERE trial = 1 AND bounce = 1", "0.25 0.5");
    check("SELECT survival FROM survival WHERE trial = 1 AND bounce = 2",
          "0.0"); // nobody is left at the limit, bounce 3
}

static void makes_table_1(void **state)
{
    // Medians of the naive replicates: 2, 2, 4; hence 2 s a frame, spread (4 - 2) / 2.
    check("SELECT replicates, repetitions, seconds, fps, speedup, percent, spread FROM table1 WHERE variant = 'naive'",
          "3 9 2.0 0.5 1.0 0.0 1.0");
    check("SELECT fps, naive_fps, speedup, percent FROM table1 WHERE variant = 'whole_frame'", "1.0 0.5 2.0 100.0");
}

static void makes_table_3(void **state)
{
    check("SELECT round(microseconds_per_warp, 6), round(nanoseconds_per_path, 6), paths_per_warp FROM "
          "table3" WHERE_COMPACTED "1",
          "2.0 62.5 32.0"); // 8 us over 4 warps and 128 paths; the outlier of 400 us is no median
    check("SELECT microseconds_per_warp, active_warps FROM table3" WHERE_NAIVE "1", "- 8");
}

static void time_on(const char *uuid, uint32_t card, const char *programs, int replicate, double seconds)
{
    struct measurement measurement = {.collection = COLLECTION_FRAME,
                                      .repetitions = (struct measured_repetition[]){{.host_seconds = seconds}},
                                      .repetition_count = 1,
                                      .times = true,
                                      .card = card};
    snprintf(measurement.uuid, sizeof measurement.uuid, "%s", uuid);
    finish(trial_of("naive", replicate, programs, 16), &measurement);
}

// Two settings on three devices, of which one has another number for each; the third setting was measured on one alone.
static void compares_cards(void **state)
{
    time_on("GPU-a", 1, "card 1", 0, 1.00);
    time_on("GPU-b", 2, "card 1", 1, 1.00);
    time_on("GPU-c", 3, "card 1", 2, 1.10);
    time_on("GPU-a", 1, "card 1", 3, 1.02); // a: 1.01, noise 2 %; middle: 1.01
    time_on("GPU-a", 1, "card 2", 0, 2.00);
    time_on("GPU-b", 2, "card 2", 1, 2.00);
    time_on("GPU-b", 2, "card 2", 2, 2.02); // b: 2.01, noise 1 %; middle: 2.01
    time_on("GPU-c", 6, "card 2", 3, 2.20);
    time_on("GPU-b", 2, "card 3", 0, 7.00);
    time_on("GPU-b", 2, "card 3", 1, 9.00);
    check(
        "SELECT count(*), sum(cards), count(deviation) FROM card_time WHERE setting IN "
        "(SELECT setting FROM trial_record WHERE programs_text IN (SELECT id FROM long_text WHERE name LIKE 'card %'))",
        "7 19 6");
    check("SELECT ordinal, executions, settings, round(deviation, 5), round(most_deviation, 5), round(card_noise, 5), "
          "deviates FROM cards WHERE uuid = 'GPU-a'",
          "0 3 2 -0.00249 0.00498 0.015 0");
    check("SELECT ordinal, executions, settings, round(deviation, 5), round(most_deviation, 5), round(card_noise, 5), "
          "deviates FROM cards WHERE uuid = 'GPU-b'",
          "1 5 2 -0.00495 0.0099 0.015 0");
    check("SELECT group_concat(ordinal || ' ' || executions || ' ' || settings || ' ' || round(deviation, 5) || ' ' || "
          "round(most_deviation, 5) || ' ' || deviates) FROM cards WHERE uuid = 'GPU-c'",
          "2 1 2 0.09182 0.09453 1,5 1 2 0.09182 0.09453 1");
}

static void verifies(void **state)
{
    check("SELECT variants, images, path_hashes, counts_digests, agree FROM verification", "2 1 1 1 1");
    const int64_t other = trial_of("tiled_shared", 0, "p", 4);
    count_compacted(other, 10); // another image
    check("SELECT variants, images, counts_digests, agree FROM verification", "3 2 1 0");
    int64_t count;
    need(store_redo(store, "variant = 'tiled_shared'", UINT32_MAX, &count, &failure));
    check("SELECT agree FROM verification", "1");
}

static void outdates(void **state)
{
    const int64_t before = run;
    const struct run_header header = {.label = "two", .experiment = experiment_record(experiment)};
    need(store_begin_run(store, &header, &run, &failure));
    const int64_t newer = trial_of("naive", 0, "changed kernels", 4);
    // Asked for again: what was measured before stands until there is something in its place.
    check("SELECT group_concat(current) FROM (SELECT current FROM trial WHERE variant = 'naive' AND replicate = 0 "
          "ORDER BY id)",
          "1,0");
    check(
        "SELECT max(trial) < (SELECT max(id) FROM trial_record), count(*) > 0 FROM verification_trial WHERE variant = "
        "'naive' AND replicate = 0",
        "1 1");
    count_naive(newer, 9);
    check("SELECT group_concat(current) FROM (SELECT current FROM trial WHERE variant = 'naive' AND replicate = 0 "
          "ORDER BY id)",
          "0,1");
    check("SELECT count(*) FROM table2 WHERE variant = 'naive'", "3");
    check("SELECT count(*) FROM bounce", "9"); // nothing is lost
    run = before;
}

static void shows_progress(void **state)
{
    const int64_t trial = trial_of("tiled_shared", 0, "p", 2);
    int64_t attempt;
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &failure));
    need(store_fail_attempt(store, attempt, ATTEMPT_FAILED, "it broke", false, &failure));
    need(store_begin_attempt(store, run, trial, COLLECTION_FRAME, "", &attempt, &failure));
    need(store_fail_attempt(store, attempt, ATTEMPT_SKIPPED, "it cannot", false, &failure));
    check("SELECT reason, status, done_since FROM failures", "it broke failed 0");
    check("SELECT reason FROM skips", "it cannot");
    check("SELECT done, failed, due FROM status WHERE run = 1 AND collection = 'counts'", "2 1 1");
    check("SELECT failed, skipped FROM progress WHERE run = 1", "1 1");
    check("SELECT counts, frame, launches FROM trial WHERE tile_m = 2", "failed skipped -");
}

// A build that failed has a key of its own, and leaves its device's model unknown: what ran since is found all the same.
static void finds_what_ran_since(void **state)
{
    int64_t attempt;
    const int64_t failed = trial_of("tiled_shared", 0, "failed", 16);
    need(store_begin_attempt(store, run, failed, COLLECTION_COUNTS, "", &attempt, &failure));
    need(store_fail_attempt(store, attempt, ATTEMPT_FAILED, "not built", false, &failure));
    check("SELECT done_since FROM failures WHERE reason = 'not built'", "0");
    count_compacted(trial_of("tiled_shared", 0, "p", 8), 9); // another setting
    const int64_t repaired = trial_of("tiled_shared", 0, "p", 16);
    check("SELECT done_since FROM failures WHERE reason = 'not built'", "0");
    count_compacted(repaired, 9);
    check("SELECT done_since FROM failures WHERE reason = 'not built'", "1");
    check("SELECT done_since FROM failures WHERE reason = 'it broke'", "0");
}

static char *read_definitions(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../docs/metrics.md", getenv("WARPSTUDY_PAPERS"));
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (!stream || !text || !fread(text, 1, (1 << 16) - 1, stream))
        fail_msg("cannot read %s", path);
    fclose(stream);
    return text;
}

struct definitions {
    const char *text;
    int count;
};

// Every metric stands in docs/metrics.md, in the section that its source names.
static bool is_defined(void *context, const struct store_row *row)
{
    struct definitions *definitions = context;
    char heading[32], name[96];
    int section = 0;
    if (sscanf(row->values[1].text, "docs/metrics.md %d", &section) != 1)
        fail_msg("%s comes from %s", row->values[0].text, row->values[1].text);
    snprintf(heading, sizeof heading, "\n## %d ", section);
    snprintf(name, sizeof name, "`%s`", row->values[0].text);
    const char *begin = strstr(definitions->text, heading), *end = begin ? strstr(begin + 1, "\n## ") : NULL;
    const char *place = begin ? strstr(begin, name) : NULL;
    if (!place || (end && place > end))
        fail_msg("docs/metrics.md %d does not define %s", section, name);
    ++definitions->count;
    return true;
}

static void explains_every_column(void **state)
{
    check("SELECT count(*) FROM metric WHERE unit IS NULL OR direction IS NULL OR meaning = ''", "0");
    char *text = read_definitions();
    struct definitions definitions = {text, 0};
    need(store_query(store, "SELECT name, source FROM metric WHERE expression = ''", NULL, is_defined, &definitions,
                     &failure));
    assert_true(definitions.count > 40);
    free(text);
    check("SELECT count(*) FROM metric WHERE name = 'simd_efficiency'", "2"); // the model's and the hardware's
    check("SELECT unit, direction, expression FROM metric WHERE name = 'l2_hit_rate'",
          "% higher lts__t_sector_hit_rate.pct");
    check("SELECT group_concat(name) FROM pragma_table_info('table2') WHERE name IN ('saved', 'util', 'cum_paths') AND "
          "name NOT IN "
          "(SELECT name FROM metric)",
          "-");
}

// The line of the table that names the count says of it what counts.def says.
static void documents_every_count(void **state)
{
    char *text = read_definitions();
    const char *table = strstr(text, "| name | class | unit | meaning |");
    assert_non_null(table);
    for (size_t i = 0; i < COUNT_WORDS; ++i) {
        const struct count_word *word = &count_words()[i];
        char name[64], rest[512];
        snprintf(name, sizeof name, "`%s`", word->name);
        snprintf(rest, sizeof rest, " | %s | %s | %s |\n", count_class_names[word->class], word->unit, word->meaning);
        const char *place = strstr(table, name), *end = place ? strchr(place, '\n') + 1 : NULL;
        if (!place || end - place < (long)strlen(rest) || strncmp(end - strlen(rest), rest, strlen(rest)) != 0)
            fail_msg("docs/metrics.md 11 does not say of %s:%s", word->name, rest);
    }
    free(text);
}

static const char *const writes[] = {
    "DELETE FROM attempt",
    "UPDATE run SET label = 'x'",
    "INSERT INTO meta VALUES ('a', 'b')",
    "CREATE TABLE x (y)",
    "CREATE TEMP TABLE x (y)",
    "DROP TABLE attempt",
    "ATTACH '/tmp/x.db' AS x",
    "DETACH main",
    "PRAGMA user_version = 7",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA writable_schema = 1",
    "VACUUM",
    "VACUUM INTO '/tmp/x.db'",
    "REINDEX",
    "ANALYZE",
    "BEGIN",
    "SELECT 1; DELETE FROM attempt",
    "SELECT load_extension('x')",
    "WITH x AS (SELECT 1) DELETE FROM attempt",
    "",
    "-- nothing",
    "SELECT",
    "SELECT nothing FROM trial",
    "SELECT \"naive\"",
    "SELECT * FROM trial WHERE variant = :missing",
    "DELETE FROM attempt RETURNING id",
};

static void only_reads(void **state)
{
    for (size_t i = 0; i < sizeof writes / sizeof *writes; ++i) {
        char text[512];
        failure = (struct error){0};
        if (store_query(store, writes[i], NULL, take_row, text, &failure))
            fail_msg("accepted: %s", writes[i]);
        if (!failure.remedy[0] || error_exit_code(&failure) != 2)
            fail_msg("%s says %s", writes[i], failure.message);
    }
    check("SELECT count(*) > 0 FROM attempt", "1");
    check("SELECT 1 -- and no more\n;;", "1");
    check("WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n", "15");
    check("PRAGMA user_version", "6");
}

static void binds(void **state)
{
    const char *const bindings[] = {"n", "3", "v", "naive", "r", "0.5", "z", "007", "u", "unused", NULL};
    assert_string_equal(
        first_row("SELECT count(*) FROM trial WHERE max_bounces + 0 = :n AND variant = :v AND :r < 1", bindings), "4");
    assert_string_equal(first_row("SELECT typeof(:n), typeof(:r), typeof(:v), typeof(:z)", bindings),
                        "integer real text text");
}

static void loads_tables(void **state)
{
    const char *const columns[] = {"bounce", "active_paths"}, *const cells[] = {"0", "983", "1", NULL};
    need(store_load_table(store, "published_table2", columns, 2, cells, 2, &failure));
    need(store_load_table(store, "published_table2", columns, 2, cells, 2, &failure));
    check("SELECT count(*), sum(active_paths) FROM published_table2", "2 983");
    check("SELECT count(*) FROM sqlite_schema WHERE name = 'published_table2'", "0"); // never in the file
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_table_2),
        cmocka_unit_test(makes_table_1),
        cmocka_unit_test(makes_table_3),
        cmocka_unit_test(verifies),
        cmocka_unit_test(outdates),
        cmocka_unit_test(shows_progress),
        cmocka_unit_test(finds_what_ran_since),
        cmocka_unit_test(explains_every_column),
        cmocka_unit_test(documents_every_count),
        cmocka_unit_test(only_reads),
        cmocka_unit_test(binds),
        cmocka_unit_test(loads_tables),
        cmocka_unit_test(compares_cards),
    };
    return cmocka_run_group_tests_name("views", tests, fill_store, close_all);
}
