// SPDX-License-Identifier: MIT
// The part of the CUDA driver, NVRTC and NVML interfaces that this backend uses, declared from their public
// documentation, so that no header of a CUDA release fixes it (toolkit.c
// compares them). The libraries are loaded when first asked for; a machine with
// neither still runs the program. Names, types and values are those of cuda.h and nvrtc.h.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#if defined(_WIN32)
#error "only systems whose driver is libcuda.so are supported"
#endif

enum { CUDA_OK = 0 }; // of CUresult and nvrtcResult; all else is an error with a name

enum {
    CUDA_ATTRIBUTE_MAX_BLOCK = 1,
    CUDA_ATTRIBUTE_MULTIPROCESSORS = 16,
    CUDA_ATTRIBUTE_THREADS_PER_MULTIPROCESSOR = 39,
    CUDA_ATTRIBUTE_LINEAR_TEXTURE = 69, // elements
    CUDA_ATTRIBUTE_CAPABILITY_MAJOR = 75,
    CUDA_ATTRIBUTE_CAPABILITY_MINOR = 76,
    CUDA_ATTRIBUTE_SHARED_PER_MULTIPROCESSOR = 81,
    CUDA_ATTRIBUTE_REGISTERS_PER_MULTIPROCESSOR = 82,
    CUDA_ATTRIBUTE_SHARED_PER_BLOCK_OPTIN = 97,
    CUDA_ATTRIBUTE_BLOCKS_PER_MULTIPROCESSOR = 106,
};
enum {
    CUDA_FUNCTION_MAX_THREADS = 0,
    CUDA_FUNCTION_STATIC_SHARED_BYTES = 1,
    CUDA_FUNCTION_LOCAL_BYTES = 3,
    CUDA_FUNCTION_REGISTERS = 4,
    CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
    CUDA_FUNCTION_CARVEOUT = 9,
};
// The errors that faults.c tells apart.
enum {
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_DEVICE_UNAVAILABLE = 46,
    CUDA_NO_DEVICE = 100,
    CUDA_INVALID_IMAGE = 200,
    CUDA_NO_BINARY_FOR_GPU = 209,
    CUDA_ECC_UNCORRECTABLE = 214,
    CUDA_NVLINK_UNCORRECTABLE = 220,
    CUDA_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_NOT_FOUND = 500,
    CUDA_ILLEGAL_ADDRESS = 700,
    CUDA_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_LAUNCH_TIMEOUT = 702,
    CUDA_CONTEXT_IS_DESTROYED = 709,
    CUDA_ASSERT = 710,
    CUDA_HARDWARE_STACK_ERROR = 714,
    CUDA_ILLEGAL_INSTRUCTION = 715,
    CUDA_MISALIGNED_ADDRESS = 716,
    CUDA_INVALID_ADDRESS_SPACE = 717,
    CUDA_INVALID_PC = 718,
    CUDA_LAUNCH_FAILED = 719,
    CUDA_COOPERATIVE_TOO_LARGE = 720,
    CUDA_CONTAINED = 721, // CUDA 12.9 and newer
    CUDA_EXTERNAL_DEVICE = 911,
    CUDA_UNKNOWN = 999,
};

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct _nvrtcProgram;
typedef unsigned long long cuda_address; // CUdeviceptr on every 64-bit system

// CUDA_RESOURCE_DESC of linear memory, and CUDA_TEXTURE_DESC.
enum { CUDA_RESOURCE_LINEAR = 2, CUDA_FORMAT_UINT32 = 3, CUDA_ADDRESS_CLAMP = 1, CUDA_READ_AS_INTEGER = 1 };
struct cuda_linear_resource {
    int type;
    union {
        struct {
            cuda_address memory;
            int format;
            unsigned int channels;
            size_t bytes;
        } linear;
        int reserved[32];
    } of;
    unsigned int flags;
};
struct cuda_texture {
    int address_modes[3], filter;
    unsigned int flags, anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most, border[4];
    int reserved[12];
};

// ENTRY(field, exported symbol, arguments); each returns an enum as int.
#define CUDA_DRIVER_ENTRIES(ENTRY)                                                                                     \
    ENTRY(init, cuInit, (unsigned int flags))                                                                          \
    ENTRY(error_name, cuGetErrorName, (int result, const char **text))                                                 \
    ENTRY(error_string, cuGetErrorString, (int result, const char **text))                                             \
    ENTRY(driver_version, cuDriverGetVersion, (int *version))                                                          \
    ENTRY(device_count, cuDeviceGetCount, (int *count))                                                                \
    ENTRY(device_get, cuDeviceGet, (int *device, int ordinal))                                                         \
    ENTRY(device_name, cuDeviceGetName, (char *name, int size, int device))                                            \
    ENTRY(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, int device))                                            \
    ENTRY(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))                             \
    ENTRY(device_uuid, cuDeviceGetUuid_v2, (unsigned char *uuid, int device))                                          \
    ENTRY(device_bus, cuDeviceGetPCIBusId, (char *text, int size, int device))                                         \
    ENTRY(context_retain, cuDevicePrimaryCtxRetain, (struct CUctx_st * *context, int device))                          \
    ENTRY(context_release, cuDevicePrimaryCtxRelease_v2, (int device))                                                 \
    ENTRY(context_set, cuCtxSetCurrent, (struct CUctx_st * context))                                                   \
    ENTRY(context_synchronize, cuCtxSynchronize, (void))                                                               \
    ENTRY(memory_alloc, cuMemAlloc_v2, (cuda_address * address, size_t bytes))                                         \
    ENTRY(memory_free, cuMemFree_v2, (cuda_address address))                                                           \
    ENTRY(memory_upload, cuMemcpyHtoDAsync_v2,                                                                         \
          (cuda_address to, const void *from, size_t bytes, struct CUstream_st *stream))                               \
    ENTRY(memory_download, cuMemcpyDtoHAsync_v2,                                                                       \
          (void *to, cuda_address from, size_t bytes, struct CUstream_st *stream))                                     \
    ENTRY(memory_copy, cuMemcpyDtoDAsync_v2,                                                                           \
          (cuda_address to, cuda_address from, size_t bytes, struct CUstream_st * stream))                             \
    ENTRY(memory_info, cuMemGetInfo_v2, (size_t * free, size_t * total))                                               \
    ENTRY(host_alloc, cuMemHostAlloc, (void **memory, size_t bytes, unsigned int flags))                               \
    ENTRY(host_free, cuMemFreeHost, (void *memory))                                                                    \
    ENTRY(memory_fill, cuMemsetD8Async,                                                                                \
          (cuda_address to, unsigned char value, size_t bytes, struct CUstream_st *stream))                            \
    ENTRY(texture_create, cuTexObjectCreate,                                                                           \
          (unsigned long long *texture, const struct cuda_linear_resource *resource,                                   \
           const struct cuda_texture *description, const void *view))                                                  \
    ENTRY(texture_destroy, cuTexObjectDestroy, (unsigned long long texture))                                           \
    ENTRY(module_load, cuModuleLoadDataEx,                                                                             \
          (struct CUmod_st * *module, const void *image, unsigned int count, int *options, void **values))             \
    ENTRY(module_unload, cuModuleUnload, (struct CUmod_st * module))                                                   \
    ENTRY(module_function, cuModuleGetFunction,                                                                        \
          (struct CUfunc_st * *function, struct CUmod_st * module, const char *name))                                  \
    ENTRY(function_attribute, cuFuncGetAttribute, (int *value, int attribute, struct CUfunc_st *function))             \
    ENTRY(function_set, cuFuncSetAttribute, (struct CUfunc_st * function, int attribute, int value))                   \
    ENTRY(launch, cuLaunchKernel,                                                                                      \
          (struct CUfunc_st * function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,                 \
           unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,                \
           struct CUstream_st *stream, void **arguments, void **extra))                                                \
    ENTRY(launch_cooperative, cuLaunchCooperativeKernel,                                                               \
          (struct CUfunc_st * function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,                 \
           unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,                \
           struct CUstream_st *stream, void **arguments))                                                              \
    ENTRY(resident_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                                \
          (int *blocks, struct CUfunc_st *function, int block, size_t shared_bytes))                                   \
    ENTRY(stream_create, cuStreamCreate, (struct CUstream_st * *stream, unsigned int flags))                           \
    ENTRY(stream_destroy, cuStreamDestroy_v2, (struct CUstream_st * stream))                                           \
    ENTRY(stream_synchronize, cuStreamSynchronize, (struct CUstream_st * stream))                                      \
    ENTRY(stream_wait, cuStreamWaitEvent,                                                                              \
          (struct CUstream_st * stream, struct CUevent_st * event, unsigned int flags))                                \
    ENTRY(event_create, cuEventCreate, (struct CUevent_st * *event, unsigned int flags))                               \
    ENTRY(event_destroy, cuEventDestroy_v2, (struct CUevent_st * event))                                               \
    ENTRY(event_record, cuEventRecord, (struct CUevent_st * event, struct CUstream_st * stream))                       \
    ENTRY(event_synchronize, cuEventSynchronize, (struct CUevent_st * event))                                          \
    ENTRY(event_elapsed, cuEventElapsedTime, (float *milliseconds, struct CUevent_st *from, struct CUevent_st *to))

#define CUDA_NVRTC_ENTRIES(ENTRY)                                                                                      \
    ENTRY(version, nvrtcVersion, (int *major, int *minor))                                                             \
    ENTRY(create, nvrtcCreateProgram,                                                                                  \
          (struct _nvrtcProgram * *program, const char *source, const char *name, int header_count,                    \
           const char *const *headers, const char *const *header_names))                                               \
    ENTRY(destroy, nvrtcDestroyProgram, (struct _nvrtcProgram * *program))                                             \
    ENTRY(compile, nvrtcCompileProgram, (struct _nvrtcProgram * program, int count, const char *const *options))       \
    ENTRY(log_size, nvrtcGetProgramLogSize, (struct _nvrtcProgram * program, size_t * size))                           \
    ENTRY(log, nvrtcGetProgramLog, (struct _nvrtcProgram * program, char *log))                                        \
    ENTRY(cubin_size, nvrtcGetCUBINSize, (struct _nvrtcProgram * program, size_t * size))                              \
    ENTRY(cubin, nvrtcGetCUBIN, (struct _nvrtcProgram * program, char *cubin))

// NVML's nvmlProcessInfo_t of the calls that end in _v3.
struct cuda_nvml_process {
    unsigned int pid;
    unsigned long long memory;
    unsigned int instance, compute_instance;
};
enum { CUDA_NVML_CLOCK_SM = 1, CUDA_NVML_CLOCK_MEMORY = 2 };
enum { CUDA_NVML_TEMPERATURE_GPU = 0 };
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

struct nvmlDevice_st;
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

#define CUDA_ENTRY_FIELD(field, symbol, arguments) int(*field) arguments;
struct cuda_driver {
    CUDA_DRIVER_ENTRIES(CUDA_ENTRY_FIELD)
};
struct cuda_nvrtc {
    CUDA_NVRTC_ENTRIES(CUDA_ENTRY_FIELD)
    const char *(*error_string)(int result);
    int major, minor;
};
struct cuda_nvml {
    CUDA_NVML_ENTRIES(CUDA_ENTRY_FIELD)
};
#undef CUDA_ENTRY_FIELD

// Loaded once, from any thread; NULL, with the reason and a remedy in `error` (which may be NULL), where it cannot be.
// NVRTC is sought in $WARPSTUDY_NVRTC (a file), the loader's path, $CUDA_HOME/lib64 and /usr/local/cuda/lib64.
const struct cuda_driver *cuda_driver_load(struct error *error);
const struct cuda_nvrtc *cuda_nvrtc_load(struct error *error);
const struct cuda_nvml *cuda_nvml_load(struct error *error);

// CUDA_VERSION of the toolkit that this was built with: 13000 for 13.0.
extern const int cuda_toolkit_version;

// CUDA_CALL(error, field, arguments...): calls cuda_driver.field once; on failure sets an error with the cause, the
// call, its place and the driver's name for it, and is false. Use it only after cuda_driver_load succeeded. The error's
// kind is ERROR_DEVICE where the context is dead: every later call of this process fails too.
#define CUDA_CALL(error, field, ...)                                                                                   \
    cuda_check(cuda_driver_load(NULL)->field(__VA_ARGS__), #field "(" #__VA_ARGS__ ")", __FILE__, __LINE__, (error))
bool cuda_check(int result, const char *call, const char *file, int line, struct error *error);
// The same for a result that somebody else gave, with its name and words (each may be NULL).
bool cuda_report(int result, const char *name, const char *words, const char *call, struct error *error);
