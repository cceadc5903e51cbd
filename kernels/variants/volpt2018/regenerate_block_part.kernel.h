// SPDX-License-Identifier: MIT
// V-REGEN-B-PART: a persistent kernel in which after each extension the lanes of a block without a path take new ones together.
#pragma once

#include "variants/volpt2018/regenerate.h"

KERNEL(regenerate_block_part, struct persistent_args)
{
    regenerate(args, REGENERATE_PART, (uint32_t *)block_shared());
}
