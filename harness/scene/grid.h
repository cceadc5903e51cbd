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
    while (grid_place(low, span, GRID_LAST) < high && span < 0x1p120f)
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

// Where a step lies: rounded to float and not, since walks compute with either.
static inline bool scene_grid_is_above(float low, float span, uint32_t step, float place)
{
    return grid_place(low, span, step) > place ||
           (double)low + ((double)grid_number(step) - 0.5) * (double)span > (double)place;
}

static inline bool scene_grid_is_below(float low, float span, uint32_t step, float place)
{
    return grid_place(low, span, step) < place ||
           (double)low + ((double)grid_number(step) - 0.5) * (double)span < (double)place;
}

// The step nearest to a place, or the one before it.
static inline uint32_t scene_grid_near(float low, float span, float place)
{
    const double number = ((double)place - (double)low) / (double)span + 0.5;
    const double step = number < 1 ? (number - 0.5) * 0x1p16 : 0x1p15 + (number - 1) * 0x1p15;
    return step <= 0 ? 0 : step >= GRID_LAST ? GRID_LAST : (uint32_t)step;
}

// The last step that is not above `place`, and the first that is not below it; of places within the grid.
static inline uint32_t scene_grid_below(float low, float span, float place)
{
    uint32_t below = scene_grid_near(low, span, place);
    while (below > 0 && scene_grid_is_above(low, span, below, place))
        --below;
    return below;
}

static inline uint32_t scene_grid_above(float low, float span, float place)
{
    uint32_t above = scene_grid_near(low, span, place);
    while (above < GRID_LAST && scene_grid_is_below(low, span, above, place))
        ++above;
    return above;
}

// The step of a coordinate of the grid, exact.
static inline uint32_t scene_grid_step(float span, float coordinate)
{
    return (f32_bits(coordinate / span) - 0x3F000000u) >> 8;
}

// The steps of a box that is in coordinates of the grid, exact: lower step | upper step << 16.
static inline void scene_grid_steps(const struct scene_grid *grid, struct vec3 low, struct vec3 high, uint32_t box[3])
{
    box[0] = scene_grid_step(grid->span.x, low.x) | scene_grid_step(grid->span.x, high.x) << 16;
    box[1] = scene_grid_step(grid->span.y, low.y) | scene_grid_step(grid->span.y, high.y) << 16;
    box[2] = scene_grid_step(grid->span.z, low.z) | scene_grid_step(grid->span.z, high.z) << 16;
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
