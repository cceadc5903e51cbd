// SPDX-License-Identifier: MIT
#include "device/cuda/api.h"

#include <dlfcn.h>

#include "device/library.h"

// ---- driver

static struct library driver = {.once = PTHREAD_ONCE_INIT};
static struct cuda_driver driver_table;

static void load_driver(void)
{
#define DRIVER_SYMBOL(field, symbol) {#symbol, offsetof(struct cuda_driver, field)},
    static const struct library_symbol symbols[] = {CUDA_DRIVER_ENTRIES(DRIVER_SYMBOL)};
#undef DRIVER_SYMBOL
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(&driver.error, ERROR_UNSUPPORTED, "no NVIDIA driver here: %s", dlerror());
        error_remedy(&driver.error, "install the NVIDIA driver (in a container: run it with --gpus all)");
        return;
    }
    const char *missing = library_fill(library, symbols, sizeof symbols / sizeof *symbols, &driver_table);
    if (missing) {
        error_set(&driver.error, ERROR_UNSUPPORTED, "the NVIDIA driver is too old: libcuda.so.1 has no %s", missing);
        error_remedy(&driver.error, "install a driver for CUDA 12 or newer");
        return;
    }
    driver.loaded = true;
}

const struct cuda_driver *cuda_driver_load(struct error *error)
{
    return library_table(&driver, load_driver, &driver_table, error);
}

// ---- NVRTC

static struct library nvrtc = {.once = PTHREAD_ONCE_INIT};
static struct cuda_nvrtc nvrtc_table;

static void load_nvrtc(void)
{
#define NVRTC_SYMBOL(field, symbol) {#symbol, offsetof(struct cuda_nvrtc, field)},
    static const struct library_symbol symbols[] = {CUDA_NVRTC_ENTRIES(NVRTC_SYMBOL)};
#undef NVRTC_SYMBOL
    static const char remedy[] = "install CUDA 12 or newer (Debian and Ubuntu: apt install libnvrtc12, or NVIDIA's "
                                 "cuda-nvrtc-13-0), or set CUDA_HOME to the toolkit";
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL};
    static const char *const folders[] = {"lib64", NULL};
    void *library = library_open("WARPSTUDY_NVRTC", names, folders);
    if (!library) {
        error_set(&nvrtc.error, ERROR_UNSUPPORTED, "no run-time compiler for GPU kernels here (NVRTC): %s", dlerror());
        error_remedy(&nvrtc.error, "%s", remedy);
        return;
    }
    const char *missing = library_fill(library, symbols, sizeof symbols / sizeof *symbols, &nvrtc_table);
    if (missing) {
        error_set(&nvrtc.error, ERROR_UNSUPPORTED, "NVRTC is too old: it has no %s", missing);
        error_remedy(&nvrtc.error, "%s", remedy);
        return;
    }
    nvrtc.loaded = nvrtc_table.version(&nvrtc_table.major, &nvrtc_table.minor) == NVRTC_SUCCESS;
    if (!nvrtc.loaded)
        error_set(&nvrtc.error, ERROR_UNSUPPORTED, "NVRTC does not tell its version");
}

const struct cuda_nvrtc *cuda_nvrtc_load(struct error *error)
{
    return library_table(&nvrtc, load_nvrtc, &nvrtc_table, error);
}

// ---- NVML

static struct library nvml = {.once = PTHREAD_ONCE_INIT};
static struct cuda_nvml nvml_table;

static void load_nvml(void)
{
#define NVML_SYMBOL(field, symbol, arguments) {#symbol, offsetof(struct cuda_nvml, field)},
    static const struct library_symbol symbols[] = {CUDA_NVML_ENTRIES(NVML_SYMBOL)};
#undef NVML_SYMBOL
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(&nvml.error, ERROR_UNSUPPORTED, "no NVIDIA management library here: %s", dlerror());
        error_remedy(&nvml.error,
                     "it comes with the driver (in a container: NVIDIA_DRIVER_CAPABILITIES=compute,utility)");
        return;
    }
    const char *missing = library_fill(library, symbols, sizeof symbols / sizeof *symbols, &nvml_table);
    if (missing) {
        error_set(&nvml.error, ERROR_UNSUPPORTED, "the NVIDIA management library is too old: it has no %s", missing);
        error_remedy(&nvml.error, "install a driver for CUDA 12 or newer");
        return;
    }
    const int result = nvml_table.init(); // for the life of the process
    nvml.loaded = result == CUDA_NVML_OK;
    if (!nvml.loaded) {
        error_set(&nvml.error, ERROR_UNSUPPORTED, "the NVIDIA management library does not start (nvmlReturn_t %d)",
                  result);
        error_remedy(&nvml.error, "nvidia-smi says more; after an update of the driver, restart the machine");
    }
}

const struct cuda_nvml *cuda_nvml_load(struct error *error)
{
    return library_table(&nvml, load_nvml, &nvml_table, error);
}
