// SPDX-License-Identifier: MIT
// Sampled stall reasons: CUPTI's PC sampling, kernels one after another.
//
// Every 2^STALL_PERIOD cycles each multiprocessor looks at one of its warps and notes where it stands and why it does
// not issue. Of CUPTI's two counts of a reason the one of all samples is taken; the other, "..._not_issued" (samples in
// whose cycle the scheduler issued nothing at all), is left out, so that a sample is counted once and the reasons add
// up.
#include "device/cuda/backend.h"
#include "device/cuda/cupti_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    STALL_PERIOD = 10, // 1024 cycles: about 2 samples a microsecond and multiprocessor
    STALL_ROWS = 4096, // program counters that are fetched at once
};
static const char reason_prefix[] = "smsp__pcsamp_warps_issue_stalled_", not_issued_suffix[] = "_not_issued";

struct stall_reason {
    uint32_t index;
    const char *name; // without prefix
};

// What is visited, while it is summed. The texts belong to images, reasons and `names`.
struct stall_list {
    struct device_stall *items;
    size_t count;
};

struct stall_buffer {
    CUpti_PCSamplingPCData *rows;
    CUpti_PCSamplingStallReason *reasons; // as many for each row as are sampled
    CUpti_PCSamplingData data;
};

struct cupti_stalls {
    bool enabled, running;
    size_t reason_count, wanted_count;
    uint32_t *indices;                     // of all reasons, as CUPTI numbers them
    char *texts, **names;                  // of all reasons, with prefix; `names` points into `texts`
    uint32_t *wanted_indices;              // of those that are sampled
    struct stall_reason *wanted;           // the same
    struct stall_buffer gathered, fetched; // CUPTI's while it samples; ours
};

// ---- reasons

static bool ends_with(const char *text, const char *suffix)
{
    const size_t all = strlen(text), tail = strlen(suffix);
    return all >= tail && strcmp(text + all - tail, suffix) == 0;
}

static void choose_reasons(struct cupti_stalls *stalls)
{
    const size_t prefix = strlen(reason_prefix);
    for (size_t i = 0; i < stalls->reason_count; ++i) {
        const char *name = stalls->names[i];
        if (strncmp(name, reason_prefix, prefix) != 0 || ends_with(name, not_issued_suffix))
            continue;
        stalls->wanted_indices[stalls->wanted_count] = stalls->indices[i];
        stalls->wanted[stalls->wanted_count++] = (struct stall_reason){stalls->indices[i], name + prefix};
    }
}

static bool list_reasons(struct cupti_stalls *stalls, CUcontext context, struct error *error)
{
    CUpti_PCSamplingGetNumStallReasonsParams number = {
        .size = CUpti_PCSamplingGetNumStallReasonsParamsSize,
        .ctx = context,
        .numStallReasons = &stalls->reason_count,
    };
    if (!CUPTI_CALL(error, PCSamplingGetNumStallReasons, &number))
        return false;
    const size_t count = stalls->reason_count;
    stalls->indices = memory_new(count, sizeof *stalls->indices);
    stalls->texts = memory_new(count, CUPTI_STALL_REASON_STRING_SIZE);
    stalls->names = memory_new(count, sizeof *stalls->names);
    stalls->wanted_indices = memory_new(count, sizeof *stalls->wanted_indices);
    stalls->wanted = memory_new(count, sizeof *stalls->wanted);
    for (size_t i = 0; i < count; ++i)
        stalls->names[i] = stalls->texts + i * CUPTI_STALL_REASON_STRING_SIZE;
    CUpti_PCSamplingGetStallReasonsParams params = {
        .size = CUpti_PCSamplingGetStallReasonsParamsSize,
        .ctx = context,
        .numStallReasons = count,
        .stallReasonIndex = stalls->indices,
        .stallReasons = stalls->names,
    };
    if (!CUPTI_CALL(error, PCSamplingGetStallReasons, &params))
        return false;
    choose_reasons(stalls);
    return true;
}

// ---- begin and end

static void buffer_init(struct stall_buffer *buffer, size_t reasons)
{
    buffer->rows = memory_new(STALL_ROWS, sizeof *buffer->rows);
    buffer->reasons = memory_new(STALL_ROWS * reasons, sizeof *buffer->reasons);
    for (size_t i = 0; i < STALL_ROWS; ++i) {
        buffer->rows[i].size = sizeof *buffer->rows;
        buffer->rows[i].stallReason = buffer->reasons + i * reasons;
    }
    buffer->data = (CUpti_PCSamplingData){
        .size = sizeof buffer->data,
        .collectNumPcs = STALL_ROWS,
        .pPcData = buffer->rows,
    };
}

static void buffer_finish(struct stall_buffer *buffer)
{
    free(buffer->rows);
    free(buffer->reasons);
}

static bool cupti_stalls_configure(struct cupti_stalls *stalls, CUcontext context, struct error *error)
{
    CUpti_PCSamplingConfigurationInfo settings[] = {
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
         .attributeData.samplingPeriodData.samplingPeriod = STALL_PERIOD},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON,
         .attributeData.stallReasonData = {stalls->wanted_count, stalls->wanted_indices}},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE,
         .attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL,
         .attributeData.enableStartStopControlData.enableStartStopControl = 1},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT,
         .attributeData.outputDataFormatData.outputDataFormat = CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER,
         .attributeData.samplingDataBufferData.samplingDataBuffer = &stalls->gathered.data},
    };
    CUpti_PCSamplingConfigurationInfoParams params = {
        .size = CUpti_PCSamplingConfigurationInfoParamsSize,
        .ctx = context,
        .numAttributes = sizeof settings / sizeof *settings,
        .pPCSamplingConfigurationInfo = settings,
    };
    return CUPTI_CALL(error, PCSamplingSetConfigurationAttribute, &params);
}

// CUPTI gives nothing of a hardware buffer that ran over, not even how much it was.
static bool check_samples(CUptiResult result, const char *call, struct error *error)
{
    if (result != CUPTI_ERROR_OUT_OF_MEMORY)
        return cupti_check(result, call, __FILE__, __LINE__, error);
    error_set(error, ERROR_FAILED, "more samples than the GPU's buffer of 512 MB holds");
    return error_remedy(error, "sample shorter work at a time: a smaller image or fewer bounces");
}

static bool cupti_stalls_start(struct cupti_stalls *stalls, CUcontext context, struct error *error)
{
    CUpti_PCSamplingStartParams params = {.size = CUpti_PCSamplingStartParamsSize, .ctx = context};
    stalls->running = CUPTI_CALL(error, PCSamplingStart, &params);
    return stalls->running;
}

static bool cupti_stalls_stop(struct cupti_stalls *stalls, CUcontext context, struct error *error)
{
    CUpti_PCSamplingStopParams params = {.size = CUpti_PCSamplingStopParamsSize, .ctx = context};
    stalls->running = false;
    return check_samples(cupti_load(NULL)->PCSamplingStop(&params), "cuptiPCSamplingStop", error);
}

static bool switch_on(struct cupti_stalls *stalls, CUcontext context, struct error *error)
{
    CUpti_PCSamplingEnableParams on = {.size = CUpti_PCSamplingEnableParamsSize, .ctx = context};
    stalls->enabled = CUPTI_CALL(error, PCSamplingEnable, &on);
    if (!stalls->enabled || !list_reasons(stalls, context, error))
        return false;
    buffer_init(&stalls->gathered, stalls->wanted_count);
    buffer_init(&stalls->fetched, stalls->wanted_count);
    return cupti_stalls_configure(stalls, context, error) && cupti_stalls_start(stalls, context, error);
}

// CUPTI 13.0 knows a kernel only if its first launch is sampled; samples of others it attributes to no code ("non-user
// kernels"). So what has been launched unsampled is loaded afresh.
static bool reload_programs(const struct cuda_device *cuda, struct error *error)
{
    for (const struct cupti_image *image = cuda->images; image; image = image->next)
        if (image->missed && !cuda_program_reload(image->program, error))
            return false;
    return true;
}

static void stalls_finish(struct device *device, void *session)
{
    struct cuda_device *cuda = cuda_device_of(device);
    struct cupti_stalls *stalls = session;
    CUpti_PCSamplingDisableParams off = {.size = CUpti_PCSamplingDisableParamsSize, .ctx = cuda->context};
    if (cupti_settle(device, NULL)) {
        if (stalls->running)
            (void)cupti_stalls_stop(stalls, cuda->context, NULL);
        if (stalls->enabled)
            (void)CUPTI_CALL(NULL, PCSamplingDisable, &off);
    }
    free(stalls->indices);
    free(stalls->texts);
    free(stalls->names);
    free(stalls->wanted_indices);
    free(stalls->wanted);
    buffer_finish(&stalls->gathered);
    buffer_finish(&stalls->fetched);
    cuda->sampling = false;
}

bool cupti_stalls_begin(struct device *device, struct error *error)
{
    struct cuda_device *cuda = cuda_device_of(device);
    struct cupti_stalls *stalls = cupti_begin(device, CUPTI_STALLS, sizeof *stalls, stalls_finish, error);
    if (!stalls)
        return false;
    cuda->sampling = reload_programs(cuda, error) && switch_on(stalls, cuda->context, error);
    if (cuda->sampling)
        return true;
    cupti_end(device);
    return false;
}

// ---- samples

static const char *reason_name(const struct cupti_stalls *stalls, uint32_t index)
{
    for (size_t i = 0; i < stalls->wanted_count; ++i)
        if (stalls->wanted[i].index == index)
            return stalls->wanted[i].name;
    return NULL;
}

// Its functionName is CUPTI's malloc, and ours to free once all records are processed (cupti_pcsampling.h); but records
// share one text, also with those of other activities and with those that are still to come, and nothing tells when the
// last of them is there. So it is left until the worker ends, rather than freed under a later record.
static bool add_row(struct device *device, const struct cupti_stalls *stalls, const CUpti_PCSamplingPCData *row,
                    struct stall_list *list, struct error *error)
{
    struct cupti_function *function;
    const char *kernel = row->functionName ? row->functionName : "";
    if (!cupti_function_of(device, row->cubinCrc, kernel, &function, error))
        return false;
    struct device_stall stall = {.kernel = kernel, .file = ""};
    const size_t instruction = row->pcOffset / CUPTI_INSTRUCTION;
    if (function && instruction < function->instructions) {
        stall.kernel = function->name;
        stall.file = function->lines[instruction].file;
        stall.line = function->lines[instruction].line;
    }
    for (size_t r = 0; r < row->stallReasonCount; ++r) {
        stall.reason = reason_name(stalls, row->stallReason[r].pcSamplingStallReasonIndex);
        stall.samples = row->stallReason[r].samples;
        if (stall.reason && stall.samples)
            *ARRAY_ADD(list->items, list->count) = stall;
    }
    return true;
}

static bool add_rows(struct device *device, const struct cupti_stalls *stalls, const CUpti_PCSamplingData *data,
                     struct stall_list *list, uint64_t *dropped, struct error *error)
{
    *dropped += data->droppedSamples + data->nonUsrKernelsTotalSamples;
    for (size_t i = 0; i < data->totalNumPcs; ++i)
        if (!add_row(device, stalls, &data->pPcData[i], list, error))
            return false;
    return true;
}

// Fetches what CUPTI has gathered up to the stop, a bufferful at a time.
static bool fetch(struct device *device, struct cupti_stalls *stalls, struct stall_list *list, uint64_t *dropped,
                  struct error *error)
{
    CUpti_PCSamplingData *data = &stalls->fetched.data;
    CUpti_PCSamplingGetDataParams params = {
        .size = CUpti_PCSamplingGetDataParamsSize,
        .ctx = cuda_device_of(device)->context,
        .pcSamplingData = data,
    };
    do {
        data->totalNumPcs = data->remainingNumPcs = 0;
        data->droppedSamples = data->nonUsrKernelsTotalSamples = 0;
        if (!check_samples(cupti_load(NULL)->PCSamplingGetData(&params), "cuptiPCSamplingGetData", error) ||
            !add_rows(device, stalls, data, list, dropped, error))
            return false;
    } while (data->remainingNumPcs > 0);
    return true;
}

static int cupti_stalls_compare(const void *left, const void *right)
{
    const struct device_stall *a = left, *b = right;
    const int kernel = strcmp(a->kernel, b->kernel), file = strcmp(a->file, b->file);
    if (kernel || file)
        return kernel ? kernel : file;
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : strcmp(a->reason, b->reason);
}

static void visit_sums(struct stall_list *list, void (*visit)(void *context, const struct device_stall *),
                       void *context)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, cupti_stalls_compare);
    for (size_t i = 0; i < list->count;) {
        struct device_stall sum = list->items[i++];
        while (i < list->count && cupti_stalls_compare(&sum, &list->items[i]) == 0)
            sum.samples += list->items[i++].samples;
        visit(context, &sum);
    }
}

bool cupti_stalls_take(struct device *device, void (*visit)(void *context, const struct device_stall *), void *context,
                       uint64_t *dropped, struct error *error)
{
    CUcontext current = cuda_device_of(device)->context;
    struct cupti_stalls *stalls = cupti_session(device, CUPTI_STALLS, error);
    struct stall_list list = {0};
    *dropped = 0;
    if (!stalls)
        return false;
    if (!cupti_settle(device, error) || !cupti_stalls_stop(stalls, current, error))
        return false;
    const bool done = fetch(device, stalls, &list, dropped, error);
    if (done)
        visit_sums(&list, visit, context);
    free(list.items);
    return done && cupti_stalls_start(stalls, current, error);
}
