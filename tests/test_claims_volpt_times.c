// SPDX-License-Identifier: MIT
// Claims of the 2018 thesis that times decide: C01, C02, C04, C06, C08 to C10, C14 to C16 and C19 to C21, over made-up databases.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "schemes_support.h"

#define CONSTANT(volume) ((volume) < 2)

// Frames of so many seconds.
static void add(struct bench *bench, int volume, const char *variant, double seconds, const char *parameters,
                bool timeless)
{
    scheme_add(bench, scheme_volumes[volume],
               (struct scheme_frame){.variant = variant, .seconds = seconds, .parameters = parameters}, timeless);
}

static void make_c01(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, "volume_naive", 1, "", timeless);
    add(bench, volume, "volume_steps", row->values[volume], "", timeless);
    add(bench, volume, "volume_steps", 0.1, "step_list=indices", timeless);
}

static void kernels_decide_c01(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C01 gain", OUTCOME_ACCEPTED, {3, 3, 1.1, 3}, 0},      {"C01 size", OUTCOME_ACCEPTED, {3, 3, 1.1, 3}, 0},
        {"C01 gain", OUTCOME_BETWEEN, {1.3, 3, 0.9, 3}, 0},     {"C01 size", OUTCOME_BETWEEN, {1.3, 3, 0.9, 3}, 0},
        {"C01 gain", OUTCOME_REFUTED, {0.5, 0.9, 0.9, 0.8}, 0}, {"C01 size", OUTCOME_REFUTED, {0.5, 0.9, 0.9, 0.8}, 0},
    };
    SCHEME_DECIDE(rows, make_c01, true);
}

// By thread a second; the naive kernel on constant volumes, and streaming there, of so many.
static void make_c02(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    if (!CONSTANT(volume))
        return;
    add(bench, volume, "regenerate_thread", 1, "", timeless);
    add(bench, volume, "volume_naive", row->values[volume], "", timeless);
    add(bench, volume, "regenerate_warp", 3, "", timeless);
    add(bench, volume, "regenerate_block", 3, "", timeless);
    add(bench, volume, "stream_block", row->values[2 + volume], "", timeless);
    add(bench, volume, "sort_albedo", 4, "", timeless);
}

static void schemes_decide_c02(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C02 best", OUTCOME_ACCEPTED, {12, 11, 1.5, 2}, 0},
        {"C02 naive", OUTCOME_ACCEPTED, {12, 11, 1.5, 2}, 0},
        {"C02 streaming", OUTCOME_ACCEPTED, {12, 11, 1.5, 2}, 0},
        {"C02 best", OUTCOME_BETWEEN, {12, 1, 0.5, 2}, 0},
        {"C02 naive", OUTCOME_BETWEEN, {12, 1, 0.5, 2}, 0},
        {"C02 streaming", OUTCOME_BETWEEN, {12, 1, 0.5, 2}, 0},
        {"C02 best", OUTCOME_REFUTED, {1.5, 0.9, 0.5, 0.9}, 0},
        {"C02 naive", OUTCOME_REFUTED, {1.5, 0.9, 0.5, 0.9}, 0},
        {"C02 streaming", OUTCOME_REFUTED, {1.5, 0.9, 0.5, 0.9}, 0},
    };
    SCHEME_DECIDE(rows, make_c02, true);
}

// By block of so many seconds, where the naive kernel takes one and the others `more`.
static void make_c04(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, "regenerate_block", row->values[volume], "", timeless);
    add(bench, volume, "volume_naive", 1, "", timeless);
    add(bench, volume, "regenerate_thread", row->more, "", timeless);
    add(bench, volume, "regenerate_warp", row->more, "", timeless);
}

static void blocks_decide_c04(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C04 other", OUTCOME_ACCEPTED, {1.1, 0.66, 1.14, 1.14}, 0.5},
        {"C04 naive", OUTCOME_ACCEPTED, {1.1, 0.66, 1.14, 1.14}, 0.5},
        {"C04 naive", OUTCOME_BETWEEN, {1.1, 1.1, 1.14, 1.14}, 0.5},
        {"C04 other", OUTCOME_BETWEEN, {0.9, 0.66, 1.14, 1.14}, 0.66},
        {"C04 naive", OUTCOME_BETWEEN, {0.9, 0.66, 1.14, 1.14}, 0.66},
        {"C04 other", OUTCOME_REFUTED, {0.9, 0.66, 0.9, 1.14}, 0.7},
        {"C04 naive", OUTCOME_REFUTED, {0.9, 0.66, 0.9, 1.14}, 0.7},
    };
    SCHEME_DECIDE(rows, make_c04, true);
}

// ---- counters

static void add_counters(struct bench *bench, int volume, const char *variant, const char *parameters,
                         const struct measured_metric *values, size_t count)
{
    const struct scheme_frame frame = {
        .variant = variant, .parameters = parameters, .side = scheme_standard.side, .samples = scheme_standard.samples};
    struct measured_metric metrics[8];
    char text[200];
    const struct made made = scheme_made(scheme_volumes[volume], &frame, text);
    memcpy(metrics, values, count * sizeof *metrics);
    const int64_t trial =
        made_asked(bench->store, bench->run, &made, frame_asked | counts_asked | 1u << COLLECTION_COUNTERS);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_COUNTERS, .metrics = metrics, .metric_count = count});
}

// With 32 registers so many times as fast; `more`: waits for memory, with 5 other waits, where both are 5 without.
static void make_c06(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    const struct measured_metric before[] = {{MEASURED_FRAME, "achieved_occupancy", 50},
                                             {MEASURED_FRAME, "instructions", 1000},
                                             {MEASURED_FRAME, "stall_long_scoreboard", 5},
                                             {MEASURED_FRAME, "stall_not_selected", 99},
                                             {MEASURED_FRAME, "stall_wait", 5}};
    const struct measured_metric after[] = {{MEASURED_FRAME, "achieved_occupancy", 100},
                                            {MEASURED_FRAME, "instructions", 1000},
                                            {MEASURED_FRAME, "stall_long_scoreboard", row->more},
                                            {MEASURED_FRAME, "stall_wait", 5}};
    const char *const variants[] = {"regenerate_thread", "regenerate_warp"};
    for (int i = 0; i < 2; ++i) {
        add(bench, volume, variants[i], 1, "", timeless);
        scheme_add(bench, scheme_volumes[volume],
                   (struct scheme_frame){.variant = variants[i],
                                         .seconds = 1 / row->values[volume],
                                         .parameters = "registers=32",
                                         .registers = 32,
                                         .spill = row->more < 15 ? 0 : 64},
                   timeless);
        add_counters(bench, volume, variants[i], "", before, sizeof before / sizeof *before);
        add_counters(bench, volume, variants[i], "registers=32", after, sizeof after / sizeof *after);
    }
}

static void register_limits_decide_c06(void **state)
{
    (void)state;
    // by counters with 16 more waits for memory: 8 of time in place of 5, and 2.5 are saved; with 14 nothing is spilled
    static const struct scheme_row rows[] = {
        {"C06 gain", OUTCOME_ACCEPTED, {0.5, 0.8, 0.9, 0.99}, 16},
        {"C06 slower", OUTCOME_ACCEPTED, {0.5, 0.8, 0.9, 0.99}, 16},
        {"C06 occupancy", OUTCOME_ACCEPTED, {0.5, 0.8, 0.9, 0.99}, 16},
        {"C06 net", OUTCOME_ACCEPTED, {0.5, 0.8, 0.9, 0.99}, 16},
        {"C06 gain", OUTCOME_BETWEEN, {0.5, 0.8, 1, 0.99}, 5},
        {"C06 occupancy", OUTCOME_REFUTED, {0.5, 0.8, 1, 0.99}, 5},
        {"C06 gain", OUTCOME_REFUTED, {0.5, 0.8, 1.07, 0.99}, 15},
        {"C06 slower", OUTCOME_ACCEPTED, {0.5, 0.8, 1.07, 0.99}, 15},
        {"C06 net", OUTCOME_REFUTED, {0.5, 0.8, 1.07, 0.99}, 15},
        {"C06 slower", OUTCOME_BETWEEN, {0.5, 0.8, 1.07, 1.1}, 14},
        {"C06 net", OUTCOME_REFUTED, {0.5, 0.8, 1.07, 1.1}, 14},
        {"C06 slower", OUTCOME_REFUTED, {0.5, 1.2, 1.07, 1.1}, 20},
    };
    SCHEME_DECIDE(rows, make_c06, true);
}

// With half as many blocks and with another block size so many times as fast; with two paths a lane `more` times, and as
// many waits.
static void make_c08(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    const struct measured_metric one[] = {{MEASURED_FRAME, "stall_wait", 5}},
                                 two[] = {{MEASURED_FRAME, "stall_wait", 5 * row->more}};
    add(bench, volume, "regenerate_thread", 1, "", timeless);
    add(bench, volume, "regenerate_thread", 1 / row->values[volume], "resident_blocks=2", timeless);
    add(bench, volume, "regenerate_thread", 2, "resident_blocks=1", timeless);
    add(bench, volume, "regenerate_thread", 1 / row->values[volume], "block=64 registers=128", timeless);
    static const char *const grid[] = {
        "block=64",    "block=64 registers=32",  "block=64 registers=64",  "block=64 registers=255",
        "block=512",   "block=512 registers=32", "block=512 registers=64", "block=512 registers=128",
        "registers=64"};
    for (size_t i = 0; i < sizeof grid / sizeof *grid; ++i)
        add(bench, volume, "regenerate_thread", 2, grid[i], timeless);
    add(bench, volume, "regenerate_thread", 1 / row->more, "lane_paths=2", timeless);
    add_counters(bench, volume, "regenerate_thread", "", one, 1);
    add_counters(bench, volume, "regenerate_thread", "lane_paths=2", two, 1);
}

static void occupancies_decide_c08(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C08 capped", OUTCOME_ACCEPTED, {1, 0.9, 1.04, 1}, 1.04},
        {"C08 best", OUTCOME_ACCEPTED, {1, 0.9, 1.04, 1}, 1.04},
        {"C08 several", OUTCOME_ACCEPTED, {1, 0.9, 1.04, 1}, 1.04},
        {"C08 waits", OUTCOME_REFUTED, {1, 0.9, 1.04, 1}, 1.04},
        {"C08 capped", OUTCOME_BETWEEN, {1, 0.9, 1.2, 1}, 0.8},
        {"C08 best", OUTCOME_REFUTED, {1, 0.9, 1.2, 1}, 0.8},
        {"C08 waits", OUTCOME_ACCEPTED, {1, 0.9, 1.2, 1}, 0.8},
        {"C08 capped", OUTCOME_REFUTED, {1, 1.2, 1.2, 1}, 1.1},
        {"C08 several", OUTCOME_BETWEEN, {1, 1.2, 1.2, 1}, 1.1},
        {"C08 best", OUTCOME_BETWEEN, {1, 0.9, 1.1, 1}, 1.2},
        {"C08 several", OUTCOME_REFUTED, {1, 0.9, 1.1, 1}, 1.2},
    };
    SCHEME_DECIDE(rows, make_c08, true);
}

// ---- compaction

// Streaming in one kernel of 1 s against over the device; by block in two kernels `more` of the way between them.
static void make_c09(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    const double device = row->values[volume];
    add(bench, volume, "stream_block", 1, "", timeless);
    add(bench, volume, "stream_device", device, "", timeless);
    add(bench, volume, "stream_device", 0.5, "launches=one", timeless);
    add(bench, volume, "stream_device_local", 1 + row->more * (device - 1), "", timeless);
}

static void compactions_decide_c09(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C09 gain", OUTCOME_ACCEPTED, {8, 8, 1.36, 1.55}, 0.7},
        {"C09 part", OUTCOME_ACCEPTED, {8, 8, 1.36, 1.55}, 0.7},
        {"C09 gain", OUTCOME_BETWEEN, {8, 8, 1, 1.55}, 0.3},
        {"C09 part", OUTCOME_REFUTED, {8, 8, 1, 1.55}, 0.3},
        {"C09 gain", OUTCOME_REFUTED, {8, 8, 0.9, 1.55}, 0.7},
        {"C09 part", OUTCOME_ACCEPTED, {8, 8, 0.9, 1.55}, 0.7},
        {"C09 part", OUTCOME_EXCLUDED, {0.9, 0.9, 0.9, 0.9}, 0.7},
    };
    SCHEME_DECIDE(rows, make_c09, true);
}

// By warp of so many seconds; streaming, of 1 s, has `more` lanes at work in tracking.
static void make_c10(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, "regenerate_warp", row->values[volume], "", timeless);
    scheme_add(bench, scheme_volumes[volume], (struct scheme_frame){.variant = "stream_block", .tracking = row->more},
               timeless);
}

static void streaming_decides_c10(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C10 gain", OUTCOME_ACCEPTED, {3, 2, 1.1, 1.2}, 0.6},
        {"C10 even", OUTCOME_BETWEEN, {3, 2, 1.1, 1.2}, 0.6},
        {"C10 lanes", OUTCOME_ACCEPTED, {3, 2, 1.1, 1.2}, 0.6},
        {"C10 gain", OUTCOME_REFUTED, {3.1, 2.2, 0.6, 0.5}, 0.6},
        {"C10 even", OUTCOME_ACCEPTED, {3.1, 2.2, 0.6, 0.5}, 0.6},
        {"C10 gain", OUTCOME_BETWEEN, {3, 2, 1, 1.2}, 0.6},
        {"C10 even", OUTCOME_REFUTED, {0.9, 0.5, 1.1, 1.2}, 0.4},
        {"C10 lanes", OUTCOME_REFUTED, {0.9, 0.5, 1.1, 1.2}, 0.4},
        {"C10 lanes", OUTCOME_EXCLUDED, {0.9, 0.9, 0.9, 0.9}, 0.6},
    };
    SCHEME_DECIDE(rows, make_c10, true);
}

static void make_c19(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, "volume_naive", 1, "", timeless);
    add(bench, volume, "regenerate_warp", 1 / row->values[volume], "", timeless);
    add(bench, volume, "regenerate_thread", volume == 2 ? 0.7 : 0.8, "", timeless);
    add(bench, volume, "stream_block", row->more, "", timeless);
    add(bench, volume, "stream_device", 2, "", timeless);
}

static void uneven_volumes_decide_c19(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C19 best", OUTCOME_ACCEPTED, {9, 9, 1.45, 1.75}, 1.1},
        {"C19 first", OUTCOME_ACCEPTED, {9, 9, 1.45, 1.75}, 1.1},
        {"C19 streaming", OUTCOME_ACCEPTED, {9, 9, 1.45, 1.75}, 1.1},
        {"C19 best", OUTCOME_BETWEEN, {9, 9, 1.35, 2.5}, 0.9},
        {"C19 first", OUTCOME_BETWEEN, {9, 9, 1.35, 2.5}, 0.9},
        {"C19 streaming", OUTCOME_REFUTED, {9, 9, 1.35, 2.5}, 0.9},
        {"C19 best", OUTCOME_REFUTED, {1, 1, 3.1, 4}, 1.1},
        {"C19 first", OUTCOME_REFUTED, {9, 9, 1.35, 1.2}, 1.1},
    };
    SCHEME_DECIDE(rows, make_c19, true);
}

// ---- tiles

// In 2x2, 4x4, 8x8 and 64x64 tiles, where the whole image takes a second.
static void make_c14(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    static const char *const tiles[SCHEME_VOLUMES] = {"tiles=2", "tiles=4", "tiles=8", "tiles=64"};
    static const char *const variants[] = {"volume_naive", "regenerate_thread", "stream_block"};
    for (int i = 0; i < 3; ++i) {
        if (volume == 0)
            add(bench, 0, variants[i], 1, "", timeless);
        add(bench, 0, variants[i], row->values[volume], tiles[volume], timeless);
    }
}

static void tiles_decide_c14(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C14 few", OUTCOME_ACCEPTED, {1.02, 0.96, 1.04, 1.6}, 0},
        {"C14 at_4", OUTCOME_ACCEPTED, {1.02, 0.96, 1.04, 1.6}, 0},
        {"C14 many", OUTCOME_ACCEPTED, {1.02, 0.96, 1.04, 1.6}, 0},
        {"C14 few", OUTCOME_REFUTED, {1.11, 1.2, 1.4, 1.3}, 0},
        {"C14 at_4", OUTCOME_BETWEEN, {1.11, 1.2, 1.4, 1.3}, 0},
        {"C14 many", OUTCOME_BETWEEN, {1.11, 1.2, 1.4, 1.3}, 0},
        {"C14 at_4", OUTCOME_REFUTED, {1.1, 1.4, 1.2, 0.56}, 0},
        {"C14 many", OUTCOME_REFUTED, {1.1, 1.4, 1.2, 0.56}, 0},
    };
    SCHEME_DECIDE(rows, make_c14, true);
}

// A frame of one sample with so many resident warps.
static void add_timeline(struct bench *bench, const char *parameters, uint64_t warps)
{
    const struct scheme_frame frame = {.variant = "stream_block",
                                       .parameters = parameters,
                                       .side = scheme_standard.side,
                                       .samples = scheme_standard.samples};
    char text[200];
    const struct made made = scheme_made("cube", &frame, text);
    struct measured_launch launch = {.kernel = "kernel", .bounce = -1, .grid = 1, .block = 256, .seconds = NAN};
    struct measured_span span = {.start = 0, .end = 1000};
    struct measured_sample sample = {.start = 0, .end = 1000};
    sample.sums = (struct device_timeline_sample){.start = 0,
                                                  .end = 1000,
                                                  .cycles = 1000,
                                                  .active_cycles = 1000,
                                                  .instructions = 100,
                                                  .thread_instructions = 1600,
                                                  .warp_cycles = 1000 * warps};
    const int64_t trial =
        made_asked(bench->store, bench->run, &made, frame_asked | counts_asked | 1u << COLLECTION_TIMELINE);
    made_finish(bench->store, bench->run, trial, &made,
                &(struct measurement){.collection = COLLECTION_TIMELINE,
                                      .launches = &launch,
                                      .launch_count = 1,
                                      .samples = &sample,
                                      .sample_count = 1,
                                      .spans = &span,
                                      .span_count = 1});
}

static void idle_lanes_decide_c14(void **state)
{
    (void)state;
    static const struct {
        double ratio; // of the times
        uint64_t warps;
        enum claim_outcome outcome;
    } rows[] = {{3, 10, OUTCOME_ACCEPTED}, {3, 50, OUTCOME_REFUTED}, {1, 10, OUTCOME_EXCLUDED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        scheme_open(&bench);
        add(&bench, 0, "stream_block", 1, "", false);
        add(&bench, 0, "stream_block", rows[i].ratio, "tiles=64", false);
        add_timeline(&bench, "", 40);
        add_timeline(&bench, "tiles=64", rows[i].warps);
        assert_outcome(&bench, i, "C14 busy", rows[i].outcome);
        bench_close(&bench);
    }
}

// One kernel of 1 s, several of 3, all of their extensions in one launch of so many.
static void make_c15(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, "volume_naive", 1, "", timeless);
    add(bench, volume, "volume_steps", row->more, "", timeless);
    add(bench, volume, "volume_steps", row->values[volume], "launches=one", timeless);
}

static void one_launch_decides_c15(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C15 more", OUTCOME_ACCEPTED, {2.5, 2.1, 3, 2.2}, 3},
        {"C15 more", OUTCOME_BETWEEN, {2.5, 1.5, 3, 2.2}, 3},
        {"C15 more", OUTCOME_REFUTED, {1.2, 1.5, 1, 1.9}, 3},
        {"C15 more", OUTCOME_EXCLUDED, {1, 1, 1, 1}, 0.9},
    };
    SCHEME_DECIDE(rows, make_c15, true);
}

// One kernel of 1 s and several of 3; with a train of launches so much longer, with one of loading and storing `more`.
static void make_trains(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, "volume_naive", 1, "", timeless);
    add(bench, volume, "volume_steps", 3, "", timeless);
    add(bench, volume, "volume_steps", 3 + row->values[volume], "step_train=empty", timeless);
    add(bench, volume, "volume_steps", 3 + row->more, "step_train=state", timeless);
}

static void trains_decide_c15(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C15 empty", OUTCOME_ACCEPTED, {0.5, 0.2, 0.59, 0.4}, 1.1},
        {"C15 empty", OUTCOME_BETWEEN, {0.5, 0.9, 0.5, 0.4}, 1.1},
        {"C15 empty", OUTCOME_BETWEEN, {0.5, 0.2, 0.5, 0.4}, 0.9}, // loading and storing is not enough
        {"C15 empty", OUTCOME_REFUTED, {0.5, 1.1, 0.5, 0.4}, 1.5},
    };
    SCHEME_DECIDE(rows, make_trains, true);
}

// In 8x8 tiles without copies 1 s, waiting for them so many, beside rendering `more`.
static void make_c16(struct bench *bench, const struct scheme_row *row, int volume, bool timeless)
{
    add(bench, volume, "regenerate_thread", 1, "tiles=8", timeless);
    add(bench, volume, "regenerate_thread", row->values[volume], "tiles=8 tile_download=wait", timeless);
    add(bench, volume, "regenerate_thread", row->more, "tiles=8 tile_download=overlap", timeless);
    add(bench, volume, "regenerate_thread", 0.1, "tiles=8 tile_streams=4", timeless);
}

static void copies_decide_c16(void **state)
{
    (void)state;
    static const struct scheme_row rows[] = {
        {"C16 gain", OUTCOME_ACCEPTED, {1.02, 1, 1.01, 1.02}, 1},
        {"C16 copy", OUTCOME_ACCEPTED, {1.02, 1, 1.01, 1.02}, 1},
        {"C16 gain", OUTCOME_BETWEEN, {1.02, 1.05, 1, 1}, 1},
        {"C16 copy", OUTCOME_BETWEEN, {1.02, 1.05, 1, 1}, 1},
        {"C16 gain", OUTCOME_REFUTED, {1.02, 1.2, 1, 1}, 1},
        {"C16 copy", OUTCOME_REFUTED, {1.02, 1.2, 1, 1}, 1},
    };
    SCHEME_DECIDE(rows, make_c16, true);
}

// ---- other images

// Of an image in 8x8 tiles the rate over that of a small one with as many paths a launch.
static void samples_decide_c20(void **state)
{
    (void)state;
    static const struct {
        double rates[3];
        enum claim_outcome outcome;
    } rows[] = {
        {{1.05, 0.95, 1}, OUTCOME_ACCEPTED}, {{1.05, 0.8, 1}, OUTCOME_BETWEEN}, {{1.05, 1.4, 1}, OUTCOME_REFUTED}};
    static const char *const variants[] = {"volume_naive", "regenerate_thread", "stream_block"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        scheme_open(&bench);
        for (int k = 0; k < 3; ++k) {
            struct scheme_frame tiled = {.variant = variants[k], .parameters = "tiles=8", .side = 480, .samples = 5},
                                small = {.variant = variants[k], .side = 60, .samples = 5};
            small.seconds = rows[i].rates[k] / 64;
            scheme_add(&bench, "cube", tiled, false);
            scheme_add(&bench, "cube", small, false);
            small.samples = 10; // no tiles have so many paths
            scheme_add(&bench, "cube", small, false);
        }
        assert_outcome(&bench, i, "C20 apart", rows[i].outcome);
        bench_close(&bench);
    }
}

// Launches of a frame, the first of which is the longest.
static void add_longest(struct bench *bench, const char *variant, const char *parameters, double seconds)
{
    const struct scheme_frame frame = {
        .variant = variant, .parameters = parameters, .side = scheme_standard.side, .samples = scheme_standard.samples};
    const struct measured_launch rows[] = {{.bounce = -1, .seconds = seconds},
                                           {.bounce = -1, .seconds = seconds / 2},
                                           {.bounce = -1, .seconds = 2, .more = 9999},
                                           {.bounce = -1, .auxiliary = true, .seconds = 9}};
    char text[200];
    const struct made made = scheme_made("cube", &frame, text);
    const int64_t trial = made_asked(bench->store, bench->run, &made, launches_asked);
    made_launches(bench->store, bench->run, trial, &made, rows, sizeof rows / sizeof *rows, 0, RESIDENT);
}

static void launches_decide_c21(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        double tile, step;
        enum claim_outcome outcome;
    } rows[] = {
        {"C21 tile", 0.05, 0.5, OUTCOME_ACCEPTED}, {"C21 tile", 0.5, 0.5, OUTCOME_BETWEEN},
        {"C21 tile", 1, 0.5, OUTCOME_REFUTED},     {"C21 step", 0.5, 0.01, OUTCOME_ACCEPTED},
        {"C21 step", 0.5, 0.2, OUTCOME_BETWEEN},   {"C21 step", 0.5, 1.1, OUTCOME_REFUTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench bench;
        scheme_open(&bench);
        add_longest(&bench, "volume_naive", "", 1);
        add_longest(&bench, "volume_naive", "tiles=8", rows[i].tile);
        add_longest(&bench, "volume_steps", "", rows[i].step);
        assert_outcome(&bench, i, rows[i].part, rows[i].outcome);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_decide_c01),     cmocka_unit_test(schemes_decide_c02),
        cmocka_unit_test(blocks_decide_c04),      cmocka_unit_test(register_limits_decide_c06),
        cmocka_unit_test(occupancies_decide_c08), cmocka_unit_test(compactions_decide_c09),
        cmocka_unit_test(streaming_decides_c10),  cmocka_unit_test(uneven_volumes_decide_c19),
        cmocka_unit_test(tiles_decide_c14),       cmocka_unit_test(idle_lanes_decide_c14),
        cmocka_unit_test(one_launch_decides_c15), cmocka_unit_test(trains_decide_c15),
        cmocka_unit_test(copies_decide_c16),      cmocka_unit_test(samples_decide_c20),
        cmocka_unit_test(launches_decide_c21),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
