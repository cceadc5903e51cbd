// SPDX-License-Identifier: MIT
// Pipelines over a pool of slots: the paths of naive, whatever the pool, and rounds as a few lines of C tell them from
// nothing but the lengths of naive's paths.
#include "check.h"
#include "pipelines_support.h"

enum { PIXELS = MEASURE_WIDTH * MEASURE_HEIGHT };

// Sanitizers look at memory, not at values: they find the same in few passes, and in pools that are not the smallest.
#ifdef __SANITIZE_ADDRESS__
enum { PASSES = 2, POOLS_LEFT_OUT = 2 };
#else
enum { PASSES = 16, POOLS_LEFT_OUT = 0 };
#endif

static const char *const pipelines[] = {"pool_refill", "two_stage", NULL};

TEST(pools_render_the_passes_of_naive_bit_for_bit)
{
    static const char *const settings[] = {
        "",
        "tickets=atomic",
        "pool=7",
        "pool=7 tickets=atomic threads=16",
        "pool=100",
        "pool=100 tickets=atomic threads=16 lane_order=seeded",
        "pool=6144", // all samples
        "pool=6145",
        "pool=1000000 tickets=atomic",
        "pool=100 block=1",
        "pool=100 block=20 warp_width=8",
        "pool=100 block=96 warp_width=64 tickets=atomic",
        "pool=500 block=1024 warp_width=64 threads=2",
        "pool=500 traversal=speculative warp_width=8",
        "pool=500 traversal=speculative tickets=atomic lane_order=reversed threads=16",
        "pool=500 pixel_order=morton",
        NULL,
    };
    char passes[16];
    snprintf(passes, sizeof passes, "spp=%d", PASSES);
    check_against_naive("cornell", passes, pipelines, settings, PASSES * PIXELS);
    static const char *const others[] = {"", "pool=100", "pool=100 tickets=atomic threads=16", NULL};
    check_against_naive("materials", "spp=3 materials=scene roulette=none", pipelines, others, 3 * PIXELS);
    check_against_naive("cornell", "spp=2 lighting=hits sampler=padded", pipelines, others, 2 * PIXELS);
    check_against_naive("cornell", "spp=2 max_bounces=0", pipelines, others, 2 * PIXELS);
}

// ---- rounds told from path lengths

enum { SAMPLES = 3, EXACT_ROUNDS = 500 };

// Paths in the order in which samples are given out, `lengths` of them. A fill of the pool, then rounds of six kernels
// until nothing is left of it.
static struct path_schedule refilled_rounds(const uint32_t *lengths, size_t count, size_t pool)
{
    struct path_schedule rounds = {0};
    struct path_slot *slots = calloc(pool, sizeof *slots);
    assert_non_null(slots);
    for (size_t first = 0; first < count; first += pool) {
        const size_t filled = count - first < pool ? count - first : pool;
        uint32_t longest = 0;
        for (size_t i = 0; i < filled; ++i) {
            slots[i] = (struct path_slot){.left = lengths[first + i]};
            longest = lengths[first + i] > longest ? lengths[first + i] : longest;
        }
        rounds.launches += 1 + 6 * (uint64_t)longest;
        while (longest--)
            model_trace(&rounds, slots, NULL, filled);
    }
    free(slots);
    return rounds;
}

// Two kernels a round; slots whose paths have ended take the next samples in the order of the slots, in a third.
static struct path_schedule queued_rounds(const uint32_t *lengths, size_t count, size_t pool)
{
    struct path_schedule rounds = {.launches = 1};
    struct path_slot *slots = calloc(pool, sizeof *slots);
    size_t next = 0, live = 1;
    assert_non_null(slots);
    for (; next < pool; ++next)
        slots[next].left = lengths[next];
    while (live) {
        const size_t begun = next;
        model_trace(&rounds, slots, NULL, pool);
        live = 0;
        for (size_t i = 0; i < pool; ++i) {
            if (!slots[i].left && next < count)
                slots[i] = (struct path_slot){.left = lengths[next++]};
            live += slots[i].left != 0;
        }
        rounds.launches += 2 + (next > begun);
    }
    free(slots);
    return rounds;
}

static void check_pool(const char *variant, const char *work, size_t pool, const struct path_schedule *wanted)
{
    char settings[160];
    snprintf(settings, sizeof settings, "%s pool=%zu warp_width=%d exact_rounds=%d", work, pool, WARP, EXACT_ROUNDS);
    struct measurement found = measure("cornell", variant, settings);
    const struct bounce_counts trace = totals(&found, "trace");
    uint64_t rounds = 0, launches = 0, exact = 0;
    for (size_t i = 0; i < found.launch_count; ++i) {
        launches += !found.launches[i].auxiliary;
        if (!strcmp(found.launches[i].stage, "trace"))
            assert_int_equal(found.launches[i].iteration, rounds++);
    }
    assert_int_equal(rounds, wanted->rounds);
    assert_int_equal(launches, wanted->launches);
    assert_int_equal(trace.live_lanes, wanted->lanes);
    assert_int_equal(trace.live_warps, wanted->warps);
    assert_int_equal(trace.mixed_warps, wanted->mixed);
    if (!strcmp(variant, "pool_refill")) { // a warp of 8 lanes has a sector of its own
        assert_int_equal(trace.sparse_warps, wanted->sparse);
        assert_int_equal(trace.slot_sectors, wanted->warps);
        assert_int_equal(trace.camera_rays[CAMERA_ALONE], SAMPLES * PIXELS);
        assert_int_equal(trace.camera_rays[CAMERA_MIXED], 0);
    }
    for (size_t i = 0; i < found.count_count; ++i) {
        const struct measured_launch *launch = &found.launches[found.counts[i].launch];
        if (found.counts[i].bounce == MEASURED_TOTALS && !strcmp(launch->stage, "trace") &&
            launch->iteration < EXACT_ROUNDS) {
            assert_int_equal(found.counts[i].counts.live_lanes, wanted->live[launch->iteration]);
            ++exact;
        }
    }
    assert_int_equal(exact, rounds < EXACT_ROUNDS ? rounds : EXACT_ROUNDS);
    measurement_finish(&found);
}

// Pixels are given out row by row: pool_refill takes all pixels' first samples first, two_stage all of the first pixel's.
TEST(rounds_follow_from_path_lengths)
{
    static const size_t pools[] = {1, 7, 100, PIXELS, SAMPLES * PIXELS};
    static uint32_t by_sample[SAMPLES * PIXELS], by_pixel[SAMPLES * PIXELS];
    char work[96];
    for (size_t sample = 0; sample < SAMPLES; ++sample) { // naive keeps the lengths of its last sample
        snprintf(work, sizeof work, "spp=%zu", sample + 1);
        struct measurement measurement = measure("cornell", "naive", work);
        for (size_t pixel = 0; pixel < PIXELS; ++pixel)
            by_sample[sample * PIXELS + pixel] = by_pixel[pixel * SAMPLES + sample] = measurement.path_length[pixel];
        measurement_finish(&measurement);
    }
    snprintf(work, sizeof work, "spp=%d pixel_order=row", SAMPLES);
    for (size_t i = POOLS_LEFT_OUT; i < sizeof pools / sizeof *pools; ++i) {
        const struct path_schedule refilled = refilled_rounds(by_sample, SAMPLES * PIXELS, pools[i]);
        const struct path_schedule queued = queued_rounds(by_pixel, SAMPLES * PIXELS, pools[i]);
        check_pool("pool_refill", work, pools[i], &refilled);
        check_pool("two_stage", work, pools[i], &queued);
        assert_true(pools[i] == 1 || queued.rounds < refilled.rounds || pools[i] == SAMPLES * PIXELS);
        assert_true(refilled.mixed == 0 && (queued.mixed > 0) == (pools[i] > 1 && pools[i] < SAMPLES * PIXELS));
    }
}

// Warps of one lane wait for nobody: their camera rays take the steps that are counted at bounce 0. Wider ones wait for
// the longest of theirs, but never longer than all of them together.
TEST(camera_rays_wait_for_the_longest_of_their_warp)
{
    uint64_t alone = 0;
    for (int width = 1; width <= 16; width *= 4) {
        char settings[96];
        snprintf(settings, sizeof settings, "pool=1000 block=32 warp_width=%d", width);
        struct measurement found = measure("materials", "pool_refill", settings);
        static struct bounce_counts counts[BOUNCES];
        by_bounce(&found, counts);
        const uint64_t steps = totals(&found, "trace").camera_steps[CAMERA_ALONE],
                       taken = counts[0].nodes + counts[0].triangles;
        assert_true(width == 1 ? steps == taken : steps > alone && steps < (uint64_t)width * taken);
        alone = steps;
        measurement_finish(&found);
    }
}

// ---- slots that stay dead

TEST(dead_slots_change_no_path)
{
    static const char *const variants[] = {"pool_refill", "tile_regenerate", NULL};
    static const char *const settings[] = {"pool=256 dead_share=90", "pool=256 dead_share=50 dead_places=apart",
                                           "pool=512 dead_share=33 dead_places=apart block=96",
                                           "pool=256 dead_share=90 dead_places=apart warp_width=4", NULL};
    check_against_naive("cornell", "spp=2", variants, settings, 2 * PIXELS);
}

// All stages but the first are launched over ten times as many slots; with a warp of 8 in ten, each block of 80 has one
// that lives.
TEST(dead_slots_are_where_they_are_wanted)
{
    static const char *const settings[] = {"pool=160 block=80 warp_width=8 dead_share=90",
                                           "pool=160 block=80 warp_width=8 dead_share=90 dead_places=apart"};
    struct bounce_counts sums[2];
    for (int i = 0; i < 2; ++i) {
        struct measurement found = measure("cornell", "pool_refill", settings[i]);
        for (size_t row = 0; row < found.launch_count; ++row)
            if (found.launches[row].iteration == 0)
                assert_int_equal(found.launches[row].grid, strcmp(found.launches[row].stage, "regenerate") ? 20 : 2);
        sums[i] = totals(&found, "trace");
        measurement_finish(&found);
    }
    assert_int_equal(sums[0].live_warps, sums[1].live_warps);
    assert_int_equal(sums[0].live_lanes, sums[1].live_lanes);
}

// ---- what the host may not change

TEST(ordered_tickets_repeat_every_count_of_the_schedule)
{
    static const char *const hosts[] = {"threads=1", "threads=2 lane_order=seeded", "threads=16 lane_order=reversed"};
    for (size_t i = 0; pipelines[i]; ++i) {
        struct bounce_counts first = {0};
        for (size_t host = 0; host < sizeof hosts / sizeof *hosts; ++host) {
            char settings[128];
            snprintf(settings, sizeof settings, "spp=4 pool=150 %s", hosts[host]);
            struct measurement measurement = measure("cornell", pipelines[i], settings);
            const struct bounce_counts sum = measure_sum(&measurement);
            if (!host)
                first = sum;
            assert_true(sum.live_warps > 0 && sum.atomics > 0 && sum.moved_bytes > 0);
            assert_memory_equal(&sum, &first, sizeof sum);
            measurement_finish(&measurement);
        }
    }
}

// ---- bounces and rounds without rows of their own

TEST(late_bounces_and_rounds_keep_exact_sums)
{
    static const char work[] = "materials=scene roulette=none max_bounces=200";
    static const char *const settings[] = {"pool=40", "pool=100 tickets=atomic", NULL};
    struct measurement naive = measure("mirror_corridor", "naive", work);
    static struct bounce_counts counts[BOUNCES];
    uint64_t extensions = 0;
    by_bounce(&naive, counts);
    for (uint32_t bin = 0; count_bin_first(bin) <= 200; ++bin) {
        uint64_t wanted = 0;
        for (uint32_t bounce = count_bin_first(bin); bounce < count_bin_first(bin + 1); ++bounce)
            for (size_t pixel = 0; pixel < PIXELS; ++pixel)
                wanted += naive.path_length[pixel] > bounce;
        assert_int_equal(counts[count_bin_first(bin)].active_paths, wanted);
        extensions += wanted;
    }
    assert_true(counts[128].active_paths > 0);
    assert_int_equal(extensions, active_paths(&naive));
    measurement_finish(&naive);
    check_against_naive("mirror_corridor", work, pipelines, settings, PIXELS);
}

static uint64_t closest_warps(const struct measurement *measurement)
{
    uint64_t warps = 0;
    for (size_t i = 0; i < measurement->lockstep_count; ++i) {
        const struct measured_lockstep *row = &measurement->lockstep[i];
        const uint32_t round = (uint32_t)measurement->launches[row->launch].iteration;
        assert_int_equal(round, count_bin_first(count_bin(round)));
        warps += row->kind == 0 ? row->steps.warps : 0;
    }
    return warps;
}

// Of thousands of rounds few have rows.
TEST(rows_of_late_rounds_are_few)
{
    for (size_t i = 0; pipelines[i]; ++i) {
        struct measurement measurement = measure("cornell", pipelines[i], "spp=2 pool=1");
        size_t rows = 0, rounds = 0;
        for (size_t row = 0; row < measurement.count_count; ++row)
            rows += measurement.counts[row].bounce == MEASURED_TOTALS &&
                    !strcmp(measurement.launches[measurement.counts[row].launch].stage, "trace");
        for (size_t launch = 0; launch < measurement.launch_count; ++launch)
            rounds += !strcmp(measurement.launches[launch].stage, "trace");
        assert_int_equal(rounds, active_paths(&measurement));
        assert_int_equal(rows, count_bin((uint32_t)rounds - 1) + 1);
        assert_int_equal(closest_warps(&measurement), rounds); // of a lane each
        check_sums(&measurement, 2 * PIXELS);
        measurement_finish(&measurement);
    }
}

// Where all rounds share a row, a stage has one row of totals, and each bounce one of all stages; no sum changes.
TEST(rounds_are_added_up_where_asked)
{
    for (size_t i = 0; pipelines[i]; ++i) {
        struct measurement each = measure("cornell", pipelines[i], "spp=2 pool=100 exact_rounds=100000");
        struct measurement sums = measure("cornell", pipelines[i], "spp=2 pool=100 exact_rounds=0");
        size_t bounces[BOUNCES] = {0}, stages = 0;
        for (size_t row = 0; row < sums.count_count; ++row) {
            const uint32_t bounce = sums.counts[row].bounce;
            stages += bounce == MEASURED_TOTALS && !strcmp(sums.launches[sums.counts[row].launch].stage, "trace");
            if (bounce != MEASURED_TOTALS)
                assert_int_equal(++bounces[bounce], 1);
        }
        assert_int_equal(stages, 1);
        assert_true(each.count_count > 5 * sums.count_count);
        const struct bounce_counts a = totals(&each, "trace"), b = totals(&sums, "trace");
        assert_memory_equal(&a, &b, sizeof a);
        static struct bounce_counts by_each[BOUNCES], by_sum[BOUNCES];
        by_bounce(&each, by_each);
        by_bounce(&sums, by_sum);
        assert_memory_equal(by_each, by_sum, sizeof by_sum);
        measurement_finish(&each);
        measurement_finish(&sums);
    }
}

TEST_GROUP(measure_open, measure_close)
