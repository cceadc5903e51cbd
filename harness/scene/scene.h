// SPDX-License-Identifier: MIT
// A scene ready to render: images of its content (triangles, materials, lights, cameras) and of a tree over it,
// memory-mapped from the cache.
#pragma once

#include "base/error.h"
#include "base/hash.h"
#include "device/device.h"
#include "trees/tree.h"

struct scene;

struct scene_request {
    const char *name; // a built-in or installed scene ("open", "forest"), or a path to a scene file
    struct scene_tree_options tree;
    bool rebuild;     // ignore the cache
    uint32_t threads; // for the build; 0 = all cores. The image does not depend on it.
    // Called now and then during a build with what is being done and how far (0..1); may be NULL.
    void (*progress)(void *context, const char *step, double fraction);
    void *progress_context;
};

// Finds, builds where the cache has no valid image, and maps. NULL and an error otherwise. A damaged cache file is
// rebuilt with a warning.
struct scene *scene_open(const struct scene_request *request, struct error *error);
// Writes the scene as it was built to one file, which opens anywhere without the scene's own files.
bool scene_pack(const struct scene *scene, const char *path, struct error *error);
void scene_close(struct scene *scene);

struct scene_facts {
    char name[64], title[128], stands_for[64]; // stands_for: the paper's scene, "" where none
    bool fitted;                               // fitted to a published curve: excluded from claims
    struct hash content;                       // of everything that a frame can depend on, but for the tree
    char content_text[HASH_TEXT];
    uint64_t effective_triangles, instances, objects; // of all instances; 0 where the scene is not in two levels
    uint64_t triangles, dropped_triangles, fragments, nodes, materials, lights, voxels, image_bytes;
    struct scene_tree_options tree; // settled
    struct tree_facts tree_facts;
    float box_low[3], box_high[3];
    uint32_t cameras;
    bool tree_materials; // blends, kinds or costs of materials that only `materials: tree` has
    bool boundary;       // of a volume, which only `boundary: dielectric` has
};
const struct scene_facts *scene_facts(const struct scene *scene);
const char *scene_camera_name(const struct scene *scene, uint32_t index);
const char *scene_material_name(const struct scene *scene, uint32_t index);

// The camera called `name` (NULL or "" = the first) for an image of this size. Error names the cameras there are.
bool scene_camera(const struct scene *scene, const char *name, uint32_t width, uint32_t height, struct camera *camera,
                  struct error *error);

// Host view: pointers into the mapping, for tests and host-side rays.
const struct scene_view *scene_host_view(const struct scene *scene);

const struct tree *scene_tree(const struct scene *scene);

// Triangles that are too fine for their distance from the origin (scene/detail.h).
uint64_t scene_too_fine(const struct scene *scene);

// Copies the scene to a device. The view's pointers are device pointers; scene_release frees them.
struct scene_on_device {
    struct scene_view view;
    void *blocks[5 + TREE_BLOCKS];
    struct device_structure structure; // of a tree that the device built itself; zeros of others
};
bool scene_upload(const struct scene *scene, struct device *device, struct scene_on_device *to, struct error *error);
// Adds the flat table of light_search: cdf (see struct environment) with so many texels, an even number of rows; 0 x 0
// removes it. Does nothing where the scene has no environment, or the table exists. ERROR_UNSUPPORTED where the
// device's memory is too small.
bool scene_upload_cdf(const struct scene *scene, struct device *device, uint32_t width, uint32_t height,
                      struct scene_on_device *to, struct error *error);
// Makes the texture of the volume's densities, unless it exists, the scene has no volume or the device no textures.
bool scene_upload_texture(struct device *device, struct scene_on_device *to, struct error *error);
void scene_release(struct device *device, struct scene_on_device *scene);
