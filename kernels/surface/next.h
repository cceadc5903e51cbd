// SPDX-License-Identifier: MIT
// What becomes of a path behind a surface: its next direction, or its end.
#pragma once

#include "surface/node.h"

enum { ROULETTE_FIRST = 3 }; // bounce from which on the last three apply

// The chance of survival of the last three: the luminance of the path's weight or, where several paths share a decision
// (together.h), the greatest of theirs. 1 and more: nothing is decided.
DEVICE float roulette_chance(float luminance)
{
    return maximum_f32(0.05f, luminance);
}

// True where the path survives a chance below 1; its weight is divided by it.
DEVICE bool roulette_survives(struct path *path, float chance, float number)
{
    if (!(number < chance))
        return false;
    path->weight = vec3_scale(path->weight, 1.0f / chance);
    return true;
}

// True where the path survives, or where others share the decision, which comes later.
DEVICE bool roulette(const struct frame_args *frame, struct path *path)
{
    float chance = 1.0f;
    if (CONFIG(frame, roulette) == ROULETTE_WEIGHT5)
        chance = vec3_luminance(path->weight) / 0.05f;
    else if (CONFIG(frame, roulette) == ROULETTE_YOCTO && path->bounce > 3)
        chance = minimum_f32(0.99f, vec3_max(path->weight));
    else if (CONFIG(frame, roulette) == ROULETTE_THREAD && path->bounce >= (uint32_t)ROULETTE_FIRST)
        chance = roulette_chance(vec3_luminance(path->weight));
    return chance >= 1.0f || roulette_survives(path, chance, path_random(frame, path, DIMENSION_ROULETTE));
}

// On as the ray came, through a hole.
DEVICE struct bsdf_sample pass_through(const struct path *path)
{
    struct bsdf_sample sample;
    sample.direction = path->ray.direction;
    sample.weight = vec3_splat(1.0f);
    sample.specular = true;
    sample.valid = true;
    return sample;
}

DEVICE struct bsdf_sample scatter_by_bsdf(const struct frame_args *frame, const struct path *path,
                                          const struct surface *surface, const struct material *material)
{
    if (material_is_hole(frame, material))
        return pass_through(path);
    return bsdf_sample_direction(
        frame, material, surface->normal, surface->viewer, surface->front, path_random(frame, path, DIMENSION_LOBE),
        path_random(frame, path, DIMENSION_DIRECTION_U), path_random(frame, path, DIMENSION_DIRECTION_V));
}

// `lighting: mix`: half of the directions are drawn from the lights instead, and a direction's weight is
// over the density of the mixture. A mirror lobe of a material that has others is drawn half as often.
DEVICE struct bsdf_sample scatter_by_mixture(const struct frame_args *frame, const struct path *path,
                                             const struct surface *surface, const struct material *material)
{
    const float kind = 2.0f * path_random(frame, path, DIMENSION_LIGHT_KIND);
    struct light_sample light = light_sample_nothing();
    struct bsdf_sample sample;
    uint32_t flops = 0;
    if (kind < 1.0f) {
        light = light_sample_direction(frame, path, surface->position, kind);
        sample.direction = light.direction;
        sample.weight = vec3_splat(0.0f);
        sample.specular = false;
        sample.valid = light.density > 0.0f;
    } else {
        sample = bsdf_draw(frame, material, surface->normal, surface->viewer, surface->front,
                           path_random(frame, path, DIMENSION_LOBE), path_random(frame, path, DIMENSION_DIRECTION_U),
                           path_random(frame, path, DIMENSION_DIRECTION_V), &flops);
    }
    if (sample.specular) {
        sample.weight = dummy_shading(frame, flops, vec3_scale(sample.weight, 2.0f));
        return sample;
    }
    const float cosine = vec3_dot(sample.direction, surface->normal);
    sample.valid = sample.valid && cosine > 0.0f;
    if (!sample.valid)
        return sample;
    const float density =
        0.5f * (bsdf_density(frame, material, surface->normal, surface->viewer, sample.direction) + light.density +
                light_density_besides(frame, surface->position, sample.direction, light.source));
    sample.weight = vec3_scale(bsdf_evaluate(frame, material, surface->normal, surface->viewer, sample.direction),
                               cosine / density);
    return sample;
}

// Next direction and weight. DEATH_CAUSES = the path lives.
DEVICE uint32_t scatter(const struct frame_args *frame, struct path *path, const struct surface *surface,
                        const struct material *material)
{
    const bool mixed = CONFIG(frame, lighting) == LIGHTING_MIX && !material_is_specular(frame, material);
    const struct bsdf_sample sample =
        mixed ? scatter_by_mixture(frame, path, surface, material) : scatter_by_bsdf(frame, path, surface, material);
    if (!sample.valid || !(vec3_max(sample.weight) > 0.0f))
        return DEATH_ABSORB;
    path->weight = vec3_mul(path->weight, sample.weight);
    if (!roulette(frame, path))
        return DEATH_ROULETTE;
    path->ray.origin = surface_leave(surface, sample.direction, sample.specular);
    path->ray.direction = sample.direction;
    if (material_is_hole(frame, material))
        path->after_specular = sees_emission(frame, path); // the shadow ray before it may have passed as well
    else
        path->after_specular = sample.specular;
    return DEATH_CAUSES;
}

// What ends the path at a surface that has been lit. DEATH_CAUSES = the path lives.
DEVICE uint32_t fate(const struct frame_args *frame, struct path *path, const struct surface *surface,
                     const struct material *material)
{
    return path->bounce == frame->max_bounces ? (uint32_t)DEATH_DEPTH : scatter(frame, path, surface, material);
}

// The path's fate, met. Returns whether it lives; path->bounce then names its next extension.
DEVICE bool go_on(const struct frame_args *frame, struct path *path, const struct surface *surface,
                  const struct material *material)
{
    return extension_end(frame, path, fate(frame, path, surface, material));
}
