// SPDX-License-Identifier: MIT
// Closest hits in double precision: what traversal in single precision is measured against (Moeller and Trumbore 1997;
// IEEE operations + - * / only, so the same bits everywhere as long as the compiler contracts nothing).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

// Triangles as corner positions: triangle i has its three corners, x y z each, at corners[9 * i]. A triangle's index is
// its id.
struct ray_mesh {
    const float *corners;
    uint32_t triangle_count;
};

// Layout of the ray files that traversal benchmarks exchange.
struct ray_record {
    float origin[3], t_min, direction[3], t_max;
};

struct reference_hit {
    double t;
    uint32_t id; // REFERENCE_MISS: none, t is infinite
};

#define REFERENCE_MISS 0xFFFFFFFFu

// A tree over the mesh, which must outlive it. NULL without memory. `threads`: 0 = all cores.
struct reference *reference_create(const struct ray_mesh *mesh, uint32_t threads, struct error *error);
void reference_destroy(struct reference *reference);

// The hit with the least t > 0, of equal ones the least id; t_min and t_max are not looked at. The same as
// reference_hit_brute, which tries every triangle.
struct reference_hit reference_hit(const struct reference *reference, const struct ray_record *ray);
struct reference_hit reference_hit_brute(const struct ray_mesh *mesh, const struct ray_record *ray);

// All of `count` rays, on up to `threads` threads.
void reference_hits(const struct reference *reference, const struct ray_record *rays, uint32_t count, uint32_t threads,
                    struct reference_hit *hits);
