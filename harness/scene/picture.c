// SPDX-License-Identifier: MIT
#include "scene/picture.h"

#include <OpenEXR/ImfCRgbaFile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <stb/stb_image.h>

#include "base/path.h"
#include "scene/exact_math.h"

static bool damaged(struct error *error, const char *path, const char *why)
{
    return error_set_at(error, ERROR_INPUT, path, 0, "cannot read the picture: %s", why ? why : "unknown format");
}

static bool allocate(struct picture *picture, uint32_t width, uint32_t height, const char *path, struct error *error)
{
    picture->width = width;
    picture->height = height;
    picture->texels = malloc((size_t)width * height * sizeof *picture->texels);
    return picture->texels || error_set(error, ERROR_SYSTEM, "no memory for the picture %s", path);
}

// Checks and clamps one texel.
static bool put(struct picture *picture, size_t index, struct vec3 value, const char *path, struct error *error)
{
    const float sum = value.x + value.y + value.z;
    if (!isfinite(sum) || vec3_max(value) > 1e12f)
        return error_set_at(error, ERROR_INPUT, path, 0, "texel (%zu, %zu) is not finite", index % picture->width,
                            index / picture->width);
    picture->texels[index] =
        vec3_make(maximum_f32(value.x, 0.0f), maximum_f32(value.y, 0.0f), maximum_f32(value.z, 0.0f));
    return true;
}

// ---- reading through stb_image

// stb_image takes what is missing at the end of a file for zeros; this remembers that it asked for it.
struct source {
    FILE *file;
    bool overrun;
};

enum { STB_BUFFER = 128 }; // what it asks for to fill its buffer, where less is no sign of damage

static int source_read(void *user, char *data, int size)
{
    struct source *source = user;
    const int got = (int)fread(data, 1, (size_t)size, source->file);
    source->overrun |= got == 0 || (got < size && size != STB_BUFFER);
    return got;
}

static void source_skip(void *user, int count)
{
    struct source *source = user;
    fseek(source->file, count, SEEK_CUR);
}

static int source_at_end(void *user)
{
    struct source *source = user;
    return feof(source->file);
}

static const stbi_io_callbacks source_callbacks = {source_read, source_skip, source_at_end};

// Whether a picture came, is not empty and was all there.
static bool complete(const void *data, int width, int height, bool overrun, const char *path, struct error *error)
{
    if (!data)
        return damaged(error, path, stbi_failure_reason());
    return (width > 0 && height > 0 && !overrun) || damaged(error, path, overrun ? "it is cut short" : "it is empty");
}

// ---- Radiance HDR

static bool read_hdr(struct picture *picture, const char *path, struct error *error)
{
    int width = 0, height = 0, channels;
    struct source source = {path_stream(path, error), false};
    if (!source.file)
        return false;
    float *data = stbi_loadf_from_callbacks(&source_callbacks, &source, &width, &height, &channels, 3);
    fclose(source.file);
    bool done = complete(data, width, height, source.overrun, path, error) &&
                allocate(picture, (uint32_t)width, (uint32_t)height, path, error);
    for (size_t i = 0, n = (size_t)width * (size_t)height; done && i < n; ++i)
        done = put(picture, i, vec3_make(data[3 * i], data[3 * i + 1], data[3 * i + 2]), path, error);
    stbi_image_free(data);
    return done;
}

// ---- OpenEXR

static bool exr_size(ImfInputFile *file, uint32_t *width, uint32_t *height, int *x, int *y)
{
    int x1, y1;
    ImfHeaderDataWindow(ImfInputHeader(file), x, y, &x1, &y1);
    const int64_t w = (int64_t)x1 - *x + 1, h = (int64_t)y1 - *y + 1;
    if (w < 1 || h < 1 || w > PICTURE_MAX || h > PICTURE_MAX)
        return false;
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

static bool read_exr_texels(struct picture *picture, ImfInputFile *file, const char *path, struct error *error)
{
    uint32_t width, height;
    int x, y;
    if (!exr_size(file, &width, &height, &x, &y))
        return damaged(error, path, "its size is out of bounds");
    if (!allocate(picture, width, height, path, error))
        return false;
    ImfRgba *line = calloc(width, sizeof *line);
    if (!line)
        return error_set(error, ERROR_SYSTEM, "no memory for the picture %s", path);
    bool done = true;
    for (uint32_t row = 0; done && row < height; ++row) {
        // The library wants the address of texel (0, 0) of a frame of which this line is a part.
        ImfRgba *base = (ImfRgba *)((uintptr_t)line - (uintptr_t)x * sizeof *line);
        if (!ImfInputSetFrameBuffer(file, base, 1, 0) || !ImfInputReadPixels(file, y + (int)row, y + (int)row)) {
            done = damaged(error, path, ImfErrorMessage());
            break;
        }
        for (uint32_t column = 0; done && column < width; ++column) {
            const ImfRgba *from = &line[column];
            const struct vec3 value =
                vec3_make(ImfHalfToFloat(from->r), ImfHalfToFloat(from->g), ImfHalfToFloat(from->b));
            done = put(picture, (size_t)row * width + column, value, path, error);
        }
    }
    free(line);
    return done;
}

static bool read_exr(struct picture *picture, const char *path, struct error *error)
{
    ImfInputFile *file = ImfOpenInputFile(path);
    if (!file)
        return damaged(error, path, ImfErrorMessage());
    const bool done = read_exr_texels(picture, file, path, error);
    ImfCloseInputFile(file);
    return done;
}

bool picture_read(struct picture *picture, const char *path, struct error *error)
{
    static const unsigned char exr_magic[4] = {0x76, 0x2f, 0x31, 0x01};
    unsigned char start[10] = {0};
    *picture = (struct picture){0};
    FILE *stream = path_stream(path, error);
    if (!stream)
        return false;
    const size_t got = fread(start, 1, sizeof start, stream);
    fclose(stream);
    bool done;
    if (got >= 4 && memcmp(start, exr_magic, 4) == 0)
        done = read_exr(picture, path, error);
    else if (got >= 6 && (memcmp(start, "#?RADI", 6) == 0 || memcmp(start, "#?RGBE", 6) == 0))
        done = read_hdr(picture, path, error);
    else
        done = damaged(error, path, "neither Radiance HDR nor OpenEXR");
    if (!done)
        picture_finish(picture);
    return done;
}

void picture_finish(struct picture *picture)
{
    free(picture->texels);
    *picture = (struct picture){0};
}

// ---- textures

static void mean_of(const uint8_t *data, size_t count, double mean[3])
{
    double linear[256], sum[3] = {0, 0, 0}, weight = 0;
    for (int i = 0; i < 256; ++i)
        linear[i] = exact_linear_from_srgb((uint8_t)i);
    for (size_t i = 0; i < count; ++i) {
        for (int c = 0; c < 3; ++c)
            sum[c] += linear[data[4 * i + c]] * data[4 * i + 3];
        weight += data[4 * i + 3];
    }
    for (int c = 0; c < 3; ++c)
        mean[c] = weight > 0 ? sum[c] / weight : 0;
}

static bool take_mean(stbi_uc *data, int width, int height, bool overrun, const char *name, double mean[3],
                      struct error *error)
{
    const bool done = complete(data, width, height, overrun, name, error);
    if (done)
        mean_of(data, (size_t)width * (size_t)height, mean);
    stbi_image_free(data);
    return done;
}

bool picture_mean(const char *path, double mean[3], struct error *error)
{
    int width = 0, height = 0, channels;
    struct stat status;
    struct source source = {NULL, false};
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return error_set_at(error, ERROR_INPUT, path, 0, "there is no such texture");
    source.file = path_stream(path, error);
    if (!source.file)
        return false;
    stbi_uc *data = stbi_load_from_callbacks(&source_callbacks, &source, &width, &height, &channels, 4);
    fclose(source.file);
    return take_mean(data, width, height, source.overrun, path, mean, error);
}

bool picture_mean_memory(const void *bytes, size_t size, const char *name, double mean[3], struct error *error)
{
    int width = 0, height = 0, channels;
    if (size > INT32_MAX)
        return damaged(error, name, "too long");
    stbi_uc *data = stbi_load_from_memory(bytes, (int)size, &width, &height, &channels, 4);
    return take_mean(data, width, height, false, name, mean, error);
}
