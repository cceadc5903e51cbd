// SPDX-License-Identifier: MIT
// Free paths through a volume by Woodcock tracking: steps as through its densest voxel, each end of which is a
// collision with the chance that the density there has in the largest one.
#pragma once

#include "volume/lookup.h"
#include "volume/path.h"

struct tracked {
    float distance; // of the collision, or `leave`
    uint64_t voxel; // where it is
    uint32_t lookups;
    bool collided;
};

// Along the path's ray, as far as `leave`.
DEVICE struct tracked track(const struct frame_args *frame, const struct path *path, uint64_t key, float leave)
{
    const struct volume_view *volume = &frame->scene.volume;
    struct tracked tracked;
    tracked.distance = 0.0f;
    tracked.voxel = 0;
    tracked.lookups = 0;
    tracked.collided = false;
    for (uint32_t step = (uint32_t)STEP_TRACK; !tracked.collided; ++step) {
        const struct pair pair = path_pair(key, step);
        tracked.distance -= logarithm(1.0f - pair.u) * volume->mean_free_path;
        if (!(tracked.distance < leave)) {
            tracked.distance = leave;
            break;
        }
        tracked.voxel = voxel_at(volume, vec3_fma(path->ray.direction, tracked.distance, path->ray.origin));
        tracked.lookups += 1;
        count_lookup(volume, vec3_fma(path->ray.direction, tracked.distance, path->ray.origin));
        tracked.collided = pair.v * 255.0f < (float)volume->density[tracked.voxel];
    }
    return tracked;
}
