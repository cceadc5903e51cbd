// SPDX-License-Identifier: MIT
#include "bench/ray_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "trees/fragments.h"
#include "import/mesh_import.h"
#include "geometry/scale.h"
#include "geometry/soup.h"
#include "trees/tree_upload.h"

// Of the corners of Crytek Sponza, 262,205 triangles.
static const char published_mesh[] = "44607238f11cf4cfbb3566bc99aa0a7b";

// `listed`: where triangles were split, the list may have one several times.
static bool fill_corners(struct ray_scene *scene, const struct triangle *triangles, uint32_t listed, uint32_t count,
                         struct error *error)
{
    scene->corners = memory_try(count, 9 * sizeof *scene->corners, error, "for %u triangles", count);
    if (!scene->corners)
        return false;
    for (int axis = 0; axis < 3; ++axis) {
        scene->low[axis] = INFINITY;
        scene->high[axis] = -INFINITY;
    }
    for (uint32_t i = 0; i < listed; ++i) {
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
    if (request->tree.levels) {
        error_set(error, ERROR_UNSUPPORTED, "rays are generated over triangles that are each their own");
        return error_remedy(error, "choose instances=flat");
    }
    to->scene = scene_open(request, error);
    if (!to->scene)
        return false;
    if (!scene_facts(to->scene)->triangles) {
        error_set(error, ERROR_USE, "scene %s has no triangles that rays could hit", request->name);
        ray_scene_finish(to);
        return false;
    }
    to->view = *scene_host_view(to->scene);
    to->tree = *scene_tree(to->scene);
    snprintf(to->title, sizeof to->title, "scene %s", scene_facts(to->scene)->name);
    if (fill_corners(to, to->view.triangles, to->view.triangle_count, (uint32_t)scene_facts(to->scene)->triangles,
                     error))
        return true;
    ray_scene_finish(to);
    return false;
}

// ---- triangles of its own

static bool split_triangles(struct ray_scene *scene, uint32_t count, bool split, struct error *error)
{
    const float pad = scene_box_pad(scene->low, scene->high);
    const struct scene_grid grid = scene_grid_make(scene->low, scene->high, pad);
    return !split || fragments_make(scene->triangles, count, pad, &grid, 0, &scene->fragments, error);
}

static bool build_tree(struct ray_scene *scene, uint32_t count, const struct scene_tree_options *tree,
                       struct error *error)
{
    const struct tree_build_options options = {.tree = *tree,
                                               .pad = scene_box_pad(scene->low, scene->high),
                                               .fragments = scene->fragments.items,
                                               .fragment_count = scene->fragments.count};
    if (!tree_build(scene->triangles, count, &options, &scene->tree, error))
        return false;
    scene->view.box_pad = options.pad;
    tree_view(&scene->tree, scene->low, scene->high, &scene->view);
    return true;
}

// Over scene->triangles, NULL where there was an error; finishes the scene on failure.
static bool make_scene(struct ray_scene *scene, uint32_t count, const struct scene_tree_options *tree,
                       struct error *error)
{
    const bool done = scene->triangles && fill_corners(scene, scene->triangles, count, count, error) &&
                      split_triangles(scene, count, tree->split, error) && build_tree(scene, count, tree, error);
    if (!done)
        ray_scene_finish(scene);
    return done;
}

bool ray_scene_over(struct ray_scene *to, const struct ray_mesh *mesh, const struct scene_tree_options *tree,
                    struct error *error)
{
    *to = (struct ray_scene){0};
    to->triangles = memory_try(mesh->triangle_count, sizeof *to->triangles, error, "for %u triangles",
                               (unsigned)mesh->triangle_count);
    for (uint32_t i = 0; to->triangles && i < mesh->triangle_count; ++i) {
        const float *from = &mesh->corners[9 * (size_t)i];
        to->triangles[i] = (struct triangle){.v0 = vec3_make(from[0], from[1], from[2]),
                                             .id = i,
                                             .v1 = vec3_make(from[3], from[4], from[5]),
                                             .v2 = vec3_make(from[6], from[7], from[8])};
    }
    return make_scene(to, mesh->triangle_count, tree, error);
}

// ---- mesh files

// Every triangle is kept, also one without area: the published sets count it. Nothing meets it.
static struct triangle *ray_scene_gather(const struct mesh_data *mesh, const char *path, struct error *error)
{
    const float reach = 1e8f; // farther out, float32 areas overflow
    struct triangle *triangles = memory_try(mesh->triangle_count + 1, sizeof *triangles, error, "for %llu triangles",
                                            (unsigned long long)mesh->triangle_count);
    if (!triangles)
        return NULL;
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
        triangles = ray_scene_gather(&mesh, path, error);
    *count = (uint32_t)mesh.triangle_count;
    mesh_finish(&mesh);
    return triangles;
}

bool ray_scene_from_mesh(struct ray_scene *to, const char *path, const struct scene_tree_options *tree,
                         struct error *error)
{
    uint32_t count = 0;
    *to = (struct ray_scene){0};
    if (tree->levels) {
        error_set(error, ERROR_UNSUPPORTED, "a mesh file has no instances: instances: two_level is of scenes");
        return error_remedy(error, "choose instances: flat, or write a scene file with the mesh as a part");
    }
    to->triangles = read_triangles(path, &count, error);
    const char *slash = strrchr(path, '/');
    snprintf(to->title, sizeof to->title, "mesh %s", slash ? slash + 1 : path);
    return make_scene(to, count, tree, error);
}

void ray_scene_finish(struct ray_scene *scene)
{
    scene_close(scene->scene);
    tree_finish(&scene->tree);
    free(scene->triangles);
    free(scene->fragments.items);
    free(scene->corners);
    *scene = (struct ray_scene){0};
}

struct ray_set_view ray_scene_view(const struct ray_scene *scene)
{
    return scene->published ? ray_set_sponza_view : ray_set_outside_view(scene->low, scene->high);
}

// ---- devices

bool ray_scene_upload(const struct ray_scene *scene, struct device *device, struct scene_on_device *to,
                      struct error *error)
{
    *to = (struct scene_on_device){.view = {.box_pad = scene->view.box_pad}};
    if (tree_upload(&scene->tree, NULL, scene->low, scene->high, device, to->blocks, &to->view, &to->structure, error))
        return true;
    scene_release(device, to);
    return false;
}
