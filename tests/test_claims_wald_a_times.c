// SPDX-License-Identifier: MIT
// Claims of Wald 2011 that times decide, C01 to C18, over made-up databases: each part is accepted over one and
// refuted over another, and what is excluded leaves it open.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"

// ---- frames

static const struct claim_frames_row frames_rows[] = {
    {"C01 speedup", OUTCOME_ACCEPTED, "naive forest 1.13, whole_frame forest 1, naive moto 1.16, whole_frame moto 1"},
    {"C01 speedup", OUTCOME_BETWEEN, "naive forest 1.13, whole_frame forest 1, naive moto 1.2, whole_frame moto 1"},
    {"C01 speedup", OUTCOME_REFUTED, "naive forest 0.9, whole_frame forest 1, naive moto 1.13, whole_frame moto 1"},
    {"C01 speedup", OUTCOME_REFUTED, "naive forest 1.5, whole_frame forest 1, naive moto 1.13, whole_frame moto 1"},
    {"C01 speedup", OUTCOME_EXCLUDED, "naive open 1.13, whole_frame open 1"},                         // fitted
    {"C01 speedup", OUTCOME_EXCLUDED, "naive forest 1.13 held=8000, whole_frame forest 1 held=8000"}, // underfilled
    {"C01 speedup", OUTCOME_UNMEASURED, "naive forest 1.13"},
    {"C01 realised", OUTCOME_ACCEPTED, "naive forest 1.13, whole_frame forest 1"}, // 20 % of 57 %
    {"C01 realised", OUTCOME_REFUTED, "naive forest 1.5, whole_frame forest 1"},   // 59 %
    {"C01 faster", OUTCOME_ACCEPTED, "naive forest 1.01, whole_frame forest 1"},
    {"C01 faster", OUTCOME_REFUTED, "naive forest 0.99, whole_frame forest 1"},
    {"C04 slowdown", OUTCOME_ACCEPTED, "naive forest 1, tiled_shared forest 2.9"},
    {"C04 slowdown", OUTCOME_BETWEEN, "naive forest 1, tiled_shared forest 1.6"},
    {"C04 slowdown", OUTCOME_REFUTED, "naive forest 1, tiled_shared forest 1.4"},
    {"C04 slowdown", OUTCOME_UNMEASURED, "naive forest 1, tiled_shared forest 2.9 tile_m=8"},
    {"C04 behind", OUTCOME_ACCEPTED,
     "naive forest 1, whole_frame forest .9, tiled_global forest 1.1, tiled_shared forest 2.9"},
    {"C04 behind", OUTCOME_REFUTED,
     "naive forest 1, whole_frame forest .9, tiled_global forest 1.1, tiled_shared forest 1.05"},
    {"C04 best", OUTCOME_BETWEEN, "naive forest 1, tiled_shared forest 1.5 tile_m=1, tiled_shared forest 1.4 tile_m=2"},
    {"C04 best", OUTCOME_REFUTED,
     "naive forest 1, tiled_shared forest 1.5 tile_m=1, tiled_shared forest 1.05 tile_m=2"},
    {"C04 held", OUTCOME_ACCEPTED,
     "naive forest 1 held=128, tiled_shared forest 1.6 held=64, tiled_shared forest 2.9 held=32 resident_blocks=4"},
    {"C04 held", OUTCOME_BETWEEN, "naive forest 1 held=128, tiled_shared forest 2.9 held=64"}, // not held to a quarter
    {"C04 held", OUTCOME_REFUTED,
     "naive forest 1 held=128, tiled_shared forest 1.6 held=64, tiled_shared forest 1.45 held=32 resident_blocks=4"},
    {"C06 slower", OUTCOME_ACCEPTED, "naive forest 1 held=128, tiled_shared forest 2.9 held=32"},
    {"C06 slower", OUTCOME_REFUTED, "naive forest 1 held=128, tiled_shared forest 4.5 held=32"},
    {"C06 speed", OUTCOME_ACCEPTED,
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 1.1 held=32 carveout=100 shared_pad=22528"},
    {"C06 speed", OUTCOME_BETWEEN,
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 0.75 held=32 carveout=100 shared_pad=22528"},
    {"C06 speed", OUTCOME_REFUTED,
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 0.6 held=32 carveout=100 shared_pad=22528"},
    {"C06 speed", OUTCOME_EXCLUDED, // not the same occupancy
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 1.1 held=48 carveout=100 shared_pad=22528"},
    {"C07 speed", OUTCOME_ACCEPTED, "naive forest 1.1, whole_frame forest 1, tiled_global forest 1.02 tile_m=8"},
    {"C07 speed", OUTCOME_BETWEEN,
     "naive forest 1.01, whole_frame forest 1, tiled_global forest 1.02 tile_m=8"}, // the other side
    {"C07 speed", OUTCOME_BETWEEN, "naive forest 1.2, whole_frame forest 1, tiled_global forest 1.1 tile_m=8"},
    {"C07 speed", OUTCOME_REFUTED, "naive forest 1.2, whole_frame forest 1, tiled_global forest 1.25 tile_m=8"},
    {"C07 speed", OUTCOME_UNMEASURED, "naive forest 1.1, whole_frame forest 1, tiled_global forest 1.02 tile_m=4"},
    {"C08 two", OUTCOME_ACCEPTED,
     "naive forest 1.12 limit=2, whole_frame forest 1 limit=2, tiled_shared forest 3 limit=2, naive forest 1.15, "
     "whole_frame forest 1, tiled_shared forest 3"},
    {"C08 two", OUTCOME_REFUTED, // no gain
     "naive forest 0.9 limit=2, whole_frame forest 1 limit=2, tiled_shared forest 3 limit=2, naive forest 1.15, "
     "whole_frame forest 1, tiled_shared forest 3"},
    {"C08 two", OUTCOME_REFUTED, // the tiled kernel is the fastest
     "naive forest 1.12 limit=2, whole_frame forest 1 limit=2, tiled_shared forest .9 limit=2, naive forest 1.15, "
     "whole_frame forest 1, tiled_shared forest 3"},
    {"C08 others", OUTCOME_ACCEPTED,
     "naive forest 1.12 limit=4, whole_frame forest 1 limit=4, tiled_shared forest 3 limit=4, naive forest 1.15, "
     "whole_frame forest 1, tiled_shared forest 3"},
    {"C08 others", OUTCOME_REFUTED,
     "naive forest 0.9 limit=16, whole_frame forest 1 limit=16, tiled_shared forest 3 limit=16, naive forest 1.15, "
     "whole_frame forest 1, tiled_shared forest 3"},
    {"C08 apart", OUTCOME_ACCEPTED,
     "naive forest 1.12 limit=2, whole_frame forest 1 limit=2, naive forest 1.15, whole_frame forest 1, tiled_shared "
     "forest 3"},
    {"C08 apart", OUTCOME_BETWEEN,
     "naive forest 1.3 limit=2, whole_frame forest 1 limit=2, naive forest 1.15, whole_frame forest 1, tiled_shared "
     "forest 3"},
    {"C08 apart", OUTCOME_REFUTED,
     "naive forest 1.5 limit=2, whole_frame forest 1 limit=2, naive forest 1.15, whole_frame forest 1, tiled_shared "
     "forest 3"},
    {"C14 overhead", OUTCOME_ACCEPTED,
     "naive forest 1 limit=2, whole_frame_off forest 1.07 limit=2, naive forest 1, whole_frame_off forest 1.08"},
    {"C14 overhead", OUTCOME_BETWEEN,
     "naive forest 1 limit=2, whole_frame_off forest 0.97 limit=2, naive forest 1, whole_frame_off forest 1.07"},
    {"C14 overhead", OUTCOME_REFUTED,
     "naive forest 1 limit=2, whole_frame_off forest 0.9 limit=2, naive forest 1, whole_frame_off forest 0.95"},
    {"C14 overhead", OUTCOME_REFUTED,
     "naive forest 1 limit=2, whole_frame_off forest 1.55 limit=2, naive forest 1, whole_frame_off forest 1.6"},
    {"C14 overhead", OUTCOME_UNMEASURED, "naive moto 1, whole_frame_off moto 1.07"}, // the paper speaks of fairy
    {"C14 span", OUTCOME_ACCEPTED,
     "naive forest 1 limit=2, whole_frame_off forest 1.07 limit=2, naive forest 1, whole_frame_off forest 1.08"},
    {"C14 span", OUTCOME_BETWEEN,
     "naive forest 1 limit=2, whole_frame_off forest 1.05 limit=2, naive forest 1, whole_frame_off forest 1.1"},
    {"C14 span", OUTCOME_REFUTED,
     "naive forest 1 limit=2, whole_frame_off forest 1.05 limit=2, naive forest 1, whole_frame_off forest 1.15"},
};

static void test_frames(void **state)
{
    (void)state;
    assert_frames(frames_rows, sizeof frames_rows / sizeof frames_rows[0]);
}

// ---- bounces

// The paper's Table 3, with the times of one bounce changed; bounce -1: all from 2 on. NaN: as it is.
struct bounces_row {
    const char *part;
    enum claim_outcome outcome;
    int bounce;
    double off, on;
};

static const struct bounces_row bounces_rows[] = {
    {"C03 last", OUTCOME_ACCEPTED, 0, NAN, NAN},   {"C03 last", OUTCOME_BETWEEN, 8, NAN, 2.7},
    {"C03 last", OUTCOME_REFUTED, 8, NAN, 1.6},    {"C03 least", OUTCOME_ACCEPTED, 0, NAN, NAN},
    {"C03 least", OUTCOME_BETWEEN, 4, 1.4, 1.3},   {"C03 least", OUTCOME_REFUTED, -1, 3, 3.1},
    {"C03 sparse", OUTCOME_ACCEPTED, 0, NAN, NAN}, {"C03 sparse", OUTCOME_BETWEEN, 8, NAN, 1.6},
    {"C03 sparse", OUTCOME_REFUTED, -1, 3, 3.3},   {"C15 ratio", OUTCOME_ACCEPTED, 0, NAN, NAN},
    {"C15 ratio", OUTCOME_BETWEEN, 8, 1.6, NAN},   {"C15 ratio", OUTCOME_REFUTED, 8, 2.4, NAN},
    {"C16 rise", OUTCOME_ACCEPTED, 0, NAN, NAN},   {"C16 rise", OUTCOME_BETWEEN, 2, NAN, 4.5}, // one out of order
    {"C16 rise", OUTCOME_REFUTED, -1, NAN, 3},     {"C17 rise", OUTCOME_ACCEPTED, 0, NAN, NAN},
    {"C17 rise", OUTCOME_BETWEEN, 1, 1.8, 1.8},    {"C17 rise", OUTCOME_REFUTED, 1, 1.65, 1.65},
    {"C17 same_1", OUTCOME_ACCEPTED, 0, NAN, NAN}, {"C17 same_1", OUTCOME_BETWEEN, 1, 2.3, 2.42}, // on / off 1.05
    {"C17 same_1", OUTCOME_REFUTED, 1, 2.3, 2.6},
};

static void change(double *times, int bounce, double value)
{
    for (int b = 0; b < BOUNCES && !isnan(value); ++b)
        if (bounce < 0 ? b >= 2 : b == bounce)
            times[b] = value;
}

static void add_table3(struct bench *bench, const char *scene, const struct bounces_row *row)
{
    double off[BOUNCES], on[BOUNCES];
    uint64_t warps[BOUNCES];
    memcpy(off, off_us, sizeof off);
    memcpy(on, on_us, sizeof on);
    change(off, row->bounce, row->off);
    change(on, row->bounce, row->on);
    made_compact(fairy_paths, warps);
    struct made made = on_gpu("whole_frame_off", scene);
    claim_launches(bench, made, off, 0);
    made.variant = "whole_frame";
    made.warps = warps;
    claim_launches(bench, made, on, 0.01);
}

static void test_bounces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bounces_rows / sizeof bounces_rows[0]; ++i)
        for (int fitted = 0; fitted < 2; ++fitted) {
            struct bench bench;
            bench_open(&bench);
            add_table3(&bench, fitted ? "open" : "forest", &bounces_rows[i]);
            assert_outcome(&bench, i, bounces_rows[i].part, fitted ? OUTCOME_EXCLUDED : bounces_rows[i].outcome);
            bench_close(&bench);
        }
}

// A row: share of compaction, in C13; times per warp at bounce 8 with 16 times the pixels, in C18.
static void test_shares_and_sizes(void **state)
{
    (void)state;
    static const struct {
        double share, large;
        enum claim_outcome c13, c18;
    } rows[] = {{0.005, 3.4, OUTCOME_ACCEPTED, OUTCOME_ACCEPTED},
                {0.015, 4.2, OUTCOME_BETWEEN, OUTCOME_ACCEPTED},
                {0.05, 4.5, OUTCOME_REFUTED, OUTCOME_REFUTED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct bench bench;
        double large[BOUNCES];
        uint64_t warps[BOUNCES];
        made_compact(fairy_paths, warps);
        memcpy(large, on_us, sizeof large);
        large[8] = rows[i].large;
        struct made made = on_gpu("whole_frame", "forest");
        made.warps = warps;
        bench_open(&bench);
        claim_launches(&bench, made, on_us, rows[i].share);
        assert_outcome(&bench, i, "C18 ratio", OUTCOME_UNMEASURED); // one size
        made.width = 5120;
        made.height = 3072;
        claim_launches(&bench, made, large, rows[i].share);
        assert_outcome(&bench, i, "C13 kernels", rows[i].c13);
        assert_outcome(&bench, i, "C18 ratio", rows[i].c18);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_bounces),
                                       cmocka_unit_test(test_shares_and_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
