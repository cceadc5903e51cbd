// SPDX-License-Identifier: MIT
// Stages of which the one with the fullest queue is launched next, as in Blender's Cycles: every path waits for one stage,
// and a launch serves all paths that wait for it. fullest_queue.c has the schedule, and where it comes from.
//
// At a surface the light's contribution is computed before it is known whether it arrives, and the path is continued
// before its shadow ray is traced, as in Cycles. There shadow rays have states of their own, so that a path may go on
// while its shadow ray waits; here it waits in the same slot, because a path's radiance is a sum in order.
#pragma once

#include "lib/place.h"
#include "lib/queue.h"
#include "surface/stages.h"

// Queues, and so stages, in the order in which the first of equally full ones is chosen.
enum fullest_queue {
    FULLEST_TRACE,   // closest hit
    FULLEST_SHADOW,  // any hit between surface and light
    FULLEST_MISS,    // the ray has left the scene
    FULLEST_SURFACE, // it has hit a surface
    FULLEST_SHADE,   // the shadow ray is traced
    FULLEST_QUEUES
};

// Words of a slot besides those that every pipeline keeps.
enum fullest_word {
    FULLEST_ORIGIN = POOL_EXTENSION, // of the shadow ray
    FULLEST_DIRECTION = FULLEST_ORIGIN + 3,
    FULLEST_LIGHT = FULLEST_DIRECTION + 3, // what the light adds to the radiance, unless it is occluded
    FULLEST_DISTANCE = FULLEST_LIGHT + 3,
    FULLEST_STATE, // FULLEST_ENDS | FULLEST_OCCLUDED
    FULLEST_WAITS, // the queue in which the path is; POOL_DEAD: no path
    FULLEST_WORDS
};
enum { FULLEST_ENDS = 1, FULLEST_OCCLUDED = 2 };

// Words of a slot as in enum pool_traffic, and its queue.
enum fullest_traffic {
    FULLEST_TRAFFIC_TRACE = POOL_TRAFFIC_TRACE + 1,
    FULLEST_TRAFFIC_MISS = 15 + 1,                          // path
    FULLEST_TRAFFIC_SURFACE = 15 + 3 + 15 + 1,              // path, hit; path
    FULLEST_TRAFFIC_LIGHT = FULLEST_WAITS - FULLEST_ORIGIN, // more of the surface: the shadow ray
    FULLEST_TRAFFIC_SHADOW = 3 + 3 + 1 + 2 + 1,             // shadow ray, state; state
    FULLEST_TRAFFIC_SHADE = 1 + 3 + 3 + 3 + 1,              // state, light, radiance; radiance
    FULLEST_TRAFFIC_MOVE = 2 * FULLEST_WORDS + 2,           // from list to list
};

struct fullest_args {
    struct frame_args frame;
    struct pool pool;
    uint32_t *arrived;    // on the device, of each queue: paths that stages have sent there, modulo 2^32
    const uint32_t *list; // slots of this launch's lanes; NULL: those of their numbers
    uint32_t count;       // lanes with work
    uint64_t sample;      // begin: the first; a sample is pixel place + pixel_count * index in the pixel
    uint32_t first;       // begin, flag, move: the first slot
    uint32_t wanted;      // flag: slots in this queue; POOL_DEAD: those without a path; FULLEST_QUEUES: with one
    uint8_t *flags;       // flag: of each lane's slot
    const uint32_t *gaps; // move: where the slots of the list go
    uint32_t *keys, *values;
    uint32_t partition, material_bits; // keys: slots of a partition, low bits of a key
};

DEVICE uint32_t fullest_lane(void)
{
    return block_index() * block_size() + thread_index();
}

DEVICE uint32_t *fullest_waits(const struct fullest_args *args, uint32_t slot)
{
    return pool_at(&args->pool, slot, FULLEST_WAITS);
}

// The slot of this lane; false: it has none. `group`, where it is wanted: the lanes of the warp that have. They move so
// many words of it. All lanes of the warp call it together.
DEVICE bool fullest_works(const struct fullest_args *args, uint32_t words, uint32_t *slot, lanemask *group)
{
    const uint32_t lane = fullest_lane();
    const bool works = lane < args->count;
    *slot = works && args->list ? args->list[lane] : lane;
    *group = 0;
    if (COUNTING || CONFIG(&args->frame, traversal) != TRAVERSAL_WHILE_WHILE)
        *group = warp_ballot(warp_mask(), works);
    if (works)
        count_live(&args->frame, *group, words + (args->list ? 1u : 0u));
    return works;
}

// Sends the paths of the lanes that work to a queue each; POOL_DEAD: the path has ended. All lanes of the warp call it.
DEVICE void fullest_send(const struct fullest_args *args, uint32_t slot, bool works, uint32_t queue)
{
    if (works)
        *fullest_waits(args, slot) = queue;
    for (uint32_t i = 0; i < (uint32_t)FULLEST_QUEUES; ++i) {
        const bool arrives = works && queue == i;
        (void)queue_ticket(&args->arrived[i], arrives, warp_mask());
        if (COUNTING) {
            const lanemask all = warp_ballot(warp_mask(), arrives);
            if (arrives && (all & lanemask_below(lane_index())) == 0)
                count_total(&args->frame, atomics, 1);
        }
    }
}

// ---- bookkeeping

KERNEL(fullest_begin, struct fullest_args)
{
    const struct frame_args *frame = &args->frame;
    const uint32_t rank = fullest_lane();
    if (rank >= args->count)
        return;
    const uint64_t id = args->sample + rank, sample = id / frame->pixel_count;
    stage_begin(frame, &args->pool, args->first + rank,
                place_pixel(frame, (uint32_t)(id - sample * frame->pixel_count)), (uint32_t)sample);
    *fullest_waits(args, args->first + rank) = FULLEST_TRACE;
}

KERNEL(fullest_flag, struct fullest_args)
{
    const uint32_t lane = fullest_lane();
    if (!pool_lane_has(&args->frame, lane, args->count, 1))
        return;
    const uint32_t waits = *fullest_waits(args, args->first + lane);
    args->flags[lane] = args->wanted == (uint32_t)FULLEST_QUEUES ? waits != POOL_DEAD : waits == args->wanted;
}

// Within its partition a path comes where its material tells; the sort keeps the order of equal ones.
KERNEL(fullest_keys, struct fullest_args)
{
    const uint32_t lane = fullest_lane();
    if (lane >= args->count)
        return;
    const uint32_t slot = args->list ? args->list[lane] : lane;
    const uint32_t material = *pool_at(&args->pool, slot, POOL_MATERIAL) >> 1, last = (1u << args->material_bits) - 1u;
    args->keys[lane] = slot / args->partition << args->material_bits | (material < last ? material : last);
    args->values[lane] = slot;
}

// Paths of the slots from `first` on fill the gaps before it.
KERNEL(fullest_move, struct fullest_args)
{
    const uint32_t lane = fullest_lane();
    if (!pool_lane_has(&args->frame, lane, args->count, FULLEST_TRAFFIC_MOVE))
        return;
    const uint32_t from = args->first + args->list[lane], to = args->gaps[lane];
    for (uint32_t word = 0; word < (uint32_t)FULLEST_WORDS; ++word)
        *pool_at(&args->pool, to, word) = *pool_at(&args->pool, from, word);
    pool_kill(&args->pool, from);
    *fullest_waits(args, from) = POOL_DEAD;
}

// ---- stages

TRACE_KERNEL(fullest_trace, struct fullest_args)
{
    uint32_t slot, queue = POOL_DEAD;
    lanemask group;
    const bool works = fullest_works(args, FULLEST_TRAFFIC_TRACE, &slot, &group);
    if (works) {
        stage_trace(&args->frame, &args->pool, slot, group);
        const bool missed = *pool_at(&args->pool, slot, POOL_HIT + 1) == HIT_NONE;
        queue = missed ? FULLEST_MISS : FULLEST_SURFACE;
    }
    fullest_send(args, slot, works, queue);
}

KERNEL(fullest_miss, struct fullest_args)
{
    uint32_t slot;
    lanemask group;
    const bool works = fullest_works(args, FULLEST_TRAFFIC_MISS, &slot, &group);
    if (works)
        stage_surface(&args->frame, &args->pool, slot, group);
    fullest_send(args, slot, works, POOL_DEAD);
}

// The path at its surface: emission, a light, and its next ray, or its end. Returns the queue that it goes to. All lanes of
// `group` call this together.
DEVICE uint32_t fullest_at_surface(const struct fullest_args *args, uint32_t slot, lanemask group)
{
    const struct frame_args *frame = &args->frame;
    const struct pool *pool = &args->pool;
    struct path path = pool_load_path(pool, slot);
    uint32_t index;
    const struct hit hit = pool_load_hit(pool, slot, &index);
    const struct material material = material_met(frame, &path, index);
    const struct surface surface = surface_at(frame, &path, &hit);
    add_emission(frame, &path, &surface, &material);
    const struct direct direct = direct_sample(frame, &path, &surface, &material);
    if (direct.wanted) {
        pool_set_vec3(pool, slot, FULLEST_ORIGIN, surface.position);
        pool_set_vec3(pool, slot, FULLEST_DIRECTION, direct.light.direction);
        pool_set_vec3(pool, slot, FULLEST_LIGHT, reflected_light(frame, &path, &surface, &material, &direct.light));
        *pool_at(pool, slot, FULLEST_DISTANCE) = f32_bits(direct.light.distance);
    }
    const uint32_t bounce = path.bounce;
    const bool lives = go_on(frame, &path, &surface, &material);
    count_wanted(frame, bounce, &direct, group);
    count_branch(frame, BRANCH_END, bounce, lives, group);
    if (direct.wanted || lives)
        pool_store_path(pool, slot, &path);
    else
        pool_end_path(frame, pool, slot, &path);
    if (!direct.wanted)
        return lives ? (uint32_t)FULLEST_TRACE : POOL_DEAD;
    *pool_at(pool, slot, FULLEST_STATE) = lives ? 0u : FULLEST_ENDS;
    return FULLEST_SHADOW;
}

KERNEL(fullest_surface, struct fullest_args)
{
    uint32_t slot, queue = POOL_DEAD;
    lanemask group;
    const bool lit = CONFIG(&args->frame, lighting) == LIGHTING_DIRECT;
    const bool works = fullest_works(args, FULLEST_TRAFFIC_SURFACE + (lit ? FULLEST_TRAFFIC_LIGHT : 0u), &slot, &group);
    if (works)
        queue = fullest_at_surface(args, slot, group);
    fullest_send(args, slot, works, queue);
}

// The path has been continued: its shadow ray is of the extension before.
TRACE_KERNEL(fullest_shadow, struct fullest_args)
{
    const struct pool *pool = &args->pool;
    uint32_t slot;
    lanemask group;
    const bool works = fullest_works(args, FULLEST_TRAFFIC_SHADOW, &slot, &group);
    if (works) {
        struct path path = pool_load_path(pool, slot);
        struct ray ray;
        ray.origin = pool_vec3(pool, slot, FULLEST_ORIGIN);
        ray.direction = pool_vec3(pool, slot, FULLEST_DIRECTION);
        path.bounce -= 1u;
        if (trace_shadow(&args->frame, &path, &ray, pool_f32(pool, slot, FULLEST_DISTANCE), group))
            *pool_at(pool, slot, FULLEST_STATE) |= FULLEST_OCCLUDED;
    }
    fullest_send(args, slot, works, FULLEST_SHADE);
}

KERNEL(fullest_shade, struct fullest_args)
{
    const struct pool *pool = &args->pool;
    uint32_t slot, queue = FULLEST_TRACE;
    lanemask group;
    const bool works = fullest_works(args, FULLEST_TRAFFIC_SHADE, &slot, &group);
    if (works) {
        const uint32_t state = *pool_at(pool, slot, FULLEST_STATE);
        if ((state & FULLEST_OCCLUDED) == 0u)
            pool_set_vec3(pool, slot, POOL_RADIANCE,
                          vec3_add(pool_vec3(pool, slot, POOL_RADIANCE), pool_vec3(pool, slot, FULLEST_LIGHT)));
        if ((state & FULLEST_ENDS) != 0u) {
            const struct path path = pool_load_path(pool, slot);
            pool_end_path(&args->frame, pool, slot, &path);
            queue = POOL_DEAD;
        }
    }
    fullest_send(args, slot, works, queue);
}
