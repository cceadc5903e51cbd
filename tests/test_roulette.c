// SPDX-License-Identifier: MIT
// Roulette with one decision for a warp or a block: by itself for units of one lane, all or none for larger ones, with the
// chance and the number that a few lines of C tell, without bias, and the same however the host runs it.
#include <math.h>

#include "check.h"
#include "lib/random.h"
#include "pipelines_support.h"

enum { PIXELS = MEASURE_WIDTH * MEASURE_HEIGHT };

static const char *const together[] = {"pool_refill", "tile_regenerate", "stream_compact", "thread_regenerate", NULL};

// ---- one lane

TEST(each_path_by_itself_is_the_same_everywhere)
{
    static const char *const pipelines[] = {"pool_refill", "tile_regenerate", "stream_compact", "thread_regenerate",
                                            NULL};
    static const char *const settings[] = {"", "block=96 warp_width=8 threads=16 lane_order=seeded", NULL};
    check_against_naive("cornell", "spp=2 materials=scene roulette=thread max_bounces=64", pipelines, settings,
                        2 * PIXELS);
    check_against_naive("closed_box", "roulette=thread max_bounces=20 sampler=padded", pipelines, settings, PIXELS);
}

TEST(units_of_one_lane_decide_as_a_path_does)
{
    static const char *const units[] = {"roulette=warp warp_width=1", "roulette=block block=1",
                                        "roulette=block block=1 warp_width=8"};
    static const char work[] = "spp=2 max_bounces=20 sampler=padded";
    char text[200];
    struct measurement wanted =
        measure("closed_varied", "naive", "spp=2 max_bounces=20 sampler=padded roulette=thread");
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        for (const char *const *pipeline = together; *pipeline; ++pipeline) {
            snprintf(text, sizeof text, "%s %s", work, units[i]);
            struct measurement found = measure("closed_varied", *pipeline, text);
            check_paths(&found, &wanted);
            check_sums(&found, 2 * PIXELS);
            measurement_finish(&found);
        }
    measurement_finish(&wanted);
}

// ---- all or none

// What roulette did, told from path lengths alone: `whole` as they are without it, `cut` as they are with it.
struct events {
    uint64_t warps, split; // in which paths end by it, and of which others of the unit live on
};

enum { POOL = 100, BLOCK = 20, BOUNCES_MOST = 24 };

// Lanes [first, first + count) of a pool that is filled with places in a row, and refilled when it is empty.
static void look_at_lanes(const uint32_t *whole, const uint32_t *cut, uint32_t first, uint32_t count,
                          struct events *events)
{
    for (uint32_t length = 4; length <= BOUNCES_MOST; ++length) { // none ends at a bounce before 3
        uint32_t ended = 0, living = 0;
        for (uint32_t i = first; i < first + count; ++i) {
            ended += cut[i] == length && whole[i] > length;
            living += cut[i] > length;
        }
        events->warps += ended > 0;
        events->split += ended > 0 && living > 0;
    }
}

static struct events look(const uint32_t *whole, const uint32_t *cut, bool blocks)
{
    struct events events = {0};
    for (uint32_t fill = 0; fill < PIXELS; fill += POOL)
        for (uint32_t block = fill; block < fill + POOL && block < PIXELS; block += BLOCK)
            for (uint32_t lane = block; lane < block + BLOCK && lane < PIXELS; lane += blocks ? BLOCK : WARP) {
                const uint32_t most = blocks ? PIXELS : block + BLOCK < PIXELS ? block + BLOCK : PIXELS;
                const uint32_t end = lane + (blocks ? BLOCK : WARP);
                look_at_lanes(whole, cut, lane, (end < most ? end : most) - lane, &events);
            }
    return events;
}

TEST(roulette_ends_all_or_none)
{
    static const struct {
        const char *roulette;
        bool blocks, split;
    } rows[] = {{"warp", false, false}, {"block", true, false}, {"thread", false, true}};
    static uint32_t whole[PIXELS];
    char text[200];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        path_lengths("cornell", "max_bounces=23 materials=scene roulette=none", 0, PIXELS, whole);
        snprintf(text, sizeof text,
                 "max_bounces=23 materials=scene pixel_order=row pool=%d block=%d warp_width=%d roulette=%s", POOL,
                 BLOCK, WARP, rows[i].roulette);
        struct measurement found = measure("cornell", "pool_refill", text);
        const struct events units = look(whole, found.path_length, rows[i].blocks);
        const struct events warps = look(whole, found.path_length, false);
        const struct bounce_counts counted = totals(&found, NULL);
        assert_true(units.warps >= 5);
        assert_int_equal(units.split > 0, rows[i].split);
        assert_int_equal(counted.roulette_warps, warps.warps);
        assert_int_equal(counted.split_warps, warps.split);
        measurement_finish(&found);
    }
}

// In a closed box where all surfaces reflect 0.7 every path lives, and all that live weigh the same: the chance is 0.7^4 at
// bounce 3 and 0.7 from then on, and the number that of the unit's first path.
static uint32_t length_told(uint32_t place, uint32_t most)
{
    const uint32_t pixel = place % MEASURE_WIDTH | place / MEASURE_WIDTH << 16;
    struct frame_args frame = {.seed = 5, .config = {.sampler = SAMPLER_COUNTER}};
    for (uint32_t bounce = 3; bounce < most; ++bounce) {
        const double number = (double)random_unit(&frame, pixel, 0, 0, bounce, DIMENSION_ROULETTE);
        const double chance = bounce == 3 ? 0.7 * 0.7 * 0.7 * 0.7 : 0.7;
        assert_true(fabs(number - chance) > 1e-5); // no such case among those of this seed
        if (number >= chance)
            return bounce + 1;
    }
    return most + 1;
}

TEST(chances_and_numbers_are_as_a_formula_tells)
{
    static const struct {
        const char *roulette;
        uint32_t unit;
    } rows[] = {{"thread", 1}, {"warp", WARP}, {"block", 2 * WARP}};
    char text[200];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        snprintf(text, sizeof text,
                 "seed=5 max_bounces=20 lighting=hits pixel_order=row pool=128 block=%d warp_width=%d roulette=%s",
                 2 * WARP, WARP, rows[i].roulette);
        struct measurement found = measure("closed_box", "pool_refill", text);
        for (uint32_t place = 0; place < PIXELS; ++place)
            assert_int_equal(found.path_length[place], length_told(place / rows[i].unit * rows[i].unit, 20));
        measurement_finish(&found);
    }
}

// ---- the mean

enum { SEEDS = 64 };

// A frame's radiance, per pixel and channel.
static double brightness(const char *variant, const char *scene, const char *work, uint32_t seed)
{
    char text[300];
    snprintf(text, sizeof text, "%s materials=scene lighting=hits max_bounces=6 warp_width=8 seed=%u", work, seed);
    struct measurement measurement = measure(scene, variant, text);
    double sum = 0;
    for (size_t i = 0; i < (size_t)3 * PIXELS; ++i)
        sum += (double)measurement.film[i] * 0x1p-32;
    const struct bounce_counts counted = totals(&measurement, NULL);
    assert_true(fabs((double)counted.radiance * 0x1p-24 / sum - 1) < 1e-4);
    measurement_finish(&measurement);
    return sum / (3 * PIXELS);
}

// In the closed furnace every path brings 2 - 2^-6 without roulette, 2^-3 - 2^-6 of it beyond bounce 3: were survivors not
// made up for, 5 % would be missing.
TEST(means_are_those_without_roulette)
{
    static const struct {
        const char *variant, *work;
    } rows[] = {{"pool_refill", "pool=96 block=16 roulette=warp"},
                {"pool_refill", "pool=96 block=16 roulette=block"},
                {"tile_regenerate", "pool=128 tile_slots=16 block=16 roulette=block"},
                {"stream_compact", "pool=104 block=16 compact_every=1 roulette=block"}};
    const double wanted = 2 - 0x1p-6;
    assert_true(fabs(brightness("naive", "furnace", "roulette=none", 1) - wanted) < 1e-5);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        double sum = 0, squares = 0;
        for (uint32_t seed = 0; seed < SEEDS; ++seed) {
            const double more = brightness(rows[i].variant, "furnace", rows[i].work, seed) - wanted;
            sum += more;
            squares += more * more;
        }
        const double bias = sum / SEEDS, sigma = sqrt((squares - sum * bias) / (SEEDS - 1) / SEEDS);
        printf("%s, %s: %+.2f %%, sigma %.2f %%\n", rows[i].variant, rows[i].work, 100 * bias / wanted,
               100 * sigma / wanted);
        assert_true(fabs(bias) <= 3 * sigma);
        assert_true(sigma > 0 && sigma < 0.01 * wanted);
    }
}

// Weights that differ within a unit, and paths that end by themselves, against the same frames without roulette.
TEST(means_of_varied_paths_are_those_without_roulette)
{
    static const char work[] = "pool=96 block=16 compact_every=2 roulette=warp";
    double sum = 0, squares = 0, mean = 0;
    for (uint32_t seed = 0; seed < SEEDS; ++seed) {
        const double plain = brightness("naive", "materials", "roulette=none", seed);
        const double more = brightness("stream_compact", "materials", work, seed) - plain;
        mean += plain / SEEDS;
        sum += more;
        squares += more * more;
    }
    const double bias = sum / SEEDS, sigma = sqrt((squares - sum * bias) / (SEEDS - 1) / SEEDS);
    printf("materials: %+.2f %%, sigma %.2f %%\n", 100 * bias / mean, 100 * sigma / mean);
    assert_true(sigma > 0 && fabs(bias) <= 3 * sigma && sigma < 0.02 * mean);
}

// ---- the same wherever it runs

static void check_equal(const char *variant, const char *work, const char *const *others)
{
    struct measurement wanted = measure("closed_varied", variant, work);
    for (; *others; ++others) {
        char text[240];
        snprintf(text, sizeof text, "%s %s", work, *others);
        struct measurement found = measure("closed_varied", variant, text);
        check_paths(&found, &wanted);
        measurement_finish(&found);
    }
    measurement_finish(&wanted);
}

TEST(what_no_unit_depends_on_changes_nothing)
{
    static const char *const any[] = {"threads=1 lane_order=reversed", "threads=16 lane_order=seeded tree=kd16",
                                      "traversal=speculative", NULL};
    static const char *const blocks[] = {"warp_width=8", "warp_width=64", "warp_width=1", NULL};
    static const char *const tiles[] = {"trace_compaction=yes", NULL};
    char text[200];
    for (const char *const *pipeline = together; *pipeline; ++pipeline) {
        snprintf(text, sizeof text, "spp=2 materials=scene max_bounces=10 block=96 pool=%d roulette=", 256);
        strcat(text, "warp");
        check_equal(*pipeline, text, any);
        snprintf(text, sizeof text, "spp=2 materials=scene max_bounces=10 block=96 pool=%d roulette=block", 256);
        check_equal(*pipeline, text, any);
        check_equal(*pipeline, text, blocks);
    }
    check_equal("tile_regenerate", "spp=2 max_bounces=10 pool=512 roulette=block", tiles);
    check_equal("tile_regenerate", "spp=2 max_bounces=10 pool=512 roulette=warp", tiles);
}

// ---- variance

// What counts tell of the variance within pixels, against the paths themselves: sample by sample, as frames of one, two and
// more of them differ.
TEST(variances_are_those_of_the_paths)
{
    enum { SAMPLES = 4, CHANNELS = 3 * PIXELS };
    static const char *const settings[] = {"accumulate=atomic", "accumulate=buffer", NULL};
    double squares = 0, of_sums = 0, within = 0;
    static double path[SAMPLES][CHANNELS];
    static int64_t before[CHANNELS];
    for (int i = 0; i < SAMPLES; ++i) {
        char text[100];
        snprintf(text, sizeof text, "materials=scene spp=%d", i + 1);
        struct measurement frame = measure("cornell", "naive", text);
        for (int k = 0; k < CHANNELS; ++k) {
            path[i][k] = (double)(frame.film[k] - before[k]) * 0x1p-32;
            before[k] = frame.film[k];
        }
        measurement_finish(&frame);
    }
    for (int k = 0; k < CHANNELS; ++k) {
        double sum = 0;
        for (int i = 0; i < SAMPLES; ++i) {
            squares += path[i][k] * path[i][k];
            sum += path[i][k];
        }
        of_sums += sum * sum / SAMPLES;
        for (int i = 0; i < SAMPLES; ++i)
            within += (path[i][k] - sum / SAMPLES) * (path[i][k] - sum / SAMPLES);
    }
    for (const char *const *setting = settings; *setting; ++setting) {
        char text[100];
        snprintf(text, sizeof text, "materials=scene spp=%d %s", SAMPLES, *setting);
        struct measurement found = measure("cornell", "two_stage", text);
        const struct bounce_counts counted = totals(&found, NULL);
        assert_true(fabs((double)counted.squares * 0x1p-24 / squares - 1) < 1e-5);
        assert_true(fabs((double)counted.pixel_squares * 0x1p-24 / of_sums - 1) < 1e-5);
        assert_true(fabs(((double)counted.squares - (double)counted.pixel_squares) * 0x1p-24 / within - 1) < 1e-4);
        measurement_finish(&found);
    }
}

// ---- refusals

TEST(others_refuse)
{
    static const struct {
        const char *variant, *settings, *reason;
    } rows[] = {
        {"naive", "warp", "and this variant one for each"},
        {"whole_frame", "block", "and this variant one for each"},
        {"two_stage", "warp", "and this variant one for each"},
        {"majority_state", "block", "and this variant one for each"},
        {"thread_regenerate", "warp", "no image could be repeated"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct trial_spec spec = {.scene = "cornell", .device = "emulator", .parameters = parameters_default()};
        snprintf(spec.variant, sizeof spec.variant, "%s", rows[i].variant);
        assert_true(parameter_set(&spec.parameters, parameter_find("roulette"), rows[i].settings, &why));
        assert_true(parameter_set(&spec.parameters, parameter_find("tickets"), "atomic", &why));
        assert_true(parameter_set(&spec.parameters, parameter_find("next_path"), "queue", &why));
        const struct execute_request request = {.spec = &spec, .policy = policy_once()};
        struct measurement measurement = {0};
        refused(execute(executor, &request, &measurement, &why), rows[i].reason, "");
        assert_int_equal(why.kind, ERROR_UNSUPPORTED);
    }
}

TEST_GROUP(measure_open, measure_close)
