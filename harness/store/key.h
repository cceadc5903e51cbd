// SPDX-License-Identifier: MIT
// A trial as a plan asks for it, what its result depends on, and the keys by which it is found again (contract 4).
#pragma once

#include "base/hash.h"
#include "frame/parameters.h"
#include "store/query.h"

// A point of a plan and its replicate: what is to be measured.
struct trial_row {
    int64_t ordinal; // in the order of execution
    int64_t point;
    int32_t replicate;
    struct trial_spec spec;
    uint32_t collections; // bit 1 << collection
    // What the experiment derives beside parameters: only with replicate 0; lives as long as the plan.
    const struct trial_derived *derived;
    size_t derived_count;
};
struct trial_derived {
    const char *name;
    struct store_value value;
};
// What the trial is keyed by (contract 4), besides spec and replicate.
struct trial_provenance {
    const char *scene_content; // hash text
    const char *programs;      // provenance of the clean kernels, of the host schedule and of the tree's builder
    const char *device_name, *driver;
    const char *policy;  // measurement policy that applies (repetitions, stop rule), as text
    const char *harness; // version of the measuring code
};

// Whether the parameter is part of what the trial is: SCHEDULE only where the variant uses it, MACHINE only on the
// emulator. A key holds those of them that differ from their default.
bool trial_uses(const struct trial_spec *spec, const struct parameter *parameter);

struct trial_keys {
    char key[HASH_TEXT], setting[HASH_TEXT], work[HASH_TEXT];
    char spec[HASH_TEXT];         // equal in trials that outdate each other
    char spec_nowhere[HASH_TEXT]; // the same of a trial whose build failed, so that its device's model is not known
    const char *estimator;
};
void trial_keys_make(const struct trial_row *row, const struct trial_provenance *provenance, struct trial_keys *keys);
// `spec` of these on a device of this model.
void trial_spec_key(const struct trial_row *row, const char *device_name, char text[HASH_TEXT]);
// Hash of what a row asks to be measured, replicate included: equal for rows of any plan that are the same trial on a device.
struct hash trial_identity(const struct trial_row *row);
