// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "device/opencl/opencl.h"
#include "device/opencl/primitives.kernel.h"
#include "device/opencl/sources.h"

static bool run_kernel(struct device *device, struct device_stream *stream, const char *name, uint32_t lanes,
                       const void *args, size_t args_size, struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    const struct device_build build = {.variant = OPENCL_PRIMITIVES};
    if (!opencl->primitives && !(opencl->primitives = opencl_build(device, &build, error)))
        return false;
    const struct device_kernel *kernel = opencl_kernel(opencl->primitives, name, error);
    const struct device_launch launch = {
        .kernel = kernel, .grid = lanes, .block = 1, .args = args, .args_size = args_size};
    return kernel && opencl_launch(device, stream, &launch, error);
}

// Runs of a thousand elements or more, as long as that makes no more than PRIMITIVES_RUNS.
static uint32_t count_runs(uint32_t n)
{
    enum { RUN_LEAST = 1024 };
    const uint32_t runs = n / RUN_LEAST + 1;
    return runs < PRIMITIVES_RUNS ? runs : PRIMITIVES_RUNS;
}

bool opencl_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in,
                           const uint8_t *flags, uint32_t *out, uint32_t *count, uint32_t n, struct error *error)
{
    const struct select_args args = {.in = in,
                                     .flags = flags,
                                     .out = out,
                                     .count = count,
                                     .sums = opencl_workspace(device, stream, PRIMITIVES_RUNS, error),
                                     .n = n,
                                     .runs = count_runs(n)};
    return args.sums && run_kernel(device, stream, "select_count", args.runs, &args, sizeof args, error) &&
           run_kernel(device, stream, "select_sum", 1, &args, sizeof args, error) &&
           run_kernel(device, stream, "select_move", args.runs, &args, sizeof args, error);
}

static bool sort_pass(struct device *device, struct device_stream *stream, const struct sort_args *args,
                      struct error *error)
{
    return run_kernel(device, stream, "sort_count", args->runs, args, sizeof *args, error) &&
           run_kernel(device, stream, "sort_sum", 1, args, sizeof *args, error) &&
           run_kernel(device, stream, "sort_move", args->runs, args, sizeof *args, error);
}

// At least one pass, which copies where keys have no bits. Passes write by turns to the workspace and to what the caller
// gave, which the last one does.
bool opencl_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in, uint32_t *keys_out,
                       const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits,
                       struct error *error)
{
    const uint32_t digit = PRIMITIVES_DIGIT_BITS, passes = key_bits > digit ? (key_bits + digit - 1) / digit : 1;
    if (key_bits > 32)
        return error_set(error, ERROR_USE, "a key has 32 bits, not %u", (unsigned)key_bits);
    if (n == 0)
        return true;
    uint32_t *words = opencl_workspace(device, stream, PRIMITIVES_RUNS * PRIMITIVES_DIGITS + 2 * (size_t)n, error);
    if (!words)
        return false;
    struct sort_args args = {.keys = keys_in, .values = values_in, .table = words, .n = n, .runs = count_runs(n)};
    uint32_t *const keys = words + PRIMITIVES_RUNS * PRIMITIVES_DIGITS, *const values = keys + n;
    for (uint32_t pass = 0; pass < passes; ++pass) {
        const bool to_caller = (passes - 1 - pass) % 2 == 0;
        args.shift = pass * digit;
        args.digits = 1u << (key_bits - args.shift < digit ? key_bits - args.shift : digit);
        args.keys_out = to_caller ? keys_out : keys;
        args.values_out = to_caller ? values_out : values;
        if (!sort_pass(device, stream, &args, error))
            return false;
        args.keys = args.keys_out;
        args.values = args.values_out;
    }
    return true;
}
