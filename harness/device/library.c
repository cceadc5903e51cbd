// SPDX-License-Identifier: MIT
#include "device/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library_open_in(const char *folder, const char *const *names)
{
    char path[4096];
    void *library = NULL;
    for (size_t i = 0; names[i] && !library; ++i) {
        const int length = snprintf(path, sizeof path, "%s%s", folder, names[i]);
        library = length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    }
    return library;
}

void *library_open(const char *variable, const char *const *names, const char *const *folders)
{
    const char *chosen = getenv(variable), *const homes[] = {getenv("CUDA_HOME"), "/usr/local/cuda"};
    if (chosen && *chosen)
        return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    void *library = library_open_in("", names);
    for (size_t h = 0; h < sizeof homes / sizeof *homes; ++h)
        for (size_t f = 0; homes[h] && *homes[h] && folders[f] && !library; ++f) {
            char folder[4000];
            snprintf(folder, sizeof folder, "%s/%s/", homes[h], folders[f]);
            library = library_open_in(folder, names);
        }
    return library;
}

const char *library_fill(void *library, const struct library_symbol *symbols, size_t count, void *table)
{
    for (size_t i = 0; i < count; ++i) {
        void *address = dlsym(library, symbols[i].name);
        if (!address)
            return symbols[i].name;
        // POSIX guarantees that a function pointer survives this copy, ISO C would not allow the cast.
        memcpy((char *)table + symbols[i].offset, &address, sizeof address);
    }
    return NULL;
}

const void *library_table(struct library *library, void (*load)(void), const void *table, struct error *error)
{
    pthread_once(&library->once, load);
    if (!library->loaded && error)
        *error = library->error;
    return library->loaded ? table : NULL;
}
