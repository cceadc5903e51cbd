// SPDX-License-Identifier: MIT
// Binary tree over triangles: binned surface-area heuristic, no spatial splits (Wald 2011, section 3.1; Wald, "On fast
// construction of SAH-based bounding volume hierarchies", 2007).
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "geometry/types.h"

#include "trees/binary.h"

struct tree;
struct tree_input;

// Most bytes a triangle or fragment that are in use at once while a tree is built: 64 of nodes of single triangles, 70 to
// choose leaves, and 64 of the tree itself, which has fewer nodes where leaves hold more than one.
enum { BVH_BUILD_BYTES = 200 };

struct bvh_options {
    uint32_t leaf_size; // 1 .. BVH_LEAF_MAX
    uint32_t bins;      // 4 .. 256
    uint32_t threads;   // 0 = all cores; the result does not depend on it
    float pad;          // scene_view.box_pad, in scene units
    uint32_t as_split;  // 1: without reinsertion
    uint32_t depth;     // most edges from the root to a leaf before reinsertion; 0: as many as binary trees may have
};

struct bvh {
    struct bvh_node *nodes; // node 0 is the root; children after their parent
    uint32_t node_count;
    uint32_t *order; // order[slot] = index of the triangle in the caller's array
    uint32_t depth;  // longest root-leaf edge count, less than TREE_STACK
    double sah_cost;
};

// `triangles`: in the scene's own order, already cleaned of NaN and zero area. Deterministic: same input, same bits, on
// any number of threads. Fails only without memory or with more than 2^27 triangles. No triangles at all gives a root
// with two empty leaves.
bool bvh_build(const struct triangle *triangles, uint32_t count, const struct bvh_options *options, struct bvh *bvh,
               struct error *error);
// The same over whole triangles or fragments; bvh->order then holds places among these. The pad is the input's.
bool bvh_build_over(const struct tree_input *input, const struct bvh_options *options, struct bvh *bvh,
                    struct error *error);
void bvh_finish(struct bvh *bvh);
