// SPDX-License-Identifier: MIT
// How wide the sub-groups of kernels are.
#include "device/opencl/opencl.h"

bool opencl_kernel_warps(const struct opencl_device *opencl, const struct device_kernel *kernel, size_t block,
                         size_t *width, struct error *error)
{
    return OPENCL_CALL(error, GetKernelSubGroupInfo, kernel->handle, opencl->id,
                       CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof block, &block, sizeof *width, width, NULL);
}

// A block smaller than a warp is one warp, of whatever width.
static bool keeps_width(const struct opencl_device *opencl, size_t width, size_t block)
{
    const size_t wanted = opencl->properties.warp_width;
    return width == wanted || (block < wanted && width >= block);
}

bool opencl_check_warps(const struct opencl_device *opencl, struct device_kernel *kernel, uint32_t block,
                        struct error *error)
{
    size_t width = 0;
    if (opencl->warps != OPENCL_SUBGROUPS || kernel->checked_block == block)
        return true;
    if (!opencl_kernel_warps(opencl, kernel, block, &width, error))
        return false;
    if (!keeps_width(opencl, width, block))
        return error_set(error, ERROR_UNSUPPORTED,
                         "kernel %s has sub-groups of %zu lanes in blocks of %u, and was compiled for %u", kernel->name,
                         width, (unsigned)block, (unsigned)opencl->properties.warp_width);
    kernel->checked_block = block;
    return true;
}
