// SPDX-License-Identifier: MIT
// C-2S: two stages, extend (closest hit) and logic (all else); a slot whose path has ended takes the next sample
// (docs/variants.md, "Wavefronts").
#pragma once

#include "variants/cmu2023/entries.h"

WAVEFRONT_KERNELS(two_stage)

TRACE_KERNEL(two_stage_logic, struct wavefront_args)
{
    const struct frame_args *frame = &args->frame;
    uint32_t slot;
    lanemask group;
    bool lives = wavefront_lives(args, POOL_TRAFFIC_LOGIC, &slot, &group);
    if (lives) {
        struct path path = pool_load_path(&args->pool, slot);
        uint32_t material;
        const struct hit hit = pool_load_hit(&args->pool, slot, &material);
        lives = shade(frame, &path, &hit, material, group);
        if (lives) {
            pool_store_path(&args->pool, slot, &path);
        } else {
            wavefront_end(args, slot, &path);
            lives = wavefront_next(args, slot);
        }
    }
    wavefront_ray(args, slot, lives);
}
