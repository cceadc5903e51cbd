// SPDX-License-Identifier: MIT
// The row `null` of the device table in programs that are built for tests, instead of that of harness/device/null.
#include "pretended_gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

extern const struct device_backend device_null_backend;

bool pretends(const char *word, unsigned time)
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

static void gpu_close(struct device *device)
{
    pretended_timeline_close(device);
    null_ops.close(device);
}

static bool gpu_download(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                         struct error *error)
{
    const bool done = null_ops.download(device, stream, to, from, bytes, error);
    // A word or two are what a schedule reads back; more is an image.
    if (bytes > 8 && pretends("restless", ++pretended_of(device)->downloads))
        *(unsigned char *)to ^= (unsigned char)pretended_of(device)->downloads;
    return done;
}

static struct device_kernel_facts gpu_facts(const struct device_kernel *kernel)
{
    return pretends("gpu", 1) ? (struct device_kernel_facts){64, 0, 0, 0} : null_ops.facts(kernel);
}

// Whether $WARPSTUDY_NULL_LOST has the word: how, 'l' or 'o', and the ordinal.
static bool gpu_is_lost(uint32_t ordinal, char how)
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

// Whether $WARPSTUDY_NULL_LOST says that the device drops out with this launch: if so, it says from then on that it is lost.
static bool drops_out(const struct pretended_gpu *gpu)
{
    const char *path = getenv("WARPSTUDY_NULL_LOST");
    FILE *file = path ? fopen(path, "a+e") : NULL;
    char word[16];
    unsigned ordinal, launch;
    bool drops = false;
    while (file && !drops && fscanf(file, "%15s", word) == 1)
        drops = sscanf(word, "d%u@%u", &ordinal, &launch) == 2 && ordinal == gpu->ordinal && launch == gpu->commands;
    if (drops) {
        fseek(file, 0, SEEK_END);
        fprintf(file, " l%u o%u\n", gpu->ordinal, gpu->ordinal); // appended: another device may do so as well
    }
    if (file)
        fclose(file);
    return drops;
}

static bool gpu_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                       struct error *error)
{
    struct pretended_gpu *gpu = pretended_of(device);
    gpu->lost |= pretends("lost", ++gpu->commands) || drops_out(gpu) || gpu_is_lost(gpu->ordinal, 'l');
    if (gpu->lost)
        return error_set(error, ERROR_DEVICE, "the null device is lost (WARPSTUDY_NULL=lost)");
    gpu->launches += 1;
    pretended_timeline_kernel(gpu, launch->kernel->name);
    for (uint32_t i = 0; i < gpu->launched_count; ++i)
        if (!strcmp(gpu->launched[i], launch->kernel->name))
            return true;
    if (gpu->launched_count < sizeof gpu->launched / sizeof *gpu->launched)
        strcpy(gpu->launched[gpu->launched_count++], launch->kernel->name);
    return true;
}

// "Compiles" nothing, and says so build by build.
static bool gpu_compile_ahead(struct device *device, const struct device_build *builds, size_t count,
                              void (*progress)(void *context, size_t done), void *context, struct error *error)
{
    for (size_t i = 0; progress && i < count; ++i)
        progress(context, i + 1);
    return true;
}

static bool gpu_clock_stamp(struct device *device, struct device_stream *stream, bool end, struct error *error)
{
    return true;
}

static bool gpu_clock_read(struct device *device, double *mhz, struct error *error)
{
    *mhz = pretends("clock", 1) ? PRETENDED_MHZ : NAN;
    return true;
}

static bool gpu_conditions(struct device *device, struct device_conditions *conditions, struct error *error)
{
    const unsigned look = ++pretended_of(device)->looks;
    const double hot = 95 - 10.0 * (look - 1);
    *conditions = (struct device_conditions){
        .temperature = pretends("scorched", look)          ? 95
                       : pretends("hot", look) && hot > 40 ? hot
                                                           : 40,
        .power = 100,
        .sm_mhz = PRETENDED_MHZ,
        .memory_mhz = NAN,
        .throttle = pretends("throttle", look) ? DEVICE_THROTTLE_POWER_CAP : 0,
        .foreign_processes = pretends("foreign", look),
    };
    return true;
}

static bool gpu_synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    return !pretended_of(device)->lost ||
           error_set(error, ERROR_DEVICE, "the null device is lost (WARPSTUDY_NULL=lost)");
}

static bool gpu_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in,
                               const uint8_t *flags, uint32_t *out, uint32_t *count, uint32_t n, struct error *error)
{
    pretended_timeline_kernel(pretended_of(device), "select_count"); // as libraries do: several kernels
    pretended_timeline_kernel(pretended_of(device), "select_place");
    return null_ops.select_flagged(device, stream, in, flags, out, count, n, error);
}

// ---- opening

static struct device_ops make_ops(void)
{
    struct device_ops ops = null_ops;
    ops.close = gpu_close;
    ops.download = gpu_download;
    ops.facts = gpu_facts;
    ops.compile_ahead = gpu_compile_ahead;
    ops.launch = gpu_launch;
    ops.synchronize = gpu_synchronize;
    ops.select_flagged = gpu_select_flagged;
    ops.clock_stamp = gpu_clock_stamp;
    ops.clock_read = gpu_clock_read;
    ops.conditions = gpu_conditions;
    ops.counters = &pretended_counter_ops;
    return ops;
}

static void describe(struct device_properties *properties, uint32_t ordinal)
{
    properties->times = pretends("clock", 1);
    if (pretends("mixed", 1))
        snprintf(properties->name, sizeof properties->name, "null %u", ordinal);
    if (!pretends("gpu", 1))
        return;
    snprintf(properties->uuid, sizeof properties->uuid, "GPU-%u", ordinal);
    properties->multiprocessors = 132;
    properties->max_warps_per_multiprocessor = 64;
    properties->max_blocks_per_multiprocessor = 32;
    properties->registers_per_multiprocessor = 65536;
    properties->compute_capability = 90;
}

static struct device *gpu_open(const struct device_settings *settings, struct error *error)
{
    static struct device_ops ops;
    const uint32_t ordinal = settings ? settings->ordinal : 0;
    if (gpu_is_lost(ordinal, 'o')) {
        error_set(error, ERROR_DEVICE, "null device %u cannot be opened (WARPSTUDY_NULL_LOST)", ordinal);
        return NULL;
    }
    struct pretended_gpu *gpu = memory_new(1, sizeof *gpu);
    ops = make_ops();
    null_init(&gpu->null, settings);
    gpu->null.device.ops = &ops;
    gpu->ordinal = ordinal;
    describe(&gpu->null.properties, ordinal);
    return &gpu->null.device;
}

static uint32_t gpu_count(void)
{
    return PRETENDED_GPUS;
}

const struct device_backend device_null_backend = {
    .name = NULL_NAME,
    .summary = NULL_SUMMARY,
    .kind = DEVICE_NOTHING,
    .count = gpu_count,
    .open = gpu_open,
};
