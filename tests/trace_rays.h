// SPDX-License-Identifier: MIT
// traverse() over many rays, in the builds that tests compare. Link lane_stub.c.
#pragma once

#include "lib/platform.h"
#include "trees/traverse.h"
#include "bench/ray_reference.h"

struct trace_options {
    uint32_t traversal; // TRAVERSAL_*
    bool far_first;     // not with `any`
    bool any;
};

struct trace_work {
    uint64_t nodes, triangles; // zero where the build does not count, like all others
    uint64_t loads, never_visited, sectors, leaves, leaf_lines, list_lines, hops, hop_octaves, top_nodes, entered;
};

// hits[i] for every i < count.
typedef struct trace_work trace_function(const struct scene_view *scene, const struct trace_options *options,
                                         const struct ray_record *rays, uint32_t count, struct hit *hits);
trace_function trace_rays_vector, trace_rays_scalar, trace_rays_counted;

// two_box_test as the first two compile it. Bit i of the result: child i is met.
typedef uint32_t box_function(const struct bvh_node *node, const struct box_ray *ray, float t_best, float entry[2]);
box_function two_box_test_vector, two_box_test_scalar;
