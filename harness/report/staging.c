// SPDX-License-Identifier: MIT
#include "report/staging.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_folder(const char *path, struct error *error)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0)
        return true;
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        return true;
    if (errno != EEXIST && errno != ENOTDIR)
        return error_set_errno(error, "make the folder", path);
    error_set_at(error, ERROR_SYSTEM, path, 0, "this is a file, and a folder is wanted");
    return error_remedy(error, "give another folder with --output");
}

static bool make_folders(const char *path, struct error *error)
{
    char part[512];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_folder(part, error))
            return false;
        *slash = '/';
    }
    return make_folder(part, error);
}

bool staging_begin(struct staging *staging, const char *folder, struct error *error)
{
    *staging = (struct staging){.count = 0};
    if (!folder[0] || strlen(folder) >= sizeof staging->folder)
        return error_set(error, ERROR_USE, "--output wants the path of a folder");
    snprintf(staging->folder, sizeof staging->folder, "%s", folder);
    if (!make_folders(folder, error))
        return false;
    snprintf(staging->temporary, sizeof staging->temporary, "%s/.report-XXXXXX", staging->folder);
    if (mkdtemp(staging->temporary))
        return true;
    staging->temporary[0] = '\0';
    return error_set_errno(error, "write into the folder", folder);
}

bool staging_path(struct staging *staging, const char *name, char *path, size_t size, struct error *error)
{
    char *kept = staging->count < STAGING_FILES ? strdup(name) : NULL;
    if (!kept)
        return error_set(error, ERROR_SYSTEM, "too many files in one report");
    staging->names[staging->count++] = kept;
    snprintf(path, size, "%s/%s", staging->temporary, name);
    return true;
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
    const bool closed = fclose(stream) == 0;
    return (written && closed) || error_set_errno(error, "write into the folder", staging->folder);
}

bool staging_commit(struct staging *staging, struct error *error)
{
    for (size_t i = 0; i < staging->count; ++i) {
        char from[1200], to[1200];
        snprintf(from, sizeof from, "%s/%s", staging->temporary, staging->names[i]);
        snprintf(to, sizeof to, "%s/%s", staging->folder, staging->names[i]);
        if (rename(from, to) != 0)
            return error_set_errno(error, "write", to);
    }
    rmdir(staging->temporary);
    staging->temporary[0] = '\0';
    return true;
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
    staging_drop(staging, 0);
    if (staging->temporary[0])
        rmdir(staging->temporary);
    staging->temporary[0] = '\0';
}
