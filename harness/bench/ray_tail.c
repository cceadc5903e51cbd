// SPDX-License-Identifier: MIT
#include "bench/ray_tail.h"

#include "tools/trace_ray.h"

// Rounds of a warp's longest ray and of the one that RAY_TAIL_FEW others outlast: from there on few lanes are left.
static void warp_lengths(const struct ray_work *lanes, uint32_t count, uint32_t *longest, uint32_t *until)
{
    uint32_t last[RAY_TAIL_FEW + 1] = {0}; // the longest, in falling order
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t rounds = lanes[i].rounds;
        for (int k = 0; k <= RAY_TAIL_FEW; ++k)
            if (rounds > last[k]) {
                const uint32_t shorter = last[k];
                last[k] = rounds;
                rounds = shorter;
            }
    }
    *longest = last[0];
    *until = last[RAY_TAIL_FEW];
}

struct ray_tail ray_tail_of(const struct ray_work *work, uint32_t count, uint32_t block, uint32_t warp_width)
{
    struct ray_tail tail = {.most_nodes = 0};
    uint64_t nodes = 0, rounds = 0, few = 0, warps = 0;
    for (uint32_t i = 0; i < count; ++i) {
        nodes += work[i].nodes;
        tail.most_nodes = work[i].nodes > tail.most_nodes ? work[i].nodes : tail.most_nodes;
    }
    for (uint32_t first = 0, lanes; first < count; first += lanes, ++warps) {
        const uint32_t in_block = block - first % block, left = count - first;
        uint32_t longest, until;
        lanes = warp_width < in_block ? warp_width : in_block;
        lanes = lanes < left ? lanes : left;
        warp_lengths(&work[first], lanes, &longest, &until);
        rounds += longest;
        few += longest - until;
        tail.most_rounds = longest > tail.most_rounds ? longest : tail.most_rounds;
    }
    tail.mean_nodes = (double)nodes / count;
    tail.mean_rounds = (double)rounds / (double)warps;
    tail.few = rounds ? (double)few / (double)rounds : 0;
    return tail;
}
