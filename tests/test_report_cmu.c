// SPDX-License-Identifier: MIT
// Tables of the CMU report, from made-up times on a made-up GPU.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report_study.h"

static const struct report_options options = {NULL, NULL, false};

// Frames of `seconds` under the report's rules.
static void add_on(struct bench *bench, const char *device, const char *scene, const char *variant,
                   const char *settings, double seconds)
{
    char parameters[160];
    struct made made = on_gpu(variant, scene);
    made.device = device;
    snprintf(parameters, sizeof parameters, "lighting=mix roulette=yocto materials=scene %s", settings);
    made.parameters = parameters;
    add_times(bench, made, seconds, 0.001);
}

static void add(struct bench *bench, const char *scene, const char *variant, const char *settings, double seconds)
{
    add_on(bench, "cuda", scene, variant, settings, seconds);
}

static void open_cmu(struct bench *bench)
{
    bench_open_paper(bench, "cmu2023");
}

static const struct report_cell *of(const struct bench *bench, const char *row, const char *column)
{
    return whole_cell(bench, row, column);
}

static void stages_stand_beside_the_papers_own(void **state)
{
    (void)state;
    struct bench bench;
    open_cmu(&bench);
    add(&bench, "dragon", "naive", "spp=4", 4 * 0.03);
    add(&bench, "dragon", "two_stage", "spp=4 tickets=atomic", 4 * 0.02);
    add(&bench, "dragon", "two_stage", "spp=4 tickets=atomic batch=2", 4 * 0.025); // of several batches the largest
    add(&bench, "dragon", "two_stage", "spp=4 tickets=atomic ray_sort=origin", 4 * 0.001); // no plain one
    add(&bench, "dragon", "three_stage", "spp=4 tickets=atomic", 4 * 0.06);
    add(&bench, "dragon", "three_stage", "spp=4 tickets=atomic queues=merged", 4 * 0.001);
    add(&bench, "dragon", "two_stage_pixel", "spp=4", 4 * 0.04);
    add(&bench, "cornell", "two_stage", "spp=4", 4 * 0.5);
    add_on(&bench, "cpu", "dragon", "naive", "spp=4", 4 * 0.1);
    bench_table(&bench, "table2", options);
    show(&bench);
    const char *row = "dragon (stand-in for Dragon), tickets atomic";
    assert_near(of(&bench, row, "mega")->value, 0.03);
    assert_near(of(&bench, row, "wave2")->value, 0.02);
    assert_near(of(&bench, row, "wave3")->value, 0.06);
    assert_near(of(&bench, row, "tied")->value, 0.04);
    assert_near(of(&bench, row, "speedup")->value, 1.5);
    assert_near(of(&bench, row, "speedup")->ratio, 1.5 / (0.0147 / 0.0101));
    assert_near(of(&bench, row, "speedup3")->value, 0.5);
    assert_near(of(&bench, row, "speedup3")->ratio, 0.5 / (0.0147 / 0.0125));
    assert_near(of(&bench, row, "cpu")->value, 0.1);
    assert_near(of(&bench, row, "over_cpu")->value, 5);
    assert_near(of(&bench, row, "over_cpu")->ratio, 5 / (0.0768 / 0.0101));
    assert_string_equal(of(&bench, "cornell (not the report's)", "cpu")->flags, "not_asked");
    assert_string_equal(of(&bench, "cornell (not the report's)", "wave3")->flags, "not_asked");
    assert_string_equal(of(&bench, "Kitchen", "wave2")->flags, "no_scene");
    assert_int_equal(bench.table->panels[0].row_count, 2 + 6);
    bench_table(&bench, "table1", options);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "cuda")->value, 0.03);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "cpu")->value, 0.1);
    assert_string_equal(of(&bench, "dragon (stand-in for Dragon)", "optix")->flags, "no_optix");
    bench_close(&bench);
}

// Scene files of the report's scenes are there even where their meshes are not.
static void rows_say_whose_scene_it_is(void **state)
{
    (void)state;
    struct bench bench;
    open_cmu(&bench);
    for (int i = 0; i < 2; ++i) {
        const char *scene = i ? "kitchen" : "dining_room_partial";
        add(&bench, scene, "naive", "spp=4", 4 * 0.03);
        add(&bench, scene, "two_stage", "spp=4", 4 * 0.02);
    }
    bench_table(&bench, "table2", options);
    assert_near(of(&bench, "kitchen (the report's Kitchen)", "speedup")->ratio, 1.5 / (0.1132 / 0.0679));
    assert_near(of(&bench, "dining_room_partial (stand-in for Dining Room)", "speedup")->ratio,
                1.5 / (0.1013 / 0.0991));
    bench_table(&bench, "table1", options); // calls them otherwise
    assert_near(of(&bench, "kitchen (the report's Kitchen)", "cuda")->ratio, 0.03 / 0.1292);
    assert_near(of(&bench, "dining_room_partial (stand-in for Dining Room)", "cuda")->ratio, 0.03 / 0.1346);
    assert_int_equal(bench.table->panels[0].row_count, 2 + 2); // Dragon and Landscape
    bench_close(&bench);
}

static void batches_are_columns(void **state)
{
    (void)state;
    struct bench bench;
    open_cmu(&bench);
    add(&bench, "dragon", "two_stage", "spp=256 batch=4", 256 * 0.03);
    add(&bench, "dragon", "two_stage", "spp=256 batch=32", 256 * 0.025);
    add(&bench, "dragon", "two_stage", "spp=256 batch=128", 256 * 0.024);
    add(&bench, "dragon", "two_stage", "spp=256", 256 * 0.02); // all of them are a batch
    add(&bench, "dragon", "two_stage", "spp=256 batch=4 pool_order=cost", 256 * 0.022);
    add(&bench, "dragon", "two_stage", "spp=256 batch=32 pool_order=cost", 256 * 0.021);
    add(&bench, "dragon", "two_stage", "spp=256 batch=4 accumulate=buffer", 256 * 0.001);
    add(&bench, "cornell", "two_stage", "spp=256 batch=4", 256 * 0.5); // one batch is no comparison
    for (int i = 0; i < 4; ++i)                                        // more settings, but of one batch
        add(&bench, i % 2 ? "open" : "interior", i < 2 ? "two_stage" : "three_stage", "spp=8", 1);
    bench_table(&bench, "table4", options);
    show(&bench);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "batch_4")->value, 0.03);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "batch_32")->value, 0.025);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "batch_128")->value, 0.024);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "batch_256")->value, 0.02);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "slower")->value, 1.5);
    assert_near(of(&bench, "dragon (stand-in for Dragon)", "slower")->ratio, 1.5 / (0.0161 / 0.0102));
    assert_near(of(&bench, "dragon (stand-in for Dragon), cost", "batch_4")->value, 0.022);
    assert_string_equal(of(&bench, "dragon (stand-in for Dragon), cost", "batch_256")->flags, "not_asked");
    assert_int_equal(bench.table->panels[0].row_count, 2 + 3);
    bench_close(&bench);
}

static void a_choice_is_compared_with_its_wavefront_without_it(void **state)
{
    (void)state;
    struct bench bench;
    open_cmu(&bench);
    add(&bench, "cornell", "two_stage", "spp=4 batch=2", 0.4);
    add(&bench, "cornell", "two_stage", "spp=4 batch=2 ray_sort=origin", 0.5);
    add(&bench, "cornell", "two_stage", "spp=4 batch=2 pool=1000", 0.8);
    add(&bench, "cornell", "two_stage", "spp=4 pool=1000", 0.8); // nothing to compare it with
    add(&bench, "cornell", "three_stage", "spp=4 batch=2", 1.2);
    add(&bench, "cornell", "three_stage", "spp=4 batch=2 queues=merged", 0.6);
    bench_table(&bench, "choices", options);
    show(&bench);
    assert_near(of(&bench, "cornell (not the report's), two_stage: batch 2, ray sort origin", "speedup")->value, 0.8);
    assert_near(of(&bench, "cornell (not the report's), two_stage: batch 2, pool 1000", "speedup")->value, 0.5);
    assert_near(of(&bench, "cornell (not the report's), three_stage: batch 2, queues merged", "speedup")->value, 2);
    assert_near(of(&bench, "cornell (not the report's), three_stage: batch 2, queues merged", "time")->value, 0.15);
    assert_int_equal(bench.table->panels[0].row_count, 3);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_stand_beside_the_papers_own),
        cmocka_unit_test(rows_say_whose_scene_it_is),
        cmocka_unit_test(batches_are_columns),
        cmocka_unit_test(a_choice_is_compared_with_its_wavefront_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
