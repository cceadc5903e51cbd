// SPDX-License-Identifier: MIT
#include "device/counters.h"

#include <string.h>

const struct device_metric device_metrics[] = {
#define METRIC(name, expression, unit, direction, meaning) {#name, expression, unit, direction, meaning},
#include "device/metrics.def"
#undef METRIC
    {0},
};

const char *const device_site_names[DEVICE_SITES + 1] = {
    [DEVICE_SITE_EXTENSION] = "extension",
    [DEVICE_SITE_INNER] = "inner",
    [DEVICE_SITE_TRIANGLE] = "triangle",
    [DEVICE_SITE_ALL] = "all",
};

const struct device_metric *device_metric_find(const char *name)
{
    for (const struct device_metric *metric = device_metrics; metric->name; ++metric)
        if (strcmp(metric->name, name) == 0)
            return metric;
    return NULL;
}
