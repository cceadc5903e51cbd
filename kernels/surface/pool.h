// SPDX-License-Identifier: MIT
// A pool of slots: the state of paths in flight between the stages of a pipeline, one array a word, so that a warp's
// lanes read neighbours. What a stage needs of a slot it loads, what it changes it stores.
#pragma once

#include "surface/direct.h"

enum pool_word {
    POOL_RAY = 0,        // origin, direction
    POOL_WEIGHT = 6,     // x, y, z
    POOL_GENERATOR = 9,  // of the padded sampler
    POOL_PIXEL = 10,     // x | y << 16
    POOL_FLAGS = 11,     // sample << 16 | bounce << 1 | after_specular; POOL_DEAD: no path
    POOL_RADIANCE = 12,  // r, g, b
    POOL_HIT = 15,       // t, slot of the triangle (HIT_NONE)
    POOL_MATERIAL = 17,  // index << 1 | front
    POOL_EXTENSION = 18, // words that every pipeline keeps
    POOL_POSITION = 18,  // where stages between trace and next are launched one by one:
    POOL_NORMAL = 21,    // turned towards the viewer
    POOL_THROUGH = 24,   // surface.through
    POOL_LIGHT = 25,     // direction, radiance, distance, density; density 0: no shadow ray
    POOL_OCCLUDED = 33,
    POOL_WORDS = 34
};

// Words of a slot that a stage reads and writes, where the path neither ends nor begins. A stage that reads the path
// for its random numbers or its counts alone is taken to read what an uninstrumented build reads.
// The pixel that a shadow ray's number depends on with `opacity: scene` is not included.
enum pool_traffic {
    POOL_TRAFFIC_TRACE = 1 + 6 + 3,            // flags, ray; hit and material
    POOL_TRAFFIC_SURFACE = 15 + 3 + 3 + 7 + 1, // path, hit; radiance, surface
    POOL_TRAFFIC_LIGHT = 3 + 7 + 3 + 8,        // generator, pixel, flags, surface but `through`, direction; light
    POOL_TRAFFIC_SHADOW = 1 + 3 + 8 + 1,       // flags, position, light; occluded
    POOL_TRAFFIC_SHADE = 9 + 9 + 7 + 3 + 3, // light and occluded, surface and direction, weight and radiance; radiance
    POOL_TRAFFIC_NEXT = 15 + 8 + 15,        // path, surface; path
    POOL_TRAFFIC_LOGIC = 15 + 3 + 15        // path, hit; path
};

#define POOL_DEAD 0xFFFFFFFFu

struct pool {
    uint32_t *words; // slots of each
    uint32_t slots;
};

DEVICE uint32_t *pool_at(const struct pool *pool, uint32_t slot, uint32_t word)
{
    return &pool->words[(uint64_t)word * pool->slots + slot];
}

DEVICE float pool_f32(const struct pool *pool, uint32_t slot, uint32_t word)
{
    return f32_from_bits(*pool_at(pool, slot, word));
}

DEVICE struct vec3 pool_vec3(const struct pool *pool, uint32_t slot, uint32_t word)
{
    return vec3_make(pool_f32(pool, slot, word), pool_f32(pool, slot, word + 1), pool_f32(pool, slot, word + 2));
}

DEVICE void pool_set_vec3(const struct pool *pool, uint32_t slot, uint32_t word, struct vec3 v)
{
    *pool_at(pool, slot, word) = f32_bits(v.x);
    *pool_at(pool, slot, word + 1) = f32_bits(v.y);
    *pool_at(pool, slot, word + 2) = f32_bits(v.z);
}

DEVICE bool pool_lives(const struct pool *pool, uint32_t slot)
{
    return *pool_at(pool, slot, POOL_FLAGS) != POOL_DEAD;
}

DEVICE void pool_kill(const struct pool *pool, uint32_t slot)
{
    *pool_at(pool, slot, POOL_FLAGS) = POOL_DEAD;
}

// ---- paths

DEVICE struct path pool_load_path(const struct pool *pool, uint32_t slot)
{
    struct path path;
    const uint32_t flags = *pool_at(pool, slot, POOL_FLAGS);
    path.ray.origin = pool_vec3(pool, slot, POOL_RAY);
    path.ray.direction = pool_vec3(pool, slot, POOL_RAY + 3);
    path.weight = pool_vec3(pool, slot, POOL_WEIGHT);
    path.generator = *pool_at(pool, slot, POOL_GENERATOR);
    path.pixel = *pool_at(pool, slot, POOL_PIXEL);
    path.sample = flags >> 16;
    path.bounce = (flags & 0xFFFFu) >> 1;
    path.after_specular = (flags & 1u) != 0;
    path.radiance = pool_vec3(pool, slot, POOL_RADIANCE);
    path.padding = 0;
    return path;
}

DEVICE void pool_store_path(const struct pool *pool, uint32_t slot, const struct path *path)
{
    pool_set_vec3(pool, slot, POOL_RAY, path->ray.origin);
    pool_set_vec3(pool, slot, POOL_RAY + 3, path->ray.direction);
    pool_set_vec3(pool, slot, POOL_WEIGHT, path->weight);
    *pool_at(pool, slot, POOL_GENERATOR) = path->generator;
    *pool_at(pool, slot, POOL_PIXEL) = path->pixel;
    *pool_at(pool, slot, POOL_FLAGS) = path->sample << 16 | path->bounce << 1 | (uint32_t)path->after_specular;
    pool_set_vec3(pool, slot, POOL_RADIANCE, path->radiance);
}

// Whether a launch over `count` slots has one for this lane, which moves so many words of it; counted as live lanes. All lanes
// of the warp call it together.
DEVICE bool pool_lane_has(const struct frame_args *frame, uint32_t lane, uint32_t count, uint32_t words)
{
    const bool inside = lane < count;
    if (COUNTING) {
        const lanemask group = warp_ballot(warp_mask(), inside);
        if (inside)
            count_live(frame, group, words);
    }
    return inside;
}

// A path that has come to its end leaves its slot.
DEVICE void pool_end_path(const struct frame_args *frame, const struct pool *pool, uint32_t slot,
                          const struct path *path)
{
    path_end(frame, path);
    pool_kill(pool, slot);
}

// ---- what stages leave for later ones

DEVICE void pool_store_hit(const struct pool *pool, uint32_t slot, const struct hit *hit, uint32_t material)
{
    *pool_at(pool, slot, POOL_HIT) = f32_bits(hit->t);
    *pool_at(pool, slot, POOL_HIT + 1) = hit->slot;
    *pool_at(pool, slot, POOL_MATERIAL) = material << 1;
}

DEVICE struct hit pool_load_hit(const struct pool *pool, uint32_t slot, uint32_t *material)
{
    struct hit hit;
    hit.t = pool_f32(pool, slot, POOL_HIT);
    hit.slot = *pool_at(pool, slot, POOL_HIT + 1);
    hit.id = 0; // counted when it was found
    *material = *pool_at(pool, slot, POOL_MATERIAL) >> 1;
    return hit;
}

DEVICE void pool_store_surface(const struct pool *pool, uint32_t slot, const struct surface *surface, uint32_t material)
{
    pool_set_vec3(pool, slot, POOL_POSITION, surface->position);
    pool_set_vec3(pool, slot, POOL_NORMAL, surface->normal);
    *pool_at(pool, slot, POOL_THROUGH) = f32_bits(surface->through);
    *pool_at(pool, slot, POOL_MATERIAL) = material << 1 | (uint32_t)surface->front;
}

DEVICE struct surface pool_load_surface(const struct pool *pool, uint32_t slot, uint32_t *material)
{
    const uint32_t word = *pool_at(pool, slot, POOL_MATERIAL);
    struct surface surface;
    surface.position = pool_vec3(pool, slot, POOL_POSITION);
    surface.normal = pool_vec3(pool, slot, POOL_NORMAL);
    surface.through = pool_f32(pool, slot, POOL_THROUGH);
    surface.viewer = vec3_negate(pool_vec3(pool, slot, POOL_RAY + 3));
    surface.front = (word & 1u) != 0;
    *material = word >> 1;
    return surface;
}

DEVICE void pool_store_light(const struct pool *pool, uint32_t slot, const struct direct *direct)
{
    pool_set_vec3(pool, slot, POOL_LIGHT, direct->light.direction);
    pool_set_vec3(pool, slot, POOL_LIGHT + 3, direct->light.radiance);
    *pool_at(pool, slot, POOL_LIGHT + 6) = f32_bits(direct->light.distance);
    *pool_at(pool, slot, POOL_LIGHT + 7) = f32_bits(direct->wanted ? direct->light.density : 0.0f);
}

DEVICE struct light_sample pool_load_light(const struct pool *pool, uint32_t slot)
{
    struct light_sample light = light_sample_nothing();
    light.direction = pool_vec3(pool, slot, POOL_LIGHT);
    light.radiance = pool_vec3(pool, slot, POOL_LIGHT + 3);
    light.distance = pool_f32(pool, slot, POOL_LIGHT + 6);
    light.density = pool_f32(pool, slot, POOL_LIGHT + 7);
    return light;
}
