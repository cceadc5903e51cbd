// SPDX-License-Identifier: MIT
// The controls of Wald 2011, section 4, and the hardware's witnesses, from made-up measurements: cells against
// arithmetic done here.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/counters.h"
#include "report_study.h"

// ---- controls

static void test_storeload(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    for (int limit = 2; limit <= 8; limit += 6) {
        struct made made = on_gpu("naive", "forest");
        made.max_bounces = limit;
        add_times(&bench, made, 0.1 * limit, 0.001);
        made.variant = "whole_frame_off";
        add_times(&bench, made, 0.1 * limit * (limit == 8 ? 1.1 : 1.05), 0.001);
    }
    static const char *const bytes[] = {"path_bytes=48", "path_bytes=128"};
    for (size_t i = 0; i < 2; ++i) {
        struct made made = on_gpu("whole_frame_off", "forest");
        made.parameters = bytes[i];
        add_times(&bench, made, 0.9, 0.001);
        made.variant = "whole_frame";
        add_times(&bench, made, 0.7 + 0.1 * (double)i, 0.001);
    }
    bench_table(&bench, "storeload", (struct report_options){0});
    assert_near(cell(&bench, "2, 88 bytes", "overhead"), 5);
    assert_near(cell(&bench, "8, 88 bytes", "overhead"), 10);
    assert_near(cell(&bench, "8, 128 bytes", "overhead"), 12.5);
    assert_near(cell(&bench, "8, 128 bytes", "compacted"), 800);
    assert_string_equal(whole_cell(&bench, "8, 88 bytes", "compacted")->flags, "not_asked");
    assert_true(bench_row(&bench, 0, "8, 48 bytes") < bench_row(&bench, 0, "8, 88 bytes"));
    assert_true(bench_row(&bench, 0, "8, 88 bytes") < bench_row(&bench, 0, "8, 128 bytes"));
    double frame = 0; // of the paper's tables: 342.3 ms
    for (int i = 0; i < BOUNCES; ++i)
        frame += off_us[i] * (double)fairy_warps[i] * 1e-6;
    const struct report_cell *overhead = whole_cell(&bench, "8, 88 bytes", "overhead");
    assert_near(overhead->published, 100 * (frame * 3.13 - 1));
    assert_true(fabs(overhead->published - 7.1) < 0.05);
    assert_near(overhead->ratio, 1.1 / (frame * 3.13));
    assert_true(isnan(whole_cell(&bench, "2, 88 bytes", "overhead")->published));
    assert_string_equal(report_fact(&bench.table->panels[0], "finding"),
                        "the overhead varies by 5.0 points over these bounce limits");
    show(&bench);
    bench_close(&bench);
}

static void add_dummy(struct bench *bench)
{
    static const char *const amounts[] = {"dummy_flops=0", "dummy_flops=1000", "dummy_flops=4000", "dummy_flops=8000"};
    static const double naive[] = {0.1, 0.15, 0.25, 0.35}, whole[] = {0.08, 0.1, 0.14, 0.18};
    uint64_t compacted[BOUNCES];
    made_compact(fairy_paths, compacted);
    for (size_t i = 0; i < 4; ++i) {
        struct made made = on_gpu("naive", "forest");
        made.parameters = amounts[i];
        add_times(bench, made, naive[i], 0.001);
        made.variant = "whole_frame";
        made.warps = compacted;
        add_times(bench, made, whole[i], 0.001);
    }
}

static void test_dummy(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    add_dummy(&bench);
    double naive_warps = 0, warps = 0;
    for (int i = 0; i < BOUNCES; ++i) {
        naive_warps += (double)fairy_warps[i];
        warps += ceil((double)fairy_paths[i] / 32);
    }
    const double saved = naive_warps / warps;
    bench_table(&bench, "dummy", (struct report_options){0});
    assert_near(cell(&bench, "1000", "multiple"), 1.5);
    assert_near(cell(&bench, "4000", "speedup"), 0.25 / 0.14);
    assert_near(cell(&bench, "4000", "model"), 0.25 / (0.08 + 0.15 / saved));
    assert_near(cell(&bench, "0", "saved"), saved);
    show(&bench);
    bench_table(&bench, "dummy_speedup", (struct report_options){0});
    assert_near(cell(&bench, "1.0", "speedup"), 1.25);
    assert_near(cell(&bench, "1.5", "speedup"), 1.5);
    assert_near(cell(&bench, "2.0", "speedup"), 0.2 / 0.12); // half way between both times
    assert_near(cell(&bench, "3.0", "speedup"), 0.3 / 0.16);
    assert_true(isnan(cell(&bench, "4.0", "speedup")));
    assert_string_equal(whole_cell(&bench, "4.0", "speedup")->flags, "outside");
    assert_near(whole_cell(&bench, "2.0", "speedup")->published, 1.8);
    assert_near(whole_cell(&bench, "1.0", "speedup")->published, 3.54 / 3.13);
    assert_near(cell(&bench, "2.0", "model"), 0.2 / (0.08 + 0.1 / saved));
    assert_true(fabs(whole_cell(&bench, "2.0", "model")->published - 1.517) < 0.001);
    assert_true(fabs(whole_cell(&bench, "3.0", "model")->published - 1.712) < 0.001);
    assert_drawn(&bench, "dummy_speedup");
    show(&bench);
    bench_close(&bench);
}

static void test_envcdf(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    static const char *const searches[] = {"light_search=alias", "light_search=cdf"};
    for (size_t i = 0; i < 2; ++i) {
        struct made made = on_gpu("naive", "forest");
        made.parameters = searches[i];
        add_times(&bench, made, i ? 0.12 : 0.1, 0.001);
        made.variant = "whole_frame";
        add_times(&bench, made, i ? 0.1 : 0.08, 0.001);
    }
    bench_table(&bench, "envcdf", (struct report_options){0});
    assert_near(cell(&bench, "search, 2000x1000", "naive_rise"), 20);
    assert_near(cell(&bench, "search, 2000x1000", "difference"), 100 * (1.2 - 1.25));
    const double both = sqrt(2) * interval(0.001);
    assert_near(whole_cell(&bench, "search, 2000x1000", "difference")->low,
                100 * (-0.05 - sqrt(pow(1.2 * both, 2) + pow(1.25 * both, 2))));
    assert_near(whole_cell(&bench, "search, 2000x1000", "difference")->published, 0);
    show(&bench);
    bench_close(&bench);
}

static void test_speculative(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    for (int i = 0; i < 2; ++i) {
        struct made made = on_gpu("naive", "forest");
        made.parameters = i ? "traversal=speculative" : "traversal=while_while";
        add_times(&bench, made, i ? 0.11 : 0.1, 0.001);
        made.variant = "whole_frame";
        add_times(&bench, made, i ? 0.09 : 0.08, 0.001);
    }
    bench_table(&bench, "speculative", (struct report_options){0});
    assert_near(cell(&bench, "forest (fairy)", "naive_time"), 1.1);
    assert_near(cell(&bench, "forest (fairy)", "whole_time"), 0.09 / 0.08);
    assert_near(cell(&bench, "forest (fairy)", "speedup_ww"), 1.25);
    assert_near(cell(&bench, "forest (fairy)", "speedup_spec"), 0.11 / 0.09);
    show(&bench);
    bench_close(&bench);
}

static void test_views_and_brdf(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES], sum = 0, less = 0, paths = 0;
    made_compact(fairy_paths, compacted);
    for (int i = 0; i < BOUNCES; ++i) {
        sum += fairy_warps[i];
        less += compacted[i];
        paths += fairy_paths[i];
    }
    bench_open(&bench);
    for (int i = 0; i < 2; ++i) {
        struct made made = on_gpu("naive", "car");
        made.camera = i ? "inside" : "";
        made.parameters = i ? "materials=scene" : NULL;
        add_times(&bench, made, 0.1, 0.001);
        made.variant = "whole_frame";
        made.warps = compacted;
        add_times(&bench, made, 0.08, 0.001);
    }
    bench_table(&bench, "views", (struct report_options){0});
    const struct report_cell *saved = bench_cell(&bench, 0, 0, "saved");
    assert_near(saved->value, (double)sum / (double)less);
    assert_near(bench_cell(&bench, 0, 0, "utilisation")->value, (double)paths / (32.0 * (double)sum));
    assert_near(bench_cell(&bench, 0, 0, "change")->value, 25);
    assert_near(bench_cell(&bench, 0, 0, "realised")->value, 0.25 / ((double)sum / (double)less - 1));
    show(&bench);
    struct made made = on_gpu("naive", "car");
    made.parameters = "materials=scene";
    add_times(&bench, made, 0.1, 0.001);
    made.variant = "whole_frame";
    made.warps = compacted;
    add_times(&bench, made, 0.05, 0.001);
    bench_table(&bench, "brdf", (struct report_options){0});
    assert_int_equal(bench.table->panels[0].row_count, 2);
    assert_near(bench_cell(&bench, 0, 1, "change")->value, 100);
    show(&bench);
    bench_close(&bench);
}

// The trials of a cell are those ids and no other.
static void assert_cites(const struct report_cell *cell, const int64_t *trials, size_t count)
{
    char wanted[200] = "";
    for (size_t i = 0, used = 0; i < count; ++i)
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%lld", i ? ", " : "", (long long)trials[i]);
    assert_string_equal(cell->trials, wanted);
}

// Counters of the same kernels in a newer experiment, which asks for no times, neither hide them nor stand for them.
static void test_views_beside_counters(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES];
    int64_t naive = 0, whole = 0; // the first trials of the open scene: those that have counts
    made_compact(fairy_paths, compacted);
    bench_open(&bench);
    for (int i = 1; i >= 0; --i) {
        struct made made = on_gpu("naive", i ? "closed_box" : "forest");
        naive = add_times(&bench, made, 0.1, 0.001);
        made.programs = "and counters";
        made_asked(bench.store, bench.run, &made, 1 << COLLECTION_COUNTERS);
        made.programs = NULL;
        made.variant = "whole_frame";
        made.warps = i ? fairy_warps : compacted; // of the closed box: as many warps
        whole = add_times(&bench, made, 0.08, 0.001);
        made.programs = "and counters";
        made_asked(bench.store, bench.run, &made, counts_asked | 1 << COLLECTION_COUNTERS);
    }
    struct made small = on_gpu("whole_frame", "forest"); // alone in its size
    small.width = small.height = 64;
    add_times(&bench, small, 0.08, 0.001);
    static const char *const tables[] = {"views", "brdf"};
    for (size_t i = 0; i < 2; ++i) {
        bench_table(&bench, tables[i], (struct report_options){.all = i == 1});
        const size_t panel = 0, // the larger image
            closed = bench_row(&bench, panel, i ? "closed_box, lambert07" : "closed_box, corner"),
                     open = bench_row(&bench, panel, i ? "forest (fairy), lambert07" : "forest (fairy)");
        assert_near(bench_cell(&bench, panel, open, "change")->value, 25);
        assert_true(isfinite(bench_cell(&bench, panel, open, "realised")->value));
        assert_cites(bench_cell(&bench, panel, open, "utilisation"), &naive, 1);
        assert_cites(bench_cell(&bench, panel, open, "saved"), (const int64_t[]){whole, naive}, 2);
        int64_t timed[2 * REPLICATES];
        for (int r = 0; r < REPLICATES; ++r) {
            timed[r] = whole + r;
            timed[REPLICATES + r] = naive + r;
        }
        assert_cites(bench_cell(&bench, panel, open, "change"), timed, 2 * REPLICATES);
        assert_near(bench_cell(&bench, panel, closed, "change")->value, 25);
        assert_near(bench_cell(&bench, panel, closed, "saved")->value, 1);
        assert_true(isnan(bench_cell(&bench, panel, closed, "realised")->value));
        assert_string_equal(bench_cell(&bench, panel, closed, "realised")->flags, "little_saved");
        assert_int_equal(bench.table->panel_count, i ? 2 : 1); // a panel of one row only where all are asked for
    }
    bench_close(&bench);
}

static void test_registers_and_occupancy(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    for (int i = 0; i < 2; ++i) {
        struct made made = on_gpu("naive", "forest");
        made.parameters = i ? "registers=64" : NULL;
        made.block = i ? 128 : 64;
        add_times(&bench, made, i ? 0.2 : 0.1, 0.001);
        made.variant = "whole_frame";
        add_times(&bench, made, 0.08, 0.001);
    }
    bench_table(&bench, "registers", (struct report_options){0});
    assert_near(cell(&bench, "free, block 64", "change"), 25);
    assert_near(cell(&bench, "at most 64, block 128", "change"), 150);
    assert_near(cell(&bench, "at most 64, block 128", "naive"), 5);
    assert_near(cell(&bench, "free, block 64", "naive_registers"), 64);
    assert_near(cell(&bench, "free, block 64", "naive_warps"), RESIDENT / 2.0);
    show(&bench);
    static const char *const throttles[] = {"carveout=100", "carveout=100 shared_pad=24576",
                                            "carveout=100 resident_blocks=9"};
    static const double seconds[] = {0.1, 0.18, 0.15};
    for (size_t i = 0; i < 3; ++i) {
        struct made made = on_gpu("tiled_global", "forest");
        made.parameters = throttles[i];
        add_times(&bench, made, seconds[i], 0.001);
    }
    struct made shared = on_gpu("tiled_shared", "forest");
    shared.parameters = throttles[0];
    add_times(&bench, shared, 0.2, 0.001);
    bench_table(&bench, "occupancy", (struct report_options){0});
    assert_near(cell(&bench, "M 4, tiled_global", "slowdown"), 1);
    assert_true(isnan(whole_cell(&bench, "M 4, tiled_global", "slowdown")->low)); // it is what others are compared with
    assert_string_equal(whole_cell(&bench, "M 4, tiled_global", "slowdown")->trials,
                        whole_cell(&bench, "M 4, tiled_global", "time")->trials);
    assert_true(isfinite(whole_cell(&bench, "M 4, tiled_shared", "slowdown")->low));
    assert_near(cell(&bench, "M 4, tiled_global, 24576 unused bytes", "slowdown"), 1.8);
    assert_near(cell(&bench, "M 4, tiled_global, at most 9 blocks", "slowdown"), 1.5);
    assert_near(cell(&bench, "M 4, tiled_shared", "slowdown"), 2);
    show(&bench);
    bench_close(&bench);
}

// ---- hardware

// The emulator's model and the hardware's sites of one launch at bounce 0; and the second witness.
static void test_model_and_witness(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    struct made made = made_fairy("whole_frame_off", fairy_warps);
    made.scene = "forest";
    struct measured_lockstep model = {.steps = {100, 1600, 50, 400, 10}};
    struct measured_counts count = {.counts = {.active_paths = 983040, .active_warps = 30720}};
    struct measured_launch launch = {.kernel = "kernel", .grid = 15360, .block = 64, .seconds = NAN};
    made_finish(bench.store, bench.run, made_asked(bench.store, bench.run, &made, counts_asked), &made,
                &(struct measurement){.counts = &count,
                                      .count_count = 1,
                                      .lockstep = &model,
                                      .lockstep_count = 1,
                                      .launches = &launch,
                                      .launch_count = 1});
    made.device = "cuda";
    for (int wrong = 0; wrong < 2; ++wrong) {
        made.variant = wrong ? "whole_frame" : "whole_frame_off";
        const int64_t trial = made_asked(bench.store, bench.run, &made, counts_asked | 1 << COLLECTION_COUNTERS);
        struct measured_site sites[] = {{0, DEVICE_SITE_EXTENSION, 1, 30720, 983040 - (uint64_t)wrong},
                                        {0, DEVICE_SITE_INNER, 1, 1000, 14400},
                                        {0, DEVICE_SITE_TRIANGLE, 1, 1000, 8000}};
        made_finish(bench.store, bench.run, trial, &made,
                    &(struct measurement){.counts = &count, .count_count = 1, .launches = &launch, .launch_count = 1});
        made_finish(bench.store, bench.run, trial, &made,
                    &(struct measurement){.collection = COLLECTION_COUNTERS,
                                          .launches = &launch,
                                          .launch_count = 1,
                                          .sites = sites,
                                          .site_count = 3});
    }
    bench_table(&bench, "model_hardware", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1); // only one variant was modelled
    assert_near(cell(&bench, "whole_frame_off, 0", "model_inner"), 1600 / 3200.0);
    assert_near(cell(&bench, "whole_frame_off, 0", "hardware_inner"), 14400 / 32000.0);
    assert_near(cell(&bench, "whole_frame_off, 0", "error_inner"), 5);
    assert_near(cell(&bench, "whole_frame_off, 0", "error_triangle"), 0);
    assert_near(cell(&bench, "whole_frame_off, 0", "error"), 100 * (2000 / 4800.0 - 22400 / 64000.0));
    assert_string_equal(whole_cell(&bench, "whole_frame_off, 0", "error")->flags, "far_off");
    show(&bench);
    bench_table(&bench, "witness", (struct report_options){0});
    assert_near(cell(&bench, "whole_frame_off", "equal"), 1);
    assert_near(cell(&bench, "whole_frame_off", "different"), 0);
    assert_near(cell(&bench, "whole_frame", "different"), 1);
    assert_string_equal(report_fact(&bench.table->panels[0], "finding"), "1 of 2 launches differ");
    show(&bench);
    bench_close(&bench);
}

enum { SAMPLED_BOUNCES = 2, REASONS = 5 };

static const char *const reasons[REASONS] = {"long_scoreboard", "wait", "selected", "lg_throttle", "misc"};
// Off, on; samples of each reason by bounce.
static const uint64_t samples[2][SAMPLED_BOUNCES][REASONS] = {{{400, 300, 200, 20, 80}, {450, 200, 300, 10, 40}},
                                                              {{500, 100, 380, 10, 10}, {300, 500, 150, 20, 30}}};

static double share_of(int on, int bounce, int reason)
{
    double sum = 0;
    for (int i = 0; i < REASONS; ++i)
        sum += (double)samples[on][bounce][i];
    return (double)samples[on][bounce][reason] / sum;
}

// Counters whose values are 10 a bounce, 1 a metric and 0.5 for compaction; stalls as above; and a launch of
// compaction, which belongs to no kernel of paths.
static void add_counted(struct bench *bench, int on)
{
    static const char *const names[] = {"simd_efficiency", "achieved_occupancy", "fp32_utilisation", "l1_hit_rate",
                                        "l2_hit_rate"};
    struct made made = on_gpu(on ? "whole_frame" : "whole_frame_off", "forest");
    made.max_bounces = SAMPLED_BOUNCES - 1;
    struct measured_launch launches[SAMPLED_BOUNCES + 1];
    struct measured_metric metrics[5 * (SAMPLED_BOUNCES + 1)];
    struct measured_stall stalls[REASONS * SAMPLED_BOUNCES + 1];
    size_t count = 0, sampled = 0;
    for (uint32_t launch = 0; launch <= SAMPLED_BOUNCES; ++launch) {
        const bool last = launch == SAMPLED_BOUNCES;
        launches[launch] = (struct measured_launch){
            .index = launch, .bounce = (int32_t)launch, .kernel = "kernel", .grid = 1, .block = 64, .seconds = NAN};
        launches[launch].auxiliary = last;
        launches[launch].bounce = last ? 0 : (int32_t)launch;
        for (size_t i = 0; i < 5; ++i) {
            struct measured_metric *metric = &metrics[count++];
            *metric =
                (struct measured_metric){.launch = launch, .value = last ? 99 : 10 * launch + (double)i + 0.5 * on};
            snprintf(metric->metric, sizeof metric->metric, "%s", names[i]);
        }
        for (size_t i = 0; !last && i < REASONS; ++i) {
            struct measured_stall *stall = &stalls[sampled++];
            *stall = (struct measured_stall){.launch = launch, .kernel = "kernel", .samples = samples[on][launch][i]};
            snprintf(stall->reason, sizeof stall->reason, "%s", reasons[i]);
        }
    }
    const int64_t trial =
        made_asked(bench->store, bench->run, &made, 1 << COLLECTION_COUNTERS | 1 << COLLECTION_STALLS);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_COUNTERS,
                                      .launches = launches,
                                      .launch_count = SAMPLED_BOUNCES + 1,
                                      .metrics = metrics,
                                      .metric_count = count});
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_STALLS,
                                      .launches = launches,
                                      .launch_count = SAMPLED_BOUNCES + 1,
                                      .stalls = stalls,
                                      .stall_count = sampled});
}

static void test_limits_of_a_warp(void **state)
{
    (void)state;
    struct bench bench;
    static const char *const columns[] = {"simd", "occupancy", "fp32", "l1", "l2"};
    bench_open(&bench);
    add_counted(&bench, 0);
    add_counted(&bench, 1);
    bench_table(&bench, "table3_counters", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_int_equal(bench.table->panels[0].row_count, 2 * SAMPLED_BOUNCES);
    for (int on = 0; on < 2; ++on)
        for (int bounce = 0; bounce < SAMPLED_BOUNCES; ++bounce) {
            char row[24];
            snprintf(row, sizeof row, "%d, %s", bounce, on ? "on" : "off");
            for (int i = 0; i < 5; ++i)
                assert_near(cell(&bench, row, columns[i]), 10 * bounce + i + 0.5 * on);
            assert_near(cell(&bench, row, "memory"), share_of(on, bounce, 0));
            assert_near(cell(&bench, row, "next"), share_of(on, bounce, 1)); // not the share that issued
            assert_string_equal(whole_cell(&bench, row, "next")->flags, "stall_wait");
            assert_near(cell(&bench, row, "r_selected"), share_of(on, bounce, 2));
            assert_true(isnan(cell(&bench, row, "r_lg_throttle"))); // nowhere 3 %
            assert_near(cell(&bench, row, "r_other"), share_of(on, bounce, 3) + share_of(on, bounce, 4));
            assert_near(cell(&bench, row, "bounce"), bounce);
        }
    assert_non_null(strstr(report_fact(&bench.table->panels[0], "finding"), "stall reason at 3 of 4 bounces"));
    assert_drawn(&bench, "stalls");
    show(&bench);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_storeload),
        cmocka_unit_test(test_dummy),
        cmocka_unit_test(test_envcdf),
        cmocka_unit_test(test_speculative),
        cmocka_unit_test(test_views_and_brdf),
        cmocka_unit_test(test_views_beside_counters),
        cmocka_unit_test(test_registers_and_occupancy),
        cmocka_unit_test(test_model_and_witness),
        cmocka_unit_test(test_limits_of_a_warp),
    };
    return cmocka_run_group_tests_name("report_controls", tests, NULL, NULL);
}
