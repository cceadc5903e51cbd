// SPDX-License-Identifier: MIT
// What the driver's errors mean: their kind, their cause in words, and whether this process can go on.
#include "device/cuda/faults.h"

#include <stdio.h>
#include <string.h>

struct fault {
    int result;
    enum error_kind kind;
    const char *cause; // NULL: the driver's own words say it
    const char *remedy;
};

#define KERNEL_REMEDY "compute-sanitizer, put before the same command, names the kernel and the line"
#define LOST_REMEDY "see dmesg and nvidia-smi -q; the GPU may need a reset or the machine a restart"

// CUDA_ERROR_CONTAINED, which the headers of older toolkits lack.
enum { ERROR_CONTAINED = 226 };

// ERROR_DEVICE: the context is dead, and every later call of this process fails.
static const struct fault faults[] = {
    {CUDA_ERROR_OUT_OF_MEMORY, ERROR_SYSTEM, "the GPU's memory is full",
     "end other programs on this GPU (nvidia-smi lists them), or make the image smaller"},
    {CUDA_ERROR_DEVICE_UNAVAILABLE, ERROR_SYSTEM,
     "another program has this GPU for itself, or its compute mode forbids it",
     "nvidia-smi lists the programs; nvidia-smi -q -d COMPUTE shows the mode"},
    {CUDA_ERROR_INVALID_IMAGE, ERROR_UNSUPPORTED, NULL, NULL},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, ERROR_UNSUPPORTED, NULL, NULL},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, ERROR_UNSUPPORTED, NULL, NULL},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, ERROR_UNSUPPORTED, "the block does not fit a multiprocessor",
     "use smaller blocks, fewer registers or less shared memory"},
    {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, ERROR_UNSUPPORTED,
     "the GPU cannot hold all blocks of a cooperative launch at once",
     "use fewer multiprocessors, resident_blocks or registers, smaller blocks, or less shared memory"},
    {CUDA_ERROR_ECC_UNCORRECTABLE, ERROR_DEVICE, "the GPU's memory has an error that ECC cannot correct", LOST_REMEDY},
    {CUDA_ERROR_NVLINK_UNCORRECTABLE, ERROR_DEVICE, "the link between GPUs failed", LOST_REMEDY},
    {CUDA_ERROR_ILLEGAL_ADDRESS, ERROR_DEVICE, "a kernel read or wrote where it has no memory", KERNEL_REMEDY},
    {CUDA_ERROR_LAUNCH_TIMEOUT, ERROR_DEVICE, "a kernel ran longer than the driver lets it (a display's watchdog)",
     "use a GPU without a display, or a smaller image"},
    {CUDA_ERROR_CONTEXT_IS_DESTROYED, ERROR_DEVICE, "the context was destroyed after an earlier fault", NULL},
    {CUDA_ERROR_ASSERT, ERROR_DEVICE, "an assertion failed in a kernel", KERNEL_REMEDY},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, ERROR_DEVICE, "a lane's stack overflowed or was overwritten", KERNEL_REMEDY},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, ERROR_DEVICE, "a kernel met an instruction that is none", KERNEL_REMEDY},
    {CUDA_ERROR_MISALIGNED_ADDRESS, ERROR_DEVICE, "a kernel's access is not aligned to its size", KERNEL_REMEDY},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, ERROR_DEVICE, "a kernel used an address of the wrong memory", KERNEL_REMEDY},
    {CUDA_ERROR_INVALID_PC, ERROR_DEVICE, "a kernel jumped to where no code is", KERNEL_REMEDY},
    {CUDA_ERROR_LAUNCH_FAILED, ERROR_DEVICE, "a kernel faulted", KERNEL_REMEDY},
    {CUDA_ERROR_EXTERNAL_DEVICE, ERROR_DEVICE, "a device outside the GPU faulted", LOST_REMEDY},
    {ERROR_CONTAINED, ERROR_DEVICE, "the GPU contained a hardware error and ended this context", LOST_REMEDY},
    {CUDA_ERROR_UNKNOWN, ERROR_DEVICE, "the GPU was lost (it fell off the bus, or its driver failed)", LOST_REMEDY},
};

static const struct fault *faults_find(int result)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i)
        if (faults[i].result == result)
            return &faults[i];
    return NULL;
}

bool cuda_report(int result, const char *name, const char *words, const char *call, struct error *error)
{
    const struct fault *fault = faults_find(result);
    const char *cause = fault && fault->cause ? fault->cause : words ? words : "unknown error";
    error_set(error, fault ? fault->kind : ERROR_FAILED, "CUDA: %s (%s, %d) in %s%s", cause, name ? name : "?", result,
              call, fault && fault->kind == ERROR_DEVICE ? "; this process cannot use the GPU any more" : "");
    if (fault && fault->remedy)
        error_remedy(error, "%s", fault->remedy);
    return false;
}

bool cuda_check(CUresult result, const char *call, const char *file, int line, struct error *error)
{
    if (result == CUDA_SUCCESS)
        return true;
    const char *name = NULL, *words = NULL, *slash = strrchr(file, '/');
    char place[512];
    cuda_driver_load(NULL)->error_name(result, &name);
    cuda_driver_load(NULL)->error_string(result, &words);
    snprintf(place, sizeof place, "%s at %s:%d", call, slash ? slash + 1 : file, line);
    return cuda_report((int)result, name, words, place, error);
}
