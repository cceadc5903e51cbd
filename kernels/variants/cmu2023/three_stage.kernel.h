// SPDX-License-Identifier: MIT
// C-3S: three stages. Logic ends paths, gives slots new ones, and deals with mirrors and glass; other materials wait in
// queues, each with a kernel of its own; extend finds closest hits (docs/variants.md, "Wavefronts").
#pragma once

#include "variants/cmu2023/entries.h"

enum { MATERIAL_ANY = 0xFF }; // of a queue that several kinds share

// Words of a slot as in enum pool_traffic: logic leaves radiance, surface and an entry of a list to the material.
enum { THREE_STAGE_LOGIC = 15 + 3 + 3 + 7 + 1, THREE_STAGE_MATERIAL = 1 + 15 + 7 + 15 };

WAVEFRONT_KERNELS(three_stage)

// Queue of a material that is no mirror or glass.
DEVICE uint32_t three_stage_queue(const struct frame_args *frame, int32_t queues, uint32_t kind)
{
    if (CONFIG(frame, materials) == MATERIALS_TREE && queues == QUEUES_MATERIAL && kind > MATERIAL_CARPAINT)
        return kind == MATERIAL_GLOSSY ? 3 : kind == MATERIAL_REFLECTIVE ? 4 : 5;
    if (queues == QUEUES_MERGED || kind == MATERIAL_LAMBERT)
        return 0;
    return queues == QUEUES_MATTE || kind == MATERIAL_BLINN ? 1 : 2;
}

enum fate { FATE_ENDS, FATE_LIVES, FATE_QUEUED };

// What logic does for a path that has been traced; *queue is set where it is to be queued.
DEVICE enum fate three_stage_hit(const struct wavefront_args *args, uint32_t slot, struct path *path, uint32_t *queue)
{
    const struct frame_args *frame = &args->frame;
    const struct pool *pool = &args->pool;
    uint32_t index;
    const struct hit hit = pool_load_hit(pool, slot, &index);
    if (hit.slot == HIT_NONE) {
        add_environment(frame, path);
        extension_end(frame, path, DEATH_MISS);
        return FATE_ENDS;
    }
    const struct material material = material_met(frame, path, index);
    const struct surface surface = surface_at(frame, path, &hit);
    add_emission(frame, path, &surface, &material);
    const bool last = path->bounce == frame->max_bounces && CONFIG(frame, lighting) != LIGHTING_DIRECT;
    if (last || material_is_specular(frame, &material))
        return go_on(frame, path, &surface, &material) ? FATE_LIVES : FATE_ENDS;
    pool_set_vec3(pool, slot, POOL_RADIANCE, path->radiance);
    pool_store_surface(pool, slot, &surface, index);
    *queue = three_stage_queue(frame, args->queues, material.kind);
    return FATE_QUEUED;
}

// Of paths that have been traced logic evaluates mirrors and glass alone. All lanes of `group` call this together.
DEVICE void count_specular(const struct wavefront_args *args, uint32_t slot, const struct path *path, lanemask group)
{
    if (COUNTING) {
        uint32_t index;
        const struct hit hit = pool_load_hit(&args->pool, slot, &index);
        const struct material material = material_met(&args->frame, path, hit.slot == HIT_NONE ? 0u : index);
        count_branch(&args->frame, BRANCH_HIT, path->bounce, hit.slot == HIT_NONE, group);
        count_shading(&args->frame, path->bounce, group,
                      hit.slot != HIT_NONE && material_is_specular(&args->frame, &material) &&
                          !material_is_hole(&args->frame, &material) && shades(&args->frame, path),
                      material.kind);
    }
}

// Logic decides for paths that it does not queue. All lanes of `group` call this together.
DEVICE void count_decided(const struct frame_args *frame, uint32_t bounce, enum fate fate, lanemask group)
{
    if (COUNTING) {
        const lanemask decided = warp_ballot(group, fate != FATE_QUEUED);
        if (fate != FATE_QUEUED)
            count_branch(frame, BRANCH_END, bounce, fate == FATE_LIVES, decided);
    }
}

// Whether the slot has a ray to trace when logic is done with it; *queue as above.
DEVICE bool three_stage_advance(const struct wavefront_args *args, uint32_t slot, lanemask group, uint32_t *queue)
{
    struct path path = pool_load_path(&args->pool, slot);
    count_specular(args, slot, &path, group);
    const uint32_t bounce = path.bounce;
    const enum fate fate = three_stage_hit(args, slot, &path, queue);
    count_decided(&args->frame, bounce, fate, group);
    if (fate == FATE_LIVES)
        pool_store_path(&args->pool, slot, &path);
    if (fate != FATE_ENDS)
        return fate == FATE_LIVES;
    wavefront_end(args, slot, &path);
    return wavefront_next(args, slot);
}

KERNEL(three_stage_logic, struct wavefront_args)
{
    uint32_t slot, queue = WAVEFRONT_QUEUES;
    lanemask group;
    bool ray = false;
    if (wavefront_lives(args, THREE_STAGE_LOGIC, &slot, &group))
        ray = three_stage_advance(args, slot, group, &queue);
    else if (slot < args->count && !wavefront_retired(args, slot)) // its path has ended at a material
        ray = wavefront_next(args, slot);
    wavefront_ray(args, slot, ray);
    for (uint32_t i = 0; i < args->queue_count; ++i)
        list_put(&args->frame, &args->lists, &args->counters->listed[LIST_MATERIAL + i], LIST_MATERIAL + i, slot,
                 queue == i);
}

// All that is left of the extension at a material of kind `kind`.
DEVICE void three_stage_material(const struct wavefront_args *args, uint32_t kind)
{
    const struct frame_args *frame = &args->frame;
    uint32_t slot, index;
    lanemask group;
    bool lives = wavefront_lives(args, THREE_STAGE_MATERIAL, &slot, &group);
    if (lives) {
        list_served(frame, &args->lists, LIST_MATERIAL + args->queue, slot);
        struct path path = pool_load_path(&args->pool, slot);
        const struct surface surface = pool_load_surface(&args->pool, slot, &index);
        struct material material = material_of(frame, index);
        const uint32_t bounce = path.bounce;
        count_shading(frame, bounce, group, true, material.kind);
        material.kind =
            kind == MATERIAL_ANY ? material.kind : kind; // so that a kernel holds the code of its kind alone
        if (CONFIG(frame, lighting) == LIGHTING_DIRECT)
            add_direct_light(frame, &path, &surface, &material, group);
        lives = go_on(frame, &path, &surface, &material);
        count_branch(frame, BRANCH_END, bounce, lives, group);
        if (lives)
            pool_store_path(&args->pool, slot, &path);
        else
            wavefront_end(args, slot, &path);
    }
    wavefront_ray(args, slot, lives);
}

// The same of kinds that only `materials: tree` has: empty where it is another set.
DEVICE void three_stage_tree_material(const struct wavefront_args *args, uint32_t kind)
{
    if (CONFIG(&args->frame, materials) == MATERIALS_TREE)
        three_stage_material(args, kind);
}

TRACE_KERNEL(three_stage_matte, struct wavefront_args)
{
    three_stage_material(args, MATERIAL_LAMBERT);
}

TRACE_KERNEL(three_stage_glossy, struct wavefront_args)
{
    three_stage_material(args, MATERIAL_BLINN);
}

TRACE_KERNEL(three_stage_coated, struct wavefront_args)
{
    three_stage_material(args, MATERIAL_CARPAINT);
}

TRACE_KERNEL(three_stage_microfacet, struct wavefront_args)
{
    three_stage_tree_material(args, MATERIAL_GLOSSY);
}

TRACE_KERNEL(three_stage_metal, struct wavefront_args)
{
    three_stage_tree_material(args, MATERIAL_REFLECTIVE);
}

TRACE_KERNEL(three_stage_mixed, struct wavefront_args)
{
    three_stage_tree_material(args, MATERIAL_BLEND);
}

TRACE_KERNEL(three_stage_any, struct wavefront_args)
{
    three_stage_material(args, MATERIAL_ANY);
}
