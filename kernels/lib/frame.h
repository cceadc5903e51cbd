// SPDX-License-Identifier: MIT
// What every kernel of a frame is given.
#pragma once

#include "lib/choices.h"
#include "lib/count.h"
#include "lib/scene.h"

// Options fixed when a kernel is built; read them with CONFIG(frame, field).
struct config {
#define CONFIG_FIELD(name) int32_t name;
#include "lib/config.def"
#undef CONFIG_FIELD
};

// Paths whose radiance was not finite or did not fit; paths through a volume that met path_cap, and so bring nothing.
enum bad_value { BAD_RADIANCE, BAD_CUT, BAD_VALUES };

struct frame_args {
    struct scene_view scene;
    struct camera camera;
    struct config config;
    uint64_t *film;               // Q31.32 per channel, two's complement, 3 * pixel_count, row-major from the top
    uint32_t film_width;          // pixels from one row of the film to the next: width, but for the film of a tile
    struct bounce_counts *counts; // COUNT_STRIPES * count_rows, this launch's table; used by instrumented builds only
    uint32_t *bad_values;         // BAD_VALUES words; every build counts them
    uint32_t *path_length; // extensions of each pixel's last sample; NULL where not wanted; instrumented builds only
    const uint32_t *pixel_table; // list place -> pixel, where the order is not computed (Morton)
    uint32_t width, height, pixel_count;
    uint32_t sample;  // index of this pass's path in its pixel
    uint32_t samples; // paths a pixel
    uint32_t seed;
    uint32_t max_bounces; // run-time on purpose: never compiled in
    uint32_t count_rows;  // bins of bounces 0 .. max_bounces, and one for totals
    uint32_t dummy_flops;
    float zero; // 0, but the compiler cannot know
};
