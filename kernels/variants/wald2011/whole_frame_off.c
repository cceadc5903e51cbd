// SPDX-License-Identifier: MIT
// W-WF-CTRL: the launches and the loads and stores of whole_frame with compaction disabled: list = identity, count =
// all pixels, and lanes whose path has died leave.
#include "frame/surface.h"

#include "variants/wald2011/whole_frame_off.kernel.h"

struct whole_frame_off {
    struct path_memory paths;
    uint8_t *active;
};

static bool whole_frame_off_prepare(struct frame *frame, struct error *error)
{
    struct whole_frame_off *state = frame->state = frame_state(frame, sizeof *state, error);
    if (!state || !surface_alloc_paths(frame, frame->pixels, true, &state->paths, error))
        return false;
    state->active = frame_memory(frame, frame->pixels, error);
    return state->active != NULL;
}

// All bounces are launched, as without compaction nothing tells that no path is left.
static bool whole_frame_off_render(struct frame *frame, struct error *error)
{
    const struct whole_frame_off *state = frame->state;
    for (uint32_t bounce = 0; bounce <= frame->args.max_bounces; ++bounce) {
        struct list_args args = {
            .frame = frame->args,
            .paths = state->paths,
            .active = state->active,
            .count = frame->pixels,
            .bounce = bounce,
            .check_active = 1,
        };
        const struct frame_launch launch = {
            .kernel = "whole_frame_off_bounce",
            .grid = surface_grid(frame, frame->pixels),
            .block = (uint32_t)frame->parameters->block,
            .args = &args,
            .args_size = sizeof args,
            .iteration = (int32_t)bounce,
            .bounce = (int32_t)bounce,
        };
        if (!frame_launch(frame, &launch, error))
            return false;
    }
    return true;
}

static bool whole_frame_off_warps(const struct warps_asked *asked, uint64_t *warps)
{
    return warps_of_places(asked, 0, warps);
}

const struct variant variant_whole_frame_off = {
    .name = "whole_frame_off",
    .summary = "whole_frame with compaction disabled: the control of Wald's section 4.2",
    .paper = "wald2011",
    .estimator = &estimator_surface,
    .parameters = {SURFACE_PARAMETERS, PLACE_PARAMETERS, STORE_PARAMETERS},
    .supports = surface_supports_places,
    .prepare = whole_frame_off_prepare,
    .render = whole_frame_off_render,
    .warps = whole_frame_off_warps,
};
