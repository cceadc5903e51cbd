// SPDX-License-Identifier: MIT
// Claims of Frolov and Galaktionov 2015 about roulette by warp and by block, C09 and C10, over made-up databases.
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

enum { TESTS = 4, WARPS = 10000 };
static const char *const tests[TESTS] = {"mirror_corridor", "cornell", "arch", "glass"};

static void open_bench(struct bench *bench)
{
    bench_open_paper(bench, "frolov2015");
}

// One setting: what its claims read.
struct side {
    const char *variant, *scene, *roulette;
    int seed, spp;
    double util, mean, variance, seconds;
    double longer;            // by which part the paths go on longer
    uint64_t ended_in, split; // warps
    const uint64_t *sparse;   // of WARPS at each bounce; NULL: none
    bool timeless;
};

static void add_side_counts(struct bench *bench, int64_t trial, const struct made *made, const struct side *side)
{
    struct measured_counts rows[BOUNCES + 1];
    struct measured_launch launch = {.kernel = "kernel", .bounce = -1, .grid = 15360, .block = 64, .seconds = NAN};
    const double pixels = (double)(made->width * made->height), paths = pixels * side->spp;
    struct bounce_counts *total = &rows[BOUNCES].counts;
    const uint64_t going_on = (uint64_t)((1 + side->longer) * 16 * WARPS), // WARPS at a utilisation of a half
        warps = (uint64_t)round((double)going_on / (32 * side->util));
    rows[BOUNCES] = (struct measured_counts){.bounce = MEASURED_TOTALS};
    for (uint32_t b = 0; b < BOUNCES; ++b) {
        rows[b] = (struct measured_counts){.bounce = b};
        rows[b].counts.active_paths = b ? going_on : (uint64_t)paths;
        rows[b].counts.active_warps = warps;
        rows[b].counts.sparse_warps = side->sparse ? side->sparse[b] : 0;
    }
    total->active_warps = warps;
    total->active_paths = going_on;
    total->roulette_warps = side->ended_in;
    total->split_warps = side->split;
    total->radiance = (uint64_t)(side->mean * 3 * paths * 0x1p24);
    total->pixel_squares = 1000;
    total->squares = 1000 + (uint64_t)(side->variance * (paths - pixels) * 0x1p24);
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .counts = rows,
                                      .count_count = BOUNCES + 1,
                                      .launches = &launch,
                                      .launch_count = 1});
}

static void add_side(struct bench *bench, const struct side *side)
{
    char parameters[200];
    struct made made = on_gpu(side->variant, side->scene);
    snprintf(parameters, sizeof parameters, "pool=65536 materials=scene roulette=%s seed=%d spp=%d", side->roulette,
             side->seed, side->spp);
    made.parameters = parameters;
    made.timeless = side->timeless;
    for (int r = 0; r < (side->seconds > 0 ? REPLICATES : 1); ++r) {
        double frames[REPETITIONS];
        for (int i = 0; i < REPETITIONS; ++i)
            frames[i] = side->seconds * (1 + 1e-4 * (r - MIDDLE));
        made.replicate = r;
        const uint32_t asked = (side->seconds > 0 ? frame_asked : 0) | (r ? 0 : counts_asked);
        const int64_t trial = made_asked(bench->store, bench->run, &made, asked);
        if (!r)
            add_side_counts(bench, trial, &made, side);
        if (side->seconds > 0)
            made_frames(bench->store, bench->run, trial, &made, frames, REPETITIONS, RESIDENT);
    }
}

// ---- utilisation and speed, against streaming

static void streaming_decides_c09(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        enum claim_outcome outcome;
        double warp[TESTS], block[TESTS]; // of the pool without regeneration, over those of streaming
        double longer;
    } rows[] = {
        {"C09 by_warp", OUTCOME_ACCEPTED, {0.95, 0.91, 1.1, 1}, {0.5, 0.5, 0.5, 0.5}, 0},
        {"C09 by_warp", OUTCOME_BETWEEN, {0.95, 0.8, 1.1, 0.5}, {1, 1, 1, 1}, 0},
        {"C09 by_warp", OUTCOME_REFUTED, {0.55, 0.5, 1, 1}, {1, 1, 1, 1}, 0},
        {"C09 by_warp", OUTCOME_EXCLUDED, {0.95, 0.91, 1.1, 1}, {0.5, 0.5, 0.5, 0.5}, 0.3},
        {"C09 by_block", OUTCOME_ACCEPTED, {0.5, 0.5, 0.5, 0.5}, {1, 1, 0.92, 1}, 0},
        {"C09 by_block", OUTCOME_REFUTED, {1, 1, 1, 1}, {0.5, 0.5, 0.92, 0.5}, 0},
        {"C09 worth", OUTCOME_ACCEPTED, {1.1, 0.5, 1.2, 1.3}, {0.5, 1.1, 0.5, 0.5}, 0}, // the better of both
        {"C09 worth", OUTCOME_BETWEEN, {1.1, 0.9, 1.2, 0.7}, {0.5, 0.5, 0.5, 0.5}, 0},
        {"C09 worth", OUTCOME_REFUTED, {0.7, 0.7, 1.2, 1.3}, {0.5, 0.5, 0.5, 0.5}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const bool times = strstr(rows[i].part, "worth") != NULL;
        for (int timeless = 0; timeless < (times ? 2 : 1); ++timeless) {
            struct bench bench;
            open_bench(&bench);
            for (int t = 0; t < TESTS; ++t) {
                struct side side = {"stream_compact",    tests[t], "thread", 1, 2, 0.8, 0.5, 0.25, 0.004,
                                    .timeless = timeless};
                add_side(&bench, &side);
                side.roulette = "none"; // which decides nothing, whatever it is worth
                side.util = 0.1;
                add_side(&bench, &side);
                side.variant = "pool_refill";
                side.roulette = "warp";
                side.longer = rows[i].longer;
                side.util = 0.8 * rows[i].warp[t];
                side.seconds = 0.004 / 2; // at half the time, and so much more variance
                side.variance = 0.25 * 2 / rows[i].warp[t];
                add_side(&bench, &side);
                side.roulette = "block";
                side.util = 0.8 * rows[i].block[t];
                side.variance = 0.25 * 2 / rows[i].block[t];
                add_side(&bench, &side);
            }
            assert_outcome(&bench, i, rows[i].part, timeless ? OUTCOME_UNMEASURED : rows[i].outcome);
            bench_close(&bench);
        }
    }
}

// ---- means

// Frames of so many seeds without roulette and with it by warp, whose mean is more by `bias`, one of them up and one down
// by a tenth: their standard error is a fortieth, nearly.
static void add_frames(struct bench *bench, const char *scene, int seeds, double bias)
{
    for (int seed = 1; seed <= seeds; ++seed) {
        struct side side = {.variant = "pool_refill", .scene = scene, .roulette = "none", .seed = seed, .spp = 1};
        side.util = 0.5;
        side.mean = 1 + 0.3 * (seed % 5); // that of the seed
        add_side(bench, &side);
        side.roulette = "warp";
        side.mean += bias + (seed % 2 ? 0.1 : -0.1);
        add_side(bench, &side);
    }
}

static void means_decide_c09_and_c10(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        enum claim_outcome outcome;
        int seeds;
        double cornell, glass;
    } rows[] = {
        {"C09 sigmas", OUTCOME_ACCEPTED, 16, 0.05, -0.07}, {"C09 sigmas", OUTCOME_BETWEEN, 16, 0.05, 0.1},
        {"C09 sigmas", OUTCOME_REFUTED, 16, -0.1, 0.1},    {"C09 sigmas", OUTCOME_UNMEASURED, 15, 0.05, 0.1},
        {"C10 sigmas", OUTCOME_ACCEPTED, 16, 0.05, 0.1},   {"C10 sigmas", OUTCOME_REFUTED, 16, 0.1, 0.05},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_bench(&bench);
        add_frames(&bench, "cornell", rows[i].seeds, rows[i].cornell);
        add_frames(&bench, "glass", rows[i].seeds, rows[i].glass); // not diffuse: C10 leaves it out
        assert_outcome(&bench, i, rows[i].part, rows[i].outcome);
        if (rows[i].seeds == 16)
            assert_true(fabs(claim_value(&bench, "C09", "glass", "sigmas") -
                             fabs(rows[i].glass) / (0.1 * sqrt(16. / 15) / 4)) < 1e-4);
        bench_close(&bench);
    }
}

// ---- sparse and split warps

static void sparse_and_split_warps_decide_c10(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        enum claim_outcome outcome;
        uint64_t none[BOUNCES], thread[BOUNCES], split;
    } rows[] = {
        {"C10 more_sparse", OUTCOME_ACCEPTED, {0, 0, 0, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 20, 30, 40, 50, 2}, 0},
        {"C10 more_sparse", OUTCOME_BETWEEN, {9, 9, 9, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 20, 30, 40, 5, 6}, 0},
        {"C10 more_sparse", OUTCOME_REFUTED, {0, 0, 0, 1, 2, 3, 4, 5, 6}, {9, 9, 9, 9, 2, 2, 4, 5, 6}, 0},
        {"C10 split", OUTCOME_ACCEPTED, {0}, {0}, 0},
        {"C10 split", OUTCOME_REFUTED, {0}, {0}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_bench(&bench);
        struct side side = {.variant = "pool_refill", .scene = "closed_varied", .seed = 1, .spp = 2, .util = 0.5};
        side.roulette = "none";
        side.sparse = rows[i].none;
        add_side(&bench, &side);
        side.roulette = "thread";
        side.sparse = rows[i].thread;
        side.ended_in = 500;
        side.split = 499; // may be
        add_side(&bench, &side);
        side.roulette = "warp";
        side.split = rows[i].split;
        add_side(&bench, &side);
        side.variant = "stream_compact"; // whose warps hold paths that are too young to play
        side.split = 3;
        add_side(&bench, &side);
        assert_outcome(&bench, i, rows[i].part, rows[i].outcome);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(streaming_decides_c09),
        cmocka_unit_test(means_decide_c09_and_c10),
        cmocka_unit_test(sparse_and_split_warps_decide_c10),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
