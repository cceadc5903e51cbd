// SPDX-License-Identifier: MIT
#include "device/optix/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/library.h"

static struct library optix_library = {.once = PTHREAD_ONCE_INIT};
static OptixFunctionTable optix_library_table;

static void fill_table(void *library)
{
    OptixQueryFunctionTable_t *query = NULL;
    void *address = dlsym(library, "optixQueryFunctionTable");
    memcpy(&query, &address, sizeof query);
    const OptixResult result =
        query ? query(OPTIX_ABI_VERSION, 0, NULL, NULL, &optix_library_table, sizeof optix_library_table)
              : OPTIX_ERROR_ENTRY_SYMBOL_NOT_FOUND;
    optix_library.loaded = result == OPTIX_SUCCESS;
    if (optix_library.loaded)
        return;
    struct error *error = &optix_library.error;
    if (result == OPTIX_ERROR_UNSUPPORTED_ABI_VERSION || result == OPTIX_ERROR_FUNCTION_TABLE_SIZE_MISMATCH) {
        error_set(error, ERROR_UNSUPPORTED,
                  "the driver's OptiX is another than this program's: libnvoptix.so.1 has no ABI %d (OptiX %d.%d)",
                  OPTIX_ABI_VERSION, OPTIX_VERSION / 10000, OPTIX_VERSION % 10000 / 100);
        error_remedy(error, "update the driver, or build with the headers of an older OptiX (-Doptix=FOLDER)");
    } else {
        error_set(error, ERROR_UNSUPPORTED, "libnvoptix.so.1 does not answer as OptiX does (OptixResult %d)",
                  (int)result);
        error_remedy(error, "install the NVIDIA driver again");
    }
}

static void load_library(void)
{
    const char *chosen = getenv("WARPSTUDY_OPTIX_LIBRARY");
    void *library = dlopen(chosen && *chosen ? chosen : "libnvoptix.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library) {
        fill_table(library);
        return;
    }
    error_set(&optix_library.error, ERROR_UNSUPPORTED, "no OptiX here: %s", dlerror());
    error_remedy(&optix_library.error, "libnvoptix.so.1 comes with the driver (Debian: libnvoptix1; in a container: "
                                       "NVIDIA_DRIVER_CAPABILITIES=compute,graphics,utility)");
}

const OptixFunctionTable *optix_load(struct error *error)
{
    return library_table(&optix_library, load_library, &optix_library_table, error);
}

bool optix_check(OptixResult result, const char *function, const char *file, int line, struct error *error)
{
    if (result == OPTIX_SUCCESS)
        return true;
    const OptixFunctionTable *table = optix_load(NULL);
    const char *name = table->optixGetErrorName(result), *words = table->optixGetErrorString(result);
    const char *slash = strrchr(file, '/');
    const bool full = result == OPTIX_ERROR_DEVICE_OUT_OF_MEMORY, lost = result == OPTIX_ERROR_LAUNCH_FAILURE;
    error_set(error,
              full   ? ERROR_SYSTEM
              : lost ? ERROR_DEVICE
                     : ERROR_FAILED,
              "OptiX: %s (%s, %d) in %s at %s:%d%s", full ? "the GPU's memory is full" : words, name, (int)result,
              function, slash ? slash + 1 : file, line, lost ? "; this process cannot use the GPU any more" : "");
    if (full)
        error_remedy(error, "end other programs on this GPU (nvidia-smi lists them), or choose a smaller scene");
    return false;
}

uint32_t optix_version(void)
{
    return OPTIX_VERSION;
}

const char *optix_headers(struct error *error)
{
    static _Thread_local char path[4096];
    const char *chosen = getenv("WARPSTUDY_OPTIX"), *folder = chosen && *chosen ? chosen : OPTIX_FOLDER;
    snprintf(path, sizeof path, "%s/optix.h", folder);
    if (access(path, R_OK) != 0) {
        snprintf(path, sizeof path, "%s/include/optix.h", folder);
        if (access(path, R_OK) != 0) {
            error_set(error, ERROR_UNSUPPORTED, "kernels for OptiX need its headers, and %s has no optix.h", folder);
            error_remedy(error, "name the folder of OptiX %d.%d in WARPSTUDY_OPTIX", OPTIX_VERSION / 10000,
                         OPTIX_VERSION % 10000 / 100);
            return NULL;
        }
    }
    *strrchr(path, '/') = 0;
    return path;
}

// ---- contexts

static void note_message(unsigned int level, const char *tag, const char *message, void *context)
{
    struct optix *optix = context;
    (void)level;
    snprintf(optix->log, sizeof optix->log, "%s: %s", tag, message);
}

static bool read_property(const struct optix *optix, OptixDeviceProperty which, uint32_t *value, struct error *error)
{
    return OPTIX_CALL(error, optixDeviceContextGetProperty, optix->context, which, value, sizeof *value);
}

static bool read_facts(struct optix *optix, struct error *error)
{
    uint32_t reordering = 0;
    if (!read_property(optix, OPTIX_DEVICE_PROPERTY_RTCORE_VERSION, &optix->facts.rt_cores, error) ||
        !read_property(optix, OPTIX_DEVICE_PROPERTY_SHADER_EXECUTION_REORDERING, &reordering, error) ||
        !read_property(optix, OPTIX_DEVICE_PROPERTY_LIMIT_MAX_PRIMITIVES_PER_GAS, &optix->most_triangles, error) ||
        !read_property(optix, OPTIX_DEVICE_PROPERTY_LIMIT_MAX_INSTANCES_PER_IAS, &optix->most_instances, error))
        return false;
    optix->facts.reorders = (reordering & OPTIX_DEVICE_PROPERTY_SHADER_EXECUTION_REORDERING_FLAG_STANDARD) != 0;
    snprintf(optix->facts.name, sizeof optix->facts.name, "OptiX %d.%d", OPTIX_VERSION / 10000,
             OPTIX_VERSION % 10000 / 100);
    return true;
}

struct optix *optix_open(CUcontext context, struct error *error)
{
    enum { WARNINGS = 3 };
    if (!optix_load(error))
        return NULL;
    struct optix *optix = calloc(1, sizeof *optix);
    const OptixDeviceContextOptions options = {
        .logCallbackFunction = note_message, .logCallbackData = optix, .logCallbackLevel = WARNINGS};
    if (!optix) {
        error_memory(error, "for OptiX");
        return NULL;
    }
    if (OPTIX_CALL(error, optixDeviceContextCreate, context, &options, &optix->context) && read_facts(optix, error))
        return optix;
    optix_close(optix);
    return NULL;
}

void optix_close(struct optix *optix)
{
    if (optix && optix->context)
        (void)OPTIX_CALL(NULL, optixDeviceContextDestroy, optix->context);
    free(optix);
}

const struct device_tracing *optix_facts(const struct optix *optix)
{
    return &optix->facts;
}
