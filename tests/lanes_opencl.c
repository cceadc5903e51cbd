// SPDX-License-Identifier: MIT
// A libOpenCL.so.1 with one device, whose sub-groups are as GPUs' are: lanes vote and shuffle in branches (lanes_run.c). clang
// compiles kernels; all commands are done when they are enqueued. $FAKE_LANES is the width of sub-groups.
#include <dlfcn.h>
#include <unistd.h>

#include "lanes.h"
#include "opencl_made.h"

struct _cl_program {
    char *text, log[4096];
    void *library;
};
struct _cl_kernel {
    lanes_kernel *run;
    void *args;
    size_t shared;
};

// ---- the device

static cl_uint platform_count(void)
{
    return 1;
}

static const char *platform_name(void)
{
    return "Lanes";
}

cl_int clGetDeviceIDs(cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count)
{
    devices[0] = handle(1);
    *count = 1;
    return CL_SUCCESS;
}

static cl_ulong device_number(cl_device_id device, cl_device_info what)
{
    return usual_number(what);
}

static const char *device_text(cl_device_info what)
{
    switch (what) {
    case CL_DEVICE_NAME: return "sub-groups in step";
    case CL_DEVICE_VERSION: return "OpenCL 3.0 lanes";
    case CL_DRIVER_VERSION: return "1";
    case CL_DEVICE_EXTENSIONS:
        return "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_subgroup_ballot "
               "cl_khr_subgroup_shuffle";
    default: return NULL;
    }
}

// ---- memory

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
    static char here;
    Dl_info self;
    if (!dladdr(&here, &self))
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

static size_t subgroup_width(cl_kernel kernel)
{
    return lanes_width();
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *count, const size_t *block, cl_uint event_count, const cl_event *events,
                              cl_event *event)
{
    lanes_run(kernel->run, kernel->args, kernel->shared, (uint32_t)(*count / *block), (uint32_t)*block);
    return CL_SUCCESS;
}
