// SPDX-License-Identifier: MIT
// The launch of rays.kernel.h once more, whose warps note when they begin and end and on which multiprocessor. Not timed: the notes
// take registers and memory.
#pragma once

#include "lib/timer.h"
#include "tools/trace_ray.h"

// One lane, one ray.
KERNEL(trace_ray_spans, struct trace_rays_args)
{
    const uint64_t start = shared_nanoseconds();
    const uint32_t i = block_index() * block_size() + thread_index();
    const bool inside = i < args->count;
    const lanemask staying = warp_ballot(warp_mask(), inside);
    lanemask group = 0;
    if ((uint32_t)CONFIG(args, traversal) != TRAVERSAL_WHILE_WHILE)
        group = warp_staying(inside);
    if (!inside)
        return;
    trace_ray(args, i, group);
    (void)warp_any(staying, true); // waits for the warp's last ray
    if (lane_index() != 0)         // inside, if any lane is
        return;
    const uint32_t warps = (block_size() + warp_width() - 1u) / warp_width();
    struct ray_span *span = &args->spans[block_index() * warps + thread_index() / warp_width()];
    span->start = start;
    span->multiprocessor = multiprocessor_number();
    span->end = shared_nanoseconds();
}
