// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "device/opencl/opencl.h"
#include "device/opencl/primitives.kernel.h"
#include "device/opencl/sources.h"

// How a device's work is cut: into runs, each of a warp; and by how many lanes their sums are summed.
struct cut {
    uint32_t most_runs, summing_lanes;
};

static struct cut cut_for(const struct opencl_device *opencl)
{
    const struct cut processor = {.most_runs = 256, .summing_lanes = 1},
                     gpu = {.most_runs = 1024, .summing_lanes = 256};
    return opencl->properties.warp_width > 1 ? gpu : processor;
}

// Runs of a thousand elements or more, as long as that makes not too many.
static uint32_t count_runs(const struct opencl_device *opencl, uint32_t n)
{
    enum { RUN_LEAST = 1024 };
    const uint32_t runs = n / RUN_LEAST + 1, most = cut_for(opencl).most_runs;
    return runs < most ? runs : most;
}

static bool run_kernel(struct device *device, struct device_stream *stream, const char *name,
                       const struct device_launch *wanted, struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    const struct device_build build = {.variant = OPENCL_PRIMITIVES};
    if (!opencl->primitives && !(opencl->primitives = opencl_build(device, &build, error)))
        return false;
    struct device_launch launch = *wanted;
    launch.kernel = opencl_kernel(opencl->primitives, name, error);
    return launch.kernel && opencl_launch(device, stream, &launch, error);
}

// Launches a kernel for all runs, and one that sums what it counted: the first and second of the three names.
static bool run_all(struct device *device, struct device_stream *stream, const char *const names[3], uint32_t runs,
                    uint32_t words, const void *args, size_t args_size, struct error *error)
{
    const uint32_t warp = opencl_of(device)->properties.warp_width, lanes = cut_for(opencl_of(device)).summing_lanes;
    const struct device_launch of_runs = {.grid = runs,
                                          .block = warp,
                                          .shared_bytes = words * sizeof(uint32_t),
                                          .args = args,
                                          .args_size = args_size},
                               of_sum = {.grid = 1,
                                         .block = lanes,
                                         .shared_bytes = scan_words(lanes) * sizeof(uint32_t),
                                         .args = args,
                                         .args_size = args_size};
    return run_kernel(device, stream, names[0], &of_runs, error) &&
           run_kernel(device, stream, names[1], &of_sum, error) &&
           run_kernel(device, stream, names[2], &of_runs, error);
}

bool opencl_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in,
                           const uint8_t *flags, uint32_t *out, uint32_t *count, uint32_t n, struct error *error)
{
    static const char *const names[] = {"select_count", "select_sum", "select_move"};
    const uint32_t runs = count_runs(opencl_of(device), n);
    const struct select_args args = {.in = in,
                                     .flags = flags,
                                     .out = out,
                                     .count = count,
                                     .sums = opencl_workspace(device, stream, runs, error),
                                     .n = n,
                                     .runs = runs};
    return args.sums && run_all(device, stream, names, runs, 0, &args, sizeof args, error);
}

// At least one pass, which copies where keys have no bits. Passes write by turns to the workspace and to what the caller
// gave, which the last one does.
bool opencl_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in, uint32_t *keys_out,
                       const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits,
                       struct error *error)
{
    static const char *const names[] = {"sort_count", "sort_sum", "sort_move"};
    const uint32_t digit = PRIMITIVES_DIGIT_BITS, passes = key_bits > digit ? (key_bits + digit - 1) / digit : 1;
    const uint32_t runs = count_runs(opencl_of(device), n);
    if (key_bits > 32)
        return error_set(error, ERROR_USE, "a key has 32 bits, not %u", (unsigned)key_bits);
    if (n == 0)
        return true;
    uint32_t *words = opencl_workspace(device, stream, runs * (size_t)PRIMITIVES_DIGITS + 2 * (size_t)n, error);
    if (!words)
        return false;
    struct sort_args args = {.keys = keys_in, .values = values_in, .table = words, .n = n, .runs = runs};
    uint32_t *const keys = words + runs * (size_t)PRIMITIVES_DIGITS, *const values = keys + n;
    for (uint32_t pass = 0; pass < passes; ++pass) {
        const bool to_caller = (passes - 1 - pass) % 2 == 0;
        args.shift = pass * digit;
        args.digits = 1u << (key_bits - args.shift < digit ? key_bits - args.shift : digit);
        args.keys_out = to_caller ? keys_out : keys;
        args.values_out = to_caller ? values_out : values;
        if (!run_all(device, stream, names, runs, args.digits, &args, sizeof args, error))
            return false;
        args.keys = args.keys_out;
        args.values = args.values_out;
    }
    return true;
}
