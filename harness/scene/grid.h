// SPDX-License-Identifier: MIT
// The grid of a scene, in whose steps fragments and the boxes of the tree wide4 are given.
#pragma once

#include "trees/ray.h"

struct scene_grid {
    struct vec3 low, span; // scene_view.grid_low, grid_span
};

// On each axis the least power of two, from 2^-60 on, whose last step is not below `high`.
static inline float scene_grid_span(float low, float high)
{
    float span = 0x1p-60f;
    while (grid_place(low, span, GRID_STEPS - 1) < high && span < 0x1p120f)
        span *= 2;
    return span;
}

// Of a scene between `low` and `high`, widened by `pad`.
static inline struct scene_grid scene_grid_make(const float low[3], const float high[3], float pad)
{
    struct scene_grid grid;
    grid.low = vec3_make(low[0] - pad, low[1] - pad, low[2] - pad);
    grid.span = vec3_make(scene_grid_span(grid.low.x, high[0] + pad), scene_grid_span(grid.low.y, high[1] + pad),
                          scene_grid_span(grid.low.z, high[2] + pad));
    return grid;
}

// The last step that is not above `place`, and the first that is not below it; of places within the grid.
static inline uint32_t scene_grid_below(float low, float span, float place)
{
    double step = floor(((double)place - (double)low) * GRID_STEPS / (double)span);
    uint32_t below = step <= 0 ? 0 : step >= GRID_STEPS - 1 ? GRID_STEPS - 1 : (uint32_t)step;
    while (below > 0 && (grid_place(low, span, below) > place ||
                         (double)low + (double)below * (double)span / GRID_STEPS > (double)place))
        --below;
    return below;
}

static inline uint32_t scene_grid_above(float low, float span, float place)
{
    double step = ceil(((double)place - (double)low) * GRID_STEPS / (double)span);
    uint32_t above = step <= 0 ? 0 : step >= GRID_STEPS - 1 ? GRID_STEPS - 1 : (uint32_t)step;
    while (above < GRID_STEPS - 1 && (grid_place(low, span, above) < place ||
                                      (double)low + (double)above * (double)span / GRID_STEPS < (double)place))
        ++above;
    return above;
}

// The steps of a box that is in coordinates of the grid, exact: lower step | upper step << 16.
static inline void scene_grid_steps(const struct scene_grid *grid, struct vec3 low, struct vec3 high, uint32_t box[3])
{
    const float lows[3] = {low.x / grid->span.x, low.y / grid->span.y, low.z / grid->span.z};
    const float highs[3] = {high.x / grid->span.x, high.y / grid->span.y, high.z / grid->span.z};
    for (int axis = 0; axis < 3; ++axis)
        box[axis] = (uint32_t)((lows[axis] - 1) * GRID_STEPS) | (uint32_t)((highs[axis] - 1) * GRID_STEPS) << 16;
}

// Both ends of a box, rounded outwards: lower step | upper step << 16.
static inline void scene_grid_box(const struct scene_grid *grid, struct vec3 low, struct vec3 high, uint32_t box[3])
{
    box[0] = scene_grid_below(grid->low.x, grid->span.x, low.x) | scene_grid_above(grid->low.x, grid->span.x, high.x)
                                                                      << 16;
    box[1] = scene_grid_below(grid->low.y, grid->span.y, low.y) | scene_grid_above(grid->low.y, grid->span.y, high.y)
                                                                      << 16;
    box[2] = scene_grid_below(grid->low.z, grid->span.z, low.z) | scene_grid_above(grid->low.z, grid->span.z, high.z)
                                                                      << 16;
}
