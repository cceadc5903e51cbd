// SPDX-License-Identifier: MIT
// Traversal by OptiX: the tree is its own, over the triangles in their order, and scene_view.nodes is its handle.
#pragma once

#include "lib/count.h"
#include "trees/ray.h"

#if PLATFORM_OPTIX

enum { REORDER_BITS = 5, REORDER_MISS = (1 << REORDER_BITS) - 1 }; // of the key, the lowest of a material's number

// Of the triangle that was met, among those of all instances.
DEVICE uint32_t optix_slot(const struct scene_view *scene)
{
    const uint32_t slot = optixHitObjectGetPrimitiveIndex();
    return SCENE_TWO_LEVELS(scene) ? slot + scene->instances[optixHitObjectGetInstanceIndex()].slots : slot;
}

// As traverse() of any tree. The ray begins at its origin, and a hit there counts.
DEVICE struct hit traverse(const struct scene_view *scene, const struct ray *ray, float t_max, uint32_t kind,
                           uint32_t traversal, bool far_first, lanemask group, uint32_t bounce,
                           struct traversal_work *work)
{
    struct hit hit;
    const uint32_t flags =
        OPTIX_RAY_FLAG_DISABLE_ANYHIT | (kind == TRAVERSAL_ANY ? OPTIX_RAY_FLAG_TERMINATE_ON_FIRST_HIT : 0u);
    (void)traversal, (void)far_first, (void)group, (void)bounce, (void)work;
    optixTraverse((OptixTraversableHandle)scene->nodes, make_float3(ray->origin.x, ray->origin.y, ray->origin.z),
                  make_float3(ray->direction.x, ray->direction.y, ray->direction.z), 0.0f, t_max, 0.0f,
                  OptixVisibilityMask(255), flags, 0, 0, 0);
    const bool met = optixHitObjectIsHit();
    if (kind == TRAVERSAL_CLOSEST && CONFIG(scene, reorder) == REORDER_HIT)
        optixReorder();
    if (kind == TRAVERSAL_CLOSEST && CONFIG(scene, reorder) == REORDER_KEY) {
        struct triangle copy;
        optixReorder(met ? scene_triangle(scene, optix_slot(scene), &copy)->material : REORDER_MISS, REORDER_BITS);
    }
    hit.t = met ? optixHitObjectGetRayTmax() : t_max;
    hit.slot = met ? optix_slot(scene) : HIT_NONE;
    hit.id = met ? scene_triangle_id(scene, hit.slot) : HIT_NONE;
    return hit;
}

#else

// A kernel whose lanes wait for each other cannot be a program of OptiX: only TRACE_KERNELs trace, which are none here.
extern __device__ struct hit this_kernel_cannot_trace_by_optix(void);

DEVICE struct hit traverse(const struct scene_view *scene, const struct ray *ray, float t_max, uint32_t kind,
                           uint32_t traversal, bool far_first, lanemask group, uint32_t bounce,
                           struct traversal_work *work)
{
    (void)scene, (void)ray, (void)t_max, (void)kind, (void)traversal, (void)far_first, (void)group, (void)bounce;
    (void)work;
    return this_kernel_cannot_trace_by_optix();
}

#endif
