// SPDX-License-Identifier: MIT
// A variant: one way to schedule the same path-tracing work over lanes. NAME.kernel.h holds its kernels, NAME.c its
// host schedule and one `const struct variant variant_NAME`; variants.def lists it. docs/variants.md shows how to add
// one.
#pragma once

#include "device/device.h"
#include "frame/estimator.h"
#include "frame/frame.h"
#include "frame/warps.h"

struct variant {
    const char *name, *summary;
    const char *paper;                 // id of the document it comes from ("wald2011"), "" for none
    const struct estimator *estimator; // variants with the same estimator and WORK parameters render the same image
    // The SCHEDULE parameters that its kernels or its host side read; all others are ignored (tests/check-parameters).
    struct parameter_set parameters;
    // false, with a reason, if this device cannot run it with these parameters: stored as a skip. NULL = always true.
    bool (*supports)(const struct parameters *parameters, const struct device_properties *device, char *reason,
                     size_t size);
    // Allocates memory for the frame, outside the measured time; the harness frees it. NULL = nothing to do.
    bool (*prepare)(struct frame *frame, struct error *error);
    // The measured work: enqueues a pass over all pixels (sample frame->args.sample), or all samples. The film is complete
    // once the stream is idle.
    bool (*render)(struct frame *frame, struct error *error);
    bool persistent;   // its grid fills the device (frame_resident_grid), so the device affects its schedule
    bool traces_alone; // its rays are traced in TRACE_KERNELs and nowhere else
    bool together;     // supports roulette decisions for all paths of a warp or block
    bool all_samples;  // one call of render makes all samples of every pixel; else it is called once per sample
    // Whether counts of class SCHEDULE are reproducible on every device and in any lane order; NULL = always.
    // Counts of the other classes always are.
    bool (*schedule_repeats)(const struct parameters *parameters);
    // Active warps of a bounce, if a formula gives them from the paths, else false. NULL = never.
    bool (*warps)(const struct warps_asked *asked, uint64_t *warps);
};

extern const struct variant *const variant_table[]; // ends with NULL
const struct variant *variant_find(const char *name);
bool variant_check(const char *name, struct error *error); // ERROR_USE with a suggestion if there is no such variant
// Hash of the variant's preprocessed host schedule: part of its trials' keys.
const char *variant_source(const struct variant *variant);
bool variant_uses(const struct variant *variant, const struct parameter *parameter);
