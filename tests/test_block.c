// SPDX-License-Identifier: MIT
// lib/block.h and lib/queue.h on the emulator, against plain loops and qsort.
#include "check.h"
#include "device/device.h"
#include "lib/queue.h"
#include "block_reference.h"

#define BOTH(...) __VA_ARGS__
#include "block_kernels.h"

static const uint32_t widths[] = {1, 4, 8, 16, 32, 64};
static const uint32_t blocks[] = {1, 2, 31, 33, 64, 100, 257};
enum { WIDTHS = sizeof widths / sizeof *widths, BLOCKS = sizeof blocks / sizeof *blocks, GRID = 3, MOST = 4096 };

// ---- a launch on a device of its own

struct run {
    struct device_settings settings;
    struct block_test_args args;
    const char *kernel;
    uint32_t grid, block;
    bool cooperative;
};

static void launch(const struct run *run)
{
    struct device *device = made(device_open("emulator", &run->settings, &why));
    const struct device_build build = {.variant = "test"};
    struct device_program *program = device->ops->build(device, &build, &why);
    const struct device_launch launch = {
        .kernel = device->ops->kernel(program, run->kernel, &why),
        .grid = run->grid,
        .block = run->block,
        // exactly what is asked for, so that a word too many is a fault
        .shared_bytes = sizeof(uint32_t) * (strncmp(run->kernel, "block_sort", 10)
                                                ? scan_words(run->block)
                                                : block_sort_words(run->block, run->settings.warp_width)),
        .args = &run->args,
        .args_size = sizeof run->args,
        .cooperative = run->cooperative,
    };
    need(device->ops->launch(device, NULL, &launch, &why));
    device->ops->release_program(device, program);
    device_close(device);
}

static void draw(uint32_t *words, uint32_t count, uint32_t below, uint32_t seed)
{
    for (uint32_t i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        words[i] = (uint32_t)((uint64_t)seed * below >> 32);
    }
}

// Runs `check` for all widths, orders and sizes.
static void for_all(const char *kernel, void (*check)(struct run *))
{
    for (uint32_t w = 0; w < WIDTHS; ++w)
        for (uint32_t b = 0; b < BLOCKS; ++b)
            for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; ++order) {
                struct run run = {.settings = {.warp_width = widths[w], .threads = 1, .lane_order = order},
                                  .kernel = kernel,
                                  .grid = GRID,
                                  .block = blocks[b]};
                check(&run);
            }
}

// ---- scans

static void check_scans(struct run *run)
{
    static uint32_t in[MOST], out[6 * MOST];
    draw(in, GRID * run->block, 1u << 20, run->block);
    run->args.in = in;
    run->args.out = out;
    launch(run);
    for (uint32_t first = 0; first < GRID * run->block; first += run->block) {
        uint32_t sum = 0, set = 0, largest = 0;
        for (uint32_t i = first; i < first + run->block; ++i) {
            assert_int_equal(out[6 * i], sum);
            assert_int_equal(out[6 * i + 2], set);
            sum += in[i];
            set += in[i] >> 2 & 1;
            largest = in[i] > largest ? in[i] : largest;
        }
        for (uint32_t i = first; i < first + run->block; ++i) {
            assert_int_equal(out[6 * i + 1], sum);
            assert_int_equal(out[6 * i + 3], set);
            assert_int_equal(out[6 * i + 4], sum);
            assert_int_equal(out[6 * i + 5], largest);
        }
    }
}

TEST(scans_equal_plain_sums)
{
    for_all("block_scans", check_scans);
}

static void check_ranks(struct run *run)
{
    static uint32_t in[MOST], out[3 * MOST];
    draw(in, GRID * run->block, 1u << 20, run->block);
    run->args.in = in;
    run->args.out = out;
    launch(run);
    for (uint32_t first = 0; first < GRID * run->block; first += run->block) {
        uint32_t set = 0, others = 0;
        for (uint32_t i = first; i < first + run->block; ++i) {
            assert_int_equal(out[3 * i], set);
            set += in[i] >> 2 & 1;
            others += (in[i] & 24) != 0;
        }
        for (uint32_t i = first; i < first + run->block; ++i) {
            assert_int_equal(out[3 * i + 1], set);
            assert_int_equal(out[3 * i + 2], others);
        }
    }
}

TEST(ranks_with_another_count)
{
    for_all("block_ranks", check_ranks);
}

// ---- sorts

static void check_sorts(struct run *run)
{
    static uint32_t in[MOST], out[2 * MOST], expected[2 * MOST];
    const uint32_t bits[] = {0, 1, 3, 9, 32};
    for (uint32_t k = 0; k < sizeof bits / sizeof *bits; ++k) {
        draw(in, GRID * run->block, bits[k] == 32 ? UINT32_MAX : 1u << bits[k], run->block + k);
        run->args.in = in;
        run->args.out = out;
        run->args.key_bits = bits[k];
        launch(run);
        for (uint32_t i = 0; i < GRID * run->block; ++i) {
            expected[2 * i] = in[i];
            expected[2 * i + 1] = i % run->block;
        }
        for (uint32_t block = 0; block < GRID; ++block)
            qsort(expected + 2 * block * run->block, run->block, 2 * sizeof *expected, compare_pairs);
        assert_memory_equal(out, expected, 2 * GRID * run->block * sizeof *out);
    }
}

TEST(sorts_equal_qsort)
{
    for_all("block_sorts", check_sorts);
}

// ---- one after the other, each of what the last one left

static void check_rounds(struct run *run)
{
    static uint32_t in[MOST], out[2 * MOST], expected[2 * MOST];
    static const uint32_t masks[] = {0x3FFFFFFF, 0x20000003}; // keys that all differ, and of eight values
    draw(in, GRID * run->block, UINT32_MAX, run->block);
    for (uint32_t m = 0; m < sizeof masks / sizeof *masks; ++m) {
        run->args = (struct block_test_args){.in = in, .out = out, .key_bits = 30, .rounds = 4, .mask = masks[m]};
        launch(run);
        for (uint32_t first = 0; first < GRID * run->block; first += run->block)
            if (!strcmp(run->kernel, "block_sort_rounds"))
                sort_rounds_plainly(in + first, run->block, 4, masks[m], expected + 2 * first);
            else
                scan_rounds_plainly(in + first, run->block, 4, masks[m], !strcmp(run->kernel, "block_rank_rounds"),
                                    expected + 2 * first);
        assert_memory_equal(out, expected, 2 * GRID * run->block * sizeof *out);
    }
}

TEST(rounds_equal_plain_ones)
{
    for_all("block_sort_rounds", check_rounds);
    for_all("block_scan_rounds", check_rounds);
    for_all("block_rank_rounds", check_rounds);
}

// ---- queues of persistent kernels

enum { ITEMS = 700, LANES_MOST = 5 * 100 };

struct drained {
    uint32_t out[ITEMS], trips[LANES_MOST];
};

static void drain(struct drained *drained, struct device_settings settings, enum choice_tickets tickets, uint32_t grid,
                  uint32_t block)
{
    static uint32_t in[ITEMS], words[2 * LANES_MOST + 1];
    draw(in, ITEMS, 7, 5); // items of no trip, too: their lane wants another one at once
    memset(words, 0, sizeof words);
    memset(drained, 0, sizeof *drained);
    const struct run run = {
        .settings = settings,
        .args = {.frame = {.config = {.tickets = tickets}},
                 .in = in,
                 .out = drained->out,
                 .trips = drained->trips,
                 .queue = {words, ITEMS}},
        .kernel = "queue_drain",
        .grid = grid,
        .block = block,
        .cooperative = true,
    };
    launch(&run);
}

static void expect_ordered(struct drained *drained, uint32_t lanes)
{
    static uint32_t in[ITEMS];
    draw(in, ITEMS, 7, 5);
    memset(drained, 0, sizeof *drained);
    const uint32_t trips = drain_plainly(in, ITEMS, lanes, drained->out);
    for (uint32_t lane = 0; lane < lanes; ++lane)
        drained->trips[lane] = trips;
}

TEST(ordered_tickets_go_by_rank)
{
    static const uint32_t shapes[][2] = {{1, 1}, {1, 37}, {5, 100}, {3, 33}, {40, 8}};
    for (uint32_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
        for (uint32_t w = 0; w < WIDTHS; ++w)
            for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; ++order) {
                struct drained found, expected;
                const struct device_settings settings = {
                    .warp_width = widths[w], .threads = 1 + w, .lane_order = order};
                drain(&found, settings, TICKETS_ORDERED, shapes[s][0], shapes[s][1]);
                expect_ordered(&expected, shapes[s][0] * shapes[s][1]);
                assert_memory_equal(&found, &expected, sizeof found);
            }
}

static uint32_t most_trips(const struct drained *drained, uint32_t lanes)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane)
        most = drained->trips[lane] > most ? drained->trips[lane] : most;
    return most;
}

// Each item once, in about the trips that ordered tickets take, and the same lanes whatever the host's threads.
TEST(atomic_tickets_share_the_work)
{
    static const uint32_t threads[] = {1, 2, 16};
    struct drained ordered;
    expect_ordered(&ordered, 5 * 30);
    for (uint32_t w = 0; w < WIDTHS; ++w) {
        struct drained found[3];
        for (int i = 0; i < 3; ++i) {
            drain(&found[i], (struct device_settings){.warp_width = widths[w], .threads = threads[i]}, TICKETS_ATOMIC,
                  5, 30);
            assert_memory_equal(&found[i], &found[0], sizeof found[0]);
        }
        for (uint32_t i = 0; i < ITEMS; ++i)
            assert_in_range(found->out[i], 1, 5 * 30); // two takers would mostly add up to more
        assert_in_range(most_trips(found, 5 * 30), most_trips(&ordered, 1) - 2, most_trips(&ordered, 1) + 2);
    }
}
