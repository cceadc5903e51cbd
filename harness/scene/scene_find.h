// SPDX-License-Identifier: MIT
// Where scenes are: the folders of $WARPSTUDY_SCENES, with ':' between them, ./scenes, the source tree's scenes, the installed
// data folder. A scene is a file NAME.yaml, or a packed image NAME.scene (`warpstudy scene pack`), which needs none of its sources.
#pragma once

#include "base/error.h"

// Path of the scene called `name`, or `name` itself where it is a path (it holds a slash or ends in .yaml, .scene or as a mesh).
bool scene_find(const char *name, char *path, size_t size, struct error *error);

// One name for a scene however it was asked for: its short name where that finds the same file, else its path from the working folder,
// or from the root where it is not below that. Unchanged where there is no such file. To be freed.
char *scene_one_name(const char *name);

bool scene_is_packed(const char *path);

// The name that a path gives a scene: its last part without the suffix.
void scene_name_of(const char *path, char *name, size_t size);

// Calls `visit` for every scene found (name, one-line summary, paper it stands in for, whether its files are there,
// what to do if not).
struct scene_listing {
    const char *name, *path, *summary, *stands_for, *missing; // missing: NULL where complete
};
bool scene_list(void (*visit)(void *context, const struct scene_listing *), void *context, struct error *error);
