// SPDX-License-Identifier: MIT
// The move into place: what is there is first put aside, so that a failure half-way can be undone.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/staging.h"

#define LIST_THAT_STAYS ".list"

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

static bool write_list(struct staging *staging, const char *name, bool with_older, struct error *error)
{
    staging->prefix[0] = '\0';
    FILE *stream = staging_open(staging, name, error);
    if (!stream)
        return false;
    fputs("# Made by warpstudy report. Later reports into this folder replace or remove these files, and no others.\n",
          stream);
    for (size_t i = 0; i + 1 < staging->count; ++i) // the last is the list itself
        fprintf(stream, "%s\n", staging->names[i]);
    for (size_t i = 0; with_older && i < staging->older_count; ++i)
        if (!made_now(staging, staging->older[i]))
            fprintf(stream, "%s\n", staging->older[i]);
    return staging_close(staging, stream, error);
}

// Two lists: while files are moved one of all that may be there, so that whoever comes after a kill knows them for
// reports' own, and then the one that stays. The first becomes the first of the names.
static bool write_lists(struct staging *staging, struct error *error)
{
    if (!write_list(staging, LIST_THAT_STAYS, !staging->replaces, error))
        return false;
    free(staging->names[--staging->count]);
    if (!write_list(staging, STAGING_LIST, true, error))
        return false;
    char *list = staging->names[staging->count - 1];
    memmove(staging->names + 1, staging->names, (staging->count - 1) * sizeof *staging->names);
    staging->names[0] = list;
    return true;
}

static void forget_list(struct staging *staging)
{
    free(staging->names[0]);
    memmove(staging->names, staging->names + 1, --staging->count * sizeof *staging->names);
}

static void let_list_stay(const struct staging *staging)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    snprintf(from, sizeof from, "%s/" LIST_THAT_STAYS, staging->temporary);
    place_of(staging, STAGING_LIST, to);
    rename(from, to); // the other names more than there is, which does no harm
}

struct moved {
    bool aside;   // there was an older one, which is put aside
    size_t there; // length of the path's part that was there before
};

// One file into place; the older one aside.
static bool move_in(const struct staging *staging, size_t index, struct moved *moved, struct error *error)
{
    char from[PATH_SIZE], to[PATH_SIZE], away[PATH_SIZE];
    snprintf(from, sizeof from, "%s/%s", staging->temporary, staging->names[index]);
    place_of(staging, staging->names[index], to);
    aside_of(staging, index, away);
    moved->there = staging_existing_part(to);
    if (!staging_make_parents(to, strlen(staging->folder) + 1, error))
        return false;
    // Where there are links, the older one is in its place until the new one is: a kill leaves one of them.
    moved->aside = link(to, away) == 0 || rename(to, away) == 0;
    if ((moved->aside || errno == ENOENT) && rename(from, to) == 0)
        return true;
    error_set_errno(error, "write", to);
    return false;
}

// The last one may have been moved in part.
static void move_back(const struct staging *staging, const struct moved *moved, size_t count)
{
    while (count--) {
        char path[PATH_SIZE], away[PATH_SIZE], *slash;
        place_of(staging, staging->names[count], path);
        aside_of(staging, count, away);
        if (moved[count].aside)
            rename(away, path);
        else
            unlink(path);
        while ((slash = strrchr(path, '/')) && slash > path + moved[count].there) {
            *slash = '\0';
            if (rmdir(path) != 0)
                break;
        }
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

static bool move_all(struct staging *staging, struct error *error)
{
    struct moved *moved = calloc(staging->count, sizeof *moved);
    if (!moved)
        return error_set(error, ERROR_SYSTEM, "no memory");
    size_t count = 0;
    bool done = true;
    while (done && count < staging->count) {
        done = move_in(staging, count, &moved[count], error);
        ++count;
    }
    if (!done) {
        move_back(staging, moved, count);
    } else {
        if (staging->replaces)
            remove_older(staging);
        let_list_stay(staging);
    }
    free(moved);
    return done;
}

static bool commit(struct staging *staging, struct error *error)
{
    if (!staging_read_list(staging, error))
        return false;
    for (size_t i = 0; i < staging->count; ++i)
        if (!check_place(staging, staging->names[i], error))
            return false;
    if (!write_lists(staging, error))
        return false;
    const bool done = move_all(staging, error);
    forget_list(staging); // it is nobody's business
    return done;
}

bool staging_commit(struct staging *staging, struct error *error)
{
    const int held = staging_hold(staging->folder);
    const bool done = commit(staging, error);
    if (held >= 0)
        close(held);
    if (done)
        staging->made_from = 0;
    return done;
}
