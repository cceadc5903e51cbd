// SPDX-License-Identifier: MIT
#include "device/opencl/api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct {
    pthread_once_t once;
    bool loaded;
    struct opencl_api table;
    struct error error;
} library = {.once = PTHREAD_ONCE_INIT};

static bool fill_table(void *handle)
{
#define OPENCL_SYMBOL(name) {"cl" #name, offsetof(struct opencl_api, name)},
    static const struct {
        const char *name;
        size_t offset;
    } symbols[] = {OPENCL_ENTRIES(OPENCL_SYMBOL)};
#undef OPENCL_SYMBOL
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i) {
        void *symbol = dlsym(handle, symbols[i].name);
        if (!symbol) {
            error_set(&library.error, ERROR_UNSUPPORTED, "libOpenCL.so.1 is too old: it has no %s", symbols[i].name);
            return error_remedy(&library.error, "install one for OpenCL 2.1 or newer (Debian and Ubuntu: "
                                                "apt install ocl-icd-libopencl1)");
        }
        memcpy((char *)&library.table + symbols[i].offset, &symbol, sizeof symbol);
    }
    return true;
}

static void load_library(void)
{
    void *handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        error_set(&library.error, ERROR_UNSUPPORTED, "no OpenCL here: %s", dlerror());
        error_remedy(&library.error, "install its loader and an implementation (Debian and Ubuntu: apt install "
                                     "ocl-icd-libopencl1 pocl-opencl-icd)");
        return;
    }
    library.loaded = fill_table(handle);
}

const struct opencl_api *opencl_load(struct error *error)
{
    pthread_once(&library.once, load_library);
    if (!library.loaded && error)
        *error = library.error;
    return library.loaded ? &library.table : NULL;
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
