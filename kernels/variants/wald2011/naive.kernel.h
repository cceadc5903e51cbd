// SPDX-License-Identifier: MIT
// W-NAIVE: one lane, one path, all bounces, state in registers (Wald 2011, section 3.3 and appendix B.1).
#pragma once

#include "surface/extend.h"
#include "schedules/loop.h"
#include "lib/place.h"

struct naive_args {
    struct frame_args frame;
    uint32_t shares; // blocks that cover all pixels
};

TRACE_KERNEL(naive, struct naive_args)
{
    const struct frame_args *frame = &args->frame;
    for (uint32_t share = block_index(); share < args->shares; share = share_next(frame, share)) {
        const uint32_t place = lane_place(frame, share);
        const bool inside = place < frame->pixel_count;
        struct path path = path_begin(frame, lane_pixel(frame, inside ? place : 0), frame->sample);
        follow_path(frame, &path, inside);
        if (inside)
            path_end(frame, &path);
    }
}
