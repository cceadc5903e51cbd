// SPDX-License-Identifier: MIT
// V-STREAM-MK-LOCAL: two kernels over a pool: paths are extended and compacted within their block, then new ones begin behind them.
#pragma once

#include "variants/volpt2018/pooled.h"

KERNEL(stream_device_local_refill, struct pooled_args)
{
    pooled_refill(args, false);
}

KERNEL(stream_device_local_extend, struct pooled_args)
{
    pooled_extend_local(args, (uint32_t *)block_shared());
}
