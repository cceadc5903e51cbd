// SPDX-License-Identifier: MIT
// Claims of Frolov and Galaktionov 2015 that times of stages decide, over made-up databases: C02, C05, C06, C11, C13 and C14.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "staged_support.h"

// Speed of tracing with compaction; `more`: its cost where all lanes live.
static void make_c02(struct bench *bench, const struct staged_row *row, int test)
{
    const struct staged off = {.variant = "tile_regenerate", .sparse = 1000},
                        on = {.variant = "tile_regenerate",
                              .parameters = "trace_compaction=yes",
                              .trace = 0.04 / row->values[test],
                              .shadow = 0.02 / row->values[test],
                              .sparse = row->more < 0.04 ? 900 : 1000},
                        flat = {.variant = "tile_regenerate", .limit = -1},
                        flat_on = {.variant = "tile_regenerate",
                                   .limit = -1,
                                   .parameters = "trace_compaction=yes",
                                   .trace = 0.04 * (1 + row->more)};
    staged_add(bench, staged_scenes[test], off);
    staged_add(bench, staged_scenes[test], on);
    staged_add(bench, staged_scenes[test], flat);
    staged_add(bench, staged_scenes[test], flat_on);
}

static void compaction_in_blocks_decides_c02(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C02 mean_gain", OUTCOME_ACCEPTED, {1, 1, 1.2, 1.2}, 0.01},
        {"C02 mean_gain", OUTCOME_BETWEEN, {1, 1, 1, 1.2}, 0.01},
        {"C02 mean_gain", OUTCOME_REFUTED, {0.9, 0.9, 1.1, 1}, 0.01},
        {"C02 cost", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 0.01},
        {"C02 cost", OUTCOME_BETWEEN, {1, 1, 1, 1}, 0.03},
        {"C02 cost", OUTCOME_REFUTED, {1, 1, 1, 1}, 0.06},
        {"C02 sparse", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 0.01},
        {"C02 sparse", OUTCOME_REFUTED, {1, 1, 1, 1}, 0.06},
    };
    STAGED_DECIDE(rows, make_c02);
}

// Gains of the path kernels in place, and by streaming `more` less. Streaming every round regenerates more often, and is
// not what in place is compared with.
static void make_c05(struct bench *bench, const struct staged_row *row, int test)
{
    const double none = staged_standard.trace + staged_standard.shadow + staged_standard.others;
    struct staged pool = {.variant = "pool_refill"}, tile = {.variant = "tile_regenerate"},
                  stream = {.variant = "stream_compact", .parameters = "compact_every=4"},
                  often = {.variant = "stream_compact", .regenerations = 100, .trace = 0.01};
    tile.others = none / row->values[test] - staged_standard.trace - staged_standard.shadow;
    stream.others = none / (row->values[test] - row->more) - staged_standard.trace - staged_standard.shadow;
    staged_add(bench, staged_scenes[test], pool);
    staged_add(bench, staged_scenes[test], tile);
    staged_add(bench, staged_scenes[test], stream);
    staged_add(bench, staged_scenes[test], often);
}

static void gains_of_path_kernels_decide_c05(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C05 apart", OUTCOME_ACCEPTED, {1.2, 1.2, 1.2, 1.3}, 0.04},
        {"C05 apart", OUTCOME_BETWEEN, {1.2, 1.2, 1.2, 1.3}, 0.1},
        {"C05 apart", OUTCOME_REFUTED, {1.2, 1.2, 1.2, 1.3}, 0.2},
    };
    STAGED_DECIDE(rows, make_c05);
}

// Cost of streaming over that in place, each test's; `more`: how many of the three points raise it where they are left out.
static void make_c06(struct bench *bench, const struct staged_row *row, int test)
{
    static const char *const left_out[] = {"tile_slots=1", "tile_order=rows", "regenerate_above=0"};
    staged_add(bench, staged_scenes[test], (struct staged){.variant = "tile_regenerate", .gap = 0.01});
    staged_add(bench, staged_scenes[test],
               (struct staged){
                   .variant = "stream_compact", .parameters = "compact_every=4", .listing = 0.01 * row->values[test]});
    for (int i = 0; i < 3; ++i)
        staged_add(bench, staged_scenes[test],
                   (struct staged){.variant = "tile_regenerate",
                                   .parameters = left_out[i],
                                   .regenerate = i < row->more ? 0.01 : 0,
                                   .gap = 0.01});
}

static void costs_decide_c06(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C06 lower", OUTCOME_ACCEPTED, {1.5, 0.5, 1.1, 2}, 3}, {"C06 lower", OUTCOME_BETWEEN, {1.5, 1.5, 0.5, 2}, 3},
        {"C06 lower", OUTCOME_REFUTED, {0.5, 1.5, 0.5, 2}, 3},  {"C06 reasons", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 3},
        {"C06 reasons", OUTCOME_BETWEEN, {1, 1, 1, 1}, 2},      {"C06 reasons", OUTCOME_REFUTED, {1, 1, 1, 1}, 1},
    };
    STAGED_DECIDE(rows, make_c06);
}

// Streaming every round: its lists take that share of the tracing time; the path kernels gain `more`.
static void make_c11(struct bench *bench, const struct staged_row *row, int test)
{
    const double rays = staged_standard.trace + staged_standard.shadow, none = rays + staged_standard.others;
    struct staged stream = {.variant = "stream_compact", .listing = rays * row->values[test]};
    stream.others = none / (1 + row->more) - rays;
    staged_add(bench, staged_scenes[test], (struct staged){.variant = "pool_refill"});
    staged_add(bench, staged_scenes[test], stream);
    stream.parameters = "storage=move"; // in the same time: indices cost nothing
    staged_add(bench, staged_scenes[test], stream);
}

static void costs_and_gains_of_streaming_decide_c11(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C11 self_cost", OUTCOME_ACCEPTED, {0.11, 0.15, 0.19, 0.5}, 0.25},
        {"C11 self_cost", OUTCOME_BETWEEN, {0.11, 0.15, 0.25, 0.5}, 0.25},
        {"C11 self_cost", OUTCOME_REFUTED, {0.01, 0.01, 0.5, 0.3}, 0.25},
        {"C11 gross", OUTCOME_ACCEPTED, {0.1, 0.1, 0.1, 0.1}, 0.25},
        {"C11 gross", OUTCOME_BETWEEN, {0.1, 0.1, 0.1, 0.1}, 0.1},
        {"C11 gross", OUTCOME_REFUTED, {0.1, 0.1, 0.1, 0.1}, 0.02},
        {"C11 kept", OUTCOME_ACCEPTED, {0.3, 0.3, 0.3, 0.3}, 0.25}, // 0.08 + 0.018 s for 0.1 s: a net gain of 0.02
        {"C11 kept", OUTCOME_BETWEEN, {0.1, 0.1, 0.1, 0.1}, 0.25},
        {"C11 kept", OUTCOME_REFUTED, {0.01, 0.01, 0.01, 0.01}, 0.25},
    };
    STAGED_DECIDE(rows, make_c11);
}

// Steps for a camera ray in mixed warps, over others; `more`: what of the frame is not spent on paths, beyond the fiftieth that it
// is without regeneration.
static void make_c13(struct bench *bench, const struct staged_row *row, int test)
{
    struct staged thread = {.variant = "thread_regenerate", .alone = {1000, 10000}, .mixed = {500, 0}};
    thread.mixed[1] = (uint64_t)(5000 * row->values[test]);
    thread.gap = 0.1 * (0.02 + row->more) / (0.98 - row->more);
    staged_add(bench, staged_scenes[test], thread);
    staged_add(bench, staged_scenes[test], (struct staged){.variant = "pool_refill", .gap = 0.1 * 0.02 / 0.98});
}

static void mixed_warps_decide_c13(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C13 steps", OUTCOME_ACCEPTED, {1, 2.5, 3.9, 1.5}, 0.01},
        {"C13 steps", OUTCOME_BETWEEN, {3, 1.5, 3.9, 1.5}, 0.01},
        {"C13 steps", OUTCOME_REFUTED, {3, 1.2, 1.1, 3}, 0.01},
        {"C13 cost", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 0.01},
        {"C13 cost", OUTCOME_BETWEEN, {1, 1, 1, 1}, 0.03},
        {"C13 cost", OUTCOME_REFUTED, {1, 1, 1, 1}, 0.06},
    };
    STAGED_DECIDE(rows, make_c13);
}

// The rule of the paper against none: `more` of its cost in seconds, launches of regeneration and of stages per test.
static void make_c14(struct bench *bench, const struct staged_row *row, int test)
{
    staged_add(bench, staged_scenes[test], (struct staged){.variant = "tile_regenerate", .gap = 0.01});
    staged_add(bench, staged_scenes[test],
               (struct staged){.variant = "tile_regenerate",
                               .parameters = "regenerate_every=1 regenerate_above=0",
                               .gap = 0.01 + row->more,
                               .regenerations = (uint32_t)(10 * row->values[test]),
                               .traces = row->more > 0 ? 100 : 90});
}

static void thresholds_decide_c14(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C14 lower", OUTCOME_ACCEPTED, {2, 2, 2, 2}, 0.01},  {"C14 lower", OUTCOME_REFUTED, {2, 2, 2, 2}, -0.005},
        {"C14 fuller", OUTCOME_ACCEPTED, {2, 2, 1, 2}, 0.01}, {"C14 fuller", OUTCOME_REFUTED, {2, 1, 1, 1}, 0.01},
        {"C14 live", OUTCOME_ACCEPTED, {2, 2, 2, 2}, 0.01},   {"C14 live", OUTCOME_REFUTED, {2, 2, 2, 2}, -0.005},
    };
    STAGED_DECIDE(rows, make_c14);
}

// The made-up regenerations of a frame of one pass are all one row; a pool that is filled by a third is what the rule
// gives.
static void make_least(struct bench *bench, const struct staged_row *row, int test)
{
    staged_add(bench, staged_scenes[test],
               (struct staged){.variant = "tile_regenerate",
                               .regenerations = 1,
                               .begun = (uint64_t)(row->values[test] * staged_standard.pool)});
}

static void least_regeneration_decides_c14(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {{"C14 least", OUTCOME_ACCEPTED, {1, 0.34, 0.5, 1}, 0},
                                             {"C14 least", OUTCOME_REFUTED, {1, 0.33, 0.5, 1}, 0}};
    STAGED_DECIDE(rows, make_least);
}

int main(void)
{
    made_rules = "materials=scene roulette=none";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compaction_in_blocks_decides_c02),
        cmocka_unit_test(gains_of_path_kernels_decide_c05),
        cmocka_unit_test(costs_decide_c06),
        cmocka_unit_test(costs_and_gains_of_streaming_decide_c11),
        cmocka_unit_test(mixed_warps_decide_c13),
        cmocka_unit_test(thresholds_decide_c14),
        cmocka_unit_test(least_regeneration_decides_c14),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
