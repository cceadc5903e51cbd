// SPDX-License-Identifier: MIT
#include "variants/volpt2018/pooled_schedule.h"

static bool regenerate_device_prepare(struct frame *frame, struct error *error)
{
    static const struct pooled_kernels kernels = {
        .refill = "regenerate_device_refill",
        .extend = "regenerate_device_extend",
        .compaction = POOLED_IN_PLACE,
    };
    return pooled_prepare(frame, &kernels, error);
}

const struct variant variant_regenerate_device = {
    .name = "regenerate_device",
    .summary = "two kernels over a pool: all paths are extended, then new ones begin in all slots whose path has ended",
    .supports = volume_supports,
    .parameters = {POOLED_PARAMETERS},
    .prepare = regenerate_device_prepare,
    POOLED_VARIANT,
};
