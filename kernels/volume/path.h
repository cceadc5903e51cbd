// SPDX-License-Identifier: MIT
// A path through a volume: its state between extensions, its random numbers, its first ray and its end.
#pragma once

#include "lib/camera.h"
#include "lib/film.h"
#include "lib/random.h"
#include "volume/grid.h"

enum volume_place { VOLUME_BEFORE, VOLUME_INSIDE, VOLUME_BEHIND }; // a ray that has left a box does not meet it again

// Cross-bounce state: 48 bytes. A path gathers nothing on its way, so the radiance that it brings is its weight at the
// end.
struct path {
    struct ray ray;
    struct vec3 weight;
    uint32_t pixel;  // x | y << 16
    uint32_t sample; // index of the path in its pixel
    uint32_t bounce; // index of the next extension, below 2^30
    uint32_t place;  // enum volume_place
};

// Two numbers in [0, 1), the `step`th pair of an extension: tracking takes as many steps as it happens to need, so
// numbers have no dimensions here, and no state either.
struct pair {
    float u, v;
};

// Of tracking STEP_TRACK and all behind it, which never are so many that they reach STEP_LOBE.
enum { STEP_FILM, STEP_LENS, STEP_DIRECTION, STEP_TRACK, STEP_LOBE = 0x40000000 };

DEVICE uint64_t path_key(const struct frame_args *frame, const struct path *path)
{
    const uint64_t pixel = mix64((uint64_t)frame->seed << 32 | path->pixel);
    return mix64(pixel + 0x9E3779B97F4A7C15ull * ((uint64_t)path->sample << 32 | path->bounce));
}

DEVICE struct pair path_pair(uint64_t key, uint32_t step)
{
    const uint64_t bits = mix64(key + 0x9E3779B97F4A7C15ull * (step + 1u));
    struct pair pair;
    pair.u = unit_from_bits((uint32_t)(bits >> 32));
    pair.v = unit_from_bits((uint32_t)bits);
    return pair;
}

DEVICE struct ray camera_ray(const struct frame_args *frame, const struct path *path)
{
    const uint64_t key = path_key(frame, path);
    const struct pair film = path_pair(key, STEP_FILM), lens = path_pair(key, STEP_LENS);
    const struct vec3 through = camera_through(frame, path->pixel, film.u, film.v);
    if (!(frame->camera.lens_radius > 0.0f))
        return camera_pinhole_ray(&frame->camera, through);
    return camera_lens_ray(&frame->camera, through, lens.u, lens.v);
}

DEVICE struct path path_begin(const struct frame_args *frame, uint32_t pixel, uint32_t sample)
{
    struct path path;
    path.weight = vec3_splat(1.0f);
    path.pixel = pixel;
    path.sample = sample;
    path.bounce = 0;
    path.ray = camera_ray(frame, &path);
    path.place = box_holds(&frame->scene.volume, path.ray.origin) ? VOLUME_INSIDE : VOLUME_BEFORE;
    return path;
}

// Paths are numbered pixel by pixel, then sample by sample.
DEVICE struct path path_begin_numbered(const struct frame_args *frame, uint32_t id)
{
    const uint32_t sample = id / frame->pixel_count, place = id - sample * frame->pixel_count;
    const uint32_t y = place / frame->width;
    return path_begin(frame, (place - y * frame->width) | y << 16, sample);
}

// Adds a dead path's radiance to its pixel.
DEVICE void path_end(const struct frame_args *frame, const struct path *path)
{
    film_add(frame, path->pixel, path->sample, path->weight, path->bounce);
}
