// SPDX-License-Identifier: MIT
// What the views say of a device with clocks and sensors, on numbers small enough to check by hand.
#include "views_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/counters.h"
#include "store/run.h"

static const struct trial_provenance provenance = {
    "scene", "programs", "H200", "driver", "warmups=2 min_repetitions=10 relative_ci=0.01 max_seconds=10", "harness"};

// settings: "NAME=VALUE NAME=VALUE ...". All trials of one seed compute the same work.
static int64_t trial_on(const char *device, const char *variant, int replicate, const char *settings)
{
    struct trial_row plan = {
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
    need(store_trial(store, run, &plan, &provenance, &trial, key, &failure));
    return trial;
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

static void lists_members(void **state)
{
    trial_on("cuda", "whole_frame", 0, "seed=8");
    check("SELECT experiment, study, label, run, point, ordinal, collections, device FROM experiment_trial JOIN "
          "trial_record AS t "
          "ON t.id = trial WHERE seed = 8",
          "t s one 1 3 7 31 cuda");
}

// Occupancy as SQL computes it. 64 registers take 2048 of a warp: 16 warps of the GTX 480's 32768, 32 of the H200's
// 65536; blocks of two warps reach the GTX 480's 8 blocks then too.
static void tells_spans(void **state)
{
    check("SELECT span(11.4, 48.49, 0), span(1.02, 1.019, 1), span(-31, 6, 0), span(NULL, 1, 0), span(0.5, 0.75, 2)",
          "11 to 48 1.0 -31 to 6 - 0.50 to 0.75");
}

// Ranks 1, 2.5, 2.5, 4 against 2, 1, 3, 4: sums of squares 4.5 and 5 about their means, of products 3. A pair that lacks
// a value does not count; equal values have no correlation.
static void correlates_ranks(void **state)
{
    check("WITH pair (x, y) AS (VALUES (1, 20), (5, -7), (5, 30.5), (90, 400), (NULL, 1), (2, NULL)) "
          "SELECT round(rank_correlation(x, y), 6), round(rank_correlation(x, -y), 6), rank_correlation(x, 7), "
          "rank_correlation(NULL, y), round(rank_correlation(x, x), 6) FROM pair",
          "0.632456 -0.632456 - - 1.0");
}

static void predicts_occupancy(void **state)
{
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_frames),      cmocka_unit_test(names_weak_cells),

        cmocka_unit_test(predicts_occupancy), cmocka_unit_test(tells_spans),
        cmocka_unit_test(correlates_ranks),   cmocka_unit_test(lists_members),
    };
    return cmocka_run_group_tests_name("views_hardware", tests, open_empty, close_all);
}
