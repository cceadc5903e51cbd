// SPDX-License-Identifier: MIT
// What several kinds of trees share of how they are read.
#include "trees/tree_reading.h"

#include <string.h>

bool tree_ordered_measure(struct tree_reading *reading)
{
    const struct tree *tree = reading->tree;
    reading->nodes = tree->node_count;
    reading->slots = reading->input.count;
    return tree->triangle_count == reading->input.count &&
           tree->reference_count == (tree->fragments ? tree->fragment_count : 0);
}

// Triangles of an object of a scene in two levels are numbered on from those of the objects before it.
uint32_t tree_ordered_part(const struct tree_reading *reading, uint32_t slot)
{
    const struct tree *tree = reading->tree;
    const struct tree_input *input = &reading->input;
    const struct triangle *triangle = &tree->triangles[slot];
    const uint32_t part = input->fragments ? tree->references[slot] : triangle->id - input->triangles[0].id;
    return part < input->count &&
                   memcmp((const char *)triangle, (const char *)&input->triangles[tree_input_triangle(input, part)],
                          sizeof *triangle) == 0
               ? part
               : input->count;
}

void tree_part_box(const struct tree_reading *reading, uint32_t part, float low[3], float high[3])
{
    struct vec3 from, to;
    tree_input_box(&reading->input, part, &from, &to);
    memcpy(low, &from, sizeof from);
    memcpy(high, &to, sizeof to);
}
