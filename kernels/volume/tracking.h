// SPDX-License-Identifier: MIT
// Free paths through a volume by Woodcock tracking: steps as through its densest voxel, or the densest one near by, each
// end of which is a collision with the chance that the density there has in the largest one.
#pragma once

#include "volume/bricks.h"
#include "volume/lookup.h"
#include "volume/path.h"

struct tracked {
    float distance; // of the collision, or `leave`
    uint32_t lookups;
    bool collided;
};

DEVICE struct tracked tracked_none(void)
{
    struct tracked tracked;
    tracked.distance = 0.0f;
    tracked.lookups = 0;
    tracked.collided = false;
    return tracked;
}

// With the densest voxel of all.
DEVICE struct tracked track_in_box(const struct frame_args *frame, const struct ray *ray, uint64_t key, float leave)
{
    const struct volume_view *volume = &frame->scene.volume;
    struct tracked tracked = tracked_none();
    for (uint32_t step = (uint32_t)STEP_TRACK; !tracked.collided; ++step) {
        const struct pair pair = path_pair(key, step);
        tracked.distance -= logarithm(1.0f - pair.u) * volume->mean_free_path;
        if (!(tracked.distance < leave)) {
            tracked.distance = leave;
            break;
        }
        const struct vec3 p = vec3_fma(ray->direction, tracked.distance, ray->origin);
        tracked.lookups += 1;
        count_lookup(volume, p);
        tracked.collided = pair.v * volume->density_top < density_at(frame, p);
    }
    return tracked;
}

// With the densest voxel of each brick. The optical depth to the next candidate is drawn once and spent brick by brick.
DEVICE struct tracked track_in_bricks(const struct frame_args *frame, const struct ray *ray, uint64_t key, float leave)
{
    const struct volume_view *volume = &frame->scene.volume;
    struct tracked tracked = tracked_none();
    struct brick_walk walk = brick_walk_begin(volume, ray);
    for (uint32_t step = (uint32_t)STEP_TRACK; !tracked.collided; ++step) {
        const struct pair pair = path_pair(key, step);
        if (!brick_walk_on(volume, ray, &walk, -logarithm(1.0f - pair.u), leave)) {
            tracked.distance = leave;
            break;
        }
        tracked.distance = walk.distance;
        const struct vec3 p = vec3_fma(ray->direction, tracked.distance, ray->origin);
        tracked.lookups += 1;
        count_lookup(volume, p);
        tracked.collided = pair.v * walk.top < density_at(frame, p);
    }
    return tracked;
}

// Along the path's ray, as far as `leave`.
DEVICE struct tracked track(const struct frame_args *frame, const struct path *path, uint64_t key, float leave)
{
    if (CONFIG(frame, majorant) == MAJORANT_BRICKS)
        return track_in_bricks(frame, &path->ray, key, leave);
    return track_in_box(frame, &path->ray, key, leave);
}
