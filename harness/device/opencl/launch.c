// SPDX-License-Identifier: MIT
#include <string.h>

#include "device/occupancy.h"
#include "device/opencl/opencl.h"

// What this device cannot run is told apart from what fails on it: the former is a skip.
static bool check_launch(const struct opencl_device *opencl, const struct device_launch *launch, struct error *error)
{
    const struct device_kernel *kernel = launch->kernel;
    if (launch->cooperative) {
        error_set(error, ERROR_UNSUPPORTED,
                  "kernel %s needs a cooperative launch, all blocks of which run at once: OpenCL promises that nowhere",
                  kernel->name);
        return error_remedy(error, "run it on the emulator or through CUDA");
    }
    if (launch->block == 0 || launch->block > kernel->max_block)
        return error_set(error, ERROR_UNSUPPORTED, "a block of %u lanes does not fit kernel %s: %zu are the most",
                         (unsigned)launch->block, kernel->name, kernel->max_block);
    if (launch->shared_bytes > opencl->properties.shared_per_block)
        return error_set(error, ERROR_UNSUPPORTED,
                         "kernel %s wants %zu bytes of shared memory a block, and %s has %llu", kernel->name,
                         launch->shared_bytes, opencl->properties.name,
                         (unsigned long long)opencl->properties.shared_per_block);
    return true;
}

// By the kernel's registers, where the compiler told them, and the table of capabilities; one where it did not.
bool opencl_resident_blocks(struct device *device, const struct device_launch *launch, uint32_t *blocks,
                            struct error *error)
{
    const struct opencl_device *opencl = opencl_of(device);
    const struct capability *capability = capability_find(opencl->properties.compute_capability);
    const struct device_kernel_facts facts = opencl_facts(launch->kernel);
    struct device_launch any = *launch;
    any.cooperative = false;
    *blocks = 1;
    if (!check_launch(opencl, &any, error))
        return false;
    if (capability && facts.registers > 0)
        *blocks = occupancy_predict(capability, launch->block, (uint32_t)facts.registers,
                                    launch->shared_bytes + (uint64_t)facts.static_shared_bytes)
                      .blocks;
    return true;
}

// Names to the kernel the memory that it may reach by pointers that are not its arguments.
static bool show_memory(const struct opencl_device *opencl, struct device_kernel *kernel, struct error *error)
{
    if (kernel->allocations == opencl->allocations || opencl->block_count == 0)
        return true;
    if (!OPENCL_CALL(error, SetKernelExecInfo, kernel->handle, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                     opencl->block_count * sizeof *opencl->bases, opencl->bases))
        return false;
    kernel->allocations = opencl->allocations;
    return true;
}

// Arguments by value, as words: see KERNEL of kernels/lib/platform_opencl.h.
static bool set_words(const struct device_kernel *kernel, const struct device_launch *launch, struct error *error)
{
    enum { WORD = 16, MOST = 4096 };
    _Alignas(WORD) unsigned char words[MOST];
    const size_t size = (launch->args_size + WORD - 1) / WORD * WORD;
    if (size > MOST)
        return error_set(error, ERROR_UNSUPPORTED, "kernel %s takes %zu bytes of arguments, and OpenCL at most %d",
                         kernel->name, launch->args_size, MOST);
    memcpy(words, launch->args, launch->args_size);
    memset(words + launch->args_size, 0, size - launch->args_size);
    return OPENCL_CALL(error, SetKernelArg, kernel->handle, 0, size, words);
}

// Arguments in a buffer, copied by this call. Release it once the kernel is enqueued: OpenCL keeps it until that has run.
static bool set_buffer(const struct opencl_device *opencl, const struct device_kernel *kernel,
                       const struct device_launch *launch, cl_mem *args, struct error *error)
{
    cl_int result;
    *args = opencl_load(NULL)->CreateBuffer(opencl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, launch->args_size,
                                            (void *)(uintptr_t)launch->args, &result);
    return opencl_check(result, "clCreateBuffer", error) &&
           OPENCL_CALL(error, SetKernelArg, kernel->handle, 0, sizeof *args, args);
}

static bool enqueue(const struct device_kernel *kernel, const struct device_launch *launch, cl_command_queue queue,
                    struct error *error)
{
    enum { LEAST_SHARED = 16 }; // none is no valid size
    const size_t lanes = (size_t)launch->grid * launch->block, block = launch->block;
    const size_t shared = launch->shared_bytes > LEAST_SHARED ? launch->shared_bytes : LEAST_SHARED;
    return OPENCL_CALL(error, SetKernelArg, kernel->handle, 1, (shared + 15) / 16 * 16, NULL) &&
           OPENCL_CALL(error, EnqueueNDRangeKernel, queue, kernel->handle, 1, NULL, &lanes, &block, 0, NULL, NULL);
}

bool opencl_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                   struct error *error)
{
    struct opencl_device *opencl = opencl_of(device);
    struct device_kernel *kernel = (struct device_kernel *)(uintptr_t)launch->kernel;
    cl_command_queue queue;
    if (!check_launch(opencl, launch, error))
        return false;
    if (launch->grid == 0)
        return true;
    if (!opencl_check_warps(opencl, kernel, launch->block, error))
        return false;
    cl_mem args = NULL;
    const bool done = show_memory(opencl, kernel, error) && opencl_begin(device, stream, &queue, error) &&
                      (opencl->warps == OPENCL_OF_NVIDIA ? set_words(kernel, launch, error)
                                                         : set_buffer(opencl, kernel, launch, &args, error)) &&
                      enqueue(kernel, launch, queue, error);
    if (args)
        (void)OPENCL_CALL(NULL, ReleaseMemObject, args);
    return done && opencl_end(device, stream, error);
}
