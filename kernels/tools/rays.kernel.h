// SPDX-License-Identifier: MIT
// Closest hits of many rays by the traversal of every variant, and nothing else: what `warpstudy bench rays` times.
#pragma once

#include "lib/frame.h"
#include "trees/traverse.h"

// Layout of the ray files that traversal benchmarks exchange. Aligned, so that a GPU loads four words at once.
struct __attribute__((aligned(16))) ray_input {
    float origin[3], t_min, direction[3], t_max; // t_min is not looked at
};

struct __attribute__((aligned(8))) ray_output {
    float t;     // t_max where nothing was hit
    uint32_t id; // of the triangle; HIT_NONE
};

// What the instrumented build counts of a ray: inner nodes, and how many of its warp's rounds it took.
struct ray_work {
    uint32_t nodes, rounds;
};

struct trace_rays_args {
    struct scene_view scene; // nodes, triangles and box_pad are read
    struct config config;    // traversal and far_first
    const struct ray_input *rays;
    struct ray_output *hits;
    uint32_t count;
    struct ray_work *work; // written by the instrumented build
};

// Rays and hits are touched once, and should not take the tree's place in the caches.
DEVICE struct ray_input ray_fetch(const struct ray_input *from)
{
    const struct float4 origin = load_once((const struct float4 *)from),
                        direction = load_once((const struct float4 *)from + 1);
    struct ray_input ray;
    ray.origin[0] = origin.x;
    ray.origin[1] = origin.y;
    ray.origin[2] = origin.z;
    ray.t_min = origin.w;
    ray.direction[0] = direction.x;
    ray.direction[1] = direction.y;
    ray.direction[2] = direction.z;
    ray.t_max = direction.w;
    return ray;
}

DEVICE void hit_store(struct ray_output *to, const struct hit *hit)
{
    store_once((struct uint2 *)to, make_uint2(f32_bits(hit->t), hit->id));
}

// One lane, one ray.
TRACE_KERNEL(trace_rays, struct trace_rays_args)
{
    const uint32_t i = block_index() * block_size() + thread_index();
    const bool inside = i < args->count;
    const uint32_t traversal = (uint32_t)CONFIG(args, traversal);
    lanemask group = 0; // wanted by one traversal; the vote costs the other 4 registers and 3 % of the time
    if (traversal != TRAVERSAL_WHILE_WHILE)
        group = warp_staying(inside);
    if (!inside)
        return;
    const struct ray_input from = ray_fetch(&args->rays[i]);
    struct ray ray;
    struct traversal_work work = traversal_work_none();
    ray.origin = vec3_make(from.origin[0], from.origin[1], from.origin[2]);
    ray.direction = vec3_make(from.direction[0], from.direction[1], from.direction[2]);
    const struct hit hit = traverse(&args->scene, &ray, from.t_max, TRAVERSAL_CLOSEST, traversal,
                                    CONFIG(args, far_first) != 0, group, 0, &work);
    hit_store(&args->hits[i], &hit);
#if COUNTING
    args->work[i].nodes = work.nodes;
    args->work[i].rounds = work.rounds;
#endif
}
