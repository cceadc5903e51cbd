// SPDX-License-Identifier: MIT
// Other layouts of a kd-tree (kernels/trees/kd_layouts.def), and other numberings of its nodes, made from the image of
// kd16 when it is uploaded.
#pragma once

#include "trees/tree.h"

// How nodes are numbered: depth first, as serial recursion builds them, or level by level.

// The number of each node of the image in the tree's order; false without memory.
bool kd_numbers(const struct tree *tree, uint32_t *numbers);

// As tree_kind.arrange, for each layout. Random orders are the same on every machine. ERROR_UNSUPPORTED where a heap is
// larger than its links reach, 256 MiB.
bool kd_arrange(const struct tree *tree, struct tree_block blocks[TREE_BLOCKS], struct error *error);
