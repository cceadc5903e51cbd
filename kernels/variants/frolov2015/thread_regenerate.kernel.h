// SPDX-License-Identifier: MIT
// N-THREAD: the seven kernels over a pool whose slots take their next paths one by one, in the last stage of a round: of
// their own pixel, or from a queue (Novak 2010, as Frolov and Galaktionov describe it; docs/variants.md, "Regeneration per thread").
#pragma once

#include "lib/queue.h"
#include "variants/frolov2015/steps.h"

struct thread_queue { // on the device
    uint64_t begun;   // samples taken from the queue; under ordered tickets the host keeps this
    uint64_t done;    // paths that have come to their end
};

struct thread_args {
    struct frame_args frame;
    struct pool pool;
    struct step_slots slots;
    struct thread_queue *queue;
    uint64_t samples;         // of the frame; in the queue a sample is pixel place + pixel_count * index in the pixel
    uint32_t *place, *sample; // of each slot, where it keeps its pixel; NULL: the queue
    uint8_t *waits;           // a flag for each slot, whether it takes nothing more (atomic), or waits (ordered)
    uint32_t ordered;         // tickets
    const uint32_t *list;     // ordered: slots that are given samples
    uint64_t first;           // ordered: the first of them
    uint32_t given;           // how many
};

DEVICE void thread_take(const struct thread_args *args, uint32_t slot, uint32_t place, uint32_t sample)
{
    stage_begin(&args->frame, &args->pool, slot, place_pixel(&args->frame, place), sample);
}

DEVICE void thread_take_queued(const struct thread_args *args, uint32_t slot, uint64_t id)
{
    const uint64_t sample = id / args->frame.pixel_count;
    thread_take(args, slot, (uint32_t)(id - sample * args->frame.pixel_count), (uint32_t)sample);
}

// Every slot takes its first sample.
KERNEL(thread_begin, struct thread_args)
{
    const uint32_t slot = step_lane();
    if (slot == 0) {
        args->queue->begun = args->slots.count;
        args->queue->done = 0;
    }
    if (slot >= args->slots.count)
        return;
    args->waits[slot] = 0;
    if (args->place) {
        args->place[slot] = slot;
        args->sample[slot] = 0;
    }
    thread_take_queued(args, slot, slot);
}

// The next sample of the slot's pixel; after the last one, the first of a pixel that no other slot has.
DEVICE void thread_next_of_pixel(const struct thread_args *args, uint32_t slot)
{
    uint32_t place = args->place[slot], sample = args->sample[slot] + 1u;
    if (sample == args->frame.samples) {
        place = args->frame.pixel_count - place > args->slots.count ? place + args->slots.count : PLACE_NONE;
        sample = 0;
    }
    if (place == PLACE_NONE) {
        args->waits[slot] = 1;
        return;
    }
    args->place[slot] = place;
    args->sample[slot] = sample;
    count_total(&args->frame, begun, 1);
    thread_take(args, slot, place, sample);
}

DEVICE void thread_next_of_queue(const struct thread_args *args, uint32_t slot)
{
    const uint64_t id = atomic_add_u64(&args->queue->begun, 1);
    count_total(&args->frame, atomics, 1);
    if (id >= args->samples) {
        args->waits[slot] = 1;
        return;
    }
    count_total(&args->frame, begun, 1);
    thread_take_queued(args, slot, id);
}

// Ordered tickets: entry r of the list of waiting slots takes sample first + r.
KERNEL(thread_refill, struct thread_args)
{
    const uint32_t rank = step_lane();
    if (rank < args->given)
        thread_take_queued(args, args->list[rank], args->first + rank);
}

// Counts paths that have just ended, one atomic a warp. All lanes of the warp call this.
DEVICE void thread_done(const struct thread_args *args, bool ends)
{
    const lanemask ended = warp_ballot(warp_mask(), ends);
    if (lane_index() != 0 || ended == 0)
        return;
    atomic_add_u64(&args->queue->done, lanemask_count(ended));
    count_total(&args->frame, atomics, 1);
}

TRACE_KERNEL(thread_trace, struct thread_args)
{
    step_trace(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
}

KERNEL(thread_surface, struct thread_args)
{
    const struct step step = step_surface(&args->frame, &args->pool, &args->slots);
    thread_done(args, step.ended);
}

KERNEL(thread_light, struct thread_args)
{
    step_light(&args->frame, &args->pool, &args->slots);
}

TRACE_KERNEL(thread_shadow, struct thread_args)
{
    step_shadow(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
}

KERNEL(thread_shade, struct thread_args)
{
    step_shade(&args->frame, &args->pool, &args->slots);
}

// The next ray of a path that goes on; a slot without one, whose path has ended here or before, takes another.
KERNEL(thread_next, struct thread_args)
{
    const struct step step = step_next(&args->frame, &args->pool, &args->slots, (uint32_t *)block_shared());
    thread_done(args, step.ended);
    const bool vacant = step_lane() < args->slots.count && (!step.works || step.ended);
    if (args->ordered) {
        if (step_lane() < args->slots.count)
            args->waits[step.slot] = vacant;
    } else if (vacant && !args->waits[step.slot]) {
        if (args->place)
            thread_next_of_pixel(args, step.slot);
        else
            thread_next_of_queue(args, step.slot);
    }
}
