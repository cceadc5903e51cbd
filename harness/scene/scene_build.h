// SPDX-License-Identifier: MIT
// From a scene file to packed images in memory: of its content, and of a tree over it.
#pragma once

#include "scene/scene_build_options.h"
#include "scene/scene_file.h"
#include "trees/tree.h"

// The content's image, to be freed, and its size; NULL and an error otherwise. `name` is what the user calls the scene.
void *scene_build(const struct scene_file *file, const char *name, const struct scene_build_options *options,
                  uint64_t *size, struct error *error);

// The image of a tree over the triangles of `content`, an image; `tree` is settled. To be freed; NULL and an error.
void *scene_build_tree(const void *content, const struct scene_tree_options *tree,
                       const struct scene_build_options *options, uint64_t *size, struct error *error);
