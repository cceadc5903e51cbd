// SPDX-License-Identifier: MIT
#include "report/staging.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool add_name(char ***list, size_t *count, size_t *capacity, const char *name, struct error *error)
{
    if (*count == *capacity) {
        const size_t more = *capacity ? 2 * *capacity : 64;
        char **grown = realloc(*list, more * sizeof *grown);
        if (!grown)
            return error_set(error, ERROR_SYSTEM, "no memory");
        *list = grown;
        *capacity = more;
    }
    char *kept = strdup(name);
    if (!kept)
        return error_set(error, ERROR_SYSTEM, "no memory");
    (*list)[(*count)++] = kept;
    return true;
}

bool staging_made_before(const struct staging *staging, const char *name)
{
    for (size_t i = 0; i < staging->older_count; ++i)
        if (!strcmp(staging->older[i], name))
            return true;
    return false;
}

static bool make_folder(const char *path, struct error *error)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0)
        return true;
    const int cause = errno;
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        return true;
    errno = cause;
    if (cause != EEXIST && cause != ENOTDIR) {
        error_set_errno(error, "make the folder", path);
        return error_remedy(error, "give another folder with --output");
    }
    error_set_at(error, ERROR_SYSTEM, path, 0, "this is a file, and a folder is wanted");
    return error_remedy(error, "give another folder with --output");
}

bool staging_make_parents(const char *path, size_t from, struct error *error)
{
    char part[1200];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (slash[1] != '/' && !make_folder(part, error))
            return false;
        *slash = '/';
    }
    return true;
}

size_t staging_existing_part(const char *path)
{
    char part[1200];
    struct stat facts;
    snprintf(part, sizeof part, "%s", path);
    while (part[0] && stat(part, &facts) != 0) {
        char *slash = strrchr(part, '/');
        *(slash ? slash : part) = '\0';
    }
    return strlen(part);
}

// Names that lead out of the folder are nobody's.
static bool inside(const char *name)
{
    return name[0] && name[0] != '/' && name[0] != '#' && strncmp(name, "../", 3) != 0 && !strstr(name, "/../");
}

static bool add_older(struct staging *staging, const char *name, struct error *error)
{
    return add_name(&staging->older, &staging->older_count, &staging->older_capacity, name, error);
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        free(names[i]);
    free(names);
}

bool staging_read_list(struct staging *staging, struct error *error)
{
    char path[1200], line[600];
    free_names(staging->older, staging->older_count);
    staging->older = NULL;
    staging->older_count = staging->older_capacity = 0;
    snprintf(path, sizeof path, "%s/%s", staging->folder, STAGING_LIST);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return errno == ENOENT || error_set_errno(error, "read", path);
    bool done = add_older(staging, STAGING_LIST, error);
    while (done && fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\r\n")] = '\0';
        done = !inside(line) || add_older(staging, line, error);
    }
    fclose(stream);
    return done;
}

static bool make_temporary(struct staging *staging, const char *folder, struct error *error)
{
    staging_remove_left(staging);
    snprintf(staging->temporary, sizeof staging->temporary, "%s/.report-XXXXXX", staging->folder);
    if (mkdtemp(staging->temporary))
        return staging_lock(staging, error);
    staging->temporary[0] = '\0';
    error_set_errno(error, "write into the folder", folder);
    return error_remedy(error, "give another folder with --output");
}

bool staging_begin(struct staging *staging, const char *folder, struct error *error)
{
    char path[600];
    *staging = (struct staging){.replaces = false};
    const size_t length = strlen(folder);
    if (!length || length >= sizeof staging->folder)
        return error_set(error, ERROR_USE, "--output wants the path of a folder");
    memcpy(staging->folder, folder, length + 1);
    for (size_t end = length; end > 1 && staging->folder[end - 1] == '/'; --end)
        staging->folder[end - 1] = '\0';
    const size_t there = staging_existing_part(staging->folder);
    staging->made_from = there == strlen(staging->folder) ? 0 : there + 1;
    snprintf(path, sizeof path, "%s/", staging->folder);
    if (!staging_make_parents(path, 1, error))
        return false;
    const int held = staging_hold(staging->folder);
    const bool done = make_temporary(staging, folder, error);
    if (held >= 0)
        close(held);
    return done;
}

bool staging_path(struct staging *staging, const char *name, char *path, size_t size, struct error *error)
{
    char whole[400];
    if ((size_t)snprintf(whole, sizeof whole, "%s%s", staging->prefix, name) >= sizeof whole)
        return error_set(error, ERROR_SYSTEM, "the name of a file is too long: %.100s", name);
    snprintf(path, size, "%s/%s", staging->temporary, whole);
    return staging_make_parents(path, strlen(staging->temporary) + 1, error) &&
           add_name(&staging->names, &staging->count, &staging->capacity, whole, error);
}

FILE *staging_open(struct staging *staging, const char *name, struct error *error)
{
    char path[1200];
    if (!staging_path(staging, name, path, sizeof path, error))
        return NULL;
    FILE *stream = fopen(path, "wb");
    if (!stream)
        error_set_errno(error, "write", path);
    return stream;
}

bool staging_close(struct staging *staging, FILE *stream, struct error *error)
{
    const bool written = fflush(stream) == 0 && !ferror(stream);
    const int cause = errno;
    const bool closed = fclose(stream) == 0;
    if (written && closed)
        return true;
    if (!written)
        errno = cause;
    error_set_errno(error, "write into the folder", staging->folder);
    return error_remedy(error, "make room there, or give another folder with --output");
}

void staging_drop(struct staging *staging, size_t count)
{
    while (staging->count > count) {
        char *name = staging->names[--staging->count], path[1200];
        snprintf(path, sizeof path, "%s/%s", staging->temporary, name);
        if (staging->temporary[0])
            unlink(path);
        free(name);
    }
}

void staging_abandon(struct staging *staging)
{
    if (staging->temporary[0])
        staging_remove_folder(staging->temporary);
    if (staging->lock > 0)
        close(staging->lock);
    // Folders that were made for it go from the deepest up, while they are empty.
    while (staging->made_from && strlen(staging->folder) >= staging->made_from && rmdir(staging->folder) == 0) {
        char *slash = strrchr(staging->folder, '/');
        *(slash ? slash : staging->folder) = '\0';
    }
    free_names(staging->names, staging->count);
    free_names(staging->older, staging->older_count);
    *staging = (struct staging){.replaces = false};
}
