// SPDX-License-Identifier: MIT
// Claims of the CMU report, over made-up databases: each value that decides, worked out by hand from raw rows, and a verdict for and
// one against.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"
#include "device/counters.h"
#include "report/papers/paper.h"

static void open_cmu(struct bench *bench)
{
    bench_open_paper(bench, "cmu2023");
}

// ---- raw rows

enum { SIDE = 10, PIXELS = SIDE * SIDE, ROWS = 64 };

// A trial of 100 pixels under the report's rules, and the rows of one of its collections.
struct raw {
    struct bench *bench;
    struct made made;
    char parameters[200];
    struct measured_launch launches[ROWS];
    struct measured_counts counts[4 * ROWS];
    struct measured_lockstep lockstep;
    struct measured_site sites[4 * ROWS];
    size_t launch_count, count_count, site_count;
};

static struct raw *raw_of(struct bench *bench, const char *scene, const char *variant, const char *settings)
{
    struct raw *raw = calloc(1, sizeof *raw);
    assert_non_null(raw);
    raw->bench = bench;
    raw->made = on_gpu(variant, scene);
    raw->made.width = raw->made.height = SIDE;
    raw->made.max_bounces = 7;
    snprintf(raw->parameters, sizeof raw->parameters, "lighting=mix roulette=yocto materials=scene %s", settings);
    raw->made.parameters = raw->parameters;
    return raw;
}

static void add_launch(struct raw *raw, int round, const char *stage, const char *kernel, double seconds)
{
    struct measured_launch *launch = &raw->launches[raw->launch_count];
    assert_true(raw->launch_count < ROWS);
    *launch = (struct measured_launch){.index = (uint32_t)raw->launch_count++,
                                       .iteration = round,
                                       .bounce = -1,
                                       .grid = 1,
                                       .block = 64,
                                       .seconds = seconds};
    snprintf(launch->stage, sizeof launch->stage, "%s", stage);
    snprintf(launch->kernel, sizeof launch->kernel, "%s", kernel);
}

// Of the launch that was added last.
static struct bounce_counts *counts_at(struct raw *raw, uint32_t bounce)
{
    struct measured_counts *row = &raw->counts[raw->count_count++];
    assert_true(raw->count_count <= 4 * ROWS);
    *row = (struct measured_counts){.launch = (uint32_t)raw->launch_count - 1, .bounce = bounce};
    return &row->counts;
}

static void finish(struct raw *raw, int replicate, enum collection collection, double gap)
{
    struct measured_repetition repetition = {
        .host_seconds = NAN, .device_seconds = NAN, .gap_seconds = gap, .sm_mhz = NAN};
    raw->made.replicate = replicate;
    const int64_t trial = made_asked(raw->bench->store, raw->bench->run, &raw->made, 1u << collection);
    struct measurement measurement = {.collection = collection,
                                      .launches = raw->launches,
                                      .launch_count = raw->launch_count,
                                      .counts = raw->counts,
                                      .count_count = raw->count_count,
                                      .lockstep = &raw->lockstep,
                                      .lockstep_count = raw->lockstep.steps.warps > 0,
                                      .sites = raw->sites,
                                      .site_count = raw->site_count,
                                      .repetitions = &repetition,
                                      .repetition_count = collection == COLLECTION_LAUNCHES};
    made_finish(raw->bench->store, raw->bench->run, trial, &raw->made, &measurement);
}

static void finish_counts(struct raw *raw)
{
    finish(raw, 0, COLLECTION_COUNTS, 0);
    free(raw);
}

// Frames of five replicates.
static void add_frames(struct bench *bench, const char *device, const char *scene, const char *variant,
                       const char *settings, double seconds)
{
    struct raw *raw = raw_of(bench, scene, variant, settings);
    raw->made.device = device;
    for (int r = 0; r < REPLICATES; ++r) {
        double frames[REPETITIONS];
        for (int i = 0; i < REPETITIONS; ++i)
            frames[i] = seconds * (1 + 1e-4 * (r - MIDDLE));
        raw->made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &raw->made, frame_asked);
        made_frames(bench->store, bench->run, trial, &raw->made, frames, REPETITIONS, 0);
    }
    free(raw);
}

enum { VERDICTS = 12 };

static void close_judged(struct bench *bench, size_t row, const struct claim_expected verdicts[VERDICTS])
{
    assert_verdicts(bench, row, verdicts, VERDICTS);
    bench_close(bench);
}

// ---- rounds

// A round of two stages in which `live` of the slots live; logic gives out `begun` samples.
static struct bounce_counts *add_round(struct raw *raw, int round, uint64_t live, uint64_t begun)
{
    add_launch(raw, round, "trace", "two_stage_extend", NAN);
    counts_at(raw, MEASURED_TOTALS)->live_lanes = live;
    counts_at(raw, 0)->active_paths = live;
    add_launch(raw, round, "logic", "two_stage_logic", NAN);
    struct bounce_counts *totals = counts_at(raw, MEASURED_TOTALS);
    totals->live_lanes = live;
    totals->begun = begun;
    return totals;
}

static void add_begin(struct raw *raw, int round, uint64_t begun)
{
    add_launch(raw, round, "regenerate", "two_stage_begin", NAN);
    counts_at(raw, MEASURED_TOTALS)->begun = begun;
}

// Half of the pixels need `few` iterations and the others `many`.
static void pixels_that_differ_decide_c04(void **state)
{
    (void)state;
    static const struct {
        int few, many;
        double tied;
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        // coefficients of variation 0.6, 0.6, 0.43, 0.8, 0.05
        {1,
         4,
         0.02,
         {{"C04 slower", OUTCOME_ACCEPTED, 2},
          {"C04 pool", OUTCOME_ACCEPTED, 2},
          {"C04 live", OUTCOME_BETWEEN, 0.625}}},
        {1, 4, 0.005, {{"C04 slower", OUTCOME_REFUTED, 0.5}}},
        {2, 5, 0.02, {{"C04 slower", OUTCOME_EXCLUDED, 2}}},
        {1, 9, 0.02, {{"C04 live", OUTCOME_ACCEPTED, 5.0 / 9}}},
        {9, 10, 0.02, {{"C04 live", OUTCOME_REFUTED, 0.95}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        struct raw *raw = raw_of(&bench, "cornell", "two_stage_pixel", "spp=4");
        for (int round = 0; round < rows[i].many; ++round)
            add_round(raw, round, round < rows[i].few ? PIXELS : PIXELS / 2, 0);
        finish_counts(raw);
        add_frames(&bench, "cuda", "cornell", "two_stage_pixel", "spp=4", rows[i].tied);
        add_frames(&bench, "cuda", "cornell", "two_stage", "spp=4 tickets=atomic", 0.01);
        add_frames(&bench, "cuda", "cornell", "naive", "spp=4", 0.01);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// Three rounds before the last path begins, in the second of which `low` slots live, and one after it.
static void rounds_decide_c12_and_c13(void **state)
{
    (void)state;
    static const struct {
        uint64_t low, tail;
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {100,
         100,
         {{"C13 live", OUTCOME_ACCEPTED, 1}, {"C12 live", OUTCOME_ACCEPTED, 1}, {"C12 other", OUTCOME_ACCEPTED, 0}}},
        {90,
         100,
         {{"C13 live", OUTCOME_BETWEEN, 0.9},
          {"C12 live", OUTCOME_ACCEPTED, 0.975},
          {"C12 other", OUTCOME_REFUTED, 0.025}}},
        {70, 20, {{"C13 live", OUTCOME_REFUTED, 0.7}, {"C12 live", OUTCOME_BETWEEN, 0.725}}},
        {50, 20, {{"C12 live", OUTCOME_REFUTED, 0.675}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        struct raw *raw = raw_of(&bench, "cornell", "two_stage", "spp=4 tickets=atomic");
        add_begin(raw, 0, PIXELS);
        add_round(raw, 0, PIXELS, 50);
        add_round(raw, 1, rows[i].low, 50);
        add_round(raw, 2, PIXELS, 50);
        add_round(raw, 3, rows[i].tail, 0);
        finish_counts(raw);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// Of three stages, slots whose path ended for want of a direction at its material are no other cause.
static void slots_without_a_direction_are_no_other_cause(void **state)
{
    (void)state;
    struct bench bench;
    open_cmu(&bench);
    for (int three = 0; three < 2; ++three) {
        struct raw *raw = raw_of(&bench, "cornell", three ? "three_stage" : "two_stage", "spp=4 tickets=atomic");
        add_begin(raw, 0, PIXELS);
        for (int round = 0; round < 4; ++round) {
            add_round(raw, round, three && round ? 80 : PIXELS, 10);
            add_launch(raw, round, "material", "three_stage_matte", NAN);
            counts_at(raw, 2)->deaths[DEATH_ABSORB] = three && round < 3 ? 15 : 0;
        }
        finish_counts(raw);
    }
    close_judged(&bench, 0,
                 (struct claim_expected[VERDICTS]){{"C12 other", OUTCOME_BETWEEN, 0.15 - 45.0 / 400}}); // of 2 stages 0
}

// Two batches in each order; the first has no order yet.
static void add_order(struct bench *bench, const char *order, int tail)
{
    char settings[80];
    snprintf(settings, sizeof settings, "spp=8 batch=4 tickets=atomic pool_order=%s", order);
    struct raw *raw = raw_of(bench, "cornell", "two_stage", settings);
    int round = 0;
    for (int batch = 0; batch < 2; ++batch) {
        add_begin(raw, round, PIXELS);
        for (int i = 0; i < 4; ++i)
            add_round(raw, round++, PIXELS, i < 3 ? 100 : 0);
        for (int i = 1; i < (batch ? tail : 3); ++i)
            add_round(raw, round++, 5, 0);
    }
    finish_counts(raw);
}

static void final_rounds_decide_c20(void **state)
{
    (void)state;
    static const struct {
        int cost;
        enum claim_outcome outcome;
    } rows[] = {{4, OUTCOME_ACCEPTED}, {10, OUTCOME_REFUTED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        add_order(&bench, "shuffled", 10);
        add_order(&bench, "cost", rows[i].cost);
        close_judged(&bench, i,
                     (struct claim_expected[VERDICTS]){{"C20 drained", rows[i].outcome, rows[i].cost / 10.0}});
    }
}

// Four rounds of three stages: of the lanes that evaluate a material, in each round so many are at a coated one, whose kernel takes
// `dear` of time a lane, and the rest at a matte one of 1. Paths that end in a round have so many segments.
static void add_materials(struct bench *bench, const uint64_t coated[4], const uint32_t bounces[4], double dear)
{
    for (int timed = 0; timed < 2; ++timed) {
        struct raw *raw = raw_of(bench, "cornell", "three_stage", "spp=4 batch=4 tickets=atomic");
        add_begin(raw, 0, PIXELS);
        for (int round = 0; round < 4; ++round) {
            add_round(raw, round, PIXELS, round < 3 ? 100 : 0);
            add_launch(raw, round, "material", "three_stage_matte", 1e-6 * (double)(PIXELS - coated[round]));
            struct bounce_counts *totals = counts_at(raw, MEASURED_TOTALS);
            totals->live_lanes = totals->shaded[0] = PIXELS - coated[round];
            counts_at(raw, bounces[round])->deaths[DEATH_ROULETTE] = 10;
            add_launch(raw, round, "material", "three_stage_coated", dear * 1e-6 * (double)coated[round]);
            totals = counts_at(raw, MEASURED_TOTALS);
            totals->live_lanes = totals->shaded[4] = coated[round];
        }
        if (timed)
            raw->count_count = 0;
        finish(raw, 0, timed ? COLLECTION_LAUNCHES : COLLECTION_COUNTS, 0);
        free(raw);
    }
}

static void shares_by_round_decide_c11(void **state)
{
    (void)state;
    static const struct {
        uint64_t coated[4];
        uint32_t bounces[4];
        double dear;
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {{10, 20, 30, 40},
         {0, 2, 4, 6},
         3,
         {{"C11 dear", OUTCOME_ACCEPTED, 1}, {"C11 longer", OUTCOME_ACCEPTED, 1}, {"C11 other", OUTCOME_ACCEPTED, 4}}},
        {{20, 30, 40, 10},
         {6, 4, 2, 0},
         3,
         {{"C11 dear", OUTCOME_REFUTED, -0.2},
          {"C11 longer", OUTCOME_REFUTED, -1},
          {"C11 other", OUTCOME_REFUTED, 0.5}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        add_materials(&bench, rows[i].coated, rows[i].bounces, rows[i].dear);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// ---- totals

// One launch whose totals are these.
static void add_totals(struct bench *bench, const char *scene, const char *variant, const char *settings,
                       const struct bounce_counts *totals, const struct device_lockstep *steps)
{
    struct raw *raw = raw_of(bench, scene, variant, settings);
    add_launch(raw, 0, strcmp(variant, "naive") ? "logic" : "", "kernel", NAN);
    *counts_at(raw, MEASURED_TOTALS) = *totals;
    counts_at(raw, 0)->active_paths = PIXELS;
    if (steps)
        raw->lockstep = (struct measured_lockstep){.steps = *steps};
    finish_counts(raw);
}

// Lanes that evaluate materials, by kind, in so many warps of two and of three stages.
static void add_kinds(struct bench *bench, size_t row)
{
    static const struct {
        uint64_t shaded[5], warps, three_warps;
    } rows[] = {{{2240, 720, 240, 0, 0}, 110, 105}, {{2880, 80, 80, 80, 80}, 200, 100}, {{3200, 0, 0, 0, 0}, 100, 100}};
    struct bounce_counts totals = {.shading_warps = rows[row].warps};
    memcpy(totals.shaded, rows[row].shaded, sizeof rows[row].shaded);
    add_totals(bench, "materials", "two_stage", "tickets=atomic", &totals, NULL);
    totals.shading_warps = rows[row].three_warps;
    add_totals(bench, "materials", "three_stage", "tickets=atomic", &totals, NULL);
}

// Memory for results, of batches of 2 and 4, and without a buffer; and of a frame twice as wide.
static void add_memory(struct bench *bench, size_t row)
{
    static const uint64_t bytes[][4] = {{3200, 6400, 0, 6400}, {3200, 3200, 16, 3200}};
    struct bounce_counts totals = {.result_bytes = bytes[row][0]};
    add_totals(bench, "cornell", "two_stage", "tickets=atomic spp=4 batch=2 accumulate=buffer", &totals, NULL);
    totals.result_bytes = bytes[row][1];
    add_totals(bench, "cornell", "two_stage", "tickets=atomic spp=4 accumulate=buffer", &totals, NULL);
    totals.result_bytes = bytes[row][2];
    add_totals(bench, "cornell", "two_stage", "tickets=atomic spp=4", &totals, NULL);
    struct raw *raw = raw_of(bench, "cornell", "two_stage", "tickets=atomic spp=4 batch=2 accumulate=buffer");
    raw->made.width = 2 * SIDE;
    add_launch(raw, 0, "logic", "kernel", NAN);
    counts_at(raw, MEASURED_TOTALS)->result_bytes = bytes[row][3];
    finish_counts(raw);
}

// In full warps half of the lanes execute in one kernel.
static void add_full(struct bench *bench, size_t row)
{
    static const uint64_t live[] = {1700, 2400};
    struct bounce_counts totals = {.full_inner_steps = 100, .full_inner_live = 1600};
    add_totals(bench, "interior", "naive", "", &totals, NULL);
    totals.full_inner_live = live[row];
    add_totals(bench, "interior", "two_stage", "tickets=atomic", &totals, NULL);
}

// Rays in their order take 100 steps, in which 1000 lanes read 800 lines, and a second.
static void add_sorted(struct bench *bench, size_t row)
{
    static const struct {
        uint64_t lines, steps;
        double seconds;
    } rows[] = {{300, 50, 0.5}, {988, 125, 2}};
    struct device_lockstep steps = {.inner_steps = 100, .inner_live = 1000, .warps = 1};
    struct bounce_counts totals = {.node_lines = 800};
    add_totals(bench, "open", "two_stage", "tickets=atomic", &totals, &steps);
    add_frames(bench, "cuda", "open", "two_stage", "tickets=atomic", 1);
    totals.node_lines = rows[row].lines;
    steps.inner_steps = rows[row].steps;
    add_totals(bench, "open", "two_stage", "tickets=atomic ray_sort=origin", &totals, &steps);
    add_frames(bench, "cuda", "open", "two_stage", "tickets=atomic ray_sort=origin", rows[row].seconds);
}

static void totals_decide_c09_c10_c19_c24_and_c25(void **state)
{
    (void)state;
    static const struct claim_expected verdicts[][VERDICTS] = {
        {{"C09 matte", OUTCOME_ACCEPTED, 0.7},
         {"C09 two", OUTCOME_ACCEPTED, 1},
         {"C09 lanes", OUTCOME_ACCEPTED, 100.0 / 110},
         {"C09 gain", OUTCOME_ACCEPTED, 100.0 / 105 - 100.0 / 110},
         {"C10 coherence", OUTCOME_ACCEPTED, 100.0 / 105 - 100.0 / 110},
         {"C19 of_pixels", OUTCOME_ACCEPTED, 1},
         {"C19 of_batch", OUTCOME_ACCEPTED, 1},
         {"C19 bytes", OUTCOME_ACCEPTED, 0},
         {"C24 coherence", OUTCOME_ACCEPTED, 100.0 / 3200},
         {"C25 lines", OUTCOME_ACCEPTED, 0.75},
         {"C25 lanes", OUTCOME_ACCEPTED, 0.3125},
         {"C25 time", OUTCOME_ACCEPTED, 0.5}},
        {{"C09 matte", OUTCOME_REFUTED, 0.9},
         {"C09 two", OUTCOME_REFUTED, 0.5},
         {"C09 lanes", OUTCOME_REFUTED, 0.5},
         {"C09 gain", OUTCOME_REFUTED, 0.5},
         {"C19 of_pixels", OUTCOME_REFUTED, 0.5},
         {"C19 of_batch", OUTCOME_REFUTED, 0.5},
         {"C19 bytes", OUTCOME_REFUTED, NAN}, // of one case alone
         {"C24 coherence", OUTCOME_REFUTED, 0.25},
         {"C25 lines", OUTCOME_REFUTED, 0.988},
         {"C25 lanes", OUTCOME_REFUTED, -0.0625},
         {"C25 time", OUTCOME_REFUTED, 2}},
        {{"C09 matte", OUTCOME_REFUTED, 1},
         {"C09 two", OUTCOME_UNMEASURED, NAN}, // there are no others
         {"C10 coherence", OUTCOME_REFUTED, 0}},
    };
    for (size_t row = 0; row < sizeof verdicts / sizeof *verdicts; ++row) {
        struct bench bench;
        open_cmu(&bench);
        add_kinds(&bench, row);
        if (row < 2) {
            add_memory(&bench, row);
            add_full(&bench, row);
            add_sorted(&bench, row);
        }
        close_judged(&bench, row, verdicts[row]);
    }
}

// ---- times of stages

// Three replicates of launches; material 0: two stages.
static void add_stages(struct bench *bench, double trace, double logic, double material, double gaps)
{
    for (int r = 0; r < 3; ++r) {
        const double scale = 1 + 1e-4 * (r - 1);
        struct raw *raw = raw_of(bench, "interior", material > 0 ? "three_stage" : "two_stage", "tickets=atomic");
        add_launch(raw, 0, "trace", "extend", trace * scale);
        add_launch(raw, 0, "logic", "logic", logic * scale);
        if (material > 0)
            add_launch(raw, 0, "material", "matte", material * scale);
        finish(raw, r, COLLECTION_LAUNCHES, gaps * scale);
        free(raw);
    }
}

static void stage_times_decide_c10_and_c18(void **state)
{
    (void)state;
    static const struct {
        double trace3, logic3, material, gaps3;
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        // two stages: 6 of extend, 3 of logic, 1 of gaps
        {6,
         1,
         1,
         1,
         {{"C10 net", OUTCOME_ACCEPTED, 0.1},
          {"C10 excess", OUTCOME_EXCLUDED, -0.1},
          {"C18 longer", OUTCOME_ACCEPTED, 2}}},
        {6, 2, 2, 1, {{"C10 net", OUTCOME_REFUTED, -0.1}, {"C10 excess", OUTCOME_ACCEPTED, 0.1}}},
        {8, 1, 1, 1, {{"C10 excess", OUTCOME_REFUTED, -0.1}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        add_stages(&bench, rows[i].trace3, rows[i].logic3, rows[i].material, rows[i].gaps3);
        add_stages(&bench, 6, 3, 0, 1);
        close_judged(&bench, i, rows[i].verdicts);
    }
    struct bench bench;
    open_cmu(&bench);
    add_stages(&bench, 2, 3, 0, 1);
    close_judged(&bench, 0, (struct claim_expected[VERDICTS]){{"C18 longer", OUTCOME_REFUTED, 2.0 / 3}});
}

static void counters_decide_c18_and_c22(void **state)
{
    (void)state;
    static const struct {
        uint64_t inner, extend, logic, whole; // lanes in 100 instructions, `whole` of one kernel
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {1600,
         1600,
         2400,
         1600,
         {{"C18 lanes", OUTCOME_ACCEPTED, 0.5},
          {"C18 lowest", OUTCOME_ACCEPTED, 2.0 / 3},
          {"C22 coherence", OUTCOME_ACCEPTED, 0.125}}},
        {2880,
         2400,
         1600,
         2100,
         {{"C18 lanes", OUTCOME_REFUTED, 0.9},
          {"C18 lowest", OUTCOME_REFUTED, 1.5},
          {"C22 coherence", OUTCOME_REFUTED, -0.03125}}},
        {1600, 1600, 2400, 1900, {{"C22 coherence", OUTCOME_BETWEEN, 0.03125}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        struct bounce_counts totals = {.live_lanes = PIXELS};
        add_totals(&bench, "interior", "two_stage", "tickets=atomic", &totals, NULL);
        struct raw *raw = raw_of(&bench, "interior", "two_stage", "tickets=atomic");
        add_launch(raw, 0, "trace", "extend", NAN);
        add_launch(raw, 0, "logic", "logic", NAN);
        raw->sites[raw->site_count++] = (struct measured_site){0, DEVICE_SITE_INNER, 1, 100, rows[i].inner};
        raw->sites[raw->site_count++] = (struct measured_site){0, DEVICE_SITE_ALL, 1, 100, rows[i].extend};
        raw->sites[raw->site_count++] = (struct measured_site){1, DEVICE_SITE_ALL, 1, 100, rows[i].logic};
        finish(raw, 0, COLLECTION_COUNTERS, 0);
        free(raw);
        raw = raw_of(&bench, "interior", "naive", "");
        add_launch(raw, 0, "", "naive", NAN);
        raw->sites[raw->site_count++] = (struct measured_site){0, DEVICE_SITE_ALL, 1, 100, rows[i].whole};
        finish(raw, 0, COLLECTION_COUNTERS, 0);
        free(raw);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// ---- scenes

// Of a scene with so many triangles: samples of one kernel, of 1000, that lie in the traversal.
static void add_samples(struct bench *bench, const char *scene, uint64_t triangles, uint64_t tracing)
{
    struct bounce_counts totals = {.scene_triangles = triangles};
    add_totals(bench, scene, "naive", "", &totals, NULL);
    struct raw *raw = raw_of(bench, scene, "naive", "");
    struct measured_launch launch = {.kernel = "kernel", .grid = 1, .block = 64, .seconds = NAN};
    struct measured_stall stalls[] = {
        {MEASURED_FRAME, "kernel", "wait", "trees/binary.h", 1, tracing},
        {MEASURED_FRAME, "kernel", "wait", "surface/bsdf.h", 1, 1000 - tracing},
    };
    struct measurement measurement = {.collection = COLLECTION_STALLS,
                                      .launches = &launch,
                                      .launch_count = 1,
                                      .stalls = stalls,
                                      .stall_count = sizeof stalls / sizeof *stalls};
    const int64_t trial = made_asked(bench->store, bench->run, &raw->made, 1u << COLLECTION_STALLS);
    made_finish(bench->store, bench->run, trial, &raw->made, &measurement);
    free(raw);
}

static void samples_decide_c17(void **state)
{
    (void)state;
    static const struct {
        uint64_t tracing[4]; // of scenes of 10, 100, 1000 and 10000 triangles
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {{100, 200, 700, 800}, {{"C17 growth", OUTCOME_ACCEPTED, 1}, {"C17 share", OUTCOME_ACCEPTED, NAN}}},
        {{700, 800, 350, 300}, {{"C17 growth", OUTCOME_REFUTED, -0.8}, {"C17 share", OUTCOME_REFUTED, NAN}}},
    };
    static const char *const scenes[] = {"cornell", "interior", "materials", "open"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        uint64_t triangles = 1;
        open_cmu(&bench);
        for (int scene = 0; scene < 4; ++scene)
            add_samples(&bench, scenes[scene], triangles *= 10, rows[i].tracing[scene]);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// A scene of which the kernels take so long; of its lanes in one kernel so many work; half of its paths go on for `bounces`.
struct scene {
    const char *name;
    uint64_t triangles, glossy, lanes;
    uint32_t bounces;
    double cpu, mega;
};

static void add_scene(struct bench *bench, const struct scene *scene)
{
    struct raw *raw = raw_of(bench, scene->name, "naive", "");
    add_launch(raw, 0, "", "kernel", NAN);
    struct bounce_counts *totals = counts_at(raw, MEASURED_TOTALS);
    totals->scene_triangles = scene->triangles;
    totals->shaded[0] = 100 - scene->glossy;
    totals->shaded[1] = scene->glossy;
    for (uint32_t bounce = 0; bounce <= scene->bounces; ++bounce)
        counts_at(raw, bounce)->active_paths = bounce ? PIXELS / 2 : PIXELS;
    raw->lockstep =
        (struct measured_lockstep){.steps = {.inner_steps = 100, .inner_live = 32 * scene->lanes, .warps = 1}};
    finish_counts(raw);
    add_frames(bench, "cuda", scene->name, "naive", "", scene->mega);
    add_frames(bench, "cuda", scene->name, "two_stage", "tickets=atomic", 1);
    add_frames(bench, "cpu", scene->name, "naive", "", scene->cpu);
}

static void the_most_complex_scene_decides_c08(void **state)
{
    (void)state;
    static const struct {
        struct scene complex;
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        // the others: 8 and 10 times as fast as the CPU, 1 and 1.2 times as slow as two stages
        {{"materials", 1000, 50, 30, 5, 6, 1.5},
         {{"C08 over_cpu", OUTCOME_ACCEPTED, NAN},
          {"C08 over_mega", OUTCOME_ACCEPTED, NAN},
          {"C08 causes", OUTCOME_ACCEPTED, 2}}},
        {{"materials", 1000, 50, 60, 0, 16, 0.8},
         {{"C08 over_cpu", OUTCOME_REFUTED, 2},
          {"C08 over_mega", OUTCOME_REFUTED, 0.8},
          {"C08 causes", OUTCOME_REFUTED, 0}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        add_scene(&bench, &(struct scene){"cornell", 10, 0, 40, 1, 8, 1});
        add_scene(&bench, &(struct scene){"interior", 100, 10, 50, 2, 12, 1.2});
        add_scene(&bench, &rows[i].complex);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

static void printed_times_decide_c21(void **state)
{
    (void)state;
    struct bench bench;
    open_cmu(&bench);
    assert_outcome(&bench, 0, "C21 ratio", OUTCOME_REFUTED);
    assert_near(claim_value(&bench, "C21", "Landscape", "ratio"), 6.8145 / 2.7203);
    bench_close(&bench);
}

// ---- trees

// A tree over a scene and what is found of it: height, nodes a path visits, lanes of 32 at work in one kernel, sectors
// that its cache misses, how many of 100 nodes have their children in the slots of least cost, and seconds of both
// pipelines and of the second's stage trace; binary where `tree` is "".
struct tree_case {
    const char *tree;
    uint64_t depth, nodes, lanes, misses, least;
    double mega, wave, stage;
};

static void add_tree_counts(struct bench *bench, const char *scene, uint64_t triangles, const struct tree_case *tree)
{
    struct raw *raw = raw_of(bench, scene, "naive", tree->tree);
    add_launch(raw, 0, "", "kernel", NAN);
    struct bounce_counts *totals = counts_at(raw, MEASURED_TOTALS);
    totals->scene_triangles = triangles;
    totals->tree_depth = tree->depth;
    totals->tree_nodes = 100;
    totals->tree_assigned = tree->least;
    struct bounce_counts *first = counts_at(raw, 0);
    first->active_paths = PIXELS;
    first->nodes = PIXELS * tree->nodes;
    raw->lockstep =
        (struct measured_lockstep){.steps = {.inner_steps = 100, .inner_live = 100 * tree->lanes, .warps = 1}};
    finish_counts(raw);
}

// On the GPU: misses of one kernel, and the stage trace of two stages, replicates 0.01 % apart.
static void add_tree_hardware(struct bench *bench, const char *scene, const struct tree_case *tree)
{
    struct raw *raw = raw_of(bench, scene, "naive", tree->tree);
    struct measured_metric metric = {.launch = MEASURED_FRAME, .metric = "load_misses", .value = (double)tree->misses};
    raw->made.device = "cuda";
    const int64_t trial = made_asked(bench->store, bench->run, &raw->made, 1u << COLLECTION_COUNTERS);
    made_finish(bench->store, bench->run, trial, &raw->made,
                &(struct measurement){.collection = COLLECTION_COUNTERS, .metrics = &metric, .metric_count = 1});
    free(raw);
    for (int r = 0; r < REPLICATES; ++r) {
        char settings[100];
        snprintf(settings, sizeof settings, "tickets=atomic %s", tree->tree);
        raw = raw_of(bench, scene, "two_stage", settings);
        raw->made.device = "cuda";
        add_launch(raw, 0, "trace", "two_stage_extend", tree->stage * (1 + 1e-4 * (r - MIDDLE)));
        add_launch(raw, 0, "logic", "two_stage_logic", 1);
        finish(raw, r, COLLECTION_LAUNCHES, 0);
        free(raw);
    }
}

static void add_tree(struct bench *bench, const char *scene, uint64_t triangles, const struct tree_case *tree)
{
    char settings[100];
    add_tree_counts(bench, scene, triangles, tree);
    add_tree_hardware(bench, scene,
                      tree); // before the frames: a trial is asked for by the last that wants something of it
    add_frames(bench, "cuda", scene, "naive", tree->tree, tree->mega);
    snprintf(settings, sizeof settings, "tickets=atomic %s", tree->tree);
    add_frames(bench, "cuda", scene, "two_stage", settings, tree->wave);
}

static void trees_decide_c03_c14_c15_and_c23(void **state)
{
    (void)state;
    static const struct {
        struct tree_case wide[2]; // of scenes of 10 and 100 triangles, and of 1000 as of 100 but for the time
        double mega, wave;        // on that
        struct tree_case none, aligned;
        struct claim_expected verdicts[VERDICTS + 4];
    } rows[] = {
        {{{"tree=wide", 4, 5, 10, 110, 100, 1.5, 2.6, 0.9}, {"tree=wide", 3, 4, 12, 120, 100, 1.3, 2.2, 0.8}},
         1.2,
         2.1,
         {"tree=wide child_order=none", 4, 6, 10, 1, 20, 1, 1, 0.99},
         {"tree=wide node_align=128", 4, 5, 10, 1, 100, 1.4, 2.6, 1},
         {{"C03 mega", OUTCOME_ACCEPTED, NAN},
          {"C03 wave", OUTCOME_ACCEPTED, NAN},
          {"C03 slower", OUTCOME_ACCEPTED, 1},
          {"C14 height", OUTCOME_ACCEPTED, NAN},
          {"C14 traced", OUTCOME_ACCEPTED, NAN},
          {"C14 visits", OUTCOME_ACCEPTED, NAN},
          {"C15 visits", OUTCOME_ACCEPTED, 5.0 / 6.0},
          {"C15 gain", OUTCOME_ACCEPTED, 1.1},
          {"C15 least", OUTCOME_ACCEPTED, 1},
          {"C23 missed", OUTCOME_ACCEPTED, NAN},
          {"C23 coherence", OUTCOME_ACCEPTED, NAN},
          {"C23 correlation", OUTCOME_ACCEPTED, -1}}},
        {{{"tree=wide", 9, 12, 20, 90, 99, 0.7, 1.8, 1.1}, {"tree=wide", 10, 11, 18, 80, 100, 0.8, 1.9, 1.2}},
         0.9,
         1.95,
         {"tree=wide child_order=none", 9, 12, 20, 1, 20, 1, 1, 1.11},
         {"tree=wide node_align=128", 9, 12, 20, 1, 100, 0.7, 1.8, 1},
         {{"C03 mega", OUTCOME_REFUTED, NAN},
          {"C03 wave", OUTCOME_REFUTED, NAN},
          {"C03 slower", OUTCOME_REFUTED, 0},
          {"C14 height", OUTCOME_REFUTED, NAN},
          {"C14 traced", OUTCOME_REFUTED, NAN},
          {"C14 visits", OUTCOME_REFUTED, NAN},
          {"C15 visits", OUTCOME_REFUTED, 1},
          {"C15 gain", OUTCOME_REFUTED, 1.11 / 1.1},
          {"C15 least", OUTCOME_REFUTED, NAN},
          {"C23 missed", OUTCOME_REFUTED, NAN},
          {"C23 coherence", OUTCOME_REFUTED, NAN},
          {"C23 aligned", OUTCOME_REFUTED, 1},
          {"C23 correlation", OUTCOME_REFUTED, 1}}},
    };
    static const struct tree_case binary = {"", 10, 10, 15, 100, 0, 1, 2, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        struct tree_case largest = rows[i].wide[1];
        largest.mega = rows[i].mega;
        largest.wave = rows[i].wave;
        open_cmu(&bench);
        add_tree(&bench, "cornell", 10, &binary);
        add_tree(&bench, "interior", 100, &binary);
        add_tree(&bench, "materials", 1000, &binary);
        add_tree(&bench, "cornell", 10, &rows[i].wide[0]);
        add_tree(&bench, "interior", 100, &rows[i].wide[1]);
        add_tree(&bench, "materials", 1000, &largest);
        add_tree(&bench, "cornell", 10, &rows[i].none);
        add_tree(&bench, "cornell", 10, &rows[i].aligned);
        assert_verdicts(&bench, i, rows[i].verdicts, VERDICTS + 4);
        bench_close(&bench);
    }
}

// Of warps of four lanes less of them than before, of full ones all: a row of the table for each.
static void lanes_at_entry_are_binned_by_four(void **state)
{
    (void)state;
    struct bench bench;
    open_cmu(&bench);
    static const char *const trees[] = {"", "tree=wide", "tree=wide tree_width=4"};
    for (uint64_t tree = 0; tree < 3; ++tree)
        for (int wave = 0; wave < 2; ++wave) {
            char settings[100];
            struct measured_entry entries[] = {
                {1, {.inner_steps = 10, .inner_live = 10, .warps = 1}},
                {4, {.inner_steps = 10, .inner_live = 40 - 10 * tree, .warps = 2}},
                {32, {.inner_steps = 10, .inner_live = 10 * (30 - tree - 5 * (uint64_t)wave), .warps = 1}}};
            snprintf(settings, sizeof settings, "%s %s", wave ? "tickets=atomic" : "", trees[tree]);
            struct raw *raw = raw_of(&bench, "cornell", wave ? "two_stage" : "naive", settings);
            add_launch(raw, 0, wave ? "trace" : "", "kernel", NAN);
            counts_at(raw, 0)->active_paths = PIXELS;
            const int64_t trial = made_asked(bench.store, bench.run, &raw->made, counts_asked);
            made_finish(bench.store, bench.run, trial, &raw->made,
                        &(struct measurement){.collection = COLLECTION_COUNTS,
                                              .launches = raw->launches,
                                              .launch_count = raw->launch_count,
                                              .counts = raw->counts,
                                              .count_count = raw->count_count,
                                              .entries = entries,
                                              .entry_count = 3});
            free(raw);
        }
    bench_table(&bench, "entry_lanes", (struct report_options){0});
    const size_t few = bench_row(&bench, 0, "cornell (not the report's), 1 to 4"),
                 all = bench_row(&bench, 0, "cornell (not the report's), 29 to 32");
    assert_near(bench_cell(&bench, 0, few, "naive_share")->value, 75);
    assert_near(bench_cell(&bench, 0, few, "naive_binary")->value, 50.0 / 20);
    assert_near(bench_cell(&bench, 0, few, "naive_wide")->value, 40.0 / 20);
    assert_near(bench_cell(&bench, 0, all, "naive_wide4")->value, 28);
    assert_near(bench_cell(&bench, 0, all, "wave_binary")->value, 25);
    assert_near(bench_cell(&bench, 0, all, "wave_wide")->value, 24);
    // Of the binary tree 5 of 32 lanes fewer in one warp of four.
    assert_near(claim_value(&bench, "C24", "cornell", "coherence"), -5.0 / 32 / 4);
    bench_close(&bench);
}

// Of a scene in two levels alone: both levels wide against both binary.
static void instances_decide_c16(void **state)
{
    (void)state;
    static const struct {
        double mega, wave; // seconds with wide trees; with binary ones 1 and 2
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {1.06, 4.9, {{"C16 gap", OUTCOME_ACCEPTED, NAN}}},
        {1.5, 2, {{"C16 gap", OUTCOME_REFUTED, NAN}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_cmu(&bench);
        add_frames(&bench, "cuda", "interior", "naive", "instances=two_level", 1);
        add_frames(&bench, "cuda", "interior", "naive", "instances=two_level tree=wide top_tree=wide", rows[i].mega);
        add_frames(&bench, "cuda", "interior", "two_stage", "tickets=atomic instances=two_level", 2);
        add_frames(&bench, "cuda", "interior", "two_stage",
                   "tickets=atomic instances=two_level tree=wide top_tree=wide", rows[i].wave);
        // Not so: one level wide, and a scene of which each triangle is its own.
        add_frames(&bench, "cuda", "interior", "two_stage", "tickets=atomic instances=two_level tree=wide", 9);
        add_frames(&bench, "cuda", "cornell", "naive", "", 1);
        add_frames(&bench, "cuda", "cornell", "naive", "tree=wide", 9);
        add_frames(&bench, "cuda", "cornell", "two_stage", "tickets=atomic", 1);
        add_frames(&bench, "cuda", "cornell", "two_stage", "tickets=atomic tree=wide", 5);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_that_differ_decide_c04),
        cmocka_unit_test(rounds_decide_c12_and_c13),
        cmocka_unit_test(slots_without_a_direction_are_no_other_cause),
        cmocka_unit_test(final_rounds_decide_c20),
        cmocka_unit_test(shares_by_round_decide_c11),
        cmocka_unit_test(totals_decide_c09_c10_c19_c24_and_c25),
        cmocka_unit_test(stage_times_decide_c10_and_c18),
        cmocka_unit_test(counters_decide_c18_and_c22),
        cmocka_unit_test(samples_decide_c17),
        cmocka_unit_test(the_most_complex_scene_decides_c08),
        cmocka_unit_test(printed_times_decide_c21),
        cmocka_unit_test(trees_decide_c03_c14_c15_and_c23),
        cmocka_unit_test(lanes_at_entry_are_binned_by_four),
        cmocka_unit_test(instances_decide_c16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
