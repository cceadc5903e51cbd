// SPDX-License-Identifier: MIT
// Where a primitive's vertices are: moved by morph targets, then by the node, or in its place by the joints of a skin.
#include <stdlib.h>

#include "base/memory.h"
#include "import/mesh_gltf.h"

static bool read_attribute(struct gltf *gltf, const json_t *attributes, const char *name, const char *type,
                           uint64_t count, struct gltf_values *values)
{
    uint64_t index;
    *values = (struct gltf_values){0};
    if (!json_object_get(attributes, name))
        return mesh_builder_fail(gltf->builder, 0, "there is no %s", name);
    if (!gltf_whole(gltf, attributes, name, GLTF_NONE, &index) || !gltf_values_read(gltf, index, type, values))
        return false;
    if (count != GLTF_NONE && values->count != count)
        return mesh_builder_fail(gltf->builder, 0, "a primitive has %llu %s for %llu vertices",
                                 (unsigned long long)values->count, name, (unsigned long long)count);
    return values->values != NULL;
}

// Adds each morph target by its weight, the node's or else the mesh's.
static bool add_targets(struct gltf *gltf, const json_t *node, const json_t *primitive, struct gltf_values *points)
{
    const json_t *targets = json_object_get(primitive, "targets"), *weights = json_object_get(node, "weights");
    uint64_t mesh;
    if (!gltf_whole(gltf, node, "mesh", GLTF_NONE, &mesh))
        return false;
    if (!weights)
        weights = json_object_get(gltf_entry(gltf, "meshes", mesh), "weights");
    if (weights && json_array_size(weights) != json_array_size(targets))
        return mesh_builder_fail(gltf->builder, 0, "there are %zu weights for %zu morph targets",
                                 json_array_size(weights), json_array_size(targets));
    for (size_t i = 0; i < json_array_size(weights); ++i) {
        const double weight = json_number_value(json_array_get(weights, i));
        const json_t *target = json_array_get(targets, i);
        struct gltf_values moves;
        if (weight == 0 || !json_object_get(target, "POSITION"))
            continue;
        const bool done = read_attribute(gltf, target, "POSITION", "VEC3", points->count, &moves);
        for (uint64_t k = 0; done && k < 3 * points->count; ++k)
            points->values[k] += weight * moves.values[k];
        free(moves.values);
        if (!done)
            return false;
    }
    return true;
}

static void transform_point(const struct exact_transform *transform, double *p)
{
    const struct exact_vec moved = exact_transform_point(transform, exact_vec_make(p[0], p[1], p[2]));
    p[0] = moved.x;
    p[1] = moved.y;
    p[2] = moved.z;
}

// From the skin's own space to the world, for each joint. To be freed; NULL with the error set.
static struct exact_transform *read_joints(struct gltf *gltf, const struct gltf_node *nodes, uint64_t index,
                                           size_t *count)
{
    const json_t *skin = gltf_entry(gltf, "skins", index), *joints = json_object_get(skin, "joints");
    struct gltf_values inverse = {0};
    *count = json_array_size(joints);
    bool done = skin && (!json_object_get(skin, "inverseBindMatrices") ||
                         read_attribute(gltf, skin, "inverseBindMatrices", "MAT4", *count, &inverse));
    struct exact_transform *transforms = memory_new(*count, sizeof *transforms);
    for (size_t i = 0; done && i < *count; ++i) {
        const json_t *joint = json_array_get(joints, i);
        const uint64_t at = json_is_integer(joint) ? (uint64_t)json_integer_value(joint) : GLTF_NONE;
        if (!(done = gltf_entry(gltf, "nodes", at) != NULL))
            break;
        const struct exact_transform own =
            inverse.values ? gltf_transform(inverse.values + 16 * i) : exact_transform_identity();
        transforms[i] = exact_transform_multiply(&nodes[at].world, &own);
    }
    free(inverse.values);
    if (done)
        return transforms;
    free(transforms);
    return NULL;
}

// Four joints of each vertex, and their weights.
struct influences {
    struct gltf_values joints, weights;
};

static bool read_influences(struct gltf *gltf, const json_t *attributes, int set, uint64_t count, struct influences *to)
{
    char name[32];
    snprintf(name, sizeof name, "JOINTS_%d", set);
    to->weights.values = NULL;
    if (!read_attribute(gltf, attributes, name, "VEC4", count, &to->joints))
        return false;
    snprintf(name, sizeof name, "WEIGHTS_%d", set);
    return read_attribute(gltf, attributes, name, "VEC4", count, &to->weights);
}

static bool add_influences(struct gltf *gltf, const struct influences *set, const struct exact_transform *joints,
                           size_t joint_count, const struct gltf_values *from, double *to)
{
    for (uint64_t i = 0; i < 4 * from->count; ++i) {
        const double weight = set->weights.values[i], joint = set->joints.values[i];
        if (weight == 0)
            continue;
        if (!(joint >= 0 && joint < (double)joint_count))
            return mesh_builder_fail(gltf->builder, 0, "a vertex follows joint %g of %zu", joint, joint_count);
        const double *p = from->values + 3 * (i / 4);
        const struct exact_vec moved = exact_transform_point(&joints[(size_t)joint], exact_vec_make(p[0], p[1], p[2]));
        double *sum = to + 4 * (i / 4);
        sum[0] += weight * moved.x;
        sum[1] += weight * moved.y;
        sum[2] += weight * moved.z;
        sum[3] += weight;
    }
    return true;
}

// The mean of where the joints take each vertex, by their weights.
static bool skin_points(struct gltf *gltf, const struct gltf_node *nodes, uint64_t skin, const json_t *attributes,
                        struct gltf_values *points)
{
    size_t joint_count;
    struct exact_transform *joints = read_joints(gltf, nodes, skin, &joint_count);
    double *sums = memory_new(points->count, 4 * sizeof *sums);
    bool done = joints != NULL;
    char name[32] = "JOINTS_0";
    for (int set = 0; done && (set == 0 || json_object_get(attributes, name)); ++set) {
        struct influences read = {0};
        done = read_influences(gltf, attributes, set, points->count, &read) &&
               add_influences(gltf, &read, joints, joint_count, points, sums);
        free(read.joints.values);
        free(read.weights.values);
        snprintf(name, sizeof name, "JOINTS_%d", set + 1);
    }
    for (uint64_t i = 0; done && i < points->count; ++i)
        for (int c = 0; c < 3; ++c)
            points->values[3 * i + (uint64_t)c] = sums[4 * i + (uint64_t)c] / sums[4 * i + 3]; // of no weight: no point
    free(sums);
    free(joints);
    return done;
}

bool gltf_points_read(struct gltf *gltf, const struct gltf_node *nodes, uint64_t node, const json_t *primitive,
                      struct gltf_values *points)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint64_t skin;
    if (!read_attribute(gltf, attributes, "POSITION", "VEC3", GLTF_NONE, points) ||
        !add_targets(gltf, nodes[node].json, primitive, points) ||
        !gltf_whole(gltf, nodes[node].json, "skin", GLTF_NONE, &skin))
        return false;
    if (skin != GLTF_NONE)
        return skin_points(gltf, nodes, skin, attributes, points);
    for (uint64_t i = 0; i < points->count; ++i)
        transform_point(&nodes[node].world, points->values + 3 * i);
    return true;
}
