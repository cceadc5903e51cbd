// SPDX-License-Identifier: MIT
// How much of the device idles during a launch, from when its warps were on which multiprocessor.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ray_span; // kernels/tools/trace_ray.h

struct ray_idle {
    double idle;      // multiprocessors without a warp, of all, averaged over the launch
    double half_idle; // share of the launch with a warp on fewer than half of the multiprocessors
};

// `spans`: of all `count` warps, in any order; are sorted. The launch lasts from the first start to the last end. False, and *idle is
// left as it is, where they tell nothing: there is none, one has no start, or nothing lasts longer than the timer's step.
bool ray_idle_of(struct ray_span *spans, size_t count, uint32_t multiprocessors, struct ray_idle *idle);
