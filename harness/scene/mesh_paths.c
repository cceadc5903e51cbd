// SPDX-License-Identifier: MIT
#include "scene/mesh_paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/path.h"

char *mesh_companion_path(const char *mesh, const char *reference)
{
    const char *slash = strrchr(mesh, '/');
    char *path = memory_format("%.*s%s", slash && reference[0] != '/' ? (int)(slash - mesh) + 1 : 0, mesh, reference);
    for (char *c = path; *c; ++c)
        if (*c == '\\')
            *c = '/';
    return path;
}

struct search {
    const char *path;
    void (*visit)(void *context, const char *path);
    void *context;
    struct error *error;
};

static const int64_t TEXT_BYTES_MAX = (int64_t)1 << 30; // searched in memory

static char *read_whole(const char *path, size_t *size, struct error *error)
{
    struct stat status;
    char *text = NULL;
    FILE *file = path_stream(path, error);
    if (!file)
        return NULL;
    if (fstat(fileno(file), &status) != 0) {
        error_set_errno(error, "open", path);
    } else if (status.st_size > TEXT_BYTES_MAX) {
        error_set_at(error, ERROR_INPUT, path, 0, "the text is longer than 1 GiB");
        error_remedy(error, "split the mesh into several, or save it in a binary format, such as PLY or GLB");
    } else if (!(text = malloc((size_t)status.st_size + 1))) {
        error_set(error, ERROR_SYSTEM, "no memory to read %s", path);
    } else {
        *size = fread(text, 1, (size_t)status.st_size, file);
        text[*size] = '\0';
    }
    fclose(file);
    return text;
}

static void visit_reference(const struct search *search, const char *from, size_t length)
{
    while (length > 0 && strchr(" \t\r", from[length - 1]))
        --length;
    if (length == 0 || length >= PATH_MAX) // longer ones name no file
        return;
    char *reference = memory_format("%.*s", (int)length, from), *path = mesh_companion_path(search->path, reference);
    search->visit(search->context, path);
    free(path);
    free(reference);
}

// Calls visit_reference for what follows `word` at the start of a line.
static void visit_lines(const struct search *search, const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *found = text; (found = strstr(found, word)); found += length) {
        const char *start = found;
        while (start > text && (start[-1] == ' ' || start[-1] == '\t'))
            --start;
        const char *rest = found + length + strspn(found + length, " \t");
        if ((start == text || start[-1] == '\n' || start[-1] == '\r') && rest > found + length)
            visit_reference(search, rest, strcspn(rest, "\n"));
    }
}

static bool visit_material_library(const struct search *search)
{
    size_t size;
    char *text = read_whole(search->path, &size, NULL); // a missing library is no error: assimp goes on without
    if (text)
        visit_lines(search, text, "map_Kd");
    free(text);
    return true;
}

static void visit_library(void *context, const char *path)
{
    const struct search *search = context;
    const struct search inside = {path, search->visit, search->context, search->error};
    search->visit(search->context, path);
    visit_material_library(&inside);
}

static void visit_uris(const struct search *search, const char *text)
{
    for (const char *found = text; (found = strstr(found, "\"uri\""));) {
        found += 5;
        found += strspn(found, " \t\r\n:");
        if (*found == '"' && strncmp(found + 1, "data:", 5) != 0)
            visit_reference(search, found + 1, strcspn(found + 1, "\""));
    }
}

bool mesh_companions(const char *path, void (*visit)(void *context, const char *path), void *context,
                     struct error *error)
{
    struct search search = {path, visit, context, error};
    const char *suffix = strrchr(path, '.');
    const bool obj = suffix && strcasecmp(suffix, ".obj") == 0, gltf = suffix && strcasecmp(suffix, ".gltf") == 0;
    if (!obj && !gltf)
        return true;
    size_t size;
    char *text = read_whole(path, &size, error);
    if (!text)
        return false;
    const struct search libraries = {path, visit_library, &search, error};
    if (obj)
        visit_lines(&libraries, text, "mtllib");
    else
        visit_uris(&search, text);
    free(text);
    return true;
}
