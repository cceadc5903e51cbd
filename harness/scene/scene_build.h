// SPDX-License-Identifier: MIT
// From a scene file to a packed image in memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "scene/scene.h"
#include "scene/scene_file.h"

struct scene_build_options {
    struct scene_tree_options tree; // zero means default
    uint32_t threads;
    uint64_t triangle_limit; // more is an error; 0 = SOUP_MAX
    struct hash key;         // recorded in the image
    void (*progress)(void *context, const char *step, double fraction);
    void *progress_context;
};

enum { SCENE_LEAF_SIZE = 4, SCENE_BINS = 32 }; // defaults

// The image, to be freed, and its size; NULL and an error otherwise. `name` is what the user calls the scene.
void *scene_build(const struct scene_file *file, const char *name, const struct scene_build_options *options,
                  uint64_t *size, struct error *error);
