// SPDX-License-Identifier: MIT
// Tables of times from made-up measurements: every cell against arithmetic done here.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/counters.h"
#include "report/plot.h"
#include "report_support.h"

enum { REPLICATES = 5, REPETITIONS = 10, RESIDENT = 100 };

enum {
    frame_asked = 1 << COLLECTION_FRAME,
    launches_asked = 1 << COLLECTION_LAUNCHES,
    counts_asked = 1 << COLLECTION_COUNTS
};

static void assert_near(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-9 * fabs(wanted) + 1e-12))
        fail_msg("%.12g is not %.12g", value, wanted);
}

// Replicates whose medians are 98, 99, 100, 101, 102 % of `seconds` in steps of `step` percent; returns the first
// trial.
static int64_t add_times(struct bench *bench, struct made made, double seconds, double step)
{
    int64_t first = 0;
    for (int r = 0; r < REPLICATES; ++r) {
        double frames[REPETITIONS];
        for (int i = 0; i < REPETITIONS; ++i) // the median of each replicate is its middle
            frames[i] = seconds * (1 + step * (r - REPLICATES / 2)) * (1 + 0.01 * (i % 2 ? 1 + i : -i));
        frames[0] = frames[1] = seconds * (1 + step * (r - REPLICATES / 2));
        made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &made, frame_asked | (r ? 0 : counts_asked));
        if (!r) {
            first = trial;
            made_counts(bench->store, bench->run, trial, &made);
        }
        made_frames(bench->store, bench->run, trial, &made, frames, REPETITIONS, RESIDENT);
    }
    return first;
}

// Half width of the 95 % interval over the mean, of five medians `step` apart.
static double interval(double step)
{
    return 2.7764 * step * sqrt(2.5) / sqrt(5);
}

static struct made on_gpu(const char *variant, const char *scene)
{
    struct made made = made_fairy(variant, fairy_warps);
    made.scene = scene;
    made.device = "cuda";
    return made;
}

// With SHOW_REPORTS set, what a reader would see.
static void show(const struct bench *bench)
{
    if (!getenv("SHOW_REPORTS"))
        return;
    char *text = bench_render(bench, report_write_text);
    puts(text);
    free(text);
}

// A trial of `bounces + 1` launches with their compaction after each, five replicates.
static int64_t add_launches(struct bench *bench, struct made made, const double *seconds, double compaction, double gap,
                            double step)
{
    int64_t first = 0;
    for (int r = 0; r < REPLICATES; ++r) {
        struct measured_launch rows[2 * BOUNCES];
        size_t count = 0;
        for (int b = 0; b < BOUNCES; ++b) {
            rows[count++] =
                (struct measured_launch){.bounce = b, .seconds = seconds[b] * (1 + step * (r - REPLICATES / 2))};
            if (compaction > 0)
                rows[count++] = (struct measured_launch){.bounce = b, .auxiliary = true, .seconds = compaction};
        }
        made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &made, launches_asked | (r ? 0 : counts_asked));
        if (!r) {
            first = trial;
            made_counts(bench->store, bench->run, trial, &made);
        }
        made_launches(bench->store, bench->run, trial, &made, rows, count, gap, RESIDENT);
    }
    return first;
}

// Draws every figure of the bench's table; with SHOW_REPORTS set, the pictures stay in that folder.
static void assert_drawn(struct bench *bench, const char *figure)
{
    struct error error = {0};
    struct staging staging = {.count = 0};
    char folder[] = "/tmp/report-times-XXXXXX", path[700], command[800];
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        puts("no gnuplot: figures are not drawn");
        return;
    }
    assert_non_null(mkdtemp(folder));
    must(staging_begin(&staging, folder, &error), &error);
    FILE *stream = staging_open(&staging, "table.csv", &error);
    report_write_csv(bench->table, stream);
    must(staging_close(&staging, stream, &error), &error);
    for (size_t i = 0; i < bench->table->panel_count; ++i) {
        char stem[64];
        snprintf(stem, sizeof stem, "%s_%zu", figure, i + 1);
        if (plot_draw(&staging, paper_figure_find(bench->paper, figure), "table.csv", stem, i + 1, "a heading",
                      &error) != PLOT_DONE)
            must(false, &error);
    }
    must(staging_commit(&staging, &error), &error);
    for (size_t i = 0; i < staging.count; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, staging.names[i]);
        struct stat facts;
        assert_int_equal(stat(path, &facts), 0);
        assert_true(facts.st_size > (strstr(path, ".csv") ? 100 : 2000)); // a picture, not an empty frame
    }
    staging_abandon(&staging);
    if (getenv("SHOW_REPORTS"))
        snprintf(command, sizeof command, "cp %s/* '%s' && rm -rf %s", folder, getenv("SHOW_REPORTS"), folder);
    else
        snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static double cell(const struct bench *bench, const char *row, const char *column)
{
    return bench_cell(bench, 0, bench_row(bench, 0, row), column)->value;
}

static const struct report_cell *whole_cell(const struct bench *bench, const char *row, const char *column)
{
    return bench_cell(bench, 0, bench_row(bench, 0, row), column);
}

// ---- Table 1
// ------------------------------------------------------------------------------------------------------------------

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
    char *text = bench_render(&bench, report_write_text);
    static const char *const wanted[] = {"10.00^", "fewer than 5 replicates", "skipped: too little memory",
                                         "not measured: the device has no clock", "Not measured: global change"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        if (!strstr(text, wanted[i]))
            fail_msg("no '%s' in:\n%s", wanted[i], text);
    free(text);
    text = bench_render(&bench, report_write_markdown);
    assert_non_null(strstr(text, "not measured<sup>"));
    free(text);
    bench_close(&bench);
}

// ---- Table 3 and what is made of launches
// ------------------------------------------------------------------------------------------------------------------

static const double off_us[BOUNCES] = {1.6, 2.3, 1.9, 1.4, 1.1, 1.0, 0.9, 0.8, 0.9},
                    on_us[BOUNCES] = {1.6, 2.3, 3.1, 3.2, 3.4, 3.6, 3.8, 4.0, 4.3};

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

static void test_table3(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    add_table3(&bench, "forest", 1);
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
// ------------------------------------------------------------------------------------------------------------------

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

// ---- controls
// ------------------------------------------------------------------------------------------------------------------

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
    bench_table(&bench, "storeload", (struct report_options){0});
    assert_near(cell(&bench, "2", "overhead"), 5);
    assert_near(cell(&bench, "8", "overhead"), 10);
    double frame = 0; // of the paper's tables: 342.3 ms
    for (int i = 0; i < BOUNCES; ++i)
        frame += off_us[i] * (double)fairy_warps[i] * 1e-6;
    const struct report_cell *overhead = whole_cell(&bench, "8", "overhead");
    assert_near(overhead->published, 100 * (frame * 3.13 - 1));
    assert_true(fabs(overhead->published - 7.1) < 0.05);
    assert_near(overhead->ratio, 1.1 / (frame * 3.13));
    assert_true(isnan(whole_cell(&bench, "2", "overhead")->published));
    assert_string_equal(report_fact(&bench.table->panels[0], "finding"),
                        "the overhead spans 5.0 points over these bounce limits");
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
    assert_near(cell(&bench, "2.0", "speedup"), (1.5 + 0.25 / 0.14) / 2); // half way from x1.5 to x2.5
    assert_near(cell(&bench, "3.0", "speedup"), (0.25 / 0.14 + 0.35 / 0.18) / 2);
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
    assert_near(cell(&bench, "M 4, tiled_global, 24576 unused bytes", "slowdown"), 1.8);
    assert_near(cell(&bench, "M 4, tiled_global, at most 9 blocks", "slowdown"), 1.5);
    assert_near(cell(&bench, "M 4, tiled_shared", "slowdown"), 2);
    show(&bench);
    bench_close(&bench);
}

// ---- hardware
// ------------------------------------------------------------------------------------------------------------------

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
    assert_near(cell(&bench, "0", "model_inner"), 1600 / 3200.0);
    assert_near(cell(&bench, "0", "hardware_inner"), 14400 / 32000.0);
    assert_near(cell(&bench, "0", "error_inner"), 5);
    assert_near(cell(&bench, "0", "error_triangle"), 0);
    assert_near(cell(&bench, "0", "error"), 100 * (2000 / 4800.0 - 22400 / 64000.0));
    assert_string_equal(whole_cell(&bench, "0", "error")->flags, "far_off");
    show(&bench);
    bench_table(&bench, "witness", (struct report_options){0});
    assert_near(cell(&bench, "whole_frame_off", "equal"), 1);
    assert_near(cell(&bench, "whole_frame_off", "different"), 0);
    assert_near(cell(&bench, "whole_frame", "different"), 1);
    assert_string_equal(report_fact(&bench.table->panels[0], "finding"), "1 of 2 launches differ");
    show(&bench);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table1),
        cmocka_unit_test(test_table1_weak_cells),
        cmocka_unit_test(test_table3),
        cmocka_unit_test(test_compaction),
        cmocka_unit_test(test_resolution),
        cmocka_unit_test(test_figure2_left),
        cmocka_unit_test(test_figure2_right),
        cmocka_unit_test(test_storeload),
        cmocka_unit_test(test_dummy),
        cmocka_unit_test(test_envcdf),
        cmocka_unit_test(test_speculative),
        cmocka_unit_test(test_views_and_brdf),
        cmocka_unit_test(test_registers_and_occupancy),
        cmocka_unit_test(test_model_and_witness),
    };
    return cmocka_run_group_tests_name("report_times", tests, NULL, NULL);
}
