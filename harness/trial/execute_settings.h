// SPDX-License-Identifier: MIT
// From parameters to what a device, a scene and a build are asked for.
#pragma once

#include "device/device.h"
#include "scene/scene.h"
#include "frame/frame.h"
#include "frame/parameters.h"

enum {
    EXECUTE_CONSTANTS = 0
#define CONFIG_FIELD(name) +1
#include "lib/config.def"
#undef CONFIG_FIELD
};

// ERROR_UNSUPPORTED for a machine that cannot be.
bool execute_device_settings(const struct parameters *parameters, struct device_settings *settings,
                             struct error *error);
bool execute_device_settings_equal(const struct device_settings *a, const struct device_settings *b);
struct scene_tree_options execute_tree_options(const struct parameters *parameters);
// Whether the tree has what the triangle test reads. ERROR_UNSUPPORTED.
bool execute_tree_suits(const struct parameters *parameters, struct error *error);
// Options of traversal, for builds in which they are no constants.
void execute_scene_options(const struct parameters *parameters, struct scene_view *scene);
// Texels of the flat table that light_search wants; 0 x 0 where none is searched.
void execute_light_table(const struct parameters *parameters, uint32_t *width, uint32_t *height);
// Fields of config.def by value, in their order; also into `config`. Returns their number.
size_t execute_constants(const struct parameters *parameters, struct device_constant constants[EXECUTE_CONSTANTS],
                         struct config *config);
