// SPDX-License-Identifier: MIT
// What GPUs there are, what they can do, and what is missing.
#include "device/cuda/backend.h"

#include <stdio.h>
#include <string.h>

// ---- the driver

// The oldest driver that runs what this module was built with: one of the same major release of CUDA.
static bool check_driver_age(struct error *error)
{
    int version;
    if (!CUDA_CALL(error, driver_version, &version))
        return false;
    if (version / 1000 >= CUDA_VERSION / 1000)
        return true;
    error_set(error, ERROR_UNSUPPORTED,
              "the NVIDIA driver is too old: it supports CUDA %d.%d, and the module was built with CUDA %d.%d",
              version / 1000, version % 1000 / 10, CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
    return error_remedy(error, "update the driver, or build with a toolkit of CUDA %d (CUDA_HOME=... meson setup)",
                        version / 1000);
}

bool cuda_probe(int *count, struct error *error)
{
    *count = 0;
    if (!cuda_driver_load(error))
        return false;
    const CUresult result = cuda_driver_load(NULL)->init(0);
    if (result == CUDA_ERROR_NO_DEVICE ||
        (result == CUDA_SUCCESS && CUDA_CALL(NULL, device_count, count) && *count == 0)) {
        error_set(error, ERROR_UNSUPPORTED, "the NVIDIA driver sees no GPU");
        return error_remedy(error, "nvidia-smi lists the GPUs; CUDA_VISIBLE_DEVICES may hide them, and a container "
                                   "needs --gpus all");
    }
    if (!cuda_check(result, "cuInit", __FILE__, __LINE__, error)) {
        if (error)
            error->kind = ERROR_UNSUPPORTED;
        return error_remedy(error, "nvidia-smi tells whether the driver works; after an update of it, restart the "
                                   "machine");
    }
    return check_driver_age(error);
}

// "580.159.04 (CUDA 13.0)", or "CUDA 13.0" where only the library's own version is known.
static bool read_driver_version(char *text, size_t size, struct error *error)
{
    int version;
    if (!CUDA_CALL(error, driver_version, &version))
        return false;
    char release[40] = "";
    const struct cuda_nvml *nvml = cuda_nvml_load(NULL);
    if (nvml && nvml->driver_version(release, sizeof release) != CUDA_NVML_OK)
        release[0] = 0;
    snprintf(text, size, release[0] ? "%s (CUDA %d.%d)" : "%sCUDA %d.%d", release, version / 1000, version % 1000 / 10);
    return true;
}

// As nvidia-smi prints it.
static bool read_uuid(char text[48], int handle, struct error *error)
{
    CUuuid uuid;
    if (!CUDA_CALL(error, device_uuid, &uuid, handle))
        return false;
    strcpy(text, "GPU");
    for (int i = 0; i < 16; ++i)
        sprintf(text + strlen(text), i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                (unsigned char)uuid.bytes[i]);
    return true;
}

// ---- properties

struct attributes {
    int max_block, multiprocessors, threads, major, minor, shared_multiprocessor, registers, shared_block, blocks;
};

static bool read_attributes(struct attributes *attributes, int handle, struct error *error)
{
    const struct {
        int *value;
        CUdevice_attribute attribute;
    } rows[] = {
        {&attributes->max_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
        {&attributes->multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
        {&attributes->threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
        {&attributes->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
        {&attributes->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
        {&attributes->shared_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
        {&attributes->registers, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
        {&attributes->shared_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
        {&attributes->blocks, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (!CUDA_CALL(error, device_attribute, rows[i].value, rows[i].attribute, handle))
            return false;
    return true;
}

bool cuda_read_properties(struct device_properties *properties, int handle, struct error *error)
{
    enum { WARP = 32 };
    struct attributes attributes;
    size_t memory;
    *properties = (struct device_properties){.warp_width = WARP, .times = true};
    if (!read_attributes(&attributes, handle, error) ||
        !read_driver_version(properties->driver, sizeof properties->driver, error) ||
        !read_uuid(properties->uuid, handle, error) ||
        !CUDA_CALL(error, device_name, properties->name, (int)sizeof properties->name, handle) ||
        !CUDA_CALL(error, device_memory, &memory, handle))
        return false;
    properties->max_block = (uint32_t)attributes.max_block;
    properties->multiprocessors = (uint32_t)attributes.multiprocessors;
    properties->max_warps_per_multiprocessor = (uint32_t)attributes.threads / WARP;
    properties->max_blocks_per_multiprocessor = (uint32_t)attributes.blocks;
    properties->registers_per_multiprocessor = (uint32_t)attributes.registers;
    properties->compute_capability = (uint32_t)(attributes.major * 10 + attributes.minor);
    properties->shared_per_block = (uint64_t)attributes.shared_block;
    properties->shared_per_multiprocessor = (uint64_t)attributes.shared_multiprocessor;
    properties->memory = memory;
    return true;
}

// ---- what is there and what is missing, for `doctor`

void cuda_examine_gpus(int count, cuda_module_line *line, void *context)
{
    char driver[128];
    if (read_driver_version(driver, sizeof driver, NULL))
        line(context, CUDA_MODULE_GOOD, "CUDA driver", driver);
    for (int i = 0; i < count; ++i) {
        struct device_properties properties;
        struct error error = {0};
        char what[32], text[512];
        int handle;
        const bool read =
            CUDA_CALL(&error, device_get, &handle, i) && cuda_read_properties(&properties, handle, &error);
        snprintf(what, sizeof what, "GPU %d", i);
        if (read)
            snprintf(text, sizeof text, "%s, sm_%u, %u multiprocessors, %.0f GiB", properties.name,
                     (unsigned)properties.compute_capability, (unsigned)properties.multiprocessors,
                     (double)properties.memory / (1 << 30));
        else
            error_format(&error, text, sizeof text);
        line(context, read ? CUDA_MODULE_GOOD : CUDA_MODULE_NOTE, what, text);
    }
}

void cuda_examine_error(const struct error *error, const char *what, cuda_module_line *line, void *context)
{
    char text[2048];
    error_format(error, text, sizeof text);
    line(context, CUDA_MODULE_NOTE, what, text);
}
