// SPDX-License-Identifier: MIT
// Calls of OptiX, and what its errors mean.
#pragma once

#include <optix.h>

#include <optix_function_table.h>

#include "device/cuda/faults.h"
#include "device/optix/optix.h"

struct optix {
    OptixDeviceContext context;
    struct device_tracing facts;
    uint32_t most_triangles, most_instances; // of one structure
    char log[1024];                          // its last warning or error
};

// Loaded once, from any thread; NULL, with the reason and a remedy, where it cannot be.
const OptixFunctionTable *optix_load(struct error *error);

// OPTIX_CALL(error, function, arguments...): as CUDA_CALL, of a function of the table. Use it only after optix_load succeeded.
#define OPTIX_CALL(error, function, ...)                                                                               \
    optix_check(optix_load(NULL)->function(__VA_ARGS__), #function, __FILE__, __LINE__, (error))
bool optix_check(OptixResult result, const char *function, const char *file, int line, struct error *error);
