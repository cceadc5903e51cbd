// SPDX-License-Identifier: MIT
// The program's side of the cuda backend: finds the module and hands over to it.
#include "device/cuda_module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_facts.h"
#include "source_hashes.h" // CUDA_MODULE_SEAM

enum { PATH_LENGTH = 4096 };
#define MODULE_NAME "warpstudy-cuda.so"

static struct {
    pthread_once_t once;
    const struct cuda_module *module;
    char file[PATH_LENGTH];
    struct error error;
} loaded = {.once = PTHREAD_ONCE_INIT};

// The folder of the running program, without a slash at its end.
static bool own_folder(char *folder)
{
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_LENGTH - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return slash != NULL;
}

static bool try_path(const char *folder, const char *name)
{
    const int length = snprintf(loaded.file, sizeof loaded.file, "%s%s", folder, name);
    return length > 0 && length < PATH_LENGTH && access(loaded.file, R_OK) == 0;
}

static bool find_module(void)
{
    // Beside the executable; in the build tree, for the program and for its tests.
    static const char *const names[] = {"/" MODULE_NAME, "/harness/device/cuda/" MODULE_NAME,
                                        "/../harness/device/cuda/" MODULE_NAME};
    const char *chosen = getenv("WARPSTUDY_CUDA_MODULE");
    if (chosen && *chosen)
        return try_path(chosen, "");
    char folder[PATH_LENGTH];
    for (size_t i = 0; own_folder(folder) && i < sizeof names / sizeof *names; ++i)
        if (try_path(folder, names[i]))
            return true;
    return WARPSTUDY_CUDA_MODULE_FILE[0] && try_path(WARPSTUDY_CUDA_MODULE_FILE, "");
}

static bool say_missing(struct error *error)
{
    const char *chosen = getenv("WARPSTUDY_CUDA_MODULE");
    if (chosen && *chosen) {
        error_set(error, ERROR_UNSUPPORTED, "there is no CUDA module %s", chosen);
        return error_remedy(error, "correct or unset WARPSTUDY_CUDA_MODULE");
    }
    if (!WARPSTUDY_CUDA_MODULE_FILE[0]) {
        error_set(error, ERROR_UNSUPPORTED,
                  "this program was built without the CUDA toolkit, so it has no CUDA module");
        return error_remedy(error, "install the CUDA toolkit (12 or newer), then: meson setup --wipe build "
                                   "-Dcuda=enabled && ninja -C build");
    }
    error_set(error, ERROR_UNSUPPORTED, "the CUDA module " MODULE_NAME " is neither beside the program nor at %s",
              WARPSTUDY_CUDA_MODULE_FILE);
    return error_remedy(error, "build it (ninja -C build), install it (meson install -C build), or name it in "
                               "WARPSTUDY_CUDA_MODULE");
}

static bool open_module(struct error *error)
{
    if (!find_module())
        return say_missing(error);
    void *library = dlopen(loaded.file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return error_set(error, ERROR_UNSUPPORTED, "the CUDA module cannot be loaded: %s", dlerror());
    const struct cuda_module *module = dlsym(library, CUDA_MODULE_SYMBOL);
    if (!module || strcmp(module->seam, CUDA_MODULE_SEAM) != 0) {
        error_set(error, ERROR_UNSUPPORTED, "%s is the module of another version of this program", loaded.file);
        return error_remedy(error, "build program and module together: ninja -C build");
    }
    loaded.module = module;
    return true;
}

static void load_once(void)
{
    if (!open_module(&loaded.error))
        loaded.file[0] = 0;
}

const struct cuda_module *cuda_module_load(struct error *error)
{
    pthread_once(&loaded.once, load_once);
    if (!loaded.module && error)
        *error = loaded.error;
    return loaded.module;
}

const char *cuda_module_file(void)
{
    return loaded.file;
}

// ---- the backend

// A machine without a driver needs no module, and most have none: that is said first.
static bool find_driver(struct error *error)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library) {
        dlclose(library);
        return true;
    }
    error_set(error, ERROR_UNSUPPORTED, "no NVIDIA driver here: %s", dlerror());
    return error_remedy(error, "install the NVIDIA driver (in a container: run it with --gpus all)");
}

static const char *cuda_module_unavailable(void)
{
    static _Thread_local char text[2048];
    struct error error = {0};
    const struct cuda_module *module = find_driver(&error) ? cuda_module_load(&error) : NULL;
    if (module)
        return module->backend->unavailable();
    error_format(&error, text, sizeof text);
    return text;
}

static const char *cuda_module_lacking(void)
{
    const struct cuda_module *module = cuda_module_load(NULL);
    return module ? module->backend->lacking() : NULL;
}

static uint32_t count_devices(void)
{
    const struct cuda_module *module = find_driver(NULL) ? cuda_module_load(NULL) : NULL;
    return module ? module->backend->count() : 0;
}

static struct device *open_device(const struct device_settings *settings, struct error *error)
{
    const struct cuda_module *module = find_driver(error) ? cuda_module_load(error) : NULL;
    return module ? module->backend->open(settings, error) : NULL;
}

static bool inspect(const struct device_build *build, uint32_t compute_capability,
                    void (*visit)(void *context, const char *kernel, const struct device_kernel_facts *), void *context,
                    struct error *error)
{
    const struct cuda_module *module = cuda_module_load(error);
    return module && module->backend->inspect(build, compute_capability, visit, context, error);
}

const struct device_backend device_cuda_backend = {
    .name = "cuda",
    .summary = "NVIDIA GPUs, through the driver and NVRTC",
    .kind = DEVICE_GPU,
    .has_times = true,
    .numbered = "cuda:N",
    .unavailable = cuda_module_unavailable,
    .lacking = cuda_module_lacking,
    .count = count_devices,
    .open = open_device,
    .inspect = inspect,
};
