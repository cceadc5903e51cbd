// SPDX-License-Identifier: MIT
// The arithmetic of three triangle tests, and nothing else: tests/count_operations.cpp counts its operations.
#pragma once

#include "lib/vec.h"

// Where a ray meets the plane of a triangle: its distance, and the weights of the second and the third corner.
struct meeting {
    float t, u, v;
};

// Whether that lies within the triangle; not where a value is NaN.
DEVICE bool meeting_inside(const struct meeting *meeting)
{
    return meeting->u >= 0.0f && meeting->v >= 0.0f && meeting->u + meeting->v <= 1.0f;
}

// Whether a ray passes between a triangle's edges; `a`, `b`, `c`: the corners from the ray's origin.
DEVICE bool watertight_edges(struct vec3 a, struct vec3 b, struct vec3 c, struct vec3 across, struct vec3 upward)
{
    const float ax = vec3_dot(a, across), ay = vec3_dot(a, upward);
    const float bx = vec3_dot(b, across), by = vec3_dot(b, upward);
    const float cx = vec3_dot(c, across), cy = vec3_dot(c, upward);
    const float u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
    // Without branches, of which a GPU would make a value in a register, and a test of that.
    const float least = minimum_f32(u, minimum_f32(v, w)), most = maximum_f32(u, maximum_f32(v, w)), sum = u + v + w;
    return !(((least < 0.0f) & (most > 0.0f)) | (sum == 0.0f));
}

// Watertight test after Woop, Benthin and Wald 2013, both sides: the corners are sheared so that the ray is an axis,
// and the signs of three two-dimensional edge functions tell whether it passes between them. Two triangles that share
// an edge compute the same products for it, so that their signs are opposite and no ray slips through. (With Moeller
// and Trumbore's test about 3 rays in a million left a closed sphere.) `across`, `upward`: as in box_ray.
DEVICE bool meet_watertight(struct vec3 v0, struct vec3 v1, struct vec3 v2, struct vec3 origin, struct vec3 direction,
                            struct vec3 across, struct vec3 upward, float *t)
{
    const struct vec3 a = vec3_sub(v0, origin), b = vec3_sub(v1, origin), c = vec3_sub(v2, origin);
    if (!watertight_edges(a, b, c, across, upward))
        return false;
    // The distance to the plane keeps digits that weighting the vertices' distances by u, v and w would lose.
    const struct vec3 normal = vec3_cross(vec3_sub(v1, v0), vec3_sub(v2, v0));
    *t = vec3_dot(normal, a) / vec3_dot(normal, direction);
    return true;
}

// Moeller and Trumbore 1997, both sides, with one reciprocal.
DEVICE struct meeting meet_moeller_trumbore(struct vec3 v0, struct vec3 v1, struct vec3 v2, struct vec3 origin,
                                            struct vec3 direction)
{
    struct meeting meeting;
    const struct vec3 first = vec3_sub(v1, v0), second = vec3_sub(v2, v0);
    const struct vec3 p = vec3_cross(direction, second);
    const float inverse = 1.0f / vec3_dot(first, p);
    const struct vec3 s = vec3_sub(origin, v0), q = vec3_cross(s, first);
    meeting.u = vec3_dot(s, p) * inverse;
    meeting.v = vec3_dot(direction, q) * inverse;
    meeting.t = vec3_dot(second, q) * inverse;
    return meeting;
}

// The affine map under which a triangle is that of (0, 0), (1, 0) and (0, 1) in the plane z = 0 (Woop 2004; Schmittler
// et al. 2004): a row for each coordinate. All zero where there is none; such a triangle is never met.
struct __attribute__((aligned(16))) affine_row {
    struct vec3 normal;
    float shift;
};

struct affine_map {
    struct affine_row x, y, z;
};

DEVICE float affine_point(const struct affine_row *row, struct vec3 point)
{
    return fmaf(row->normal.x, point.x, fmaf(row->normal.y, point.y, fmaf(row->normal.z, point.z, row->shift)));
}

// Distance at which the ray meets the plane.
DEVICE float meet_affine_plane(const struct affine_row *z, struct vec3 origin, struct vec3 direction)
{
    return -affine_point(z, origin) / vec3_dot(z->normal, direction);
}

// Coordinate of the point at distance t.
DEVICE float meet_affine_at(const struct affine_row *row, struct vec3 origin, struct vec3 direction, float t)
{
    return fmaf(t, vec3_dot(row->normal, direction), affine_point(row, origin));
}
