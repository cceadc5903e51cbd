// SPDX-License-Identifier: MIT
// Scenes in two levels: objects, copies of them, and the two levels of trees over both (kernels/trees/levels.h).
#pragma once

#include "base/error.h"
#include "geometry/exact_math.h"
#include "trees/tree.h"

enum { INSTANCES_MAX = 1 << 22 };

// Triangles of the scene that instances may be of: `count` from `first` on, in the scene's own order and in a tree's.
struct object_range {
    uint32_t first, count;
    float pad; // of all its instances
    uint32_t unused;
};

struct levels {
    const struct triangle *triangles; // in the scene's own order
    uint32_t triangle_count;
    const struct object_range *objects; // one behind the other, together all triangles
    uint32_t object_count;
    const struct instance *instances;
    uint32_t instance_count;
    const uint32_t *instance_of; // as in scene_view
    uint32_t instance_shift, run_count;
};

// ---- instances (two_levels_instances.c)

// Where a copy of an object stands.
struct placement {
    uint32_t object;
    struct exact_transform to_world; // not singular
};

// Whether an instance can have that transform: finite, within reach, and not singular by float32's measure. Writes what is
// wrong with it to *why where not.
bool levels_placeable(const struct exact_transform *to_world, const char **why);

// The transform that an instance has: the exact inverse of what takes rays into its space, which is rounded to float32. So the
// scene flattened, whose corners are transformed in double precision and rounded once, has no other error than that.
struct exact_transform levels_round(const struct exact_transform *to_world);

// A corner of a triangle in the world, rounded once.
static inline struct vec3 levels_corner(const struct exact_transform *to_world, struct vec3 v)
{
    const struct exact_vec p = exact_transform_point(to_world, exact_vec_make((double)v.x, (double)v.y, (double)v.z));
    return vec3_make((float)p.x, (float)p.y, (float)p.z);
}

// Instances of `placements`, whose transforms are rounded already, with all but slots, ids and boxes' widening; and the
// bounds of all triangles of each in the world, not widened, on `threads` threads (0: all cores). The objects' `first` and
// `count` are set. To be freed both; false without memory.
bool levels_place(const struct levels *levels, const struct placement *placements, uint32_t count, uint32_t threads,
                  struct instance **instances, struct error *error);

// Sets pads and widens boxes, once the scene's own pad is known.
void levels_widen(const struct placement *placements, float pad, struct object_range *objects, uint32_t object_count,
                  const struct triangle *triangles, struct instance *instances, uint32_t count);

// Numbers the triangles of all instances: sets ids, slots and the runs of slots, which are to be freed. ERROR_INPUT where
// there are more than 32 bits can tell apart.
bool levels_number(const struct object_range *objects, struct instance *instances, uint32_t count, uint32_t **runs,
                   uint32_t *run_count, uint32_t *shift, struct error *error);

// Triangles of all instances.
uint64_t levels_effective(const struct object_range *objects, const struct instance *instances, uint32_t count);

// Checks objects, instances and runs that came from a file: that nothing leads outside and every number is finite.
bool levels_check(const struct levels *levels, struct error *error);

// ---- trees (two_levels.c)

// Builds the trees of all objects and that over the instances, which stands first, into one. `options->tree` is settled.
// For tree_finish, also on failure.
bool levels_build(const struct levels *levels, const struct tree_build_options *options, struct tree *tree,
                  struct error *error);

// Checks a tree that came from a file; `tree->options` are settled.
bool levels_validate(const struct tree *tree, const struct levels *levels, struct error *error);
