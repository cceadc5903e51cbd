// SPDX-License-Identifier: MIT
#include "device/opencl/api.h"

#include <dlfcn.h>

#include "device/library.h"

static struct library opencl = {.once = PTHREAD_ONCE_INIT};
static struct opencl_api opencl_table;

static void load_library(void)
{
#define OPENCL_SYMBOL(name) {"cl" #name, offsetof(struct opencl_api, name)},
    static const struct library_symbol symbols[] = {OPENCL_ENTRIES(OPENCL_SYMBOL)};
#undef OPENCL_SYMBOL
    void *handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        error_set(&opencl.error, ERROR_UNSUPPORTED, "no OpenCL here: %s", dlerror());
        error_remedy(&opencl.error, "install its loader and an implementation (Debian and Ubuntu: apt install "
                                    "ocl-icd-libopencl1 pocl-opencl-icd)");
        return;
    }
    const char *missing = library_fill(handle, symbols, sizeof symbols / sizeof *symbols, &opencl_table);
    opencl.loaded = !missing;
    if (missing) {
        error_set(&opencl.error, ERROR_UNSUPPORTED, "libOpenCL.so.1 is too old: it has no %s", missing);
        error_remedy(&opencl.error, "install one for OpenCL 2.1 or newer (Debian and Ubuntu: "
                                    "apt install ocl-icd-libopencl1)");
    }
}

const struct opencl_api *opencl_load(struct error *error)
{
    return library_table(&opencl, load_library, &opencl_table, error);
}

// ---- what results mean

static const struct {
    cl_int result;
    enum error_kind kind;
    const char *cause, *remedy;
} meanings[] = {
    {CL_OUT_OF_HOST_MEMORY, ERROR_SYSTEM, "there is no memory left", "end other programs, or make the image smaller"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, ERROR_SYSTEM, "the device has no memory left",
     "end other programs, or make the image smaller"},
    {CL_OUT_OF_RESOURCES, ERROR_DEVICE, "the device ran out of resources, or a kernel faulted",
     "use smaller blocks; on a processor a debugger shows the place"},
    {CL_DEVICE_NOT_AVAILABLE, ERROR_DEVICE, "the device was lost", "clinfo shows which devices are there"},
    {CL_INVALID_WORK_GROUP_SIZE, ERROR_UNSUPPORTED, "the kernel cannot run with blocks of this size",
     "use smaller blocks"},
    {CL_COMPILER_NOT_AVAILABLE, ERROR_UNSUPPORTED, "this OpenCL has no compiler", "use another OpenCL"},
    // An event of a command that failed: what an implementation makes of a fault
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, ERROR_DEVICE, "an earlier command failed", NULL},
};

bool opencl_check(cl_int result, const char *call, struct error *error)
{
    if (result == CL_SUCCESS)
        return true;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i) {
        if (meanings[i].result != result)
            continue;
        error_set(error, meanings[i].kind, "OpenCL: %s (%d) in %s", meanings[i].cause, (int)result, call);
        return meanings[i].remedy ? error_remedy(error, "%s", meanings[i].remedy) : false;
    }
    return error_set(error, ERROR_FAILED, "OpenCL: error %d in %s (CL/cl.h names it)", (int)result, call);
}
