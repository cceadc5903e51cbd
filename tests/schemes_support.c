// SPDX-License-Identifier: MIT
#include "schemes_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

const char *const scheme_volumes[SCHEME_VOLUMES] = {"cube", "slab", "phantom_knees", "phantom_head"};
const struct scheme_frame scheme_standard = {.seconds = 1,
                                             .live = 0.5,
                                             .uniform = 0.5,
                                             .mixed = 0.5,
                                             .partial = 1,
                                             .albedo = 4,
                                             .apart = 0.5,
                                             .density = 4,
                                             .tracking = 0.5,
                                             .beyond = 40,
                                             .registers = 64,
                                             .side = 400,
                                             .samples = 100};

void scheme_open(struct bench *bench)
{
    bench_open_paper(bench, "volpt2018");
}

#define STANDARD(field)                                                                                                \
    if (frame.field == 0)                                                                                              \
    frame.field = scheme_standard.field

static struct scheme_frame with_standard(struct scheme_frame frame)
{
    STANDARD(seconds);
    STANDARD(live);
    STANDARD(uniform);
    STANDARD(mixed);
    STANDARD(partial);
    STANDARD(albedo);
    STANDARD(apart);
    STANDARD(density);
    STANDARD(tracking);
    STANDARD(beyond);
    STANDARD(registers);
    STANDARD(side);
    STANDARD(samples);
    if (frame.first == 0)
        frame.first = frame.tracking;
    if (frame.first_density == 0)
        frame.first_density = frame.density;
    return frame;
}

struct made scheme_made(const char *scene, const struct scheme_frame *frame, char parameters[200])
{
    struct made made = on_gpu(frame->variant, scene);
    snprintf(parameters, 200, "tickets=atomic dead_key=last spp=%lld %s", (long long)frame->samples,
             frame->parameters ? frame->parameters : "");
    made.width = made.height = frame->side;
    made.block = 256;
    made.parameters = parameters;
    return made;
}

// ---- counts

enum { STEPS = 1000, TRIPS = 1000, WARPS = 10000, EXTENSIONS = 4, LAUNCHED_WARPS = 80 };

static uint64_t rounded(double value)
{
    return (uint64_t)llround(value);
}

static struct bounce_counts totals_of(const struct scheme_frame *frame, uint64_t paths)
{
    return (struct bounce_counts){
        .active_warps = WARPS,
        .live_lanes = rounded(frame->live * 32 * WARPS),
        .live_warps = WARPS,
        .parted_warps = rounded((1 - frame->uniform) * WARPS),
        .mixed_warps = rounded(frame->mixed * WARPS),
        .partial_warps = rounded(frame->partial * TRIPS),
        .barriers = (uint64_t)3 * TRIPS,
        .albedo_warps = WARPS,
        .albedo_lines = rounded(frame->albedo * WARPS),
        .sorted_pairs = WARPS,
        .sorted_apart = rounded(frame->apart * WARPS),
        .atomics = (paths + 31) / 32 + rounded(frame->beyond),
    };
}

// Paths of four extensions, all but the first of which track, and three of which collide.
static void add_counts(struct bench *bench, const struct made *made, int64_t trial, const struct scheme_frame *frame)
{
    const uint64_t paths = rounded((double)(made->width * made->height * frame->samples));
    struct measured_counts counts[EXTENSIONS + 1];
    struct measured_lockstep lockstep[EXTENSIONS];
    struct measured_launch launch = {
        .kernel = "kernel", .bounce = -1, .grid = LAUNCHED_WARPS / 8, .block = 256, .seconds = NAN};
    for (uint32_t b = 0; b < EXTENSIONS; ++b) {
        const double lanes = b == 1 ? frame->first : frame->tracking,
                     lines = b == 1 ? frame->first_density : frame->density;
        counts[b] = (struct measured_counts){.bounce = b};
        counts[b].counts = (struct bounce_counts){.active_paths = paths,
                                                  .active_warps = paths / 32,
                                                  .collisions = b ? 32ull * WARPS / (EXTENSIONS - 1) : 0,
                                                  .node_lines = b ? rounded(lines * STEPS) : 0};
        lockstep[b] = (struct measured_lockstep){.bounce = b};
        lockstep[b].steps = (struct device_lockstep){
            .inner_steps = b ? STEPS : 0, .inner_live = b ? rounded(lanes * 32 * STEPS) : 0, .warps = 1};
    }
    counts[EXTENSIONS] = (struct measured_counts){.bounce = MEASURED_TOTALS, .counts = totals_of(frame, paths)};
    const uint64_t full = rounded((frame->live * 32 - 1) / 31 * WARPS);
    struct measured_entry entries[] = {{.lanes = 1, .steps = {.warps = WARPS - full}},
                                       {.lanes = 32, .steps = {.warps = full}}};
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .counts = counts,
                                      .count_count = EXTENSIONS + 1,
                                      .lockstep = lockstep,
                                      .lockstep_count = EXTENSIONS,
                                      .entries = entries,
                                      .entry_count = sizeof entries / sizeof *entries,
                                      .launches = &launch,
                                      .launch_count = 1});
}

// ---- frames

static void add_frame(struct bench *bench, const struct made *made, int64_t trial, const struct scheme_frame *frame)
{
    struct measured_repetition repetitions[REPETITIONS];
    struct measured_kernel kernel = {.kernel = "kernel",
                                     .facts = {.registers = frame->registers, .spill_bytes = frame->spill},
                                     .block = 256,
                                     .resident_warps = RESIDENT};
    for (int i = 0; i < REPETITIONS; ++i)
        repetitions[i] =
            (struct measured_repetition){.host_seconds = frame->seconds * (1 + 1e-4 * (made->replicate - MIDDLE)),
                                         .device_seconds = NAN,
                                         .gap_seconds = NAN,
                                         .sm_mhz = NAN,
                                         .launches_path = 1};
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_FRAME,
                                      .repetitions = repetitions,
                                      .repetition_count = REPETITIONS,
                                      .kernels = &kernel,
                                      .kernel_count = 1});
}

void scheme_add(struct bench *bench, const char *scene, struct scheme_frame frame, bool timeless)
{
    char parameters[200];
    frame = with_standard(frame);
    struct made made = scheme_made(scene, &frame, parameters);
    made.timeless = timeless;
    for (int r = 0; r < (frame.seconds > 0 ? REPLICATES : 1); ++r) {
        made.replicate = r;
        const uint32_t asked = (frame.seconds > 0 ? frame_asked : 0) | (r ? 0 : counts_asked);
        const int64_t trial = made_asked(bench->store, bench->run, &made, asked);
        if (!r)
            add_counts(bench, &made, trial, &frame);
        if (frame.seconds > 0)
            add_frame(bench, &made, trial, &frame);
    }
}

static bool same_values(const struct scheme_row *a, const struct scheme_row *b)
{
    for (size_t i = 0; i < sizeof a->values / sizeof a->values[0]; ++i)
        if (a->values[i] != b->values[i])
            return false;
    return true;
}

// How many rows from the first on are of one database.
static size_t alike(const struct scheme_row *rows, size_t count)
{
    size_t same = 1;
    while (same < count && same_values(&rows[same], rows) && rows[same].more == rows->more)
        ++same;
    return same;
}

static void decide_alike(const struct scheme_row *rows, size_t first, size_t count, scheme_maker *make, bool timeless)
{
    enum { MOST = 8 };
    struct claim_expected verdicts[MOST];
    struct bench bench;
    assert_in_range(count, 1, MOST);
    scheme_open(&bench);
    for (int volume = 0; volume < SCHEME_VOLUMES; ++volume)
        make(&bench, rows, volume, timeless);
    for (size_t i = 0; i < count; ++i)
        verdicts[i] = (struct claim_expected){rows[i].part, timeless ? OUTCOME_UNMEASURED : rows[i].outcome, NAN};
    assert_verdicts(&bench, first, verdicts, count);
    bench_close(&bench);
}

void scheme_decide(const struct scheme_row *rows, size_t count, scheme_maker *make, bool timed)
{
    if (timed)
        decide_alike(rows, 0, 1, make, true);
    for (size_t first = 0, same; first < count; first += same) {
        same = alike(rows + first, count - first);
        decide_alike(rows + first, first, same, make, false);
    }
}
