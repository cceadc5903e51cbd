// SPDX-License-Identifier: MIT
// The runner's parts that need no worker: policy, settings, overrides, formulas for warps. Workers, resumption and the command line are
// tested from outside: tests/kill and cli/.
#include "check.h"
#include "frame/pixel_table.h"
#include "run/coordinator.h"
#include "plan/overrides.h"
#include "verify/verify.h"
#include "trial/executor.h"

// ---- policy

TEST(policy_stops_for_its_reasons)
{
    const struct policy policy = {.min_repetitions = 4, .max_repetitions = 20, .relative_ci = 0.05, .max_seconds = 100};
    double seconds[20];
    for (int i = 0; i < 20; ++i)
        seconds[i] = 1 + 1e-4 * (i % 2 ? 1 : -1);
    assert_null(policy_stop(&policy, seconds, 3));
    assert_string_equal(policy_stop(&policy, seconds, 4), "relative_ci");
    assert_null(policy_stop(&policy, seconds, 5)); // within a block
    for (int i = 0; i < 20; ++i)
        seconds[i] = i % 3 ? 1 : 2;
    assert_null(policy_stop(&policy, seconds, 4));
    assert_string_equal(policy_stop(&policy, seconds, 20), "max_repetitions");
    seconds[0] = 101;
    assert_null(policy_stop(&policy, seconds, 1)); // all rules wait for the end of a block
    assert_string_equal(policy_stop(&policy, seconds, 4), "max_seconds");
    assert_null(policy_stop(&policy, seconds, 6));
    assert_string_equal(policy_stop(&policy, seconds, 8), "max_seconds");
    assert_string_equal(policy_stop(&(struct policy){.min_repetitions = 1, .max_repetitions = 1}, seconds, 1),
                        "max_repetitions");
}

TEST(policy_text_names_all_that_matters)
{
    struct policy policy = policy_default();
    char standard[300], other[300];
    policy_format(&policy, standard, sizeof standard);
    assert_true(strlen(standard) < sizeof standard - 1);
    for (int i = 0; i < 8; ++i) {
        policy = policy_default();
        double *const reals[] = {&policy.relative_ci, &policy.max_seconds, &policy.max_temperature,
                                 &policy.gate_seconds};
        uint32_t *const counts[] = {&policy.warmups, &policy.min_repetitions, &policy.max_repetitions};
        if (i < 4)
            *reals[i] *= 2;
        else if (i < 7)
            *counts[i - 4] += 1;
        else
            policy.shared_device = !policy.shared_device;
        policy_format(&policy, other, sizeof other);
        assert_string_not_equal(standard, other);
    }
}

TEST(policy_interval_widens_with_correlation)
{
    double alternating[40], drifting[40];
    for (int i = 0; i < 40; ++i) {
        alternating[i] = i % 2 ? 1.1 : 0.9;
        drifting[i] = i < 20 ? 0.9 : 1.1;
    }
    assert_true(isinf(policy_relative_ci(alternating, 2)));
    // 40 independent values of deviation 0.1: 2.02 * 0.1013 / sqrt(40) = 0.0324
    assert_float_equal(policy_relative_ci(alternating, 40), 0.0324, 0.0005);
    assert_true(policy_relative_ci(drifting, 40) > 3 * policy_relative_ci(alternating, 40));
    const double equal[4] = {2, 2, 2, 2};
    assert_float_equal(policy_relative_ci(equal, 4), 0, 0);
}

TEST(students_t_is_as_tabulated)
{
    static const struct {
        double degrees, t;
    } rows[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},   {6, 2.447},  {7, 2.365},
                {8, 2.306},  {9, 2.262},  {10, 2.228}, {11, 2.201}, {12, 2.179},  {15, 2.131}, {20, 2.086},
                {25, 2.060}, {30, 2.042}, {40, 2.021}, {60, 2.000}, {100, 1.984}, {1e9, 1.960}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        assert_float_equal(policy_student_t95(rows[i].degrees), rows[i].t, 0.0006);
    assert_float_equal(policy_student_t95(2.9), 4.303, 0.0006); // never too small
    double before = policy_student_t95(1);
    for (double degrees = 1.1; degrees < 40; degrees += 0.1) {
        assert_true(policy_student_t95(degrees) <= before);
        before = policy_student_t95(degrees);
    }
}

// ---- settings

TEST(morton_visits_every_pixel_once)
{
    uint32_t *table = pixel_table_morton(5, 3);
    static const uint32_t wanted[] = {0, 1, 5, 6, 2, 3, 7, 8, 10, 11, 12, 13, 4, 9, 14};
    assert_memory_equal(table, wanted, sizeof wanted);
    free(table);
}

TEST(machines_that_cannot_be_are_unsupported)
{
    struct parameters parameters = parameters_default();
    struct device_settings settings;
    for (int64_t width = 1; width <= 64; ++width) {
        struct error error = {0};
        parameters.warp_width = width;
        const bool wanted = width == 1 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
        assert_int_equal(execute_device_settings(&parameters, &settings, &error), wanted);
        assert_int_equal(error.kind, wanted ? ERROR_NONE : ERROR_UNSUPPORTED);
    }
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct config config;
    const size_t count = execute_constants(&parameters, constants, &config);
    assert_true(count > 5);
    assert_int_equal(config.path_bytes, 88);
}

// ---- overrides

TEST(overrides_replace_axes_and_settings)
{
    static const char text[] =
        "name: x\nfixed: {scene: cornell, width: 8}\nsweep: {variant: [naive]}\ncollect: [counts]\n";
    struct experiment *experiment = made(experiment_parse("x.yaml", text, sizeof text - 1, &why));
    assert_true(override_experiment(experiment, "width=16,32", &why));
    assert_true(override_experiment(experiment, "seed=5", &why));
    assert_true(override_experiment(experiment, "replicates=3", &why));
    assert_true(override_experiment(experiment, "time_limit=0.5", &why));
    assert_true(override_experiment(experiment, "collect=counts,frame", &why));
    assert_true(override_experiment(experiment, "height=4..6,9", &why));
    assert_true(override_experiment(experiment, "interval_us=5", &why) == false); // of a group: by the member's name
    assert_true(override_experiment(experiment, "timeline_interval_us=5", &why));
    const struct experiment_axis *heights = experiment_axis_named(experiment, "height");
    assert_int_equal(heights->count, 4);
    assert_string_equal(heights->values[2].text, "6");
    assert_string_equal(heights->values[3].text, "9");
    size_t widths = 0;
    for (size_t i = 0; i < experiment->axis_count; ++i)
        if (!strcmp(experiment->axes[i].name, "width"))
            widths = experiment->axes[i].count;
    assert_int_equal(widths, 2);
    assert_int_equal(experiment->replicates, 3);
    assert_int_equal(experiment->collections, 3);
    static const char *const wrong[] = {
        "width",        "width=",           "width=0",        "witdh=8",
        "variant=naiv", "device=gpu",       "replicates=0",   "replicates=1.5",
        "collect=all",  "order_seed=x",     "order_seed=-1",  "order_seed=9223372036854775808",
        "width=4..2",   "width=0..2",       "seed=1..100001", "width=1..2..3",
        "variant=1..2", "replicates=10001", "max_seconds=0",  "replicates=0x10"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_false(override_experiment(experiment, wrong[i], &why));
    experiment_free(experiment);
}

// Minutes from `now`, in Central European time: summer time from 2026-03-29, 02:00 (01:00 UTC), to 2026-10-25, 03:00.
enum { SPRING = 1774742400, AUTUMN = 1792886400, HOUR = 3600 }; // those days' midnights in UTC

static double until_after(const char *text, time_t now)
{
    time_t until = 0;
    assert_true(coordinator_parse_until(text, now, &until, &why));
    return difftime(until, now) / 60;
}

TEST(until_is_the_next_such_time)
{
    time_t until;
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    assert_true(until_after("07:00", SPRING - 48 * HOUR) == 6 * 60); // 01:00
    assert_true(until_after("01:00", SPRING - 48 * HOUR) == 24 * 60);
    assert_true(until_after("01:01", SPRING - 48 * HOUR + 59) == 1. / 60);
    // 01:50 in winter, then 03:05, 02:30 (which is passed at 03:00), 02:00 and 03:00, all of that night
    assert_true(until_after("03:05", SPRING + 50 * 60) == 15);
    assert_true(until_after("02:30", SPRING + 50 * 60) == 10 && until_after("02:00", SPRING + 50 * 60) == 10);
    assert_true(until_after("03:00", SPRING + 50 * 60) == 10 && until_after("01:59", SPRING + 50 * 60) == 9);
    assert_true(until_after("01:30", SPRING + 50 * 60) == 24 * 60 - 80);        // tomorrow, a day of 23 hours
    assert_true(until_after("07:00", SPRING - 2 * HOUR) == 7 * 60);             // 23:00 of the evening before
    assert_true(until_after("22:00", SPRING - 2 * HOUR) == 22 * 60);            // 23:00, tomorrow
    assert_true(until_after("02:30", SPRING + 2 * HOUR) == 22 * 60 + 30);       // 04:00, tomorrow
    assert_true(until_after("07:00", AUTUMN - HOUR) == 7 * 60);                 // 01:00 in summer
    assert_true(until_after("02:30", AUTUMN - HOUR) == 90);                     // the first of two
    assert_true(until_after("02:30", AUTUMN + 40 * 60) == 50);                  // 02:40, so the second
    assert_true(until_after("02:10", AUTUMN + 40 * 60) == 30);                  // likewise
    assert_true(until_after("03:00", AUTUMN + 40 * 60) == 80);                  // shown once
    assert_true(until_after("02:30", AUTUMN + HOUR + 40 * 60) == 24 * 60 - 10); // the second is over
    assert_true(until_after("01:00", AUTUMN - HOUR) == 25 * 60);                // tomorrow, a day of 25 hours
    setenv("TZ", "UTC-10:30UTC-11,M10.1.0,M4.1.0", 1); // Lord Howe Island moves its clock by half an hour
    tzset();
    assert_true(until_after("02:15", 1791037800) == 60); // 2026-10-04, 01:00: passed at 02:30
    assert_false(coordinator_parse_until("7", 0, &until, &why));
    assert_false(coordinator_parse_until("24:00", 0, &until, &why));
    assert_false(coordinator_parse_until("07:00pm", 0, &until, &why));
    unsetenv("TZ");
    tzset();
}

// ---- formulas

static uint64_t list_warps(const struct parameters *parameters, uint32_t warp_width, uint64_t paths, bool *ok)
{
    const struct warps_asked asked = {.parameters = parameters, .warp_width = warp_width, .paths = paths};
    uint64_t warps = 0;
    *ok = warps_of_list(&asked, &warps);
    return warps;
}

static uint64_t tile_warps(const struct parameters *parameters, uint32_t warp_width, const uint32_t *lengths,
                           uint32_t bounce)
{
    const struct warps_asked asked = {parameters, warp_width, lengths, bounce, 0};
    return warps_of_tiles(&asked);
}

static uint64_t place_warps(const struct parameters *parameters, uint32_t warp_width, const uint32_t *lengths,
                            uint32_t compacted, uint32_t bounce, bool *ok)
{
    const struct warps_asked asked = {parameters, warp_width, lengths, bounce, 0};
    uint64_t warps = 0;
    *ok = warps_of_places(&asked, compacted, &warps);
    return warps;
}

TEST(warps_of_lists)
{
    struct parameters parameters = parameters_default();
    bool ok;
    parameters.width = 64;
    assert_int_equal(list_warps(&parameters, 32, 0, &ok), 0);
    assert_int_equal(list_warps(&parameters, 32, 33, &ok), 2);
    assert_int_equal(list_warps(&parameters, 32, 3072, &ok), 96);
    parameters.block = 20; // blocks end in a short warp
    assert_int_equal(list_warps(&parameters, 32, 60, &ok), 3);
    assert_int_equal(list_warps(&parameters, 8, 60, &ok), 9);
    parameters.block = 64;
    parameters.lane_map = 1;
    // One path: one warp. 65 paths: a whole row of 64 pixels touches 8 warps; the next row is theirs too.
    assert_int_equal(list_warps(&parameters, 32, 1, &ok), 1);
    assert_int_equal(list_warps(&parameters, 32, 65, &ok), 8);
    assert_int_equal(list_warps(&parameters, 32, 257, &ok), 9);
    assert_true(ok);
    parameters.width = 60;
    list_warps(&parameters, 32, 1, &ok);
    assert_false(ok);
}

static void all_one(uint32_t *lengths, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        lengths[i] = 1;
}

TEST(tiles_by_formula)
{
    struct parameters parameters = parameters_default();
    parameters.width = 40;
    parameters.height = 3;
    parameters.block = 32;
    parameters.tile_m = 2;
    uint32_t lengths[120];
    all_one(lengths, 120);
    lengths[0] = lengths[39] = 2;
    // Tiles of 64, 16, 32 and 8 paths; then one path in each of two tiles.
    assert_int_equal(tile_warps(&parameters, 32, lengths, 0), 2 + 1 + 1 + 1);
    assert_int_equal(tile_warps(&parameters, 32, lengths, 1), 2);
    assert_int_equal(tile_warps(&parameters, 8, lengths, 0), 8 + 2 + 4 + 1);
}

TEST(places_by_formula)
{
    struct parameters parameters = parameters_default();
    const struct parameter *order = parameter_find("pixel_order");
    parameters.width = 20;
    parameters.height = 6;
    parameters.block = 40; // a full and a short warp
    uint32_t lengths[120];
    bool ok;
    all_one(lengths, 120);
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 0, &ok), 6);
    // Place 32 of a tile order is the first pixel of the second 8x4 tile: x 8, y 0; places 80 and on are the band
    // below.
    lengths[0] = 3;
    lengths[8] = 2;
    lengths[4 * 20] = 3;
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 3);
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 2, &ok), 2);
    // By rows 0 and 8 share a warp, and 80 begins another block.
    assert_true(parameter_set(&parameters, order, "row", &why));
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 2);
    assert_int_equal(place_warps(&parameters, 4, lengths, 0, 1, &ok), 3);
    // Compacted before bounce 1 the three stand side by side.
    assert_int_equal(place_warps(&parameters, 32, lengths, 1, 1, &ok), 1);
    assert_int_equal(place_warps(&parameters, 2, lengths, 1, 2, &ok), 2);
    // Morton: pixels (0, 0), (1, 0), (0, 1) and (1, 1) come first, then (2, 0).
    assert_true(parameter_set(&parameters, order, "morton", &why));
    all_one(lengths, 120);
    lengths[0] = lengths[21] = 2;
    assert_int_equal(place_warps(&parameters, 4, lengths, 0, 1, &ok), 1);
    lengths[2] = 2;
    assert_int_equal(place_warps(&parameters, 4, lengths, 0, 1, &ok), 2);
    // 8x8: blocks 8 wide and 5 high, three of them across; warps of 32 are 4 rows of a block.
    parameters.lane_map = 1;
    all_one(lengths, 120);
    lengths[7] = lengths[3 * 20] = 2; // one warp
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 1);
    lengths[4 * 20] = lengths[8] = lengths[5 * 20] = 2; // the block's short warp, the next block, the block below
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 4);
    assert_true(ok);
    parameters.block = 20;
    place_warps(&parameters, 32, lengths, 0, 1, &ok);
    assert_false(ok);
}
