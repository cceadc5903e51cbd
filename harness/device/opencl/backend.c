// SPDX-License-Identifier: MIT
#include "device/opencl/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/opencl/opencl.h"

extern const struct device_backend device_opencl_backend;

static const struct device_properties *get_properties(const struct device *device)
{
    return &((const struct opencl_device *)device)->properties;
}

// ---- opening and closing

static void close_device(struct device *device)
{
    struct opencl_device *opencl = opencl_of(device);
    opencl_release_program(device, opencl->primitives);
    if (opencl->queue) {
        opencl_workspace_finish(device, &opencl->workspace);
        (void)OPENCL_CALL(NULL, Finish, opencl->queue);
        (void)OPENCL_CALL(NULL, ReleaseCommandQueue, opencl->queue);
    }
    if (opencl->context)
        (void)OPENCL_CALL(NULL, ReleaseContext, opencl->context);
    free(opencl->blocks);
    free(opencl->bases);
    free(opencl);
}

static const struct device_ops opencl_ops = {
    .close = close_device,
    .properties = get_properties,
    .alloc = opencl_alloc,
    .release = opencl_release,
    .upload = opencl_upload,
    .download = opencl_download,
    .fill = opencl_fill,
    .create_texture = opencl_create_texture,
    .release_texture = opencl_release_texture,
    .build = opencl_build,
    .release_program = opencl_release_program,
    .kernel = opencl_kernel,
    .facts = opencl_facts,
    .provenance = opencl_provenance,
    .launch = opencl_launch,
    .resident_blocks = opencl_resident_blocks,
    .create_stream = opencl_create_stream,
    .destroy_stream = opencl_destroy_stream,
    .synchronize = opencl_synchronize,
    .create_event = opencl_create_event,
    .destroy_event = opencl_destroy_event,
    .record = opencl_record,
    .elapsed = opencl_elapsed,
    .wait = opencl_wait,
    .select_flagged = opencl_select_flagged,
    .sort_pairs = opencl_sort_pairs,
};

static bool refuse(const struct opencl_found *found, uint32_t count, uint32_t ordinal, struct error *error)
{
    error_set(error, ERROR_UNSUPPORTED, "opencl:%u, %s (%s): %s", (unsigned)ordinal, found[ordinal].name,
              found[ordinal].version, found[ordinal].lacks);
    for (uint32_t i = 0; i < count; ++i)
        if (!found[i].lacks[0])
            return error_remedy(error, "use opencl:%u", (unsigned)i);
    return false;
}

static bool device_init(struct opencl_device *opencl, uint32_t ordinal, struct error *error)
{
    struct opencl_found found[OPENCL_DEVICES];
    uint32_t count;
    cl_int result;
    static const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    opencl->device.ops = &opencl_ops;
    if (!opencl_find(found, &count, error))
        return false;
    if (ordinal >= count)
        return error_set(error, ERROR_USE, "opencl:%u: this machine has %u OpenCL device%s, numbered from 0",
                         (unsigned)ordinal, (unsigned)count, count == 1 ? "" : "s");
    const struct opencl_found *chosen = &found[ordinal];
    if (chosen->lacks[0])
        return refuse(found, count, ordinal, error);
    opencl->id = chosen->device;
    snprintf(opencl->version, sizeof opencl->version, "%s", chosen->version);
    opencl->context = opencl_load(NULL)->CreateContext(NULL, 1, &opencl->id, NULL, NULL, &result);
    if (!opencl_check(result, "clCreateContext", error))
        return false;
    opencl->queue =
        opencl_load(NULL)->CreateCommandQueueWithProperties(opencl->context, opencl->id, properties, &result);
    return opencl_check(result, "clCreateCommandQueueWithProperties", error) &&
           opencl_read_properties(opencl, chosen, error) && opencl_settle_warps(opencl, error);
}

static struct device *open_device(const struct device_settings *settings, struct error *error)
{
    struct opencl_device *opencl = memory_new(1, sizeof *opencl);
    if (device_init(opencl, settings ? settings->ordinal : 0, error))
        return &opencl->device;
    close_device(&opencl->device);
    return NULL;
}

// ---- what is there

static const char *backend_unavailable(void)
{
    static _Thread_local char text[2048];
    struct opencl_found found[OPENCL_DEVICES];
    struct error error = {0};
    uint32_t count;
    if (!opencl_find(found, &count, &error)) {
        error_format(&error, text, sizeof text);
        return text;
    }
    for (uint32_t i = 0; i < count; ++i)
        if (!found[i].lacks[0])
            return NULL;
    snprintf(text, sizeof text, "no OpenCL device here can run the kernels; opencl:0, %s (%s): %s", found[0].name,
             found[0].version, found[0].lacks);
    return text;
}

static uint32_t count_devices(void)
{
    struct opencl_found found[OPENCL_DEVICES];
    uint32_t count;
    (void)opencl_find(found, &count, NULL);
    return count;
}

// What warps a device has. One with sub-groups has to be opened for that; false where it cannot be, with the reason.
static bool say_warps(const struct opencl_found *found, uint32_t ordinal, char text[OPENCL_LACKS + 64],
                      char lacks[OPENCL_LACKS])
{
    const enum opencl_warps kind = opencl_kind_of_warps(found->device);
    struct error error = {0};
    if (kind != OPENCL_SUBGROUPS) {
        strcpy(text, kind == OPENCL_ALONE ? "; it has no sub-groups: its warps have one lane" : "; warps of 32 lanes");
        return true;
    }
    struct device *device = open_device(&(struct device_settings){.ordinal = ordinal}, &error);
    if (!device) {
        snprintf(lacks, OPENCL_LACKS, "%.*s", OPENCL_LACKS - 1, error.message);
        return false;
    }
    const struct opencl_device *opencl = opencl_of(device);
    if (opencl->warps == OPENCL_ALONE)
        snprintf(text, OPENCL_LACKS + 64, "; %s: its warps have one lane", opencl->warps_lack);
    else
        snprintf(text, OPENCL_LACKS + 64, "; warps of %u lanes", (unsigned)opencl->properties.warp_width);
    close_device(device);
    return true;
}

void opencl_examine(void (*line)(void *context, bool usable, const char *what, const char *text), void *context)
{
    struct opencl_found found[OPENCL_DEVICES];
    uint32_t count;
    if (!opencl_find(found, &count, NULL))
        return; // device_unavailable() says why
    for (uint32_t i = 0; i < count; ++i) {
        char what[24], text[900], warps[OPENCL_LACKS + 64], *lacks = found[i].lacks;
        snprintf(what, sizeof what, "opencl:%u", (unsigned)i);
        const bool usable = !lacks[0] && say_warps(&found[i], i, warps, lacks);
        snprintf(text, sizeof text, "%s, %s%s%s", found[i].name, found[i].version, usable ? warps : "\n",
                 usable ? "" : lacks);
        line(context, usable, what, text);
    }
}

const struct device_backend device_opencl_backend = {
    .name = "opencl",
    .summary = "OpenCL on CPUs, NVIDIA GPUs and what has sub-groups; `doctor` says how wide warps are there",
    .kind = DEVICE_PROCESSOR,
    .has_times = true,
    .numbered = "opencl:N",
    .unavailable = backend_unavailable,
    .count = count_devices,
    .open = open_device,
};
