// SPDX-License-Identifier: MIT
// Claims and tables of the chapter on a kd-tree, over made-up databases: each value that decides, worked out by hand from raw rows, and
// a verdict for and one against.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"
#include "device/counters.h"

enum { VERDICTS = 8, RAYS = 1000 };

static struct made a_trial(const char *device, const char *scene, const char *settings)
{
    struct made made = on_gpu("naive", scene);
    made.device = device;
    made.parameters = settings;
    return made;
}

// ---- what is counted, by the emulator unless another device is named

// Of a tree by its settings: per ray nodes and triangles, and what kd-trees count; 16 lanes at work in each of 100 steps
// over nodes, 4 in each of 100 triangle tests.
struct kd_counts {
    const char *settings;
    uint64_t nodes, triangles, sectors, lines, triangle_lines, leaf_lines, hops, octaves, parted;
};

static struct bounce_counts counts_of(const struct kd_counts *tree)
{
    return (struct bounce_counts){.active_paths = RAYS,
                                  .active_warps = 1 + RAYS / 32,
                                  .nodes = RAYS * tree->nodes,
                                  .node_loads = RAYS * tree->nodes,
                                  .triangles = RAYS * tree->triangles,
                                  .visit_sectors = RAYS * tree->sectors,
                                  .leaf_visits = RAYS,
                                  .leaf_lines = RAYS * tree->leaf_lines,
                                  .list_lines = tree->triangle_lines,
                                  .node_lines = tree->lines,
                                  .node_sectors = tree->lines,
                                  .triangle_lines = tree->triangle_lines,
                                  .node_hops = tree->hops,
                                  .hop_octaves = tree->octaves,
                                  .parted_steps = {0, tree->parted, 0}};
}

static void add_counts(struct bench *bench, const struct made *made, const struct kd_counts *tree)
{
    struct measured_launch launch = {.kernel = "kernel", .bounce = -1, .grid = 1, .block = 64, .seconds = NAN};
    struct measured_counts counts[2] = {
        {.counts = counts_of(tree)},
        {.bounce = MEASURED_TOTALS,
         .counts = {.tree_nodes = 100, .tree_bytes = 1600, .tree_leaves = 50, .tree_packed = 100, .node_distance = 5}}};
    struct measured_lockstep steps = {
        .steps = {.inner_steps = 100, .inner_live = 1600, .triangle_steps = 100, .triangle_live = 400, .warps = 1}};
    const int64_t trial = made_asked(bench->store, bench->run, made, counts_asked);
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .launches = &launch,
                                      .launch_count = 1,
                                      .counts = counts,
                                      .count_count = 2,
                                      .lockstep = &steps,
                                      .lockstep_count = !made->device});
}

static void add_tree(struct bench *bench, const struct kd_counts *tree)
{
    const struct made made = a_trial(NULL, "interior", tree->settings);
    add_counts(bench, &made, tree);
}

// ---- what the hardware counts

struct kd_counters {
    const char *settings;
    double divergent, instructions, misses;
};

static void add_counters(struct bench *bench, const struct kd_counters *row)
{
    const struct made made = a_trial("cuda", "interior", row->settings);
    struct measured_metric metrics[3] = {{MEASURED_FRAME, "divergent_branches", row->divergent},
                                         {MEASURED_FRAME, "instructions", row->instructions},
                                         {MEASURED_FRAME, "load_misses", row->misses}};
    struct measured_site site = {MEASURED_FRAME, DEVICE_SITE_INNER, 1, 50, 1000};
    const int64_t trial = made_asked(bench->store, bench->run, &made, 1u << COLLECTION_COUNTERS);
    made_finish(
        bench->store, bench->run, trial, &made,
        &(struct measurement){
            .collection = COLLECTION_COUNTERS, .metrics = metrics, .metric_count = 3, .sites = &site, .site_count = 1});
}

static void add_frames(struct bench *bench, const char *settings, double seconds)
{
    struct made made = a_trial("cuda", "interior", settings);
    for (int r = 0; r < REPLICATES; ++r) {
        double frames[REPETITIONS];
        for (int i = 0; i < REPETITIONS; ++i)
            frames[i] = seconds * (1 + 1e-4 * (r - MIDDLE));
        made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &made, frame_asked);
        made_frames(bench->store, bench->run, trial, &made, frames, REPETITIONS, 0);
    }
}

static void open_kdtree(struct bench *bench)
{
    bench_open_paper(bench, "kdtree2015");
}

static void close_judged(struct bench *bench, size_t row, const struct claim_expected verdicts[VERDICTS])
{
    assert_verdicts(bench, row, verdicts, VERDICTS);
    bench_close(bench);
}

// ---- layouts

// Fewer lines decide alone; where there are more, the hardware's misses must be known.
static void lines_or_misses_decide_c03_and_c05(void **state)
{
    (void)state;
    static const struct {
        uint64_t lines, leaf_lines; // of the later layout; of the earlier 10
        double misses;              // the same; 0: not counted
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {9, 9, 0, {{"C03 lines", OUTCOME_ACCEPTED, 29.0 / 30}, {"C05 lines", OUTCOME_ACCEPTED, 0.9}}},
        {11, 11, 0, {{"C03 lines", OUTCOME_UNMEASURED, NAN}, {"C05 lines", OUTCOME_UNMEASURED, NAN}}},
        {11, 11, 8, {{"C03 lines", OUTCOME_ACCEPTED, 0.8}, {"C05 lines", OUTCOME_ACCEPTED, 0.8}}},
        {11, 12, 13, {{"C03 lines", OUTCOME_REFUTED, 31.0 / 30}, {"C05 lines", OUTCOME_REFUTED, 1.2}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_kdtree(&bench);
        add_tree(&bench, &(struct kd_counts){"tree=kd_aos", 10, 2, 18, 10, 10, 1, 0, 0, 0});
        add_tree(&bench, &(struct kd_counts){"tree=kd_cat_lt", 10, 2, 18, rows[i].lines, 10, 1, 0, 0, 0});
        add_tree(&bench, &(struct kd_counts){"tree=kd16 triangle_test=affine", 10, 2, 10, 9, 9, 10, 0, 0, 0});
        add_tree(&bench, &(struct kd_counts){"tree=kd16_soa triangle_test=affine", 10, 2, 10, 9, 9, rows[i].leaf_lines,
                                             0, 0, 0});
        if (rows[i].misses > 0) {
            add_counters(&bench, &(struct kd_counters){"tree=kd_aos", 5, 5, 10});
            add_counters(&bench, &(struct kd_counters){"tree=kd_cat_lt", 5, 5, rows[i].misses});
            add_counters(&bench, &(struct kd_counters){"tree=kd16 triangle_test=affine", 5, 5, 10});
            add_counters(&bench, &(struct kd_counters){"tree=kd16_soa triangle_test=affine", 5, 5, rows[i].misses});
        }
        close_judged(&bench, i, rows[i].verdicts);
    }
}

static void loads_of_a_node_are_those_of_its_layout(void **state)
{
    (void)state;
    struct bench bench;
    open_kdtree(&bench);
    add_tree(&bench, &(struct kd_counts){"tree=kd_cat28", 10, 2, 17, 10, 10, 1, 0, 0, 0});
    add_tree(&bench, &(struct kd_counts){"tree=kd16", 10, 2, 10, 8, 10, 1, 0, 0, 0});
    assert_outcome(&bench, 0, "C04 loads", OUTCOME_ACCEPTED);
    assert_near(claim_value(&bench, "C04", "interior", "loads"), 1);
    assert_near(claim_value(&bench, "C04", "interior", "loads_before"), 7);
    assert_near(claim_value(&bench, "C04", "interior", "aligned"), 10.0 / 17);
    bench_close(&bench);
}

// ---- numbering

// Nodes: 16 lanes read 16 bytes each from `lines` lines, triangles: 4 lanes 36 from 10. Moves are 2^4 nodes long numbered
// breadth first.
static void lines_and_moves_decide_c07(void **state)
{
    (void)state;
    static const struct {
        uint64_t lines, octaves; // of 100 moves, in eighths
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {1000,
         2400,
         {{"C07 lines", OUTCOME_ACCEPTED, (1000. / 1600 / 16) / (1000. / 400 / 36)},
          {"C07 hops", OUTCOME_ACCEPTED, 0.5}}},
        {3000, 3200, {{"C07 lines", OUTCOME_REFUTED, NAN}, {"C07 hops", OUTCOME_REFUTED, 1}}},
        {1000, 2800, {{"C07 hops", OUTCOME_BETWEEN, 0.70710678118654757}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_kdtree(&bench);
        add_tree(&bench, &(struct kd_counts){"tree=kd16", 10, 2, 10, rows[i].lines, 1000, 1, 100, rows[i].octaves, 0});
        add_tree(&bench, &(struct kd_counts){"tree=kd16 kd_order=breadth", 10, 2, 10, 9, 1000, 1, 200, 6400, 0});
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// ---- the step

static void counters_and_times_decide_c08(void **state)
{
    (void)state;
    static const struct {
        double hoisted, swapped, masked, all; // of branchy 1000
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {900,
         990,
         500,
         0.9e-3,
         {{"C08 shorter", OUTCOME_ACCEPTED, 0.9},
          {"C08 swapped", OUTCOME_ACCEPTED, 0.99},
          {"C08 masked", OUTCOME_ACCEPTED, 0.5},
          {"C08 time", OUTCOME_ACCEPTED, 0.9},
          {"C08 parted", OUTCOME_ACCEPTED, 0.2}}},
        {1100,
         1000,
         1001,
         1.1e-3,
         {{"C08 shorter", OUTCOME_REFUTED, 1.1},
          {"C08 swapped", OUTCOME_REFUTED, 1},
          {"C08 masked", OUTCOME_REFUTED, 1.001},
          {"C08 time", OUTCOME_REFUTED, 1.1}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_kdtree(&bench);
        add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=branchy", 1000, 1000, 1});
        add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=hoist", 1000, rows[i].hoisted, 1});
        add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=swap", rows[i].swapped, 1000, 1});
        add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=mask", rows[i].masked, 900, 1});
        add_frames(&bench, "tree=kd16 kd_step=branchy", 1e-3);
        add_frames(&bench, "tree=kd16 kd_step=all", rows[i].all);
        add_tree(&bench, &(struct kd_counts){"tree=kd16", 10, 2, 10, 8, 10, 1, 0, 0, 20});
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// Forms that the compiler makes the same code of are named so.
static void equal_counts_are_said_to_be_of_the_same_code(void **state)
{
    (void)state;
    struct bench bench;
    open_kdtree(&bench);
    add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=branchy", 1000, 1000, 1});
    add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=swap", 1000, 1000, 1});
    add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=mask", 999, 1000, 1});
    assert_near(claim_value(&bench, "C08", "swap against branchy (all counts equal", "swapped"), 1);
    assert_true(isnan(claim_value(&bench, "C08", "mask against branchy (all", "masked")));
    bench_close(&bench);
}

// ---- triangle tests

static void add_samples(struct bench *bench, uint64_t tests, uint64_t others, uint64_t vectors)
{
    const struct made made = a_trial("cuda", "interior", "tree=kd16 triangle_test=moeller_trumbore");
    struct measured_stall stalls[4] = {
        {.launch = MEASURED_FRAME,
         .kernel = "k",
         .reason = "wait",
         .file = "trees/triangle_tests.h",
         .line = 3,
         .samples = tests},
        {.launch = MEASURED_FRAME, .kernel = "k", .reason = "wait", .file = "trees/kd.h", .line = 4, .samples = others},
        {.launch = MEASURED_FRAME, .kernel = "k", .reason = "wait", .file = "lib/vec.h", .line = 5, .samples = vectors},
        {.launch = MEASURED_FRAME,
         .kernel = "k",
         .reason = "wait",
         .file = "surface/bsdf.h",
         .line = 6,
         .samples = 1000}};
    const int64_t trial = made_asked(bench->store, bench->run, &made, 1u << COLLECTION_STALLS);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_STALLS, .stalls = stalls, .stall_count = 4});
}

// 2 tests a ray of either kind; a frame takes 1 ms with Moeller's and Trumbore's.
static void rates_and_samples_decide_c11(void **state)
{
    (void)state;
    static const struct {
        uint64_t affine_tests, tests, others, vectors; // the rest: samples
        double affine;
        struct claim_expected verdicts[VERDICTS];
    } rows[] = {
        {2,
         40,
         50,
         10,
         0.8e-3,
         {{"C11 rate", OUTCOME_ACCEPTED, 1.25},
          {"C11 share", OUTCOME_ACCEPTED, 0.45},
          {"C11 time", OUTCOME_ACCEPTED, 0.8}}},
        {2,
         4,
         95,
         1,
         1.25e-3,
         {{"C11 rate", OUTCOME_REFUTED, 0.8},
          {"C11 share", OUTCOME_REFUTED, 0.045},
          {"C11 time", OUTCOME_REFUTED, 1.25}}},
        {3, 25, 55, 20, 1e-3, {{"C11 rate", OUTCOME_ACCEPTED, 1.5}, {"C11 share", OUTCOME_BETWEEN, 0.35}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_kdtree(&bench);
        const struct made standard = a_trial("cuda", "interior", "tree=kd16 triangle_test=moeller_trumbore"),
                          affine = a_trial("cuda", "interior", "tree=kd16 triangle_test=affine");
        add_counts(&bench, &standard, &(struct kd_counts){"", 10, 2, 10, 0, 0, 1, 0, 0, 0});
        add_counts(&bench, &affine, &(struct kd_counts){"", 10, rows[i].affine_tests, 10, 0, 0, 1, 0, 0, 0});
        add_samples(&bench, rows[i].tests, rows[i].others, rows[i].vectors); // the frames are asked for last
        add_frames(&bench, standard.parameters, 1e-3);
        add_frames(&bench, affine.parameters, rows[i].affine);
        close_judged(&bench, i, rows[i].verdicts);
    }
}

// ---- tables

static void tables_hold_what_is_compared(void **state)
{
    (void)state;
    struct bench bench;
    open_kdtree(&bench);
    add_counters(&bench, &(struct kd_counters){"tree=kd16 kd_step=branchy", 100, 1000, 1});
    add_counters(&bench, &(struct kd_counters){"tree=kd16", 20, 900, 500});
    add_frames(&bench, "tree=kd16 kd_step=branchy", 2e-3);
    add_frames(&bench, "tree=kd16", 1e-3);
    add_frames(&bench, "tree=kd_ptr25", 4e-3);
    add_tree(&bench, &(struct kd_counts){"tree=kd16", 10, 2, 10, 800, 10, 1, 0, 0, 20});
    add_tree(&bench, &(struct kd_counts){"tree=kd16 pixel_order=random", 10, 2, 10, 1600, 10, 1, 0, 0, 40});
    bench_table(&bench, "steps", (struct report_options){0});
    const size_t branchy = bench_row(&bench, 0, "a branch for each case");
    assert_near(bench_cell(&bench, 0, branchy, "time")->value, 2);
    assert_near(bench_cell(&bench, 0, branchy, "divergent")->value, 10);    // of 1000 visits
    assert_near(bench_cell(&bench, 0, branchy, "instructions")->value, 20); // of 50 steps
    assert_near(bench_cell(&bench, 0, bench_row(&bench, 0, "exclusive or (default)"), "ratio")->value, 0.5);
    bench_table(&bench, "layout_times", (struct report_options){0});
    const size_t packed = bench_row(&bench, 0, "packed");
    assert_near(bench_cell(&bench, 0, packed, "ratio")->value, 0.25);
    assert_near(bench_cell(&bench, 0, packed, "misses")->value, 0.5);
    bench_table(&bench, "bounces", (struct report_options){0});
    const size_t first = bench_row(&bench, 0, "0");
    assert_near(bench_cell(&bench, 0, first, "loads")->value, 10);
    assert_near(bench_cell(&bench, 0, first, "read")->value, 10 * 16 + 2 * 40);
    assert_near(bench_cell(&bench, 0, first, "relative")->value, 0.5);
    assert_near(bench_cell(&bench, 0, first, "parted")->value, 20);
    assert_near(bench_cell(&bench, 0, first, "random_parted")->value, 40);
    bench_close(&bench);
}

// Two launches, a bounce each: 1000 visits to nodes, and so many divergent branches and misses in the second.
static void add_bounces(struct bench *bench, const char *settings, double divergent, double misses)
{
    struct made made = a_trial("cuda", "interior", settings);
    struct measured_launch launches[2];
    struct measured_site sites[2];
    struct measured_metric metrics[4];
    made.variant = "whole_frame_off";
    for (uint32_t b = 0; b < 2; ++b) {
        launches[b] = (struct measured_launch){
            .index = b, .bounce = (int32_t)b, .kernel = "kernel", .grid = 1, .block = 64, .seconds = NAN};
        sites[b] = (struct measured_site){b, DEVICE_SITE_INNER, 1, 100, 1000};
        metrics[2 * b] = (struct measured_metric){b, "divergent_branches", b ? divergent : 1};
        metrics[2 * b + 1] = (struct measured_metric){b, "load_misses", b ? misses : 2};
    }
    const int64_t trial = made_asked(bench->store, bench->run, &made, 1u << COLLECTION_COUNTERS);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_COUNTERS,
                                      .launches = launches,
                                      .launch_count = 2,
                                      .metrics = metrics,
                                      .metric_count = 4,
                                      .sites = sites,
                                      .site_count = 2});
}

static void counters_are_told_apart_by_bounce(void **state)
{
    (void)state;
    struct bench bench;
    open_kdtree(&bench);
    add_bounces(&bench, "tree=kd16 roulette=none", 30, 500);
    add_bounces(&bench, "tree=kd16 roulette=none pixel_order=random", 60, 2000);
    bench_table(&bench, "bounce_counters", (struct report_options){0});
    const size_t first = bench_row(&bench, 0, "0"), second = bench_row(&bench, 0, "1");
    assert_near(bench_cell(&bench, 0, first, "divergent")->value, 0.1);
    assert_near(bench_cell(&bench, 0, first, "relative")->value, 1);
    assert_near(bench_cell(&bench, 0, second, "divergent")->value, 3);
    assert_near(bench_cell(&bench, 0, second, "random_divergent")->value, 6);
    assert_near(bench_cell(&bench, 0, second, "relative")->value, 0.5);
    assert_near(bench_cell(&bench, 0, second, "misses")->value, 0.5);
    assert_near(bench_cell(&bench, 0, second, "relative_misses")->value, 0.25);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_or_misses_decide_c03_and_c05),
        cmocka_unit_test(loads_of_a_node_are_those_of_its_layout),
        cmocka_unit_test(lines_and_moves_decide_c07),
        cmocka_unit_test(counters_and_times_decide_c08),
        cmocka_unit_test(equal_counts_are_said_to_be_of_the_same_code),
        cmocka_unit_test(rates_and_samples_decide_c11),
        cmocka_unit_test(tables_hold_what_is_compared),
        cmocka_unit_test(counters_are_told_apart_by_bounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
