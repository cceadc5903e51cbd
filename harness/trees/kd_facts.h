// SPDX-License-Identifier: MIT
// What the chapter of 2015 says of a kd-tree that no ray is needed for.
#pragma once

#include "trees/tree.h"

struct kd_facts {
    uint64_t bytes;   // of nodes and lists, in the layout
    uint64_t crowded; // leaves of more triangles than a node of 16 bytes can count
    uint64_t packed;  // nodes whose fields come back from a node of 16 bytes
    uint64_t
        node_distance; // median, in numbers, of leaves and parents of leaves with an ancestor at most 3 levels above
    uint64_t triangle_gap; // median, in numbers, from one triangle of a leaf to the next
};

// Of any tree; only `bytes` where it is no kd-tree.
bool kd_facts_make(const struct tree *tree, struct kd_facts *facts, struct error *error);
