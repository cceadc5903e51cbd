// SPDX-License-Identifier: MIT
// The kernels' source text, made into one for OpenCL's compilers.
#pragma once

#include "base/error.h"
#include "device/device.h"

// The kernels that belong to the device itself: what a build names them.
#define OPENCL_PRIMITIVES "opencl/primitives"

// One text of all files, with the options that they read defined before them, and lines numbered as in the files; `facts`,
// with the options' values and a hash of the code, changes whenever what is compiled does. Both are to be freed; false where
// there are no such kernels.
bool opencl_text(const struct device_build *build, char **text, char **facts, struct error *error);
