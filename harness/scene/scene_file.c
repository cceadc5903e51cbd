// SPDX-License-Identifier: MIT
#include "scene/scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/path.h"
#include "scene/scene_parts.h"

struct top {
    const char *title, *summary, *stands_for;
    bool fitted, original;
    yaml_node_t *from;
    yaml_node_t *materials, *meshes, *parts, *objects, *instances, *cameras, *environment, *volume;
};

static const struct yaml_field top_fields[] = {
    YAML_FIELD(struct top, title, YAML_TEXT, "one line"),
    YAML_FIELD(struct top, summary, YAML_TEXT, "one line for lists"),
    YAML_FIELD(struct top, stands_for, YAML_TEXT, "the paper's scene that this one stands in for"),
    YAML_FIELD(struct top, fitted, YAML_FLAG, "fitted to a published curve, so that it is excluded from claims"),
    YAML_FIELD(struct top, original, YAML_FLAG, "it is the paper's own scene, not one that stands in for it"),
    YAML_FIELD(struct top, from, YAML_NODE, "another scene file, which holds all that follows"),
    YAML_FIELD(struct top, materials, YAML_NODE, "name: material"),
    YAML_FIELD(struct top, meshes, YAML_NODE, "name: mesh file"),
    YAML_FIELD(struct top, parts, YAML_NODE, "name: list of objects that stand nowhere by themselves"),
    YAML_FIELD(struct top, instances, YAML_NODE, "copies of parts"),
    YAML_FIELD(struct top, objects, YAML_NODE, "what stands where: meshes and shapes"),
    YAML_FIELD(struct top, cameras, YAML_NODE, "name: camera; the first is the default"),
    YAML_FIELD(struct top, environment, YAML_NODE, "light from infinity"),
    YAML_FIELD(struct top, volume, YAML_NODE, "a box of voxels, instead of objects"),
    YAML_FIELDS_END,
};

static bool check_name(struct scene_file *file, const yaml_node_t *key, const char *what, struct error *error)
{
    if (key->data.scalar.length <= SCENE_NAME_MAX)
        return true;
    yaml_fail(&file->source, key, error, "the name of a %s must have 1 to %d bytes", what, SCENE_NAME_MAX);
    return error_remedy(error, "it has %zu: rename it", key->data.scalar.length);
}

bool scene_entry(struct scene_file *file, yaml_node_t *mapping, uint32_t index, const char *what, const char **name,
                 int *line, yaml_node_t **value, struct error *error)
{
    const yaml_node_t *key = yaml_key_node(&file->source, mapping, index);
    *name = yaml_text(key);
    *line = yaml_line(key);
    *value = yaml_value(&file->source, mapping, index);
    return check_name(file, key, what, error);
}

// A scene holds one or the other: no estimator renders both.
static bool read_contents(struct scene_file *file, const struct top *top, struct error *error)
{
    if (!top->volume)
        return ((!top->objects && top->instances) || scene_read_objects(file, top->objects, error)) &&
               scene_read_parts(file, top->parts, error) && scene_read_instances(file, top->instances, error);
    if (!top->objects && !top->parts && !top->instances)
        return scene_read_volume(file, top->volume, error);
    yaml_fail(&file->source, top->volume, error, "the scene has objects and a volume");
    return error_remedy(error, "keep one of the two");
}

struct from_keys {
    const char *file, *obtain;
};

static const struct yaml_field from_fields[] = {
    YAML_FIELD(struct from_keys, file, YAML_TEXT, "a scene file, relative to this one or to the data folder"),
    YAML_FIELD(struct from_keys, obtain, YAML_TEXT,
               "what to do to have it; the folder that it belongs in is named behind this"),
    YAML_FIELDS_END,
};

static bool read_from(struct scene_file *file, const struct top *top, struct error *error)
{
    struct from_keys keys = {0};
    const yaml_node_t *const own[] = {top->materials, top->meshes,  top->parts,       top->objects,
                                      top->instances, top->cameras, top->environment, top->volume};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        if (own[i]) {
            yaml_fail(&file->source, own[i], error, "a scene that is from another file has no contents of its own");
            return error_remedy(error, "remove this, or `from`");
        }
    if (!yaml_read_mapping(&file->source, top->from, "from", from_fields, NULL, &keys, NULL, error))
        return false;
    file->from = keys.file;
    file->obtain = keys.obtain;
    file->from_line = yaml_line(top->from);
    if (keys.file && *keys.file)
        return true;
    yaml_fail(&file->source, top->from, error, "`from` names no file");
    return error_remedy(error, "add file: PATH, relative to this file or to the data folder");
}

static bool read_top(struct scene_file *file, struct error *error)
{
    struct top top = {.title = "", .summary = "", .stands_for = ""};
    yaml_node_t *root = yaml_source_root(&file->source);
    if (!yaml_read_mapping(&file->source, root, "a scene", top_fields, NULL, &top, NULL, error))
        return false;
    file->title = top.title;
    file->summary = top.summary;
    file->stands_for = top.stands_for;
    file->fitted = top.fitted;
    file->original = top.original;
    if (top.from)
        return read_from(file, &top, error);
    return scene_read_materials(file, top.materials, error) && scene_read_meshes(file, top.meshes, error) &&
           read_contents(file, &top, error) && scene_read_cameras(file, top.cameras, error) &&
           scene_read_environment(file, top.environment, error);
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == path ? memory_copy("/")
                         : memory_format("%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
}

bool scene_file_parse(struct scene_file *file, const char *path, const char *text, size_t size, struct error *error)
{
    *file = (struct scene_file){
        .path = memory_copy(path), .folder = folder_of(path), .text = memory_new(size + 1, 1), .text_size = size};
    if (size)
        memcpy(file->text, text, size);
    return yaml_source_parse(&file->source, file->path, file->text, size, error) && read_top(file, error);
}

static bool read_plain(struct scene_file *file, const char *path, struct error *error)
{
    size_t size;
    *file = (struct scene_file){0};
    char *text = yaml_file_text(path, &size, error);
    const bool done = text && scene_file_parse(file, path, text, size, error);
    free(text);
    return done;
}

static const int64_t MESH_BYTES_MAX = (int64_t)1 << 32;

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// To be freed.
static char *data_folder(void)
{
    const char *data = getenv("WARPSTUDY_DATA"), *home = getenv("HOME");
    return data && *data ? memory_copy(data) : memory_format("%s/.local/share/warpstudy", home && *home ? home : ".");
}

static bool locate_from(const struct scene_file *file, char *path, size_t size, struct error *error)
{
    if (scene_file_locate(file, file->from, NULL, file->from_line, path, size, error))
        return true;
    const char *slash = strrchr(file->from, '/');
    char *folder = data_folder();
    if (file->obtain)
        error_remedy(error, "%.300s %.150s/%.*s", file->obtain, folder,
                     slash && slash - file->from < 100 ? (int)(slash - file->from) : 0, file->from);
    free(folder);
    return false;
}

// Puts the file that a scene is from in its place. That it is not there is no mistake of a file that is only read.
static bool read_inner(struct scene_file *file, struct error *error)
{
    char path[1024];
    if (!locate_from(file, path, sizeof path, NULL))
        return true;
    struct scene_file *outer = memory_new(1, sizeof *outer);
    *outer = *file;
    const bool done = read_plain(file, path, error);
    file->outer = outer;
    if (done && file->from) {
        error_set_at(error, ERROR_USE, outer->path, outer->from_line, "%.300s is from another file itself", path);
        return error_remedy(error, "name that file here");
    }
    file->title = outer->title;
    file->summary = outer->summary;
    file->stands_for = outer->stands_for;
    file->fitted = outer->fitted;
    file->original = outer->original;
    return done;
}

bool scene_file_read(struct scene_file *file, const char *path, struct error *error)
{
    return read_plain(file, path, error) && (!file->from || read_inner(file, error));
}

void scene_file_finish(struct scene_file *file)
{
    for (uint32_t i = 0; i < file->object_count; ++i)
        free(file->objects[i].parameters);
    for (uint32_t i = 0; i < file->mesh_count; ++i)
        free(file->meshes[i].renames);
    free(file->materials);
    free(file->meshes);
    free(file->objects);
    free(file->parts);
    free(file->instances);
    free(file->cameras);
    yaml_source_finish(&file->source);
    if (file->outer)
        scene_file_finish(file->outer);
    free(file->outer);
    free(file->path);
    free(file->folder);
    free(file->text);
    *file = (struct scene_file){0};
}

void scene_file_blame(const struct scene_file *file, int line, const char *package, const char *remedy,
                      struct error *error)
{
    if (!error || strcmp(error->file, file->path) == 0)
        return;
    const size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, " (%.300s:%d uses it)", file->path, line);
    if (!error->remedy[0] && package)
        error_remedy(error, "run %s to fetch %.100s again", path_shipped("scripts/get-scenes"), package);
    else if (!error->remedy[0])
        error_remedy(error, "%s", remedy);
}

bool scene_file_locate(const struct scene_file *file, const char *name, const char *package, int line, char *path,
                       size_t size, struct error *error)
{
    char *data = data_folder();
    const char *const folders[] = {file->folder, data};
    const bool absolute = name[0] == '/';
    bool fits = true, found = false;
    for (int i = 0; fits && !found && i < (absolute ? 1 : 2); ++i) {
        fits = path_format(path, size, error, "%s%s%s", absolute ? "" : folders[i], absolute ? "" : "/", name);
        found = fits && is_file(path);
    }
    free(data);
    if (found || !fits)
        return found;
    error_set_at(error, ERROR_INPUT, file->path, line, "there is no file %.300s", name);
    if (!package)
        return error_remedy(error, "names are relative to the scene file, or to the data folder");
    return error_remedy(error, "it comes from the package %.100s: run %s", package, path_shipped("scripts/get-scenes"));
}

// A mesh is read into memory. The largest that a scene can hold is shorter in any binary format.
static bool check_mesh_size(const struct scene_file *file, const struct scene_mesh *mesh, const char *path,
                            struct error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || status.st_size <= MESH_BYTES_MAX)
        return true;
    error_set_at(error, ERROR_INPUT, file->path, mesh->line, "%.300s is longer than 4 GiB", path);
    return error_remedy(error, "split the mesh into several, or save it in a binary format, such as PLY or GLB");
}

bool scene_file_locate_mesh(const struct scene_file *file, const struct scene_mesh *mesh, char *path, size_t size,
                            struct error *error)
{
    if (scene_file_locate(file, mesh->file, mesh->package, mesh->line, path, size, error))
        return check_mesh_size(file, mesh, path, error);
    char *folder = data_folder();
    if (mesh->obtain)
        error_remedy(error, "get it from %.300s and put it at %.150s/%.60s", mesh->obtain, folder, mesh->file);
    free(folder);
    return false;
}

bool scene_file_visit(const struct scene_file *file,
                      bool (*visit)(void *context, const char *path, struct error *error), void *context,
                      struct error *error)
{
    char path[1024];
    const struct scene_environment *light = &file->environment;
    if (file->from && !locate_from(file, path, sizeof path, error))
        return false;
    for (uint32_t i = 0; i < file->mesh_count; ++i)
        if (!scene_file_locate_mesh(file, &file->meshes[i], path, sizeof path, error) || !visit(context, path, error))
            return false;
    if (light->file && (!scene_file_locate(file, light->file, light->package, light->line, path, sizeof path, error) ||
                        !visit(context, path, error)))
        return false;
    if (file->volume.file && (!scene_file_locate(file, file->volume.file, file->volume.package, file->volume.line, path,
                                                 sizeof path, error) ||
                              !visit(context, path, error)))
        return false;
    for (uint32_t i = 0; i < file->material_count; ++i) {
        const struct scene_material *material = &file->materials[i];
        if (material->texture &&
            (!scene_file_locate(file, material->texture, NULL, material->line, path, sizeof path, error) ||
             !visit(context, path, error)))
            return false;
    }
    return true;
}
