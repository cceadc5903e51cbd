// SPDX-License-Identifier: MIT
#include "device/kernel_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"

enum { PATH_LENGTH = 4096 };
static const char magic[8] = "WSKERN1";

// What stands before the log and the cubin. A cache is read by the machine that wrote it: byte order and sizes are its
// own.
struct file_header {
    char magic[8];
    uint64_t log_size, size;
    struct hash hash; // of both
};

static struct hash hash_binary(const struct kernel_binary *binary, size_t log_size)
{
    struct hash_state *state = hash_begin();
    hash_add(state, binary->log, log_size);
    hash_add(state, binary->bytes, binary->size);
    return hash_end(state);
}

static bool cache_folder(const char *backend, char path[PATH_LENGTH])
{
    const char *own = getenv("WARPSTUDY_CACHE"), *user = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const char *switched = getenv("WARPSTUDY_KERNEL_CACHE");
    int length = PATH_LENGTH;
    if (switched && strcmp(switched, "off") == 0)
        return false;
    if (own && *own)
        length = snprintf(path, PATH_LENGTH, "%s/%s", own, backend);
    else if (user && *user)
        length = snprintf(path, PATH_LENGTH, "%s/warpstudy/%s", user, backend);
    else if (home && *home)
        length = snprintf(path, PATH_LENGTH, "%s/.cache/warpstudy/%s", home, backend);
    return length < PATH_LENGTH;
}

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const bool there = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!there)
            return false;
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

bool kernel_cache_usable(const char *backend)
{
    char folder[PATH_LENGTH];
    return cache_folder(backend, folder) && make_folders(folder) && access(folder, W_OK) == 0;
}

static bool read_file(FILE *file, struct kernel_binary *binary)
{
    enum { LARGEST = 1 << 28 };
    struct file_header header;
    if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.magic, magic, sizeof magic) != 0 ||
        header.log_size > LARGEST || header.size > LARGEST)
        return false;
    binary->size = header.size;
    binary->log = calloc(1, header.log_size + 1);
    binary->bytes = malloc(header.size + 1);
    return binary->log && binary->bytes && fread(binary->log, 1, header.log_size, file) == header.log_size &&
           fread(binary->bytes, 1, header.size, file) == header.size && fgetc(file) == EOF &&
           hash_equal(hash_binary(binary, header.log_size), header.hash);
}

bool kernel_cache_read(const char *backend, const char *key, struct kernel_binary *binary)
{
    char folder[PATH_LENGTH], path[PATH_LENGTH + 128];
    if (!cache_folder(backend, folder))
        return false;
    snprintf(path, sizeof path, "%s/%s", folder, key);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const bool read = read_file(file, binary);
    fclose(file);
    if (!read) {
        free(binary->log);
        free(binary->bytes);
        binary->log = NULL;
        binary->bytes = NULL;
        binary->size = 0;
    }
    return read;
}

static bool write_file(FILE *file, const struct kernel_binary *binary)
{
    struct file_header header = {.log_size = strlen(binary->log), .size = binary->size};
    memcpy(header.magic, magic, sizeof magic);
    header.hash = hash_binary(binary, header.log_size);
    return fwrite(&header, sizeof header, 1, file) == 1 &&
           fwrite(binary->log, 1, header.log_size, file) == header.log_size &&
           fwrite(binary->bytes, 1, binary->size, file) == binary->size;
}

void kernel_cache_write(const char *backend, const char *key, const struct kernel_binary *binary)
{
    char folder[PATH_LENGTH], path[PATH_LENGTH + 128], draft[PATH_LENGTH + 128];
    if (!cache_folder(backend, folder) || !make_folders(folder))
        return;
    snprintf(path, sizeof path, "%s/%s", folder, key);
    // Written aside and renamed, so that a reader never sees half a file. The umask decides who may read it: a folder may be shared.
    static unsigned drafts;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now); // another machine or container may have a process of this number
    snprintf(draft, sizeof draft, "%s/.draft-%ld-%u-%lld.%09ld", folder, (long)getpid(),
             __atomic_fetch_add(&drafts, 1, __ATOMIC_RELAXED), (long long)now.tv_sec, now.tv_nsec);
    FILE *file = fopen(draft, "wbxe");
    if (!file)
        return;
    const bool written = write_file(file, binary);
    if (fclose(file) != 0 || !written || rename(draft, path) != 0)
        unlink(draft);
}
