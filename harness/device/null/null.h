// SPDX-License-Identifier: MIT
// Inside of the null device.
#pragma once

#include "device/device.h"

#define NULL_NAME "null"
#define NULL_SUMMARY "accepts everything and runs nothing, to test the runner itself"

struct null_device {
    struct device device; // first
    struct device_properties properties;
};

struct device_kernel {
    char name[48];
};

extern const struct device_ops null_ops; // close() frees the device
void null_init(struct null_device *null, const struct device_settings *settings);

static inline struct null_device *null_of(struct device *device)
{
    return (struct null_device *)device;
}
