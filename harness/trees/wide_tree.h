// SPDX-License-Identifier: MIT
// Wide trees and their compressed form (trees/wide.h, trees/wide_compressed.h): the binary tree collapsed, its nodes'
// children put in slots.
#pragma once

#include "trees/traverse.h"
#include "trees/tree.h"

// Bytes of a node, by settled options.
static inline uint32_t wide_tree_node_bytes(const struct scene_tree_options *options)
{
    return options->kind == TREE_WIDE_COMPRESSED ? (uint32_t)sizeof(struct wide_compressed_node)
                                                 : wide_node_bytes(options->tree_width, options->node_align);
}
