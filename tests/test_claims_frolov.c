// SPDX-License-Identifier: MIT
// Claims of Frolov and Galaktionov 2015 that are decided so far, C01, C04, C07, C08, C12, C15, C18 and C25, over made-up databases.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"
#include "report/papers/paper.h"

static const char *const scenes[] = {"mirror_corridor", "arch", "glass"}; // T1, T3, T4
enum { SCENES = sizeof scenes / sizeof *scenes };

static void open_bench(struct bench *bench)
{
    bench_open_paper(bench, "frolov2015");
}

// ---- gains at depths

enum { DEPTHS = 4 };
static const int depths[DEPTHS] = {8, 20, 32, 64};

// Frames without regeneration of 1 s, and in place so many times as fast at each depth, on each of the scenes.
static void add_gains(struct bench *bench, double gains[SCENES][DEPTHS], const char *more, bool timeless)
{
    char text[400];
    for (int scene = 0; scene < SCENES; ++scene)
        for (int depth = 0; depth < DEPTHS; ++depth) {
            snprintf(text, sizeof text,
                     "pool_refill %s 1 limit=%d pool=65536, tile_regenerate %s %.6f limit=%d pool=65536%s",
                     scenes[scene], depths[depth], scenes[scene], 1 / gains[scene][depth], depths[depth], more);
            claim_frames(bench, text, timeless);
        }
}

static void gains_at_depths_decide_c07(void **state)
{
    (void)state;
    static struct {
        const char *part;
        enum claim_outcome outcome;
        double gains[SCENES][DEPTHS];
    } rows[] = {
        {"C07 short_gain", OUTCOME_ACCEPTED, {{1.05, 1.09, 1.2, 1.3}, {1, 1, 1.2, 1.2}, {0.9, 1, 1.05, 1.12}}},
        {"C07 best_gain", OUTCOME_ACCEPTED, {{1.05, 1.09, 1.2, 1.3}, {1, 1, 1.2, 1.2}, {0.9, 1, 1.05, 1.12}}},
        {"C07 short_gain", OUTCOME_BETWEEN, {{1.05, 1.15, 1.2, 1.3}, {1, 1, 1.2, 1.2}, {0.9, 1, 1.05, 1.12}}},
        {"C07 gain_at_8", OUTCOME_BETWEEN, {{1.2, 1.2, 1.2, 1.3}, {1, 1, 1.2, 1.2}, {0.9, 1, 1.05, 1.12}}},
        {"C07 gain_at_8", OUTCOME_REFUTED, {{1.2, 1, 1.2, 1.3}, {1.2, 1, 1.2, 1.2}, {0.9, 1, 1.05, 1.12}}},
        {"C07 best_gain", OUTCOME_BETWEEN, {{1, 1, 1.2, 1.3}, {1, 1, 1.2, 1.2}, {0.9, 1, 1.05, 1.08}}},
        {"C07 best_gain", OUTCOME_REFUTED, {{1, 1, 1.2, 1.3}, {1, 1, 1.02, 1.0}, {0.9, 1, 1.05, 1.08}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int timeless = 0; timeless < 2; ++timeless) {
            struct bench bench;
            open_bench(&bench);
            add_gains(&bench, rows[i].gains, "", timeless);
            assert_outcome(&bench, i, rows[i].part, timeless ? OUTCOME_UNMEASURED : rows[i].outcome);
            bench_close(&bench);
        }
}

// Only regeneration in place as the paper has it counts, against a pool of the same size.
static void other_settings_do_not_decide_c07(void **state)
{
    (void)state;
    static const char *const others[] = {" tile_slots=64",      " tile_order=rows",    " regenerate_every=1",
                                         " regenerate_above=0", " regenerate_of=pool", " pool=32768"};
    double gains[SCENES][DEPTHS] = {{1, 1, 1.2, 1.3}, {1, 1, 1.2, 1.2}, {1, 1, 1.2, 1.2}};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        struct bench bench;
        open_bench(&bench);
        add_gains(&bench, gains, others[i], false);
        assert_int_equal(claim_cases_of(&bench, "C07"), 0);
        bench_close(&bench);
    }
}

// ---- in place and by streaming, at one depth

enum { TESTS = 4 };
static const char *const test_scenes[TESTS] = {"mirror_corridor", "cornell", "arch", "glass"};

// Frames at a depth of 8: without regeneration of 1 s, in place and by streaming so many times as fast.
static void add_sides(struct bench *bench, const double in_place[TESTS], const double streaming[TESTS],
                      const char *more, bool timeless)
{
    char text[400];
    for (int i = 0; i < TESTS; ++i) {
        snprintf(
            text, sizeof text,
            "pool_refill %s 1 pool=65536, tile_regenerate %s %.6f pool=65536%s, "
            "stream_compact %s %.6f pool=65536 compact_every=4, stream_compact %s 2 pool=65536", // the slower setting
            test_scenes[i], test_scenes[i], 1 / in_place[i], more, test_scenes[i], 1 / streaming[i], test_scenes[i]);
        claim_frames(bench, text, timeless);
    }
}

static void sides_decide_c08_and_c25(void **state)
{
    (void)state;
    static const struct {
        const char *part, *more;
        enum claim_outcome outcome;
        double in_place[TESTS], streaming[TESTS];
    } rows[] = {
        {"C08 in_place", "", OUTCOME_ACCEPTED, {1.1, 1, 1.15, 1.4}, {1, 0.9, 1.15, 1.1}},
        {"C08 in_place", "", OUTCOME_BETWEEN, {1.1, 1, 1.2, 1.4}, {1, 0.9, 1.15, 1.1}},
        {"C08 streaming", "", OUTCOME_REFUTED, {1.1, 1, 1.1, 1.1}, {1.4, 1.4, 1.4, 1.1}},
        {"C08 in_place", " trace_compaction=yes", OUTCOME_UNMEASURED, {1.1, 1, 1.1, 1.1}, {1, 1, 1, 1}},
        {"C25 at_best", " trace_compaction=yes", OUTCOME_ACCEPTED, {1.1, 1, 1.1, 1.3}, {1.05, 1.05, 1, 1.2}},
        {"C25 at_best", " trace_compaction=yes", OUTCOME_BETWEEN, {1.1, 0.98, 1.1, 1.3}, {1.05, 1.05, 1, 1.2}},
        {"C25 at_best", " trace_compaction=yes", OUTCOME_REFUTED, {1.1, 0.95, 1.1, 1.3}, {1.05, 1.05, 1, 1.2}},
        {"C25 over_stream", " trace_compaction=yes", OUTCOME_BETWEEN, {1.1, 1, 1.1, 1.3}, {1.05, 1.05, 1.2, 1.2}},
        {"C25 over_stream", " trace_compaction=yes", OUTCOME_REFUTED, {1.1, 1, 1.1, 1.3}, {1.2, 1, 1.2, 1.2}},
        {"C25 at_best", "", OUTCOME_UNMEASURED, {1.1, 1, 1.1, 1.3}, {1.05, 1.05, 1, 1.2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int timeless = 0; timeless < 2; ++timeless) {
            struct bench bench;
            open_bench(&bench);
            add_sides(&bench, rows[i].in_place, rows[i].streaming, rows[i].more, timeless);
            assert_outcome(&bench, i, rows[i].part, timeless ? OUTCOME_UNMEASURED : rows[i].outcome);
            bench_close(&bench);
        }
}

// One way to regenerate: so many times as fast as none on each test.
static void ways_decide_c12_and_c15(void **state)
{
    (void)state;
    static const struct {
        const char *part, *way, *more;
        enum claim_outcome outcome;
        double gains[TESTS];
    } rows[] = {
        {"C12 at_worst", "stream_compact", "", OUTCOME_ACCEPTED, {0.9, 0.8, 0.99, 1}},
        {"C12 at_worst", "stream_compact", "", OUTCOME_BETWEEN, {0.9, 0.8, 1.1, 1}},
        {"C12 at_worst", "stream_compact", "", OUTCOME_REFUTED, {0.9, 0.8, 1.1, 1.1}},
        {"C12 at_worst", "stream_compact", "compact_every=2", OUTCOME_UNMEASURED, {0.9, 0.8, 1.1, 1.1}},
        {"C15 at_worst", "tile_regenerate", "", OUTCOME_ACCEPTED, {1.2, 1, 1.2, 1.2}},
        {"C15 at_worst", "thread_regenerate", "", OUTCOME_BETWEEN, {1.2, 1.03, 1.2, 1.2}},
        {"C15 at_worst", "stream_compact", "", OUTCOME_REFUTED, {1, 1.1, 1, 1}},
        {"C15 streaming", "stream_compact", "compact_every=8", OUTCOME_ACCEPTED, {1.2, 0.9, 0.9, 1.2}},
        {"C15 streaming", "stream_compact", "compact_every=4", OUTCOME_BETWEEN, {1.2, 0.9, 1.2, 1.2}},
        {"C15 streaming", "stream_compact", "compact_every=4", OUTCOME_REFUTED, {1.2, 1.2, 1.2, 1.2}},
        {"C15 streaming", "stream_compact", "compact_every=4 storage=move", OUTCOME_UNMEASURED, {1.2, 0.9, 0.9, 1.2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int timeless = 0; timeless < 2; ++timeless) {
            struct bench bench;
            char text[400];
            open_bench(&bench);
            for (int test = 0; test < TESTS; ++test) {
                snprintf(text, sizeof text, "pool_refill %s 1 pool=65536, %s %s %.6f pool=65536%s%s", test_scenes[test],
                         rows[i].way, test_scenes[test], 1 / rows[i].gains[test], rows[i].more[0] ? " " : "",
                         rows[i].more);
                claim_frames(&bench, text, timeless);
            }
            assert_outcome(&bench, i, rows[i].part, timeless ? OUTCOME_UNMEASURED : rows[i].outcome);
            bench_close(&bench);
        }
}

// ---- launches

// Counts of a frame in place: so many launches, in each tenth of which, the first among them, a check looks at
// `looks` tiles and moves `moved` bytes.
static void add_launches_of(struct bench *bench, const char *scene, const char *parameters, uint32_t launches,
                            uint64_t looks, uint64_t moved)
{
    enum { MOST = 200, EVERY = 10 };
    static struct measured_launch rows[MOST];
    static struct measured_counts counts[MOST + 2];
    size_t count = 0;
    struct made made = on_gpu("tile_regenerate", scene);
    made.parameters = parameters;
    assert_in_range(launches, 1, MOST);
    for (uint32_t i = 0; i < launches; ++i) {
        rows[i] = (struct measured_launch){.index = i, .iteration = (int32_t)i, .bounce = -1, .grid = 1, .block = 64};
        rows[i].seconds = NAN;
        strcpy(rows[i].kernel, "kernel");
        strcpy(rows[i].stage, i % EVERY ? "trace" : "check");
        if (i % EVERY == 0) {
            counts[count] = (struct measured_counts){.launch = i, .bounce = MEASURED_TOTALS};
            counts[count].counts.moved_bytes = moved;
            counts[count++].counts.live_lanes = looks;
        }
    }
    counts[count] = (struct measured_counts){.launch = 1, .bounce = 0};
    counts[count++].counts.active_paths = 1000;
    const int64_t trial = made_asked(bench->store, bench->run, &made, counts_asked);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .launches = rows,
                                      .launch_count = launches,
                                      .counts = counts,
                                      .count_count = count});
}

static void launches_decide_c01(void **state)
{
    (void)state;
    static const struct {
        enum claim_outcome outcome, direction;
        uint32_t launches[SCENES]; // sorted, of 100, of which the first pass has 20
    } rows[] = {
        {OUTCOME_ACCEPTED, OUTCOME_ACCEPTED, {54, 60, 75}}, {OUTCOME_BETWEEN, OUTCOME_ACCEPTED, {50, 60, 75}},
        {OUTCOME_BETWEEN, OUTCOME_ACCEPTED, {54, 60, 78}},  {OUTCOME_BETWEEN, OUTCOME_BETWEEN, {54, 60, 110}},
        {OUTCOME_REFUTED, OUTCOME_ACCEPTED, {54, 95, 93}},  {OUTCOME_REFUTED, OUTCOME_REFUTED, {54, 120, 100}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_bench(&bench);
        for (int scene = 0; scene < SCENES; ++scene) {
            const char *name = scenes[scene];
            add_launches_of(&bench, name, "roulette=block spp=4 pool=65536", rows[i].launches[scene], 256, 0);
            add_launches_of(&bench, name, "roulette=block spp=4 pool=65536 tile_order=rows", 100, 256, 0);
            // not the paper's roulette
            add_launches_of(&bench, name, "roulette=none spp=4 pool=65536", 100, 256, 0);
            add_launches_of(&bench, name, "roulette=none spp=4 pool=65536 tile_order=rows", 100, 256, 0);
            // with a single pass, or a pool that holds the image, there is nothing to sort
            add_launches_of(&bench, name, "roulette=block pool=65536", 20, 256, 0);
            add_launches_of(&bench, name, "roulette=block pool=65536 tile_order=rows", 20, 256, 0);
            add_launches_of(&bench, name, "roulette=block pool=65536 tile_order=rows seed=2", 10, 256, 0);
            add_launches_of(&bench, name, "roulette=block pool=65536 tile_order=rows max_bounces=20", 10, 256, 0);
            add_launches_of(&bench, name, "roulette=block pool=32768 tile_order=rows", 10, 256, 0);
            add_launches_of(&bench, name, "roulette=block spp=4 pool=1048576", 100, 256, 0);
            add_launches_of(&bench, name, "roulette=block spp=4 pool=1048576 tile_order=rows", 100, 256, 0);
            // other paths, and another order of other tiles: partners of nothing
            add_launches_of(&bench, name, "roulette=block spp=4 pool=65536 tile_order=rows seed=2", 10, 256, 0);
            add_launches_of(&bench, name, "roulette=warp spp=4 pool=65536 tile_order=rows", 10, 256, 0);
            add_launches_of(&bench, name, "roulette=block spp=4 pool=65536 tile_order=rows tile_slots=64", 10, 256, 0);
            add_launches_of(&bench, name, "roulette=block spp=4 pool=65536 tile_order=rows block=128", 10, 256, 0);
        }
        assert_outcome(&bench, i, "C01 saved", rows[i].outcome);
        assert_int_equal(claim_cases_of(&bench, "C01"), 3 * SCENES);
        assert_near(claim_value(&bench, "C01", "glass, roulette by block, pool of 256 tiles", "saved"),
                    (100.0 - rows[i].launches[2]) / 80);
        bench_close(&bench);
    }
}

static void what_checks_touch_decides_c04_and_c18(void **state)
{
    (void)state;
    static const struct {
        enum claim_outcome outcome;
        uint64_t looks, moved;
    } rows[] = {{OUTCOME_ACCEPTED, 65536 / 256, 0}, {OUTCOME_REFUTED, 65536 / 64, 4}, {OUTCOME_REFUTED, 65536, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        open_bench(&bench);
        for (int scene = 0; scene < SCENES; ++scene)
            add_launches_of(&bench, scenes[scene], "pool=65536", 100, rows[i].looks, rows[i].moved);
        assert_outcome(&bench, i, "C04 fewer", rows[i].outcome);
        assert_near(claim_value(&bench, "C04", "glass", "fewer"), 65536.0 / (double)rows[i].looks);
        assert_near(claim_value(&bench, "C18", "glass", "moved"), 10 * (double)rows[i].moved); // ten checks
        assert_outcome(&bench, i, "C18 moved", rows[i].moved ? OUTCOME_REFUTED : OUTCOME_ACCEPTED);
        bench_close(&bench);
    }
}

int main(void)
{
    made_rules = "materials=scene roulette=none";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_at_depths_decide_c07), cmocka_unit_test(other_settings_do_not_decide_c07),
        cmocka_unit_test(sides_decide_c08_and_c25),   cmocka_unit_test(ways_decide_c12_and_c15),
        cmocka_unit_test(launches_decide_c01),        cmocka_unit_test(what_checks_touch_decides_c04_and_c18),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
