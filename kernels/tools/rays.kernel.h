// SPDX-License-Identifier: MIT
// Closest hits of many rays by the traversal of every variant, and nothing else: what `warpstudy bench rays` times.
#pragma once

#include "tools/trace_ray.h"

// One lane, one ray.
TRACE_KERNEL(trace_rays, struct trace_rays_args)
{
    const uint32_t i = block_index() * block_size() + thread_index();
    const bool inside = i < args->count;
    lanemask group = 0; // wanted by one traversal; the vote costs the other 4 registers and 3 % of the time
    if ((uint32_t)CONFIG(args, traversal) != TRAVERSAL_WHILE_WHILE)
        group = warp_staying(inside);
    if (!inside)
        return;
    trace_ray(args, i, group);
}
