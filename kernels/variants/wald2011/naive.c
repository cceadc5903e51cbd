// SPDX-License-Identifier: MIT
// W-NAIVE: a single launch.
#include "frame/surface.h"

#include <stdio.h>

#include "variants/wald2011/naive.kernel.h"

static bool naive_render(struct frame *frame, struct error *error)
{
    struct naive_args args = {.frame = frame->args, .shares = surface_grid(frame, frame->pixels)};
    const struct frame_launch launch = {
        .kernel = "naive",
        .grid = surface_resident_grid(frame, args.shares),
        .block = (uint32_t)frame->parameters->block,
        .args = &args,
        .args_size = sizeof args,
        .bounce = -1,
    };
    return frame_launch(frame, &launch, error);
}

static bool naive_supports(const struct parameters *parameters, const struct device_properties *device, char *reason,
                           size_t size)
{
    if (parameters->loop == LOOP_FREE && parameters->traversal != TRAVERSAL_WHILE_WHILE) {
        snprintf(reason, size, "a traversal that votes needs loop: reconverged");
        return false;
    }
    return surface_supports_places(parameters, device, reason, size);
}

static bool naive_warps(const struct warps_asked *asked, uint64_t *warps)
{
    return warps_of_places(asked, 0, warps);
}

const struct variant variant_naive = {
    .name = "naive",
    .summary = "one lane, one path, all bounces",
    .paper = "wald2011",
    .estimator = &estimator_surface,
    .traces_alone = true,
    .parameters = {SURFACE_PARAMETERS, PLACE_PARAMETERS, .loop = true, .resident_blocks = true,
                   .multiprocessors = true},
    .supports = naive_supports,
    .render = naive_render,
    .warps = naive_warps,
};
