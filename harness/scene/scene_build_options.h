// SPDX-License-Identifier: MIT
#pragma once

#include "base/hash.h"

struct scene_build_options {
    uint32_t threads;
    uint64_t triangle_limit; // more is an error; 0 = SOUP_MAX
    bool split;              // into fragments
    bool levels;             // keep instances, in two levels; else they are replaced by copies of their triangles
    struct hash key;         // recorded in the image
    bool *unlisted;          // unless NULL: becomes true where a file was read whose bytes the key does not hold
    void (*progress)(void *context, const char *step, double fraction);
    void *progress_context;
};
