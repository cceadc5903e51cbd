// SPDX-License-Identifier: MIT
// A volume's box and what stands in its voxels: the nearest one, nothing between them.
#pragma once

#include "lib/scene.h"

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

// An albedo of 1 is 1 exactly.
DEVICE struct vec3 voxel_albedo(const struct volume_view *volume, uint64_t voxel)
{
    const uint32_t rgb = volume->albedo[voxel];
    return vec3_make((float)(rgb & 0xFFu) / 255.0f, (float)(rgb >> 8 & 0xFFu) / 255.0f,
                     (float)(rgb >> 16 & 0xFFu) / 255.0f);
}
