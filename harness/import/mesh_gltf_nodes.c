// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/memory.h"
#include "import/mesh_gltf.h"

enum { DEPTH_MAX = 1000 };

// ---- transforms

struct exact_transform gltf_transform(const double *columns)
{
    struct exact_transform transform;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            transform.m[r][c] = columns[4 * c + r];
        transform.t[r] = columns[12 + r];
    }
    return transform;
}

static struct exact_transform turn_of(const double q[4])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / (x * x + y * y + z * z + w * w);
    return (struct exact_transform){{{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                                     {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                                     {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}},
                                    {0, 0, 0}};
}

static bool read_local(struct gltf *gltf, const json_t *node, struct exact_transform *local)
{
    double matrix[16] = {0}, move[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    if (!gltf_numbers(gltf, node, "matrix", 16, matrix) || !gltf_numbers(gltf, node, "translation", 3, move) ||
        !gltf_numbers(gltf, node, "rotation", 4, turn) || !gltf_numbers(gltf, node, "scale", 3, scale))
        return false;
    const struct exact_transform sized = exact_transform_scale(scale[0], scale[1], scale[2]);
    const struct exact_transform turned = turn_of(turn), both = exact_transform_multiply(&turned, &sized);
    const struct exact_transform moved = exact_transform_translate(move[0], move[1], move[2]);
    *local = json_object_get(node, "matrix") ? gltf_transform(matrix) : exact_transform_multiply(&moved, &both);
    return true;
}

// ---- nodes

static bool read_children(struct gltf *gltf, struct gltf_node *nodes, size_t count, size_t parent)
{
    const json_t *children = json_object_get(nodes[parent].json, "children");
    for (size_t i = 0; i < json_array_size(children); ++i) {
        const json_t *child = json_array_get(children, i);
        const json_int_t index = json_is_integer(child) ? json_integer_value(child) : -1;
        if (index < 0 || index >= (json_int_t)count)
            return mesh_builder_fail(gltf->builder, 0, "nodes[%zu] has a child that is none of %zu nodes", parent,
                                     count);
        if (nodes[index].parent != GLTF_NONE)
            return mesh_builder_fail(gltf->builder, 0, "nodes[%lld] has two parents", (long long)index);
        nodes[index].parent = parent;
    }
    return true;
}

// Marks what the scene shows at its roots. Where no scene is named it is the first; without any, all is shown.
static bool mark_roots(struct gltf *gltf, struct gltf_node *nodes, size_t count)
{
    uint64_t index;
    if (json_array_size(json_object_get(gltf->root, "scenes")) == 0) {
        for (size_t i = 0; i < count; ++i)
            nodes[i].shown = true;
        return true;
    }
    if (!gltf_whole(gltf, gltf->root, "scene", 0, &index))
        return false;
    const json_t *scene = gltf_entry(gltf, "scenes", index), *roots = json_object_get(scene, "nodes");
    for (size_t i = 0; i < json_array_size(roots); ++i) {
        const json_t *root = json_array_get(roots, i);
        const json_int_t at = json_is_integer(root) ? json_integer_value(root) : -1;
        if (at < 0 || at >= (json_int_t)count)
            return mesh_builder_fail(gltf->builder, 0, "scenes[%llu] shows what is none of %zu nodes",
                                     (unsigned long long)index, count);
        nodes[at].shown = true;
    }
    return scene != NULL;
}

// Those above a node move it, and show it.
static bool place_node(struct gltf *gltf, struct gltf_node *nodes, const struct exact_transform *local, size_t at)
{
    int depth = 0;
    nodes[at].world = local[at];
    for (uint64_t up = nodes[at].parent; up != GLTF_NONE; up = nodes[up].parent) {
        if (++depth > DEPTH_MAX)
            return mesh_builder_fail(gltf->builder, 0, "nodes[%zu] is nested too deeply, or within itself", at);
        nodes[at].world = exact_transform_multiply(&local[up], &nodes[at].world);
        nodes[at].shown |= nodes[up].shown;
    }
    return true;
}

struct gltf_node *gltf_nodes_read(struct gltf *gltf)
{
    const size_t count = json_array_size(json_object_get(gltf->root, "nodes"));
    struct gltf_node *nodes = memory_new(count, sizeof *nodes);
    struct exact_transform *local = memory_new(count, sizeof *local);
    bool done = true;
    for (size_t i = 0; done && i < count; ++i) {
        nodes[i].json = gltf_entry(gltf, "nodes", i);
        nodes[i].parent = GLTF_NONE;
        done = nodes[i].json && read_local(gltf, nodes[i].json, &local[i]);
    }
    for (size_t i = 0; done && i < count; ++i)
        done = read_children(gltf, nodes, count, i);
    done = done && mark_roots(gltf, nodes, count);
    for (size_t i = 0; done && i < count; ++i)
        done = place_node(gltf, nodes, local, i);
    free(local);
    if (done)
        return nodes;
    free(nodes);
    return NULL;
}
