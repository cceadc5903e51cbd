// SPDX-License-Identifier: MIT
#include "variants/volpt2018/pooled_schedule.h"

#include "variants/volpt2018/stream_device.kernel.h"

static bool stream_device_prepare(struct frame *frame, struct error *error)
{
    static const struct pooled_kernels kernels = {
        .refill = "stream_device_refill",
        .extend = "stream_device_extend",
        .move = "stream_device_move",
        .whole = "stream_device_whole",
        .compaction = POOLED_BY_DEVICE,
    };
    return pooled_prepare(frame, &kernels, error);
}

static bool stream_device_supports(const struct parameters *parameters, const struct device_properties *device,
                                   char *reason, size_t size)
{
    if (parameters->launches == LAUNCHES_ONE && parameters->pool != PARAMETER_AUTO) {
        snprintf(reason, size, "launches: one has a slot for each lane that is resident, and no other pool");
        return false;
    }
    return volume_supports(parameters, device, reason, size);
}

const struct variant variant_stream_device = {
    .name = "stream_device",
    .summary = "two kernels over a pool: paths are extended and compacted over the whole device, then new ones begin "
               "behind them",
    .supports = stream_device_supports,
    .parameters = {POOLED_PARAMETERS, .launches = true},
    .prepare = stream_device_prepare,
    POOLED_VARIANT,
};
