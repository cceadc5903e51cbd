// SPDX-License-Identifier: MIT
// Which slot of a wide node each of its children gets (the CMU report, "Optimized Traversal Order"; the cost is that of
// Ylitie, Karras and Laine 2017, section 3.2). Slot s lies in the direction D_s, whose sign along the i-th of the node's
// axes is minus where bit i of s is 0; child c there costs -(centre of c - centre of the node) . D_s. A ray visits slots
// in ascending order of s XOR the signs of its direction: about front to back.
#pragma once

#include "trees/wide_collapse.h"

struct wide_children_boxes {
    uint32_t count, slots; // children; slots: 2, 4 or 8
    float low[WIDE_MOST][3], high[WIDE_MOST][3];
};

// By child and slot.
struct wide_cost_table {
    int64_t of[WIDE_MOST][WIDE_MOST];
};

// The axes that the slots lie along, two bits each from the lowest on: the one, two or three along which the children's
// centres lie farthest apart.
uint32_t wide_axes(const struct wide_children_boxes *boxes);

// slot_of[c] for each child, by CHILD_ORDER_NONE (slot c), _GREEDY (the cheapest pair of child and slot first) or _OCTANT
// (the least sum of costs).
void wide_order(uint32_t order, uint32_t axes, const struct wide_children_boxes *boxes, uint32_t slot_of[WIDE_MOST]);

// The assignment of `count` children to as many slots that has the least sum of costs, by auction (Bertsekas 1988), with
// prices found at coarse steps first. Costs are at most 2^40 in magnitude. Exact.
void wide_auction(uint32_t count, const struct wide_cost_table *costs, uint32_t slot_of[WIDE_MOST]);

// The table of costs in units of 2^-16 of the largest distance of a centre from the node's along an axis; 0 for children
// that are not there.
void wide_costs(uint32_t axes, const struct wide_children_boxes *boxes, struct wide_cost_table *costs);
