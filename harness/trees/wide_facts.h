// SPDX-License-Identifier: MIT
// What is known of a wide tree without any ray.
#pragma once

#include "trees/tree.h"
#include "trees/wide.h"

struct wide_facts {
    uint64_t children;              // of all nodes
    uint64_t nodes[WIDE_SLOTS + 1]; // by how many children they have
    uint64_t least; // nodes whose children stand in slots of the least sum of costs (wide_order.h); not compressed
};

// All 0 where it is neither `wide` nor `wide_compressed`.
void wide_facts_make(const struct tree *tree, struct wide_facts *facts);
