// SPDX-License-Identifier: MIT
#include "scene/scene_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "import/mesh_companions.h"
#include "scene/scene_image_check.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_SHAPES

// ---- key

// Adds a file's bytes, or the fact that it is missing.
static void add_file(void *context, const char *path)
{
    struct hash_state *state = context;
    struct hash hash = {0, 0};
    struct stat status;
    const bool there = stat(path, &status) == 0 && S_ISREG(status.st_mode) && hash_file(path, &hash, NULL);
    hash_add(state, &there, sizeof there);
    hash_add(state, &hash, sizeof hash);
}

// Adds a file and the files that it refers to.
static bool add_with_companions(void *context, const char *path, struct error *error)
{
    if (!mesh_companions(path, add_file, context, error))
        return false;
    add_file(context, path);
    return true;
}

const char *scene_tree_source(const struct scene_tree_options *tree)
{
    return tree->levels ? HOST_SOURCE_TREE_levels : tree_kinds[tree->kind]->source;
}

bool scene_cache_key(const struct scene_file *file, bool split, bool levels, struct hash *key, struct error *error)
{
    const uint32_t version = IMAGE_VERSION;
    struct hash_state *state = hash_begin();
    hash_add(state, &version, sizeof version);
    hash_add_text(state, HOST_SOURCE_SHAPES);
    hash_add(state, file->text, file->text_size);
    if (split)
        hash_add_text(state, "split");
    if (levels)
        hash_add_text(state, "two levels");
    if (file->outer)
        hash_add(state, file->outer->text, file->outer->text_size);
    const bool done = scene_file_visit(file, add_with_companions, state, error);
    *key = hash_end(state);
    return done;
}

struct hash scene_cache_tree_key(struct hash content, const struct scene_tree_options *tree)
{
    enum { ARRANGED, BUILT };
    const uint32_t version = IMAGE_VERSION;
    struct hash_state *state = hash_begin();
    hash_add_text(state, "tree");
    hash_add(state, &version, sizeof version);
#define TREE_OPTION(member, value, when)                                                                               \
    if ((when) == BUILT)                                                                                               \
        hash_add(state, &tree->member, sizeof tree->member);
#include "trees/tree_options.def"
#undef TREE_OPTION
    hash_add_text(state, scene_tree_source(tree));
    hash_add(state, &content, sizeof content);
    return hash_end(state);
}

// ---- files

#define PART ".part" // ends the name of what is being written

char *scene_cache_folder(void)
{
    const char *own = getenv("WARPSTUDY_CACHE"), *common = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        return memory_copy(own);
    if (common && *common)
        return memory_format("%s/warpstudy", common);
    return memory_format("%s/.cache/warpstudy", home && *home ? home : ".");
}

// To be freed.
static char *cache_path(struct hash key)
{
    char *folder = scene_cache_folder(), text[HASH_TEXT];
    hash_text(key, text);
    char *path = memory_format("%s/%s.scene", folder, text);
    free(folder);
    return path;
}

static void cache_warn(const char *what, const char *path, const char *why)
{
    fprintf(stderr, "warpstudy: warning: %s %s: %s\n", what, path, why);
}

static bool map_file(const char *path, struct scene_mapping *mapping, struct error *error)
{
    struct stat status;
    const int file = path_open(path, error);
    *mapping = (struct scene_mapping){0};
    if (file < 0)
        return false;
    bool done = fstat(file, &status) == 0 || error_set_errno(error, "read", path);
    if (done && status.st_size == 0)
        done = error_set_at(error, ERROR_INPUT, path, 0, "the scene image is damaged: it is empty");
    if (done) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
        done = bytes != MAP_FAILED || error_set_errno(error, "read", path);
        if (done)
            *mapping = (struct scene_mapping){.bytes = bytes, .size = (uint64_t)status.st_size, .mapped = true};
    }
    close(file);
    return done;
}

static bool is_image_of(struct hash key, uint32_t holds, const struct scene_mapping *mapping, struct error *error)
{
    return image_check_seal(mapping->bytes, mapping->size, holds, error) &&
           (hash_equal(image_header(mapping->bytes)->key, key) ||
            error_set(error, ERROR_INPUT, "it belongs to another scene"));
}

bool scene_cache_load(struct hash key, uint32_t holds, struct scene_mapping *mapping)
{
    char *path = cache_path(key), message[2048];
    struct error error = {0};
    bool done = false;
    *mapping = (struct scene_mapping){0};
    if (access(path, F_OK) == 0) {
        done = map_file(path, mapping, &error) && is_image_of(key, holds, mapping, &error);
        error.file[0] = '\0';
        error_format(&error, message, sizeof message);
        if (!done)
            cache_warn("building anew", path, message);
    }
    if (!done)
        scene_mapping_finish(mapping);
    free(path);
    return done;
}

static bool make_folders(char *path)
{
    for (char *c = path + 1; *c; ++c)
        if (*c == '/') {
            *c = '\0';
            const bool failed = mkdir(path, 0777) != 0 && errno != EEXIST;
            *c = '/';
            if (failed)
                return false;
        }
    return true;
}

// A file beside `path` with a name that no other writer has: *part, to be freed. While it is written it is locked, so that what
// a killed process left can be told from it. -1 on failure.
static int open_part(const char *path, char **part)
{
    int file = -1;
    errno = EEXIST;
    for (int i = 0; file < 0 && errno == EEXIST && i < 1000; ++i) {
        if (i > 0)
            free(*part);
        *part = memory_format("%s.%ld-%d%s", path, (long)getpid(), i, PART);
        file = open(*part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    // On a file system without locks, leftovers are not recognised, or cleared too early.
    if (file >= 0)
        (void)flock(file, LOCK_EX | LOCK_NB);
    return file;
}

// A reader sees the whole file or none: it is written under another name first.
static bool write_file(const char *path, const void *bytes, uint64_t size)
{
    char *part = NULL;
    const int file = open_part(path, &part);
    bool done = file >= 0 && path_write(file, bytes, size) && fdatasync(file) == 0 && rename(part, path) == 0;
    const int cause = errno;
    if (file >= 0 && !done)
        unlink(part);
    if (file >= 0)
        close(file);
    free(part);
    errno = cause;
    return done;
}

static bool ends_in(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a > b && !strcmp(text + a - b, end);
}

// Whether a killed process left this file: a writer that still runs would hold its lock.
static bool is_left(const char *folder, const char *name)
{
    char *path = memory_format("%s/%s", folder, name);
    const int file = path_open(path, NULL);
    const bool left = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0)
        close(file);
    free(path);
    return left;
}

enum scene_cached scene_cache_holds(const char *folder, const char *name)
{
    const char *image = strstr(name, ".scene");
    if (ends_in(name, ".scene"))
        return SCENE_CACHED_IMAGE;
    const bool part = image && image[6] == '.' && ends_in(name, PART);
    return part && is_left(folder, name) ? SCENE_CACHED_LEFT : SCENE_CACHED_NONE;
}

bool scene_cache_map(const char *path, struct scene_mapping *mapping, struct error *error)
{
    if (!map_file(path, mapping, error))
        return false;
    if (image_validate(mapping->bytes, mapping->size, IMAGE_CONTENT | IMAGE_TREE, error) &&
        image_validate_tree(mapping->bytes, mapping->bytes, error) && image_validate_content(mapping->bytes, error))
        return true;
    scene_mapping_finish(mapping);
    if (error)
        snprintf(error->file, sizeof error->file, "%s", path);
    return error_remedy(error, "pack it again with this program: warpstudy scene pack");
}

bool scene_cache_write(const char *path, const void *bytes, uint64_t size, struct error *error)
{
    return write_file(path, bytes, size) || error_set_errno(error, "write", path);
}

void scene_cache_store(struct hash key, const void *bytes, uint64_t size)
{
    char *path = cache_path(key);
    errno = 0;
    if (!make_folders(path) || !write_file(path, bytes, size))
        cache_warn("the scene was built, but cannot be kept as", path, strerror(errno));
    free(path);
}

void scene_mapping_finish(struct scene_mapping *mapping)
{
    if (mapping->mapped && mapping->bytes)
        munmap(mapping->bytes, mapping->size);
    else
        free(mapping->bytes);
    *mapping = (struct scene_mapping){0};
}
