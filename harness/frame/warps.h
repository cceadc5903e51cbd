// SPDX-License-Identifier: MIT
// Active warps of a bounce by formula (docs/metrics.md 2), for schedules whose warps follow from the paths alone.
#pragma once

#include "frame/parameters.h"

// One bounce of one trial with one path a pixel.
struct warps_asked {
    const struct parameters *parameters;
    uint32_t warp_width;
    const uint32_t *path_length; // extensions of each pixel's path
    uint32_t bounce;
    uint64_t paths; // active ones
};

// A list that was compacted just before the bounce. False where no formula holds for the setting.
bool warps_of_list(const struct warps_asked *asked, uint64_t *warps);
// Tiles of block x tile_m pixels, each with a list of its own that is compacted after every bounce.
uint64_t warps_of_tiles(const struct warps_asked *asked);
// A frame-wide list in the order of places that was compacted last before bounce `compacted` (0: never; it holds all
// pixels) and still holds the paths that have died since. False where no formula holds for the setting.
bool warps_of_places(const struct warps_asked *asked, uint32_t compacted, uint64_t *warps);
