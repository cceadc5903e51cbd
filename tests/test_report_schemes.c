// SPDX-License-Identifier: MIT
// What the figures of the 2018 thesis are drawn from, from made-up measurements: cells against arithmetic done here, and every figure drawn.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "made_results.h"
#include "report_study.h"

enum { PATHS = 400 * 400 * 100, RAYS = 4 * PATHS }; // of each made-up frame: four extensions a path

static struct made_results results;

static void schemes_open(struct bench *bench)
{
    bench_open_paper(bench, "volpt2018");
    results.bench = bench;
}

// A line of tests/claims/kinds.yaml.
static void add(const char *line)
{
    made_results_add(&results, "scheme", line);
}

// ---- rates

static void test_rates(void **state)
{
    (void)state;
    struct bench bench;
    schemes_open(&bench);
    static const char *const volumes[] = {"cube", "slab", "phantom_knees", "phantom_head"};
    static const char *const lines[] = {
        "volume_naive $volume 2+nth live=.1", "regenerate_thread $volume .5",
        "regenerate_thread $volume .01 live=.9 registers=32", // not the thesis's own way
        "stream_sort $volume .25 live=.8", "regenerate_block_part $volume .75 live=.6"};
    for (size_t volume = 0; volume < sizeof volumes / sizeof *volumes; ++volume) {
        made_set(&results.scope, "volume", volumes[volume]);
        made_set(&results.scope, "nth", (const char *[]){"0", "1", "2", "3"}[volume]);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i)
            add(lines[i]);
    }
    bench_table(&bench, "schemes", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_near(cell(&bench, "naiveSK", "cube"), 1e-6 * RAYS / 2);
    assert_near(cell(&bench, "naiveSK", "phantom"), 1e-6 * RAYS / 5);
    assert_near(cell(&bench, "regenerationSK (thread)", "knees"), 1e-6 * RAYS / 0.5);
    assert_near(cell(&bench, "streamingSK (sorting)", "slab"), 1e-6 * RAYS / 0.25);
    assert_near(cell(&bench, "regenerationSK (part of a block)", "slab"), 1e-6 * RAYS / 0.75);
    assert_near(cell(&bench, "regenerationSK (thread)", "slab_lanes"), 0.5);
    assert_true(isnan(cell(&bench, "naiveSK", "ct")));
    assert_near(whole_cell(&bench, "naiveSK", "cube")->published, 3.88); // of Table 4.3, not of 4.1
    assert_near(whole_cell(&bench, "regenerationSK (thread)", "slab")->published, 42.37);
    assert_near(whole_cell(&bench, "streamingSK (sorting)", "phantom")->published, 6.74);
    assert_true(whole_cell(&bench, "naiveSK", "slab")->low < 1e-6 * RAYS / 3 &&
                whole_cell(&bench, "naiveSK", "slab")->high > 1e-6 * RAYS / 3);
    assert_drawn(&bench, "scheme_rates");
    show(&bench);
    bench_close(&bench);
}

// Without a clock there are lanes, and a picture of these.
static void test_rates_of_counts(void **state)
{
    (void)state;
    struct bench bench;
    schemes_open(&bench);
    results.timeless = true;
    add("volume_naive cube -1 live=.25");
    add("stream_block head -1 live=.75");
    results.timeless = false;
    bench_table(&bench, "schemes", (struct report_options){0});
    assert_true(isnan(cell(&bench, "naiveSK", "cube")));
    assert_near(cell(&bench, "naiveSK", "cube_lanes"), 0.25);
    assert_near(cell(&bench, "streamingSK", "ct_lanes"), 0.75);
    assert_true(isnan(cell(&bench, "streamingSK", "cube_lanes")));
    assert_drawn(&bench, "scheme_rates");
    bench_close(&bench);
}

// A grid of so many multiprocessors is beside one path a lane, which has none such.
static void test_grids_of_one_size(void **state)
{
    (void)state;
    struct bench bench;
    schemes_open(&bench);
    add("volume_naive cube 2 live=.1");
    add("regenerate_thread cube .5 multiprocessors=1");
    bench_table(&bench, "regeneration", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_near(cell(&bench, "naiveSK", "lanes"), 0.1);
    assert_near(cell(&bench, "regenerationSK (thread), tickets atomic", "speedup"), 4);
    assert_non_null(strstr(report_fact(&bench.table->panels[0], "schedule"), "multiprocessors 1"));
    bench_close(&bench);
}

// ---- lanes of trips

static void test_live_lanes(void **state)
{
    (void)state;
    struct bench bench;
    schemes_open(&bench);
    add("volume_naive slab 1 live=2./32");        // a thirty-first of its trips is full
    add("regenerate_thread slab 1 live=16.5/32"); // half of them
    add("stream_device slab 1 live=1");
    bench_table(&bench, "live_lanes", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_int_equal(bench.table->panels[0].row_count, 32);
    assert_near(cell(&bench, "1", "naive"), 1 - 0.0323); // of 10,000 trips
    assert_near(cell(&bench, "31", "naive"), 1 - 0.0323);
    assert_near(cell(&bench, "32", "naive"), 1);
    assert_near(cell(&bench, "7", "thread"), 0.5);
    assert_near(cell(&bench, "31", "streams"), 0);
    assert_near(cell(&bench, "32", "streams"), 1);
    assert_near(cell(&bench, "9", "thread_mean"), 16.5);
    assert_true(isnan(cell(&bench, "9", "warp")));
    assert_drawn(&bench, "live_lanes");
    bench_close(&bench);
}

// ---- timelines

static void test_timelines(void **state)
{
    (void)state;
    struct bench bench;
    schemes_open(&bench);
    add("timeline volume_naive cube slices=8 slice=18e6 lanes=2 warps=40");
    add("timeline regenerate_thread cube slices=8 slice=3e6 lanes=16 warps=64");
    bench_table(&bench, "timeline_schemes", (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_int_equal(bench.table->panels[0].row_count, 8); // two samples a slice
    assert_near(cell(&bench, "18.0", "naive_lanes"), 2.0 / 32);
    assert_near(cell(&bench, "18.0", "naive_warps"), 40);
    assert_near(cell(&bench, "126.0", "naive_warps"), 20);
    assert_near(cell(&bench, "3.0", "thread_lanes"), 0.5);
    assert_near(cell(&bench, "21.0", "thread_warps"), 32);
    assert_true(isnan(cell(&bench, "3.0", "naive_lanes")));
    assert_drawn(&bench, "timeline_schemes");
    bench_table(&bench, "timeline_stages", (struct report_options){0});
    assert_near(cell(&bench, "volume_naive: frame", "time"), 144);
    assert_near(cell(&bench, "regenerate_thread, tickets atomic: frame", "lane_util"), 0.5);
    assert_near(cell(&bench, "regenerate_thread, tickets atomic: frame", "mean_warps"), 48);
    show(&bench);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_rates_of_counts),
        cmocka_unit_test(test_grids_of_one_size),
        cmocka_unit_test(test_live_lanes),
        cmocka_unit_test(test_timelines),
    };
    made_results_open(&results);
    const int failed = cmocka_run_group_tests_name("report_schemes", tests, NULL, NULL);
    made_results_close(&results);
    return failed;
}
