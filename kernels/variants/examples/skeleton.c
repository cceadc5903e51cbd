// SPDX-License-Identifier: MIT
// The host side of the skeleton: the usual hooks of struct variant, with what they are for. A copy of these two files and one
// row in variants.def are a new variant; it then appears in `list`, `run`, `verify`, the tests and the help.
#include "frame/surface.h"

#include <stdio.h>

#include "variants/examples/skeleton.kernel.h"

// What one frame needs besides its arguments. Lives in frame->state, freed by the harness.
struct skeleton {
    uint32_t grid;
};

// false = stored as a skip with this reason. Say what does not fit and why; never adjust a parameter silently.
static bool skeleton_supports(const struct parameters *parameters, const struct device_properties *device, char *reason,
                              size_t size)
{
    if (parameters->loop == LOOP_FREE && parameters->traversal != TRAVERSAL_WHILE_WHILE) {
        snprintf(reason, size, "a traversal that votes needs loop: reconverged");
        return false;
    }
    (void)device;
    return true;
}

// Outside the measured time: allocate here (frame_memory for the device, frame_state for the host), decide sizes.
static bool skeleton_prepare(struct frame *frame, struct error *error)
{
    struct skeleton *skeleton = frame->state = frame_state(frame, sizeof *skeleton, error);
    if (!skeleton)
        return false;
    const uint32_t block = (uint32_t)frame->parameters->block, all = (frame->pixels + block - 1) / block;
    const uint32_t few = 4 * frame_multiprocessors(frame);
    skeleton->grid = all < few ? all : few;
    return true;
}

// The measured work: one pass over all pixels, enqueued on the frame's stream. Called spp times a frame.
static bool skeleton_render(struct frame *frame, struct error *error)
{
    const struct skeleton *skeleton = frame->state;
    const uint32_t block = (uint32_t)frame->parameters->block;
    struct skeleton_args args = {.frame = frame->args, .lanes = skeleton->grid * block};
    const struct frame_launch launch = {
        .kernel = "skeleton",
        .grid = skeleton->grid,
        .block = block,
        .args = &args,
        .args_size = sizeof args,
        .iteration = 0,
        .bounce = -1, // one launch holds all bounces
    };
    return frame_launch(frame, &launch, error);
}

// Its stride is a whole number of blocks, so its warps are those of a full grid.
static bool skeleton_warps(const struct warps_asked *asked, uint64_t *warps)
{
    return warps_of_places(asked, 0, warps);
}

const struct variant variant_skeleton = {
    .name = "skeleton",
    .summary = "the example of docs/variants.md: a small grid strides over the pixels",
    .paper = "",
    .estimator = &estimator_surface,
    .traces_alone = true,
    // The SCHEDULE parameters that it or its kernels read: all others are taken out of its trials' keys.
    .parameters = {SURFACE_PARAMETERS, .pixel_order = true, .loop = true, .multiprocessors = true},
    .supports = skeleton_supports,
    .prepare = skeleton_prepare,
    .render = skeleton_render,
    .warps = skeleton_warps,
};
