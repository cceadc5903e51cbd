// SPDX-License-Identifier: MIT
// Claims of Frolov and Galaktionov 2015 that what pools hold, keep dead and move decide, over made-up databases: C03, C16, C17, C19, C20, C22 and C24.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "staged_support.h"

// Sectors of a word through indices, over those of fixed slots.
static void make_c17(struct bench *bench, const struct staged_row *row, int test)
{
    staged_add(bench, staged_scenes[test], (struct staged){.variant = "tile_regenerate"});
    staged_add(bench, staged_scenes[test],
               (struct staged){.variant = "stream_compact",
                               .parameters = "compact_every=4",
                               .warps = staged_standard.warps / 2,
                               .sectors = (uint64_t)(row->values[test] * (double)staged_standard.sectors / 2)});
}

static void sectors_decide_c17(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {{"C17 sectors", OUTCOME_ACCEPTED, {1.4, 2, 3, 1.3}, 0},
                                             {"C17 sectors", OUTCOME_BETWEEN, {1.4, 1.2, 1.3, 1}, 0},
                                             {"C17 sectors", OUTCOME_REFUTED, {1, 0.9, 1.04, 1}, 0}};
    STAGED_DECIDE(rows, make_c17);
}

// Extra time of dead slots behind the others, and `more` of it where they are spread.
static void make_c20(struct bench *bench, const struct staged_row *row, int test)
{
    static const char *const places[] = {"block=320", "block=320 dead_share=90",
                                         "block=320 dead_share=90 dead_places=apart"};
    const double extra[] = {0, row->values[test], row->values[test] + row->more};
    for (int i = 0; i < 3; ++i)
        staged_add(bench, staged_scenes[test],
                   (struct staged){.variant = "pool_refill", .parameters = places[i], .others = 0.04 + 0.1 * extra[i]});
}

static void dead_slots_decide_c20(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C20 reading", OUTCOME_ACCEPTED, {0.1, 0.1, 0.03, 0.5}, 0.1},
        {"C20 reading", OUTCOME_BETWEEN, {0.1, 0.1, 0.01, 0.5}, 0.1},
        {"C20 reading", OUTCOME_REFUTED, {-0.01, 0, 0, -0.01}, 0.1},
        {"C20 holding", OUTCOME_ACCEPTED, {0.1, 0.1, 0.1, 0.1}, 0.1},
        {"C20 holding", OUTCOME_REFUTED, {0.1, 0.1, 0.1, 0.1}, -0.01},
    };
    STAGED_DECIDE(rows, make_c20);
}

// A slot's state is moved at 1 GB a second; that share of the stages' 0.1 s.
static void make_c22(struct bench *bench, const struct staged_row *row, int test)
{
    staged_add(bench, staged_scenes[test],
               (struct staged){.variant = "pool_refill", .moved = (uint64_t)(row->values[test] * 0.1 * 1e9)});
    staged_add(
        bench, staged_scenes[test],
        (struct staged){.variant = "stream_compact", .parameters = "storage=move", .moving = 0.01, .copied = 10000000});
}

static void state_in_memory_decides_c22(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C22 state", OUTCOME_ACCEPTED, {0.5, 0.5, 0.04, 0.02}, 0},
        {"C22 state", OUTCOME_BETWEEN, {0, 0, 0.04, 0.2}, 0},
        {"C22 state", OUTCOME_REFUTED, {0, 0, 0.3, 0.2}, 0},
        {"C22 simple", OUTCOME_ACCEPTED, {0, 0.3, 0.04, 0.2}, 0},
        {"C22 simple", OUTCOME_BETWEEN, {0, 0.1, 0.04, 0.2}, 0},
        {"C22 simple", OUTCOME_REFUTED, {0, 0.01, 0.04, 0.2}, 0},
    };
    STAGED_DECIDE(rows, make_c22);
}

// ---- frames

// Speed with a quarter and with half of the tiles dead, the same on each test.
static void gaps_decide_c03(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        enum claim_outcome outcome;
        double speed;
    } rows[] = {{"C03 at_quarter", OUTCOME_ACCEPTED, 0.97}, {"C03 at_quarter", OUTCOME_BETWEEN, 0.92},
                {"C03 at_quarter", OUTCOME_REFUTED, 0.88},  {"C03 at_half", OUTCOME_ACCEPTED, 0.97},
                {"C03 at_half", OUTCOME_BETWEEN, 0.88},     {"C03 at_half", OUTCOME_REFUTED, 0.8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        char text[300];
        staged_open(&bench);
        for (int test = 0; test < STAGED_TESTS; ++test) {
            snprintf(
                text, sizeof text, "tile_regenerate %s 1 pool=65536, tile_regenerate %s %.6f pool=65536 dead_share=%d",
                staged_scenes[test], staged_scenes[test], 1 / rows[i].speed, strstr(rows[i].part, "half") ? 50 : 25);
            claim_frames(&bench, text, false);
        }
        assert_outcome(&bench, i, rows[i].part, rows[i].outcome);
        bench_close(&bench);
    }
}

// Streaming over ten scenes, so many of which it makes faster: those first whose rays take most steps.
static void scenes_decide_c24(void **state)
{
    (void)state;
    enum { SCENES = 10 };
    static const char *const all[SCENES] = {"cornell",    "open",          "interior",     "materials",
                                            "closed_box", "closed_varied", "closed_lobes", "mirror_corridor",
                                            "arch",       "glass"};
    static const struct {
        enum claim_outcome outcome;
        int scenes, faster; // from the last one on
        double gain;
    } rows[] = {{OUTCOME_ACCEPTED, 10, 3, 1.2},
                {OUTCOME_BETWEEN, 10, 0, 1.2},
                {OUTCOME_REFUTED, 10, 6, 1.2},
                {OUTCOME_BETWEEN, 10, 6, 1.02},
                {OUTCOME_EXCLUDED, 9, 3, 1.2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        char text[300];
        staged_open(&bench);
        for (int scene = SCENES - rows[i].scenes; scene < SCENES; ++scene) {
            snprintf(text, sizeof text,
                     "pool_refill %s 1 limit=32 pool=65536, stream_compact %s %.6f limit=32 pool=65536 compact_every=4",
                     all[scene], all[scene], scene >= SCENES - rows[i].faster ? 1 / rows[i].gain : 1.1);
            claim_frames(&bench, text, false);
            snprintf(text, sizeof text, "%s 2 0 nodes=%d variant=pool_refill max_bounces=32 pool=65536", all[scene],
                     10 + scene);
            claim_views(&bench, text, "cuda");
        }
        assert_outcome(&bench, i, "C24 clearly", rows[i].outcome);
        bench_close(&bench);
    }
}

// ---- what the device holds

// A pool of 2048 warps, all of which live in every round, on a device that holds `more`; the gain in place.
static void make_c19(struct bench *bench, const struct staged_row *row, int test)
{
    staged_add(bench, staged_scenes[test],
               (struct staged){.variant = "pool_refill", .frame = 1, .resident = (uint32_t)row->more});
    staged_add(
        bench, staged_scenes[test],
        (struct staged){.variant = "tile_regenerate", .frame = 1 / row->values[test], .resident = (uint32_t)row->more});
}

static void residency_decides_c19(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C19 above", OUTCOME_ACCEPTED, {1, 1.2, 1.04, 0.9}, 1500},
        {"C19 above", OUTCOME_BETWEEN, {1, 1, 1.08, 1}, 1500},
        {"C19 above", OUTCOME_REFUTED, {1, 1, 1.2, 1}, 1500},
        {"C19 below", OUTCOME_UNMEASURED, {1, 1, 1, 1}, 1500},
        {"C19 below", OUTCOME_ACCEPTED, {1.2, 1, 1.2, 1.3}, 3000},
        {"C19 below", OUTCOME_BETWEEN, {1.2, 1, 1, 1}, 3000},
        {"C19 below", OUTCOME_REFUTED, {1, 1.2, 1.04, 1}, 3000},
        {"C19 above", OUTCOME_UNMEASURED, {1, 1, 1, 1}, 3000},
    };
    STAGED_DECIDE(rows, make_c19);
}

// Of three pools the rounds have 2, 4 and half as many warps as the device holds; speed of tracing there over the best.
static void make_knee(struct bench *bench, const struct staged_row *row, int test)
{
    const uint64_t warps[] = {400000, 800000, 100000};
    const double speed[] = {row->values[1], 1, row->values[0]};
    for (int i = 0; i < 3; ++i)
        staged_add(bench, staged_scenes[test],
                   (struct staged){.variant = "pool_refill",
                                   .pool = staged_standard.pool << i,
                                   .trace = 0.01 / speed[i],
                                   .warps = warps[i],
                                   .resident = 2000});
}

static void the_knee_decides_c19(void **state)
{
    (void)state;
    static const struct staged_row rows[] = {
        {"C19 plateau", OUTCOME_ACCEPTED, {0.6, 0.9}, 0},
        {"C19 plateau", OUTCOME_BETWEEN, {0.6, 0.8}, 0},
        {"C19 plateau", OUTCOME_BETWEEN, {0.8, 0.9}, 0},
        {"C19 plateau", OUTCOME_REFUTED, {0.9, 0.95}, 0},
    };
    STAGED_DECIDE(rows, make_knee);
}

// ---- registers

static void add_kernel(struct bench *bench, const char *variant, const char *kernel, int registers, const char *more)
{
    char parameters[64];
    const struct measured_repetition repetition = {.host_seconds = 1};
    struct measured_kernel facts = {.facts = {.registers = registers}, .block = 64};
    snprintf(facts.kernel, sizeof facts.kernel, "%s", kernel);
    snprintf(parameters, sizeof parameters, "pool=65536 %s", more);
    struct made made = on_gpu(variant, "arch");
    made.parameters = parameters;
    made_finish(bench->store, bench->run, made_asked(bench->store, bench->run, &made, frame_asked), &made,
                &(struct measurement){.collection = COLLECTION_FRAME,
                                      .repetitions = (struct measured_repetition[]){repetition},
                                      .repetition_count = 1,
                                      .kernels = &facts,
                                      .kernel_count = 1});
}

static void registers_decide_c16(void **state)
{
    (void)state;
    static const struct {
        enum claim_outcome outcome;
        int single, trace;
        const char *more;
    } rows[] = {
        {OUTCOME_ACCEPTED, 80, 48, ""}, {OUTCOME_REFUTED, 48, 48, ""}, {OUTCOME_UNMEASURED, 80, 48, "registers=96"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        staged_open(&bench);
        add_kernel(&bench, "naive", "naive", rows[i].single, rows[i].more);
        add_kernel(&bench, "pool_refill", "refill_trace", rows[i].trace, rows[i].more);
        assert_outcome(&bench, i, "C16 fewer", rows[i].outcome);
        bench_close(&bench);
    }
}

int main(void)
{
    made_rules = "materials=scene roulette=none";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_decide_c17),          cmocka_unit_test(dead_slots_decide_c20),
        cmocka_unit_test(state_in_memory_decides_c22), cmocka_unit_test(gaps_decide_c03),
        cmocka_unit_test(scenes_decide_c24),           cmocka_unit_test(residency_decides_c19),
        cmocka_unit_test(the_knee_decides_c19),        cmocka_unit_test(registers_decide_c16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
