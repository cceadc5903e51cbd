// SPDX-License-Identifier: MIT
// Mesh files through assimp: triangles with node transforms applied, and materials reduced to numbers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/exact_math.h"

struct mesh_material {
    char name[64];
    double diffuse[3]; // times the mean linear colour of its texture
    double specular[3];
    double exponent, ior, opacity;
};

struct mesh_data {
    struct exact_vec *vertices;
    uint32_t *indices;   // three a triangle
    uint32_t *materials; // one a triangle, index into `palette`
    struct mesh_material *palette;
    uint64_t vertex_count, triangle_count;
    uint32_t palette_count;
};

// `name` is the mesh's name in messages; `textures`: read them (a mesh whose materials are replaced needs none).
// A child process reads the file, so that whatever the bytes are, the caller lives: crashes and endless loops (the
// limit is 20 s and 10 s a MiB, or $WARPSTUDY_MESH_SECONDS) become errors.
bool mesh_import(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error);
void mesh_finish(struct mesh_data *mesh);
