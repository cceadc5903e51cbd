// SPDX-License-Identifier: MIT
// Claims of Wald 2011 that interventions decide, C19 and C37 to C39, over made-up databases.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"

static struct made a_kernel(const char *variant, const char *parameters)
{
    static uint64_t warps[BOUNCES];
    struct made made = on_gpu(variant, "forest");
    made_compact(fairy_paths, warps);
    if (!strcmp(variant, "whole_frame"))
        made.warps = warps;
    made.parameters = parameters;
    return made;
}

// Launches of 1 ms, but `factor` ms from bounce 2 on, on a device that holds so many warps; and a frame whose kernel
// spills so many bytes.
static void add_kernel(struct bench *bench, const struct made *made, double factor, uint32_t held, uint32_t spills)
{
    struct measured_launch rows[BOUNCES];
    for (int b = 0; b < BOUNCES; ++b)
        rows[b] = (struct measured_launch){.bounce = b, .seconds = 1e-3 * (b < 2 ? 1 : factor)};
    for (int r = 0; r < REPLICATES; ++r) {
        struct made one = *made;
        one.replicate = r;
        const int64_t id = made_asked(bench->store, bench->run, &one, launches_asked | (r ? 0 : counts_asked));
        if (!r)
            made_counts(bench->store, bench->run, id, &one);
        made_launches(bench->store, bench->run, id, &one, rows, BOUNCES, 0, held);
    }
    struct measured_kernel kernel = {.kernel = "kernel", .facts = {.spill_bytes = spills}, .block = 64};
    const int64_t trial = made_asked(bench->store, bench->run, made, frame_asked | launches_asked | counts_asked);
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_FRAME, .kernels = &kernel, .kernel_count = 1});
}

// What the hardware counts of each launch: floating-point instructions of lanes; and of the marked places and of all
// instructions how many each active warp executes, and lanes of each.
static void add_counters(struct bench *bench, struct made made, double arithmetic, double instructions, double lanes)
{
    struct measured_launch launches[BOUNCES];
    struct measured_metric metrics[BOUNCES];
    struct measured_site sites[3 * BOUNCES];
    for (uint32_t b = 0; b < BOUNCES; ++b) {
        launches[b] = (struct measured_launch){
            .index = b, .bounce = (int32_t)b, .kernel = "kernel", .grid = 1, .block = 64, .seconds = NAN};
        metrics[b] = (struct measured_metric){.launch = b, .value = b < 2 ? 1 : arithmetic};
        strcpy(metrics[b].metric, "fp32_lane_operations");
        for (uint32_t site = 1; site <= 3; ++site) {
            const double warps = (double)made.warps[b] * (b < 2 ? 99 : instructions);
            sites[3 * b + site - 1] = (struct measured_site){.launch = b,
                                                             .site = site,
                                                             .copies = 1,
                                                             .instructions = (uint64_t)warps,
                                                             .thread_instructions = (uint64_t)(warps * lanes)};
        }
    }
    made.programs = "counters";
    const int64_t trial = made_asked(bench->store, bench->run, &made, 1 << COLLECTION_COUNTERS);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_COUNTERS,
                                      .launches = launches,
                                      .launch_count = BOUNCES,
                                      .metrics = metrics,
                                      .metric_count = BOUNCES,
                                      .sites = sites,
                                      .site_count = sizeof sites / sizeof *sites});
}

// Each thing changed alone, beside what it is compared with; other carve-outs and the unthrottled kernel are neither.
static void one_change_at_a_time(void **state)
{
    (void)state;
    static const struct {
        const char *parameters;
        double factor, arithmetic;
        uint32_t held, spills;
    } rows[] = {{"registers=64 carveout=14", 2, 40, 320, 160},
                {"registers=64 carveout=14 tree=binary_padded", 2.8, 77, 320, 160},
                {"registers=64 carveout=14 dummy_flops=160", 2.02, 48, 320, 160},
                {"registers=64 carveout=14 shared_pad=3072", 7, 0, 320, 160}, // which the device holds as many warps of
                {"registers=64 carveout=100", 3, 0, 320, 160},
                {"registers=64 carveout=100 shared_pad=27648", 3.09, 0, 160, 160},
                {"registers=64 carveout=100 shared_pad=18176", 2.5, 0, 240, 160},
                {"registers=80 carveout=100 shared_pad=18176", 2.2, 0, 240, 0},
                {"registers=64", 5, 0, 320, 160}};
    struct bench bench;
    bench_open(&bench);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct made made = a_kernel("whole_frame", rows[i].parameters);
        add_kernel(&bench, &made, rows[i].factor, rows[i].held, rows[i].spills);
        if (rows[i].arithmetic > 0)
            add_counters(&bench, made, rows[i].arithmetic, 100, 16);
    }
    assert_near(claim_value(&bench, "C19", "forest", "doubled"), 100 * (2.8 / 2 - 1));
    assert_near(claim_value(&bench, "C19", "forest", "halved"), 100 * (3.09 / 3 - 1));
    assert_near(claim_value(&bench, "C19", "forest", "flops"), 100 * (2.02 / 2 - 1) / 2); // 20 % were added
    assert_near(claim_value(&bench, "C19", "forest", "spills"), 100 * (1 - 2.2 / 2.5));
    assert_outcome(&bench, 0, "C19 doubled", OUTCOME_ACCEPTED);
    assert_outcome(&bench, 0, "C19 halved", OUTCOME_REFUTED);
    assert_outcome(&bench, 0, "C19 flops", OUTCOME_ACCEPTED);
    assert_outcome(&bench, 0, "C19 spills", OUTCOME_ACCEPTED);
    assert_outcome(&bench, 0, "C19 exponent", OUTCOME_UNMEASURED);
    bench_close(&bench);
}

// Compaction on and off: half of the time with twice the lanes of an instruction is an exponent of 1.
static void on_and_off(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    const struct made on = a_kernel("whole_frame", claim_parameters),
                      off = a_kernel("whole_frame_off", claim_parameters);
    add_kernel(&bench, &on, 1, RESIDENT, 0);
    add_kernel(&bench, &off, 2, RESIDENT, 0);
    add_counters(&bench, on, 0, 300, 16);
    add_counters(&bench, off, 0, 200, 8);
    assert_near(claim_value(&bench, "C19", "forest", "exponent"), 1);
    assert_near(claim_value(&bench, "C38", "forest", "efficiency"), 50);
    assert_near(claim_value(&bench, "C38", "forest", "instructions"), 1.5);
    assert_outcome(&bench, 0, "C19 exponent", OUTCOME_REFUTED);
    assert_outcome(&bench, 0, "C38 efficiency", OUTCOME_ACCEPTED);
    bench_close(&bench);
}

// Naive and whole_frame at all warps and at an eighth; other residencies, and frames as launched, are not compared.
static void residency(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    claim_frames(&bench,
                 "naive forest .15 carveout=100 held=800, whole_frame forest .1 carveout=100 held=800, "
                 "naive forest .2 carveout=100 shared_pad=7168 held=200, "
                 "whole_frame forest .1 carveout=100 shared_pad=7168 held=200, "
                 "naive forest .6 carveout=100 shared_pad=15360 held=100, "
                 "whole_frame forest .5 carveout=100 shared_pad=15360 held=100, "
                 "naive forest .1, whole_frame forest .08",
                 false);
    assert_near(claim_value(&bench, "C37", "forest", "speedup"), 1.5);
    assert_near(claim_value(&bench, "C37", "forest", "rise"), 0.3);
    assert_int_equal(claim_cases_of(&bench, "C37"), 1);
    assert_near(claim_value(&bench, "C01", "forest", "speedup"), 1.25); // whose cases are as they were
    assert_int_equal(claim_cases_of(&bench, "C01"), 1);
    bench_close(&bench);
}

static const struct claim_frames_row frames_rows[] = {
    {"C39 speed", OUTCOME_ACCEPTED,
     "naive forest 1, tiled_shared forest .9 tile_m=1, tiled_shared forest 1.2 tile_m=2"},
    {"C39 speed", OUTCOME_REFUTED,
     "naive forest 1, tiled_shared forest 1.1 tile_m=1, tiled_shared forest .8 tile_m=4 held=50"},
    {"C39 speed", OUTCOME_UNMEASURED, "naive forest 1, tiled_shared forest .8 tile_m=4 held=50"},
};

static void tiles_at_unreduced_occupancy(void **state)
{
    (void)state;
    assert_frames(frames_rows, sizeof frames_rows / sizeof *frames_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_change_at_a_time), cmocka_unit_test(on_and_off),
                                       cmocka_unit_test(residency), cmocka_unit_test(tiles_at_unreduced_occupancy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
