// SPDX-License-Identifier: MIT
// Executions on the null device, whose counters, clock and conditions are functions of what is asked: what arrives in
// the measurement is what it said, in the right rows; and everything that it can be made to do wrong.
#include "check.h"
#include "device/emulator/faults.h"
#include "frame/counts.h"
#include "trial/execute.h"

static struct trial_spec a_spec(const char *variant)
{
    struct trial_spec spec = {.scene = "cornell", .device = "null", .parameters = parameters_default()};
    strcpy(spec.variant, variant);
    spec.parameters.width = spec.parameters.height = 16;
    return spec;
}

static struct policy a_policy(void)
{
    struct policy policy = policy_default();
    policy.warmups = 1;
    policy.max_repetitions = 3;
    policy.gate_seconds = 5;
    return policy;
}

// One execution by an executor of its own, with $WARPSTUDY_NULL as given.
static bool run(const char *pretend, struct execute_request request, struct measurement *measurement,
                struct error *error)
{
    *error = (struct error){0};
    setenv("WARPSTUDY_NULL", pretend, 1);
    struct executor *executor = executor_create();
    const bool done = execute(executor, &request, measurement, error);
    executor_destroy(executor);
    unsetenv("WARPSTUDY_NULL");
    return done;
}

static const struct measured_metric *metric(const struct measurement *measurement, uint32_t launch, const char *name)
{
    for (size_t i = 0; i < measurement->metric_count; ++i)
        if (measurement->metrics[i].launch == launch && !strcmp(measurement->metrics[i].metric, name))
            return &measurement->metrics[i];
    return NULL;
}

// ---- counters

TEST(counters_fill_their_rows)
{
    struct trial_spec spec = a_spec("whole_frame"); // on the null device: one bounce, one selection
    static const char *const names[] = {"l2_hit_rate", "smsp__inst_executed.sum", "sites"};
    struct measurement got;
    const struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_COUNTERS, .policy = a_policy(), .counters = names, .counter_count = 3};
    need(run("gpu", request, &got, &why));
    assert_int_equal(got.launch_count, 2);
    assert_string_equal(got.launches[0].kernel, "whole_frame_bounce");
    assert_string_equal(got.launches[1].kernel, "select");
    assert_true(isnan(got.launches[0].seconds) && !got.launches[0].auxiliary && got.launches[1].auxiliary);
    assert_int_equal(got.repetition_count, 0);
    assert_int_equal(got.passes, 2 * 3); // three by launch, three of the whole frame
    assert_int_equal(got.metric_count, 2 * 3);
    const double length = (double)strlen(device_metric_find("l2_hit_rate")->expression);
    assert_true(metric(&got, 0, "l2_hit_rate")->value == length);
    assert_true(metric(&got, 1, "l2_hit_rate")->value == length + 100);
    assert_true(metric(&got, MEASURED_FRAME, "l2_hit_rate")->value == length);
    assert_true(metric(&got, 1, "smsp__inst_executed.sum")->value == 23 + 100);
    assert_int_equal(got.site_count, 2 * DEVICE_SITES);
    for (uint32_t i = 0; i < got.site_count; ++i) {
        const struct measured_site *row = &got.sites[i];
        const uint64_t warps = row->launch == 0 ? 1 + 10 * row->site : 0; // a selection is no launch of a kernel
        assert_int_equal(row->launch, i / DEVICE_SITES);
        assert_int_equal(row->copies, row->site + 1);
        assert_int_equal(row->instructions, warps);
        assert_int_equal(row->thread_instructions, 32 * warps);
    }
    assert_int_equal(got.kernel_count, 1);
    assert_int_equal(got.kernels[0].block, 64);
    // 64 registers x 32 lanes: 2,048 a warp; 32 warps of 65,536; 16 blocks of 2 warps; 132 multiprocessors.
    assert_int_equal(got.kernels[0].resident_warps, 32 * 132);
    assert_string_equal(got.stop_reason, "fixed");
    measurement_finish(&got);
}

TEST(sites_are_counted_where_asked_for)
{
    struct trial_spec spec = a_spec("whole_frame");
    static const char *const names[] = {"sites", "l2_hit_rate"};
    struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_COUNTERS, .policy = a_policy(), .counters = names, .counter_count = 1};
    struct measurement got;
    assert_true(run("gpu", request, &got, &why));
    assert_int_equal(got.metric_count, 0);
    assert_int_equal(got.site_count, 2 * DEVICE_SITES);
    measurement_finish(&got);
    request.counters = names + 1;
    assert_true(run("gpu", request, &got, &why));
    assert_int_equal(got.metric_count, 3);
    assert_int_equal(got.site_count, 0);
    measurement_finish(&got);
}

TEST(counters_default_to_the_table)
{
    struct trial_spec spec = a_spec("naive");
    struct measurement got;
    size_t rows = 0;
    assert_true(run("",
                    (struct execute_request){.spec = &spec, .collection = COLLECTION_COUNTERS, .policy = a_policy()},
                    &got, &why));
    for (const struct device_metric *row = device_metrics; row->name; ++row) {
        if (!*row->expression)
            continue; // counted into a table of its own
        assert_non_null(metric(&got, 0, row->name));
        assert_non_null(metric(&got, MEASURED_FRAME, row->name));
        ++rows;
    }
    assert_int_equal(got.metric_count, 2 * rows);
    assert_int_equal(got.kernels[0].resident_warps, 0); // this device tells no registers
    measurement_finish(&got);
}

struct refusal {
    const char *pretend, *device, *counter;
    enum collection collection;
    enum error_kind kind;
    const char *message;
};

static const struct refusal refusals[] = {
    {"forbidden", "null", NULL, COLLECTION_COUNTERS, ERROR_UNAVAILABLE, "counters: counters are not permitted"},
    {"forbidden", "null", NULL, COLLECTION_STALLS, ERROR_UNAVAILABLE, "stalls: counters are not permitted"},
    {"", "emulator", NULL, COLLECTION_COUNTERS, ERROR_UNSUPPORTED, "no hardware counters"},
    {"", "emulator", NULL, COLLECTION_STALLS, ERROR_UNSUPPORTED, "no hardware counters"},
    {"badpass@2", "null", NULL, COLLECTION_COUNTERS, ERROR_FAILED, "a pass failed"},
    {"", "null", "sm__unknown.sum", COLLECTION_COUNTERS, ERROR_USE, "sm__unknown.sum"},
    {"restless@2", "null", NULL, COLLECTION_COUNTERS, ERROR_FAILED, "another one after the passes of the counters"},
    {"restless@3", "null", NULL, COLLECTION_COUNTERS, ERROR_FAILED, "another one after the count of instructions"},
    {"restless@2", "null", NULL, COLLECTION_STALLS, ERROR_FAILED, "another one after the sampling of stalls"},
    {"foreign", "null", NULL, COLLECTION_FRAME, ERROR_FAILED, "1 other program used null"},
    {"foreign@2", "null", NULL, COLLECTION_COUNTERS, ERROR_FAILED, "1 other program used null"},
};

TEST(what_cannot_be_counted_says_why)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        const struct refusal *refusal = &refusals[i];
        struct trial_spec spec = a_spec("naive");
        struct measurement got;
        strcpy(spec.device, refusal->device);
        const struct execute_request request = {.spec = &spec,
                                                .collection = refusal->collection,
                                                .policy = a_policy(),
                                                .counters = &refusal->counter,
                                                .counter_count = refusal->counter != NULL};
        refused(run(refusal->pretend, request, &got, &why), refusal->message, "");
        if (why.kind != refusal->kind)
            fail_msg("%s: kind %d: %s", refusal->pretend, why.kind, why.message);
        measurement_finish(&got);
    }
}

// ---- stalls

TEST(stalls_are_summed)
{
    struct trial_spec spec = a_spec("whole_frame_off"); // a launch for each bounce
    spec.parameters.max_bounces = 2;
    struct measurement got;
    assert_true(run("", (struct execute_request){.spec = &spec, .collection = COLLECTION_STALLS, .policy = a_policy()},
                    &got, &why));
    assert_int_equal(got.launch_count, 3);
    assert_int_equal(got.dropped, 3);
    assert_int_equal(got.stall_count, 3 * 2 + 3); // two reasons a launch, three lines of the frame
    uint64_t by_launch = 0, by_line = 0;
    for (size_t i = 0; i < got.stall_count; ++i) {
        const struct measured_stall *row = &got.stalls[i];
        const bool frame = row->launch == MEASURED_FRAME;
        assert_int_equal(frame, row->file[0] != 0 && row->line != 0);
        *(frame ? &by_line : &by_launch) += row->samples;
        if (frame && row->line == 20)
            assert_int_equal(row->samples, 3 * 3);
        if (!frame && !strcmp(row->reason, "long_scoreboard"))
            assert_int_equal(row->samples, 5);
    }
    assert_int_equal(by_launch, 3 * 12);
    assert_int_equal(by_line, 3 * 12);
    measurement_finish(&got);
}

// ---- conditions

TEST(frames_carry_clock_and_conditions)
{
    struct trial_spec spec = a_spec("naive");
    struct execute_request request = {.spec = &spec, .collection = COLLECTION_FRAME, .policy = a_policy()};
    struct measurement got;
    assert_true(run("clock,throttle", request, &got, &why));
    assert_int_equal(got.repetition_count, 3);
    for (size_t i = 0; i < 3; ++i) {
        assert_true(got.repetitions[i].sm_mhz == 1500);
        // Between the two clock reads there is nothing: no span on the device either.
        assert_true(isnan(got.repetitions[i].device_seconds) && isnan(got.repetitions[i].gap_seconds));
    }
    assert_true(got.before.known && got.after.known && got.before.at.temperature == 40 && got.gate_seconds == 0);
    assert_int_equal(got.before.at.throttle, DEVICE_THROTTLE_POWER_CAP);
    assert_int_equal(got.launch_count, 0);
    measurement_finish(&got);
    request.collection = COLLECTION_LAUNCHES;
    assert_true(run("clock", request, &got, &why));
    assert_true(got.repetitions[0].sm_mhz == 1500 && got.repetitions[0].device_seconds == 0);
    assert_int_equal(got.launch_count, 3);
    measurement_finish(&got);
    request.collection = COLLECTION_COUNTS;
    assert_true(run("clock,foreign", request, &got, &why)); // counts are exact whoever else is there
    assert_true(isnan(got.repetitions[0].sm_mhz) && !got.before.known && got.repetition_count == 1);
    measurement_finish(&got);
    request.collection = COLLECTION_FRAME;
    assert_true(run("", request, &got, &why)); // a device without a clock
    assert_true(got.repetition_count == 1 && isnan(got.repetitions[0].sm_mhz) && !strcmp(got.stop_reason, "untimed"));
    measurement_finish(&got);
}

TEST(a_hot_device_is_waited_for)
{
    struct trial_spec spec = a_spec("naive");
    struct execute_request request = {.spec = &spec, .collection = COLLECTION_FRAME, .policy = a_policy()};
    struct measurement got;
    request.policy.max_temperature = 85;
    assert_true(run("hot", request, &got, &why)); // 95, then 85
    assert_true(got.before.at.temperature == 85 && got.gate_seconds > 0.4);
    measurement_finish(&got);
    request.policy.gate_seconds = 0.2; // it stays hot: measured, and told
    assert_true(run("scorched", request, &got, &why));
    assert_true(got.before.at.temperature == 95 && got.gate_seconds >= 0.2);
    measurement_finish(&got);
    request.policy.shared_device = true;
    assert_true(run("foreign", request, &got, &why));
    assert_int_equal(got.before.at.foreign_processes, 1);
    measurement_finish(&got);
}

// ---- faults

TEST(faults_are_told_and_the_executor_goes_on)
{
    struct trial_spec spec = a_spec("naive");
    struct execute_request request = {.spec = &spec, .collection = COLLECTION_FRAME, .policy = policy_once()};
    struct error error = {0};
    struct executor *executor = executor_create();
    for (int fault = EXECUTE_FAULT_NONE; fault <= EXECUTE_FAULT_OOM; ++fault) {
        struct measurement got;
        if (fault == EXECUTE_FAULT_ILLEGAL && faults_left_to_sanitizer()) {
            print_message("skipped: invalid addresses are left to the sanitizer\n");
            continue;
        }
        strcpy(spec.device, fault == EXECUTE_FAULT_ILLEGAL ? "emulator" : "null");
        request.fault = (enum execute_fault)fault;
        error = (struct error){0};
        assert_int_equal(execute(executor, &request, &got, &error), fault == EXECUTE_FAULT_NONE);
        measurement_finish(&got);
        if (fault == EXECUTE_FAULT_ILLEGAL)
            assert_non_null(strstr(error.message, "invalid address"));
        if (fault == EXECUTE_FAULT_OOM)
            assert_non_null(strstr(error.message, "memory"));
    }
    request.fault = EXECUTE_FAULT_NONE;
    struct measurement got;
    assert_true(execute(executor, &request, &got, &error));
    measurement_finish(&got);
    executor_destroy(executor);
}

// ---- what an executor keeps

// Schedules that wait for paths to end, on a device on which none does, and others, whose frames are not cut short.
TEST(every_schedule_ends_on_a_device_that_runs_nothing)
{
    static const enum collection collections[] = {COLLECTION_FRAME, COLLECTION_LAUNCHES, COLLECTION_COUNTS,
                                                  COLLECTION_COUNTERS};
    // read-backs, the last of which ends the frame
    enum { BOUNCES = 3, SAMPLES = 2, MOST = (BOUNCES + 1) * SAMPLES + 1 };
    size_t waiting = 0;
    for (size_t i = 0; variant_table[i]; ++i)
        for (size_t k = 0; k < sizeof collections / sizeof *collections; ++k) {
            struct trial_spec spec = a_spec(variant_table[i]->name);
            spec.parameters.max_bounces = BOUNCES;
            spec.parameters.spp = SAMPLES;
            const struct execute_request request = {
                .spec = &spec, .collection = collections[k], .policy = policy_once()};
            struct measurement got;
            if (strcmp(variant_table[i]->estimator->name, "surface") != 0)
                continue;
            if (!run("", request, &got, &why))
                fail_msg("%s: %s", spec.variant, why.message);
            for (size_t r = 0; r < got.repetition_count; ++r) {
                assert_in_range(got.repetitions[r].launches_path, 1, 200);
                assert_in_range(got.repetitions[r].readbacks, 0, MOST);
                waiting += got.repetitions[r].readbacks == MOST;
                if (!strcmp(spec.variant, "whole_frame")) // one bounce a pass: its selection finds nothing
                    assert_int_equal(got.repetitions[r].readbacks, SAMPLES);
            }
            measurement_finish(&got);
        }
    assert_true(waiting >= 5);
}

TEST(large_films_hash_as_whole_ones)
{
    struct trial_spec spec = a_spec("naive");
    strcpy(spec.device, "emulator");
    spec.parameters.width = 420;
    spec.parameters.height = 450; // 4.5 MB: two slices, the second one short
    spec.parameters.max_bounces = 0;
    const struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_FRAME, .policy = policy_once(), .keep_film = true};
    struct measurement got;
    assert_true(run("", request, &got, &why));
    assert_true(hash_equal(got.image, hash_bytes(got.film, (size_t)420 * 450 * 3 * sizeof *got.film)));
    measurement_finish(&got);
}

TEST(a_picture_is_the_film_made_small)
{
    struct trial_spec spec = a_spec("naive");
    strcpy(spec.device, "emulator");
    spec.parameters.width = 642; // squares of three pixels, and of 11 lines two that fill none
    spec.parameters.height = 11;
    struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_COUNTS, .policy = policy_once(), .keep_film = true};
    struct measurement whole, small;
    assert_true(run("", request, &whole, &why));
    request.keep_film = false;
    request.keep_picture = true;
    assert_true(run("", request, &small, &why));
    assert_true(hash_equal(whole.image, small.image)); // of all of it
    assert_int_equal(small.film_width, 214);
    assert_int_equal(small.film_height, 3);
    assert_null(small.path_length);
    for (size_t i = 0; i < (size_t)214 * 3 * 3; ++i) {
        const size_t y = i / 3 / 214, x = i / 3 % 214;
        double sum = 0;
        for (size_t k = 0; k < 9; ++k)
            sum += (double)whole.film[((3 * y + k / 3) * 642 + 3 * x + k % 3) * 3 + i % 3];
        assert_true(fabs((double)small.film[i] - sum / 9) < 10); // of 2^-32
    }
    measurement_finish(&whole);
    measurement_finish(&small);
}

static void count_progress(void *context, size_t done, size_t total)
{
    size_t *seen = context;
    assert_true(done <= total);
    seen[0] = done;
    seen[1] = total;
}

TEST(many_builds_are_compiled_and_kept)
{
    struct executor *executor = executor_create();
    struct trial_spec specs[40];
    for (int i = 0; i < 40; ++i) {
        specs[i] = a_spec("naive");
        specs[i].parameters.registers = 32 + i / 2;
        specs[i].parameters.seed = i;
    }
    size_t seen[2] = {0, 0};
    assert_true(execute_compile(executor, specs, 40, count_progress, seen, &why));
    assert_int_equal(seen[0], 40); // 20 register caps, clean and counting; a seed makes no build
    assert_int_equal(seen[1], 40);
    assert_true(execute_compile(executor, specs, 0, count_progress, seen, &why));
    for (int round = 0; round < 2; ++round) // more than stay loaded, and again
        for (int i = 0; i < 40; ++i) {
            struct measurement got;
            struct execute_facts facts;
            const struct execute_request request = {
                .spec = &specs[i], .collection = COLLECTION_FRAME, .policy = policy_once()};
            assert_true(execute_describe(executor, &specs[i], &facts, &why));
            assert_true(execute(executor, &request, &got, &why));
            assert_non_null(strstr(facts.programs, got.provenance));
            measurement_finish(&got);
        }
    executor_destroy(executor);
}

// Twice through more scenes than stay open, in two orders: each execution has its own scene.
TEST(scenes_come_and_go)
{
    struct executor *executor = executor_create();
    struct hash images[16];
    for (int i = 0; i < 32; ++i) {
        const int which = i < 16 ? i : 31 - i;
        struct trial_spec spec = a_spec("naive");
        strcpy(spec.device, "emulator");
        strcpy(spec.scene, which % 2 ? "open" : "cornell");
        spec.parameters.leaf_size = 1 + which / 2; // another tree each: another image file
        spec.parameters.max_bounces = 1;
        const struct execute_request request = {.spec = &spec, .collection = COLLECTION_FRAME, .policy = policy_once()};
        struct measurement got;
        need(execute(executor, &request, &got, &why));
        if (i < 16)
            images[which] = got.image;
        assert_true(hash_equal(got.image, images[which % 2])); // the tree does not show
        assert_true(hash_equal(got.image, images[which]));
        measurement_finish(&got);
    }
    assert_false(hash_equal(images[0], images[1]));
    executor_destroy(executor);
}

// What a frame of `tree` counts on the emulator, over all bounces.
static struct bounce_counts counted_with(struct executor *executor, int64_t tree, int64_t traversal)
{
    struct trial_spec spec = a_spec("whole_frame");
    strcpy(spec.device, "emulator");
    spec.parameters.tree = tree;
    spec.parameters.traversal = traversal;
    spec.parameters.max_bounces = 3;
    const struct execute_request request = {.spec = &spec, .collection = COLLECTION_COUNTS, .policy = policy_once()};
    struct measurement got;
    struct bounce_counts sum = {0};
    need(execute(executor, &request, &got, &why));
    for (size_t i = 0; i < got.count_count; ++i)
        count_add(&sum, &got.counts[i].counts);
    measurement_finish(&got);
    return sum;
}

// The same steps on the same paths: what differs is where nodes and triangles stand. Leaves of the kd-tree tell that
// the counts would show another tree.
TEST(a_padded_tree_is_the_same_tree)
{
    struct executor *executor = executor_create();
    for (int64_t traversal = 0; traversal < 2; ++traversal) {
        const struct bounce_counts binary = counted_with(executor, 0, traversal),
                                   other = counted_with(executor, 1, traversal);
        struct bounce_counts padded = counted_with(executor, 2, traversal);
        assert_true(binary.nodes > 0 && binary.shadow_triangles > 0);
        assert_true(padded.node_lines > binary.node_lines);
        assert_true(padded.visit_sectors == 2 * binary.visit_sectors && padded.leaf_lines > binary.leaf_lines);
        padded.node_lines = binary.node_lines; // what depends on where things stand
        padded.node_sectors = binary.node_sectors;
        padded.triangle_lines = binary.triangle_lines;
        padded.visit_sectors = binary.visit_sectors;
        padded.leaf_lines = binary.leaf_lines;
        padded.tree_bytes = binary.tree_bytes;
        assert_memory_equal(&binary, &padded, sizeof padded);
        assert_true(binary.nodes != other.nodes && binary.path_hash == other.path_hash);
    }
    executor_destroy(executor);
}
