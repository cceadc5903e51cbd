// SPDX-License-Identifier: MIT
// One extension of a path: trace, light, decide, scatter (Wald 2011, sections 3 and 3.2), composed of the
// steps that pipelines launch one by one. A variant advances paths by these and nothing else, so that variants differ in
// scheduling alone.
#pragma once

#include "surface/direct.h"
#include "surface/next.h"
#include "surface/trace.h"

// All lanes of `group`, and no others of the warp, call this together where the traversal is speculative, or lanes are
// counted.
DEVICE void add_direct_light(const struct frame_args *frame, struct path *path, const struct surface *surface,
                             const struct material *material, lanemask group)
{
    const struct direct direct = direct_sample(frame, path, surface, material);
    lanemask together = group;
    if (CONFIG(frame, traversal) != TRAVERSAL_WHILE_WHILE)
        together = warp_ballot(group, direct.wanted);
    count_wanted(frame, path->bounce, &direct, group);
    if (!direct.wanted)
        return;
    const struct ray ray = shadow_ray(surface, &direct.light);
    if (!trace_shadow(frame, path, &ray, direct.light.distance, together))
        path->radiance = vec3_add(path->radiance, reflected_light(frame, path, surface, material, &direct.light));
}

// Whether a path at a surface evaluates its material: at the last one, only for light that is sampled.
DEVICE bool shades(const struct frame_args *frame, const struct path *path)
{
    return path->bounce < frame->max_bounces || CONFIG(frame, lighting) == LIGHTING_DIRECT;
}

// All lanes of `group` call this together.
DEVICE void count_evaluation(const struct frame_args *frame, const struct path *path, bool missed, uint32_t index,
                             lanemask group)
{
    if (COUNTING) {
        const struct material material = material_met(frame, path, missed ? 0u : index);
        count_branch(frame, BRANCH_HIT, path->bounce, missed, group);
        count_shading(frame, path->bounce, group, !missed && shades(frame, path) && !material_is_hole(frame, &material),
                      material.kind);
    }
}

// shade(), but for its end, which is counted where lanes meet again.
DEVICE bool shade_hit(const struct frame_args *frame, struct path *path, const struct hit *hit, uint32_t material_index,
                      lanemask group)
{
    const bool missed = hit->slot == HIT_NONE;
    lanemask together = group;
    if (COUNTING || CONFIG(frame, traversal) != TRAVERSAL_WHILE_WHILE)
        together = warp_ballot(group, !missed);
    count_evaluation(frame, path, missed, material_index, group);
    if (missed) {
        add_environment(frame, path);
        return extension_end(frame, path, DEATH_MISS);
    }
    const struct material material = material_met(frame, path, material_index);
    const struct surface surface = surface_at(frame, path, hit);
    add_emission(frame, path, &surface, &material);
    if (CONFIG(frame, lighting) == LIGHTING_DIRECT)
        add_direct_light(frame, path, &surface, &material, together);
    return go_on(frame, path, &surface, &material);
}

// Advances a path whose ray has been traced: all of an extension but that. `group` as below.
DEVICE bool shade(const struct frame_args *frame, struct path *path, const struct hit *hit, uint32_t material_index,
                  lanemask group)
{
    const uint32_t bounce = path->bounce;
    const bool lives = shade_hit(frame, path, hit, material_index, group);
    count_branch(frame, BRANCH_END, bounce, lives, group);
    return lives;
}

// Advances the path by one segment. Returns whether it lives; path->bounce then names its next extension. All lanes of
// `group`, and no others of the warp, call this together; they may be at different bounces.
DEVICE bool extend(const struct frame_args *frame, struct path *path, lanemask group)
{
    uint32_t material;
    const struct hit hit = trace_path(frame, path, group, &material);
    return shade(frame, path, &hit, material, group);
}
