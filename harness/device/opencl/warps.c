// SPDX-License-Identifier: MIT
// Warps that are sub-groups: how wide they are, and whether they do what kernels take for granted. A kernel is compiled for a
// width, which the device is then asked for, and a kernel of questions is run (warps.kernel.h).
#include <stdio.h>

#include "device/opencl/opencl.h"
#include "device/opencl/warps.kernel.h"

#define OPENCL_WARPS_PROGRAM "opencl/warps"

enum { WARPS_TO_ASK = 5, FIRST_GUESS = 32 }; // the fifth warp is short

static bool is_width(size_t width)
{
    return width >= 4 && width <= 64 && (width & (width - 1)) == 0;
}

// ---- questions

static const char *const wrong_answers[WARPS_QUESTIONS] = {
    [WARPS_PLACES] = "lanes of its sub-groups are not consecutive",
    [WARPS_VOTES] = "votes of its sub-groups are wrong",
    [WARPS_BRANCHES] = "its sub-groups cannot vote in a branch",
    [WARPS_LOOPS] = "its sub-groups cannot vote in a loop that lanes leave one by one",
    [WARPS_PATHS] = "lanes of its sub-groups that leave a function early do not wait for the others",
    [WARPS_LEADERS] = "lanes of its sub-groups do not come together behind what one of them does",
    [WARPS_SINGLES] = "a lane of its sub-groups cannot vote alone",
    [WARPS_SUMS] = "shuffles of its sub-groups are wrong",
    [WARPS_EXITS] = "its sub-groups cannot vote after lanes have returned",
};

// "" where all answers of all lanes are right.
static void judge(const uint32_t right[WARPS_QUESTIONS], uint32_t lanes, char lacks[OPENCL_LACKS])
{
    for (int i = 0; i < WARPS_QUESTIONS; ++i)
        if (right[i] != lanes) {
            snprintf(lacks, OPENCL_LACKS, "%s (right in %u of %u lanes)", wrong_answers[i], (unsigned)right[i],
                     (unsigned)lanes);
            return;
        }
}

static bool ask(struct opencl_device *opencl, const struct device_kernel *kernel, char lacks[OPENCL_LACKS],
                struct error *error)
{
    enum { BLOCKS = 3 };
    struct device *device = &opencl->device;
    uint32_t right[WARPS_QUESTIONS] = {0};
    const uint32_t width = opencl->properties.warp_width, wished = WARPS_TO_ASK * width - width / 2;
    const uint32_t block = wished < kernel->max_block ? wished : (uint32_t)kernel->max_block;
    const struct warps_args args = {.right = opencl_alloc(device, sizeof right, error)};
    const struct device_launch launch = {
        .kernel = kernel, .grid = BLOCKS, .block = block, .args = &args, .args_size = sizeof args};
    const bool done = args.right && opencl_upload(device, NULL, args.right, right, sizeof right, error) &&
                      opencl_launch(device, NULL, &launch, error) &&
                      opencl_download(device, NULL, right, args.right, sizeof right, error) &&
                      opencl_synchronize(device, NULL, error);
    opencl_release(device, args.right);
    if (done)
        judge(right, BLOCKS * block, lacks);
    return done;
}

// Compiles the kernel of questions for warps of `width` lanes, and puts its questions if the device makes them so wide in
// all blocks; `made` is how wide they are.
static bool try_width(struct opencl_device *opencl, uint32_t width, size_t *made, char lacks[OPENCL_LACKS],
                      struct error *error)
{
    const struct device_build build = {.variant = OPENCL_WARPS_PROGRAM};
    opencl->properties.warp_width = width;
    struct device_program *program = opencl_build(&opencl->device, &build, error);
    const struct device_kernel *kernel = program ? opencl_kernel(program, "warps_ask", error) : NULL;
    const size_t most = kernel ? kernel->max_block : 0, block = most < 4 * width ? most : 4 * width;
    bool done = kernel && opencl_kernel_warps(opencl, kernel, block, made, error);
    if (done && *made != width)
        snprintf(lacks, OPENCL_LACKS, "its sub-groups have %zu lanes in blocks of %zu, where %u were asked for", *made,
                 block, (unsigned)width);
    else if (done)
        done = ask(opencl, kernel, lacks, error);
    opencl_release_program(&opencl->device, program);
    return done;
}

static bool find_width(struct opencl_device *opencl, char lacks[OPENCL_LACKS], struct error *error)
{
    const uint32_t chosen = opencl_chosen_width(opencl->id);
    size_t made = 0;
    opencl->chooses_warps = chosen != 0;
    if (!try_width(opencl, chosen ? chosen : FIRST_GUESS, &made, lacks, error))
        return false;
    if (chosen || made == FIRST_GUESS || !is_width(made))
        return true;
    lacks[0] = 0;
    return try_width(opencl, (uint32_t)made, &made, lacks, error);
}

// ---- what a device gets

bool opencl_settle_warps(struct opencl_device *opencl, struct error *error)
{
    struct error failed = {0};
    struct device_properties *properties = &opencl->properties;
    const bool processor = opencl_is_processor(opencl->id);
    char *lacks = opencl->warps_lack;
    if (opencl->warps != OPENCL_SUBGROUPS)
        return true;
    if (!find_width(opencl, lacks, &failed))
        snprintf(lacks, OPENCL_LACKS, "its sub-groups cannot be tried: %.180s", failed.message);
    if (lacks[0] && !processor)
        return error_set(error, ERROR_UNSUPPORTED, "%s: %s", properties->name, lacks);
    if (lacks[0]) {
        opencl->warps = OPENCL_ALONE;
        properties->warp_width = 1;
    } else if (!processor) { // a block's, for OpenCL says no more
        properties->max_warps_per_multiprocessor = properties->max_block / properties->warp_width;
        properties->max_blocks_per_multiprocessor = properties->max_warps_per_multiprocessor;
    }
    return true;
}
