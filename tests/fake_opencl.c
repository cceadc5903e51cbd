// SPDX-License-Identifier: MIT
// A libOpenCL.so.1 for tests of what is said where OpenCL is of no use. FAKE_OPENCL: "none" has no platform, "empty" one
// without devices; "no_svm", "gpu" and "rough" have a device that lacks something, "two" such a one and one that does not.
// That of "long" has a list of extensions of 16,000 characters, that of "longer" two whose names contain cl_khr_fp64.
// The device of "build" compiles nothing, that of "full" has no memory, and that of "lost" is lost at the first launch.
// Those of "subgroups", "narrow", "mixed" and "votes", CPUs, have sub-groups of 16 lanes, but for what the name says: their width
// is 8; it is 8 in all kernels but that of questions (device/opencl/warps.kernel.h); votes in branches are wrong. Those of
// "gpu_subgroups" and "gpu_votes" are the same as GPUs.
#include "opencl_made.h"

static bool is(const char *kind)
{
    const char *wished = getenv("FAKE_OPENCL");
    return wished && strcmp(wished, kind) == 0;
}

static bool has_subgroups(void)
{
    return is("subgroups") || is("narrow") || is("mixed") || is("votes") || is("gpu_subgroups") || is("gpu_votes");
}

// ---- platforms and devices

static cl_uint platform_count(void)
{
    return is("none") ? 0 : is("two") ? 2 : 1;
}

static const char *platform_name(void)
{
    return "Fake Platform";
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count)
{
    *count = 1;
    devices[0] = (void *)platform;
    return is("empty") ? CL_DEVICE_NOT_FOUND : CL_SUCCESS;
}

static cl_ulong device_number(cl_device_id device, cl_device_info what)
{
    const bool gpu = is("gpu") || is("gpu_subgroups") || is("gpu_votes");
    const bool no_svm = is("no_svm") || (is("two") && device == handle(1));
    if (what == CL_DEVICE_SVM_CAPABILITIES && no_svm)
        return 0;
    if (what == CL_DEVICE_TYPE && !gpu)
        return CL_DEVICE_TYPE_CPU;
    if (what == CL_DEVICE_SINGLE_FP_CONFIG && is("rough"))
        return usual_number(what) & ~(cl_ulong)CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    return usual_number(what);
}

static const char *device_text(cl_device_info what)
{
    static char text[20000];
    switch (what) {
    case CL_DEVICE_NAME: return "Fake Device";
    case CL_DEVICE_VERSION: return "OpenCL 3.0 fake";
    case CL_DRIVER_VERSION: return "1.2";
    case CL_DEVICE_EXTENSIONS: break;
    default: return NULL;
    }
    snprintf(text, sizeof text, "%*s%s cl_khr_int64_base_atomics cl_khr_int64_extended_atomics%s",
             is("long") ? 16000 : 0, "", is("longer") ? "cl_khr_fp64_longer longer_cl_khr_fp64" : "cl_khr_fp64",
             has_subgroups() ? " cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_required_subgroup_size" : "");
    return text;
}

// ---- what is made, and what fails

static uint32_t *answers; // what the first argument of the last launch points at

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *result)
{
    if (size >= sizeof answers)
        memcpy(&answers, host, sizeof answers);
    return made(result, handle(1));
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    return is("full") ? NULL : malloc(size);
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *result)
{
    return made(result, handle(1));
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
    return made(result, handle(strcmp(name, "warps_ask") == 0 ? KERNEL_OF_QUESTIONS : 1));
}

static size_t subgroup_width(cl_kernel kernel)
{
    return is("narrow") || (is("mixed") && kernel != handle(KERNEL_OF_QUESTIONS)) ? 8 : 16;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *lanes, const size_t *block, cl_uint count, const cl_event *events,
                              cl_event *event)
{
    for (int i = 0; kernel == handle(KERNEL_OF_QUESTIONS) && i < QUESTIONS; ++i)
        answers[i] = (uint32_t)lanes[0] - (i == OF_BRANCHES && (is("votes") || is("gpu_votes")));
    return is("lost") ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS;
}

NOTHING(clReleaseMemObject, cl_mem memory)
NOTHING(clReleaseProgram, cl_program program)
NOTHING(clReleaseKernel, cl_kernel kernel)
NOTHING(clSetKernelArg, cl_kernel kernel, cl_uint place, size_t size, const void *value)
