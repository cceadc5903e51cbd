// SPDX-License-Identifier: MIT
// Claims of the 2018 thesis that counts decide, at least in part: C03, C05, C07, C11 to C13, C17, C18 and C22, over made-up databases.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "schemes_support.h"

#define CONSTANT(volume) ((volume) < 2)

static void add(struct bench *bench, int volume, struct scheme_frame frame, bool timeless)
{
    scheme_add(bench, scheme_volumes[volume], frame, timeless);
}

// By warp of 1 s against by thread of so many; by warp, `more` times as many mixed warps and lines.
static void make_c03(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, (struct scheme_frame){.variant = "regenerate_thread", .seconds = row->values[volume]}, timeless);
    add(bench, volume,
        (struct scheme_frame){.variant = "regenerate_warp",
                              .mixed = scheme_standard.mixed * row->more,
                              .density = scheme_standard.density * row->more},
        timeless);
}

static void regeneration_by_warp_decides_c03(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C03 gain", OUTCOME_ACCEPTED, {0.2, 0.4, 1.03, 1.3}, 0.5},
        {"C03 mixed", OUTCOME_ACCEPTED, {0.2, 0.4, 1.03, 1.3}, 0.5},
        {"C03 gain", OUTCOME_BETWEEN, {0.2, 0.4, 1, 1.3}, 0.5},
        {"C03 gain", OUTCOME_REFUTED, {2, 2, 0.9, 1.3}, 1.1},
        {"C03 mixed", OUTCOME_REFUTED, {2, 2, 0.9, 1.3}, 1.1},
    };
    SCHEME_DECIDE(rows, make_c03, true);
}

// Share of extensions with one outcome; `more`: lanes at work at constant density, where others have half of them.
static void make_c05(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    const char *const variants[] = {"volume_naive", "regenerate_thread"};
    for (int i = 0; i < 2; ++i)
        add(bench, volume,
            (struct scheme_frame){.variant = variants[i],
                                  .seconds = -1,
                                  .uniform = row->values[volume],
                                  .tracking = CONSTANT(volume) ? row->more : 0.5},
            timeless);
}

static void outcomes_in_a_warp_decide_c05(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C05 uniform", OUTCOME_ACCEPTED, {0.95, 0.9, 0.7, 0.79}, 0.7},
        {"C05 less", OUTCOME_ACCEPTED, {0.95, 0.9, 0.7, 0.79}, 0.7},
        {"C05 tracking", OUTCOME_ACCEPTED, {0.95, 0.9, 0.7, 0.79}, 0.7},
        {"C05 uniform", OUTCOME_BETWEEN, {0.95, 0.45, 0.4, 0.4}, 0.55},
        {"C05 less", OUTCOME_BETWEEN, {0.95, 0.45, 0.4, 0.4}, 0.55},
        {"C05 tracking", OUTCOME_BETWEEN, {0.95, 0.45, 0.4, 0.4}, 0.55},
        {"C05 uniform", OUTCOME_REFUTED, {0.3, 0.45, 0.5, 0.5}, 0.5},
        {"C05 less", OUTCOME_REFUTED, {0.3, 0.45, 0.5, 0.5}, 0.5},
        {"C05 tracking", OUTCOME_REFUTED, {0.3, 0.45, 0.5, 0.5}, 0.5},
    };
    SCHEME_DECIDE(rows, make_c05, false);
}

// Frames of so few samples that no lane gets four paths count for nothing, and neither do other block sizes or orders.
static void other_settings_do_not_decide(void **state)
{
    (void)state;
    static const struct {
        const char *parameters;
        int64_t samples;
        enum claim_outcome outcome;
    } rows[] = {
        {"", 100, OUTCOME_ACCEPTED},
        {"", 1, OUTCOME_EXCLUDED},
        {"block=64", 100, OUTCOME_UNMEASURED},
        {"majorant=bricks", 100, OUTCOME_UNMEASURED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        scheme_open(&bench);
        scheme_add(&bench, "cube",
                   (struct scheme_frame){.variant = "regenerate_thread",
                                         .parameters = rows[i].parameters,
                                         .uniform = 0.95,
                                         .seconds = -1,
                                         .side = 90,
                                         .samples = rows[i].samples},
                   false);
        assert_outcome(&bench, i, "C05 uniform", rows[i].outcome);
        bench_close(&bench);
    }
}

static void make_c07(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, (struct scheme_frame){.variant = "volume_naive", .registers = (int)row->values[volume]},
        timeless);
    add(bench, volume,
        (struct scheme_frame){.variant = "volume_naive", .parameters = "registers=255", .registers = 200}, timeless);
    add(bench, volume, (struct scheme_frame){.variant = "regenerate_thread", .registers = (int)row->values[volume]},
        timeless);
}

static void registers_decide_c07(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C07 occupancy", OUTCOME_ACCEPTED, {64, 64, 64, 64}, 0},
        {"C07 registers", OUTCOME_ACCEPTED, {64, 64, 64, 64}, 0},
        {"C07 registers", OUTCOME_BETWEEN, {50, 50, 50, 50}, 0},
        {"C07 registers", OUTCOME_REFUTED, {40, 40, 40, 40}, 0},
        {"C07 registers", OUTCOME_REFUTED, {128, 128, 128, 128}, 0},
    };
    SCHEME_DECIDE(rows, make_c07, false);
}

// Compacted and sorted paths of so many seconds, and with the albedo read behind the sort in a second; `more`: lines of each
// over those of the one before.
static void make_sorts(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, (struct scheme_frame){.variant = "stream_block", .seconds = row->values[volume]}, timeless);
    add(bench, volume, (struct scheme_frame){.variant = "stream_sort", .albedo = 4 * row->more}, timeless);
    add(bench, volume,
        (struct scheme_frame){
            .variant = "sort_albedo", .seconds = 1 / row->values[volume], .albedo = 4 * row->more * row->more},
        timeless);
    add(bench, volume, // another key of ended paths
        (struct scheme_frame){.variant = "sort_albedo", .parameters = "dead_key=above", .seconds = 5, .albedo = 9},
        timeless);
}

static void sorts_decide_c11_and_c12(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C11 gain", OUTCOME_ACCEPTED, {0.96, 1, 1.04, 1}, 0.9},
        {"C11 lines", OUTCOME_ACCEPTED, {0.96, 1, 1.04, 1}, 0.9},
        {"C12 lines", OUTCOME_ACCEPTED, {0.96, 1, 1.04, 1}, 0.9},
        {"C12 gain", OUTCOME_ACCEPTED, {1.02, 1.01, 1.03, 0.9}, 1},
        {"C11 lines", OUTCOME_REFUTED, {1.02, 1.01, 1.03, 0.9}, 1},
        {"C12 gain", OUTCOME_BETWEEN, {1.02, 1.01, 0.9, 0.9}, 1},
        {"C12 gain", OUTCOME_REFUTED, {0.9, 0.9, 0.9, 1.1}, 1.1},
        {"C12 lines", OUTCOME_REFUTED, {0.9, 0.9, 0.9, 1.1}, 1.1},
    };
    SCHEME_DECIDE(rows, make_sorts, true);
}

// The verdicts of C11 that its parts of the same column have.
static void parts_of_c11_differ(void **state)
{
    (void)state;
    static const struct {
        double values[SCHEME_VOLUMES];
        enum claim_outcome outcomes[3]; // not affected, no better, slower everywhere
    } rows[] = {
        {{0.96, 1, 1.04, 1}, {OUTCOME_ACCEPTED, OUTCOME_ACCEPTED, OUTCOME_REFUTED}},
        {{0.39, 0.47, 0.91, 0.84}, {OUTCOME_REFUTED, OUTCOME_ACCEPTED, OUTCOME_ACCEPTED}},
        {{0.39, 1, 0.91, 0.84}, {OUTCOME_REFUTED, OUTCOME_ACCEPTED, OUTCOME_BETWEEN}},
        {{1.1, 1.2, 1, 1}, {OUTCOME_REFUTED, OUTCOME_REFUTED, OUTCOME_REFUTED}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        struct scheme_row row = {.more = 1};
        scheme_open(&bench);
        for (int volume = 0; volume < SCHEME_VOLUMES; ++volume) {
            row.values[volume] = rows[i].values[volume];
            make_sorts(&bench, &row, volume, false);
        }
        for (size_t part = 0; part < 3; ++part)
            assert_part(&bench, i, "C11", part + 1, rows[i].outcomes[part]);
        bench_close(&bench);
    }
}

// In grids of 32^3 and of 512^3 speed of sorted over compacted paths; and lines of paths sorted behind the albedo.
static void grids_decide_c13(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        enum claim_outcome outcome;
        double small, large, small_lines, large_lines;
    } rows[] = {
        {"C13 rise", OUTCOME_ACCEPTED, 1.1, 0.9, 1, 1},  {"C13 rise", OUTCOME_BETWEEN, 0.95, 0.9, 1, 1},
        {"C13 rise", OUTCOME_REFUTED, 0.8, 0.9, 1, 1},   {"C13 small", OUTCOME_ACCEPTED, 1, 1, 0.6, 0.95},
        {"C13 small", OUTCOME_BETWEEN, 1, 1, 0.8, 0.95}, {"C13 small", OUTCOME_REFUTED, 1, 1, 0.9, 0.9},
        {"C13 large", OUTCOME_BETWEEN, 1, 1, 0.6, 0.8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        scheme_open(&bench);
        for (int large = 0; large < 2; ++large) {
            const char *scene = large ? "grid_512" : "grid_032";
            const double gain = large ? rows[i].large : rows[i].small,
                         lines = 4 * (large ? rows[i].large_lines : rows[i].small_lines);
            scheme_add(&bench, scene, (struct scheme_frame){.variant = "stream_block", .seconds = gain}, false);
            scheme_add(&bench, scene, (struct scheme_frame){.variant = "stream_sort"}, false);
            scheme_add(&bench, scene, (struct scheme_frame){.variant = "sort_albedo", .albedo = lines}, false);
        }
        assert_outcome(&bench, i, rows[i].part, rows[i].outcome);
        bench_close(&bench);
    }
}

// Lines of a warp's request by 32 lanes.
static void make_c13(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, (struct scheme_frame){.variant = "sort_albedo", .seconds = -1, .albedo = row->values[volume]},
        timeless);
}

static void neighbours_decide_c13(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C13 apart", OUTCOME_ACCEPTED, {20, 30, 17, 31}, 0},
        {"C13 apart", OUTCOME_BETWEEN, {20, 30, 10, 31}, 0},
        {"C13 apart", OUTCOME_REFUTED, {10, 16, 2, 1}, 0},
    };
    SCHEME_DECIDE(rows, make_c13, false);
}

// Neighbours in the order of a sort.
static void make_distances(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, (struct scheme_frame){.variant = "stream_sort", .seconds = -1, .apart = row->values[volume]},
        timeless);
    add(bench, volume, (struct scheme_frame){.variant = "stream_block", .seconds = -1, .apart = 0.01}, timeless);
}

static void distances_decide_c13(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C13 far", OUTCOME_ACCEPTED, {0.6, 0.9, 0.51, 1}, 0},
        {"C13 far", OUTCOME_BETWEEN, {0.6, 0.9, 0.4, 1}, 0},
        {"C13 far", OUTCOME_REFUTED, {0.1, 0.2, 0.4, 0.5}, 0},
    };
    SCHEME_DECIDE(rows, make_distances, false);
}

// Partly filled warps a trip in streaming; `more`: its lanes at work, and those of its first extension, over all others.
static void make_c17(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, (struct scheme_frame){.variant = "regenerate_thread", .seconds = -1}, timeless);
    add(bench, volume,
        (struct scheme_frame){.variant = "stream_block",
                              .seconds = -1,
                              .partial = row->values[volume],
                              .mixed = scheme_standard.mixed / row->more,
                              .tracking = scheme_standard.tracking * row->more,
                              .first = scheme_standard.tracking * row->more * row->more,
                              .first_density = scheme_standard.density / row->more},
        timeless);
}

static void warps_of_streaming_decide_c17(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C17 partial", OUTCOME_ACCEPTED, {0.5, 1, 0.1, 1}, 1.2},
        {"C17 lanes", OUTCOME_ACCEPTED, {0.5, 1, 0.1, 1}, 1.2},
        {"C17 first_lanes", OUTCOME_ACCEPTED, {0.5, 1, 0.1, 1}, 1.2},
        {"C17 mixed", OUTCOME_ACCEPTED, {0.5, 1, 0.1, 1}, 1.2},
        {"C17 partial", OUTCOME_BETWEEN, {0.5, 1.1, 0.1, 1}, 0.9},
        {"C17 lanes", OUTCOME_REFUTED, {0.5, 1.1, 0.1, 1}, 0.9},
        {"C17 first_lanes", OUTCOME_REFUTED, {0.5, 1.1, 0.1, 1}, 0.9},
        {"C17 mixed", OUTCOME_REFUTED, {0.5, 1.1, 0.1, 1}, 0.9},
        {"C17 partial", OUTCOME_REFUTED, {2, 1.1, 7, 3}, 1},
    };
    SCHEME_DECIDE(rows, make_c17, false);
}

// Atomic operations beyond one for 32 paths, of 80 warps.
static void make_c18(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume,
        (struct scheme_frame){.variant = "regenerate_warp", .seconds = -1, .beyond = row->values[volume]}, timeless);
}

static void atomics_decide_c18(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C18 beyond", OUTCOME_ACCEPTED, {80, 79, 1, 80}, 0},
        {"C18 beyond", OUTCOME_REFUTED, {80, 81, 1, 80}, 0},
    };
    SCHEME_DECIDE(rows, make_c18, false);
}

// Live lanes of the naive kernel, of 1 s; by thread `more` of them, in so much less time as the first value says.
static void make_c22(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, (struct scheme_frame){.variant = "volume_naive", .live = row->values[volume]}, timeless);
    add(bench, volume, (struct scheme_frame){.variant = "regenerate_thread", .seconds = 0.4, .live = row->more},
        timeless);
}

static void live_lanes_decide_c22(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C22 explained", OUTCOME_ACCEPTED, {0.4, 0.4, 0.3, 0.4}, 0.96},
        {"C22 naive", OUTCOME_ACCEPTED, {0.4, 0.4, 0.3, 0.4}, 0.96},
        {"C22 regenerated", OUTCOME_ACCEPTED, {0.4, 0.4, 0.3, 0.4}, 0.96},
        {"C22 explained", OUTCOME_BETWEEN, {0.4, 0.7, 0.3, 0.4}, 0.96},
        {"C22 naive", OUTCOME_BETWEEN, {0.4, 0.7, 0.3, 0.4}, 0.96},
        {"C22 explained", OUTCOME_REFUTED, {0.9, 0.95, 0.9, 0.9}, 0.96},
        {"C22 naive", OUTCOME_REFUTED, {0.9, 0.95, 0.9, 0.9}, 0.96},
        {"C22 regenerated", OUTCOME_BETWEEN, {0.4, 0.6, 0.4, 0.4}, 0.9},
        {"C22 more", OUTCOME_REFUTED, {0.4, 0.6, 0.4, 0.4}, 0.4},
    };
    SCHEME_DECIDE(rows, make_c22, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regeneration_by_warp_decides_c03),
        cmocka_unit_test(outcomes_in_a_warp_decide_c05),
        cmocka_unit_test(other_settings_do_not_decide),
        cmocka_unit_test(registers_decide_c07),
        cmocka_unit_test(sorts_decide_c11_and_c12),
        cmocka_unit_test(parts_of_c11_differ),
        cmocka_unit_test(grids_decide_c13),
        cmocka_unit_test(neighbours_decide_c13),
        cmocka_unit_test(distances_decide_c13),
        cmocka_unit_test(warps_of_streaming_decide_c17),
        cmocka_unit_test(atomics_decide_c18),
        cmocka_unit_test(live_lanes_decide_c22),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
