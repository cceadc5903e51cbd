// SPDX-License-Identifier: MIT
// One extension of a path through a volume: to the next collision or to the boundary, which it passes or
// is turned back at. Every variant of the volumetric tracers calls this and nothing else to advance a path.
#pragma once

#include "lib/counting.h"
#include "volume/boundary.h"
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

// What an extension leaves for its end.
struct passed {
    uint32_t cause; // DEATH_CAUSES = the path lives
    bool collided;  // at the origin of its ray: the albedo there is still to be applied
};

// Lanes of a warp that collide in an extension read their albedos together. All lanes of `group` call this.
DEVICE void count_albedo(const struct frame_args *frame, const struct path *path, bool reads, lanemask group)
{
#if COUNTING
    enum { LINE_VOXELS = 128 / sizeof(uint32_t) };
    const uint64_t line = reads ? voxel_at(&frame->scene.volume, path->ray.origin) / LINE_VOXELS : 0;
    const lanemask readers = warp_ballot(group, reads);
    uint32_t lines = 0;
    for (lanemask left = readers; left != 0; ++lines) {
        const uint32_t leader = lanemask_lowest(left);
        const uint32_t low = warp_broadcast_u32(group, line, leader),
                       high = warp_broadcast_u32(group, line >> 32, leader);
        left &= ~warp_ballot(group, reads && line == ((uint64_t)high << 32 | low));
    }
    if (readers == 0 || lane_index() != lanemask_lowest(readers))
        return;
    count_total(frame, albedo_warps, 1);
    count_total(frame, albedo_lines, lines);
#else
    (void)frame;
    (void)path;
    (void)reads;
    (void)group;
#endif
}

// Through the inside of the box.
DEVICE struct passed pass_inside(const struct frame_args *frame, struct path *path, float leave)
{
    const uint64_t key = path_key(frame, path);
    struct passed passed = {DEATH_CAUSES, false};
    lockstep_begin(0, count_bin(path->bounce));
    const struct tracked tracked = track(frame, path, key, leave);
    lockstep_round(tracked.lookups, 0);
    lockstep_end();
    count_segment(frame, path, tracked.distance, tracked.lookups);
    path->ray.origin = vec3_fma(path->ray.direction, tracked.distance, path->ray.origin);
    passed.collided = tracked.collided;
    if (tracked.collided)
        path->ray.direction = phase_direction(frame, path->ray.direction, path_pair(key, STEP_DIRECTION));
    else
        passed.cause = cross_boundary(frame, path, key);
    return passed;
}

DEVICE struct passed pass(const struct frame_args *frame, struct path *path)
{
    struct passed passed = {DEATH_CAUSES, false};
    float near, far;
    box_span(&frame->scene.volume, &path->ray, &near, &far);
    if (path->place == VOLUME_INSIDE)
        return pass_inside(frame, path, maximum_f32(far, 0.0f));
    count_segment(frame, path, near, 0);
    if (path->place == VOLUME_BEFORE && near < far) {
        path->ray.origin = vec3_fma(path->ray.direction, near, path->ray.origin);
        passed.cause = cross_boundary(frame, path, path_key(frame, path));
        return passed;
    }
    path->weight = vec3_mul(path->weight, environment_radiance(&frame->scene.environment, path->ray.direction));
    passed.cause = DEATH_MISS;
    return passed;
}

// The first part of an extension, as far as the albedo is not needed. All lanes of `group`, and no others of the warp, call
// this together; they may be at different bounces.
DEVICE struct passed extend_begin(const struct frame_args *frame, struct path *path, lanemask group)
{
    extension_mark();
    count_warp(frame, path->bounce, group);
    return pass(frame, path);
}

// The rest of it, on whichever lane the path is by then. Returns whether the path lives; path->bounce then names its next
// extension. All lanes of `group`, and no others of the warp, call this together.
DEVICE bool extend_end(const struct frame_args *frame, struct path *path, struct passed passed, lanemask group)
{
    uint32_t cause = passed.cause;
    count_albedo(frame, path, passed.collided, group);
    if (passed.collided) {
        path->weight = vec3_mul(path->weight, albedo_at(frame, path->ray.origin));
        cause = vec3_max(path->weight) > 0.0f ? DEATH_CAUSES : DEATH_ABSORB;
    }
    if (cause == DEATH_CAUSES && path->bounce == frame->max_bounces) {
        path->weight = vec3_splat(0.0f);
        cause = DEATH_DEPTH;
        atomic_add_u32(frame->bad_values + BAD_CUT, 1u);
    }
#if COUNTING
    if (passed.collided)
        atomic_add_u64(&count_row(frame, path->bounce)->collisions, 1);
#endif
    count_death(frame, path->bounce, cause);
    count_parting(frame, cause == DEATH_CAUSES, group);
    path->bounce += 1;
    return cause == DEATH_CAUSES;
}

// Advances the path by one segment. Returns whether it lives; path->bounce then names its next extension. All lanes of
// `group`, and no others of the warp, call this together; they may be at different bounces.
DEVICE bool extend(const struct frame_args *frame, struct path *path, lanemask group)
{
    const struct passed passed = extend_begin(frame, path, group);
    return extend_end(frame, path, passed, group);
}
