// SPDX-License-Identifier: MIT
#include "base/image.h"

#include <OpenEXR/ImfCRgbaFile.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stb/stb_image_write.h>

#include "base/memory.h"

float *image_from_film(const int64_t *film, uint32_t width, uint32_t height, uint32_t paths)
{
    const size_t count = (size_t)width * height * 3;
    float *radiance = memory_new(count, sizeof *radiance);
    for (size_t i = 0; i < count; ++i)
        radiance[i] = (float)((double)film[i] / 4294967296.0 / paths);
    return radiance;
}

float image_exposure(const float *radiance, uint32_t width, uint32_t height)
{
    const size_t count = (size_t)width * height * 3;
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += fmin(radiance[i], 4);
    return sum > 0 ? (float)fmax(-6, fmin(6, log2(0.25 * (double)count / sum))) : 0;
}

static unsigned char srgb_byte(float linear)
{
    const float x = fminf(fmaxf(linear, 0.0f), 1.0f);
    const float curved = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
    return (unsigned char)(curved * 255.0f + 0.5f);
}

// ---- files

static bool cannot_write(const char *path, struct error *error)
{
    if (errno)
        error_set_errno(error, "write the image", path);
    else
        error_set(error, ERROR_SYSTEM, "cannot write the image %s", path);
    if (error && !error->remedy[0])
        error_remedy(error, "check that the folder exists, may be written and has room");
    return false;
}

// The name under which a file is written before it takes its own.
static bool part_name(const char *path, char *part, size_t size, struct error *error)
{
    if (snprintf(part, size, "%s.%ld.part", path, (long)getpid()) < (int)size)
        return true;
    error_set(error, ERROR_USE, "the name of the image is too long: %.200s...", path);
    return error_remedy(error, "choose a shorter one");
}

// Gives a part that is on the disk its name, or removes it; false where it was not `done`.
static bool image_settle(const char *part, const char *path, bool done, struct error *error)
{
    if (done && rename(part, path) == 0)
        return true;
    const int cause = errno;
    unlink(part);
    errno = cause;
    return cannot_write(path, error);
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool done = fwrite(bytes, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int cause = errno;
    const bool closed = fclose(file) == 0;
    if (!done)
        errno = cause;
    return done && closed;
}

// Writes what an encoder gave and frees it.
static bool save(const char *path, char *bytes, size_t size, bool encoded, struct error *error)
{
    char part[4200];
    bool done = part_name(path, part, sizeof part, error) && (encoded || error_memory(error, "for the image %s", path));
    errno = 0;
    done = done && image_settle(part, path, write_file(part, bytes, size), error);
    free(bytes);
    return done;
}

// ---- formats

// What an encoder hands over, piece by piece.
static void add_bytes(void *stream, void *data, int size)
{
    fwrite(data, 1, (size_t)size, stream);
}

enum { JPEG_QUALITY = 90 };

// As PNG, or as JPEG, which takes a fifth of the room for the noise of few paths.
static bool encode(bool png, const float *radiance, uint32_t width, uint32_t height, float stops, char **encoded_bytes,
                   size_t *size)
{
    const size_t count = (size_t)width * height * 3;
    const float scale = exp2f(stops);
    unsigned char *bytes = memory_new(count, 1);
    for (size_t i = 0; i < count; ++i)
        bytes[i] = srgb_byte(radiance[i] * scale);
    FILE *stream = memory_stream(encoded_bytes, size);
    const bool encoded =
        png ? stbi_write_png_to_func(add_bytes, stream, (int)width, (int)height, 3, bytes, (int)width * 3)
            : stbi_write_jpg_to_func(add_bytes, stream, (int)width, (int)height, 3, bytes, JPEG_QUALITY);
    memory_close(stream);
    free(bytes);
    return encoded;
}

static bool image_write_png(const char *path, const float *radiance, uint32_t width, uint32_t height, float stops,
                            struct error *error)
{
    char *bytes;
    size_t size;
    const bool encoded = encode(true, radiance, width, height, stops, &bytes, &size);
    return save(path, bytes, size, encoded, error);
}

bool image_encode_jpeg(const float *radiance, uint32_t width, uint32_t height, float stops, char **bytes, size_t *size,
                       struct error *error)
{
    if (encode(false, radiance, width, height, stops, bytes, size))
        return true;
    free(*bytes);
    *bytes = NULL;
    return error_memory(error, "for a picture");
}

static bool image_write_hdr(const char *path, const float *radiance, uint32_t width, uint32_t height,
                            struct error *error)
{
    char *bytes;
    size_t size;
    FILE *stream = memory_stream(&bytes, &size);
    const bool encoded = stbi_write_hdr_to_func(add_bytes, stream, (int)width, (int)height, 3, radiance);
    memory_close(stream);
    return save(path, bytes, size, encoded, error);
}

static void fill_rgba(ImfRgba *texels, const float *radiance, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        ImfFloatToHalf(radiance[3 * i], &texels[i].r);
        ImfFloatToHalf(radiance[3 * i + 1], &texels[i].g);
        ImfFloatToHalf(radiance[3 * i + 2], &texels[i].b);
        ImfFloatToHalf(1.0f, &texels[i].a);
    }
}

static bool write_exr(const char *path, const ImfRgba *texels, uint32_t width, uint32_t height)
{
    ImfHeader *header = ImfNewHeader();
    if (!header)
        return false;
    ImfHeaderSetDisplayWindow(header, 0, 0, (int)width - 1, (int)height - 1);
    ImfHeaderSetDataWindow(header, 0, 0, (int)width - 1, (int)height - 1);
    ImfHeaderSetCompression(header, IMF_ZIP_COMPRESSION);
    ImfOutputFile *file = ImfOpenOutputFile(path, header, IMF_WRITE_RGB);
    bool done = file && ImfOutputSetFrameBuffer(file, texels, 1, width) && ImfOutputWritePixels(file, (int)height);
    if (file && !ImfCloseOutputFile(file))
        done = false;
    ImfDeleteHeader(header);
    return done;
}

// Closing such a file reports no error: whether all of it was written shows when it is read again.
static bool same_exr(const char *path, const ImfRgba *texels, uint32_t width, uint32_t height)
{
    const size_t count = (size_t)width * height;
    int x0, y0, x1, y1;
    ImfRgba *again = memory_new(count, sizeof *again);
    ImfInputFile *file = ImfOpenInputFile(path);
    bool same = false;
    if (file) {
        ImfHeaderDataWindow(ImfInputHeader(file), &x0, &y0, &x1, &y1);
        same = x0 == 0 && y0 == 0 && x1 == (int)width - 1 && y1 == (int)height - 1 &&
               ImfInputSetFrameBuffer(file, again, 1, width) && ImfInputReadPixels(file, 0, y1) &&
               memcmp(again, texels, count * sizeof *again) == 0;
        ImfCloseInputFile(file);
    }
    free(again);
    return same;
}

static bool flush_file(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool done = fsync(file) == 0;
    close(file);
    return done;
}

static bool image_write_exr(const char *path, const float *radiance, uint32_t width, uint32_t height,
                            struct error *error)
{
    char part[4200];
    if (!part_name(path, part, sizeof part, error))
        return false;
    ImfRgba *texels = memory_new((size_t)width * height, sizeof *texels);
    fill_rgba(texels, radiance, (size_t)width * height);
    errno = 0;
    const bool done =
        write_exr(part, texels, width, height) && flush_file(part) && same_exr(part, texels, width, height);
    free(texels);
    return image_settle(part, path, done, error);
}

static const char *ending(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? dot : "";
}

bool image_check_path(const char *path, struct error *error)
{
    const char *end = ending(path);
    if (!strcmp(end, ".png") || !strcmp(end, ".exr") || !strcmp(end, ".hdr"))
        return true;
    error_set(error, ERROR_USE, "'%s' is no name for an image", path);
    return error_remedy(error, "end it with .png, .exr or .hdr");
}

static bool write_as(const char *end, const char *path, const float *radiance, uint32_t width, uint32_t height,
                     float stops, struct error *error)
{
    if (!strcmp(end, ".exr"))
        return image_write_exr(path, radiance, width, height, error);
    if (!strcmp(end, ".hdr"))
        return image_write_hdr(path, radiance, width, height, error);
    return image_write_png(path, radiance, width, height, stops, error);
}

bool image_write(const char *path, const float *radiance, uint32_t width, uint32_t height, float stops,
                 struct error *error)
{
    return image_check_path(path, error) && write_as(ending(path), path, radiance, width, height, stops, error);
}
