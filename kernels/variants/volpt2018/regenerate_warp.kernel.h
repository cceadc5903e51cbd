// SPDX-License-Identifier: MIT
// V-REGEN-W: a persistent kernel in which the lanes of a warp take new paths once all of theirs have ended.
#pragma once

#include "variants/volpt2018/regenerate.h"

KERNEL(regenerate_warp, struct persistent_args)
{
    regenerate(args, REGENERATE_WARP, (uint32_t *)block_shared());
}
