// SPDX-License-Identifier: MIT
// The wide tree of boxes: up to 2, 4 or 8 children a node, one ray a lane (the CMU report, "Binary BVH to Wide BVH
// Conversion"; Ylitie, Karras and Laine 2017), and one step of a walk over it.
//
// Children stand in slots. With child_order octant or greedy a node's children lie along the diagonals of its slots, so
// that a ray visits them about front to back in ascending order of slot XOR the signs of its direction; none takes them
// as they were collapsed, distance sorts those that the ray meets by their entry.
//
// With tree_stack children each child that waits is an entry of the stack, with the ray's entry into its box, by which it
// may still be culled. With groups an entry is a node and a mask of its slots that wait; they are no longer culled.
#pragma once

#include "trees/binary.h"

// A lane of a wide tree needs a larger stack where it holds children: a step may leave 7 of one node there.
enum { WIDE_STACK = 128, WIDE_SLOTS = 8, WIDE_WORDS = 64 };

// As the parameters' choices: 2, 4, 8 slots; 16, 128 bytes. Kernels on a GPU are built for one of each.
#ifdef CONFIG_tree_width
#define WIDE_WIDTH(scene) CONFIG(scene, tree_width)
#else
#define WIDE_WIDTH(scene) ((scene)->tree_width)
#endif
#ifdef CONFIG_child_order
#define WIDE_ORDER(scene) CONFIG(scene, child_order)
#else
#define WIDE_ORDER(scene) ((scene)->child_order)
#endif
#ifdef CONFIG_tree_stack
#define WIDE_STACK_OF(scene) CONFIG(scene, tree_stack)
#else
#define WIDE_STACK_OF(scene) ((scene)->tree_stack)
#endif

// A node is a row of words, from a multiple of 16 or 128 bytes on. With W slots: the low x of each, then high x, low y,
// high y, low z, high z (floats), then the children, then, unless W is 8, the axes that the slots lie along. A child is
// an inner node by its place in units of 16 bytes, >= 0, or a leaf (bvh_leaf_*); WIDE_EMPTY: none. The root is at place
// 0, children behind their parents.
#define WIDE_EMPTY (-1)

enum { WIDE_CHILD_ROW = 6, WIDE_AXES_ROW = 7 }; // rows of W words

// Bytes of a node of 2 << width slots.
DEVICE uint32_t wide_node_bytes(uint32_t width, uint32_t align)
{
    const uint32_t bytes = width == 2u ? 224u : width == 1u ? 128u : 64u;
    return align ? (bytes + 127u) & ~127u : bytes;
}

// Axes of a node, two bits each from the lowest on: which signs of the direction make the bits of the XOR.
DEVICE uint32_t wide_signs(const struct box_ray *box)
{
    return f32_bits(box->inverse.x) >> 31 | f32_bits(box->inverse.y) >> 31 << 1 | f32_bits(box->inverse.z) >> 31 << 2;
}

DEVICE uint32_t wide_turn(uint32_t signs, uint32_t slots, uint32_t axes)
{
    const uint32_t first = signs >> (axes & 3u) & 1u, second = signs >> (axes >> 2 & 3u) & 1u;
    return slots == 8u ? signs : slots == 4u ? first | second << 1 : first;
}

// Bit s of a mask to bit s XOR turn.
DEVICE uint32_t wide_turn_mask(uint32_t mask, uint32_t turn)
{
    if (turn & 1u)
        mask = (mask & 0x55u) << 1 | (mask >> 1 & 0x55u);
    if (turn & 2u)
        mask = (mask & 0x33u) << 2 | (mask >> 2 & 0x33u);
    if (turn & 4u)
        mask = (mask & 0x0Fu) << 4 | (mask >> 4 & 0x0Fu);
    return mask;
}

// The children of one node that the ray meets.
struct wide_met {
    uint32_t slots; // mask
    float entry[WIDE_SLOTS];
    int32_t child[WIDE_SLOTS];
};

// How many of those met come behind the one in slot s by their entries.
DEVICE uint32_t wide_behind(const struct wide_met *met, uint32_t slots, uint32_t s)
{
    uint32_t behind = 0;
    for (uint32_t i = 0; i < slots; ++i) {
        const bool after = i > s ? met->entry[i] >= met->entry[s] : met->entry[i] > met->entry[s];
        behind += met->slots >> i & (after && i != s ? 1u : 0u);
    }
    return behind;
}

// Puts the children on the stack so that the first to visit is on top.
DEVICE void wide_push_children(struct walk *walk, struct pending_child stack[], const struct wide_met *met,
                               uint32_t slots, uint32_t order, uint32_t turn, bool far_first)
{
    const uint32_t keys = wide_turn_mask(met->slots, turn), count = (uint32_t)lanemask_count(keys);
    for (uint32_t s = 0; s < slots; ++s) {
        if (!(met->slots >> s & 1u))
            continue;
        uint32_t behind = (uint32_t)lanemask_count(keys >> (s ^ turn) >> 1);
        if (order == CHILD_ORDER_DISTANCE) {
            behind = wide_behind(met, slots, s);
            behind = far_first ? count - 1u - behind : behind;
        }
        walk_count_left(walk);
        stack[walk->depth + behind].child = met->child[s];
        stack[walk->depth + behind].entry = met->entry[s];
    }
    walk->depth += count;
}

// The turn that takes slots to the order in which they are visited.
DEVICE uint32_t wide_turn_of(const struct scene_view *scene, const struct box_ray *box, uint32_t slots, uint32_t axes,
                             bool far_first)
{
    const uint32_t order = WIDE_ORDER(scene);
    const bool along = order == CHILD_ORDER_OCTANT || order == CHILD_ORDER_GREEDY;
    const uint32_t turn = along ? wide_turn(wide_signs(box), slots, axes) : 0u;
    return far_first ? turn ^ (slots - 1u) : turn;
}

// ---- groups: pending holds the mask, by order of visits, and the turn 8 bits higher

DEVICE void wide_open_group(struct walk *walk, struct pending_child stack[], const struct wide_met *met, uint32_t turn)
{
    if (walk->pending & 0xFFu)
        walk_put(walk, stack, walk->group, f32_from_bits(walk->pending));
    for (uint32_t s = 0; s < (uint32_t)lanemask_count(met->slots); ++s)
        walk_count_left(walk);
    walk->group = walk->current;
    walk->pending = wide_turn_mask(met->slots, turn) | turn << 8;
}

// Takes the next slot of the group, or of the last that waits. False where none does.
DEVICE bool wide_next_slot(struct walk *walk, const struct pending_child stack[], uint32_t *slot)
{
    if (!(walk->pending & 0xFFu)) {
        --walk->depth;
        walk->group = stack[walk->depth].child;
        walk->pending = f32_bits(stack[walk->depth].entry);
    }
    if (walk->group == WALK_DONE)
        return false;
    walk_count_taken(walk);
    *slot = (uint32_t)lanemask_lowest(walk->pending) ^ (walk->pending >> 8 & 7u);
    walk->pending &= walk->pending - 1u;
    return true;
}

DEVICE int32_t wide_word(const void *nodes, int32_t node, uint32_t word)
{
    return TREE_LOAD((const int32_t *)nodes + (uint64_t)(uint32_t)node * 4u + word);
}

DEVICE const float *wide_fetch(const void *nodes, int32_t node, uint32_t pieces, float copy[WIDE_WORDS])
{
    if (READ_IN_PLACE)
        return (const float *)nodes + (uint64_t)(uint32_t)node * 4u;
    const struct float4 *const from = (const struct float4 *)nodes + node;
    const struct float4 first = TREE_LOAD(from); // site: inner
    copy[0] = first.x, copy[1] = first.y, copy[2] = first.z, copy[3] = first.w;
    UNROLLED
    for (uint32_t i = 1; i < pieces; ++i) {
        const struct float4 piece = TREE_LOAD(from + i);
        copy[4 * i] = piece.x, copy[4 * i + 1] = piece.y, copy[4 * i + 2] = piece.z, copy[4 * i + 3] = piece.w;
    }
    return copy;
}

// ---- the walk

DEVICE void wide_plain_begin(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                             const struct box_ray *box, float t_best)
{
    (void)scene;
    (void)box;
    (void)t_best;
    walk->depth = 0;
    walk->group = 0;
    walk->pending = 0;
    walk_put(walk, stack, WALK_DONE, 0.0f);
    walk->current = 0;
}

DEVICE void wide_plain_pop(struct walk *walk, const struct pending_child stack[], const struct scene_view *scene,
                           float t_best, bool far_first)
{
    uint32_t slot = 0;
    if (WIDE_STACK_OF(scene) == TREE_STACK_CHILDREN) {
        binary_pop(walk, stack, scene, t_best, far_first);
        return;
    }
    walk->current = WALK_DONE;
    if (wide_next_slot(walk, stack, &slot))
        walk->current =
            wide_word(scene->nodes, walk->group, (uint32_t)WIDE_CHILD_ROW * (2u << WIDE_WIDTH(scene)) + slot);
}

// Tests the boxes of all children. A plane that is not there is 0.
DEVICE void wide_test(const float *node, uint32_t slots, const struct box_ray *box, float t_best, struct wide_met *met)
{
    met->slots = 0;
    for (uint32_t s = 0; s < slots; ++s) {
        const struct vec3 low = vec3_make(node[s], node[2 * slots + s], node[4 * slots + s]);
        const struct vec3 high = vec3_make(node[slots + s], node[3 * slots + s], node[5 * slots + s]);
        met->child[s] = (int32_t)f32_bits(node[(uint32_t)WIDE_CHILD_ROW * slots + s]);
        if (box_test(box, low, high, t_best, &met->entry[s]) && met->child[s] != WIDE_EMPTY)
            met->slots |= 1u << s;
    }
}

// What one step does once the boxes are tested: the children met are left for later, and the first is gone to.
DEVICE void wide_leave(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                       const struct box_ray *box, const struct wide_met *met, uint32_t slots, uint32_t axes,
                       bool far_first)
{
    const uint32_t turn = wide_turn_of(scene, box, slots, axes, far_first);
    if (!met->slots)
        return;
    if (WIDE_STACK_OF(scene) == TREE_STACK_CHILDREN)
        wide_push_children(walk, stack, met, slots, WIDE_ORDER(scene), turn, far_first);
    else
        wide_open_group(walk, stack, met, turn);
}

DEVICE void wide_plain_step_of(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                               const struct box_ray *box, float t_best, bool far_first, uint32_t slots)
{
    float copy[WIDE_WORDS];
    struct wide_met met;
    const float *node = wide_fetch(scene->nodes, walk->current, slots == 8u ? 14u : slots == 4u ? 8u : 4u, copy);
    walk_count_load(walk);
    wide_test(node, slots, box, t_best, &met);
    wide_leave(walk, stack, scene, box, &met, slots, slots == 8u ? 0u : f32_bits(node[(uint32_t)WIDE_AXES_ROW * slots]),
               far_first);
}

// One step: tests the boxes of all children, leaves those that the ray meets for later, and goes to the first of them,
// or pops.
DEVICE_ONCE void wide_plain_step(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                                 const struct box_ray *box, float t_best, bool far_first)
{
    wide_plain_step_of(walk, stack, scene, box, t_best, far_first, 2u << WIDE_WIDTH(scene));
    wide_plain_pop(walk, stack, scene, t_best, far_first);
}

#define wide_plain_leaf binary_leaf
#define wide_plain_list binary_list
#define wide_plain_triangle binary_triangle
#define wide_plain_triangles binary_triangles

DEVICE uint32_t wide_plain_place(int32_t node, const struct scene_view *scene)
{
    return tree_place((uint64_t)(uint32_t)node * 16u, wide_node_bytes(WIDE_WIDTH(scene), 0));
}
