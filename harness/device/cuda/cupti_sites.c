// SPDX-License-Identifier: MIT
// Exact counts of the instructions at the sites: CUPTI's SASS metrics, which patch the kernels as they are launched.
//
// The sum over all instructions is lower than the hardware's own counters in code that diverges: on an H200 by up to
// 0.02 % of the instructions and 0.2 % of the lanes' (CUPTI 13.0 leaves a branch of some kernels unpatched, and ncu's
// smsp__thread_inst_executed and smsp__sass_thread_inst_executed differ alike).
#include "device/cuda/cupti_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// The metrics that are counted at every instruction. Lanes at a site are those that its predicate lets through, lanes
// of all instructions those that are active, as smsp__thread_inst_executed counts them.
enum { COUNT_WARPS, COUNT_LANES, COUNT_LANES_ON, COUNTS };
static const char *const count_names[COUNTS] = {
    [COUNT_WARPS] = "smsp__sass_inst_executed",
    [COUNT_LANES] = "smsp__sass_thread_inst_executed",
    [COUNT_LANES_ON] = "smsp__sass_thread_inst_executed_pred_on",
};

// One kernel that has records: its code, where it is known, and what it has executed.
struct site_kernel {
    uint32_t crc, index;
    struct cupti_function *function; // NULL: code that this backend has not loaded, counted under `all` alone
    struct device_site_count counts[DEVICE_SITES];
};

struct cupti_sites {
    bool enabled;
    uint64_t ids[COUNTS];
    struct site_kernel *kernels;
    size_t kernel_count;
};

// ---- begin and end

static bool find_metrics(struct cupti_sites *sites, const char *chip, struct error *error)
{
    for (int i = 0; i < COUNTS; ++i) {
        CUPTI_PARAMS(SassMetrics_GetProperties, params, .pChipName = chip, .pMetricName = count_names[i]);
        if (!CUPTI_CALL(error, SassMetricsGetProperties, &params))
            return false;
        sites->ids[i] = params.metric.metricId;
    }
    return true;
}

// CUPTI 13.0 takes a configuration once: after cuptiSassMetricsUnsetConfig the next cuptiSassMetricsSetConfig fails
// with CUPTI_ERROR_OUT_OF_MEMORY. So it stays until the process ends, and the GPU's context with it, without which
// CUPTI's own clean-up at exit faults. Sites cost nothing while they are not enabled.
static bool configure_once(const struct cupti_sites *sites, const struct cuda_device *cuda, struct error *error)
{
    enum { GPUS = 64 };
    static bool configured[GPUS];
    CUpti_SassMetrics_Config configs[COUNTS];
    for (int i = 0; i < COUNTS; ++i)
        configs[i] = (CUpti_SassMetrics_Config){sites->ids[i], CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
    CUpti_SassMetricsSetConfig_Params config = {
        .structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE,
        .numOfMetricConfig = COUNTS,
        .pConfigs = configs,
        .deviceIndex = (uint32_t)cuda->handle,
    };
    CUcontext context;
    if (cuda->handle >= GPUS || configured[cuda->handle])
        return cuda->handle < GPUS || error_set(error, ERROR_UNSUPPORTED, "GPU %d is one too many", cuda->handle);
    if (!CUPTI_CALL(error, SassMetricsSetConfig, &config))
        return false;
    configured[cuda->handle] = true;
    return CUDA_CALL(error, context_retain, &context, cuda->handle);
}

static bool switch_on(struct cupti_sites *sites, const struct cuda_device *cuda, struct error *error)
{
    CUPTI_PARAMS(SassMetricsEnable, on, .ctx = cuda->context, .enableLazyPatching = 1);
    sites->enabled = configure_once(sites, cuda, error) && CUPTI_CALL(error, SassMetricsEnable, &on);
    return sites->enabled;
}

static void sites_finish(struct device *device, void *session)
{
    struct cupti_sites *sites = session;
    CUPTI_PARAMS(SassMetricsDisable, off, .ctx = cuda_device_of(device)->context);
    if (sites->enabled && cupti_settle(device, NULL))
        (void)CUPTI_CALL(NULL, SassMetricsDisable, &off);
    free(sites->kernels);
}

bool cupti_sites_begin(struct device *device, struct error *error)
{
    const struct cuda_device *cuda = cuda_device_of(device);
    struct cupti_sites *sites = cupti_begin(device, CUPTI_SITES, sizeof *sites, sites_finish, error);
    if (!sites)
        return false;
    if (find_metrics(sites, cuda->cupti->chip, error) && switch_on(sites, cuda, error))
        return true;
    cupti_end(device);
    return false;
}

// ---- records

static struct site_kernel *kernel_of(struct device *device, struct cupti_sites *sites,
                                     const CUpti_SassMetrics_Data *record, struct error *error)
{
    for (size_t i = sites->kernel_count; i-- > 0;)
        if (sites->kernels[i].crc == record->cubinCrc && sites->kernels[i].index == record->functionIndex)
            return &sites->kernels[i];
    struct cupti_function *function;
    if (!cupti_function_of(device, record->cubinCrc, record->functionName ? record->functionName : "", &function,
                           error))
        return NULL;
    struct site_kernel *kernel = ARRAY_ADD(sites->kernels, sites->kernel_count);
    *kernel = (struct site_kernel){record->cubinCrc, record->functionIndex, function, {{0}}};
    return kernel;
}

static void add_count(struct device_site_count *count, uint64_t warps, uint64_t lanes)
{
    count->instructions += warps;
    count->thread_instructions += lanes;
}

static bool add_record(struct device *device, struct cupti_sites *sites, const CUpti_SassMetrics_Data *record,
                       size_t values, struct error *error)
{
    uint64_t counts[COUNTS] = {0};
    for (size_t v = 0; v < values; ++v)
        for (int i = 0; i < COUNTS; ++i)
            if (record->pInstanceValues[v].metricId == sites->ids[i])
                counts[i] += record->pInstanceValues[v].value;
    struct site_kernel *kernel = kernel_of(device, sites, record, error);
    if (!kernel)
        return false;
    add_count(&kernel->counts[DEVICE_SITE_ALL], counts[COUNT_WARPS], counts[COUNT_LANES]);
    const size_t instruction = record->pcOffset / CUPTI_INSTRUCTION;
    if (!kernel->function || instruction >= kernel->function->instructions)
        return true;
    const unsigned site = kernel->function->sites[instruction];
    if (site != DEVICE_SITE_ALL)
        add_count(&kernel->counts[site], counts[COUNT_WARPS], counts[COUNT_LANES_ON]);
    return true;
}

// Sums of the kernels that ran; a kernel that was patched and has not run since has records of zeros.
static void sum_kernels(const struct cupti_sites *sites, struct device_site_count sums[DEVICE_SITES])
{
    memset(sums, 0, DEVICE_SITES * sizeof *sums);
    for (size_t k = 0; k < sites->kernel_count; ++k) {
        const struct site_kernel *kernel = &sites->kernels[k];
        for (int site = 0; site < DEVICE_SITES && kernel->counts[DEVICE_SITE_ALL].instructions; ++site) {
            sums[site].copies += kernel->function ? kernel->function->copies[site] : 0;
            add_count(&sums[site], kernel->counts[site].instructions, kernel->counts[site].thread_instructions);
        }
    }
}

static bool flush(struct device *device, struct cupti_sites *sites, CUpti_SassMetrics_Data *records, size_t count,
                  size_t instances, struct error *error)
{
    CUpti_SassMetricsFlushData_Params params = {
        .structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
        .ctx = cuda_device_of(device)->context,
        .numOfPatchedInstructionRecords = count,
        .numOfInstances = instances,
        .pMetricsData = records,
    };
    bool done = CUPTI_CALL(error, SassMetricsFlushData, &params);
    for (size_t i = 0; i < count; ++i) {
        done = done && add_record(device, sites, &records[i], instances, error);
        free((char *)(uintptr_t)records[i].functionName); // CUPTI makes one for each record and leaves it to us
    }
    return done;
}

static bool read_records(struct device *device, struct cupti_sites *sites, struct error *error)
{
    CUPTI_PARAMS(SassMetricsGetDataProperties, params, .ctx = cuda_device_of(device)->context);
    if (!CUPTI_CALL(error, SassMetricsGetDataProperties, &params))
        return false;
    const size_t count = params.numOfPatchedInstructionRecords, values = params.numOfInstances;
    if (count == 0)
        return true;
    CUpti_SassMetrics_Data *records = calloc(count, sizeof *records);
    CUpti_SassMetrics_InstanceValue *room = calloc(count * values, sizeof *room);
    bool done = records && room;
    for (size_t i = 0; done && i < count; ++i)
        records[i] = (CUpti_SassMetrics_Data){
            .structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
            .pInstanceValues = room + i * values,
        };
    if (done)
        done = flush(device, sites, records, count, values, error);
    else
        error_set(error, ERROR_SYSTEM, "no memory for counts of %zu instructions", count);
    free(records);
    free(room);
    return done;
}

bool cupti_sites_take(struct device *device, struct device_site_count counts[DEVICE_SITES], struct error *error)
{
    struct cupti_sites *sites = cupti_session(device, CUPTI_SITES, error);
    if (!sites)
        return false;
    sites->kernel_count = 0;
    if (!cupti_settle(device, error) || !read_records(device, sites, error))
        return false;
    sum_kernels(sites, counts);
    return true;
}
