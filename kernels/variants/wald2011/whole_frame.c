// SPDX-License-Identifier: MIT
// W-WF: per bounce one launch over the list of live paths, then a device-wide stable compaction and a read-back.
#include "frame/surface.h"

#include <stdio.h>

#include "variants/wald2011/whole_frame.kernel.h"

struct whole_frame {
    struct path_memory paths[2]; // the second one only where path state is moved
    uint8_t *active;
    uint32_t *lists[2], *count; // device
    uint32_t current;           // index of the list and buffer in use
};

static bool whole_frame_supports(const struct parameters *parameters, const struct device_properties *device,
                                 char *reason, size_t size)
{
    if (parameters->storage == STORAGE_MOVE && parameters->scan == SCAN_ALL) {
        snprintf(reason, size,
                 "storage: move leaves the paths in dense slots, so there is only the previous list to scan: "
                 "set scan: previous");
        return false;
    }
    return surface_supports_places(parameters, device, reason, size);
}

static bool whole_frame_prepare(struct frame *frame, struct error *error)
{
    struct whole_frame *state = frame->state = frame_state(frame, sizeof *state, error);
    if (!state || !surface_alloc_paths(frame, frame->pixels, true, &state->paths[0], error))
        return false;
    if (frame->parameters->storage == STORAGE_MOVE &&
        !surface_alloc_paths(frame, frame->pixels, true, &state->paths[1], error))
        return false;
    state->active = frame_memory(frame, frame->pixels, error);
    state->count = frame_memory(frame, sizeof(uint32_t), error);
    for (int i = 0; i < 2; ++i)
        state->lists[i] = frame_memory(frame, frame->pixels * sizeof(uint32_t), error);
    return state->active && state->count && state->lists[0] && state->lists[1];
}

static bool launch_bounce(struct frame *frame, const struct list_args *args, struct error *error)
{
    struct list_args copy = *args;
    const bool shrink = frame->parameters->grid == GRID_SHRINK;
    const struct frame_launch launch = {
        .kernel = "whole_frame_bounce",
        .grid = surface_grid(frame, shrink ? args->count : frame->pixels),
        .block = (uint32_t)frame->parameters->block,
        .args = &copy,
        .args_size = sizeof copy,
        .iteration = (int32_t)args->bounce,
        .bounce = (int32_t)args->bounce,
    };
    return frame_launch(frame, &launch, error);
}

static bool launch_move(struct frame *frame, struct whole_frame *state, const uint32_t *list, uint32_t count,
                        int32_t iteration, struct error *error)
{
    struct move_args args = {
        .frame = frame->args,
        .from = state->paths[state->current],
        .to = state->paths[1 - state->current],
        .list = list,
        .count = count,
    };
    const uint32_t block = (uint32_t)frame->parameters->block;
    const struct frame_launch launch = {
        .kernel = "whole_frame_move",
        .grid = (count + block - 1) / block,
        .block = block,
        .args = &args,
        .args_size = sizeof args,
        .iteration = iteration,
        .bounce = iteration,
        .auxiliary = true,
    };
    return frame_launch(frame, &launch, error);
}

// Compacts the list in `args` (a NULL list is the identity) and reads back its new length.
static bool whole_frame_compact(struct frame *frame, struct whole_frame *state, struct list_args *args,
                                struct error *error)
{
    const bool previous = frame->parameters->scan == SCAN_PREVIOUS;
    const uint32_t *in = previous ? args->list : NULL;
    uint32_t *out = state->lists[1 - state->current];
    const int32_t iteration = (int32_t)args->bounce;
    if (!frame_select_flagged(frame, in, state->active, out, state->count, previous ? args->count : frame->pixels,
                              iteration, error) ||
        !frame_read(frame, state->count, &args->count, 1, error))
        return false;
    if (frame->parameters->storage == STORAGE_MOVE && args->count > 0) {
        if (!launch_move(frame, state, out, args->count, iteration, error))
            return false;
        args->paths = state->paths[1 - state->current];
    } else {
        args->list = out;
    }
    state->current = 1 - state->current;
    return true;
}

static bool whole_frame_render(struct frame *frame, struct error *error)
{
    struct whole_frame *state = frame->state;
    const uint32_t every = (uint32_t)frame->parameters->compact_every;
    state->current = 0;
    struct list_args args = {
        .frame = frame->args,
        .paths = state->paths[0],
        .active = state->active,
        .count = frame->pixels,
        .flag_by_place = frame->parameters->scan == SCAN_PREVIOUS,
    };
    for (args.bounce = 0; args.count > 0 && args.bounce <= frame->args.max_bounces; ++args.bounce) {
        args.check_active =
            args.bounce % every != 0; // right after a compaction all are alive, and flags by place are stale
        if (!launch_bounce(frame, &args, error))
            return false;
        if ((args.bounce + 1) % every == 0 && !whole_frame_compact(frame, state, &args, error))
            return false;
    }
    return true;
}

static bool whole_frame_warps(const struct warps_asked *asked, uint64_t *warps)
{
    const uint32_t every = (uint32_t)asked->parameters->compact_every;
    return (every == 1 && warps_of_list(asked, warps)) ||
           warps_of_places(asked, asked->bounce - asked->bounce % every, warps);
}

const struct variant variant_whole_frame = {
    .name = "whole_frame",
    .summary = "one launch per bounce, list of live paths compacted over the whole frame",
    .paper = "wald2011",
    .estimator = &estimator_surface,
    .parameters = {SURFACE_PARAMETERS, PLACE_PARAMETERS, STORE_PARAMETERS, .scan = true, .grid = true, .storage = true,
                   .compact_every = true},
    .supports = whole_frame_supports,
    .prepare = whole_frame_prepare,
    .render = whole_frame_render,
    .warps = whole_frame_warps,
};
