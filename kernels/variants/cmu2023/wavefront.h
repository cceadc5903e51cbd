// SPDX-License-Identifier: MIT
// What the wavefronts of the CMU report share on the device (docs/variants.md, "Wavefronts"): slots that take sample after sample from a
// queue, the stage `trace`, and how results are added to the film.
#pragma once

#include "lib/place.h"
#include "surface/extend.h"
#include "surface/pool.h"
#include "variants/cmu2023/lists.h"
#include "variants/cmu2023/order.h"

enum wavefront_list {
    LIST_ENDED,           // slots whose path has ended, under ordered tickets
    LIST_RAYS,            // slots with a ray to trace, where the stage takes them from a list
    LIST_MATERIAL,        // slots at a material, of the first queue; the others follow
    WAVEFRONT_QUEUES = 6, // the last three only with materials: tree
    WAVEFRONT_LISTS = LIST_MATERIAL + WAVEFRONT_QUEUES
};

struct wavefront_counters { // on the device
    uint64_t begun;         // samples taken from the queue; under ordered tickets the host keeps this
    uint64_t done;          // paths that have come to their end
    uint32_t listed[WAVEFRONT_LISTS];
};

struct path_result { // a path's radiance and its extensions, for the pass that blends them
    float r, g, b;
    uint32_t length;
};

struct wavefront_args {
    struct frame_args frame;
    struct pool pool;
    struct wavefront_counters *counters;
    struct slot_lists lists;
    uint64_t samples;            // in the queue: `batch` of every pixel, from the first-th on
    uint64_t begun;              // ordered: of the first sample that this launch gives out
    uint32_t first, batch;       // a sample is rank of the pixel * batch + index in the pixel - first
    uint32_t shuffle;            // not 0: samples come in a random order of this seed
    const uint32_t *order;       // rank -> place; NULL: the same
    uint32_t *cost;              // extensions of each pixel's paths in this batch, row-major; NULL: not wanted
    struct path_result *results; // batch * pixel_count; NULL: paths are added to the film where they end
    uint32_t ray_list;           // 1: slots with a ray are put on a list
    int32_t ray_sort;            // RAY_SORT_*
    int32_t queues;              // QUEUES_*, of queue_count queues
    uint32_t queue_count;
    uint32_t queue;          // whose slots this launch serves
    uint32_t *keys, *values; // of this launch, to be sorted
    const uint32_t *list;    // slots of this launch's lanes; NULL: those of their numbers
    uint32_t count;          // lanes with work: slots, or entries of the list
};

// Lists that may be in use.
DEVICE uint32_t wavefront_lists(const struct frame_args *frame)
{
    return (uint32_t)WAVEFRONT_LISTS - (CONFIG(frame, materials) == MATERIALS_TREE ? 0u : 3u);
}

DEVICE uint32_t wavefront_lane(void)
{
    return block_index() * block_size() + thread_index();
}

// ---- samples

DEVICE void wavefront_take(const struct wavefront_args *args, uint32_t slot, uint64_t id)
{
    const struct frame_args *frame = &args->frame;
    if (args->shuffle != 0u)
        id = order_shuffled((uint32_t)id, (uint32_t)args->samples, args->shuffle);
    const uint32_t rank = (uint32_t)(id / args->batch), index = (uint32_t)(id - (uint64_t)rank * args->batch);
    const uint32_t pixel = place_pixel(frame, args->order ? args->order[rank] : rank);
    const struct path path = path_begin(frame, pixel, args->first + index);
    pool_store_path(&args->pool, slot, &path);
}

// Every slot takes its first sample; those for which there is none are retired.
DEVICE void wavefront_begin(const struct wavefront_args *args)
{
    const uint32_t slot = wavefront_lane(), slots = args->pool.slots;
    if (slot == 0) {
        args->counters->begun = args->samples < slots ? args->samples : slots;
        args->counters->done = 0;
        for (uint32_t list = 0; list < wavefront_lists(&args->frame); ++list)
            args->counters->listed[list] = 0;
    }
    if (slot >= slots)
        return;
    if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED)
        list_served(&args->frame, &args->lists, LIST_ENDED, slot);
    if (slot < args->samples)
        wavefront_take(args, slot, slot);
}

// A retired slot has neither path nor pixel.
DEVICE bool wavefront_retired(const struct wavefront_args *args, uint32_t slot)
{
    return *pool_at(&args->pool, slot, POOL_PIXEL) == POOL_DEAD;
}

// A slot whose path has ended takes the next sample, or retires. Returns whether it has a path; under ordered tickets
// the host sees to it.
DEVICE bool wavefront_next(const struct wavefront_args *args, uint32_t slot)
{
    if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED)
        return false;
    const uint64_t id = atomic_add_u64(&args->counters->begun, 1);
    count_total(&args->frame, atomics, 1);
    if (id >= args->samples) {
        *pool_at(&args->pool, slot, POOL_PIXEL) = POOL_DEAD;
        return false;
    }
    count_total(&args->frame, begun, 1);
    wavefront_take(args, slot, id);
    return true;
}

// Ordered tickets: entry r of the list of slots that wait takes sample begun + r.
DEVICE void wavefront_refill(const struct wavefront_args *args)
{
    const uint32_t rank = wavefront_lane();
    if (rank >= args->count)
        return;
    const uint32_t slot = args->list[rank];
    list_served(&args->frame, &args->lists, LIST_ENDED, slot);
    wavefront_take(args, slot, args->begun + rank);
    if (args->ray_list)
        *list_mark(&args->lists, LIST_RAYS, slot) = 1;
}

// ---- the end of a path

DEVICE uint32_t wavefront_pixel(const struct frame_args *frame, uint32_t pixel)
{
    return (pixel >> 16) * frame->width + (pixel & 0xFFFFu);
}

// The path leaves its slot, which waits for another.
DEVICE void wavefront_end(const struct wavefront_args *args, uint32_t slot, const struct path *path)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t pixel = wavefront_pixel(frame, path->pixel);
    if (args->cost)
        atomic_add_u32(&args->cost[pixel], path->bounce);
    if (args->results) {
        struct path_result *result =
            &args->results[(uint64_t)(path->sample - args->first) * frame->pixel_count + pixel];
        result->r = path->radiance.x;
        result->g = path->radiance.y;
        result->b = path->radiance.z;
        result->length = path->bounce;
    } else {
        path_end(frame, path);
    }
    pool_kill(&args->pool, slot);
    atomic_add_u64(&args->counters->done, 1);
    count_total(frame, atomics, 1);
    if (CONFIG(frame, tickets) == TICKETS_ORDERED)
        *list_mark(&args->lists, LIST_ENDED, slot) = 1;
}

// Adds the results of a batch to the film, a lane for each pixel: what path_end would have added, rounded as it does.
DEVICE void wavefront_blend(const struct wavefront_args *args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t pixel = wavefront_lane();
    if (pixel >= args->count)
        return;
    int64_t sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < args->batch; ++i) {
        const struct path_result result = args->results[(uint64_t)i * frame->pixel_count + pixel];
        int64_t r, g, b;
        if (!film_quantise(result.r, &r) || !film_quantise(result.g, &g) || !film_quantise(result.b, &b)) {
            atomic_add_u32(frame->bad_values + BAD_RADIANCE, 1u);
            continue;
        }
        film_count(frame, vec3_make(result.r, result.g, result.b));
        sum[0] += r;
        sum[1] += g;
        sum[2] += b;
#if COUNTING
        if (frame->path_length && args->first + i + 1u == frame->samples)
            frame->path_length[pixel] = result.length;
#endif
    }
    for (uint32_t channel = 0; channel < 3u; ++channel)
        frame->film[3u * (uint64_t)pixel + channel] += (uint64_t)sum[channel];
}

// Keys that sort places by the cost of their pixels in the batch that has ended, dearest first. The next is counted anew.
DEVICE void wavefront_rank(const struct wavefront_args *args)
{
    const uint32_t place = wavefront_lane();
    if (place >= args->count)
        return;
    uint32_t *cost = &args->cost[wavefront_pixel(&args->frame, place_pixel(&args->frame, place))];
    args->keys[place] = args->batch * (args->frame.max_bounces + 1u) - *cost;
    args->values[place] = place;
    *cost = 0;
}

// ---- stages

// The slot of this lane, and whether it has a path. `group`, where it is wanted: the lanes of the warp that have. They
// move so many words of it.
DEVICE bool wavefront_lives(const struct wavefront_args *args, uint32_t words, uint32_t *slot, lanemask *group)
{
    const uint32_t lane = wavefront_lane();
    const bool any = lane < args->count;
    *slot = any && args->list ? args->list[lane] : lane;
    const bool lives = any && pool_lives(&args->pool, *slot);
    *group = 0;
    if (COUNTING || CONFIG(&args->frame, traversal) != TRAVERSAL_WHILE_WHILE)
        *group = warp_ballot(warp_mask(), lives);
    if (lives)
        count_live(&args->frame, *group, words);
    return lives;
}

DEVICE void wavefront_trace(const struct wavefront_args *args, uint32_t slot, lanemask group)
{
    const struct path path = pool_load_path(&args->pool, slot);
    uint32_t material;
    const struct hit hit = trace_path(&args->frame, &path, group, &material);
    pool_store_hit(&args->pool, slot, &hit, material);
}

// The stage `trace`. Lists of the round before have been served: they begin anew.
DEVICE void wavefront_extend(const struct wavefront_args *args)
{
    uint32_t slot;
    lanemask group;
    if (wavefront_lane() == 0 && CONFIG(&args->frame, tickets) == TICKETS_ATOMIC)
        for (uint32_t list = 0; list < wavefront_lists(&args->frame); ++list)
            args->counters->listed[list] = 0;
    if (!wavefront_lives(args, POOL_TRAFFIC_TRACE + (args->list ? 1u : 0u), &slot, &group))
        return;
    if (args->ray_list)
        list_served(&args->frame, &args->lists, LIST_RAYS, slot);
    wavefront_trace(args, slot, group);
}

// A slot that has a ray is put on the list of rays, where there is one. All lanes of the warp call it together.
DEVICE void wavefront_ray(const struct wavefront_args *args, uint32_t slot, bool has)
{
    if (args->ray_list)
        list_put(&args->frame, &args->lists, &args->counters->listed[LIST_RAYS], LIST_RAYS, slot, has);
}
