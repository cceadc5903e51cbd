// SPDX-License-Identifier: MIT
// A libOpenCL.so.1 for tests of what is said where OpenCL is of no use. FAKE_OPENCL: "none" has no platform, "empty" one
// without devices; "no_svm", "gpu" and "rough" have a device that lacks something, "two" such a one and one that does not.
// That of "long" has a list of extensions of 16,000 characters, that of "longer" two whose names contain cl_khr_fp64.
// The device of "build" compiles nothing, that of "full" has no memory, and that of "lost" is lost at the first launch.
// Those of "subgroups", "narrow", "mixed" and "votes", CPUs, have sub-groups of 16 lanes, but for what the name says: their width
// is 8; it is 8 in all kernels but that of questions (device/opencl/warps.kernel.h); votes in branches are wrong. Those of
// "gpu_subgroups" and "gpu_votes" are the same as GPUs.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

static bool is(const char *kind)
{
    const char *wished = getenv("FAKE_OPENCL");
    return wished && strcmp(wished, kind) == 0;
}

static bool has_subgroups(void)
{
    return is("subgroups") || is("narrow") || is("mixed") || is("votes") || is("gpu_subgroups") || is("gpu_votes");
}

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

// ---- platforms and devices: handles are numbers from 1

static void *handle(uintptr_t number)
{
    return (void *)number;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    *count = is("none") ? 0 : is("two") ? 2 : 1;
    for (cl_uint i = 0; i < *count && i < room; ++i)
        platforms[i] = handle(i + 1);
    return *count ? CL_SUCCESS : -1001; // as the loader says it
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *needed)
{
    return give_text("Fake Platform", size, value, needed);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count)
{
    *count = 1;
    devices[0] = (void *)platform;
    return is("empty") ? CL_DEVICE_NOT_FOUND : CL_SUCCESS;
}

static cl_ulong device_number(cl_device_id device, cl_device_info what)
{
    const bool no_svm = is("no_svm") || (is("two") && device == handle(1));
    const cl_ulong floats = CL_FP_FMA | CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    switch (what) {
    case CL_DEVICE_SVM_CAPABILITIES: return no_svm ? 0 : CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    case CL_DEVICE_TYPE:
        return is("gpu") || is("gpu_subgroups") || is("gpu_votes") ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    case CL_DEVICE_SINGLE_FP_CONFIG: return is("rough") ? floats : floats | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    case CL_DEVICE_ADDRESS_BITS: return 64;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return 1024;
    case CL_DEVICE_LOCAL_MEM_SIZE: return 65536;
    case CL_DEVICE_GLOBAL_MEM_SIZE: return (cl_ulong)1 << 32;
    default: return 1;
    }
}

static cl_int give_extensions(size_t size, void *value, size_t *needed)
{
    static char text[20000];
    snprintf(text, sizeof text, "%*s%s cl_khr_int64_base_atomics cl_khr_int64_extended_atomics%s",
             is("long") ? 16000 : 0, "", is("longer") ? "cl_khr_fp64_longer longer_cl_khr_fp64" : "cl_khr_fp64",
             has_subgroups() ? " cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_required_subgroup_size" : "");
    return give_text(text, size, value, needed);
}

enum { SUB_GROUP_SIZES = 0x4108 }; // Intel's

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed)
{
    static const size_t widths[] = {8, 16};
    switch (what) {
    case CL_DEVICE_NAME: return give_text("Fake Device", size, value, needed);
    case CL_DEVICE_VERSION: return give_text("OpenCL 3.0 fake", size, value, needed);
    case CL_DRIVER_VERSION: return give_text("1.2", size, value, needed);
    case CL_DEVICE_EXTENSIONS: return give_extensions(size, value, needed);
    case SUB_GROUP_SIZES: return give(widths, sizeof widths, size, value, needed);
    default: break;
    }
    const cl_ulong number = device_number(device, what);
    return give(&number, size < sizeof number ? size : sizeof number, size, value, needed); // little-endian
}

// ---- what is made, and what fails

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *context,
                           cl_int *result)
{
    *result = CL_SUCCESS;
    return handle(1);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties, cl_int *result)
{
    *result = CL_SUCCESS;
    return handle(1);
}

static uint32_t *answers; // what the first argument of the last launch points at

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *result)
{
    *result = CL_SUCCESS;
    if (size >= sizeof answers)
        memcpy(&answers, host, sizeof answers);
    return handle(1);
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    return is("full") ? NULL : malloc(size);
}

#include "opencl_memory.h"

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *result)
{
    *result = CL_SUCCESS;
    return handle(1);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *context)
{
    return is("build") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                             void *value, size_t *needed)
{
    return give_text("lib/vec.h:1:1: note: nothing\nlib/vec.h:12:5: error: no such type\n    twelve\n", size, value,
                     needed);
}

enum { KERNEL_OF_QUESTIONS = 2, QUESTIONS = 9, OF_BRANCHES = 2 };

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *result)
{
    *result = CL_SUCCESS;
    return handle(strcmp(name, "warps_ask") == 0 ? KERNEL_OF_QUESTIONS : 1);
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info what, size_t in_size,
                               const void *in, size_t size, void *value, size_t *needed)
{
    const size_t width = is("narrow") || (is("mixed") && kernel != handle(KERNEL_OF_QUESTIONS)) ? 8 : 16;
    return give(&width, sizeof width, size, value, needed);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                void *value, size_t *needed)
{
    const size_t most = 1024;
    return give(&most, sizeof most, size, value, needed);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *lanes, const size_t *block, cl_uint count, const cl_event *events,
                              cl_event *event)
{
    for (int i = 0; kernel == handle(KERNEL_OF_QUESTIONS) && i < QUESTIONS; ++i)
        answers[i] = (uint32_t)lanes[0] - (i == OF_BRANCHES && (is("votes") || is("gpu_votes")));
    return is("lost") ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS;
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event)
{
    *event = handle(1);
    return CL_SUCCESS;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *needed)
{
    const cl_ulong time = 0;
    return give(&time, sizeof time, size, value, needed);
}

// ---- what has nothing to do

#define NOTHING(name, ...)                                                                                             \
    cl_int name(__VA_ARGS__)                                                                                           \
    {                                                                                                                  \
        return CL_SUCCESS;                                                                                             \
    }
NOTHING(clReleaseContext, cl_context context)
NOTHING(clReleaseCommandQueue, cl_command_queue queue)
NOTHING(clReleaseMemObject, cl_mem memory)
NOTHING(clReleaseProgram, cl_program program)
NOTHING(clReleaseKernel, cl_kernel kernel)
NOTHING(clReleaseEvent, cl_event event)
NOTHING(clSetKernelArg, cl_kernel kernel, cl_uint place, size_t size, const void *value)
NOTHING(clSetKernelExecInfo, cl_kernel kernel, cl_kernel_exec_info what, size_t size, const void *value)
NOTHING(clEnqueueBarrierWithWaitList, cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event)
NOTHING(clFlush, cl_command_queue queue)
NOTHING(clFinish, cl_command_queue queue)
