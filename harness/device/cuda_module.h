// SPDX-License-Identifier: MIT
// The cuda backend is a shared module, warpstudy-cuda.so, so that the program runs where there is neither driver nor
// toolkit. This is what the two agree on, and the loader, which is the program's.
#pragma once

#include "device/device.h"

// One line of what a module has to say about the machine, for `doctor`.
enum cuda_module_health { CUDA_MODULE_GOOD, CUDA_MODULE_NOTE };
typedef void cuda_module_line(void *context, enum cuda_module_health health, const char *what, const char *text);

struct cuda_module {
    const char *seam; // CUDA_MODULE_SEAM of its build: hash of the headers that both sides read. Stays the first field
    const char *code; // hash of the module's own sources: part of what its results follow from
    const struct device_backend *backend;
    // Driver, NVRTC, NVML and GPUs, and how to correct each; the text's first line says what is, a second one the remedy.
    void (*examine)(cuda_module_line *line, void *context);
};
#define CUDA_MODULE_SYMBOL "warpstudy_cuda_module" // the one symbol that a module exports, a struct cuda_module

// Loads the module once, from any thread; NULL, with the reason and a remedy, where there is none that fits this
// program. Sought in $WARPSTUDY_CUDA_MODULE (a file), beside the executable, in the build tree's place and in the
// folder that it is installed to. Needs no driver.
const struct cuda_module *cuda_module_load(struct error *error);
// The file that was loaded; "" where none was.
const char *cuda_module_file(void);
