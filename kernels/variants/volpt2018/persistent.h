// SPDX-License-Identifier: MIT
// What the host schedules of persistent kernels for volumes share: a single cooperative launch of as many blocks as the
// device holds, or fewer where there are fewer paths.
#pragma once

#include "variants/volpt2018/paths.h"

// SCHEDULE parameters of all of them.
#define PERSISTENT_PARAMETERS VOLUME_PARAMETERS, "tickets", "resident_blocks", "multiprocessors"

struct persistent_kernel {
    const char *name;
    uint32_t (*shared_words)(uint32_t block, uint32_t warp); // of a block
    uint32_t paths;                                          // of a lane
    bool stores;                                             // a slot in memory for each lane
};

bool persistent_prepare(struct frame *frame, const struct persistent_kernel *kernel, struct error *error);
bool persistent_render(struct frame *frame, struct error *error);
// Whether who gets which path is the same everywhere: with ordered tickets.
bool persistent_repeats(const struct parameters *parameters);
