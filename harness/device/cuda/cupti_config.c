// SPDX-License-Identifier: MIT
#include "device/cuda/cupti_config.h"

#include <stdlib.h>

bool cupti_blob_make(struct cupti_blob *blob, size_t size, const char *what, struct error *error)
{
    blob->bytes = calloc(1, size ? size : 1);
    blob->size = size;
    return blob->bytes || error_set(error, ERROR_SYSTEM, "no memory for %zu bytes of %s", size, what);
}

static bool open_host(const struct cupti_config *config, CUpti_Profiler_Host_Object **host, struct error *error)
{
    CUpti_Profiler_Host_Initialize_Params params = {
        .structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE,
        .profilerType = config->type,
        .pChipName = config->chip,
        .pCounterAvailabilityImage = config->availability.bytes,
    };
    const bool done = CUPTI_CALL(error, ProfilerHostInitialize, &params);
    *host = params.pHostObject;
    return done;
}

static void close_host(CUpti_Profiler_Host_Object *host)
{
    CUPTI_PARAMS(Profiler_Host_Deinitialize, params, .pHostObject = host);
    if (host)
        (void)CUPTI_CALL(NULL, ProfilerHostDeinitialize, &params);
}

static bool add_metrics(CUpti_Profiler_Host_Object *host, const char **expressions, size_t count, struct error *error)
{
    CUpti_Profiler_Host_ConfigAddMetrics_Params params = {
        .structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE,
        .pHostObject = host,
        .ppMetricNames = expressions,
        .numMetrics = count,
    };
    return CUPTI_CALL(error, ProfilerHostConfigAddMetrics, &params);
}

// CUPTI does not say which name it refuses, and an object that has refused one refuses all that follow.
static bool name_culprit(const struct cupti_config *config, struct error *error)
{
    for (size_t i = 0; i < config->count; ++i) {
        CUpti_Profiler_Host_Object *host = NULL;
        if (!open_host(config, &host, error))
            return false;
        const bool known = add_metrics(host, &config->expressions[i], 1, NULL);
        close_host(host);
        if (known)
            continue;
        error_set(error, ERROR_USE, "this device has no metric \"%.200s\"", config->expressions[i]);
        return error_remedy(error, "`ncu --query-metrics-mode all --query-metrics` lists the names; one ends in what "
                                   "is made of it: .sum, .avg.per_second, .pct, .ratio");
    }
    return error_set(error, ERROR_FAILED, "CUPTI refuses these %zu metrics together", config->count);
}

bool cupti_config_make(struct cupti_config *config, struct error *error)
{
    if (!open_host(config, &config->host, error))
        return false;
    if (!add_metrics(config->host, config->expressions, config->count, NULL))
        return name_culprit(config, error);
    CUPTI_PARAMS(Profiler_Host_GetConfigImageSize, size, .pHostObject = config->host);
    if (!CUPTI_CALL(error, ProfilerHostGetConfigImageSize, &size) ||
        !cupti_blob_make(&config->image, size.configImageSize, "counter configuration", error))
        return false;
    CUpti_Profiler_Host_GetConfigImage_Params image = {
        .structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE,
        .pHostObject = config->host,
        .configImageSize = config->image.size,
        .pConfigImage = config->image.bytes,
    };
    return CUPTI_CALL(error, ProfilerHostGetConfigImage, &image);
}

bool cupti_config_evaluate(const struct cupti_config *config, const struct cupti_blob *data, size_t range,
                           double *values, struct error *error)
{
    CUpti_Profiler_Host_EvaluateToGpuValues_Params params = {
        .structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
        .pHostObject = config->host,
        .pCounterDataImage = data->bytes,
        .counterDataImageSize = data->size,
        .rangeIndex = range,
        .ppMetricNames = config->expressions,
        .numMetrics = config->count,
        .pMetricValues = values,
    };
    return CUPTI_CALL(error, ProfilerHostEvaluateToGpuValues, &params);
}

void cupti_config_finish(struct cupti_config *config)
{
    close_host(config->host);
    free(config->availability.bytes);
    free(config->image.bytes);
}
