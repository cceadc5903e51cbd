// SPDX-License-Identifier: MIT
// The C side once more, for the device cpu: a warp is one lane, which waits for nobody. To be included before all else; what
// lanes do together takes the place of platform_c.h's.
#pragma once

#include "lib/platform_c.h"

// Ends the launch: a lane wants `what`, which it cannot have.
_Noreturn void cpu_refuse(const char *what);

#undef warp_width
#undef lane_index
#undef warp_mask
#undef warp_ballot
#undef warp_any
#undef warp_shuffle_u32
#undef warp_broadcast_u32
#undef warp_sum_u32
#undef warp_max_u32
#undef block_sync
#undef grid_sync
#undef grid_yield
#define warp_width() 1u
#define lane_index() 0u
#define warp_mask() ((lanemask)1)
#define warp_ballot(mask, predicate) ((void)(mask), (lanemask)((predicate) != 0))
#define warp_any(mask, predicate) ((void)(mask), (predicate) != 0)
#define warp_shuffle_u32(mask, value, lane) ((void)(mask), (void)(lane), (value))
#define warp_broadcast_u32(mask, value, lane) ((void)(mask), (void)(lane), (value))
#define warp_sum_u32(mask, value) ((void)(mask), (value))
#define warp_max_u32(mask, value) ((void)(mask), (value))
#define block_sync() (block_size() > 1u ? cpu_refuse("lanes of a block that wait for each other") : (void)0)
#define grid_sync() cpu_refuse("blocks that wait for each other")
#define grid_yield() ((void)0)
