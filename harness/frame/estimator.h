// SPDX-License-Identifier: MIT
// An estimator: what a path is and what it computes. Variants of one estimator with the same WORK parameters render the
// same image, bit for bit, and count the same paths; verify compares each with the estimator's reference.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "frame/parameters.h"

struct scene_facts;

struct estimator {
    const char *name;                // in the database
    const char *reference;           // variant that all others are compared with
    struct parameter_set parameters; // the WORK and TREE parameters that it heeds; all others are ignored
    const char *const *scenes;       // built-in scenes that verify renders unless others are named, NULL-terminated
    uint32_t (*limit)(const struct parameters *parameters); // bounce at which a path ends at the latest
    // Whether each path is decided by itself; NULL = always. Where not (roulette of a warp or a block), image and counts of
    // paths also depend on which paths run together, and are equal only where the schedule is. Their mean is that of
    // parameters under which each path is: these are made of the given ones, unless `mean` is NULL.
    bool (*alone)(const struct parameters *parameters, struct parameters *mean);
    bool (*renders)(const struct scene_facts *scene); // whether there is anything in a scene that it could render
    // false, with ERROR_UNSUPPORTED and the reason, where it cannot render the scene so.
    bool (*suits)(const struct parameters *parameters, const struct scene_facts *scene, struct error *error);
};

extern const struct estimator estimator_surface; // light transport between surfaces: kernels/surface
extern const struct estimator estimator_volume;  // through a bounded medium: kernels/volume
extern const struct estimator estimator_nothing; // of variants that render nothing

extern const struct estimator *const estimator_table[]; // those with a reference; ends with NULL

bool estimator_alone(const struct estimator *estimator, const struct parameters *parameters, struct parameters *mean);
bool estimator_heeds(const struct estimator *estimator, const struct parameter *parameter); // a WORK or TREE parameter
