// SPDX-License-Identifier: MIT
// Meshes for tests of trees and traversal.
#pragma once

#include "trees/bvh.h"
#include "bench/ray_reference.h"

// Rays are for values. Sanitizers, which look at memory, find the same with few, of a coarser mesh.
#ifdef __SANITIZE_ADDRESS__
enum { COARSER = 4, FEWER = 16 };
#else
enum { COARSER = 1, FEWER = 1 };
#endif

struct test_mesh {
    float *corners;             // 9 floats a triangle
    struct triangle *triangles; // the same in the kernels' form, in the scene's own order
    uint32_t count;
    float low[3], high[3]; // bounds of all corners
};

// Terrain under a few spheres of very different fineness, some of them cutting into it: about 30,000 triangles.
bool test_mesh_procedural(struct test_mesh *mesh);

// One closed sphere about `centre`, of 20 x 40 quads.
bool test_mesh_sphere(struct test_mesh *mesh, const float centre[3], float radius);

// Crytek Sponza from `sponza.ply.xz` in $WARPSTUDY_SHARED_SCENES, else in one of the usual places beside the source
// tree. False where it is not there or not readable.
bool test_mesh_sponza(struct test_mesh *mesh);

// Takes over `corners` (from malloc). False without memory.
bool test_mesh_from_corners(struct test_mesh *mesh, float *corners, uint32_t count);
void test_mesh_finish(struct test_mesh *mesh);

// A copy in huge pages where the system has some, as devices keep large trees; for free(). NULL without memory.
void *test_pages_copy(const void *from, size_t size);

struct ray_mesh test_mesh_rays(const struct test_mesh *mesh);
