// SPDX-License-Identifier: MIT
#include "report/staging.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"

enum { PATH_SIZE = 1200 };

// ---- folders

static bool make_folder(const char *path, bool *made, struct error *error)
{
    struct stat facts;
    *made = mkdir(path, 0777) == 0;
    const int cause = errno;
    if (*made || (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)))
        return true;
    errno = cause;
    if (cause == EEXIST || cause == ENOTDIR)
        error_set_at(error, ERROR_SYSTEM, path, 0, "this is a file, but a folder is needed");
    else
        error_set_errno(error, "make the folder", path);
    return error_remedy(error, "give another folder");
}

// The folders in which `path` lies, from the place `from` of its text on. `*first` (0 before): where the name of the
// first that was not there ends.
static bool make_parents(const char *path, size_t from, size_t *first, struct error *error)
{
    char part[PATH_SIZE];
    bool made;
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (slash[1] != '/' && !make_folder(part, &made, error))
            return false;
        if (slash[1] != '/' && made && !*first)
            *first = (size_t)(slash - part);
        *slash = '/';
    }
    return true;
}

// The folders above a file that is gone, while they are empty, up to those whose path has `least` characters.
static void remove_emptied(char *path, size_t least)
{
    for (char *slash; (slash = strrchr(path, '/')) && slash >= path + least;) {
        *slash = '\0';
        if (rmdir(path) != 0)
            return;
    }
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    remove(path); // what cannot be removed is left: there is nobody to tell
    return 0;
}

static void remove_folder(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

// ---- the files while they are made

static void add_name(char ***names, size_t *count, const char *name)
{
    *ARRAY_ADD(*names, *count) = memory_copy(name);
}

static bool has_name(char *const *names, size_t count, const char *name)
{
    while (count--)
        if (!strcmp(names[count], name))
            return true;
    return false;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        free(names[i]);
    free(names);
}

// Names that lead out of the folder are nobody's, nor those that are no line of the list.
static bool inside(const char *name)
{
    return !name[strcspn(name, "\r\n")] && name[0] && name[0] != '/' && name[0] != '#' &&
           strncmp(name, "../", 3) != 0 && !strstr(name, "/../");
}

// Keeps other reports into the folder waiting until it is closed, however the process ends. File systems without locks hold
// reports all the same.
static bool lock_folder(struct staging *staging, struct error *error)
{
    int failed = 0;
    staging->lock = open(staging->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (staging->lock >= 0 && (failed = flock(staging->lock, LOCK_EX)) && errno == EINTR)
        continue;
    return (staging->lock >= 0 && (!failed || errno == ENOLCK || errno == EOPNOTSUPP)) ||
           error_set_errno(error, "lock the folder", staging->folder);
}

static bool make_temporary(struct staging *staging, struct error *error)
{
    snprintf(staging->temporary, sizeof staging->temporary, "%s/.report", staging->folder);
    remove_folder(staging->temporary); // of a report that was killed
    if (!mkdir(staging->temporary, 0777))
        return true;
    staging->temporary[0] = '\0';
    error_set_errno(error, "write into the folder", staging->folder);
    return error_remedy(error, "give another folder");
}

bool staging_begin(struct staging *staging, const char *folder, struct error *error)
{
    char path[600];
    *staging = (struct staging){.lock = -1};
    size_t length = strlen(folder);
    if (!length)
        return error_set(error, ERROR_USE, "--output needs the path of a folder");
    if (folder[strcspn(folder, "\r\n")])
        return error_set_at(error, ERROR_USE, folder, 0, "the path of a folder has no line breaks");
    if (!path_format(path, sizeof staging->folder - 1, error, "%s", folder))
        return false;
    while (length > 1 && folder[length - 1] == '/')
        --length;
    memcpy(staging->folder, folder, length);
    snprintf(path, sizeof path, "%s/", staging->folder);
    if (!make_parents(path, 1, &staging->made_from, error))
        return false;
    return lock_folder(staging, error) && make_temporary(staging, error);
}

bool staging_path(struct staging *staging, const char *name, char *path, size_t size, struct error *error)
{
    char whole[400];
    size_t unused = 1;
    if ((size_t)snprintf(whole, sizeof whole, "%s%s", staging->prefix, name) >= sizeof whole)
        return error_set(error, ERROR_SYSTEM, "the name of a file is too long: %.100s", name);
    if (!inside(whole))
        return error_set(error, ERROR_INPUT, "the name of a file leads out of the folder: %.100s", whole);
    if (!path_format(path, size, error, "%s/%s", staging->temporary, whole) ||
        !make_parents(path, strlen(staging->temporary) + 1, &unused, error))
        return false;
    add_name(&staging->names, &staging->count, whole);
    return true;
}

static FILE *open_file(const char *path, struct error *error)
{
    FILE *stream = fopen(path, "wb");
    if (!stream)
        error_set_errno(error, "write", path);
    return stream;
}

FILE *staging_open(struct staging *staging, const char *name, struct error *error)
{
    char path[PATH_SIZE];
    return staging_path(staging, name, path, sizeof path, error) ? open_file(path, error) : NULL;
}

bool staging_close(const struct staging *staging, FILE *stream, struct error *error)
{
    const bool written = fflush(stream) == 0 && !ferror(stream);
    const int cause = errno;
    const bool closed = fclose(stream) == 0;
    if (written && closed)
        return true;
    if (!written)
        errno = cause;
    error_set_errno(error, "write into the folder", staging->folder);
    return error_remedy(error, "make room there, or give another folder");
}

void staging_abandon(struct staging *staging)
{
    if (staging->temporary[0])
        remove_folder(staging->temporary);
    if (staging->folder[0] && staging->lock >= 0)
        close(staging->lock);
    if (staging->made_from) {
        strcat(staging->folder, "/");
        remove_emptied(staging->folder, staging->made_from);
    }
    free_names(staging->names, staging->count);
    free_names(staging->older, staging->older_count);
    *staging = (struct staging){.replaces = false};
}

// ---- into place

static bool read_list(struct staging *staging, struct error *error)
{
    char path[PATH_SIZE], line[600];
    snprintf(path, sizeof path, "%s/%s", staging->folder, STAGING_LIST);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return errno == ENOENT || error_set_errno(error, "read", path);
    add_name(&staging->older, &staging->older_count, STAGING_LIST);
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (inside(line))
            add_name(&staging->older, &staging->older_count, line);
    }
    fclose(stream);
    return true;
}

// The name of a file where it is made, and where it belongs.
static void places_of(const struct staging *staging, const char *name, char made[PATH_SIZE], char wanted[PATH_SIZE])
{
    snprintf(made, PATH_SIZE, "%s/%s", staging->temporary, name);
    snprintf(wanted, PATH_SIZE, "%s/%s", staging->folder, name);
}

static bool put_in_place(const struct staging *staging, const char *name, struct error *error)
{
    char made[PATH_SIZE], wanted[PATH_SIZE];
    size_t first = 1;
    places_of(staging, name, made, wanted);
    return make_parents(wanted, strlen(staging->folder) + 1, &first, error) &&
           (!rename(made, wanted) || error_set_errno(error, "write", wanted));
}

static bool write_list(const struct staging *staging, bool with_older, struct error *error)
{
    char made[PATH_SIZE], wanted[PATH_SIZE];
    places_of(staging, STAGING_LIST, made, wanted);
    FILE *stream = open_file(made, error);
    if (!stream)
        return false;
    fputs("# Made by warpstudy report. Later reports into this folder replace or remove these files, and no others.\n",
          stream);
    for (size_t i = 0; i < staging->count; ++i)
        fprintf(stream, "%s\n", staging->names[i]);
    for (size_t i = 1; with_older && i < staging->older_count; ++i) // the first is the list itself
        if (!has_name(staging->names, staging->count, staging->older[i]))
            fprintf(stream, "%s\n", staging->older[i]);
    return staging_close(staging, stream, error) && put_in_place(staging, STAGING_LIST, error);
}

// Nothing of somebody else may be in the way.
static bool check_place(const struct staging *staging, const char *name, struct error *error)
{
    char made[PATH_SIZE], path[PATH_SIZE];
    struct stat facts;
    places_of(staging, name, made, path);
    const int cause = lstat(path, &facts) ? errno : 0;
    if (cause && cause != ENOTDIR)
        return cause == ENOENT || error_set_errno(error, "look at", path);
    if (!cause && !S_ISDIR(facts.st_mode) && has_name(staging->older, staging->older_count, name))
        return true;
    error_set_at(error, ERROR_SYSTEM, path, 0, "%s",
                 cause ? "a file stands where the report needs a folder"
                       : "this was not made by a report, and a report would overwrite it");
    return error_remedy(error, "move it away, or give another folder");
}

// Files of earlier reports that this one does not make, and the folders that they leave empty.
static void remove_older(const struct staging *staging)
{
    for (size_t i = 1; i < staging->older_count; ++i) {
        char path[PATH_SIZE];
        if (has_name(staging->names, staging->count, staging->older[i]))
            continue;
        snprintf(path, sizeof path, "%s/%s", staging->folder, staging->older[i]);
        unlink(path);
        remove_emptied(path, strlen(staging->folder) + 1);
    }
}

// Whether a picture has its end: gnuplot says nothing where it could not write all of one.
static bool is_whole(FILE *stream, const char *name)
{
    static const char *const ends[][2] = {{".svg", "</svg>"}, {".pdf", "%%EOF"}, {".png", "IEND"}};
    char text[32];
    const size_t length = strlen(name), kinds = sizeof ends / sizeof *ends;
    size_t kind = 0;
    while (kind < kinds && (length < 4 || strcmp(name + length - 4, ends[kind][0]) != 0))
        ++kind;
    if (kind == kinds)
        return true;
    fseek(stream, -16, SEEK_END);
    const size_t size = fread(text, 1, sizeof text, stream);
    return memmem(text, size, ends[kind][1], strlen(ends[kind][1]));
}

// Somebody else may have failed to make it.
static bool check_made(const struct staging *staging, const char *name, struct error *error)
{
    char made[PATH_SIZE], wanted[PATH_SIZE];
    places_of(staging, name, made, wanted);
    FILE *stream = fopen(made, "rb");
    if (!stream)
        return error_set_errno(error, "write", wanted);
    const bool whole = is_whole(stream, name);
    fclose(stream);
    if (whole)
        return true;
    error_set_at(error, ERROR_SYSTEM, wanted, 0, "this picture could not be written to its end");
    return error_remedy(error, "make room there, or give another folder");
}

// The list goes first and names all that may be there, so that whoever comes after a kill knows it for reports' own.
bool staging_commit(struct staging *staging, struct error *error)
{
    bool done = read_list(staging, error) && check_place(staging, STAGING_LIST, error);
    for (size_t i = 0; done && i < staging->count; ++i)
        done = check_place(staging, staging->names[i], error) && check_made(staging, staging->names[i], error);
    done = done && write_list(staging, true, error);
    for (size_t i = 0; done && i < staging->count; ++i)
        done = put_in_place(staging, staging->names[i], error);
    if (done && staging->replaces) {
        remove_older(staging);
        done = write_list(staging, false, error);
    }
    if (done)
        staging->made_from = 0;
    return done;
}
