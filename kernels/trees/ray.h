// SPDX-License-Identifier: MIT
// Rays, boxes, and the arithmetic in which every tree tests the one against the other.
//
// The hit does not depend on the tree or on the order of visits, because of three rules that hold exactly in floating
// point:
//  1. a box interval is computed with monotone operations only, so a box that contains another has an interval that
//     contains the other's;
//  2. a triangle counts as hit only where the ray also meets the triangle's own box (widened like every box), and its t
//     is raised to the entry of that box: then t >= entry of every box above it, and a box is culled only when
//     entry > best t;
//  3. the closest hit is the least (t, triangle id).
//
// Where triangles were split, trees hold fragments, and a box need not hold all of a triangle whose fragment is in it.
// Rule 2 then is: a triangle counts as hit through a fragment only where the ray meets the fragment's box and t is not
// beyond its exit (but for rounding, of which other fragments of the triangle may take a share, too), and t is raised to
// its entry. So t >= entry of the fragment's box >= entry of every box above it, by rule 1, and that box is met where the
// fragment's is: no tree over the same fragments can lose the hit or find it elsewhere. Hits are a function of the list
// of fragments. Their boxes, and those of all trees over them, are in coordinates of the grid.
//
// A box whose ends a tree computes in another way (wide4 over whole triangles) must have an entry no later and an exit
// no earlier than these.
#pragma once

#include "lib/choices.h"
#include "lib/scene.h"

struct hit {
    float t;       // distance along the ray's direction; unchanged from t_max where nothing was hit
    uint32_t slot; // index into scene_view.triangles, HIT_NONE where nothing was hit
    uint32_t id;   // triangle id, HIT_NONE alike
};

#define HIT_NONE 0xFFFFFFFFu

// The ray as the box test wants it: t = plane * inverse + shift.
struct box_ray {
    struct vec3 inverse, shift;
    struct vec3 across, upward; // rows of the shear in which the ray is an axis: for the triangle test
    float pad, entry;           // in an instance: instance.pad, and where the ray enters the instance's box
};

// 1/d, kept finite so that no product below is ever NaN.
DEVICE float safe_inverse(float d)
{
    const float smallest = 8.2718061e-25f; // 2^-80
    const float magnitude = maximum_f32(fabsf(d), smallest);
    return 1.0f / (f32_bits(d) >> 31 ? -magnitude : magnitude);
}

// Rows of the shear that turns the ray into the axis of its largest component (Woop, Benthin and Wald 2013). One division for an axis and
// no branch: lanes of a warp differ in their axes.
DEVICE void shear_make(struct vec3 d, struct vec3 inverse, struct vec3 *across, struct vec3 *upward)
{
    const float x = fabsf(d.x), y = fabsf(d.y), z = fabsf(d.z);
    const bool by_z = z >= x && z >= y, by_x = !by_z && y < x;
    const float by = by_z ? inverse.z : by_x ? inverse.x : inverse.y;
    const float first = -(by_x ? d.y : d.x) * by, second = -(by_z ? d.y : d.z) * by;
    *across = vec3_make(by_x ? first : 1.0f, by_x ? 1.0f : by_z ? 0.0f : first, by_z ? first : 0.0f);
    *upward = vec3_make(by_x ? second : 0.0f, by_z ? 1.0f : by_x ? 0.0f : second, by_z ? second : 1.0f);
}

// Taken from zero, a shift is never -0, and so no t of a plane is.
DEVICE struct vec3 box_shift(struct vec3 origin, struct vec3 inverse)
{
    return vec3_make(0.0f - origin.x * inverse.x, 0.0f - origin.y * inverse.y, 0.0f - origin.z * inverse.z);
}

DEVICE struct box_ray box_ray_make(const struct ray *ray)
{
    struct box_ray box;
    box.inverse =
        vec3_make(safe_inverse(ray->direction.x), safe_inverse(ray->direction.y), safe_inverse(ray->direction.z));
    box.shift = box_shift(ray->origin, box.inverse);
    shear_make(ray->direction, box.inverse, &box.across, &box.upward);
    box.pad = box.entry = 0.0f;
    return box;
}

// Interval of a ray in one box, from t = 0: entry <= exit where they meet.
DEVICE void box_interval(const struct box_ray *ray, struct vec3 low, struct vec3 high, float *entry, float *exit)
{
    const float x0 = fmaf(low.x, ray->inverse.x, ray->shift.x), x1 = fmaf(high.x, ray->inverse.x, ray->shift.x);
    const float y0 = fmaf(low.y, ray->inverse.y, ray->shift.y), y1 = fmaf(high.y, ray->inverse.y, ray->shift.y);
    const float z0 = fmaf(low.z, ray->inverse.z, ray->shift.z), z1 = fmaf(high.z, ray->inverse.z, ray->shift.z);
    *entry = maximum_f32(maximum_f32(minimum_f32(x0, x1), minimum_f32(y0, y1)), maximum_f32(minimum_f32(z0, z1), 0.0f));
    *exit = minimum_f32(minimum_f32(maximum_f32(x0, x1), maximum_f32(y0, y1)), maximum_f32(z0, z1));
}

// Own box of a triangle, widened; the builder uses the same function, so that rule 2 holds.
DEVICE void triangle_box(const struct triangle *triangle, float pad, struct vec3 *low, struct vec3 *high)
{
    const struct vec3 a = triangle->v0, b = triangle->v1, c = triangle->v2;
    *low = vec3_make(minimum_f32(a.x, minimum_f32(b.x, c.x)) - pad, minimum_f32(a.y, minimum_f32(b.y, c.y)) - pad,
                     minimum_f32(a.z, minimum_f32(b.z, c.z)) - pad);
    *high = vec3_make(maximum_f32(a.x, maximum_f32(b.x, c.x)) + pad, maximum_f32(a.y, maximum_f32(b.y, c.y)) + pad,
                      maximum_f32(a.z, maximum_f32(b.z, c.z)) + pad);
}

// ---- the grid

// A step is a number of 16 bits, and stands for a float from 1/2 to 2: below 1 these lie 2^-16 apart, above it 2^-15. So the grid
// reaches over one and a half spans, and its first third is twice as fine as the rest.
enum { GRID_LAST = 0xFFFF };

DEVICE float grid_number(uint32_t step)
{
    return f32_from_bits(0x3F000000u | step << 8);
}

// Where step `step` of the grid lies on one axis: not decreasing in `step`.
DEVICE float grid_place(float zero, float span, uint32_t step)
{
    return fmaf(grid_number(step), span, zero);
}

// The same in coordinates of the grid: exact, as a span is a power of two.
DEVICE float grid_coordinate(float span, uint32_t step)
{
    return grid_number(step) * span;
}

DEVICE void fragment_box(const struct fragment *fragment, struct vec3 grid_span, struct vec3 *low, struct vec3 *high)
{
    const uint32_t x = fragment->box[0], y = fragment->box[1], z = fragment->box[2];
    *low = vec3_make(grid_coordinate(grid_span.x, x & 0xFFFFu), grid_coordinate(grid_span.y, y & 0xFFFFu),
                     grid_coordinate(grid_span.z, z & 0xFFFFu));
    *high = vec3_make(grid_coordinate(grid_span.x, x >> 16), grid_coordinate(grid_span.y, y >> 16),
                      grid_coordinate(grid_span.z, z >> 16));
}

// box_ray.shift for boxes of fragments.
// It may be -0, but a t never is: no coordinate is 0.
DEVICE struct vec3 fragment_shift(struct vec3 zero, struct vec3 origin, struct vec3 inverse)
{
    return vec3_make((zero.x - origin.x) * inverse.x, (zero.y - origin.y) * inverse.y, (zero.z - origin.z) * inverse.z);
}

// The same where triangles are whole: box_ray_make's shift, from where the grid's coordinates are 0.
DEVICE struct vec3 grid_shift(struct vec3 zero, const struct box_ray *box)
{
    return vec3_make(fmaf(zero.x, box->inverse.x, box->shift.x), fmaf(zero.y, box->inverse.y, box->shift.y),
                     fmaf(zero.z, box->inverse.z, box->shift.z));
}
