// SPDX-License-Identifier: MIT
// Samples of the whole GPU at equal intervals, by CUPTI's PM sampling. Its times are of the clock of activity records.
//
// What CUPTI 13.0 did on an H200, and what follows from it: the first sample holds everything since the sampling
// before, so it and the next one are dropped. A full image of samples loses the rest silently, so there is room to
// spare. An overflow of the GPU's buffer gives no sample at all, and nothing more until sampling is enabled anew.
// SetConfig counts once each time that it is enabled.
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "device/cuda/cupti_config.h"
#include "device/cuda/cupti_counters.h"
#include "device/cuda/cupti_trace.h"

// Order of struct device_timeline_sample, from `cycles` on.
static const char *const metrics[] = {
    "sm__cycles_elapsed.sum",         "sm__cycles_active.sum",
    "sm__inst_executed_realtime.sum", "sm__thread_inst_executed_pred_on_realtime.sum",
    "sm__warps_active_realtime.sum",  "sm__warps_active_realtime.min",
    "sm__warps_active_realtime.max",  "dram__bytes_read.sum",
};
enum {
    METRICS = sizeof metrics / sizeof *metrics,
    DROPPED = 2,         // samples, at the beginning
    SHORTEST = 500,      // nanoseconds between two samples
    SAMPLE_BYTES = 8192, // of the GPU's buffer
    SLACK = 5000000,     // nanoseconds around the longest time asked for
};

struct cupti_timeline {
    bool tracing, running;
    uint64_t interval;
    uint32_t room; // samples that the image holds
    struct cupti_config config;
    CUpti_PmSampling_Object *sampler;
    struct cupti_blob data;
    struct device_timeline_sample *samples;
    size_t sample_count;
};

// ---- open and close

static bool cupti_timeline_stop(struct cupti_timeline *timeline, struct error *error)
{
    CUPTI_PARAMS(PmSampling_Stop, params, .pPmSamplingObject = timeline->sampler);
    timeline->running = false;
    return CUPTI_CALL(error, PmSamplingStop, &params);
}

static void switch_off(struct cupti_timeline *timeline)
{
    CUPTI_PARAMS(PmSampling_Disable, off, .pPmSamplingObject = timeline->sampler);
    if (timeline->running)
        (void)cupti_timeline_stop(timeline, NULL);
    if (timeline->sampler)
        (void)CUPTI_CALL(NULL, PmSamplingDisable, &off);
    if (timeline->tracing)
        cupti_trace_close();
}

static void timeline_finish(struct device *device, void *session)
{
    struct cupti_timeline *timeline = session;
    if (cupti_settle(device, NULL))
        switch_off(timeline);
    cupti_config_finish(&timeline->config); // its image must last until sampling is disabled
    free(timeline->data.bytes);
    free(timeline->samples);
}

bool cupti_timeline_open(struct device *device, struct error *error)
{
    struct cupti_timeline *timeline = cupti_begin(device, CUPTI_TIMELINE, sizeof *timeline, timeline_finish, error);
    if (!timeline)
        return false;
    timeline->tracing = cupti_trace_open(error);
    if (!timeline->tracing)
        cupti_end(device);
    return timeline->tracing;
}

// ---- what is sampled

static bool check_support(struct device *device, uint64_t interval, struct error *error)
{
    const struct cuda_device *cuda = cuda_device_of(device);
    const char *lacks = cupti_load(NULL)->timeline_lacks;
    CUPTI_PARAMS(Profiler_DeviceSupported, params, .cuDevice = cuda->handle, .api = CUPTI_PROFILER_PM_SAMPLING);
    if (lacks) {
        error_set(error, ERROR_UNAVAILABLE, "this CUPTI cannot sample a timeline: it has no %s", lacks);
        return error_remedy(error, "install CUPTI of CUDA 12.8 or newer (NVIDIA's package cuda-cupti-13-0)");
    }
    if (!CUPTI_CALL(error, ProfilerDeviceSupported, &params))
        return false;
    if (params.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return error_set(error, ERROR_UNSUPPORTED, "CUPTI cannot sample a timeline of %s", cuda->properties.name);
    return interval >= SHORTEST ||
           error_set(error, ERROR_UNSUPPORTED, "samples every %llu ns are closer than the %d ns that CUPTI bears",
                     (unsigned long long)interval, SHORTEST);
}

static bool read_availability(struct device *device, struct cupti_config *config, struct error *error)
{
    CUPTI_PARAMS(PmSampling_GetCounterAvailability, params, .deviceIndex = (size_t)cuda_device_of(device)->handle);
    if (!CUPTI_CALL(error, PmSamplingGetCounterAvailability, &params) ||
        !cupti_blob_make(&config->availability, params.counterAvailabilityImageSize, "counter availability", error))
        return false;
    params.pCounterAvailabilityImage = config->availability.bytes;
    return CUPTI_CALL(error, PmSamplingGetCounterAvailability, &params);
}

// A GPU that lacks a metric, or would want several passes, is none that a timeline can be sampled on.
static bool make_config(struct device *device, struct cupti_config *config, struct error *error)
{
    static const char *names[METRICS];
    for (size_t i = 0; i < METRICS; ++i)
        names[i] = metrics[i];
    config->type = CUPTI_PROFILER_TYPE_PM_SAMPLING;
    config->chip = cuda_device_of(device)->cupti->chip;
    config->expressions = names;
    config->count = METRICS;
    struct error cause = {0};
    CUPTI_PARAMS(Profiler_Host_GetNumOfPasses, passes, );
    if (!read_availability(device, config, error))
        return false;
    if (!cupti_config_make(config, &cause))
        return error_set(error, cause.kind == ERROR_USE ? ERROR_UNSUPPORTED : cause.kind, "%s", cause.message);
    passes.configImageSize = config->image.size;
    passes.pConfigImage = config->image.bytes;
    if (!CUPTI_CALL(error, ProfilerHostGetNumOfPasses, &passes))
        return false;
    return passes.numOfPasses == 1 ||
           error_set(error, ERROR_UNSUPPORTED, "%s samples a timeline's values only in %zu passes",
                     cuda_device_of(device)->properties.name, passes.numOfPasses);
}

static bool switch_on(struct device *device, struct cupti_timeline *timeline, struct error *error)
{
    CUPTI_PARAMS(PmSampling_Enable, on, .deviceIndex = (size_t)cuda_device_of(device)->handle);
    if (!CUPTI_CALL(error, PmSamplingEnable, &on))
        return false;
    timeline->sampler = on.pPmSamplingObject;
    CUpti_PmSampling_SetConfig_Params params = {
        .structSize = CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE,
        .pPmSamplingObject = timeline->sampler,
        .configSize = timeline->config.image.size,
        .pConfig = timeline->config.image.bytes,
        .hardwareBufferSize = (size_t)timeline->room * SAMPLE_BYTES,
        .samplingInterval = timeline->interval,
        .triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL,
        .hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST,
    };
    return CUPTI_CALL(error, PmSamplingSetConfig, &params);
}

static bool make_data(struct cupti_timeline *timeline, struct error *error)
{
    CUpti_PmSampling_GetCounterDataSize_Params params = {
        .structSize = CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE,
        .pPmSamplingObject = timeline->sampler,
        .pMetricNames = timeline->config.expressions,
        .numMetrics = METRICS,
        .maxSamples = timeline->room,
    };
    timeline->samples = calloc(timeline->room, sizeof *timeline->samples);
    if (!timeline->samples)
        return error_set(error, ERROR_SYSTEM, "no memory for %u samples", (unsigned)timeline->room);
    return CUPTI_CALL(error, PmSamplingGetCounterDataSize, &params) &&
           cupti_blob_make(&timeline->data, params.counterDataSize, "samples", error);
}

// Long before a start: it touches so much memory that the host's caches are cold behind it, and what it launches late.
static bool empty_data(const struct cupti_timeline *timeline, struct error *error)
{
    CUpti_PmSampling_CounterDataImage_Initialize_Params params = {
        .structSize = CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE,
        .pPmSamplingObject = timeline->sampler,
        .counterDataSize = timeline->data.size,
        .pCounterData = timeline->data.bytes,
    };
    return CUPTI_CALL(error, PmSamplingCounterDataImageInitialize, &params);
}

bool cupti_timeline_prepare(struct device *device, uint64_t interval, uint64_t longest, struct error *error)
{
    struct cupti_timeline *timeline = cupti_session(device, CUPTI_TIMELINE, error);
    if (!timeline || timeline->sampler)
        return timeline && error_set(error, ERROR_USE, "a timeline is prepared twice");
    if (!check_support(device, interval, error))
        return false;
    timeline->interval = interval;
    timeline->room = (uint32_t)ceil(1.3 * ((double)longest + SLACK) / (double)interval) + 2 * DROPPED;
    return cupti_settle(device, error) && make_config(device, &timeline->config, error) &&
           switch_on(device, timeline, error) && make_data(timeline, error) && empty_data(timeline, error);
}

// ---- samples

// Awake: a processor that slept would launch late what is to be sampled.
static void wait_samples(const struct cupti_timeline *timeline, unsigned count)
{
    const double until = clock_seconds() + 1e-9 * (double)(count * timeline->interval);
    while (clock_seconds() < until)
        ;
}

bool cupti_timeline_begin(struct device *device, bool sample, struct error *error)
{
    struct cupti_timeline *timeline = cupti_session(device, CUPTI_TIMELINE, error);
    if (!timeline || timeline->running || (sample && !timeline->sampler))
        return timeline && error_set(error, ERROR_USE, "a timeline begins unprepared, or twice");
    timeline->sample_count = 0;
    if (!cupti_settle(device, error) || !cupti_trace_forget(error))
        return false;
    if (!sample)
        return true;
    CUPTI_PARAMS(PmSampling_Start, start, .pPmSamplingObject = timeline->sampler);
    timeline->running = CUPTI_CALL(error, PmSamplingStart, &start);
    if (timeline->running)
        wait_samples(timeline, DROPPED + 1);
    return timeline->running;
}

static bool cupti_timeline_decode(struct cupti_timeline *timeline, struct error *error)
{
    CUpti_PmSampling_DecodeData_Params params = {
        .structSize = CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE,
        .pPmSamplingObject = timeline->sampler,
        .pCounterDataImage = timeline->data.bytes,
        .counterDataImageSize = timeline->data.size,
    };
    const CUptiResult result = cupti_load(NULL)->PmSamplingDecodeData(&params);
    const bool all = !params.overflow && params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
    if (result != CUPTI_ERROR_OUT_OF_MEMORY && (result != CUPTI_SUCCESS || all))
        return cupti_check(result, "cuptiPmSamplingDecodeData", __FILE__, __LINE__, error);
    error_set(error, ERROR_FAILED, "the GPU took more samples than its buffer for %u holds", (unsigned)timeline->room);
    return error_remedy(error, "sample less often, or in shorter windows: interval and window of `timeline`");
}

static bool read_sample(const struct cupti_timeline *timeline, size_t index, struct device_timeline_sample *sample,
                        struct error *error)
{
    double values[METRICS];
    CUpti_PmSampling_CounterData_GetSampleInfo_Params params = {
        .structSize = CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE,
        .pPmSamplingObject = timeline->sampler,
        .pCounterDataImage = timeline->data.bytes,
        .counterDataImageSize = timeline->data.size,
        .sampleIndex = index,
    };
    if (!CUPTI_CALL(error, PmSamplingCounterDataGetSampleInfo, &params) ||
        !cupti_config_evaluate(&timeline->config, &timeline->data, index, values, error))
        return false;
    for (size_t i = 0; i < METRICS; ++i)
        if (!(values[i] >= 0))
            return error_set(error, ERROR_FAILED, "CUPTI gives no %s of a sample", metrics[i]);
    *sample = (struct device_timeline_sample){
        params.startTimestamp, params.endTimestamp, (uint64_t)values[0], (uint64_t)values[1], (uint64_t)values[2],
        (uint64_t)values[3],   (uint64_t)values[4], (uint64_t)values[5], (uint64_t)values[6], (uint64_t)values[7],
    };
    return true;
}

static bool read_samples(struct cupti_timeline *timeline, struct error *error)
{
    CUpti_PmSampling_GetCounterDataInfo_Params info = {
        .structSize = CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE,
        .pCounterDataImage = timeline->data.bytes,
        .counterDataImageSize = timeline->data.size,
    };
    if (!CUPTI_CALL(error, PmSamplingGetCounterDataInfo, &info))
        return false;
    if (info.numCompletedSamples > timeline->room)
        return error_set(error, ERROR_FAILED, "CUPTI gives %zu samples where there is room for %u",
                         info.numCompletedSamples, (unsigned)timeline->room);
    for (size_t i = DROPPED; i < info.numCompletedSamples; ++i)
        if (!read_sample(timeline, i, &timeline->samples[timeline->sample_count++], error))
            return false;
    return true;
}

bool cupti_timeline_end(struct device *device, struct device_timeline *taken, struct error *error)
{
    struct cupti_timeline *timeline = cupti_session(device, CUPTI_TIMELINE, error);
    if (!timeline || !cupti_settle(device, error))
        return false;
    if (timeline->running) {
        wait_samples(timeline, DROPPED);
        if (!cupti_timeline_stop(timeline, error) || !cupti_timeline_decode(timeline, error) ||
            !read_samples(timeline, error) || !empty_data(timeline, error))
            return false;
    }
    *taken = (struct device_timeline){.samples = timeline->samples, .sample_count = timeline->sample_count};
    return cupti_trace_take(&taken->kernels, &taken->kernel_count, error);
}
