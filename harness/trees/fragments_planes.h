// SPDX-License-Identifier: MIT
// Planes that split references to triangles. Private to fragments*.c.
#pragma once

#include "trees/bvh_split.h"
#include "geometry/types.h"

enum { PLANES = 32 }; // most bins of an axis

struct plane {
    float cost, place; // cost: left area * left count + right area * right count; INFINITY where there is none
    int axis;
    struct box4 boxes[2]; // of what is on either side
    uint32_t counts[2];   // references, those on both sides counted twice
};

// The plane of least cost among the limits of bins that divide `box`, which holds all references: at least two.
struct plane plane_find(const struct triangle *triangles, const struct reference *references, uint32_t count,
                        const struct box4 *box);

// The reference below and above a plane that crosses its box. Both boxes together cover the part of the triangle that
// the reference's box covers; false, and neither is set, where one of them would be empty.
bool plane_clip(const struct triangle *triangles, const struct reference *from, int axis, float place,
                struct reference to[2]);
