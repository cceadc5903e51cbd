// SPDX-License-Identifier: MIT
// What the host schedules of persistent kernels for volumes share: one cooperative launch of as many blocks as the
// device holds, or fewer where there are fewer paths, for the image or for each of its tiles.
#pragma once

#include "variants/volpt2018/paths.h"
#include "variants/volpt2018/tiles.h"

// SCHEDULE parameters of all of them.
#define PERSISTENT_PARAMETERS                                                                                          \
    VOLUME_PARAMETERS, TILE_PARAMETERS, .tickets = true, .resident_blocks = true, .multiprocessors = true

struct persistent_kernel {
    const char *name;
    uint32_t (*shared_words)(uint32_t block, uint32_t warp); // of a block
    uint32_t paths;                                          // of a lane
    bool stores;                                             // a slot in memory for each lane
};

// As volume_supports; tiles that run at the same time must not wait for their whole grid, as ordered tickets do.
bool persistent_supports(const struct parameters *parameters, const struct device_properties *device, char *reason,
                         size_t size);
bool persistent_prepare(struct frame *frame, const struct persistent_kernel *kernel, struct error *error);
bool persistent_render(struct frame *frame, struct error *error);
// Whether who gets which path is the same everywhere: with ordered tickets.
bool persistent_repeats(const struct parameters *parameters);

// Members of all of them but `prepare` and `parameters`.
#define PERSISTENT_VARIANT                                                                                             \
    .paper = "volpt2018", .estimator = &estimator_volume, .supports = persistent_supports,                             \
    .render = persistent_render, .persistent = true, .all_samples = true, .schedule_repeats = persistent_repeats
