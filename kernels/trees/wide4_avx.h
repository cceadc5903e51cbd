// SPDX-License-Identifier: MIT
// Steps and edge tests of wide4 with vectors: four boxes at once, and the three vertices of a triangle. The operations are those
// of the scalar bodies, and so are the results, bit for bit. What depends on the ray alone is written here as if computed anew,
// and moved out of the loops by the compiler.
#pragma once

#include <immintrin.h>

DEVICE const struct wide4_node *wide4_node_at(const struct scene_view *scene, uint32_t place)
{
    return (const struct wide4_node *)((const char *)scene->nodes + (size_t)place * WIDE4_PIECE);
}

DEVICE const struct wide4_record *wide4_record_at(const struct scene_view *scene, uint32_t place)
{
    return (const struct wide4_record *)((const char *)scene->nodes + (size_t)place * WIDE4_PIECE);
}

// t of the ends of four boxes on one axis that the ray meets first, or last: `order` says which bytes they are in, as in half_f32.
DEVICE __m128i wide4_times(const uint32_t ends[4], uint32_t order, float scale, float shift)
{
    const __m128i lower =
        _mm_setr_epi32((int32_t)0x80010080, (int32_t)0x80050480, (int32_t)0x80090880, (int32_t)0x800D0C80);
    const __m128i moves = _mm_add_epi32(lower, _mm_set1_epi32((int)(order >> 3) * 0x00010100));
    const __m128i moved = _mm_shuffle_epi8(_mm_load_si128((const __m128i *)ends), moves);
    const __m128 places = _mm_castsi128_ps(_mm_or_si128(moved, _mm_set1_epi32(0x3F000000)));
    return _mm_castps_si128(_mm_fmadd_ps(places, _mm_set1_ps(scale), _mm_set1_ps(shift)));
}

// First and last ends as vectors of their own: both in one of twice the width would have to be taken apart before they are compared.
DEVICE __m128i wide4_keys_avx(const struct walk *walk, const struct wide4_node *node)
{
    const __m128i near_x = wide4_times(node->ends[0], walk->order[0], walk->scale.x, walk->near.x);
    const __m128i near_y = wide4_times(node->ends[1], walk->order[1], walk->scale.y, walk->near.y);
    const __m128i near_z = wide4_times(node->ends[2], walk->order[2], walk->scale.z, walk->near.z);
    const __m128i far_x = wide4_times(node->ends[0], half_other(walk->order[0]), walk->scale.x, walk->far.x);
    const __m128i far_y = wide4_times(node->ends[1], half_other(walk->order[1]), walk->scale.y, walk->far.y);
    const __m128i far_z = wide4_times(node->ends[2], half_other(walk->order[2]), walk->scale.z, walk->far.z);
    const __m128i near = _mm_max_epi32(_mm_max_epi32(near_x, near_y), _mm_max_epi32(near_z, _mm_setzero_si128()));
    const __m128i far = _mm_min_epi32(_mm_min_epi32(far_x, far_y), far_z);
    const __m128i bytes = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int32_t)node->children));
    const __m128i keys = _mm_or_si128(_mm_and_si128(near, _mm_set1_epi32(~0xFF)), bytes);
    // The greatest integer where the box is missed, the least where it is met.
    const __m128i missed = _mm_xor_si128(_mm_cmpgt_epi32(near, far), _mm_set1_epi32(-2147483647 - 1));
    return _mm_max_epi32(keys, missed);
}

// wide4_sort.
DEVICE __m128i wide4_sort_avx(__m128i keys)
{
    __m128i other = _mm_shuffle_epi32(keys, 0xB1); // 1 0 3 2
    keys = _mm_blend_epi32(_mm_min_epi32(keys, other), _mm_max_epi32(keys, other), 10);
    other = _mm_shuffle_epi32(keys, 0x4E); // 2 3 0 1
    keys = _mm_blend_epi32(_mm_min_epi32(keys, other), _mm_max_epi32(keys, other), 12);
    other = _mm_shuffle_epi32(keys, 0xD8); // 0 2 1 3
    return _mm_blend_epi32(_mm_min_epi32(keys, other), _mm_max_epi32(keys, other), 12);
}

// Asks for a node's children before it is known which are met. Four nodes are four lines, four leaves of two triangles eight.
DEVICE void wide4_prefetch(const struct scene_view *scene, uint32_t base)
{
    const char *const from = (const char *)scene->nodes + (size_t)base * WIDE4_PIECE;
    for (int line = 0; line < 8; ++line)
        prefetch(from + 64 * line);
}

// Children within reach to the stack, the farthest first. The last one stored is that which the walk is at, and does not wait.
DEVICE void wide4_leave(struct walk *walk, struct pending_child stack[], __m128i found, __m128i beyond, uint32_t within,
                        uint32_t base)
{
    const __m128i ones = _mm_set1_epi32(-1), bases = _mm_set1_epi32((int32_t)base);
    const __m128i turned = _mm_blendv_epi8(_mm_xor_si128(found, ones), _mm_set1_epi32(0x7FFFFFFF), beyond);
    const __m128i keys = _mm_xor_si128(wide4_sort_avx(turned), ones);
    __m128i *const to = (__m128i *)(stack + walk->depth);
    _mm_storeu_si128(to, _mm_unpacklo_epi32(keys, bases));
    _mm_storeu_si128(to + 1, _mm_unpackhi_epi32(keys, bases));
    for (uint32_t rest = within & (within - 1); rest != 0; rest &= rest - 1)
        walk_count_left(walk);
    walk->depth += (uint32_t)__builtin_popcount(within) - 1;
}

// The byte of `children` for the lowest bit set in `mask`. A processor predicts these branches and starts on the child while its box
// test still runs; an index or key computed from the test must be waited for.
DEVICE int32_t wide4_child_byte(uint32_t children, uint32_t mask)
{
    if (mask & 1) {
        keep_branch();
        return (int32_t)(children & 0xFFu);
    }
    if (mask & 2) {
        keep_branch();
        return (int32_t)(children >> 8 & 0xFFu);
    }
    if (mask & 4) {
        keep_branch();
        return (int32_t)(children >> 16 & 0xFFu);
    }
    return (int32_t)(children >> 24);
}

DEVICE void wide4_step_near(struct walk *walk, struct pending_child stack[], const struct scene_view *scene,
                            float t_best)
{
    const struct wide4_node *const node = wide4_node_at(scene, wide4_current(walk));
    const uint32_t base = node->base, children = node->children;
    const __m128i found = wide4_keys_avx(walk, node);
    const __m128i beyond = _mm_cmpgt_epi32(found, _mm_set1_epi32((int32_t)wide4_farthest(t_best)));
    const uint32_t within = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(beyond)) ^ 15u;
    walk_count_load(walk);
    wide4_prefetch(scene, base);
    if (within == 0) {
        wide4_pop(walk, stack, scene, t_best, false);
        return;
    }
    uint32_t nearest = within;
    if ((within & (within - 1)) != 0) {
        __m128i least = _mm_min_epi32(found, _mm_shuffle_epi32(found, 0x4E));
        least = _mm_min_epi32(least, _mm_shuffle_epi32(least, 0xB1));
        nearest = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(least, found)));
        wide4_leave(walk, stack, found, beyond, within, base);
    }
    walk->base = base;
    walk->current = wide4_child_byte(children, nearest);
}

// The three vertices' products with one row of the shear.
DEVICE __m128 wide4_row(__m128 x, __m128 y, __m128 z, struct vec3 row)
{
    return _mm_fmadd_ps(x, _mm_set1_ps(row.x), _mm_fmadd_ps(y, _mm_set1_ps(row.y), _mm_mul_ps(z, _mm_set1_ps(row.z))));
}

DEVICE bool wide4_edges(const struct scene_view *scene, uint32_t place, const struct ray *ray,
                        const struct box_ray *box, struct triangle *triangle, struct vec3 *normal)
{
    const struct wide4_record *const from = wide4_record_at(scene, place);
    __m128 x = _mm_load_ps(&from->v0.x), y = _mm_load_ps(&from->v1.x), z = _mm_load_ps(&from->v2.x);
    __m128 rest = z;
    _MM_TRANSPOSE4_PS(x, y, z, rest); // x: of all three vertices
    x = _mm_sub_ps(x, _mm_set1_ps(ray->origin.x));
    y = _mm_sub_ps(y, _mm_set1_ps(ray->origin.y));
    z = _mm_sub_ps(z, _mm_set1_ps(ray->origin.z));
    const __m128 across = wide4_row(x, y, z, box->across), upward = wide4_row(x, y, z, box->upward);
    // u v w: c b - b c, a c - c a, b a - a b.
    const __m128 across_cab = _mm_shuffle_ps(across, across, 0xD2), upward_cab = _mm_shuffle_ps(upward, upward, 0xD2);
    const __m128 across_bca = _mm_shuffle_ps(across, across, 0xC9), upward_bca = _mm_shuffle_ps(upward, upward, 0xC9);
    const __m128 edges = _mm_sub_ps(_mm_mul_ps(across_cab, upward_bca), _mm_mul_ps(upward_cab, across_bca));
    const int negative = _mm_movemask_ps(_mm_cmplt_ps(edges, _mm_setzero_ps())) & 7;
    const int positive = _mm_movemask_ps(_mm_cmpgt_ps(edges, _mm_setzero_ps())) & 7;
    // Of one sign, they add up to zero only where all are.
    if ((negative != 0) == (positive != 0))
        return false;
    wide4_triangle_fetch(scene, place, triangle, normal);
    return true;
}
