// SPDX-License-Identifier: MIT
// C-2S-PIX: rounds of extend and logic over a slot for each pixel, until the slowest pixel has all of its samples.
#include "frame/pool.h"

#include "variants/cmu2023/two_stage_pixel.kernel.h"

static bool two_stage_pixel_prepare(struct frame *frame, struct error *error)
{
    struct wavefront_args *args = frame->state = frame_state(frame, sizeof *args, error);
    return args && pool_alloc(frame, frame->pixels, POOL_EXTENSION, &args->pool, error) &&
           (args->counters = frame_memory(frame, sizeof *args->counters, error)) != NULL;
}

static bool two_stage_pixel_run(struct frame *frame, struct wavefront_args *args, const char *kernel, const char *stage,
                                uint32_t round, struct error *error)
{
    const struct pool_launch launch = {kernel, stage, args->count, args, sizeof *args, round, 0};
    return pool_run(frame, &launch, error);
}

static bool two_stage_pixel_render(struct frame *frame, struct error *error)
{
    struct wavefront_args args = *(const struct wavefront_args *)frame->state;
    uint32_t done = 0; // pixels
    args.frame = frame->args;
    args.batch = frame->args.samples;
    args.count = args.pool.slots;
    frame_note(frame, &(struct bounce_counts){.begun = args.count, .queued = pool_samples(frame)});
    if (!two_stage_pixel_run(frame, &args, "two_stage_pixel_begin", "regenerate", 0, error))
        return false;
    for (uint32_t round = 0; done < args.count; ++round)
        if (!two_stage_pixel_run(frame, &args, "two_stage_pixel_extend", "trace", round, error) ||
            !two_stage_pixel_run(frame, &args, "two_stage_pixel_logic", "logic", round, error) ||
            !frame_read(frame, (const uint32_t *)&args.counters->done, &done, 1, error))
            return false;
    return true;
}

const struct variant variant_two_stage_pixel = {
    .name = "two_stage_pixel",
    .summary =
        "rounds of two kernels, extend and logic, over a slot for each pixel, which takes no other pixel's samples",
    .paper = "cmu2023",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {SLOT_PARAMETERS},
    .prepare = two_stage_pixel_prepare,
    .render = two_stage_pixel_render,
    .all_samples = true,
};
