// SPDX-License-Identifier: MIT
// The functions of the driver that this backend uses.
#pragma once

// ENTRY(field, exported symbol). Symbols are those of the oldest version that does: cuda.h itself may name a newer one,
// which older drivers lack.
#define CUDA_DRIVER_ENTRIES(ENTRY)                                                                                     \
    ENTRY(init, cuInit)                                                                                                \
    ENTRY(error_name, cuGetErrorName)                                                                                  \
    ENTRY(error_string, cuGetErrorString)                                                                              \
    ENTRY(driver_version, cuDriverGetVersion)                                                                          \
    ENTRY(device_count, cuDeviceGetCount)                                                                              \
    ENTRY(device_get, cuDeviceGet)                                                                                     \
    ENTRY(device_name, cuDeviceGetName)                                                                                \
    ENTRY(device_memory, cuDeviceTotalMem_v2)                                                                          \
    ENTRY(device_attribute, cuDeviceGetAttribute)                                                                      \
    ENTRY(device_uuid, cuDeviceGetUuid_v2)                                                                             \
    ENTRY(device_bus, cuDeviceGetPCIBusId)                                                                             \
    ENTRY(context_retain, cuDevicePrimaryCtxRetain)                                                                    \
    ENTRY(context_release, cuDevicePrimaryCtxRelease_v2)                                                               \
    ENTRY(context_set, cuCtxSetCurrent)                                                                                \
    ENTRY(context_synchronize, cuCtxSynchronize)                                                                       \
    ENTRY(memory_alloc, cuMemAlloc_v2)                                                                                 \
    ENTRY(memory_free, cuMemFree_v2)                                                                                   \
    ENTRY(memory_upload, cuMemcpyHtoDAsync_v2)                                                                         \
    ENTRY(memory_download, cuMemcpyDtoHAsync_v2)                                                                       \
    ENTRY(memory_copy, cuMemcpyDtoDAsync_v2)                                                                           \
    ENTRY(memory_info, cuMemGetInfo_v2)                                                                                \
    ENTRY(host_alloc, cuMemHostAlloc)                                                                                  \
    ENTRY(host_free, cuMemFreeHost)                                                                                    \
    ENTRY(memory_fill, cuMemsetD8Async)                                                                                \
    ENTRY(texture_create, cuTexObjectCreate)                                                                           \
    ENTRY(texture_destroy, cuTexObjectDestroy)                                                                         \
    ENTRY(module_load, cuModuleLoadDataEx)                                                                             \
    ENTRY(module_unload, cuModuleUnload)                                                                               \
    ENTRY(module_function, cuModuleGetFunction)                                                                        \
    ENTRY(function_attribute, cuFuncGetAttribute)                                                                      \
    ENTRY(function_set, cuFuncSetAttribute)                                                                            \
    ENTRY(launch, cuLaunchKernel)                                                                                      \
    ENTRY(launch_extended, cuLaunchKernelEx)                                                                           \
    ENTRY(launch_cooperative, cuLaunchCooperativeKernel)                                                               \
    ENTRY(resident_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                \
    ENTRY(stream_create, cuStreamCreate)                                                                               \
    ENTRY(stream_destroy, cuStreamDestroy_v2)                                                                          \
    ENTRY(stream_synchronize, cuStreamSynchronize)                                                                     \
    ENTRY(stream_wait, cuStreamWaitEvent)                                                                              \
    ENTRY(event_create, cuEventCreate)                                                                                 \
    ENTRY(event_destroy, cuEventDestroy_v2)                                                                            \
    ENTRY(event_record, cuEventRecord)                                                                                 \
    ENTRY(event_synchronize, cuEventSynchronize)                                                                       \
    ENTRY(event_elapsed, cuEventElapsedTime)
