// SPDX-License-Identifier: MIT
// A walk along a ray from brick to brick, which spends optical depth at the rate of each brick's densest voxel. Bricks
// bound the layer of voxels around them too, so that a point that rounding puts into the next brick is bounded as well.
#pragma once

#include "volume/grid.h"

struct brick_axis {
    int32_t index, step, end; // of the brick; to the next one; the index behind the last
    float leave;              // distance at which the ray leaves the brick along this axis
};

struct brick_walk {
    struct brick_axis x, y, z;
    float distance;  // along the ray
    float top, rate; // of the brick: its largest density, as stored; optical depth per scene unit
};

// Distance to the plane before brick `index`, along an axis.
DEVICE float brick_plane(int32_t index, float low, float per_unit, float origin, float direction)
{
    return ((float)(index * (int32_t)BRICK_EDGE) / per_unit + low - origin) / direction;
}

DEVICE void brick_axis_leave(struct brick_axis *axis, float low, float per_unit, float origin, float direction)
{
    axis->leave = direction == 0.0f
                      ? 3.0e38f
                      : brick_plane(axis->index + (axis->step > 0 ? 1 : 0), low, per_unit, origin, direction);
}

DEVICE struct brick_axis brick_axis_begin(float low, float per_unit, uint32_t count, float origin, float direction)
{
    const uint32_t bricks = (count + BRICK_EDGE - 1u) / BRICK_EDGE;
    struct brick_axis axis;
    axis.index = (int32_t)(voxel_along(origin - low, per_unit, count) / BRICK_EDGE);
    axis.step = direction < 0.0f ? -1 : 1;
    axis.end = direction < 0.0f ? -1 : (int32_t)bricks;
    brick_axis_leave(&axis, low, per_unit, origin, direction);
    return axis;
}

DEVICE void brick_walk_enter(const struct volume_view *volume, struct brick_walk *walk)
{
    const uint32_t nx = (volume->size[0] + BRICK_EDGE - 1u) / BRICK_EDGE;
    const uint32_t ny = (volume->size[1] + BRICK_EDGE - 1u) / BRICK_EDGE;
    const uint64_t row = (uint64_t)(uint32_t)walk->z.index * ny + (uint32_t)walk->y.index;
    walk->top = volume->bricks[row * nx + (uint32_t)walk->x.index];
    walk->rate = walk->top / volume->density_top * volume->majorant;
}

// At the ray's origin, which is in the box.
DEVICE struct brick_walk brick_walk_begin(const struct volume_view *volume, const struct ray *ray)
{
    const struct vec3 o = ray->origin, d = ray->direction, low = volume->low, per_unit = volume->voxels_per_unit;
    struct brick_walk walk;
    walk.x = brick_axis_begin(low.x, per_unit.x, volume->size[0], o.x, d.x);
    walk.y = brick_axis_begin(low.y, per_unit.y, volume->size[1], o.y, d.y);
    walk.z = brick_axis_begin(low.z, per_unit.z, volume->size[2], o.z, d.z);
    walk.distance = 0.0f;
    brick_walk_enter(volume, &walk);
    return walk;
}

// To the next brick; false where that would be outside.
DEVICE bool brick_walk_step(const struct volume_view *volume, const struct ray *ray, struct brick_walk *walk)
{
    const struct vec3 o = ray->origin, d = ray->direction, low = volume->low, per_unit = volume->voxels_per_unit;
    bool inside;
    if (walk->x.leave <= walk->y.leave && walk->x.leave <= walk->z.leave) {
        walk->x.index += walk->x.step;
        inside = walk->x.index != walk->x.end;
        brick_axis_leave(&walk->x, low.x, per_unit.x, o.x, d.x);
    } else if (walk->y.leave <= walk->z.leave) {
        walk->y.index += walk->y.step;
        inside = walk->y.index != walk->y.end;
        brick_axis_leave(&walk->y, low.y, per_unit.y, o.y, d.y);
    } else {
        walk->z.index += walk->z.step;
        inside = walk->z.index != walk->z.end;
        brick_axis_leave(&walk->z, low.z, per_unit.z, o.z, d.z);
    }
    if (inside)
        brick_walk_enter(volume, walk);
    return inside;
}

// As far as an optical depth of `depth` reaches; false where that is behind `leave`.
DEVICE bool brick_walk_on(const struct volume_view *volume, const struct ray *ray, struct brick_walk *walk, float depth,
                          float leave)
{
    while (true) {
        const float nearest = minimum_f32(walk->x.leave, minimum_f32(walk->y.leave, walk->z.leave));
        const float end = maximum_f32(minimum_f32(nearest, leave), walk->distance);
        const float there = (end - walk->distance) * walk->rate;
        if (depth < there) {
            walk->distance += depth / walk->rate;
            return walk->distance < leave;
        }
        depth -= there;
        walk->distance = end;
        if (!(end < leave) || !brick_walk_step(volume, ray, walk))
            return false;
    }
}
