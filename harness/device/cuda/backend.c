// SPDX-License-Identifier: MIT
#include "device/cuda/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/cupti_counters.h"
#include "device/optix/optix.h"

static const struct device_properties *get_properties(const struct device *device)
{
    return &((const struct cuda_device *)device)->properties;
}

static const char *backend_unavailable(void)
{
    static _Thread_local char text[2048];
    struct error error = {0};
    int count;
    if (cuda_probe(&count, &error) && cuda_nvrtc_load(&error))
        return NULL;
    error_format(&error, text, sizeof text);
    return text;
}

static uint32_t count_devices(void)
{
    int count;
    return cuda_probe(&count, NULL) ? (uint32_t)count : 0;
}

// ---- opening and closing

static void close_device(struct device *device)
{
    struct cuda_device *cuda = cuda_device_of(device);
    if (!cuda)
        return;
    if (cuda->context) {
        cupti_close(device);
        cuda_clock_finish(device);
        cuda_workspace_finish(&cuda->workspace);
        cuda_workspace_finish(&cuda->arguments);
        optix_close(cuda->optix);
        (void)CUDA_CALL(NULL, context_set, NULL);
        (void)CUDA_CALL(NULL, context_release, cuda->handle);
    }
    free(cuda);
}

static const struct device_counter_ops counter_ops = {
    .unavailable = cupti_unavailable,
    .profile_create = cupti_profile_create,
    .profile_begin_pass = cupti_profile_begin_pass,
    .profile_push = cupti_profile_push,
    .profile_pop = cupti_profile_pop,
    .profile_end_pass = cupti_profile_end_pass,
    .profile_values = cupti_profile_values,
    .profile_destroy = cupti_profile_destroy,
    .end = cupti_end,
    .sites_begin = cupti_sites_begin,
    .sites_take = cupti_sites_take,
    .stalls_begin = cupti_stalls_begin,
    .stalls_take = cupti_stalls_take,
    .timeline_open = cupti_timeline_open,
    .timeline_prepare = cupti_timeline_prepare,
    .timeline_begin = cupti_timeline_begin,
    .timeline_end = cupti_timeline_end,
};

static const struct device_ops cuda_ops = {
    .close = close_device,
    .properties = get_properties,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .alloc_host = cuda_alloc_host,
    .release_host = cuda_release_host,
    .upload = cuda_upload,
    .download = cuda_download,
    .fill = cuda_fill,
    .create_texture = cuda_create_texture,
    .release_texture = cuda_release_texture,
    .tracing = cuda_tracing,
    .create_structure = cuda_create_structure,
    .build = cuda_build,
    .release_program = cuda_release_program,
    .kernel = cuda_kernel,
    .facts = cuda_facts,
    .provenance = cuda_provenance,
    .compile_ahead = cuda_compile_ahead,
    .launch = cuda_launch,
    .resident_blocks = cuda_resident_blocks,
    .create_stream = cuda_create_stream,
    .destroy_stream = cuda_destroy_stream,
    .synchronize = cuda_synchronize,
    .create_event = cuda_create_event,
    .destroy_event = cuda_destroy_event,
    .record = cuda_record,
    .elapsed = cuda_elapsed,
    .wait = cuda_wait,
    .select_flagged = cuda_select_flagged,
    .sort_pairs = cuda_sort_pairs,
    .clock_stamp = cuda_clock_stamp,
    .clock_read = cuda_clock_read,
    .conditions = cuda_conditions,
    .counters = &counter_ops,
};

static bool device_init(struct cuda_device *cuda, uint32_t ordinal, struct error *error)
{
    int count;
    cuda->device.ops = &cuda_ops;
    if (!cuda_probe(&count, error) || !cuda_nvrtc_load(error))
        return false;
    if (ordinal >= (uint32_t)count)
        return error_set(error, ERROR_USE, "cuda:%u: this machine has %d GPU%s, numbered from 0", (unsigned)ordinal,
                         count, count == 1 ? "" : "s");
    if (!CUDA_CALL(error, device_get, &cuda->handle, (int)ordinal) ||
        !CUDA_CALL(error, context_retain, &cuda->context, cuda->handle) || !cuda_enter(&cuda->device, error) ||
        !cuda_read_properties(&cuda->properties, cuda->handle, error))
        return false;
    cuda->nvml = cuda_find_nvml(cuda->handle);
    return true;
}

static struct device *open_device(const struct device_settings *settings, struct error *error)
{
    struct cuda_device *cuda = memory_new(1, sizeof *cuda);
    if (device_init(cuda, settings ? settings->ordinal : 0, error))
        return &cuda->device;
    close_device(&cuda->device);
    return NULL;
}

// ---- what is there and what is missing, for `list` and `doctor`

static const char *backend_lacking(void)
{
    static _Thread_local char text[512];
    struct error error = {0};
    if (optix_headers(&error))
        return NULL;
    snprintf(text, sizeof text, "tree: optix: %.400s", error.message);
    return text;
}

static void examine_optix(cuda_module_line *line, void *context)
{
    struct error error = {0};
    struct device_tracing tracing;
    char text[160];
    struct device *device = optix_headers(&error) ? open_device(NULL, &error) : NULL;
    if (device && cuda_tracing(device, &tracing, &error)) {
        snprintf(text, sizeof text, "%s; %s, %s", tracing.name,
                 tracing.rt_cores ? "the GPU has RT cores" : "the GPU has no RT cores: traversal is software",
                 tracing.reorders ? "and reorders lanes" : "no reordering of lanes");
        line(context, CUDA_MODULE_GOOD, "OptiX", text);
    } else {
        cuda_examine_error(&error, "OptiX", line, context);
    }
    if (device)
        close_device(device);
}

static void examine_counters(cuda_module_line *line, void *context)
{
    struct error error = {0};
    struct device *device = open_device(NULL, &error);
    if (!device) {
        cuda_examine_error(&error, "counters", line, context);
        return;
    }
    const char *why = cuda_ops.counters->unavailable(device);
    line(context, why ? CUDA_MODULE_NOTE : CUDA_MODULE_GOOD, "counters", why ? why : "the GPU's counters can be read");
    close_device(device);
}

void cuda_examine(cuda_module_line *line, void *context)
{
    struct error error = {0};
    char text[128];
    int count;
    const bool usable = cuda_probe(&count, &error);
    if (usable)
        cuda_examine_gpus(count, line, context);
    else
        cuda_examine_error(&error, "CUDA driver", line, context);
    const struct cuda_nvrtc *nvrtc = cuda_nvrtc_load(&error);
    if (nvrtc) {
        snprintf(text, sizeof text, "version %d.%d", nvrtc->major, nvrtc->minor);
        line(context, CUDA_MODULE_GOOD, "NVRTC", text);
    } else
        cuda_examine_error(&error, "NVRTC", line, context);
    if (cuda_nvml_load(&error))
        line(context, CUDA_MODULE_GOOD, "NVML", "there: temperature, power, clocks, other programs on the GPU");
    else
        cuda_examine_error(&error, "NVML", line, context);
    examine_optix(line, context);
    if (usable && nvrtc)
        examine_counters(line, context);
}

const struct device_backend cuda_backend = {
    .name = "cuda",
    .summary = "NVIDIA GPUs, through the driver and NVRTC",
    .kind = DEVICE_GPU,
    .has_times = true,
    .unavailable = backend_unavailable,
    .lacking = backend_lacking,
    .count = count_devices,
    .open = open_device,
    .inspect = cuda_inspect,
};
