// SPDX-License-Identifier: MIT
// A glTF 2.0 file (Khronos Group, 2021): its JSON, and what its buffers hold.
#pragma once

#include <jansson.h>

#include "import/mesh_builder.h"

struct gltf_bytes {
    const char *at; // NULL: not read yet
    size_t size;
    char *owned; // to be freed; NULL where they are a part of the file
};

struct gltf {
    struct mesh_builder *builder;
    json_t *root;
    struct gltf_bytes binary;   // of a GLB file
    struct gltf_bytes *buffers; // one for each of the JSON's
};

// The numbers of an accessor, normalized where it says so.
struct gltf_values {
    double *values;
    uint64_t count;
    int components; // of each
};

// False with the builder's error set. Finish it in any case.
bool gltf_open(struct gltf *gltf, struct mesh_builder *builder, const char *bytes, size_t size);
void gltf_finish(struct gltf *gltf);

// An entry of one of the root's lists; NULL with the error set where there is none.
json_t *gltf_entry(struct gltf *gltf, const char *list, uint64_t index);
// A member that is a whole number, not negative. False with the error set where it is another; without it `otherwise`.
bool gltf_whole(struct gltf *gltf, const json_t *object, const char *key, uint64_t otherwise, uint64_t *value);
// A member that is a list of `count` numbers; without it `values` stay.
bool gltf_numbers(struct gltf *gltf, const json_t *object, const char *key, size_t count, double *values);

// What a `uri` names; `owned` is the caller's.
bool gltf_uri_read(struct gltf *gltf, const char *uri, struct gltf_bytes *bytes);
// Path of a file that a `uri` names, to be freed; NULL for "data:".
char *gltf_uri_path(const char *gltf, const char *uri);
bool gltf_view_read(struct gltf *gltf, uint64_t index, struct gltf_bytes *bytes, uint64_t *stride);
// An accessor's numbers, to be freed in any case. `type`: what it must be, "VEC3".
bool gltf_values_read(struct gltf *gltf, uint64_t accessor, const char *type, struct gltf_values *values);

struct gltf_node {
    const json_t *json;
    struct exact_transform world;
    uint64_t parent; // GLTF_NONE: none
    bool shown;      // in the scene
};

static const uint64_t GLTF_NONE = UINT64_MAX;

// Of a 4 x 4 matrix, column by column.
struct exact_transform gltf_transform(const double *columns);
// All nodes, as many as the JSON has; to be freed. NULL with the error set.
struct gltf_node *gltf_nodes_read(struct gltf *gltf);

// Places in the world of a primitive's vertices, as a node shows it: with its transform and its mesh's morph targets, or
// bent by its skin. To be freed in any case.
bool gltf_points_read(struct gltf *gltf, const struct gltf_node *nodes, uint64_t node, const json_t *primitive,
                      struct gltf_values *points);

// Adds the materials to the mesh, in their order, and behind them that of primitives without one.
bool gltf_materials_read(struct gltf *gltf);
