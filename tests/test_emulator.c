// SPDX-License-Identifier: MIT
// The emulator: indices, votes, barriers, cooperative launches.
#include "check.h"
#include "device/emulator/faults.h"
#include "emulator_rig.h"

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

TEST(every_lane_runs_once)
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

TEST(votes_reach_their_lanes)
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

TEST(votes_nest)
{
    for (uint32_t width = 4; width <= 64; width *= 2)
        for (int order = DEVICE_LANES_FORWARD; order <= DEVICE_LANES_SEEDED; order++)
            check_nested_votes(width, (enum choice_lane_order)order);
}

TEST(barriers_order_shared_memory)
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

TEST(a_missing_barrier_changes_the_result)
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

TEST(lane_orders_are_what_they_say)
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

TEST(shared_memory_is_fresh_in_each_block)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    rig_reserve(&rig, 4 * 32);
    rig_run(&rig, "fresh_shared", 4, 32, 32 * sizeof(uint32_t));
    for (uint32_t i = 0; i < rig.lanes; i++)
        assert_int_equal(rig.args.out[i], 0xCDCDCDCD);
    rig_close(&rig);
}

TEST(a_warp_may_wait_for_another_by_voting)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    rig_reserve(&rig, 96);
    rig_run(&rig, "wait_for_other_warp", 1, 96, sizeof(uint32_t));
    for (uint32_t i = 0; i < rig.lanes; i++)
        assert_int_equal(rig.args.out[i], 7);
    rig_close(&rig);
}

TEST(thread_count_changes_nothing)
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

TEST(barriers_of_the_grid_order_memory)
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
TEST(persistent_lanes_share_a_queue)
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
TEST(host_threads_do_not_change_who_takes_what)
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
TEST(turns_are_taken_in_order)
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

TEST(lanes_that_yield_are_waited_for)
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

TEST(lanes_held_at_once_are_limited)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    const uint64_t most = fiber_stacks_most();
    if (most > UINT32_MAX / 2)
        skip();
    rig_reserve(&rig, 1);
    rig.cooperative = true;
    refused(rig_launch(&rig, "cover", (uint32_t)(most / 1024) + 1, 1024, 0, &why),
            "blocks of 1024 lanes that run at once are", "vm.max_map_count");
    assert_int_equal(why.kind, ERROR_UNSUPPORTED);
    uint32_t blocks = 0;
    const struct device_launch launch = {.kernel = rig.device->ops->kernel(rig.program, "cover", NULL), .block = 96};
    assert_true(rig.device->ops->resident_blocks(rig.device, &launch, &blocks, NULL));
    assert_int_equal(blocks, 2);
    rig_close(&rig);
}
