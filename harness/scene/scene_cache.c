// SPDX-License-Identifier: MIT
#include "scene/scene_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene/mesh_paths.h"
#include "scene/scene_image.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_SHAPES

// ---- key

// The bytes of a file, or that it is not there.
static void add_file(void *context, const char *path)
{
    struct hash_state *state = context;
    struct hash hash = {0, 0};
    struct stat status;
    const bool there = stat(path, &status) == 0 && S_ISREG(status.st_mode) && hash_file(path, &hash, NULL);
    hash_add(state, &there, sizeof there);
    hash_add(state, &hash, sizeof hash);
}

// With the files that a mesh file refers to.
static bool add_with_companions(void *context, const char *path, struct error *error)
{
    add_file(context, path);
    return mesh_companions(path, add_file, context, error);
}

const char *scene_tree_source(const struct scene_tree_options *tree)
{
    return tree->levels ? HOST_SOURCE_TREE_levels : tree_kinds[tree->kind].source;
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
    const uint32_t numbers[] = {IMAGE_VERSION,    tree->kind,        tree->leaf_size,  tree->bins,
                                tree->tree_width, tree->child_order, tree->node_align, tree->as_split,
                                tree->split,      tree->levels,      tree->top};
    struct hash_state *state = hash_begin();
    hash_add_text(state, "tree");
    hash_add(state, numbers, sizeof numbers);
    hash_add_text(state, scene_tree_source(tree));
    hash_add(state, &content, sizeof content);
    return hash_end(state);
}

// ---- files

void scene_cache_folder(char *folder, size_t size)
{
    const char *own = getenv("WARPSTUDY_CACHE"), *common = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        snprintf(folder, size, "%s", own);
    else if (common && *common)
        snprintf(folder, size, "%s/warpstudy", common);
    else
        snprintf(folder, size, "%s/.cache/warpstudy", home && *home ? home : ".");
}

static void cache_path(struct hash key, char *path, size_t size)
{
    char folder[600], text[HASH_TEXT];
    scene_cache_folder(folder, sizeof folder);
    hash_text(key, text);
    snprintf(path, size, "%s/%s.scene", folder, text);
}

static void warn(const char *what, const char *path, const char *why)
{
    fprintf(stderr, "warpstudy: warning: %s %s: %s\n", what, path, why);
}

static bool map_file(const char *path, struct scene_mapping *mapping)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    *mapping = (struct scene_mapping){.bytes = MAP_FAILED, .mapped = true};
    errno = 0;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        mapping->size = (uint64_t)status.st_size;
        mapping->bytes = mmap(NULL, mapping->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    }
    close(file);
    if (mapping->bytes == MAP_FAILED)
        *mapping = (struct scene_mapping){0};
    return mapping->bytes != NULL;
}

bool scene_cache_load(struct hash key, const void *content, struct scene_mapping *mapping)
{
    char path[1024], message[2048];
    struct error error = {0};
    cache_path(key, path, sizeof path);
    if (access(path, F_OK) != 0)
        return false;
    if (!map_file(path, mapping)) {
        warn("cannot read", path, errno ? strerror(errno) : "it is empty");
        return false;
    }
    if (image_validate(mapping->bytes, mapping->size, content ? IMAGE_TREE : IMAGE_CONTENT, &error) &&
        hash_equal(image_header(mapping->bytes)->key, key) &&
        (content ? image_validate_tree(mapping->bytes, content, &error)
                 : image_validate_content(mapping->bytes, &error)))
        return true;
    error_format(&error, message, sizeof message);
    warn("building anew", path, error.kind ? message : "it belongs to another scene");
    scene_mapping_finish(mapping);
    return false;
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

static bool write_all(int file, const char *bytes, uint64_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(file, bytes, size < (1u << 30) ? size : 1u << 30);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        bytes += wrote;
        size -= (uint64_t)wrote;
    }
    return true;
}

// A reader sees the whole file or none: it is written under another name first.
static bool write_file(const char *path, const void *bytes, uint64_t size)
{
    char temporary[1100];
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    const int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0)
        return false;
    bool done = write_all(file, bytes, size) && fchmod(file, 0644) == 0 && fdatasync(file) == 0;
    done = close(file) == 0 && done && rename(temporary, path) == 0;
    if (!done) {
        const int cause = errno;
        unlink(temporary);
        errno = cause;
    }
    return done;
}

bool scene_cache_map(const char *path, struct scene_mapping *mapping, struct error *error)
{
    if (!map_file(path, mapping))
        return error_set_errno(error, "read", path);
    if (image_validate(mapping->bytes, mapping->size, IMAGE_CONTENT | IMAGE_TREE, error) &&
        image_validate_tree(mapping->bytes, mapping->bytes, error) && image_validate_content(mapping->bytes, error))
        return true;
    scene_mapping_finish(mapping);
    snprintf(error->file, sizeof error->file, "%s", path);
    return error_remedy(error, "pack it again with this program: warpstudy scene pack");
}

bool scene_cache_write(const char *path, const void *bytes, uint64_t size, struct error *error)
{
    return write_file(path, bytes, size) || error_set_errno(error, "write", path);
}

void scene_cache_store(struct hash key, const void *bytes, uint64_t size)
{
    char path[1024];
    cache_path(key, path, sizeof path);
    errno = 0;
    if (!make_folders(path) || !write_file(path, bytes, size))
        warn("the scene was built, but cannot be kept as", path, strerror(errno));
}

void scene_mapping_finish(struct scene_mapping *mapping)
{
    if (mapping->mapped && mapping->bytes)
        munmap(mapping->bytes, mapping->size);
    else
        free(mapping->bytes);
    *mapping = (struct scene_mapping){0};
}
