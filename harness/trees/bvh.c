// SPDX-License-Identifier: MIT
#include "trees/bvh.h"

#include <stdlib.h>
#include <string.h>

#include "trees/bvh_tree.h"
#include "trees/tree_input.h"

static const uint32_t triangles_max = 1u << (31 - BVH_LEAF_COUNT_BITS);

static bool check_options(uint32_t count, const struct bvh_options *options, struct error *error)
{
    if (count > triangles_max)
        return error_set(error, ERROR_INPUT, "%u triangles are more than a tree can hold, %u", count, triangles_max);
    if (options->leaf_size < 1 || options->leaf_size > BVH_LEAF_MAX)
        return error_set(error, ERROR_USE, "leaf_size %u is not in 1..%d", options->leaf_size, BVH_LEAF_MAX);
    if (options->bins < 4 || options->bins > 256)
        return error_set(error, ERROR_USE, "bins %u is not in 4..256", options->bins);
    return true;
}

static bool build_once(const struct tree_input *input, const struct bvh_options *options, bool reinsert,
                       struct bvh *bvh, struct error *error)
{
    struct bvh_tree tree = {.threads = options->threads};
    const bool done = bvh_tree_build(&tree, input, options, error) && (!reinsert || tree_reinsert(&tree, error)) &&
                      tree_emit(&tree, options->leaf_size, bvh, error);
    free(tree.nodes);
    return done;
}

bool bvh_build(const struct triangle *triangles, uint32_t count, const struct bvh_options *options, struct bvh *bvh,
               struct error *error)
{
    const struct tree_input input = {.triangles = triangles, .count = count, .pad = options->pad};
    return bvh_build_over(&input, options, bvh, error);
}

bool bvh_build_over(const struct tree_input *input, const struct bvh_options *options, struct bvh *bvh,
                    struct error *error)
{
    memset(bvh, 0, sizeof *bvh);
    if (!check_options(input->count, options, error))
        return false;
    bool done =
        input->count == 0 ? tree_emit_empty(bvh, error) : build_once(input, options, !options->as_split, bvh, error);
    if (done && bvh->depth > TREE_DEPTH_MAX) {
        // Reinsertion made it too deep for the traversal's stack; without it the depth is bounded.
        bvh_finish(bvh);
        done = build_once(input, options, false, bvh, error);
    }
    if (!done)
        bvh_finish(bvh);
    return done;
}

void bvh_finish(struct bvh *bvh)
{
    free(bvh->nodes);
    free(bvh->order);
    memset(bvh, 0, sizeof *bvh);
}
