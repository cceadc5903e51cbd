// SPDX-License-Identifier: MIT
// What a walk over wide4 has still to visit: children of a node in groups, the last of which is in registers. With vectors each child is
// on the stack by itself, since a processor loses more by branches that it cannot predict; the order of visits is the same.
#pragma once

#include "trees/walk.h"

#define WIDE4_NONE 0xFFFFFFFFu // key of what is not to be visited
#define WIDE4_DONE 0x60        // key of the walk's end: within every reach, and its byte is no child's

enum { WIDE4_DEPTH_MAX = TREE_STACK / 2 - 1 }; // a group that waits takes two places of the stack

// A key is where the ray enters a child's box, or 0 where it begins in it, as an integer with the same bits, but the lowest 8:
// these are the child's byte. Keys are ordered like entries; a box is culled where its entry is beyond t_best also without
// these bits. The key of a child that is not met is beyond any reach. `t_best` is at least 0.
DEVICE uint32_t wide4_farthest(float t_best)
{
    return f32_bits(t_best) | 0xFFu;
}

// At the root, with nothing left for later.
DEVICE void wide4_begin_root(struct walk *walk, struct pending_child stack[])
{
    walk->current = 0;
#if VECTOR_BODIES
    walk->base = 0;
    walk->depth = 1;
    ((struct uint2 *)stack)[0] = make_uint2(WIDE4_DONE, 0u);
#else
    (void)stack;
    walk->depth = 0;
    walk->base = walk->keys_base = 0;
    walk->keys[0] = WIDE4_DONE;
    walk->keys[1] = walk->keys[2] = WIDE4_NONE;
#endif
}

// ---- going on

#if VECTOR_BODIES
// A step stores four children, and goes to the nearest.
enum { WIDE4_STACK = 1 + 3 * WIDE4_DEPTH_MAX + 4 };
_Static_assert((int)WIDE4_STACK <= (int)STACK_ENTRIES, "as WALK_STACK has");

DEVICE void wide4_pop(struct walk *walk, const struct pending_child stack[], const struct scene_view *scene,
                      float t_best, bool far_first)
{
    const uint32_t farthest = wide4_farthest(t_best);
    const struct uint2 *const from = (const struct uint2 *)stack;
    uint32_t depth = walk->depth;
    (void)scene;
    (void)far_first;
    do
        --depth;
    while (from[depth].x > farthest);
    walk->depth = depth;
    walk->current = (int32_t)from[depth].x;
    walk->base = from[depth].y;
    if (walk->current != WIDE4_DONE)
        walk_count_taken(walk);
}

// Goes to the first of four keys, those within reach before the others, and leaves the rest for later.
DEVICE void wide4_go(struct walk *walk, struct pending_child stack[], const uint32_t keys[4], uint32_t base,
                     const struct scene_view *scene, uint32_t farthest, float t_best, bool far_first)
{
    for (int i = 3; i > 0; --i)
        if (keys[i] <= farthest) {
            ((struct uint2 *)stack)[walk->depth++] = make_uint2(keys[i], base);
            walk_count_left(walk);
        }
    walk->base = base;
    walk->current = (int32_t)keys[0];
    if (keys[0] > farthest)
        wide4_pop(walk, stack, scene, t_best, far_first);
}
#else
enum { WIDE4_STACK = TREE_STACK };

DEVICE void wide4_push(struct walk *walk, struct pending_child stack[])
{
    ((struct uint4 *)stack)[walk->depth++] = make_uint4(walk->keys[0], walk->keys[1], walk->keys[2], walk->keys_base);
}

DEVICE void wide4_pull(struct walk *walk, const struct pending_child stack[])
{
    const struct uint4 from = ((const struct uint4 *)stack)[--walk->depth];
    walk->keys[0] = from.x;
    walk->keys[1] = from.y;
    walk->keys[2] = from.z;
    walk->keys_base = from.w;
}

// Takes the group's first child.
DEVICE uint32_t wide4_take(struct walk *walk)
{
    const uint32_t key = walk->keys[0];
    walk->keys[0] = walk->keys[1];
    walk->keys[1] = walk->keys[2];
    walk->keys[2] = WIDE4_NONE;
    return key;
}

// Groups are sorted, the nearest first, so that the rest of one is beyond reach where its first is; with `far_first` the
// other way round.
DEVICE void wide4_pop(struct walk *walk, const struct pending_child stack[], const struct scene_view *scene,
                      float t_best, bool far_first)
{
    (void)scene;
    const uint32_t farthest = wide4_farthest(t_best);
    while (walk->keys[0] > farthest) {
        if (far_first && walk->keys[0] != WIDE4_NONE)
            wide4_take(walk);
        else
            wide4_pull(walk, stack);
    }
    walk->base = walk->keys_base;
    walk->current = (int32_t)wide4_take(walk);
    if (walk->current != WIDE4_DONE)
        walk_count_taken(walk);
}

// Children of the group that were within reach when they were left for later.
DEVICE void wide4_count_left(struct walk *walk, uint32_t farthest)
{
    for (int i = 0; i < 3; ++i)
        if (walk->keys[i] <= farthest)
            walk_count_left(walk);
}

// Goes to the first of four sorted keys, and keeps the others as the group; an older one waits on the stack, unless all of it is
// beyond reach (with `far_first`, unless it is empty).
DEVICE void wide4_go(struct walk *walk, struct pending_child stack[], const uint32_t keys[4], uint32_t base,
                     const struct scene_view *scene, uint32_t farthest, float t_best, bool far_first)
{
    if (keys[1] <= farthest) {
        if (far_first ? walk->keys[0] != WIDE4_NONE : walk->keys[0] <= farthest)
            wide4_push(walk, stack);
        walk->keys[0] = keys[1];
        walk->keys[1] = keys[2];
        walk->keys[2] = keys[3];
        walk->keys_base = base;
        wide4_count_left(walk, farthest);
    }
    walk->base = base;
    walk->current = (int32_t)keys[0];
    if (keys[0] > farthest)
        wide4_pop(walk, stack, scene, t_best, far_first);
}
#endif

DEVICE void wide4_order(uint32_t *a, uint32_t *b)
{
    const uint32_t lesser = *a < *b ? *a : *b, greater = *a < *b ? *b : *a;
    *a = lesser;
    *b = greater;
}

DEVICE void wide4_sort(uint32_t keys[4])
{
    wide4_order(&keys[0], &keys[1]);
    wide4_order(&keys[2], &keys[3]);
    wide4_order(&keys[0], &keys[2]);
    wide4_order(&keys[1], &keys[3]);
    wide4_order(&keys[1], &keys[2]);
}

// Those within reach the other way round, before the others.
DEVICE void wide4_reverse(uint32_t keys[4], uint32_t farthest)
{
    for (int i = 0; i < 4; ++i)
        keys[i] = keys[i] <= farthest ? 0x7FFFFFFFu - keys[i] : WIDE4_NONE;
    wide4_sort(keys);
    for (int i = 0; i < 4; ++i)
        keys[i] = keys[i] == WIDE4_NONE ? WIDE4_NONE : 0x7FFFFFFFu - keys[i];
}
