// SPDX-License-Identifier: MIT
// The kernels' source text, which scripts/embed-kernels puts into the program, made into one text for OpenCL's compilers.
#pragma once

#include "base/error.h"
#include "base/hash.h"
#include "device/device.h"

struct opencl_source {
    const char *name; // as it stands in an #include: "lib/vec.h"
    const char *text;
    const char *code; // hash of the text without comments and blank space
};
extern const struct opencl_source opencl_sources[]; // ends with a NULL name

// The kernels that belong to the device itself: what a build names them.
#define OPENCL_PRIMITIVES "opencl/primitives"

// One text of all files, with the options that they read defined before them, and lines numbered as in the files; `facts`,
// with the options' values and a hash of the code, changes whenever what is compiled does. Both are to be freed; false where
// there are no such kernels.
bool opencl_text(const struct device_build *build, char **text, char **facts, struct error *error);
