// SPDX-License-Identifier: MIT
// How many warps a multiprocessor can hold, from its limits and a kernel's static facts (docs/metrics.md 5; NVIDIA's
// occupancy calculator). Needs no device.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Limits of one compute capability: vendor data, one row of device/capability.def.
struct capability {
    const char *example;            // "GTX 480"
    uint32_t version;               // 90 for 9.0
    uint32_t max_warps, max_blocks; // of a multiprocessor
    uint32_t registers, register_unit,
        register_warps; // registers of a multiprocessor; allocated per warp in units; the
                        // warps that registers allow are rounded down to a multiple of the last
    uint32_t shared_multiprocessor, shared_block, shared_unit, shared_reserved; // bytes; reserved per block
};
extern const struct capability capability_table[]; // by version; ends with version 0
extern const size_t capability_count;              // without the end
// The row of the version, else of the highest lower version of the same major number; NULL where there is none.
const struct capability *capability_find(uint32_t version);

enum occupancy_limit { OCCUPANCY_WARPS, OCCUPANCY_BLOCKS, OCCUPANCY_REGISTERS, OCCUPANCY_SHARED };
extern const char *const occupancy_limit_names[]; // "warps", "blocks", "registers", "shared memory"

struct occupancy {
    uint32_t blocks, warps;     // resident on one multiprocessor; 0: the block does not fit
    double share;               // warps / max_warps
    enum occupancy_limit limit; // what keeps it from being more; the first of the list where several do
};
// block: lanes; registers: per lane; shared_bytes: static and dynamic, per block.
struct occupancy occupancy_predict(const struct capability *capability, uint32_t block, uint32_t registers,
                                   uint64_t shared_bytes);
