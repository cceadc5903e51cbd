// SPDX-License-Identifier: MIT
// What the longest rays of a launch cost it, from counts: a warp takes as many rounds as its longest ray, and a launch at least
// as long as its longest warp.
#pragma once

#include <stdint.h>

struct ray_work; // kernels/tools/trace_ray.h

enum { RAY_TAIL_FEW = 8 }; // rays of a warp

struct ray_tail {
    double mean_nodes, mean_rounds;   // inner nodes a ray, rounds a warp
    uint32_t most_nodes, most_rounds; // of the longest ray, of the longest warp
    double few;                       // share of all warps' rounds with at most RAY_TAIL_FEW rays unfinished
};

// `work`: of `count` rays, at least one, one a lane of blocks of `block` lanes.
struct ray_tail ray_tail_of(const struct ray_work *work, uint32_t count, uint32_t block, uint32_t warp_width);
