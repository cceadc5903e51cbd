// SPDX-License-Identifier: MIT
// The launch of rays.kernel.h with a bound: rays that a warp has not finished after some rounds go to a list, and a second
// kernel, which begins when the last blocks of the first have begun, finishes each by all lanes of a warp.
#pragma once

#include "tools/cut_rays.h"

DEVICE struct hit cut_ray_begin(const struct trace_rays_args *args, uint32_t i, struct ray *ray, struct box_ray *box)
{
    const struct ray_input from = ray_fetch(&args->rays[i]);
    struct hit hit;
    ray->origin = vec3_make(from.origin[0], from.origin[1], from.origin[2]);
    ray->direction = vec3_make(from.direction[0], from.direction[1], from.direction[2]);
    *box = box_ray_make(ray);
    if (SCENE_SPLIT(&args->scene))
        box->shift = fragment_shift(args->scene.grid_zero, ray->origin, box->inverse);
    hit.t = from.t_max;
    hit.slot = hit.id = HIT_NONE;
    return hit;
}

// One lane, one ray. The hit so far of a ray that is cut has a record's place for its id.
KERNEL(trace_bounded, struct cut_rays_args)
{
    const struct trace_rays_args *const trace = &args->trace;
    const struct scene_view *const scene = &trace->scene;
    const uint32_t first = block_index() * block_size() + thread_index();
    const bool inside = first < trace->count;
    struct ray ray;
    struct box_ray box;
    struct walk walk;
    struct pending_child stack[WIDE4_STACK] __attribute__((aligned(16)));
    launch_dependents();
    const lanemask group = warp_staying(inside);
    if (!inside)
        return;
    struct hit hit = cut_ray_begin(trace, first, &ray, &box);
    walk_count_begin(&walk);
    wide4_begin(&walk, stack, scene, &box, hit.t);
    const bool done = bounded_walk(&walk, stack, scene, &ray, &box, args->rounds, group, &hit);
    const uint32_t i = lane_number_again(); // kept in a register, it would cost the loop 2 to 3 % of its speed
    hit.id = done && hit.slot != HIT_NONE ? wide4_hit_triangle(scene, hit.slot) : hit.slot;
    hit_store(&trace->hits[i], &hit);
    if (!done)
        cut_note(&args->list, i, &walk, stack);
}

// The ray of row k of the list, by all lanes of the warp.
DEVICE void trace_cut_ray(const struct cut_rays_args *args, struct cut_pending *pending, uint32_t k, uint32_t entry,
                          lanemask all)
{
    const struct trace_rays_args *const trace = &args->trace;
    const struct scene_view *const scene = &trace->scene;
    const uint32_t i = (entry & ((1u << CUT_COUNT_SHIFT) - 1u)) - 1u;
    struct ray ray;
    struct box_ray box;
    struct walk walk;
    struct hit hit = cut_ray_begin(trace, i, &ray, &box);
    walk_count_begin(&walk);
    wide4_aim(&walk, scene, &box);
    hit.t = f32_from_bits(atomic_load_u32((const uint32_t *)&trace->hits[i].t));
    hit.id = atomic_load_u32(&trace->hits[i].id);
    if (hit.id != HIT_NONE)
        hit.id = wide4_hit_triangle(scene, hit.id);
    cut_begin(pending, args->list.groups + (size_t)k * CUT_GROUPS, entry >> CUT_COUNT_SHIFT, hit.t, all);
    cut_finish(pending, &walk, scene, &ray, &box, &hit, all);
    if (lane_index() == 0)
        hit_store(&trace->hits[i], &hit);
}

// One warp a block, CUT_SHARED bytes of shared memory. Blocks take the listed rays in turn. One whose turn is not listed yet
// waits for the end of the first kernel, and looks again; then none is left once as many turns were taken as rays listed.
KERNEL(trace_cut, struct cut_rays_args)
{
    const struct cut_list *const list = &args->list;
    struct cut_pending pending = cut_pending_of(block_shared());
    const lanemask all = warp_staying(true); // on CUDA a constant, unlike warp_mask(): votes take fewer instructions
    const uint32_t lane = lane_index();
    if (block_index() == 0 && lane == 0)
        args->other.counters[CUT_LISTED] = args->other.counters[CUT_TAKEN] = 0;
    bool first_ended = false;
    for (;;) {
        uint32_t left = 1; // whether another listed ray may have no warp yet
        const uint32_t k = warp_broadcast_u32(all, lane == 0 ? atomic_add_u32(&list->counters[CUT_TAKEN], 1u) : 0u, 0);
        uint32_t entry = warp_broadcast_u32(all, lane == 0 ? atomic_load_u32(&list->entries[k]) : 0u, 0);
        if (entry == 0) {
            launch_wait();
            first_ended = true;
            entry = warp_broadcast_u32(all, lane == 0 ? atomic_load_u32(&list->entries[k]) : 0u, 0);
        }
        if (entry == 0)
            break;
        if (!first_ended)
            memory_fence();
        block_sync(); // lane 0 read the entry: what was written before it is now visible to all lanes
        if (lane == 0) {
            atomic_store_u32(&list->entries[k], 0u);
            if (first_ended) // no more are listed, and the warp does not wait for these loads
                left = atomic_load_u32(&list->counters[CUT_TAKEN]) < atomic_load_u32(&list->counters[CUT_LISTED]);
        }
        trace_cut_ray(args, &pending, k, entry, all);
        if (!warp_broadcast_u32(all, left, 0))
            break;
    }
}
