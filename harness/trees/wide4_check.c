// SPDX-License-Identifier: MIT
// Nodes and records are both numbered by their place, in units of 64 bytes. A node whose boxes are floats takes two.
#include <stdlib.h>

#include "trees/fragments.h"
#include "trees/tree_readers.h"
#include "trees/wide4_float.h"

static const void *unit_at(const struct tree_reading *reading, uint32_t unit)
{
    return (const struct wide4_node *)reading->tree->nodes + unit;
}

static bool has_floats(const struct tree_reading *reading)
{
    return wide4_has_floats(reading->tree->nodes);
}

static bool wide4_measure(struct tree_reading *reading)
{
    const uint64_t pieces = reading->tree->node_count;
    reading->nodes = reading->slots = pieces / WIDE4_PIECES;
    return pieces >= 2 * WIDE4_PIECES && pieces % WIDE4_PIECES == 0 && pieces <= WIDE4_PIECES_MAX &&
           !(reading->tree->fragments && has_floats(reading));
}

// ---- nodes

static void set_box(const struct wide4_node *node, uint32_t child, bool floats, struct tree_branch *branch)
{
    const struct wide4_float_node *wide = (const struct wide4_float_node *)node;
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t ends = floats ? 0 : node->ends[axis][child];
        branch->low[axis] = floats ? (double)wide->low[axis][child] : ends & 0xFFFFu;
        branch->high[axis] = floats ? (double)wide->high[axis][child] : ends >> 16;
    }
}

static bool is_empty(const struct tree_branch *box, bool floats)
{
    for (int axis = 0; axis < 3; ++axis) {
        const double low = floats ? (double)wide4_float_empty(axis) : WIDE4_EMPTY & 0xFFFFu;
        if (box->low[axis] != low || box->high[axis] != (floats ? low : WIDE4_EMPTY >> 16))
            return false;
    }
    return true;
}

// A tree of nothing: rays that come from so far off that they meet empty children find a record of zeros.
static bool is_nothing(const struct tree_reading *reading, const struct wide4_node *root)
{
    static const struct wide4_record none = {.normal_x = 0};
    return reading->input.count == 0 && reading->nodes == 2 && root->base == WIDE4_PIECES &&
           root->children == WIDE4_LEAF * 0x01010101u &&
           memcmp(unit_at(reading, 1), (const char *)&none, sizeof none) == 0;
}

static const char *read_child(const struct wide4_node *node, uint32_t byte, struct tree_branch *branch)
{
    const uint32_t place = node->base + (byte & WIDE4_OFFSET), records = byte & WIDE4_PAIR ? 2 : 1;
    branch->inner = !(byte & WIDE4_LEAF);
    branch->first = place / WIDE4_PIECES;
    branch->count = records;
    return place % WIDE4_PIECES           ? "a child does not exist"
           : branch->inner && records > 1 ? "a child is of no known kind"
                                          : NULL;
}

// Rays from far off find the first child where a child is empty.
static const char *wide4_read(const struct tree_reading *reading, uint32_t unit, struct tree_branches *branches)
{
    const struct wide4_node *node = unit_at(reading, unit);
    const bool floats = has_floats(reading);
    const char *wrong = NULL;
    if (node->form != (floats ? WIDE4_FLOATS : 0))
        return "a node is of another form than the root";
    if ((floats && unit + 1 >= reading->nodes) || node->base > WIDE4_PIECES_MAX - WIDE4_OFFSET)
        return "a child does not exist";
    for (uint32_t c = 0; c < 4 && !wrong; ++c) {
        struct tree_branch *branch = &branches->of[branches->count];
        const uint32_t byte = node->children >> 8 * c & 0xFFu;
        set_box(node, c, floats, branch);
        if (!is_empty(branch, floats)) {
            wrong = read_child(node, byte, branch);
            ++branches->count;
        } else if (c == 0) {
            return unit == 0 && is_nothing(reading, node) ? NULL : "an empty child leads elsewhere";
        } else if (byte != (node->children & 0xFFu)) {
            wrong = "an empty child leads elsewhere";
        }
    }
    return wrong;
}

// ---- records

// The place of a record's fragment, or triangle, among the scene's; their number where it is none of them.
static uint32_t find_part(const struct tree_input *input, const struct wide4_record *record)
{
    if (!input->fragments)
        return record->fragment.triangle < input->count ? record->fragment.triangle : input->count;
    const struct fragment *found =
        bsearch(&record->fragment, input->fragments, input->count, sizeof *input->fragments, fragment_compare);
    return found ? (uint32_t)(found - input->fragments) : input->count;
}

static bool is_triangle(const struct wide4_record *record, const struct triangle *triangle)
{
    const struct vec3 normal = triangle_cross(triangle);
    const float theirs[3] = {record->normal_x, record->normal_y, record->normal_z};
    const float ours[3] = {normal.x, normal.y, normal.z};
    return memcmp((const char *)&record->v0, (const char *)&triangle->v0, sizeof record->v0) == 0 &&
           memcmp((const char *)&record->v1, (const char *)&triangle->v1, sizeof record->v1) == 0 &&
           memcmp((const char *)&record->v2, (const char *)&triangle->v2, sizeof record->v2) == 0 &&
           memcmp((const char *)theirs, (const char *)ours, sizeof ours) == 0;
}

static uint32_t wide4_part(const struct tree_reading *reading, uint32_t slot)
{
    const struct tree_input *input = &reading->input;
    const struct wide4_record *record = unit_at(reading, slot);
    const uint32_t part = find_part(input, record);
    return part < input->count && is_triangle(record, &input->triangles[tree_input_triangle(input, part)])
               ? part
               : input->count;
}

// As the boxes of nodes are: in steps of the grid, or floats.
static void wide4_box(const struct tree_reading *reading, uint32_t part, float low[3], float high[3])
{
    struct vec3 from, to;
    uint32_t steps[3];
    tree_part_box(reading, part, low, high);
    if (has_floats(reading))
        return;
    tree_input_box(&reading->input, part, &from, &to);
    tree_input_steps(&reading->input, from, to, steps);
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = (float)(steps[axis] & 0xFFFFu);
        high[axis] = (float)(steps[axis] >> 16);
    }
}

const struct tree_reader wide4_reader = {
    .depth_most = WIDE4_DEPTH_MAX,
    .gaps = true,
    .measure = wide4_measure,
    .read = wide4_read,
    .part = wide4_part,
    .box = wide4_box,
};
