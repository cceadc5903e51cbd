// SPDX-License-Identifier: MIT
// Scenes, and frames over them without a device.
#pragma once

#include "frame/counts.h"
#include "scene/scene.h"

// Begins a group: scenes are those of the source tree, and the cache is its own.
extern const char *cache;
int scenes_begin(void **state);

// A scene by its name or path; fails the test where it cannot be opened.
struct scene *scene_well(const char *name);
// By the first camera, of the seed 1.
struct frame_args frame_over(const struct scene *scene, uint32_t width, uint32_t height, uint32_t max_bounces);
