// SPDX-License-Identifier: MIT
// V-NAIVE-SK: a single launch for all samples of all pixels.
#include "trial/surface.h"
#include "variants/volpt2018/paths.h"

#include "variants/volpt2018/volume_naive.kernel.h"

static bool render(struct frame *frame, struct error *error)
{
    const uint32_t block = (uint32_t)frame->parameters->block, paths = volume_paths(frame);
    struct volume_naive_args args = {.frame = frame->args, .paths = paths, .shares = (paths - 1) / block + 1};
    const struct frame_launch launch = {
        .kernel = "volume_naive",
        .grid = surface_resident_grid(frame, args.shares),
        .block = block,
        .args = &args,
        .args_size = sizeof args,
        .bounce = -1,
    };
    return frame_launch(frame, &launch, error);
}

static const char *const parameters[] = {VOLUME_PARAMETERS, "loop", "resident_blocks", NULL};

const struct variant variant_volume_naive = {
    .name = "volume_naive",
    .summary = "one lane, one path, all extensions through a volume",
    .paper = "volpt2018",
    .estimator = &estimator_volume,
    .parameters = parameters,
    .supports = volume_supports,
    .render = render,
    .all_samples = true,
};
