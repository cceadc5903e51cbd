// SPDX-License-Identifier: MIT
// Stable selection of flagged elements in three launches: count per chunk, exclusive sums of the counts, scatter.
// Compiled by NVRTC only. The constants are the host's too.
#pragma once

enum {
    SELECT_BLOCK = 256,       // lanes a block of select_count and select_scatter
    SELECT_CHUNKS_MAX = 1024, // blocks at most, and lanes of the one block of select_offsets
    SELECT_WARPS = SELECT_BLOCK / 32
};

#ifdef __CUDACC__
#include "lib/platform.h"
#endif

struct select_args {
    const uint32_t *in; // NULL: the index itself
    const uint8_t *flags;
    uint32_t *out, *count;
    uint32_t *sums; // SELECT_CHUNKS_MAX words of scratch
    uint32_t n;
    uint32_t chunk;  // elements a block owns, a multiple of SELECT_BLOCK
    uint32_t chunks; // blocks, at most SELECT_CHUNKS_MAX
};

#ifdef __CUDACC__

// The elements of this block: [begin, end).
DEVICE void select_range(const struct select_args *args, uint32_t *begin, uint32_t *end)
{
    *begin = block_index() * args->chunk;
    *end = args->n - *begin < args->chunk ? args->n : *begin + args->chunk;
}

KERNEL(select_count, struct select_args)
{
    uint32_t *total = (uint32_t *)block_shared();
    uint32_t begin, end, mine = 0;
    select_range(args, &begin, &end);
    if (thread_index() == 0)
        *total = 0;
    block_sync();
    for (uint32_t i = thread_index(); i < end - begin; i += SELECT_BLOCK)
        mine += args->flags[begin + i] != 0;
    atomic_add_u32(total, mine);
    block_sync();
    if (thread_index() == 0)
        args->sums[block_index()] = *total;
}

// One block of SELECT_CHUNKS_MAX lanes: the inclusive sum by doubling, then shifted by one.
KERNEL(select_offsets, struct select_args)
{
    uint32_t *sums = (uint32_t *)block_shared();
    const uint32_t lane = thread_index();
    const uint32_t own = lane < args->chunks ? args->sums[lane] : 0;
    sums[lane] = own;
    block_sync();
    for (uint32_t distance = 1; distance < SELECT_CHUNKS_MAX; distance *= 2) {
        const uint32_t below = lane >= distance ? sums[lane - distance] : 0;
        block_sync();
        sums[lane] += below;
        block_sync();
    }
    args->sums[lane] = sums[lane] - own;
    if (lane == SELECT_CHUNKS_MAX - 1)
        *args->count = sums[lane];
}

KERNEL(select_scatter, struct select_args)
{
    uint32_t *totals =
        (uint32_t *)block_shared(); // two rows of SELECT_WARPS, used by turns: one barrier a row suffices
    const uint32_t warp = thread_index() / 32;
    uint32_t begin, end, row = 0;
    select_range(args, &begin, &end);
    uint32_t place = args->sums[block_index()];
    for (uint32_t first = 0; first < end - begin; first += SELECT_BLOCK) {
        const uint32_t offset = first + thread_index();
        const uint32_t chosen = offset < end - begin && args->flags[begin + offset] != 0;
        const lanemask votes = warp_ballot(0xFFFFFFFFu, chosen);
        if (lane_index() == 0)
            totals[row * SELECT_WARPS + warp] = lanemask_count(votes);
        block_sync();
        uint32_t before = 0, all = 0;
        for (uint32_t w = 0; w < SELECT_WARPS; ++w) {
            const uint32_t some = totals[row * SELECT_WARPS + w];
            before += w < warp ? some : 0;
            all += some;
        }
        if (chosen) {
            const uint32_t i = begin + offset;
            args->out[place + before + lanemask_count(votes & lanemask_below(lane_index()))] =
                args->in ? args->in[i] : i;
        }
        place += all;
        row ^= 1u;
    }
}

#endif
