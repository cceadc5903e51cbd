// SPDX-License-Identifier: MIT
// The traversal of a ray over wide4 that ends after some rounds, and of what is then left of it, which all lanes of a warp do
// together: a launch then ends when its work ends, not when its longest ray does. Together they find the hit that traverse.h
// finds: the least (t, id) does not depend on the order of visits.
#pragma once

#include "trees/wide4.h"

// Rays that were cut, of one launch, in device memory. An entry is a listed ray's number plus 1, and from bit CUT_COUNT_SHIFT up
// how many groups it has; 0: not listed. Groups are what the ray has still to visit: those of wide4's stack, or with vectors its
// children, one in each. A ray that has too many for CUT_GROUPS, or no row, has none here and begins at the root again. Counters and
// entries are zero before the first launch.
struct cut_list {
    uint32_t *counters; // CUT_LISTED, CUT_TAKEN
    uint32_t *entries;
    struct uint4 *groups; // CUT_GROUPS for each of the first `rows` entries
    uint32_t rows;
};

// A warp leaves up to CUT_NODES nodes for later before it goes depth first; each level then adds three.
enum {
    CUT_LISTED,
    CUT_TAKEN,
    CUT_COUNTERS,
    CUT_GROUPS = 32,
    CUT_COUNT_SHIFT = 27,
    CUT_RAYS_MAX = (1 << CUT_COUNT_SHIFT) - 2,
    CUT_NODES = 128,
    CUT_NODES_ROOM = CUT_NODES + 3 * (WIDE4_DEPTH_MAX + 1),
    CUT_RECORDS = 256,                                // of triangles to be tested
    CUT_SHARED = CUT_NODES_ROOM * 8 + CUT_RECORDS * 4 // bytes of shared memory of a warp
};

// ---- until the bound

// traverse_voted of wide4, nearest first, for at most `rounds` rounds, from wide4_begin on. Whether the ray is done; if not,
// `walk` and `stack` hold what is left. All lanes of `group` call this together.
DEVICE bool bounded_walk(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                         const struct ray *ray, const struct box_ray *box, uint32_t rounds, lanemask group,
                         struct hit *hit)
{
    enum { STEPS = 2 };
    for (;;) {
        const uint32_t left = lanemask_count(warp_ballot(group, walk->current != WIDE4_DONE));
        if (left == 0)
            break;
        if (rounds-- == 0)
            break;
        while (lanemask_count(warp_ballot(group, wide4_at_inner(walk))) > left / 2) {
            for (int i = 0; i < STEPS; ++i)
                if (wide4_at_inner(walk))
                    wide4_step(walk, stack, scene, box, hit->t, false);
        }
        if (wide4_at_leaf(walk)) {
            wide4_leaf(wide4_child(walk), walk, scene, ray, box, false, hit);
            wide4_pop(walk, stack, scene, hit->t, false);
        }
    }
    return walk->current == WIDE4_DONE;
}

// Word by word: with stores of four words, CUDA's compiler chooses registers by which every step of the walk has two moves more.
DEVICE void cut_store(struct uint4 *to, uint32_t first, uint32_t second, uint32_t third, uint32_t base)
{
    uint32_t *const words = (uint32_t *)to;
    atomic_store_u32(words, first);
    atomic_store_u32(words + 1, second);
    atomic_store_u32(words + 2, third);
    atomic_store_u32(words + 3, base);
}

// Stores what a walk that is not done has still to visit. Returns how many groups these are.
DEVICE uint32_t cut_groups(struct uint4 *to, const struct walk *walk, const struct pending_child stack[])
{
    cut_store(to, (uint32_t)walk->current, WIDE4_NONE, WIDE4_NONE, walk->base);
#if VECTOR_BODIES
    for (uint32_t depth = 1; depth < walk->depth; ++depth) { // the lowest is the walk's end
        const struct uint2 child = ((const struct uint2 *)stack)[depth];
        cut_store(to + depth, child.x, WIDE4_NONE, WIDE4_NONE, child.y);
    }
    return walk->depth;
#else
    uint32_t count = 2;
    cut_store(to + 1, walk->keys[0], walk->keys[1], walk->keys[2], walk->keys_base);
    ROLLED
    for (uint32_t depth = walk->depth; depth > 1; --depth) // the lowest is the walk's end
        to[count++] = ((const struct uint4 *)stack)[depth - 1];
    return count;
#endif
}

// Lists ray i, whose walk is not done. To be called after whatever else of it the second kernel reads has been stored.
DEVICE void cut_note(const struct cut_list *list, uint32_t i, const struct walk *walk,
                     const struct pending_child stack[])
{
    const uint32_t k = atomic_add_u32(&list->counters[CUT_LISTED], 1u);
    uint32_t count = 0;
    if (k < list->rows && walk->depth + 2u <= (uint32_t)CUT_GROUPS)
        count = cut_groups(list->groups + (size_t)k * CUT_GROUPS, walk, stack);
    memory_fence();
    atomic_store_u32(&list->entries[k], (i + 1u) | count << CUT_COUNT_SHIFT);
}

// ---- by all lanes of a warp

// What a warp has still to visit of its ray: in its shared memory, nodes as their places and keys.
struct cut_pending {
    struct uint2 *nodes;
    uint32_t *records;
    uint32_t node_count, record_count;
};

DEVICE struct cut_pending cut_pending_of(void *shared)
{
    struct cut_pending pending;
    pending.nodes = (struct uint2 *)shared;
    pending.records = (uint32_t *)(pending.nodes + CUT_NODES_ROOM);
    pending.node_count = pending.record_count = 0;
    return pending;
}

// Each lane adds the child that `key` and `base` name, if it is within reach.
DEVICE void cut_add(struct cut_pending *pending, uint32_t key, uint32_t base, uint32_t farthest, lanemask all)
{
    const bool within = key <= farthest && key != WIDE4_DONE;
    const bool leaf = within && (key & WIDE4_LEAF) != 0, pair = leaf && (key & WIDE4_PAIR) != 0, node = within && !leaf;
    const lanemask nodes = warp_ballot(all, node), leaves = warp_ballot(all, leaf), pairs = warp_ballot(all, pair);
    const lanemask below = lanemask_below(lane_index());
    const uint32_t place = base + (key & (uint32_t)WIDE4_OFFSET);
    if (node)
        pending->nodes[pending->node_count + lanemask_count(nodes & below)] = make_uint2(place, key);
    if (leaf)
        pending->records[pending->record_count + lanemask_count(leaves & below)] = place;
    if (pair)
        pending->records[pending->record_count + lanemask_count(leaves) + lanemask_count(pairs & below)] =
            place + (uint32_t)WIDE4_PIECES;
    pending->node_count += lanemask_count(nodes);
    pending->record_count += lanemask_count(leaves) + lanemask_count(pairs);
}

// The groups of a listed ray, a lane each; without any, the root.
DEVICE void cut_begin(struct cut_pending *pending, const struct uint4 *groups, uint32_t count, float t_best,
                      lanemask all)
{
    const uint32_t width = warp_width(), lane = lane_index();
    pending->node_count = pending->record_count = 0;
    if (count == 0)
        cut_add(pending, lane == 0 ? 0u : WIDE4_NONE, 0, wide4_farthest(t_best), all);
    for (uint32_t first = 0; first < count; first += width) {
        const uint32_t *const from = (const uint32_t *)(groups + first + lane);
        const bool mine = first + lane < count;
        const uint32_t base = mine ? atomic_load_u32(from + 3) : 0u;
        for (int c = 0; c < 3; ++c)
            cut_add(pending, mine ? atomic_load_u32(from + c) : WIDE4_NONE, base, wide4_farthest(t_best), all);
    }
}

// How many nodes may be visited at once: at least one while no leaf waits, so that it goes on.
DEVICE uint32_t cut_nodes_now(const struct cut_pending *pending)
{
    const uint32_t most = pending->node_count < warp_width() ? pending->node_count : warp_width();
    const uint32_t records = ((uint32_t)CUT_RECORDS - pending->record_count) / (4u * WIDE4_LEAF_MAX);
    const uint32_t space =
        pending->node_count < (uint32_t)CUT_NODES ? ((uint32_t)CUT_NODES - pending->node_count) / 3u : 0u;
    const uint32_t wide = most < space ? most : space, now = wide > 0 || most == 0 ? wide : 1u;
    return now < records ? now : records;
}

// Replaces hit->t and hit->id by the lanes' least. `mine`: what this lane found, its slot HIT_NONE or a record's place.
DEVICE void cut_reduce(const struct scene_view *scene, const struct hit *mine, struct hit *hit, lanemask all)
{
    const bool found = mine->slot != HIT_NONE;
    if (!warp_any(all, found))
        return;
    const uint32_t least = ~warp_max_u32(all, found ? ~f32_bits(mine->t) : 0u);
    const bool first = found && f32_bits(mine->t) == least;
    const uint32_t id = ~warp_max_u32(all, first ? ~wide4_hit_triangle(scene, mine->slot) : 0u);
    if (least != f32_bits(hit->t) || id < hit->id)
        hit->id = id;
    hit->t = f32_from_bits(least);
}

// The closest hit of a ray of which hit->t and hit->id are known so far, `pending` has yet to be visited, and `walk` is as
// wide4_aim leaves it. All lanes of `all`, which is the warp, call this together with the same values.
DEVICE void cut_finish(struct cut_pending *pending, const struct walk *walk, const struct scene_view *scene,
                       const struct ray *ray, const struct box_ray *box, struct hit *hit, lanemask all)
{
    const uint32_t lane = lane_index();
    while ((pending->node_count | pending->record_count) != 0) {
        const uint32_t nodes = cut_nodes_now(pending);
        const uint32_t records = pending->record_count < warp_width() ? pending->record_count : warp_width();
        uint32_t keys[4] = {WIDE4_NONE, WIDE4_NONE, WIDE4_NONE, WIDE4_NONE};
        uint32_t record = 0;
        struct uint2 node = make_uint2(0u, WIDE4_NONE);
        struct hit mine = *hit;
        mine.slot = HIT_NONE;
        block_sync(); // what was added is there
        if (lane < nodes)
            node = pending->nodes[pending->node_count - 1u - lane];
        if (lane < records)
            record = pending->records[pending->record_count - 1u - lane];
        block_sync(); // and read before it is written over
        pending->node_count -= nodes;
        pending->record_count -= records;
        const bool within = node.y <= wide4_farthest(hit->t);
        const struct wide4_words words = wide4_words_at(scene, within ? node.x : 0u); // all loads of a round at once
        if (lane < records)
            wide4_test_of(walk, scene, SCENE_SPLIT(scene), true, record, ray, box, &mine);
        if (within)
            wide4_keys_of(walk, &words, keys);
        cut_reduce(scene, &mine, hit, all);
        for (int c = 0; c < 4; ++c)
            cut_add(pending, keys[c], words.rest.x, wide4_farthest(hit->t), all);
    }
}
