// SPDX-License-Identifier: MIT
// Libraries that are loaded when first asked for, and the tables of their functions.
#pragma once

#include <pthread.h>

#include "base/error.h"

struct library_symbol {
    const char *name;
    size_t offset; // of the function pointer in the table
};

// A library of one of these names (NULL behind the last): the file that the environment variable names, else by the
// loader's path, else in these folders (NULL alike) of $CUDA_HOME and of /usr/local/cuda. NULL, and dlerror() says why.
void *library_open(const char *variable, const char *const *names, const char *const *folders);
// Fills the table. The name of the first symbol that the library lacks, NULL where it has all.
const char *library_fill(void *library, const struct library_symbol *symbols, size_t count, void *table);

struct library {
    pthread_once_t once; // PTHREAD_ONCE_INIT
    bool loaded;         // by `load`; if false, `error` says why
    struct error error;
};
// The table, once loaded; NULL and the error where it could not be.
const void *library_table(struct library *library, void (*load)(void), const void *table, struct error *error);
