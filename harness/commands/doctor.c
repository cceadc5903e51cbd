// SPDX-License-Identifier: MIT
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/path.h"
#include "base/processors.h"
#include "build_facts.h"
#include "commands/shared.h"
#include "device/cuda_module.h"
#include "device/device.h"
#include "device/opencl/backend.h"
#include "run/environment.h"
#include "scene/scene.h"
#include "scene/scene_cache.h"

enum health { GOOD, WARNING, MISSING };

static void doctor_say(enum health health, const char *what, const char *text, const char *remedy)
{
    static const char *const marks[] = {"ok", "note", "MISSING"};
    printf("%-8s %-16s ", marks[health], what);
    size_t length = strcspn(text, "\n");
    printf("%.*s\n", (int)length, text);
    while (text[length]) { // a further line says how to correct it
        text += length + 1;
        text += strspn(text, " ");
        length = strcspn(text, "\n");
        printf("%-8s %-16s -> %.*s\n", "", "", (int)length, text);
    }
    if (health != GOOD && remedy)
        printf("%-8s %-16s -> %s\n", "", "", remedy);
}

static void check_processor(void)
{
    char model[192], text[320];
    const bool fast = environment_has_flag("avx2") && environment_has_flag("fma");
    environment_processor(model, sizeof model);
    snprintf(text, sizeof text, "%s, %u cores", model, processors_usable());
    doctor_say(GOOD, "processor", text, NULL);
    doctor_say(fast ? GOOD : WARNING, "AVX2 and FMA",
               fast ? "the emulator runs its fast build" : "missing: the emulator uses its slow, exact fallback",
               "use a machine with AVX2 and FMA; results are the same, bit for bit");
}

static void check_memory(void)
{
    char text[192], pages[96];
    const double gib = (double)environment_memory() / (1 << 30);
    snprintf(text, sizeof text, "%.1f GiB", gib);
    doctor_say(gib < 2 ? WARNING : GOOD, "memory", text, "scenes of a million triangles need 2 GiB");
    environment_file("/sys/kernel/mm/transparent_hugepage/enabled", pages, sizeof pages);
    const bool huge = strstr(pages, "[always]") || strstr(pages, "[madvise]");
    doctor_say(huge ? GOOD : WARNING, "huge pages", pages[0] ? pages : "unknown to this kernel",
               "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled   (about 8 % on camera rays)");
}

static bool in_path(const char *program)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        char file[4500];
        const size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)(length < 4000 ? length : 4000), path, program);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static void check_gnuplot(void)
{
    const bool there = in_path("gnuplot");
    doctor_say(there ? GOOD : WARNING, "gnuplot", there ? "found" : "not found: no figures, tables only",
               "sudo apt-get install gnuplot-nox");
}

// The nearest folder above that exists.
static void existing_folder(char *path)
{
    struct stat facts;
    while (strcmp(path, "/") && strcmp(path, ".") && stat(path, &facts) != 0) {
        const char *above = dirname(path); // cuts the path itself, or is another text
        if (above != path)
            strcpy(path, above);
    }
}

// `made`: where it is missing, it is made.
static bool check_folder(const char *what, const char *path, bool made, const char *remedy)
{
    char folder[4200], text[4400];
    struct statvfs space;
    snprintf(folder, sizeof folder, "%.4000s", path);
    existing_folder(folder);
    const bool writable = access(folder, W_OK) == 0;
    const double gib = statvfs(folder, &space) == 0 ? (double)space.f_bavail * (double)space.f_frsize / (1 << 30) : 0;
    const bool usable = writable && (made || access(path, F_OK) == 0);
    snprintf(text, sizeof text, "%.4000s (%s, %.1f GiB free)", path,
             usable     ? "writable"
             : writable ? "does NOT exist"
                        : "NOT writable",
             gib);
    doctor_say(!usable ? MISSING : gib < 1 ? WARNING : GOOD, what, text, usable ? "free some space" : remedy);
    return usable;
}

static bool check_folders(const struct command_line *line)
{
    char path[4096];
    char *cache = scene_cache_folder();
    bool good = check_folder("scene cache", cache, true, "set WARPSTUDY_CACHE to a folder that you may write");
    free(cache);
    snprintf(path, sizeof path, "%s", command_database(line));
    good = check_folder("database", dirname(path), false, "make the folder, set WARPSTUDY_DB, or use --db") && good;
    const char *scenes = path_shipped("scenes");
    const bool there = access(scenes, R_OK) == 0;
    doctor_say(there ? GOOD : WARNING, "scenes",
               there ? scenes : "neither in the working folder nor in " WARPSTUDY_SOURCE " nor " WARPSTUDY_DATADIR,
               "run in the source folder, or install with: sudo meson install -C build");
    return good;
}

static void say_line(void *context, enum cuda_module_health health, const char *what, const char *text)
{
    (void)context;
    doctor_say(health == CUDA_MODULE_GOOD ? GOOD : WARNING, what, text, NULL);
}

// What the module knows of driver, compiler and GPUs, or why there is no module.
static void check_cuda(void)
{
    struct error error = {0};
    const struct cuda_module *module = cuda_module_load(&error);
    char text[2048];
    environment_file("/proc/driver/nvidia/version", text, sizeof text);
    if (text[0])
        doctor_say(GOOD, "kernel driver", text, NULL);
    error_format(&error, text, sizeof text);
    doctor_say(module ? GOOD : WARNING, "CUDA module", module ? cuda_module_file() : text, NULL);
    if (module)
        module->examine(say_line, NULL);
}

static void say_opencl(void *context, bool usable, const char *what, const char *text)
{
    (void)context;
    doctor_say(usable ? GOOD : WARNING, what, text, NULL);
}

static void check_devices(void)
{
    for (const struct device_backend *const *row = device_backends; *row; ++row) {
        char what[64];
        const char *reason = device_unavailable(*row);
        snprintf(what, sizeof what, "device %.40s", (*row)->name);
        doctor_say(reason ? WARNING : GOOD, what, reason ? reason : (*row)->summary, NULL);
    }
}

static bool doctor_run(const struct command_line *line, struct error *error)
{
    printf("warpstudy %s\n\n", environment_version());
    check_processor();
    check_memory();
    const bool good = check_folders(line);
    check_gnuplot();
    check_devices();
    check_cuda();
    opencl_examine(say_opencl, NULL);
    return good || error_set(error, ERROR_FAILED, "something that every run needs is missing");
}

const struct command command_doctor = {
    .name = "doctor",
    .arguments = "",
    .summary = "checks what this machine supports, and names the command that installs what is missing",
    .options =
        {
            {COMMAND_OPTION_DB},
        },
    .run = doctor_run,
};
