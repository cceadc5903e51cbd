// SPDX-License-Identifier: MIT
// The pipeline that launches the stage with the fullest queue: the paths of naive under every setting, and each launch, in
// its order, as a plain simulation tells it that knows of each path which hits it makes and where a shadow ray follows.
#include "check.h"
#include "pipelines_support.h"
#include "frame/frame_internal.h"
#include "variants/renderers/fullest_queue.kernel.h"

enum { PATHS = 300, MOST_EXTENSIONS = 16, MISSED = 0xFF, EMPTY = -1 };

// ---- the same paths

TEST(every_setting_renders_the_paths_of_naive)
{
    static const char *const fullest[] = {"fullest_queue", NULL};
    static const char *const settings[] = {
        "pool=20",
        "pool=100 partition=0 refill_below=0",
        "pool=100 partition=7 refill_below=100 threads=4 lane_order=seeded",
        "pool=333 refill_below=50 block=96 warp_width=64 threads=4",
        "pool=77 partition=1 traversal=speculative lane_order=reversed pixel_order=morton warp_width=8",
        NULL,
    };
    static const char *const few[] = {"pool=150 partition=32 refill_below=80 threads=4", NULL};
    static const struct {
        const char *scene, *work;
        uint64_t samples;
    } cases[] = {
        {"open", "spp=1 materials=scene max_bounces=64 roulette=none", 384},
        {"cornell", "spp=2 lighting=hits sampler=padded", 768},
        {"mirror_corridor", "spp=1 materials=scene max_bounces=64 roulette=none", 384},
        {"materials", "spp=2 materials=scene lighting=mix roulette=yocto", 768},
        {"interior", "spp=2 materials=scene max_bounces=1", 768},
        {"cornell", "spp=2 max_bounces=0", 768},
        {"cornell", "width=1 height=1 spp=5 max_bounces=1", 5},
    };
    check_against_naive("materials", "spp=2 materials=scene", fullest, settings, 768);
    static const char *const one[] = {"pool=1", NULL};
    check_against_naive("cornell", "width=5 height=3 spp=2", fullest, one, 30);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_against_naive(cases[i].scene, cases[i].work, fullest, few, cases[i].samples);
}

// ---- a plain simulation

struct model_path {
    uint32_t length;
    uint8_t material[MOST_EXTENSIONS]; // of each hit, or MISSED
    bool shadow[MOST_EXTENSIONS];      // a shadow ray is traced for it
};

static struct model_path paths[PATHS];

struct model_slot {
    const struct model_path *path; // NULL: none
    uint32_t taken;                // extensions that are complete
    int waits;                     // EMPTY, or a queue
};

// A launch: its stage, lanes with work, and of some stages more.
struct model_launch {
    const char *stage;
    uint32_t round, lanes, warps, mixed, begun, queued;
};

struct model {
    uint32_t pool, refill_below, partition;
    struct model_slot slots[PATHS];
    uint32_t next, extent, round;
    struct model_launch launches[EVENTS];
    uint32_t launch_count;
};

static struct model_launch *model_launch(struct model *model, const char *stage, uint32_t lanes)
{
    assert_true(model->launch_count < EVENTS);
    struct model_launch *launch = &model->launches[model->launch_count++];
    *launch = (struct model_launch){.stage = stage, .round = model->round, .lanes = lanes};
    launch->warps = (lanes + WARP - 1) / WARP;
    return launch;
}

static uint32_t waiting_in(const struct model *model, int queue)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < model->pool; ++slot)
        count += model->slots[slot].waits == queue;
    return count;
}

static void model_refill(struct model *model)
{
    const uint32_t live = model->pool - waiting_in(model, EMPTY), left = PATHS - model->next;
    if (!left || live == model->pool || (live && 100 * live >= model->refill_below * model->pool))
        return;
    if (live && live < model->extent) {
        uint32_t moved = 0, to = 0;
        model_launch(model, "flag", live);
        model_launch(model, "flag", model->extent - live);
        for (uint32_t slot = live; slot < model->extent; ++slot) {
            if (model->slots[slot].waits == EMPTY)
                continue;
            while (model->slots[to].waits != EMPTY)
                ++to;
            model->slots[to] = model->slots[slot];
            model->slots[slot] = (struct model_slot){.waits = EMPTY};
            ++moved;
        }
        if (moved)
            model_launch(model, "move", moved);
    }
    const uint32_t begun = left < model->pool - live ? left : model->pool - live;
    struct model_launch *launch = model_launch(model, "regenerate", 0);
    launch->warps = 0;
    launch->begun = begun;
    launch->queued = left;
    model->extent = live + begun;
    for (uint32_t slot = live; slot < model->extent; ++slot)
        model->slots[slot] = (struct model_slot){&paths[model->next++], 0, FULLEST_TRACE};
}

// What becomes of a slot whose path is served.
static void model_step(struct model_slot *slot)
{
    const struct model_path *path = slot->path;
    const bool ends = slot->taken + 1 == path->length, shadow = path->shadow[slot->taken];
    switch (slot->waits) {
    case FULLEST_TRACE: slot->waits = path->material[slot->taken] == MISSED ? FULLEST_MISS : FULLEST_SURFACE; return;
    case FULLEST_SHADOW: slot->waits = FULLEST_SHADE; return;
    case FULLEST_SURFACE:
        if (shadow) {
            slot->waits = FULLEST_SHADOW;
            return;
        }
        break;
    default: break;
    }
    slot->taken += 1;
    slot->waits = ends ? EMPTY : FULLEST_TRACE;
}

// Warps of the stage trace whose lanes are at several bounces: slots are served in their order.
static uint32_t mixed_warps(const struct model *model)
{
    uint32_t lane = 0, mixed = 0, first = 0;
    bool differ = false;
    for (uint32_t slot = 0; slot < model->pool; ++slot) {
        if (model->slots[slot].waits != FULLEST_TRACE)
            continue;
        if (lane % WARP == 0) {
            mixed += differ;
            differ = false;
            first = model->slots[slot].taken;
        }
        differ |= model->slots[slot].taken != first;
        ++lane;
    }
    return mixed + differ;
}

static int model_fullest(const struct model *model)
{
    int best = EMPTY;
    for (int queue = 0; queue < FULLEST_QUEUES; ++queue)
        if (waiting_in(model, queue) > (best == EMPTY ? 0 : waiting_in(model, best)))
            best = queue;
    return best;
}

static void simulate(struct model *model)
{
    static const char *const stages[FULLEST_QUEUES] = {"trace", "shadow", "miss", "surface", "shade"};
    for (uint32_t slot = 0; slot < model->pool; ++slot)
        model->slots[slot].waits = EMPTY;
    for (;;) {
        int queue = model_fullest(model);
        if (queue == EMPTY || queue == FULLEST_TRACE)
            model_refill(model);
        queue = model_fullest(model);
        if (queue == EMPTY)
            return;
        const uint32_t lanes = waiting_in(model, queue);
        if (lanes < model->extent)
            model_launch(model, "flag", model->extent);
        struct model_launch *launch = model_launch(model, stages[queue], lanes);
        if (queue == FULLEST_TRACE)
            launch->mixed = mixed_warps(model);
        for (uint32_t slot = 0; slot < model->pool; ++slot)
            if (model->slots[slot].waits == queue)
                model_step(&model->slots[slot]);
        model->round += queue == FULLEST_TRACE;
    }
}

// ---- against the program

// Naive launches one kernel for each sample: a single pixel's counts tell each path by itself.
static void take_paths(const char *work)
{
    struct measurement measurement = measure("materials", "naive", work);
    memset(paths, 0, sizeof paths);
    for (size_t i = 0; i < measurement.count_count; ++i) {
        const struct measured_counts *row = &measurement.counts[i];
        if (row->bounce == MEASURED_TOTALS || !row->counts.active_paths)
            continue;
        assert_true(row->launch < PATHS && row->bounce < MOST_EXTENSIONS && row->counts.active_paths == 1);
        struct model_path *path = &paths[row->launch];
        path->length += 1;
        path->material[row->bounce] = MISSED;
        path->shadow[row->bounce] = row->counts.shadow_rays > 0;
        for (uint8_t material = 0; material < COUNT_MATERIALS; ++material)
            if (row->counts.hits[material])
                path->material[row->bounce] = material;
    }
    measurement_finish(&measurement);
}

static void check_launches(const struct measurement *found, const struct model *model)
{
    uint32_t seen = 0, row = 0;
    for (uint32_t i = 0; i < found->launch_count; ++i) {
        struct bounce_counts counts = {0};
        for (; row < found->count_count && found->counts[row].launch <= i; ++row)
            if (found->counts[row].launch == i && found->counts[row].bounce == MEASURED_TOTALS)
                counts = found->counts[row].counts;
        if (found->launches[i].auxiliary)
            continue;
        assert_true(seen < model->launch_count);
        const struct model_launch *wanted = &model->launches[seen++];
        assert_string_equal(found->launches[i].stage, wanted->stage);
        assert_int_equal(found->launches[i].iteration, wanted->round);
        assert_int_equal(counts.live_lanes, wanted->lanes);
        assert_int_equal(counts.live_warps, wanted->warps);
        assert_int_equal(counts.mixed_warps, wanted->mixed);
        assert_int_equal(counts.begun, wanted->begun);
        assert_int_equal(counts.queued, wanted->queued);
    }
    assert_int_equal(seen, model->launch_count);
}

static void check_schedule(const char *work, uint32_t pool, uint32_t refill_below, uint32_t partition)
{
    char settings[240];
    snprintf(settings, sizeof settings,
             "%s pool=%u refill_below=%u partition=%u warp_width=%d exact_rounds=100000 threads=2", work, pool,
             refill_below, partition, WARP);
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->pool = pool;
    model->refill_below = refill_below;
    model->partition = partition;
    simulate(model);
    struct measurement found = measure("materials", "fullest_queue", settings);
    check_launches(&found, model);
    measurement_finish(&found);
    free(model);
}

TEST(every_launch_follows_from_what_paths_meet)
{
    static const char *const works[] = {"max_bounces=7", "max_bounces=3 lighting=mix roulette=yocto",
                                        "max_bounces=15 roulette=none"};
    static const uint32_t pools[] = {5, 64, PATHS}, shares[] = {0, 25, 50, 100};
    uint32_t shadows = 0, misses = 0, hits = 0;
    for (size_t i = 0; i < sizeof works / sizeof *works; ++i) {
        char work[160];
        snprintf(work, sizeof work, "width=1 height=1 spp=%d materials=scene %s", PATHS, works[i]);
        take_paths(work);
        for (size_t j = 0; j < PATHS; ++j)
            for (uint32_t bounce = 0; bounce < paths[j].length; ++bounce) {
                shadows += paths[j].shadow[bounce];
                misses += paths[j].material[bounce] == MISSED;
                hits += paths[j].material[bounce] != MISSED;
            }
        for (size_t pool = 0; pool < sizeof pools / sizeof *pools; ++pool)
            for (size_t share = 0; share < sizeof shares / sizeof *shares; ++share)
                check_schedule(work, pools[pool], shares[share], share % 2 ? 16 : 0);
    }
    assert_true(shadows > 100 && misses > 100 && hits > 100); // every queue has been the fullest at some time
}

// ---- groups

struct groups {
    uint32_t partition, launches, slots;
};

// The list of each launch at surfaces, just before it.
static bool look(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct groups *groups = frame->internal->hook_context;
    if (!launch->stage || strcmp(launch->stage, "surface"))
        return true;
    const struct fullest_args *args = launch->args;
    uint64_t before = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < args->count; ++i) { // the emulator's memory is the host's
        const uint32_t slot = args->list ? args->list[i] : i,
                       material = *pool_at(&args->pool, slot, POOL_MATERIAL) >> 1;
        const uint64_t key =
            (uint64_t)(groups->partition ? slot / groups->partition : 0) << 32 | (groups->partition ? material : 0);
        assert_int_equal(*pool_at(&args->pool, slot, FULLEST_WAITS), FULLEST_SURFACE);
        assert_true(i == 0 || key > before || (key == before && slot > last));
        before = key;
        last = slot;
    }
    groups->launches += 1;
    groups->slots += args->count;
    return true;
}

static struct groups watch(uint32_t partition, const char *pool)
{
    static const struct frame_hooks hooks = {.before = look};
    struct groups groups = {.partition = partition};
    char text[16];
    struct trial_spec spec = {.device = "emulator", .scene = "materials", .variant = "fullest_queue"};
    const struct {
        const char *name, *value;
    } settings[] = {{"width", "24"}, {"height", "16"}, {"materials", "scene"}, {"pool", pool}, {"partition", text}};
    snprintf(text, sizeof text, "%u", partition);
    spec.parameters = parameters_default();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
        assert_true(parameter_set(&spec.parameters, parameter_find(settings[i].name), settings[i].value, &why));
    need(execute_watched(executor, &spec, &hooks, &groups, &why));
    return groups;
}

TEST(surfaces_are_served_by_material_within_partitions)
{
    static const uint32_t partitions[] = {0, 1, 7, 64, 65536};
    uint32_t slots = 0;
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; ++i) {
        const struct groups all = watch(partitions[i], "auto"), some = watch(partitions[i], "50");
        assert_true(all.launches > 0 && some.launches > all.launches);
        assert_true(i == 0 || all.slots == slots);
        slots = all.slots;
        assert_int_equal(some.slots, slots);
    }
}

TEST_GROUP(measure_open, measure_close)
