// SPDX-License-Identifier: MIT
// Lanes that take their next path by themselves, in a pipeline and in one kernel: the paths of naive, and schedules that
// plain models tell from nothing but the lengths of naive's paths.
#include "check.h"
#include "pipelines_support.h"

enum { WIDTH = 26, HEIGHT = 18, PIXELS = WIDTH * HEIGHT, SAMPLES = 3, PATHS = SAMPLES * PIXELS };

// ---- the same paths

TEST(threads_render_the_passes_of_naive_bit_for_bit)
{
    static const char *const threads[] = {"thread_regenerate", NULL};
    static const char *const settings[] = {
        "",
        "next_path=queue",
        "next_path=queue tickets=atomic",
        "pool=1",
        "pool=1 next_path=queue tickets=atomic",
        "pool=100",
        "pool=100 next_path=queue",
        "pool=100 next_path=queue tickets=atomic threads=16 lane_order=seeded",
        "pool=1000",
        "pool=1000 next_path=queue block=96 warp_width=64",
        "pool=5000 next_path=queue tickets=atomic block=20",
        "pool=100 traversal=speculative lane_order=reversed pixel_order=morton",
        NULL,
    };
    static const char *const others[] = {"pool=77", "pool=77 next_path=queue", "pool=77 next_path=queue tickets=atomic",
                                         NULL};
    check_against_naive("cornell", "width=26 height=18 spp=3", threads, settings, PATHS);
    check_against_naive("materials", "width=26 height=18 spp=3 materials=scene roulette=none", threads, others, PATHS);
    check_against_naive("cornell", "width=26 height=18 spp=2 lighting=hits sampler=padded", threads, others,
                        2 * PIXELS);
    check_against_naive("cornell", "width=26 height=18 spp=2 max_bounces=0", threads, others, 2 * PIXELS);
    check_against_naive("mirror_corridor", "width=26 height=18 spp=2 max_bounces=64 materials=scene roulette=none",
                        threads, others, 2 * PIXELS);
    check_against_naive("interior", "width=1 height=1 spp=3 max_bounces=1", threads, others, 3);
}

static void check_majority(const char *scene, const char *work, const char *const *settings, uint64_t samples)
{
    char text[200];
    struct measurement wanted = measure(scene, "naive", work);
    for (; *settings; ++settings) {
        snprintf(text, sizeof text, "%s %s", work, *settings);
        struct measurement found = measure(scene, "majority_state", text);
        check_paths(&found, &wanted);
        assert_int_equal(totals(&found, NULL).begun, samples);
        measurement_finish(&found);
    }
    measurement_finish(&wanted);
}

TEST(majorities_render_the_passes_of_naive_bit_for_bit)
{
    static const char *const settings[] = {"",
                                           "pool=1",
                                           "pool=100 block=20 warp_width=8",
                                           "pool=333 block=96 warp_width=64 threads=16 lane_order=seeded",
                                           "pool=5000 traversal=speculative lane_order=reversed",
                                           "pool=77 pixel_order=morton",
                                           NULL};
    check_majority("cornell", "width=26 height=18 spp=3", settings, PATHS);
    check_majority("materials", "width=26 height=18 spp=3 materials=scene roulette=none", settings, PATHS);
    check_majority("cornell", "width=26 height=18 spp=2 lighting=mix sampler=padded", settings, 2 * PIXELS);
    check_majority("cornell", "width=26 height=18 spp=2 max_bounces=0", settings, 2 * PIXELS);
    check_majority("mirror_corridor", "width=26 height=18 spp=2 max_bounces=64 materials=scene roulette=none", settings,
                   2 * PIXELS);
    check_majority("interior", "width=1 height=1 spp=3 max_bounces=1", settings, 3);
}

// ---- rounds told from path lengths

static uint32_t lengths[SAMPLES][PIXELS];

static void model_round(struct path_slot *slots, uint32_t pool, struct path_schedule *schedule)
{
    model_trace(schedule, slots, NULL, pool);
    schedule->launches += 6;
}

// A slot keeps its pixel, and goes on to the one that lies as many pixels ahead as there are slots. False: it has none.
static bool model_next_of_pixel(struct path_slot *slot, uint32_t pool)
{
    if (slot->pixel >= PIXELS)
        return false;
    if (++slot->sample == SAMPLES) {
        slot->sample = 0;
        slot->pixel += pool;
    }
    if (slot->pixel >= PIXELS)
        return false;
    slot->left = lengths[slot->sample][slot->pixel];
    slot->taken = 0;
    return true;
}

static struct path_schedule *pixel_schedule(uint32_t pool)
{
    struct path_schedule *schedule = calloc(1, sizeof *schedule);
    struct path_slot *slots = calloc(pool, sizeof *slots);
    assert_true(schedule && slots);
    uint32_t live = pool;
    schedule->launches = 1;
    for (uint32_t i = 0; i < pool; ++i)
        slots[i] = (struct path_slot){.left = lengths[0][i], .pixel = i};
    while (live) {
        model_round(slots, pool, schedule);
        live = 0;
        for (uint32_t i = 0; i < pool; ++i)
            live += slots[i].left || model_next_of_pixel(&slots[i], pool);
    }
    free(slots);
    return schedule;
}

static struct path_schedule *queue_schedule(uint32_t pool)
{
    struct path_schedule *schedule = calloc(1, sizeof *schedule);
    struct path_slot *slots = calloc(pool, sizeof *slots);
    assert_true(schedule && slots);
    uint32_t live = pool, next = pool;
    schedule->launches = 1;
    for (uint32_t i = 0; i < pool; ++i)
        slots[i].left = lengths[i / PIXELS][i % PIXELS];
    while (live) {
        const uint32_t before = next;
        model_round(slots, pool, schedule);
        live = 0;
        for (uint32_t i = 0; i < pool; ++i) {
            if (!slots[i].left && next < PATHS) {
                slots[i] = (struct path_slot){.left = lengths[next / PIXELS][next % PIXELS]};
                ++next;
            }
            live += slots[i].left != 0;
        }
        schedule->launches += next > before;
    }
    free(slots);
    return schedule;
}

static void check_pool(const char *next_path, uint32_t pool, struct path_schedule *wanted)
{
    char settings[200];
    snprintf(settings, sizeof settings,
             "width=%d height=%d spp=%d pixel_order=row pool=%u next_path=%s warp_width=%d exact_rounds=100000", WIDTH,
             HEIGHT, SAMPLES, pool, next_path, WARP);
    struct measurement found = measure("cornell", "thread_regenerate", settings);
    check_rounds(&found, wanted);
    assert_true(wanted->mixed > 0 || pool == PATHS);
    measurement_finish(&found);
    free(wanted);
}

TEST(threads_take_paths_as_their_lengths_tell)
{
    static const uint32_t pools[] = {7, 100, 333, PIXELS};
    for (uint32_t sample = 0; sample < SAMPLES; ++sample)
        path_lengths("cornell", "width=26 height=18", sample, PIXELS, lengths[sample]);
    for (size_t i = 0; i < sizeof pools / sizeof *pools; ++i) {
        check_pool("pixel", pools[i], pixel_schedule(pools[i]));
        check_pool("queue", pools[i], queue_schedule(pools[i]));
    }
    check_pool("queue", PATHS, queue_schedule(PATHS));
}

// ---- trips of a warp told from path lengths

// Where no path leaves the scene and no light is sampled, a path regenerates and then, for each extension, is traced, gets its
// surface and its light, and goes on.
enum { REGENERATE, TRACE, SURFACE, LIGHT, NEXT, DONE, STATES };

struct walker {
    uint32_t state, left; // extensions to go
    uint32_t pixel, sample;
};

struct trips {
    uint64_t trips, lanes, traces, traced;
};

static uint32_t walk(struct walker *walker, uint32_t lanes)
{
    if (walker->state == NEXT)
        return --walker->left ? TRACE : REGENERATE;
    if (walker->state != REGENERATE)
        return walker->state + 1;
    if (walker->pixel >= PIXELS)
        return DONE;
    walker->left = lengths[walker->sample][walker->pixel];
    if (++walker->sample == SAMPLES) {
        walker->sample = 0;
        walker->pixel += lanes;
    }
    return TRACE;
}

static void walk_warp(struct walker warp[WARP], uint32_t lanes, struct trips *trips)
{
    for (;;) {
        uint32_t count[STATES] = {0}, chosen = REGENERATE;
        for (uint32_t i = 0; i < WARP; ++i)
            count[warp[i].state] += 1;
        if (count[DONE] == WARP)
            return;
        for (uint32_t state = REGENERATE; state < DONE; ++state)
            chosen = count[state] > count[chosen] ? state : chosen;
        trips->trips += 1;
        trips->lanes += count[chosen];
        trips->traces += chosen == TRACE;
        trips->traced += chosen == TRACE ? count[TRACE] : 0;
        for (uint32_t i = 0; i < WARP; ++i)
            if (warp[i].state == chosen)
                warp[i].state = walk(&warp[i], lanes);
    }
}

static void check_trips(const char *work, uint32_t lanes)
{
    struct trips wanted = {0};
    char settings[240];
    for (uint32_t first = 0; first < lanes; first += WARP) {
        struct walker warp[WARP] = {{0}};
        for (uint32_t i = 0; i < WARP; ++i)
            warp[i] = (struct walker){.state = first + i < lanes ? REGENERATE : DONE, .pixel = first + i};
        walk_warp(warp, lanes, &wanted);
    }
    snprintf(settings, sizeof settings, "%s spp=%d pixel_order=row pool=%u warp_width=%d", work, SAMPLES, lanes, WARP);
    struct measurement found = measure("closed_box", "majority_state", settings);
    const struct bounce_counts sum = totals(&found, NULL);
    assert_int_equal(found.launch_count, 1);
    assert_int_equal(sum.live_warps, wanted.trips);
    assert_int_equal(sum.live_lanes, wanted.lanes);
    assert_int_equal(sum.active_warps, wanted.traces);
    assert_int_equal(sum.active_paths, wanted.traced);
    assert_true(lanes == 1 || wanted.traced < WARP * wanted.traces);
    measurement_finish(&found);
}

TEST(majorities_step_as_path_lengths_tell)
{
    static const char work[] = "width=26 height=18 materials=scene roulette=yocto lighting=hits max_bounces=20";
    for (uint32_t sample = 0; sample < SAMPLES; ++sample)
        path_lengths("closed_box", work, sample, PIXELS, lengths[sample]);
    check_trips(work, PIXELS);
    check_trips(work, 333);
    check_trips(work, 8);
    check_trips(work, 1);
}

TEST_GROUP(measure_open, measure_close)
