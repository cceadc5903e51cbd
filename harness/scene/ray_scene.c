// SPDX-License-Identifier: MIT
#include "scene/ray_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "scene/mesh_import.h"
#include "scene/scale.h"
#include "scene/soup.h"

enum { LEAF_SIZE = 4, BINS = 32 };

// Of the corners of Crytek Sponza, 262,205 triangles.
static const char published_mesh[] = "44607238f11cf4cfbb3566bc99aa0a7b";

static bool fill_corners(struct ray_scene *scene, const struct triangle *triangles, uint32_t count, struct error *error)
{
    scene->corners = malloc(9 * (size_t)count * sizeof *scene->corners + 1);
    if (!scene->corners)
        return error_set(error, ERROR_SYSTEM, "not enough memory for %u triangles", count);
    for (int axis = 0; axis < 3; ++axis) {
        scene->low[axis] = INFINITY;
        scene->high[axis] = -INFINITY;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const struct triangle *triangle = &triangles[i];
        const float values[9] = {triangle->v0.x, triangle->v0.y, triangle->v0.z, triangle->v1.x, triangle->v1.y,
                                 triangle->v1.z, triangle->v2.x, triangle->v2.y, triangle->v2.z};
        memcpy(&scene->corners[9 * (size_t)triangle->id], values, sizeof values);
        for (int c = 0; c < 9; ++c) {
            scene->low[c % 3] = fminf(scene->low[c % 3], values[c]);
            scene->high[c % 3] = fmaxf(scene->high[c % 3], values[c]);
        }
    }
    char hash[HASH_TEXT];
    hash_text(hash_bytes(scene->corners, 9 * (size_t)count * sizeof *scene->corners), hash);
    scene->published = strcmp(hash, published_mesh) == 0;
    scene->mesh = (struct ray_mesh){scene->corners, count};
    return true;
}

bool ray_scene_from_scene(struct ray_scene *to, const struct scene_request *request, struct error *error)
{
    *to = (struct ray_scene){0};
    to->scene = scene_open(request, error);
    if (!to->scene)
        return false;
    if (!scene_facts(to->scene)->triangles) {
        error_set(error, ERROR_USE, "scene %s has no triangles that rays could hit", request->name);
        ray_scene_finish(to);
        return false;
    }
    to->view = *scene_host_view(to->scene);
    snprintf(to->title, sizeof to->title, "scene %s", scene_facts(to->scene)->name);
    if (fill_corners(to, to->view.triangles, to->view.triangle_count, error))
        return true;
    ray_scene_finish(to);
    return false;
}

// ---- mesh files

// Every triangle is kept, also one without area: the published sets count it. Nothing meets it.
static struct triangle *gather(const struct mesh_data *mesh, const char *path, struct error *error)
{
    const float reach = 1e8f; // farther out, float32 areas overflow
    struct triangle *triangles = calloc(mesh->triangle_count + 1, sizeof *triangles);
    if (!triangles) {
        error_set(error, ERROR_SYSTEM, "not enough memory for %llu triangles",
                  (unsigned long long)mesh->triangle_count);
        return NULL;
    }
    for (uint64_t i = 0; i < mesh->triangle_count; ++i) {
        struct vec3 corners[3];
        for (int k = 0; k < 3; ++k) {
            const struct exact_vec *from = &mesh->vertices[mesh->indices[3 * i + (uint64_t)k]];
            corners[k] = vec3_make((float)from->x, (float)from->y, (float)from->z);
            if (!(fabsf(corners[k].x) <= reach && fabsf(corners[k].y) <= reach && fabsf(corners[k].z) <= reach)) {
                error_set(error, ERROR_INPUT, "%s: a vertex is not finite or lies farther out than 1e8 units", path);
                free(triangles);
                return NULL;
            }
        }
        triangles[i] = (struct triangle){.v0 = corners[0], .id = (uint32_t)i, .v1 = corners[1], .v2 = corners[2]};
    }
    return triangles;
}

static struct triangle *read_triangles(const char *path, uint32_t *count, struct error *error)
{
    struct mesh_data mesh = {0};
    struct triangle *triangles = NULL;
    if (!mesh_import(&mesh, path, path, false, error))
        return NULL;
    if (mesh.triangle_count > SOUP_MAX)
        error_set(error, ERROR_INPUT, "%s has more than %d triangles", path, SOUP_MAX);
    else
        triangles = gather(&mesh, path, error);
    *count = (uint32_t)mesh.triangle_count;
    mesh_finish(&mesh);
    return triangles;
}

static bool build_tree(struct ray_scene *scene, const struct triangle *triangles, uint32_t count,
                       const struct scene_tree_options *tree, struct error *error)
{
    const struct bvh_options options = {.leaf_size = tree->leaf_size ? tree->leaf_size : LEAF_SIZE,
                                        .bins = tree->bins ? tree->bins : BINS,
                                        .pad = scene_box_pad(scene->low, scene->high)};
    if (!bvh_build(triangles, count, &options, &scene->tree, error))
        return false;
    scene->ordered = malloc(count * sizeof *scene->ordered + 1);
    if (!scene->ordered)
        return error_set(error, ERROR_SYSTEM, "not enough memory for %u triangles", count);
    for (uint32_t slot = 0; slot < count; ++slot)
        scene->ordered[slot] = triangles[scene->tree.order[slot]];
    scene->view = (struct scene_view){.nodes = scene->tree.nodes,
                                      .triangles = scene->ordered,
                                      .triangle_count = count,
                                      .node_count = scene->tree.node_count,
                                      .box_pad = options.pad};
    return true;
}

bool ray_scene_from_mesh(struct ray_scene *to, const char *path, const struct scene_tree_options *tree,
                         struct error *error)
{
    uint32_t count;
    *to = (struct ray_scene){0};
    struct triangle *triangles = read_triangles(path, &count, error);
    const char *slash = strrchr(path, '/');
    snprintf(to->title, sizeof to->title, "mesh %s", slash ? slash + 1 : path);
    const bool done =
        triangles && fill_corners(to, triangles, count, error) && build_tree(to, triangles, count, tree, error);
    free(triangles);
    if (!done)
        ray_scene_finish(to);
    return done;
}

void ray_scene_finish(struct ray_scene *scene)
{
    scene_close(scene->scene);
    bvh_finish(&scene->tree);
    free(scene->ordered);
    free(scene->corners);
    *scene = (struct ray_scene){0};
}

struct ray_set_view ray_scene_view(const struct ray_scene *scene)
{
    return scene->published ? ray_set_sponza_view : ray_set_outside_view(scene->low, scene->high);
}

// ---- devices

static void *copy_up(struct device *device, const void *from, size_t bytes, struct error *error)
{
    void *there = device->ops->alloc(device, bytes, error);
    if (there && !device->ops->upload(device, NULL, there, from, bytes, error)) {
        device->ops->release(device, there);
        return NULL;
    }
    return there;
}

bool ray_scene_upload(const struct ray_scene *scene, struct device *device, struct scene_on_device *to,
                      struct error *error)
{
    *to = (struct scene_on_device){.view = scene->view};
    to->blocks[0] = copy_up(device, scene->view.nodes, scene->view.node_count * sizeof *scene->view.nodes, error);
    if (to->blocks[0])
        to->blocks[1] =
            copy_up(device, scene->view.triangles, scene->view.triangle_count * sizeof *scene->view.triangles, error);
    to->view.nodes = to->blocks[0];
    to->view.triangles = to->blocks[1];
    if (to->blocks[1])
        return true;
    scene_release(device, to);
    return false;
}
