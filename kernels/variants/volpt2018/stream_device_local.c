// SPDX-License-Identifier: MIT
#include "variants/volpt2018/pooled_schedule.h"

static bool stream_device_local_prepare(struct frame *frame, struct error *error)
{
    static const struct pooled_kernels kernels = {
        .refill = "stream_device_local_refill",
        .extend = "stream_device_local_extend",
        .compaction = POOLED_BY_BLOCK,
    };
    return pooled_prepare(frame, &kernels, error);
}

const struct variant variant_stream_device_local = {
    .name = "stream_device_local",
    .summary =
        "two kernels over a pool: paths are extended and compacted within their block, then new ones begin behind them",
    .supports = volume_supports,
    .parameters = {POOLED_PARAMETERS},
    .prepare = stream_device_local_prepare,
    POOLED_VARIANT,
};
