// SPDX-License-Identifier: MIT
// What surrounds a measurement, as the NVIDIA management library tells it.
#include "device/cuda/backend.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct nvmlDevice_st *cuda_find_nvml(int handle)
{
    char bus[32];
    struct nvmlDevice_st *device = NULL;
    const struct cuda_nvml *nvml = cuda_nvml_load(NULL);
    // By its place on the bus: the ordinals of the two libraries differ (CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER).
    if (!nvml || !CUDA_CALL(NULL, device_bus, bus, (int)sizeof bus, handle) ||
        nvml->device_by_bus(bus, &device) != CUDA_NVML_OK)
        return NULL;
    return device;
}

uint32_t cuda_throttle_of(unsigned long long reasons)
{
    static const struct {
        unsigned long long theirs;
        enum device_throttle ours;
    } rows[] = {
        {CUDA_NVML_THROTTLE_IDLE, DEVICE_THROTTLE_IDLE},
        {CUDA_NVML_THROTTLE_APPLICATION_CLOCKS, DEVICE_THROTTLE_SETTING},
        {CUDA_NVML_THROTTLE_DISPLAY_CLOCKS, DEVICE_THROTTLE_SETTING},
        {CUDA_NVML_THROTTLE_POWER_CAP, DEVICE_THROTTLE_POWER_CAP},
        {CUDA_NVML_THROTTLE_SOFTWARE_THERMAL, DEVICE_THROTTLE_THERMAL},
        {CUDA_NVML_THROTTLE_HARDWARE_THERMAL, DEVICE_THROTTLE_THERMAL},
        {CUDA_NVML_THROTTLE_POWER_BRAKE, DEVICE_THROTTLE_POWER_BRAKE},
    };
    const unsigned long long told_apart = CUDA_NVML_THROTTLE_HARDWARE_THERMAL | CUDA_NVML_THROTTLE_POWER_BRAKE;
    uint32_t throttle = 0;
    if (reasons & told_apart)
        reasons &= ~(unsigned long long)CUDA_NVML_THROTTLE_HARDWARE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        throttle |= reasons & rows[i].theirs ? (uint32_t)rows[i].ours : 0;
        reasons &= ~rows[i].theirs;
    }
    return reasons ? throttle | DEVICE_THROTTLE_OTHER : throttle;
}

// ---- other programs

// Parent of a process; 0 where /proc does not know it.
static pid_t parent_of(pid_t process)
{
    char path[64], text[512];
    if (process == getpid())
        return getppid();
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    // "pid (name) state parent ...": a name may hold blanks and brackets.
    const char *rest = strrchr(text, ')');
    long parent = 0;
    return rest && sscanf(rest + 1, " %*c %ld", &parent) == 1 ? (pid_t)parent : 0;
}

static bool descends_from(pid_t process, pid_t ancestor)
{
    enum { DEEPEST = 256 }; // while walking, a process may end and its number be taken by another
    for (int i = 0; process > 0 && i < DEEPEST; ++i) {
        if (process == ancestor)
            return true;
        process = parent_of(process);
    }
    return false;
}

// Our parent, where it runs this very program: a coordinator, whose workers may have groups or sessions of their own. 0
// where it is a shell or the like.
static pid_t coordinator(void)
{
    char path[64];
    struct stat own, parent;
    snprintf(path, sizeof path, "/proc/%ld/exe", (long)getppid());
    return stat("/proc/self/exe", &own) == 0 && stat(path, &parent) == 0 && own.st_dev == parent.st_dev &&
                   own.st_ino == parent.st_ino
               ? getppid()
               : 0;
}

// Not by session or process group: what else was started from our terminal is as foreign as any other program.
static bool is_relative(pid_t process)
{
    const pid_t own = getpid(), family = coordinator();
    return descends_from(process, own) || descends_from(own, process) || (family && descends_from(process, family));
}

// /proc need not show other users' processes (hidepid); a signal that is none tells that they are there.
static bool is_there(pid_t process)
{
    return process > 0 && (kill(process, 0) == 0 || errno == EPERM);
}

int32_t cuda_count_foreign(const unsigned int *processes, size_t count)
{
    bool found_own = false;
    int32_t foreign = 0;
    for (size_t i = 0; i < count; ++i) {
        const pid_t process = (pid_t)processes[i];
        found_own |= process == getpid();
        foreign += is_there(process) && !is_relative(process);
    }
    return found_own ? foreign : -1;
}

static int32_t foreign_processes(const struct cuda_nvml *nvml, struct nvmlDevice_st *device)
{
    enum { MOST = 256 };
    struct cuda_nvml_process rows[MOST];
    unsigned int count = MOST, processes[MOST];
    if (nvml->processes(device, &count, rows) != CUDA_NVML_OK || count > MOST)
        return -1;
    for (unsigned int i = 0; i < count; ++i)
        processes[i] = rows[i].pid;
    return cuda_count_foreign(processes, count);
}

bool cuda_conditions(struct device *device, struct device_conditions *conditions, struct error *error)
{
    const struct cuda_nvml *nvml = cuda_nvml_load(NULL);
    struct nvmlDevice_st *handle = cuda_device_of(device)->nvml;
    unsigned int value;
    unsigned long long reasons;
    (void)error;
    *conditions = (struct device_conditions){NAN, NAN, NAN, NAN, 0, -1};
    if (!nvml || !handle)
        return true;
    if (nvml->temperature(handle, CUDA_NVML_TEMPERATURE_GPU, &value) == CUDA_NVML_OK)
        conditions->temperature = value;
    if (nvml->power(handle, &value) == CUDA_NVML_OK)
        conditions->power = value * 1e-3;
    if (nvml->clock(handle, CUDA_NVML_CLOCK_SM, &value) == CUDA_NVML_OK)
        conditions->sm_mhz = value;
    if (nvml->clock(handle, CUDA_NVML_CLOCK_MEMORY, &value) == CUDA_NVML_OK)
        conditions->memory_mhz = value;
    if (nvml->throttle(handle, &reasons) == CUDA_NVML_OK)
        conditions->throttle = cuda_throttle_of(reasons);
    conditions->foreign_processes = foreign_processes(nvml, handle);
    return true;
}
