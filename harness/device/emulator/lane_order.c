// SPDX-License-Identifier: MIT
// The order in which blocks, warps and lanes run.
#include "device/emulator/scheduler.h"

static uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// The place with which entry i of a list is exchanged, so that all orders of the list are about equally likely.
static uint32_t shuffle_partner(uint64_t *state, uint32_t i)
{
    return (uint32_t)(random_next(state) % (i + 1));
}

void scheduler_order(enum choice_lane_order order, uint32_t *list, uint32_t count, uint64_t *random)
{
    for (uint32_t i = 0; i < count; i++)
        list[i] = order == DEVICE_LANES_REVERSED ? count - 1 - i : i;
    for (uint32_t i = count; order == DEVICE_LANES_SEEDED && i-- > 1;) {
        const uint32_t j = shuffle_partner(random, i), other = list[j];
        list[j] = list[i];
        list[i] = other;
    }
}

static void order_lanes(struct warp *warp, enum choice_lane_order order, uint64_t *random)
{
    uint32_t lanes[WARP_MAX_LANES];
    scheduler_order(order, lanes, warp->count, random);
    for (uint32_t i = 0; i < warp->count; i++) {
        warp->lane_of_slot[i] = (uint8_t)lanes[i];
        warp->lanes[lanes[i]].slot = i;
    }
}

void scheduler_order_block(struct block *block)
{
    const struct block_runner *runner = block->warps->runner;
    uint64_t random = runner->lane_seed;
    random = random_next(&random) ^ ((uint64_t)block->index << 32 | block->phase);
    scheduler_order(runner->lane_order, block->warp_order, block->warp_count, &random);
    for (uint32_t i = 0; i < block->warp_count; i++)
        order_lanes(&block->warps[i], runner->lane_order, &random);
}
