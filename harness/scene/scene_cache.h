// SPDX-License-Identifier: MIT
// The cache of packed images: one file an image, named by the key of what it was built from.
#pragma once

#include "base/hash.h"
#include "scene/scene_file.h"
#include "trees/tree.h"

// Where the cache is: $WARPSTUDY_CACHE, else $XDG_CACHE_HOME/warpstudy, else ~/.cache/warpstudy. To be freed.
char *scene_cache_folder(void);

// Hash of the source that builds such a tree.
const char *scene_tree_source(const struct scene_tree_options *tree);

// Key of a scene's content: its text, the bytes of every file it names (and of those they name), the source of what makes
// it of them.
bool scene_cache_key(const struct scene_file *file, bool split, bool levels, struct hash *key, struct error *error);
// Key of a tree: the content that it is over, its settled options and its builder's source.
struct hash scene_cache_tree_key(struct hash content, const struct scene_tree_options *tree);

// Whether a file of the folder is an image, or what a killed build left of one. A part file of a build that still runs is neither.
enum scene_cached { SCENE_CACHED_NONE, SCENE_CACHED_IMAGE, SCENE_CACHED_LEFT };
enum scene_cached scene_cache_holds(const char *folder, const char *name);

struct scene_mapping {
    void *bytes;
    uint64_t size;
    bool mapped; // else it was allocated
};

// Maps the image with this key, which holds IMAGE_CONTENT or IMAGE_TREE; false where there is none. Warns about a damaged one.
bool scene_cache_load(struct hash key, uint32_t holds, struct scene_mapping *mapping);

// Maps the packed scene in a file, whatever its key. ERROR_INPUT where it is damaged or of another version.
bool scene_cache_map(const char *path, struct scene_mapping *mapping, struct error *error);
// Writes an image to a file of the caller's choice, readable by whom the umask lets; a reader sees the whole file or none.
bool scene_cache_write(const char *path, const void *bytes, uint64_t size, struct error *error);

// Stores an image. A failure is only a warning on stderr, since the image in memory can still be used.
void scene_cache_store(struct hash key, const void *bytes, uint64_t size);

void scene_mapping_finish(struct scene_mapping *mapping);
