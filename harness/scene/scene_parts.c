// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "scene/scene_parts.h"

#define FIELD(member, type, low, high, help) YAML_FIELD_IN(struct parameters, member, type, low, high, help)

#include <stdlib.h>
#include <string.h>

// ---- meshes

struct mesh_keys {
    struct scene_mesh mesh;
    yaml_node_t *material, *materials;
};

#define parameters scene_mesh
static const struct yaml_field mesh_fields[] = {
    FIELD(file, YAML_TEXT, 0, 0, "OBJ, PLY, OFF, glTF, IFC ..., relative to the scene file or to the data folder"),
    FIELD(package, YAML_TEXT, 0, 0, "which package provides it"),
    FIELD(obtain, YAML_TEXT, 0, 0, "or where it is to be had, where no package does"),
    FIELD(orient, YAML_REAL9, -1e3, 1e3, "rows of a 3 x 3 matrix applied first"),
    FIELD(size, YAML_REAL3, 1e-9, 1e6,
          "the mesh is moved to stand on y = 0 centred in x and z, and stretched to this size"),
    FIELD(fit, YAML_REAL, 1e-9, 1e6, "moved in the same way, and scaled evenly until its longest edge is this"),
    {"material", YAML_NODE, offsetof(struct mesh_keys, material), 0, 0, "one material for all of it, not its own"},
    {"materials", YAML_NODE, offsetof(struct mesh_keys, materials), 0, 0, "name in the mesh: material of the scene"},
    YAML_FIELDS_END,
};
#undef parameters

static bool read_renames(struct scene_file *file, yaml_node_t *node, struct scene_mesh *mesh, struct error *error)
{
    if (!yaml_expect_keys(&file->source, node, "materials", error))
        return false;
    const uint32_t count = (uint32_t)yaml_length(node);
    mesh->renames = memory_new(count, sizeof *mesh->renames);
    for (; mesh->rename_count < count; ++mesh->rename_count) {
        struct scene_rename *rename = &mesh->renames[mesh->rename_count];
        yaml_node_t *value;
        int line;
        if (!scene_entry(file, node, mesh->rename_count, "material", &rename->from, &line, &value, error) ||
            !scene_find_material(file, value, &rename->material, error))
            return false;
    }
    return true;
}

static bool read_mesh(struct scene_file *file, yaml_node_t *node, struct scene_mesh *mesh, struct error *error)
{
    struct mesh_keys keys = {.mesh = *mesh};
    if (!yaml_read_mapping(&file->source, node, "a mesh", mesh_fields, NULL, &keys, NULL, error))
        return false;
    *mesh = keys.mesh;
    if (!mesh->file || !*mesh->file) {
        error_set_at(error, ERROR_USE, file->path, mesh->line, "mesh \"%s\" has no file", mesh->name);
        return error_remedy(error, "add file: PATH, relative to the scene file or to the data folder");
    }
    if (mesh->size[0] > 0 && mesh->fit > 0) {
        error_set_at(error, ERROR_USE, file->path, mesh->line, "mesh \"%s\" has both size and fit", mesh->name);
        return error_remedy(error, "size stretches it to a box, fit keeps its shape: give one of them");
    }
    uint32_t index;
    if (keys.material) {
        if (!scene_find_material(file, keys.material, &index, error))
            return false;
        mesh->material = (int32_t)index;
    }
    return !keys.materials || read_renames(file, keys.materials, mesh, error);
}

bool scene_read_meshes(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    if (node && !yaml_expect_keys(&file->source, node, "meshes", error))
        return false;
    const uint32_t count = (uint32_t)yaml_length(node);
    file->meshes = memory_new(count, sizeof *file->meshes);
    for (uint32_t i = 0; i < count; ++i) {
        struct scene_mesh *mesh = &file->meshes[file->mesh_count++];
        *mesh = (struct scene_mesh){.orient = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .material = SCENE_NONE};
        yaml_node_t *value;
        if (!scene_entry(file, node, i, "mesh", &mesh->name, &mesh->line, &value, error) ||
            !read_mesh(file, value, mesh, error))
            return false;
    }
    return true;
}

// ---- cameras

#define parameters scene_camera_item
static const struct yaml_field camera_fields[] = {
    FIELD(eye, YAML_REAL3, -1e8, 1e8, "position"),
    FIELD(at, YAML_REAL3, -1e8, 1e8, "point looked at"),
    FIELD(direction, YAML_REAL3, -1e8, 1e8, "looked along, instead of `at`"),
    FIELD(up, YAML_REAL3, -1e8, 1e8, "default 0 1 0"),
    FIELD(fov, YAML_REAL, 1, 170, "vertical, degrees"),
    FIELD(aperture, YAML_REAL, 0, 1e6, "radius of the lens in scene units, 0 = pinhole"),
    FIELD(focus, YAML_REAL, 1e-6, 1e8, "distance of the plane in focus; default that of `at`"),
    YAML_FIELDS_END,
};
#undef parameters

static struct exact_vec vec_of(const double v[3])
{
    return exact_vec_make(v[0], v[1], v[2]);
}

enum { CAMERA_EYE = 1, CAMERA_AT = 2, CAMERA_DIRECTION = 4, CAMERA_FOCUS = 64 };

static bool check_camera(struct scene_file *file, struct scene_camera_item *camera, uint64_t present,
                         struct error *error)
{
    if (!(present & CAMERA_EYE) || !(present & (CAMERA_AT | CAMERA_DIRECTION))) {
        error_set_at(error, ERROR_USE, file->path, camera->line, "camera \"%s\" needs eye, and at or direction",
                     camera->name);
        return error_remedy(error, "add %s: [x, y, z]", present & CAMERA_EYE ? "at" : "eye");
    }
    if ((present & CAMERA_AT) && (present & CAMERA_DIRECTION)) {
        error_set_at(error, ERROR_USE, file->path, camera->line, "camera \"%s\" has both at and direction",
                     camera->name);
        return error_remedy(error, "remove one of the two");
    }
    if (camera->aperture > 0 && !(present & (CAMERA_AT | CAMERA_FOCUS))) {
        error_set_at(error, ERROR_USE, file->path, camera->line, "camera \"%s\" has an aperture, but no focus",
                     camera->name);
        return error_remedy(error, "add focus: DISTANCE, or give at: [x, y, z] in place of direction");
    }
    struct exact_vec forward = vec_of(camera->direction);
    if (present & CAMERA_AT)
        forward = exact_vec_sub(vec_of(camera->at), vec_of(camera->eye));
    const double distance = exact_vec_length(forward);
    const struct exact_vec right =
        exact_vec_cross(exact_vec_normalize(forward), exact_vec_normalize(vec_of(camera->up)));
    if (distance < 1e-12 || exact_vec_length(right) < 1e-6) {
        error_set_at(error, ERROR_USE, file->path, camera->line, "camera \"%s\" looks %s", camera->name,
                     distance < 1e-12 ? "nowhere: eye and at are one point" : "along its own up direction");
        return error_remedy(error, distance < 1e-12 ? "move one of them" : "give it another up, such as [0, 0, 1]");
    }
    camera->direction[0] = forward.x / distance;
    camera->direction[1] = forward.y / distance;
    camera->direction[2] = forward.z / distance;
    if (!(present & CAMERA_FOCUS))
        camera->focus = present & CAMERA_AT ? distance : 1;
    return true;
}

bool scene_read_cameras(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    if (!yaml_expect_keys(&file->source, node, "cameras", error))
        return false;
    const uint32_t count = (uint32_t)yaml_length(node);
    if (count == 0) {
        yaml_fail(&file->source, node, error, "the scene has no camera");
        return error_remedy(error, "add one: main: {eye: [x, y, z], at: [x, y, z]}");
    }
    file->cameras = memory_new(count, sizeof *file->cameras);
    for (uint32_t i = 0; i < count; ++i) {
        struct scene_camera_item *camera = &file->cameras[file->camera_count++];
        *camera = (struct scene_camera_item){.up = {0, 1, 0}, .fov = 45, .focus = 1};
        yaml_node_t *value;
        uint64_t present;
        if (!scene_entry(file, node, i, "camera", &camera->name, &camera->line, &value, error) ||
            !yaml_read_mapping(&file->source, value, "a camera", camera_fields, NULL, camera, &present, error) ||
            !check_camera(file, camera, present, error))
            return false;
    }
    return true;
}
