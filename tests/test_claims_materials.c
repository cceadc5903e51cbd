// SPDX-License-Identifier: MIT
// Claims of Frolov and Galaktionov 2015 about materials, C21, C23 and C26, over made-up databases.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"
#include "report/papers/paper.h"

static void open_bench(struct bench *bench)
{
    bench_open_paper(bench, "frolov2015");
}

// On a device with a clock, and on one without, where nothing is decided.
static void assert_both(size_t row, const char *part, enum claim_outcome outcome, const char *frames)
{
    for (int timeless = 0; timeless < 2; ++timeless) {
        struct bench bench;
        open_bench(&bench);
        claim_frames(&bench, frames, timeless);
        assert_outcome(&bench, row, part, timeless ? OUTCOME_UNMEASURED : outcome);
        bench_close(&bench);
    }
}

// ---- seven kernels against one

static void merged_kernels_decide_c21(void **state)
{
    (void)state;
    static const struct {
        enum claim_outcome outcome;
        double seven, one[2];
        const char *materials;
    } rows[] = {{OUTCOME_ACCEPTED, 1, {1.06, 1.2}, "tree"},
                {OUTCOME_BETWEEN, 1, {1.06, 1.0}, "tree"},
                {OUTCOME_BETWEEN, 1, {1.06, 0.9}, "tree"},
                {OUTCOME_REFUTED, 1, {0.8, 0.9}, "tree"},
                {OUTCOME_UNMEASURED, 1, {1.2, 1.2}, "scene"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[400];
        const char *set = rows[i].materials;
        snprintf(text, sizeof text,
                 "pool_refill arch_tree %g materials=%s, naive arch_tree %g materials=%s, "
                 "pool_refill glass_tree %g materials=%s, naive glass_tree %g materials=%s",
                 rows[i].seven, set, rows[i].one[0], set, rows[i].seven, set, rows[i].one[1], set);
        assert_both(i, "C21 faster", rows[i].outcome, text);
    }
}

// ---- materials and path length

enum { SCENES = 3 };

// Frames of naive and whole_frame: of 1 s and so many times as fast.
static size_t add_gains(char *text, size_t size, const double gains[SCENES], const char *more)
{
    static const char *const scenes[SCENES] = {"arch", "glass", "interior"};
    size_t used = 0;
    for (int i = 0; i < SCENES; ++i)
        used += (size_t)snprintf(text + used, size - used, "%snaive %s 1%s, whole_frame %s %.6f%s", i ? ", " : "",
                                 scenes[i], more, scenes[i], 1 / gains[i], more);
    return used;
}

static void materials_and_length_decide_c23(void **state)
{
    (void)state;
    static const struct {
        const char *part, *more;
        enum claim_outcome outcome;
        double plain[SCENES], other[SCENES];
    } rows[] = {
        {"C23 richer", " materials=scene", OUTCOME_ACCEPTED, {1.1, 1.2, 1.1}, {1.3, 1.35, 1.1}},
        {"C23 richer", " materials=tree", OUTCOME_BETWEEN, {1.1, 1.2, 1.1}, {1.15, 1.25, 1.15}},
        {"C23 richer_beyond", " materials=scene", OUTCOME_REFUTED, {1.1, 1.2, 1.1}, {1.05, 1.1, 1.4}},
        {"C23 richer", " limit=32", OUTCOME_UNMEASURED, {1.1, 1.2, 1.1}, {1.4, 1.5, 1.4}},
        {"C23 richer", " materials=scene dummy_flops=9", OUTCOME_UNMEASURED, {1.1, 1.2, 1.1}, {1.4, 1.5, 1.4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[1000];
        size_t used = add_gains(text, sizeof text, rows[i].plain, "");
        used += (size_t)snprintf(text + used, sizeof text - used, ", ");
        add_gains(text + used, sizeof text - used, rows[i].other, rows[i].more);
        assert_both(i, rows[i].part, rows[i].outcome, text);
    }
}

// Frames of naive at 32 bounces, of 1 s, of whose paths so many live past bounce 8.
static void add_deep(struct bench *bench, const char *scene, double share)
{
    struct measured_counts counts[2] = {{.bounce = 0}, {.bounce = 9}};
    struct measured_launch launch = {.kernel = "kernel", .bounce = -1, .block = 64, .seconds = NAN};
    counts[0].counts.active_paths = 100000;
    counts[1].counts.active_paths = (uint64_t)(share * 100000);
    struct made made = on_gpu("naive", scene);
    launch.grid = (uint32_t)(made.width * made.height / 64);
    counts[0].counts.active_warps = counts[1].counts.active_warps = fairy_warps[0];
    made.parameters = claim_parameters;
    made.max_bounces = 32;
    for (int r = 0; r < REPLICATES; ++r) {
        double frames[REPETITIONS];
        for (int i = 0; i < REPETITIONS; ++i)
            frames[i] = 1 + 1e-4 * (r - MIDDLE);
        made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &made, frame_asked | (r ? 0 : counts_asked));
        made_frames(bench->store, bench->run, trial, &made, frames, REPETITIONS, RESIDENT);
        if (!r)
            made_finish(bench->store, bench->run, trial, &made,
                        &(struct measurement){.collection = COLLECTION_COUNTS,
                                              .counts = counts,
                                              .count_count = 2,
                                              .launches = &launch,
                                              .launch_count = 1});
    }
}

static void only_long_paths_decide_c23(void **state)
{
    (void)state;
    static const struct {
        enum claim_outcome outcome;
        double share, gain;
    } rows[] = {{OUTCOME_ACCEPTED, 0.011, 1.4}, {OUTCOME_EXCLUDED, 0.009, 1.4}, {OUTCOME_BETWEEN, 0.5, 1.15}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        char text[200];
        open_bench(&bench);
        snprintf(text, sizeof text, "naive arch 1, whole_frame arch %.6f, whole_frame arch %.6f limit=32", 1 / 1.1,
                 1 / rows[i].gain);
        claim_frames(&bench, text, false);
        add_deep(&bench, "arch", rows[i].share);
        assert_outcome(&bench, i, "C23 longer", rows[i].outcome);
        bench_close(&bench);
    }
}

// ---- time per live path

static const char *const stages[] = {"trace", "surface", "light", "shade", "next"};
enum { STAGES = sizeof stages / sizeof *stages, LIVE = 1000, FILLED = 1 << 20 };

// Five replicates of one round whose stages take so many microseconds, at so many live paths each.
static void add_round(struct bench *bench, const char *variant, const char *scene, const double us[STAGES],
                      uint64_t live, const char *more)
{
    struct measured_launch rows[STAGES];
    struct measured_counts counts[STAGES + 1];
    char parameters[160];
    struct made made = on_gpu(variant, scene);
    snprintf(parameters, sizeof parameters, "materials=tree pool=65536%s", more);
    made.parameters = parameters;
    for (int replicate = 0; replicate < REPLICATES; ++replicate) {
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < STAGES; ++i) {
            rows[i] = (struct measured_launch){.index = i, .bounce = -1, .grid = FILLED, .block = 64};
            rows[i].seconds = us[i] * 1e-6 * (1 + 1e-4 * (replicate - MIDDLE));
            strcpy(rows[i].kernel, "kernel");
            strcpy(rows[i].stage, stages[i]);
            counts[i] = (struct measured_counts){.launch = i, .bounce = MEASURED_TOTALS};
            counts[i].counts.live_lanes = live;
        }
        counts[STAGES] =
            (struct measured_counts){.bounce = 0, .counts = {.active_paths = LIVE, .active_warps = FILLED}};
        made.replicate = replicate;
        const int64_t trial =
            made_asked(bench->store, bench->run, &made, launches_asked | (replicate ? 0 : counts_asked));
        made_launches(bench->store, bench->run, trial, &made, rows, STAGES, 0, RESIDENT);
        for (uint32_t i = 0; i < STAGES; ++i)
            rows[i].seconds = NAN;
        if (!replicate)
            made_finish(bench->store, bench->run, trial, &made,
                        &(struct measurement){.collection = COLLECTION_COUNTS,
                                              .launches = rows,
                                              .launch_count = STAGES,
                                              .counts = counts,
                                              .count_count = STAGES + 1});
    }
}

static void stages_decide_c26(void **state)
{
    (void)state;
    static const double none[STAGES] = {50, 10, 10, 10, 10};
    static const struct {
        enum claim_outcome outcome;
        double tile[2][STAGES]; // of as many live paths, twice as many lanes of which live
        const char *more;
    } rows[] = {
        {OUTCOME_ACCEPTED, {{90, 21, 21, 18, 20}, {90, 20, 18.5, 20, 20}}, ""},
        {OUTCOME_BETWEEN, {{90, 21, 21, 18, 20}, {90, 20, 19.6, 20, 20}}, ""},
        {OUTCOME_REFUTED, {{20, 21, 21, 21, 21}, {20, 21, 22, 21, 21}}, ""}, // trace alone gains
        {OUTCOME_UNMEASURED, {{90, 10, 10, 10, 10}, {90, 10, 10, 10, 10}}, " tile_order=rows"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_bench(&bench);
        for (int test = 0; test < 2; ++test) {
            const char *scene = test ? "glass_tree" : "arch_tree";
            add_round(&bench, "pool_refill", scene, none, LIVE, "");
            add_round(&bench, "tile_regenerate", scene, rows[i].tile[test], 2 * LIVE, rows[i].more);
        }
        assert_outcome(&bench, i, "C26 fall", rows[i].outcome);
        if (i == 0)
            assert_near(claim_value(&bench, "C26", "T3: shade", "fall"), 0.1);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_kernels_decide_c21),
        cmocka_unit_test(materials_and_length_decide_c23),
        cmocka_unit_test(only_long_paths_decide_c23),
        cmocka_unit_test(stages_decide_c26),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
