// SPDX-License-Identifier: MIT
#include "packed_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/frame.h"
#include "scene/scene_image.h"
#include "trees/traverse.h"
#include "trial/execute_settings.h"

// ---- the images

static const char surface[] =
    "materials:\n"
    "  white: {kind: lambert}\n"
    "  lamp: {kind: lambert, diffuse: 0, emission: [17, 12, 4]}\n"
    "  glass: {kind: glass}\n"
    "  mix: {kind: blend, of: [white, glass], weight: 0.3}\n"
    "objects:\n"
    "  - {shape: plane, size: [4, 4], cells: 2, material: white}\n"
    "  - {shape: box, size: 0.5, material: mix}\n"
    "  - {shape: quad, corner: [-1, 2, -1], edge1: [1, 0, 0], edge2: [0, 0, 1], material: lamp}\n"
    "cameras: {main: {eye: [0, 1, 3], at: [0, 0.3, 0]}, lens: {eye: [1, 2, 1], at: [0, 0, 0], aperture: 0.1}}\n"
    "environment: {file: sky.hdr, cells: [4, 2]}\n";
static const char grove[] = "parts:\n"
                            "  stone: [{shape: box, size: 0.4}]\n"
                            "  leaf: [{shape: plane, size: [0.3, 0.3]}]\n"
                            "objects: [{shape: plane, size: [4, 4]}]\n"
                            "instances:\n"
                            "  - {of: stone, position: [0.3, 0, 0], rotation: 20}\n"
                            "  - {of: leaf, matrix: [-1.5, 0, 0, 0, 0, 1.5, 0, 0.5, 0, 0, 1.5, 0.2]}\n"
                            "  - {of: stone, position: [-0.5, 0.1, 0.5], scale: 0.7}\n"
                            "cameras: {main: {eye: [0, 1, 3], at: [0, 0.3, 0]}}\n"
                            "environment: {constant: 1, cells: [2, 2]}\n";
static const char constant[] = "volume: {size: [9, 3, 2], density: 5, albedo: 0.8}\n"
                               "cameras: {main: {eye: [0.2, 0.3, 1.5], at: [0, 0, 0]}}\n"
                               "environment: {constant: 1, cells: [2, 2]}\n";
static const char head[] = "volume: {shape: head, size: [10, 9, 4], density: 9, asymmetry: 0.5, store: 16}\n"
                           "cameras: {main: {eye: [0.2, 0.3, 1.5], at: [0, 0, 0]}}\n"
                           "environment: {file: sky.hdr, cells: [4, 2]}\n";
static const char floats[] = "volume: {shape: knees, size: [5, 5, 17], density: 9, store: float}\n"
                             "cameras: {main: {eye: [0, 0, 0], at: [0.1, 0, 1]}}\n"
                             "environment: {constant: 1, cells: [2, 2]}\n";

static const struct {
    const char *name, *text;
    struct scene_tree_options tree;
} kinds[PACKED_IMAGES] = {
    {"binary", surface, {.kind = TREE_BINARY}},
    {"kd16", surface, {.kind = TREE_KD16}},
    {"wide", surface, {.kind = TREE_WIDE, .tree_width = 2}},
    {"wide_compressed", surface, {.kind = TREE_WIDE_COMPRESSED}},
    {"wide4", surface, {.kind = TREE_WIDE4}},
    {"split_binary", surface, {.kind = TREE_BINARY, .split = 1}},
    {"split_kd16", surface, {.kind = TREE_KD16, .split = 1}},
    {"two_level_binary", grove, {.kind = TREE_BINARY, .levels = 1, .top = TREE_BINARY}},
    {"two_level_wide", grove, {.kind = TREE_WIDE, .tree_width = 1, .levels = 1, .top = TREE_WIDE}},
    {"volume", constant, {.kind = TREE_BINARY}},
    {"volume_16", head, {.kind = TREE_BINARY}},
    {"volume_float", floats, {.kind = TREE_BINARY}},
};

static char folder[] = "/tmp/warpstudy-packed-XXXXXX";

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        stop(path, "cannot be written");
}

// A map of 8 x 4 texels, each with a colour of its own, as Radiance HDR without compression.
static void write_sky(void)
{
    static const char header[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 6\n";
    unsigned char bytes[sizeof header - 1 + 4 * 6 * 4];
    memcpy(bytes, header, sizeof header - 1);
    for (size_t i = 0; i < 6 * 4; ++i) {
        const unsigned char texel[4] = {(unsigned char)(128 + 4 * i), 130, (unsigned char)(250 - 4 * i), 128};
        memcpy(bytes + sizeof header - 1 + 4 * i, texel, sizeof texel);
    }
    write_file("sky.hdr", bytes, sizeof bytes);
}

static void read_back(const char *path, struct packed_image *image)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop(path, "cannot be read");
    image->size = (size_t)ftell(file);
    rewind(file);
    image->bytes = aligned_alloc(256, (image->size + 255) / 256 * 256);
    if (!image->bytes || fread(image->bytes, 1, image->size, file) != image->size)
        stop(path, "cannot be read");
    fclose(file);
}

static void build(int i, struct packed_image *image)
{
    char path[128];
    struct error error = {0};
    write_file("a.yaml", kinds[i].text, strlen(kinds[i].text));
    snprintf(path, sizeof path, "%s/a.yaml", folder);
    struct scene *scene =
        scene_open(&(struct scene_request){.name = path, .tree = kinds[i].tree, .threads = 1}, &error);
    snprintf(path, sizeof path, "%s/a.scene", folder);
    if (!scene || !scene_pack(scene, path, &error))
        stop(kinds[i].name, error.message);
    scene_close(scene);
    image->name = kinds[i].name;
    read_back(path, image);
}

const struct packed_image *packed_images(void)
{
    static struct packed_image images[PACKED_IMAGES];
    char command[128];
    if (images[0].bytes)
        return images;
    if (!mkdtemp(folder))
        stop(folder, "cannot be made");
    setenv("WARPSTUDY_CACHE", folder, 1);
    write_sky();
    for (int i = 0; i < PACKED_IMAGES; ++i)
        build(i, &images[i]);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        stop(folder, "cannot be removed");
    return images;
}

// ---- frames

enum { SIDE = 4, PIXELS = SIDE * SIDE, BOUNCES = 3 };

static void point_camera(struct frame_args *frame, const struct image_camera *from)
{
    frame->camera = (struct camera){.position = from->position,
                                    .forward = from->forward,
                                    .right = vec3_scale(from->right, from->tangent),
                                    .up = vec3_scale(from->up, from->tangent),
                                    .lens_right = from->right,
                                    .lens_up = from->up,
                                    .lens_radius = from->lens_radius,
                                    .focus_distance = from->focus_distance};
}

static const char *const surface_ways[][3][2] = {
    {{"materials", "scene"}, {"lighting", "direct"}, {"roulette", "none"}},
    {{"materials", "tree"}, {"lighting", "mix"}, {"roulette", "yocto"}},
};
static const char *const volume_ways[][3][2] = {
    {{"interpolation", "nearest"}, {"majorant", "box"}, {"roulette", "none"}},
    {{"interpolation", "trilinear"}, {"majorant", "bricks"}, {"roulette", "none"}},
};

static void choose(const char *const settings[3][2], struct frame_args *frame)
{
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct parameters parameters = parameters_default();
    struct error error = {0};
    for (int i = 0; i < 3; ++i)
        if (!parameter_set(&parameters, parameter_find(settings[i][0]), settings[i][1], &error))
            stop(settings[i][0], error.message);
    execute_constants(&parameters, constants, &frame->config);
}

// Long, and not of the reader: an evaluation that is to take long, tracking through a very dense volume.
static bool takes_long(const struct scene_view *view)
{
    for (uint32_t i = 0; i < view->material_count; ++i)
        if (view->materials[i].flops > 1000)
            return true;
    return view->volume.density && view->volume.majorant > 1000.0f;
}

void packed_render(const void *image)
{
    const struct image_header *header = image_header(image);
    const struct image_camera *cameras = image_section(image, IMAGE_CAMERAS);
    const struct tree tree = image_tree(image, image);
    uint64_t film[3 * PIXELS] = {0};
    uint32_t bad_values[BAD_VALUES] = {0};
    struct frame_args frame = {.scene = image_view(header, image),
                               .film = film,
                               .bad_values = bad_values,
                               .width = SIDE,
                               .height = SIDE,
                               .pixel_count = PIXELS,
                               .samples = 1,
                               .seed = 1,
                               .max_bounces = BOUNCES};
    tree_view(&tree, header->box_low, header->box_high, &frame.scene);
    if (takes_long(&frame.scene))
        return;
    for (uint64_t i = 0; i < header->sections[IMAGE_CAMERAS].count && i < 2; ++i) {
        point_camera(&frame, &cameras[i]);
        for (int way = 0; way < 2; ++way) {
            choose(frame.scene.volume.density ? volume_ways[way] : surface_ways[way], &frame);
            (frame.scene.volume.density ? packed_walk_volume : packed_walk_surface)(&frame, PIXELS);
        }
    }
}
