// SPDX-License-Identifier: MIT
#include "base/image.h"

#include <OpenEXR/ImfCRgbaFile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stb/stb_image_write.h>

float *image_from_film(const int64_t *film, uint32_t width, uint32_t height, uint32_t paths)
{
    const size_t count = (size_t)width * height * 3;
    float *radiance = malloc(count * sizeof *radiance);
    for (size_t i = 0; radiance && i < count; ++i)
        radiance[i] = (float)((double)film[i] / 4294967296.0 / paths);
    return radiance;
}

static unsigned char srgb_byte(float linear)
{
    const float x = fminf(fmaxf(linear, 0.0f), 1.0f);
    const float curved = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
    return (unsigned char)(curved * 255.0f + 0.5f);
}

static bool cannot_write(const char *path, struct error *error)
{
    error_set(error, ERROR_SYSTEM, "cannot write the image %s", path);
    return error_remedy(error, "check that the folder exists, may be written and has room");
}

bool image_write_png(const char *path, const float *radiance, uint32_t width, uint32_t height, float stops,
                     struct error *error)
{
    const size_t count = (size_t)width * height * 3;
    const float scale = exp2f(stops);
    unsigned char *bytes = malloc(count);
    if (!bytes)
        return error_set(error, ERROR_SYSTEM, "no memory left for the image %s", path);
    for (size_t i = 0; i < count; ++i)
        bytes[i] = srgb_byte(radiance[i] * scale);
    const bool done = stbi_write_png(path, (int)width, (int)height, 3, bytes, (int)width * 3) != 0;
    free(bytes);
    return done || cannot_write(path, error);
}

bool image_write_hdr(const char *path, const float *radiance, uint32_t width, uint32_t height, struct error *error)
{
    return stbi_write_hdr(path, (int)width, (int)height, 3, radiance) || cannot_write(path, error);
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

bool image_write_exr(const char *path, const float *radiance, uint32_t width, uint32_t height, struct error *error)
{
    ImfRgba *texels = malloc((size_t)width * height * sizeof *texels);
    ImfHeader *header = texels ? ImfNewHeader() : NULL;
    ImfOutputFile *file = NULL;
    bool done = header != NULL;
    if (done) {
        fill_rgba(texels, radiance, (size_t)width * height);
        ImfHeaderSetDisplayWindow(header, 0, 0, (int)width - 1, (int)height - 1);
        ImfHeaderSetDataWindow(header, 0, 0, (int)width - 1, (int)height - 1);
        ImfHeaderSetCompression(header, IMF_ZIP_COMPRESSION);
        file = ImfOpenOutputFile(path, header, IMF_WRITE_RGB);
        done = file && ImfOutputSetFrameBuffer(file, texels, 1, width) && ImfOutputWritePixels(file, (int)height);
    }
    if (file && !ImfCloseOutputFile(file))
        done = false;
    if (header)
        ImfDeleteHeader(header);
    free(texels);
    return done || cannot_write(path, error);
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
    char part[4200];
    if (!image_check_path(path, error))
        return false;
    if (snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid()) >= (int)sizeof part)
        return error_set(error, ERROR_USE, "the name of the image is too long");
    if (!write_as(ending(path), part, radiance, width, height, stops, error)) {
        unlink(part);
        return false;
    }
    if (rename(part, path) == 0)
        return true;
    error_set_errno(error, "write", path);
    unlink(part);
    return false;
}
