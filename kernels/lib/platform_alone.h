// SPDX-License-Identifier: MIT
// The C side once more, for the device cpu: a warp is one lane, which waits for nobody. To be included before all else; what
// lanes do together takes the place of platform_c.h's.
#pragma once

#include "lib/platform_c.h"
#include "lib/one_lane.h"

// Ends the launch: a lane wants `what`, which it cannot have.
_Noreturn void cpu_refuse(const char *what);

#undef block_sync
#undef grid_sync
#undef grid_yield
#define block_sync() (block_size() > 1u ? cpu_refuse("lanes of a block that wait for each other") : (void)0)
#define grid_sync() cpu_refuse("blocks that wait for each other")
#define grid_yield() ((void)0)
