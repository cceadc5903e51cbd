// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "import/bytes.h"
#include "import/volume_samples.h"
#include "import/volume_stream.h"

enum { TYPE_BYTES_MOST = 8 };
static const uint32_t type_bytes[VOLUME_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
const char *const volume_type_names[VOLUME_TYPES + 1] = {"uint8",  "int8",  "uint16",  "int16",   "uint32", "int32",
                                                         "uint64", "int64", "float32", "float64", NULL};

// ---- one value

// Of 64-bit integers the nearest one with 53 bits.
static double value_of(const unsigned char *bytes, const struct volume_layout *layout)
{
    const uint64_t word = bytes_word(bytes, type_bytes[layout->type], layout->big_endian);
    switch ((enum volume_type)layout->type) {
    case VOLUME_INT8: return (int8_t)word;
    case VOLUME_INT16: return (int16_t)word;
    case VOLUME_INT32: return (int32_t)word;
    case VOLUME_INT64: return (double)(int64_t)word;
    case VOLUME_FLOAT32: return bytes_real32(bytes, layout->big_endian);
    case VOLUME_FLOAT64: return bytes_real64(bytes, layout->big_endian);
    default: return (double)word;
    }
}

// ---- all of them

static bool too_short(const struct volume_layout *layout, const char *path, uint64_t bytes, struct error *error)
{
    const uint32_t *size = layout->size;
    error_set_at(error, ERROR_INPUT, path, 0,
                 "it ends at byte %llu; %u x %u x %u voxels of type %s behind %llu bytes take %llu",
                 (unsigned long long)bytes, size[0], size[1], size[2], volume_type_names[layout->type],
                 (unsigned long long)layout->offset,
                 (unsigned long long)(layout->offset + volume_voxels(size) * type_bytes[layout->type]));
    return error_remedy(error, "correct size, type and offset, or get the file again: it may be cut short");
}

static bool too_long(const struct volume_layout *layout, const char *path, struct error *error)
{
    const uint32_t *size = layout->size;
    error_set_at(error, ERROR_INPUT, path, 0, "it goes on behind its %u x %u x %u voxels of type %s", size[0], size[1],
                 size[2], volume_type_names[layout->type]);
    return error_remedy(error, "correct size, type and offset");
}

static bool no_number(const struct volume_layout *layout, const char *path, uint64_t voxel, double value,
                      struct error *error)
{
    const uint32_t *size = layout->size;
    error_set_at(error, ERROR_INPUT, path, 0, "voxel (%llu, %llu, %llu) has the value %g",
                 (unsigned long long)(voxel % size[0]), (unsigned long long)(voxel / size[0] % size[1]),
                 (unsigned long long)(voxel / size[0] / size[1]), value);
    return error_remedy(error,
                        "correct type, order and offset, or the file: every value must be a number of at most 1e30");
}

static bool too_many(const struct volume_layout *layout, const char *path, struct error *error)
{
    error_set_at(error, ERROR_INPUT, path, 0, "it has %llu voxels, at most %d are possible",
                 (unsigned long long)volume_voxels(layout->size), (int)VOLUME_VOXELS_MAX);
    return error_remedy(error, "make it smaller");
}

enum { CHUNK = 1 << 13 }; // values at a time

static bool read_values(struct volume_stream *stream, const struct volume_layout *layout, float *values,
                        struct error *error)
{
    unsigned char chunk[TYPE_BYTES_MOST * CHUNK];
    const uint64_t count = volume_voxels(layout->size), bytes = type_bytes[layout->type];
    size_t got;
    for (uint64_t first = 0; first < count; first += CHUNK) {
        const uint64_t wanted = count - first < CHUNK ? count - first : CHUNK;
        if (!volume_stream_read(stream, chunk, wanted * bytes, &got, error))
            return false;
        if (got < wanted * bytes)
            return too_short(layout, stream->path, layout->offset + first * bytes + got, error);
        for (uint64_t i = 0; i < wanted; ++i) {
            const double value = layout->slope * value_of(chunk + i * bytes, layout) + layout->intercept;
            if (!(fabs(value) <= 1e30))
                return no_number(layout, stream->path, first + i, value, error);
            values[first + i] = (float)value;
        }
    }
    if (!layout->to_end)
        return true;
    return volume_stream_read(stream, chunk, 1, &got, error) && (got == 0 || too_long(layout, stream->path, error));
}

static bool read_at(const char *path, const struct volume_layout *layout, float *values, struct error *error)
{
    struct volume_stream stream;
    uint64_t passed;
    const bool done = volume_stream_open(&stream, path, error) &&
                      volume_stream_skip(&stream, layout->offset, &passed, error) &&
                      (passed == layout->offset || too_short(layout, path, passed, error)) &&
                      read_values(&stream, layout, values, error);
    volume_stream_close(&stream);
    return done;
}

static bool read_header(const char *path, unsigned char header[NIFTI_HEADER_MAX], size_t *size, struct error *error)
{
    struct volume_stream stream;
    const bool done =
        volume_stream_open(&stream, path, error) && volume_stream_read(&stream, header, NIFTI_HEADER_MAX, size, error);
    volume_stream_close(&stream);
    return done;
}

static bool find_layout(struct volume_layout *layout, const struct volume_source *source, double spacing[3],
                        struct error *error)
{
    unsigned char header[NIFTI_HEADER_MAX];
    size_t size;
    if (source->format == VOLUME_NIFTI)
        return read_header(source->path, header, &size, error) &&
               volume_nifti_layout(header, size, source->path, layout, spacing, error);
    *layout = source->layout;
    return true;
}

bool volume_samples_read(struct volume_samples *samples, const struct volume_source *source, struct error *error)
{
    struct volume_layout layout = {0};
    *samples = (struct volume_samples){0};
    memcpy(samples->spacing, source->spacing, sizeof samples->spacing);
    if (!find_layout(&layout, source, samples->spacing, error))
        return false;
    if (source->has_spacing)
        memcpy(samples->spacing, source->spacing, sizeof samples->spacing);
    if (volume_voxels(layout.size) > VOLUME_VOXELS_MAX)
        return too_many(&layout, source->path, error);
    memcpy(samples->size, layout.size, sizeof samples->size);
    samples->values = malloc(volume_voxels(layout.size) * sizeof *samples->values);
    if (!samples->values)
        return error_memory(error, "for a volume of %llu voxels", (unsigned long long)volume_voxels(layout.size));
    return read_at(source->path, &layout, samples->values, error);
}

bool volume_samples_crop(struct volume_samples *samples, const uint32_t from[3], const uint32_t size[3],
                         struct error *error)
{
    const uint32_t *whole = samples->size;
    uint64_t kept = 0;
    for (int i = 0; i < 3; ++i)
        if (from[i] + size[i] > whole[i]) {
            error_set(error, ERROR_USE, "the crop ends at voxel (%u, %u, %u), the volume has %u x %u x %u",
                      from[0] + size[0], from[1] + size[1], from[2] + size[2], whole[0], whole[1], whole[2]);
            return error_remedy(error, "begin it earlier, or make it smaller");
        }
    for (uint32_t z = 0; z < size[2]; ++z)
        for (uint32_t y = 0; y < size[1]; ++y, kept += size[0])
            memmove(samples->values + kept,
                    samples->values + ((uint64_t)(from[2] + z) * whole[1] + from[1] + y) * whole[0] + from[0],
                    size[0] * sizeof *samples->values);
    memcpy(samples->size, size, sizeof samples->size);
    return true;
}

void volume_samples_finish(struct volume_samples *samples)
{
    free(samples->values);
    *samples = (struct volume_samples){0};
}
