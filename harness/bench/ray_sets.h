// SPDX-License-Identifier: MIT
// Five sets of rays that anyone can make again, bit for bit, over any mesh: camera rays, two generations of diffuse
// bounces, and the first generation sorted and shuffled. Traversal alone is checked and timed on them.
#pragma once

#include "bench/ray_reference.h"

enum ray_set_kind {
    RAY_SET_PRIMARY,           // one ray a pixel, in Morton order
    RAY_SET_DIFFUSE1,          // cosine-distributed from the primary hits
    RAY_SET_DIFFUSE2,          // the same from diffuse1's hits
    RAY_SET_DIFFUSE1_SORTED,   // diffuse1 along a Morton curve over origin and direction
    RAY_SET_DIFFUSE1_SHUFFLED, // diffuse1 in random order
    RAY_SET_KINDS
};

struct ray_set_view {
    double eye[3], at[3], up[3];
    double half; // tangent of half the angle of view, both ways
};

// The view into Crytek Sponza for which the sets' hashes are published.
extern const struct ray_set_view ray_set_sponza_view;

// A view from outside a box, in the direction (1, 1/2, 1) of its centre, that shows all of it.
struct ray_set_view ray_set_outside_view(const float low[3], const float high[3]);

struct ray_set {
    const char *name;
    struct ray_record *rays;    // t_min 0, t_max 1e30
    struct reference_hit *hits; // double precision
    uint64_t ray_hash, id_hash; // FNV-1a over the rays' bytes and over the hits' ids
};

struct ray_sets {
    uint32_t count; // rays per set
    struct ray_set sets[RAY_SET_KINDS];
};

// `side`: pixels a side, a power of two up to 4096; every set has side * side rays. Fails where no camera ray or no
// diffuse ray hits the mesh. `sets` is for ray_sets_finish.
bool ray_sets_make(const struct ray_mesh *mesh, const struct ray_set_view *view, uint32_t side, uint32_t threads,
                   struct ray_sets *sets, struct error *error);
void ray_sets_finish(struct ray_sets *sets);
