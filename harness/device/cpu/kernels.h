// SPDX-License-Identifier: MIT
#pragma once

#include "device/emulator/kernels.h"

extern const struct emulator_kernel cpu_kernels[]; // ends with a NULL name
extern const char *const cpu_provenance;           // compiler and options
