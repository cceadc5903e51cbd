// SPDX-License-Identifier: MIT
#include "check.h"
#include "base/random.h"
#include "device/device.h"
#include "device/emulator/faults.h"
#include "emulator_kernels.h"

static const uint32_t widths[] = {1, 4, 8, 16, 32, 64};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

// ---- a device with the test's program, and the memory of one launch

struct rig {
    struct device *device;
    struct device_program *program;
    struct emulator_test_args args;
    uint32_t lanes;
    bool cooperative;
};

static struct rig rig_open(struct device_settings settings, bool counting)
{
    struct error error = {0};
    struct rig rig = {.device = device_open("emulator", &settings, &error)};
    if (!rig.device)
        fail_msg("%s", error.message);
    const struct device_build build = {.variant = "test", .counting = counting};
    rig.program = rig.device->ops->build(rig.device, &build, &error);
    if (!rig.program)
        fail_msg("%s", error.message);
    return rig;
}

static void rig_release_memory(struct rig *rig)
{
    rig->device->ops->release(rig->device, rig->args.out);
    rig->device->ops->release(rig->device, rig->args.votes);
    rig->device->ops->release(rig->device, (void *)(uintptr_t)rig->args.in);
    rig->args = (struct emulator_test_args){0};
}

// Inputs are pseudo-random; outputs are zero.
static void rig_reserve(struct rig *rig, uint32_t lanes)
{
    rig_release_memory(rig);
    uint32_t *in = rig->device->ops->alloc(rig->device, lanes * sizeof *in, NULL);
    rig->args.in = in;
    rig->args.out = rig->device->ops->alloc(rig->device, lanes * sizeof *rig->args.out, NULL);
    rig->args.votes = rig->device->ops->alloc(rig->device, lanes * sizeof *rig->args.votes, NULL);
    rig->lanes = lanes;
    for (uint32_t i = 0; i < lanes; i++)
        in[i] = (i + 1) * 2654435761u >> 7;
    memset(rig->args.out, 0, lanes * sizeof *rig->args.out);
    memset(rig->args.votes, 0, lanes * sizeof *rig->args.votes);
}

static void rig_close(struct rig *rig)
{
    rig_release_memory(rig);
    rig->device->ops->release_program(rig->device, rig->program);
    device_close(rig->device);
}

static bool rig_launch(struct rig *rig, const char *name, uint32_t grid, uint32_t block, size_t shared,
                       struct error *error)
{
    const struct device_kernel *kernel = rig->device->ops->kernel(rig->program, name, error);
    if (!kernel)
        return false;
    const struct device_launch launch = {.kernel = kernel,
                                         .grid = grid,
                                         .block = block,
                                         .shared_bytes = shared,
                                         .cooperative = rig->cooperative,
                                         .args = &rig->args,
                                         .args_size = sizeof rig->args};
    return rig->device->ops->launch(rig->device, NULL, &launch, error) &&
           rig->device->ops->synchronize(rig->device, NULL, error);
}

static void rig_run(struct rig *rig, const char *name, uint32_t grid, uint32_t block, size_t shared)
{
    struct error error = {0};
    if (!rig_launch(rig, name, grid, block, shared, &error))
        fail_msg("%s", error.message);
}

static uint32_t warp_begin(uint32_t thread, uint32_t width)
{
    return thread / width * width;
}

static uint32_t warp_end(uint32_t thread, uint32_t width, uint32_t block)
{
    const uint32_t end = warp_begin(thread, width) + width;
    return end < block ? end : block;
}

// ---- indices, votes, barriers

static void check_cover(uint32_t width, uint32_t grid, uint32_t block)
{
    struct rig rig = rig_open((struct device_settings){.warp_width = width, .threads = 2}, false);
    rig_reserve(&rig, grid * block);
    rig.args.a = block;
    rig.args.b = grid;
    rig_run(&rig, "cover", grid, block, 0);
    for (uint32_t i = 0; i < grid * block; i++) {
        const uint32_t thread = i % block, count = warp_end(thread, width, block) - warp_begin(thread, width);
        assert_int_equal(rig.args.out[i], 1);
        assert_true(rig.args.votes[i] == (count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1));
    }
    rig_close(&rig);
}

static void every_lane_runs_once(void **state)
{
    check_cover(32, 1, 1);
    check_cover(32, 5, 37);
    check_cover(1, 3, 7);
    check_cover(64, 2, 100);
    check_cover(8, 3, 1024);
    check_cover(4, 70, 63);
}

static void check_vote_all(struct rig *rig, uint32_t width, uint32_t block)
{
    rig_reserve(rig, 3 * block);
    rig_run(rig, "vote_all", 3, block, 0);
    for (uint32_t i = 0; i < 3 * block; i++) {
        const uint32_t thread = i % block, first = warp_begin(thread, width);
        uint64_t expected = 0;
        for (uint32_t k = first; k < warp_end(thread, width, block); k++)
            expected |= (uint64_t)(rig->args.in[i - thread + k] & 1) << (k - first);
        assert_true(rig->args.votes[i] == expected);
    }
}

static void check_vote_some(struct rig *rig, uint32_t width, uint32_t block)
{
    rig_reserve(rig, 3 * block);
    rig->args.a = 7;
    rig_run(rig, "vote_some", 3, block, 0);
    for (uint32_t i = 0; i < 3 * block; i++) {
        const uint32_t thread = i % block, first = warp_begin(thread, width);
        uint64_t expected = 0;
        for (uint32_t k = first; k < warp_end(thread, width, block); k++) {
            const uint32_t in = rig->args.in[i - thread + k];
            expected |= (uint64_t)(in & in >> 7 & 1) << (k - first);
        }
        assert_true(rig->args.votes[i] == (rig->args.in[i] & 1 ? expected : 0));
    }
}

static void check_vote_loop(struct rig *rig, uint32_t width, uint32_t block)
{
    rig_reserve(rig, 3 * block);
    rig_run(rig, "vote_loop", 3, block, 0);
    for (uint32_t i = 0; i < 3 * block; i++) {
        const uint32_t thread = i % block;
        uint32_t longest = 0;
        for (uint32_t k = warp_begin(thread, width); k < warp_end(thread, width, block); k++) {
            const uint32_t trips = rig->args.in[i - thread + k] % 50;
            longest = trips > longest ? trips : longest;
        }
        assert_int_equal(rig->args.votes[i], longest);
    }
}

static void check_shuffle(struct rig *rig, uint32_t width, uint32_t block)
{
    enum { TIMES = 5, MOST = 64 };
    rig_reserve(rig, 3 * block);
    rig->args.a = TIMES;
    rig_run(rig, "shuffle", 3, block, 0);
    for (uint32_t first = 0; first < 3 * block;) {
        const uint32_t thread = first % block, count = warp_end(thread, width, block) - thread;
        uint32_t now[MOST], next[MOST];
        memcpy(now, rig->args.in + first, count * sizeof *now);
        for (uint32_t i = 0; i < TIMES; i++) {
            for (uint32_t lane = 0; lane < count; lane++)
                next[lane] = now[(now[lane] + i) % count];
            memcpy(now, next, sizeof now);
        }
        assert_memory_equal(rig->args.out + first, now, count * sizeof *now);
        for (uint32_t lane = 0; lane < count; lane++)
            assert_int_equal(rig->args.votes[first + lane], rig->args.in[first + count - 1]);
        first += count;
    }
}

static void check_shuffle_some(struct rig *rig, uint32_t width, uint32_t block)
{
    rig_reserve(rig, 3 * block);
    rig_run(rig, "shuffle_some", 3, block, 0);
    for (uint32_t i = 0; i < 3 * block; i++) {
        uint32_t expected = 0;
        for (uint32_t k = warp_begin(i % block, width); k < warp_end(i % block, width, block); k++) {
            const uint32_t other = rig->args.in[i - i % block + k];
            expected = (other & 1) == (rig->args.in[i] & 1) ? other : expected;
        }
        assert_int_equal(rig->args.out[i], expected);
    }
}

// Every input but the last one exchanged comes out once, and a zero for the first.
static void check_atomics(struct rig *rig, uint32_t block)
{
    const uint32_t lanes = 3 * block;
    uint32_t largest = 0;
    uint64_t sum_in = 0, sum_out = 0;
    rig_reserve(rig, lanes + 2);
    rig_run(rig, "atomics", 3, block, 0);
    for (uint32_t i = 0; i < lanes; i++) {
        largest = rig->args.in[i] > largest ? rig->args.in[i] : largest;
        sum_in += rig->args.in[i];
        sum_out += rig->args.out[2 + i];
    }
    assert_int_equal(rig->args.out[0], largest);
    assert_true(rig->args.votes[0] == ((uint64_t)largest << 32 | largest));
    assert_true(sum_in == sum_out + rig->args.out[1]);
}

static void votes_reach_their_lanes(void **state)
{
    for (uint32_t w = 0; w < WIDTHS; w++)
        for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
            const struct device_settings settings = {
                .warp_width = widths[w], .threads = 2, .lane_order = order, .lane_seed = w};
            struct rig rig = rig_open(settings, false);
            for (uint32_t block = 1; block < 300; block = block * 3 + 1) {
                check_vote_all(&rig, widths[w], block);
                check_vote_some(&rig, widths[w], block);
                check_vote_loop(&rig, widths[w], block);
                check_shuffle(&rig, widths[w], block);
                check_shuffle_some(&rig, widths[w], block);
                check_atomics(&rig, block);
            }
            rig_close(&rig);
        }
}

static void check_reversal(const struct rig *rig, uint32_t block)
{
    for (uint32_t i = 0; i < rig->lanes; i++)
        assert_int_equal(rig->args.out[i], rig->args.in[i - i % block + block - 1 - i % block]);
}

static void check_nested_votes(uint32_t width, enum choice_lane_order order)
{
    struct rig rig = rig_open((struct device_settings){.warp_width = width, .threads = 1, .lane_order = order}, false);
    rig_reserve(&rig, 64);
    rig_run(&rig, "nested_votes", 1, 64, 0);
    for (uint32_t i = 0; i < 64; i++) {
        // lane t takes t trips; all lanes vote in the first, and before each later one lane 0, 1, ... is gone
        const uint32_t lane = i % width;
        uint32_t votes = 0;
        for (uint32_t trip = 0; trip < lane; trip++)
            votes += trip == 0 ? width - 1 : width - 1 - trip;
        assert_int_equal(rig.args.out[i], votes);
        uint64_t odd = 0;
        for (uint32_t other = 0; other < width; other++)
            odd |= (uint64_t)(other & 1) << other;
        assert_true(rig.args.votes[i] == odd);
    }
    rig_close(&rig);
}

static void votes_nest(void **state)
{
    for (uint32_t width = 4; width <= 64; width *= 2)
        for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++)
            check_nested_votes(width, (enum choice_lane_order)order);
}

static void barriers_order_shared_memory(void **state)
{
    for (uint32_t w = 0; w < WIDTHS; w++)
        for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
            struct rig rig =
                rig_open((struct device_settings){.warp_width = widths[w], .threads = 2, .lane_order = order}, false);
            rig_reserve(&rig, 5 * 143);
            rig_run(&rig, "reverse", 5, 143, 143 * sizeof(uint32_t));
            check_reversal(&rig, 143);
            rig_close(&rig);
        }
}

static void a_missing_barrier_changes_the_result(void **state)
{
    uint32_t *results[3] = {0};
    for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
        struct rig rig = rig_open((struct device_settings){.threads = 1, .lane_order = order, .lane_seed = 5}, false);
        rig_reserve(&rig, 128);
        rig_run(&rig, "reverse_racing", 4, 32, 32 * sizeof(uint32_t));
        results[order] = malloc(128 * sizeof(uint32_t));
        memcpy(results[order], rig.args.out, 128 * sizeof(uint32_t));
        rig_close(&rig);
    }
    assert_memory_not_equal(results[0], results[1], 128 * sizeof(uint32_t));
    assert_memory_not_equal(results[0], results[2], 128 * sizeof(uint32_t));
    for (int order = 0; order < 3; order++)
        free(results[order]);
}

static void lane_orders_are_what_they_say(void **state)
{
    enum { LANES = 80, PHASES = 4 };
    for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
        struct rig rig = rig_open((struct device_settings){.threads = 1, .lane_order = order, .lane_seed = 9}, false);
        rig_reserve(&rig, LANES * PHASES);
        rig.args.a = PHASES;
        rig_run(&rig, "order", 1, LANES, PHASES * sizeof(uint32_t));
        const uint32_t *turns = rig.args.out;
        for (uint32_t i = 0; i < LANES * PHASES && order != DEVICE_LANES_SEEDED; i++)
            assert_int_equal(turns[i], order == DEVICE_LANES_FORWARD ? i % LANES : LANES - 1 - i % LANES);
        for (uint32_t phase = 1; phase < PHASES && order == DEVICE_LANES_SEEDED; phase++)
            assert_memory_not_equal(turns, turns + phase * LANES, LANES * sizeof *turns);
        rig_close(&rig);
    }
}

static void shared_memory_is_fresh_in_each_block(void **state)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    rig_reserve(&rig, 4 * 32);
    rig_run(&rig, "fresh_shared", 4, 32, 32 * sizeof(uint32_t));
    for (uint32_t i = 0; i < rig.lanes; i++)
        assert_int_equal(rig.args.out[i], 0xCDCDCDCD);
    rig_close(&rig);
}

static void a_warp_may_wait_for_another_by_voting(void **state)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    rig_reserve(&rig, 96);
    rig_run(&rig, "wait_for_other_warp", 1, 96, sizeof(uint32_t));
    for (uint32_t i = 0; i < rig.lanes; i++)
        assert_int_equal(rig.args.out[i], 7);
    rig_close(&rig);
}

static void thread_count_changes_nothing(void **state)
{
    struct rig one = rig_open((struct device_settings){.threads = 1}, true);
    struct rig many = rig_open((struct device_settings){.threads = 5}, true);
    struct rig *rigs[] = {&one, &many};
    for (int i = 0; i < 2; i++) {
        rig_reserve(rigs[i], 40 * 96);
        rig_run(rigs[i], "vote_loop", 40, 96, 0);
    }
    assert_memory_equal(one.args.out, many.args.out, one.lanes * sizeof(uint32_t));
    assert_memory_equal(one.args.votes, many.args.votes, one.lanes * sizeof(uint64_t));
    rig_close(&one);
    rig_close(&many);
}

// ---- cooperative launches

static void check_mirror(struct device_settings settings, uint32_t grid, uint32_t block)
{
    enum { TIMES = 4 };
    struct rig rig = rig_open(settings, false);
    const uint32_t lanes = grid * block;
    rig.cooperative = true;
    rig_reserve(&rig, lanes);
    rig.args.a = TIMES;
    rig_run(&rig, "grid_mirror", grid, block, 0);
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t word = rig.args.in[i]; // an even number of mirrorings
        for (uint32_t k = 0; k < TIMES; k++)
            word += k % 2 == TIMES % 2 ? lanes - 1 - i : i;
        assert_int_equal(rig.args.out[i], word);
    }
    rig_close(&rig);
}

static void barriers_of_the_grid_order_memory(void **state)
{
    for (uint32_t w = 0; w < WIDTHS; w++)
        for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
            const struct device_settings settings = {
                .warp_width = widths[w], .threads = 2, .lane_order = order, .lane_seed = w};
            check_mirror(settings, 1, 33);
            check_mirror(settings, 7, 50);
            check_mirror(settings, 40, 1);
        }
}

enum { DRAIN_GRID = 6, DRAIN_BLOCK = 80, DRAIN_LANES = DRAIN_GRID * DRAIN_BLOCK, DRAIN_ITEMS = 5 * DRAIN_LANES + 100 };

static struct rig drained(struct device_settings settings, enum drain_way way, bool cooperative)
{
    struct rig rig = rig_open(settings, false);
    rig.cooperative = cooperative;
    rig_reserve(&rig, DRAIN_ITEMS);
    rig.args.a = way;
    rig.args.b = DRAIN_ITEMS;
    rig_run(&rig, "drain", DRAIN_GRID, DRAIN_BLOCK, 0);
    return rig;
}

// Most items that one lane took.
static uint32_t largest_share(const struct rig *rig)
{
    uint32_t largest = 0, sum = 0;
    for (uint32_t lane = 0; lane < DRAIN_LANES; lane++) {
        largest = rig->args.out[1 + lane] > largest ? rig->args.out[1 + lane] : largest;
        sum += rig->args.out[1 + lane];
    }
    assert_int_equal(sum, DRAIN_ITEMS);
    return largest;
}

// The lanes of all blocks make their trips side by side, so that the last trip is the only one that is not full. Without
// turns one lane gets nearly everything.
static void persistent_lanes_share_a_queue(void **state)
{
    for (int way = DRAIN_ALONE; way <= DRAIN_AS_A_WARP; way++)
        for (uint32_t w = 0; w < WIDTHS; w++)
            for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
                struct rig rig = drained((struct device_settings){.warp_width = widths[w], .lane_order = order},
                                         (enum drain_way)way, true);
                assert_int_equal(largest_share(&rig), 6);
                rig_close(&rig);
            }
    struct rig selfish = drained((struct device_settings){.threads = 1}, DRAIN_SELFISHLY, true);
    assert_int_equal(largest_share(&selfish), DRAIN_ITEMS);
    rig_close(&selfish);
    struct rig alone = drained((struct device_settings){.threads = 1}, DRAIN_ALONE, false);
    assert_true(largest_share(&alone) > 6);
    rig_close(&alone);
}

// Which lane takes which item, and so the utilisation of a persistent kernel, is a property of the modelled machine.
static void host_threads_do_not_change_who_takes_what(void **state)
{
    static const uint32_t threads[] = {1, 2, 16};
    for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
        struct rig rigs[3];
        for (int i = 0; i < 3; i++) {
            rigs[i] =
                drained((struct device_settings){.threads = threads[i], .lane_order = order}, DRAIN_AS_A_WARP, true);
            assert_memory_equal(rigs[0].args.votes, rigs[i].args.votes, DRAIN_ITEMS * sizeof(uint64_t));
            assert_memory_equal(rigs[0].args.out, rigs[i].args.out, (1 + DRAIN_LANES) * sizeof(uint32_t));
        }
        for (int i = 0; i < 3; i++)
            rig_close(&rigs[i]);
    }
}

// Round by round, each lane that is left in turn: what the kernel must see, written as a plain loop.
static void turns_are_taken_in_order(void **state)
{
    enum { GRID = 5, BLOCK = 70, LANES = GRID * BLOCK };
    struct rig rig = rig_open((struct device_settings){.threads = 2}, false);
    rig.cooperative = true;
    rig_reserve(&rig, LANES + 1);
    rig_run(&rig, "turns", GRID, BLOCK, 0);
    uint32_t sums[LANES] = {0}, turn = 0;
    for (uint32_t round = 0; round < 6; round++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            if (round < lane % 7)
                sums[lane] = sums[lane] * 31 + turn++;
    assert_memory_equal(rig.args.out + 1, sums, sizeof sums);
    rig_close(&rig);
}

static void lanes_that_yield_are_waited_for(void **state)
{
    for (uint32_t w = 0; w < WIDTHS; w++) {
        struct rig rig = rig_open((struct device_settings){.warp_width = widths[w], .threads = 2}, false);
        rig.cooperative = true;
        rig_reserve(&rig, 4 * 50);
        rig.args.a = 9;
        rig_run(&rig, "yield_and_vote", 4, 50, 0);
        for (uint32_t i = 0; i < rig.lanes; i++) {
            const uint32_t thread = i % 50, first = warp_begin(thread, widths[w]);
            uint32_t expected = 0;
            for (uint32_t trip = 0; trip < 9; trip++)
                for (uint32_t k = first; k < warp_end(thread, widths[w], 50); k++)
                    expected += ((k - first) * trip & 2) != 0;
            assert_int_equal(rig.args.votes[i], expected);
        }
        rig_close(&rig);
    }
}

static void lanes_held_at_once_are_limited(void **state)
{
    struct error error = {0};
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    const uint64_t most = fiber_stacks_most();
    if (most > UINT32_MAX / 2)
        skip();
    rig_reserve(&rig, 1);
    rig.cooperative = true;
    assert_false(rig_launch(&rig, "cover", (uint32_t)(most / 1024) + 1, 1024, 0, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "blocks of 1024 lanes that run at once are"));
    assert_non_null(strstr(error.remedy, "vm.max_map_count"));
    uint32_t blocks = 0;
    const struct device_launch launch = {.kernel = rig.device->ops->kernel(rig.program, "cover", NULL), .block = 96};
    assert_true(rig.device->ops->resident_blocks(rig.device, &launch, &blocks, NULL));
    assert_int_equal(blocks, 2);
    rig_close(&rig);
}

// ---- what kernels must not do

// Launches a kernel that misbehaves, compares the message, and sees that the device still works.
static void check_fault_of(bool cooperative, struct device_settings settings, struct emulator_test_args parameters,
                           const char *kernel, const char *expected)
{
    struct rig rig = rig_open(settings, false);
    rig.cooperative = cooperative;
    struct error error = {0};
    for (int again = 0; again < 2; again++) {
        rig_reserve(&rig, 4 * 96);
        rig.args.a = parameters.a;
        rig.args.b = parameters.b;
        memset((void *)(uintptr_t)rig.args.in, 0, sizeof(uint32_t));
        assert_false(rig_launch(&rig, kernel, 4, 96, 64, &error));
        assert_int_equal(error.kind, ERROR_FAILED);
        assert_string_equal(error.message, expected);
        rig_reserve(&rig, 4 * 96);
        rig_run(&rig, "reverse", 4, 96, 96 * sizeof(uint32_t));
        check_reversal(&rig, 96);
        check_vote_some(&rig, 32, 96);
    }
    rig_close(&rig);
}

static void check_fault(struct device_settings settings, struct emulator_test_args parameters, const char *kernel,
                        const char *expected)
{
    check_fault_of(false, settings, parameters, kernel, expected);
}

static void check_fault_in_all_orders(struct emulator_test_args parameters, const char *kernel, const char *expected)
{
    for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++)
        for (uint32_t threads = 1; threads <= 3; threads += 2)
            check_fault((struct device_settings){.threads = threads, .lane_order = order}, parameters, kernel,
                        expected);
}

static void faults_of_barriers_are_named(void **state)
{
    check_fault_in_all_orders(
        (struct emulator_test_args){.a = 17}, "return_early",
        "kernel return_early: block 0, lane 17: left the kernel while 95 lanes wait at barrier 1");
    check_fault_in_all_orders((struct emulator_test_args){.a = 64}, "trip_counts",
                              "kernel trip_counts: block 0, lane 64: left the kernel while 95 lanes wait at barrier 3");
    check_fault(
        (struct device_settings){.threads = 1}, (struct emulator_test_args){.a = 40}, "two_sites",
        "kernel two_sites: block 0, lane 40: reached another barrier than the one where 40 lanes wait, barrier 1 of "
        "the block");
    check_fault(
        (struct device_settings){.threads = 1}, (struct emulator_test_args){.a = 0}, "two_sites",
        "kernel two_sites: block 0, lane 1: reached another barrier than the one where 1 lane waits, barrier 1 of the "
        "block");
}

static void faults_of_votes_are_named(void **state)
{
    const struct device_settings one = {.threads = 1};
    const struct emulator_test_args second = {.a = 1}, last = {.a = 31};
    check_fault_in_all_orders(
        (struct emulator_test_args){.a = 33}, "leave_vote",
        "kernel leave_vote: block 0, lane 33: left the kernel while other lanes wait for its vote");
    check_fault_in_all_orders(
        (struct emulator_test_args){.a = 63}, "leave_vote",
        "kernel leave_vote: block 0, lane 63: left the kernel while other lanes wait for its vote");
    check_fault(one, second, "barrier_and_vote",
                "kernel barrier_and_vote: block 0, lane 1: waits at a barrier while lane 0 waits for its vote");
    check_fault(
        one, second, "two_votes",
        "kernel two_votes: block 0, lane 1: diverged: it votes with mask 0xffffffff while other lanes wait at another "
        "vote");
    check_fault(
        one, second, "two_masks",
        "kernel two_masks: block 0, lane 1: diverged: it votes with mask 0xfffffffe while other lanes wait at another "
        "vote");
    check_fault(one, last, "shuffle_stranger",
                "kernel shuffle_stranger: block 0, lane 31: asks for the value of lane 32 of its warp, which mask "
                "0xffffffff lacks");
    check_fault(one, last, "foreign_mask",
                "kernel foreign_mask: block 0, lane 31: votes with mask 0x7fffffff, which lacks its own lane");
    check_fault(one, last, "absent_mask",
                "kernel absent_mask: block 0, lane 31: votes with mask 0xffffffffffffffff, which names lanes that do "
                "not exist");
}

static void faults_of_whole_grids_are_named(void **state)
{
    for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++) {
        const struct device_settings settings = {.threads = 3, .lane_order = order, .spin_seconds = 0.05};
        check_fault_of(true, settings, (struct emulator_test_args){.a = 17, .b = 2}, "grid_left",
                       "kernel grid_left: block 2, lane 17: left the kernel while 95 lanes wait at barrier 1 of the "
                       "grid");
        check_fault_of(true, settings, (struct emulator_test_args){.a = 96, .b = 3}, "grid_left",
                       "kernel grid_left: block 3, lane 0: left the kernel while 288 lanes wait at barrier 1 of the "
                       "grid");
        check_fault_of(true, settings, (struct emulator_test_args){.a = 5, .b = 2}, "spin",
                       "kernel spin: block 2, lane 5: runs without a barrier, a vote or an end: it waits for what no "
                       "lane will do, or loops for ever");
    }
    const struct device_settings one = {.threads = 1};
    check_fault_of(true, one, (struct emulator_test_args){.a = 0, .b = 1}, "grid_sites",
                   "kernel grid_sites: block 1, lane 0: reached another barrier than the one where 96 lanes wait, "
                   "barrier 1 of the grid");
    check_fault_of(true, one, (struct emulator_test_args){.a = 40, .b = 0}, "grid_and_block",
                   "kernel grid_and_block: block 0, lane 95: 56 lanes wait at barrier 1 of the block while 40 wait at "
                   "barrier 1 of the grid");
    check_fault(one, (struct emulator_test_args){.a = 96}, "grid_left",
                "kernel grid_left: block 1, lane 0: waits for the whole grid in a launch that is not cooperative: its "
                "blocks run one by one");
}

static void a_spinning_lane_is_interrupted(void **state)
{
    const struct device_settings settings = {.threads = 2, .spin_seconds = 0.05};
    check_fault(
        settings, (struct emulator_test_args){.a = 5, .b = 2}, "spin",
        "kernel spin: block 2, lane 5: runs without a barrier, a vote or an end: it waits for what no lane will do, or "
        "loops for ever");
}

static void skip_where_the_sanitizer_reports(void)
{
    if (faults_left_to_sanitizer())
        skip();
}

static void shared_memory_is_guarded(void **state)
{
    skip_where_the_sanitizer_reports();
    const struct device_settings settings = {.threads = 2};
    check_fault(settings, (struct emulator_test_args){.a = 9, .b = 64}, "past_shared",
                "kernel past_shared: block 0, lane 9: shared memory out of bounds: 1 byte past the block's 64 bytes");
    check_fault(
        settings, (struct emulator_test_args){.a = 9, .b = 64 + 100000}, "past_shared",
        "kernel past_shared: block 0, lane 9: shared memory out of bounds: 100001 bytes past the block's 64 bytes");
    struct rig rig = rig_open(settings, false);
    rig_reserve(&rig, 32);
    rig.args.b = 63;
    rig_run(&rig, "past_shared", 1, 32, 64);
    rig_close(&rig);
}

static void processor_faults_are_named(void **state)
{
    skip_where_the_sanitizer_reports();
    const struct device_settings settings = {.threads = 2};
    check_fault(settings, (struct emulator_test_args){.a = 70, .b = 100000}, "deep",
                "kernel deep: block 0, lane 70: stack overflow: a lane has 65536 bytes");
    check_fault(settings, (struct emulator_test_args){.a = 3, .b = 16}, "stray",
                "kernel stray: block 0, lane 3: invalid address 0x10");
    check_fault(settings, (struct emulator_test_args){.a = 95}, "divide",
                "kernel divide: block 0, lane 95: integer division by zero or out of range");
}

static void impossible_launches_are_refused(void **state)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    struct error error = {0};
    rig_reserve(&rig, 32);
    assert_false(rig_launch(&rig, "cover", 1, 0, 0, &error));
    assert_false(rig_launch(&rig, "cover", 1, 1025, 0, &error));
    assert_false(rig_launch(&rig, "cover", 0, 32, 0, &error));
    assert_false(rig_launch(&rig, "cover", 1, 32, 1 << 20, &error));
    assert_int_equal(error.kind, ERROR_USE);
    rig_run(&rig, "cover", 1, 32, 227 * 1024);
    rig_close(&rig);
}

// ---- the lockstep model, against one that steps a warp symbol by symbol

// A traversal as text: an 'i' for each inner step, a 't' for each triangle test, a '.' where a round ends.
struct tape {
    char text[512];
    size_t at;
    uint32_t seed, inner, tests; // steps of either kind that have been taken
};

static struct tape tape_of(const struct script_traversal *traversal)
{
    struct tape tape = {.seed = traversal->seed};
    size_t length = 0;
    for (uint32_t round = 0; round < traversal->round_count; round++) {
        memset(tape.text + length, 'i', traversal->inner[round]);
        length += traversal->inner[round];
        memset(tape.text + length, 't', traversal->triangles[round]);
        length += traversal->triangles[round];
        tape.text[length++] = '.';
    }
    return tape;
}

// The n-th piece of memory of 32 bytes that a lane reads in the step at which it stands; false where there is no more.
static bool piece_of(const struct tape *tape, char symbol, uint32_t n, uint32_t *piece)
{
    const uint32_t place =
        symbol == 'i' ? script_place(tape->seed, tape->inner) : script_place(tape->seed + 1, tape->tests);
    *piece = place / PLACE_SECTORS + n;
    return tape->text[tape->at] == symbol && n <= place % PLACE_SECTORS;
}

// Distinct multiples of `size` pieces that lanes at a step read: those that no lane before them reads, nor they
// themselves before.
static uint32_t read_of(const struct tape *tapes, uint32_t count, char symbol, uint32_t size)
{
    uint32_t seen[PLACE_SECTORS * 64], found = 0, piece;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = 0; piece_of(&tapes[i], symbol, n, &piece); n++) {
            uint32_t k = 0;
            while (k < found && seen[k] != piece / size)
                k++;
            seen[k] = piece / size;
            found += k == found;
        }
    return found;
}

// One step of the lanes that stand at `symbol`; how many did.
static uint32_t step_tapes(struct tape *tapes, uint32_t count, char symbol)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tapes[i].text[tapes[i].at] == symbol) {
            tapes[i].at++;
            tapes[i].inner += symbol == 'i';
            tapes[i].tests += symbol == 't';
            live++;
        }
    return live;
}

// Counts the step that lanes at 'i' are about to take where two of them answer one of the questions differently.
static void ask(const struct tape *tapes, uint32_t count, struct device_lockstep *row)
{
    static const uint32_t first[STEP_QUESTIONS + 1] = {0, 2, 4, 7}; // bits of each question
    for (uint32_t question = 0; question < STEP_QUESTIONS; question++) {
        uint32_t answers = 0;
        for (uint32_t bit = first[question]; bit < first[question + 1]; bit++) {
            bool given = false;
            for (uint32_t i = 0; i < count; i++)
                given = given || (tapes[i].text[tapes[i].at] == 'i' &&
                                  (script_answers(tapes[i].seed, tapes[i].inner) >> bit & 1u));
            answers += given;
        }
        row->parted_steps[question] += answers > 1;
    }
}

// Adds what the step reads that lanes at `symbol` are about to take.
static void read_memory(const struct tape *tapes, uint32_t count, char symbol, struct device_lockstep *row)
{
    if (symbol == 'i') {
        row->node_lines += read_of(tapes, count, 'i', 4);
        row->node_sectors += read_of(tapes, count, 'i', 1);
        ask(tapes, count, row);
    } else {
        row->triangle_lines += read_of(tapes, count, 't', 4);
    }
}

// `full`: all lanes of the warp have one. `closest`: what steps read is recorded.
static void play_tapes(struct tape *tapes, uint32_t count, bool full, bool closest, struct device_lockstep *row)
{
    row->warps++;
    do {
        if (closest)
            read_memory(tapes, count, 'i', row);
        for (uint32_t live; (live = step_tapes(tapes, count, 'i')) > 0; row->inner_steps++) {
            row->inner_live += live;
            row->full_inner_steps += full;
            row->full_inner_live += full ? live : 0;
            if (closest)
                read_memory(tapes, count, 'i', row);
        }
        if (closest)
            read_memory(tapes, count, 't', row);
        for (uint32_t live; (live = step_tapes(tapes, count, 't')) > 0; row->triangle_steps++) {
            row->triangle_live += live;
            row->full_triangle_steps += full;
            row->full_triangle_live += full ? live : 0;
            if (closest)
                read_memory(tapes, count, 't', row);
        }
    } while (step_tapes(tapes, count, '.') > 0);
}

enum { MODEL_BOUNCES = 8 };

// The k-th traversal of `kind` in [first, last) of each lane, as one traversal of the warp. False where there is none.
static bool play_kth(const struct script *lanes, uint32_t count, uint32_t kind, uint32_t k, uint32_t first,
                     uint32_t last, struct device_lockstep *rows, struct device_lockstep *entered)
{
    struct tape tapes[64], again[64];
    uint32_t found = 0, bounce = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t seen = 0;
        for (uint32_t i = first; i < last && i < lanes[lane].traversal_count; i++) {
            const struct script_traversal *traversal = &lanes[lane].traversals[i];
            if (traversal->kind != kind || seen++ != k)
                continue;
            bounce = found == 0 ? traversal->bounce : bounce;
            tapes[found++] = tape_of(traversal);
        }
    }
    if (found == 0)
        return false;
    memcpy(again, tapes, sizeof again);
    if (kind == 0)
        play_tapes(again, found, found == count, true, &entered[found - 1]);
    play_tapes(tapes, found, found == count, kind == 0,
               &rows[kind * MODEL_BOUNCES + (bounce < MODEL_BOUNCES ? bounce : MODEL_BOUNCES - 1)]);
    return true;
}

static void play_warp(const struct script *lanes, uint32_t count, enum script_votes votes, struct device_lockstep *rows,
                      struct device_lockstep *entered)
{
    const uint32_t together = votes == SCRIPT_NO_VOTES ? SCRIPT_TRAVERSALS : 1;
    for (uint32_t first = 0; first < SCRIPT_TRAVERSALS; first += together)
        for (uint32_t kind = 0; kind < 2; kind++)
            for (uint32_t k = 0; play_kth(lanes, count, kind, k, first, first + together, rows, entered); k++)
                ;
}

static struct script_traversal random_traversal(uint64_t *random)
{
    struct script_traversal traversal = {
        random_below(random, 2),  random_below(random, 10), random_below(random, SCRIPT_ROUNDS + 1), {0}, {0},
        random_below(random, 100)};
    for (uint32_t i = 0; i < traversal.round_count; i++) {
        // A lane that votes may wait through a phase, or through a round.
        traversal.inner[i] = random_below(random, 4) == 0 ? 0 : 1 + random_below(random, 20);
        traversal.triangles[i] = random_below(random, 5);
    }
    return traversal;
}

static struct script *random_scripts(struct rig *rig, uint32_t count, bool equal_counts, uint64_t seed)
{
    struct script *scripts = rig->device->ops->alloc(rig->device, count * sizeof *scripts, NULL);
    uint64_t random = seed * 2 + 1;
    for (uint32_t lane = 0; lane < count; lane++) {
        scripts[lane].traversal_count = equal_counts ? SCRIPT_TRAVERSALS : random_below(&random, SCRIPT_TRAVERSALS + 1);
        for (uint32_t i = 0; i < SCRIPT_TRAVERSALS; i++)
            scripts[lane].traversals[i] = random_traversal(&random);
    }
    return scripts;
}

static void check_model(uint32_t width, enum script_votes votes, uint32_t threads)
{
    enum { GRID = 5, BLOCK = 75 };
    struct device_lockstep expected[2 * MODEL_BOUNCES] = {0}, actual[2 * MODEL_BOUNCES];
    struct device_lockstep entered[DEVICE_ENTRY_LANES] = {0}, found[DEVICE_ENTRY_LANES];
    struct rig rig = rig_open((struct device_settings){.warp_width = width, .threads = threads}, true);
    rig_reserve(&rig, GRID * BLOCK);
    rig.device->ops->release(rig.device, (void *)(uintptr_t)rig.args.in);
    struct script *scripts = random_scripts(&rig, GRID * BLOCK, votes == SCRIPT_VOTES_WITHIN, width);
    rig.args.in = (const uint32_t *)(const void *)scripts;
    rig.args.a = votes;
    for (uint32_t block = 0; block < GRID; block++)
        for (uint32_t first = 0; first < BLOCK; first += width)
            play_warp(scripts + block * BLOCK + first, warp_end(first, width, BLOCK) - first, votes, expected, entered);
    rig_run(&rig, "play", GRID, BLOCK, 0);
    assert_true(rig.device->ops->take_lockstep(rig.device, actual, 2, MODEL_BOUNCES, found));
    assert_true(expected[0].inner_steps > 0);
    assert_true(width == 1 || (expected[0].parted_steps[0] > 0 && expected[0].parted_steps[2] > 0));
    assert_memory_equal(actual, expected, sizeof expected);
    assert_memory_equal(found, entered, sizeof entered);
    rig.device->ops->take_lockstep(rig.device, actual, 2, MODEL_BOUNCES, found);
    memset(expected, 0, sizeof expected);
    memset(entered, 0, sizeof entered);
    assert_memory_equal(actual, expected, sizeof expected);
    assert_memory_equal(found, entered, sizeof entered);
    rig_close(&rig);
}

static void lockstep_model_equals_a_naive_one(void **state)
{
    for (uint32_t w = 0; w < WIDTHS; w++)
        for (int votes = SCRIPT_NO_VOTES; votes <= SCRIPT_BARRIERS; votes++) {
            check_model(widths[w], (enum script_votes)votes, 1);
            check_model(widths[w], (enum script_votes)votes, 3);
        }
}

static void clean_kernels_record_nothing(void **state)
{
    struct device_lockstep none[DEVICE_ENTRY_LANES] = {0}, actual[2 * 4], entered[DEVICE_ENTRY_LANES];
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    rig_reserve(&rig, 32);
    rig.device->ops->release(rig.device, (void *)(uintptr_t)rig.args.in);
    rig.args.in = (const uint32_t *)(const void *)random_scripts(&rig, 32, true, 1);
    rig_run(&rig, "play", 1, 32, 0);
    assert_true(rig.device->ops->take_lockstep(rig.device, actual, 2, 4, entered));
    assert_memory_equal(actual, none, sizeof actual);
    assert_memory_equal(entered, none, sizeof none);
    rig_close(&rig);
}

static void a_round_outside_a_traversal_is_a_fault(void **state)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, true);
    struct error error = {0};
    rig_reserve(&rig, 64);
    rig.args.a = 2;
    assert_false(rig_launch(&rig, "round_outside", 2, 32, 0, &error));
    assert_string_equal(error.message, "kernel round_outside: block 0, lane 2: records a round outside a traversal");
    rig_close(&rig);
}

static void answers_without_a_step_are_a_fault(void **state)
{
    static const char *const messages[] = {"records a round of which some steps have no answers",
                                           "records the answers of a step that reads no node, or behind steps without "
                                           "answers"};
    for (uint32_t stray = 0; stray < 2; stray++) {
        struct rig rig = rig_open((struct device_settings){.threads = 1}, true);
        struct error error = {0};
        char message[200];
        rig_reserve(&rig, 64);
        rig.args.a = stray ? 99 : 3;
        rig.args.b = stray ? 3 : 99;
        assert_false(rig_launch(&rig, "stray_answers", 2, 32, 0, &error));
        snprintf(message, sizeof message, "kernel stray_answers: block 0, lane 3: %s", messages[stray]);
        assert_string_equal(error.message, message);
        rig_close(&rig);
    }
}

static void nodes_that_no_step_has_read_are_a_fault(void **state)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, true);
    struct error error = {0};
    rig_reserve(&rig, 64);
    rig.args.a = 5;
    assert_false(rig_launch(&rig, "unread_nodes", 2, 32, 0, &error));
    assert_string_equal(error.message,
                        "kernel unread_nodes: block 0, lane 5: records a round of 3 inner steps that read "
                        "another number of nodes");
    error = (struct error){0};
    assert_false(rig_launch(&rig, "unread_triangles", 2, 32, 0, &error));
    assert_string_equal(error.message,
                        "kernel unread_triangles: block 0, lane 5: records a round of 3 triangle tests that read "
                        "another number of triangles");
    rig_close(&rig);
}

// ---- programs and primitives

static void programs_are_looked_up(void **state)
{
    struct error error = {0};
    struct rig rig = rig_open((struct device_settings){.threads = 1, .portable = true}, true);
    assert_non_null(strstr(rig.device->ops->provenance(rig.program), "counting for any"));
    assert_null(rig.device->ops->kernel(rig.program, "covet", &error));
    assert_int_equal(error.kind, ERROR_USE);
    assert_non_null(strstr(error.message, "did you mean 'cover'"));
    const struct device_build unknown = {.variant = "tset"};
    assert_null(rig.device->ops->build(rig.device, &unknown, &error));
    assert_int_equal(error.kind, ERROR_USE);
    const struct device_kernel *kernel = rig.device->ops->kernel(rig.program, "cover", &error);
    assert_int_equal(rig.device->ops->facts(kernel).registers, -1);
    rig_close(&rig);
}

static void check_select(struct rig *rig, uint32_t n, bool from_list)
{
    uint32_t *out = malloc((n + 1) * sizeof *out), count = 99, expected = 0;
    uint8_t *flags = malloc(n + 1);
    rig_reserve(rig, n + 1);
    for (uint32_t i = 0; i < n; i++)
        flags[i] = rig->args.in[i] & 4 ? (uint8_t)(rig->args.in[i] | 1) : 0;
    const uint32_t *in = from_list ? rig->args.in : NULL;
    assert_true(rig->device->ops->select_flagged(rig->device, NULL, in, flags, out, &count, n, NULL));
    for (uint32_t i = 0; i < n; i++)
        if (flags[i]) {
            assert_true(expected < count);
            assert_int_equal(out[expected++], from_list ? rig->args.in[i] : i);
        }
    assert_int_equal(count, expected);
    free(out);
    free(flags);
}

static void flagged_items_are_selected_in_order(void **state)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    for (uint32_t n = 0; n < 5000; n = n * 3 + 1) {
        check_select(&rig, n, false);
        check_select(&rig, n, true);
    }
    rig_close(&rig);
}

// Insertion keeps equal keys in order.
static void sort_naively(uint32_t *keys, uint32_t *values, uint32_t n, uint32_t key_bits)
{
    const uint32_t mask = key_bits == 32 ? UINT32_MAX : (1u << key_bits) - 1;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j > 0 && (keys[j - 1] & mask) > (keys[j] & mask); j--) {
            const uint32_t key = keys[j], value = values[j];
            keys[j] = keys[j - 1], values[j] = values[j - 1];
            keys[j - 1] = key, values[j - 1] = value;
        }
}

static void check_sort(struct rig *rig, uint32_t n, uint32_t key_bits)
{
    uint32_t *keys = malloc((n + 1) * sizeof *keys), *values = malloc((n + 1) * sizeof *values);
    uint32_t *sorted_keys = malloc((n + 1) * sizeof *keys), *sorted_values = malloc((n + 1) * sizeof *values);
    uint64_t random = n + key_bits;
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = random_below(&random, 1u << 31) * 2 + random_below(&random, 2);
        values[i] = i;
    }
    const struct device_ops *ops = rig->device->ops;
    assert_true(ops->sort_pairs(rig->device, NULL, keys, sorted_keys, values, sorted_values, n, key_bits, NULL));
    sort_naively(keys, values, n, key_bits);
    assert_memory_equal(keys, sorted_keys, n * sizeof *keys);
    assert_memory_equal(values, sorted_values, n * sizeof *values);
    free(keys), free(values), free(sorted_keys), free(sorted_values);
}

static void pairs_are_sorted_stably(void **state)
{
    static const uint32_t bits[] = {1, 3, 8, 9, 16, 31, 32};
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        for (uint32_t n = 0; n < 1500; n = n * 3 + 1)
            check_sort(&rig, n, bits[i]);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_runs_once),
        cmocka_unit_test(votes_reach_their_lanes),
        cmocka_unit_test(votes_nest),
        cmocka_unit_test(barriers_order_shared_memory),
        cmocka_unit_test(a_missing_barrier_changes_the_result),
        cmocka_unit_test(lane_orders_are_what_they_say),
        cmocka_unit_test(shared_memory_is_fresh_in_each_block),
        cmocka_unit_test(a_warp_may_wait_for_another_by_voting),
        cmocka_unit_test(thread_count_changes_nothing),
        cmocka_unit_test(barriers_of_the_grid_order_memory),
        cmocka_unit_test(persistent_lanes_share_a_queue),
        cmocka_unit_test(host_threads_do_not_change_who_takes_what),
        cmocka_unit_test(turns_are_taken_in_order),
        cmocka_unit_test(lanes_that_yield_are_waited_for),
        cmocka_unit_test(lanes_held_at_once_are_limited),
        cmocka_unit_test(faults_of_barriers_are_named),
        cmocka_unit_test(faults_of_whole_grids_are_named),
        cmocka_unit_test(faults_of_votes_are_named),
        cmocka_unit_test(a_spinning_lane_is_interrupted),
        cmocka_unit_test(shared_memory_is_guarded),
        cmocka_unit_test(processor_faults_are_named),
        cmocka_unit_test(impossible_launches_are_refused),
        cmocka_unit_test(lockstep_model_equals_a_naive_one),
        cmocka_unit_test(clean_kernels_record_nothing),
        cmocka_unit_test(a_round_outside_a_traversal_is_a_fault),
        cmocka_unit_test(answers_without_a_step_are_a_fault),
        cmocka_unit_test(nodes_that_no_step_has_read_are_a_fault),
        cmocka_unit_test(programs_are_looked_up),
        cmocka_unit_test(flagged_items_are_selected_in_order),
        cmocka_unit_test(pairs_are_sorted_stably),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
