// SPDX-License-Identifier: MIT
#include "staged_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/papers/paper.h"

const char *const staged_scenes[STAGED_TESTS] = {"mirror_corridor", "cornell", "arch", "glass"};

void staged_open(struct bench *bench)
{
    bench_open_paper(bench, "frolov2015");
}

const struct staged staged_standard = {.limit = 32,
                                       .pool = 65536,
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

#define OR_STANDARD(field) (staged->field ? staged->field : staged_standard.field)

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

void staged_add(struct bench *bench, const char *scene, struct staged of)
{
    const struct staged *staged = &of;
    char parameters[200];
    struct made made = on_gpu(staged->variant, scene);
    snprintf(parameters, sizeof parameters, "%s pool=%d %s", claim_parameters, OR_STANDARD(pool),
             staged->parameters ? staged->parameters : "");
    made.parameters = parameters;
    made.max_bounces = staged->limit < 0 ? 0 : (int64_t)OR_STANDARD(limit);
    for (made.replicate = 0; made.replicate < 2; ++made.replicate) {
        const uint32_t asked =
            launches_asked | (made.replicate ? 0 : counts_asked) | (staged->frame > 0 ? frame_asked : 0);
        const int64_t trial = made_asked(bench->store, bench->run, &made, asked);
        if (staged->frame > 0)
            made_frames(bench->store, bench->run, trial, &made, (const double[]){staged->frame, staged->frame}, 2,
                        RESIDENT);
        time_staged(bench, trial, &made, staged);
        if (!made.replicate)
            count_staged(bench, trial, &made, staged);
    }
}

void staged_decide(const struct staged_row *rows, size_t count,
                   void (*make)(struct bench *, const struct staged_row *, int test))
{
    for (size_t i = 0; i < count; ++i) {
        struct bench bench;
        staged_open(&bench);
        for (int test = 0; test < STAGED_TESTS; ++test)
            make(&bench, &rows[i], test);
        assert_outcome(&bench, i, rows[i].part, rows[i].outcome);
        bench_close(&bench);
    }
}
