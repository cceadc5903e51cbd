// SPDX-License-Identifier: MIT
// The device side of the skeleton: copy it when you write a variant, and see docs/variants.md.
//
// A kernel is written once. It uses the primitives of lib/platform.h, the functions of lib/, and plain C that is C++
// too. Its one argument is a struct that begins with struct frame_args. It decides which lane does what, and leaves
// what a path does to extend() and its wrappers: so its image is every other variant's image, and its bounces are
// counted.
#pragma once

#include "surface/extend.h"
#include "schedules/loop.h"
#include "lib/place.h"

struct skeleton_args {
    struct frame_args frame;
    uint32_t lanes; // launched, over the whole grid
};

// A fixed grid strides over the places: lane i renders places i, i + lanes, i + 2 lanes, ...
TRACE_KERNEL(skeleton, struct skeleton_args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t first = block_index() * block_size() + thread_index();
    // The trip count is the same for all lanes of a warp, because follow_path is called by whole warps.
    for (uint32_t base = 0; base < frame->pixel_count; base += args->lanes) {
        const uint32_t place = base + first;
        const bool inside = place < frame->pixel_count;
        struct path path = path_begin(frame, place_pixel(frame, inside ? place : 0), frame->sample);
        follow_path(frame, &path, inside);
        if (inside)
            path_end(frame, &path);
    }
}
