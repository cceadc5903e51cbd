// SPDX-License-Identifier: MIT
// The cache of packed images: one file an image, named by the key of what it was built from.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "scene/scene_build.h"

// Hash of the source that builds such a tree.
const char *scene_tree_source(const struct scene_tree_options *tree);

// Key of a scene: its text, the bytes of every file it names (and of those they name), the builder's options, the source
// of what makes its content and its tree.
bool scene_cache_key(const struct scene_file *file, const struct scene_tree_options *tree, struct hash *key,
                     struct error *error);

struct scene_mapping {
    void *bytes;
    uint64_t size;
    bool mapped; // else it was allocated
};

// Maps the valid image with this key; false where there is none. Warns about a damaged one.
bool scene_cache_load(struct hash key, struct scene_mapping *mapping);

// Maps the image in a file, whatever its key. ERROR_INPUT where it is damaged or of another version.
bool scene_cache_map(const char *path, struct scene_mapping *mapping, struct error *error);
// Writes an image to a file of the caller's choice; a reader sees the whole file or none.
bool scene_cache_write(const char *path, const void *bytes, uint64_t size, struct error *error);

// Stores an image. A failure is a warning on stderr, for the image is there all the same.
void scene_cache_store(struct hash key, const void *bytes, uint64_t size);

void scene_mapping_finish(struct scene_mapping *mapping);
