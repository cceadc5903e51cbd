// SPDX-License-Identifier: MIT
// The host's side of pooled.h.
#pragma once

#include "variants/volpt2018/paths.h"

#define POOLED_PARAMETERS                                                                                              \
    VOLUME_PARAMETERS, .tickets = true, .pool = true, .resident_blocks = true, .multiprocessors = true,                \
                       .exact_rounds = true

enum pooled_compaction { POOLED_IN_PLACE, POOLED_BY_BLOCK, POOLED_BY_DEVICE };

struct pooled_kernels {
    const char *refill, *extend, *move, *whole; // the last two where the whole device compacts
    enum pooled_compaction compaction;
};

// As many slots as lanes are resident, where `pool` does not say otherwise.
bool pooled_prepare(struct frame *frame, const struct pooled_kernels *kernels, struct error *error);
bool pooled_render(struct frame *frame, struct error *error);
bool pooled_repeats(const struct parameters *parameters);

// Members of all of them but `supports`, `prepare` and `parameters`.
#define POOLED_VARIANT                                                                                                 \
    .paper = "volpt2018", .estimator = &estimator_volume, .render = pooled_render, .persistent = true,                 \
    .all_samples = true, .schedule_repeats = pooled_repeats
