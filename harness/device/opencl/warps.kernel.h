// SPDX-License-Identifier: MIT
// What kernels take for granted of warps, asked of a device before it has any: each lane says where the answer is right. All loops
// end, whatever the answers are.
#pragma once

#include "lib/platform.h"

enum warps_question {
    WARPS_PLACES,   // lanes of a warp are consecutive lanes of the block
    WARPS_VOTES,    // of all lanes
    WARPS_BRANCHES, // of those that took one side of a branch, in some of the block's warps
    WARPS_LOOPS,    // of those that are still in a loop; behind it all lanes are together again
    WARPS_PATHS,    // of those that go on, after steps which some leave early
    WARPS_LEADERS,  // of all lanes again and again, between which one of them does something alone
    WARPS_SINGLES,  // of each lane alone, whoever else is there
    WARPS_SUMS,     // and maxima
    WARPS_EXITS,    // of those that are left after others have returned
    WARPS_QUESTIONS
};

struct warps_args {
    uint32_t *right; // for each question the number of lanes that got the right answer
};

// Two bits that lanes and warps disagree on.
DEVICE uint32_t warps_bits(uint32_t thread)
{
    return (thread * 2654435769u >> 15) & 3u;
}

// The lanes of this warp with such bits, as a loop over all of them finds it.
DEVICE lanemask warps_lanes(uint32_t mask, uint32_t value)
{
    const uint32_t first = thread_index() / warp_width() * warp_width();
    lanemask lanes = 0;
    for (uint32_t lane = 0u; lane < warp_width() && first + lane < block_size(); ++lane)
        if ((warps_bits(first + lane) & mask) == value)
            lanes |= (lanemask)1 << lane;
    return lanes;
}

DEVICE void warps_answer(const struct warps_args *args, enum warps_question question, bool right)
{
    if (right)
        atomic_add_u32(args->right + question, 1u);
}

// A vote of the lanes of `group`, and what its lowest lane says.
DEVICE bool warps_group_agrees(lanemask group)
{
    const uint32_t first = thread_index() / warp_width() * warp_width(), lowest = lanemask_lowest(group);
    return warp_ballot(group, warps_bits(thread_index()) > 1u) == (group & warps_lanes(2u, 2u)) &&
           warp_broadcast_u32(group, thread_index(), lowest) == first + lowest;
}

DEVICE bool warps_branch(void)
{
    const uint32_t bits = warps_bits(thread_index());
    if ((thread_index() / warp_width() & 1u) == 0u)
        return true;
    if (bits == 0u)
        return warps_group_agrees(warps_lanes(3u, 0u));
    if ((bits & 1u) != 0u)
        return warps_group_agrees(warps_lanes(1u, 1u));
    return warps_group_agrees(warps_lanes(3u, 2u));
}

// As many rounds as the lane's bits say and its warp's number adds.
DEVICE bool warps_loop(void)
{
    const uint32_t bits = warps_bits(thread_index()), rounds = bits + thread_index() / warp_width() % 3u;
    lanemask group = warp_mask();
    bool right = true;
    uint32_t round = 0u;
    for (; round < 6u; ++round) {
        const bool stays = round < rounds;
        group = warp_ballot(group, stays);
        if (!stays)
            break;
        right = right && (group >> lane_index() & 1u) != 0u && warps_group_agrees(group);
    }
    return right && round == rounds && warps_group_agrees(warp_mask());
}

DEVICE uint32_t warps_rounds(uint32_t thread)
{
    return warps_bits(thread) + thread / warp_width() % 3u;
}

DEVICE lanemask warps_going_on(uint32_t round)
{
    const uint32_t first = thread_index() / warp_width() * warp_width();
    lanemask lanes = 0;
    for (uint32_t lane = 0u; lane < warp_width() && first + lane < block_size(); ++lane)
        if (warps_rounds(first + lane) > round)
            lanes |= (lanemask)1 << lane;
    return lanes;
}

// A step, of which three ways lead back.
DEVICE bool warps_step(const struct warps_args *args, lanemask group, bool *right)
{
    const uint32_t bits = warps_bits(thread_index());
    lanemask left = warp_ballot(group, bits != 1u);
    *right = *right && left == (group & ~warps_lanes(3u, 1u));
    if (bits == 1u)
        return true;
    atomic_add_u32(args->right + WARPS_PATHS, 0u);
    left = warp_ballot(left, bits != 2u);
    *right = *right && left == (group & ~warps_lanes(3u, 1u) & ~warps_lanes(3u, 2u));
    if (bits == 2u)
        return true;
    for (uint32_t i = 0u; i < bits; ++i)
        *right = warps_group_agrees(group & warps_lanes(3u, bits)) && *right;
    return true;
}

// As follow_path() of schedules/loop.h.
DEVICE bool warps_path(const struct warps_args *args)
{
    bool right = true;
    for (uint32_t path = 0u; path < 2u; ++path) {
        uint32_t round = 0u;
        bool alive = warps_rounds(thread_index()) != 0u;
        lanemask group = warp_ballot(warp_mask(), alive);
        while (group != 0 && round < 6u) {
            right = right && group == warps_going_on(round);
            if (alive)
                alive = warps_step(args, group, &right) && round + 1u < warps_rounds(thread_index());
            ++round;
            group = warp_ballot(warp_mask(), alive);
        }
    }
    return right;
}

// As lib/counting.h counts: each time the lanes that are like the lowest one that is left.
DEVICE bool warps_leaders(const struct warps_args *args)
{
    const uint32_t bits = warps_bits(thread_index());
    bool right = true;
    for (uint32_t round = 0u; round < 3u; ++round) {
        lanemask left = warp_mask();
        for (uint32_t turn = 0u; left != 0 && turn < 4u; ++turn) {
            const uint32_t lowest = lanemask_lowest(left), of_lowest = warp_broadcast_u32(warp_mask(), bits, lowest);
            const lanemask alike = warp_ballot(warp_mask(), bits == of_lowest);
            right = right && alike == warps_lanes(3u, of_lowest);
            left &= ~warps_lanes(3u, of_lowest);
            if (lane_index() != lowest)
                continue;
            atomic_add_u32(args->right + WARPS_LEADERS, 0u);
        }
    }
    return right;
}

DEVICE bool warps_sum(void)
{
    const uint32_t first = thread_index() / warp_width() * warp_width(), lanes = lanemask_count(warp_mask());
    return warp_sum_u32(warp_mask(), thread_index()) == lanes * first + lanes * (lanes - 1u) / 2u &&
           warp_max_u32(warp_mask(), first + (lane_index() + 1u) % lanes) == first + lanes - 1u &&
           warp_shuffle_u32(warp_mask(), thread_index(), lanes - 1u - lane_index()) ==
               first + lanes - 1u - lane_index() &&
           warp_shuffle_up_u32(warp_mask(), thread_index(), 3u) ==
               (lane_index() >= 3u ? thread_index() - 3u : thread_index());
}

KERNEL(warps_ask, struct warps_args)
{
    const uint32_t bits = warps_bits(thread_index());
    const lanemask own = (lanemask)1 << lane_index();
    warps_answer(args, WARPS_PLACES, lane_index() == thread_index() % warp_width());
    warps_answer(args, WARPS_VOTES, warps_group_agrees(warp_mask()));
    warps_answer(args, WARPS_BRANCHES, warps_branch());
    warps_answer(args, WARPS_LOOPS, warps_loop());
    warps_answer(args, WARPS_PATHS, warps_path(args));
    warps_answer(args, WARPS_LEADERS, warps_leaders(args));
    warps_answer(args, WARPS_SUMS, warps_sum());
    bool alone = true;
    for (uint32_t round = 0u; round < bits; ++round)
        alone = alone && warp_ballot(own, true) == own && warp_broadcast_u32(own, bits, lane_index()) == bits;
    warps_answer(args, WARPS_SINGLES, alone);
    const lanemask left = warp_staying(bits != 1u);
    if (bits == 1u) {
        warps_answer(args, WARPS_EXITS, true);
        return;
    }
    warps_answer(args, WARPS_EXITS, warps_group_agrees(left & ~warps_lanes(3u, 1u)));
}
