// SPDX-License-Identifier: MIT
// Rays sorted before the stage `trace`: by origin, by direction, or by the material that they leave.
#pragma once

#include "variants/cmu2023/wavefront.h"
#include "lib/morton.h"

enum { RAY_CELLS = 1024, RAY_KEY_BITS = 31 }; // a Morton code, and a bit for no ray

// Cell of a coordinate on a grid without end, whose cells are numbered again from 0 every RAY_CELLS.
DEVICE uint32_t ray_cell(float x, float cells_per_unit)
{
    return (uint32_t)(int32_t)floorf(x * cells_per_unit) & ((uint32_t)RAY_CELLS - 1u);
}

DEVICE uint32_t ray_morton(struct vec3 v, float cells_per_unit)
{
    return morton_code(ray_cell(v.x, cells_per_unit), ray_cell(v.y, cells_per_unit), ray_cell(v.z, cells_per_unit));
}

// A scene is no wider than 1000 cells, each 1/1000 of its diagonal; directions are within [-1, 1], so that 500 cells a unit
// keep them apart.
DEVICE uint32_t ray_key(const struct wavefront_args *args, uint32_t slot)
{
    const struct pool *pool = &args->pool;
    if (!pool_lives(pool, slot))
        return 1u << (RAY_KEY_BITS - 1);
    if (args->ray_sort == RAY_SORT_ORIGIN)
        return ray_morton(pool_vec3(pool, slot, POOL_RAY), 1000.0f / args->frame.scene.diagonal);
    if (args->ray_sort == RAY_SORT_DIRECTION)
        return ray_morton(pool_vec3(pool, slot, POOL_RAY + 3), 500.0f);
    const bool camera = (*pool_at(pool, slot, POOL_FLAGS) & 0xFFFEu) == 0u; // has left no material yet
    return camera ? 0u : (*pool_at(pool, slot, POOL_MATERIAL) >> 1) + 1u;
}

DEVICE void ray_order_keys(const struct wavefront_args *args)
{
    const uint32_t lane = wavefront_lane();
    if (lane >= args->count)
        return;
    const uint32_t slot = args->list ? args->list[lane] : lane;
    args->keys[lane] = ray_key(args, slot);
    args->values[lane] = slot;
}
