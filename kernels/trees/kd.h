// SPDX-License-Identifier: MIT
// The walk over a kd-tree (chapter on a kd-tree of 2015), in any layout.
//
// A triangle stands in every cell that its widened box reaches into, and the t of a plane is computed like that of a
// box: by the same fmaf, which is monotone. So where a hit's t lies before the plane's, the triangle's box reaches to
// the near side, where it lies behind, to the far side, and where they are equal both sides are visited. A walk that
// keeps both ends of its intervals therefore comes to a cell that holds the closest hit, with no epsilon, and finds
// what the binary tree finds, bit for bit.
#pragma once

#include "trees/kd_layouts.h"
#include "trees/walk.h"

// How a step tells its cases apart (4.2): with a branch for each order of the children, and all of the code in each; with
// one of the rewrites alone, or all; children chosen by exclusive or, and the common statements hoisted.

#ifdef CONFIG_kd_step
#define KD_STEP(scene) CONFIG(scene, kd_step)
#else
#define KD_STEP(scene) ((scene)->kd_step)
#endif

// A leaf as the current child of a walk.
DEVICE int32_t kd_code(uint32_t first, uint32_t count)
{
    return (int32_t) ~(first << KD16_COUNT_BITS | count);
}

DEVICE uint32_t kd_code_first(int32_t leaf)
{
    return ~(uint32_t)leaf >> KD16_COUNT_BITS;
}

DEVICE uint32_t kd_code_count(int32_t leaf)
{
    return ~(uint32_t)leaf & (uint32_t)KD16_LEAF_MAX;
}

// ---- the stack

// An entry is {child, end of its cell}. Below it there is, of a stack of addresses, the child's address in place of
// `child`; of a stack of records, the child's node, so that it need not be fetched again.
enum { KD_PIECES = 3 }; // entries that a record takes

DEVICE void kd_stack_piece(struct walk *walk, struct pending_child stack[], uint32_t low, uint32_t high)
{
    walk_put(walk, stack, (int32_t)low, f32_from_bits(high));
}

DEVICE void kd_push(uint32_t form, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                    uint32_t child, float end)
{
    const char *const place = (const char *)scene->nodes + kd_offset(form, child);
    if (KD_STACK(scene) == KD_STACK_ADDRESS) {
        const uint64_t address = (uint64_t)place;
        kd_stack_piece(walk, stack, (uint32_t)address, (uint32_t)(address >> 32));
        child = 0;
    } else if (KD_STACK(scene) == KD_STACK_RECORD) {
        struct kd_record record;
        kd_fetch(form, place, &record);
        walk_count_load(walk);
        kd_stack_piece(walk, stack, record.head, record.left);
        kd_stack_piece(walk, stack, f32_bits(record.split), record.right);
        kd_stack_piece(walk, stack, record.first, 0);
    }
    walk_push(walk, stack, (int32_t)child, end);
}

// Takes what is below the entry that was popped, or leaves it where the entry is not visited.
DEVICE void kd_take(uint32_t form, struct walk *walk, const struct pending_child stack[],
                    const struct scene_view *scene)
{
    if (KD_STACK(scene) == KD_STACK_ADDRESS) {
        const struct pending_child piece = stack[--walk->depth];
        const uint64_t address = (uint64_t)f32_bits(piece.entry) << 32 | (uint32_t)piece.child;
        walk->current = (int32_t)kd_node_at(form, address - (uint64_t)scene->nodes);
    } else if (KD_STACK(scene) == KD_STACK_RECORD) {
        walk->depth -= KD_PIECES;
        walk->at_hand = true;
        for (uint32_t i = 0; i < KD_PIECES; ++i)
            walk->record[i] = stack[walk->depth + i];
    }
}

DEVICE void kd_record_at_hand(struct walk *walk, struct kd_record *to)
{
    walk->at_hand = false;
    to->head = (uint32_t)walk->record[0].child;
    to->left = f32_bits(walk->record[0].entry);
    to->split = f32_from_bits((uint32_t)walk->record[1].child);
    to->right = f32_bits(walk->record[1].entry);
    to->first = (uint32_t)walk->record[2].child;
}

// The node at which the walk stands.
DEVICE void kd_look(uint32_t form, struct walk *walk, const struct scene_view *scene, struct kd_record *to)
{
    if (KD_STACK(scene) == KD_STACK_RECORD && walk->at_hand) {
        kd_record_at_hand(walk, to);
        return;
    }
    kd_fetch(form, (const char *)scene->nodes + kd_offset(form, (uint32_t)walk->current), to);
    walk_count_load(walk);
}

// Cells are visited in the order in which the ray meets them, so that each begins where the one before ended: the stack
// keeps the other end alone, `entry` being the exit of the cell unless the farther cells are visited first.
DEVICE void kd_pop(uint32_t form, struct walk *walk, const struct pending_child stack[], const struct scene_view *scene,
                   float t_best, bool far_first)
{
    if (!far_first && walk->exit > t_best) { // so do all others lie
        walk->current = WALK_DONE;
        return;
    }
    for (;;) {
        const struct pending_child top = stack[--walk->depth];
        if (far_first) {
            walk->exit = walk->entry;
            walk->entry = top.entry;
        } else {
            walk->entry = walk->exit;
            walk->exit = top.entry;
        }
        walk->current = top.child;
        if (top.child == WALK_DONE)
            return;
        if (!(walk->entry > t_best))
            break;
        walk->depth -= KD_STACK(scene) == KD_STACK_RECORD ? KD_PIECES : KD_STACK(scene) == KD_STACK_ADDRESS ? 1 : 0;
    }
    walk_count_taken(walk);
    kd_take(form, walk, stack, scene);
}

// ---- the walk

// A kd-tree is entered where the ray meets the box of all its triangles.
DEVICE void kd_begin(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                     const struct box_ray *box, float t_best)
{
    box_interval(box, scene->tree_low, scene->tree_high, &walk->entry, &walk->exit);
    walk->depth = 0;
    walk->at_hand = false;
    for (uint32_t i = 0; i < KD_PIECES; ++i)
        walk->record[i].child = 0, walk->record[i].entry = 0.0f; // read of no other stack, which compilers cannot tell
    walk_put(walk, stack, WALK_DONE, 0.0f);
    walk->current = walk->entry <= walk->exit && walk->entry <= t_best ? 0 : WALK_DONE;
}

// At a leaf: what is to be tested becomes the current child, and the rest of its chain waits as a cell of the same ends.
DEVICE void kd_enter_leaf(uint32_t form, struct walk *walk, struct pending_child stack[],
                          const struct scene_view *scene, const struct kd_record *record, float t_best, bool far_first)
{
    if (kd_leaf_count(record) == 0) {
        kd_pop(form, walk, stack, scene, t_best, far_first);
        return;
    }
    walk->current = kd_code(record->first, kd_leaf_count(record));
    if (record->right == 0)
        return;
    kd_push(form, walk, stack, scene, record->right, far_first ? walk->entry : walk->exit);
    if (far_first)
        walk->entry = walk->exit;
    else
        walk->exit = walk->entry;
}

// t of a plane across `axis`.
DEVICE float kd_plane(const struct box_ray *box, uint32_t axis, float position)
{
    const float inverse = axis == 0 ? box->inverse.x : axis == 1 ? box->inverse.y : box->inverse.z;
    const float shift = axis == 0 ? box->shift.x : axis == 1 ? box->shift.y : box->shift.z;
    return fmaf(position, inverse, shift);
}

// Whether the ray runs down the axis, so that the right child is the nearer.
DEVICE bool kd_runs_down(const struct box_ray *box, uint32_t axis)
{
    return f32_bits(axis == 0 ? box->inverse.x : axis == 1 ? box->inverse.y : box->inverse.z) >> 31 != 0;
}

// Goes on to the child that the ray meets, or to the nearer and leaves the other for later; each case sets all of it.
DEVICE void kd_descend(uint32_t form, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                       uint32_t near, uint32_t far, float t, float t_best, bool far_first)
{
    if (t < walk->entry) {
        walk->current = (int32_t)far;
    } else if (t > minimum_f32(walk->exit, t_best)) {
        walk->current = (int32_t)near;
    } else if (far_first) {
        kd_push(form, walk, stack, scene, near, walk->entry);
        walk->current = (int32_t)far;
        walk->entry = t;
    } else {
        kd_push(form, walk, stack, scene, far, walk->exit);
        walk->current = (int32_t)near;
        walk->exit = t;
    }
}

// The same, with what its cases have in common in front of them.
DEVICE void kd_descend_hoisted(uint32_t form, struct walk *walk, struct pending_child stack[],
                               const struct scene_view *scene, uint32_t near, uint32_t far, float t, float t_best,
                               bool far_first)
{
    const uint32_t now = far_first ? far : near, later = far_first ? near : far;
    const bool beyond = t<walk->entry, before = t> minimum_f32(walk->exit, t_best);
    float *const end = far_first ? &walk->entry : &walk->exit;
    walk->current = (int32_t)now;
    if (beyond || before) {
        if (beyond != far_first)
            walk->current = (int32_t)later;
    } else {
        kd_push(form, walk, stack, scene, later, *end);
        *end = t;
    }
}

DEVICE void kd_branchy(uint32_t form, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                       const struct kd_record *node, const struct box_ray *box, float t_best, bool far_first)
{
    const uint32_t axis = node->head >> KD16_AXIS;
    if (kd_runs_down(box, axis)) {
        const float t = kd_plane(box, axis, node->split);
        kd_descend(form, walk, stack, scene, node->right, node->left, t, t_best, far_first);
    } else {
        const float t = kd_plane(box, axis, node->split);
        kd_descend(form, walk, stack, scene, node->left, node->right, t, t_best, far_first);
    }
}

// A rewrite of the choice of near and far: by branches, by a swap in place, by masking and adding the two, or by
// exclusive or.
DEVICE void kd_order(uint32_t how, const struct kd_record *node, bool down, uint32_t *near, uint32_t *far)
{
    const uint32_t mask = 0u - (uint32_t)down;
    const uint32_t left = node->left, right = node->right;
    if (how == KD_STEP_HOIST && down) {
        *near = right;
        *far = left;
    } else if (how == KD_STEP_HOIST) {
        *near = left;
        *far = right;
    } else if (how == KD_STEP_SWAP) {
        *near = left;
        *far = right;
        if (down) {
            const uint32_t kept = *near;
            *near = *far;
            *far = kept;
        }
    } else if (how == KD_STEP_MASK || how == KD_STEP_ALL) {
        *near = (right & mask) + (left & ~mask);
        *far = (left & mask) + (right & ~mask);
    } else {
        *near = left ^ ((left ^ right) & mask);
        *far = right ^ ((left ^ right) & mask);
    }
}

// Counts a step at `node`, which is the walk's current one.
DEVICE void kd_count_step(uint32_t form, struct walk *walk, const struct kd_record *node, const struct box_ray *box,
                          float t_best)
{
#if COUNTING
    walk_count_hop(walk, (uint32_t)(kd_offset(form, (uint32_t)walk->current) / (form & (uint32_t)KD_BYTES)));
    if (kd_is_leaf(node)) {
        lockstep_answers(STEP_AT_LEAF);
        return;
    }
    const uint32_t axis = node->head >> KD16_AXIS;
    const float t = kd_plane(box, axis, node->split);
    lockstep_answers((uint32_t)STEP_AT_INNER | (kd_runs_down(box, axis) ? STEP_RIGHT_FIRST : STEP_LEFT_FIRST) |
                     (t < walk->entry                       ? STEP_FARTHER
                      : t > minimum_f32(walk->exit, t_best) ? STEP_NEARER
                                                            : STEP_BOTH));
#else
    (void)form;
    (void)walk;
    (void)node;
    (void)box;
    (void)t_best;
#endif
}

// One step: looks at the node, which may turn out to be a leaf, or goes on from an inner one.
DEVICE void kd_step(uint32_t form, struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                    const struct box_ray *box, float t_best, bool far_first)
{
    struct kd_record node;
    const uint32_t how = (uint32_t)KD_STEP(scene);
    kd_look(form, walk, scene, &node);
    kd_count_step(form, walk, &node, box, t_best);
    if (kd_is_leaf(&node)) {
        kd_enter_leaf(form, walk, stack, scene, &node, t_best, far_first);
        return;
    }
    if (how == KD_STEP_BRANCHY) {
        kd_branchy(form, walk, stack, scene, &node, box, t_best, far_first);
        return;
    }
    uint32_t near, far;
    const uint32_t axis = node.head >> KD16_AXIS;
    kd_order(how, &node, kd_runs_down(box, axis), &near, &far);
    const float t = kd_plane(box, axis, node.split);
    if (how == KD_STEP_HOIST || how == KD_STEP_ALL)
        kd_descend_hoisted(form, walk, stack, scene, near, far, t, t_best, far_first);
    else
        kd_descend(form, walk, stack, scene, near, far, t, t_best, far_first);
}

DEVICE uint32_t kd_leaf(uint32_t form, int32_t leaf, const struct scene_view *scene, const struct ray *ray,
                        const struct box_ray *box, bool any, struct hit *hit)
{
    const uint32_t first = kd_code_first(leaf), count = kd_code_count(leaf);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t part = kd_reference(form, scene, first + i);
        triangle_test(scene, SCENE_SPLIT(scene) ? scene->fragments[part].triangle : part, kd_triangles(form, scene),
                      part, ray, box, hit);
        if (any && hit->slot != HIT_NONE)
            return i + 1;
    }
    return count;
}

// What the test of the i-th triangle of a leaf reads of it.
DEVICE uint32_t kd_triangle(uint32_t form, int32_t leaf, uint32_t i, const struct scene_view *scene)
{
    const uint32_t part = kd_reference(form, scene, kd_code_first(leaf) + i);
    const uint32_t slot = SCENE_SPLIT(scene) ? scene->fragments[part].triangle : part;
    const uint32_t kept = kd_triangles(form, scene);
    const uint32_t bytes = kept == TRIANGLES_SPLIT ? sizeof(struct triangle_corners) : sizeof(struct triangle);
    return tree_place((uint64_t)slot * (kept == TRIANGLES_RECORDS ? sizeof(struct triangle_record) : bytes), bytes);
}

// Lines of 128 bytes with the first `tested` words of a leaf's list.
DEVICE uint32_t kd_list(int32_t leaf, uint32_t tested)
{
    enum { LINE_WORDS = 32 };
    const uint32_t first = kd_code_first(leaf);
    return (first + tested - 1u) / (uint32_t)LINE_WORDS - first / (uint32_t)LINE_WORDS + 1u;
}

// ---- the trees

DEVICE_ONCE void kd_step_shared(uint32_t form, struct walk *walk, struct pending_child stack[],
                                const struct scene_view *scene, const struct box_ray *box, float t_best, bool far_first)
{
    kd_step(form, walk, stack, scene, box, t_best, far_first);
}

DEVICE_ONCE void kd_pop_shared(uint32_t form, struct walk *walk, const struct pending_child stack[],
                               const struct scene_view *scene, float t_best, bool far_first)
{
    kd_pop(form, walk, stack, scene, t_best, far_first);
}

DEVICE_ONCE uint32_t kd_leaf_shared(uint32_t form, int32_t leaf, const struct scene_view *scene, const struct ray *ray,
                                    const struct box_ray *box, bool any, struct hit *hit)
{
    return kd_leaf(form, leaf, scene, ray, box, any, hit);
}

#define KD_LAYOUT(NAME, name, bytes, form)                                                                             \
    DEVICE void name##_begin(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,          \
                             const struct box_ray *box, float t_best)                                                  \
    {                                                                                                                  \
        kd_begin(walk, stack, scene, box, t_best);                                                                     \
    }                                                                                                                  \
    DEVICE void name##_step(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,           \
                            const struct box_ray *box, float t_best, bool far_first)                                   \
    {                                                                                                                  \
        kd_step_shared(NAME##_FORM, walk, stack, scene, box, t_best, far_first);                                       \
    }                                                                                                                  \
    DEVICE void name##_pop(struct walk *walk, const struct pending_child stack[], const struct scene_view *scene,      \
                           float t_best, bool far_first)                                                               \
    {                                                                                                                  \
        kd_pop_shared(NAME##_FORM, walk, stack, scene, t_best, far_first);                                             \
    }                                                                                                                  \
    DEVICE uint32_t name##_leaf(int32_t leaf, const struct walk *walk, const struct scene_view *scene,                 \
                                const struct ray *ray, const struct box_ray *box, bool any, struct hit *hit)           \
    {                                                                                                                  \
        (void)walk;                                                                                                    \
        return kd_leaf_shared(NAME##_FORM, leaf, scene, ray, box, any, hit);                                           \
    }                                                                                                                  \
    DEVICE uint32_t name##_triangle(int32_t leaf, uint32_t i, const struct scene_view *scene)                          \
    {                                                                                                                  \
        return kd_triangle(NAME##_FORM, leaf, i, scene);                                                               \
    }                                                                                                                  \
    DEVICE uint32_t name##_triangles(const struct scene_view *scene)                                                   \
    {                                                                                                                  \
        return kd_triangles(NAME##_FORM, scene);                                                                       \
    }                                                                                                                  \
    DEVICE uint32_t name##_list(int32_t leaf, uint32_t tested)                                                         \
    {                                                                                                                  \
        return kd_list(leaf, tested);                                                                                  \
    }                                                                                                                  \
    DEVICE uint32_t name##_place(int32_t node, const struct scene_view *scene)                                         \
    {                                                                                                                  \
        (void)scene;                                                                                                   \
        return tree_place(kd_offset(NAME##_FORM, (uint32_t)node), bytes);                                              \
    }
#include "trees/kd_layouts.def"
#undef KD_LAYOUT
