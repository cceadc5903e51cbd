// SPDX-License-Identifier: MIT
// The best plane of a cell. Private to kd16_*.c.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct kd16_box {
    float low[3], high[3];
};

struct kd16_plane {
    double cost; // INFINITY: none lies inside the cell
    uint32_t axis;
    float position;
};

// Half the surface area.
double kd16_area(const struct kd16_box *box);

double kd16_leaf_cost(uint32_t count);

// Among all at which the box of one of the `triangles` begins or ends inside the cell. False without memory.
bool kd16_best_plane(const struct kd16_box *boxes, const uint32_t *triangles, uint32_t count,
                     const struct kd16_box *cell, struct kd16_plane *best);
