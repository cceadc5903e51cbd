// SPDX-License-Identifier: MIT
// What the persistent kernels for volumes are given.
#pragma once

#include "volume/extend.h"
#include "volume/store.h"
#include "volume/tile.h"
#include "lib/queue.h"

struct persistent_args {
    struct frame_args frame;
    struct volume_tile tile;
    struct queue queue;          // of the tile's numbered paths
    struct path_store store;     // a slot for each lane of the grid, where the scheme keeps paths in memory
    uint32_t sort_key, dead_key; // values of the parameters
};
