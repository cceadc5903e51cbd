// SPDX-License-Identifier: MIT
// Timelines of the null device, whose kernels last and do what their names say: from the execution through the store to
// the views, against sums made here by another way; windows and how they join; and what is refused.
#include <math.h>

#include "store/run.h"
#include "trial/execute.h"
#include "views_support.h"

// What a kernel of the null device does: lanes at work by its name's length, 2 instructions and 1000 bytes in a nanosecond,
// 16 warps on each of 132 multiprocessors, which make 3 cycles in 2 nanoseconds.
enum { MULTIPROCESSORS = 132, WARPS = 16, GAP = 1000, SHORT = 7000, SLOW = 20000000 };

static int64_t lasts(const char *kernel, int64_t least)
{
    return least + 10 * (int64_t)strlen(kernel);
}

static struct trial_spec a_spec(const char *variant, int64_t bounces)
{
    struct trial_spec spec = {.scene = "cornell", .device = "null", .parameters = parameters_default()};
    strcpy(spec.variant, variant);
    spec.parameters.width = spec.parameters.height = 16;
    spec.parameters.max_bounces = bounces;
    return spec;
}

static bool execute_on(const char *pretend, const struct trial_spec *spec, uint64_t interval, uint64_t window,
                       struct measurement *got)
{
    const struct execute_request request = {
        .spec = spec, .collection = COLLECTION_TIMELINE, .policy = policy_default(), .timeline = {interval, window}};
    why = (struct error){0};
    setenv("WARPSTUDY_NULL", pretend, 1);
    struct executor *executor = executor_create();
    const bool done = execute(executor, &request, got, &why);
    executor_destroy(executor);
    unsetenv("WARPSTUDY_NULL");
    return done;
}

static int64_t a_trial(const struct trial_spec *spec)
{
    static const struct trial_provenance provenance = {"scene", "programs", "null", "driver", "once", "harness"};
    struct trial_row plan = {.spec = *spec, .collections = 1u << COLLECTION_TIMELINE};
    char key[HASH_TEXT];
    int64_t trial;
    need(store_trial(store, run, &plan, &provenance, &trial, key, &why));
    return trial;
}

// ---- samples

TEST(launches_follow_one_another)
{
    const struct trial_spec spec = a_spec("whole_frame", 8); // a bounce and a selection, of two kernels
    struct measurement got;
    need(execute_on("gpu", &spec, 2000, 50000000, &got));
    const int64_t bounce = lasts("whole_frame_bounce", SHORT);
    const int64_t select = 2 * lasts("select_count", SHORT) + GAP;
    assert_int_equal(got.span_count, 2);
    assert_int_equal(got.spans[0].start, 0);
    assert_int_equal(got.spans[0].end, bounce);
    assert_int_equal(got.spans[1].start, bounce + GAP);
    assert_int_equal(got.spans[1].end, bounce + GAP + select);
    assert_int_equal(got.launch_count, 2);
    assert_int_equal(got.repetition_count, 5 + 1 + 1);
    for (size_t i = 0; i < 5; ++i)
        assert_true(got.repetitions[i].host_seconds > 0 && isnan(got.repetitions[i].device_seconds));
    for (size_t i = 5; i < 7; ++i) {
        assert_float_equal(got.repetitions[i].device_seconds, 1e-9 * (double)(bounce + GAP + select), 1e-12);
        assert_float_equal(got.repetitions[i].gap_seconds, 1e-9 * GAP, 1e-12);
        assert_int_equal(got.repetitions[i].launches_path, 1);
        assert_int_equal(got.repetitions[i].launches_aux, 1);
    }
    measurement_finish(&got);
}

// Nothing of a frame is lost, nothing counted twice: every sum is that of the kernels.
TEST(samples_add_up)
{
    static const uint64_t intervals[] = {500, 2000, 3200, 100000};
    const struct trial_spec spec = a_spec("whole_frame_off", 6); // 7 launches of 32 lanes
    const uint64_t work = 7 * (uint64_t)lasts("whole_frame_off_bounce", SHORT);
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; ++i) {
        struct measurement got;
        struct device_timeline_sample sum = {0};
        need(execute_on("gpu", &spec, intervals[i], 50000000, &got));
        for (size_t k = 0; k < got.sample_count; ++k) {
            const struct measured_sample *sample = &got.samples[k];
            assert_int_equal(sample->end - sample->start, intervals[i]);
            assert_true(!k || sample->start == got.samples[k - 1].end); // no gap, and one after another
            assert_int_equal(sample->sums.cycles, intervals[i] * 3 / 2 * MULTIPROCESSORS);
            sum.active_cycles += sample->sums.active_cycles;
            sum.instructions += sample->sums.instructions;
            sum.thread_instructions += sample->sums.thread_instructions;
            sum.warp_cycles += sample->sums.warp_cycles;
            sum.dram_bytes += sample->sums.dram_bytes;
        }
        assert_true(got.samples[0].start <= 0 && got.samples[got.sample_count - 1].end >= got.spans[6].end);
        assert_int_equal(sum.instructions, 2 * work);
        assert_int_equal(sum.thread_instructions, 2 * work * 32);
        assert_int_equal(sum.dram_bytes, 1000 * work);
        assert_true(llabs((int64_t)(sum.active_cycles - work * 3 / 2 * MULTIPROCESSORS)) <=
                    (int64_t)got.sample_count * 2 * MULTIPROCESSORS); // half cycles are cut off
        assert_int_equal(sum.warp_cycles, sum.active_cycles * WARPS);
        measurement_finish(&got);
    }
}

// ---- windows

// Seven launches of 20 ms each: two in a window of 50 ms, and the last one alone.
TEST(long_frames_are_joined)
{
    const struct trial_spec spec = a_spec("whole_frame_off", 6);
    const int64_t each = lasts("whole_frame_off_bounce", SLOW);
    struct measurement got;
    need(execute_on("gpu,slow", &spec, 100000, 50000000, &got));
    assert_int_equal(got.span_count, 7);
    uint64_t instructions[4] = {0};
    for (uint32_t i = 0; i < 7; ++i) {
        assert_int_equal(got.spans[i].window, i / 2);
        assert_int_equal(got.spans[i].start, i * (each + GAP)); // as in the frame that was only traced
        assert_int_equal(got.spans[i].end, i * (each + GAP) + each);
    }
    for (size_t i = 0; i < got.sample_count; ++i) {
        const struct measured_sample *sample = &got.samples[i];
        const uint32_t last = sample->window < 3 ? 2 * sample->window + 1 : 6;
        assert_true(sample->window < 4 && (!i || sample->window >= got.samples[i - 1].window));
        assert_true(sample->end > got.spans[2 * sample->window].start && sample->start < got.spans[last].end);
        instructions[sample->window] += sample->sums.instructions;
    }
    for (uint32_t window = 0; window < 4; ++window)
        assert_int_equal(instructions[window], 2 * (uint64_t)each * (window < 3 ? 2 : 1));
    assert_float_equal(got.repetitions[6].device_seconds, 1e-9 * (double)(7 * each + 6 * GAP), 1e-12);
    measurement_finish(&got);
}

// ---- what cannot be sampled

static const struct refusal {
    const char *pretend, *device;
    uint64_t interval, window;
    enum error_kind kind;
    const char *message;
} refusals[] = {
    {"forbidden", "null", 2000, 50000000, ERROR_UNAVAILABLE, "timeline: counters are not permitted"},
    {"", "emulator", 2000, 50000000, ERROR_UNSUPPORTED, "has no hardware counters"},
    {"", "cpu", 2000, 50000000, ERROR_UNSUPPORTED, "no hardware counters"},
    {"coarse", "null", 9999, 50000000, ERROR_UNSUPPORTED, "no samples so often"},
    {"slow", "null", 100000, 20000000, ERROR_UNSUPPORTED, "naive takes 20 ms, longer than the window of 20 ms"},
    {"overflow", "null", 2000, 50000000, ERROR_FAILED, "samples were lost"},
    {"restless@2", "null", 2000, 50000000, ERROR_FAILED, "another one after the sampling of a timeline"},
    {"foreign@2", "null", 2000, 50000000, ERROR_FAILED, "1 other program used null"},
    {"lost@9", "null", 2000, 50000000, ERROR_DEVICE, "lost"},
};

TEST(what_cannot_be_sampled_says_why)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        const struct refusal *refusal = &refusals[i];
        struct trial_spec spec = a_spec("naive", 2);
        struct measurement got;
        strcpy(spec.device, refusal->device);
        if (execute_on(refusal->pretend, &spec, refusal->interval, refusal->window, &got))
            fail_msg("%s on %s was accepted", refusal->pretend, refusal->device);
        if (why.kind != refusal->kind || !strstr(why.message, refusal->message))
            fail_msg("%s: kind %d: %s", refusal->pretend, why.kind, why.message);
        measurement_finish(&got);
    }
    struct trial_spec spec = a_spec("naive", 2);
    struct measurement got;
    need(execute_on("coarse", &spec, 10000, 50000000, &got));
    measurement_finish(&got);
}

// ---- views

TEST(views_tell_lanes_and_warps)
{
    char sql[512];
    const char *const variants[] = {"naive", "whole_frame_off"}; // names of 5 and of 22 characters: 8 and 32 lanes
    for (int i = 0; i < 2; ++i) {
        const struct trial_spec spec = a_spec(variants[i], 1);
        struct measurement got;
        need(execute_on("gpu", &spec, 500, 50000000, &got));
        const int64_t trial = a_trial(&spec);
        finish(trial, &got);
        measurement_finish(&got);
        snprintf(
            sql, sizeof sql,
            "SELECT count(*), min(lanes), max(lanes), max(lane_util), min(mean_warps), min(least_warps), "
            "max(most_warps), "
            "min(active_multiprocessors), max(idle_multiprocessors) FROM timeline WHERE trial = %lld AND launch = 0",
            (long long)trial);
        check(sql, i ? "14 32.0 32.0 1.0 16.0 15.0 17.0 132.0 0.0" : "14 8.0 8.0 0.25 16.0 15.0 17.0 132.0 0.0");
        snprintf(sql, sizeof sql,
                 "SELECT count(*), min(samples), max(lanes), max(dram_bytes_per_second), round(min(ipc), 6) FROM "
                 "timeline_kernel WHERE trial = %lld",
                 (long long)trial);
        check(sql, i ? "2 13 32.0 1000000000000.0 0.010101" : "1 14 8.0 1000000000000.0 0.010101");
        snprintf(
            sql, sizeof sql,
            "SELECT windows, round(interval * 1e9), plain_seconds > 0, slowdown FROM timeline_frame WHERE trial = %lld",
            (long long)trial);
        check(sql, "1 500.0 1 0.0");
    }
    // A single kernel between idle samples: all its instructions, and all of them its own.
    check("SELECT complete, instructions = 2 * (7000 + 10 * 5), thread_instructions = 8 * instructions FROM "
          "timeline_kernel WHERE trial = 1",
          "1 1 1");
}

// Fewer than three samples wholly inside a launch say nothing of it.
TEST(short_launches_are_left_out)
{
    const struct trial_spec spec = a_spec("naive", 5);
    struct measurement got;
    need(execute_on("gpu", &spec, 3000, 50000000, &got));
    const int64_t trial = a_trial(&spec);
    finish(trial, &got);
    measurement_finish(&got);
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT samples < 3, lanes, instructions, mean_warps FROM timeline_kernel WHERE trial = %lld",
             (long long)trial);
    check(sql, "1 - - -");
}

TEST_GROUP(open_empty, close_all)
