// SPDX-License-Identifier: MIT
// A libOpenCL.so.1 with one device, whose sub-groups are as GPUs' are: lanes vote and shuffle in branches (lanes_run.c). clang
// compiles kernels; all commands are done when they are enqueued. $FAKE_LANES is the width of sub-groups.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "lanes.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct _cl_program {
    char *text, log[4096];
    void *library;
};
struct _cl_kernel {
    lanes_kernel *run;
    void *args;
    size_t shared;
};

static cl_int give(const void *from, size_t bytes, size_t size, void *value, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (value && size < bytes)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, from, bytes);
    return CL_SUCCESS;
}

static cl_int give_text(const char *text, size_t size, void *value, size_t *needed)
{
    return give(text, strlen(text) + 1, size, value, needed);
}

static void *made(cl_int *result, void *what)
{
    *result = CL_SUCCESS;
    return what;
}

// ---- the device

static char platform, context;

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    platforms[0] = (cl_platform_id)&platform;
    *count = 1;
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id of, cl_platform_info what, size_t size, void *value, size_t *needed)
{
    return give_text("Lanes", size, value, needed);
}

cl_int clGetDeviceIDs(cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count)
{
    devices[0] = (cl_device_id)&platform;
    *count = 1;
    return CL_SUCCESS;
}

static cl_ulong device_number(cl_device_info what)
{
    switch (what) {
    case CL_DEVICE_SVM_CAPABILITIES: return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    case CL_DEVICE_TYPE: return CL_DEVICE_TYPE_GPU;
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return CL_FP_FMA | CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    case CL_DEVICE_ADDRESS_BITS: return 64;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return 1024;
    case CL_DEVICE_LOCAL_MEM_SIZE: return 65536;
    case CL_DEVICE_GLOBAL_MEM_SIZE: return (cl_ulong)1 << 32;
    default: return 1;
    }
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed)
{
    switch (what) {
    case CL_DEVICE_NAME: return give_text("sub-groups in step", size, value, needed);
    case CL_DEVICE_VERSION: return give_text("OpenCL 3.0 lanes", size, value, needed);
    case CL_DRIVER_VERSION: return give_text("1", size, value, needed);
    case CL_DEVICE_EXTENSIONS:
        return give_text("cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_subgroup_ballot "
                         "cl_khr_subgroup_shuffle",
                         size, value, needed);
    default: break;
    }
    const cl_ulong number = device_number(what);
    return give(&number, size < sizeof number ? size : sizeof number, size, value, needed); // little-endian
}

// ---- memory

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
                           cl_int *result)
{
    return made(result, &context);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context of, cl_device_id device,
                                                    const cl_queue_properties *properties, cl_int *result)
{
    return made(result, &context);
}

cl_mem clCreateBuffer(cl_context of, cl_mem_flags flags, size_t size, void *host, cl_int *result)
{
    return made(result, memcpy(aligned_alloc(16, (size + 15) / 16 * 16), host, size));
}

cl_int clReleaseMemObject(cl_mem memory)
{
    free(memory);
    return CL_SUCCESS;
}

void *clSVMAlloc(cl_context of, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    return malloc(size);
}

#include "opencl_memory.h"

// ---- programs

cl_program clCreateProgramWithSource(cl_context of, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *result)
{
    cl_program program = calloc(1, sizeof *program);
    program->text = strdup(texts[0]);
    return made(result, program);
}

// For this processor, whose compiler knows OpenCL's sub-groups by name alone. Code stays in the order of the text, so that lanes
// which come to a place first wait there for those that take a way round: else `skeleton` counted 979 warps, not 384.
static bool compile(const char *folder, const char *options)
{
    char command[2048];
    Dl_info self;
    if (!dladdr(&platform, &self))
        return false;
    snprintf(command, sizeof command,
             "exec 2>%s/log && cd %s && ${FAKE_CLANG:-clang} -x cl -target x86_64-linux-gnu -Dcl_khr_subgroups "
             "-Dcl_khr_subgroup_ballot -Dcl_khr_subgroup_shuffle %s -O1 -fPIC -mllvm -disable-block-placement -mllvm "
             "-enable-tail-merge=0 -c kernels.cl -o kernels.o && "
             "${FAKE_CLANG:-clang} -shared kernels.o %s -o kernels.so",
             folder, folder, options, self.dli_fname);
    return system(command) == 0;
}

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

static void read_log(cl_program program, const char *folder)
{
    FILE *file = open_in(folder, "log", "r");
    const size_t length = file ? fread(program->log, 1, sizeof program->log - 1, file) : 0;
    program->log[length] = 0;
    if (file)
        fclose(file);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    char folder[] = "/tmp/lanes-XXXXXX", text[128];
    FILE *file = mkdtemp(folder) ? open_in(folder, "kernels.cl", "w") : NULL;
    if (!file || fputs(program->text, file) < 0 || fclose(file) != 0)
        return CL_OUT_OF_HOST_MEMORY;
    snprintf(text, sizeof text, "%s/kernels.so", folder);
    if (compile(folder, options))
        program->library = dlopen(text, RTLD_NOW | RTLD_LOCAL);
    read_log(program, folder);
    if (!program->library && !program->log[0])
        snprintf(program->log, sizeof program->log, "error: %.1000s", dlerror());
    snprintf(text, sizeof text, "rm -r %s", folder);
    (void)!system(text);
    return program->library ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                             void *value, size_t *needed)
{
    return give_text(program->log, size, value, needed);
}

cl_int clReleaseProgram(cl_program program)
{
    if (program->library)
        dlclose(program->library);
    free(program->text);
    free(program);
    return CL_SUCCESS;
}

// ---- kernels

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *result)
{
    lanes_kernel *run = (lanes_kernel *)(uintptr_t)dlsym(program->library, name);
    *result = run ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
    cl_kernel kernel = run ? calloc(1, sizeof *kernel) : NULL;
    if (kernel)
        kernel->run = run;
    return kernel;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    free(kernel);
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint place, size_t size, const void *value)
{
    if (place == 0)
        memcpy(&kernel->args, value, sizeof kernel->args);
    else
        kernel->shared = size;
    return CL_SUCCESS;
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info what, size_t in_size,
                               const void *in, size_t size, void *value, size_t *needed)
{
    const size_t width = lanes_width();
    return give(&width, sizeof width, size, value, needed);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                void *value, size_t *needed)
{
    const size_t most = 1024;
    return give(&most, sizeof most, size, value, needed);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *count, const size_t *block, cl_uint event_count, const cl_event *events,
                              cl_event *event)
{
    lanes_run(kernel->run, kernel->args, kernel->shared, (uint32_t)(*count / *block), (uint32_t)*block);
    return CL_SUCCESS;
}

// ---- events: the time of their making

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    cl_ulong *nanoseconds = malloc(sizeof *nanoseconds);
    *nanoseconds = (cl_ulong)time.tv_sec * 1000000000u + (cl_ulong)time.tv_nsec;
    *event = (cl_event)nanoseconds;
    return CL_SUCCESS;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *needed)
{
    return give(event, sizeof(cl_ulong), size, value, needed);
}

cl_int clReleaseEvent(cl_event event)
{
    free(event);
    return CL_SUCCESS;
}

// ---- what has nothing to do

#define NOTHING(name, ...)                                                                                             \
    cl_int name(__VA_ARGS__)                                                                                           \
    {                                                                                                                  \
        return CL_SUCCESS;                                                                                             \
    }
NOTHING(clReleaseContext, cl_context of)
NOTHING(clReleaseCommandQueue, cl_command_queue queue)
NOTHING(clSetKernelExecInfo, cl_kernel kernel, cl_kernel_exec_info what, size_t size, const void *value)
NOTHING(clEnqueueBarrierWithWaitList, cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event)
NOTHING(clFlush, cl_command_queue queue)
NOTHING(clFinish, cl_command_queue queue)
