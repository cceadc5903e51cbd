// SPDX-License-Identifier: MIT
#include "scene/scene_build.h"

#include <stdlib.h>

#include "trees/hit_point.h"
#include "geometry/alias.h"
#include "scene/environment.h"
#include "trees/fragments.h"
#include "geometry/scale.h"
#include "scene/scene_gather.h"
#include "trees/tree.h"
#include "scene/volume.h"

struct build {
    const struct scene_file *file;
    const struct scene_build_options *options;
    struct error *error;
    struct scene_parts parts;
    struct environment_tables environment;
    struct volume_grids volume;
    struct area_light *lights;
    struct alias_entry *light_alias;
    double *light_areas;
    uint32_t light_count;
    struct image_camera *cameras;
    struct fragment_list fragments;
    struct instance *instances; // of a scene in two levels
    uint32_t *instance_of, run_count;
    struct image_header header;
};

static void build_report(const struct scene_build_options *options, const char *step, double fraction)
{
    if (options->progress)
        options->progress(options->progress_context, step, fraction);
}

static bool no_memory(struct build *build, const char *what)
{
    return error_memory(build->error, "for the %s of %s", what, build->file->path);
}

// ---- size

static void measure_box(struct build *build, struct vec3 a, struct vec3 b)
{
    float *low = build->header.box_low, *high = build->header.box_high;
    low[0] = minimum_f32(low[0], a.x);
    low[1] = minimum_f32(low[1], a.y);
    low[2] = minimum_f32(low[2], a.z);
    high[0] = maximum_f32(high[0], b.x);
    high[1] = maximum_f32(high[1], b.y);
    high[2] = maximum_f32(high[2], b.z);
}

static void build_measure(struct build *build)
{
    float *low = build->header.box_low, *high = build->header.box_high;
    for (int i = 0; i < 3; ++i) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    for (uint32_t i = 0; build->instances && i < build->parts.placement_count; ++i)
        measure_box(build, build->instances[i].low, build->instances[i].high);
    for (uint64_t i = 0; !build->instances && i < build->parts.soup.count; ++i) {
        struct vec3 a, b;
        triangle_box(&build->parts.soup.triangles[i], 0, &a, &b);
        measure_box(build, a, b);
    }
}

// ---- instances

static struct levels levels_of(const struct build *build)
{
    return (struct levels){.triangles = build->parts.soup.triangles,
                           .triangle_count = (uint32_t)build->parts.soup.count,
                           .objects = build->parts.objects,
                           .object_count = build->parts.object_count,
                           .instances = build->instances,
                           .instance_count = build->parts.placement_count};
}

static uint64_t effective_triangles(const struct build *build)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < build->parts.placement_count; ++i)
        sum += build->parts.objects[build->parts.placements[i].object].count;
    return sum;
}

static struct triangle placed_triangle(const struct triangle *from, const struct placement *placement)
{
    struct triangle to = *from;
    to.v0 = levels_corner(&placement->to_world, from->v0);
    to.v1 = levels_corner(&placement->to_world, from->v1);
    to.v2 = levels_corner(&placement->to_world, from->v2);
    return to;
}

// placed_triangle.reach (trees/hit_point.h) of a triangle of an instance.
static float placed_reach(const struct instance *instance, const struct placement *placement, struct vec3 corner)
{
    const struct vec3 turned = vec3_sub(levels_corner(&placement->to_world, corner), instance->position);
    return instance->identity ? 0.0f : vec3_reach(turned) + vec3_reach(instance->position);
}

// Replaces instances by copies of their triangles, in the order of the instances.
static bool flatten_instances(struct build *build)
{
    struct scene_parts *parts = &build->parts;
    struct soup flat;
    const uint64_t count = effective_triangles(build);
    soup_init(&flat, build->options->triangle_limit, build->error);
    if (count > flat.limit) {
        error_set_at(build->error, ERROR_INPUT, build->file->path, build->file->instances[0].line,
                     "the instances have %llu triangles, of which %llu can be kept each by itself",
                     (unsigned long long)count, (unsigned long long)flat.limit);
        return error_remedy(build->error, "choose instances=two_level");
    }
    flat.what = "the instances";
    flat.dropped = parts->soup.dropped;
    bool done = true;
    for (uint32_t i = 0; done && i < parts->placement_count; ++i) {
        const struct placement *placement = &parts->placements[i];
        const struct object_range *object = &parts->objects[placement->object];
        for (uint32_t k = 0; done && k < object->count; ++k)
            done = soup_placed(&flat, &parts->soup.triangles[object->first + k], &placement->to_world);
    }
    soup_finish(&parts->soup);
    parts->soup = flat;
    return done;
}

static bool place_instances(struct build *build)
{
    const struct levels levels = levels_of(build);
    if (build->file->volume.line || (!build->options->levels && build->file->instances_count == 0))
        return true;
    build_report(build->options, "placing instances", 0.1);
    if (!build->options->levels)
        return flatten_instances(build);
    return levels_place(&levels, build->parts.placements, build->parts.placement_count, build->options->threads,
                        &build->instances, build->error);
}

static bool finish_instances(struct build *build)
{
    struct scene_parts *parts = &build->parts;
    if (!build->instances)
        return true;
    levels_widen(parts->placements, build->header.box_pad, parts->objects, parts->object_count, parts->soup.triangles,
                 build->instances, parts->placement_count);
    return levels_number(parts->objects, build->instances, parts->placement_count, &build->instance_of,
                         &build->run_count, &build->header.instance_shift, build->error);
}

static bool build_volume(struct build *build)
{
    struct volume_grids *grids = &build->volume;
    struct image_header *header = &build->header;
    if (!build->file->volume.line)
        return true;
    build_report(build->options, "reading the volume", 0.1);
    if (!volume_build(grids, build->file, build->error))
        return false;
    memcpy(header->volume_size, grids->size, sizeof header->volume_size);
    memcpy(header->box_low, grids->low, sizeof header->box_low);
    memcpy(header->box_high, grids->high, sizeof header->box_high);
    header->volume_majorant = grids->majorant;
    header->density_bits = grids->bits;
    header->density_top = grids->top;
    header->asymmetry = (float)build->file->volume.asymmetry;
    header->ior = (float)build->file->volume.ior;
    header->alpha = (float)(build->file->volume.roughness * build->file->volume.roughness);
    return true;
}

static bool split_triangles(struct build *build)
{
    const struct image_header *header = &build->header;
    const struct scene_grid grid = scene_grid_make(header->box_low, header->box_high, header->box_pad);
    if (!build->options->split || build->parts.soup.count == 0)
        return true;
    build_report(build->options, "splitting triangles", 0.2);
    return fragments_make(build->parts.soup.triangles, (uint32_t)build->parts.soup.count, header->box_pad, &grid,
                          build->options->threads, &build->fragments, build->error);
}

// ---- lights

static double triangle_area(const struct triangle *t)
{
    const struct vec3 f1 = vec3_sub(t->v1, t->v0), f2 = vec3_sub(t->v2, t->v0);
    const struct exact_vec e1 = exact_vec_make((double)f1.x, (double)f1.y, (double)f1.z);
    const struct exact_vec e2 = exact_vec_make((double)f2.x, (double)f2.y, (double)f2.z);
    return exact_vec_length(exact_vec_cross(e1, e2)) / 2;
}

static bool triangle_shines(const struct build *build, const struct triangle *triangle)
{
    return vec3_max(build->parts.materials[triangle->material].emission) > 0;
}

// Whether any triangle of a range is emissive. Parts without light are common, and their instances have many triangles.
static bool range_shines(const struct build *build, uint64_t first, uint64_t end)
{
    while (first < end && !triangle_shines(build, &build->parts.soup.triangles[first]))
        ++first;
    return first < end;
}

// Calls `add`, unless NULL, with every emissive triangle of a range and its reach; a triangle of an instance is given in world
// space. Returns how many there are.
static uint64_t count_shining_in(struct build *build, uint64_t first, uint64_t end, const uint32_t *instance,
                                 void (*add)(struct build *build, const struct triangle *triangle, float reach))
{
    const struct triangle *triangles = build->parts.soup.triangles;
    uint64_t count = 0;
    for (uint64_t k = first; k < end; ++k) {
        if (!triangle_shines(build, &triangles[k]))
            continue;
        ++count;
        if (add && !instance)
            add(build, &triangles[k], 0);
        if (add && instance) {
            const struct placement *placement = &build->parts.placements[*instance];
            const struct triangle there = placed_triangle(&triangles[k], placement);
            add(build, &there, placed_reach(&build->instances[*instance], placement, triangles[k].v0));
        }
    }
    return count;
}

// The same of the whole scene, in the order of ids.
static uint64_t count_shining(struct build *build,
                              void (*add)(struct build *build, const struct triangle *triangle, float reach))
{
    const struct scene_parts *parts = &build->parts;
    uint64_t count = 0;
    if (!build->instances)
        return count_shining_in(build, 0, parts->soup.count, NULL, add);
    bool *shine = calloc((size_t)parts->object_count + 1, sizeof *shine);
    for (uint32_t k = 0; shine && k < parts->object_count; ++k)
        shine[k] =
            range_shines(build, parts->objects[k].first, parts->objects[k].first + (uint64_t)parts->objects[k].count);
    for (uint32_t i = 0; i < parts->placement_count; ++i) {
        const struct object_range *object = &parts->objects[parts->placements[i].object];
        if (!shine || shine[parts->placements[i].object])
            count += count_shining_in(build, object->first, object->first + (uint64_t)object->count, &i, add);
    }
    free(shine);
    return count;
}

static void add_light(struct build *build, const struct triangle *t, float reach)
{
    const uint32_t place = build->light_count++;
    build->lights[place] = (struct area_light){t->v0, vec3_sub(t->v1, t->v0), vec3_sub(t->v2, t->v0),
                                               build->parts.materials[t->material].emission, reach};
    build->light_areas[place] = triangle_area(t);
}

static bool fill_lights(struct build *build)
{
    double sum = 0;
    build->light_count = 0;
    count_shining(build, add_light);
    for (uint32_t i = 0; i < build->light_count; ++i)
        sum += build->light_areas[i];
    build->header.light_area = (float)sum;
    return alias_build(build->light_areas, build->light_count, build->light_alias, build->error);
}

static bool gather_lights(struct build *build)
{
    const uint64_t count = count_shining(build, NULL);
    if (count > SOUP_MAX) {
        error_set_at(build->error, ERROR_INPUT, build->file->path, 0,
                     "the scene has %llu emissive triangles, at most %d", (unsigned long long)count, SOUP_MAX);
        return error_remedy(build->error, "take emission from the parts that have most instances");
    }
    if (count == 0)
        return true;
    build->lights = calloc(count, sizeof *build->lights);
    build->light_alias = calloc(count, sizeof *build->light_alias);
    build->light_areas = calloc(count, sizeof *build->light_areas);
    const bool done =
        build->lights && build->light_alias && build->light_areas ? fill_lights(build) : no_memory(build, "lights");
    free(build->light_areas);
    return done;
}

// ---- cameras

static struct vec3 camera_vector(struct exact_vec v)
{
    return vec3_make((float)v.x, (float)v.y, (float)v.z);
}

static struct image_camera pack_camera(const struct scene_camera_item *item)
{
    struct image_camera camera;
    memset(&camera, 0, sizeof camera);
    snprintf(camera.name, sizeof camera.name, "%s", item->name);
    const struct exact_vec forward = exact_vec_make(item->direction[0], item->direction[1], item->direction[2]);
    const struct exact_vec up = exact_vec_normalize(exact_vec_make(item->up[0], item->up[1], item->up[2]));
    const struct exact_vec right = exact_vec_normalize(exact_vec_cross(forward, up));
    double sine, cosine;
    exact_sine_cosine(exact_radians(item->fov / 2), &sine, &cosine);
    camera.position = vec3_from(item->eye);
    camera.forward = camera_vector(forward);
    camera.right = camera_vector(right);
    camera.up = camera_vector(exact_vec_cross(right, forward));
    camera.tangent = (float)(sine / cosine);
    camera.lens_radius = (float)item->aperture;
    camera.focus_distance = (float)item->focus;
    return camera;
}

static bool gather_cameras(struct build *build)
{
    build->cameras = calloc(build->file->camera_count, sizeof *build->cameras);
    if (!build->cameras)
        return no_memory(build, "cameras");
    for (uint32_t i = 0; i < build->file->camera_count; ++i)
        build->cameras[i] = pack_camera(&build->file->cameras[i]);
    return true;
}

// ---- packing

static void fill_header(struct build *build, const char *name)
{
    struct image_header *header = &build->header;
    const struct environment_tables *e = &build->environment;
    snprintf(header->name, sizeof header->name, "%s", name);
    snprintf(header->title, sizeof header->title, "%s", build->file->title);
    snprintf(header->stands_for, sizeof header->stands_for, "%s", build->file->stands_for);
    header->fitted = build->file->fitted;
    header->holds = IMAGE_CONTENT;
    header->key = build->options->key;
    header->dropped_triangles = build->parts.soup.dropped;
    header->map_width = e->map.width;
    header->map_height = e->map.height;
    header->cell_width = e->cell_width;
    header->cell_height = e->cell_height;
    header->environment_share = !e->cell_width ? 0.0f : build->light_count ? 0.5f : 1.0f;
}

static void *build_pack(struct build *build, uint64_t *size)
{
    const struct environment_tables *e = &build->environment;
    const uint64_t cells = (uint64_t)e->cell_width * e->cell_height;
    const struct {
        enum image_section section;
        const void *data;
        uint64_t count;
    } rows[] = {{IMAGE_TRIANGLES, build->parts.soup.triangles, build->parts.soup.count},
                {IMAGE_FRAGMENTS, build->fragments.items, build->fragments.count},
                {IMAGE_OBJECTS, build->parts.objects, build->instances ? build->parts.object_count : 0},
                {IMAGE_INSTANCES, build->instances, build->instances ? build->parts.placement_count : 0},
                {IMAGE_INSTANCE_OF, build->instance_of, build->run_count},
                {IMAGE_MATERIALS, build->parts.materials, build->parts.material_count},
                {IMAGE_LIGHTS, build->lights, build->light_count},
                {IMAGE_LIGHT_ALIAS, build->light_alias, build->light_count},
                {IMAGE_RADIANCE, e->map.texels, (uint64_t)e->map.width * e->map.height},
                {IMAGE_CELL_ALIAS, e->alias, cells},
                {IMAGE_CELL_DENSITY, e->cell_density, cells},
                {IMAGE_ROW_COSINE, e->row_cosine, cells ? e->cell_height + (uint64_t)1 : 0},
                {IMAGE_DENSITY, build->volume.density, build->volume.count * (build->volume.bits / 8)},
                {IMAGE_ALBEDO, build->volume.albedo, build->volume.count},
                {IMAGE_BRICKS, build->volume.bricks, build->volume.brick_count},
                {IMAGE_CAMERAS, build->cameras, build->file->camera_count},
                {IMAGE_MATERIAL_NAMES, build->parts.names, build->parts.material_count}};
    const void *data[IMAGE_SECTIONS] = {NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        data[rows[i].section] = rows[i].data;
        build->header.sections[rows[i].section].count = rows[i].count;
    }
    const struct scene_volume *volume = &build->file->volume;
    build->header.content = image_content(&build->header, data, volume->file || volume->shape || volume->has_spacing);
    void *bytes = image_pack(&build->header, data, size);
    if (!bytes)
        no_memory(build, "image");
    return bytes;
}

static bool build_prepare(struct build *build, const char *name)
{
    build_report(build->options, "reading the scene", 0);
    if (!scene_gather(&build->parts, build->file, build->options, build->error))
        return false;
    if (!place_instances(build))
        return false;
    build_measure(build);
    if (!build_volume(build))
        return false;
    build->header.box_pad = scene_box_pad(build->header.box_low, build->header.box_high);
    build->header.diagonal = scene_diagonal(build->header.box_low, build->header.box_high);
    if (!split_triangles(build) || !finish_instances(build))
        return false;
    build_report(build->options, "lights", 0.5);
    if (!gather_lights(build) || !environment_build(&build->environment, build->file, build->error) ||
        !gather_cameras(build))
        return false;
    fill_header(build, name);
    return true;
}

void *scene_build(const struct scene_file *file, const char *name, const struct scene_build_options *options,
                  uint64_t *size, struct error *error)
{
    struct build build = {.file = file, .options = options, .error = error};
    void *bytes = NULL;
    if (build_prepare(&build, name))
        bytes = build_pack(&build, size);
    free(build.cameras);
    free(build.lights);
    free(build.light_alias);
    free(build.fragments.items);
    free(build.instances);
    free(build.instance_of);
    environment_finish(&build.environment);
    volume_finish(&build.volume);
    scene_parts_finish(&build.parts);
    return bytes;
}

// ---- the tree

void *scene_build_tree(const void *content, const struct scene_tree_options *wanted,
                       const struct scene_build_options *options, uint64_t *size, struct error *error)
{
    const struct image_header *scene = image_header(content);
    const uint32_t count = (uint32_t)scene->sections[IMAGE_TRIANGLES].count;
    const uint32_t fragments = (uint32_t)scene->sections[IMAGE_FRAGMENTS].count;
    const struct tree_build_options how = {.tree = *wanted,
                                           .threads = options->threads,
                                           .pad = scene->box_pad,
                                           .fragments = fragments ? image_section(content, IMAGE_FRAGMENTS) : NULL,
                                           .fragment_count = fragments};
    struct tree tree;
    void *bytes = NULL;
    build_report(options, "building the tree", 0.6);
    const struct levels levels = image_levels(content);
    if (wanted->levels ? levels_build(&levels, &how, &tree, error)
                       : tree_build(image_section(content, IMAGE_TRIANGLES), count, &how, &tree, error)) {
        const struct tree_kind *kind = tree_kinds[tree.kind];
        struct image_header header = {.holds = IMAGE_TREE,
                                      .key = options->key,
                                      .content = scene->content,
                                      .tree = *wanted,
                                      .tree_facts = tree.facts};
        const void *const data[IMAGE_SECTIONS] = {[IMAGE_NODES] = tree.nodes,
                                                  [IMAGE_ORDERED] = tree.triangles,
                                                  [IMAGE_REFERENCES] = tree.references,
                                                  [IMAGE_ROOTS] = tree.roots};
        const uint64_t bytes_of_nodes = wanted->levels ? tree.node_bytes : tree.node_count * tree_node_size(wanted);
        header.sections[IMAGE_NODES].count = bytes_of_nodes / image_entry_size(IMAGE_NODES);
        header.sections[IMAGE_ROOTS].count = tree.root_count;
        header.sections[IMAGE_ORDERED].count = kind->own_order ? tree.triangle_count : 0;
        header.sections[IMAGE_REFERENCES].count = tree.reference_count;
        build_report(options, "packing", 0.95);
        bytes = image_pack(&header, data, size);
        if (!bytes)
            error_memory(error, "for the tree of %s", scene->name);
        build_report(options, "done", 1);
    }
    tree_finish(&tree);
    return bytes;
}
