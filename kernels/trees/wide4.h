// SPDX-License-Identifier: MIT
// The tree wide4: four children a node of 64 bytes, the ends of whose boxes are steps of the scene's grid, and triangles
// in records of 64 bytes, both in scene_view.nodes. Where the grid is too coarse, its nodes are those of wide4_float.h.
// (Nodes in the manner of Ylitie, Karras and Laine 2017, but on one grid. What waits: wide4_stack.h.)
//
// The ends of boxes are decoded into floats of [1/2, 2) by moving bytes, and their t is one fma. Over fragments it has the
// bits of box_interval's; over whole triangles a margin keeps the interval around that one, as rule 2 wants it: see
// wide4_margin.
#pragma once

#include "trees/box.h"
#include "trees/triangle.h"
#include "trees/walk.h"
#include "trees/wide4_stack.h"

// Child c's box on axis a is ends[a][c]: lower step, and above it upper step << 16. An empty child has
// its ends the wrong way round. Its place is `base` + its low 6 bits of `children`, byte c, all in pieces of 16 bytes; bit
// 7 says that it is a leaf, bit 6 that the leaf has two triangles, the second record behind the first.
struct __attribute__((aligned(16))) wide4_node {
    uint32_t ends[3][4];
    uint32_t base, children;
    uint32_t form, unused; // 0
};

// The normal is that of triangle_cross, fragment.triangle the triangle's id.
struct __attribute__((aligned(16))) wide4_record {
    struct vec3 v0;
    float normal_x;
    struct vec3 v1;
    float normal_y;
    struct vec3 v2;
    float normal_z;
    struct fragment fragment; // its box is not set where no triangle was split
};

enum {
    WIDE4_PIECE = 16, // bytes
    WIDE4_PIECES = 4, // of a node, and of a triangle's record
    WIDE4_LEAF_MAX = 2,
    WIDE4_OFFSET = 63,
    WIDE4_PAIR = 64,
    WIDE4_LEAF = 128,
    WIDE4_FLOATS = 1, // form of a node whose boxes are floats
    WIDE4_PIECES_MAX = 1 << 30
};

#define WIDE4_EMPTY 0x0000FFFFu // ends of an empty child

// In a walk, `current` is a key, or the child's byte alone, and `base` that of its node: taking them apart only where nodes
// and leaves are read makes a step a tenth shorter on a GPU.
DEVICE bool wide4_at_inner(const struct walk *walk)
{
    return (walk->current & (WIDE4_LEAF | WIDE4_PAIR)) == 0;
}

DEVICE bool wide4_at_leaf(const struct walk *walk)
{
    return (walk->current & WIDE4_LEAF) != 0;
}

DEVICE uint32_t wide4_current(const struct walk *walk)
{
    return walk->base + ((uint32_t)walk->current & (uint32_t)WIDE4_OFFSET);
}

// The current child as a number: of an inner node its place; of a leaf with bit 31 and, of a pair, bit 30 beside it.
DEVICE int32_t wide4_child(const struct walk *walk)
{
    return (int32_t)(((uint32_t)walk->current & (uint32_t)(WIDE4_LEAF | WIDE4_PAIR)) << 24 | wide4_current(walk));
}

// ---- the ray

// The end of a box that a ray meets first, and that it meets last, of the word that holds both: grid_number of its step.
// `order`: by the ray's direction on the axis, see wide4_order_of.
DEVICE uint32_t wide4_order_of(float inverse)
{
    return half_make(inverse < 0.0f);
}

DEVICE float wide4_first(uint32_t ends, uint32_t order)
{
    return half_f32(ends, order);
}

DEVICE float wide4_last(uint32_t ends, uint32_t order)
{
    return half_f32(ends, half_other(order));
}

// With p in [1/2, 2), p * span is a coordinate of the grid, and its t by box_ray is fma(p * span, inverse, shift). A span is a
// power of two, so that p * span and scale = span * inverse are exact, and fma(p, scale, shift) has the same bits: over
// fragments, nothing else is needed. Over whole triangles boxes are in the scene's own coordinates: with
// p * scale + constant = p * (span * inverse) + (zero * inverse + shift), the margin is at least four
// times 2^-24 of |scale| + |constant|, which is more than what rounding adds to the constant and its parts and to the
// place itself. So p * scale + near is never later than the t of the exact place, p * scale + far never earlier, and as
// rounding is monotone, the two fmas never part from box_interval's to the wrong side.
DEVICE float wide4_margin(float scale, float offset)
{
    return minimum_f32(fmaf(fabsf(scale) + fabsf(offset), 0x1p-22f, 0x1p-126f), 3.402823466e+38f); // finite
}

// The ray in terms of the grid.
DEVICE void wide4_aim(struct walk *walk, const struct scene_view *scene, const struct box_ray *box)
{
    const struct vec3 span = scene->grid_span;
    walk->scale = vec3_make(span.x * box->inverse.x, span.y * box->inverse.y, span.z * box->inverse.z);
    walk->near = walk->far = box->shift;
    if (!SCENE_SPLIT(scene)) {
        const struct vec3 shift = grid_shift(scene->grid_zero, box);
        const struct vec3 margin = vec3_make(wide4_margin(walk->scale.x, shift.x), wide4_margin(walk->scale.y, shift.y),
                                             wide4_margin(walk->scale.z, shift.z));
        walk->near = vec3_sub(shift, margin);
        walk->far = vec3_add(shift, margin);
    }
    walk->order[0] = wide4_order_of(box->inverse.x);
    walk->order[1] = wide4_order_of(box->inverse.y);
    walk->order[2] = wide4_order_of(box->inverse.z);
}

DEVICE void wide4_begin(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                        const struct box_ray *box, float t_best)
{
    (void)t_best;
    wide4_aim(walk, scene, box);
    wide4_begin_root(walk, stack);
}

// ---- boxes

// Of a child whose box the ray enters at `near`, 0 or later, and leaves at `far`, as integers with the same bits. Where it misses
// the box, their difference as numbers is negative, and copies of its sign make the key greater than any other: on a GPU less work
// than a comparison and a choice. (inf - inf is not a number, but an entry at infinity is beyond every finite reach.)
DEVICE uint32_t wide4_key_of(int32_t near, int32_t far, uint32_t children, uint32_t child)
{
    const float length = f32_from_bits((uint32_t)far) - f32_from_bits((uint32_t)near);
    return ((uint32_t)near & 0xFFFFFF00u) | signs_over_byte(f32_bits(length), children, child);
}

// Integers are ordered like the numbers with the same bits, but for two negative ones: of these the greater number is
// taken for the lesser. An entry before the ray's origin becomes 0, and an exit before it stays one.
DEVICE uint32_t wide4_key(const struct walk *walk, uint32_t x, uint32_t y, uint32_t z, uint32_t children,
                          uint32_t child)
{
    const struct vec3 scale = walk->scale;
    const int32_t near_x = (int32_t)f32_bits(fmaf(wide4_first(x, walk->order[0]), scale.x, walk->near.x));
    const int32_t near_y = (int32_t)f32_bits(fmaf(wide4_first(y, walk->order[1]), scale.y, walk->near.y));
    const int32_t near_z = (int32_t)f32_bits(fmaf(wide4_first(z, walk->order[2]), scale.z, walk->near.z));
    const int32_t far_x = (int32_t)f32_bits(fmaf(wide4_last(x, walk->order[0]), scale.x, walk->far.x));
    const int32_t far_y = (int32_t)f32_bits(fmaf(wide4_last(y, walk->order[1]), scale.y, walk->far.y));
    const int32_t far_z = (int32_t)f32_bits(fmaf(wide4_last(z, walk->order[2]), scale.z, walk->far.z));
    const int32_t near = maximum_s32(maximum_s32(maximum_s32(near_x, near_y), near_z), 0);
    const int32_t far = minimum_s32(minimum_s32(far_x, far_y), far_z);
    return wide4_key_of(near, far, children, child);
}

// A node as it is loaded.
struct wide4_words {
    struct uint4 x, y, z;
    struct uint2 rest; // base and children
};

DEVICE struct wide4_words wide4_words_at(const struct scene_view *scene, uint32_t place)
{
    const struct uint4 *const from = (const struct uint4 *)scene->nodes + place;
    struct wide4_words words;
    words.x = TREE_LOAD(from); // site: inner
    words.y = TREE_LOAD(from + 1);
    words.z = TREE_LOAD(from + 2);
    words.rest = TREE_LOAD((const struct uint2 *)(from + 3));
    return words;
}

DEVICE void wide4_keys_of(const struct walk *walk, const struct wide4_words *node, uint32_t keys[4])
{
    const struct uint4 x = node->x, y = node->y, z = node->z;
    keys[0] = wide4_key(walk, x.x, y.x, z.x, node->rest.y, 0);
    keys[1] = wide4_key(walk, x.y, y.y, z.y, node->rest.y, 1);
    keys[2] = wide4_key(walk, x.z, y.z, z.z, node->rest.y, 2);
    keys[3] = wide4_key(walk, x.w, y.w, z.w, node->rest.y, 3);
}

// From the node that has these children on to the next to visit.
DEVICE void wide4_visit(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                        uint32_t keys[4], uint32_t base, float t_best, bool far_first)
{
    const uint32_t farthest = wide4_farthest(t_best);
    wide4_sort(keys);
    if (far_first)
        wide4_reverse(keys, farthest);
    wide4_go(walk, stack, keys, base, scene, farthest, t_best, far_first);
}

DEVICE void wide4_step_plain(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                             float t_best, bool far_first)
{
    uint32_t keys[4];
    walk_count_load(walk);
    const struct wide4_words node = wide4_words_at(scene, wide4_current(walk));
    wide4_keys_of(walk, &node, keys);
    wide4_visit(walk, stack, scene, keys, node.rest.x, t_best, far_first);
}

// ---- triangles

DEVICE void wide4_triangle_fetch(const struct scene_view *scene, uint32_t place, struct triangle *triangle,
                                 struct vec3 *normal)
{
    const struct float4 *const from = (const struct float4 *)scene->nodes + place;
    const struct float4 a = TREE_LOAD(from), // site: triangle
        b = TREE_LOAD(from + 1), c = TREE_LOAD(from + 2);
    triangle->v0 = vec3_make(a.x, a.y, a.z);
    triangle->v1 = vec3_make(b.x, b.y, b.z);
    triangle->v2 = vec3_make(c.x, c.y, c.z);
    *normal = vec3_make(a.w, b.w, c.w);
}

DEVICE struct fragment wide4_fragment(const struct scene_view *scene, uint32_t place)
{
    const struct uint4 from = TREE_LOAD((const struct uint4 *)scene->nodes + place + 3);
    struct fragment fragment;
    fragment.box[0] = from.x;
    fragment.box[1] = from.y;
    fragment.box[2] = from.z;
    fragment.triangle = from.w;
    return fragment;
}

#if VECTOR_BODIES
#include "trees/wide4_avx.h"
#else
#define wide4_step_near(walk, stack, scene, t_best) wide4_step_plain(walk, stack, scene, t_best, false)

// Whether the ray passes between the edges of the triangle whose record is at `place`.
DEVICE bool wide4_edges(const struct scene_view *scene, uint32_t place, const struct ray *ray,
                        const struct box_ray *box, struct triangle *triangle, struct vec3 *normal)
{
    wide4_triangle_fetch(scene, place, triangle, normal);
    return watertight_edges(vec3_sub(triangle->v0, ray->origin), vec3_sub(triangle->v1, ray->origin),
                            vec3_sub(triangle->v2, ray->origin), box->across, box->upward);
}
#endif

// fragment_settle: its coordinates times inverse are the node's ends times scale, see wide4_margin.
DEVICE bool wide4_settle_split(const struct walk *walk, const struct fragment *fragment, float *t)
{
    const uint32_t x = fragment->box[0], y = fragment->box[1], z = fragment->box[2];
    const float entry =
        maximum_f32(maximum_f32(fmaf(wide4_first(x, walk->order[0]), walk->scale.x, walk->near.x),
                                fmaf(wide4_first(y, walk->order[1]), walk->scale.y, walk->near.y)),
                    maximum_f32(fmaf(wide4_first(z, walk->order[2]), walk->scale.z, walk->near.z), 0.0f));
    const float exit = minimum_f32(minimum_f32(fmaf(wide4_last(x, walk->order[0]), walk->scale.x, walk->far.x),
                                               fmaf(wide4_last(y, walk->order[1]), walk->scale.y, walk->far.y)),
                                   fmaf(wide4_last(z, walk->order[2]), walk->scale.z, walk->far.z));
    return interval_settle(entry, exit, t);
}

// triangle_settle of a record. A GPU reads the corners again, one axis after the other: kept until here, or read together, they would
// take 8 registers more.
DEVICE void wide4_settle_axis(const struct scene_view *scene, uint32_t place, uint32_t axis, float inverse, float shift,
                              float *entry, float *exit)
{
    const float *const from =
        (const float *)((const struct float4 *)scene->nodes + place_behind(place, *entry, *exit)) + axis;
    const float a = TREE_LOAD(from), b = TREE_LOAD(from + 4), c = TREE_LOAD(from + 8);
    const float low = minimum_f32(a, minimum_f32(b, c)) - scene->box_pad;
    const float high = maximum_f32(a, maximum_f32(b, c)) + scene->box_pad;
    const float t0 = fmaf(low, inverse, shift), t1 = fmaf(high, inverse, shift);
    *entry = maximum_f32(*entry, minimum_f32(t0, t1));
    *exit = minimum_f32(*exit, maximum_f32(t0, t1));
}

DEVICE bool wide4_settle_whole(const struct scene_view *scene, uint32_t place, const struct triangle *triangle,
                               const struct box_ray *box, float *t)
{
    float entry = 0.0f, exit = 3.402823466e+38f;
    if (READ_IN_PLACE)
        return triangle_settle(scene, triangle, true, box, t);
    if (!(*t > 0.0f)) // or NaN
        return false;
    wide4_settle_axis(scene, place, 0, box->inverse.x, box->shift.x, &entry, &exit);
    wide4_settle_axis(scene, place, 1, box->inverse.y, box->shift.y, &entry, &exit);
    wide4_settle_axis(scene, place, 2, box->inverse.z, box->shift.z, &entry, &exit);
    *t = minimum_f32(maximum_f32(*t, entry), exit);
    return entry <= exit;
}

// triangle_test, of a record. While the walk lasts, hit->slot is the record's place. `split`: whether it is a fragment's. `at_once`:
// its last part is loaded with the others, not when it is wanted, which saves a latency but takes registers.
DEVICE void wide4_test_of(const struct walk *walk, const struct scene_view *scene, bool split, bool at_once,
                          uint32_t place, const struct ray *ray, const struct box_ray *box, struct hit *hit)
{
    struct triangle triangle;
    struct vec3 normal;
    struct fragment fragment;
    if (at_once)
        fragment = wide4_fragment(scene, place);
    if (!wide4_edges(scene, place, ray, box, &triangle, &normal))
        return;
    const float above = vec3_dot(normal, vec3_sub(triangle.v0, ray->origin)), along = vec3_dot(normal, ray->direction);
    if ((int32_t)(f32_bits(above) ^ f32_bits(along)) < 0) // behind the ray
        return;
    if (!at_once)
        fragment = wide4_fragment(scene, place);
    float t = above / along;
    if (split ? !wide4_settle_split(walk, &fragment, &t) : !wide4_settle_whole(scene, place, &triangle, box, &t))
        return;
    if (t > hit->t)
        return;
    if (t == hit->t && hit->slot != HIT_NONE && fragment.triangle >= wide4_fragment(scene, hit->slot).triangle)
        return;
    hit->t = t;
    hit->slot = place;
}

DEVICE void wide4_test(const struct walk *walk, const struct scene_view *scene, bool split, uint32_t place,
                       const struct ray *ray, const struct box_ray *box, struct hit *hit)
{
    wide4_test_of(walk, scene, split, false, place, ray, box, hit);
}

// ---- the tree

DEVICE void wide4_step(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                       const struct box_ray *box, float t_best, bool far_first)
{
    (void)box;
    if (far_first)
        wide4_step_plain(walk, stack, scene, t_best, true);
    else
        wide4_step_near(walk, stack, scene, t_best);
}

DEVICE uint32_t wide4_leaf_of(int32_t leaf, const struct walk *walk, const struct scene_view *scene, bool split,
                              const struct ray *ray, const struct box_ray *box, bool any, struct hit *hit)
{
    const uint32_t place = (uint32_t)leaf & 0x3FFFFFFFu, count = 1u + ((uint32_t)leaf >> 30 & 1u);
    for (uint32_t i = 0; i < count; ++i) {
        wide4_test(walk, scene, split, place + i * (uint32_t)WIDE4_PIECES, ray, box, hit);
        if (any && hit->slot != HIT_NONE)
            return i + 1;
    }
    return count;
}

DEVICE uint32_t wide4_leaf(int32_t leaf, const struct walk *walk, const struct scene_view *scene, const struct ray *ray,
                           const struct box_ray *box, bool any, struct hit *hit)
{
    return wide4_leaf_of(leaf, walk, scene, SCENE_SPLIT(scene), ray, box, any, hit);
}

DEVICE uint32_t wide4_place(int32_t node, const struct scene_view *scene)
{
    (void)scene;
    return tree_place((uint64_t)(uint32_t)node * WIDE4_PIECE, sizeof(struct wide4_node));
}

// Of a record a test reads three quarters, and the rest only where the ray passes between the edges.
DEVICE uint32_t wide4_triangle(int32_t leaf, uint32_t i, const struct scene_view *scene)
{
    (void)scene;
    const uint64_t place = ((uint32_t)leaf & 0x3FFFFFFFu) + i * (uint32_t)WIDE4_PIECES;
    return tree_place(place * WIDE4_PIECE, sizeof(struct wide4_record));
}

DEVICE uint32_t wide4_list(int32_t leaf, uint32_t tested)
{
    (void)leaf;
    (void)tested;
    return 0; // the records stand behind the nodes
}

DEVICE uint32_t wide4_triangles(const struct scene_view *scene)
{
    (void)scene;
    return TRIANGLES_WHOLE; // those of hits
}

// Of a hit after the walk: the triangle, which is its own place among the scene's.
DEVICE uint32_t wide4_hit_triangle(const struct scene_view *scene, uint32_t place)
{
    return wide4_fragment(scene, place).triangle;
}
