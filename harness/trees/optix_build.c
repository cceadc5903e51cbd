// SPDX-License-Identifier: MIT
// The tree of OptiX is built on the device, over the triangles in the order of the binary tree.
#include "source_hashes.h"
#include "trees/tree.h"
#include "trees/traverse.h"

static bool optix_arrange(const struct tree *tree, struct tree_block blocks[TREE_BLOCKS], struct error *error)
{
    (void)tree, (void)error;
    blocks[TREE_NODES] = (struct tree_block){NULL, 0, NULL};
    return true;
}

const struct tree_kind tree_kind_optix = {
    .source = HOST_SOURCE_TREE_optix,
    .image = TREE_BINARY,
    .own_order = true,
    .traced = true,
    .arrange = optix_arrange,
};
