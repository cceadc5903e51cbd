// SPDX-License-Identifier: MIT
// What the views say of a device with clocks, sensors and counters, on numbers small enough to check by hand.
#include "views_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/counters.h"

static const struct trial_provenance provenance = {
    "scene", "programs", "H200", "driver", "warmups=2 min_repetitions=10 relative_ci=0.01 max_seconds=10", "harness"};

// settings: "NAME=VALUE NAME=VALUE ...". All trials of one seed compute the same work.
static int64_t trial_by(const struct trial_provenance *made_by, const char *device, const char *variant, int replicate,
                        const char *settings)
{
    struct plan_row plan = {
        .ordinal = 7, .point = 3, .replicate = replicate, .collections = 31, .spec.parameters = parameters_default()};
    char key[HASH_TEXT], text[128], *place = NULL;
    int64_t trial;
    strcpy(plan.spec.scene, "open");
    snprintf(plan.spec.variant, sizeof plan.spec.variant, "%s", variant);
    snprintf(plan.spec.device, sizeof plan.spec.device, "%s", device);
    plan.spec.parameters.max_bounces = 2;
    snprintf(text, sizeof text, "%s", settings);
    for (char *word = strtok_r(text, " ", &place); word; word = strtok_r(NULL, " ", &place)) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        need(parameter_set(&plan.spec.parameters, parameter_find(word), equals + 1, &failure));
    }
    need(store_trial(store, run, &plan, made_by, &trial, key, &failure));
    return trial;
}

static int64_t trial_on(const char *device, const char *variant, int replicate, const char *settings)
{
    return trial_by(&provenance, device, variant, replicate, settings);
}

static struct measured_kernel path_kernel(const char *name, uint32_t resident_warps)
{
    struct measured_kernel kernel = {
        .facts = {64, 0, 16, 1024}, .block = 64, .shared_bytes = 2048, .resident_warps = resident_warps};
    snprintf(kernel.kernel, sizeof kernel.kernel, "%s", name);
    return kernel;
}

// A frame attempt whose repetitions have that median.
static void time_frame(int64_t trial, uint32_t repetitions, double median, const struct measurement *around)
{
    struct measured_repetition rows[16];
    struct measured_kernel kernel = path_kernel("k", 2);
    struct measurement measurement = around ? *around : (struct measurement){0};
    for (uint32_t i = 0; i < repetitions; ++i) {
        const double off = !i ? 0.9 : i == 1 ? 1.5 : 1; // one fast, one slow
        rows[i] = (struct measured_repetition){.host_seconds = off * median,
                                               .device_seconds = NAN,
                                               .gap_seconds = NAN,
                                               .sm_mhz = 1000 + 100 * median + i,
                                               .launches_path = 1};
    }
    measurement.collection = COLLECTION_FRAME;
    measurement.repetitions = rows;
    measurement.repetition_count = repetitions;
    measurement.kernels = &kernel;
    measurement.kernel_count = 1;
    measurement.times = true;
    finish(trial, &measurement);
}

static struct measured_conditions conditions(double temperature, uint32_t throttle)
{
    return (struct measured_conditions){true, {temperature, 600.5, 1980, NAN, throttle, -1}};
}

static void judges_frames(void **state)
{
    (void)state;
    static const double medians[] = {1.00, 1.01, 1.02, 0.99, 0.98};
    for (int i = 0; i < 5; ++i) {
        const struct measurement around = {
            .before = conditions(40, DEVICE_THROTTLE_IDLE | DEVICE_THROTTLE_SETTING),
            .after = conditions(70 + i, i == 2 ? DEVICE_THROTTLE_THERMAL : DEVICE_THROTTLE_SETTING),
            .gate_seconds = i};
        time_frame(trial_on("cuda", "whole_frame", i, ""), 10, medians[i], &around);
    }
    for (int i = 0; i < 2; ++i) {
        time_frame(trial_on("cuda", "naive", i, ""), 3, 2 + 0.2 * i, NULL);
        time_frame(trial_on("cuda", "tiled_global", i, ""), 10, 2 + 0.3 * i, NULL);
    }
    time_frame(trial_on("cuda", "whole_frame_off", 0, ""), 10, 3, NULL); // alone: nothing is known of its noise
    trial_on("cuda", "tiled_shared", 0, "");                             // never run

    // Deviations 0, 1, 2, -1, -2 %: variance 10 / 4, its root over that of 5 is 0.7071 %, times t(4) = 2.7764.
    check("SELECT round(seconds, 6), round(mean, 6), round(relative_ci, 6), round(noise_floor, 6), replicates, "
          "repetitions, "
          "least_repetitions FROM frame_time JOIN trial_record AS t ON t.id = trial WHERE variant = 'whole_frame'",
          "1.0 1.0 0.019632 0.040816 5 50 10");
    check("SELECT round(sm_mhz, 3), throttled, hottest, gate_seconds FROM frame_time JOIN trial_record AS t ON t.id = "
          "trial WHERE variant = 'whole_frame'",
          "1104.5 1 74.0 4.0");
    check("SELECT relative_ci, noise_floor, throttled, hottest FROM frame_time JOIN trial_record AS t ON t.id = trial "
          "WHERE variant = 'whole_frame_off'",
          "- - - -");
    // Naive: 2 and 2.2, so 2.1 +- 12.7062 x 0.1; tiled: 2 and 2.3, so 2.15 and a noise floor of 15 %.
    check("SELECT round(seconds, 6), round(relative_ci, 6), round(noise_floor, 6), speedup, speedup_ci, clear FROM "
          "table1 "
          "WHERE variant = 'naive'",
          "2.1 0.605057 0.1 1.0 - -");
    check("SELECT round(speedup, 6), round(speedup_ci, 6), clear, round(naive_noise_floor, 6), round(sm_mhz, 3), "
          "throttled "
          "FROM table1 WHERE variant = 'whole_frame'",
          "2.1 0.605376 1 0.1 1104.5 1");
    check("SELECT round(speedup, 6), clear FROM table1 WHERE variant = 'tiled_global'", "0.976744 0");
    check("SELECT round(speedup, 6), clear, speedup_ci FROM table1 WHERE variant = 'whole_frame_off'", "0.7 - -");
}

#define QUALITY(of, variant)                                                                                           \
    "SELECT " of                                                                                                       \
    " FROM frame_quality JOIN trial_record AS t USING (setting) WHERE replicate = 0 AND variant = '" variant "'"

static void names_weak_cells(void **state)
{
    (void)state;
    check(QUALITY("flags", "whole_frame"), "wide_interval,noisy,throttled");
    check(QUALITY("reasons", "whole_frame"), "interval +-2 %, wanted 1 %; replicates differ by 4.1 %, twice the wanted "
                                             "interval is 2 %; clock throttled at 74 "
                                             "degrees Celsius");
    check(QUALITY("flags", "naive"), "few_replicates,few_repetitions,wide_interval,noisy");
    check(QUALITY("flags || ': ' || reasons", "whole_frame_off"), "few_replicates: 1 of 5 replicates");
    // Never counted: 640 x 384 paths are 7680 warps on a device that holds 2; 16 x 8 are 4.
    check("SELECT w.waves, w.underfilled_share, w.underfilled FROM frame_waves AS w JOIN trial_record AS t USING "
          "(setting) "
          "WHERE variant = 'whole_frame_off'",
          "3840.0 - 0");
    time_frame(trial_on("cuda", "whole_frame_off", 0, "width=16 height=8"), 10, 3, NULL);
    check("SELECT flags, reasons FROM frame_quality JOIN trial_record AS t USING (setting) WHERE width = 16",
          "few_replicates,underfilled 1 of 5 replicates; 2 waves at bounce 0");
    check(QUALITY("flags || ': ' || reasons", "tiled_shared"), "untimed: not measured, or on a device without a clock");
    check("SELECT flags FROM table1 WHERE variant = 'whole_frame'", "wide_interval,noisy,throttled");
    check("SELECT memory_mhz, foreign_processes, power, throttle FROM condition WHERE moment = 'before'",
          "- - 600.5 3");
}

// Whole-frame compaction in five launches a repetition: three bounces and two compactions of 2 us, gaps of 1 us.
static void time_launches(int64_t trial, uint32_t resident_warps, const double microseconds[3], double last)
{
    enum { LAUNCHES = 5, REPETITIONS = 3 };
    struct measured_launch launches[LAUNCHES * REPETITIONS];
    struct measured_repetition repetitions[REPETITIONS];
    struct measured_kernel kernels[2] = {path_kernel("bounce", resident_warps), path_kernel("select", 99)};
    kernels[1].auxiliary = true;
    for (uint32_t r = 0; r < REPETITIONS; ++r) {
        repetitions[r] = (struct measured_repetition){.host_seconds = 30e-6, .gap_seconds = 1e-6};
        for (uint32_t i = 0; i < LAUNCHES; ++i) {
            launches[r * LAUNCHES + i] = (struct measured_launch){.repetition = r,
                                                                  .index = i,
                                                                  .iteration = (int32_t)i / 2,
                                                                  .bounce = i % 2 ? -1 : (int32_t)i / 2,
                                                                  .auxiliary = i % 2,
                                                                  .grid = 4,
                                                                  .block = 64,
                                                                  .seconds = i % 2 ? 2e-6 : 1e-6 * microseconds[i / 2]};
            strcpy(launches[r * LAUNCHES + i].kernel, i % 2 ? "select" : "bounce");
        }
    }
    launches[LAUNCHES].seconds = NAN;                 // bounce 0 of repetition 1 was not measured
    launches[2 * LAUNCHES + 4].seconds = 1e-6 * last; // the last repetition's last bounce
    launches[2 * LAUNCHES + 4].grid = 1;              // and it is another launch than in the first
    finish(trial, &(struct measurement){.collection = COLLECTION_LAUNCHES,
                                        .repetitions = repetitions,
                                        .repetition_count = REPETITIONS,
                                        .launches = launches,
                                        .launch_count = LAUNCHES * REPETITIONS,
                                        .kernels = kernels,
                                        .kernel_count = 2,
                                        .times = true});
}

static void count_bounces(int64_t trial)
{
    struct measured_counts counts[] = {{0, 0, {.active_paths = 256, .active_warps = 8}},
                                       {2, 1, {.active_paths = 100, .active_warps = 4}},
                                       {4, 2, {.active_paths = 32, .active_warps = 1}},
                                       {0, MEASURED_TOTALS, {.active_paths = 256, .active_warps = 8}}};
    struct measured_launch launch = {.kernel = "bounce", .grid = 4, .block = 64};
    finish(trial, &(struct measurement){.counts = counts, .count_count = 4, .launches = &launch, .launch_count = 1});
}

static void divides_frames(void **state)
{
    (void)state;
    static const double even[] = {10, 6, 4}, late[] = {9, 7, 4};
    const int64_t first = trial_on("cuda", "whole_frame", 0, "seed=2"),
                  second = trial_on("cuda", "whole_frame", 1, "seed=2");
    time_launches(first, 2, even, 4);
    time_launches(second, 2, even, 400);
    count_bounces(first);
    const int64_t other = trial_on("cuda", "whole_frame", 0, "seed=3"),
                  small = trial_on("cuda", "whole_frame", 0, "seed=4");
    time_launches(other, 2, late, 4);
    count_bounces(other);
    time_launches(small, 3, even, 4);
    count_bounces(small);
    // Of 15 launches 5 are stored whole, and the one that differs; of the others, times.
    check("SELECT (SELECT count(*) FROM launch WHERE attempt = a.id), (SELECT count(*) FROM launch_time WHERE attempt "
          "= a.id), "
          "(SELECT count(*) FROM timed_launch WHERE attempt = a.id), (SELECT count(seconds) FROM timed_launch WHERE "
          "attempt = "
          "a.id) FROM attempt AS a WHERE collection = 'launches' AND trial = (SELECT min(id) FROM trial_record WHERE "
          "seed = 2)",
          "6 9 15 14");
    check("SELECT bounce, auxiliary, seconds, grid FROM timed_launch JOIN attempt AS a ON a.id = attempt WHERE "
          "repetition = 2 "
          "AND timed_launch.number = 4 AND trial = (SELECT max(id) FROM trial_record WHERE seed = 2)",
          "2 0 0.0004 1");
#define BOUNCE(bounce)                                                                                                 \
    "SELECT replicates, round(1e6 * seconds, 6), round(noise_floor, 6), least_repetitions FROM bounce_time JOIN "      \
    "trial_record AS t USING (setting) WHERE seed = 2 AND replicate = 0 AND bounce = " bounce
    check(BOUNCE("0"), "2 10.0 0.0 2"); // the repetition without a time is none
    check(BOUNCE("2"), "2 4.0 0.0 3");  // the median of 4, 4 and 400
    check("SELECT round(1e6 * path_seconds, 6), round(1e6 * auxiliary_seconds, 6), round(1e6 * gap_seconds, 6), "
          "round(auxiliary_share, 6), round(gap_share, 6), round(compaction_share, 6) FROM frame_parts JOIN "
          "trial_record AS t "
          "USING (setting) WHERE seed = 4",
          "20.0 4.0 1.0 0.16 0.04 0.2");
    check("SELECT group_concat(printf('%g %d', waves, underfilled), ', ') FROM (SELECT waves, underfilled FROM "
          "bounce_waves "
          "JOIN trial_record AS t ON t.id = trial WHERE seed = 2 ORDER BY bounce)",
          "4 0, 2 1, 0.5 1"); // the auxiliary kernel's 99 warps do not matter
#define FRAME(seed)                                                                                                    \
    "SELECT round(waves, 3), round(underfilled_share, 3), underfilled FROM frame_waves JOIN trial_record AS t "        \
    "USING (setting) WHERE replicate = 0 AND seed = " seed
    check(FRAME("2"), "4.0 0.5 0");   // 10 of 20 us: not more than half
    check(FRAME("3"), "4.0 0.55 1");  // 11 of 20 us
    check(FRAME("4"), "2.667 1.0 1"); // bounce 0 already
    check("SELECT waves, underfilled, resident_warps, round(microseconds_per_warp, 6) FROM table3 JOIN trial_record AS "
          "t ON "
          "t.id = trial WHERE seed = 2 AND bounce = 1",
          "2.0 1 2 1.5");
    time_frame(small, 10, 1, NULL);
    check("SELECT reasons FROM frame_quality JOIN trial_record AS t USING (setting) WHERE seed = 4",
          "1 of 5 replicates; 2.7 waves at bounce 0");
    check("SELECT block_bytes, multiprocessor_warps, auxiliary FROM kernels WHERE kernel = 'select'", "3072 - 1");
}

// Counts and times of one spec from two experiments with policies of their own, hence with two settings.
static void joins_counts_and_times(void **state)
{
    (void)state;
    static const double even[] = {10, 6, 4};
    struct trial_provenance once = provenance;
    once.policy = "once";
    time_launches(trial_on("cuda", "whole_frame", 0, "seed=9"), 2, even, 4);
    time_frame(trial_on("cuda", "whole_frame", 0, "seed=9"), 10, 1, NULL);
    count_bounces(trial_by(&once, "cuda", "whole_frame", 0, "seed=9"));
    check("SELECT count(*), count(DISTINCT t.setting) FROM trial_record AS t WHERE seed = 9", "2 2");
    check("SELECT round(microseconds_per_warp, 6), waves, t.policy FROM table3 JOIN trial AS t ON t.id = trial "
          "WHERE seed = 9 AND bounce = 1",
          "1.5 2.0 once");
    check("SELECT waves FROM frame_waves JOIN trial_record AS t USING (setting) WHERE seed = 9", "4.0");
    check("SELECT count(*) FROM table1 JOIN trial_record AS t ON t.id = trial WHERE seed = 9",
          "1"); // counts outdate no time
    // A frame over the same tree, but with another stack, is none to compare with.
    time_frame(trial_on("cuda", "naive", 0, "seed=11 tree=wide"), 10, 1, NULL);
    time_frame(trial_on("cuda", "whole_frame", 0, "seed=11 tree=wide"), 10, 1, NULL);
    time_frame(trial_on("cuda", "whole_frame", 0, "seed=11 tree=wide tree_stack=groups"), 10, 1, NULL);
    check("SELECT count(*), count(speedup) FROM table1 JOIN trial_record AS t ON t.id = trial WHERE seed = 11 AND "
          "t.variant = 'whole_frame'",
          "2 1");
    count_bounces(trial_by(&once, "cuda", "whole_frame", 0, "seed=10"));
    time_frame(trial_on("cuda", "whole_frame", 0, "seed=10"), 10, 1, NULL);
    check("SELECT count(*) FROM table2 WHERE seed = 10", "3"); // nor times counts
    check("SELECT count(*), min(waves) FROM table3 JOIN trial_record AS t ON t.id = trial WHERE seed = 10", "3 -");
}

// Two launches, of bounces 0 and 1, counted by the hardware; `extra`: warps that the ballots did not see.
static void count_by_hardware(int64_t trial, int32_t second_bounce, uint64_t extra)
{
    struct measured_launch launches[] = {
        {.index = 0, .bounce = 0, .kernel = "bounce", .grid = 4, .block = 64},
        {.index = 1, .bounce = -1, .auxiliary = true, .kernel = "select"},
        {.index = 2, .bounce = second_bounce, .kernel = "bounce", .grid = 4, .block = 64}};
    struct measured_metric metrics[] = {
        {0, "l2_hit_rate", 75}, {2, "l2_hit_rate", NAN}, {MEASURED_FRAME, "cycles", 9e9}};
    struct measured_site sites[] = {
        {0, DEVICE_SITE_EXTENSION, 2, 8, 256}, {2, DEVICE_SITE_EXTENSION, 2, 4 + extra, 100},
        {0, DEVICE_SITE_INNER, 1, 100, 1600},  {2, DEVICE_SITE_INNER, 1, 50, 400},
        {0, DEVICE_SITE_TRIANGLE, 1, 25, 200}, {2, DEVICE_SITE_TRIANGLE, 1, 50, 200},
        {1, DEVICE_SITE_ALL, 7, 7, 7},         {MEASURED_FRAME, DEVICE_SITE_EXTENSION, 2, 12 + extra, 356},
    };
    finish(trial, &(struct measurement){.collection = COLLECTION_COUNTERS,
                                        .launches = launches,
                                        .launch_count = 3,
                                        .metrics = metrics,
                                        .metric_count = 3,
                                        .sites = sites,
                                        .site_count = 8,
                                        .passes = 5});
}

// The ballots of the same launches; with `steps`, the lockstep model's too.
static void count_by_ballot(int64_t trial, bool steps)
{
    struct measured_counts counts[] = {{0, 0, {.active_paths = 256, .active_warps = 8}},
                                       {2, 1, {.active_paths = 100, .active_warps = 4}},
                                       {2, MEASURED_TOTALS, {.active_warps = 4}}};
    struct measured_launch launches[] = {{.kernel = "bounce", .grid = 4, .block = 64},
                                         {.index = 1, .bounce = -1, .auxiliary = true, .kernel = "select"},
                                         {.index = 2, .bounce = 1, .kernel = "bounce", .grid = 4, .block = 64}};
    // Closest and any hit of bounce 0: 80 + 20 inner steps, 1480 + 280 lanes; 20 + 5 triangle steps, 140 + 20 lanes.
    struct measured_lockstep lockstep[] = {
        {0, 0, 0, {.inner_steps = 80, .inner_live = 1480, .triangle_steps = 20, .triangle_live = 140, .warps = 8}},
        {0, 1, 0, {.inner_steps = 20, .inner_live = 280, .triangle_steps = 5, .triangle_live = 20, .warps = 8}},
        {2, 0, 1, {.inner_steps = 50, .inner_live = 400, .triangle_steps = 50, .triangle_live = 200, .warps = 4}}};
    finish(trial, &(struct measurement){.counts = counts,
                                        .count_count = 3,
                                        .launches = launches,
                                        .launch_count = 3,
                                        .lockstep = lockstep,
                                        .lockstep_count = steps ? 3 : 0});
}

#define OF_SEED(view, seed) " FROM " view " JOIN trial_record AS t ON t.id = trial WHERE seed = " seed " AND "

static void shows_counters(void **state)
{
    (void)state;
    count_by_hardware(trial_on("cuda", "whole_frame", 0, "seed=5"), 1, 0);
    check("SELECT bounce, launch, kernel, value" OF_SEED("counter", "5") "launch = 0", "0 0 bounce 75.0");
    check("SELECT bounce, metric, value" OF_SEED("counter", "5") "launch = 2", "1 l2_hit_rate -");
    check("SELECT bounce, launch, kernel, metric, value" OF_SEED("counter", "5") "launch IS NULL",
          "- - - cycles 9000000000.0");
    check("SELECT passes, dropped FROM attempt WHERE collection = 'counters'", "5 -");
    check("SELECT count(*) FROM metric_name", "2");
}

static void compares_witnesses(void **state)
{
    (void)state;
    check("SELECT count(*), count(agree), count(ballot_warps)" OF_SEED("witness", "5") "1", "3 0 0"); // no ballots yet
    count_by_ballot(trial_on("cuda", "whole_frame", 0, "seed=5"), false);
    check("SELECT bounce, kernel, sass_warps, sass_paths, ballot_warps, ballot_paths, agree" OF_SEED("witness",
                                                                                                     "5") "launch = 2",
          "1 bounce 4 100 4 100 1");
    check("SELECT sass_warps, ballot_warps, agree" OF_SEED("witness", "5") "launch IS NULL", "12 12 1");
    const int64_t wrong = trial_on("cuda", "whole_frame", 0, "seed=6");
    count_by_hardware(wrong, 1, 1);
    count_by_ballot(wrong, false);
    check("SELECT group_concat(agree) FROM (SELECT agree" OF_SEED("witness", "6") "1 ORDER BY launch)", "0,1,0");
    const int64_t free_loop = trial_on("cuda", "naive", 0, "seed=6 loop=free");
    count_by_hardware(free_loop, 1, 1);
    count_by_ballot(free_loop, false);
    check("SELECT min(agree), max(agree)" OF_SEED("witness", "6") "variant = 'naive'", "1 1"); // paths decide
}

static void compares_efficiencies(void **state)
{
    (void)state;
    check("SELECT count(*) FROM traversal_efficiency", "0");
    const int64_t model = trial_on("emulator", "whole_frame", 0, "seed=5");
    count_by_ballot(model, true);
    count_by_ballot(trial_on("emulator", "whole_frame", 0, "seed=6 pixel_order=row"), true); // other warps
    check("SELECT count(*)" OF_SEED("traversal_efficiency", "6") "1", "0");
    // Inner: 1760 lanes of 3200 against 1600; triangles: 160 of 800 against 200; both: 1920 of 4000 against 1800.
    check(
        "SELECT bounce, model_inner, hardware_inner, round(error_inner, 6), model_triangle, hardware_triangle, "
        "round(error_triangle, 6), model, hardware, round(error, 6)" OF_SEED("traversal_efficiency", "5") "bounce = 0",
        "0 0.55 0.5 5.0 0.2 0.25 -5.0 0.48 0.45 3.0");
    check("SELECT error, error_inner" OF_SEED("traversal_efficiency", "5") "bounce = 1", "0.0 0.0");
    char sql[128], wanted[24];
    snprintf(sql, sizeof sql, "SELECT DISTINCT model_trial FROM traversal_efficiency");
    snprintf(wanted, sizeof wanted, "%lld", (long long)model);
    check(sql, wanted);
    count_by_hardware(trial_on("cuda", "whole_frame", 0, "seed=5 block=128"), 1, 0); // the same warps in larger blocks
    count_by_hardware(trial_on("cuda", "whole_frame", 0, "seed=5 block=48"), 1, 0);  // other warps
    check("SELECT count(*), min(block), max(block)" OF_SEED("traversal_efficiency", "5") "bounce = 0", "2 64 128");
    count_by_ballot(trial_on("emulator", "naive", 0, "seed=5"), true);
    count_by_hardware(trial_on("cuda", "naive", 0, "seed=5 loop=free"), 1, 0);
    check("SELECT count(*)" OF_SEED("traversal_efficiency", "5") "t.variant = 'naive'", "0");
    // A walk whose stack holds groups takes other steps.
    count_by_hardware(trial_on("cuda", "whole_frame", 0, "seed=5 tree=wide tree_stack=groups"), 1, 0);
    count_by_ballot(trial_on("emulator", "whole_frame", 0, "seed=5 tree=wide"), true);
    check("SELECT count(*)" OF_SEED("traversal_efficiency", "5") "t.tree = 'wide'", "0");
    // A launch of mixed bounces stands beside the sum of the model's bounces: 2160 lanes of 150 inner steps.
    const int64_t mixed = trial_on("cuda", "whole_frame", 0, "seed=7");
    count_by_hardware(mixed, -1, 0);
    count_by_ballot(trial_on("emulator", "whole_frame", 0, "seed=7"), true);
    check("SELECT model_inner, hardware_inner" OF_SEED("traversal_efficiency", "7") "bounce IS NULL", "0.45 0.25");
}

static void sums_stalls(void **state)
{
    (void)state;
    struct measured_launch launches[] = {{.index = 0, .bounce = 0, .kernel = "bounce"},
                                         {.index = 1, .bounce = -1, .auxiliary = true, .kernel = "select"},
                                         {.index = 2, .bounce = 0, .kernel = "bounce"}};
    struct measured_stall stalls[] = {
        {0, "bounce", "long_scoreboard", "", 0, 30},
        {0, "bounce", "selected", "", 0, 10},
        {2, "bounce", "long_scoreboard", "", 0, 20},
        {2, "bounce", "long_scoreboard", "", 0, 20}, // of another copy of the kernel: added
        {1, "select", "selected", "", 0, 5},
        {MEASURED_FRAME, "bounce", "selected", "trees/traverse.h", 40, 9},
        {MEASURED_FRAME, "bounce", "wait", "trees/traverse.h", 40, 5},
        {MEASURED_FRAME, "bounce", "long_scoreboard", "trees/traverse.h", 40, 6},
        {MEASURED_FRAME, "bounce", "long_scoreboard", "trees/traverse.h", 41, 64},
        {MEASURED_FRAME, "select", "selected", "", 0, 1},
    };
    const int64_t trial = trial_on("cuda", "whole_frame", 0, "seed=8");
    finish(trial, &(struct measurement){.collection = COLLECTION_STALLS,
                                        .launches = launches,
                                        .launch_count = 3,
                                        .stalls = stalls,
                                        .stall_count = 10,
                                        .dropped = 3});
    check("SELECT bounce, auxiliary, samples, share FROM stalls WHERE reason = 'long_scoreboard'", "0 0 70 0.875");
    check("SELECT samples, share FROM stalls WHERE reason = 'selected' AND bounce = 0", "10 0.125");
    check("SELECT bounce, reason, share FROM stalls WHERE auxiliary", "- selected 1.0");
    check("SELECT line, samples, waiting, reason, file FROM stall_lines WHERE place = 1",
          "41 64 64 long_scoreboard trees/traverse.h");
    check("SELECT kernel, line, samples, waiting, reason FROM stall_lines WHERE place = 2",
          "bounce 40 20 11 long_scoreboard");
    check("SELECT kernel, file, line, reason, round(share, 6) FROM stall_lines WHERE place = 3",
          "select  0 - 0.011765");
    check("SELECT dropped, passes FROM attempt WHERE collection = 'stalls'", "3 -");
}

static void lists_members(void **state)
{
    (void)state;
    check("SELECT experiment, study, label, run, point, ordinal, collections, device FROM experiment_trial JOIN "
          "trial_record AS t "
          "ON t.id = trial WHERE seed = 8",
          "t s one 1 3 7 31 cuda");
}

// Occupancy as SQL computes it. 64 registers take 2048 of a warp: 16 warps of the GTX 480's 32768, 32 of the H200's
// 65536; blocks of two warps reach the GTX 480's 8 blocks then too.
static void tells_spans(void **state)
{
    (void)state;
    check("SELECT span(11.4, 48.49, 0), span(1.02, 1.019, 1), span(-31, 6, 0), span(NULL, 1, 0), span(0.5, 0.75, 2)",
          "11 to 48 1.0 -31 to 6 - 0.50 to 0.75");
}

// Ranks 1, 2.5, 2.5, 4 against 2, 1, 3, 4: sums of squares 4.5 and 5 about their means, of products 3. A pair that lacks
// a value does not count; equal values have no correlation.
static void correlates_ranks(void **state)
{
    (void)state;
    check("WITH pair (x, y) AS (VALUES (1, 20), (5, -7), (5, 30.5), (90, 400), (NULL, 1), (2, NULL)) "
          "SELECT round(rank_correlation(x, y), 6), round(rank_correlation(x, -y), 6), rank_correlation(x, 7), "
          "rank_correlation(NULL, y), round(rank_correlation(x, x), 6) FROM pair",
          "0.632456 -0.632456 - - 1.0");
}

static void predicts_occupancy(void **state)
{
    (void)state;
    check("SELECT occupancy_warps(20, 64, 64, 0), round(occupancy(20, 64, 64, 0), 6), occupancy_limit(20, 64, 64, 0)",
          "16 0.333333 blocks");
    check("SELECT occupancy_warps(90, 64, 64, 0), occupancy(90, 64, 64, 0), occupancy_limit(90, 64, 64, 0)",
          "32 0.5 registers");
    check("SELECT occupancy_warps(90, 64, 32, 100000), occupancy_limit(90, 64, 32, 100000)", "4 shared memory");
    check("SELECT occupancy_warps(13, 64, 64, 0), occupancy(NULL, 64, 64, 0), occupancy(90, 0, 64, 0), "
          "occupancy_limit(90, 64, NULL, 0), occupancy(90, 64, 64, -1)",
          "- - - - -");
    check("SELECT example, max_warps, max_blocks, registers, register_unit FROM compute_capability WHERE version = 20",
          "GTX 480 48 8 32768 64");
    check("SELECT occupancy_warps(20, block, registers, block_bytes) FROM kernels WHERE kernel = 'select'", "16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_frames),         cmocka_unit_test(names_weak_cells),
        cmocka_unit_test(divides_frames),        cmocka_unit_test(joins_counts_and_times),
        cmocka_unit_test(shows_counters),        cmocka_unit_test(compares_witnesses),
        cmocka_unit_test(compares_efficiencies), cmocka_unit_test(predicts_occupancy),
        cmocka_unit_test(tells_spans),           cmocka_unit_test(correlates_ranks),
        cmocka_unit_test(sums_stalls),           cmocka_unit_test(lists_members),
    };
    return cmocka_run_group_tests_name("views_hardware", tests, open_empty, close_all);
}
