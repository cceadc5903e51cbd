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

#include "schemes_support.h"

enum { PATHS = 400 * 400 * 100, RAYS = 4 * PATHS }; // of each made-up frame: four extensions a path

static void add(struct bench *bench, const char *scene, const char *variant, double seconds, double live,
                const char *parameters)
{
    scheme_add(bench, scene,
               (struct scheme_frame){.variant = variant, .seconds = seconds, .live = live, .parameters = parameters},
               false);
}

// ---- rates

static void test_rates(void **state)
{
    (void)state;
    struct bench bench;
    scheme_open(&bench);
    for (int volume = 0; volume < SCHEME_VOLUMES; ++volume) {
        add(&bench, scheme_volumes[volume], "volume_naive", 2 + volume, 0.1, "");
        add(&bench, scheme_volumes[volume], "regenerate_thread", 0.5, 0.5, "");
        add(&bench, scheme_volumes[volume], "regenerate_thread", 0.01, 0.9, "registers=32"); // not the thesis's own way
        add(&bench, scheme_volumes[volume], "stream_sort", 0.25, 0.8, "");
        add(&bench, scheme_volumes[volume], "regenerate_block_part", 0.75, 0.6, "");
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
    scheme_open(&bench);
    scheme_add(&bench, "cube", (struct scheme_frame){.variant = "volume_naive", .seconds = -1, .live = 0.25}, true);
    scheme_add(&bench, "head", (struct scheme_frame){.variant = "stream_block", .seconds = -1, .live = 0.75}, true);
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
    scheme_open(&bench);
    add(&bench, "cube", "volume_naive", 2, 0.1, "");
    add(&bench, "cube", "regenerate_thread", 0.5, 0.5, "multiprocessors=1");
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
    scheme_open(&bench);
    add(&bench, "slab", "volume_naive", 1, 2.0 / 32, "");       // a thirty-first of its trips is full
    add(&bench, "slab", "regenerate_thread", 1, 16.5 / 32, ""); // half of them
    add(&bench, "slab", "stream_device", 1, 1, "");
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

enum { SAMPLES = 8 };

// A frame of eight samples, in the second half of which half as many warps are resident.
static void add_timeline(struct bench *bench, const char *variant, int64_t nanoseconds, uint64_t lanes, uint64_t warps)
{
    const struct scheme_frame frame = {
        .variant = variant, .side = scheme_standard.side, .samples = scheme_standard.samples};
    char text[200];
    const struct made made = scheme_made("cube", &frame, text);
    struct measured_launch launch = {.kernel = "kernel", .bounce = -1, .grid = 1, .block = 256, .seconds = NAN};
    struct measured_span span = {.start = 0, .end = SAMPLES * nanoseconds};
    struct measured_sample samples[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i) {
        const struct device_timeline_sample sums = {.start = (uint64_t)(i * nanoseconds),
                                                    .end = (uint64_t)((i + 1) * nanoseconds),
                                                    .cycles = 1000,
                                                    .active_cycles = 1000,
                                                    .instructions = 100,
                                                    .thread_instructions = 100 * lanes,
                                                    .warp_cycles = 1000 * warps / (i < SAMPLES / 2 ? 1 : 2)};
        samples[i] = (struct measured_sample){.start = i * nanoseconds, .end = (i + 1) * nanoseconds, .sums = sums};
    }
    const int64_t trial = made_asked(bench->store, bench->run, &made, 1u << COLLECTION_TIMELINE);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_TIMELINE,
                                      .launches = &launch,
                                      .launch_count = 1,
                                      .samples = samples,
                                      .sample_count = SAMPLES,
                                      .spans = &span,
                                      .span_count = 1});
}

static void test_timelines(void **state)
{
    (void)state;
    struct bench bench;
    scheme_open(&bench);
    add_timeline(&bench, "volume_naive", 18000000, 2, 40);
    add_timeline(&bench, "regenerate_thread", 3000000, 16, 64);
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
    return cmocka_run_group_tests_name("report_schemes", tests, NULL, NULL);
}
