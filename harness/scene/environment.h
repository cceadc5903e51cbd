// SPDX-License-Identifier: MIT
// Environment lights: radiance map and sampling tables.
#pragma once

#include "import/picture.h"
#include "scene/scene_file.h"

enum { ENVIRONMENT_CELLS_MAX = 1024 }; // along a side of the sampling grid

// Arrays in the form of struct environment; all owned.
struct environment_tables {
    struct picture map;
    struct alias_entry *alias;
    float *cell_density, *row_cosine;
    uint32_t cell_width, cell_height; // 0 where there is no environment or it is black
};

// Integrals of luminance over a texel row of the map between the edges of each of `width` columns, per unit of height.
void environment_strips(const struct environment *map, uint32_t width, uint32_t texel_row, double *strips);
// Integral of luminance over the solid angle of each cell of one row of a width x height grid over the map, of which
// radiance, width and height are read. Exact: the map is constant on its texels. `strips`: those of the map's rows from
// `strips_from` on, as far as this row meets them, where they are known, or NULL.
void environment_weigh_row(const struct environment *map, uint32_t width, uint32_t height, uint32_t row,
                           const double *strips, uint32_t strips_from, double *weights);
// The first row of texels that the row of a grid meets, and one past the last.
void environment_texel_rows(const struct environment *map, uint32_t height, uint32_t row, uint32_t *from, uint32_t *to);

bool environment_build(struct environment_tables *tables, const struct scene_file *file, struct error *error);
void environment_finish(struct environment_tables *tables);
