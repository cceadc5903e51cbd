// SPDX-License-Identifier: MIT
// A libnvoptix.so.1 for tests without a GPU. FAKE_OPTIX: "old" has another ABI, "odd" does not answer as OptiX, "no context" opens
// none, "small" and "rt" have no memory for a structure and compile no module; the latter has RT cores and reorders.
#include <optix.h>
#include <optix_function_table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static OptixDeviceContextOptions kept;

static int is(const char *kind)
{
    const char *wished = getenv("FAKE_OPTIX");
    return wished && !strcmp(wished, kind);
}

static const char *name_of(OptixResult result)
{
    return result == OPTIX_ERROR_DEVICE_OUT_OF_MEMORY ? "OUT_OF_MEMORY" : "SOME_ERROR";
}

static const char *words_of(OptixResult result)
{
    return "words of the fake";
}

static OptixResult create_context(CUcontext from, const OptixDeviceContextOptions *options, OptixDeviceContext *context)
{
    kept = *options;
    *context = (OptixDeviceContext)&kept;
    return is("no context") ? OPTIX_ERROR_INVALID_VALUE : OPTIX_SUCCESS;
}

static OptixResult destroy_context(OptixDeviceContext context)
{
    return OPTIX_SUCCESS;
}

static OptixResult property(OptixDeviceContext context, OptixDeviceProperty which, void *value, size_t size)
{
    const unsigned int answer = !is("rt") ? 0 : which == OPTIX_DEVICE_PROPERTY_RTCORE_VERSION ? 20 : 1;
    memcpy(value, &answer, sizeof answer);
    return size == sizeof answer ? OPTIX_SUCCESS : OPTIX_ERROR_INVALID_VALUE;
}

static OptixResult memory_usage(OptixDeviceContext context, const OptixAccelBuildOptions *options,
                                const OptixBuildInput *inputs, unsigned int count, OptixAccelBufferSizes *sizes)
{
    const OptixBuildInputTriangleArray *triangles = &inputs->triangleArray;
    const int asked = count == 1 && triangles->numVertices == 3 * 1000 && triangles->vertexStrideInBytes == 16 &&
                      options->buildFlags == (OPTIX_BUILD_FLAG_PREFER_FAST_TRACE | OPTIX_BUILD_FLAG_ALLOW_COMPACTION);
    return asked ? OPTIX_ERROR_DEVICE_OUT_OF_MEMORY : OPTIX_ERROR_INVALID_VALUE;
}

static OptixResult create_module(OptixDeviceContext context, const OptixModuleCompileOptions *options,
                                 const OptixPipelineCompileOptions *pipeline, const char *code, size_t size, char *log,
                                 size_t *log_size, OptixModule *module)
{
    char text[80];
    snprintf(text, sizeof text, "%zu bytes are no module, at most %d registers", size, options->maxRegisterCount);
    kept.logCallbackFunction(2, "COMPILER", text, kept.logCallbackData);
    return OPTIX_ERROR_INVALID_VALUE;
}

__attribute__((visibility("default"))) OptixResult optixQueryFunctionTable(int abi, unsigned int options,
                                                                           OptixQueryFunctionTableOptions *keys,
                                                                           const void **values, void *table,
                                                                           size_t size)
{
    OptixFunctionTable *to = table;
    if (is("old"))
        return OPTIX_ERROR_UNSUPPORTED_ABI_VERSION;
    if (is("odd") || abi != OPTIX_ABI_VERSION || size != sizeof *to)
        return OPTIX_ERROR_INTERNAL_ERROR;
    to->optixGetErrorName = name_of;
    to->optixGetErrorString = words_of;
    to->optixDeviceContextCreate = create_context;
    to->optixDeviceContextDestroy = destroy_context;
    to->optixDeviceContextGetProperty = property;
    to->optixAccelComputeMemoryUsage = memory_usage;
    to->optixModuleCreate = create_module;
    return OPTIX_SUCCESS;
}
