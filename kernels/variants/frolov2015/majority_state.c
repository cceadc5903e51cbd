// SPDX-License-Identifier: MIT
// F-UBER: one launch, a lane for each pixel, or as many as `pool` says.
#include "frame/pool.h"

#include "variants/frolov2015/majority_state.kernel.h"

static bool majority_state_render(struct frame *frame, struct error *error)
{
    const uint32_t lanes = pool_slots(frame, frame->pixels), block = (uint32_t)frame->parameters->block;
    struct majority_args args = {.frame = frame->args, .lanes = lanes < frame->pixels ? lanes : frame->pixels};
    const struct frame_launch launch = {
        .kernel = "majority_state",
        .grid = (args.lanes + block - 1) / block,
        .block = block,
        .args = &args,
        .args_size = sizeof args,
        .bounce = -1,
    };
    return frame_launch(frame, &launch, error);
}

const struct variant variant_majority_state = {
    .name = "majority_state",
    .summary =
        "the seven steps as states of the lanes of one kernel; a warp takes the step that most of its lanes wait for",
    .paper = "frolov2015",
    .estimator = &estimator_surface,
    .parameters = {.block = true,
                   .registers = true,
                   .traversal = true,
                   .far_first = true,
                   .shared_pad = true,
                   .carveout = true,
                   .dummy_flops = true,
                   .pixel_order = true,
                   .pool = true},
    .render = majority_state_render,
    .all_samples = true,
};
