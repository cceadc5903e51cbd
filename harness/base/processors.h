// SPDX-License-Identifier: MIT
// The processors of this machine that are ours.
#pragma once

#include <stdint.h>

// How many hardware threads this process may use, at least 1: on a shared machine, or in a worker with a share of the cores, fewer
// than there are.
uint32_t processors_usable(void);
