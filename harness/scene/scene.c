// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trees/traverse.h"
#include "scene/detail.h"
#include "scene/environment_cdf.h"
#include "scene/scene_build.h"
#include "scene/scene_cache.h"
#include "scene/scene_find.h"
#include "scene/scene_image.h"
#include "scene/scene_read.h"
#include "trees/tree_upload.h"

struct scene {
    struct scene_mapping content, tree_image; // a packed scene has no second image
    struct tree tree;
    struct scene_view view;
    struct scene_facts facts;
};

static const struct image_header *header_of(const struct scene *scene)
{
    return image_header(scene->content.bytes);
}

// The image that holds the tree.
static const void *tree_bytes(const struct scene *scene)
{
    return scene->tree_image.bytes ? scene->tree_image.bytes : scene->content.bytes;
}

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static void fill_facts(struct scene *scene)
{
    const struct image_header *header = header_of(scene);
    struct scene_facts *facts = &scene->facts;
    if (!facts->name[0])
        copy_text(facts->name, sizeof facts->name, header->name);
    copy_text(facts->title, sizeof facts->title, header->title);
    copy_text(facts->stands_for, sizeof facts->stands_for, header->stands_for);
    facts->fitted = header->fitted != 0;
    facts->content = header->content;
    hash_text(header->content, facts->content_text);
    facts->triangles = header->sections[IMAGE_TRIANGLES].count;
    facts->dropped_triangles = header->dropped_triangles;
    const struct levels levels = image_levels(scene->content.bytes);
    facts->instances = levels.instance_count;
    facts->objects = levels.object_count;
    facts->effective_triangles = levels.instance_count
                                     ? levels_effective(levels.objects, levels.instances, levels.instance_count)
                                     : facts->triangles;
    facts->fragments = header->sections[IMAGE_FRAGMENTS].count;
    facts->nodes = scene->tree.node_count;
    facts->materials = header->sections[IMAGE_MATERIALS].count;
    facts->lights = header->sections[IMAGE_LIGHTS].count;
    facts->voxels = header->sections[IMAGE_ALBEDO].count;
    facts->boundary = header->ior != 0.0f;
    facts->image_bytes = scene->content.size + scene->tree_image.size;
    facts->tree = image_header(tree_bytes(scene))->tree;
    facts->tree_facts = scene->tree.facts;
    memcpy(facts->box_low, header->box_low, sizeof facts->box_low);
    memcpy(facts->box_high, header->box_high, sizeof facts->box_high);
    facts->cameras = (uint32_t)header->sections[IMAGE_CAMERAS].count;
    for (uint32_t i = 0; i < scene->view.material_count; ++i)
        facts->tree_materials |= scene->view.materials[i].kind > MATERIAL_CARPAINT || scene->view.materials[i].flops;
}

// ---- opening

// The tree over the content that is there.
static bool load_or_build_tree(const struct scene_request *request, const struct scene_tree_options *tree,
                               struct scene_build_options *options, struct scene *scene, struct error *error)
{
    struct scene_mapping *image = &scene->tree_image;
    options->key = scene_cache_tree_key(header_of(scene)->content, tree);
    if (!request->rebuild && scene_cache_load(options->key, IMAGE_TREE, image))
        return true;
    *image = (struct scene_mapping){0};
    image->bytes = scene_build_tree(scene->content.bytes, tree, options, &image->size, error);
    if (image->bytes)
        scene_cache_store(options->key, image->bytes, image->size);
    return image->bytes != NULL;
}

static struct scene_build_options build_options(const struct scene_request *request,
                                                const struct scene_tree_options *tree)
{
    return (struct scene_build_options){.threads = request->threads,
                                        .split = tree->split,
                                        .levels = tree->levels != 0,
                                        .progress = request->progress,
                                        .progress_context = request->progress_context};
}

static bool load_or_build(const struct scene_request *request, const struct scene_file *file, const char *name,
                          const struct scene_tree_options *tree, struct scene *scene, struct error *error)
{
    bool unlisted = false;
    struct scene_build_options options = build_options(request, tree);
    struct scene_mapping *content = &scene->content;
    options.unlisted = &unlisted;
    if (!scene_cache_key(file, tree->split, tree->levels != 0, &options.key, error))
        return false;
    if (request->rebuild || !scene_cache_load(options.key, IMAGE_CONTENT, content)) {
        *content = (struct scene_mapping){0};
        content->bytes = scene_build(file, name, &options, &content->size, error);
        if (!content->bytes)
            return false;
        if (!unlisted)
            scene_cache_store(options.key, content->bytes, content->size);
    }
    return load_or_build_tree(request, tree, &options, scene, error);
}

// Another tree than the packed one is built, and cached, as it is over a scene's own files. Fragments and levels are content.
static bool open_packed(const struct scene_request *request, const char *path, const struct scene_tree_options *tree,
                        struct scene *scene, struct error *error)
{
    if (!scene_cache_map(path, &scene->content, error))
        return false;
    const struct image_header *header = header_of(scene);
    const struct scene_tree_options *there = &header->tree;
    const bool split = header->sections[IMAGE_FRAGMENTS].count > 0;
    if (split != (tree->split != 0) && header->sections[IMAGE_TRIANGLES].count > 0) {
        error_set(error, ERROR_UNSUPPORTED, "%s is packed with %s", path,
                  split ? "triangles that are split" : "whole triangles");
        return error_remedy(error, "choose splits=%s, or use the scene's own files", split ? "spatial" : "whole");
    }
    const bool levels = header->sections[IMAGE_INSTANCES].count > 0;
    if (levels != (tree->levels != 0)) {
        error_set(error, ERROR_UNSUPPORTED, "%s is packed with instances %s", path,
                  levels ? "in two levels" : "as triangles of their own");
        return error_remedy(error, "choose instances=%s, or use the scene's own files", levels ? "two_level" : "flat");
    }
    if (scene_tree_options_equal(tree, there) && !request->rebuild)
        return true;
    struct scene_build_options options = build_options(request, tree);
    return load_or_build_tree(request, tree, &options, scene, error);
}

// Joins the images of content and tree into one.
bool scene_pack(const struct scene *scene, const char *path, struct error *error)
{
    const struct image_header *tree = image_header(tree_bytes(scene));
    struct image_header header = *header_of(scene);
    const void *data[IMAGE_SECTIONS];
    uint64_t size;
    copy_text(header.name, sizeof header.name, scene->facts.name);
    header.holds = IMAGE_CONTENT | IMAGE_TREE;
    header.tree = tree->tree;
    header.tree_facts = tree->tree_facts;
    for (int i = 0; i < IMAGE_SECTIONS; ++i) {
        const void *holder = i < IMAGE_TRIANGLES ? tree_bytes(scene) : scene->content.bytes;
        header.sections[i].count = image_header(holder)->sections[i].count;
        data[i] = image_section(holder, (enum image_section)i);
    }
    void *bytes = image_pack(&header, data, &size);
    const bool done = bytes ? scene_cache_write(path, bytes, size, error)
                            : error_memory(error, "to pack scene %s", scene->facts.name);
    free(bytes);
    return done;
}

static bool open_images(const struct scene_request *request, struct scene *scene, struct error *error)
{
    char path[1024], name[64];
    struct scene_file file = {0};
    struct scene_tree_options tree;
    if (!tree_settle(&request->tree, &tree, error) || !scene_find(request->name, path, sizeof path, error))
        return false;
    if (scene_is_packed(path))
        return open_packed(request, path, &tree, scene, error);
    scene_name_of(path, name, sizeof name);
    copy_text(scene->facts.name, sizeof scene->facts.name,
              name); // an image of the cache may be of an equal file of another name
    const bool done = scene_file_read(&file, path, error) && load_or_build(request, &file, name, &tree, scene, error);
    scene_file_finish(&file);
    return done;
}

struct scene *scene_open(const struct scene_request *request, struct error *error)
{
    struct scene *scene = memory_new(1, sizeof *scene);
    if (!open_images(request, scene, error)) {
        scene_close(scene);
        return NULL;
    }
    const struct image_header *header = header_of(scene);
    scene->tree = image_tree(tree_bytes(scene), scene->content.bytes);
    scene->tree.layout = request->tree.kind;
    scene->tree.order = request->tree.order;
    scene->tree.affine = request->tree.affine;
    scene->tree.options = request->tree;
    scene->view = image_view(header, scene->content.bytes);
    tree_view(&scene->tree, header->box_low, header->box_high, &scene->view);
    fill_facts(scene);
    return scene;
}

void scene_close(struct scene *scene)
{
    if (!scene)
        return;
    scene_mapping_finish(&scene->content);
    scene_mapping_finish(&scene->tree_image);
    free(scene);
}

const struct scene_facts *scene_facts(const struct scene *scene)
{
    return &scene->facts;
}

const char *scene_camera_name(const struct scene *scene, uint32_t index)
{
    const struct image_camera *cameras = image_section(scene->content.bytes, IMAGE_CAMERAS);
    return index < scene->facts.cameras ? cameras[index].name : NULL;
}

const char *scene_material_name(const struct scene *scene, uint32_t index)
{
    const struct image_name *names = image_section(scene->content.bytes, IMAGE_MATERIAL_NAMES);
    return index < scene->facts.materials ? names[index].text : NULL;
}

const struct scene_view *scene_host_view(const struct scene *scene)
{
    return &scene->view;
}

const struct tree *scene_tree(const struct scene *scene)
{
    return &scene->tree;
}

uint64_t scene_too_fine(const struct scene *scene)
{
    const struct levels levels = image_levels(scene->content.bytes);
    return detail_too_fine(&levels);
}

// ---- cameras

static bool no_camera(const struct scene *scene, const char *name, struct error *error)
{
    char list[400] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < scene->facts.cameras && used < sizeof list; ++i)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", scene_camera_name(scene, i));
    error_set(error, ERROR_USE, "scene %s has no camera \"%.60s\"", scene->facts.name, name);
    return error_remedy(error, "it has: %s", list);
}

static const struct image_camera *find_camera(const struct scene *scene, const char *name)
{
    const struct image_camera *cameras = image_section(scene->content.bytes, IMAGE_CAMERAS);
    if (!name || !*name)
        return cameras;
    for (uint32_t i = 0; i < scene->facts.cameras; ++i)
        if (strcmp(cameras[i].name, name) == 0)
            return &cameras[i];
    return NULL;
}

bool scene_camera(const struct scene *scene, const char *name, uint32_t width, uint32_t height, struct camera *camera,
                  struct error *error)
{
    const struct image_camera *from = find_camera(scene, name);
    if (!from)
        return no_camera(scene, name, error);
    if (width == 0 || height == 0)
        return error_set(error, ERROR_USE, "an image of %u x %u pixels has no camera", width, height);
    const float aspect = (float)((double)width / (double)height);
    *camera = (struct camera){
        .position = from->position,
        .forward = from->forward,
        .right = vec3_scale(from->right, from->tangent * aspect),
        .up = vec3_scale(from->up, from->tangent),
        .lens_right = from->right,
        .lens_up = from->up,
        .lens_radius = from->lens_radius,
        .focus_distance = from->focus_distance,
    };
    return true;
}

// ---- devices

enum {
    TREE_PLACE = sizeof((struct scene_on_device *)0)->blocks / sizeof(void *) - TREE_BLOCKS
}; // index of the tree's first block in scene_on_device.blocks; block 0 holds the sections from materials to cameras

enum { TEXTURE_ALIGNMENT = 512 };

// Bytes to leave free at the start of `block`, which receives the image from offset `from` on, so that a volume's densities are
// aligned as a texture requires.
static uint64_t texture_pad(const struct image_header *header, uint64_t from, const void *block)
{
    const uint64_t there = (uint64_t)(uintptr_t)block + header->sections[IMAGE_DENSITY].offset - from;
    return header->sections[IMAGE_DENSITY].count ? (0 - there) % TEXTURE_ALIGNMENT : 0;
}

bool scene_upload(const struct scene *scene, struct device *device, struct scene_on_device *to, struct error *error)
{
    const struct image_header *header = header_of(scene);
    const uint64_t from = header->sections[IMAGE_MATERIALS].offset, end = header->sections[IMAGE_CAMERAS].offset;
    const struct levels levels = image_levels(scene->content.bytes);
    *to = (struct scene_on_device){0};
    to->blocks[0] = device->ops->alloc(device, end - from + TEXTURE_ALIGNMENT, error);
    char *const block = to->blocks[0];
    const uint64_t pad = texture_pad(header, from, block);
    if (block &&
        device->ops->upload(device, NULL, block + pad, (const char *)scene->content.bytes + from, end - from, error)) {
        to->view = image_view(header, block + pad - from);
        if (tree_upload(&scene->tree, &levels, header->box_low, header->box_high, device, &to->blocks[TREE_PLACE],
                        &to->view, &to->structure, error))
            return true;
    }
    scene_release(device, to);
    return false;
}

enum { CDF_BLOCKS = 3, CDF_CHUNK = 64 }; // the table's place in scene_on_device.blocks; rows uploaded at a time

static bool upload_cdf_rows(struct environment_cdf *cdf, struct device *device, char *to, struct error *error)
{
    const size_t row = cdf->width * sizeof(uint32_t);
    uint32_t *entries = memory_try(CDF_CHUNK, row, error, "for the environment's table");
    bool done = entries != NULL;
    for (uint32_t first = 0; done && first < cdf->height; first += CDF_CHUNK) {
        const uint32_t rest = cdf->height - first, count = rest < CDF_CHUNK ? rest : CDF_CHUNK;
        environment_cdf_rows(cdf, first, count, entries);
        done = device->ops->upload(device, NULL, to + first * row, entries, count * row, error);
    }
    free(entries);
    return done;
}

static bool upload_cdf_edges(const struct environment_cdf *cdf, struct device *device, void *to, struct error *error)
{
    float *edges = memory_new(cdf->height / 2 + 1, sizeof *edges);
    environment_cdf_half_sine2(cdf, edges);
    const bool done = device->ops->upload(device, NULL, to, edges, (cdf->height / 2 + 1) * sizeof *edges, error);
    free(edges);
    return done;
}

static void release_cdf(struct device *device, struct scene_on_device *scene)
{
    for (int i = 0; i < 2; ++i) {
        if (scene->blocks[CDF_BLOCKS + i])
            device->ops->release(device, scene->blocks[CDF_BLOCKS + i]);
        scene->blocks[CDF_BLOCKS + i] = NULL;
    }
    struct environment *environment = &scene->view.environment;
    environment->cdf = NULL;
    environment->cdf_half_sine2 = NULL;
    environment->cdf_width = environment->cdf_height = 0;
}

static bool make_cdf(const struct scene *scene, struct device *device, uint32_t width, uint32_t height,
                     struct scene_on_device *to, struct error *error)
{
    struct environment_cdf cdf;
    void **blocks = &to->blocks[CDF_BLOCKS];
    bool done = environment_cdf_begin(&cdf, &scene->view.environment, width, height, error) &&
                (blocks[0] = device->ops->alloc(device, (size_t)width * height * sizeof(uint32_t), error)) &&
                (blocks[1] = device->ops->alloc(device, (height / 2 + 1) * sizeof(float), error)) &&
                upload_cdf_rows(&cdf, device, blocks[0], error) && upload_cdf_edges(&cdf, device, blocks[1], error);
    environment_cdf_finish(&cdf);
    return done;
}

bool scene_upload_cdf(const struct scene *scene, struct device *device, uint32_t width, uint32_t height,
                      struct scene_on_device *to, struct error *error)
{
    struct environment *environment = &to->view.environment;
    if (environment->width == 0 || (environment->cdf_width == width && environment->cdf_height == height))
        return true;
    release_cdf(device, to);
    if (width == 0)
        return true;
    const uint64_t bytes = (uint64_t)width * height * sizeof(uint32_t);
    const struct device_properties *properties = device->ops->properties(device);
    if (bytes + scene->facts.image_bytes > properties->memory)
        return error_set(error, ERROR_UNSUPPORTED,
                         "light_search: a table of %u x %u words beside the scene needs %llu MiB, %s has %llu", width,
                         height, (unsigned long long)((bytes + scene->facts.image_bytes) >> 20), properties->name,
                         (unsigned long long)(properties->memory >> 20));
    if (!make_cdf(scene, device, width, height, to, error)) {
        release_cdf(device, to);
        return false;
    }
    environment->cdf = to->blocks[CDF_BLOCKS];
    environment->cdf_half_sine2 = to->blocks[CDF_BLOCKS + 1];
    environment->cdf_width = width;
    environment->cdf_height = height;
    return true;
}

bool scene_upload_texture(struct device *device, struct scene_on_device *to, struct error *error)
{
    struct volume_view *volume = &to->view.volume;
    const uint64_t voxels = (uint64_t)volume->size[0] * volume->size[1] * volume->size[2];
    const uint64_t words = (voxels * volume->density_bits + 31) / 32;
    if (voxels == 0 || !device->ops->create_texture || volume->density_texture)
        return true;
    return device->ops->create_texture(device, volume->density, words, &volume->density_texture, error);
}

void scene_release(struct device *device, struct scene_on_device *scene)
{
    if (scene->view.volume.density_texture)
        device->ops->release_texture(device, scene->view.volume.density_texture);
    for (size_t i = 0; i < sizeof scene->blocks / sizeof scene->blocks[0]; ++i)
        if (scene->blocks[i])
            device->ops->release(device, scene->blocks[i]);
    *scene = (struct scene_on_device){0};
}
