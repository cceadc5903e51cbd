// SPDX-License-Identifier: MIT
// Claims of Wald 2011 that counts and arithmetic decide, C23 to C36, over made-up databases: each part is accepted
// over one and refuted over another.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"

struct views_row {
    const char *part;
    enum claim_outcome outcome;
    const char *views;  // of claim_views
    const char *frames; // of claim_frames; NULL: counts of an emulator
};

static const struct views_row views_rows[] = {
    {"C23 fetches", OUTCOME_ACCEPTED, "forest 2 .9, forest 2 .9 nodes=11 traversal=speculative", NULL},
    {"C23 fetches", OUTCOME_REFUTED, "forest 2 .9, forest 2 .9 nodes=10 traversal=speculative",
     NULL}, // no more of them
    {"C23 gain", OUTCOME_UNMEASURED, "forest 2 .9, forest 2 .9 nodes=11 traversal=speculative", NULL},
    {"C23 gain", OUTCOME_ACCEPTED, "forest 2 .9, forest 2 .9 nodes=11 traversal=speculative",
     "naive forest .10, whole_frame forest .08, naive forest .11 traversal=speculative, "
     "whole_frame forest .085 traversal=speculative"},
    {"C23 gain", OUTCOME_BETWEEN, "forest 2 .9, forest 2 .9 nodes=11 traversal=speculative", // more than slightly
     "naive forest .10, whole_frame forest .08, naive forest .11 traversal=speculative, "
     "whole_frame forest .080 traversal=speculative"},
    {"C23 gain", OUTCOME_REFUTED, "forest 2 .9, forest 2 .9 nodes=11 traversal=speculative",
     "naive forest .10, whole_frame forest .08, naive forest .11 traversal=speculative, "
     "whole_frame forest .090 traversal=speculative"},
    {"C24 escapes", OUTCOME_ACCEPTED, "closed_box 1 0, interior 1.1 .005, forest 1.6 .9, moto 2 .95", NULL},
    {"C24 escapes", OUTCOME_UNMEASURED, "closed_box 1 0, open 2.3 .9", NULL},    // the open one is fitted
    {"C24 escapes", OUTCOME_UNMEASURED, "closed_box 1 0, cornell 1.2 .4", NULL}, // neither closed nor open
    {"C24 lasting", OUTCOME_REFUTED, "closed_box 1 0, forest 1.6 .9", NULL},     // roulette ends all but 6 %
    {"C24 more", OUTCOME_ACCEPTED, "closed_box 1 0, interior 1.1 .005, forest 1.6 .9, moto 2 .95", NULL},
    {"C24 more", OUTCOME_BETWEEN, "closed_box 1.3 0, forest 1.6 .9", NULL},
    {"C24 more", OUTCOME_BETWEEN, "closed_box 1 0, forest 1.4 .9", NULL},
    {"C24 more", OUTCOME_REFUTED, "closed_box 1.7 0, forest 1.6 .9", NULL},
    {"C25 less", OUTCOME_ACCEPTED, "moto 2 .9, moto 1.8 .9 materials=scene", NULL},
    {"C25 less", OUTCOME_REFUTED, "moto 2 .9, moto 2.2 .9 materials=scene", NULL},
    {"C25 less", OUTCOME_BETWEEN, "moto 2 .9, moto 1.8 .9 materials=scene, villa 2 .9, villa 2.2 .9 materials=scene",
     NULL},
    {"C25 less", OUTCOME_EXCLUDED, "interior 1 0, interior 1.4 0 materials=scene", NULL}, // there is nothing to save
    {"C26 added", OUTCOME_ACCEPTED,
     "closed_box 1 0, closed_box 1.6 0 roulette=yocto, closed_varied 1 0, closed_varied 1.2 0 materials=scene", NULL},
    {"C26 added", OUTCOME_BETWEEN,
     "closed_box 1 0, closed_box 1.6 0 roulette=yocto, closed_varied 1 0, closed_varied 1.05 0 materials=scene", NULL},
    {"C26 added", OUTCOME_REFUTED, // one change lowers it
     "closed_box 1.5 0, closed_box 1.6 0 roulette=yocto, closed_varied 1.5 0, closed_varied 1.2 0 materials=scene",
     NULL},
    {"C26 added", OUTCOME_UNMEASURED, "forest 2 .9, forest 2.2 .9 materials=scene", NULL}, // not closed
    {"C27 outside", OUTCOME_UNMEASURED, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene", NULL},
    {"C27 outside", OUTCOME_ACCEPTED, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene",
     "naive car .103 materials=scene, whole_frame car .1 materials=scene, naive car:inside .12 materials=scene, "
     "whole_frame car:inside .1 materials=scene"},
    {"C27 outside", OUTCOME_BETWEEN, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene",
     "naive car .108 materials=scene, whole_frame car .1 materials=scene, naive car:inside .12 materials=scene, "
     "whole_frame car:inside .1 materials=scene"},
    {"C27 outside", OUTCOME_REFUTED, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene",
     "naive car .13 materials=scene, whole_frame car .1 materials=scene, naive car:inside .12 materials=scene, "
     "whole_frame car:inside .1 materials=scene"},
    {"C27 outside", OUTCOME_EXCLUDED, "car 1.9 .9, car:inside 1 0", // its windows are opaque
     "naive car .13, whole_frame car .1, naive car:inside .12, whole_frame car:inside .1"},
    {"C27 second", OUTCOME_REFUTED, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene",
     NULL}, // fairy keeps 54 %
    {"C27 inside", OUTCOME_ACCEPTED, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene", NULL},
    {"C27 inside", OUTCOME_BETWEEN, "car 1.2 .9 materials=scene, car:inside 1.9 .3 materials=scene", NULL},
    {"C27 inside", OUTCOME_REFUTED, "car 1.9 .9 materials=scene, car:inside 1.2 .3 materials=scene", NULL},
    {"C27 more", OUTCOME_ACCEPTED, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene",
     "naive car .108 materials=scene, whole_frame car .1 materials=scene, naive car:inside .12 materials=scene, "
     "whole_frame car:inside .1 materials=scene"},
    {"C27 more", OUTCOME_REFUTED, "car 1.2 .9 materials=scene, car:inside 2.2 .3 materials=scene",
     "naive car .13 materials=scene, whole_frame car .1 materials=scene, naive car:inside .12 materials=scene, "
     "whole_frame car:inside .1 materials=scene"},
    {"C30 fuller", OUTCOME_ACCEPTED,
     "forest 2 .9, forest 1.2 .9 variant=tiled_global tile_m=1, forest 1.9 .9 variant=tiled_global tile_m=8", NULL},
    {"C30 fuller", OUTCOME_BETWEEN,
     "forest 2 .9, forest 1.85 .9 variant=tiled_global tile_m=1, forest 1.9 .9 variant=tiled_global tile_m=8", NULL},
    {"C30 fuller", OUTCOME_REFUTED,
     "forest 2 .9, forest 1.95 .9 variant=tiled_global tile_m=1, forest 1.9 .9 variant=tiled_global tile_m=8", NULL},
    {"C36 saved", OUTCOME_ACCEPTED, "forest 3.1 .9, moto 2 .9", NULL},
    {"C36 saved", OUTCOME_BETWEEN, "forest 2.6 .9, moto 2 .9, villa 1.9 .9", NULL},
    {"C36 saved", OUTCOME_REFUTED, "forest 2.4 .9, moto 2 .9, villa 1.9 .9", NULL},
    {"C36 saved", OUTCOME_EXCLUDED, "forest 2.4 .9, moto 2 .9", NULL}, // too few to tell
    {"C36 saved", OUTCOME_EXCLUDED, "open 3.1 .9", NULL},              // fitted
};

static void test_views(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof views_rows / sizeof views_rows[0]; ++i) {
        const struct views_row *row = &views_rows[i];
        struct bench bench;
        bench_open(&bench);
        if (row->frames)
            claim_frames(&bench, row->frames, false);
        claim_views(&bench, row->views, row->frames ? "cuda" : NULL);
        assert_outcome(&bench, i, row->part, row->outcome);
        bench_close(&bench);
    }
}

// What the cases say, against arithmetic done here.
static void test_values(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    claim_views(&bench,
                "closed_box 1 0, closed_box 1.5 0 roulette=yocto, forest 2 .9, forest 1.6 .9 materials=scene, "
                "forest 2 .9 nodes=11 traversal=speculative, forest 1.6 .9 variant=tiled_global tile_m=2, "
                "forest 1.9 .9 variant=tiled_global tile_m=16",
                NULL);
    static const struct {
        const char *claim, *place, *value;
        double wanted;
    } rows[] = {
        {"C23", "forest", "fetches", 1.1},
        {"C24", "closed_box", "closed", 1},
        {"C24", "forest", "open", 2},
        {"C24", "forest", "more", 1},
        {"C25", "forest", "fuller", 100 * (1 / 1.6 - 1 / 2.0)},
        {"C25", "forest", "less", 0.4},
        {"C26", "harsher", "added", 0.5},
        {"C30", "tiled_global", "step", 0.3},
        {"C36", "forest (fairy), 1280x768, own", "saved", 1.6},
        {"C31", "GTX 480, 88", "most", 8},
        {"C31", "GTX 480, 104", "most", 7},
        {"C24", "closed_box", "lasting", 100.0 * 60000 / 983000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const double value = claim_value(&bench, rows[i].claim, rows[i].place, rows[i].value);
        if (!(fabs(value - rows[i].wanted) <= 1e-3 * fabs(rows[i].wanted))) // numbers of warps are whole
            fail_msg("%s of %s: %g, not %g", rows[i].value, rows[i].claim, value, rows[i].wanted);
    }
    double on = 0; // the printed tables: microseconds a warp, warps; frames a second
    for (int b = 0; b < BOUNCES; ++b)
        on += on_us[b] * (b < 2 ? 983000 : (double)fairy_paths[b]) / 32 * 1e-6;
    assert_near(claim_value(&bench, "C35", "compaction on", "off"), 100 * fabs(on * 3.54 - 1));
    bench_close(&bench);
}

// ---- chance

// A furnace of which a share of `survival` lives on from each bounce, in `launched` warps; `wrong` times as many active
// warps as chance gives, at the last.
static void add_furnace(struct bench *bench, const char *parameters, double survival, double launched, double wrong)
{
    struct measured_counts counts[BOUNCES];
    struct made made = made_fairy("naive", NULL);
    made.scene = "furnace";
    made.parameters = parameters;
    made.height = (int64_t)launched * 32 / made.width;
    struct measured_launch launch = {.kernel = "kernel", .bounce = -1, .block = 64, .seconds = NAN};
    launch.grid = (uint32_t)launched / 2;
    double alive = 1;
    for (uint32_t b = 0; b < BOUNCES; ++b, alive *= survival) {
        const double warps = launched * (1 - pow(1 - alive, 32)) * (b + 1 < BOUNCES ? 1 : wrong);
        counts[b] = (struct measured_counts){.bounce = b};
        counts[b].counts = (struct bounce_counts){.active_paths = (uint64_t)llround(alive * 32 * launched),
                                                  .active_warps = (uint64_t)llround(warps)};
        counts[b].counts.deaths[DEATH_ROULETTE] = (uint64_t)llround(alive * (1 - survival) * 32 * launched);
    }
    made_finish(bench->store, bench->run, made_asked(bench->store, bench->run, &made, counts_asked), &made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .counts = counts,
                                      .count_count = BOUNCES,
                                      .launches = &launch,
                                      .launch_count = 1});
}

static void test_chance(void **state)
{
    (void)state;
    static const struct {
        double survival, wrong;
        enum claim_outcome launched, active, off;
    } rows[] = {
        {0.5, 1, OUTCOME_ACCEPTED, OUTCOME_REFUTED, OUTCOME_ACCEPTED}, // of active warps it halves at first alone
        {0.5, 1.02, OUTCOME_ACCEPTED, OUTCOME_REFUTED, OUTCOME_REFUTED},
        {0.6, 1, OUTCOME_REFUTED, OUTCOME_REFUTED, OUTCOME_ACCEPTED}, // not half of them
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct bench bench;
        bench_open(&bench);
        add_furnace(&bench, "materials=scene", rows[i].survival, 3072000, rows[i].wrong);
        assert_outcome(&bench, i, "C28 launched", rows[i].launched);
        assert_outcome(&bench, i, "C28 active", rows[i].active);
        assert_outcome(&bench, i, "C28 off", rows[i].off);
        bench_close(&bench);
    }
    struct bench bench;
    bench_open(&bench);
    add_furnace(&bench, "materials=lambert07", 0.7, 3072000, 1); // another chance: the halving is not measured
    assert_outcome(&bench, 0, "C28 launched", OUTCOME_UNMEASURED);
    bench_close(&bench);
}

// ---- arithmetic

static void print(struct bench *bench, const char *table, size_t row, size_t column, double value)
{
    struct published *published = bench->paper->published;
    for (size_t i = 0; i < published->table_count; ++i)
        if (!strcmp(published->tables[i].id, table))
            published->tables[i].cells[row * published->tables[i].column_count + column].value = value;
}

// Of an empty database; and with one published number wrong.
static void test_printed(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    assert_outcome(&bench, 0, "C31 most", OUTCOME_ACCEPTED);
    assert_outcome(&bench, 0, "C35 off", OUTCOME_ACCEPTED);
    assert_outcome(&bench, 0, "C36 saved", OUTCOME_UNMEASURED);
    print(&bench, "table3", 0, 3, 1.8); // bounce 0, compaction on, for 1.6: 0.7 % off
    assert_outcome(&bench, 1, "C35 off", OUTCOME_ACCEPTED);
    print(&bench, "table3", 0, 3, 2.4);
    assert_outcome(&bench, 2, "C35 off", OUTCOME_REFUTED);
    bench_close(&bench);
    bench_open(&bench);
    print(&bench, "table3", 1, 1, 2.7); // bounce 1, compaction off, for 2.3: 3.3 % off
    assert_outcome(&bench, 3, "C35 off", OUTCOME_BETWEEN);
    bench_close(&bench);
}

// Tiles of shared memory as the kernel takes it: 37 rows of 96 bytes a path fit into 227 KB, 28 of 128.
static void test_tile_bytes(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; ++wide) {
        struct bench bench;
        bench_open(&bench);
        struct made made = on_gpu("tiled_shared", "forest");
        struct measured_repetition frame = {
            .host_seconds = 1, .device_seconds = NAN, .gap_seconds = NAN, .sm_mhz = NAN};
        struct measured_kernel kernel = {
            .kernel = "kernel", .facts = {.registers = 64}, .block = 64, .shared_bytes = wide ? 32768 : 24576};
        made_finish(bench.store, bench.run, made_asked(bench.store, bench.run, &made, frame_asked), &made,
                    &(struct measurement){.collection = COLLECTION_FRAME,
                                          .repetitions = &frame,
                                          .repetition_count = 1,
                                          .kernels = &kernel,
                                          .kernel_count = 1});
        assert_near(claim_value(&bench, "C31", "NVIDIA H200", "most"), wide ? 28 : 37);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_views), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_chance), cmocka_unit_test(test_printed),
                                       cmocka_unit_test(test_tile_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
