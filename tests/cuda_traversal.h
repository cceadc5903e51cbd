// SPDX-License-Identifier: MIT
// Kernels of GPU tests that use the traversal: all fields of config.def are 0.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "device/cuda/backend.h"

static struct device_program *build_with_traversal(struct device *device, const char *text, struct error *problem)
{
    static const char *const fields[] = {
#define CONFIG_FIELD(field) #field,
#include "lib/config.def"
#undef CONFIG_FIELD
    };
    char *all = NULL;
    size_t size;
    FILE *out = open_memstream(&all, &size);
    for (size_t i = 0; out && i < sizeof fields / sizeof *fields; ++i)
        fprintf(out, "#define CONFIG_%s 0\n", fields[i]);
    if (out)
        fprintf(out, "#include \"trees/traverse.h\"\n#line 1\n%s", text);
    if (!out || fclose(out) != 0)
        abort();
    struct device_program *program = cuda_build_source(device, "lib/platform.h", all, problem);
    free(all);
    return program;
}
