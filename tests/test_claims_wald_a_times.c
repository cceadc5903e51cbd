// SPDX-License-Identifier: MIT
// Claims of Wald 2011 that times decide, C01 to C18, over made-up databases: each is borne out by one and refuted by
// another, and what decides nothing leaves it open.
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
    {"C01", VERDICT_REPRODUCED, "naive forest 1.13, whole_frame forest 1, naive moto 1.16, whole_frame moto 1"},
    {"C01", VERDICT_DIRECTION, "naive forest 1.5, whole_frame forest 1, naive moto 1.2, whole_frame moto 1"},
    {"C01", VERDICT_REFUTED, "naive forest 0.9, whole_frame forest 1, naive moto 1.2, whole_frame moto 1"},
    {"C01", VERDICT_REFUTED, "naive forest 1.7, whole_frame forest 1, naive moto 1.2, whole_frame moto 1"},
    {"C01", VERDICT_INCONCLUSIVE, "naive open 1.13, whole_frame open 1"},                         // fitted
    {"C01", VERDICT_INCONCLUSIVE, "naive forest 1.13 held=8000, whole_frame forest 1 held=8000"}, // underfilled
    {"C01", VERDICT_NOT_MEASURED, "naive forest 1.13"},
    {"C04", VERDICT_REPRODUCED,
     "naive forest 1 held=128, tiled_shared forest 1.5 held=128 tile_m=1, tiled_shared forest 1.4 held=96 tile_m=2, "
     "tiled_shared forest 1.6 held=64, tiled_shared forest 2.9 held=32 resident_blocks=4"},
    {"C04", VERDICT_DIRECTION, // at less than 1.5
     "naive forest 1 held=128, tiled_shared forest 1.5 held=128 tile_m=1, tiled_shared forest 1.4 held=96 tile_m=2, "
     "tiled_shared forest 1.6 held=64, tiled_shared forest 1.45 held=32 resident_blocks=4"},
    {"C04", VERDICT_DIRECTION, // not held to a quarter
     "naive forest 1 held=128, tiled_shared forest 1.5 held=128 tile_m=1, tiled_shared forest 1.4 held=96 tile_m=2, "
     "tiled_shared forest 2.9 held=64"},
    {"C04", VERDICT_INCONCLUSIVE, // M = 2 may be better
     "naive forest 1 held=128, tiled_shared forest 1.5 held=128 tile_m=1, tiled_shared forest 2.9 held=32"},
    {"C04", VERDICT_REFUTED,
     "naive forest 1 held=128, tiled_shared forest 1.5 held=128 tile_m=1, tiled_shared forest 1.05 held=96 tile_m=2, "
     "tiled_shared forest 2.9 held=32"},
    {"C06", VERDICT_REPRODUCED,
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 1.1 held=32 carveout=100 shared_pad=22528"},
    {"C06", VERDICT_DIRECTION,
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 0.75 held=32 carveout=100 shared_pad=22528"},
    {"C06", VERDICT_REFUTED,
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 0.6 held=32 carveout=100 shared_pad=22528"},
    {"C06", VERDICT_INCONCLUSIVE, // not the same occupancy
     "tiled_shared forest 1 held=32 carveout=100, tiled_global forest 1.1 held=48 carveout=100 shared_pad=22528"},
    {"C07", VERDICT_REPRODUCED,
     "whole_frame forest 1, tiled_global forest 2 tile_m=2, tiled_global forest 1.05, tiled_global forest 2 tile_m=8"},
    {"C07", VERDICT_INCONCLUSIVE,
     "whole_frame forest 1, tiled_global forest 2 tile_m=2, tiled_global forest 1.25, tiled_global forest 2 tile_m=8"},
    {"C07", VERDICT_REFUTED,
     "whole_frame forest 1, tiled_global forest 2 tile_m=2, tiled_global forest 1.5, tiled_global forest 2 tile_m=8"},
    {"C07", VERDICT_INCONCLUSIVE, // M = 8 may be better
     "whole_frame forest 1, tiled_global forest 2 tile_m=2, tiled_global forest 1.5, tiled_global forest 2 tile_m=16"},
    {"C08", VERDICT_DIRECTION, // the paper's own counts are far apart
     "naive forest 1.12 limit=2, whole_frame forest 1 limit=2, naive forest 1.15, whole_frame forest 1"},
    {"C08", VERDICT_REFUTED,
     "naive forest 1.1 limit=2, whole_frame forest 1 limit=2, naive forest 1.5, whole_frame forest 1"},
    {"C14", VERDICT_REPRODUCED,
     "naive forest 1 limit=2, whole_frame_off forest 1.07 limit=2, naive forest 1, whole_frame_off forest 1.08"},
    {"C14", VERDICT_DIRECTION, // 10 points apart
     "naive forest 1 limit=2, whole_frame_off forest 1.05 limit=2, naive forest 1, whole_frame_off forest 1.15"},
    {"C14", VERDICT_INCONCLUSIVE,
     "naive forest 1 limit=2, whole_frame_off forest 0.97 limit=2, naive forest 1, whole_frame_off forest 1.02"},
    {"C14", VERDICT_REFUTED,
     "naive forest 1 limit=2, whole_frame_off forest 0.9 limit=2, naive forest 1, whole_frame_off forest 0.95"},
    {"C14", VERDICT_REFUTED,
     "naive forest 1 limit=2, whole_frame_off forest 1.55 limit=2, naive forest 1, whole_frame_off forest 1.6"},
};

static void test_frames(void **state)
{
    (void)state;
    assert_frames(frames_rows, sizeof frames_rows / sizeof frames_rows[0]);
}

// ---- bounces

// The paper's Table 3, with the times of one bounce changed; bounce -1: all from 2 on. NaN: as it is.
struct bounces_row {
    const char *claim;
    enum claim_verdict verdict;
    int bounce;
    double off, on;
};

static const struct bounces_row bounces_rows[] = {
    {"C03", VERDICT_REPRODUCED, 0, NAN, NAN},
    {"C03", VERDICT_DIRECTION, 8, NAN, 1.6},
    {"C03", VERDICT_REFUTED, -1, 3, 3.3},
    {"C15", VERDICT_REPRODUCED, 0, NAN, NAN},
    {"C15", VERDICT_DIRECTION, 8, 1.6, NAN},
    {"C15", VERDICT_REFUTED, 8, 2.4, NAN},
    {"C16", VERDICT_REPRODUCED, 0, NAN, NAN},
    {"C16", VERDICT_DIRECTION, 2, NAN, 4.5}, // one out of order: a rank correlation of 0.3
    {"C16", VERDICT_REFUTED, -1, NAN, 3},
    {"C17", VERDICT_REPRODUCED, 0, NAN, NAN},
    {"C17", VERDICT_DIRECTION, 1, 2.3, 2.42}, // on / off 1.05
    {"C17", VERDICT_REFUTED, 1, 1.65, 1.65},
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
            assert_verdict(&bench, i, bounces_rows[i].claim, fitted ? VERDICT_INCONCLUSIVE : bounces_rows[i].verdict);
            bench_close(&bench);
        }
}

// A row: share of compaction, in C13; times per warp at bounce 8 with 16 times the pixels, in C18.
static void test_shares_and_sizes(void **state)
{
    (void)state;
    static const struct {
        double share, large;
        enum claim_verdict c13, c18;
    } rows[] = {{0.01, 3.4, VERDICT_REPRODUCED, VERDICT_REPRODUCED},
                {0.05, 4.2, VERDICT_DIRECTION, VERDICT_DIRECTION},
                {0.20, 4.5, VERDICT_REFUTED, VERDICT_REFUTED}};
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
        assert_verdict(&bench, i, "C18", VERDICT_NOT_MEASURED); // one size
        made.width = 5120;
        made.height = 3072;
        claim_launches(&bench, made, large, rows[i].share);
        assert_verdict(&bench, i, "C13", rows[i].c13);
        assert_verdict(&bench, i, "C18", rows[i].c18);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_bounces),
                                       cmocka_unit_test(test_shares_and_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
