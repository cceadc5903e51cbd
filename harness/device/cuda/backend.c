// SPDX-License-Identifier: MIT
#include "device/cuda/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cuda_enter(struct device *device, struct error *error)
{
    return CUDA_CALL(error, context_set, cuda_device_of(device)->context);
}

// ---- what is here
// ------------------------------------------------------------------------------------------------------

// Loads everything that is needed and counts the GPUs.
static bool probe(int *count, struct error *error)
{
    *count = 0;
    if (!cuda_driver_load(error) || !CUDA_CALL(error, init, 0) || !CUDA_CALL(error, device_count, count)) {
        if (error && error->kind == ERROR_FAILED)
            error_remedy(error, "nvidia-smi tells whether the driver sees a GPU");
        return false;
    }
    if (*count == 0)
        return error_set(error, ERROR_UNSUPPORTED, "the NVIDIA driver sees no GPU");
    return cuda_nvrtc_load(error) != NULL;
}

static const char *unavailable(void)
{
    static _Thread_local char text[2048];
    struct error error = {0};
    int count;
    if (probe(&count, &error))
        return NULL;
    error_format(&error, text, sizeof text);
    return text;
}

// ---- properties
// --------------------------------------------------------------------------------------------------------

// "580.159.04 (CUDA 13.0)", or "CUDA 13.0" where only the library's own version is known.
static bool read_driver_version(struct device_properties *properties, struct error *error)
{
    int version;
    if (!CUDA_CALL(error, driver_version, &version))
        return false;
    char release[40] = "";
    const struct cuda_nvml *nvml = cuda_nvml_load(NULL);
    if (nvml && nvml->init() == CUDA_OK) {
        if (nvml->driver_version(release, sizeof release) != CUDA_OK)
            release[0] = 0;
        nvml->shutdown();
    }
    snprintf(properties->driver, sizeof properties->driver, release[0] ? "%s (CUDA %d.%d)" : "%sCUDA %d.%d", release,
             version / 1000, version % 1000 / 10);
    return true;
}

struct attributes {
    int max_block, multiprocessors, threads, major, minor, shared_multiprocessor, registers, shared_block, blocks;
};

static bool read_attributes(struct attributes *attributes, int handle, struct error *error)
{
    const struct {
        int *value, attribute;
    } rows[] = {
        {&attributes->max_block, CUDA_ATTRIBUTE_MAX_BLOCK},
        {&attributes->multiprocessors, CUDA_ATTRIBUTE_MULTIPROCESSORS},
        {&attributes->threads, CUDA_ATTRIBUTE_THREADS_PER_MULTIPROCESSOR},
        {&attributes->major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR},
        {&attributes->minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR},
        {&attributes->shared_multiprocessor, CUDA_ATTRIBUTE_SHARED_PER_MULTIPROCESSOR},
        {&attributes->registers, CUDA_ATTRIBUTE_REGISTERS_PER_MULTIPROCESSOR},
        {&attributes->shared_block, CUDA_ATTRIBUTE_SHARED_PER_BLOCK_OPTIN},
        {&attributes->blocks, CUDA_ATTRIBUTE_BLOCKS_PER_MULTIPROCESSOR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (!CUDA_CALL(error, device_attribute, rows[i].value, rows[i].attribute, handle))
            return false;
    return true;
}

static bool read_properties(struct device_properties *properties, int handle, struct error *error)
{
    enum { WARP = 32 };
    struct attributes attributes;
    size_t memory;
    *properties = (struct device_properties){.warp_width = WARP, .times = true};
    if (!read_attributes(&attributes, handle, error) || !read_driver_version(properties, error) ||
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

static const struct device_properties *get_properties(const struct device *device)
{
    return &((const struct cuda_device *)device)->properties;
}

static bool take_lockstep(struct device *device, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces)
{
    (void)device, (void)rows, (void)kinds, (void)bounces;
    return false; // the hardware's own counters tell it
}

// ---- opening and closing
// -----------------------------------------------------------------------------------------------

static void close_device(struct device *device)
{
    struct cuda_device *cuda = cuda_device_of(device);
    if (!cuda)
        return;
    if (cuda->context) {
        cuda_release_program(device, cuda->select_program);
        if (cuda->scratch)
            cuda_release(device, cuda_pointer(cuda->scratch));
        (void)CUDA_CALL(NULL, context_set, NULL);
        (void)CUDA_CALL(NULL, context_release, cuda->handle);
    }
    free(cuda);
}

static const struct device_ops cuda_ops = {
    .close = close_device,
    .properties = get_properties,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .upload = cuda_upload,
    .download = cuda_download,
    .fill = cuda_fill,
    .build = cuda_build,
    .release_program = cuda_release_program,
    .kernel = cuda_kernel,
    .facts = cuda_facts,
    .provenance = cuda_provenance,
    .launch = cuda_launch,
    .create_stream = cuda_create_stream,
    .destroy_stream = cuda_destroy_stream,
    .synchronize = cuda_synchronize,
    .create_event = cuda_create_event,
    .destroy_event = cuda_destroy_event,
    .record = cuda_record,
    .elapsed = cuda_elapsed,
    .select_flagged = cuda_select_flagged,
    .sort_pairs = cuda_sort_pairs,
    .take_lockstep = take_lockstep,
    .counters = NULL,
};

static bool device_init(struct cuda_device *cuda, uint32_t ordinal, struct error *error)
{
    int count;
    cuda->device.ops = &cuda_ops;
    if (!probe(&count, error))
        return false;
    if (ordinal >= (uint32_t)count)
        return error_set(error, ERROR_USE, "cuda:%u: this machine has %d GPU%s, numbered from 0", (unsigned)ordinal,
                         count, count == 1 ? "" : "s");
    return CUDA_CALL(error, device_get, &cuda->handle, (int)ordinal) &&
           CUDA_CALL(error, context_retain, &cuda->context, cuda->handle) && cuda_enter(&cuda->device, error) &&
           read_properties(&cuda->properties, cuda->handle, error);
}

static struct device *open_device(const struct device_settings *settings, struct error *error)
{
    struct cuda_device *cuda = calloc(1, sizeof *cuda);
    if (!cuda) {
        error_set(error, ERROR_SYSTEM, "no memory for a device");
        return NULL;
    }
    if (device_init(cuda, settings ? settings->ordinal : 0, error))
        return &cuda->device;
    close_device(&cuda->device);
    return NULL;
}

const struct device_backend device_cuda_backend = {
    .name = "cuda",
    .summary = "NVIDIA GPUs, through the driver and NVRTC",
    .unavailable = unavailable,
    .open = open_device,
};
