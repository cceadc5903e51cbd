// SPDX-License-Identifier: MIT
#include "variants/wald2011/tiled.h"

#include <stdio.h>

#include "variants/wald2011/tile.h"
#include "frame/surface.h"

size_t tiled_shared_bytes(const struct parameters *parameters, bool state_shared)
{
    const size_t per_path = TILE_LIST_BYTES + (state_shared ? surface_path_bytes(parameters) : 0);
    return (size_t)parameters->block * (size_t)parameters->tile_m * per_path;
}

static uint32_t tiles_across(const struct frame *frame)
{
    const uint32_t block = (uint32_t)frame->parameters->block;
    return (frame->args.width + block - 1) / block;
}

static uint32_t tile_count(const struct frame *frame)
{
    const uint32_t rows = (uint32_t)frame->parameters->tile_m;
    return tiles_across(frame) * ((frame->args.height + rows - 1) / rows);
}

bool tiled_prepare(struct frame *frame, bool state_shared, struct error *error)
{
    struct path_memory *paths = frame->state = frame_state(frame, sizeof *paths, error);
    const uint64_t slots =
        (uint64_t)tile_count(frame) * (uint64_t)(frame->parameters->block * frame->parameters->tile_m);
    return paths && surface_alloc_paths(frame, slots, !state_shared, paths, error);
}

bool tiled_render(struct frame *frame, const char *kernel, bool state_shared, struct error *error)
{
    const struct path_memory *paths = frame->state;
    struct tile_args args = {
        .frame = frame->args,
        .paths = *paths,
        .tile_rows = (uint32_t)frame->parameters->tile_m,
        .tiles_across = tiles_across(frame),
        .tiles = tile_count(frame),
    };
    const struct frame_launch launch = {
        .kernel = kernel,
        .grid = surface_resident_grid(frame, args.tiles),
        .block = (uint32_t)frame->parameters->block,
        .shared_bytes = tiled_shared_bytes(frame->parameters, state_shared),
        .args = &args,
        .args_size = sizeof args,
        .bounce = -1,
    };
    return frame_launch(frame, &launch, error);
}

bool tiled_warps(const struct warps_asked *asked, uint64_t *warps)
{
    *warps = warps_of_tiles(asked);
    return true;
}

bool tiled_supports(const struct parameters *parameters, const struct device_properties *device, bool state_shared,
                    char *reason, size_t size)
{
    const size_t needed = tiled_shared_bytes(parameters, state_shared) + (size_t)parameters->shared_pad;
    if (needed <= device->shared_per_block)
        return true;
    snprintf(reason, size, "a tile of %lld x %lld paths needs %zu bytes of shared memory, a block has %llu at most",
             (long long)parameters->block, (long long)parameters->tile_m, needed,
             (unsigned long long)device->shared_per_block);
    return false;
}
