// SPDX-License-Identifier: MIT
// Shared memory of the OpenCL devices made for tests, which is the host's own; each allocates it in its way.
#pragma once

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

void clSVMFree(cl_context of, void *memory)
{
    free(memory);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool wait, void *to, const void *from, size_t size, cl_uint count,
                          const cl_event *events, cl_event *event)
{
    memcpy(to, from, size);
    return CL_SUCCESS;
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern, size_t pattern_size, size_t size,
                           cl_uint count, const cl_event *events, cl_event *event)
{
    memset(to, *(const unsigned char *)pattern, size);
    return CL_SUCCESS;
}
