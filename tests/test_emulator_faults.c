// SPDX-License-Identifier: MIT
// What the emulator says of kernels that do what none must.
#include "check.h"
#include "device/emulator/faults.h"
#include "emulator_rig.h"

// Launches a kernel that misbehaves, compares the message, and sees that the device still works.
static void check_fault_of(bool cooperative, struct device_settings settings, struct emulator_test_args parameters,
                           const char *kernel, const char *expected)
{
    struct rig rig = rig_open(settings, false);
    rig.cooperative = cooperative;
    for (int again = 0; again < 2; again++) {
        rig_reserve(&rig, 4 * 96);
        rig.args.a = parameters.a;
        rig.args.b = parameters.b;
        memset((void *)(uintptr_t)rig.args.in, 0, sizeof(uint32_t));
        refused(rig_launch(&rig, kernel, 4, 96, 64, &why), "", "");
        assert_int_equal(why.kind, ERROR_FAILED);
        assert_string_equal(why.message, expected);
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

TEST(faults_of_barriers_are_named)
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

TEST(faults_of_votes_are_named)
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

TEST(faults_of_whole_grids_are_named)
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

TEST(a_spinning_lane_is_interrupted)
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

TEST(shared_memory_is_guarded)
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

TEST(processor_faults_are_named)
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

TEST(impossible_launches_are_refused)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    rig_reserve(&rig, 32);
    assert_false(rig_launch(&rig, "cover", 1, 0, 0, NULL));
    assert_false(rig_launch(&rig, "cover", 1, 1025, 0, NULL));
    assert_false(rig_launch(&rig, "cover", 0, 32, 0, NULL));
    refused(rig_launch(&rig, "cover", 1, 32, 1 << 20, &why), "", "");
    assert_int_equal(why.kind, ERROR_USE);
    rig_run(&rig, "cover", 1, 32, 227 * 1024);
    rig_close(&rig);
}
