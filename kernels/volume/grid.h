// SPDX-License-Identifier: MIT
// A volume's box and what stands in its voxels: in the nearest one, or interpolated between the centres of eight.
// No texture unit interpolates, as it would do so with 8 bits of its own; words may be read through one.
#pragma once

#include "lib/frame.h"
#include "lib/scene.h"

// A word of the densities: as grid_loads says where kernels are built for one answer, else by a plain load.
#ifdef CONFIG_grid_loads
#define GRID_LOADS(volume) CONFIG(volume, grid_loads)
#else
#define GRID_LOADS(volume) GRID_LOADS_PLAIN
#endif
#define DENSITY_WORD(volume, index)                                                                                    \
    (GRID_LOADS(volume) == GRID_LOADS_TEXTURE     ? density_texel((volume)->density_texture, (int32_t)(index))         \
     : GRID_LOADS(volume) == GRID_LOADS_READ_ONLY ? load_read_only((volume)->density + (index))                        \
                                                  : (volume)->density[index])

DEVICE uint32_t density_texel(uint64_t texture, int32_t at)
{
    uint32_t texel[4];
    load_texel(texel, texture, at); // site: inner
    return texel[0];
}

DEVICE bool box_holds(const struct volume_view *volume, struct vec3 p)
{
    return p.x > volume->low.x && p.x < volume->high.x && p.y > volume->low.y && p.y < volume->high.y &&
           p.z > volume->low.z && p.z < volume->high.z;
}

// Narrows [*near, *far] to where a ray is between two planes. Along them it is so everywhere or nowhere.
DEVICE void box_clip(float origin, float direction, float low, float high, float *near, float *far)
{
    if (direction == 0.0f) {
        *far = origin >= low && origin <= high ? *far : -1.0f;
        return;
    }
    const float a = (low - origin) / direction, b = (high - origin) / direction;
    *near = maximum_f32(*near, minimum_f32(a, b));
    *far = minimum_f32(*far, maximum_f32(a, b));
}

// The part of a ray that lies in the box; far < near where there is none.
DEVICE void box_span(const struct volume_view *volume, const struct ray *ray, float *near, float *far)
{
    *near = 0.0f;
    *far = 3.0e38f;
    box_clip(ray->origin.x, ray->direction.x, volume->low.x, volume->high.x, near, far);
    box_clip(ray->origin.y, ray->direction.y, volume->low.y, volume->high.y, near, far);
    box_clip(ray->origin.z, ray->direction.z, volume->low.z, volume->high.z, near, far);
}

DEVICE uint32_t voxel_along(float offset, float per_unit, uint32_t count)
{
    const float cell = maximum_f32(offset * per_unit, 0.0f);
    return cell < (float)count ? (uint32_t)cell : count - 1u;
}

// Index of the voxel at a point; of the nearest one where rounding took the point out of the box.
DEVICE uint64_t voxel_at(const struct volume_view *volume, struct vec3 p)
{
    const uint32_t x = voxel_along(p.x - volume->low.x, volume->voxels_per_unit.x, volume->size[0]);
    const uint32_t y = voxel_along(p.y - volume->low.y, volume->voxels_per_unit.y, volume->size[1]);
    const uint32_t z = voxel_along(p.z - volume->low.z, volume->voxels_per_unit.z, volume->size[2]);
    return ((uint64_t)z * volume->size[1] + y) * volume->size[0] + x;
}

// As stored: a share of volume->density_top. One load serves all ways to store it, so that no load depends on a condition and
// the hardware's counters see each look-up once (eight times where it is trilinear).
DEVICE float voxel_density(const struct volume_view *volume, uint64_t voxel)
{
    const uint64_t bit = voxel * volume->density_bits;
    const uint32_t word = DENSITY_WORD(volume, bit >> 5); // site: inner
    if (volume->density_bits == 32u)
        return f32_from_bits(word);
    return (float)(word >> ((uint32_t)bit & 31u) & ((1u << volume->density_bits) - 1u));
}

// In steps of 1/255.
DEVICE struct vec3 voxel_albedo_steps(const struct volume_view *volume, uint64_t voxel)
{
    const uint32_t rgb = volume->albedo[voxel];
    return vec3_make((float)(rgb & 0xFFu), (float)(rgb >> 8 & 0xFFu), (float)(rgb >> 16 & 0xFFu));
}

// ---- between voxels

// Two neighbours whose centres a point lies between along an axis, and how far it is from the first to the second; at
// the edge of the box the outermost voxel, twice.
struct neighbours {
    uint32_t first, second;
    float along; // in [0, 1)
};

DEVICE struct neighbours neighbours_along(float offset, float per_unit, uint32_t count)
{
    const float last = (float)(count - 1u);
    const float cell = minimum_f32(maximum_f32(fmaf(offset, per_unit, -0.5f), 0.0f), last);
    struct neighbours pair;
    pair.first = (uint32_t)cell;
    pair.second = pair.first + 1u < count ? pair.first + 1u : pair.first;
    pair.along = cell - (float)pair.first;
    return pair;
}

struct neighbourhood {
    struct neighbours x;
    uint64_t rows[4]; // where the four rows begin that the eight voxels are in: y first, then z
    float y, z;       // along
};

DEVICE struct neighbourhood neighbourhood_of(const struct volume_view *volume, struct vec3 p)
{
    const struct neighbours y = neighbours_along(p.y - volume->low.y, volume->voxels_per_unit.y, volume->size[1]);
    const struct neighbours z = neighbours_along(p.z - volume->low.z, volume->voxels_per_unit.z, volume->size[2]);
    struct neighbourhood around;
    around.x = neighbours_along(p.x - volume->low.x, volume->voxels_per_unit.x, volume->size[0]);
    around.rows[0] = ((uint64_t)z.first * volume->size[1] + y.first) * volume->size[0];
    around.rows[1] = ((uint64_t)z.first * volume->size[1] + y.second) * volume->size[0];
    around.rows[2] = ((uint64_t)z.second * volume->size[1] + y.first) * volume->size[0];
    around.rows[3] = ((uint64_t)z.second * volume->size[1] + y.second) * volume->size[0];
    around.y = y.along;
    around.z = z.along;
    return around;
}

// Between equal values, that value exactly.
DEVICE float between(float a, float b, float along)
{
    return fmaf(along, b - a, a);
}

DEVICE struct vec3 vec3_between(struct vec3 a, struct vec3 b, float along)
{
    return vec3_make(between(a.x, b.x, along), between(a.y, b.y, along), between(a.z, b.z, along));
}

DEVICE float row_density(const struct volume_view *volume, uint64_t row, struct neighbours x)
{
    return between(voxel_density(volume, row + x.first), voxel_density(volume, row + x.second), x.along);
}

DEVICE struct vec3 row_albedo(const struct volume_view *volume, uint64_t row, struct neighbours x)
{
    return vec3_between(voxel_albedo_steps(volume, row + x.first), voxel_albedo_steps(volume, row + x.second), x.along);
}

DEVICE float trilinear_density(const struct volume_view *volume, struct vec3 p)
{
    const struct neighbourhood n = neighbourhood_of(volume, p);
    const float near = between(row_density(volume, n.rows[0], n.x), row_density(volume, n.rows[1], n.x), n.y);
    const float far = between(row_density(volume, n.rows[2], n.x), row_density(volume, n.rows[3], n.x), n.y);
    return between(near, far, n.z);
}

DEVICE struct vec3 trilinear_albedo(const struct volume_view *volume, struct vec3 p)
{
    const struct neighbourhood n = neighbourhood_of(volume, p);
    const struct vec3 near = vec3_between(row_albedo(volume, n.rows[0], n.x), row_albedo(volume, n.rows[1], n.x), n.y);
    const struct vec3 far = vec3_between(row_albedo(volume, n.rows[2], n.x), row_albedo(volume, n.rows[3], n.x), n.y);
    return vec3_between(near, far, n.z);
}

// ---- at a point

// The density at a point, as a share of volume->density_top.
DEVICE float density_at(const struct frame_args *frame, struct vec3 p)
{
    const struct volume_view *volume = &frame->scene.volume;
    if (CONFIG(frame, interpolation) == INTERPOLATION_TRILINEAR)
        return trilinear_density(volume, p);
    return voxel_density(volume, voxel_at(volume, p));
}

// The share of light that a collision at a point leaves. An albedo of 1 is 1 exactly.
DEVICE struct vec3 albedo_at(const struct frame_args *frame, struct vec3 p)
{
    const struct volume_view *volume = &frame->scene.volume;
    const struct vec3 steps = CONFIG(frame, interpolation) == INTERPOLATION_TRILINEAR
                                  ? trilinear_albedo(volume, p)
                                  : voxel_albedo_steps(volume, voxel_at(volume, p));
    return vec3_make(steps.x / 255.0f, steps.y / 255.0f, steps.z / 255.0f);
}
