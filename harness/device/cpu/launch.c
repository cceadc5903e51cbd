// SPDX-License-Identifier: MIT
// Blocks of a launch are handed out to threads one by one; a thread runs the lanes of a block one after the other.
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "device/cpu/cpu.h"
#include "lib/platform_alone.h"

enum { STACK_BYTES = 1 << 20 };

struct blocks {
    const struct emulator_kernel *kernel;
    const void *args;
    uint32_t grid, block;
    size_t shared_bytes;
    uint32_t next;       // block to be handed out
    const char *refused; // what a lane wanted that it cannot have; NULL: nothing
};

static _Thread_local jmp_buf leave;
static _Thread_local const char *refused;

void cpu_refuse(const char *what)
{
    refused = what;
    longjmp(leave, 1);
}

static void run_blocks(struct blocks *blocks, struct emulator_lane *lane)
{
    for (uint32_t block; (block = __atomic_fetch_add(&blocks->next, 1, __ATOMIC_RELAXED)) < blocks->grid;) {
        lane->block_index = block;
        for (lane->thread_index = 0; lane->thread_index < blocks->block; ++lane->thread_index)
            blocks->kernel->run(blocks->args);
    }
}

static void *launch_work(void *context)
{
    struct blocks *blocks = context;
    struct emulator_lane lane = {.block_size = blocks->block,
                                 .grid_size = blocks->grid,
                                 .warp_width = 1,
                                 .warp_mask = 1,
                                 .shared = memory_new(1, blocks->shared_bytes + 16)};
    emulator_lane = &lane;
    if (!setjmp(leave)) {
        run_blocks(blocks, &lane);
    } else {
        __atomic_store_n(&blocks->refused, refused, __ATOMIC_RELAXED);
        __atomic_store_n(&blocks->next, blocks->grid, __ATOMIC_RELAXED);
    }
    emulator_lane = NULL;
    free(lane.shared);
    return NULL;
}

// This thread works, too: one that cannot be started is not missed.
static void run_on_threads(struct blocks *blocks, uint32_t threads)
{
    pthread_t *others = memory_new(threads, sizeof *others);
    uint32_t started = 0;
    while (started + 1 < threads && started + 1 < blocks->grid &&
           pthread_create(&others[started], NULL, launch_work, blocks) == 0)
        ++started;
    launch_work(blocks);
    while (started > 0)
        pthread_join(others[--started], NULL);
    free(others);
}

bool cpu_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                struct error *error)
{
    const struct cpu_device *cpu = (const struct cpu_device *)device;
    if (launch->kernel->emulated) {
        struct device_launch counted = *launch;
        counted.kernel = launch->kernel->emulated;
        return cpu->emulator->ops->launch(cpu->emulator, stream, &counted, error);
    }
    struct blocks blocks = {.kernel = launch->kernel->row,
                            .args = launch->args,
                            .grid = launch->grid,
                            .block = launch->block,
                            .shared_bytes = launch->shared_bytes};
    if (launch->cooperative)
        blocks.refused = "blocks that wait for each other";
    else
        run_on_threads(&blocks, cpu->threads);
    if (!blocks.refused)
        return true;
    error_set(error, ERROR_UNSUPPORTED, "kernel %s needs %s, which the device cpu has not", blocks.kernel->name,
              blocks.refused);
    return error_remedy(error, "run it on the emulator or a GPU");
}
