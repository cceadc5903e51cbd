// SPDX-License-Identifier: MIT
// Prints what the emulator's switches cost, in nanoseconds a lane, on one thread.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "device/device.h"
#include "emulator_kernels.h"

enum { GRID = 200, BLOCK = 64, ROUNDS = 200 };

// The best of several, in nanoseconds for each of `events` events of each lane.
static double measure(struct device *device, const struct device_program *program, const char *name, uint32_t grid,
                      uint32_t block, uint32_t events)
{
    struct error error = {0};
    uint32_t out = 0;
    const struct emulator_test_args args = {.out = &out, .a = events};
    const struct device_kernel *kernel = device->ops->kernel(program, name, &error);
    const struct device_launch launch = {
        .kernel = kernel, .grid = grid, .block = block, .args = &args, .args_size = sizeof args};
    double best = 1e30;
    for (int i = 0; i < 7; i++) {
        const double start = clock_seconds();
        if (!kernel || !device->ops->launch(device, NULL, &launch, &error)) {
            fprintf(stderr, "%s\n", error.message);
            exit(1);
        }
        const double seconds = clock_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return 1e9 * best / ((double)grid * block * events);
}

int main(void)
{
    static const uint32_t blocks[] = {32, BLOCK, 256, 1024};
    const struct device_settings settings = {.threads = 1};
    struct error error = {0};
    struct device *device = device_open("emulator", &settings, &error);
    const struct device_build build = {.variant = "test"};
    struct device_program *program = device ? device->ops->build(device, &build, &error) : NULL;
    if (!program) {
        fprintf(stderr, "%s\n", error.message);
        device_close(device);
        return 1;
    }
    printf("ns a lane       barrier   vote   start + barrier + finish\n");
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        const uint32_t grid = GRID * BLOCK / blocks[i];
        printf("block of %4u   %8.1f %6.1f   %8.1f\n", blocks[i],
               measure(device, program, "bench_barriers", grid, blocks[i], ROUNDS),
               measure(device, program, "bench_votes", grid, blocks[i], ROUNDS),
               measure(device, program, "bench_start", grid * 50, blocks[i], 1));
    }
    device->ops->release_program(device, program);
    device_close(device);
    return 0;
}
