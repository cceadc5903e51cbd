// SPDX-License-Identifier: MIT
// A device that accepts everything and runs nothing: it tests what drives devices. Its memory is real, so that uploads
// can be read back; a launch leaves it as it is. Frames of schedules that wait for what kernels write are ended by
// frame_read (frame/frame.c).
#include "device/null/null.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct device_backend device_null_backend;

// Handles: something to point to.
struct device_kernel {
    char name[48];
};
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
    struct device *device;
};
struct device_event {
    struct device *device;
};

bool null_pretends(const char *word, unsigned time)
{
    const char *place = getenv("WARPSTUDY_NULL");
    while (place && *place) {
        const size_t length = strcspn(place, ",@");
        const unsigned from = place[length] == '@' ? (unsigned)strtoul(place + length + 1, NULL, 10) : 1;
        if (strlen(word) == length && !memcmp(place, word, length))
            return time >= from;
        place += strcspn(place, ",");
        place += *place == ',';
    }
    return false;
}

static void *create(size_t size, struct error *error)
{
    void *memory = calloc(1, size);
    if (!memory)
        error_set(error, ERROR_SYSTEM, "the null device has no %zu bytes of memory", size);
    return memory;
}

static void null_close(struct device *device)
{
    if (device)
        null_timeline_close(device);
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

static bool null_download(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                          struct error *error)
{
    const bool done = null_copy(device, stream, to, from, bytes, error);
    // A word or two are what a schedule reads back; more is an image.
    if (bytes > 8 && null_pretends("restless", ++null_of(device)->downloads))
        *(unsigned char *)to ^= (unsigned char)null_of(device)->downloads;
    return done;
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
    (void)device;
    struct device_program *program = create(sizeof *program, error);
    if (!program)
        return NULL;
    program->names = create(sizeof *program->names, error);
    snprintf(program->provenance, sizeof program->provenance, "null, %s, %s", build->counting ? "counting" : "clean",
             build->variant);
    if (program->names)
        return program;
    free(program);
    return NULL;
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
    return null_pretends("gpu", 1) ? (struct device_kernel_facts){64, 0, 0, 0}
                                   : (struct device_kernel_facts){-1, -1, -1, -1};
}

static const char *null_provenance(const struct device_program *program)
{
    return program->provenance;
}

// Whether $WARPSTUDY_NULL_LOST says that the device drops out with this launch: if so, it says from then on that it is lost.
static bool drops_out(const struct null_device *null)
{
    const char *path = getenv("WARPSTUDY_NULL_LOST");
    FILE *file = path ? fopen(path, "a+e") : NULL;
    char word[16];
    unsigned ordinal, launch;
    bool drops = false;
    while (file && !drops && fscanf(file, "%15s", word) == 1)
        drops = sscanf(word, "d%u@%u", &ordinal, &launch) == 2 && ordinal == null->ordinal && launch == null->commands;
    if (drops) {
        fseek(file, 0, SEEK_END);
        fprintf(file, " l%u o%u\n", null->ordinal, null->ordinal); // appended: another device may do so as well
    }
    if (file)
        fclose(file);
    return drops;
}

static bool null_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                        struct error *error)
{
    struct null_device *null = null_of(device);
    (void)stream;
    null->lost |= null_pretends("lost", ++null->commands) || drops_out(null) || null_is_lost(null->ordinal, 'l');
    if (null->lost)
        return error_set(error, ERROR_DEVICE, "the null device is lost (WARPSTUDY_NULL=lost)");
    null->launches += 1;
    null_timeline_kernel(null, launch->kernel->name);
    for (uint32_t i = 0; i < null->launched_count; ++i)
        if (!strcmp(null->launched[i], launch->kernel->name))
            return true;
    if (null->launched_count < sizeof null->launched / sizeof *null->launched)
        strcpy(null->launched[null->launched_count++], launch->kernel->name);
    return true;
}

// "Compiles" nothing, and says so build by build.
static bool null_compile_ahead(struct device *device, const struct device_build *builds, size_t count,
                               void (*progress)(void *context, size_t done), void *context, struct error *error)
{
    (void)device, (void)builds, (void)error;
    for (size_t i = 0; progress && i < count; ++i)
        progress(context, i + 1);
    return true;
}

static bool null_clock_stamp(struct device *device, struct device_stream *stream, bool end, struct error *error)
{
    (void)device, (void)stream, (void)end, (void)error;
    return true;
}

static bool null_clock_read(struct device *device, double *mhz, struct error *error)
{
    (void)device, (void)error;
    *mhz = null_pretends("clock", 1) ? NULL_MHZ : NAN;
    return true;
}

static bool null_conditions(struct device *device, struct device_conditions *conditions, struct error *error)
{
    const unsigned look = ++null_of(device)->looks;
    const double hot = 95 - 10.0 * (look - 1);
    (void)error;
    *conditions = (struct device_conditions){
        .temperature = null_pretends("scorched", look)          ? 95
                       : null_pretends("hot", look) && hot > 40 ? hot
                                                                : 40,
        .power = 100,
        .sm_mhz = NULL_MHZ,
        .memory_mhz = NAN,
        .throttle = null_pretends("throttle", look) ? DEVICE_THROTTLE_POWER_CAP : 0,
        .foreign_processes = null_pretends("foreign", look),
    };
    return true;
}

static struct device_stream *null_create_stream(struct device *device, struct error *error)
{
    struct device_stream *stream = create(sizeof *stream, error);
    if (stream)
        stream->device = device;
    return stream;
}

static void null_destroy_stream(struct device *device, struct device_stream *stream)
{
    (void)device;
    free(stream);
}

static bool null_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    (void)stream;
    return !null_of(device)->lost || error_set(error, ERROR_DEVICE, "the null device is lost (WARPSTUDY_NULL=lost)");
}

static struct device_event *null_create_event(struct device *device, struct error *error)
{
    struct device_event *event = create(sizeof *event, error);
    if (event)
        event->device = device;
    return event;
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
    (void)stream, (void)in, (void)flags, (void)out, (void)n, (void)error;
    null_timeline_kernel(null_of(device), "select_count"); // as libraries do: several kernels
    null_timeline_kernel(null_of(device), "select_place");
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

static bool null_take_lockstep(struct device *device, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces,
                               struct device_lockstep *entered)
{
    (void)device, (void)rows, (void)kinds, (void)bounces, (void)entered;
    return false;
}

static const struct device_ops null_ops = {
    .close = null_close,
    .properties = null_properties,
    .alloc = null_alloc,
    .release = null_release,
    .upload = null_copy,
    .download = null_download,
    .fill = null_fill,
    .build = null_build,
    .release_program = null_release_program,
    .kernel = null_kernel,
    .facts = null_facts,
    .provenance = null_provenance,
    .compile_ahead = null_compile_ahead,
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
    .take_lockstep = null_take_lockstep,
    .clock_stamp = null_clock_stamp,
    .clock_read = null_clock_read,
    .conditions = null_conditions,
    .counters = &null_counter_ops,
};

bool null_is_lost(uint32_t ordinal, char how)
{
    const char *path = getenv("WARPSTUDY_NULL_LOST");
    FILE *file = path ? fopen(path, "re") : NULL;
    char word[8], wanted[8];
    bool lost = false;
    snprintf(wanted, sizeof wanted, "%c%u", how, ordinal % 100);
    while (file && !lost && fscanf(file, "%7s", word) == 1)
        lost = !strcmp(word, wanted);
    if (file)
        fclose(file);
    return lost;
}

static struct device *null_open(const struct device_settings *settings, struct error *error)
{
    const uint32_t ordinal = settings ? settings->ordinal : 0;
    if (null_is_lost(ordinal, 'o')) {
        error_set(error, ERROR_DEVICE, "null device %u cannot be opened (WARPSTUDY_NULL_LOST)", ordinal);
        return NULL;
    }
    struct null_device *null = create(sizeof *null, error);
    if (!null)
        return NULL;
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
        .times = null_pretends("clock", 1),
        .idle = true,
    };
    null->ordinal = ordinal;
    if (null_pretends("mixed", 1))
        snprintf(null->properties.name, sizeof null->properties.name, "null %u", ordinal);
    if (null_pretends("gpu", 1)) {
        snprintf(null->properties.uuid, sizeof null->properties.uuid, "GPU-%u", ordinal);
        null->properties.multiprocessors = 132;
        null->properties.max_warps_per_multiprocessor = 64;
        null->properties.max_blocks_per_multiprocessor = 32;
        null->properties.registers_per_multiprocessor = 65536;
        null->properties.compute_capability = 90;
    }
    return &null->device;
}

static const char *null_unavailable(void)
{
    return NULL;
}

static uint32_t null_count(void)
{
    return NULL_DEVICES;
}

const struct device_backend device_null_backend = {
    .name = "null",
    .summary = "accepts everything and runs nothing, to test the runner itself",
    .kind = DEVICE_NOTHING,
    .unavailable = null_unavailable,
    .count = null_count,
    .open = null_open,
};
