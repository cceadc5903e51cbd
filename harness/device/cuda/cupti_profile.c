// SPDX-License-Identifier: MIT
// Metrics over ranges: CUPTI's range profiler with ranges and passes of the caller's (user ranges, user replay), so
// that nothing saves and restores device memory behind the caches' back.
#include "device/cuda/cupti_config.h"
#include "device/cuda/cupti_counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct device_profile {
    struct device *device;
    uint32_t ranges, pushed; // the most a pass pushes; those of this pass
    bool started, decoded;
    struct cupti_config config; // its expressions are copies
    CUpti_RangeProfiler_Object *profiler;
    struct cupti_blob data;
};

// ---- the host's part: what to collect

// What this GPU, as it is set up, can count.
static bool read_availability(struct device_profile *profile, struct error *error)
{
    CUPTI_PARAMS(Profiler_GetCounterAvailability, params, .ctx = cuda_device_of(profile->device)->context);
    if (!CUPTI_CALL(error, ProfilerGetCounterAvailability, &params) ||
        !cupti_blob_make(&profile->config.availability, params.counterAvailabilityImageSize, "counter availability",
                         error))
        return false;
    params.pCounterAvailabilityImage = profile->config.availability.bytes;
    return CUPTI_CALL(error, ProfilerGetCounterAvailability, &params);
}

static bool make_config(struct device_profile *profile, struct error *error)
{
    profile->config.type = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    profile->config.chip = cuda_device_of(profile->device)->cupti->chip;
    return read_availability(profile, error) && cupti_config_make(&profile->config, error);
}

// ---- the device's part: collecting it

static bool make_data(struct device_profile *profile, struct error *error)
{
    CUpti_RangeProfiler_GetCounterDataSize_Params size = {
        .structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
        .pMetricNames = profile->config.expressions,
        .numMetrics = profile->config.count,
        .maxNumOfRanges = profile->ranges,
        .maxNumRangeTreeNodes = profile->ranges,
    };
    if (!CUPTI_CALL(error, RangeProfilerGetCounterDataSize, &size) ||
        !cupti_blob_make(&profile->data, size.counterDataSize, "counter values", error))
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
    CUPTI_PARAMS(RangeProfiler_Enable, on, .ctx = cuda_device_of(profile->device)->context);
    if (!CUPTI_CALL(error, RangeProfilerEnable, &on))
        return false;
    profile->profiler = on.pRangeProfilerObject;
    if (!make_data(profile, error))
        return false;
    CUpti_RangeProfiler_SetConfig_Params config = {
        .structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
        .pRangeProfilerObject = profile->profiler,
        .configSize = profile->config.image.size,
        .pConfig = profile->config.image.bytes,
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

struct device_profile *cupti_profile_create(struct device *device, const char *const *expressions, size_t count,
                                            uint32_t ranges, struct error *error)
{
    if (count == 0 || ranges == 0) {
        error_set(error, ERROR_USE, "a profile wants at least one metric and one range");
        return NULL;
    }
    if (!cupti_claim(device, CUPTI_PROFILE, error))
        return NULL;
    struct device_profile *profile = memory_new(1, sizeof *profile);
    profile->device = device;
    profile->config.count = count;
    profile->ranges = ranges;
    profile->config.expressions = memory_new(count, sizeof *profile->config.expressions);
    for (size_t i = 0; i < count; ++i)
        profile->config.expressions[i] = memory_copy(expressions[i]);
    if (make_config(profile, error) && switch_on(profile, error))
        return profile;
    cupti_profile_destroy(profile);
    return NULL;
}

bool cupti_profile_begin_pass(struct device_profile *profile, struct error *error)
{
    CUPTI_PARAMS(RangeProfiler_Start, params, .pRangeProfilerObject = profile->profiler);
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
    CUPTI_PARAMS(RangeProfiler_PushRange, params, .pRangeProfilerObject = profile->profiler, .pRangeName = name);
    return CUPTI_CALL(error, RangeProfilerPushRange, &params);
}

bool cupti_profile_pop(struct device_profile *profile, struct error *error)
{
    CUPTI_PARAMS(RangeProfiler_PopRange, params, .pRangeProfilerObject = profile->profiler);
    return CUPTI_CALL(error, RangeProfilerPopRange, &params);
}

static bool cupti_profile_stop(struct device_profile *profile, bool *complete, struct error *error)
{
    CUPTI_PARAMS(RangeProfiler_Stop, params, .pRangeProfilerObject = profile->profiler);
    const bool done = CUPTI_CALL(error, RangeProfilerStop, &params);
    profile->started = false;
    *complete = done && params.isAllPassSubmitted;
    return done;
}

static bool cupti_profile_decode(struct device_profile *profile, struct error *error)
{
    CUPTI_PARAMS(RangeProfiler_DecodeData, params, .pRangeProfilerObject = profile->profiler);
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
    return cupti_settle(profile->device, error) && cupti_profile_stop(profile, complete, error) &&
           (!*complete || cupti_profile_decode(profile, error));
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
    return cupti_config_evaluate(&profile->config, &profile->data, index, values + place * profile->config.count,
                                 error);
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
    for (size_t i = 0; i < ranges * profile->config.count; ++i)
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
        (void)cupti_profile_stop(profile, &complete, NULL);
    CUPTI_PARAMS(RangeProfiler_Disable, off, .pRangeProfilerObject = profile->profiler);
    if (profile->profiler && cuda_enter(profile->device, NULL))
        (void)CUPTI_CALL(NULL, RangeProfilerDisable, &off);
    for (size_t i = 0; i < profile->config.count; ++i)
        free((char *)(uintptr_t)profile->config.expressions[i]);
    free(profile->config.expressions);
    cupti_config_finish(&profile->config);
    free(profile->data.bytes);
    cupti_unclaim(profile->device);
    free(profile);
}
