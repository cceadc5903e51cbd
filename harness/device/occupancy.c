// SPDX-License-Identifier: MIT
#include "device/occupancy.h"

const struct capability capability_table[] = {
#define CAPABILITY(...) {__VA_ARGS__},
#include "device/capability.def"
#undef CAPABILITY
    {.version = 0},
};
const size_t capability_count = sizeof capability_table / sizeof *capability_table - 1;

const char *const occupancy_limit_names[] = {"warps", "blocks", "registers", "shared memory"};

const struct capability *capability_find(uint32_t version)
{
    const struct capability *found = NULL;
    for (const struct capability *row = capability_table; row->version; ++row)
        if (row->version <= version && row->version / 10 == version / 10)
            found = row;
    return found;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

// Blocks that the registers of a multiprocessor allow. A kernel without registers is not limited by them.
static uint64_t blocks_by_registers(const struct capability *capability, uint64_t block_warps, uint32_t registers)
{
    enum { LANES = 32 };
    if (registers == 0)
        return UINT64_MAX;
    const uint64_t warp = round_up((uint64_t)registers * LANES, capability->register_unit);
    const uint64_t warps = capability->registers / warp / capability->register_warps * capability->register_warps;
    return warps / block_warps;
}

static uint64_t blocks_by_shared(const struct capability *capability, uint64_t shared_bytes)
{
    if (shared_bytes > capability->shared_block)
        return 0;
    const uint64_t bytes = round_up(shared_bytes + capability->shared_reserved, capability->shared_unit);
    return bytes ? capability->shared_multiprocessor / bytes : UINT64_MAX;
}

struct occupancy occupancy_predict(const struct capability *capability, uint32_t block, uint32_t registers,
                                   uint64_t shared_bytes)
{
    enum { LANES = 32 };
    const uint64_t block_warps = block ? (block + LANES - 1) / LANES : 1;
    const uint64_t limits[] = {
        [OCCUPANCY_WARPS] = capability->max_warps / block_warps,
        [OCCUPANCY_BLOCKS] = capability->max_blocks,
        [OCCUPANCY_REGISTERS] = blocks_by_registers(capability, block_warps, registers),
        [OCCUPANCY_SHARED] = blocks_by_shared(capability, shared_bytes),
    };
    struct occupancy occupancy = {.blocks = capability->max_blocks, .limit = OCCUPANCY_BLOCKS};
    for (int i = OCCUPANCY_SHARED; i >= OCCUPANCY_WARPS; --i)
        if (limits[i] <= occupancy.blocks) {
            occupancy.blocks = (uint32_t)limits[i];
            occupancy.limit = (enum occupancy_limit)i;
        }
    occupancy.warps = occupancy.blocks * (uint32_t)block_warps;
    occupancy.share = (double)occupancy.warps / capability->max_warps;
    return occupancy;
}
