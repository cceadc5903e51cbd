// SPDX-License-Identifier: MIT
#include "scene/scene_gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/mesh_import.h"
#include "import/picture.h"
#include "scene/mesh_fit.h"

// A mesh as imported, with its place in the palette of the scene.
struct loaded_mesh {
    struct mesh_data data;
    uint32_t *materials;        // of the palette: index into the scene's materials
    struct exact_transform fit; // orient, then stand on y = 0 and stretch
    bool loaded;
};

struct gathering {
    struct scene_parts *parts;
    const struct scene_file *file;
    const struct scene_build_options *options;
    struct loaded_mesh *meshes;
    struct error *error;
};

// ---- materials

// Its index among the scene's.
static uint32_t add_material(struct scene_parts *parts, const struct material *material, const char *mesh,
                             const char *name)
{
    *ARRAY_ADD(parts->materials, parts->material_count) = *material;
    char *text = ARRAY_ADD(parts->names, parts->name_count)->text;
    if (*mesh)
        snprintf(text, IMAGE_NAME, "%.20s.%.42s", mesh, name);
    else
        snprintf(text, IMAGE_NAME, "%.63s", name);
    return (uint32_t)parts->material_count - 1;
}

// The diffuse reflectance times the mean colour of the texture.
static bool dye_with_texture(struct gathering *g, const struct scene_material *from, double diffuse[3])
{
    char path[1024];
    double mean[3] = {1, 1, 1};
    if (from->texture) {
        if (!scene_file_locate(g->file, from->texture, NULL, from->line, path, sizeof path, g->error))
            return false;
        if (!picture_mean(path, mean, g->error)) {
            scene_file_add_use(g->file, from->line, NULL, "correct that picture, or leave out `texture`", g->error);
            return false;
        }
    }
    for (int c = 0; c < 3; ++c)
        diffuse[c] = from->diffuse[c] * mean[c];
    return true;
}

static bool add_scene_materials(struct gathering *g)
{
    for (uint32_t i = 0; i < g->file->material_count; ++i) {
        const struct scene_material *from = &g->file->materials[i];
        double diffuse[3];
        if (!dye_with_texture(g, from, diffuse))
            return false;
        const bool rough = from->kind == MATERIAL_GLOSSY || from->kind == MATERIAL_REFLECTIVE;
        const struct material material = {
            .kind = from->kind,
            .diffuse = vec3_from(diffuse),
            .specular = vec3_from(from->specular),
            .exponent = (float)(rough ? from->roughness * from->roughness : from->exponent),
            .emission = vec3_from(from->emission),
            .ior = (float)from->ior,
            .flops = (uint32_t)from->flops,
            .branches = {from->branches[0], from->branches[1]},
            .weight = (float)(from->kind >= MATERIAL_BLEND ? from->weight : 1 - from->opacity)};
        add_material(g->parts, &material, "", from->name);
    }
    return true;
}

// See-through is glass, a visible highlight is blinn, all else is lambert. No material of a mesh file shines.
static struct material convert_material(const struct mesh_material *from)
{
    struct material material = {.kind = MATERIAL_LAMBERT, .diffuse = vec3_from(from->diffuse), .ior = (float)from->ior};
    double highlight = 0, most = 1;
    for (int c = 0; c < 3; ++c) {
        highlight = from->specular[c] > highlight ? from->specular[c] : highlight;
        most = from->diffuse[c] + from->specular[c] > most ? from->diffuse[c] + from->specular[c] : most;
    }
    if (from->opacity < 0.5) {
        material.kind = MATERIAL_GLASS;
        material.diffuse = vec3_splat(0);
        material.specular = vec3_splat(1);
        material.ior = from->ior > 1.01 ? (float)from->ior : 1.5f;
    } else if (highlight > 0.1 && from->exponent >= 1) {
        material.kind = MATERIAL_BLINN;
        material.diffuse = vec3_scale(vec3_from(from->diffuse), (float)(1 / most));
        material.specular = vec3_scale(vec3_from(from->specular), (float)(1 / most));
        material.exponent = (float)from->exponent;
    }
    return material;
}

static bool check_material(struct gathering *g, const struct scene_mesh *mesh, const struct mesh_material *material)
{
    if (!material->missing)
        return true;
    error_set_at(g->error, ERROR_INPUT, g->file->path, mesh->line,
                 "mesh \"%s\" uses the material \"%s\", which no material library of its file holds", mesh->name,
                 material->name);
    return error_remedy(g->error,
                        "correct the library, or name a material of the scene: materials: {\"%s\": NAME}, or "
                        "material: NAME for all of the mesh",
                        material->name);
}

static bool place_material(struct gathering *g, const struct scene_mesh *mesh, const struct mesh_material *from,
                           uint32_t *index)
{
    if (mesh->material != SCENE_NONE) {
        *index = (uint32_t)mesh->material;
        return true;
    }
    for (uint32_t i = 0; i < mesh->rename_count; ++i)
        if (strcmp(mesh->renames[i].from, from->name) == 0) {
            *index = mesh->renames[i].material;
            return true;
        }
    if (!check_material(g, mesh, from))
        return false;
    const struct material material = convert_material(from);
    *index = add_material(g->parts, &material, mesh->name, from->name);
    return true;
}

static bool no_such_material(struct gathering *g, const char *name, const struct mesh_data *data)
{
    const char **names = memory_new((size_t)data->palette_count + 1, sizeof *names);
    for (uint32_t i = 0; i < data->palette_count; ++i)
        names[i] = data->palette[i].name;
    const char *near = error_suggest(name, names);
    if (near)
        error_remedy(g->error, "did you mean \"%s\"?", near);
    else
        error_remedy(g->error, "it has %u, the first of them \"%s\"", data->palette_count, data->palette[0].name);
    free(names);
    return false;
}

static bool check_renames(struct gathering *g, const struct scene_mesh *mesh, const struct mesh_data *data)
{
    for (uint32_t i = 0; i < mesh->rename_count; ++i) {
        bool found = false;
        for (uint32_t k = 0; k < data->palette_count && !found; ++k)
            found = strcmp(mesh->renames[i].from, data->palette[k].name) == 0;
        if (!found) {
            error_set_at(g->error, ERROR_USE, g->file->path, mesh->line, "mesh \"%s\" has no material \"%.60s\"",
                         mesh->name, mesh->renames[i].from);
            return no_such_material(g, mesh->renames[i].from, data);
        }
    }
    return true;
}

static bool place_palette(struct gathering *g, const struct scene_mesh *mesh, struct loaded_mesh *loaded)
{
    const uint32_t count = loaded->data.palette_count;
    loaded->materials = memory_new(count, sizeof *loaded->materials);
    for (uint32_t i = 0; i < count; ++i)
        if (!place_material(g, mesh, &loaded->data.palette[i], &loaded->materials[i]))
            return false;
    return check_renames(g, mesh, &loaded->data);
}

// ---- meshes

static bool load_mesh(struct gathering *g, int32_t index)
{
    char path[1024], step[160];
    const struct scene_mesh *mesh = &g->file->meshes[index];
    struct loaded_mesh *loaded = &g->meshes[index];
    if (loaded->loaded)
        return true;
    snprintf(step, sizeof step, "reading mesh %.63s", mesh->name);
    if (g->options->progress)
        g->options->progress(g->options->progress_context, step, 0.5 * index / g->file->mesh_count);
    if (!scene_file_locate_mesh(g->file, mesh, path, sizeof path, g->error))
        return false;
    if (!mesh_import(&loaded->data, path, mesh->name, mesh->material == SCENE_NONE, g->error)) {
        scene_file_add_use(g->file, mesh->line, mesh->package,
                           g->error && strcmp(g->error->file, path) == 0
                               ? "export the mesh anew, or take it out of the scene"
                               : "correct that file, or give the mesh one material of the scene: material: NAME",
                           g->error);
        return false;
    }
    loaded->loaded = true;
    if (g->options->unlisted)
        *g->options->unlisted |= loaded->data.unlisted;
    loaded->fit = mesh_fit(mesh, &loaded->data);
    return place_palette(g, mesh, loaded);
}

static bool add_mesh(struct gathering *g, const struct scene_object *object, const struct exact_transform *place)
{
    if (!load_mesh(g, object->mesh))
        return false;
    const struct loaded_mesh *loaded = &g->meshes[object->mesh];
    const struct mesh_data *data = &loaded->data;
    struct soup *soup = &g->parts->soup;
    soup->what = g->file->meshes[object->mesh].name;
    soup->transform = exact_transform_multiply(place, &loaded->fit);
    for (uint64_t i = 0; i < data->triangle_count; ++i) {
        soup->material = loaded->materials[data->materials[i]];
        if (!soup_triangle(soup, data->vertices[data->indices[3 * i]], data->vertices[data->indices[3 * i + 1]],
                           data->vertices[data->indices[3 * i + 2]]))
            return false;
    }
    return true;
}

// ---- objects

static struct shape_context context_of(const struct scene_file *file, const struct scene_object *object)
{
    struct shape_context context = {.position =
                                        exact_vec_make(object->position[0], object->position[1], object->position[2])};
    memcpy(context.materials, object->materials, sizeof context.materials);
    if (object->ground != SCENE_NONE) {
        const struct scene_object *ground = &file->objects[object->ground];
        context.ground = ground->parameters;
        context.ground_position = exact_vec_make(ground->position[0], ground->position[1], ground->position[2]);
    }
    return context;
}

static struct exact_transform place_of(const struct scene_object *object, const struct shape_context *context)
{
    const double *p = object->position, *r = object->rotation, *s = object->scale;
    const struct exact_transform scale = exact_transform_scale(s[0], s[1], s[2]);
    const struct exact_transform rotate = exact_transform_rotate(r[0], r[1], r[2]);
    const struct exact_transform move =
        exact_transform_translate(p[0], p[1] + shape_ground_height(context, p[0], p[2]), p[2]);
    const struct exact_transform turned = exact_transform_multiply(&rotate, &scale);
    return exact_transform_multiply(&move, &turned);
}

static bool add_object(struct gathering *g, const struct scene_object *object)
{
    const struct shape_context context = context_of(g->file, object);
    const struct exact_transform place = place_of(object, &context);
    if (object->mesh != SCENE_NONE)
        return add_mesh(g, object, &place);
    g->parts->soup.what = object->shape->name;
    g->parts->soup.transform = object->shape->scatters ? exact_transform_identity() : place;
    return object->shape->build(object->parameters, &context, &g->parts->soup);
}

// Marks the branches of marked blends, which precede their blends.
static void mark_branches(const struct scene_parts *parts, uint32_t *marks)
{
    for (size_t i = parts->material_count; i-- > 0;)
        for (int k = 0; k < 2; ++k)
            if (marks[i] && parts->materials[i].kind >= MATERIAL_BLEND)
                marks[parts->materials[i].branches[k]] = 1;
}

// Material indices become dense: only those in use remain, in their order.
static void drop_unused(struct scene_parts *parts)
{
    uint32_t *renumbered = memory_new(parts->material_count, sizeof *renumbered), kept = 0;
    for (uint64_t i = 0; i < parts->soup.count; ++i)
        renumbered[parts->soup.triangles[i].material] = 1;
    mark_branches(parts, renumbered);
    for (uint32_t i = 0; i < parts->material_count; ++i) {
        if (!renumbered[i])
            continue;
        parts->materials[kept] = parts->materials[i];
        for (int k = 0; k < 2 && parts->materials[i].kind >= MATERIAL_BLEND; ++k)
            parts->materials[kept].branches[k] = renumbered[parts->materials[i].branches[k]];
        parts->names[kept] = parts->names[i];
        renumbered[i] = kept++;
    }
    for (uint64_t i = 0; i < parts->soup.count; ++i)
        parts->soup.triangles[i].material = renumbered[parts->soup.triangles[i].material];
    parts->material_count = parts->name_count = kept;
    free(renumbered);
}

// Those of the scene itself (SCENE_NONE), or of a part.
static bool add_objects_of(struct gathering *g, int32_t part)
{
    for (uint32_t i = 0; i < g->file->object_count; ++i)
        if (g->file->objects[i].part == part && !add_object(g, &g->file->objects[i])) {
            if (g->error && !g->error->file[0])
                snprintf(g->error->file, sizeof g->error->file, "%s", g->file->path);
            if (g->error && !g->error->line && strcmp(g->error->file, g->file->path) == 0)
                g->error->line = g->file->objects[i].line;
            return false;
        }
    return true;
}

static bool check_triangles(struct gathering *g)
{
    if (g->parts->soup.count > 0 || g->file->volume.line)
        return true;
    error_set_at(g->error, ERROR_INPUT, g->file->path, g->file->objects_line, "the scene holds no triangle");
    return error_remedy(g->error, g->file->object_count ? "none of its objects has area: are they too small?"
                                                        : "add an object, such as - {shape: box}");
}

// ---- instances

static bool add_placement(struct gathering *g, uint32_t object, const struct exact_transform *transform, int line)
{
    const char *why;
    if (line && !levels_placeable(transform, &why)) {
        error_set_at(g->error, ERROR_USE, g->file->path, line, "the transform of an instance %s", why);
        return error_remedy(g->error, "choose another matrix, scale or position");
    }
    struct placement *placement = &g->parts->placements[g->parts->placement_count++];
    placement->object = object;
    placement->to_world = levels_round(transform);
    return true;
}

static struct exact_transform turn_of(const struct scene_instances *instances)
{
    const double *r = instances->rotation, *s = instances->scale;
    const struct exact_transform scale = exact_transform_scale(s[0], s[1], s[2]);
    const struct exact_transform rotate = exact_transform_rotate(r[0], r[1], r[2]);
    return exact_transform_multiply(&rotate, &scale);
}

static struct exact_transform moved_to(const struct exact_transform *turned, struct exact_vec place)
{
    struct exact_transform moved = *turned;
    moved.t[0] = place.x;
    moved.t[1] = place.y;
    moved.t[2] = place.z;
    return moved;
}

// Each copy has random numbers of its own; it is turned about y before the transform that all share.
static bool scatter_instances(struct gathering *g, const struct scene_instances *instances,
                              const struct shape_context *context, uint32_t object)
{
    const struct exact_transform turned = turn_of(instances);
    for (uint64_t i = 0; i < instances->count; ++i) {
        struct exact_random random = exact_random_make(instances->seed, i);
        const struct exact_vec at = shape_random_place(&random, context, instances->inner, instances->outer);
        const struct exact_transform spin = exact_transform_rotate(0, exact_between(&random, 0, 360), 0);
        const double size = exact_between(&random, instances->sizes[0], instances->sizes[1]);
        const struct exact_transform scale = exact_transform_scale(size, size, size);
        const struct exact_transform spun = exact_transform_multiply(&turned, &spin);
        const struct exact_transform scaled = exact_transform_multiply(&spun, &scale);
        const struct exact_transform moved = moved_to(&scaled, at);
        if (!add_placement(g, object, &moved, instances->line))
            return false;
    }
    return true;
}

static bool add_instances(struct gathering *g, const struct scene_instances *instances, uint32_t object)
{
    const double *p = instances->position;
    struct scene_object standing = {.ground = instances->ground, .position = {p[0], p[1], p[2]}};
    const struct shape_context context = context_of(g->file, &standing);
    struct exact_transform transform;
    if (instances->count)
        return scatter_instances(g, instances, &context, object);
    if (instances->has_matrix) {
        for (int i = 0; i < 3; ++i) {
            transform.t[i] = instances->matrix[4 * i + 3];
            for (int j = 0; j < 3; ++j)
                transform.m[i][j] = instances->matrix[4 * i + j];
        }
    } else {
        transform = turn_of(instances);
        transform = moved_to(&transform, exact_vec_make(p[0], p[1] + shape_ground_height(&context, p[0], p[2]), p[2]));
    }
    return add_placement(g, object, &transform, instances->line);
}

// Ends an object, which is the triangles from `first` on, if there are any.
static bool end_object(struct gathering *g, uint64_t first)
{
    struct scene_parts *parts = g->parts;
    if (parts->soup.count == first)
        return false;
    parts->objects[parts->object_count++] =
        (struct object_range){.first = (uint32_t)first, .count = (uint32_t)(parts->soup.count - first)};
    return true;
}

static bool gather_parts(struct gathering *g, uint32_t *object_of)
{
    for (uint32_t i = 0; i < g->file->part_count; ++i) {
        const struct scene_part *part = &g->file->parts[i];
        const uint64_t first = g->parts->soup.count;
        if (!add_objects_of(g, (int32_t)i))
            return false;
        object_of[i] = g->parts->object_count;
        if (end_object(g, first))
            continue;
        error_set_at(g->error, ERROR_INPUT, g->file->path, part->line, "part \"%s\" holds no triangle", part->name);
        return error_remedy(g->error, "add an object to it, such as - {shape: box}");
    }
    for (uint32_t i = 0; i < g->file->instances_count; ++i)
        if (!add_instances(g, &g->file->instances[i], object_of[g->file->instances[i].part]))
            return false;
    return true;
}

// The scene's own objects, which are an instance of themselves, then the parts and their instances.
static bool add_objects(struct gathering *g)
{
    const struct exact_transform identity = exact_transform_identity();
    struct scene_parts *parts = g->parts;
    uint64_t placements = 1;
    for (uint32_t i = 0; i < g->file->instances_count; ++i)
        placements += g->file->instances[i].count ? g->file->instances[i].count : 1;
    parts->objects = memory_new((size_t)g->file->part_count + 1, sizeof *parts->objects);
    parts->placements = calloc(placements, sizeof *parts->placements);
    uint32_t *object_of = memory_new((size_t)g->file->part_count + 1, sizeof *object_of);
    bool done = parts->placements || error_memory(g->error, "for %llu instances", (unsigned long long)placements);
    done = done && add_objects_of(g, SCENE_NONE);
    if (done && end_object(g, 0))
        done = add_placement(g, 0, &identity, 0);
    done = done && gather_parts(g, object_of) && check_triangles(g);
    free(object_of);
    return done;
}

bool scene_gather(struct scene_parts *parts, const struct scene_file *file, const struct scene_build_options *options,
                  struct error *error)
{
    struct gathering g = {.parts = parts, .file = file, .options = options, .error = error};
    *parts = (struct scene_parts){0};
    soup_init(&parts->soup, options->triangle_limit, error);
    g.meshes = memory_new(file->mesh_count, sizeof *g.meshes);
    const bool done = add_scene_materials(&g) && add_objects(&g);
    if (done)
        drop_unused(parts);
    for (uint32_t i = 0; i < file->mesh_count; ++i) {
        mesh_finish(&g.meshes[i].data);
        free(g.meshes[i].materials);
    }
    free(g.meshes);
    return done;
}

void scene_parts_finish(struct scene_parts *parts)
{
    soup_finish(&parts->soup);
    free(parts->materials);
    free(parts->names);
    free(parts->objects);
    free(parts->placements);
    *parts = (struct scene_parts){0};
}
