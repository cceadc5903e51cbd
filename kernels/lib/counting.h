// SPDX-License-Identifier: MIT
// What warps do, counted by ballot and population count. Nothing in clean builds.
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

// An extension: all lanes of `group` call this together. They may be at different bounces: the warp counts once at each.
DEVICE void count_warp(const struct frame_args *frame, uint32_t bounce, lanemask group)
{
#if COUNTING
    lanemask left = group, alike = 0;
    while (left != 0) {
        const uint32_t lowest = lanemask_lowest(left), of_lowest = warp_broadcast_u32(group, bounce, lowest);
        alike = warp_ballot(group, bounce == of_lowest);
        left &= ~alike;
        if (lane_index() != lowest)
            continue;
        struct bounce_counts *row = count_row(frame, bounce);
        atomic_add_u64(&row->active_paths, lanemask_count(alike));
        atomic_add_u64(&row->active_warps, 1);
        atomic_add_u64(&row->sparse_warps, 4u * lanemask_count(alike) < warp_width());
    }
    if ((group & lanemask_below(lane_index())) != 0)
        return;
    struct bounce_counts *total = count_totals(frame);
    atomic_add_u64(&total->active_paths, lanemask_count(group));
    atomic_add_u64(&total->active_warps, 1);
    atomic_add_u64(&total->sparse_warps, 4u * lanemask_count(group) < warp_width());
    atomic_add_u64(&total->mixed_warps, alike != group);
    atomic_add_u64(&total->partial_warps, lanemask_count(group) < warp_width());
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

// A branch of an extension over surfaces, which lanes take `way` by way. All lanes of `group` come to it together; they may
// be at different bounces: the warp counts at each by the lanes that are there.
DEVICE void count_branch(const struct frame_args *frame, enum branch branch, uint32_t bounce, uint32_t way,
                         lanemask group)
{
#if COUNTING
    lanemask left = group;
    while (left != 0) {
        const uint32_t lowest = lanemask_lowest(left), of_lowest = warp_broadcast_u32(group, bounce, lowest);
        const lanemask there = warp_ballot(group, bounce == of_lowest);
        const bool other = way != warp_broadcast_u32(group, way, lowest);
        const bool parts = warp_ballot(group, bounce == of_lowest && other) != 0;
        left &= ~there;
        if (lane_index() != lowest)
            continue;
        struct bounce_counts *row = count_row(frame, bounce);
        atomic_add_u64(&row->branch_warps[branch], 1);
        atomic_add_u64(&row->branch_parts[branch], parts);
    }
    const bool other = way != warp_broadcast_u32(group, way, lanemask_lowest(group));
    const bool parts = warp_ballot(group, other) != 0;
    if ((group & lanemask_below(lane_index())) != 0)
        return;
    struct bounce_counts *total = count_totals(frame);
    atomic_add_u64(&total->branch_warps[branch], 1);
    atomic_add_u64(&total->branch_parts[branch], parts);
#else
    (void)frame;
    (void)branch;
    (void)bounce;
    (void)way;
    (void)group;
#endif
}

// Lanes that evaluate a material, of kind `kind`, are at work one kind after another. All lanes of `group` call this
// together, those that do not shade as well.
DEVICE void count_shading(const struct frame_args *frame, uint32_t bounce, lanemask group, bool shades, uint32_t kind)
{
#if COUNTING
    kind = kind < (uint32_t)COUNT_KINDS ? kind : (uint32_t)COUNT_KINDS - 1u;
    lanemask left = warp_ballot(group, shades);
    if (shades)
        count_branch(frame, BRANCH_KIND, bounce, kind, left);
    while (left != 0) {
        const uint32_t lowest = lanemask_lowest(left), of_lowest = warp_broadcast_u32(group, kind, lowest);
        const lanemask alike = warp_ballot(group, shades && kind == of_lowest);
        left &= ~alike;
        if (lane_index() != lowest)
            continue;
        struct bounce_counts *total = count_totals(frame);
        atomic_add_u64(&total->shaded[kind], lanemask_count(alike));
        atomic_add_u64(&total->shading_warps, 1);
    }
#else
    (void)frame;
    (void)bounce;
    (void)group;
    (void)shades;
    (void)kind;
#endif
}

// A stage of a pipeline, or a trip of a persistent loop: the lanes of the warp with work in it call this together.
// `words` of 4 bytes of its path's state each of them reads or writes.
DEVICE void count_live(const struct frame_args *frame, lanemask group, uint32_t words)
{
#if COUNTING
    if ((group & lanemask_below(lane_index())) != 0)
        return;
    struct bounce_counts *total = count_totals(frame);
    atomic_add_u64(&total->live_lanes, lanemask_count(group));
    atomic_add_u64(&total->live_warps, 1);
    atomic_add_u64(&total->moved_bytes, (uint64_t)lanemask_count(group) * words * 4u);
#else
    (void)frame;
    (void)group;
    (void)words;
#endif
}

// Adds to a count of the launch that has no bounce, by one lane: count_total(frame, begun, 3).
#if COUNTING
#define count_total(frame, field, value) atomic_add_u64(&count_totals(frame)->field, (uint64_t)(value))
#else
#define count_total(frame, field, value) ((void)(frame), (void)(value))
#endif

// An extension at its end: all lanes of `group` call this together.
DEVICE void count_parting(const struct frame_args *frame, bool lives, lanemask group)
{
#if COUNTING
    const lanemask living = warp_ballot(group, lives);
    if ((group & lanemask_below(lane_index())) == 0)
        count_total(frame, parted_warps, living != 0 && living != group);
#else
    (void)frame;
    (void)lives;
    (void)group;
#endif
}

// Warps in which roulette ends paths, and those in which others that it might have ended live on. All lanes of the warp
// call it.
DEVICE void count_roulette(const struct frame_args *frame, bool lives, bool ended)
{
#if COUNTING
    const lanemask living = warp_ballot(warp_mask(), lives), dead = warp_ballot(warp_mask(), ended);
    if (lane_index() != 0 || dead == 0)
        return;
    count_total(frame, roulette_warps, 1);
    count_total(frame, split_warps, living != 0);
#else
    (void)frame;
    (void)lives;
    (void)ended;
#endif
}

// A warp of the stage trace: its loads of a word of the lanes' slots, which lie one behind the other. All lanes of `group`
// call it.
DEVICE void count_sectors(const struct frame_args *frame, uint32_t slot, lanemask group)
{
#if COUNTING
    enum { SECTOR_WORDS = 8 };
    lanemask left = group;
    uint32_t sectors = 0;
    while (left != 0) {
        const uint32_t one = warp_broadcast_u32(group, slot / SECTOR_WORDS, lanemask_lowest(left));
        left &= ~warp_ballot(group, slot / SECTOR_WORDS == one);
        ++sectors;
    }
    if ((group & lanemask_below(lane_index())) == 0)
        count_total(frame, slot_sectors, sectors);
#else
    (void)frame;
    (void)slot;
    (void)group;
#endif
}

// The same of its camera rays, the lanes at bounce 0: what the longest ray of the warp takes, each of them waits for. Steps
// from 2^16 on count as one less than that.
DEVICE void count_camera(const struct frame_args *frame, uint32_t bounce, uint32_t steps, lanemask group)
{
#if COUNTING
    const lanemask camera = warp_ballot(group, bounce == 0);
    if (camera == 0)
        return;
    const uint32_t capped = steps < 65536u ? steps : 65535u, mixed = camera != group;
    lanemask longest = group;
    uint32_t most = 0;
    for (uint32_t bit = 32768; bit != 0; bit /= 2) {
        const bool among = (longest >> lane_index() & 1u) != 0;
        const lanemask set = warp_ballot(group, among && (capped & bit) != 0);
        longest = set ? set : longest;
        most += set ? bit : 0;
    }
    if ((group & lanemask_below(lane_index())) != 0)
        return;
    count_total(frame, camera_rays[mixed], lanemask_count(camera));
    count_total(frame, camera_steps[mixed], (uint64_t)lanemask_count(camera) * most);
#else
    (void)frame;
    (void)bounce;
    (void)steps;
    (void)group;
#endif
}
