// SPDX-License-Identifier: MIT
// Reading of scene files.
#pragma once

#include "scene/scene_file.h"

// Reads and checks a scene file. scene_file_finish after failure too.
bool scene_file_read(struct scene_file *file, const char *path, struct error *error);
// Whether the name is that of a mesh's file. Such a file is a scene by itself: scaled to a box of 2, standing on the ground and lit evenly,
// before a camera that has all of that box in view.
bool scene_file_is_mesh(const char *path);
// The same from memory; `path` is for messages and relative names.
bool scene_file_parse(struct scene_file *file, const char *path, const char *text, size_t size, struct error *error);
