// SPDX-License-Identifier: MIT
// The kernels' data structures, seen from the harness. Device functions are usable on the host too, where a host needs
// the very same arithmetic (building boxes, tracing rays in tests).
#pragma once

#ifndef COUNTING
#define COUNTING 0
#endif
#include "lib/scene.h"

// Rounded once.
static inline struct vec3 vec3_from(const double v[3])
{
    return vec3_make((float)v[0], (float)v[1], (float)v[2]);
}
