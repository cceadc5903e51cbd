// SPDX-License-Identifier: MIT
// What the OpenCL devices made for tests have in common: one device a platform, memory that is the host's own, and commands that are
// done when they are enqueued. Each file defines the rest.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

static cl_uint platform_count(void);
static const char *platform_name(void);
static const char *device_text(cl_device_info what); // NULL: what is a number
static cl_ulong device_number(cl_device_id device, cl_device_info what);
static size_t subgroup_width(cl_kernel kernel);

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

static void *made(cl_int *result, void *what)
{
    *result = CL_SUCCESS;
    return what;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    *count = platform_count();
    for (cl_uint i = 0; i < *count && i < room; ++i)
        platforms[i] = handle(i + 1);
    return *count ? CL_SUCCESS : -1001; // as the loader says it
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *needed)
{
    return give_text(platform_name(), size, value, needed);
}

// Of a GPU that lacks nothing.
static cl_ulong usual_number(cl_device_info what)
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

enum { SUB_GROUP_SIZES = 0x4108 }; // Intel's

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed)
{
    static const size_t widths[] = {8, 16};
    const char *text = device_text(what);
    if (text)
        return give_text(text, size, value, needed);
    if (what == SUB_GROUP_SIZES)
        return give(widths, sizeof widths, size, value, needed);
    const cl_ulong number = device_number(device, what);
    return give(&number, size < sizeof number ? size : sizeof number, size, value, needed); // little-endian
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
                           cl_int *result)
{
    return made(result, handle(1));
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context of, cl_device_id device,
                                                    const cl_queue_properties *properties, cl_int *result)
{
    return made(result, handle(1));
}

// ---- memory

void clSVMFree(cl_context of, void *memory)
{
    free(memory);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool wait, void *to, const void *from, size_t size, cl_uint count,
                          const cl_event *events, cl_event *event)
{
    memcpy(to, from, size);
    return CL_SUCCESS;
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern, size_t pattern_size, size_t size,
                           cl_uint count, const cl_event *events, cl_event *event)
{
    memset(to, *(const unsigned char *)pattern, size);
    return CL_SUCCESS;
}

// ---- kernels

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info what, size_t in_size,
                               const void *in, size_t size, void *value, size_t *needed)
{
    const size_t width = subgroup_width(kernel);
    return give(&width, sizeof width, size, value, needed);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                void *value, size_t *needed)
{
    const size_t most = 1024;
    return give(&most, sizeof most, size, value, needed);
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
