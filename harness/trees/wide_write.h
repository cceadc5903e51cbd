// SPDX-License-Identifier: MIT
// Writing nodes of wide trees, plain and compressed. Private to wide_*.c.
#pragma once

#include "trees/wide_order.h"

#include "trees/wide_compressed.h"

struct wide_slot {
    bool present, inner;
    uint32_t node;         // of an inner node: its index
    uint32_t first, count; // of a leaf: its triangles
    float low[3], high[3];
};

struct wide_content {
    uint32_t slot_count, axes;
    uint32_t node_bytes;       // of a plain node
    uint32_t nodes, triangles; // the first inner child, the first triangle of the leaves: both stand together
    struct wide_slot slots[WIDE_MOST];
};

void wide_write(const struct wide_content *content, void *node);
void wide_write_compressed(const struct wide_content *content, void *node);

// Exponents that a node's grid may have: finer ones might make the step of a ray's t a number with fewer digits, coarser
// ones one beyond all.
enum { WIDE_EXPONENT_LEAST = 27, WIDE_EXPONENT_MOST = 174 };
