// SPDX-License-Identifier: MIT
// The kernels that the C compiler built into this program: one entry per kernel and build.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct emulator_kernel {
    const char *variant, *name;
    const char *source; // hash of the variant's preprocessed kernels in this build
    void (*run)(const void *args);
};

// Four builds of the same source: {clean, counting} x {this processor's x86-64-v3, any processor}.
struct emulator_build {
    bool counting, portable;
    const char *provenance;                // compiler and options
    const struct emulator_kernel *kernels; // ends with a NULL name
};
extern const struct emulator_build emulator_builds[];
extern const size_t emulator_build_count;
