// SPDX-License-Identifier: MIT
// A pool that is compacted and refilled every few rounds: the paths of naive, and a schedule that a plain model tells from
// nothing but the lengths of naive's paths.
#include "check.h"
#include "pipelines_support.h"
#include "surface/pool.h"

enum { WIDTH = 26, HEIGHT = 18, PIXELS = WIDTH * HEIGHT, SAMPLES = 3, PATHS = SAMPLES * PIXELS };

// ---- the same paths

TEST(streams_render_the_passes_of_naive_bit_for_bit)
{
    static const char *const streams[] = {"stream_compact", NULL};
    static const char *const settings[] = {
        "",
        "pool=1 compact_every=3",
        "pool=1 storage=move",
        "pool=100 compact_every=4",
        "pool=100 compact_every=4 storage=move",
        "pool=333 compact_every=8 block=96 warp_width=64 threads=16 lane_order=seeded",
        "pool=333 compact_every=2 storage=move block=20 threads=16 lane_order=seeded",
        "pool=1404",
        "pool=5000 compact_every=64",
        "pool=100 traversal=speculative lane_order=reversed pixel_order=morton",
        NULL,
    };
    static const char *const others[] = {"pool=100 compact_every=2", "pool=77 storage=move compact_every=4", NULL};
    check_against_naive("cornell", "width=26 height=18 spp=3", streams, settings, PATHS);
    check_against_naive("materials", "width=26 height=18 spp=3 materials=scene roulette=none", streams, others, PATHS);
    check_against_naive("cornell", "width=26 height=18 spp=2 lighting=hits sampler=padded", streams, others,
                        2 * PIXELS);
    check_against_naive("cornell", "width=26 height=18 spp=2 max_bounces=0", streams, others, 2 * PIXELS);
    check_against_naive("mirror_corridor", "width=26 height=18 spp=2 max_bounces=64 materials=scene roulette=none",
                        streams, others, 2 * PIXELS);
    check_against_naive("interior", "width=1 height=1 spp=3 max_bounces=1", streams, others, 3);
}

// ---- streams told from path lengths

struct schedule {
    struct path_schedule paths;
    uint32_t scans, scanned[EVENTS], moves, moved[EVENTS];
};

struct model {
    uint32_t pool, every;
    bool move;
    const uint32_t *lengths; // as samples are given out
    uint32_t next;
    struct path_slot slots[PATHS];
    uint32_t list[PATHS], count; // slots that the launches cover
    struct schedule schedule;
};

// Survivors come in the order of their slots; moved, they lie where the list says. New paths come behind them.
static void model_compact(struct model *model)
{
    struct schedule *schedule = &model->schedule;
    const uint32_t scanned = model->move ? model->count : model->pool;
    uint32_t live = 0, begun = 0;
    if (scanned) {
        schedule->scanned[schedule->scans++] = scanned;
        schedule->paths.launches += 1;
    }
    for (uint32_t slot = 0; slot < scanned; ++slot)
        if (model->slots[slot].left)
            model->list[live++] = slot;
    for (uint32_t i = 0; model->move && i < live; ++i) {
        const struct path_slot mover = model->slots[model->list[i]];
        model->slots[model->list[i]].left = 0;
        model->slots[i] = mover;
        model->list[i] = i;
    }
    if (model->move && live) {
        schedule->moved[schedule->moves++] = live;
        schedule->paths.launches += 1;
    }
    const uint32_t waiting = PATHS - model->next;
    for (uint32_t slot = 0; slot < model->pool && model->next < PATHS; ++slot)
        if (!model->slots[slot].left) {
            model->slots[slot] = (struct path_slot){.left = model->lengths[model->next++]};
            model->list[live + begun++] = slot;
        }
    if (begun) {
        schedule->paths.begun[schedule->paths.begins] = begun;
        schedule->paths.queued[schedule->paths.begins++] = waiting;
        schedule->paths.launches += 1;
    }
    model->count = live + begun;
}

static void model_round(struct model *model)
{
    model_trace(&model->schedule.paths, model->slots, model->list, model->count);
    model->schedule.paths.launches += 6;
}

static struct model *model_frame(const uint32_t *lengths, uint32_t pool, uint32_t every, bool move)
{
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->lengths = lengths;
    model->pool = pool;
    model->every = every;
    model->move = move;
    for (uint32_t round = 0;; ++round) {
        if (round % every == 0) {
            model_compact(model);
            if (!model->count)
                return model;
        }
        model_round(model);
    }
}

// ---- against the program

// What is looked at, what moves, what begins.
static void check_compactions(const struct measurement *found, const struct schedule *wanted)
{
    static struct bounce_counts rows[EVENTS];
    assert_int_equal(launches_of(found, "flag", rows), wanted->scans);
    for (uint32_t i = 0; i < wanted->scans; ++i)
        assert_int_equal(rows[i].live_lanes, wanted->scanned[i]);
    assert_int_equal(launches_of(found, "move", rows), wanted->moves);
    for (uint32_t i = 0; i < wanted->moves; ++i) {
        assert_int_equal(rows[i].live_lanes, wanted->moved[i]);
        assert_int_equal(rows[i].moved_bytes, wanted->moved[i] * 4 * (2 * POOL_HIT + 1));
    }
    check_begins(found, &wanted->paths);
}

TEST(streams_flow_as_path_lengths_tell)
{
    static uint32_t lengths[PATHS];
    static const uint32_t pools[] = {7, 100, 333, PATHS}, intervals[] = {1, 2, 4, 8};
    for (uint32_t sample = 0; sample < SAMPLES; ++sample)
        path_lengths("cornell", "width=26 height=18", sample, PIXELS, lengths + (size_t)sample * PIXELS);
    for (size_t i = 0; i < sizeof pools / sizeof *pools; ++i)
        for (size_t j = 0; j < sizeof intervals / sizeof *intervals; ++j)
            for (int move = 0; move < 2; ++move) {
                char settings[200];
                snprintf(settings, sizeof settings,
                         "width=%d height=%d spp=%d pixel_order=row pool=%u compact_every=%u storage=%s warp_width=%d "
                         "exact_rounds=100000",
                         WIDTH, HEIGHT, SAMPLES, pools[i], intervals[j], move ? "move" : "indices", WARP);
                struct model *model = model_frame(lengths, pools[i], intervals[j], move);
                struct measurement found = measure("cornell", "stream_compact", settings);
                check_rounds(&found, &model->schedule.paths);
                check_compactions(&found, &model->schedule);
                measurement_finish(&found);
                free(model);
            }
}

TEST_GROUP(measure_open, measure_close)
