// SPDX-License-Identifier: MIT
// Rounds of pipelines, against rows written by hand; and docs/metrics.md against the table of counts.
#include "views_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/counts.h"
#include "store/run.h"

static int64_t exact_rounds = 64;

static int64_t trial_of(const char *variant, int replicate)
{
    struct trial_row plan = {.ordinal = 1, .point = 1, .collections = 5, .spec.parameters = parameters_default()};
    const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
    char key[HASH_TEXT];
    int64_t trial;
    strcpy(plan.spec.scene, "open");
    snprintf(plan.spec.variant, sizeof plan.spec.variant, "%s", variant);
    strcpy(plan.spec.device, "cuda");
    plan.replicate = replicate;
    plan.spec.parameters.exact_rounds = exact_rounds;
    need(store_trial(store, run, &plan, &provenance, &trial, key, &failure));
    return trial;
}

// A frame: round 0 begins, selects and traces; rounds 63, 64 and 100 trace, and 128 again.
static const struct {
    const char *kernel, *stage;
    int32_t round;
    bool auxiliary;
} frame[] = {
    {"p_begin", "regenerate", 0, false}, {"select", "", 0, true},         {"p_trace", "trace", 0, false},
    {"p_trace", "trace", 63, false},     {"p_trace", "trace", 64, false}, {"p_trace", "trace", 100, false},
    {"p_trace", "trace", 128, false},
};
enum { LAUNCHES = sizeof frame / sizeof *frame };

static void make_launches(struct measured_launch launches[LAUNCHES], uint32_t repetition, double seconds)
{
    for (uint32_t i = 0; i < LAUNCHES; ++i) {
        launches[i] = (struct measured_launch){.repetition = repetition,
                                               .index = i,
                                               .iteration = frame[i].round,
                                               .bounce = -1,
                                               .auxiliary = frame[i].auxiliary,
                                               .grid = 2,
                                               .block = 64,
                                               .seconds = seconds * (i + 1)};
        strcpy(launches[i].kernel, frame[i].kernel);
        strcpy(launches[i].stage, frame[i].stage);
    }
}

// The counts of rounds 64 and 100 stand with the first of them, as the harness adds them up.
static void count(int64_t trial)
{
    struct measured_counts counts[] = {
        {0, MEASURED_TOTALS, {.begun = 96, .queued = 100}},
        {2, 0, {.active_paths = 96, .active_warps = 3}},
        {2, MEASURED_TOTALS, {.active_paths = 96, .live_lanes = 96, .live_warps = 3}},
        {3, MEASURED_TOTALS, {.live_lanes = 40, .live_warps = 2, .begun = 4, .mixed_warps = 1, .atomics = 7}},
        {4, MEASURED_TOTALS, {.live_lanes = 30, .live_warps = 3, .moved_bytes = 11}},
    };
    struct measured_launch launches[LAUNCHES];
    make_launches(launches, 0, 0);
    finish(trial,
           &(struct measurement){.counts = counts, .count_count = 5, .launches = launches, .launch_count = LAUNCHES});
}

// Three repetitions of 1, 5 and 3 s for the first launch, twice as much for the second, ...
static void time_launches(int64_t trial, bool times)
{
    static const double seconds[] = {1, 5, 3};
    struct measured_launch launches[3 * LAUNCHES];
    struct measured_repetition repetitions[3] = {{.launches_path = 6, .launches_aux = 1}};
    for (uint32_t i = 0; i < 3; ++i)
        make_launches(launches + (size_t)i * LAUNCHES, i, seconds[i]);
    finish(trial, &(struct measurement){.collection = COLLECTION_LAUNCHES,
                                        .repetitions = repetitions,
                                        .repetition_count = 3,
                                        .launches = launches,
                                        .launch_count = 3 * LAUNCHES,
                                        .times = times});
}

static void check_round(int64_t trial, const char *which, const char *wanted)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT launches, live_lanes, live_warps, live_util, begun, queued, mixed_warps, atomics, moved_bytes, "
             "seconds FROM pipeline_round WHERE trial = %lld AND %s",
             (long long)trial, which);
    check(sql, wanted);
}

static void adds_rounds_up(void **state)
{
    (void)state;
    const int64_t trial = trial_of("two_stage", 0);
    count(trial);
    check_round(trial, "round = 0 AND stage = 'trace'", "1 96 3 1.0 0 0 0 0 0 -"); // counted, not timed
    time_launches(trial, true);
    check("SELECT group_concat(round || ' ' || stage, ', ') FROM (SELECT * FROM pipeline_round ORDER BY round, stage)",
          "0 regenerate, 0 select, 0 trace, 63 trace, 64 trace, 128 trace");
    check_round(trial, "round = 0 AND stage = 'regenerate'", "1 0 0 - 96 100 0 0 0 3.0");
    check_round(trial, "round = 0 AND stage = 'select'", "1 0 0 - 0 0 0 0 0 6.0");
    check_round(trial, "round = 0 AND stage = 'trace'", "1 96 3 1.0 0 0 0 0 0 9.0");
    check_round(trial, "round = 63", "1 40 2 0.625 4 0 1 7 0 12.0");
    check_round(trial, "round = 64", "2 30 3 0.3125 0 0 0 0 11 33.0"); // launches 5 and 6: 15 + 18 s
    check_round(trial, "round = 128", "1 0 0 - 0 0 0 0 0 21.0");
    check("SELECT sum(seconds) = 3 * (1 + 2 + 3 + 4 + 5 + 6 + 7), min(repetitions) FROM pipeline_round", "1 3");
    check("SELECT max(round) FROM pipeline_round WHERE begun > 0", "63"); // what the drain tail begins after
    check("SELECT util, util_launch FROM table2 WHERE bounce = 0",
          "1.0 -"); // its launches are of stages, not of bounces
}

static void knows_what_is_missing(void **state)
{
    (void)state;
    const int64_t timed = trial_of("two_stage", 1), untimed = trial_of("two_stage", 2), other = trial_of("naive", 0);
    time_launches(timed, true);
    check_round(timed, "round = 63", "1 - - - - - - - - 12.0"); // not counted
    time_launches(untimed, false);
    check_round(untimed, "round = 63", "1 - - - - - - - - -"); // a device without a clock
    struct measured_launch launches[] = {{.kernel = "naive", .grid = 1, .block = 64, .bounce = -1},
                                         {.kernel = "fill", .index = 1, .bounce = -1, .auxiliary = true}};
    finish(other, &(struct measurement){.launches = launches, .launch_count = 2});
    check_round(other, "1", "(no row)"); // no pipeline
}

// From round 90 on up to 179: round 64 stands alone, 100 and 128 share a row.
static void keeps_rounds_apart_as_far_as_asked(void **state)
{
    (void)state;
    exact_rounds = 90;
    const int64_t trial = trial_of("two_stage", 3);
    exact_rounds = 64;
    time_launches(trial, true);
    check_round(trial, "round = 64", "1 - - - - - - - - 15.0");
    check_round(trial, "round = 90", "2 - - - - - - - - 39.0");
    check_round(trial, "round = 128", "(no row)");
    exact_rounds = 0; // all in one row
    const int64_t whole = trial_of("two_stage", 4);
    exact_rounds = 64;
    time_launches(whole, true);
    check_round(whole, "stage = 'trace'", "5 - - - - - - - - 75.0");
    check_round(whole, "stage = 'select'", "1 - - - - - - - - 6.0");
}

// A row may stand for several launches.
static void counts_launches_that_were_added_up(void **state)
{
    (void)state;
    const int64_t trial = trial_of("two_stage", 5);
    struct measured_launch launches[] = {
        {.kernel = "p_trace", .stage = "trace", .grid = 2, .block = 64, .bounce = -1, .more = 4},
        {.kernel = "select", .index = 1, .bounce = -1, .auxiliary = true, .more = 2}};
    struct measured_counts counts[] = {{0, MEASURED_TOTALS, {.live_lanes = 10, .live_warps = 1}}};
    finish(trial, &(struct measurement){.launches = launches, .launch_count = 2, .counts = counts, .count_count = 1});
    check_round(trial, "stage = 'trace'", "5 10 1 0.3125 0 0 0 0 0 -");
    check_round(trial, "stage = 'select'", "3 0 0 - 0 0 0 0 0 -");
    check("SELECT warps FROM launched_warps WHERE bounce = -1 ORDER BY trial DESC LIMIT 1", "-");
}

static char *read_section(const char *heading)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../docs/metrics.md", getenv("WARPSTUDY_PAPERS"));
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (!stream || !text || !fread(text, 1, (1 << 16) - 1, stream))
        fail_msg("cannot read %s", path);
    fclose(stream);
    char *section = strstr(text, heading);
    if (!section)
        fail_msg("docs/metrics.md has no section%s", heading);
    section = strdup(section);
    free(text);
    return section;
}

// The line of the table that names the count says of it what counts.def says.
static void documents_every_count(void **state)
{
    (void)state;
    char *section = read_section("\n## 11 ");
    char *table = strstr(section, "| name | class | unit | meaning |");
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
    free(section);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_rounds_up),
        cmocka_unit_test(knows_what_is_missing),
        cmocka_unit_test(keeps_rounds_apart_as_far_as_asked),
        cmocka_unit_test(counts_launches_that_were_added_up),
        cmocka_unit_test(documents_every_count),
    };
    return cmocka_run_group_tests_name("views_rounds", tests, open_empty, close_all);
}
