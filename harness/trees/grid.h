// SPDX-License-Identifier: MIT
// The grid of a scene, in whose steps fragments and the boxes of the tree wide4 are given.
#pragma once

#include "trees/ray.h"

struct scene_grid {
    struct vec3 zero, span; // scene_view.grid_zero, grid_span
};

// Where a step lies: rounded to float and not, since walks compute with either.
static inline bool scene_grid_is_above(float zero, float span, uint32_t step, float place)
{
    return grid_place(zero, span, step) > place ||
           (double)zero + (double)grid_number(step) * (double)span > (double)place;
}

static inline bool scene_grid_is_below(float zero, float span, uint32_t step, float place)
{
    return grid_place(zero, span, step) < place ||
           (double)zero + (double)grid_number(step) * (double)span < (double)place;
}

// On each axis the least power of two, from 2^-60 on, such that a grid that begins at `low` ends at `high` or beyond; and where its
// coordinates are 0, such that it does not begin above `low`.
static inline void scene_grid_axis(float low, float high, float *zero, float *span)
{
    *span = 0x1p-60f;
    for (;; *span *= 2) {
        *zero = low - 0.5f * *span;
        while (scene_grid_is_above(*zero, *span, 0, low))
            *zero = nextafterf(*zero, -INFINITY);
        if (!scene_grid_is_below(*zero, *span, GRID_LAST, high) || *span >= 0x1p120f)
            return;
    }
}

// Of a scene between `low` and `high`, widened by `pad`.
static inline struct scene_grid scene_grid_make(const float low[3], const float high[3], float pad)
{
    struct scene_grid grid;
    scene_grid_axis(low[0] - pad, high[0] + pad, &grid.zero.x, &grid.span.x);
    scene_grid_axis(low[1] - pad, high[1] + pad, &grid.zero.y, &grid.span.y);
    scene_grid_axis(low[2] - pad, high[2] + pad, &grid.zero.z, &grid.span.z);
    return grid;
}

// The step nearest to a place, or the one before it.
static inline uint32_t scene_grid_near(float zero, float span, float place)
{
    const double number = ((double)place - (double)zero) / (double)span;
    const double step = number < 1 ? (number - 0.5) * 0x1p16 : 0x1p15 + (number - 1) * 0x1p15;
    return step <= 0 ? 0 : step >= GRID_LAST ? GRID_LAST : (uint32_t)step;
}

// The last step that is not above `place`, and the first that is not below it; of places within the grid.
static inline uint32_t scene_grid_below(float zero, float span, float place)
{
    uint32_t below = scene_grid_near(zero, span, place);
    while (below > 0 && scene_grid_is_above(zero, span, below, place))
        --below;
    return below;
}

static inline uint32_t scene_grid_above(float zero, float span, float place)
{
    uint32_t above = scene_grid_near(zero, span, place);
    while (above < GRID_LAST && scene_grid_is_below(zero, span, above, place))
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
    box[0] = scene_grid_below(grid->zero.x, grid->span.x, low.x) | scene_grid_above(grid->zero.x, grid->span.x, high.x)
                                                                       << 16;
    box[1] = scene_grid_below(grid->zero.y, grid->span.y, low.y) | scene_grid_above(grid->zero.y, grid->span.y, high.y)
                                                                       << 16;
    box[2] = scene_grid_below(grid->zero.z, grid->span.z, low.z) | scene_grid_above(grid->zero.z, grid->span.z, high.z)
                                                                       << 16;
}
