// SPDX-License-Identifier: MIT
// The null device of programs that are built for tests: it pretends to be what $WARPSTUDY_NULL says, words with commas
// between, of which WORD@N means the N-th time that it is asked for and later.
//   clock      its clocks mean something: frames are repeated, and the multiprocessors run at 1500 MHz
//   gpu        multiprocessors, registers and kernels of a GPU, so that residency can be computed
//   forbidden  counters are there, and not permitted
//   badpass    a pass over the metrics fails
//   slow       each kernel of a timeline lasts 20 ms
//   coarse     samples of a timeline are at least 10 us apart
//   overflow   samples of a timeline are lost
//   throttle   conditions tell of a power cap
//   hot        95 degrees, 10 fewer at each look; scorched: 95 degrees for good
//   foreign    another program uses the device
//   lost       a launch fails, and everything from there on
//   mixed      each ordinal is a model of its own
//   restless   what is read back changes from time to time: an image is never the same twice
//
// $WARPSTUDY_NULL_LOST names a file that may change at any time, of words: l1, every launch of null device 1 fails; o1,
// it cannot be opened; d1@30, both, from the 30th launch of one of its processes on.
#pragma once

#include "device/counters.h"
#include "device/null/null.h"

struct pretended_gpu {
    struct null_device null; // first
    char launched[8][48];    // kernels since the last sample of stalls
    uint32_t launched_count, launches;
    unsigned looks, downloads, passes, commands, windows; // so far
    bool lost;
    uint32_t ordinal;
    struct pretended_timeline *timeline; // while one is open
};

// Whether the word is in $WARPSTUDY_NULL for the `time`-th time, counted from 1.
bool pretends(const char *word, unsigned time);

extern const struct device_counter_ops pretended_counter_ops; // pretended_counters.c

// pretended_timeline.c: a kernel is launched; and the operations.
void pretended_timeline_kernel(struct pretended_gpu *gpu, const char *name);
bool pretended_timeline_open(struct device *device, struct error *error);
bool pretended_timeline_prepare(struct device *device, uint64_t interval, uint64_t longest, struct error *error);
bool pretended_timeline_begin(struct device *device, bool sample, struct error *error);
bool pretended_timeline_end(struct device *device, struct device_timeline *taken, struct error *error);
void pretended_timeline_close(struct device *device);

enum { PRETENDED_PASSES = 3, PRETENDED_MHZ = 1500, PRETENDED_GPUS = 4 };

static inline struct pretended_gpu *pretended_of(struct device *device)
{
    return (struct pretended_gpu *)device;
}
