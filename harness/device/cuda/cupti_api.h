// SPDX-License-Identifier: MIT
// CUPTI: its own headers, and a table of its functions, loaded when first asked for. Nothing else of the backend needs
// it; a machine without it runs everything but counters.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_pcsampling.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h> // wants <string>, found in c_only/
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include "base/error.h"

// ENTRY(field): the function cupti##field.
#define CUPTI_ENTRIES(ENTRY)                                                                                           \
    ENTRY(GetResultString)                                                                                             \
    ENTRY(ProfilerInitialize)                                                                                          \
    ENTRY(ProfilerDeviceSupported)                                                                                     \
    ENTRY(ProfilerGetCounterAvailability)                                                                              \
    ENTRY(DeviceGetChipName)                                                                                           \
    ENTRY(ProfilerHostInitialize)                                                                                      \
    ENTRY(ProfilerHostDeinitialize)                                                                                    \
    ENTRY(ProfilerHostConfigAddMetrics)                                                                                \
    ENTRY(ProfilerHostGetConfigImageSize)                                                                              \
    ENTRY(ProfilerHostGetConfigImage)                                                                                  \
    ENTRY(ProfilerHostEvaluateToGpuValues)                                                                             \
    ENTRY(RangeProfilerEnable)                                                                                         \
    ENTRY(RangeProfilerDisable)                                                                                        \
    ENTRY(RangeProfilerSetConfig)                                                                                      \
    ENTRY(RangeProfilerStart)                                                                                          \
    ENTRY(RangeProfilerStop)                                                                                           \
    ENTRY(RangeProfilerPushRange)                                                                                      \
    ENTRY(RangeProfilerPopRange)                                                                                       \
    ENTRY(RangeProfilerDecodeData)                                                                                     \
    ENTRY(RangeProfilerGetCounterDataSize)                                                                             \
    ENTRY(RangeProfilerCounterDataImageInitialize)                                                                     \
    ENTRY(RangeProfilerGetCounterDataInfo)                                                                             \
    ENTRY(RangeProfilerCounterDataGetRangeInfo)                                                                        \
    ENTRY(SassMetricsGetProperties)                                                                                    \
    ENTRY(SassMetricsSetConfig)                                                                                        \
    ENTRY(SassMetricsEnable)                                                                                           \
    ENTRY(SassMetricsDisable)                                                                                          \
    ENTRY(SassMetricsGetDataProperties)                                                                                \
    ENTRY(SassMetricsFlushData)                                                                                        \
    ENTRY(PCSamplingEnable)                                                                                            \
    ENTRY(PCSamplingDisable)                                                                                           \
    ENTRY(PCSamplingSetConfigurationAttribute)                                                                         \
    ENTRY(PCSamplingStart)                                                                                             \
    ENTRY(PCSamplingStop)                                                                                              \
    ENTRY(PCSamplingGetData)                                                                                           \
    ENTRY(PCSamplingGetNumStallReasons)                                                                                \
    ENTRY(PCSamplingGetStallReasons)                                                                                   \
    ENTRY(GetSassToSourceCorrelation)                                                                                  \
    ENTRY(GetCubinCrc)                                                                                                 \
    ENTRY(ActivityRegisterCallbacks)                                                                                   \
    ENTRY(ActivityEnable)                                                                                              \
    ENTRY(ActivityDisable)                                                                                             \
    ENTRY(ActivityFlushAll)                                                                                            \
    ENTRY(ActivityGetNextRecord)                                                                                       \
    ENTRY(ActivityGetNumDroppedRecords)
// What only the timeline wants: NULL where the library is too old for it.
#define CUPTI_TIMELINE_ENTRIES(ENTRY)                                                                                  \
    ENTRY(ProfilerHostGetNumOfPasses)                                                                                  \
    ENTRY(PmSamplingGetCounterAvailability)                                                                            \
    ENTRY(PmSamplingEnable)                                                                                            \
    ENTRY(PmSamplingDisable)                                                                                           \
    ENTRY(PmSamplingSetConfig)                                                                                         \
    ENTRY(PmSamplingStart)                                                                                             \
    ENTRY(PmSamplingStop)                                                                                              \
    ENTRY(PmSamplingDecodeData)                                                                                        \
    ENTRY(PmSamplingGetCounterDataSize)                                                                                \
    ENTRY(PmSamplingCounterDataImageInitialize)                                                                        \
    ENTRY(PmSamplingGetCounterDataInfo)                                                                                \
    ENTRY(PmSamplingCounterDataGetSampleInfo)

#define CUPTI_ENTRY_FIELD(field) __typeof__(cupti##field) *field;
struct cupti {
    CUPTI_ENTRIES(CUPTI_ENTRY_FIELD)
    CUPTI_TIMELINE_ENTRIES(CUPTI_ENTRY_FIELD)
    const char *timeline_lacks; // the first of those that is NULL; NULL where all are there
};
#undef CUPTI_ENTRY_FIELD

// Loaded once, from any thread; NULL, with the reason and a remedy in `error` (which may be NULL), where it cannot be.
// Sought in $WARPSTUDY_CUPTI (a file), the loader's path, and lib64 and extras/CUPTI/lib64 of $CUDA_HOME and of
// /usr/local/cuda.
const struct cupti *cupti_load(struct error *error);

// CUPTI_CALL(error, field, &params): calls cupti##field once; on failure sets an error with the call, its place and
// CUPTI's words, and is false. Use it only after cupti_load succeeded.
#define CUPTI_CALL(error, field, ...)                                                                                  \
    cupti_check(cupti_load(NULL)->field(__VA_ARGS__), "cupti" #field, __FILE__, __LINE__, (error))
bool cupti_check(CUptiResult result, const char *call, const char *file, int line, struct error *error);

// CUPTI_PARAMS(Call, name, .member = value, ...): the parameters of a call, as a variable; members that are not named are
// zero, but for its size.
#define CUPTI_PARAMS(call, name, ...)                                                                                  \
    CUpti_##call##_Params name = {.structSize = CUpti_##call##_Params_STRUCT_SIZE, __VA_ARGS__}
