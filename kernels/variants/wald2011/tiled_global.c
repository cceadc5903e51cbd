// SPDX-License-Identifier: MIT
// W-TILE-G: one block per tile, path state in global memory.
#include "frame/surface.h"
#include "variants/wald2011/tiled.h"

static bool tiled_global_supports(const struct parameters *parameters, const struct device_properties *device,
                                  char *reason, size_t size)
{
    return tiled_supports(parameters, device, false, reason, size);
}

static bool tiled_global_prepare(struct frame *frame, struct error *error)
{
    return tiled_prepare(frame, false, error);
}

static bool tiled_global_render(struct frame *frame, struct error *error)
{
    return tiled_render(frame, "tiled_global", false, error);
}

const struct variant variant_tiled_global = {
    .name = "tiled_global",
    .summary = "a block per tile compacts its own list every bounce; path state in global memory",
    .paper = "wald2011",
    .estimator = &estimator_surface,
    .parameters = {SURFACE_PARAMETERS, STORE_PARAMETERS, .tile_m = true, .resident_blocks = true,
                   .multiprocessors = true},
    .supports = tiled_global_supports,
    .prepare = tiled_global_prepare,
    .render = tiled_global_render,
    .warps = tiled_warps,
};
