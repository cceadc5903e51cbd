// SPDX-License-Identifier: MIT
// V-REGEN-B: a persistent kernel in which the lanes of a block take new paths once all of theirs have ended.
#pragma once

#include "variants/volpt2018/regenerate.h"

KERNEL(regenerate_block, struct persistent_args)
{
    regenerate(args, REGENERATE_BLOCK, (uint32_t *)block_shared());
}
