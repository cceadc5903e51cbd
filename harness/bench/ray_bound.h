// SPDX-License-Identifier: MIT
// Rays traced by two kernels: one that gives up on a ray after some rounds, and one that finishes those rays (tools/cut_rays.kernel.h).
#pragma once

#include "device/device.h"
#include "tools/cut_rays.h"

struct ray_bound {
    uint32_t rounds; // the caller's; 0: no bound, and nothing is prepared
    uint32_t rows;   // the caller's: of a list's rays, how many go on where they were cut; 0: RAY_BOUND_ROWS
    struct device *device;
    struct device_program *program;
    const struct device_kernel *first, *second;
    struct cut_list lists[2]; // in turn
    uint32_t helpers;         // warps of the second kernel
    uint32_t turn;
};

enum { RAY_BOUND_ROWS = 16384, RAY_BOUND_ROUNDS_MAX = 1000000 };

// Builds the kernels and takes memory for launches of `most` rays. `build`: of the tracer, but for the variant. To be finished
// even after a failure.
bool ray_bound_prepare(struct ray_bound *bound, struct device *device, const struct device_build *build, uint32_t most,
                       struct error *error);
// As the launch of tools/rays with these arguments, but for `work` and `spans`, and this block, in `stream`.
bool ray_bound_launch(struct ray_bound *bound, struct device_stream *stream, const struct trace_rays_args *args,
                      uint32_t block, struct error *error);
// How many rays of the last launch were cut.
bool ray_bound_cut(struct ray_bound *bound, uint32_t *count, struct error *error);
void ray_bound_finish(struct ray_bound *bound);
