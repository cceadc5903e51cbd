// SPDX-License-Identifier: MIT
// Compiled kernels of one text, and what the assembler says of them.
#pragma once

#include "device/device.h"

struct kernel_binary {
    unsigned char *bytes; // cubin, or what an OpenCL gives for it
    size_t size;
    char *log;        // of the compiler and the assembler, with what each kernel uses; never NULL
    char *provenance; // hash of the code without comments, options, compiler
    bool cached;      // read from the cache, not compiled now
};
void kernel_binary_finish(struct kernel_binary *binary); // an empty one is fine

// What the log says of one kernel: false where it does not name it. Without a driver, this is the only witness; spills
// are known to it alone (bytes stored, counted once in the code).
bool kernel_log_facts(const char *log, const char *kernel, struct device_kernel_facts *facts);
// The same for every kernel that the log names, in its order; false where it names none.
bool kernel_log_visit(const char *log,
                      void (*visit)(void *context, const char *kernel, const struct device_kernel_facts *),
                      void *context);
