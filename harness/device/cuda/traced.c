// SPDX-License-Identifier: MIT
// What OptiX does for the cuda backend.
#include "device/cuda/backend.h"

#include "base/clock.h"
#include "device/optix/optix.h"

struct optix *cuda_optix(struct cuda_device *cuda, struct error *error)
{
    if (!cuda->optix)
        cuda->optix = optix_open(cuda->context, error);
    return cuda->optix;
}

bool cuda_tracing(struct device *device, struct device_tracing *tracing, struct error *error)
{
    struct optix *optix = cuda_enter(device, error) ? cuda_optix(cuda_device_of(device), error) : NULL;
    if (!optix || !optix_headers(error))
        return false;
    *tracing = *optix_facts(optix);
    return true;
}

bool cuda_create_structure(struct device *device, const struct device_structure_input *input,
                           struct device_structure *structure, struct error *error)
{
    struct optix *optix = cuda_enter(device, error) ? cuda_optix(cuda_device_of(device), error) : NULL;
    *structure = (struct device_structure){0};
    if (!optix || !CUDA_CALL(error, stream_synchronize, NULL)) // the triangles are there
        return false;
    const double from = clock_seconds();
    const bool done = optix_build(optix, input, structure, error);
    structure->seconds = clock_seconds() - from;
    return done;
}

bool cuda_launch_traced(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                        struct error *error)
{
    struct cuda_workspace *arguments = stream ? &stream->arguments : &cuda_device_of(device)->arguments;
    if (launch->cooperative || launch->shared_bytes)
        return error_set(error, ERROR_UNSUPPORTED, "kernel %s: lanes wait for each other, which OptiX does not allow",
                         launch->kernel->name);
    if (!arguments->memory && !CUDA_CALL(error, memory_alloc, &arguments->memory, optix_launch_bytes))
        return false;
    arguments->bytes = optix_launch_bytes;
    return optix_program_launch(launch->kernel->traced, cuda_stream_of(stream), arguments->memory, launch, error);
}
