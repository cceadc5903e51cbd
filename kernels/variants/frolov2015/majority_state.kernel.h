// SPDX-License-Identifier: MIT
// F-UBER: all seven steps in one kernel, as states of its lanes. In each trip a warp takes the step that most of its lanes
// wait for, and only they work (docs/variants.md, "Regeneration per thread").
#pragma once

#include "lib/place.h"
#include "surface/extend.h"

enum majority_states {
    MAJORITY_REGENERATE, // where two states have as many lanes, the first of them in this order is taken
    MAJORITY_TRACE,
    MAJORITY_SURFACE,
    MAJORITY_LIGHT,
    MAJORITY_SHADOW,
    MAJORITY_SHADE,
    MAJORITY_NEXT,
    MAJORITY_DONE
};

struct majority_args {
    struct frame_args frame;
    uint32_t lanes; // lane i has the pixel places i, i + lanes, ..., one after the other, and all samples of each
};

// What a lane keeps between steps.
struct majority_lane {
    uint32_t state;
    uint32_t place, sample; // that begin next
    struct path path;
    struct hit hit;
    uint32_t material; // index
    struct surface surface;
    struct direct direct;
};

DEVICE uint32_t majority_regenerate(const struct majority_args *args, struct majority_lane *lane)
{
    const struct frame_args *frame = &args->frame;
    if (lane->place >= frame->pixel_count)
        return MAJORITY_DONE;
    lane->path = path_begin(frame, place_pixel(frame, lane->place), lane->sample);
    count_total(frame, begun, 1);
    if (++lane->sample == frame->samples) {
        lane->sample = 0;
        lane->place = frame->pixel_count - lane->place > args->lanes ? lane->place + args->lanes : frame->pixel_count;
    }
    return MAJORITY_TRACE;
}

DEVICE uint32_t majority_surface(const struct frame_args *frame, struct majority_lane *lane, lanemask group)
{
    count_branch(frame, BRANCH_HIT, lane->path.bounce, lane->hit.slot == HIT_NONE, group);
    if (lane->hit.slot == HIT_NONE) {
        add_environment(frame, &lane->path);
        extension_end(frame, &lane->path, DEATH_MISS);
        path_end(frame, &lane->path);
        return MAJORITY_REGENERATE;
    }
    const struct material material = material_of(frame, lane->material);
    lane->surface = surface_at(frame, &lane->path, &lane->hit);
    add_emission(frame, &lane->path, &lane->surface, &material);
    return MAJORITY_LIGHT;
}

DEVICE uint32_t majority_light(const struct frame_args *frame, struct majority_lane *lane, lanemask group)
{
    const struct material material = material_met(frame, &lane->path, lane->material);
    lane->direct = direct_sample(frame, &lane->path, &lane->surface, &material);
    count_wanted(frame, lane->path.bounce, &lane->direct, group);
    return lane->direct.wanted ? MAJORITY_SHADOW : MAJORITY_NEXT;
}

DEVICE uint32_t majority_shadow(const struct frame_args *frame, const struct majority_lane *lane, lanemask group)
{
    const struct ray ray = shadow_ray(&lane->surface, &lane->direct.light);
    return trace_shadow(frame, &lane->path, &ray, lane->direct.light.distance, group) ? MAJORITY_NEXT : MAJORITY_SHADE;
}

DEVICE uint32_t majority_shade(const struct frame_args *frame, struct majority_lane *lane)
{
    const struct material material = material_of(frame, lane->material);
    const struct vec3 more = reflected_light(frame, &lane->path, &lane->surface, &material, &lane->direct.light);
    lane->path.radiance = vec3_add(lane->path.radiance, more);
    return MAJORITY_NEXT;
}

DEVICE uint32_t majority_next(const struct frame_args *frame, struct majority_lane *lane, lanemask group)
{
    const uint32_t bounce = lane->path.bounce;
    const struct material material = material_met(frame, &lane->path, lane->material);
    const bool lives = go_on(frame, &lane->path, &lane->surface, &material);
    count_branch(frame, BRANCH_END, bounce, lives, group);
    if (lives)
        return MAJORITY_TRACE;
    path_end(frame, &lane->path);
    return MAJORITY_REGENERATE;
}

// One step of the lane's state. All lanes of `group`, and no others of the warp, call this together.
DEVICE uint32_t majority_step(const struct majority_args *args, struct majority_lane *lane, lanemask group)
{
    const struct frame_args *frame = &args->frame;
    switch (lane->state) {
    case MAJORITY_REGENERATE: return majority_regenerate(args, lane);
    case MAJORITY_TRACE: lane->hit = trace_path(frame, &lane->path, group, &lane->material); return MAJORITY_SURFACE;
    case MAJORITY_SURFACE: return majority_surface(frame, lane, group);
    case MAJORITY_LIGHT: return majority_light(frame, lane, group);
    case MAJORITY_SHADOW: return majority_shadow(frame, lane, group);
    case MAJORITY_SHADE: return majority_shade(frame, lane);
    default: return majority_next(frame, lane, group);
    }
}

// The state of most lanes of the warp, and which they are; none where all are done.
DEVICE lanemask majority_choose(uint32_t own, uint32_t *state)
{
    lanemask most = 0;
    for (uint32_t candidate = 0; candidate < (uint32_t)MAJORITY_DONE; ++candidate) {
        const lanemask lanes = warp_ballot(warp_mask(), own == candidate);
        if (lanemask_count(lanes) > lanemask_count(most)) {
            most = lanes;
            *state = candidate;
        }
    }
    return most;
}

KERNEL(majority_state, struct majority_args)
{
    const uint32_t index = block_index() * block_size() + thread_index();
    struct majority_lane lane = {0};
    lane.state = index < args->lanes ? (uint32_t)MAJORITY_REGENERATE : (uint32_t)MAJORITY_DONE;
    lane.place = index;
    uint32_t chosen = MAJORITY_DONE;
    lanemask group = majority_choose(lane.state, &chosen);
    while (group != 0) {
        if (lane.state == chosen) {
            count_live(&args->frame, group, 0); // its state stays in registers
            lane.state = majority_step(args, &lane, group);
        }
        group = majority_choose(lane.state, &chosen);
    }
}
