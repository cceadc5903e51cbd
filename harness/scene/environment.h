// SPDX-License-Identifier: MIT
// Environment lights: radiance map and sampling tables.
#pragma once

#include <stdbool.h>

#include "scene/picture.h"
#include "scene/scene_file.h"

// Arrays as struct environment wants them; all owned.
struct environment_tables {
    struct picture map;
    struct alias_entry *alias;
    float *cell_density, *row_cosine;
    uint32_t cell_width, cell_height; // 0 where there is no environment or it is black
};

bool environment_build(struct environment_tables *tables, const struct scene_file *file, struct error *error);
void environment_finish(struct environment_tables *tables);
