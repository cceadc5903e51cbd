// SPDX-License-Identifier: MIT
// Reinsertion: the nodes with the largest boxes look, one by one against an unchanging tree, for the place where they
// would cost least; then the moves that do not touch each other are carried out, the best first. Searches run in
// parallel and write only to places of their own, so the result is the same on any number of threads.
#include <stdlib.h>
#include <string.h>

#include "trees/bvh.h"
#include "trees/bvh_tree.h"
#include "geometry/parallel.h"

enum {
    SMALLEST_SHARE = 5,
    VISITS_MAX = 2048, // nodes that one search may look at: bounds the time where all boxes are alike
    CHUNK = 512,       // candidates per parallel step
    AREA_SHIFT = 15    // bits of an area that the choice of candidates ignores
};

// Rounds, and the share of nodes that are candidates in each: one in so many. A few large nodes first, many afterwards,
// comes out ahead of as many searches spent in any other way that was tried; further rounds find next to nothing.
static const uint32_t round_shares[] = {20, 20, 20, 20, SMALLEST_SHARE, SMALLEST_SHARE, SMALLEST_SHARE, SMALLEST_SHARE};

struct move {
    float gain; // half area saved
    uint32_t from, to;
};

struct optimizer {
    struct bvh_tree *tree;
    uint32_t *candidates, candidate_count;
    struct move *moves;
    bool *touched;
};

static uint32_t sibling_of(uint32_t i)
{
    return ((i - 1) ^ 1) + 1;
}

// ---- candidates

// Areas are not negative, so their bits are ordered as they are.
static uint32_t area_key(const struct tree_node *node)
{
    const float area = tree_node_area(node);
    uint32_t bits;
    memcpy(&bits, &area, sizeof bits);
    return (bits & 0x7FFFFFFFu) >> AREA_SHIFT;
}

static bool choose_candidates(struct optimizer *optimizer, uint32_t wanted)
{
    const struct bvh_tree *tree = optimizer->tree;
    const uint32_t keys = 0x80000000u >> AREA_SHIFT;
    uint32_t *counts = calloc(keys, sizeof *counts);
    if (!counts)
        return false;
    for (uint32_t i = 1; i < tree->node_count; ++i)
        ++counts[area_key(&tree->nodes[i])];
    uint32_t threshold = keys, above = 0;
    while (threshold > 0 && above < wanted)
        above += counts[--threshold];
    free(counts);
    optimizer->candidate_count = 0;
    for (uint32_t i = 1; i < tree->node_count && optimizer->candidate_count < wanted; ++i)
        if (area_key(&tree->nodes[i]) >= threshold)
            optimizer->candidates[optimizer->candidate_count++] = i;
    return true;
}

// ---- search

struct place {
    float gain; // before the new parent of the moved node and of this place is paid for
    uint32_t node;
};

struct search {
    const struct bvh_tree *tree;
    const struct tree_node *moved;
    float moved_area;
    uint32_t visits;
    struct move best;
};

static float merged_area(const struct tree_node *a, const struct tree_node *b)
{
    float low[3], high[3];
    memcpy(low, a->low, sizeof low);
    memcpy(high, a->high, sizeof high);
    tree_box_add(low, high, b->low, b->high);
    return tree_half_area(low, high);
}

// Looks at `root` and all below it. `gain` is what is saved before anything on the way down to `root` has grown.
static void search_below(struct search *search, float gain, uint32_t root)
{
    struct place stack[2 * TREE_DEPTH_MAX];
    uint32_t depth = 0;
    stack[depth++] = (struct place){gain, root};
    while (depth > 0 && search->visits < VISITS_MAX) {
        const struct place place = stack[--depth];
        if (!(place.gain - search->moved_area > search->best.gain))
            continue;
        ++search->visits;
        const struct tree_node *node = &search->tree->nodes[place.node];
        const float left = place.gain - merged_area(node, search->moved);
        if (left > search->best.gain) {
            search->best.gain = left;
            search->best.to = place.node;
        }
        if (node->child >= 0 && depth + 2 <= 2 * TREE_DEPTH_MAX) {
            const float below = left + tree_node_area(node);
            stack[depth++] = (struct place){below, (uint32_t)node->child};
            stack[depth++] = (struct place){below, (uint32_t)node->child + 1};
        }
    }
}

// Goes up from the node: at each ancestor the subtree that hangs off the way is searched, with what is saved by the
// ancestors' shrinking so far.
static struct move search_place(const struct bvh_tree *tree, uint32_t from)
{
    struct search search = {.tree = tree, .moved = &tree->nodes[from], .best = {.from = from}};
    const uint32_t parent = tree->nodes[from].parent;
    struct tree_node shrunk = tree->nodes[sibling_of(from)];
    float gain = tree_node_area(&tree->nodes[parent]);
    search.moved_area = tree_node_area(search.moved);
    for (uint32_t pivot = parent, sibling = sibling_of(from);; pivot = tree->nodes[pivot].parent) {
        search_below(&search, gain, sibling);
        if (pivot != parent) {
            tree_box_add(shrunk.low, shrunk.high, tree->nodes[sibling].low, tree->nodes[sibling].high);
            gain += tree_node_area(&tree->nodes[pivot]) - tree_node_area(&shrunk);
        }
        if (pivot == 0)
            break;
        sibling = sibling_of(pivot);
    }
    if (search.best.to == sibling_of(from))
        search.best.gain = 0.0f;
    return search.best;
}

static void search_chunk(void *context, uint32_t chunk)
{
    struct optimizer *optimizer = context;
    const uint32_t first = chunk * CHUNK, left = optimizer->candidate_count - first;
    for (uint32_t i = first; i < first + (left < CHUNK ? left : CHUNK); ++i)
        optimizer->moves[i] = search_place(optimizer->tree, optimizer->candidates[i]);
}

// ---- moves

static void set_node(struct bvh_tree *tree, uint32_t i, const struct tree_node *content)
{
    struct tree_node *node = &tree->nodes[i];
    const uint32_t parent = node->parent;
    *node = *content;
    node->parent = parent;
    if (node->child >= 0)
        tree->nodes[node->child].parent = tree->nodes[node->child + 1].parent = i;
}

static void refit_upwards(struct bvh_tree *tree, uint32_t i)
{
    for (;; i = tree->nodes[i].parent) {
        struct tree_node *node = &tree->nodes[i];
        if (node->child >= 0) {
            const struct tree_node *left = &tree->nodes[node->child], *right = left + 1;
            memcpy(node->low, left->low, sizeof node->low);
            memcpy(node->high, left->high, sizeof node->high);
            tree_box_add(node->low, node->high, right->low, right->high);
        }
        if (i == 0)
            return;
    }
}

static bool is_below(const struct bvh_tree *tree, uint32_t i, uint32_t ancestor)
{
    while (i != 0 && i != ancestor)
        i = tree->nodes[i].parent;
    return i == ancestor;
}

// The node's sibling takes the place of their parent; the pair of the two becomes the pair below `to`.
static void carry_out(struct bvh_tree *tree, const struct move *move)
{
    const uint32_t sibling = sibling_of(move->from), parent = tree->nodes[move->from].parent;
    const struct tree_node sibling_content = tree->nodes[sibling], to_content = tree->nodes[move->to];
    set_node(tree, sibling, &to_content);
    set_node(tree, parent, &sibling_content);
    tree->nodes[move->to].child = (int32_t)(move->from < sibling ? move->from : sibling);
    tree->nodes[move->from].parent = tree->nodes[sibling].parent = move->to;
    refit_upwards(tree, move->to);
    refit_upwards(tree, parent);
}

static void carry_out_if_free(struct optimizer *optimizer, const struct move *move)
{
    struct bvh_tree *tree = optimizer->tree;
    const uint32_t nodes[5] = {move->from, move->to, sibling_of(move->from), tree->nodes[move->from].parent,
                               move->to ? tree->nodes[move->to].parent : 0};
    for (int i = 0; i < 5; ++i)
        if (optimizer->touched[nodes[i]])
            return;
    // An earlier move may have brought the goal below the node that is to go there.
    if (is_below(tree, move->to, move->from))
        return;
    for (int i = 0; i < 5; ++i)
        optimizer->touched[nodes[i]] = true;
    carry_out(tree, move);
}

static int compare_moves(const void *a, const void *b)
{
    const struct move *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain > y->gain ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static void carry_out_moves(struct optimizer *optimizer)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < optimizer->candidate_count; ++i)
        if (optimizer->moves[i].gain > 0.0f)
            optimizer->moves[count++] = optimizer->moves[i];
    qsort(optimizer->moves, count, sizeof *optimizer->moves, compare_moves);
    memset(optimizer->touched, 0, optimizer->tree->node_count * sizeof *optimizer->touched);
    for (uint32_t i = 0; i < count; ++i)
        carry_out_if_free(optimizer, &optimizer->moves[i]);
}

static bool reinsert_round(struct optimizer *optimizer, uint32_t wanted)
{
    if (!choose_candidates(optimizer, wanted))
        return false;
    parallel_for(optimizer->tree->threads, (optimizer->candidate_count + CHUNK - 1) / CHUNK, search_chunk, optimizer);
    carry_out_moves(optimizer);
    return true;
}

bool tree_reinsert(struct bvh_tree *tree, struct error *error)
{
    const uint32_t wanted = tree->node_count / SMALLEST_SHARE + 1;
    struct optimizer optimizer = {.tree = tree,
                                  .candidates = malloc(wanted * sizeof *optimizer.candidates),
                                  .moves = malloc(wanted * sizeof *optimizer.moves),
                                  .touched = malloc(tree->node_count * sizeof *optimizer.touched)};
    bool enough = optimizer.candidates && optimizer.moves && optimizer.touched;
    for (size_t round = 0; enough && round < sizeof round_shares / sizeof *round_shares; ++round)
        enough = reinsert_round(&optimizer, tree->node_count / round_shares[round] + 1);
    if (!enough)
        error_memory(error, "for a tree over %u triangles", tree->triangle_count);
    free(optimizer.candidates);
    free(optimizer.moves);
    free(optimizer.touched);
    return enough;
}
