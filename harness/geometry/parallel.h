// SPDX-License-Identifier: MIT
// A loop spread over threads.
#pragma once

#include <stdint.h>

// Calls body(context, i) once for every i < count, on up to `threads` threads (0 = as many as there are processors_usable())
// including the caller's, in any order; returns when all are done. Works, slower, where no thread can be started.
void parallel_for(uint32_t threads, uint32_t count, void (*body)(void *context, uint32_t i), void *context);
