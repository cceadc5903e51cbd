// SPDX-License-Identifier: MIT
#include "device/cuda/cupti_api.h"

#include <dlfcn.h>
#include <string.h>

#include "device/library.h"

static struct library cupti = {.once = PTHREAD_ONCE_INIT};
static struct cupti cupti_table;

static const char install[] =
    "install CUPTI of CUDA 12.8 or newer (NVIDIA's package cuda-cupti-13-0), or set CUDA_HOME "
    "to the toolkit";

// ---- the library

#define CUPTI_SYMBOL(field) {"cupti" #field, offsetof(struct cupti, field)},
static const struct library_symbol symbols[] = {CUPTI_ENTRIES(CUPTI_SYMBOL)};
static const struct library_symbol timeline_symbols[] = {CUPTI_TIMELINE_ENTRIES(CUPTI_SYMBOL)};

static void cupti_api_load(void)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so", NULL};
    static const char *const folders[] = {"lib64", "extras/CUPTI/lib64", NULL};
    // It opens libnvperf_host and libnvperf_target itself, which lie beside it.
    void *library = library_open("WARPSTUDY_CUPTI", names, folders);
    if (!library) {
        error_set(&cupti.error, ERROR_UNAVAILABLE, "no library for hardware counters here (CUPTI): %s", dlerror());
        error_remedy(&cupti.error, "%s", install);
        return;
    }
    const char *lacks = library_fill(library, symbols, sizeof symbols / sizeof *symbols, &cupti_table);
    if (lacks) {
        error_set(&cupti.error, ERROR_UNAVAILABLE, "CUPTI is too old: it has no %s", lacks);
        error_remedy(&cupti.error, "%s", install);
        return;
    }
    cupti_table.timeline_lacks =
        library_fill(library, timeline_symbols, sizeof timeline_symbols / sizeof *timeline_symbols, &cupti_table);
    cupti.loaded = true;
}

const struct cupti *cupti_load(struct error *error)
{
    return library_table(&cupti, cupti_api_load, &cupti_table, error);
}

// ---- calls

// What the machine forbids, in words, and how to correct it.
static const struct refusal {
    CUptiResult result;
    const char *reason, *remedy;
} refusals[] = {
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "the NVIDIA driver lets only root read hardware counters",
     "run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0 (a line `options nvidia "
     "NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d/, then reboot); in a container: --cap-add SYS_ADMIN"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
     "the host of this virtual GPU does not let its guests read hardware counters",
     "have the host's owner enable profiling for this virtual GPU, or use a whole GPU"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "this virtual GPU has no hardware counters", "use a whole GPU"},
    {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "an instance of a partitioned GPU (MIG) has no hardware counters",
     "use a whole GPU"},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "confidential computing hides the hardware counters",
     "turn confidential computing off, or use another GPU"},
    {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "a mining processor has no hardware counters", "use another GPU"},
    {CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, "GPUs joined by SLI have no hardware counters", "turn SLI off"},
    {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "this driver has no hardware counters under WSL", "run under Linux itself"},
    {CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, "this GPU is too old for CUPTI's profilers",
     "compute capability 7.0 or newer has them"},
    {CUPTI_ERROR_HARDWARE_BUSY, "another program is reading this GPU's hardware counters",
     "end the other profiler (ncu, dcgm and its exporters)"},
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "another profiler is attached to this program",
     "run without the other profiler"},
};

bool cupti_check(CUptiResult result, const char *call, const char *file, int line, struct error *error)
{
    if (result == CUPTI_SUCCESS)
        return true;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        if (refusals[i].result == result) {
            error_set(error, ERROR_UNAVAILABLE, "%s", refusals[i].reason);
            return error_remedy(error, "%s", refusals[i].remedy);
        }
    const char *name = NULL, *slash = strrchr(file, '/');
    cupti_table.GetResultString(result, &name);
    return error_set(error, ERROR_FAILED, "CUPTI: %s (%d) in %s at %s:%d", name ? name : "unknown error", (int)result,
                     call, slash ? slash + 1 : file, line);
}
