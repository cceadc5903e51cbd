// SPDX-License-Identifier: MIT
// The stages of an extension as the pipelines of Frolov and Galaktionov launch them: over slots in a row or over a list
// of slots, each lane with the live path of its slot, if it has one.
#pragma once

#include "lib/block.h"
#include "lib/place.h"
#include "surface/stages.h"

// The slots of a launch: lane i has slot i, or the i-th of a list; lanes from `count` on have none.
struct step_slots {
    const uint32_t *list; // NULL: slots in a row
    uint32_t count;
    uint32_t compact; // 1: live paths gather in the first lanes of their block while rays are traced
};

// What a lane has to do in a stage.
struct step {
    uint32_t slot;
    bool works;      // the slot has a live path
    lanemask group;  // the lanes of the warp that work; 0 in stages that do not need it
    bool ended;      // the path has come to its end in this stage
    uint32_t length; // extensions of the path, with this one
};

DEVICE uint32_t step_lane(void)
{
    return block_index() * block_size() + thread_index();
}

DEVICE struct step step_begin(const struct pool *pool, const struct step_slots *slots)
{
    const uint32_t lane = step_lane();
    struct step step;
    step.works = lane < slots->count;
    step.slot = step.works && slots->list ? slots->list[lane] : lane;
    step.works = step.works && pool_lives(pool, step.slot);
    step.group = 0;
    step.ended = false;
    step.length = step.works ? ((*pool_at(pool, step.slot, POOL_FLAGS) & 0xFFFFu) >> 1) + 1u : 0u;
    return step;
}

// Words of shared memory that step_compact needs.
DEVICE uint32_t step_compact_words(uint32_t block, uint32_t warp)
{
    return block + block_rank_words(block, warp);
}

// Gives the slots with work to the first lanes of the block, in their order. All lanes of the block call it.
// `list`: step_compact_words() words of shared memory.
DEVICE void step_compact(struct step *step, uint32_t *list)
{
    uint32_t *const scratch = list + block_size();
    uint32_t working;
    const uint32_t rank = block_rank(step->works, &working, scratch);
    if (step->works)
        list[rank] = step->slot;
    block_sync();
    step->works = thread_index() < working;
    if (step->works)
        step->slot = list[thread_index()];
}

// Counts the lanes that work, each of which moves so many words of its path, and tells them of one another. All lanes of
// the warp call it.
DEVICE void step_meet(const struct frame_args *frame, struct step *step, uint32_t words)
{
    if (COUNTING || CONFIG(frame, traversal) != TRAVERSAL_WHILE_WHILE)
        step->group = warp_ballot(warp_mask(), step->works);
    if (step->works)
        count_live(frame, step->group, words);
}

DEVICE void step_trace(const struct frame_args *frame, const struct pool *pool, const struct step_slots *slots,
                       uint32_t *shared)
{
    struct step step = step_begin(pool, slots);
    if (slots->compact)
        step_compact(&step, shared);
    block_join();
    step_meet(frame, &step, POOL_TRAFFIC_TRACE);
    if (step.works)
        stage_trace(frame, pool, step.slot, step.group);
}

DEVICE struct step step_surface(const struct frame_args *frame, const struct pool *pool, const struct step_slots *slots)
{
    struct step step = step_begin(pool, slots);
    step_meet(frame, &step, POOL_TRAFFIC_SURFACE);
    if (step.works) {
        stage_surface(frame, pool, step.slot, step.group);
        step.ended = !pool_lives(pool, step.slot);
    }
    return step;
}

DEVICE void step_light(const struct frame_args *frame, const struct pool *pool, const struct step_slots *slots)
{
    struct step step = step_begin(pool, slots);
    step_meet(frame, &step, POOL_TRAFFIC_LIGHT);
    if (step.works)
        stage_light(frame, pool, step.slot, step.group);
}

DEVICE void step_shadow(const struct frame_args *frame, const struct pool *pool, const struct step_slots *slots,
                        uint32_t *shared)
{
    struct step step = step_begin(pool, slots);
    step.works = step.works && stage_shadow_wanted(pool, step.slot);
    if (slots->compact)
        step_compact(&step, shared);
    block_join();
    step_meet(frame, &step, POOL_TRAFFIC_SHADOW);
    if (step.works)
        stage_shadow(frame, pool, step.slot, step.group);
}

DEVICE void step_shade(const struct frame_args *frame, const struct pool *pool, const struct step_slots *slots)
{
    struct step step = step_begin(pool, slots);
    step_meet(frame, &step, POOL_TRAFFIC_SHADE);
    if (step.works)
        stage_shade(frame, pool, step.slot);
}

DEVICE struct step step_next(const struct frame_args *frame, const struct pool *pool, const struct step_slots *slots,
                             uint32_t *shared)
{
    struct step step = step_begin(pool, slots);
    step_meet(frame, &step, POOL_TRAFFIC_NEXT);
    step.ended = stage_next(frame, pool, step.slot, step.works, shared);
    return step;
}
