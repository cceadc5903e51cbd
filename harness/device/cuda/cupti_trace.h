// SPDX-License-Identifier: MIT
// When kernels run, by CUPTI's activity records. Of the whole process: one trace at a time.
#pragma once

#include "device/counters.h"
#include "device/cuda/cupti_api.h"

bool cupti_trace_open(struct error *error);
void cupti_trace_close(void);
// The device must be idle. Kernels until now are forgotten; those since, in the order in which they began, stay valid
// until the next call.
bool cupti_trace_forget(struct error *error);
bool cupti_trace_take(const struct device_timeline_kernel **rows, size_t *count, struct error *error);
