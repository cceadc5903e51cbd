// SPDX-License-Identifier: MIT
// Metrics over ranges: CUPTI's range profiler with ranges and passes of the caller's (user ranges, user replay), so
// that nothing saves and restores device memory behind the caches' back.
#include "device/cuda/cupti_counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blob {
    uint8_t *bytes;
    size_t size;
};

struct device_profile {
    struct device *device;
    const char **expressions; // copies
    size_t count;
    uint32_t ranges, pushed; // the most a pass pushes; those of this pass
    bool started, decoded;
    CUpti_Profiler_Host_Object *host;
    CUpti_RangeProfiler_Object *profiler;
    struct blob availability, config, data;
};

static bool blob_init(struct blob *blob, size_t size, const char *what, struct error *error)
{
    blob->bytes = calloc(1, size ? size : 1);
    blob->size = size;
    return blob->bytes || error_set(error, ERROR_SYSTEM, "no memory for %zu bytes of %s", size, what);
}

// ---- the host's part: what to collect

// What this GPU, as it is set up, can count.
static bool read_availability(struct device_profile *profile, struct error *error)
{
    CUpti_Profiler_GetCounterAvailability_Params params = {
        .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE,
        .ctx = cuda_device_of(profile->device)->context,
    };
    if (!CUPTI_CALL(error, ProfilerGetCounterAvailability, &params) ||
        !blob_init(&profile->availability, params.counterAvailabilityImageSize, "counter availability", error))
        return false;
    params.pCounterAvailabilityImage = profile->availability.bytes;
    return CUPTI_CALL(error, ProfilerGetCounterAvailability, &params);
}

static bool open_host(const struct device_profile *profile, CUpti_Profiler_Host_Object **host, struct error *error)
{
    CUpti_Profiler_Host_Initialize_Params params = {
        .structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE,
        .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER,
        .pChipName = cuda_device_of(profile->device)->cupti->chip,
        .pCounterAvailabilityImage = profile->availability.bytes,
    };
    const bool done = CUPTI_CALL(error, ProfilerHostInitialize, &params);
    *host = params.pHostObject;
    return done;
}

static void close_host(CUpti_Profiler_Host_Object *host)
{
    CUpti_Profiler_Host_Deinitialize_Params params = {
        .structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE,
        .pHostObject = host,
    };
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
static bool name_culprit(const struct device_profile *profile, struct error *error)
{
    for (size_t i = 0; i < profile->count; ++i) {
        CUpti_Profiler_Host_Object *host = NULL;
        if (!open_host(profile, &host, error))
            return false;
        const bool known = add_metrics(host, &profile->expressions[i], 1, NULL);
        close_host(host);
        if (known)
            continue;
        error_set(error, ERROR_USE, "this device has no metric \"%.200s\"", profile->expressions[i]);
        return error_remedy(error, "`ncu --query-metrics-mode all --query-metrics` lists the names; one ends in what "
                                   "is made of it: .sum, .avg.per_second, .pct, .ratio");
    }
    return error_set(error, ERROR_FAILED, "CUPTI refuses these %zu metrics together", profile->count);
}

static bool make_config(struct device_profile *profile, struct error *error)
{
    if (!read_availability(profile, error) || !open_host(profile, &profile->host, error))
        return false;
    if (!add_metrics(profile->host, profile->expressions, profile->count, NULL))
        return name_culprit(profile, error);
    CUpti_Profiler_Host_GetConfigImageSize_Params size = {
        .structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE,
        .pHostObject = profile->host,
    };
    if (!CUPTI_CALL(error, ProfilerHostGetConfigImageSize, &size) ||
        !blob_init(&profile->config, size.configImageSize, "counter configuration", error))
        return false;
    CUpti_Profiler_Host_GetConfigImage_Params image = {
        .structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE,
        .pHostObject = profile->host,
        .configImageSize = profile->config.size,
        .pConfigImage = profile->config.bytes,
    };
    return CUPTI_CALL(error, ProfilerHostGetConfigImage, &image);
}

// ---- the device's part: collecting it

static bool make_data(struct device_profile *profile, struct error *error)
{
    CUpti_RangeProfiler_GetCounterDataSize_Params size = {
        .structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
        .pMetricNames = profile->expressions,
        .numMetrics = profile->count,
        .maxNumOfRanges = profile->ranges,
        .maxNumRangeTreeNodes = profile->ranges,
    };
    if (!CUPTI_CALL(error, RangeProfilerGetCounterDataSize, &size) ||
        !blob_init(&profile->data, size.counterDataSize, "counter values", error))
        return false;
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params start = {
        .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
        .counterDataSize = profile->data.size,
        .pCounterData = profile->data.bytes,
    };
    return CUPTI_CALL(error, RangeProfilerCounterDataImageInitialize, &start);
}

static bool switch_on(struct device_profile *profile, struct error *error)
{
    CUpti_RangeProfiler_Enable_Params on = {
        .structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE,
        .ctx = cuda_device_of(profile->device)->context,
    };
    if (!CUPTI_CALL(error, RangeProfilerEnable, &on))
        return false;
    profile->profiler = on.pRangeProfilerObject;
    if (!make_data(profile, error))
        return false;
    CUpti_RangeProfiler_SetConfig_Params config = {
        .structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
        .configSize = profile->config.size,
        .pConfig = profile->config.bytes,
        .counterDataImageSize = profile->data.size,
        .pCounterDataImage = profile->data.bytes,
        .range = CUPTI_UserRange,
        .replayMode = CUPTI_UserReplay,
        .maxRangesPerPass = profile->ranges,
        .numNestingLevels = 1,
        .minNestingLevel = 1,
        .passIndex = 0,
        .targetNestingLevel = 1,
    };
    return CUPTI_CALL(error, RangeProfilerSetConfig, &config);
}

static bool copy_expressions(struct device_profile *profile, const char *const *expressions, struct error *error)
{
    profile->expressions = calloc(profile->count, sizeof *profile->expressions);
    bool done = profile->expressions != NULL;
    for (size_t i = 0; done && i < profile->count; ++i)
        done = (profile->expressions[i] = strdup(expressions[i])) != NULL;
    return done || error_set(error, ERROR_SYSTEM, "no memory for the names of metrics");
}

struct device_profile *cupti_profile_create(struct device *device, const char *const *expressions, size_t count,
                                            uint32_t ranges, struct error *error)
{
    if (count == 0 || ranges == 0) {
        error_set(error, ERROR_USE, "a profile wants at least one metric and one range");
        return NULL;
    }
    if (!cupti_claim(device, CUPTI_PROFILE, error))
        return NULL;
    struct device_profile *profile = calloc(1, sizeof *profile);
    if (!profile) {
        cupti_unclaim(device);
        error_set(error, ERROR_SYSTEM, "no memory for a profile");
        return NULL;
    }
    profile->device = device;
    profile->count = count;
    profile->ranges = ranges;
    if (copy_expressions(profile, expressions, error) && make_config(profile, error) && switch_on(profile, error))
        return profile;
    cupti_profile_destroy(profile);
    return NULL;
}

bool cupti_profile_begin_pass(struct device_profile *profile, struct error *error)
{
    CUpti_RangeProfiler_Start_Params params = {
        .structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
    };
    profile->pushed = 0;
    if (!cuda_enter(profile->device, error))
        return false;
    profile->started = CUPTI_CALL(error, RangeProfilerStart, &params);
    return profile->started;
}

// Ranges are named by their place in the pass.
bool cupti_profile_push(struct device_profile *profile, struct error *error)
{
    char name[16];
    if (profile->pushed == profile->ranges)
        return error_set(error, ERROR_USE, "a pass of this profile has %u ranges at most", (unsigned)profile->ranges);
    snprintf(name, sizeof name, "%u", (unsigned)profile->pushed++);
    CUpti_RangeProfiler_PushRange_Params params = {
        .structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
        .pRangeName = name,
    };
    return CUPTI_CALL(error, RangeProfilerPushRange, &params);
}

bool cupti_profile_pop(struct device_profile *profile, struct error *error)
{
    CUpti_RangeProfiler_PopRange_Params params = {
        .structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
    };
    return CUPTI_CALL(error, RangeProfilerPopRange, &params);
}

static bool stop(struct device_profile *profile, bool *complete, struct error *error)
{
    CUpti_RangeProfiler_Stop_Params params = {
        .structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
    };
    const bool done = CUPTI_CALL(error, RangeProfilerStop, &params);
    profile->started = false;
    *complete = done && params.isAllPassSubmitted;
    return done;
}

static bool decode(struct device_profile *profile, struct error *error)
{
    CUpti_RangeProfiler_DecodeData_Params params = {
        .structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
    };
    if (!CUPTI_CALL(error, RangeProfilerDecodeData, &params))
        return false;
    if (params.numOfRangeDropped)
        return error_set(error, ERROR_FAILED, "CUPTI lost %zu of %u ranges", params.numOfRangeDropped,
                         (unsigned)profile->pushed);
    profile->decoded = true;
    return true;
}

bool cupti_profile_end_pass(struct device_profile *profile, bool *complete, struct error *error)
{
    return cupti_settle(profile->device, error) && stop(profile, complete, error) &&
           (!*complete || decode(profile, error));
}

// ---- values

// Which push the range at `index` of the data stands for.
static bool range_place(const struct device_profile *profile, size_t index, uint32_t *place, struct error *error)
{
    CUpti_RangeProfiler_CounterData_GetRangeInfo_Params params = {
        .structSize = CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE,
        .pCounterDataImage = profile->data.bytes,
        .counterDataImageSize = profile->data.size,
        .rangeIndex = index,
        .rangeDelimiter = "/",
    };
    if (!CUPTI_CALL(error, RangeProfilerCounterDataGetRangeInfo, &params))
        return false;
    char *end = NULL;
    const unsigned long named = params.rangeName ? strtoul(params.rangeName, &end, 10) : 0;
    *place = (uint32_t)named;
    return (end && end > params.rangeName && *end == 0 && named < profile->pushed) ||
           error_set(error, ERROR_FAILED, "CUPTI names a range \"%.40s\" that was never pushed",
                     params.rangeName ? params.rangeName : "");
}

static bool read_range(const struct device_profile *profile, size_t index, double *values, uint32_t ranges,
                       struct error *error)
{
    uint32_t place;
    if (!range_place(profile, index, &place, error))
        return false;
    if (place >= ranges)
        return true;
    CUpti_Profiler_Host_EvaluateToGpuValues_Params params = {
        .structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
        .pHostObject = profile->host,
        .pCounterDataImage = profile->data.bytes,
        .counterDataImageSize = profile->data.size,
        .rangeIndex = index,
        .ppMetricNames = profile->expressions,
        .numMetrics = profile->count,
        .pMetricValues = values + place * profile->count,
    };
    return CUPTI_CALL(error, ProfilerHostEvaluateToGpuValues, &params);
}

bool cupti_profile_values(struct device_profile *profile, double *values, uint32_t ranges, struct error *error)
{
    if (!profile->decoded)
        return error_set(error, ERROR_USE, "the values of a profile are asked for before its last pass");
    CUpti_RangeProfiler_GetCounterDataInfo_Params info = {
        .structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE,
        .pCounterDataImage = profile->data.bytes,
        .counterDataImageSize = profile->data.size,
    };
    if (!CUPTI_CALL(error, RangeProfilerGetCounterDataInfo, &info))
        return false;
    for (size_t i = 0; i < ranges * profile->count; ++i)
        values[i] = NAN;
    for (size_t i = 0; i < info.numTotalRanges; ++i)
        if (!read_range(profile, i, values, ranges, error))
            return false;
    return true;
}

// ---- the end

void cupti_profile_destroy(struct device_profile *profile)
{
    if (!profile)
        return;
    bool complete;
    if (profile->started)
        (void)stop(profile, &complete, NULL);
    CUpti_RangeProfiler_Disable_Params off = {
        .structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
    };
    if (profile->profiler && cuda_enter(profile->device, NULL))
        (void)CUPTI_CALL(NULL, RangeProfilerDisable, &off);
    close_host(profile->host);
    for (size_t i = 0; profile->expressions && i < profile->count; ++i)
        free((char *)(uintptr_t)profile->expressions[i]);
    free(profile->expressions);
    free(profile->availability.bytes);
    free(profile->config.bytes);
    free(profile->data.bytes);
    cupti_unclaim(profile->device);
    free(profile);
}
