// SPDX-License-Identifier: MIT
#include "scene/scene_read.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
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

// A scene holds one or the other: no estimator renders both.
static bool read_contents(struct scene_file *file, const struct top *top, struct error *error)
{
    if (!top->volume)
        return ((!top->objects && top->instances) || scene_read_objects(file, top->objects, error)) &&
               scene_read_parts(file, top->parts, error) && scene_read_instances(file, top->instances, error);
    const yaml_node_t *const others[] = {top->objects, top->parts, top->instances, top->materials, top->meshes};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (others[i]) {
            yaml_fail(&file->source, others[i], error, "the scene has a volume, which stands alone");
            return error_remedy(error, "remove this, or `volume`");
        }
    return scene_read_volume(file, top->volume, error);
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

bool scene_file_is_mesh(const char *path)
{
    static const char *const endings[] = {".obj", ".ply", ".off", ".stl", ".gltf", ".glb"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        const size_t ending = strlen(endings[i]);
        if (length > ending && !strcasecmp(path + length - ending, endings[i]))
            return true;
    }
    return false;
}

static char *mesh_scene(const char *path, size_t *size)
{
    char *text;
    const char *slash = strrchr(path, '/');
    FILE *stream = memory_stream(&text, size);
    fputs("meshes: {mesh: {fit: 2, file: \"", stream);
    for (const char *at = slash ? slash + 1 : path; *at; ++at)
        fprintf(stream, (unsigned char)*at < ' ' || strchr("\"\\", *at) ? "\\x%02x" : "%c", (unsigned char)*at);
    fputs("\"}}\nobjects: [{mesh: mesh}]\nenvironment: {constant: 1}\n"
          "cameras: {front: {eye: [2, 2.5, 4], at: [0, 1, 0]}}\n",
          stream);
    memory_close(stream);
    return text;
}

static bool read_plain(struct scene_file *file, const char *path, struct error *error)
{
    size_t size;
    *file = (struct scene_file){0};
    char *text = scene_file_is_mesh(path) ? mesh_scene(path, &size) : yaml_file_text(path, &size, error);
    const bool done = text && scene_file_parse(file, path, text, size, error);
    free(text);
    return done;
}

// Reads the file that a scene is `from` in its place. A missing file is no error yet: the scene may only be listed.
static bool read_inner(struct scene_file *file, struct error *error)
{
    char path[1024];
    if (!scene_file_locate_from(file, path, sizeof path, NULL))
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
