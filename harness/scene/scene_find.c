// SPDX-License-Identifier: MIT
#include "scene/scene_find.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "scene/scene_cache.h"
#include "scene/scene_read.h"
#include "scene/scene_image.h"

struct found {
    char **names, **paths;
    size_t count;
};

static bool has_suffix(const char *text, const char *suffix)
{
    const size_t a = strlen(text), b = strlen(suffix);
    return a > b && strcmp(text + a - b, suffix) == 0;
}

void scene_name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    if (has_suffix(name, ".yaml"))
        name[strlen(name) - 5] = '\0';
    else if (scene_is_packed(name))
        name[strlen(name) - 6] = '\0';
}

bool scene_is_packed(const char *path)
{
    return has_suffix(path, ".scene");
}

static void add_found(struct found *found, const char *path)
{
    char name[256];
    scene_name_of(path, name, sizeof name);
    for (size_t i = 0; i < found->count; ++i)
        if (strcmp(found->names[i], name) == 0) // an earlier folder goes first
            return;
    size_t count = found->count;
    *ARRAY_ADD(found->names, count) = memory_copy(name);
    *ARRAY_ADD(found->paths, found->count) = memory_copy(path);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// Scene files of a folder and of the folders in it.
static void search_folder(struct found *found, const char *folder, int depth)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < count; ++i) {
        char *path = memory_format("%s/%s", folder, entries[i]->d_name);
        struct stat status;
        if (entries[i]->d_name[0] != '.' && stat(path, &status) == 0) {
            if (S_ISDIR(status.st_mode) && depth > 0)
                search_folder(found, path, depth - 1);
            else if (S_ISREG(status.st_mode) && (has_suffix(path, ".yaml") || scene_is_packed(path)))
                add_found(found, path);
        }
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void search_all(struct found *found)
{
    *found = (struct found){.count = 0};
    const char *own = getenv("WARPSTUDY_SCENES");
    char *folders = own ? memory_copy(own) : NULL, *place = folders;
    for (const char *folder; (folder = strsep(&place, ":"));)
        if (folder[0])
            search_folder(found, folder, 1);
    free(folders);
    search_folder(found, "scenes", 1);
    char *shipped = memory_format("%s/scenes", path_data());
    search_folder(found, shipped, 1);
    free(shipped);
}

static void found_finish(struct found *found)
{
    for (size_t i = 0; i < found->count; ++i) {
        free(found->names[i]);
        free(found->paths[i]);
    }
    free(found->names);
    free(found->paths);
}

static bool unknown_scene(struct found *found, const char *name, struct error *error)
{
    size_t count = found->count;
    *ARRAY_ADD(found->names, count) = NULL; // ends the list
    error_set(error, ERROR_USE, "there is no scene \"%.200s\"", name);
    return error_near(error, name, (const char *const *)found->names, "%s",
                      found->count ? "`warpstudy list scenes` shows those there are"
                                   : "no scene file was found: set WARPSTUDY_SCENES to their folder or folders");
}

static bool is_path(const char *name)
{
    return strchr(name, '/') || has_suffix(name, ".yaml") || scene_is_packed(name) || scene_file_is_mesh(name);
}

bool scene_find(const char *name, char *path, size_t size, struct error *error)
{
    if (is_path(name))
        return path_format(path, size, error, "%s", name);
    struct found found;
    search_all(&found);
    size_t i = 0;
    while (i < found.count && strcmp(found.names[i], name) != 0)
        ++i;
    const bool done =
        i < found.count ? path_format(path, size, error, "%s", found.paths[i]) : unknown_scene(&found, name, error);
    found_finish(&found);
    return done;
}

// From the root, its folders without links; what the last part links to stays unknown, since files beside it belong to it. NULL: no file.
static char *whole_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? memory_format("%.*s", (int)(slash + 1 - path), path) : memory_copy(".");
    char *real = access(path, F_OK) ? NULL : realpath(folder, NULL);
    char *whole = real ? memory_format("%s/%s", strcmp(real, "/") ? real : "", slash ? slash + 1 : path) : NULL;
    free(folder);
    free(real);
    return whole;
}

static bool is_file_of(const char *name, const char *whole)
{
    char path[PATH_MAX];
    struct error ignored = {.kind = ERROR_NONE};
    char *other = scene_find(name, path, sizeof path, &ignored) ? whole_path(path) : NULL;
    const bool same = other && !strcmp(other, whole);
    free(other);
    return same;
}

char *scene_one_name(const char *name)
{
    char *whole = is_path(name) ? whole_path(name) : NULL, *here = whole ? realpath(".", NULL) : NULL;
    char *one = memory_copy(name);
    if (here) {
        const size_t length = strlen(here);
        char short_name[256];
        scene_name_of(name, short_name, sizeof short_name);
        const bool below = !strncmp(whole, here, length) && whole[length] == '/';
        free(one);
        one = memory_copy(is_file_of(short_name, whole) ? short_name : below ? whole + length + 1 : whole);
    }
    free(whole);
    free(here);
    return one;
}

// ---- listing

static bool is_there(void *context, const char *path, struct error *error)
{
    (void)context, (void)path, (void)error; // or it would not be visited
    return true;
}

// What is missing for this scene, or nothing.
static void find_missing(const struct scene_file *file, char *text, size_t size)
{
    struct error error = {0};
    if (!scene_file_visit(file, is_there, NULL, &error))
        snprintf(text, size, "%s: %s", error.message, error.remedy);
}

// A packed scene misses nothing, or cannot be read.
static void visit_packed(const char *name, const char *path, void (*visit)(void *context, const struct scene_listing *),
                         void *context)
{
    struct scene_mapping mapping;
    struct error error = {0};
    char missing[2048] = "";
    const bool read = scene_cache_map(path, &mapping, &error);
    if (!read)
        error_format(&error, missing, sizeof missing);
    const struct scene_listing listing = {
        .name = name,
        .path = path,
        .summary = read ? image_header(mapping.bytes)->title : "",
        .stands_for = read ? image_header(mapping.bytes)->stands_for : "",
        .missing = missing[0] ? missing : NULL,
    };
    visit(context, &listing);
    if (read)
        scene_mapping_finish(&mapping);
}

static void visit_one(const struct found *found, size_t i, void (*visit)(void *context, const struct scene_listing *),
                      void *context)
{
    struct scene_file file;
    struct error error = {0};
    char missing[2048] = "";
    const bool read = scene_file_read(&file, found->paths[i], &error);
    if (read)
        find_missing(&file, missing, sizeof missing);
    else
        error_format(&error, missing, sizeof missing);
    const struct scene_listing listing = {
        .name = found->names[i],
        .path = found->paths[i],
        .summary = read ? file.summary : "",
        .stands_for = read ? file.stands_for : "",
        .missing = missing[0] ? missing : NULL,
    };
    visit(context, &listing);
    scene_file_finish(&file);
}

bool scene_list(void (*visit)(void *context, const struct scene_listing *), void *context, struct error *error)
{
    struct found found;
    search_all(&found);
    for (size_t i = 0; i < found.count; ++i)
        if (scene_is_packed(found.paths[i]))
            visit_packed(found.names[i], found.paths[i], visit, context);
        else
            visit_one(&found, i, visit, context);
    const bool any = found.count > 0;
    found_finish(&found);
    if (any)
        return true;
    error_set(error, ERROR_INPUT, "no scene file was found");
    return error_remedy(error, "set WARPSTUDY_SCENES to the folder with the scene files");
}
