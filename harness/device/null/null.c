// SPDX-License-Identifier: MIT
// A device that accepts everything and runs nothing: it tests what drives devices. Its memory is real, so that uploads
// can be read back; a launch leaves it as it is. Frames of schedules that wait for what kernels write are ended by
// frame_read (frame/frame_launch.c).
#include "device/null/null.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// Handles: something to point to.
enum { KERNELS = 32 };
struct kernel_names { // apart, because looking one up changes no program
    struct device_kernel kernels[KERNELS];
    size_t count;
};
struct device_program {
    struct kernel_names *names;
    char provenance[128];
};
struct device_stream {
    char nothing;
};
struct device_event {
    char nothing;
};

static void null_close(struct device *device)
{
    free(device);
}

static const struct device_properties *null_properties(const struct device *device)
{
    return &((const struct null_device *)device)->properties;
}

static void *null_alloc(struct device *device, size_t bytes, struct error *error)
{
    void *memory = NULL;
    const bool fits = bytes <= null_of(device)->properties.memory; // never asked of the system in earnest
    if (!fits || posix_memalign(&memory, 256, bytes ? bytes : 1) != 0) {
        error_set(error, ERROR_SYSTEM, "the null device has no %zu bytes of memory", bytes);
        return NULL;
    }
    memset(memory, 0, bytes); // a launch writes nothing: what is read back must not depend on chance
    return memory;
}

static void null_release(struct device *device, void *memory)
{
    (void)device;
    free(memory);
}

static bool null_copy(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                      struct error *error)
{
    (void)device, (void)stream, (void)error;
    if (bytes > 0)
        memcpy(to, from, bytes);
    return true;
}

static bool null_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
                      struct error *error)
{
    (void)device, (void)stream, (void)error;
    if (bytes > 0)
        memset(to, value, bytes);
    return true;
}

static struct device_program *null_build(struct device *device, const struct device_build *build, struct error *error)
{
    (void)device, (void)error;
    struct device_program *program = memory_new(1, sizeof *program);
    program->names = memory_new(1, sizeof *program->names);
    snprintf(program->provenance, sizeof program->provenance, "null, %s, %s", build->counting ? "counting" : "clean",
             build->variant);
    return program;
}

static void null_release_program(struct device *device, struct device_program *program)
{
    (void)device;
    if (program)
        free(program->names);
    free(program);
}

static const struct device_kernel *null_kernel(const struct device_program *program, const char *name,
                                               struct error *error)
{
    struct kernel_names *names = program->names;
    for (size_t i = 0; i < names->count; ++i)
        if (!strcmp(names->kernels[i].name, name))
            return &names->kernels[i];
    if (names->count == KERNELS) {
        error_set(error, ERROR_FAILED, "the null device knows %d kernels of a program, and %s is one too many", KERNELS,
                  name);
        return NULL;
    }
    struct device_kernel *kernel = &names->kernels[names->count++];
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    return kernel;
}

static struct device_kernel_facts null_facts(const struct device_kernel *kernel)
{
    (void)kernel;
    return (struct device_kernel_facts){-1, -1, -1, -1};
}

static const char *null_provenance(const struct device_program *program)
{
    return program->provenance;
}

static bool null_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                        struct error *error)
{
    (void)device, (void)stream, (void)launch, (void)error;
    return true;
}

static struct device_stream *null_create_stream(struct device *device, struct error *error)
{
    (void)device, (void)error;
    return memory_new(1, sizeof(struct device_stream));
}

static void null_destroy_stream(struct device *device, struct device_stream *stream)
{
    (void)device;
    free(stream);
}

static bool null_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    (void)device, (void)stream, (void)error;
    return true;
}

static struct device_event *null_create_event(struct device *device, struct error *error)
{
    (void)device, (void)error;
    return memory_new(1, sizeof(struct device_event));
}

static void null_destroy_event(struct device *device, struct device_event *event)
{
    (void)device;
    free(event);
}

static bool null_record(struct device *device, struct device_stream *stream, struct device_event *event,
                        struct error *error)
{
    (void)device, (void)stream, (void)event, (void)error;
    return true;
}

static bool null_elapsed(struct device *device, struct device_event *from, struct device_event *to, double *seconds,
                         struct error *error)
{
    (void)device, (void)from, (void)to, (void)error;
    *seconds = 0;
    return true;
}

static bool null_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in,
                                const uint8_t *flags, uint32_t *out, uint32_t *count, uint32_t n, struct error *error)
{
    (void)device, (void)stream, (void)in, (void)flags, (void)out, (void)n, (void)error;
    *count = 0; // a loop that goes on while something is selected must end
    return true;
}

static bool null_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in,
                            uint32_t *keys_out, const uint32_t *values_in, uint32_t *values_out, uint32_t n,
                            uint32_t key_bits, struct error *error)
{
    (void)key_bits;
    return null_copy(device, stream, keys_out, keys_in, n * sizeof *keys_in, error) &&
           null_copy(device, stream, values_out, values_in, n * sizeof *values_in, error);
}

const struct device_ops null_ops = {
    .close = null_close,
    .properties = null_properties,
    .alloc = null_alloc,
    .release = null_release,
    .upload = null_copy,
    .download = null_copy,
    .fill = null_fill,
    .build = null_build,
    .release_program = null_release_program,
    .kernel = null_kernel,
    .facts = null_facts,
    .provenance = null_provenance,
    .launch = null_launch,
    .create_stream = null_create_stream,
    .destroy_stream = null_destroy_stream,
    .synchronize = null_synchronize,
    .create_event = null_create_event,
    .destroy_event = null_destroy_event,
    .record = null_record,
    .elapsed = null_elapsed,
    .select_flagged = null_select_flagged,
    .sort_pairs = null_sort_pairs,
};

void null_init(struct null_device *null, const struct device_settings *settings)
{
    null->device.ops = &null_ops;
    null->properties = (struct device_properties){
        .name = "null",
        .warp_width = settings && settings->warp_width ? settings->warp_width : 32,
        .max_block = 1024,
        .multiprocessors = 1,
        .max_warps_per_multiprocessor = 32,
        .max_blocks_per_multiprocessor = 1,
        .shared_per_block = 227 * 1024,
        .shared_per_multiprocessor = 227 * 1024,
        .memory = (uint64_t)1 << 36,
        .idle = true,
    };
}
