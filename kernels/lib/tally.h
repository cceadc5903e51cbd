// SPDX-License-Identifier: MIT
// How an extension is counted, whatever a path is.
#pragma once

#include "lib/frame.h"

DEVICE struct bounce_counts *count_row(const struct frame_args *frame, uint32_t bounce)
{
    const uint32_t stripe = block_index() % (uint32_t)COUNT_STRIPES;
    return &frame->counts[stripe * frame->count_rows + count_bin(bounce)];
}

DEVICE struct bounce_counts *count_totals(const struct frame_args *frame)
{
    const uint32_t stripe = block_index() % (uint32_t)COUNT_STRIPES;
    return &frame->counts[stripe * frame->count_rows + frame->count_rows - 1u];
}

// The warp's part, by ballot and population count: all lanes of `group` are at the same bounce and call this together.
DEVICE void count_warp(const struct frame_args *frame, uint32_t bounce, lanemask group)
{
#if COUNTING
    const bool leader = (group & lanemask_below(lane_index())) == 0;
    if (!leader)
        return;
    struct bounce_counts *row = count_row(frame, bounce), *total = count_totals(frame);
    atomic_add_u64(&row->active_paths, lanemask_count(group));
    atomic_add_u64(&row->active_warps, 1);
    atomic_add_u64(&total->active_paths, lanemask_count(group));
    atomic_add_u64(&total->active_warps, 1);
#else
    (void)frame;
    (void)bounce;
    (void)group;
#endif
}

// The lanes of `group` whose `value`, at most `most`, is this lane's; all of them call this together.
DEVICE lanemask lanes_alike(lanemask group, uint32_t value, uint32_t most)
{
    lanemask alike = group;
    for (uint32_t bit = 0; bit < 32u && most >> bit != 0; ++bit) {
        const bool set = (value >> bit & 1u) != 0;
        const lanemask others = warp_ballot(group, set);
        alike &= set ? others : ~others;
    }
    return alike;
}

// The same as count_warp where the lanes of `group` may be at different bounces: the warp counts once at each of them.
DEVICE void count_warp_mixed(const struct frame_args *frame, uint32_t bounce, lanemask group)
{
#if COUNTING
    const lanemask alike = lanes_alike(group, bounce, frame->max_bounces), before = lanemask_below(lane_index());
    if ((alike & before) == 0) {
        struct bounce_counts *row = count_row(frame, bounce);
        atomic_add_u64(&row->active_paths, lanemask_count(alike));
        atomic_add_u64(&row->active_warps, 1);
    }
    if ((group & before) == 0) {
        struct bounce_counts *total = count_totals(frame);
        atomic_add_u64(&total->active_paths, lanemask_count(group));
        atomic_add_u64(&total->active_warps, 1);
    }
#else
    (void)frame;
    (void)bounce;
    (void)group;
#endif
}

// `cause` DEATH_CAUSES = the path lives.
DEVICE void count_death(const struct frame_args *frame, uint32_t bounce, uint32_t cause)
{
#if COUNTING
    if (cause != DEATH_CAUSES)
        atomic_add_u64(&count_row(frame, bounce)->deaths[cause], 1);
#else
    (void)frame;
    (void)bounce;
    (void)cause;
#endif
}
