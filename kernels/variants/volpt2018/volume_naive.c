// SPDX-License-Identifier: MIT
// V-NAIVE-SK: a single launch for all samples of all pixels of a tile.
#include "frame/surface.h"
#include "variants/volpt2018/paths.h"
#include "variants/volpt2018/tiles.h"

#include "variants/volpt2018/volume_naive.kernel.h"

struct volume_naive {
    struct tiles tiles;
};

static bool volume_naive_prepare(struct frame *frame, struct error *error)
{
    struct volume_naive *state = frame->state = frame_state(frame, sizeof *state, error);
    return state && tiles_prepare(frame, &state->tiles, error);
}

static bool launch_tile(struct frame *frame, const struct volume_tile *tile, uint32_t place, struct error *error)
{
    (void)place;
    const uint32_t block = (uint32_t)frame->parameters->block, paths = tile->pixels * frame->args.samples;
    struct volume_naive_args args = {
        .frame = frame->args, .tile = *tile, .paths = paths, .shares = (paths - 1) / block + 1};
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

static bool volume_naive_render(struct frame *frame, struct error *error)
{
    const struct volume_naive *state = frame->state;
    return tiles_render(frame, &state->tiles, launch_tile, error);
}

const struct variant variant_volume_naive = {
    .name = "volume_naive",
    .summary = "one lane, one path, all extensions through a volume",
    .paper = "volpt2018",
    .estimator = &estimator_volume,
    .parameters = {VOLUME_PARAMETERS, TILE_PARAMETERS, .loop = true, .resident_blocks = true},
    .supports = tiles_support,
    .prepare = volume_naive_prepare,
    .render = volume_naive_render,
    .all_samples = true,
};
