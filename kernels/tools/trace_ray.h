// SPDX-License-Identifier: MIT
// The closest hit of a ray by the traversal of every variant, and what the kernels of `warpstudy bench rays` read and write.
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

// When a warp was where, on the timer that all multiprocessors share. All zero: the device has none that a kernel can read.
struct ray_span {
    uint64_t start, end;             // nanoseconds; of its first lane, of its last one
    uint64_t multiprocessor, unused; // number of it
};

struct trace_rays_args {
    struct scene_view scene; // nodes, triangles and box_pad are read
    struct config config;    // traversal and far_first
    const struct ray_input *rays;
    struct ray_output *hits;
    uint32_t count;
    struct ray_work *work;  // written by the instrumented build
    struct ray_span *spans; // of each warp, block by block; written by trace_ray_spans
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

// `group`: of the lanes that go through one traversal together.
DEVICE void trace_ray(const struct trace_rays_args *args, uint32_t i, lanemask group)
{
    const struct ray_input from = ray_fetch(&args->rays[i]);
    struct ray ray;
    struct traversal_work work = traversal_work_none();
    ray.origin = vec3_make(from.origin[0], from.origin[1], from.origin[2]);
    ray.direction = vec3_make(from.direction[0], from.direction[1], from.direction[2]);
    const struct hit hit = traverse(&args->scene, &ray, from.t_max, TRAVERSAL_CLOSEST,
                                    (uint32_t)CONFIG(args, traversal), CONFIG(args, far_first) != 0, group, 0, &work);
    hit_store(&args->hits[i], &hit);
#if COUNTING
    args->work[i].nodes = work.nodes;
    args->work[i].rounds = work.rounds;
#endif
}
