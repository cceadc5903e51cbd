// SPDX-License-Identifier: MIT
#include "device/emulator/emulator.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/processors.h"
#include "device/emulator/kernels.h"

extern const struct device_backend device_emulator_backend;

static const double default_spin_seconds = 20;
enum { DEFAULT_WARP_WIDTH = 32, MAX_THREADS = 1024 };

static void emulator_close(struct device *device)
{
    struct emulator_device *emulator = (struct emulator_device *)device;
    workers_destroy(emulator->workers);
    free(emulator);
}

static const struct device_properties *emulator_properties(const struct device *device)
{
    return &((const struct emulator_device *)device)->properties;
}

static bool emulator_take_lockstep(struct device *device, struct device_lockstep *rows, uint32_t kinds,
                                   uint32_t bounces, struct device_lockstep *entered)
{
    memset(entered, 0, DEVICE_ENTRY_LANES * sizeof *entered);
    memset(rows, 0, (size_t)kinds * bounces * sizeof *rows);
    workers_take_lockstep(((struct emulator_device *)device)->workers, rows, kinds, bounces, entered);
    return true;
}

static const struct device_ops emulator_ops = {
    .close = emulator_close,
    .properties = emulator_properties,
    .alloc = emulator_alloc,
    .release = emulator_release,
    .upload = emulator_upload,
    .download = emulator_upload,
    .fill = emulator_fill,
    .build = emulator_build,
    .release_program = emulator_release_program,
    .kernel = emulator_kernel,
    .facts = emulator_facts,
    .provenance = emulator_provenance,
    .launch = emulator_launch,
    .resident_blocks = emulator_resident_blocks,
    .create_stream = emulator_create_stream,
    .destroy_stream = emulator_destroy_stream,
    .synchronize = emulator_synchronize,
    .create_event = emulator_create_event,
    .destroy_event = emulator_destroy_event,
    .record = emulator_record,
    .elapsed = emulator_elapsed,
    .select_flagged = emulator_select_flagged,
    .sort_pairs = emulator_sort_pairs,
    .take_lockstep = emulator_take_lockstep,
};

// Whether this processor runs the build for x86-64-v3.
#if defined __x86_64__
static bool emulator_has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
#else
static bool emulator_has_v3(void)
{
    return false;
}
#endif

static bool known_warp_width(uint32_t width)
{
    return width == 1 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
}

// Puts the defaults in place of zeros, and refuses what makes no sense.
static bool resolve(struct device_settings *settings, struct error *error)
{
    if (settings->warp_width == 0)
        settings->warp_width = DEFAULT_WARP_WIDTH;
    if (!known_warp_width(settings->warp_width))
        return error_set(error, ERROR_USE, "the emulator's warps have 1, 4, 8, 16, 32 or 64 lanes, not %u",
                         settings->warp_width);
    if (settings->threads == 0)
        settings->threads = processors_usable();
    if (settings->threads > MAX_THREADS)
        return error_set(error, ERROR_USE, "the emulator has at most %d threads, not %u", MAX_THREADS,
                         settings->threads);
    if (settings->multiprocessors == 0)
        settings->multiprocessors = MULTIPROCESSORS;
    if (settings->spin_seconds == 0)
        settings->spin_seconds = default_spin_seconds;
    if (!(settings->spin_seconds > 0))
        return error_set(error, ERROR_USE, "the time after which a lane is said to spin must be above 0");
    settings->portable = settings->portable || !emulator_has_v3() || emulator_builds[0].portable; // there are no others
    return true;
}

// "Intel(R) Xeon(R) Processor" from /proc/cpuinfo, or something less telling.
static void read_processor_name(char *name, size_t size)
{
    snprintf(name, size, "emulator");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        snprintf(name, size, "%.90s", value + 1 + (value[1] == ' '));
        name[strcspn(name, "\n")] = 0;
        break;
    }
    if (file)
        fclose(file);
}

static void emulator_describe(struct device_properties *properties, const struct device_settings *settings)
{
    char processor[100];
    read_processor_name(processor, sizeof processor);
    *properties = (struct device_properties){
        .warp_width = settings->warp_width,
        .max_block = BLOCK_MAX_LANES,
        .multiprocessors = settings->multiprocessors,
        .max_warps_per_multiprocessor = BLOCK_MAX_LANES / settings->warp_width,
        .max_blocks_per_multiprocessor = RESIDENT_BLOCKS,
        .shared_per_block = SHARED_MEMORY_MAX,
        .shared_per_multiprocessor = SHARED_MEMORY_MAX,
        .memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
    };
    snprintf(properties->name, sizeof properties->name, "%s (%u thread%s)", processor, settings->threads,
             settings->threads == 1 ? "" : "s");
    snprintf(properties->driver, sizeof properties->driver, "emulator, %s",
             settings->portable ? "portable" : "x86-64-v3");
}

static struct device *emulator_open(const struct device_settings *requested, struct error *error)
{
    struct device_settings settings = requested ? *requested : (struct device_settings){0};
    if (!resolve(&settings, error))
        return NULL;
    struct emulator_device *emulator = memory_new(1, sizeof *emulator);
    emulator->device.ops = &emulator_ops;
    emulator->portable = settings.portable;
    emulator_describe(&emulator->properties, &settings);
    emulator->workers = workers_create(settings.threads, &settings, error);
    if (emulator->workers)
        return &emulator->device;
    free(emulator);
    return NULL;
}

static const char *const options[] = {"warp_width", "threads", "lane_order", NULL};

const struct device_backend device_emulator_backend = {
    .name = "emulator",
    .summary =
        "runs kernels on the CPU, lane by lane, and checks them: counts are exact, times say nothing about a GPU",
    .kind = DEVICE_MODEL,
    .options = options,
    .open = emulator_open,
};
