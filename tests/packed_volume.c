// SPDX-License-Identifier: MIT
#include "packed_images.h"
#include "volume/extend.h"

void packed_walk_volume(struct frame_args *frame, uint32_t pixels)
{
    for (uint32_t i = 0; i < pixels; ++i) {
        struct path path = path_begin(frame, i % frame->width | i / frame->width << 16, 0);
        while (path.bounce <= frame->max_bounces && extend(frame, &path, 1))
            ;
        path_end(frame, &path);
    }
}
