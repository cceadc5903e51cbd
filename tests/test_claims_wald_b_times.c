// SPDX-License-Identifier: MIT
// Claims of Wald 2011 that times, counters and compilers decide, C19 to C35, over made-up databases: each part is
// accepted over one and refuted over another, and what is excluded leaves it open.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"

// ---- frames

// The other kernels, as fast with other registers as they are.
#define OTHER_KERNELS                                                                                                  \
    ", whole_frame forest 1, whole_frame forest 1.1 registers=32, tiled_global forest 1, tiled_global forest 1.1 "     \
    "registers=32, tiled_shared forest 1, tiled_shared forest 1.1 registers=32"

static const struct claim_frames_row frames_rows[] = {
    {"C20 twice", OUTCOME_ACCEPTED, // 1.82
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .11 "
     "dummy_flops=1000"},
    {"C20 twice", OUTCOME_ACCEPTED, // 1.74: half way to three times
     "naive forest .1, whole_frame forest .08, naive forest .3 dummy_flops=1000, whole_frame forest .15 "
     "dummy_flops=1000"},
    {"C20 twice", OUTCOME_BETWEEN, // 1.54
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .13 "
     "dummy_flops=1000"},
    {"C20 twice", OUTCOME_REFUTED, // 1.33
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .15 "
     "dummy_flops=1000"},
    {"C20 twice", OUTCOME_UNMEASURED, // not as much as twice
     "naive forest .1, whole_frame forest .08, naive forest .19 dummy_flops=1000, whole_frame forest .12 "
     "dummy_flops=1000"},
    {"C20 twice", OUTCOME_EXCLUDED, // fitted
     "naive open .1, whole_frame open .08, naive open .2 dummy_flops=1000, whole_frame open .13 dummy_flops=1000"},
    {"C20 rise", OUTCOME_ACCEPTED, // from 1.25 to 1.54
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .13 "
     "dummy_flops=1000"},
    {"C20 rise", OUTCOME_BETWEEN, // to 1.43
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .14 "
     "dummy_flops=1000"},
    {"C20 rise", OUTCOME_REFUTED, // to 1.18
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .17 "
     "dummy_flops=1000"},
    {"C20 step", OUTCOME_ACCEPTED,
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .13 "
     "dummy_flops=1000"},
    {"C20 step", OUTCOME_BETWEEN, // to 2.5, which is more than is saved
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .08 "
     "dummy_flops=1000"},
    {"C20 step", OUTCOME_REFUTED,
     "naive forest .1, whole_frame forest .08, naive forest .2 dummy_flops=1000, whole_frame forest .17 "
     "dummy_flops=1000"},
    {"C21 change", OUTCOME_ACCEPTED,
     "naive forest .1, whole_frame forest .08, naive forest .125 light_search=cdf, whole_frame forest .1 "
     "light_search=cdf"},
    {"C21 change", OUTCOME_BETWEEN, // but 15 % longer
     "naive forest .1, whole_frame forest .08, naive forest .115 light_search=cdf, whole_frame forest .092 "
     "light_search=cdf"},
    {"C21 change", OUTCOME_REFUTED,
     "naive forest .1, whole_frame forest .08, naive forest .125 light_search=cdf, whole_frame forest .08 "
     "light_search=cdf"},
    {"C21 change", OUTCOME_REFUTED, // the other way
     "naive forest .1, whole_frame forest .08, naive forest .125 light_search=cdf, whole_frame forest .125 "
     "light_search=cdf"},
    {"C21 change", OUTCOME_EXCLUDED, // hardly longer
     "naive forest .1, whole_frame forest .08, naive forest .102 light_search=cdf, whole_frame forest .0816 "
     "light_search=cdf"},
    {"C21 change", OUTCOME_EXCLUDED, // underfilled
     "naive forest .1, whole_frame forest .08 held=8000, naive forest .125 light_search=cdf, whole_frame forest .1 "
     "light_search=cdf held=8000"},
    {"C22 naive", OUTCOME_ACCEPTED,
     "naive forest .1, whole_frame forest .08, naive forest .105 traversal=speculative, whole_frame forest .083 "
     "traversal=speculative"},
    {"C22 naive", OUTCOME_BETWEEN, // more than slightly
     "naive forest .1, whole_frame forest .08, naive forest .12 traversal=speculative, whole_frame forest .083 "
     "traversal=speculative"},
    {"C22 naive", OUTCOME_REFUTED, // of one kernel
     "naive forest .1, whole_frame forest .08, naive forest .105 traversal=speculative, whole_frame forest .078 "
     "traversal=speculative"},
    {"C22 naive", OUTCOME_EXCLUDED, // fitted
     "naive open .1, whole_frame open .08, naive open .105 traversal=speculative, whole_frame open .083 "
     "traversal=speculative"},
    {"C29 faster", OUTCOME_ACCEPTED,
     "naive forest 1, naive forest 1.02 registers=32, naive forest 1.1 block=128" OTHER_KERNELS},
    {"C29 faster", OUTCOME_BETWEEN,
     "naive forest 1, naive forest .95 registers=32, naive forest 1.1 block=128" OTHER_KERNELS},
    {"C29 faster", OUTCOME_REFUTED,
     "naive forest 1, naive forest .8 registers=32, naive forest 1.1 block=128, whole_frame forest .8 "
     "block=128" OTHER_KERNELS},
    {"C29 faster", OUTCOME_REFUTED,
     "naive forest 1, naive forest .98 registers=32, naive forest .8 block=128, whole_frame forest .8 "
     "block=128" OTHER_KERNELS},
    {"C29 faster", OUTCOME_UNMEASURED, "naive forest 1"},
    {"C29 faster", OUTCOME_EXCLUDED, "naive forest 1, naive forest 1.02 registers=32"}, // one kernel
    {"C29 best", OUTCOME_ACCEPTED, "naive forest 1, naive forest .98 registers=32" OTHER_KERNELS},
    {"C29 best", OUTCOME_BETWEEN, "naive forest 1, naive forest .92 registers=32" OTHER_KERNELS},
    {"C30 peak", OUTCOME_ACCEPTED,
     "naive forest 1, whole_frame forest .9, tiled_global forest 1.2 tile_m=1, tiled_global forest .9 tile_m=4, "
     "tiled_global forest 1.1 tile_m=16"},
    {"C30 peak", OUTCOME_REFUTED,
     "naive forest 1, whole_frame forest .9, tiled_global forest 1.2 tile_m=1, tiled_global forest 1.1 tile_m=4, "
     "tiled_global forest 1 tile_m=16"},
    {"C30 peak", OUTCOME_REFUTED, // a peak at an end
     "naive forest 1, whole_frame forest .9, tiled_global forest .8 tile_m=1, tiled_global forest 1.2 tile_m=4, "
     "tiled_global forest 1 tile_m=16"},
    {"C30 peak", OUTCOME_EXCLUDED, // underfilled
     "naive forest 1, whole_frame forest .9, tiled_global forest 1.2 tile_m=1, tiled_global forest .9 tile_m=4, "
     "tiled_global forest 1.1 tile_m=16 held=8000"},
    {"C30 peak", OUTCOME_UNMEASURED, // two tiles have nothing in between
     "naive forest 1, whole_frame forest .9, tiled_global forest 1.2 tile_m=4, tiled_global forest .9 tile_m=16"},
    {"C30 slower", OUTCOME_ACCEPTED,
     "naive forest 1, tiled_global forest .9 tile_m=4, tiled_global forest 1.1 tile_m=16 held=2000"},
    {"C30 slower", OUTCOME_REFUTED,
     "naive forest 1, tiled_global forest .9 tile_m=4, tiled_global forest .8 tile_m=16 held=2000"},
    {"C30 slower", OUTCOME_UNMEASURED,
     "naive forest 1, tiled_global forest .9 tile_m=4, tiled_global forest 1.1 tile_m=16"},
};

static void test_frames(void **state)
{
    (void)state;
    assert_frames(frames_rows, sizeof frames_rows / sizeof frames_rows[0]);
}

// What the cases say, against arithmetic done here.
static void test_values(void **state)
{
    (void)state;
    struct bench bench;
    double naive = 0, warps = 0;
    for (int b = 0; b < BOUNCES; ++b) {
        naive += (double)fairy_warps[b];
        warps += ceil((double)fairy_paths[b] / 32);
    }
    bench_open(&bench);
    claim_frames(
        &bench,
        "naive forest .1, whole_frame forest .08, naive forest .15 dummy_flops=1000, "
        "whole_frame forest .1 dummy_flops=1000, naive forest .25 dummy_flops=4000, "
        "whole_frame forest .14 dummy_flops=4000, naive forest .12 light_search=cdf, "
        "whole_frame forest .1 light_search=cdf, naive forest .11 traversal=speculative, "
        "whole_frame forest .09 traversal=speculative, naive forest .09 registers=32, naive forest .13 block=128, "
        "tiled_global forest .12 tile_m=1, tiled_global forest .09 tile_m=4, tiled_global forest .11 tile_m=16",
        false);
    const struct {
        const char *claim, *value;
        double wanted;
    } rows[] = {
        {"C20", "twice", 0.2 / 0.12},
        {"C20", "rise", 0.2 / 0.12 - 1.25}, // half way from 1.5 to 2.5 times
        {"C20", "step", 0.2 / 0.12 - 1.5},
        {"C20", "short_of", naive / warps - 0.2 / 0.12},
        {"C21", "longer", 20},
        {"C21", "change", 0.05},
        {"C22", "naive", 1.1},
        {"C22", "whole_frame", 0.09 / 0.08},
        {"C23", "gain", 0.11 / 0.09 - 1.25},
        {"C29", "best", 100 * (0.1 / 0.09 - 1)},
        {"C30", "peak", 100 * (0.11 / 0.09 - 1)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const double value = claim_value(&bench, rows[i].claim, "forest", rows[i].value);
        if (!(fabs(value - rows[i].wanted) <= 1e-9))
            fail_msg("%s of %s: %.12g, not %.12g", rows[i].value, rows[i].claim, value, rows[i].wanted);
    }
    bench_close(&bench);
}

// ---- launches

// The paper's Table 3 with compaction, its times held between two bounds from bounce 2 on: 2.7 times the time of bounce 0
// at the most.
static void test_launches(void **state)
{
    (void)state;
    static const struct {
        const char *scene;
        double least, most;
        enum claim_outcome outcome;
    } rows[] = {{"forest", 0, 3.1, OUTCOME_ACCEPTED},
                {"forest", 0, 9, OUTCOME_BETWEEN},
                {"forest", 4.5, 9, OUTCOME_REFUTED},
                {"open", 0, 3.1, OUTCOME_EXCLUDED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct bench bench;
        double us[BOUNCES], most = 0;
        uint64_t warps[BOUNCES];
        made_compact(fairy_paths, warps);
        memcpy(us, on_us, sizeof us);
        for (int b = 2; b < BOUNCES; ++b) {
            us[b] = fmax(rows[i].least, fmin(us[b], rows[i].most));
            most = fmax(most, us[b] / 1.6 * (double)warps[b] / (double)fairy_paths[b] * 32);
        }
        struct made made = on_gpu("whole_frame", rows[i].scene);
        made.warps = warps;
        bench_open(&bench);
        claim_launches(&bench, made, us, 0.01);
        assert_outcome(&bench, i, "C34 most", rows[i].outcome);
        assert_near(claim_value(&bench, "C34", "NVIDIA H200", "most"), most);
        assert_outcome(&bench, i, "C35 off", OUTCOME_ACCEPTED); // the printed numbers, and these
        bench_close(&bench);
    }
}

// ---- counters and samples

// Of every bounce: use of a pipe and of issue slots, in percent; samples of waiting for memory and for another reason;
// and samples over the frame in the traversal, in lines that it shares, and in all others. held: warps that the device
// holds.
struct limits_row {
    enum claim_outcome memory_first, arithmetic, c32;
    double fp32, issue;
    uint64_t memory, wait, tracing, shared, others;
    int held;
};

static void add_metric(struct measurement *measurement, uint32_t launch, const char *name, double value)
{
    struct measured_metric *metric = &measurement->metrics[measurement->metric_count++];
    *metric = (struct measured_metric){.launch = launch, .value = value};
    snprintf(metric->metric, sizeof metric->metric, "%s", name);
}

static void add_samples(struct measurement *measurement, uint32_t launch, const char *reason, const char *file,
                        uint64_t samples)
{
    struct measured_stall *stall = &measurement->stalls[measurement->stall_count++];
    *stall = (struct measured_stall){.launch = launch, .kernel = "kernel", .line = file[0] ? 7 : 0, .samples = samples};
    snprintf(stall->reason, sizeof stall->reason, "%s", reason);
    snprintf(stall->file, sizeof stall->file, "%s", file);
}

static void add_limits(struct bench *bench, const char *scene, const struct limits_row *row)
{
    struct measured_launch launches[BOUNCES];
    struct measured_metric metrics[2 * BOUNCES];
    struct measured_stall stalls[3 * BOUNCES + 3];
    struct measurement counters = {.collection = COLLECTION_COUNTERS, .launches = launches, .launch_count = BOUNCES},
                       sampled = {.collection = COLLECTION_STALLS, .launches = launches, .launch_count = BOUNCES};
    counters.metrics = metrics;
    sampled.stalls = stalls;
    struct made made = on_gpu("whole_frame", scene);
    made.parameters = claim_parameters;
    for (uint32_t b = 0; b < BOUNCES; ++b) {
        launches[b] = (struct measured_launch){
            .index = b, .bounce = (int32_t)b, .kernel = "kernel", .grid = 1, .block = 64, .seconds = NAN};
        add_metric(&counters, b, "fp32_utilisation", b == 5 ? row->fp32 : 10); // at one bounce
        add_metric(&counters, b, "issue_active", b == 7 ? row->issue : 20);
        add_samples(&sampled, b, "long_scoreboard", "", b == 3 ? row->memory : 900);
        add_samples(&sampled, b, "wait", "", b == 3 ? row->wait : 100);
        add_samples(&sampled, b, "selected", "", 2000); // which is no waiting
    }
    add_samples(&sampled, MEASURED_FRAME, "long_scoreboard", "trees/traverse.h", row->tracing);
    add_samples(&sampled, MEASURED_FRAME, "long_scoreboard", "lib/vec.h", row->shared);
    add_samples(&sampled, MEASURED_FRAME, "long_scoreboard", "surface/bsdf.h", row->others);
    char frames[80]; // the same work, timed and counted: how many warps the device holds
    snprintf(frames, sizeof frames, "whole_frame %s 1 held=%d", scene, row->held);
    claim_frames(bench, frames, false);
    made.programs = "launches";
    if (row->held == RESIDENT)
        claim_launches(bench, made, on_us, 0);
    made.programs = "and counters";
    const int64_t trial =
        made_asked(bench->store, bench->run, &made, 1 << COLLECTION_COUNTERS | 1 << COLLECTION_STALLS);
    made_finish(bench->store, bench->run, trial, &made, &counters);
    made_finish(bench->store, bench->run, trial, &made, &sampled);
}

static void test_limits(void **state)
{
    (void)state;
    static const struct limits_row rows[] = {
        {OUTCOME_ACCEPTED, OUTCOME_ACCEPTED, OUTCOME_ACCEPTED, 30, 50, 500, 300, 700, 200, 100, RESIDENT},
        {OUTCOME_REFUTED, OUTCOME_ACCEPTED, OUTCOME_BETWEEN, 30, 50, 300, 500, 550, 200, 250, RESIDENT},
        {OUTCOME_ACCEPTED, OUTCOME_BETWEEN, OUTCOME_BETWEEN, 50, 50, 500, 300, 400, 300, 300, RESIDENT},
        {OUTCOME_ACCEPTED, OUTCOME_REFUTED, OUTCOME_REFUTED, 75, 50, 500, 300, 300, 100, 600, RESIDENT},
        {OUTCOME_ACCEPTED, OUTCOME_REFUTED, OUTCOME_ACCEPTED, 30, 85, 500, 300, 700, 200, 100, RESIDENT},
        {OUTCOME_EXCLUDED, OUTCOME_EXCLUDED, OUTCOME_EXCLUDED, 75, 50, 500, 300, 300, 100, 600,
         40000}, // underfilled, and no launches
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (int fitted = 0; fitted < 2; ++fitted) {
            struct bench bench;
            bench_open(&bench);
            add_limits(&bench, fitted ? "open" : "forest", &rows[i]);
            assert_outcome(&bench, i, "C19 ahead", fitted ? OUTCOME_EXCLUDED : rows[i].memory_first);
            assert_outcome(&bench, i, "C19 fp32", fitted ? OUTCOME_EXCLUDED : rows[i].arithmetic);
            assert_outcome(&bench, i, "C32 ratio", fitted ? OUTCOME_EXCLUDED : rows[i].c32);
            bench_close(&bench);
        }
}

// ---- compiler

static void test_spills(void **state)
{
    (void)state;
    static const struct {
        const char *parameters;
        uint32_t bytes;
        enum claim_outcome outcome;
    } rows[] = {{"registers=64", 160, OUTCOME_ACCEPTED},
                {"registers=64", 0, OUTCOME_REFUTED},
                {"registers=32", 504, OUTCOME_UNMEASURED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct bench bench;
        bench_open(&bench);
        struct made made = on_gpu("naive", "forest");
        made.parameters = rows[i].parameters;
        struct measured_repetition frame = {
            .host_seconds = 1, .device_seconds = NAN, .gap_seconds = NAN, .sm_mhz = NAN};
        struct measured_kernel kernel = {
            .kernel = "kernel", .facts = {.registers = 64, .spill_bytes = rows[i].bytes}, .block = 64};
        made_finish(bench.store, bench.run, made_asked(bench.store, bench.run, &made, frame_asked), &made,
                    &(struct measurement){.collection = COLLECTION_FRAME,
                                          .repetitions = &frame,
                                          .repetition_count = 1,
                                          .kernels = &kernel,
                                          .kernel_count = 1});
        assert_outcome(&bench, i, "C33 spilled", rows[i].outcome);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_launches), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_spills)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
