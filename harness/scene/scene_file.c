// SPDX-License-Identifier: MIT
#include "scene/scene_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/path.h"

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

bool scene_file_locate_from(const struct scene_file *file, char *path, size_t size, struct error *error)
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

void scene_file_add_use(const struct scene_file *file, int line, const char *package, const char *remedy,
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

// A mesh file is read into memory as a whole. In any binary format the largest mesh that a scene can hold is shorter.
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
    if (file->from && !scene_file_locate_from(file, path, sizeof path, error))
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
