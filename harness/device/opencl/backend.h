// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

// Visits every OpenCL device of this machine: whether kernels can run there and, in the second line of `text`, why they cannot.
// For `doctor`.
void opencl_examine(void (*line)(void *context, bool usable, const char *what, const char *text), void *context);
