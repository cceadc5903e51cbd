// SPDX-License-Identifier: MIT
// What a tree is built over, and the boxes that its own must hold: whole triangles, or fragments of them.
#pragma once

#include "trees/tree.h"
#include "trees/ray.h"

struct tree_input {
    const struct triangle *triangles; // in the scene's own order
    const struct fragment *fragments; // NULL: whole triangles
    uint32_t count;                   // of fragments, or triangles
    float pad;                        // scene_view.box_pad
    struct scene_grid grid;
};

static inline struct tree_input tree_input_make(const struct triangle *triangles, uint32_t count,
                                                const struct tree_build_options *options)
{
    return (struct tree_input){.triangles = triangles,
                               .fragments = options->fragments,
                               .count = options->fragments ? options->fragment_count : count,
                               .pad = options->pad,
                               .grid = options->grid};
}

static inline uint32_t tree_input_triangle(const struct tree_input *input, uint32_t i)
{
    return input->fragments ? input->fragments[i].triangle : i;
}

static inline void tree_input_box(const struct tree_input *input, uint32_t i, struct vec3 *low, struct vec3 *high)
{
    if (input->fragments)
        fragment_box(&input->fragments[i], input->grid.span, low, high);
    else
        triangle_box(&input->triangles[i], input->pad, low, high);
}

// The steps of the grid that hold a box of the tree.
static inline void tree_input_steps(const struct tree_input *input, struct vec3 low, struct vec3 high, uint32_t box[3])
{
    if (input->fragments)
        scene_grid_steps(&input->grid, low, high, box);
    else
        scene_grid_box(&input->grid, low, high, box);
}
