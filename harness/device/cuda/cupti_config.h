// SPDX-License-Identifier: MIT
// What CUPTI is to count, for profiles and for the timeline: metrics by name, turned into the configuration that its
// profilers take and back into values.
#pragma once

#include <stdint.h>

#include "device/cuda/cupti_api.h"

struct cupti_blob {
    uint8_t *bytes;
    size_t size;
};
// `size` zeros, to be freed; `what` is for the message.
bool cupti_blob_make(struct cupti_blob *blob, size_t size, const char *what, struct error *error);

struct cupti_config {
    CUpti_ProfilerType type;
    const char *chip;
    const char **expressions; // the caller's
    size_t count;
    struct cupti_blob availability; // what the GPU can count as it is set up
    // made:
    CUpti_Profiler_Host_Object *host;
    struct cupti_blob image;
};

// The rest of it from type, chip, expressions and availability. ERROR_USE names an expression that the GPU does not
// have. cupti_config_finish() frees it and the availability, also after a failure.
bool cupti_config_make(struct cupti_config *config, struct error *error);
bool cupti_config_evaluate(const struct cupti_config *config, const struct cupti_blob *data, size_t range,
                           double *values, struct error *error);
void cupti_config_finish(struct cupti_config *config);
