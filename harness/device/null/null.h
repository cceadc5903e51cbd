// SPDX-License-Identifier: MIT
// Inside of the null device. What it pretends is chosen by $WARPSTUDY_NULL, for tests: words with commas between, of
// which WORD@N means the N-th time that it is asked for and later.
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
#include "device/device.h"

struct null_device {
    struct device device; // first
    struct device_properties properties;
    char launched[8][48]; // kernels since the last sample of stalls
    uint32_t launched_count, launches;
    unsigned looks, downloads, passes, commands, windows; // so far
    bool lost;
    uint32_t ordinal;
    struct null_timeline *timeline; // while one is open
};

// Whether the word is in $WARPSTUDY_NULL for the `time`-th time, counted from 1.
bool null_pretends(const char *word, unsigned time);

// Whether $WARPSTUDY_NULL_LOST has the word: how, 'l' or 'o', and the ordinal.
bool null_is_lost(uint32_t ordinal, char how);

extern const struct device_counter_ops null_counter_ops; // counters.c

// timeline.c: a kernel is launched; and the operations.
void null_timeline_kernel(struct null_device *null, const char *name);
bool null_timeline_open(struct device *device, struct error *error);
bool null_timeline_prepare(struct device *device, uint64_t interval, uint64_t longest, struct error *error);
bool null_timeline_begin(struct device *device, bool sample, struct error *error);
bool null_timeline_end(struct device *device, struct device_timeline *taken, struct error *error);
void null_timeline_close(struct device *device);

enum { NULL_PASSES = 3, NULL_MHZ = 1500, NULL_DEVICES = 4 };

static inline struct null_device *null_of(struct device *device)
{
    return (struct null_device *)device;
}
