// SPDX-License-Identifier: MIT
#include "scene/mesh_paths.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

void mesh_companion_path(const char *mesh, const char *reference, char *path, size_t size)
{
    const char *slash = strrchr(mesh, '/');
    if (reference[0] == '/')
        snprintf(path, size, "%s", reference);
    else
        snprintf(path, size, "%.*s%s", slash ? (int)(slash - mesh) + 1 : 0, mesh, reference);
    for (char *c = path; *c; ++c)
        if (*c == '\\')
            *c = '/';
}

struct search {
    const char *path;
    void (*visit)(void *context, const char *path);
    void *context;
    struct error *error;
};

static char *read_whole(const char *path, size_t *size, struct error *error)
{
    struct stat status;
    FILE *file = NULL;
    char *text = NULL;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { // opening a pipe would wait for its writer
        error_set_at(error, ERROR_INPUT, path, 0, "not a regular file");
        error_remedy(error, "put a file there");
        return NULL;
    }
    if (!(file = fopen(path, "rb")) || fstat(fileno(file), &status) != 0)
        error_set_errno(error, "open", path);
    else if (!(text = malloc((size_t)status.st_size + 1)))
        error_set(error, ERROR_SYSTEM, "no memory to read %s", path);
    if (text) {
        *size = fread(text, 1, (size_t)status.st_size, file);
        text[*size] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

static void visit_reference(const struct search *search, const char *from, size_t length)
{
    char reference[512], path[1024];
    while (length > 0 && strchr(" \t\r", from[length - 1]))
        --length;
    if (length == 0 || length >= sizeof reference)
        return;
    memcpy(reference, from, length);
    reference[length] = '\0';
    mesh_companion_path(search->path, reference, path, sizeof path);
    search->visit(search->context, path);
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
