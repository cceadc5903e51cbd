// SPDX-License-Identifier: MIT
// The two-box test with 4-wide vectors. The planes {child 0 low, child 1 low, child 0 high, child 1 high} are put in
// the order {child 0 near, child 1 near, child 0 far, child 1 far} by the signs of the ray's direction, and the far
// half is computed negated, so that one maximum serves both ends. Both change no bit: the scalar body's minimum of two
// planes is the near one, because fmaf is monotone, and fmaf(p, -i, -s) is -fmaf(p, i, s). What depends on the ray
// alone is written here as if computed anew, and moved out of the loops by the compiler.
#pragma once

#include <immintrin.h>

// {s, s, -s, -s}
DEVICE __m128 two_box_signed(float s)
{
    return _mm_xor_ps(_mm_set1_ps(s), _mm_setr_ps(0.0f, 0.0f, -0.0f, -0.0f));
}

// t of one axis' planes: near ends, then negated far ends.
DEVICE __m128 two_box_axis(const float planes[4], float inverse, float shift)
{
    const __m128i order = _mm_xor_si128(_mm_setr_epi32(0, 1, 2, 3), _mm_set1_epi32(inverse < 0.0f ? 2 : 0));
    return _mm_fmadd_ps(_mm_permutevar_ps(_mm_load_ps(planes), order), two_box_signed(inverse), two_box_signed(shift));
}

DEVICE void two_box_test(const struct bvh_node *node, const struct box_ray *ray, float t_best, bool met[2],
                         float entry[2])
{
    const __m128 x = two_box_axis(node->x, ray->inverse.x, ray->shift.x);
    const __m128 y = two_box_axis(node->y, ray->inverse.y, ray->shift.y);
    const __m128 z = two_box_axis(node->z, ray->inverse.z, ray->shift.z);
    const __m128 limits = _mm_setr_ps(0.0f, 0.0f, -t_best, -t_best);
    const __m128 ends = _mm_max_ps(_mm_max_ps(x, y), _mm_max_ps(z, limits));
    const __m128 far = _mm_xor_ps(_mm_movehl_ps(ends, ends), _mm_set1_ps(-0.0f));
    entry[0] = _mm_cvtss_f32(ends);
    entry[1] = _mm_cvtss_f32(_mm_movehdup_ps(ends));
    const int mask = _mm_movemask_ps(_mm_cmple_ps(ends, far));
    met[0] = (mask & 1) != 0;
    met[1] = (mask & 2) != 0;
}
