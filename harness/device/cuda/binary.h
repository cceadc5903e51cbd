// SPDX-License-Identifier: MIT
// Compiled kernels of one header.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cuda_binary {
    unsigned char *bytes; // cubin
    size_t size;
    char *log;        // of the compiler and the assembler, with what each kernel uses; never NULL
    char *provenance; // hash of the code without comments, options, compiler
    bool cached;      // read from the cache, not compiled now
};
