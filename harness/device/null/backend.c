// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "device/null/null.h"

extern const struct device_backend device_null_backend;

static struct device *null_open(const struct device_settings *settings, struct error *error)
{
    struct null_device *null = calloc(1, sizeof *null);
    if (!null) {
        error_set(error, ERROR_SYSTEM, "no memory for the null device");
        return NULL;
    }
    null_init(null, settings);
    return &null->device;
}

static const char *null_unavailable(void)
{
    return NULL;
}

// Apart from the device: programs of tests link a row of their own (tests/pretended_gpu.c).
const struct device_backend device_null_backend = {
    .name = NULL_NAME,
    .summary = NULL_SUMMARY,
    .kind = DEVICE_NOTHING,
    .unavailable = null_unavailable,
    .open = null_open,
};
