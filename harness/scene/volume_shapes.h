// SPDX-License-Identifier: MIT
// Volumes of shapes, in place of a file.
#pragma once

#include "import/volume_samples.h"
#include "scene/scene_file.h"

extern const char *const volume_shape_names[]; // by enum volume_shape; ends with NULL
// Fills the samples with values from 0 to 1 of the volume's shape.
bool volume_shape_fill(struct volume_samples *samples, const struct scene_volume *volume, struct error *error);
