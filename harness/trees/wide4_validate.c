// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "trees/fragments.h"
#include "trees/tree_input.h"
#include "trees/wide4_tree.h"
#include "trees/wide4_float.h"

struct pending {
    uint32_t place, depth;
};

struct validation {
    const struct tree *tree;
    struct tree_input input;
    uint32_t units; // of 64 bytes
    bool *unit_seen, *part_seen;
    struct pending *stack;
    uint32_t waiting;
    uint64_t parts; // found so far
    struct error *error;
    bool floats;
};

// A box in either form.
struct ends {
    uint32_t grid[3];
    float low[3], high[3];
};

static bool damaged(const struct validation *validation, const char *what, uint32_t place)
{
    return error_set(validation->error, ERROR_INPUT, "the tree is damaged: %s (piece %u)", what, place);
}

static const void *unit_at(const struct validation *validation, uint32_t place)
{
    return (const char *)validation->tree->nodes + (size_t)place * WIDE4_PIECE;
}

// Of a node in either form, whose other words are in the same places.
static struct ends ends_of(const struct validation *validation, const struct wide4_node *node, uint32_t child)
{
    const struct wide4_float_node *floats = (const struct wide4_float_node *)node;
    struct ends ends;
    for (int axis = 0; axis < 3; ++axis) {
        ends.grid[axis] = validation->floats ? 0 : node->ends[axis][child];
        ends.low[axis] = validation->floats ? floats->low[axis][child] : 0.0f;
        ends.high[axis] = validation->floats ? floats->high[axis][child] : 0.0f;
    }
    return ends;
}

static bool is_empty(const struct validation *validation, const struct wide4_node *node, uint32_t child)
{
    const struct ends ends = ends_of(validation, node, child);
    bool empty = true;
    for (int axis = 0; axis < 3; ++axis)
        empty = empty &&
                (validation->floats ? ends.low[axis] == wide4_float_empty(axis) && ends.high[axis] == ends.low[axis]
                                    : ends.grid[axis] == WIDE4_EMPTY);
    return empty;
}

// Whether a child holds a box. What is not a number holds nothing, and an infinite box is none.
static bool holds(const struct validation *validation, const struct wide4_node *node, uint32_t child,
                  const struct ends *box)
{
    const struct ends own = ends_of(validation, node, child);
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t ends = own.grid[axis];
        if (validation->floats ? !(own.low[axis] >= -WIDE4_FLOAT_MOST && own.low[axis] <= box->low[axis] &&
                                   own.high[axis] >= box->high[axis] && own.high[axis] <= WIDE4_FLOAT_MOST)
                               : (ends & 0xFFFFu) > (box->grid[axis] & 0xFFFFu) || ends >> 16 < box->grid[axis] >> 16)
            return false;
    }
    return true;
}

// ---- records

static int compare_fragments(const void *a, const void *b)
{
    return fragment_compare(a, b);
}

// The place of a record's fragment, or triangle, among the scene's; their number where it is none of them.
static uint32_t find_part(const struct validation *validation, const struct wide4_record *record)
{
    const struct tree_input *input = &validation->input;
    if (!input->fragments)
        return record->fragment.triangle < input->count ? record->fragment.triangle : input->count;
    const struct fragment *found =
        bsearch(&record->fragment, input->fragments, input->count, sizeof *input->fragments, compare_fragments);
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

static bool check_record(struct validation *validation, const struct wide4_node *node, uint32_t child, uint32_t place)
{
    const struct wide4_record *record = unit_at(validation, place);
    const struct tree_input *input = &validation->input;
    const uint32_t part = find_part(validation, record);
    struct vec3 low, high;
    if (part >= input->count || validation->part_seen[part])
        return damaged(validation, "a leaf holds a triangle that does not exist, or that another holds", place);
    validation->part_seen[part] = true;
    ++validation->parts;
    if (!is_triangle(record, &input->triangles[tree_input_triangle(input, part)]))
        return damaged(validation, "a triangle is not the scene's", place);
    tree_input_box(input, part, &low, &high);
    struct ends box = {.low = {low.x, low.y, low.z}, .high = {high.x, high.y, high.z}};
    tree_input_steps(input, low, high, box.grid);
    return holds(validation, node, child, &box) || damaged(validation, "a triangle reaches out of its leaf", place);
}

// ---- nodes

// Takes `count` units from `place` on, which must be nobody's yet.
static bool take(struct validation *validation, uint32_t place, uint32_t count)
{
    if (place % WIDE4_PIECES != 0 || place / WIDE4_PIECES >= validation->units ||
        validation->units - place / WIDE4_PIECES < count)
        return damaged(validation, "a child does not exist", place);
    for (uint32_t i = 0; i < count; ++i) {
        if (validation->unit_seen[place / WIDE4_PIECES + i])
            return damaged(validation, "two nodes share a child", place);
        validation->unit_seen[place / WIDE4_PIECES + i] = true;
    }
    return true;
}

static bool check_inner(struct validation *validation, const struct wide4_node *node, uint32_t child, uint32_t place,
                        uint32_t depth)
{
    const struct wide4_node *below = unit_at(validation, place);
    if (depth >= WIDE4_DEPTH_MAX)
        return damaged(validation, "it is too deep", place);
    if (below->form != (validation->floats ? WIDE4_FLOATS : 0))
        return damaged(validation, "a node is of another form than the root", place);
    for (uint32_t c = 0; c < 4; ++c) {
        const struct ends box = ends_of(validation, below, c);
        if (!is_empty(validation, below, c) && !holds(validation, node, child, &box))
            return damaged(validation, "a node reaches out of its parent", place);
    }
    validation->stack[validation->waiting++] = (struct pending){place, depth + 1};
    return true;
}

static bool check_child(struct validation *validation, const struct wide4_node *node, uint32_t child, uint32_t depth)
{
    const uint32_t byte = node->children >> 8 * child & 0xFFu;
    const uint32_t records = byte & WIDE4_PAIR ? 2 : 1;
    if (node->base > WIDE4_PIECES_MAX - WIDE4_OFFSET)
        return damaged(validation, "a child does not exist", node->base);
    const uint32_t place = node->base + (byte & WIDE4_OFFSET);
    if (!(byte & WIDE4_LEAF))
        return (records == 1 || damaged(validation, "a child is of no known kind", place)) &&
               take(validation, place, validation->floats ? 2 : 1) &&
               check_inner(validation, node, child, place, depth);
    if (!take(validation, place, records))
        return false;
    for (uint32_t i = 0; i < records; ++i)
        if (!check_record(validation, node, child, place + i * WIDE4_PIECES))
            return false;
    return true;
}

// Rays that come from so far off that they meet empty children find the first child there.
static bool check_node(struct validation *validation, const struct pending *from)
{
    const struct wide4_node *node = unit_at(validation, from->place);
    for (uint32_t c = 0; c < 4; ++c) {
        const bool empty = is_empty(validation, node, c);
        if (empty && (c == 0 || (node->children >> 8 * c & 0xFFu) != (node->children & 0xFFu)))
            return damaged(validation, "an empty child leads elsewhere", from->place);
        if (!empty && !check_child(validation, node, c, from->depth))
            return false;
    }
    return true;
}

static bool check_empty(struct validation *validation)
{
    const struct wide4_node *node = unit_at(validation, 0);
    static const struct wide4_record none = {.normal_x = 0};
    for (uint32_t c = 0; c < 4; ++c)
        if (!is_empty(validation, node, c) || (node->children >> 8 * c & 0xFFu) != WIDE4_LEAF)
            return damaged(validation, "it holds what is not there", 0);
    return (validation->units == 2 && node->base == WIDE4_PIECES &&
            memcmp(unit_at(validation, WIDE4_PIECES), (const char *)&none, sizeof none) == 0) ||
           damaged(validation, "it holds what is not there", 0);
}

static bool check_all(struct validation *validation)
{
    if (validation->input.count == 0)
        return check_empty(validation);
    if (!take(validation, 0, validation->floats ? 2 : 1))
        return false;
    validation->stack[validation->waiting++] = (struct pending){0, 1};
    while (validation->waiting > 0) {
        const struct pending from = validation->stack[--validation->waiting];
        if (!check_node(validation, &from))
            return false;
    }
    return validation->parts == validation->input.count ||
           error_set(validation->error, ERROR_INPUT, "the tree is damaged: a triangle is in no leaf");
}

bool wide4_validate(const struct tree *tree, float pad, struct error *error)
{
    const struct tree_build_options options = {
        .pad = pad, .fragments = tree->fragments, .fragment_count = (uint32_t)tree->fragment_count, .grid = tree->grid};
    struct validation validation = {.tree = tree, .units = (uint32_t)(tree->node_count / WIDE4_PIECES), .error = error};
    if (tree->node_count < 2 * WIDE4_PIECES || tree->node_count % WIDE4_PIECES || tree->node_count > WIDE4_PIECES_MAX)
        return error_set(error, ERROR_INPUT, "the tree is damaged: it has %llu pieces",
                         (unsigned long long)tree->node_count);
    if (((const struct wide4_node *)tree->nodes)->form > (tree->fragments ? 0u : (uint32_t)WIDE4_FLOATS))
        return error_set(error, ERROR_INPUT, "the tree is damaged: its nodes are of no known form");
    validation.floats = wide4_has_floats(tree->nodes);
    validation.input = tree_input_make(tree->triangles, (uint32_t)tree->triangle_count, &options);
    validation.unit_seen = calloc(validation.units, sizeof *validation.unit_seen);
    validation.part_seen = calloc((size_t)validation.input.count + 1, sizeof *validation.part_seen);
    validation.stack = malloc((size_t)validation.units * sizeof *validation.stack);
    const bool enough = validation.unit_seen && validation.part_seen && validation.stack;
    const bool valid =
        enough ? check_all(&validation)
               : error_set(error, ERROR_SYSTEM, "not enough memory to check a tree of %u nodes", validation.units);
    free(validation.unit_seen);
    free(validation.part_seen);
    free(validation.stack);
    return valid;
}
