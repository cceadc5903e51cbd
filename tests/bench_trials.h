// SPDX-License-Identifier: MIT
// Databases of any size that look like results: made through the store, with the texts, rows and shapes of real ones.
#pragma once

#include <stdint.h>

#include "base/error.h"

// Every trial has counts of 9 bounces, in the launches of its variant.
enum trial_mix {
    // Of 100,000 trials: 60,000 on a GPU, 12,000 settings of 5 replicates, each with 10 timed frames; 1 in 20 of the
    // settings also with 10 repetitions of timed launches, 1 in 100 with counters, 1 in 200 with stalls; and 40,000
    // settings counted on the emulator, with the lockstep model. 11 scenes, sizes, bounce limits, seeds, materials
    // and 92 schedules: 5 variants, tiles, registers, blocks, dummy work, traversals, bytes a path, throttles; 16 runs.
    MIX_STUDY,
    MIX_PLAIN, // settings counted on the emulator alone, without the lockstep model
    MIXES
};
extern const char *const trial_mix_names[MIXES];

// Makes the database at `path` (nothing may be there) with that many trials: the shard-th such part of more, from 0.
bool bench_trials(const char *path, enum trial_mix mix, int64_t trials, int64_t shard, struct error *error);
