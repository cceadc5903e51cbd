// SPDX-License-Identifier: MIT
// Roulette with one decision for several paths: those of a warp or of a block. All that play survive, or
// all end. Which paths play together, and so image and counts, is the schedule's.
#pragma once

#include "lib/block.h"
#include "surface/next.h"

DEVICE bool roulette_is_shared(const struct frame_args *frame)
{
    return CONFIG(frame, roulette) == ROULETTE_WARP || CONFIG(frame, roulette) == ROULETTE_BLOCK;
}

// Words of shared memory that a decision for a block needs.
DEVICE uint32_t roulette_words(uint32_t block, uint32_t warp)
{
    return block_rank_words(block, warp) + 1u;
}

// Of the lanes that play: the greatest value, and the number of the first of them.
struct roulette_stakes {
    uint32_t greatest, number; // bits of floats that are not negative, and so in their order
};

DEVICE struct roulette_stakes roulette_of_warp(bool plays, struct roulette_stakes own)
{
    const lanemask players = warp_ballot(warp_mask(), plays);
    struct roulette_stakes all;
    all.greatest = warp_max_u32(warp_mask(), own.greatest);
    all.number = warp_broadcast_u32(warp_mask(), own.number, players ? lanemask_lowest(players) : 0u);
    return all;
}

DEVICE struct roulette_stakes roulette_of_block(bool plays, struct roulette_stakes own, uint32_t *shared)
{
    uint32_t *const number = shared + block_rank_words(block_size(), warp_width());
    uint32_t players;
    struct roulette_stakes all;
    all.greatest = block_max_u32(own.greatest, shared);
    if (block_rank(plays, &players, shared) == 0u && plays)
        *number = own.number;
    block_sync();
    all.number = players ? *number : 0u;
    block_sync();
    return all;
}

// True where the path survives. The chance is that of the greatest weight among the paths that play, which are those
// that live and are at bounce ROULETTE_FIRST or later; the number is that of the first of them, which no other decision
// uses. So a warp or block of one lane decides as `thread` does. All lanes of the block call this; `shared`, of
// roulette_words() words, is free again when they return.
DEVICE bool roulette_together(const struct frame_args *frame, struct path *path, bool lives, uint32_t *shared)
{
    const bool plays = lives && path->bounce >= (uint32_t)ROULETTE_FIRST;
    struct roulette_stakes stakes;
    stakes.greatest = plays ? f32_bits(vec3_luminance(path->weight)) : 0u;
    stakes.number = plays ? f32_bits(path_random(frame, path, DIMENSION_ROULETTE)) : 0u;
    stakes = CONFIG(frame, roulette) == ROULETTE_WARP ? roulette_of_warp(plays, stakes)
                                                      : roulette_of_block(plays, stakes, shared);
    const float chance = roulette_chance(f32_from_bits(stakes.greatest));
    return !plays || chance >= 1.0f || roulette_survives(path, chance, f32_from_bits(stakes.number));
}
