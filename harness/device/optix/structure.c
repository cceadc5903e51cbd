// SPDX-License-Identifier: MIT
// Structures over triangles.
#include "device/optix/api.h"

static OptixBuildInput triangles_of(const struct device_structure_input *input, const CUdeviceptr *corners,
                                    const unsigned int *flags)
{
    OptixBuildInput build = {.type = OPTIX_BUILD_INPUT_TYPE_TRIANGLES};
    build.triangleArray.vertexBuffers = corners;
    build.triangleArray.numVertices = 3 * input->count;
    build.triangleArray.vertexFormat = OPTIX_VERTEX_FORMAT_FLOAT3;
    build.triangleArray.vertexStrideInBytes = input->stride;
    build.triangleArray.flags = flags;
    build.triangleArray.numSbtRecords = 1;
    return build;
}

// Device memory of a build: what it is made in, what it works in, and one word, how large it is once compacted.
struct structure_room {
    CUdeviceptr made, work, size;
};

static void release_room(const struct structure_room *room)
{
    if (room->made)
        (void)CUDA_CALL(NULL, memory_free, room->made);
    if (room->work)
        (void)CUDA_CALL(NULL, memory_free, room->work);
    if (room->size)
        (void)CUDA_CALL(NULL, memory_free, room->size);
}

static bool build_whole(struct optix *optix, const OptixAccelBuildOptions *options, const OptixBuildInput *input,
                        struct structure_room *room, struct device_structure *structure, OptixTraversableHandle *handle,
                        struct error *error)
{
    OptixAccelBufferSizes sizes;
    if (!OPTIX_CALL(error, optixAccelComputeMemoryUsage, optix->context, options, input, 1, &sizes) ||
        !CUDA_CALL(error, memory_alloc, &room->made, sizes.outputSizeInBytes) ||
        !CUDA_CALL(error, memory_alloc, &room->work, sizes.tempSizeInBytes) ||
        !CUDA_CALL(error, memory_alloc, &room->size, sizeof(uint64_t)))
        return false;
    const OptixAccelEmitDesc emit = {room->size, OPTIX_PROPERTY_TYPE_COMPACTED_SIZE};
    const bool compacts = (options->buildFlags & OPTIX_BUILD_FLAG_ALLOW_COMPACTION) != 0;
    structure->bytes = sizes.outputSizeInBytes;
    structure->build_bytes = sizes.outputSizeInBytes + sizes.tempSizeInBytes;
    return OPTIX_CALL(error, optixAccelBuild, optix->context, NULL, options, input, 1, room->work,
                      sizes.tempSizeInBytes, room->made, sizes.outputSizeInBytes, handle, compacts ? &emit : NULL,
                      compacts ? 1 : 0) &&
           CUDA_CALL(error, stream_synchronize, NULL);
}

// Takes the place of *handle in *made, where that is smaller.
static bool compact(struct optix *optix, struct structure_room *room, struct device_structure *structure,
                    OptixTraversableHandle *handle, struct error *error)
{
    uint64_t size = 0;
    CUdeviceptr fresh = 0;
    if (!CUDA_CALL(error, memory_download, &size, room->size, sizeof size, NULL) ||
        !CUDA_CALL(error, stream_synchronize, NULL))
        return false;
    if (size >= structure->bytes)
        return true;
    if (!CUDA_CALL(error, memory_alloc, &fresh, size))
        return false;
    const bool done = OPTIX_CALL(error, optixAccelCompact, optix->context, NULL, *handle, fresh, size, handle) &&
                      CUDA_CALL(error, stream_synchronize, NULL);
    (void)CUDA_CALL(NULL, memory_free, room->made);
    room->made = fresh;
    structure->bytes = size;
    return done;
}

bool optix_build(struct optix *optix, const struct device_structure_input *input, struct device_structure *structure,
                 struct error *error)
{
    static const unsigned int flags[CHOICES_OF_optix_build] = {
        [DEVICE_STRUCTURE_FAST_TRACE] = OPTIX_BUILD_FLAG_PREFER_FAST_TRACE,
        [DEVICE_STRUCTURE_BALANCED] = OPTIX_BUILD_FLAG_NONE,
        [DEVICE_STRUCTURE_FAST_BUILD] = OPTIX_BUILD_FLAG_PREFER_FAST_BUILD,
    };
    const unsigned int geometry = OPTIX_GEOMETRY_FLAG_DISABLE_ANYHIT;
    const CUdeviceptr corners = (CUdeviceptr)(uintptr_t)input->corners;
    const OptixBuildInput triangles = triangles_of(input, &corners, &geometry);
    const OptixAccelBuildOptions options = {
        .buildFlags = flags[input->kind] | (input->compact ? OPTIX_BUILD_FLAG_ALLOW_COMPACTION : 0u),
        .operation = OPTIX_BUILD_OPERATION_BUILD,
    };
    struct structure_room room = {0};
    OptixTraversableHandle handle = 0;
    const bool done = build_whole(optix, &options, &triangles, &room, structure, &handle, error) &&
                      (!input->compact || compact(optix, &room, structure, &handle, error));
    if (done) {
        structure->handle = handle;
        structure->memory = (void *)(uintptr_t)room.made;
        room.made = 0;
    }
    release_room(&room);
    return done;
}
