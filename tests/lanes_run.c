// SPDX-License-Identifier: MIT
#include "lanes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/emulator/fiber.h"

enum { MOST_LANES = 1024, STACK = 512 * 1024 };
#define NOT_THERE 0xDEADBEEFu // what a lane gets that reads from one that is not there
enum state { RUNS, VOTES, SHUFFLES, WAITS, ENDED };
static struct lane {
    struct fiber fiber;
    enum state state;
    uintptr_t site; // where it votes, shuffles or waits
    uint32_t value, source, answer[4];
    char *stack;
} lanes[MOST_LANES];
static struct fiber scheduler;
static struct {
    lanes_kernel *kernel;
    void *args, *shared;
    uint32_t grid, block, width, group, lane; // the last is the one that runs
    bool last;
} now;

uint32_t lanes_width(void)
{
    const char *width = getenv("FAKE_LANES");
    return width ? (uint32_t)atoi(width) : 32;
}

static void stop(const char *what)
{
    fprintf(stderr, "lanes: %s: lane %u of block %u\n", what, (unsigned)now.lane, (unsigned)now.group);
    abort();
}

// ---- lanes

static void enter(struct fiber_transfer transfer)
{
    struct lane *lane = &lanes[now.lane];
    fiber_arrive(&lane->fiber, transfer);
    now.kernel(now.args, now.shared);
    lane->state = ENDED;
    fiber_switch(&lane->fiber, &scheduler);
}

// Of the lane that runs: leaves it until its state is RUNS again.
static struct lane *block_lane(enum state state, void *site)
{
    struct lane *lane = &lanes[now.lane];
    lane->state = state;
    lane->site = (uintptr_t)site;
    fiber_switch(&lane->fiber, &scheduler);
    return lane;
}

static void run_ready(uint32_t first, uint32_t end)
{
    for (now.lane = first; now.lane < end; ++now.lane)
        if (lanes[now.lane].state == RUNS)
            fiber_switch(&scheduler, &lanes[now.lane].fiber);
}

// ---- sub-groups

static void answer(uint32_t first, uint32_t end, uintptr_t site)
{
    uint32_t votes[4] = {0};
    for (uint32_t i = first; i < end; ++i)
        if (lanes[i].state == VOTES && lanes[i].site == site && lanes[i].value)
            votes[(i - first) / 32] |= 1u << (i - first) % 32;
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t source = first + lanes[i].source;
        if (lanes[i].site == site && lanes[i].state == VOTES)
            memcpy(lanes[i].answer, votes, sizeof votes);
        if (lanes[i].site == site && lanes[i].state == SHUFFLES)
            lanes[i].answer[0] = source < end && lanes[source].site == site && lanes[source].state == SHUFFLES
                                     ? lanes[source].value
                                     : NOT_THERE;
    }
    for (uint32_t i = first; i < end; ++i)
        if (lanes[i].site == site && (lanes[i].state == VOTES || lanes[i].state == SHUFFLES))
            lanes[i].state = RUNS;
}

// Until all lanes wait for the block or have ended. With $FAKE_LAST those at the last place go on first, and wait for nobody.
static void run_subgroup(uint32_t first, uint32_t end)
{
    const uintptr_t none = now.last ? 0 : UINTPTR_MAX;
    for (;;) {
        run_ready(first, end);
        uintptr_t site = none;
        for (uint32_t i = first; i < end; ++i)
            if ((lanes[i].state == VOTES || lanes[i].state == SHUFFLES) && (lanes[i].site < site) != now.last)
                site = lanes[i].site;
        if (site == none)
            return;
        answer(first, end, site);
    }
}

// ---- blocks

// Whether lanes are left, who all wait at one barrier and go on behind it.
static bool pass_barrier(void)
{
    uint32_t waiting = 0;
    for (now.lane = 0; now.lane < now.block; ++now.lane) {
        waiting += lanes[now.lane].state == WAITS;
        if (waiting && (lanes[now.lane].state != WAITS || lanes[now.lane].site != lanes[0].site))
            stop("a barrier that not all lanes of the block came to");
        lanes[now.lane].state = lanes[now.lane].state == WAITS ? RUNS : ENDED;
    }
    if (waiting && waiting != now.block)
        stop("a barrier after lanes have returned");
    return waiting != 0;
}

static void run_block(void)
{
    for (uint32_t i = 0; i < now.block; ++i) {
        if (!lanes[i].stack)
            lanes[i].stack = malloc(STACK);
        lanes[i].fiber = (struct fiber){.context = make_fcontext(lanes[i].stack + STACK, STACK, enter),
                                        .stack_bottom = lanes[i].stack,
                                        .stack_size = STACK};
        lanes[i].state = RUNS;
    }
    do
        for (uint32_t first = 0; first < now.block; first += now.width)
            run_subgroup(first, first + now.width < now.block ? first + now.width : now.block);
    while (pass_barrier());
}

void lanes_run(lanes_kernel *kernel, void *args, size_t shared_bytes, uint32_t grid, uint32_t block)
{
    now.kernel = kernel;
    now.args = args;
    now.shared = aligned_alloc(64, (shared_bytes + 63) / 64 * 64 + 64);
    now.grid = grid;
    now.block = block;
    now.width = lanes_width();
    now.last = getenv("FAKE_LAST") != NULL;
    for (now.group = 0; now.group < grid; ++now.group)
        run_block();
    free(now.shared);
}

// ---- what kernels call, by its names in OpenCL C

typedef uint32_t words __attribute__((vector_size(16)));
#define NAMED(name) __asm__(name) __attribute__((visibility("default")))

words lanes_ballot(int predicate) NAMED("_Z16sub_group_balloti");
words lanes_ballot(int predicate)
{
    lanes[now.lane].value = predicate != 0;
    const struct lane *lane = block_lane(VOTES, __builtin_return_address(0));
    return (words){lane->answer[0], lane->answer[1], lane->answer[2], lane->answer[3]};
}

uint32_t lanes_shuffle(uint32_t value, uint32_t from) NAMED("_Z17sub_group_shufflejj");
uint32_t lanes_shuffle(uint32_t value, uint32_t from)
{
    lanes[now.lane].value = value;
    lanes[now.lane].source = from;
    return block_lane(SHUFFLES, __builtin_return_address(0))->answer[0];
}

void lanes_barrier(uint32_t flags) NAMED("_Z7barrierj");
void lanes_barrier(uint32_t flags)
{
    (void)flags;
    (void)block_lane(WAITS, __builtin_return_address(0));
}

#define LANES_FUNCTION(type, name, symbol, parameters, value)                                                          \
    type name parameters NAMED(symbol);                                                                                \
    type name parameters                                                                                               \
    {                                                                                                                  \
        return value;                                                                                                  \
    }
LANES_FUNCTION(size_t, lanes_group, "_Z12get_group_idj", (uint32_t axis), axis ? 0 : now.group)
LANES_FUNCTION(size_t, lanes_local, "_Z12get_local_idj", (uint32_t axis), axis ? 0 : now.lane)
LANES_FUNCTION(size_t, lanes_block, "_Z14get_local_sizej", (uint32_t axis), axis ? 1 : now.block)
LANES_FUNCTION(size_t, lanes_grid, "_Z14get_num_groupsj", (uint32_t axis), axis ? 1 : now.grid)
LANES_FUNCTION(uint32_t, lanes_lane, "_Z22get_sub_group_local_idv", (void), now.lane % now.width)
LANES_FUNCTION(uint32_t, lanes_clz, "_Z3clzj", (uint32_t x), x ? (uint32_t)__builtin_clz(x) : 32u)
LANES_FUNCTION(uint64_t, lanes_clzl, "_Z3clzm", (uint64_t x), x ? (uint64_t)__builtin_clzl(x) : 64u)
LANES_FUNCTION(uint32_t, lanes_count, "_Z8popcountj", (uint32_t x), (uint32_t)__builtin_popcount(x))
LANES_FUNCTION(uint64_t, lanes_countl, "_Z8popcountm", (uint64_t x), (uint64_t)__builtin_popcountl(x))
LANES_FUNCTION(uint32_t, lanes_max, "_Z3maxjj", (uint32_t a, uint32_t b), a > b ? a : b)
LANES_FUNCTION(float, lanes_fma, "_Z3fmafff", (float a, float b, float c), fmaf(a, b, c))
LANES_FUNCTION(float, lanes_fabs, "_Z4fabsf", (float x), fabsf(x))
LANES_FUNCTION(float, lanes_rint, "_Z4rintf", (float x), rintf(x))
LANES_FUNCTION(float, lanes_sqrt, "_Z4sqrtf", (float x), sqrtf(x))
LANES_FUNCTION(float, lanes_floor, "_Z5floorf", (float x), floorf(x))

// One thread runs all lanes, so that nothing is atomic but by name.
#define LANES_ATOMIC(type, name, symbol, stored)                                                                       \
    type name(volatile type *place, type value, int order, int scope) NAMED(symbol);                                   \
    type name(volatile type *place, type value, int order, int scope)                                                  \
    {                                                                                                                  \
        const type before = *place;                                                                                    \
        (void)order, (void)scope;                                                                                      \
        *place = stored;                                                                                               \
        return before;                                                                                                 \
    }
#define LANES_PLACE "PU9CLgenericVU7_Atomic"
#define LANES_ORDER "12memory_order12memory_scope"
LANES_ATOMIC(uint32_t, lanes_add, "_Z25atomic_fetch_add_explicit" LANES_PLACE "jj" LANES_ORDER, before + value)
LANES_ATOMIC(uint64_t, lanes_addl, "_Z25atomic_fetch_add_explicit" LANES_PLACE "mm" LANES_ORDER, before + value)
LANES_ATOMIC(uint32_t, lanes_most, "_Z25atomic_fetch_max_explicit" LANES_PLACE "jj" LANES_ORDER,
             before > value ? before : value)
LANES_ATOMIC(uint64_t, lanes_mostl, "_Z25atomic_fetch_max_explicit" LANES_PLACE "mm" LANES_ORDER,
             before > value ? before : value)
LANES_ATOMIC(uint32_t, lanes_exchange, "_Z24atomic_exchange_explicit" LANES_PLACE "jj" LANES_ORDER, value)
LANES_ATOMIC(uint32_t, lanes_store, "_Z21atomic_store_explicit" LANES_PLACE "jj" LANES_ORDER, value)

uint32_t lanes_load(volatile uint32_t *place, int order, int scope)
    NAMED("_Z20atomic_load_explicit" LANES_PLACE "j" LANES_ORDER);
uint32_t lanes_load(volatile uint32_t *place, int order, int scope)
{
    (void)order, (void)scope;
    return *place;
}
