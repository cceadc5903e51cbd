// SPDX-License-Identifier: MIT
#include "import/mesh_companions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/mesh_gltf.h"
#include "import/mesh_library.h"
#include "import/mesh_lines.h"

struct search {
    const char *path;
    void (*visit)(void *context, const char *path);
    void *context;
};

// What is wrong with a library is said when the mesh is read.
static bool visit_library(void *context, const char *path)
{
    const struct search *search = context;
    struct mesh_library library = {0};
    size_t size;
    char *bytes = mesh_file_read(path, &size, NULL);
    search->visit(search->context, path);
    if (bytes)
        mesh_library_add(&library, bytes, size, path, search->path, NULL);
    for (size_t i = 0; i < library.count; ++i)
        if (library.materials[i].texture)
            search->visit(search->context, library.materials[i].texture);
    mesh_library_finish(&library);
    free(bytes);
    return true;
}

// Only lines that contain the word are looked at: splitting the whole file into lines would take several times as long.
static void visit_libraries(struct search *search, const char *text, size_t size)
{
    static const char word[] = "mtllib";
    for (const char *found = text; (found = memmem(found, size - (size_t)(found - text), word, strlen(word)));) {
        struct mesh_lines lines = mesh_lines_make(found, size - (size_t)(found - text));
        if (mesh_lines_next(&lines)) {
            char *names = lines.text + strlen(word);
            mesh_library_find(search->path, names + strspn(names, " \t"), visit_library, search);
        }
        found = lines.at;
        mesh_lines_finish(&lines);
    }
}

// Buffers and pictures.
static void visit_uris(const struct search *search, const char *text, size_t size)
{
    static const char *const lists[] = {"buffers", "images"};
    struct mesh_builder builder = {.path = search->path};
    struct gltf gltf;
    json_t *entry;
    size_t i;
    gltf_open(&gltf, &builder, text, size); // what is wrong with it is said when it is read
    for (int k = 0; k < 2; ++k)
        json_array_foreach(json_object_get(gltf.root, lists[k]), i, entry)
        {
            const char *uri = json_string_value(json_object_get(entry, "uri"));
            char *path = uri ? gltf_uri_path(search->path, uri) : NULL;
            if (path)
                search->visit(search->context, path);
            free(path);
        }
    gltf_finish(&gltf);
}

bool mesh_companions(const char *path, void (*visit)(void *context, const char *path), void *context,
                     struct error *error)
{
    struct search search = {path, visit, context};
    const char *suffix = strrchr(path, '.');
    const bool obj = suffix && strcasecmp(suffix, ".obj") == 0;
    const bool gltf = suffix && (strcasecmp(suffix, ".gltf") == 0 || strcasecmp(suffix, ".glb") == 0);
    if (!obj && !gltf)
        return true;
    size_t size;
    char *text = mesh_file_read(path, &size, error);
    if (text && obj)
        visit_libraries(&search, text, size);
    else if (text)
        visit_uris(&search, text, size);
    free(text);
    return text != NULL;
}
