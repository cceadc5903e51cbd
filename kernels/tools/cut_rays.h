// SPDX-License-Identifier: MIT
// What the kernels of cut_rays.kernel.h read and write.
#pragma once

#include "tools/trace_ray.h"
#include "trees/bounded.h"

struct cut_rays_args {
    struct trace_rays_args trace;
    uint32_t rounds;             // the bound
    struct cut_list list, other; // of this launch; of the one before it, which the second kernel empties
};
