// SPDX-License-Identifier: MIT
// Programs are compiled from source. Implementations keep what they have compiled (pocl in ~/.cache/pocl, NVIDIA's in
// ~/.nv/ComputeCache) but not what they said of it: the log, which names NVIDIA kernels' registers, is kept here.
#include <stdlib.h>
#include <string.h>

#include "source_hashes.h" // OPENCL_CODE
#include "base/hash.h"
#include "base/memory.h"
#include "device/kernel_cache.h"
#include "device/opencl/opencl.h"
#include "device/opencl/sources.h"

// No contraction: the kernels' text says so by a pragma. Without -cl-fast-relaxed-math and its parts, floats are exact.
static const char options[] = "-cl-fp32-correctly-rounded-divide-sqrt -w";

// Of the device's kind of warps, besides.
static void add_options(const struct opencl_device *opencl, uint32_t register_cap, char *text, size_t size)
{
    text[0] = 0;
    if (opencl->warps == OPENCL_OF_NVIDIA && register_cap)
        snprintf(text, size, " -cl-nv-verbose -cl-nv-maxrregcount=%u", (unsigned)register_cap);
    else if (opencl->warps == OPENCL_OF_NVIDIA)
        snprintf(text, size, " -cl-nv-verbose");
    if (opencl->warps == OPENCL_SUBGROUPS)
        snprintf(text, size, " -DOPENCL_WARPS=%u%s", (unsigned)opencl->properties.warp_width,
                 opencl->chooses_warps ? " -DOPENCL_CHOOSES_WARPS" : "");
}

struct kernel_list {
    struct device_kernel *first;
};

struct device_program {
    struct opencl_device *device;
    cl_program handle;
    char name[64], *provenance;
    char *log;                   // of the build, whenever that was; NULL where it says nothing of kernels
    struct kernel_list *kernels; // found so far; apart, because looking one up changes no program
};

// To be freed.
static char *read_log(const struct device_program *program)
{
    size_t size = 0;
    const struct opencl_api *api = opencl_load(NULL);
    cl_device_id device = program->device->id;
    if (api->GetProgramBuildInfo(program->handle, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS)
        size = 0;
    char *log = memory_new(size + 1, 1);
    if (size && api->GetProgramBuildInfo(program->handle, device, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS)
        log[0] = 0;
    return log;
}

// The message is one line: the log from its first error on, newlines made into blanks.
static bool report_log(const struct device_program *program, cl_int result, struct error *error)
{
    char *log = read_log(program), *first = strstr(log, "error:");
    while (first && first > log && first[-1] != '\n')
        --first;
    for (char *c = log; *c; ++c)
        if (*c == '\n')
            *c = ' ';
    error_set(error, ERROR_FAILED, "OpenCL cannot compile the kernels of %s for %s (error %d): %.700s", program->name,
              program->device->properties.name, (int)result, first ? first : log);
    free(log);
    return false;
}

static bool program_compile(struct device_program *program, const char *text, const char *all, struct error *error)
{
    const struct opencl_api *api = opencl_load(NULL);
    cl_int result;
    program->handle = api->CreateProgramWithSource(program->device->context, 1, &text, NULL, &result);
    if (!opencl_check(result, "clCreateProgramWithSource", error))
        return false;
    result = api->BuildProgram(program->handle, 1, &program->device->id, all, NULL, NULL);
    return result == CL_SUCCESS || report_log(program, result, error);
}

static void ignore_kernel(void *context, const char *kernel, const struct device_kernel_facts *facts)
{
    (void)context, (void)kernel, (void)facts;
}

// The log of this build, or, where the driver had it compiled, of the build that did so.
static void keep_log(struct device_program *program)
{
    char key[HASH_TEXT];
    struct hash_state *state = hash_begin();
    struct kernel_binary binary = {.bytes = (unsigned char *)"", .log = read_log(program)}, kept = {0};
    hash_add_text(state, program->provenance);
    hash_add_text(state, program->device->properties.name);
    hash_text(hash_end(state), key);
    if (kernel_log_visit(binary.log, ignore_kernel, NULL)) {
        kernel_cache_write("opencl", key, &binary);
        program->log = binary.log;
        return;
    }
    free(binary.log);
    if (kernel_cache_read("opencl", key, &kept)) {
        program->log = kept.log;
        kept.log = NULL;
    }
    kernel_binary_finish(&kept);
}

struct device_program *opencl_build(struct device *device, const struct device_build *build, struct error *error)
{
    char *text, *facts;
    if (!opencl_text(build, &text, &facts, error))
        return NULL;
    struct device_program *program = memory_new(1, sizeof *program);
    program->device = opencl_of(device);
    program->kernels = memory_new(1, sizeof *program->kernels);
    snprintf(program->name, sizeof program->name, "%s", build->variant);
    char more[64];
    add_options(program->device, build->register_cap, more, sizeof more);
    char *all = memory_format("%s %s%s", opencl_language(program->device), options, more);
    program->provenance = memory_format("%s; %s; %s, %s, code %s", facts, all, program->device->version,
                                        program->device->properties.driver, OPENCL_CODE);
    const bool compiled = program_compile(program, text, all, error);
    free(all);
    free(text);
    free(facts);
    if (!compiled) {
        opencl_release_program(device, program);
        return NULL;
    }
    if (program->device->warps == OPENCL_OF_NVIDIA)
        keep_log(program);
    return program;
}

void opencl_release_program(struct device *device, struct device_program *program)
{
    (void)device;
    if (!program)
        return;
    for (struct device_kernel *kernel = program->kernels->first; kernel;) {
        struct device_kernel *next = kernel->next;
        (void)OPENCL_CALL(NULL, ReleaseKernel, kernel->handle);
        free(kernel);
        kernel = next;
    }
    if (program->handle)
        (void)OPENCL_CALL(NULL, ReleaseProgram, program->handle);
    free(program->kernels);
    free(program->provenance);
    free(program->log);
    free(program);
}

const char *opencl_provenance(const struct device_program *program)
{
    return program->provenance;
}

// ---- kernels

static bool kernel_init(struct device_kernel *kernel, const struct device_program *program, const char *name,
                        struct error *error)
{
    cl_int result;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    kernel->program = program;
    kernel->handle = opencl_load(NULL)->CreateKernel(program->handle, name, &result);
    if (result == CL_INVALID_KERNEL_NAME)
        return error_set(error, ERROR_USE, "%s defines no kernel \"%s\"", program->name, name);
    return opencl_check(result, "clCreateKernel", error) &&
           OPENCL_CALL(error, GetKernelWorkGroupInfo, kernel->handle, program->device->id, CL_KERNEL_WORK_GROUP_SIZE,
                       sizeof kernel->max_block, &kernel->max_block, NULL);
}

const struct device_kernel *opencl_kernel(const struct device_program *program, const char *name, struct error *error)
{
    for (const struct device_kernel *kernel = program->kernels->first; kernel; kernel = kernel->next)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    struct device_kernel *kernel = memory_new(1, sizeof *kernel);
    if (!kernel_init(kernel, program, name, error)) {
        if (kernel->handle)
            (void)OPENCL_CALL(NULL, ReleaseKernel, kernel->handle);
        free(kernel);
        return NULL;
    }
    kernel->next = program->kernels->first;
    program->kernels->first = kernel;
    return kernel;
}

struct device_kernel_facts opencl_facts(const struct device_kernel *kernel)
{
    const struct device_kernel_facts none = {-1, -1, -1, -1};
    struct device_kernel_facts facts;
    const char *log = kernel->program->log;
    return log && kernel_log_facts(log, kernel->name, &facts) ? facts : none;
}
