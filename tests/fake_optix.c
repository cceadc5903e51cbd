// SPDX-License-Identifier: MIT
// A libnvoptix.so.1 for tests without a GPU. FAKE_OPTIX: "old" has another ABI, "odd" does not answer as OptiX, "no context" opens
// none, "small" and "rt" have no memory for a structure and compile no module; the latter has RT cores and reorders. "works" builds
// the structures of test_optix.c, by the driver of fake_driver.c, and loses the GPU in its first launch.
#include <optix.h>
#include <optix_function_table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { MADE = 4096 }; // bytes of any structure before it is compacted

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
    const unsigned int answer = which == OPTIX_DEVICE_PROPERTY_LIMIT_MAX_PRIMITIVES_PER_GAS  ? 1 << 20
                                : which == OPTIX_DEVICE_PROPERTY_LIMIT_MAX_INSTANCES_PER_IAS ? 1 << 10
                                : !is("rt")                                                  ? 0
                                : which == OPTIX_DEVICE_PROPERTY_RTCORE_VERSION              ? 20
                                                                                             : 1;
    memcpy(value, &answer, sizeof answer);
    return size == sizeof answer ? OPTIX_SUCCESS : OPTIX_ERROR_INVALID_VALUE;
}

static OptixResult memory_usage(OptixDeviceContext context, const OptixAccelBuildOptions *options,
                                const OptixBuildInput *inputs, unsigned int count, OptixAccelBufferSizes *sizes)
{
    *sizes = (OptixAccelBufferSizes){.outputSizeInBytes = MADE, .tempSizeInBytes = 500};
    if (is("works"))
        return OPTIX_SUCCESS;
    const OptixBuildInputTriangleArray *triangles = &inputs->triangleArray;
    const int asked = count == 1 && triangles->numVertices == 3 * 1000 && triangles->vertexStrideInBytes == 16 &&
                      options->buildFlags == (OPTIX_BUILD_FLAG_PREFER_FAST_TRACE | OPTIX_BUILD_FLAG_ALLOW_COMPACTION);
    return asked ? OPTIX_ERROR_DEVICE_OUT_OF_MEMORY : OPTIX_ERROR_INVALID_VALUE;
}

// The first three floats of each part's corners stand in its structure, and so after it was compacted, into half the room.
static OptixResult build_structure(OptixDeviceContext context, CUstream stream, const OptixAccelBuildOptions *options,
                                   const OptixBuildInput *inputs, unsigned int count, CUdeviceptr work,
                                   size_t work_bytes, CUdeviceptr made, size_t room, OptixTraversableHandle *handle,
                                   const OptixAccelEmitDesc *emitted, unsigned int emitted_count)
{
    *handle = made + 1;
    if (count != 1 || room < MADE || work_bytes < 500 || made % OPTIX_ACCEL_BUFFER_BYTE_ALIGNMENT)
        return OPTIX_ERROR_INVALID_VALUE;
    if (emitted_count)
        *(uint64_t *)(uintptr_t)emitted->result = MADE / 2;
    if (inputs->type == OPTIX_BUILD_INPUT_TYPE_INSTANCES) {
        memcpy((void *)(uintptr_t)made, (const void *)(uintptr_t)inputs->instanceArray.instances,
               inputs->instanceArray.numInstances * sizeof(OptixInstance));
        return emitted_count ? OPTIX_ERROR_INVALID_VALUE : OPTIX_SUCCESS;
    }
    const OptixBuildInputTriangleArray *triangles = &inputs->triangleArray;
    memcpy((void *)(uintptr_t)made, (const void *)(uintptr_t)*triangles->vertexBuffers, 3 * sizeof(float));
    memcpy((float *)(uintptr_t)made + 3, (unsigned int[]){triangles->numVertices, triangles->primitiveIndexOffset},
           2 * sizeof(unsigned int));
    return OPTIX_SUCCESS;
}

static OptixResult compact_structure(OptixDeviceContext context, CUstream stream, OptixTraversableHandle from,
                                     CUdeviceptr to, size_t size, OptixTraversableHandle *handle)
{
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)(from - 1), size);
    *handle = to + 1;
    return size == MADE / 2 ? OPTIX_SUCCESS : OPTIX_ERROR_INVALID_VALUE;
}

// ---- programs

static OptixResult create_groups(OptixDeviceContext context, const OptixProgramGroupDesc *groups, unsigned int count,
                                 const OptixProgramGroupOptions *options, char *log, size_t *log_size,
                                 OptixProgramGroup *made)
{
    return strcmp(groups->raygen.entryFunctionName, "__raygen__named") ? OPTIX_ERROR_INVALID_VALUE : OPTIX_SUCCESS;
}

static OptixResult create_pipeline(OptixDeviceContext context, const OptixPipelineCompileOptions *compiled,
                                   const OptixPipelineLinkOptions *options, const OptixProgramGroup *groups,
                                   unsigned int count, char *log, size_t *log_size, OptixPipeline *pipeline)
{
    return compiled->traversableGraphFlags == OPTIX_TRAVERSABLE_GRAPH_FLAG_ALLOW_SINGLE_LEVEL_INSTANCING
               ? OPTIX_SUCCESS
               : OPTIX_ERROR_INVALID_VALUE;
}

static OptixResult pack_header(OptixProgramGroup group, void *record)
{
    return OPTIX_SUCCESS;
}

static OptixResult launch(OptixPipeline pipeline, CUstream stream, CUdeviceptr arguments, size_t size,
                          const OptixShaderBindingTable *table, unsigned int width, unsigned int height,
                          unsigned int depth)
{
    return width == 256 ? OPTIX_ERROR_LAUNCH_FAILURE : OPTIX_ERROR_INVALID_VALUE;
}

static OptixResult create_module(OptixDeviceContext context, const OptixModuleCompileOptions *options,
                                 const OptixPipelineCompileOptions *pipeline, const char *code, size_t size, char *log,
                                 size_t *log_size, OptixModule *module)
{
    char text[80];
    if (is("works"))
        return OPTIX_SUCCESS;
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
    to->optixAccelBuild = build_structure;
    to->optixAccelCompact = compact_structure;
    to->optixProgramGroupCreate = create_groups;
    to->optixPipelineCreate = create_pipeline;
    to->optixSbtRecordPackHeader = pack_header;
    to->optixLaunch = launch;
    return OPTIX_SUCCESS;
}
