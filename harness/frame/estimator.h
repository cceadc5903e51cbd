// SPDX-License-Identifier: MIT
// An estimator: what a path is and what it computes. Variants of one estimator with the same WORK parameters render the
// same image, bit for bit, and count the same paths; verify compares each with the estimator's reference.
#pragma once

#include "base/error.h"
#include "frame/parameters.h"

struct scene_facts;

struct estimator {
    const char *name;                // in the database
    const char *reference;           // variant that all others are compared with
    struct parameter_set parameters; // the WORK and TREE parameters that it uses; all others are ignored
    const char *const *scenes;       // built-in scenes that verify renders by default, NULL-terminated
    uint32_t (*limit)(const struct parameters *parameters); // bounce at which a path ends at the latest
    // Whether paths are independent of each other; NULL = always. If not (roulette by warp or block), image and path counts
    // also depend on which paths run together, and are equal only between equal schedules. `mean`, unless NULL, is set to
    // parameters with independent paths and the same expected image.
    bool (*alone)(const struct parameters *parameters, struct parameters *mean);
    bool (*renders)(const struct scene_facts *scene); // whether the scene contains anything that it can render
    // false, with ERROR_UNSUPPORTED and the reason, if it cannot render the scene with these parameters.
    bool (*suits)(const struct parameters *parameters, const struct scene_facts *scene, struct error *error);
};

extern const struct estimator estimator_surface; // light transport between surfaces: kernels/surface
extern const struct estimator estimator_volume;  // through a bounded medium: kernels/volume
extern const struct estimator estimator_nothing; // of variants that render nothing

extern const struct estimator *const estimator_table[]; // those with a reference; ends with NULL

bool estimator_alone(const struct estimator *estimator, const struct parameters *parameters, struct parameters *mean);
// Whether the estimator uses a WORK or TREE parameter.
bool estimator_uses(const struct estimator *estimator, const struct parameter *parameter);
