// SPDX-License-Identifier: MIT
// V-REGEN-D: two kernels over a pool: all paths are extended, then new ones begin in all slots whose path has ended.
#pragma once

#include "variants/volpt2018/pooled.h"

KERNEL(regenerate_device_refill, struct pooled_args)
{
    pooled_refill(args, false);
}

KERNEL(regenerate_device_extend, struct pooled_args)
{
    pooled_extend(args);
}
