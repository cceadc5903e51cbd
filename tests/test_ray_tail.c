// SPDX-License-Identifier: MIT
// Lengths of warps and what is left of them, against a count of the rays that are unfinished in every single round.
#include "bench/ray_tail.h"
#include "tools/trace_ray.h"

#include "check.h"

enum { RAYS = 1000 };

// The warp that a ray is in: warps do not reach over the end of a block.
static uint32_t warp_of(uint32_t ray, uint32_t block, uint32_t warp_width)
{
    const uint32_t warps = (block + warp_width - 1) / warp_width;
    return ray / block * warps + ray % block / warp_width;
}

static uint32_t unfinished(const struct ray_work *work, uint32_t warp, uint32_t round, uint32_t block, uint32_t width)
{
    uint32_t found = 0;
    for (uint32_t ray = 0; ray < RAYS; ++ray)
        found += warp_of(ray, block, width) == warp && work[ray].rounds > round;
    return found;
}

static void try_warps(const struct ray_work *work, uint32_t block, uint32_t width)
{
    const struct ray_tail tail = ray_tail_of(work, RAYS, block, width);
    const uint32_t warps = warp_of(RAYS - 1, block, width) + 1;
    uint32_t rounds = 0, few = 0, longest = 0;
    for (uint32_t warp = 0; warp < warps; ++warp) {
        uint32_t round = 0;
        for (uint32_t left; (left = unfinished(work, warp, round, block, width)) > 0; ++round)
            few += left <= RAY_TAIL_FEW;
        rounds += round;
        longest = round > longest ? round : longest;
    }
    assert_int_equal(tail.most_rounds, longest);
    assert_float_equal(tail.mean_rounds, (double)rounds / warps, 1e-12);
    assert_float_equal(tail.few, (double)few / rounds, 1e-12);
}

TEST(counts_warps)
{
    static struct ray_work work[RAYS];
    static const uint32_t blocks[] = {64, 100, 7, 1000}, widths[] = {1, 4, 8, 16, 32, 64};
    uint32_t nodes = 0, most = 0;
    for (uint32_t i = 0; i < RAYS; ++i) { // some rays take none, a few take many
        work[i].rounds = i * 2654435761u % 23 + (i % 97 == 5 ? 60 : 0) - (i % 31 == 7 ? i * 2654435761u % 23 : 0);
        work[i].nodes = i * 40503u % 71;
        nodes += work[i].nodes;
        most = work[i].nodes > most ? work[i].nodes : most;
    }
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; ++b)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w)
            try_warps(work, blocks[b], widths[w]);
    const struct ray_tail tail = ray_tail_of(work, RAYS, 64, 32);
    assert_int_equal(tail.most_nodes, most);
    assert_float_equal(tail.mean_nodes, (double)nodes / RAYS, 1e-12);
}

TEST(nothing_to_do)
{
    struct ray_work work[3] = {{.nodes = 0}};
    const struct ray_tail tail = ray_tail_of(work, 3, 64, 32);
    assert_int_equal(tail.most_rounds, 0);
    assert_float_equal(tail.few, 0, 0);
}
