// SPDX-License-Identifier: MIT
// One extension of a path: trace, light, decide, scatter (variants.md 1.1; Wald 2011, sections 3 and 3.2). Every
// variant of the surface tracers calls this and nothing else to advance a path, so that they differ in scheduling
// alone.
#pragma once

#include "lib/counting.h"
#include "surface/bsdf.h"
#include "surface/lights.h"

enum { ROULETTE_NONE, ROULETTE_WEIGHT5, ROULETTE_YOCTO };

// ---- counting

DEVICE void count_closest(const struct frame_args *frame, const struct path *path, const struct hit *hit,
                          const struct traversal_work *work, uint32_t material)
{
#if COUNTING
    struct bounce_counts *row = count_row(frame, path->bounce);
    atomic_add_u64(&row->nodes, work->nodes);
    atomic_add_u64(&row->triangles, work->triangles);
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

// Ends an extension: `cause` DEATH_CAUSES = the path lives. Returns whether it does.
DEVICE bool extension_end(const struct frame_args *frame, struct path *path, uint32_t cause)
{
    count_death(frame, path->bounce, cause);
    path->bounce += 1;
    path->generator = generator_next(path->generator);
    return cause == DEATH_CAUSES;
}

// ---- the steps of an extension

struct surface {
    struct vec3 position, normal; // normal: geometric, turned towards the viewer
    struct vec3 viewer;           // unit vector back along the ray
    bool front;                   // the viewer is on the side that the triangle's own normal points to
};

DEVICE struct surface surface_at(const struct frame_args *frame, const struct path *path, const struct hit *hit)
{
    const struct triangle *triangle = &frame->scene.triangles[hit->slot];
    struct surface surface;
    surface.position = vec3_fma(path->ray.direction, hit->t, path->ray.origin);
    surface.normal = vec3_normalize(triangle_cross(triangle));
    surface.viewer = vec3_negate(path->ray.direction);
    surface.front = vec3_dot(surface.normal, surface.viewer) >= 0.0f;
    if (!surface.front)
        surface.normal = vec3_negate(surface.normal);
    return surface;
}

// Origin of a ray that leaves the surface on the side of `direction`.
DEVICE struct vec3 surface_leave(const struct frame_args *frame, const struct surface *surface, struct vec3 direction)
{
    const float offset = frame->scene.ray_offset;
    return vec3_fma(surface->normal, vec3_dot(direction, surface->normal) >= 0.0f ? offset : -offset,
                    surface->position);
}

// Whether light that the path meets by itself counts: where light sampling could not have found it (variants.md 1.1).
DEVICE bool sees_emission(const struct frame_args *frame, const struct path *path)
{
    return path->bounce == 0 || path->after_specular || CONFIG(frame, lighting) != LIGHTING_DIRECT;
}

DEVICE struct vec3 reflected_light(const struct frame_args *frame, const struct path *path,
                                   const struct surface *surface, const struct material *material,
                                   const struct light_sample *light)
{
    const float cosine = vec3_dot(light->direction, surface->normal);
    const struct vec3 brdf = bsdf_evaluate(frame, material, surface->normal, surface->viewer, light->direction);
    return vec3_mul(vec3_mul(path->weight, brdf), vec3_scale(light->radiance, cosine / light->density));
}

// Samples one light and adds what it sends to the viewer. Lanes of `group` call this together where the traversal is
// speculative; `wanted` says which of them sample at all.
DEVICE void add_direct_light(const struct frame_args *frame, struct path *path, const struct surface *surface,
                             const struct material *material, bool wanted, lanemask group)
{
    struct light_sample light = light_sample_nothing();
    // A light's distance counts from where the shadow ray begins: from the surface itself it would reach into a light
    // that is nearer than 10,000 times the offset, and be stopped by it.
    struct ray ray;
    ray.origin = surface_leave(frame, surface, surface->normal);
    if (wanted)
        light = light_sample_direction(frame, path, ray.origin, path_random(frame, path, DIMENSION_LIGHT_KIND));
    const bool shadow = light.density > 0.0f && vec3_dot(light.direction, surface->normal) > 0.0f;
    lanemask together = group;
    if (CONFIG(frame, traversal) == TRAVERSAL_SPECULATIVE)
        together = warp_ballot(group, shadow);
    if (!shadow)
        return;
    ray.direction = light.direction;
    struct traversal_work work;
    work.nodes = 0;
    work.triangles = 0;
    const struct hit blocker =
        traverse(&frame->scene, &ray, light.distance, TRAVERSAL_ANY, (uint32_t)CONFIG(frame, traversal),
                 CONFIG(frame, far_first) != 0, together, path->bounce, &work);
    const bool occluded = blocker.slot != HIT_NONE;
    count_shadow(frame, path, occluded, &work);
    if (!occluded)
        path->radiance = vec3_add(path->radiance, reflected_light(frame, path, surface, material, &light));
}

// True where the path survives; the survivor's weight is divided by its chance (variants.md 1.5).
DEVICE bool roulette(const struct frame_args *frame, struct path *path)
{
    float chance = 1.0f;
    if (CONFIG(frame, roulette) == ROULETTE_WEIGHT5)
        chance = vec3_luminance(path->weight) / 0.05f;
    else if (CONFIG(frame, roulette) == ROULETTE_YOCTO && path->bounce > 3)
        chance = minimum_f32(0.99f, vec3_max(path->weight));
    if (chance >= 1.0f)
        return true;
    if (!(path_random(frame, path, DIMENSION_ROULETTE) < chance))
        return false;
    path->weight = vec3_scale(path->weight, 1.0f / chance);
    return true;
}

DEVICE struct bsdf_sample scatter_by_bsdf(const struct frame_args *frame, const struct path *path,
                                          const struct surface *surface, const struct material *material)
{
    return bsdf_sample_direction(
        frame, material, surface->normal, surface->viewer, surface->front, path_random(frame, path, DIMENSION_LOBE),
        path_random(frame, path, DIMENSION_DIRECTION_U), path_random(frame, path, DIMENSION_DIRECTION_V));
}

// LIGHT-MIX (variants.md 1.3): half of the directions are drawn from the lights instead, and a direction's weight is
// over the density of the mixture. A mirror lobe of a material that has others is drawn half as often.
DEVICE struct bsdf_sample scatter_by_mixture(const struct frame_args *frame, const struct path *path,
                                             const struct surface *surface, const struct material *material)
{
    const float kind = 2.0f * path_random(frame, path, DIMENSION_LIGHT_KIND);
    const struct vec3 from = surface_leave(frame, surface, surface->normal);
    struct light_sample light = light_sample_nothing();
    struct bsdf_sample sample;
    if (kind < 1.0f) {
        light = light_sample_direction(frame, path, from, kind);
        sample.direction = light.direction;
        sample.weight = vec3_splat(0.0f);
        sample.specular = false;
        sample.valid = light.density > 0.0f;
    } else {
        sample = bsdf_draw(material, surface->normal, surface->viewer, surface->front,
                           path_random(frame, path, DIMENSION_LOBE), path_random(frame, path, DIMENSION_DIRECTION_U),
                           path_random(frame, path, DIMENSION_DIRECTION_V));
    }
    if (sample.specular) {
        sample.weight = dummy_shading(frame, vec3_scale(sample.weight, 2.0f));
        return sample;
    }
    const float cosine = vec3_dot(sample.direction, surface->normal);
    sample.valid = sample.valid && cosine > 0.0f;
    if (!sample.valid)
        return sample;
    const float density = 0.5f * (bsdf_density(material, surface->normal, surface->viewer, sample.direction) +
                                  light.density + light_density_besides(frame, from, sample.direction, light.source));
    sample.weight = vec3_scale(bsdf_evaluate(frame, material, surface->normal, surface->viewer, sample.direction),
                               cosine / density);
    return sample;
}

// Next direction and weight. DEATH_CAUSES = the path lives.
DEVICE uint32_t scatter(const struct frame_args *frame, struct path *path, const struct surface *surface,
                        const struct material *material)
{
    const bool mixed = CONFIG(frame, lighting) == LIGHTING_MIX && !material_is_specular(material);
    const struct bsdf_sample sample =
        mixed ? scatter_by_mixture(frame, path, surface, material) : scatter_by_bsdf(frame, path, surface, material);
    if (!sample.valid || !(vec3_max(sample.weight) > 0.0f))
        return DEATH_ABSORB;
    path->weight = vec3_mul(path->weight, sample.weight);
    if (!roulette(frame, path))
        return DEATH_ROULETTE;
    path->ray.origin = surface_leave(frame, surface, sample.direction);
    path->ray.direction = sample.direction;
    path->after_specular = sample.specular;
    return DEATH_CAUSES;
}

// Lights the node that the path has reached and prepares the next ray.
DEVICE uint32_t shade(const struct frame_args *frame, struct path *path, const struct hit *hit,
                      const struct material *material, lanemask group)
{
    const struct surface surface = surface_at(frame, path, hit);
    if (surface.front && sees_emission(frame, path))
        path->radiance = vec3_add(path->radiance, vec3_mul(path->weight, material->emission));
    if (CONFIG(frame, lighting) == LIGHTING_DIRECT)
        add_direct_light(frame, path, &surface, material, !material_is_specular(material), group);
    if (path->bounce == frame->max_bounces)
        return DEATH_DEPTH;
    return scatter(frame, path, &surface, material);
}

// Advances the path by one segment. Returns whether it lives; path->bounce then names its next extension. All lanes of
// `group`, and no others of the warp, call this together, at the same bounce.
DEVICE bool extend(const struct frame_args *frame, struct path *path, lanemask group)
{
    extension_mark();
    count_warp(frame, path->bounce, group);
    struct traversal_work work;
    work.nodes = 0;
    work.triangles = 0;
    const struct hit hit =
        traverse(&frame->scene, &path->ray, RAY_FOREVER, TRAVERSAL_CLOSEST, (uint32_t)CONFIG(frame, traversal),
                 CONFIG(frame, far_first) != 0, group, path->bounce, &work);
    const bool missed = hit.slot == HIT_NONE;
    lanemask together = group;
    if (CONFIG(frame, traversal) == TRAVERSAL_SPECULATIVE)
        together = warp_ballot(group, !missed);
    if (missed) {
        count_closest(frame, path, &hit, &work, 0);
        if (sees_emission(frame, path))
            path->radiance =
                vec3_add(path->radiance,
                         vec3_mul(path->weight, environment_radiance(&frame->scene.environment, path->ray.direction)));
        return extension_end(frame, path, DEATH_MISS);
    }
    const uint32_t index = frame->scene.triangles[hit.slot].material;
    count_closest(frame, path, &hit, &work, index);
    const struct material material = material_of(frame, index);
    return extension_end(frame, path, shade(frame, path, &hit, &material, together));
}
