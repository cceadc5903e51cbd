// SPDX-License-Identifier: MIT
// W-TILE-S: tiled compaction, path state in shared memory (Wald 2011, section 3.5).
#pragma once

#include "variants/wald2011/tile.h"

KERNEL(tiled_shared, struct tile_args)
{
    tile_render_all(args, (uint32_t *)block_shared());
}
