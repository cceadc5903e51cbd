// SPDX-License-Identifier: MIT
// Tables made for figures, from made-up measurements: cells against arithmetic done here. How gnuplot is run.
// The real database's figures: tests/check-figures.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/counters.h"
#include "report/plot.h"
#include "report_study.h"

// ---- lanes and steps

// Steps and lanes at work of a variant, by bounce: inner, triangle.
enum { STEP_BOUNCES = 2 };
struct steps {
    uint64_t inner[STEP_BOUNCES], inner_live[STEP_BOUNCES], triangle[STEP_BOUNCES], triangle_live[STEP_BOUNCES];
};
static const struct steps naive_steps = {{100, 200}, {1600, 1000}, {50, 60}, {400, 300}},
                          compacted_steps = {{100, 90}, {1600, 1000}, {50, 30}, {400, 300}};

static double steps_of(const struct steps *steps)
{
    double sum = 0;
    for (int i = 0; i < STEP_BOUNCES; ++i)
        sum += (double)(steps->inner[i] + steps->triangle[i]);
    return sum;
}

static double lanes(const struct steps *steps, int first, int last)
{
    double live = 0, all = 0;
    for (int i = first; i <= last; ++i) {
        live += (double)(steps->inner_live[i] + steps->triangle_live[i]);
        all += 32.0 * (double)(steps->inner[i] + steps->triangle[i]);
    }
    return live / all;
}

// Counts on the emulator with its model; both rays share the lanes of `steps`.
static void add_model(struct bench *bench, struct made made, const struct steps *steps, const uint64_t *warps)
{
    struct measured_lockstep model[2 * STEP_BOUNCES];
    struct measured_counts counts[STEP_BOUNCES];
    struct measured_launch launch = {.kernel = "kernel", .grid = 15360, .block = 64, .bounce = -1, .seconds = NAN};
    made.device = NULL;
    for (uint32_t i = 0; i < STEP_BOUNCES; ++i) {
        counts[i] = (struct measured_counts){.bounce = i, .counts = {.active_paths = fairy_paths[i + 1]}};
        counts[i].counts.active_warps = warps[i + 1];
        for (uint32_t kind = 0; kind < 2; ++kind) // a quarter of the steps belongs to shadow rays
            model[2 * i + kind] = (struct measured_lockstep){
                .bounce = i,
                .kind = kind,
                .steps = {kind ? steps->inner[i] / 4 : steps->inner[i] - steps->inner[i] / 4,
                          kind ? steps->inner_live[i] / 4 : steps->inner_live[i] - steps->inner_live[i] / 4,
                          kind ? steps->triangle[i] / 4 : steps->triangle[i] - steps->triangle[i] / 4,
                          kind ? steps->triangle_live[i] / 4 : steps->triangle_live[i] - steps->triangle_live[i] / 4,
                          10}};
    }
    made_finish(bench->store, bench->run, made_asked(bench->store, bench->run, &made, counts_asked), &made,
                &(struct measurement){.counts = counts,
                                      .count_count = STEP_BOUNCES,
                                      .lockstep = model,
                                      .lockstep_count = 2 * (size_t)STEP_BOUNCES,
                                      .launches = &launch,
                                      .launch_count = 1});
}

// What the hardware counted at the sites, a launch for each bounce, `extra` steps more than `steps` has at each.
static void add_sites(struct bench *bench, struct made made, const struct steps *steps, uint64_t extra, bool per_bounce)
{
    struct measured_launch launches[STEP_BOUNCES];
    struct measured_site sites[2 * STEP_BOUNCES];
    for (uint32_t i = 0; i < STEP_BOUNCES; ++i) {
        launches[i] = (struct measured_launch){.index = i,
                                               .bounce = per_bounce ? (int32_t)i : -1,
                                               .kernel = "kernel",
                                               .grid = 1,
                                               .block = 64,
                                               .seconds = NAN};
        sites[2 * i] = (struct measured_site){i, DEVICE_SITE_INNER, 1, steps->inner[i] + extra, steps->inner_live[i]};
        sites[2 * i + 1] =
            (struct measured_site){i, DEVICE_SITE_TRIANGLE, 1, steps->triangle[i] + extra, steps->triangle_live[i]};
    }
    const int64_t trial =
        made_asked(bench->store, bench->run, &made, frame_asked | launches_asked | 1 << COLLECTION_COUNTERS);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_COUNTERS,
                                      .launches = launches,
                                      .launch_count = STEP_BOUNCES,
                                      .sites = sites,
                                      .site_count = 2 * (size_t)STEP_BOUNCES});
}

static struct made short_paths(const char *variant)
{
    struct made made = on_gpu(variant, "forest");
    made.max_bounces = STEP_BOUNCES - 1;
    return made;
}

static void test_lanes_at_work(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES];
    made_compact(fairy_paths, compacted);
    bench_open(&bench);
    add_model(&bench, short_paths("naive"), &naive_steps, fairy_warps);
    bench_table(&bench, "simd_efficiency", (struct report_options){0});
    assert_near(cell(&bench, "1", "naive_alive"), (double)fairy_paths[2] / (32.0 * (double)fairy_warps[2]));
    assert_near(cell(&bench, "1", "naive_model"), lanes(&naive_steps, 1, 1));
    assert_near(cell(&bench, "all", "naive_model"), lanes(&naive_steps, 0, 1));
    assert_true(isnan(cell(&bench, "0", "naive_hardware")));
    assert_string_equal(whole_cell(&bench, "0", "naive_hardware")->flags, "no_sites");
    assert_string_equal(whole_cell(&bench, "0", "on_model")->flags, "no_model");
    assert_drawn(&bench, "simd_efficiency");
    add_model(&bench, short_paths("whole_frame"), &compacted_steps, compacted);
    struct made made = short_paths("naive");
    made_trial(bench.store, bench.run, &made); // on the GPU, without a model
    made = short_paths("whole_frame");
    made.warps = compacted;
    made_trial(bench.store, bench.run, &made);
    add_sites(&bench, short_paths("naive"), &naive_steps, 0, false);
    add_sites(&bench, short_paths("whole_frame"), &compacted_steps, 10, true);
    add_sites(&bench, short_paths("whole_frame_off"), &naive_steps, 0, true);
    bench_table(&bench, "simd_efficiency", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1); // the GPU's, which has all that the emulator's has
    assert_string_equal(report_fact(&bench.table->panels[0], "device"), "cuda");
    assert_near(cell(&bench, "1", "on_model"), lanes(&compacted_steps, 1, 1));
    assert_near(cell(&bench, "1", "on_hardware"), 1300 / (32.0 * 140));
    assert_near(cell(&bench, "1", "off_hardware"), lanes(&naive_steps, 1, 1));
    assert_string_equal(whole_cell(&bench, "1", "naive_hardware")->flags, "one_launch");
    assert_near(cell(&bench, "all", "naive_hardware"), lanes(&naive_steps, 0, 1));
    assert_drawn(&bench, "simd_efficiency");
    show(&bench);
    bench_close(&bench);
}

// ---- speedup against saving

static const double launch_seconds[BOUNCES] = {0.010, 0.008, 0.006, 0.005, 0.004, 0.003, 0.002, 0.001, 0.001};

static void assert_sum(const struct bench *bench, const char *row)
{
    static const char *const parts[] = {"ideal", "divergence", "store_load", "compaction", "gaps", "rest"};
    double sum = 0;
    for (size_t i = 0; i < 6; ++i)
        sum += cell(bench, row, parts[i]);
    assert_near(sum, cell(bench, row, "measured"));
}

// Launches of trials that have counts: kernels of launch_seconds, and `compaction` behind each.
static void add_kernels(struct bench *bench, struct made made, double compaction, double step)
{
    for (int r = 0; r < REPLICATES; ++r) {
        struct measured_launch rows[2 * BOUNCES];
        size_t count = 0;
        for (int b = 0; b < BOUNCES; ++b) {
            rows[count++] =
                (struct measured_launch){.bounce = b, .seconds = launch_seconds[b] * (1 + step * (r - MIDDLE))};
            rows[count++] = (struct measured_launch){.bounce = b, .auxiliary = true, .seconds = compaction};
        }
        made.replicate = r;
        const int64_t trial =
            made_asked(bench->store, bench->run, &made, frame_asked | launches_asked | (r ? 0 : counts_asked));
        made_launches(bench->store, bench->run, trial, &made, rows, count, 0.02, RESIDENT);
    }
}

// A naive frame of 100 ms, 110 ms with a launch per bounce, 60 ms with compaction: 40 of kernels, 9 of compaction.
static void add_frames(struct bench *bench, const char *scene)
{
    uint64_t compacted[BOUNCES];
    made_compact(fairy_paths, compacted);
    struct made made = on_gpu("naive", scene);
    add_times(bench, made, 0.1, 0.001);
    made.variant = "whole_frame";
    made.warps = compacted;
    add_times(bench, made, 0.06, 0.002);
    add_kernels(bench, made, 0.001, 0.001);
}

static void test_parts(void **state)
{
    (void)state;
    struct bench bench;
    const char *row = "forest (fairy)";
    double naive_warps = 0, warps = 0;
    for (int i = 0; i < BOUNCES; ++i) {
        naive_warps += (double)fairy_warps[i];
        warps += ceil((double)fairy_paths[i] / 32);
    }
    bench_open(&bench);
    add_frames(&bench, "forest");
    bench_table(&bench, "speedup_saving", (struct report_options){.all = true});
    assert_near(cell(&bench, row, "saved"), naive_warps / warps);
    assert_near(cell(&bench, row, "ideal"), 100 * warps / naive_warps);
    assert_near(cell(&bench, row, "speedup"), 1 / 0.6);
    assert_near(cell(&bench, row, "compaction"), 9);
    assert_near(cell(&bench, row, "gaps"), 60 - 40 - 9);
    assert_true(isnan(cell(&bench, row, "store_load")) && isnan(cell(&bench, row, "divergence")) &&
                isnan(cell(&bench, row, "rest")));
    assert_string_equal(whole_cell(&bench, row, "divergence")->flags, "no_steps");
    assert_string_equal(whole_cell(&bench, row, "store_load")->flags, "no_parts");
    assert_near(cell(&bench, row, "unsplit"), 60 - 100 * warps / naive_warps - 9 - 11);
    assert_drawn(&bench, "speedup_parts");
    add_times(&bench, on_gpu("whole_frame_off", "forest"), 0.11, 0.001);
    add_sites(&bench, on_gpu("naive", "forest"), &naive_steps, 0, false);
    add_sites(&bench, on_gpu("whole_frame", "forest"), &compacted_steps, 5, true);
    bench_table(&bench, "speedup_saving", (struct report_options){.all = true});
    const double steps = (steps_of(&compacted_steps) + 20) / steps_of(&naive_steps);
    assert_near(cell(&bench, row, "divergence"), 100 * (steps - warps / naive_warps));
    assert_near(cell(&bench, row, "store_load"), 10);
    assert_near(cell(&bench, row, "rest"), 100 * (0.4 - 1.1 + 1 - steps));
    assert_true(isnan(cell(&bench, row, "unsplit")));
    assert_sum(&bench, row);
    assert_near(whole_cell(&bench, row, "gaps")->high - cell(&bench, row, "gaps"),
                100 * hypot(0.06 * interval(0.002), 0.04 * interval(0.001)) /
                    0.1); // compaction took the same time always
    assert_near(whole_cell(&bench, row, "store_load")->high - 10, 110 * hypot(interval(0.001), interval(0.001)));
    assert_string_equal(whole_cell(&bench, row, "divergence")->flags, "");
    assert_near(whole_cell(&bench, row, "speedup")->published, 3.54 / 3.13);
    assert_true(fabs(whole_cell(&bench, row, "store_load")->published - 7.1) < 0.05);
    assert_drawn(&bench, "speedup_saving");
    assert_drawn(&bench, "speedup_parts");
    show(&bench);
    bench_close(&bench);
}

// Counts alone: what they promise stands, and no time.
static void test_parts_of_counts(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES];
    made_compact(fairy_paths, compacted);
    bench_open(&bench);
    add_model(&bench, short_paths("naive"), &naive_steps, fairy_warps);
    add_model(&bench, short_paths("whole_frame"), &compacted_steps, compacted);
    bench_table(&bench, "speedup_saving", (struct report_options){.all = true});
    const char *row = "forest (fairy)";
    const double ideal = (double)(compacted[1] + compacted[2]) / (double)(fairy_warps[1] + fairy_warps[2]);
    assert_near(cell(&bench, row, "ideal"), 100 * ideal);
    assert_near(cell(&bench, row, "divergence"), 100 * (steps_of(&compacted_steps) / steps_of(&naive_steps) - ideal));
    assert_string_equal(whole_cell(&bench, row, "divergence")->flags, "modelled_steps");
    assert_true(isnan(cell(&bench, row, "measured")) && isnan(cell(&bench, row, "rest")));
    char *text = bench_render(&bench, doc_write_markdown);
    assert_non_null(strstr(text, "not measured"));
    free(text);
    assert_drawn(&bench, "speedup_parts");
    bench_close(&bench);
}

// ---- gnuplot

static bool no_gnuplot(void)
{
    const bool missing = system("gnuplot --version >/dev/null 2>&1") != 0;
    if (missing)
        puts("no gnuplot: nothing is drawn");
    return missing;
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

enum { DRAWINGS = 32 };

// Many at once; one that fails is told once, in gnuplot's words, and the others are waited for.
static void test_drawing_at_once(void **state)
{
    (void)state;
    struct error error = {0};
    struct staging staging = {0};
    struct plots plots = {.feed = NULL};
    char folder[] = "/tmp/report-plots-XXXXXX", good[100], bad[100], command[100];
    if (no_gnuplot())
        return;
    assert_non_null(mkdtemp(folder));
    write_text(folder, "good.gp",
               "stem = ARG2\ndo for [kind in 'svg pdf png'] { set print stem.'.'.kind; print ARG3; unset print }\n");
    write_text(folder, "bad.gp", "plot nothing_of_that_name\n");
    snprintf(good, sizeof good, "%s/good.gp", folder);
    snprintf(bad, sizeof bad, "%s/bad.gp", folder);
    const struct paper_figure fine = {.id = "fine", .script = good}, faulty = {.id = "faulty", .script = bad};
    must(staging_begin(&staging, folder, &error), &error);
    for (size_t i = 0; i < DRAWINGS; ++i) {
        char stem[32];
        snprintf(stem, sizeof stem, "picture_%zu", i);
        assert_int_equal(plot_begin(&plots, &staging, &fine, "a.csv", stem, i, "", &error), PLOT_DONE);
    }
    assert_int_equal(plot_finish(&plots, &error), PLOT_DONE);
    for (size_t i = 0; i < DRAWINGS; ++i) { // each has its own panel's number
        char path[700], text[32] = "";
        snprintf(path, sizeof path, "%s/picture_%zu.pdf", staging.temporary, i);
        FILE *stream = fopen(path, "r");
        assert_non_null(stream);
        assert_non_null(fgets(text, sizeof text, stream));
        assert_int_equal(atoi(text), i);
        fclose(stream);
    }
    assert_int_equal(plot_begin(&plots, &staging, &faulty, "a.csv", "bad", 1, "", &error), PLOT_DONE);
    assert_int_equal(plot_finish(&plots, &error), PLOT_FAILED);
    assert_non_null(strstr(error.message, "nothing_of_that_name"));
    assert_string_equal(error.file, bad);
    error_clear(&error);
    assert_int_equal(plot_finish(&plots, &error), PLOT_DONE); // told once
    staging_abandon(&staging);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

// The one-file form of a script draws in a folder with nothing but the CSV, and says nothing.
static void test_script_alone(void **state)
{
    (void)state;
    struct bench bench;
    struct error error = {0};
    char folder[] = "/tmp/report-script-XXXXXX", path[200], command[400];
    if (no_gnuplot())
        return;
    assert_non_null(mkdtemp(folder));
    bench_open(&bench);
    const struct made naive = made_fairy("naive", fairy_warps);
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    char *csv = bench_render(&bench, NULL);
    write_text(folder, "table2.csv", csv);
    free(csv);
    snprintf(path, sizeof path, "%s/alone.gp", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    must(plot_write_script(paper_figure_find(bench.paper, "active_paths"), "# how it was called\n", stream, &error),
         &error);
    assert_int_equal(fclose(stream), 0);
    snprintf(command, sizeof command,
             "cd %s && sed -n 2p alone.gp | grep -q 'how it was called' && ! grep -q '^load' alone.gp && "
             "gnuplot -c alone.gp >said 2>&1 && ! [ -s said ] && [ -s active_paths.svg ] && [ -s active_paths.pdf ] && "
             "[ -s active_paths.png ]; code=$?; cat said; rm -rf %s; exit $code",
             folder, folder);
    assert_int_equal(system(command), 0);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_at_work),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_parts_of_counts), cmocka_unit_test(test_drawing_at_once),
        cmocka_unit_test(test_script_alone),
    };
    return cmocka_run_group_tests_name("report_figures", tests, NULL, NULL);
}
