// SPDX-License-Identifier: MIT
// Scans, sorts and queues on the GPU, and launches whose blocks wait for one another.
#include "cuda_device_checks.h"

#include <stdio.h>
#include <string.h>

#include "block_reference.h"
#include "device/cuda/backend.h"

#define COUNTING 0
#include "lib/queue.h"

#define BOTH(...)                                                                                                      \
    __VA_ARGS__                                                                                                        \
    static const char block_text[] = #__VA_ARGS__ "\n";
#include "block_kernels.h"

enum { GRID = 12, BLOCK = 100, LANES = GRID * BLOCK, ITEMS = 20000 };

// Memory there, and a copy here.
struct sheets {
    uint32_t in[ITEMS], out[ITEMS], trips[LANES], words[2 * GRID + 1];
};

static struct device_program *build(struct device *device, enum choice_tickets tickets)
{
    static char text[sizeof block_text + 128];
    snprintf(text, sizeof text, "#define CONFIG_tickets %d\n#include \"lib/queue.h\"\n%s", (int)tickets, block_text);
    return cuda_build_source(device, "lib/platform.h", text, &error);
}

static struct block_test_args args_of(struct sheets *there)
{
    return (struct block_test_args){
        .in = there->in, .out = there->out, .trips = there->trips, .queue = {there->words, ITEMS}, .key_bits = 3};
}

// Uploads, launches, downloads. `blocks`: of the grid.
static bool run(struct device *device, const char *kernel, enum choice_tickets tickets, uint32_t blocks,
                struct sheets *there, struct sheets *here)
{
    const struct device_ops *ops = device->ops;
    struct device_program *program = build(device, tickets);
    const struct block_test_args args = args_of(there);
    struct device_launch launch = {.grid = blocks,
                                   .block = BLOCK,
                                   .shared_bytes = sizeof(uint32_t) * block_sort_words(BLOCK, 32),
                                   .args = &args,
                                   .args_size = sizeof args,
                                   .cooperative = !strcmp(kernel, "queue_drain")};
    memset(here->out, 0, sizeof *here - sizeof here->in);
    launch.kernel = program ? ops->kernel(program, kernel, &error) : NULL;
    const bool done = launch.kernel && ops->upload(device, NULL, there, here, sizeof *here, &error) &&
                      ops->launch(device, NULL, &launch, &error) && ops->synchronize(device, NULL, &error) &&
                      ops->download(device, NULL, here, there, sizeof *here, &error);
    ops->release_program(device, program);
    return done;
}

static void check_sorts(struct device *device, struct sheets *there, struct sheets *here)
{
    CHECK(run(device, "block_sorts", TICKETS_ORDERED, GRID, there, here));
    bool sorted = true;
    for (uint32_t i = 0; i < LANES; ++i) {
        const uint32_t *pair = here->out + 2 * i, *before = pair - 2;
        sorted &= pair[0] == here->in[i - i % BLOCK + pair[1]];
        sorted &= i % BLOCK == 0 || before[0] < pair[0] || (before[0] == pair[0] && before[1] < pair[1]);
    }
    CHECK(sorted);
}

static void check_scans(struct device *device, struct sheets *there, struct sheets *here)
{
    CHECK(run(device, "block_scans", TICKETS_ORDERED, GRID, there, here));
    bool right = true;
    for (uint32_t first = 0; first < LANES; first += BLOCK) {
        uint32_t sum = 0, set = 0;
        for (uint32_t i = first; i < first + BLOCK; ++i) {
            right &= here->out[6 * i] == sum && here->out[6 * i + 2] == set;
            sum += here->in[i];
            set += here->in[i] >> 2 & 1;
        }
        right &= here->out[6 * first + 1] == sum && here->out[6 * first + 3] == set && here->out[6 * first + 4] == sum;
    }
    CHECK(right);
}

static void check_queues(struct device *device, struct sheets *there, struct sheets *here)
{
    static uint32_t expected[ITEMS];
    const uint32_t trips = drain_plainly(here->in, ITEMS, LANES, expected);
    CHECK(run(device, "queue_drain", TICKETS_ORDERED, GRID, there, here));
    CHECK(memcmp(here->out, expected, sizeof expected) == 0);
    bool same = true;
    for (uint32_t i = 0; i < LANES; ++i)
        same &= here->trips[i] == trips;
    CHECK(same);
    CHECK(run(device, "queue_drain", TICKETS_ATOMIC, GRID, there, here));
    bool taken = true;
    for (uint32_t i = 0; i < ITEMS; ++i)
        taken &= here->out[i] >= 1 && here->out[i] <= LANES;
    CHECK(taken);
}

// A block more than fit is refused, and the device goes on.
static void check_residency(struct device *device, struct sheets *there, struct sheets *here)
{
    struct device_program *program = build(device, TICKETS_ATOMIC);
    const struct device_launch launch = {.kernel = device->ops->kernel(program, "queue_drain", &error),
                                         .block = BLOCK,
                                         .shared_bytes = sizeof(uint32_t) * block_sort_words(BLOCK, 32)};
    uint32_t blocks = 0;
    CHECK(device->ops->resident_blocks(device, &launch, &blocks, &error) && blocks > 0);
    device->ops->release_program(device, program);
    blocks *= device->ops->properties(device)->multiprocessors;
    CHECK(!run(device, "queue_drain", TICKETS_ATOMIC, blocks + 1, there, here) && error.kind == ERROR_UNSUPPORTED);
    printf("%u blocks of %d lanes fit; one more: %s\n", (unsigned)blocks, BLOCK, error.message);
    check_scans(device, there, here);
}

void check_blocks(struct device *device)
{
    struct sheets *there = device->ops->alloc(device, sizeof *there, &error), *here = malloc(sizeof *here);
    if (CHECK(there && here)) {
        for (uint32_t i = 0; i < ITEMS; ++i)
            here->in[i] = (i + 1) * 2654435761u >> 29;
        check_scans(device, there, here);
        check_sorts(device, there, here);
        check_queues(device, there, here);
        check_residency(device, there, here);
    }
    device->ops->release(device, there);
    free(here);
}
