// SPDX-License-Identifier: MIT
// Paths through a volume in memory between kernels or trips: 12 words each, one array a word, so that a warp's lanes read
// neighbours.
#pragma once

#include "volume/path.h"

enum store_word {
    STORE_RAY = 0,    // origin, direction
    STORE_WEIGHT = 6, // r, g, b
    STORE_PIXEL = 9,  // x | y << 16
    STORE_SAMPLE = 10,
    STORE_BOUNCE = 11, // bounce | place << 30; STORE_DEAD: no path
    STORE_WORDS = 12
};

#define STORE_DEAD 0xFFFFFFFFu // as 3 is no place

struct path_store {
    uint32_t *words; // slots of each
    uint32_t slots;
};

DEVICE uint32_t *store_at(const struct path_store *store, uint32_t slot, uint32_t word)
{
    return &store->words[(uint64_t)word * store->slots + slot];
}

DEVICE struct vec3 store_vec3(const struct path_store *store, uint32_t slot, uint32_t word)
{
    return vec3_make(f32_from_bits(*store_at(store, slot, word)), f32_from_bits(*store_at(store, slot, word + 1u)),
                     f32_from_bits(*store_at(store, slot, word + 2u)));
}

DEVICE void store_set_vec3(const struct path_store *store, uint32_t slot, uint32_t word, struct vec3 v)
{
    *store_at(store, slot, word) = f32_bits(v.x);
    *store_at(store, slot, word + 1u) = f32_bits(v.y);
    *store_at(store, slot, word + 2u) = f32_bits(v.z);
}

DEVICE bool store_lives(const struct path_store *store, uint32_t slot)
{
    return *store_at(store, slot, STORE_BOUNCE) != STORE_DEAD;
}

DEVICE void store_kill(const struct path_store *store, uint32_t slot)
{
    *store_at(store, slot, STORE_BOUNCE) = STORE_DEAD;
}

DEVICE struct path store_load(const struct path_store *store, uint32_t slot)
{
    const uint32_t bounce = *store_at(store, slot, STORE_BOUNCE);
    struct path path;
    path.ray.origin = store_vec3(store, slot, STORE_RAY);
    path.ray.direction = store_vec3(store, slot, STORE_RAY + 3);
    path.weight = store_vec3(store, slot, STORE_WEIGHT);
    path.pixel = *store_at(store, slot, STORE_PIXEL);
    path.sample = *store_at(store, slot, STORE_SAMPLE);
    path.bounce = bounce & 0x3FFFFFFFu;
    path.place = bounce >> 30;
    return path;
}

DEVICE void store_save(const struct path_store *store, uint32_t slot, const struct path *path)
{
    store_set_vec3(store, slot, STORE_RAY, path->ray.origin);
    store_set_vec3(store, slot, STORE_RAY + 3, path->ray.direction);
    store_set_vec3(store, slot, STORE_WEIGHT, path->weight);
    *store_at(store, slot, STORE_PIXEL) = path->pixel;
    *store_at(store, slot, STORE_SAMPLE) = path->sample;
    *store_at(store, slot, STORE_BOUNCE) = path->bounce | path->place << 30;
}
