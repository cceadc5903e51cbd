// SPDX-License-Identifier: MIT
// Reading of scene files.
#pragma once

#include "scene/scene_file.h"

// Reads and checks a scene file. scene_file_finish after failure too.
bool scene_file_read(struct scene_file *file, const char *path, struct error *error);
// The same from memory; `path` is for messages and relative names.
bool scene_file_parse(struct scene_file *file, const char *path, const char *text, size_t size, struct error *error);
