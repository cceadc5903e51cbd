// SPDX-License-Identifier: MIT
#include "import/mesh_gltf.h"

#include <stdlib.h>
#include <string.h>

// Modes of primitives, as the format numbers them.
enum { MODE_POINTS, MODE_LINES, MODE_LINE_LOOP, MODE_LINE_STRIP, MODE_TRIANGLES, MODE_STRIP, MODE_FAN, MODE_COUNT };

#define DRACO "KHR_draco_mesh_compression"

struct reading {
    struct gltf gltf;
    struct gltf_node *nodes;
    size_t node_count;
    bool compressed;    // some primitive, so that triangles are counted only
    uint64_t elsewhere; // nodes with meshes that the scene does not show
};

// A primitive as one node shows it.
struct primitive {
    const json_t *json;
    uint64_t node, mesh, number, mode;
    uint64_t vertices, corners; // how many
    const double *indices;      // of the corners; NULL: all vertices in turn
};

static bool mesh_gltf_refuse(struct reading *reading, const struct primitive *primitive, const char *what)
{
    return mesh_builder_fail(reading->gltf.builder, 0, "meshes[%llu], primitive %llu: %s",
                             (unsigned long long)primitive->mesh, (unsigned long long)primitive->number, what);
}

// ---- triangles

static bool corner_at(struct reading *reading, const struct primitive *primitive, uint64_t at, uint32_t *corner)
{
    const double index = primitive->indices ? primitive->indices[at] : (double)at;
    if (!(index >= 0 && index < (double)primitive->vertices) || index != floor(index))
        return mesh_builder_fail(reading->gltf.builder, 0,
                                 "meshes[%llu], primitive %llu refers to vertex %.17g, and there are %llu, from 0",
                                 (unsigned long long)primitive->mesh, (unsigned long long)primitive->number, index,
                                 (unsigned long long)primitive->vertices);
    *corner = (uint32_t)(reading->gltf.builder->mesh->vertex_count - primitive->vertices + (uint64_t)index);
    return true;
}

// A node that mirrors turns its triangles the other way round.
static bool add_triangles(struct reading *reading, const struct primitive *primitive, uint32_t material)
{
    const uint64_t mode = primitive->mode;
    const uint64_t count = mode == MODE_TRIANGLES ? primitive->corners / 3 : primitive->corners - 2;
    const struct gltf_node *node = &reading->nodes[primitive->node];
    const bool swapped = !json_object_get(node->json, "skin") && exact_determinant(node->world.m) < 0;
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t at[3] = {i, i + 1, i + 2};
        uint32_t corners[3];
        if (mode == MODE_TRIANGLES)
            at[0] = 3 * i, at[1] = 3 * i + 1, at[2] = 3 * i + 2;
        else if (mode == MODE_STRIP)
            at[1] += i % 2, at[2] -= i % 2;
        else
            at[0] = i + 1, at[1] = i + 2, at[2] = 0;
        for (int k = 0; k < 3; ++k)
            if (!corner_at(reading, primitive, at[k], &corners[swapped && k ? 3 - k : k]))
                return false;
        if (!mesh_builder_face(reading->gltf.builder, corners, 3, material, 0))
            return false;
    }
    return true;
}

static bool material_of(struct reading *reading, const json_t *primitive, uint32_t *material)
{
    uint64_t index;
    if (!gltf_whole(&reading->gltf, primitive, "material", GLTF_NONE, &index) ||
        (index != GLTF_NONE && !gltf_entry(&reading->gltf, "materials", index)))
        return false;
    *material = index != GLTF_NONE ? (uint32_t)index : reading->gltf.builder->mesh->palette_count - 1;
    return true;
}

// ---- primitives

// How many corners it has, as its accessors say.
static bool count_corners(struct reading *reading, struct primitive *primitive)
{
    const json_t *attributes = json_object_get(primitive->json, "attributes");
    uint64_t accessor, position;
    if (!gltf_whole(&reading->gltf, attributes, "POSITION", GLTF_NONE, &position) ||
        !gltf_whole(&reading->gltf, primitive->json, "indices", position, &accessor))
        return false;
    const json_t *entry = gltf_entry(&reading->gltf, "accessors", accessor);
    return entry && gltf_whole(&reading->gltf, entry, "count", 0, &primitive->corners);
}

static bool read_triangles(struct reading *reading, struct primitive *primitive)
{
    struct gltf *gltf = &reading->gltf;
    struct gltf_values points = {0}, indices = {0};
    uint64_t accessor;
    uint32_t material;
    bool done = gltf_points_read(gltf, reading->nodes, primitive->node, primitive->json, &points) &&
                gltf_whole(gltf, primitive->json, "indices", GLTF_NONE, &accessor) &&
                (accessor == GLTF_NONE || gltf_values_read(gltf, accessor, "SCALAR", &indices)) &&
                material_of(reading, primitive->json, &material);
    for (uint64_t i = 0; done && i < points.count; ++i)
        done = mesh_builder_vertex(
            gltf->builder, exact_vec_make(points.values[3 * i], points.values[3 * i + 1], points.values[3 * i + 2]), 0);
    primitive->vertices = points.count;
    primitive->indices = indices.values;
    done = done && add_triangles(reading, primitive, material);
    free(points.values);
    free(indices.values);
    return done;
}

static bool read_primitive(struct reading *reading, struct primitive *primitive)
{
    struct mesh_builder *builder = reading->gltf.builder;
    if (!json_object_get(json_object_get(primitive->json, "attributes"), "POSITION"))
        return mesh_gltf_refuse(reading, primitive, "it has no POSITION");
    if (!gltf_whole(&reading->gltf, primitive->json, "mode", MODE_TRIANGLES, &primitive->mode) ||
        !count_corners(reading, primitive))
        return false;
    if (primitive->mode >= MODE_COUNT)
        return mesh_gltf_refuse(reading, primitive, "it has a mode that is none");
    if (primitive->mode < MODE_TRIANGLES) {
        builder->points += primitive->mode == MODE_POINTS ? primitive->corners : 0;
        builder->lines += primitive->mode == MODE_POINTS ? 0 : 1;
        return true;
    }
    if (primitive->corners < 3 || (primitive->mode == MODE_TRIANGLES && primitive->corners % 3 != 0))
        return mesh_gltf_refuse(reading, primitive, "its corners are no whole number of triangles");
    builder->declared += primitive->mode == MODE_TRIANGLES ? primitive->corners / 3 : primitive->corners - 2;
    return reading->compressed || read_triangles(reading, primitive);
}

// ---- nodes

static bool read_mesh(struct reading *reading, uint64_t node, uint64_t mesh)
{
    const json_t *from = gltf_entry(&reading->gltf, "meshes", mesh), *primitives = json_object_get(from, "primitives");
    for (size_t i = 0; i < json_array_size(primitives); ++i) {
        struct primitive primitive = {.json = json_array_get(primitives, i), .node = node, .mesh = mesh, .number = i};
        if (!read_primitive(reading, &primitive))
            return false;
    }
    return from != NULL;
}

static bool read_node(struct reading *reading, uint64_t index)
{
    const struct gltf_node *node = &reading->nodes[index];
    uint64_t mesh;
    if (!gltf_whole(&reading->gltf, node->json, "mesh", GLTF_NONE, &mesh))
        return false;
    if (mesh == GLTF_NONE || !node->shown) {
        reading->elsewhere += mesh != GLTF_NONE;
        return true;
    }
    if (json_object_get(json_object_get(node->json, "extensions"), "EXT_mesh_gpu_instancing"))
        return mesh_builder_fail(reading->gltf.builder, 0,
                                 "nodes[%llu] uses the extension EXT_mesh_gpu_instancing, which is not supported",
                                 (unsigned long long)index);
    if (reading->compressed && json_object_get(node->json, "skin"))
        return mesh_builder_fail(reading->gltf.builder, 0, "a skin together with " DRACO " is not supported");
    return read_mesh(reading, index, mesh);
}

// ---- the file

static bool check_extensions(struct gltf *gltf)
{
    static const char *const known[] = {DRACO, "KHR_mesh_quantization", "KHR_materials_ior",
                                        "KHR_materials_pbrSpecularGlossiness", "KHR_texture_transform"};
    const json_t *required = json_object_get(gltf->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); ++i) {
        const char *name = json_string_value(json_array_get(required, i));
        bool found = false;
        for (size_t k = 0; name && k < sizeof known / sizeof *known; ++k)
            found = found || strcmp(name, known[k]) == 0;
        if (found)
            continue;
        mesh_builder_fail(gltf->builder, 0, "it requires the extension %.100s, which is not supported",
                          name ? name : "without a name");
        return error_remedy(gltf->builder->error, "export the mesh anew without that extension");
    }
    return true;
}

// Whether some primitive has its data nowhere else than in Draco's form.
static bool is_compressed(const struct gltf *gltf)
{
    const json_t *accessors = json_object_get(gltf->root, "accessors");
    size_t i, k;
    json_t *mesh, *primitive;
    json_array_foreach(json_object_get(gltf->root, "meshes"), i, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), k, primitive)
        {
            const json_t *position = json_object_get(json_object_get(primitive, "attributes"), "POSITION");
            const json_t *accessor = json_array_get(accessors, (size_t)json_integer_value(position));
            if (json_object_get(json_object_get(primitive, "extensions"), DRACO) &&
                !json_object_get(accessor, "bufferView"))
                return true;
        }
    }
    return false;
}

static bool read_file(struct reading *reading)
{
    struct gltf *gltf = &reading->gltf;
    if (!check_extensions(gltf))
        return false;
    reading->compressed = is_compressed(gltf);
    reading->nodes = gltf_nodes_read(gltf);
    reading->node_count = json_array_size(json_object_get(gltf->root, "nodes"));
    if (!reading->nodes || !gltf_materials_read(gltf))
        return false;
    for (uint64_t i = 0; i < reading->node_count; ++i)
        if (!read_node(reading, i))
            return false;
    if (reading->elsewhere)
        mesh_builder_warn(gltf->builder, "nodes with a mesh that the scene does not show are left out: %llu",
                          (unsigned long long)reading->elsewhere);
    return true;
}

bool mesh_gltf_read(struct mesh_builder *builder, const char *bytes, size_t size)
{
    struct reading reading = {0};
    const bool done = gltf_open(&reading.gltf, builder, bytes, size) && read_file(&reading);
    gltf_finish(&reading.gltf);
    free(reading.nodes);
    builder->left = done && reading.compressed;
    return done && (builder->left || mesh_builder_finish(builder));
}
