// SPDX-License-Identifier: MIT
// Inside the cuda backend: a device, and what all functions of the seam begin with. The seam is device/device.h.
#pragma once

#include "device/cuda/faults.h"
#include "device/device.h"

// Device memory that CUB works in: of one stream, so that two streams may use it at once.
struct cuda_workspace {
    CUdeviceptr memory;
    size_t bytes;
};

struct cuda_device {
    struct device device; // first, so that the seam's pointer is this struct's
    struct device_properties properties;
    CUdevice handle;
    CUcontext context;
    uint64_t launches;
    bool sampling;              // stalls are being sampled
    struct cupti_image *images; // code that is loaded, for counters
    struct cupti_state *cupti;  // made when counters are first asked for
    struct device_stream *streams;
    struct cuda_workspace workspace; // of the default stream
    struct cuda_workspace arguments; // of its launches through OptiX
    struct optix *optix;             // traced.c's; made when first needed
    struct cuda_clock *clock;        // stamp.c's; made when first needed
    struct nvmlDevice_st *nvml;      // the same GPU for NVML; NULL where there is none
};

// The streams that this backend creates wait for the default stream, and it for them: NULL may be mixed with streams.
struct device_stream {
    struct device_stream *next; // of the device's streams
    CUstream handle;
    struct cuda_workspace workspace, arguments; // the second: of launches through OptiX
    struct cuda_staging *staging;               // memory.c's; made when first needed
};

static inline struct cuda_device *cuda_device_of(struct device *device)
{
    return (struct cuda_device *)device;
}

static inline CUstream cuda_stream_of(const struct device_stream *stream)
{
    return stream ? stream->handle : NULL;
}

static inline void *cuda_pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static inline CUdeviceptr cuda_address_of(const void *memory)
{
    return (CUdeviceptr)(uintptr_t)memory;
}

// Makes the device's context this thread's: the first thing every function of the seam does.
bool cuda_enter(struct device *device, struct error *error);
void cuda_workspace_finish(struct cuda_workspace *workspace);
