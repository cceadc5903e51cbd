// SPDX-License-Identifier: MIT
// How full the device is, and which frames are underfilled: on a device that holds 8 warps of 32 lanes.
#include "store/run.h"
#include "views_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t trial_of(const char *variant, int seed, int64_t tile_m, int64_t resident_blocks, int64_t spp)
{
    struct trial_row plan = {.ordinal = 1, .point = 1, .collections = 7, .spec.parameters = parameters_default()};
    const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
    char key[HASH_TEXT];
    int64_t trial;
    strcpy(plan.spec.scene, "open");
    snprintf(plan.spec.variant, sizeof plan.spec.variant, "%s", variant);
    strcpy(plan.spec.device, "cuda");
    plan.spec.parameters.width = 128;
    plan.spec.parameters.height = 60;
    plan.spec.parameters.block = 64;
    plan.spec.parameters.seed = seed;
    plan.spec.parameters.spp = spp;
    plan.spec.parameters.max_bounces = 4;
    plan.spec.parameters.tile_m = tile_m;
    plan.spec.parameters.resident_blocks = resident_blocks;
    need(store_trial(store, run, &plan, &provenance, &trial, key, &failure));
    return trial;
}

static const struct measured_kernel kernel = {.kernel = "k", .facts = {64}, .block = 64, .resident_warps = 8};

static void time_frame(int64_t trial)
{
    struct measured_repetition repetition = {.host_seconds = 1, .launches_path = 1};
    struct measured_kernel copy = kernel;
    finish(trial, &(struct measurement){.collection = COLLECTION_FRAME,
                                        .repetitions = &repetition,
                                        .repetition_count = 1,
                                        .kernels = &copy,
                                        .kernel_count = 1,
                                        .times = true});
}

// One launch of all bounces, of blocks of 64.
static void count_mixed(int64_t trial, uint32_t grid, const uint64_t warps[2])
{
    struct measured_counts counts[] = {{0, 0, {.active_paths = 7680, .active_warps = warps[0]}},
                                       {0, 1, {.active_paths = 320, .active_warps = warps[1]}},
                                       {0, MEASURED_TOTALS, {.active_warps = warps[0] + warps[1]}}};
    struct measured_launch launch = {.kernel = "k", .grid = grid, .block = 64, .bounce = -1};
    finish(trial, &(struct measurement){.counts = counts, .count_count = 3, .launches = &launch, .launch_count = 1});
}

// A launch for each of five bounces and each of `passes` paths of a pixel; zero warps: no path reaches the bounce.
static void count_bounces(int64_t trial, uint32_t passes, const uint64_t warps[5])
{
    struct measured_counts counts[10] = {0};
    struct measured_launch launches[10] = {0};
    size_t count = 0;
    for (uint32_t i = 0; i < 5 * passes; ++i) {
        launches[i] =
            (struct measured_launch){.index = i, .kernel = "k", .grid = 120, .block = 64, .bounce = (int32_t)i % 5};
        if (warps[i % 5])
            counts[count++] = (struct measured_counts){
                (int32_t)i, (int32_t)i % 5, {.active_paths = 32 * warps[i % 5], .active_warps = warps[i % 5]}};
    }
    finish(trial, &(struct measurement){
                      .counts = counts, .count_count = count, .launches = launches, .launch_count = 5 * passes});
}

static void time_grids(int64_t trial, const double microseconds[5], uint32_t grid, bool per_bounce)
{
    struct measured_launch launches[5];
    struct measured_kernel copy = kernel;
    for (uint32_t i = 0; i < 5; ++i)
        launches[i] = (struct measured_launch){.index = i,
                                               .kernel = "k",
                                               .grid = grid,
                                               .block = 64,
                                               .bounce = per_bounce ? (int32_t)i : -1,
                                               .seconds = 1e-6 * microseconds[i]};
    finish(trial, &(struct measurement){.collection = COLLECTION_LAUNCHES,
                                        .launches = launches,
                                        .launch_count = 5,
                                        .kernels = &copy,
                                        .kernel_count = 1,
                                        .times = true});
}

static void time_launches(int64_t trial, const double microseconds[5])
{
    time_grids(trial, microseconds, 120, true);
}

static void check_seed(const char *columns, const char *view, int seed, const char *rest, const char *wanted)
{
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT %s FROM %s AS w JOIN trial_record AS t USING (setting) WHERE seed = %d %s",
             columns, view, seed, rest);
    check(sql, wanted);
}

static void check_frame(int seed, const char *wanted)
{
    check_seed("waves, underfilled_share, bounces, underfilled_bounces, filled_waves, underfilled", "frame_waves", seed,
               "", wanted);
}

// 128 x 60 paths are 240 warps: 30 waves of 8, if each warp of paths is one of the device.
static void counts_warps_at_work(void **state)
{
    (void)state;
    static const uint64_t paths[] = {240, 10};
    const int64_t naive = trial_of("naive", 1, 4, PARAMETER_AUTO, 1);
    time_frame(naive);
    count_mixed(naive, 120, paths);
    check_frame(1, "30.0 - - - - 0");
    // Tiles of 64 x 16, two across and four down: 8 blocks of two warps have all the work, and later bounces 10 at
    // most.
    const int64_t tiled = trial_of("tiled_global", 2, 16, PARAMETER_AUTO, 1);
    time_frame(tiled);
    check_frame(2, "2.0 - - - - 1"); // the same without counts
    count_mixed(tiled, 8, paths);
    check_frame(2, "2.0 - - - - 1");
    check_seed("active_warps, warps, waves, per_bounce", "bounce_waves", 2, "AND bounce = 0", "240 16 2.0 0");
    check_seed("active_warps, warps, waves, underfilled", "bounce_waves", 2, "AND bounce = 1", "10 10.0 1.25 1");
    check_seed("reasons", "frame_quality", 2, "", "1 of 5 replicates; 1 of 10 repetitions; 2 waves at bounce 0");
    // Tiles of 64 x 4: 2 x 15, 60 warps. Five blocks go through all of them.
    const int64_t resident = trial_of("tiled_global", 3, 4, 5, 1);
    time_frame(resident);
    count_mixed(resident, 5, paths);
    check_frame(3, "7.5 - - - - 0");
    // Naive blocks that go on to other paths: as many waves as without them.
    const int64_t looping = trial_of("naive", 4, 4, 5, 1);
    time_frame(looping);
    count_mixed(looping, 5, paths);
    check_frame(4, "30.0 - - - - 0");
}

// 32 warps are 4 waves; 31 are less, and count as 8 against the others' sum.
static void judges_by_bounces(void **state)
{
    (void)state;
    static const uint64_t three[] = {80, 32, 31, 8, 1}, two[] = {240, 40, 32, 31, 8}, even[] = {88, 40, 31, 8, 0};
    static const double long_first[] = {60, 10, 10, 10, 10}, long_last[] = {10, 10, 10, 40, 30};
    const int64_t more = trial_of("whole_frame", 11, 4, PARAMETER_AUTO, 1);
    time_frame(more);
    count_bounces(more, 1, three);
    check_frame(11, "10.0 - 5 3 14.0 1");
    check_seed("flags", "frame_quality", 11, "", "few_replicates,few_repetitions,underfilled");
    check_seed("reasons", "frame_quality", 11, "",
               "1 of 5 replicates; 1 of 10 repetitions; 3 of 5 bounces under 4 waves, not timed");
    const int64_t less = trial_of("whole_frame", 12, 4, PARAMETER_AUTO, 1);
    time_frame(less);
    count_bounces(less, 1, two);
    check_frame(12, "30.0 - 5 2 39.0 0");
    const int64_t equal = trial_of("whole_frame", 13, 4, PARAMETER_AUTO, 1); // no path reaches the last bounce
    time_frame(equal);
    count_bounces(equal, 1, even);
    check_frame(13, "11.0 - 4 2 16.0 0"); // 16 are not more than 11 + 5
    // Where launches were timed, time decides: 30 of 100 us are not more than half, 70 of 100 are.
    time_launches(more, long_first);
    check_frame(11, "10.0 0.3 5 3 14.0 0");
    time_launches(less, long_last);
    check_frame(12, "30.0 0.7 5 2 39.0 1");
}

// Without counts a launch tells for how many warps a pool has room, but not how many a bounce has.
static void judges_without_counts(void **state)
{
    (void)state;
    static const double microseconds[] = {10, 10, 10, 10, 10};
    const int64_t bounces = trial_of("whole_frame", 14, 4, PARAMETER_AUTO, 1);
    time_frame(bounces);
    check_seed("flags", "frame_quality", 14, "", "few_replicates,few_repetitions");
    time_launches(bounces, microseconds);
    check_frame(14, "30.0 - - - - 0");
    check_seed("uncounted", "frame_waves", 14, "", "1");
    check_seed("flags", "frame_quality", 14, "", "few_replicates,few_repetitions,uncounted");
    check_seed("reasons", "frame_quality", 14, "",
               "1 of 5 replicates; 1 of 10 repetitions; no counts tell how many bounces fill the device");
    const int64_t pool = trial_of("two_stage", 15, PARAMETER_AUTO, PARAMETER_AUTO, 1);
    time_frame(pool);
    time_grids(pool, microseconds, 12, false);
    check_frame(15, "3.0 - - - - 1");
    check_seed("uncounted", "frame_waves", 15, "", "0");
}

// Two paths of a pixel are two launches of each bounce, and each must fill the device by itself.
static void counts_one_launch(void **state)
{
    (void)state;
    static const uint64_t warps[] = {24, 24, 8, 8, 8};
    static const double microseconds[] = {10, 10, 10, 10, 10};
    const int64_t twice = trial_of("whole_frame", 21, 4, PARAMETER_AUTO, 2);
    time_frame(twice);
    count_bounces(twice, 2, warps);
    check_frame(21, "3.0 - 5 5 0 1");
    check_seed("active_warps, warps, waves", "bounce_waves", 21, "AND bounce = 0", "48 24.0 3.0");
    time_launches(twice, microseconds);
    check_seed("active_warps, w.waves, underfilled", "table3", 21, "AND bounce = 0", "48 3.0 1");
}

static void count_volume(const char *variant, int seed, uint32_t grid, uint64_t warps, const char *before,
                         const char *after)
{
    const uint64_t of_bounces[] = {warps, warps / 8};
    const int64_t trial = trial_of(variant, seed, 4, PARAMETER_AUTO, 8);
    time_frame(trial);
    check_frame(seed, before);
    count_mixed(trial, grid, of_bounces);
    check_frame(seed, after);
}

// Eight paths of a pixel of a small image, 48 warps: 6 waves where a launch holds them all, under one where each of eight
// launches has a path a pixel. A persistent kernel has blocks for one wave, and work for six.
static void counts_samples_of_one_launch(void **state)
{
    (void)state;
    count_volume("volume_naive", 31, 24, 48, "240.0 - - - - 0", "6.0 - - - - 0");
    count_volume("regenerate_thread", 32, 4, 48, "240.0 - - - - 0", "6.0 - - - - 0");
    count_volume("stream_device", 33, 4, 48, "240.0 - - - - 0", "6.0 - - - - 0");
    count_volume("volume_naive", 34, 8, 48, "240.0 - - - - 0", "2.0 - - - - 1"); // in tiles of a third of the paths
    count_volume("volume_steps", 35, 24, 48, "30.0 - - - - 0", "0.75 - - - - 1");
    count_volume("naive", 36, 24, 48, "30.0 - - - - 0", "0.75 - - - - 1");
    count_volume("pool_refill", 37, 8, 48, "240.0 - - - - 0", "2.0 - - - - 1"); // no more than its slots
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_warps_at_work),         cmocka_unit_test(judges_by_bounces),
        cmocka_unit_test(judges_without_counts),        cmocka_unit_test(counts_one_launch),
        cmocka_unit_test(counts_samples_of_one_launch),
    };
    return cmocka_run_group_tests_name("views_waves", tests, open_empty, close_all);
}
