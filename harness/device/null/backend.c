// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "device/null/null.h"

extern const struct device_backend device_null_backend;

static struct device *null_open(const struct device_settings *settings, struct error *error)
{
    struct null_device *null = memory_new(1, sizeof *null);
    (void)error;
    null_init(null, settings);
    return &null->device;
}

// Apart from the device: programs of tests link a row of their own (tests/pretended_gpu.c).
const struct device_backend device_null_backend = {
    .name = NULL_NAME,
    .summary = NULL_SUMMARY,
    .kind = DEVICE_NOTHING,
    .open = null_open,
};
