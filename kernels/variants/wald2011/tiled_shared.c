// SPDX-License-Identifier: MIT
// W-TILE-S: one block per tile, path state in shared memory.
#include "frame/surface.h"
#include "variants/wald2011/tiled.h"

static bool tiled_shared_supports(const struct parameters *parameters, const struct device_properties *device,
                                  char *reason, size_t size)
{
    return tiled_supports(parameters, device, true, reason, size);
}

static bool tiled_shared_prepare(struct frame *frame, struct error *error)
{
    return tiled_prepare(frame, true, error);
}

static bool tiled_shared_render(struct frame *frame, struct error *error)
{
    return tiled_render(frame, "tiled_shared", true, error);
}

const struct variant variant_tiled_shared = {
    .name = "tiled_shared",
    .summary = "a block per tile compacts its own list every bounce; path state in shared memory",
    .paper = "wald2011",
    .estimator = &estimator_surface,
    .parameters = {SURFACE_PARAMETERS, STORE_PARAMETERS, .tile_m = true, .resident_blocks = true,
                   .multiprocessors = true},
    .supports = tiled_shared_supports,
    .prepare = tiled_shared_prepare,
    .render = tiled_shared_render,
    .warps = tiled_warps,
};
