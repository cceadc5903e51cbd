// SPDX-License-Identifier: MIT
// What the host schedules of the surface tracers share: their parameters, grids and path memory.
#pragma once

#include "frame/variant.h"

// SCHEDULE parameters that every kernel calling extend() uses. To be followed by the variant's own and NULL.
#define SURFACE_PARAMETERS                                                                                             \
    .block = true, .registers = true, .traversal = true, .far_first = true, .shared_pad = true, .carveout = true,      \
    .dummy_flops = true
#define PLACE_PARAMETERS .lane_map = true, .pixel_order = true
#define STORE_PARAMETERS .path_bytes = true, .path_layout = true

// Checks that hold for lane maps: the 8x8 map wants blocks that are whole rows of 8.
bool surface_supports_places(const struct parameters *parameters, const struct device_properties *device, char *reason,
                             size_t size);

// Blocks that cover the first `count` places of the list, under the frame's lane map.
uint32_t surface_grid(const struct frame *frame, uint32_t count);

// Blocks to launch for so many shares of work, where a block loops over every grid_size()-th share: `shares`, or no
// more than resident_blocks on each multiprocessor.
uint32_t surface_resident_grid(const struct frame *frame, uint32_t shares);

// Bytes of one path's state, radiance apart.
uint32_t surface_path_bytes(const struct parameters *parameters);

// Device memory for the states (unless `state` is false) and radiances of so many paths, zeroed.
struct path_memory;
bool surface_alloc_paths(struct frame *frame, uint64_t slots, bool state, struct path_memory *memory,
                         struct error *error);
