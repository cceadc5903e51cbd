// SPDX-License-Identifier: MIT
// Objects (meshes and shapes in their places) and the environment of a scene file.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/environment.h"
#include "scene/scene_parts.h"

#define FIELD(member, type, low, high, help) YAML_FIELD_IN(struct parameters, member, type, low, high, help)

// ---- objects

struct object_keys {
    struct scene_object object;
    yaml_node_t *mesh, *shape, *material, *on;
};

enum { OBJECT_FIELDS = 8, SHAPE_FIELDS_MAX = 32 };
#define parameters scene_object
#define NODE(member, help)                                                                                             \
    {                                                                                                                  \
#member, YAML_NODE, offsetof(struct object_keys, member), 0, 0, help                                           \
    }
static const struct yaml_field object_fields[] = {
    NODE(mesh, "name of a mesh"),
    NODE(shape, "or kind of a shape"),
    FIELD(position, YAML_REAL3, -1e8, 1e8, "of the object's origin"),
    FIELD(rotation, YAML_TURN, -1e5, 1e5, "degrees about y, or about x, then y, then z"),
    FIELD(scale, YAML_UNIFORM3, 1e-9, 1e6, "one factor, or three"),
    NODE(material, "name of a material"),
    NODE(on, "name of a terrain: y counts from the ground there"),
    FIELD(name, YAML_TEXT, 0, 0, "that `on` can use"),
};
#undef parameters

static bool choose_mesh(struct scene_file *file, yaml_node_t *node, struct scene_object *object, struct error *error)
{
    const char **names = memory_new(file->mesh_count + 1, sizeof *names);
    for (uint32_t i = 0; i < file->mesh_count; ++i)
        names[i] = file->meshes[i].name;
    uint32_t chosen;
    const bool done = yaml_choose(&file->source, node, "mesh", names, &chosen, error);
    free(names);
    if (done)
        object->mesh = (int32_t)chosen;
    return done;
}

static bool choose_shape(struct scene_file *file, yaml_node_t *node, struct scene_object *object, struct error *error)
{
    const char *names[64] = {NULL};
    for (uint32_t i = 0; shape_kinds[i]; ++i)
        names[i] = shape_kinds[i]->name;
    uint32_t chosen;
    if (!yaml_choose(&file->source, node, "shape", names, &chosen, error))
        return false;
    object->shape = shape_kinds[chosen];
    object->parameters = memory_new(1, object->shape->size);
    memcpy(object->parameters, object->shape->defaults, object->shape->size);
    return true;
}

static size_t field_count(const struct yaml_field *fields)
{
    size_t count = 0;
    while (fields[count].name)
        ++count;
    return count;
}

// The shape's own keys and those of its further materials live in one block behind the object's.
struct shape_keys {
    struct object_keys common;
    yaml_node_t *materials[SHAPE_MATERIALS];
    _Alignas(16) char own[SHAPE_PARAMETERS_MAX];
};

static bool read_shape_keys(struct scene_file *file, yaml_node_t *node, const struct shape_kind *shape,
                            struct shape_keys *keys, struct error *error)
{
    struct yaml_field fields[OBJECT_FIELDS + SHAPE_FIELDS_MAX + SHAPE_MATERIALS + 1];
    size_t count = OBJECT_FIELDS;
    memcpy(fields, object_fields, sizeof object_fields);
    for (size_t i = 0, n = shape ? field_count(shape->fields) : 0; i < n; ++i, ++count) {
        fields[count] = shape->fields[i];
        fields[count].offset += offsetof(struct shape_keys, own);
    }
    for (size_t i = 0; shape && shape->materials && shape->materials[i]; ++i, ++count)
        fields[count] =
            (struct yaml_field){.name = shape->materials[i],
                                .type = YAML_NODE,
                                .offset = offsetof(struct shape_keys, materials) + (i + 1) * sizeof(yaml_node_t *)};
    fields[count] = (struct yaml_field)YAML_FIELDS_END;
    return yaml_read_mapping(&file->source, node, shape ? shape->name : "an object", fields, NULL, keys, NULL, error);
}

static bool resolve_materials(struct scene_file *file, struct shape_keys *keys, struct scene_object *object,
                              struct error *error)
{
    keys->materials[0] = keys->common.material;
    if (object->mesh != SCENE_NONE && keys->materials[0]) {
        yaml_fail(&file->source, keys->materials[0], error, "the material of a mesh is given under meshes, not here");
        return error_remedy(error, "move it to mesh \"%s\" in line %d", file->meshes[object->mesh].name,
                            file->meshes[object->mesh].line);
    }
    for (int i = 0; i < SHAPE_MATERIALS; ++i) {
        object->materials[i] = i > 0 ? object->materials[0] : 0;
        if (keys->materials[i] && !scene_find_material(file, keys->materials[i], &object->materials[i], error))
            return false;
    }
    return true;
}

bool scene_find_ground(struct scene_file *file, yaml_node_t *node, const struct scene_object *but, int32_t *found,
                       struct error *error)
{
    if (!yaml_expect(&file->source, node, YAML_SCALAR_NODE, "on", error))
        return false;
    for (uint32_t i = 0; i < file->object_count; ++i) {
        const struct scene_object *ground = &file->objects[i];
        if (ground == but || !ground->name || strcmp(ground->name, (const char *)node->data.scalar.value) != 0)
            continue;
        if (*found != SCENE_NONE) {
            yaml_fail(&file->source, node, error, "on: \"%s\" is the name of two objects, in lines %d and %d",
                      ground->name, file->objects[*found].line, ground->line);
            return error_remedy(error, "rename one of them");
        }
        const bool straight = ground->rotation[0] == 0 && ground->rotation[1] == 0 && ground->rotation[2] == 0 &&
                              ground->scale[0] == 1 && ground->scale[1] == 1 && ground->scale[2] == 1;
        if (ground->shape != &shape_terrain || !straight) {
            yaml_fail(&file->source, node, error, "on: \"%s\" is not a terrain without rotation and scale",
                      ground->name);
            return error_remedy(
                error, "the object of that name is in line %d: take another, or leave out its rotation and scale",
                ground->line);
        }
        *found = (int32_t)i;
    }
    if (*found != SCENE_NONE)
        return true;
    yaml_fail(&file->source, node, error, "on: no earlier object is called \"%.60s\"",
              (const char *)node->data.scalar.value);
    return error_remedy(error, "give a terrain above this object that name: {shape: terrain, name: %.60s}",
                        (const char *)node->data.scalar.value);
}

bool scene_check_ring(struct scene_file *file, const yaml_node_t *node, double inner, double outer, struct error *error)
{
    if (inner <= outer)
        return true;
    yaml_fail(&file->source, node, error, "inner, %g, is more than outer, %g", inner, outer);
    return error_remedy(error, "lower inner, which is 0 unless given, or raise outer, which is 10");
}

static bool check_object(struct scene_file *file, const yaml_node_t *node, const struct scene_object *object,
                         struct error *error)
{
    const double *ring = object->parameters;
    const bool turned = object->rotation[0] != 0 || object->rotation[1] != 0 || object->rotation[2] != 0 ||
                        object->scale[0] != 1 || object->scale[1] != 1 || object->scale[2] != 1;
    if (object->shape && object->shape->scatters && turned) {
        error_set_at(error, ERROR_USE, file->path, object->line, "%s cannot be rotated or scaled", object->shape->name);
        return error_remedy(error, "leave out rotation and scale; seed gives another arrangement");
    }
    return !object->shape || !object->shape->scatters || scene_check_ring(file, node, ring[0], ring[1], error);
}

static bool read_object(struct scene_file *file, yaml_node_t *node, struct scene_object *object, struct error *error)
{
    struct shape_keys keys = {.common.object = *object};
    if (!yaml_expect(&file->source, node, YAML_MAPPING_NODE, "an object", error))
        return false;
    yaml_node_t *mesh = yaml_find(&file->source, node, "mesh"), *shape = yaml_find(&file->source, node, "shape");
    if (!mesh == !shape) {
        yaml_fail(&file->source, node, error, "an object needs a mesh or a shape%s", mesh ? ", not both" : "");
        return error_remedy(error, mesh ? "remove one of the two" : "add shape: KIND, such as box, or mesh: NAME");
    }
    if (mesh ? !choose_mesh(file, mesh, object, error) : !choose_shape(file, shape, object, error))
        return false;
    keys.common.object = *object;
    if (object->shape)
        memcpy(keys.own, object->shape->defaults, object->shape->size);
    if (!read_shape_keys(file, node, object->shape, &keys, error))
        return false;
    *object = keys.common.object;
    if (object->shape)
        memcpy(object->parameters, keys.own, object->shape->size);
    return resolve_materials(file, &keys, object, error) &&
           (!keys.common.on || scene_find_ground(file, keys.common.on, object, &object->ground, error)) &&
           check_object(file, node, object, error);
}

bool scene_read_object_list(struct scene_file *file, yaml_node_t *node, int32_t part, struct error *error)
{
    if (!yaml_expect(&file->source, node, YAML_SEQUENCE_NODE, part == SCENE_NONE ? "objects" : "a part", error))
        return false;
    const size_t count = yaml_length(node);
    if (file->object_count + count > SCENE_OBJECTS_MAX) {
        yaml_fail(&file->source, node, error, "%zu objects, at most %d are possible", file->object_count + count,
                  SCENE_OBJECTS_MAX);
        return error_remedy(error, "join some of them, for instance in one mesh file");
    }
    struct scene_object *objects = memory_new(file->object_count + count, sizeof *objects);
    if (file->object_count)
        memcpy(objects, file->objects, file->object_count * sizeof *objects);
    free(file->objects);
    file->objects = objects;
    for (size_t i = 0; i < count; ++i) {
        yaml_node_t *item = yaml_value(&file->source, node, i);
        struct scene_object *object = &file->objects[file->object_count++];
        *object = (struct scene_object){.mesh = SCENE_NONE,
                                        .ground = SCENE_NONE,
                                        .part = part,
                                        .scale = {1, 1, 1},
                                        .line = item ? yaml_line(item) : 0};
        if (!read_object(file, item, object, error))
            return false;
    }
    return true;
}

bool scene_read_objects(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    file->objects_line = node ? yaml_line(node) : 1;
    return scene_read_object_list(file, node, SCENE_NONE, error);
}

// ---- environment

struct environment_keys {
    struct scene_environment environment;
    yaml_node_t *sky, *mapping;
    double cells[2];
};

#define parameters scene_environment
static const struct yaml_field environment_fields[] = {
    FIELD(file, YAML_TEXT, 0, 0, "picture, Radiance HDR or OpenEXR"),
    FIELD(package, YAML_TEXT, 0, 0, "which package provides it"),
    FIELD(constant, YAML_UNIFORM3, 0, 1e6, "or one radiance for all directions"),
    {"sky", YAML_NODE, offsetof(struct environment_keys, sky), 0, 0, "or a gradient with a sun"},
    {"mapping", YAML_NODE, offsetof(struct environment_keys, mapping), 0, 0, "latitude_longitude or equal_area"},
    FIELD(mirrored, YAML_FLAG, 0, 0, "azimuth grows from +x towards -z"),
    FIELD(illuminance, YAML_REAL, 1e-9, 1e9, "of a surface that faces up, which replaces the source's own scale"),
    FIELD(intensity, YAML_REAL, 0, 1e6, "factor"),
    FIELD(rotation, YAML_REAL, -3600, 3600, "degrees about y, rounded to whole columns of the map"),
    {"cells", YAML_REAL2, offsetof(struct environment_keys, cells), 1, ENVIRONMENT_CELLS_MAX,
     "columns and rows of the sampling grid"},
    YAML_FIELDS_END,
};
#undef parameters

#define parameters scene_sky
static const struct yaml_field sky_fields[] = {
    FIELD(zenith, YAML_UNIFORM3, 0, 1e6, "radiance overhead"),
    FIELD(horizon, YAML_UNIFORM3, 0, 1e6, "radiance at the horizon"),
    FIELD(ground, YAML_UNIFORM3, 0, 1e6, "radiance below the horizon"),
    FIELD(sun, YAML_UNIFORM3, 0, 1e6, "radiance of the sun's disc"),
    FIELD(sun_azimuth, YAML_REAL, -360, 360, "degrees from +x towards +z"),
    FIELD(sun_elevation, YAML_REAL, -90, 90, "degrees above the horizon"),
    FIELD(sun_radius, YAML_REAL, 0.1, 90, "degrees; the edge is soft over the outer half"),
    YAML_FIELDS_END,
};
#undef parameters

// Whole numbers, as the counts they are.
static bool take_cells(struct scene_file *file, struct environment_keys *keys, struct error *error)
{
    for (int i = 0; i < 2; ++i) {
        if (keys->cells[i] != floor(keys->cells[i])) {
            error_set_at(error, ERROR_USE, file->path, keys->environment.line, "cells: %g is not a whole number",
                         keys->cells[i]);
            return error_remedy(error, "write two whole numbers: cells: [256, 128]");
        }
        keys->environment.cells[i] = (uint64_t)keys->cells[i];
    }
    return true;
}

enum { ENVIRONMENT_HAS_CONSTANT = 4 }; // its place in environment_fields

static bool check_environment(struct scene_file *file, struct environment_keys *keys, bool constant,
                              struct error *error)
{
    struct scene_environment *environment = &keys->environment;
    const int sources = (environment->file != NULL) + (keys->sky != NULL) + constant;
    if (sources != 1) {
        error_set_at(error, ERROR_USE, file->path, environment->line,
                     "the environment needs one of file, constant and sky");
        return error_remedy(error, sources ? "keep one of them" : "add one, such as constant: 1");
    }
    environment->kind = environment->file ? ENVIRONMENT_FILE : keys->sky ? ENVIRONMENT_SKY : ENVIRONMENT_CONSTANT;
    if (keys->mapping && !environment->file) {
        yaml_fail(&file->source, keys->mapping, error, "mapping says how a picture is read, and there is none");
        return error_remedy(error, "remove it, or name a file");
    }
    static const char *const mappings[] = {"latitude_longitude", "equal_area", NULL};
    uint32_t mapping = MAPPING_LATITUDE_LONGITUDE;
    if (keys->mapping && !yaml_choose(&file->source, keys->mapping, "mapping", mappings, &mapping, error))
        return false;
    environment->mapping = (enum environment_mapping)mapping;
    return !keys->sky ||
           yaml_read_mapping(&file->source, keys->sky, "a sky", sky_fields, NULL, &environment->sky, NULL, error);
}

bool scene_read_environment(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    struct environment_keys keys = {.environment =
                                        {
                                            .intensity = 1,
                                            .sky = {.zenith = {0.25, 0.45, 0.9},
                                                    .horizon = {0.9, 0.95, 1},
                                                    .ground = {0.2, 0.18, 0.15},
                                                    .sun = {60, 55, 45},
                                                    .sun_azimuth = 60,
                                                    .sun_elevation = 50,
                                                    .sun_radius = 4},
                                        },
                                    .cells = {256, 128}};
    if (!node)
        return true;
    uint64_t present;
    keys.environment.line = yaml_line(node);
    if (!yaml_read_mapping(&file->source, node, "an environment", environment_fields, NULL, &keys, &present, error) ||
        !take_cells(file, &keys, error) || !check_environment(file, &keys, present & ENVIRONMENT_HAS_CONSTANT, error))
        return false;
    file->environment = keys.environment;
    return true;
}
