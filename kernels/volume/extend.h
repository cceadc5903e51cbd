// SPDX-License-Identifier: MIT
// One extension of a path through a volume: to the next collision or to the boundary, which it passes straight through
// (variants.md 4.0). Every variant of the volumetric tracers calls this and nothing else to advance a path.
#pragma once

#include "lib/counting.h"
#include "volume/phase.h"
#include "volume/tracking.h"

DEVICE void count_segment(const struct frame_args *frame, const struct path *path, float distance, uint32_t lookups)
{
#if COUNTING
    struct bounce_counts *row = count_row(frame, path->bounce);
    uint64_t bits = mix64(path_key(frame, path) ^ ((uint64_t)f32_bits(distance) << 32 | lookups));
    bits = mix64(bits ^ ((uint64_t)f32_bits(path->ray.direction.x) << 32 | f32_bits(path->ray.direction.y)));
    bits = mix64(bits ^ ((uint64_t)f32_bits(path->ray.direction.z) << 32 | f32_bits(path->weight.x)));
    atomic_add_u64(&row->path_hash, bits);
    atomic_add_u64(&row->lookups, lookups);
#else
    (void)frame;
    (void)path;
    (void)distance;
    (void)lookups;
#endif
}

// Through the inside of the box. DEATH_CAUSES = the path lives.
DEVICE uint32_t pass_inside(const struct frame_args *frame, struct path *path, float leave)
{
    const uint64_t key = path_key(frame, path);
    const struct tracked tracked = track(frame, path, key, leave);
    count_segment(frame, path, tracked.distance, tracked.lookups);
    path->ray.origin = vec3_fma(path->ray.direction, tracked.distance, path->ray.origin);
    if (!tracked.collided) {
        path->place = VOLUME_BEHIND;
        return DEATH_CAUSES;
    }
    path->weight = vec3_mul(path->weight, albedo_at(frame, path->ray.origin));
    path->ray.direction = phase_direction(frame, path->ray.direction, path_pair(key, STEP_DIRECTION));
    return vec3_max(path->weight) > 0.0f ? DEATH_CAUSES : DEATH_ABSORB;
}

DEVICE uint32_t pass(const struct frame_args *frame, struct path *path)
{
    float near, far;
    box_span(&frame->scene.volume, &path->ray, &near, &far);
    if (path->place == VOLUME_INSIDE)
        return pass_inside(frame, path, maximum_f32(far, 0.0f));
    count_segment(frame, path, near, 0);
    if (path->place == VOLUME_BEFORE && near < far) {
        path->ray.origin = vec3_fma(path->ray.direction, near, path->ray.origin);
        path->place = VOLUME_INSIDE;
        return DEATH_CAUSES;
    }
    path->weight = vec3_mul(path->weight, environment_radiance(&frame->scene.environment, path->ray.direction));
    return DEATH_MISS;
}

// Advances the path by one segment. Returns whether it lives; path->bounce then names its next extension. All lanes of
// `group`, and no others of the warp, call this together; they may be at different bounces.
DEVICE bool extend(const struct frame_args *frame, struct path *path, lanemask group)
{
    extension_mark();
    count_warp(frame, path->bounce, group);
    uint32_t cause = pass(frame, path);
    if (cause == DEATH_CAUSES && path->bounce == frame->max_bounces) {
        path->weight = vec3_splat(0.0f);
        cause = DEATH_DEPTH;
    }
    count_death(frame, path->bounce, cause);
    path->bounce += 1;
    return cause == DEATH_CAUSES;
}
