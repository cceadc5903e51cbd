// SPDX-License-Identifier: MIT
#include "device/cuda/cupti_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// ---- whether there are counters

static bool check_support(const struct cuda_device *cuda, struct error *error)
{
    CUPTI_PARAMS(Profiler_DeviceSupported, params, .cuDevice = cuda->handle, .api = CUPTI_PROFILER_RANGE_PROFILING);
    if (!CUPTI_CALL(error, ProfilerDeviceSupported, &params))
        return false;
    if (params.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return true;
    const struct {
        CUpti_Profiler_Support_Level level;
        CUptiResult refusal; // whose words fit
    } rows[] = {
        {params.architecture, CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED},
        {params.sli, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED},
        {params.vGpu, params.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED
                          ? CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
                          : CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED},
        {params.confidentialCompute, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED},
        {params.cmp, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED},
        {params.wsl, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (rows[i].level != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
            return cupti_check(rows[i].refusal, "cuptiProfilerDeviceSupported", __FILE__, __LINE__, error);
    return error_set(error, ERROR_UNSUPPORTED, "CUPTI has no counters for %s", cuda->properties.name);
}

// Permission shows only when a profiler is switched on.
static bool check_permission(const struct cuda_device *cuda, struct error *error)
{
    CUPTI_PARAMS(RangeProfiler_Enable, on, .ctx = cuda->context);
    if (!CUPTI_CALL(error, RangeProfilerEnable, &on))
        return false;
    CUPTI_PARAMS(RangeProfiler_Disable, off, .pRangeProfilerObject = on.pRangeProfilerObject);
    return CUPTI_CALL(error, RangeProfilerDisable, &off);
}

static bool probe(struct device *device, struct cupti_state *state, struct error *error)
{
    const struct cuda_device *cuda = cuda_device_of(device);
    CUPTI_PARAMS(Profiler_Initialize, start, );
    CUPTI_PARAMS(Device_GetChipName, chip, .deviceIndex = (size_t)cuda->handle);
    if (!cupti_load(error) || !cuda_enter(device, error) || !CUPTI_CALL(error, ProfilerInitialize, &start) ||
        !check_support(cuda, error) || !CUPTI_CALL(error, DeviceGetChipName, &chip) || !check_permission(cuda, error))
        return false;
    state->chip = chip.pChipName;
    return true;
}

// The device's state with `probed` set.
static struct cupti_state *probed_state(struct device *device)
{
    struct cuda_device *cuda = cuda_device_of(device);
    if (!cuda->cupti)
        cuda->cupti = memory_new(1, sizeof *cuda->cupti);
    struct cupti_state *state = cuda->cupti;
    if (!state->probed) {
        state->usable = probe(device, state, &state->why);
        error_format(&state->why, state->reason, sizeof state->reason);
        state->probed = true;
    }
    return state;
}

const char *cupti_unavailable(struct device *device)
{
    const struct cupti_state *state = probed_state(device);
    return state->usable ? NULL : state->reason;
}

// ---- one use at a time

bool cupti_settle(struct device *device, struct error *error)
{
    return cuda_enter(device, error) && CUDA_CALL(error, context_synchronize, );
}

static const char *const use_names[] = {"nothing", "a profile", "the count of sites", "the sampling of stalls",
                                        "a timeline"};

struct cupti_state *cupti_claim(struct device *device, enum cupti_use use, struct error *error)
{
    struct cupti_state *state = probed_state(device);
    if (!state->usable) {
        if (error)
            *error = state->why;
    } else if (state->use != CUPTI_IDLE)
        error_set(error, ERROR_USE, "the device's counters are taken by %s, which is to be ended first",
                  use_names[state->use]);
    else if (cupti_settle(device, error)) {
        state->use = use;
        return state;
    }
    return NULL;
}

void cupti_unclaim(struct device *device)
{
    cuda_device_of(device)->cupti->use = CUPTI_IDLE;
}

void *cupti_begin(struct device *device, enum cupti_use use, size_t bytes,
                  void (*finish)(struct device *device, void *session), struct error *error)
{
    struct cupti_state *state = cupti_claim(device, use, error);
    if (!state)
        return NULL;
    state->session = memory_new(1, bytes);
    state->finish = finish;
    return state->session;
}

void *cupti_session(struct device *device, enum cupti_use use, struct error *error)
{
    const struct cupti_state *state = cuda_device_of(device)->cupti;
    if (state && state->use == use)
        return state->session;
    error_set(error, ERROR_USE, "%s has not begun", use_names[use]);
    return NULL;
}

void cupti_end(struct device *device)
{
    struct cupti_state *state = cuda_device_of(device)->cupti;
    if (!state || !state->session)
        return;
    state->finish(device, state->session);
    free(state->session);
    state->session = NULL;
    cupti_unclaim(device);
}

void cupti_close(struct device *device)
{
    struct cuda_device *cuda = cuda_device_of(device);
    cupti_end(device);
    free(cuda->cupti);
    cuda->cupti = NULL;
}

// ---- code

// A cubin with zeros behind it, to be freed. CUPTI keeps the lines of what it has read under a checksum that two cubins
// of one size share even where their code differs (seen with 13.0), and answers for the second out of the first: so
// each is shown to it in a size of its own.
static unsigned char *pad_image(const struct cupti_image *image, size_t *size)
{
    static size_t last;
    last = (image->size > last ? image->size : last) + 1;
    unsigned char *bytes = memory_new(1, last);
    memcpy(bytes, image->bytes, image->size);
    *size = last;
    return bytes;
}

static bool read_line(struct cupti_image *image, CUpti_GetSassToSourceCorrelationParams params, struct cupti_line *line,
                      struct error *error)
{
    // Code without line information is no failure, and CUPTI has no word of its own for it.
    const CUptiResult result = cupti_load(NULL)->GetSassToSourceCorrelation(&params);
    *line = (struct cupti_line){.file = ""};
    if (result == CUPTI_SUCCESS && params.fileName && params.lineNumber)
        *line = (struct cupti_line){
            cupti_image_file(image, params.dirName ? params.dirName : "", params.fileName),
            params.lineNumber,
        };
    free(params.fileName);
    free(params.dirName);
    return result == CUPTI_SUCCESS || result == CUPTI_ERROR_UNKNOWN || result == CUPTI_ERROR_INVALID_MODULE ||
           cupti_check(result, "cuptiGetSassToSourceCorrelation", __FILE__, __LINE__, error);
}

static bool read_lines(struct cupti_image *image, const struct cupti_function *function, struct cupti_line *lines,
                       struct error *error)
{
    CUpti_GetSassToSourceCorrelationParams params = {
        .size = CUpti_GetSassToSourceCorrelationParamsSize,
        .functionName = function->name,
    };
    unsigned char *padded = pad_image(image, &params.cubinSize);
    bool done = true;
    params.cubin = padded;
    for (size_t i = 0; done && i < function->instructions; ++i) {
        params.pcOffset = i * CUPTI_INSTRUCTION;
        done = read_line(image, params, &lines[i], error);
    }
    free(padded);
    return done;
}

static bool read_function(struct cupti_image *image, struct cupti_function *function, struct error *error)
{
    if (function->sites)
        return true;
    const size_t count = function->instructions;
    struct cupti_line *lines = memory_new(count + 1, sizeof *lines);
    if (!read_lines(image, function, lines, error)) {
        free(lines);
        return false;
    }
    uint8_t *sites = memory_new(count + 1, 1);
    memset(function->copies, 0, sizeof function->copies);
    for (size_t i = 0; i < count; ++i) {
        sites[i] = (uint8_t)cupti_instruction_site(function->code + i * CUPTI_INSTRUCTION, &lines[i]);
        ++function->copies[sites[i]];
    }
    function->copies[DEVICE_SITE_ALL] = (uint32_t)count;
    function->lines = lines;
    function->sites = sites;
    return true;
}

static bool read_crc(struct cupti_image *image, struct error *error)
{
    CUpti_GetCubinCrcParams params = {
        .size = CUpti_GetCubinCrcParamsSize,
        .cubinSize = image->size,
        .cubin = image->bytes,
    };
    if (!image->crc && !CUPTI_CALL(error, GetCubinCrc, &params))
        return false;
    image->crc = image->crc ? image->crc : params.cubinCrc;
    return true;
}

bool cupti_function_of(struct device *device, uint64_t crc, const char *name, struct cupti_function **found,
                       struct error *error)
{
    struct cupti_image *chosen = NULL;
    *found = NULL;
    for (struct cupti_image *image = cuda_device_of(device)->images; image; image = image->next) {
        if (!read_crc(image, error))
            return false;
        struct cupti_function *function = cupti_image_function(image, name);
        if ((uint32_t)image->crc != (uint32_t)crc || !function || (chosen && chosen->launched >= image->launched))
            continue;
        chosen = image;
        *found = function;
    }
    return !chosen || read_function(chosen, *found, error);
}
