// SPDX-License-Identifier: MIT
// Wavefronts over a queue of samples: rounds, launches and lengths of queues as a plain simulation tells them that knows of each path its
// length and the materials it meets, and nothing else.
#include "check.h"
#include "pipelines_support.h"
#include "variants/cmu2023/order.h"

enum { PIXELS = MEASURE_WIDTH * MEASURE_HEIGHT };

enum kind { MATTE, GLOSSY, COATED, DELTA, MISSED };
enum { MOST_EXTENSIONS = 16, QUEUES = 3 };

struct model_path {
    uint32_t length;
    uint8_t kind[MOST_EXTENSIONS]; // of the hit of each extension
    uint8_t material[MOST_EXTENSIONS];
    bool depth; // the limit has ended it
};

struct model_slot {
    const struct model_path *path; // NULL: none
    uint32_t taken;                // extensions
    bool waits;                    // for a sample
};

struct model {
    // What is simulated.
    bool three, rays, by_material, direct;
    bool race;                // for tickets: which slot takes which sample, and so what a warp holds, is not known
    bool known;               // what paths meet, so that the warps that evaluate materials are
    uint32_t queue_of[DELTA]; // of each kind
    uint32_t pool;
    // What comes out: of each round the lanes, warps and mixed warps of trace, and the lengths of queues.
    struct {
        uint32_t lanes, warps, mixed, queued[QUEUES], shading;
    } * rounds;
    uint32_t round_count, launches;
    struct model_slot *slots;
};

static void trace_warps(struct model *model, const uint32_t *list, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += WARP) {
        const struct model_slot *one = NULL;
        bool mixed = false;
        for (uint32_t i = first; i < count && i < first + WARP; ++i) {
            const struct model_slot *slot = &model->slots[list[i]];
            if (!slot->path)
                continue;
            mixed |= one && one->taken != slot->taken;
            one = slot;
            model->rounds[model->round_count].lanes += 1;
        }
        model->rounds[model->round_count].warps += one != NULL;
        model->rounds[model->round_count].mixed += mixed;
    }
}

static uint32_t sort_key(const struct model_slot *slot)
{
    if (!slot->path)
        return UINT32_MAX;
    return slot->taken ? slot->path->material[slot->taken - 1] + 1u : 0;
}

// Slots in the order in which trace takes them.
static void trace(struct model *model, bool first)
{
    uint32_t list[PIXELS * 8], count = 0;
    for (uint32_t slot = 0; slot < model->pool; ++slot)
        if (!model->rays || first || model->slots[slot].path)
            list[count++] = slot;
    for (uint32_t i = 1; model->by_material && i < count; ++i) // stable
        for (uint32_t j = i; j > 0 && sort_key(&model->slots[list[j - 1]]) > sort_key(&model->slots[list[j]]); --j) {
            const uint32_t swap = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
    trace_warps(model, list, count);
}

// Of two stages: how often warps of logic evaluate a material, once for each kind that their lanes meet.
static void shade_warps(struct model *model)
{
    uint32_t met = 0; // of the warp: bits of kinds, of mirrors and glass of materials
    for (uint32_t slot = 0; slot < model->pool; ++slot) {
        const struct model_slot *at = &model->slots[slot];
        const struct model_path *path = at->path;
        met = slot % WARP == 0 ? 0 : met;
        if (!path || path->kind[at->taken] == MISSED ||
            (at->taken + 1 == path->length && path->depth && !model->direct))
            continue;
        const uint32_t bit =
            path->kind[at->taken] < DELTA ? 1u << path->kind[at->taken] : 1u << (DELTA + path->material[at->taken]);
        model->rounds[model->round_count].shading += !(met & bit);
        met |= bit;
    }
}

// After the extension `slot` has taken. Whether it waits for its material, and not for logic alone.
static bool is_queued(const struct model *model, const struct model_slot *slot)
{
    const enum kind kind = slot->path->kind[slot->taken];
    const bool ends = slot->taken + 1 == slot->path->length;
    return model->three && kind < DELTA && (model->direct || !(ends && slot->path->depth));
}

// The extension is complete: the path goes on, or leaves its slot. Returns whether it has ended.
static bool complete(struct model_slot *slot)
{
    if (++slot->taken < slot->path->length)
        return false;
    *slot = (struct model_slot){.waits = true};
    return true;
}

// Samples in the order in which they are given out.
static void simulate_batch(struct model *model, const struct model_path *const *samples, uint32_t count)
{
    uint32_t next = 0, done = 0;
    for (uint32_t slot = 0; slot < model->pool; ++slot) {
        model->slots[slot] = (struct model_slot){0};
        if (next < count)
            model->slots[slot].path = samples[next++];
    }
    model->launches += 1;
    for (bool first = true;; first = false) {
        uint8_t *queued = calloc(model->pool, 1);
        assert_non_null(queued);
        uint32_t given = 0, lengths[QUEUES] = {0};
        trace(model, first);
        shade_warps(model);
        for (uint32_t slot = 0; slot < model->pool; ++slot) {
            if (!model->slots[slot].path)
                continue;
            queued[slot] = is_queued(model, &model->slots[slot]);
            if (queued[slot])
                lengths[model->queue_of[model->slots[slot].path->kind[model->slots[slot].taken]]] += 1;
            else
                done += complete(&model->slots[slot]);
        }
        for (uint32_t slot = 0; slot < model->pool && next < count; ++slot)
            if (model->slots[slot].waits) {
                model->slots[slot] = (struct model_slot){.path = samples[next++]};
                given += 1;
            }
        model->launches += 2 + (given > 0 && !model->race);
        memcpy(model->rounds[model->round_count++].queued, lengths, sizeof lengths);
        for (uint32_t queue = 0; queue < QUEUES && done < count; ++queue)
            model->launches += lengths[queue] > 0;
        const bool ended = done == count;
        for (uint32_t slot = 0; slot < model->pool; ++slot)
            if (queued[slot])
                done += complete(&model->slots[slot]);
        free(queued);
        if (ended)
            return;
    }
}

static void model_open(struct model *model)
{
    model->rounds = calloc(100000, sizeof *model->rounds);
    model->slots = calloc(model->pool, sizeof *model->slots);
    model->round_count = model->launches = 0;
    assert_true(model->rounds && model->slots);
}

static void model_close(struct model *model)
{
    free(model->rounds);
    free(model->slots);
}

// What a stage of materials evaluates: its whole queue. one: of a single kind of material.
static void check_shading(const struct bounce_counts *counts, uint32_t length, bool one)
{
    uint64_t shaded = 0, most = 0;
    for (uint32_t kind = 0; kind < COUNT_KINDS; ++kind) {
        shaded += counts->shaded[kind];
        most = counts->shaded[kind] > most ? counts->shaded[kind] : most;
    }
    assert_int_equal(shaded, length);
    assert_true(!one || (most == length && counts->shading_warps == (length + WARP - 1) / WARP));
}

// Every launch of trace and of a queue, against the rounds.
static void check_launches(const struct measurement *found, const struct model *model)
{
    uint32_t launches = 0, seen[QUEUES] = {0}, traces = 0;
    uint64_t traced = 0;
    static const char *const names[QUEUES] = {"three_stage_matte", "three_stage_glossy", "three_stage_coated"};
    for (size_t i = 0; i < found->launch_count; ++i) {
        launches += !found->launches[i].auxiliary;
        if (!strcmp(found->launches[i].stage, "trace"))
            assert_int_equal(found->launches[i].iteration, traces++);
    }
    assert_int_equal(traces, model->round_count);
    assert_int_equal(launches, model->launches);
    for (size_t i = 0; i < found->count_count; ++i) { // a launch without work has no row
        const struct measured_launch *launch = &found->launches[found->counts[i].launch];
        const struct bounce_counts *counts = &found->counts[i].counts;
        const uint32_t round = (uint32_t)launch->iteration;
        if (found->counts[i].bounce != MEASURED_TOTALS || launch->auxiliary)
            continue;
        if (!strcmp(launch->stage, "trace")) {
            assert_int_equal(counts->live_lanes, model->rounds[round].lanes);
            traced += counts->live_lanes;
            assert_true(model->race || (counts->live_warps == model->rounds[round].warps &&
                                        counts->mixed_warps == model->rounds[round].mixed));
        } else if (!strcmp(launch->stage, "logic")) {
            assert_int_equal(counts->live_lanes, model->rounds[round].lanes);
            if (model->known && !model->three && !model->race)
                assert_int_equal(counts->shading_warps, model->rounds[round].shading);
        } else if (!strcmp(launch->stage, "material")) {
            uint32_t queue = 0;
            while (queue < QUEUES && strcmp(launch->kernel, names[queue]))
                ++queue;
            queue = queue < QUEUES ? queue : model->queue_of[GLOSSY]; // the kernel of several kinds
            const uint32_t length = model->rounds[round].queued[queue];
            assert_true(length > 0);
            assert_int_equal(counts->live_lanes, length);
            assert_int_equal(counts->queued, length);
            assert_int_equal(counts->live_warps, (length + WARP - 1) / WARP);
            check_shading(counts, length, strcmp(launch->kernel, "three_stage_any") != 0);
            seen[queue] += length;
        }
    }
    for (uint32_t round = 0; round < model->round_count; ++round)
        traced -= model->rounds[round].lanes;
    assert_int_equal(traced, 0);
    for (uint32_t queue = 0; queue < QUEUES; ++queue) {
        uint32_t wanted = 0;
        for (uint32_t round = 0; round < model->round_count; ++round)
            wanted += model->rounds[round].queued[queue];
        assert_int_equal(seen[queue], wanted);
    }
}

// ---- lengths of all pixels' paths: batches and orders

enum { SAMPLES = 5 };

static struct model_path by_place[PIXELS][SAMPLES]; // naive keeps the lengths of its last sample

static void take_lengths(void)
{
    char work[96];
    for (size_t sample = 0; sample < SAMPLES; ++sample) {
        snprintf(work, sizeof work, "spp=%zu", sample + 1);
        struct measurement measurement = measure("cornell", "naive", work);
        for (size_t pixel = 0; pixel < PIXELS; ++pixel)
            by_place[pixel][sample].length = measurement.path_length[pixel];
        measurement_finish(&measurement);
    }
}

enum order { SEQUENTIAL, SHUFFLED, COST };

// The samples of a batch in their order; `ranks` has the places of the pixels.
static void fill_queue(const struct model_path **queue, const uint32_t *ranks, enum order order, uint32_t first,
                       uint32_t batch)
{
    const uint32_t count = PIXELS * batch, seed = 2 * mix32(1u ^ first) + 1;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t id = order == SHUFFLED ? order_shuffled(i, count, seed) : i;
        queue[i] = &by_place[ranks[id / batch]][first + id % batch];
    }
}

static uint32_t cost_of(uint32_t place, uint32_t first, uint32_t batch)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < batch; ++i)
        sum += by_place[place][first + i].length;
    return sum;
}

// Dearest first, pixels of equal cost in the order of places.
static void rank_places(uint32_t *ranks, uint32_t first, uint32_t batch)
{
    for (uint32_t i = 0; i < PIXELS; ++i) {
        uint32_t place = i;
        for (; place > 0 && cost_of(ranks[place - 1], first, batch) < cost_of(i, first, batch); --place)
            ranks[place] = ranks[place - 1];
        ranks[place] = i;
    }
}

static void simulate_batches(struct model *model, enum order order, uint32_t batch, bool blended)
{
    static const struct model_path *queue[PIXELS * SAMPLES];
    static uint32_t ranks[PIXELS];
    for (uint32_t i = 0; i < PIXELS; ++i)
        ranks[i] = i;
    for (uint32_t first = 0; first < SAMPLES; first += batch) {
        const uint32_t size = SAMPLES - first < batch ? SAMPLES - first : batch;
        fill_queue(queue, ranks, order, first, size);
        simulate_batch(model, queue, PIXELS * size);
        model->launches += blended;
        if (order == COST)
            rank_places(ranks, first, size);
    }
}

static uint32_t check_batches(uint32_t pool, uint32_t batch, enum order order, bool blended, bool rays)
{
    static const char *const orders[] = {"sequential", "shuffled", "cost"};
    struct model model = {.pool = pool, .rays = rays};
    char settings[200];
    snprintf(settings, sizeof settings,
             "spp=%d pixel_order=row pool=%u batch=%u pool_order=%s accumulate=%s extend_over=%s warp_width=%d "
             "exact_rounds=100000",
             SAMPLES, pool, batch, orders[order], blended ? "buffer" : "atomic", rays ? "rays" : "slots", WARP);
    model_open(&model);
    simulate_batches(&model, order, batch, blended);
    struct measurement found = measure("cornell", "two_stage", settings);
    check_launches(&found, &model);
    assert_int_equal(measure_sum(&found).result_bytes, blended ? 16 * PIXELS * batch : 0);
    measurement_finish(&found);
    model_close(&model);
    return model.round_count;
}

TEST(batches_and_orders_follow_from_path_lengths)
{
    take_lengths();
    static const uint32_t pools[] = {7, 100, PIXELS};
    for (size_t i = 0; i < sizeof pools / sizeof *pools; ++i) {
        const uint32_t one = check_batches(pools[i], 1, SEQUENTIAL, false, false);
        const uint32_t two = check_batches(pools[i], 2, SEQUENTIAL, true, false);
        assert_int_equal(check_batches(pools[i], 2, SEQUENTIAL, false, true), two);
        assert_true(check_batches(pools[i], SAMPLES, SEQUENTIAL, false, false) <= two && two <= one); // fewer drains
        check_batches(pools[i], 2, SHUFFLED, false, i == 1);
        check_batches(pools[i], 2, COST, i == 2, i == 1);
        check_batches(pools[i], 1, COST, false, false);
    }
}

// ---- all that one pixel's paths meet: queues

enum { PATHS = 300 };

static struct model_path of_pixel[PATHS];
static const struct model_path *pixel_queue[PATHS];

// Materials of the scene `materials`, in its order.
static const uint8_t kinds[COUNT_MATERIALS] = {MATTE, MATTE, MATTE, GLOSSY, DELTA, DELTA, COATED};

// Naive launches one kernel for each sample: a single pixel's counts tell each path by itself.
static void take_paths(const char *work)
{
    struct measurement measurement = measure("materials", "naive", work);
    memset(of_pixel, 0, sizeof of_pixel);
    for (size_t i = 0; i < measurement.count_count; ++i) {
        const struct measured_counts *row = &measurement.counts[i];
        if (row->bounce == MEASURED_TOTALS || !row->counts.active_paths)
            continue;
        assert_true(row->launch < PATHS && row->bounce < MOST_EXTENSIONS && row->counts.active_paths == 1);
        struct model_path *path = &of_pixel[row->launch];
        path->length += 1;
        path->kind[row->bounce] = MISSED;
        path->depth |= row->counts.deaths[DEATH_DEPTH] > 0;
        for (uint8_t material = 0; material < COUNT_MATERIALS; ++material)
            if (row->counts.hits[material]) {
                path->kind[row->bounce] = kinds[material];
                path->material[row->bounce] = material;
            }
    }
    for (size_t i = 0; i < PATHS; ++i)
        pixel_queue[i] = &of_pixel[i];
    measurement_finish(&measurement);
}

static void check_queues(const char *work, struct model model, const char *queues)
{
    char settings[240];
    snprintf(settings, sizeof settings,
             "%s pool=%u tickets=%s extend_over=%s ray_sort=%s warp_width=%d exact_rounds=100000%s%s", work, model.pool,
             model.race ? "atomic" : "ordered", model.rays ? "rays" : "slots", model.by_material ? "material" : "none",
             WARP, model.three ? " queues=" : "", queues);
    model_open(&model);
    simulate_batch(&model, pixel_queue, PATHS);
    struct measurement found = measure("materials", model.three ? "three_stage" : "two_stage", settings);
    check_launches(&found, &model);
    measurement_finish(&found);
    model_close(&model);
}

static void check_queues_of(const char *work, bool direct)
{
    static const uint32_t pools[] = {1, 13, 64, PATHS};
    take_paths(work);
    for (size_t i = 0; i < sizeof pools / sizeof *pools; ++i)
        for (int sorted = 0; sorted < 2; ++sorted)
            for (int rays = 0; rays < 2; ++rays) {
                struct model model = {
                    .pool = pools[i], .direct = direct, .rays = rays, .by_material = sorted, .known = true};
                check_queues(work, model, "");
                model.three = true;
                model.queue_of[GLOSSY] = 1;
                model.queue_of[COATED] = 2;
                check_queues(work, model, "material");
                model.queue_of[COATED] = 1;
                check_queues(work, model, "matte");
                model.queue_of[GLOSSY] = model.queue_of[COATED] = 0;
                check_queues(work, model, "merged");
                model.race = true;
                check_queues(work, model, "merged");
                model.three = false;
                check_queues(work, model, "");
            }
}

TEST(queues_follow_from_the_materials_that_paths_meet)
{
    char work[160];
    snprintf(work, sizeof work, "width=1 height=1 spp=%d materials=scene max_bounces=7", PATHS);
    check_queues_of(work, true);
    uint32_t met[MISSED + 1] = {0};
    for (size_t i = 0; i < PATHS; ++i)
        for (uint32_t bounce = 0; bounce < of_pixel[i].length; ++bounce)
            met[of_pixel[i].kind[bounce]] += 1;
    for (size_t kind = 0; kind <= MISSED; ++kind)
        assert_true(met[kind] > 10); // there is something to be told apart
    snprintf(work, sizeof work, "width=1 height=1 spp=%d materials=scene max_bounces=2 lighting=mix roulette=yocto",
             PATHS);
    check_queues_of(work, false);
}

// ---- a slot for each pixel

TEST(slots_of_pixels_idle_until_the_slowest_is_done)
{
    char settings[120];
    uint32_t longest = 0;
    take_lengths();
    for (size_t pixel = 0; pixel < PIXELS; ++pixel) {
        const uint32_t sum = cost_of((uint32_t)pixel, 0, SAMPLES);
        longest = sum > longest ? sum : longest;
    }
    snprintf(settings, sizeof settings, "spp=%d exact_rounds=100000", SAMPLES);
    struct measurement found = measure("cornell", "two_stage_pixel", settings);
    assert_int_equal(found.launch_count, 1 + 2 * longest);
    for (size_t i = 0; i < found.count_count; ++i) {
        const struct measured_launch *launch = &found.launches[found.counts[i].launch];
        uint32_t live = 0;
        for (uint32_t pixel = 0; pixel < PIXELS; ++pixel)
            live += cost_of(pixel, 0, SAMPLES) > (uint32_t)launch->iteration;
        if (found.counts[i].bounce == MEASURED_TOTALS && strcmp(launch->stage, "regenerate"))
            assert_int_equal(found.counts[i].counts.live_lanes, live);
    }
    measurement_finish(&found);
}

TEST_GROUP(measure_open, measure_close)
