// SPDX-License-Identifier: MIT
// The move into place: what is there is first put aside, so that a failure half-way can be undone.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/staging.h"

enum { PATH_SIZE = 1200 };

static void place_of(const struct staging *staging, const char *name, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/%s", staging->folder, name);
}

static void aside_of(const struct staging *staging, size_t index, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/.aside-%zu", staging->temporary, index);
}

static bool made_now(const struct staging *staging, const char *name)
{
    for (size_t i = 0; i < staging->count; ++i)
        if (!strcmp(staging->names[i], name))
            return true;
    return false;
}

// Nothing of somebody else may be in the way.
static bool check_place(const struct staging *staging, const char *name, struct error *error)
{
    char path[PATH_SIZE];
    struct stat facts;
    place_of(staging, name, path);
    if (lstat(path, &facts) != 0)
        return errno == ENOENT || errno == ENOTDIR || error_set_errno(error, "look at", path);
    if (!S_ISDIR(facts.st_mode) && staging_made_before(staging, name))
        return true;
    error_set_at(error, ERROR_SYSTEM, path, 0, "this was not made by a report, and is in the way of one");
    return error_remedy(error, "move it away, or give another folder with --output");
}

static bool write_list(struct staging *staging, struct error *error)
{
    staging->prefix[0] = '\0';
    FILE *stream = staging_open(staging, STAGING_LIST, error);
    if (!stream)
        return false;
    fputs("# Made by warpstudy report. Later reports into this folder replace or remove these files, and no others.\n",
          stream);
    for (size_t i = 0; i + 1 < staging->count; ++i) // the last is the list itself
        fprintf(stream, "%s\n", staging->names[i]);
    for (size_t i = 0; !staging->replaces && i < staging->older_count; ++i)
        if (!made_now(staging, staging->older[i]))
            fprintf(stream, "%s\n", staging->older[i]);
    return staging_close(staging, stream, error);
}

// One file into place; the older one aside. `*aside` tells whether there was one.
static bool move_in(const struct staging *staging, size_t index, bool *aside, struct error *error)
{
    char from[PATH_SIZE], to[PATH_SIZE], away[PATH_SIZE];
    snprintf(from, sizeof from, "%s/%s", staging->temporary, staging->names[index]);
    place_of(staging, staging->names[index], to);
    aside_of(staging, index, away);
    if (!staging_make_parents(to, strlen(staging->folder) + 1, error))
        return false;
    *aside = rename(to, away) == 0;
    if (rename(from, to) == 0)
        return true;
    error_set_errno(error, "write", to);
    if (*aside)
        rename(away, to);
    return false;
}

static void move_back(const struct staging *staging, const bool *aside, size_t count)
{
    while (count--) {
        char path[PATH_SIZE], away[PATH_SIZE];
        place_of(staging, staging->names[count], path);
        aside_of(staging, count, away);
        unlink(path);
        if (aside[count])
            rename(away, path);
    }
}

// Files of earlier reports that this one does not make, and the folders that they leave empty.
static void remove_older(const struct staging *staging)
{
    for (size_t i = 0; i < staging->older_count; ++i) {
        char path[PATH_SIZE], *slash;
        if (made_now(staging, staging->older[i]))
            continue;
        place_of(staging, staging->older[i], path);
        unlink(path);
        while ((slash = strrchr(path, '/')) && slash > path + strlen(staging->folder)) {
            *slash = '\0';
            if (rmdir(path) != 0)
                break;
        }
    }
}

bool staging_commit(struct staging *staging, struct error *error)
{
    for (size_t i = 0; i < staging->count; ++i)
        if (!check_place(staging, staging->names[i], error))
            return false;
    if (!write_list(staging, error))
        return false;
    bool *aside = calloc(staging->count, sizeof *aside);
    if (!aside)
        return error_set(error, ERROR_SYSTEM, "no memory");
    size_t moved = 0;
    while (moved < staging->count && move_in(staging, moved, &aside[moved], error))
        ++moved;
    const bool done = moved == staging->count;
    if (!done)
        move_back(staging, aside, moved);
    else if (staging->replaces)
        remove_older(staging);
    free(aside);
    free(staging->names[--staging->count]); // the list is nobody's business
    if (done)
        staging->made_from = 0;
    return done;
}
