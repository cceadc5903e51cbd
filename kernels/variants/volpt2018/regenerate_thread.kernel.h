// SPDX-License-Identifier: MIT
// V-REGEN-T: a persistent kernel in which a lane whose path has ended takes the next one from a queue.
#pragma once

#include "variants/volpt2018/regenerate.h"

KERNEL(regenerate_thread, struct persistent_args)
{
    regenerate(args, REGENERATE_LANE, (uint32_t *)block_shared());
}
