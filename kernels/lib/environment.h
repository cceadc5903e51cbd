// SPDX-License-Identifier: MIT
// Directions of the sphere, and the radiance that arrives from them.
#pragma once

#include "lib/maths.h"
#include "lib/scene.h"

// Place of a direction on a latitude-longitude grid.
struct grid_cell {
    uint32_t row, column;
};

DEVICE struct grid_cell grid_cell_of(struct vec3 direction, uint32_t width, uint32_t height)
{
    const float polar = arccosine(direction.y) / PI_F;
    float turns = arctangent2(direction.z, direction.x) / (2.0f * PI_F);
    turns = turns < 0.0f ? turns + 1.0f : turns;
    struct grid_cell cell;
    cell.row = (uint32_t)(polar * (float)height);
    cell.column = (uint32_t)(turns * (float)width);
    cell.row = cell.row < height ? cell.row : height - 1;
    cell.column = cell.column < width ? cell.column : width - 1;
    return cell;
}

// Radiance that arrives from `direction`, constant on a texel.
DEVICE struct vec3 environment_radiance(const struct environment *environment, struct vec3 direction)
{
    if (environment->width == 0)
        return vec3_splat(0.0f);
    const struct grid_cell texel = grid_cell_of(direction, environment->width, environment->height);
    return environment->radiance[texel.row * environment->width + texel.column];
}

DEVICE struct vec3 polar_direction(float turns, float y, float radius)
{
    float sine, cosine;
    sincos_turns(turns, &sine, &cosine);
    return vec3_make(radius * cosine, y, radius * sine);
}
