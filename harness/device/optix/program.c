// SPDX-License-Identifier: MIT
// Modules, and for each kernel a pipeline of its own: a ray-generation program, and no others, since hits are read from the hit object.
#include "device/optix/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/optix_launch.h"

const size_t optix_launch_bytes = sizeof(struct optix_launch);

enum { RAYGEN, MISS, HIT, GROUPS };
#define OPTIX_LANES (1u << 30) // the OptiX Programming Guide, section "Ray generation launches"

struct __attribute__((aligned(OPTIX_SBT_RECORD_ALIGNMENT))) optix_record {
    char header[OPTIX_SBT_RECORD_HEADER_SIZE];
};

struct optix_program {
    struct optix_program *next;
    char name[128];
    OptixProgramGroup groups[GROUPS];
    OptixPipeline pipeline;
    CUdeviceptr records; // GROUPS records
    OptixShaderBindingTable table;
};

struct optix_module {
    struct optix *optix;
    OptixModule module;
    bool instances;
    struct optix_program *programs;
};

static OptixPipelineCompileOptions pipeline_options(bool instances)
{
    return (OptixPipelineCompileOptions){
        .traversableGraphFlags = instances ? OPTIX_TRAVERSABLE_GRAPH_FLAG_ALLOW_SINGLE_LEVEL_INSTANCING
                                           : OPTIX_TRAVERSABLE_GRAPH_FLAG_ALLOW_SINGLE_GAS,
        .numAttributeValues = 2,
        .pipelineLaunchParamsVariableName = "optix_launch",
        .usesPrimitiveTypeFlags = OPTIX_PRIMITIVE_TYPE_FLAGS_TRIANGLE,
    };
}

struct optix_module *optix_module_create(struct optix *optix, const void *code, size_t size, uint32_t register_cap,
                                         bool instances, struct error *error)
{
    struct optix_module *module = calloc(1, sizeof *module);
    if (!module) {
        error_memory(error, "for a module of OptiX");
        return NULL;
    }
    const OptixModuleCompileOptions options = {.maxRegisterCount = (int)register_cap};
    const OptixPipelineCompileOptions pipeline = pipeline_options(instances);
    module->optix = optix;
    module->instances = instances;
    optix->log[0] = 0;
    if (OPTIX_CALL(error, optixModuleCreate, optix->context, &options, &pipeline, code, size, NULL, NULL,
                   &module->module))
        return module;
    if (optix->log[0])
        error_remedy(error, "it says: %s", optix->log);
    optix_module_destroy(module);
    return NULL;
}

static void destroy_program(struct optix_program *program)
{
    if (program->pipeline)
        (void)OPTIX_CALL(NULL, optixPipelineDestroy, program->pipeline);
    for (int i = 0; i < GROUPS; ++i)
        if (program->groups[i])
            (void)OPTIX_CALL(NULL, optixProgramGroupDestroy, program->groups[i]);
    if (program->records)
        (void)CUDA_CALL(NULL, memory_free, program->records);
    free(program);
}

void optix_module_destroy(struct optix_module *module)
{
    if (!module)
        return;
    while (module->programs) {
        struct optix_program *next = module->programs->next;
        destroy_program(module->programs);
        module->programs = next;
    }
    if (module->module)
        (void)OPTIX_CALL(NULL, optixModuleDestroy, module->module);
    free(module);
}

// ---- programs

static bool create_groups(const struct optix_module *module, struct optix_program *program, struct error *error)
{
    char entry[160];
    snprintf(entry, sizeof entry, "__raygen__%s", program->name);
    OptixProgramGroupDesc groups[GROUPS] = {
        [RAYGEN] = {.kind = OPTIX_PROGRAM_GROUP_KIND_RAYGEN},
        [MISS] = {.kind = OPTIX_PROGRAM_GROUP_KIND_MISS},
        [HIT] = {.kind = OPTIX_PROGRAM_GROUP_KIND_HITGROUP},
    };
    const OptixProgramGroupOptions options = {0};
    groups[RAYGEN].raygen.module = module->module;
    groups[RAYGEN].raygen.entryFunctionName = entry;
    return OPTIX_CALL(error, optixProgramGroupCreate, module->optix->context, groups, GROUPS, &options, NULL, NULL,
                      program->groups);
}

static bool link_pipeline(const struct optix_module *module, struct optix_program *program, struct error *error)
{
    const OptixPipelineLinkOptions options = {.maxTraceDepth = 1};
    const OptixPipelineCompileOptions compiled = pipeline_options(module->instances);
    return OPTIX_CALL(error, optixPipelineCreate, module->optix->context, &compiled, &options, program->groups, GROUPS,
                      NULL, NULL, &program->pipeline);
}

static bool fill_table(struct optix_program *program, struct error *error)
{
    struct optix_record records[GROUPS];
    for (int i = 0; i < GROUPS; ++i)
        if (!OPTIX_CALL(error, optixSbtRecordPackHeader, program->groups[i], &records[i]))
            return false;
    if (!CUDA_CALL(error, memory_alloc, &program->records, sizeof records) ||
        !CUDA_CALL(error, memory_upload, program->records, records, sizeof records, NULL) ||
        !CUDA_CALL(error, stream_synchronize, NULL))
        return false;
    program->table = (OptixShaderBindingTable){
        .raygenRecord = program->records + RAYGEN * sizeof *records,
        .missRecordBase = program->records + MISS * sizeof *records,
        .missRecordStrideInBytes = sizeof *records,
        .missRecordCount = 1,
        .hitgroupRecordBase = program->records + HIT * sizeof *records,
        .hitgroupRecordStrideInBytes = sizeof *records,
        .hitgroupRecordCount = 1,
    };
    return true;
}

struct optix_program *optix_module_program(struct optix_module *module, const char *kernel, struct error *error)
{
    for (struct optix_program *program = module->programs; program; program = program->next)
        if (!strcmp(program->name, kernel))
            return program;
    struct optix_program *program = calloc(1, sizeof *program);
    if (!program) {
        error_memory(error, "for a program of OptiX");
        return NULL;
    }
    snprintf(program->name, sizeof program->name, "%s", kernel);
    if (!create_groups(module, program, error) || !link_pipeline(module, program, error) ||
        !fill_table(program, error)) {
        destroy_program(program);
        return NULL;
    }
    program->next = module->programs;
    return module->programs = program;
}

bool optix_program_launch(const struct optix_program *program, CUstream stream, CUdeviceptr arguments,
                          const struct device_launch *launch, struct error *error)
{
    struct optix_launch host = {.grid = launch->grid, .block = launch->block};
    const uint64_t lanes = (uint64_t)launch->grid * launch->block;
    if (lanes > OPTIX_LANES) {
        error_set(error, ERROR_UNSUPPORTED, "OptiX launches at most %u lanes; this launch has %llu", OPTIX_LANES,
                  (unsigned long long)lanes);
        return error_remedy(error, "choose fewer pixels or a smaller pool");
    }
    const size_t size = offsetof(struct optix_launch, arguments) + launch->args_size;
    memcpy(host.arguments, launch->args, launch->args_size);
    return CUDA_CALL(error, memory_upload, arguments, &host, size,
                     stream) && // taken from pageable memory before it returns
           OPTIX_CALL(error, optixLaunch, program->pipeline, stream, arguments, sizeof host, &program->table,
                      (unsigned int)lanes, 1, 1);
}
