// SPDX-License-Identifier: MIT
#include "device/cuda/device.h"

bool cuda_enter(struct device *device, struct error *error)
{
    return CUDA_CALL(error, context_set, cuda_device_of(device)->context);
}

void cuda_workspace_finish(struct cuda_workspace *workspace)
{
    if (workspace->memory)
        (void)CUDA_CALL(NULL, memory_free, workspace->memory);
    *workspace = (struct cuda_workspace){0};
}
