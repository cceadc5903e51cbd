// SPDX-License-Identifier: MIT
// The cases of verify, and how it ends.
#include <sys/wait.h>
#include "check.h"
#include "verify/verify.h"
#include "trial/executor.h"

// Cases of a variant with the setting that needs another; no two have one label.
static size_t count_moves(const struct verify_cases *cases)
{
    size_t moves = 0;
    for (size_t i = 0; i < cases->count; ++i) {
        const struct parameters *parameters = &cases->rows[i].parameters;
        for (size_t j = 0; j < i; ++j)
            assert_string_not_equal(cases->rows[j].label, cases->rows[i].label);
        moves += parameters->storage == 1 && parameters->scan == 1;
    }
    return moves;
}

TEST(cases_hold_settings_that_need_each_other)
{
    const struct parameters work = parameters_default();
    struct verify_cases cases = {0};
    verify_add_cases(&cases, variant_find("whole_frame"), &work, true, true);
    assert_int_equal(count_moves(&cases), 6); // compact_every 1, 2, 3 x grid full, shrink
    bool found = false;
    for (size_t i = 0; i < cases.count; ++i)
        found |= !strcmp(cases.rows[i].label, "storage=move scan=previous compact_every=3 grid=shrink");
    assert_true(found);
    free(cases.rows);
    cases = (struct verify_cases){0};
    verify_add_cases(&cases, variant_find("naive"), &work, false, true);
    assert_true(cases.count > 2);
    assert_int_equal(count_moves(&cases), 0);
    free(cases.rows);
}

TEST(nothing_is_missed_silently)
{
    struct error error = {0};
    struct trial_spec spec = {.device = "emulator", .parameters = parameters_default()};
    struct verify_value values[] = {
        {.variant = variant_find("whole_frame"), .parameter = parameter_find("grid"), .value = 1, .ran = true},
        {.variant = variant_find("whole_frame"), .parameter = parameter_find("storage"), .value = 1},
        {.variant = variant_find("tiled_shared"), .parameter = parameter_find("shared_pad"), .value = 232448},
    };
    struct verify *verify = calloc(1, sizeof *verify);
    verify->executor = executor_create();
    verify->device = "emulator";
    verify->variants[verify->variant_count++] = "tiled_shared";
    verify->coverage.values = values;
    assert_false(verify_complete(verify, &spec, &error));
    assert_string_equal(error.message, "no case of tiled_shared was run: all were skipped");
    for (size_t i = 0; variant_table[i]; ++i)
        verify->coverage.variants[i].cases = 1;
    verify->coverage.count = 1;
    assert_true(verify_complete(verify, &spec, &error));
    verify->coverage.count = 3; // storage=move runs with scan=previous; so much shared memory fits no block
    assert_false(verify_complete(verify, &spec, &error));
    assert_false(values[0].missed || values[0].refused);
    assert_true(values[1].missed && !values[1].refused);
    assert_true(values[2].refused && !values[2].missed);
    executor_destroy(verify->executor);
    free(verify);
}

TEST(a_case_that_hangs_ends_verify)
{
    int ends[2], status;
    char text[400] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 2);
        verify_deadline(1, "the first");
        verify_deadline(0, "");
        verify_deadline(1, "tiled_shared block=96");
        for (;;) {
        }
    }
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(text, "tiled_shared block=96: did not finish within 1 s"));
}

static int compiled_beside_a_deadline = -1;

static bool look_for_deadline(struct device *device, const struct device_build *builds, size_t count,
                              void (*progress)(void *context, size_t done), void *context, struct error *error)
{
    compiled_beside_a_deadline = alarm(0) > 0;
    return true;
}

TEST(compiling_takes_no_time_of_a_case)
{
    struct trial_spec spec = {.scene = "cornell", .device = "null", .parameters = parameters_default()};
    struct verify *verify = calloc(1, sizeof *verify);
    verify->executor = executor_create();
    verify->estimator = variant_find("naive")->estimator;
    verify->device = verify->against = "null";
    verify->variants[verify->variant_count++] = "naive";
    verify->quick = true;
    verify->time_limit = 1000;
    spec.parameters.width = spec.parameters.height = 8;
    assert_non_null(execute_device(verify->executor, &spec, &why));
    struct device_ops ops = *verify->executor->device->ops;
    ops.compile_ahead = look_for_deadline;
    verify->executor->device->ops = &ops;
    assert_true(verify_work(verify, &spec, "", true, &why));
    assert_int_equal(compiled_beside_a_deadline, false);
    assert_int_equal(alarm(0), 0); // nor is one left at the end
    executor_destroy(verify->executor);
    verify_coverage_finish(&verify->coverage);
    free(verify);
}

TEST(comparison_sees_one_path)
{
    struct verify_result *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    char text[200];
    a->counted = b->counted = true;
    assert_null(verify_compare(a, b, text, sizeof text));
    b->bounces[3].active_paths = 1;
    assert_string_equal(verify_compare(a, b, text, sizeof text), "active_paths of bounce 3: 1, not 0");
    b->bounces[3].active_paths = 0;
    b->path_hash = 1;
    assert_non_null(verify_compare(a, b, text, sizeof text));
    b->path_hash = 0;
    b->bounces[5].hits[1] = 1;
    assert_string_equal(verify_compare(a, b, text, sizeof text), "hits_1 of bounce 5: 1, not 0");
    b->bounces[5].hits[1] = 0;
    b->totals.live_warps = 1; // what a schedule does is no part of what all variants share
    assert_null(verify_compare(a, b, text, sizeof text));
    assert_string_equal(verify_compare_schedule(a, b, text, sizeof text), "live_warps of all launches: 1, not 0");
    b->image.low = 1;
    assert_non_null(verify_compare(a, b, text, sizeof text));
    free(a);
    free(b);
}

static void check_traced(const struct verify_result *reference, const struct verify_result *result, const char *wanted)
{
    char text[200];
    const char *said = verify_compare_traced(reference, result, text, sizeof text);
    if (wanted ? !said || strcmp(said, wanted) != 0 : said != NULL)
        fail_msg("wanted '%s', got '%s'", wanted ? wanted : "", said ? said : "");
}

// 10,000 paths differ by four standard errors where they are 566 more or fewer. Their radiance in three channels, 10,000 in all
// with squares of 12,500, has a variance of 12,500 - 10,000^2 / 30,000, so a standard error of 95.7.
TEST(comparison_of_traced_paths_knows_noise)
{
    struct verify_result *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    const uint64_t unit = 1 << 24;
    a->counted = b->counted = true;
    a->bounces[0].active_paths = b->bounces[0].active_paths = 10000;
    a->bounces[2].active_paths = 10000;
    a->totals.radiance = 10000 * unit;
    a->totals.squares = 12500 * unit;
    for (int more = -1; more <= 1; more += 2) {
        b->bounces[2].active_paths = (uint64_t)(10000 + more * 550);
        b->totals.radiance = (uint64_t)(10000 + more * 95) * unit;
        check_traced(a, b, NULL);
        b->totals.radiance = (uint64_t)(10000 + more * 97) * unit;
        check_traced(a, b, "the image's mean differs by more than its noise");
    }
    b->totals.radiance = a->totals.radiance;
    b->bounces[2].active_paths = 10580;
    check_traced(a, b, "10580 paths at bounce 2, not about 10000");
    b->bounces[2].active_paths = 9420;
    check_traced(a, b, "9420 paths at bounce 2, not about 10000");
    b->bounces[2].active_paths = 10000;
    b->bounces[3].active_paths = 16; // none but a few
    check_traced(a, b, NULL);
    b->bounces[3].active_paths = 17;
    check_traced(a, b, "17 paths at bounce 3, not about 0");
    free(a);
    free(b);
}
