// SPDX-License-Identifier: MIT
// Runs a kernel for lanes_opencl.c: each lane a fiber, those of a sub-group in step as on a GPU without barriers of its own for
// votes: of the lanes that have come to a vote or shuffle, those at the first place in the code go on together.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef void lanes_kernel(void *args, void *shared);

// Lanes of a sub-group, of $FAKE_LANES.
uint32_t lanes_width(void);
void lanes_run(lanes_kernel *kernel, void *args, size_t shared_bytes, uint32_t grid, uint32_t block);
