// SPDX-License-Identifier: MIT
// What is read from a mesh file.
#pragma once

#include <stdbool.h>

#include "geometry/exact_math.h"

struct mesh_material {
    char name[64];
    double diffuse[3]; // times the mean linear colour of its texture
    double specular[3];
    double exponent, ior, opacity;
    bool missing; // the file uses it, and none of its libraries says what it is
};

struct mesh_data {
    struct exact_vec *vertices;
    uint32_t *indices;   // three a triangle
    uint32_t *materials; // one a triangle, index into `palette`
    struct mesh_material *palette;
    uint64_t vertex_count, triangle_count;
    uint32_t palette_count;
    bool unlisted; // a picture was read that mesh_companions does not know of
};

extern const struct mesh_material mesh_material_white; // of a file that has none

// A number of a material within its bounds; one that is none becomes the lower bound.
static inline double mesh_clamp(double x, double low, double high)
{
    return x >= low ? (x <= high ? x : high) : low;
}

void mesh_finish(struct mesh_data *mesh);
