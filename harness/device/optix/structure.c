// SPDX-License-Identifier: MIT
// Structures over triangles, and over copies of them. All that is kept of one lies in one block of device memory: first the
// structure over the copies, then those over the parts.
#include "device/optix/api.h"

#include <stdlib.h>
#include <string.h>

struct part_build {
    OptixBuildInput input;
    CUdeviceptr corners;
    size_t room; // of what is made
    OptixTraversableHandle handle;
};

// Device memory of a build: what is made first, what stays, what builds work in, one word for a compacted size, and copies.
struct structure_build {
    struct optix *optix;
    const struct device_structure_input *input;
    OptixAccelBuildOptions options;
    struct part_build *parts;
    uint32_t part_count;
    OptixBuildInput copies;
    OptixTraversableHandle over_copies;
    size_t top, work_bytes; // of the structure over the copies; the most that one build works in
    CUdeviceptr made, kept, work, size, instances;
};

static const unsigned int geometry_flags = OPTIX_GEOMETRY_FLAG_DISABLE_ANYHIT;

static size_t aligned(size_t size)
{
    return (size + OPTIX_ACCEL_BUFFER_BYTE_ALIGNMENT - 1) / OPTIX_ACCEL_BUFFER_BYTE_ALIGNMENT *
           OPTIX_ACCEL_BUFFER_BYTE_ALIGNMENT;
}

static void release_build(struct structure_build *build)
{
    const CUdeviceptr blocks[] = {build->made, build->kept, build->work, build->size, build->instances};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        if (blocks[i])
            (void)CUDA_CALL(NULL, memory_free, blocks[i]);
    free(build->parts);
}

// ---- sizes

static bool check_count(const char *of, uint32_t count, uint32_t most, struct error *error)
{
    if (count <= most)
        return true;
    error_set(error, ERROR_UNSUPPORTED, "OptiX takes at most %u %s; this scene has %u", most, of, count);
    return error_remedy(error, "choose another tree, or a smaller scene");
}

static bool measure(struct structure_build *build, const OptixBuildInput *input, size_t *room, struct error *error)
{
    OptixAccelBufferSizes sizes = {0};
    if (!OPTIX_CALL(error, optixAccelComputeMemoryUsage, build->optix->context, &build->options, input, 1, &sizes))
        return false;
    *room = aligned(sizes.outputSizeInBytes);
    if (sizes.tempSizeInBytes > build->work_bytes)
        build->work_bytes = sizes.tempSizeInBytes;
    return true;
}

// Hits name triangles by their numbers among those of all parts.
static bool measure_part(struct structure_build *build, struct part_build *part, const struct device_part *of,
                         struct error *error)
{
    part->corners = (CUdeviceptr)(uintptr_t)build->input->corners + (size_t)3 * of->first * build->input->stride;
    part->input = (OptixBuildInput){.type = OPTIX_BUILD_INPUT_TYPE_TRIANGLES};
    part->input.triangleArray.vertexBuffers = &part->corners;
    part->input.triangleArray.numVertices = 3 * of->count;
    part->input.triangleArray.vertexFormat = OPTIX_VERTEX_FORMAT_FLOAT3;
    part->input.triangleArray.vertexStrideInBytes = build->input->stride;
    part->input.triangleArray.flags = &geometry_flags;
    part->input.triangleArray.numSbtRecords = 1;
    part->input.triangleArray.primitiveIndexOffset = of->first;
    return check_count("triangles", of->count, build->optix->most_triangles, error) &&
           measure(build, &part->input, &part->room, error);
}

static bool measure_copies(struct structure_build *build, struct error *error)
{
    const uint32_t count = build->input->copy_count;
    if (!check_count("instances", count, build->optix->most_instances, error) ||
        !CUDA_CALL(error, memory_alloc, &build->instances, count * sizeof(OptixInstance)))
        return false;
    build->copies = (OptixBuildInput){.type = OPTIX_BUILD_INPUT_TYPE_INSTANCES};
    build->copies.instanceArray.instances = build->instances;
    build->copies.instanceArray.numInstances = count;
    return measure(build, &build->copies, &build->top, error);
}

static bool measure_all(struct structure_build *build, struct error *error)
{
    const struct device_part whole = {0, build->input->count};
    bool done = true;
    for (uint32_t i = 0; done && i < build->part_count; ++i)
        done =
            measure_part(build, &build->parts[i], build->input->part_count ? &build->input->parts[i] : &whole, error);
    return done && (!build->input->copy_count || measure_copies(build, error));
}

// ---- builds

static bool build_one(const struct structure_build *build, const OptixBuildInput *input, CUdeviceptr to, size_t room,
                      OptixTraversableHandle *handle, uint64_t *compacted, struct error *error)
{
    const OptixAccelEmitDesc emit = {build->size, OPTIX_PROPERTY_TYPE_COMPACTED_SIZE};
    return OPTIX_CALL(error, optixAccelBuild, build->optix->context, NULL, &build->options, input, 1, build->work,
                      build->work_bytes, to, room, handle, compacted ? &emit : NULL, compacted ? 1 : 0) &&
           (!compacted || CUDA_CALL(error, memory_download, compacted, build->size, sizeof *compacted, NULL)) &&
           CUDA_CALL(error, stream_synchronize, NULL);
}

// All parts behind one another; `sizes`: how large each is once compacted, or NULL.
static bool build_parts(struct structure_build *build, CUdeviceptr to, uint64_t *sizes, struct error *error)
{
    bool done = true;
    for (uint32_t i = 0; done && i < build->part_count; ++i) {
        struct part_build *part = &build->parts[i];
        done = build_one(build, &part->input, to, part->room, &part->handle, sizes ? &sizes[i] : NULL, error);
        to += part->room;
    }
    return done;
}

static bool compact_parts(struct structure_build *build, CUdeviceptr to, const uint64_t *sizes, struct error *error)
{
    bool done = true;
    for (uint32_t i = 0; done && i < build->part_count; ++i) {
        OptixTraversableHandle *handle = &build->parts[i].handle;
        done = OPTIX_CALL(error, optixAccelCompact, build->optix->context, NULL, *handle, to, sizes[i], handle);
        to += aligned(sizes[i]);
    }
    return done && CUDA_CALL(error, stream_synchronize, NULL);
}

// In two blocks, of which the first goes.
static bool build_compacted(struct structure_build *build, size_t room, struct device_structure *structure,
                            struct error *error)
{
    uint64_t *sizes = calloc(build->part_count + 1, sizeof *sizes);
    structure->bytes = build->top;
    bool done = (sizes || error_memory(error, "for sizes of structures")) &&
                CUDA_CALL(error, memory_alloc, &build->made, room) &&
                CUDA_CALL(error, memory_alloc, &build->size, sizeof *sizes) &&
                build_parts(build, build->made, sizes, error);
    for (uint32_t i = 0; done && i < build->part_count; ++i)
        structure->bytes += aligned(sizes[i]);
    done = done && CUDA_CALL(error, memory_alloc, &build->kept, structure->bytes) &&
           compact_parts(build, build->kept + build->top, sizes, error);
    structure->build_bytes = room + build->work_bytes + structure->bytes;
    free(sizes);
    return done;
}

static bool build_plainly(struct structure_build *build, size_t room, struct device_structure *structure,
                          struct error *error)
{
    structure->bytes = build->top + room;
    structure->build_bytes = structure->bytes + build->work_bytes;
    return CUDA_CALL(error, memory_alloc, &build->kept, structure->bytes) &&
           build_parts(build, build->kept + build->top, NULL, error);
}

// Over the parts, which are where they stay.
static bool build_copies(struct structure_build *build, struct error *error)
{
    const uint32_t count = build->input->copy_count;
    OptixInstance *list = calloc(count, sizeof *list);
    if (!list)
        return error_memory(error, "for %u instances", count);
    for (uint32_t i = 0; i < count; ++i) {
        const struct device_copy *copy = &build->input->copies[i];
        memcpy(list[i].transform, copy->to_world, sizeof list[i].transform);
        list[i].visibilityMask = 255;
        list[i].traversableHandle = build->parts[copy->part].handle;
    }
    build->options.buildFlags &= ~(unsigned int)OPTIX_BUILD_FLAG_ALLOW_COMPACTION;
    const bool done = CUDA_CALL(error, memory_upload, build->instances, list, count * sizeof *list, NULL) &&
                      CUDA_CALL(error, stream_synchronize, NULL) &&
                      build_one(build, &build->copies, build->kept, build->top, &build->over_copies, NULL, error);
    free(list);
    return done;
}

static bool build_all(struct structure_build *build, struct device_structure *structure, struct error *error)
{
    size_t room = 0;
    for (uint32_t i = 0; i < build->part_count; ++i)
        room += build->parts[i].room;
    return CUDA_CALL(error, memory_alloc, &build->work, build->work_bytes ? build->work_bytes : 1) &&
           (build->input->compact ? build_compacted : build_plainly)(build, room, structure, error) &&
           (!build->input->copy_count || build_copies(build, error));
}

bool optix_build(struct optix *optix, const struct device_structure_input *input, struct device_structure *structure,
                 struct error *error)
{
    static const unsigned int flags[CHOICES_OF_optix_build] = {
        [DEVICE_STRUCTURE_FAST_TRACE] = OPTIX_BUILD_FLAG_PREFER_FAST_TRACE,
        [DEVICE_STRUCTURE_BALANCED] = OPTIX_BUILD_FLAG_NONE,
        [DEVICE_STRUCTURE_FAST_BUILD] = OPTIX_BUILD_FLAG_PREFER_FAST_BUILD,
    };
    struct structure_build build = {
        .optix = optix,
        .input = input,
        .options = {.buildFlags = flags[input->kind] | (input->compact ? OPTIX_BUILD_FLAG_ALLOW_COMPACTION : 0u),
                    .operation = OPTIX_BUILD_OPERATION_BUILD},
        .part_count = input->part_count ? input->part_count : 1,
    };
    build.parts = calloc(build.part_count, sizeof *build.parts);
    const bool done = (build.parts || error_memory(error, "for %u structures", build.part_count)) &&
                      measure_all(&build, error) && build_all(&build, structure, error);
    if (done) {
        structure->handle = input->copy_count ? build.over_copies : build.parts->handle;
        structure->memory = (void *)(uintptr_t)build.kept;
        build.kept = 0;
    }
    release_build(&build);
    return done;
}
