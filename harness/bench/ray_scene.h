// SPDX-License-Identifier: MIT
// What rays are traced through where traversal alone is timed: the triangles of a scene or of a mesh file, and a tree.
#pragma once

#include "trees/fragments.h"
#include "bench/ray_sets.h"
#include "scene/scene.h"

struct ray_scene {
    struct scene_view view; // of the tree, and box_pad; points into what follows, or into `scene`
    struct ray_mesh mesh;   // the same triangles by id
    float low[3], high[3];  // bounds of all corners
    bool published;         // the mesh of the published ray sets
    char title[128];
    struct scene *scene; // NULL where the triangles came from a mesh file
    struct tree tree;
    struct triangle *triangles; // by id; NULL where they are the scene's
    float *corners;
    struct fragment_list fragments; // of a mesh file's triangles, where they are split
};

// From a scene, as frames see it, its tree built with request->tree.
bool ray_scene_from_scene(struct ray_scene *to, const struct scene_request *request, struct error *error);
// From a mesh file, such as the ray sets' own.
bool ray_scene_from_mesh(struct ray_scene *to, const char *path, const struct scene_tree_options *tree,
                         struct error *error);
// From the triangles of another, which are copied. Neither reads files nor forks, so a device may be open.
bool ray_scene_over(struct ray_scene *to, const struct ray_mesh *mesh, const struct scene_tree_options *tree,
                    struct error *error);
void ray_scene_finish(struct ray_scene *scene);

// The view of the published sets on their mesh, else one from outside the box.
struct ray_set_view ray_scene_view(const struct ray_scene *scene);

// Nodes and triangles on a device, and the view for kernels there. scene_release() frees them.
bool ray_scene_upload(const struct ray_scene *scene, struct device *device, struct scene_on_device *to,
                      struct error *error);
