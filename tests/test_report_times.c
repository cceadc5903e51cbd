// SPDX-License-Identifier: MIT
// Tables and figures of times from made-up measurements: every cell against arithmetic done here.
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

// ---- Table 1

static void test_table1(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    const int64_t trial = add_times(&bench, on_gpu("naive", "forest"), 0.25, 0.001);
    add_times(&bench, on_gpu("whole_frame", "forest"), 0.2, 0.002);
    add_times(&bench, on_gpu("tiled_shared", "forest"), 0.5, 0.001);
    struct made made = on_gpu("tiled_shared", "forest");
    made.parameters = "tile_m=8"; // not the table's
    add_times(&bench, made, 0.9, 0.001);
    add_times(&bench, on_gpu("tiled_global", "forest"), 0.2504, 0.001);
    add_times(&bench, on_gpu("naive", "open"), 0.3, 0.001);
    bench_table(&bench, "table1", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    const size_t row = bench_row(&bench, 0, "forest (fairy)");
    const struct report_cell *naive = bench_cell(&bench, 0, row, "naive");
    assert_near(naive->value, 4);
    assert_near(naive->published, 3.13);
    assert_true(isnan(naive->ratio));
    assert_near(naive->low, 4 / (1 + interval(0.001)));
    assert_near(naive->high, 4 * (1 + interval(0.001)));
    assert_near(bench_cell(&bench, 0, row, "whole_frame")->value, 5);
    const struct report_cell *change = bench_cell(&bench, 0, row, "whole_frame_change");
    assert_near(change->value, 25);
    assert_near(change->published, 13);
    assert_near(change->ratio, 1.25 / (3.54 / 3.13));
    const double both = sqrt(pow(interval(0.001), 2) + pow(interval(0.002), 2));
    assert_near(change->low, 100 * (1.25 * (1 - both) - 1));
    assert_near(change->high, 100 * (1.25 * (1 + both) - 1));
    assert_near(bench_cell(&bench, 0, row, "tiled_shared_change")->value, -50);
    assert_near(bench_cell(&bench, 0, row, "tiled_shared_change")->ratio, 0.5 / (1.08 / 3.13));
    assert_non_null(strstr(bench_cell(&bench, 0, row, "tiled_global_change")->flags, "unclear")); // 0.16 % of 0.4 %
    assert_null(strstr(change->flags, "unclear"));
    char id[24];
    snprintf(id, sizeof id, "%lld, ", (long long)trial);
    assert_ptr_equal(strstr(naive->trials, id), naive->trials);
    const size_t other = bench_row(&bench, 0, "open (fairy)");
    assert_near(bench_cell(&bench, 0, other, "naive")->value, 1 / 0.3);
    assert_true(isnan(bench_cell(&bench, 0, other, "whole_frame_change")->value));
    show(&bench);
    bench_close(&bench);
}

// A newer setting that has no times yet, or never will, hides none; scenes that are none of the paper's are left out.
static void test_table1_choice(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    add_times(&bench, on_gpu("naive", "forest"), 0.25, 0.001);
    add_times(&bench, on_gpu("whole_frame", "forest"), 0.2, 0.002);
    add_times(&bench, on_gpu("naive", "cornell"), 0.2, 0.002);
    struct made made = on_gpu("naive", "forest");
    made.programs = "newer kernels";
    made_asked(bench.store, bench.run, &made, frame_asked);
    made.variant = "whole_frame";
    made_asked(bench.store, bench.run, &made, frame_asked);
    bench_table(&bench, "table1", (struct report_options){0});
    assert_int_equal(bench.table->panels[0].row_count, 1);
    assert_near(bench_cell(&bench, 0, 0, "naive")->value, 4);
    assert_near(bench_cell(&bench, 0, 0, "whole_frame_change")->value, 25);
    assert_string_equal(bench_cell(&bench, 0, 0, "tiled_shared")->flags, "not_asked");
    bench_table(&bench, "table1", (struct report_options){.all = true});
    assert_int_equal(bench.table->panels[0].row_count, 2);
    bench_table(&bench, "table1", (struct report_options){.scene = "cornell"});
    assert_int_equal(bench.table->panels[0].row_count, 1);
    bench_close(&bench);
}

static void test_table1_weak_cells(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    double frames[3] = {0.1, 0.1, 0.1};
    struct made made = on_gpu("naive", "dragon");
    const int64_t few = made_asked(bench.store, bench.run, &made, frame_asked | counts_asked);
    made_counts(bench.store, bench.run, few, &made);
    made_frames(bench.store, bench.run, few, &made, frames, 3, 10000); // 30,720 warps are 3.07 waves
    made.variant = "whole_frame";
    made_failed(bench.store, bench.run, made_asked(bench.store, bench.run, &made, frame_asked), COLLECTION_FRAME,
                ATTEMPT_SKIPPED, "too little memory");
    made.variant = "tiled_shared";
    made_asked(bench.store, bench.run, &made, frame_asked);
    made.variant = "naive";
    made.device = NULL;
    made.timeless = true;
    made_frames(bench.store, bench.run, made_asked(bench.store, bench.run, &made, frame_asked), &made, frames, 3, 0);
    bench_table(&bench, "table1", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 2);
    const size_t gpu = !strcmp(report_fact(&bench.table->panels[0], "device"), "cuda") ? 0 : 1;
    const struct report_cell *naive = bench_cell(&bench, gpu, 0, "naive");
    assert_near(naive->value, 10);
    assert_non_null(strstr(naive->flags, "few_replicates"));
    assert_non_null(strstr(naive->flags, "few_repetitions"));
    assert_non_null(strstr(naive->flags, "underfilled"));
    assert_true(isnan(bench_cell(&bench, gpu, 0, "whole_frame")->value));
    assert_string_equal(bench_cell(&bench, gpu, 0, "whole_frame")->flags, "not measured: skipped: too little memory");
    assert_string_equal(bench_cell(&bench, gpu, 0, "tiled_shared")->flags, "not_run");
    assert_true(isnan(bench_cell(&bench, 1 - gpu, 0, "naive")->value)); // the emulator's clocks mean nothing
    assert_string_equal(bench_cell(&bench, 1 - gpu, 0, "naive")->flags, "untimed");
    char *text = bench_render(&bench, doc_write_text);
    static const char *const wanted[] = {"10.00^", "fewer than 5 replicates", "skipped: too little memory",
                                         "not measured: the device has no clock", "Not measured: global change"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        if (!strstr(text, wanted[i]))
            fail_msg("no '%s' in:\n%s", wanted[i], text);
    free(text);
    text = bench_render(&bench, doc_write_markdown);
    assert_non_null(strstr(text, "not measured<sup>"));
    free(text);
    bench_close(&bench);
}

// ---- Table 3 and what is made of launches

// The paper's own Table 3, given back through the database: launch times are its microseconds times the active warps.
static void add_table3(struct bench *bench, const char *scene, int64_t scale)
{
    uint64_t paths[BOUNCES], warps[BOUNCES], compacted[BOUNCES];
    double off[BOUNCES], on[BOUNCES];
    for (int i = 0; i < BOUNCES; ++i) {
        paths[i] = fairy_paths[i] * (uint64_t)(scale * scale);
        warps[i] = fairy_warps[i] * (uint64_t)(scale * scale);
    }
    made_compact(paths, compacted);
    for (int i = 0; i < BOUNCES; ++i) {
        off[i] = off_us[i] * 1e-6 * (double)warps[i];
        on[i] = on_us[i] * 1e-6 * (double)compacted[i] * (scale > 1 && i == 8 ? 0.75 : 1);
    }
    struct made made = on_gpu("whole_frame_off", scene);
    made.width *= scale;
    made.height *= scale;
    made.paths = paths;
    made.warps = warps;
    add_launches(bench, made, off, 0, 1e-5, 0.001);
    made.variant = "whole_frame";
    made.warps = compacted;
    add_launches(bench, made, on, 1e-4, 1e-3, 0.002);
}

// Newer kernels whose launches are still to be timed.
static void ask_table3_again(struct bench *bench)
{
    struct made made = on_gpu("whole_frame_off", "forest");
    made.programs = "newer kernels";
    made_asked(bench->store, bench->run, &made, launches_asked);
    made.variant = "whole_frame";
    made_asked(bench->store, bench->run, &made, launches_asked);
}

static void test_table3(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    add_table3(&bench, "forest", 1);
    ask_table3_again(&bench);
    bench_table(&bench, "table3", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_int_equal(bench.table->panels[0].row_count, BOUNCES);
    for (size_t b = 0; b < BOUNCES; ++b) {
        const double warps = ceil((double)fairy_paths[b] / 32);
        const struct report_cell *off = bench_cell(&bench, 0, b, "off_time"), *on = bench_cell(&bench, 0, b, "on_time"),
                                 *ratio = bench_cell(&bench, 0, b, "on_off");
        assert_near(off->value, off_us[b]);
        assert_near(on->value, on_us[b]);
        assert_near(off->published, off_us[b]);
        assert_true(isnan(off->ratio) && isnan(on->ratio));
        assert_near(on->low, on_us[b] * (1 - interval(0.002)));
        assert_near(ratio->value, on_us[b] / off_us[b]);
        assert_near(ratio->published, on_us[b] / off_us[b]);
        assert_near(ratio->ratio, 1);
        assert_true(ratio->within);
        assert_near(bench_cell(&bench, 0, b, "off_waves")->value, (double)fairy_warps[b] / RESIDENT);
        assert_near(bench_cell(&bench, 0, b, "on_waves")->value, warps / RESIDENT);
        assert_near(bench_cell(&bench, 0, b, "on_paths_per_warp")->value, (double)fairy_paths[b] / warps);
        assert_near(bench_cell(&bench, 0, b, "off_path_time")->value,
                    1e3 * off_us[b] * (double)fairy_warps[b] / (double)fairy_paths[b]);
    }
    assert_drawn(&bench, "time_per_warp");
    show(&bench);
    bench_close(&bench);
}

static void test_compaction(void **state)
{
    (void)state;
    struct bench bench;
    double paths = 0;
    bench_open(&bench);
    add_table3(&bench, "forest", 1);
    for (int i = 0; i < BOUNCES; ++i)
        paths += on_us[i] * 1e-6 * ceil((double)fairy_paths[i] / 32);
    ask_table3_again(&bench);
    bench_table(&bench, "compaction", (struct report_options){0});
    const double compaction = BOUNCES * 1e-4, whole = paths + compaction + 1e-3;
    assert_near(cell(&bench, "forest (fairy)", "frame"), 1e3 * whole);
    assert_near(cell(&bench, "forest (fairy)", "compaction_share"), compaction / whole);
    assert_near(cell(&bench, "forest (fairy)", "compaction_and_gaps"), (compaction + 1e-3) / whole);
    show(&bench);
    bench_close(&bench);
}

static void test_resolution(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    add_table3(&bench, "forest", 1);
    add_table3(&bench, "forest", 4);
    bench_table(&bench, "resolution", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_near(cell(&bench, "1280x768", "rise"), 4.3 / 3.1);
    assert_near(whole_cell(&bench, "1280x768", "rise")->published, 4.3 / 3.1);
    assert_near(cell(&bench, "1280x768", "on_off"), 4.3 / 0.9);
    assert_near(cell(&bench, "1280x768", "first_rise"), 2.3 / 1.6);
    assert_near(cell(&bench, "5120x3072", "pixels"), 16);
    assert_near(cell(&bench, "5120x3072", "rise"), 0.75 * 4.3 / 3.1);
    assert_true(isnan(whole_cell(&bench, "5120x3072", "rise")->published));
    show(&bench);
    bench_close(&bench);
}

// ---- Figure 2

static void test_figure2_left(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    static const char *const tiles[] = {"tile_m=1", "tile_m=2", "tile_m=4", "tile_m=8"};
    static const double shared[] = {0.25, 0.3, 0.6, 1.1}, global[] = {0.24, 0.22, 0.2, 0.21};
    add_times(&bench, on_gpu("naive", "forest"), 0.2, 0.001);
    for (size_t i = 0; i < 4; ++i) {
        struct made made = on_gpu("tiled_shared", "forest");
        made.parameters = tiles[i];
        add_times(&bench, made, shared[i], 0.001);
        made.variant = "tiled_global";
        add_times(&bench, made, global[i], 0.001);
    }
    bench_table(&bench, "figure2_left", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    for (size_t i = 0; i < 4; ++i) {
        const struct report_cell *tiled = bench_cell(&bench, 0, i, "tiled_shared");
        assert_near(tiled->value, 0.2 / shared[i]);
        assert_near(tiled->high, 0.2 / shared[i] * (1 + sqrt(2) * interval(0.001)));
        assert_near(bench_cell(&bench, 0, i, "tiled_global")->value, 0.2 / global[i]);
    }
    assert_drawn(&bench, "figure2_left");
    show(&bench);
    bench_close(&bench);
}

static void test_figure2_right(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    add_times(&bench, on_gpu("naive", "forest"), 0.2, 0.001);
    struct made made = on_gpu("naive", "forest");
    struct measured_metric metric = {.launch = MEASURED_FRAME, .metric = "achieved_occupancy", .value = 41.5};
    made_finish(bench.store, bench.run, made_asked(bench.store, bench.run, &made, 1 << COLLECTION_COUNTERS), &made,
                &(struct measurement){.collection = COLLECTION_COUNTERS, .metrics = &metric, .metric_count = 1});
    bench_table(&bench, "figure2_right", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 2);
    static const char *const rows[] = {"0", "4", "8"};
    static const double warps[] = {16, 4, 2}, printed[] = {33, 8, 4};
    for (int i = 0; i < 3; ++i) { // Wald's 33, 8 and 4 % are 16, 4 and 2 of 48 warps
        const struct report_cell *share = whole_cell(&bench, rows[i], "occupancy");
        assert_near(share->value, 100 * warps[i] / 48);
        assert_near(share->published, printed[i]);
        assert_true(share->within);
        assert_near(cell(&bench, rows[i], "warps"), warps[i]);
        assert_near(cell(&bench, rows[i], "shared"), strtod(rows[i], NULL) * 64 * 96 / 1024);
        assert_string_equal(whole_cell(&bench, rows[i], "achieved")->flags, "other_gpu");
    }
    // 9.0: 65,536 registers hold 32 warps of 64; at M = 4, 233,472 bytes hold 9 blocks of 24,576 + 1,024.
    const size_t four = bench_row(&bench, 1, "4");
    assert_near(bench_cell(&bench, 1, bench_row(&bench, 1, "0"), "occupancy")->value, 50);
    assert_near(bench_cell(&bench, 1, four, "blocks")->value, 9);
    assert_near(bench_cell(&bench, 1, four, "occupancy")->value, 100.0 * 18 / 64);
    assert_true(isnan(bench_cell(&bench, 1, four, "occupancy")->published));
    assert_near(bench_cell(&bench, 1, bench_row(&bench, 1, "0"), "achieved")->value, 41.5);
    assert_near(bench_cell(&bench, 1, bench_row(&bench, 1, "0"), "kernel_occupancy")->value, 100.0 * RESIDENT / 2 / 64);
    assert_drawn(&bench, "figure2_right");
    show(&bench);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table1),
        cmocka_unit_test(test_table1_choice),
        cmocka_unit_test(test_table1_weak_cells),
        cmocka_unit_test(test_table3),
        cmocka_unit_test(test_compaction),
        cmocka_unit_test(test_resolution),
        cmocka_unit_test(test_figure2_left),
        cmocka_unit_test(test_figure2_right),
    };
    return cmocka_run_group_tests_name("report_times", tests, NULL, NULL);
}
