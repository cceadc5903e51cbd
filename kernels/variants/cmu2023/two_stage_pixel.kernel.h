// SPDX-License-Identifier: MIT
// C-2S-PIX: two stages, extend and logic, a slot for each pixel; a slot whose path has ended begins the next sample of
// the same pixel, and idles once there is none (docs/variants.md, "Wavefronts").
#pragma once

#include "variants/cmu2023/wavefront.h"

KERNEL(two_stage_pixel_begin, struct wavefront_args)
{
    const uint32_t slot = wavefront_lane();
    if (slot == 0)
        args->counters->done = 0;
    if (slot < args->count)
        wavefront_take(args, slot, (uint64_t)slot * args->batch);
}

TRACE_KERNEL(two_stage_pixel_extend, struct wavefront_args)
{
    uint32_t slot;
    lanemask group;
    if (wavefront_lives(args, POOL_TRAFFIC_TRACE, &slot, &group))
        wavefront_trace(args, slot, group);
}

TRACE_KERNEL(two_stage_pixel_logic, struct wavefront_args)
{
    const struct frame_args *frame = &args->frame;
    uint32_t slot, material;
    lanemask group;
    if (!wavefront_lives(args, POOL_TRAFFIC_LOGIC, &slot, &group))
        return;
    struct path path = pool_load_path(&args->pool, slot);
    const struct hit hit = pool_load_hit(&args->pool, slot, &material);
    if (shade(frame, &path, &hit, material, group)) {
        pool_store_path(&args->pool, slot, &path);
        return;
    }
    path_end(frame, &path);
    if (path.sample + 1u < args->batch) {
        count_total(frame, begun, 1);
        wavefront_take(args, slot, (uint64_t)slot * args->batch + path.sample + 1u);
        return;
    }
    pool_kill(&args->pool, slot);
    atomic_add_u64(&args->counters->done, 1); // pixels
    count_total(frame, atomics, 1);
}
