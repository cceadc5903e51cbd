// SPDX-License-Identifier: MIT
#include "device/occupancy.h"

const struct capability capability_table[] = {
#define CAPABILITY(version, example, ...) {example, version, __VA_ARGS__},
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

// Registers belong to a multiprocessor's partitions, so the warps that they allow come in multiples of their number.
static uint64_t blocks_by_registers(const struct capability *capability, uint32_t warps, uint32_t registers)
{
    enum { WARP = 32, PARTITIONS = 4 };
    const uint64_t a_warp = round_up((uint64_t)registers * WARP, capability->register_unit);
    if (a_warp == 0)
        return UINT64_MAX;
    const uint64_t unit = capability->register_warps;
    // The check at a launch assumes four partitions, also where there are two (6.0).
    if (unit > 1 && round_up(warps, PARTITIONS) * a_warp > capability->registers)
        return 0;
    return capability->registers / unit / a_warp * unit / warps;
}

static uint64_t blocks_by_shared(const struct capability *capability, uint64_t bytes)
{
    if (bytes > capability->shared_block)
        return 0;
    const uint64_t allocated = round_up(bytes + capability->shared_reserved, capability->shared_unit);
    return allocated ? capability->shared_multiprocessor / allocated : UINT64_MAX;
}

struct occupancy occupancy_predict(const struct capability *capability, uint32_t block, uint32_t registers,
                                   uint64_t shared_bytes)
{
    enum { WARP = 32, MAX_BLOCK = 1024, MAX_REGISTERS = 255 };
    const uint32_t warps = (uint32_t)round_up(block, WARP) / WARP;
    struct occupancy occupancy = {.limit = OCCUPANCY_WARPS};
    if (block == 0 || block > MAX_BLOCK)
        return occupancy;
    const uint64_t most[] = {
        [OCCUPANCY_WARPS] = capability->max_warps / warps,
        [OCCUPANCY_BLOCKS] = capability->max_blocks,
        [OCCUPANCY_REGISTERS] = registers > MAX_REGISTERS ? 0 : blocks_by_registers(capability, warps, registers),
        [OCCUPANCY_SHARED] = blocks_by_shared(capability, shared_bytes),
    };
    for (int limit = 0; limit < (int)(sizeof most / sizeof *most); ++limit)
        if (most[limit] < most[occupancy.limit])
            occupancy.limit = (enum occupancy_limit)limit;
    occupancy.blocks = (uint32_t)most[occupancy.limit];
    occupancy.warps = occupancy.blocks * warps;
    occupancy.share = (double)occupancy.warps / capability->max_warps;
    return occupancy;
}
