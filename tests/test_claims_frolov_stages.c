// SPDX-License-Identifier: MIT
// Claims of Frolov and Galaktionov 2015 that times of stages and counts of pools decide, over made-up databases: C02, C03,
// C05, C06, C11, C13, C14, C16, C17, C19, C20, C22 and C24.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"
#include "report/paper.h"

enum { TESTS = 4, POOL = 65536 };
static const char *const scenes[TESTS] = {"mirror_corridor", "cornell", "arch", "glass"};

static void open_bench(struct bench *bench)
{
    struct error error = {0};
    bench_open(bench);
    paper_free(bench->paper);
    bench->paper = paper_load("frolov2015", &error);
    must(bench->paper != NULL, &error);
}

// ---- made-up frames of a pool

// Seconds of its stages, and what is counted; 0: as `standard`.
struct staged {
    const char *variant, *parameters; // beside pool, roulette and spp
    int limit;
    double trace, shadow, others, listing, moving, regenerate, gap;
    uint32_t regenerations, traces;
    uint64_t begun, lanes, warps, sectors, sparse, moved, copied; // lanes, warps: of the stage trace
    uint64_t alone[2], mixed[2];                                  // camera rays, and steps
    uint32_t resident;
};

static const struct staged standard = {.limit = 32,
                                       .trace = 0.04,
                                       .shadow = 0.02,
                                       .others = 0.04,
                                       .traces = 100,
                                       .regenerations = 10,
                                       .begun = 983040,
                                       .lanes = 10000000,
                                       .warps = 400000,
                                       .sectors = 1600000,
                                       .resident = RESIDENT};

#define OR_STANDARD(field) (staged->field ? staged->field : standard.field)

static struct measured_launch stage_of(const char *stage, double seconds, uint32_t launches)
{
    struct measured_launch row = {.bounce = -1, .auxiliary = !strcmp(stage, "select"), .grid = 15360, .block = 64};
    row.seconds = seconds;
    row.more = launches - 1;
    snprintf(row.kernel, sizeof row.kernel, "%s%s", row.auxiliary ? "" : "refill_", stage);
    snprintf(row.stage, sizeof row.stage, "%s", row.auxiliary ? "" : stage);
    return row;
}

enum { STAGES = 6, TRACE = 0, NEXT = 2, REGENERATE = 3, MOVE = 4 };

static void stages_of(const struct staged *staged, struct measured_launch rows[STAGES])
{
    rows[TRACE] = stage_of("trace", OR_STANDARD(trace), OR_STANDARD(traces));
    rows[1] = stage_of("shadow", OR_STANDARD(shadow), OR_STANDARD(traces));
    rows[NEXT] = stage_of("next", OR_STANDARD(others), OR_STANDARD(traces));
    rows[REGENERATE] = stage_of("regenerate", staged->regenerate, OR_STANDARD(regenerations));
    rows[MOVE] = stage_of("move", staged->moving, 1);
    rows[5] = stage_of("select", staged->listing, 1);
    for (uint32_t i = 0; i < STAGES; ++i)
        rows[i].index = i;
}

static void count_staged(struct bench *bench, int64_t trial, const struct made *made, const struct staged *staged)
{
    struct measured_launch rows[STAGES];
    stages_of(staged, rows);
    struct measured_counts counts[] = {
        {TRACE, 0, {.active_paths = 983040, .active_warps = 30720, .nodes = 10 * 983040}},
        {TRACE, MEASURED_TOTALS, {.live_lanes = OR_STANDARD(lanes), .live_warps = OR_STANDARD(warps)}},
        {NEXT, MEASURED_TOTALS, {.moved_bytes = staged->moved}},
        {REGENERATE, MEASURED_TOTALS, {.begun = OR_STANDARD(begun), .queued = 2 * OR_STANDARD(begun)}},
        {MOVE, MEASURED_TOTALS, {.moved_bytes = staged->copied}}};
    counts[1].counts.slot_sectors = OR_STANDARD(sectors);
    counts[1].counts.sparse_warps = staged->sparse;
    for (int i = 0; i < 2; ++i) {
        const uint64_t *pair = i == CAMERA_MIXED ? staged->mixed : staged->alone;
        counts[1].counts.camera_rays[i] = pair[0];
        counts[1].counts.camera_steps[i] = pair[1];
    }
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .launches = rows,
                                      .launch_count = STAGES,
                                      .counts = counts,
                                      .count_count = sizeof counts / sizeof *counts});
}

static void time_staged(struct bench *bench, int64_t trial, const struct made *made, const struct staged *staged)
{
    struct measured_launch rows[STAGES];
    struct measured_repetition repetition = {.host_seconds = NAN, .device_seconds = NAN, .sm_mhz = NAN};
    struct measured_kernel kernel = {.kernel = "refill_trace", .facts = {.registers = 40}, .block = 64};
    stages_of(staged, rows);
    kernel.resident_warps = OR_STANDARD(resident);
    repetition.gap_seconds = staged->gap;
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_LAUNCHES,
                                      .repetitions = &repetition,
                                      .repetition_count = 1,
                                      .launches = rows,
                                      .launch_count = STAGES,
                                      .kernels = &kernel,
                                      .kernel_count = 1});
}

static void add_staged(struct bench *bench, const char *scene, struct staged staged)
{
    char parameters[200];
    struct made made = on_gpu(staged.variant, scene);
    snprintf(parameters, sizeof parameters, "%s pool=%d %s", claim_parameters, POOL,
             staged.parameters ? staged.parameters : "");
    made.parameters = parameters;
    made.max_bounces = staged.limit < 0 ? 0 : staged.limit ? staged.limit : standard.limit;
    for (made.replicate = 0; made.replicate < 2; ++made.replicate) {
        const int64_t trial =
            made_asked(bench->store, bench->run, &made, launches_asked | (made.replicate ? 0 : counts_asked));
        time_staged(bench, trial, &made, &staged);
        if (!made.replicate)
            count_staged(bench, trial, &made, &staged);
    }
}

// ---- what a claim is made of, on each of the tests

struct row {
    const char *part;
    enum claim_outcome outcome;
    double values[TESTS], more; // of the tests, as the claim's function takes them
};

static void decide(const struct row *rows, size_t count, void (*make)(struct bench *, const struct row *, int test))
{
    for (size_t i = 0; i < count; ++i) {
        struct bench bench;
        open_bench(&bench);
        for (int test = 0; test < TESTS; ++test)
            make(&bench, &rows[i], test);
        assert_outcome(&bench, i, rows[i].part, rows[i].outcome);
        bench_close(&bench);
    }
}
#define DECIDE(rows, make) decide(rows, sizeof(rows) / sizeof *(rows), make)

// Speed of tracing with compaction; `more`: its cost where all lanes live.
static void make_c02(struct bench *bench, const struct row *row, int test)
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
    add_staged(bench, scenes[test], off);
    add_staged(bench, scenes[test], on);
    add_staged(bench, scenes[test], flat);
    add_staged(bench, scenes[test], flat_on);
}

static void compaction_in_blocks_decides_c02(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"C02 mean_gain", OUTCOME_ACCEPTED, {1, 1, 1.2, 1.2}, 0.01},
        {"C02 mean_gain", OUTCOME_BETWEEN, {1, 1, 1, 1.2}, 0.01},
        {"C02 mean_gain", OUTCOME_REFUTED, {0.9, 0.9, 1.1, 1}, 0.01},
        {"C02 cost", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 0.01},
        {"C02 cost", OUTCOME_BETWEEN, {1, 1, 1, 1}, 0.03},
        {"C02 cost", OUTCOME_REFUTED, {1, 1, 1, 1}, 0.06},
        {"C02 fewer", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 0.01},
        {"C02 fewer", OUTCOME_REFUTED, {1, 1, 1, 1}, 0.06},
    };
    DECIDE(rows, make_c02);
}

// Gains of the path kernels in place, and by streaming `more` less. Streaming every round regenerates more often, and is
// not what in place is compared with.
static void make_c05(struct bench *bench, const struct row *row, int test)
{
    const double none = standard.trace + standard.shadow + standard.others;
    struct staged pool = {.variant = "pool_refill"}, tile = {.variant = "tile_regenerate"},
                  stream = {.variant = "stream_compact", .parameters = "compact_every=4"},
                  often = {.variant = "stream_compact", .regenerations = 100, .trace = 0.01};
    tile.others = none / row->values[test] - standard.trace - standard.shadow;
    stream.others = none / (row->values[test] - row->more) - standard.trace - standard.shadow;
    add_staged(bench, scenes[test], pool);
    add_staged(bench, scenes[test], tile);
    add_staged(bench, scenes[test], stream);
    add_staged(bench, scenes[test], often);
}

static void gains_of_path_kernels_decide_c05(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"C05 apart", OUTCOME_ACCEPTED, {1.2, 1.2, 1.2, 1.3}, 0.04},
        {"C05 apart", OUTCOME_BETWEEN, {1.2, 1.2, 1.2, 1.3}, 0.1},
        {"C05 apart", OUTCOME_REFUTED, {1.2, 1.2, 1.2, 1.3}, 0.2},
    };
    DECIDE(rows, make_c05);
}

// Cost of streaming over that in place, each test's; `more`: how many of the three points raise it where they are left out.
static void make_c06(struct bench *bench, const struct row *row, int test)
{
    static const char *const left_out[] = {"tile_slots=1", "tile_order=rows", "regenerate_above=0"};
    add_staged(bench, scenes[test], (struct staged){.variant = "tile_regenerate", .gap = 0.01});
    add_staged(bench, scenes[test],
               (struct staged){
                   .variant = "stream_compact", .parameters = "compact_every=4", .listing = 0.01 * row->values[test]});
    for (int i = 0; i < 3; ++i)
        add_staged(bench, scenes[test],
                   (struct staged){.variant = "tile_regenerate",
                                   .parameters = left_out[i],
                                   .regenerate = i < row->more ? 0.01 : 0,
                                   .gap = 0.01});
}

static void costs_decide_c06(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"C06 lower", OUTCOME_ACCEPTED, {1.5, 0.5, 1.1, 2}, 3}, {"C06 lower", OUTCOME_BETWEEN, {1.5, 1.5, 0.5, 2}, 3},
        {"C06 lower", OUTCOME_REFUTED, {0.5, 1.5, 0.5, 2}, 3},  {"C06 reasons", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 3},
        {"C06 reasons", OUTCOME_BETWEEN, {1, 1, 1, 1}, 2},      {"C06 reasons", OUTCOME_REFUTED, {1, 1, 1, 1}, 1},
    };
    DECIDE(rows, make_c06);
}

// Streaming every round: its lists take that share of the tracing time; the path kernels gain `more`.
static void make_c11(struct bench *bench, const struct row *row, int test)
{
    const double rays = standard.trace + standard.shadow, none = rays + standard.others;
    struct staged stream = {.variant = "stream_compact", .listing = rays * row->values[test]};
    stream.others = none / (1 + row->more) - rays;
    add_staged(bench, scenes[test], (struct staged){.variant = "pool_refill"});
    add_staged(bench, scenes[test], stream);
}

static void costs_and_gains_of_streaming_decide_c11(void **state)
{
    (void)state;
    static const struct row rows[] = {
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
    DECIDE(rows, make_c11);
}

// Steps for a camera ray in mixed warps, over others; `more`: what of the frame is not spent on paths.
static void make_c13(struct bench *bench, const struct row *row, int test)
{
    struct staged thread = {.variant = "thread_regenerate", .alone = {1000, 10000}, .mixed = {500, 0}};
    thread.mixed[1] = (uint64_t)(5000 * row->values[test]);
    thread.gap = 0.1 * row->more / (1 - row->more);
    add_staged(bench, scenes[test], thread);
}

static void mixed_warps_decide_c13(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"C13 steps", OUTCOME_ACCEPTED, {1, 2.5, 3.9, 1.5}, 0.01},
        {"C13 steps", OUTCOME_BETWEEN, {3, 1.5, 3.9, 1.5}, 0.01},
        {"C13 steps", OUTCOME_REFUTED, {3, 1.2, 1.1, 3}, 0.01},
        {"C13 cost", OUTCOME_ACCEPTED, {1, 1, 1, 1}, 0.01},
        {"C13 cost", OUTCOME_BETWEEN, {1, 1, 1, 1}, 0.03},
        {"C13 cost", OUTCOME_REFUTED, {1, 1, 1, 1}, 0.06},
    };
    DECIDE(rows, make_c13);
}

// The rule of the paper against none: `more` of its cost in seconds, launches of regeneration and of stages per test.
static void make_c14(struct bench *bench, const struct row *row, int test)
{
    add_staged(bench, scenes[test], (struct staged){.variant = "tile_regenerate", .gap = 0.01});
    add_staged(bench, scenes[test],
               (struct staged){.variant = "tile_regenerate",
                               .parameters = "regenerate_every=1 regenerate_above=0",
                               .gap = 0.01 + row->more,
                               .regenerations = (uint32_t)(10 * row->values[test]),
                               .traces = row->more > 0 ? 100 : 90});
}

static void thresholds_decide_c14(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"C14 lower", OUTCOME_ACCEPTED, {2, 2, 2, 2}, 0.01},  {"C14 lower", OUTCOME_REFUTED, {2, 2, 2, 2}, -0.005},
        {"C14 fuller", OUTCOME_ACCEPTED, {2, 2, 1, 2}, 0.01}, {"C14 fuller", OUTCOME_REFUTED, {2, 1, 1, 1}, 0.01},
        {"C14 live", OUTCOME_ACCEPTED, {2, 2, 2, 2}, 0.01},   {"C14 live", OUTCOME_REFUTED, {2, 2, 2, 2}, -0.005},
    };
    DECIDE(rows, make_c14);
}

// The made-up regenerations of a frame of one pass are all one row; a pool that is filled by a third is what the rule
// gives.
static void make_least(struct bench *bench, const struct row *row, int test)
{
    add_staged(bench, scenes[test],
               (struct staged){
                   .variant = "tile_regenerate", .regenerations = 1, .begun = (uint64_t)(row->values[test] * POOL)});
}

static void least_regeneration_decides_c14(void **state)
{
    (void)state;
    static const struct row rows[] = {{"C14 least", OUTCOME_ACCEPTED, {1, 0.34, 0.5, 1}, 0},
                                      {"C14 least", OUTCOME_REFUTED, {1, 0.33, 0.5, 1}, 0}};
    DECIDE(rows, make_least);
}

// Sectors of a word through indices, over those of fixed slots.
static void make_c17(struct bench *bench, const struct row *row, int test)
{
    add_staged(bench, scenes[test], (struct staged){.variant = "tile_regenerate"});
    add_staged(bench, scenes[test],
               (struct staged){.variant = "stream_compact",
                               .parameters = "compact_every=4",
                               .warps = standard.warps / 2,
                               .sectors = (uint64_t)(row->values[test] * (double)standard.sectors / 2)});
}

static void sectors_decide_c17(void **state)
{
    (void)state;
    static const struct row rows[] = {{"C17 sectors", OUTCOME_ACCEPTED, {1.4, 2, 3, 1.3}, 0},
                                      {"C17 sectors", OUTCOME_BETWEEN, {1.4, 1.2, 1.3, 1}, 0},
                                      {"C17 sectors", OUTCOME_REFUTED, {1, 0.9, 1.04, 1}, 0}};
    DECIDE(rows, make_c17);
}

// Extra time of dead slots behind the others, and `more` of it where they are spread.
static void make_c20(struct bench *bench, const struct row *row, int test)
{
    static const char *const places[] = {"block=320", "block=320 dead_share=90",
                                         "block=320 dead_share=90 dead_places=apart"};
    const double extra[] = {0, row->values[test], row->values[test] + row->more};
    for (int i = 0; i < 3; ++i)
        add_staged(bench, scenes[test],
                   (struct staged){.variant = "pool_refill", .parameters = places[i], .others = 0.04 + 0.1 * extra[i]});
}

static void dead_slots_decide_c20(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"C20 reading", OUTCOME_ACCEPTED, {0.1, 0.1, 0.03, 0.5}, 0.1},
        {"C20 reading", OUTCOME_BETWEEN, {0.1, 0.1, 0.01, 0.5}, 0.1},
        {"C20 reading", OUTCOME_REFUTED, {-0.01, 0, 0, -0.01}, 0.1},
        {"C20 holding", OUTCOME_ACCEPTED, {0.1, 0.1, 0.1, 0.1}, 0.1},
        {"C20 holding", OUTCOME_REFUTED, {0.1, 0.1, 0.1, 0.1}, -0.01},
    };
    DECIDE(rows, make_c20);
}

// A slot's state is moved at 1 GB a second; that share of the stages' 0.1 s.
static void make_c22(struct bench *bench, const struct row *row, int test)
{
    add_staged(bench, scenes[test],
               (struct staged){.variant = "pool_refill", .moved = (uint64_t)(row->values[test] * 0.1 * 1e9)});
    add_staged(
        bench, scenes[test],
        (struct staged){.variant = "stream_compact", .parameters = "storage=move", .moving = 0.01, .copied = 10000000});
}

static void state_in_memory_decides_c22(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"C22 state", OUTCOME_ACCEPTED, {0.5, 0.5, 0.04, 0.02}, 0},
        {"C22 state", OUTCOME_BETWEEN, {0, 0, 0.04, 0.2}, 0},
        {"C22 state", OUTCOME_REFUTED, {0, 0, 0.3, 0.2}, 0},
        {"C22 simple", OUTCOME_ACCEPTED, {0, 0.3, 0.04, 0.2}, 0},
        {"C22 simple", OUTCOME_BETWEEN, {0, 0.1, 0.04, 0.2}, 0},
        {"C22 simple", OUTCOME_REFUTED, {0, 0.01, 0.04, 0.2}, 0},
    };
    DECIDE(rows, make_c22);
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
        open_bench(&bench);
        for (int test = 0; test < TESTS; ++test) {
            snprintf(text, sizeof text,
                     "tile_regenerate %s 1 pool=65536, tile_regenerate %s %.6f pool=65536 dead_share=%d", scenes[test],
                     scenes[test], 1 / rows[i].speed, strstr(rows[i].part, "half") ? 50 : 25);
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
        open_bench(&bench);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compaction_in_blocks_decides_c02),
        cmocka_unit_test(gaps_decide_c03),
        cmocka_unit_test(gains_of_path_kernels_decide_c05),
        cmocka_unit_test(costs_decide_c06),
        cmocka_unit_test(costs_and_gains_of_streaming_decide_c11),
        cmocka_unit_test(mixed_warps_decide_c13),
        cmocka_unit_test(thresholds_decide_c14),
        cmocka_unit_test(least_regeneration_decides_c14),
        cmocka_unit_test(sectors_decide_c17),
        cmocka_unit_test(dead_slots_decide_c20),
        cmocka_unit_test(state_in_memory_decides_c22),
        cmocka_unit_test(scenes_decide_c24),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
