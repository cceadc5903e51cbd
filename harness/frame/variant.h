// SPDX-License-Identifier: MIT
// A variant: one way to schedule the same path-tracing work over lanes. NAME.kernel.h holds its kernels, NAME.c its
// host schedule and one `const struct variant variant_NAME`; variants.def lists it. docs/variants.md walks through the
// skeleton.
#pragma once

#include "device/device.h"
#include "frame/estimator.h"
#include "frame/frame.h"
#include "frame/parameters.h"
#include "frame/warps.h"

struct variant {
    const char *name, *summary;
    const char *paper;                 // id of the document it comes from ("wald2011"), "" for none
    const struct estimator *estimator; // variants with the same estimator and WORK parameters render the same image
    // The SCHEDULE parameters that its kernels or its host side read; all others are ignored (tests/check-parameters).
    struct parameter_set parameters;
    // false, with a reason, where it cannot run so on this device: stored as a skip. NULL = always.
    bool (*supports)(const struct parameters *parameters, const struct device_properties *device, char *reason,
                     size_t size);
    // Allocates what the frame needs, outside the measured time; frame_memory() is freed by the harness. NULL =
    // nothing.
    bool (*prepare)(struct frame *frame, struct error *error);
    // Enqueues a pass over all pixels (frame->args.sample), or all samples: the measured work. The film is complete once the
    // stream is idle.
    bool (*render)(struct frame *frame, struct error *error);
    bool persistent; // its grid is what the machine holds at once (frame_resident_grid), so that schedules depend on it
    bool together;   // decides roulette for the paths of a warp or a block at once, where it is asked to
    bool all_samples; // one call of render makes all samples of every pixel; else it is called once for each
    // Whether counts of class SCHEDULE repeat themselves, on every device and in any order of lanes; NULL = they do.
    // Counts of the other classes always do.
    bool (*schedule_repeats)(const struct parameters *parameters);
    // Active warps of a bounce, where a formula tells them from the paths; false where it does not. NULL = never.
    bool (*warps)(const struct warps_asked *asked, uint64_t *warps);
};

extern const struct variant *const variant_table[]; // ends with NULL
const struct variant *variant_find(const char *name);
bool variant_check(const char *name, struct error *error); // ERROR_USE with a suggestion where there is none
// Hash of the variant's preprocessed host schedule: part of its trials' keys.
const char *variant_source(const struct variant *variant);
bool variant_uses(const struct variant *variant, const struct parameter *parameter);
