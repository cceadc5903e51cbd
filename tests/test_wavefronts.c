// SPDX-License-Identifier: MIT
// Wavefronts over a queue of samples: the paths of naive under every setting, counts that no schedule changes, and what is refused.
#include "check.h"
#include "pipelines_support.h"
#include "variants/cmu2023/order.h"

enum { PIXELS = MEASURE_WIDTH * MEASURE_HEIGHT };

static const char *const pooled[] = {"two_stage", "three_stage", NULL};
static const char *const all[] = {"two_stage", "two_stage_pixel", "three_stage", NULL};
static const char *const three_stage[] = {"three_stage", NULL};

// ---- the same paths

TEST(every_setting_renders_the_paths_of_naive)
{
    static const char *const settings[] = {
        "pool=100",
        "pool=100 batch=1",
        "pool=100 batch=3 tickets=atomic threads=16",
        "pool=100 batch=7 pool_order=cost",
        "pool=64 batch=2 pool_order=cost tickets=atomic threads=16",
        "pool=50 batch=3 pool_order=shuffled",
        "pool=1000000 pool_order=shuffled tickets=atomic",
        "pool=100 batch=3 accumulate=buffer",
        "pool=100 accumulate=buffer pool_order=shuffled tickets=atomic threads=16",
        "batch=3 extend_over=rays",
        "pool=100 extend_over=rays tickets=atomic threads=16 lane_order=seeded",
        "pool=100 ray_sort=origin",
        "pool=100 batch=3 ray_sort=direction extend_over=rays",
        "pool=100 ray_sort=material tickets=atomic threads=16",
        "pool=1 batch=1",
        "pool=100 batch=65536", // no more than there are
        NULL,
    };
    check_against_naive("cornell", "spp=7", pooled, settings, 7 * PIXELS);
    check_against_naive("materials", "spp=4 materials=scene lighting=mix roulette=yocto", pooled, settings, 4 * PIXELS);
    static const char *const queues[] = {
        "pool=100 queues=matte", "pool=100 queues=merged tickets=atomic threads=16",
        "pool=100 traversal=speculative warp_width=8",
        "pool=77 batch=2 queues=material extend_over=rays ray_sort=material tickets=atomic threads=16 warp_width=64",
        NULL};
    check_against_naive("materials", "spp=4 materials=scene", three_stage, queues, 4 * PIXELS);
}

TEST(scenes_and_limits_make_no_difference)
{
    static const char *const scenes[] = {"open", "cornell", "mirror_corridor", "materials", "interior"};
    static const char *const works[] = {
        "spp=2 materials=scene max_bounces=64 roulette=none", "spp=2 materials=scene max_bounces=1 lighting=mix",
        "spp=2 materials=scene lighting=hits roulette=yocto sampler=padded", "spp=2 max_bounces=0"};
    static const char *const settings[] = {"", "block=96 warp_width=8", NULL};
    static const char *const small[] = {"pool=100 batch=1 tickets=atomic threads=16", "pool=60 extend_over=rays", NULL};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i)
        for (size_t work = 0; work < sizeof works / sizeof *works; ++work) {
            check_against_naive(scenes[i], works[work], all, settings, 2 * PIXELS);
            check_against_naive(scenes[i], works[work], pooled, small, 2 * PIXELS);
        }
    static const char *const pixel[] = {"", NULL};
    check_against_naive("cornell", "width=1 height=1 spp=1", all, pixel, 1);
    check_against_naive("cornell", "width=1 height=1 spp=5 max_bounces=1", all, pixel, 5);
}

// ---- orders

TEST(a_shuffled_queue_holds_every_sample_once)
{
    static const uint32_t counts[] = {1, 2, 3, 31, 32, 33, 1000, 65536, 65537, 100003};
    uint8_t *seen = malloc(100003);
    assert_non_null(seen);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        for (uint32_t seed = 1; seed < 8; ++seed) {
            const uint32_t count = counts[i];
            uint32_t rising = 0;
            memset(seen, 0, count);
            for (uint32_t item = 0; item < count; ++item) {
                const uint32_t place = order_shuffled(item, count, seed);
                assert_true(place < count && !seen[place]);
                seen[place] = 1;
                rising += item > 0 && place > order_shuffled(item - 1, count, seed);
            }
            if (count >= 1000) // neighbours rise half of the time: 6 sigma of a random order
                assert_true((rising - 0.5 * count) * (rising - 0.5 * count) < 36.0 * count / 12.0);
        }
    free(seen);
}

// ---- what the host may not change

TEST(ordered_tickets_repeat_every_count_of_the_schedule)
{
    static const char *const hosts[] = {"threads=1", "threads=2 lane_order=seeded", "threads=16 lane_order=reversed"};
    static const char *const settings[] = {"pool=150 extend_over=rays ray_sort=origin",
                                           "pool=150 batch=2 pool_order=cost"};
    for (size_t i = 0; i < 3 * sizeof settings / sizeof *settings; ++i) {
        struct bounce_counts first = {0};
        for (size_t host = 0; host < sizeof hosts / sizeof *hosts; ++host) {
            char text[160];
            snprintf(text, sizeof text, "spp=4 %s %s", settings[i % 2], hosts[host]);
            struct measurement measurement = measure("cornell", all[i / 2], text);
            const struct bounce_counts sum = measure_sum(&measurement);
            if (!host)
                first = sum;
            assert_true(sum.live_warps > 0 && sum.atomics > 0 && sum.moved_bytes > 0);
            assert_memory_equal(&sum, &first, sizeof sum);
            measurement_finish(&measurement);
        }
    }
}

// ---- what cannot be run

static void expect_error(int64_t width, int64_t height, const char *setting, const char *value, enum error_kind kind,
                         const char *words)
{
    struct trial_spec spec = {.device = "emulator", .scene = "cornell", .variant = "two_stage"};
    struct measurement measurement = {0};
    spec.parameters = parameters_default();
    spec.parameters.width = width;
    spec.parameters.height = height;
    spec.parameters.spp = 65536;
    spec.parameters.pool = 1;
    assert_true(parameter_set(&spec.parameters, parameter_find(setting), value, &why));
    const struct execute_request request = {.spec = &spec, .collection = COLLECTION_COUNTS, .policy = policy_once()};
    refused(execute(executor, &request, &measurement, &why), words, "");
    assert_int_equal(why.kind, kind);
    measurement_finish(&measurement);
}

TEST(what_is_too_large_is_refused_in_words)
{
    expect_error(16384, 16384, "pool_order", "shuffled", ERROR_UNSUPPORTED,
                 "pool_order: shuffled numbers the samples of a batch with 32 bits, and has 17592186044416 of them");
    FILE *file = fopen("/proc/sys/vm/overcommit_memory", "r");
    const int mode = file ? fgetc(file) : '1';
    if (file)
        fclose(file);
    if (mode == '1')
        puts("skipped: this system promises any amount of memory");
    else
        expect_error(1024, 1024, "accumulate", "buffer", ERROR_SYSTEM, "1099511627776 bytes of memory");
}

TEST_GROUP(measure_open, measure_close)
