// SPDX-License-Identifier: MIT
#include "device/cuda/api.h"

#include <dlfcn.h>
#include <pthread.h>

#include "device/cuda/library.h"

// ---- driver

static struct {
    pthread_once_t once;
    bool loaded;
    struct cuda_driver table;
    struct error error;
} driver = {.once = PTHREAD_ONCE_INIT};

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
    const char *missing = library_fill(library, symbols, sizeof symbols / sizeof *symbols, &driver.table);
    if (missing) {
        error_set(&driver.error, ERROR_UNSUPPORTED, "the NVIDIA driver is too old: libcuda.so.1 has no %s", missing);
        error_remedy(&driver.error, "install a driver for CUDA 12 or newer");
        return;
    }
    driver.loaded = true;
}

const struct cuda_driver *cuda_driver_load(struct error *error)
{
    pthread_once(&driver.once, load_driver);
    if (!driver.loaded && error)
        *error = driver.error;
    return driver.loaded ? &driver.table : NULL;
}

// ---- NVRTC

static struct {
    pthread_once_t once;
    bool loaded;
    struct cuda_nvrtc table;
    struct error error;
} nvrtc = {.once = PTHREAD_ONCE_INIT};

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
    const char *missing = library_fill(library, symbols, sizeof symbols / sizeof *symbols, &nvrtc.table);
    if (missing) {
        error_set(&nvrtc.error, ERROR_UNSUPPORTED, "NVRTC is too old: it has no %s", missing);
        error_remedy(&nvrtc.error, "%s", remedy);
        return;
    }
    nvrtc.loaded = nvrtc.table.version(&nvrtc.table.major, &nvrtc.table.minor) == NVRTC_SUCCESS;
    if (!nvrtc.loaded)
        error_set(&nvrtc.error, ERROR_UNSUPPORTED, "NVRTC does not tell its version");
}

const struct cuda_nvrtc *cuda_nvrtc_load(struct error *error)
{
    pthread_once(&nvrtc.once, load_nvrtc);
    if (!nvrtc.loaded && error)
        *error = nvrtc.error;
    return nvrtc.loaded ? &nvrtc.table : NULL;
}

// ---- NVML

static struct {
    pthread_once_t once;
    bool loaded;
    struct cuda_nvml table;
    struct error error;
} nvml = {.once = PTHREAD_ONCE_INIT};

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
    const char *missing = library_fill(library, symbols, sizeof symbols / sizeof *symbols, &nvml.table);
    if (missing) {
        error_set(&nvml.error, ERROR_UNSUPPORTED, "the NVIDIA management library is too old: it has no %s", missing);
        error_remedy(&nvml.error, "install a driver for CUDA 12 or newer");
        return;
    }
    const int result = nvml.table.init(); // for the life of the process
    nvml.loaded = result == CUDA_NVML_OK;
    if (!nvml.loaded) {
        error_set(&nvml.error, ERROR_UNSUPPORTED, "the NVIDIA management library does not start (nvmlReturn_t %d)",
                  result);
        error_remedy(&nvml.error, "nvidia-smi says more; after an update of the driver, restart the machine");
    }
}

const struct cuda_nvml *cuda_nvml_load(struct error *error)
{
    pthread_once(&nvml.once, load_nvml);
    if (!nvml.loaded && error)
        *error = nvml.error;
    return nvml.loaded ? &nvml.table : NULL;
}
