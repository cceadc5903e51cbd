// SPDX-License-Identifier: MIT
// Tables of the functions of the CUDA driver, NVRTC and NVML, by the toolkit's own headers. The libraries are loaded
// when first asked for; a machine with none of them still runs the program.
#pragma once

#include <cuda.h>
#include <nvrtc.h>

#include "base/error.h"
#include "device/cuda/driver_entries.h"

#define CUDA_NVRTC_ENTRIES(ENTRY)                                                                                      \
    ENTRY(version, nvrtcVersion)                                                                                       \
    ENTRY(create, nvrtcCreateProgram)                                                                                  \
    ENTRY(destroy, nvrtcDestroyProgram)                                                                                \
    ENTRY(compile, nvrtcCompileProgram)                                                                                \
    ENTRY(log_size, nvrtcGetProgramLogSize)                                                                            \
    ENTRY(log, nvrtcGetProgramLog)                                                                                     \
    ENTRY(cubin_size, nvrtcGetCUBINSize)                                                                               \
    ENTRY(cubin, nvrtcGetCUBIN)                                                                                        \
    ENTRY(optix_ir_size, nvrtcGetOptiXIRSize)                                                                          \
    ENTRY(optix_ir, nvrtcGetOptiXIR)                                                                                   \
    ENTRY(error_string, nvrtcGetErrorString)

// NVML is declared here, from its public documentation: nvml.h is a package of its own, which toolkits may lack.
struct nvmlDevice_st;
// nvmlProcessInfo_t of the calls that end in _v3.
struct cuda_nvml_process {
    unsigned int pid;
    unsigned long long memory;
    unsigned int instance, compute_instance;
};
enum { CUDA_NVML_OK = 0, CUDA_NVML_CLOCK_SM = 1, CUDA_NVML_CLOCK_MEMORY = 2, CUDA_NVML_TEMPERATURE_GPU = 0 };
// Bits of nvmlDeviceGetCurrentClocksThrottleReasons.
enum {
    CUDA_NVML_THROTTLE_IDLE = 0x1,
    CUDA_NVML_THROTTLE_APPLICATION_CLOCKS = 0x2,
    CUDA_NVML_THROTTLE_POWER_CAP = 0x4,
    CUDA_NVML_THROTTLE_HARDWARE =
        0x8, // any of the hardware's reasons; those that are told apart have bits of their own
    CUDA_NVML_THROTTLE_SYNC_BOOST = 0x10,
    CUDA_NVML_THROTTLE_SOFTWARE_THERMAL = 0x20,
    CUDA_NVML_THROTTLE_HARDWARE_THERMAL = 0x40,
    CUDA_NVML_THROTTLE_POWER_BRAKE = 0x80,
    CUDA_NVML_THROTTLE_DISPLAY_CLOCKS = 0x100,
};
// ENTRY(field, exported symbol, arguments)
#define CUDA_NVML_ENTRIES(ENTRY)                                                                                       \
    ENTRY(init, nvmlInit_v2, (void))                                                                                   \
    ENTRY(driver_version, nvmlSystemGetDriverVersion, (char *version, unsigned int size))                              \
    ENTRY(device_by_bus, nvmlDeviceGetHandleByPciBusId_v2, (const char *bus, struct nvmlDevice_st **device))           \
    ENTRY(temperature, nvmlDeviceGetTemperature, (struct nvmlDevice_st * device, int sensor, unsigned int *celsius))   \
    ENTRY(power, nvmlDeviceGetPowerUsage, (struct nvmlDevice_st * device, unsigned int *milliwatts))                   \
    ENTRY(clock, nvmlDeviceGetClockInfo, (struct nvmlDevice_st * device, int kind, unsigned int *mhz))                 \
    ENTRY(throttle, nvmlDeviceGetCurrentClocksThrottleReasons,                                                         \
          (struct nvmlDevice_st * device, unsigned long long *reasons))                                                \
    ENTRY(processes, nvmlDeviceGetComputeRunningProcesses_v3,                                                          \
          (struct nvmlDevice_st * device, unsigned int *count, struct cuda_nvml_process *processes))

#define CUDA_ENTRY_FIELD(field, symbol) __typeof__(symbol) *field;
struct cuda_driver {
    CUDA_DRIVER_ENTRIES(CUDA_ENTRY_FIELD)
};
struct cuda_nvrtc {
    CUDA_NVRTC_ENTRIES(CUDA_ENTRY_FIELD)
    int major, minor;
};
#undef CUDA_ENTRY_FIELD
#define CUDA_ENTRY_FIELD(field, symbol, arguments) int(*field) arguments;
struct cuda_nvml {
    CUDA_NVML_ENTRIES(CUDA_ENTRY_FIELD)
};
#undef CUDA_ENTRY_FIELD

// Loaded once, from any thread; NULL, with the reason and a remedy in `error` (which may be NULL), where it cannot be.
// NVRTC is sought in $WARPSTUDY_NVRTC (a file), the loader's path, $CUDA_HOME/lib64 and /usr/local/cuda/lib64.
const struct cuda_driver *cuda_driver_load(struct error *error);
const struct cuda_nvrtc *cuda_nvrtc_load(struct error *error);
const struct cuda_nvml *cuda_nvml_load(struct error *error);
