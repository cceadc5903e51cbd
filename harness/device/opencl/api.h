// SPDX-License-Identifier: MIT
// OpenCL's functions, found in libOpenCL.so.1 when the device is first asked for: the program is not linked to it.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "base/error.h"

#define OPENCL_ENTRIES(ENTRY)                                                                                          \
    ENTRY(GetPlatformIDs)                                                                                              \
    ENTRY(GetPlatformInfo)                                                                                             \
    ENTRY(GetDeviceIDs)                                                                                                \
    ENTRY(GetDeviceInfo)                                                                                               \
    ENTRY(CreateContext)                                                                                               \
    ENTRY(ReleaseContext)                                                                                              \
    ENTRY(CreateCommandQueueWithProperties)                                                                            \
    ENTRY(ReleaseCommandQueue)                                                                                         \
    ENTRY(CreateBuffer)                                                                                                \
    ENTRY(ReleaseMemObject)                                                                                            \
    ENTRY(SVMAlloc)                                                                                                    \
    ENTRY(SVMFree)                                                                                                     \
    ENTRY(EnqueueSVMMemcpy)                                                                                            \
    ENTRY(EnqueueSVMMemFill)                                                                                           \
    ENTRY(CreateProgramWithSource)                                                                                     \
    ENTRY(BuildProgram)                                                                                                \
    ENTRY(GetProgramBuildInfo)                                                                                         \
    ENTRY(ReleaseProgram)                                                                                              \
    ENTRY(CreateKernel)                                                                                                \
    ENTRY(ReleaseKernel)                                                                                               \
    ENTRY(GetKernelWorkGroupInfo)                                                                                      \
    ENTRY(GetKernelSubGroupInfo)                                                                                       \
    ENTRY(SetKernelArg)                                                                                                \
    ENTRY(SetKernelExecInfo)                                                                                           \
    ENTRY(EnqueueNDRangeKernel)                                                                                        \
    ENTRY(EnqueueMarkerWithWaitList)                                                                                   \
    ENTRY(EnqueueBarrierWithWaitList)                                                                                  \
    ENTRY(GetEventProfilingInfo)                                                                                       \
    ENTRY(ReleaseEvent)                                                                                                \
    ENTRY(Flush)                                                                                                       \
    ENTRY(Finish)

struct opencl_api {
#define OPENCL_FIELD(name) __typeof__(&cl##name) name;
    OPENCL_ENTRIES(OPENCL_FIELD)
#undef OPENCL_FIELD
};

// NULL, with the reason and a remedy, where there is no OpenCL of version 2.1 or newer. Loads it once, from any thread.
const struct opencl_api *opencl_load(struct error *error);

// Whether a call succeeded; sets what it means for the user where not.
bool opencl_check(cl_int result, const char *call, struct error *error);
// Calls clNAME(...), which returns a cl_int, once the library is loaded.
#define OPENCL_CALL(error, name, ...) opencl_check(opencl_load(NULL)->name(__VA_ARGS__), "cl" #name, (error))
