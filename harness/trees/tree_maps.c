// SPDX-License-Identifier: MIT
#include "trees/tree_maps.h"

#include "geometry/affine.h"

bool tree_make_maps(const struct tree *tree, struct tree_block *block, struct error *error)
{
    struct affine_map *maps = affine_maps(tree->triangles, tree->triangle_count);
    *block = (struct tree_block){maps, tree->triangle_count * sizeof *maps, maps};
    return maps || error_set(error, ERROR_SYSTEM, "not enough memory for the maps of %llu triangles",
                             (unsigned long long)tree->triangle_count);
}
