// SPDX-License-Identifier: MIT
// The rays of a path, traced and counted: to the closest hit, and to a light.
#pragma once

#include "surface/node.h"

DEVICE void count_closest(const struct frame_args *frame, const struct path *path, const struct hit *hit,
                          const struct traversal_work *work, uint32_t material)
{
#if COUNTING
    struct bounce_counts *row = count_row(frame, path->bounce);
    atomic_add_u64(&row->nodes, work->nodes);
    atomic_add_u64(&row->triangles, work->triangles);
    atomic_add_u64(&row->node_loads, work->loads);
    atomic_add_u64(&row->never_visited, work->never_visited);
    atomic_add_u64(&row->visit_sectors, work->sectors);
    atomic_add_u64(&row->leaf_visits, work->leaves);
    atomic_add_u64(&row->leaf_lines, work->leaf_lines);
    atomic_add_u64(&row->list_lines, work->list_lines);
    atomic_add_u64(&row->node_hops, work->hops);
    atomic_add_u64(&row->hop_octaves, work->hop_octaves);
    atomic_add_u64(&row->top_nodes, work->top_nodes);
    atomic_add_u64(&row->instances_entered, work->entered);
    const uint32_t segment = path->bounce >> 6 << 22 | (path->sample * 64u + (path->bounce & 63u));
    uint64_t bits = mix64((uint64_t)path->pixel << 32 | segment);
    bits = mix64(bits ^ ((uint64_t)hit->id << 32 | f32_bits(hit->t)));
    bits = mix64(bits ^ ((uint64_t)f32_bits(path->ray.direction.x) << 32 | f32_bits(path->ray.direction.y)));
    bits = mix64(bits ^ ((uint64_t)f32_bits(path->ray.direction.z) << 32 | f32_bits(path->weight.x)));
    atomic_add_u64(&row->path_hash, bits);
    if (hit->slot != HIT_NONE)
        atomic_add_u64(&row->hits[material < COUNT_MATERIALS ? material : COUNT_MATERIALS - 1], 1);
#else
    (void)frame;
    (void)path;
    (void)hit;
    (void)work;
    (void)material;
#endif
}

DEVICE void count_shadow(const struct frame_args *frame, const struct path *path, bool occluded,
                         const struct traversal_work *work)
{
#if COUNTING
    struct bounce_counts *row = count_row(frame, path->bounce);
    atomic_add_u64(&row->shadow_rays, 1);
    atomic_add_u64(&row->occluded, occluded);
    atomic_add_u64(&row->shadow_nodes, work->nodes);
    atomic_add_u64(&row->shadow_triangles, work->triangles);
#else
    (void)frame;
    (void)path;
    (void)occluded;
    (void)work;
#endif
}

// Closest hit of the path's ray, counted as an extension. All lanes of `group`, and no others of the warp, call this
// together; they may be at different bounces. *material is that of the hit, 0 where there is none; *work the steps that
// were counted.
DEVICE struct hit trace_path_work(const struct frame_args *frame, const struct path *path, lanemask group,
                                  uint32_t *material, struct traversal_work *work)
{
    extension_mark();
    count_warp(frame, path->bounce, group);
    *work = traversal_work_none();
    const struct hit hit =
        traverse(&frame->scene, &path->ray, RAY_FOREVER, TRAVERSAL_CLOSEST, (uint32_t)CONFIG(frame, traversal),
                 CONFIG(frame, far_first) != 0, group, path->bounce, work);
    struct triangle copy;
    *material = hit.slot == HIT_NONE ? 0 : scene_triangle(&frame->scene, hit.slot, &copy)->material;
    count_closest(frame, path, &hit, work, *material);
    return hit;
}

DEVICE struct hit trace_path(const struct frame_args *frame, const struct path *path, lanemask group,
                             uint32_t *material)
{
    struct traversal_work work;
    return trace_path_work(frame, path, group, material, &work);
}

// Whether a shadow ray passes its `layer`-th hit, from 1 on; *ray and *distance are then what is left of it, with the same
// end: it starts beside its old line, by which it could end behind its light otherwise. It passes no more
// surfaces than the path itself could with the bounces that are left: so light that is sampled with B bounces is still what
// paths hit with B + 1.
DEVICE bool shadow_passes(const struct frame_args *frame, const struct path *path, const struct hit *hit,
                          uint32_t layer, struct ray *ray, float *distance)
{
    struct triangle copy;
    const uint32_t material = scene_triangle(&frame->scene, hit->slot, &copy)->material;
    if (path->bounce + layer > frame->max_bounces || !path_passes(frame, path, material, layer))
        return false;
    const struct surface surface = surface_on_ray(frame, ray, hit);
    const struct vec3 end = vec3_fma(ray->direction, *distance, ray->origin);
    ray->origin = surface_leave(&surface, ray->direction, true);
    if (*distance < RAY_FOREVER) {
        const struct vec3 left = vec3_sub(end, ray->origin);
        *distance = sqrtf(vec3_dot(left, left));
        if (*distance > 0.0f)
            ray->direction = vec3_scale(left, 1.0f / *distance);
    }
    return true;
}

// As trace_shadow where rays pass surfaces: the closest hit, which does not depend on the tree, then the next one.
DEVICE bool trace_through(const struct frame_args *frame, const struct path *path, const struct ray *ray,
                          float distance, lanemask group, struct traversal_work *work)
{
    struct ray rest = *ray;
    uint32_t layer = 0;
    bool occluded, goes_on;
    do {
        const struct hit hit =
            traverse(&frame->scene, &rest, distance, TRAVERSAL_CLOSEST, (uint32_t)CONFIG(frame, traversal),
                     CONFIG(frame, far_first) != 0, group, path->bounce, work);
        goes_on = hit.slot != HIT_NONE && shadow_passes(frame, path, &hit, ++layer, &rest, &distance);
        occluded = hit.slot != HIT_NONE && !goes_on;
        if (CONFIG(frame, traversal) != TRAVERSAL_WHILE_WHILE)
            group = warp_ballot(group, goes_on);
    } while (goes_on);
    return occluded;
}

// Whether anything stands between `ray` and its light at `distance`. `group` as above, where the traversal is
// speculative.
DEVICE bool trace_shadow(const struct frame_args *frame, const struct path *path, const struct ray *ray, float distance,
                         lanemask group)
{
    struct traversal_work work = traversal_work_none();
    bool occluded;
    if (CONFIG(frame, opacity) == OPACITY_SCENE)
        occluded = trace_through(frame, path, ray, distance, group, &work);
    else
        occluded = traverse(&frame->scene, ray, distance, TRAVERSAL_ANY, (uint32_t)CONFIG(frame, traversal),
                            CONFIG(frame, far_first) != 0, group, path->bounce, &work)
                       .slot != HIT_NONE;
    count_shadow(frame, path, occluded, &work);
    return occluded;
}
