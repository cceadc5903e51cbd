// SPDX-License-Identifier: MIT
// A path: its state between bounces, where that state is kept, its first ray and its end.
#pragma once

#include "lib/camera.h"
#include "lib/film.h"
#include "lib/random.h"
#include "trees/traverse.h"

// Cross-bounce state: 48 bytes, and 16 of radiance kept apart. Surface data are never part of it.
struct path {
    struct ray ray;
    struct vec3 weight;  // throughput
    uint32_t generator;  // state of the padded sampler
    uint32_t pixel;      // x | y << 16
    uint32_t sample;     // index of the path in its pixel, below 65536
    uint32_t bounce;     // index of the next extension, below 32768
    bool after_specular; // the last event was a mirror or refraction
    struct vec3 radiance;
    uint32_t padding; // of the state wider than 48 bytes: what was read of it, to be written again
};

enum { PATH_WORDS = 12 };

struct path_radiance {
    float r, g, b, unused;
};

// Where paths are kept: `slots` of path_bytes each, as structs or as one array a word; radiance in an array of its own.
// 4-byte words; a state wider than 48 bytes is padded with words that are read with the others and written with them, a
// value that depends on what was read, so that no compiler may drop the traffic.
struct path_memory {
    uint32_t *state;
    struct path_radiance *radiance;
    uint32_t slots;
};

DEVICE uint32_t path_words(const struct frame_args *frame)
{
    return (uint32_t)CONFIG(frame, path_bytes) / 4u;
}

DEVICE uint64_t path_word_index(const struct frame_args *frame, const struct path_memory *memory, uint32_t slot,
                                uint32_t word)
{
    if (CONFIG(frame, path_layout) == PATH_LAYOUT_SOA)
        return (uint64_t)word * memory->slots + slot;
    return (uint64_t)slot * path_words(frame) + word;
}

DEVICE float path_load_f32(const struct frame_args *frame, const struct path_memory *memory, uint32_t slot,
                           uint32_t word)
{
    return f32_from_bits(memory->state[path_word_index(frame, memory, slot, word)]);
}

DEVICE void path_store_u32(const struct frame_args *frame, const struct path_memory *memory, uint32_t slot,
                           uint32_t word, uint32_t value)
{
    memory->state[path_word_index(frame, memory, slot, word)] = value;
}

DEVICE struct vec3 path_load_vec3(const struct frame_args *frame, const struct path_memory *memory, uint32_t slot,
                                  uint32_t word)
{
    return vec3_make(path_load_f32(frame, memory, slot, word), path_load_f32(frame, memory, slot, word + 1),
                     path_load_f32(frame, memory, slot, word + 2));
}

DEVICE void path_store_vec3(const struct frame_args *frame, const struct path_memory *memory, uint32_t slot,
                            uint32_t word, struct vec3 v)
{
    path_store_u32(frame, memory, slot, word, f32_bits(v.x));
    path_store_u32(frame, memory, slot, word + 1, f32_bits(v.y));
    path_store_u32(frame, memory, slot, word + 2, f32_bits(v.z));
}

DEVICE struct path path_load(const struct frame_args *frame, const struct path_memory *memory, uint32_t slot)
{
    struct path path;
    path.ray.origin = path_load_vec3(frame, memory, slot, 0);
    path.ray.direction = path_load_vec3(frame, memory, slot, 3);
    path.weight = path_load_vec3(frame, memory, slot, 6);
    path.generator = memory->state[path_word_index(frame, memory, slot, 9)];
    path.pixel = memory->state[path_word_index(frame, memory, slot, 10)];
    const uint32_t flags = memory->state[path_word_index(frame, memory, slot, 11)];
    path.sample = flags >> 16;
    path.bounce = (flags & 0xFFFFu) >> 1;
    path.after_specular = (flags & 1u) != 0;
    path.padding = 0;
    for (uint32_t word = PATH_WORDS; word < path_words(frame); ++word)
        path.padding ^= memory->state[path_word_index(frame, memory, slot, word)];
    const struct path_radiance radiance = memory->radiance[slot];
    path.radiance = vec3_make(radiance.r, radiance.g, radiance.b);
    return path;
}

DEVICE void path_store(const struct frame_args *frame, const struct path_memory *memory, uint32_t slot,
                       const struct path *path)
{
    path_store_vec3(frame, memory, slot, 0, path->ray.origin);
    path_store_vec3(frame, memory, slot, 3, path->ray.direction);
    path_store_vec3(frame, memory, slot, 6, path->weight);
    path_store_u32(frame, memory, slot, 9, path->generator);
    path_store_u32(frame, memory, slot, 10, path->pixel);
    path_store_u32(frame, memory, slot, 11, path->sample << 16 | path->bounce << 1 | (uint32_t)path->after_specular);
    for (uint32_t word = PATH_WORDS; word < path_words(frame); ++word)
        path_store_u32(frame, memory, slot, word, path->padding + word);
    struct path_radiance radiance;
    radiance.r = path->radiance.x;
    radiance.g = path->radiance.y;
    radiance.b = path->radiance.z;
    radiance.unused = 0.0f;
    memory->radiance[slot] = radiance;
}

DEVICE float path_random(const struct frame_args *frame, const struct path *path, uint32_t dimension)
{
    return random_unit(frame, path->pixel, path->sample, path->generator, path->bounce, dimension);
}

// Camera ray through a jittered film point, from a point of the lens.
DEVICE struct ray camera_ray(const struct frame_args *frame, const struct path *path)
{
    const struct vec3 through = camera_through(frame, path->pixel, path_random(frame, path, DIMENSION_FILM_X),
                                               path_random(frame, path, DIMENSION_FILM_Y));
    if (!(frame->camera.lens_radius > 0.0f))
        return camera_pinhole_ray(&frame->camera, through);
    return camera_lens_ray(&frame->camera, through, path_random(frame, path, DIMENSION_LENS_U),
                           path_random(frame, path, DIMENSION_LENS_V));
}

DEVICE struct path path_begin(const struct frame_args *frame, uint32_t pixel, uint32_t sample)
{
    struct path path;
    path.weight = vec3_splat(1.0f);
    path.radiance = vec3_splat(0.0f);
    path.generator = generator_begin(frame->seed, pixel);
    path.pixel = pixel;
    path.sample = sample;
    path.bounce = 0;
    path.after_specular = false;
    path.padding = 0;
    path.ray = camera_ray(frame, &path);
    return path;
}

// Adds a dead path's radiance to its pixel.
DEVICE void path_end(const struct frame_args *frame, const struct path *path)
{
    film_add(frame, path->pixel, path->sample, path->radiance, path->bounce);
}
