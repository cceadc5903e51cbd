// SPDX-License-Identifier: MIT
// The stages of a pipeline over a pool of slots (docs/variants.md, "A pipeline"): each advances the live path of one slot by one step and
// leaves the rest to the next launch. In this order they are an extension: begin (once), trace, surface, light, shadow,
// shade, next.
#pragma once

#include "surface/pool.h"
#include "surface/together.h"
#include "surface/trace.h"

DEVICE void stage_begin(const struct frame_args *frame, const struct pool *pool, uint32_t slot, uint32_t pixel,
                        uint32_t sample)
{
    const struct path path = path_begin(frame, pixel, sample);
    pool_store_path(pool, slot, &path);
}

// Closest hit. All lanes of `group`, and no others of the warp, call this together.
DEVICE void stage_trace(const struct frame_args *frame, const struct pool *pool, uint32_t slot, lanemask group)
{
    const struct path path = pool_load_path(pool, slot);
    uint32_t material;
    struct traversal_work work;
    const struct hit hit = trace_path_work(frame, &path, group, &material, &work);
    count_sectors(frame, slot, group);
    count_camera(frame, path.bounce, work.nodes + work.triangles, group);
    pool_store_hit(pool, slot, &hit, material);
}

// The surface at the hit and its emission; a path that left the scene takes the environment's light and ends. `group`, here
// and in stage_light: as in stage_trace, where lanes are counted.
DEVICE void stage_surface(const struct frame_args *frame, const struct pool *pool, uint32_t slot, lanemask group)
{
    struct path path = pool_load_path(pool, slot);
    uint32_t index;
    const struct hit hit = pool_load_hit(pool, slot, &index);
    count_branch(frame, BRANCH_HIT, path.bounce, hit.slot == HIT_NONE, group);
    if (hit.slot == HIT_NONE) {
        add_environment(frame, &path);
        extension_end(frame, &path, DEATH_MISS);
        pool_end_path(frame, pool, slot, &path);
        return;
    }
    const struct material material = material_of(frame, index);
    const struct surface surface = surface_at(frame, &path, &hit);
    add_emission(frame, &path, &surface, &material);
    pool_set_vec3(pool, slot, POOL_RADIANCE, path.radiance);
    pool_store_surface(pool, slot, &surface, index);
}

DEVICE void stage_light(const struct frame_args *frame, const struct pool *pool, uint32_t slot, lanemask group)
{
    const struct path path = pool_load_path(pool, slot);
    uint32_t index;
    const struct surface surface = pool_load_surface(pool, slot, &index);
    const struct material material = material_met(frame, &path, index);
    const struct direct direct = direct_sample(frame, &path, &surface, &material);
    count_wanted(frame, path.bounce, &direct, group);
    pool_store_light(pool, slot, &direct);
}

// Whether a shadow ray is to be traced for the slot.
DEVICE bool stage_shadow_wanted(const struct pool *pool, uint32_t slot)
{
    return pool_f32(pool, slot, POOL_LIGHT + 7) > 0.0f;
}

// Any hit. `group` as in stage_trace, of lanes that want it.
DEVICE void stage_shadow(const struct frame_args *frame, const struct pool *pool, uint32_t slot, lanemask group)
{
    const struct path path = pool_load_path(pool, slot);
    const struct light_sample light = pool_load_light(pool, slot);
    uint32_t index;
    const struct surface surface = pool_load_surface(pool, slot, &index);
    const struct ray ray = shadow_ray(&surface, &light);
    *pool_at(pool, slot, POOL_OCCLUDED) = trace_shadow(frame, &path, &ray, light.distance, group);
}

DEVICE void stage_shade(const struct frame_args *frame, const struct pool *pool, uint32_t slot)
{
    if (!stage_shadow_wanted(pool, slot) || *pool_at(pool, slot, POOL_OCCLUDED))
        return;
    const struct path path = pool_load_path(pool, slot);
    const struct light_sample light = pool_load_light(pool, slot);
    uint32_t index;
    const struct surface surface = pool_load_surface(pool, slot, &index);
    const struct material material = material_of(frame, index);
    const struct vec3 more = reflected_light(frame, &path, &surface, &material, &light);
    pool_set_vec3(pool, slot, POOL_RADIANCE, vec3_add(path.radiance, more));
}

// What becomes of the path, roulette of many apart; DEATH_CAUSES = it lives.
DEVICE uint32_t stage_fate(const struct frame_args *frame, const struct pool *pool, uint32_t slot, struct path *path)
{
    uint32_t index;
    *path = pool_load_path(pool, slot);
    const struct surface surface = pool_load_surface(pool, slot, &index);
    const struct material material = material_met(frame, path, index);
    return fate(frame, path, &surface, &material);
}

// Returns whether the path lives.
DEVICE bool stage_leave(const struct frame_args *frame, const struct pool *pool, uint32_t slot, struct path *path,
                        uint32_t cause)
{
    const bool lives = extension_end(frame, path, cause);
    if (lives)
        pool_store_path(pool, slot, path);
    else
        pool_end_path(frame, pool, slot, path);
    return lives;
}

// The bounce of the slot's path, where that is counted; 0 where there is none.
DEVICE uint32_t stage_bounce(const struct pool *pool, uint32_t slot, bool works)
{
    return COUNTING && works ? (*pool_at(pool, slot, POOL_FLAGS) & 0xFFFFu) >> 1 : 0u;
}

// Counts what the stage next has made of paths at `bounce`. All lanes of the warp call it.
DEVICE void count_fates(const struct frame_args *frame, uint32_t bounce, bool works, uint32_t cause)
{
    if (COUNTING) {
        const bool plays = bounce >= (uint32_t)ROULETTE_FIRST, lives = cause == (uint32_t)DEATH_CAUSES;
        const lanemask group = warp_ballot(warp_mask(), works);
        if (works)
            count_branch(frame, BRANCH_END, bounce, lives, group);
        count_roulette(frame, plays && lives, plays && cause == (uint32_t)DEATH_ROULETTE);
    }
}

// stage_next where roulette is shared; DEATH_CAUSES also for lanes without a path.
DEVICE uint32_t stage_next_together(const struct frame_args *frame, const struct pool *pool, uint32_t slot, bool works,
                                    uint32_t *shared)
{
    struct path path = {0};
    uint32_t cause = DEATH_CAUSES;
    if (works)
        cause = stage_fate(frame, pool, slot, &path);
    if (!roulette_together(frame, &path, works && cause == (uint32_t)DEATH_CAUSES, shared))
        cause = DEATH_ROULETTE;
    if (works)
        stage_leave(frame, pool, slot, &path, cause);
    return cause;
}

// The next ray, or the end. All lanes of the block call this; `works`: the slot has a live path. Where roulette is shared by
// a block, `shared`, the block_shared(), has roulette_words() words. Returns whether a path has ended.
DEVICE bool stage_next(const struct frame_args *frame, const struct pool *pool, uint32_t slot, bool works,
                       uint32_t *shared)
{
    const uint32_t bounce = stage_bounce(pool, slot, works);
    uint32_t cause = DEATH_CAUSES;
    bool ended = works;
    if (roulette_is_shared(frame)) {
        cause = stage_next_together(frame, pool, slot, works, shared);
        ended = cause != (uint32_t)DEATH_CAUSES;
    } else if (works) {
        struct path path;
        cause = stage_fate(frame, pool, slot, &path);
        ended = !stage_leave(frame, pool, slot, &path, cause);
    }
    count_fates(frame, bounce, works, cause);
    return ended;
}
