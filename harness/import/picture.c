// SPDX-License-Identifier: MIT
#include "import/picture.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <stb/stb_image.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/path.h"
#include "geometry/exact_math.h"
#include "import/bytes.h"

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
static bool picture_complete(const void *data, int width, int height, bool overrun, const char *path,
                             struct error *error)
{
    const char *why = stbi_failure_reason();
    if (!data)
        return picture_refuse(error, path, 0,
                              why && *why ? why
                              : overrun   ? "it is cut short"
                                          : "it is damaged",
                              why && strcmp(why, "too large") == 0 ? picture_smaller : NULL);
    return (width > 0 && height > 0 && !overrun) ||
           picture_refuse(error, path, 0, overrun ? "it is cut short" : "it is empty", NULL);
}

// ---- Radiance HDR and OpenEXR

// Checks one texel and cuts off what is negative; light[0] is what there was above 0, light[1] below.
static bool check_texel(float value[3], double light[2], const char **wrong)
{
    for (int c = 0; c < 3; ++c) {
        *wrong = !isfinite(value[c]) ? "not finite" : value[c] > 1e12f ? "brighter than 1e12" : NULL;
        if (*wrong)
            return false;
        light[value[c] < 0] += fabs((double)value[c]);
        value[c] = maximum_f32(value[c], 0.0f);
    }
    return true;
}

static bool picture_check(const struct picture_values *picture, const char *path, struct error *error)
{
    const char *wrong;
    char why[120];
    double light[2] = {0, 0};
    for (size_t i = 0, count = (size_t)picture->width * picture->height; i < count; ++i)
        if (!check_texel(picture->values + 3 * i, light, &wrong)) {
            error_set_at(error, ERROR_INPUT, path, 0, "texel (%zu, %zu) is %s", i % picture->width, i / picture->width,
                         wrong);
            return error_remedy(error, "give it a radiance of at most 1e12");
        }
    if (light[1] <= 0.01 * light[0])
        return true;
    snprintf(why, sizeof why, "values below 0, as of primaries wider than Rec. 709's, are %.3g %% of its light",
             100 * light[1] / (light[0] + light[1]));
    return picture_refuse(error, path, 0, why, "bring its colours within linear Rec. 709, without negative values");
}

enum format { FORMAT_OTHER, FORMAT_HDR, FORMAT_EXR };

static bool format_of(const char *path, enum format *format, struct error *error)
{
    char start[4] = {0};
    FILE *stream = path_stream(path, error);
    if (!stream)
        return false;
    const size_t got = fread(start, 1, sizeof start, stream);
    fclose(stream);
    *format = got == 4 && memcmp(start, "\x76\x2f\x31\x01", 4) == 0 ? FORMAT_EXR
              : got >= 2 && memcmp(start, "#?", 2) == 0             ? FORMAT_HDR
                                                                    : FORMAT_OTHER;
    return true;
}

bool picture_read(struct picture *picture, const char *path, struct error *error)
{
    enum format format;
    struct picture_values values = {0};
    *picture = (struct picture){0};
    if (!format_of(path, &format, error))
        return false;
    if (format == FORMAT_OTHER)
        return picture_refuse(error, path, 0, "neither Radiance HDR nor OpenEXR", NULL);
    const bool got = (format == FORMAT_EXR ? picture_exr_read : picture_hdr_read)(&values, path, error);
    if (!got || !picture_check(&values, path, error)) {
        free(values.values);
        return false;
    }
    _Static_assert(sizeof(struct vec3) == 3 * sizeof(float), "texels lie where their values were");
    *picture = (struct picture){(struct vec3 *)values.values, values.width, values.height};
    return true;
}

void picture_finish(struct picture *picture)
{
    free(picture->texels);
    *picture = (struct picture){0};
}

// ---- textures

static bool mean_of_radiances(const char *path, double mean[3], struct error *error)
{
    struct picture picture;
    if (!picture_read(&picture, path, error))
        return false;
    const size_t count = (size_t)picture.width * picture.height;
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < count; ++i) {
        sum[0] += (double)picture.texels[i].x;
        sum[1] += (double)picture.texels[i].y;
        sum[2] += (double)picture.texels[i].z;
    }
    picture_finish(&picture);
    for (int c = 0; c < 3; ++c) {
        mean[c] = sum[c] / (double)count;
        if (mean[c] > 1)
            return picture_refuse(error, path, 0,
                                  "its mean colour is above 1: it would reflect more light than it receives",
                                  "scale it to reflectances from 0 to 1");
    }
    return true;
}

// Of four bytes a texel; `most` is what stands for 1. `alpha`: as of picture_mean_memory.
static void mean_of(const uint8_t *data, size_t count, int most, double *alpha, double mean[3])
{
    double linear[256], sum[3] = {0, 0, 0}, weight = 0, opacity = 0;
    for (int i = 0; i < 256; ++i)
        linear[i] = i <= most ? exact_linear_from_srgb(i / (double)most) : NAN;
    for (size_t i = 0; i < count; ++i) {
        const double share = alpha ? 255 : data[4 * i + 3];
        for (int c = 0; c < 3; ++c)
            sum[c] += linear[data[4 * i + c]] * share;
        weight += share;
        opacity += data[4 * i + 3];
    }
    for (int c = 0; c < 3; ++c)
        mean[c] = weight > 0 ? sum[c] / weight : 0;
    if (alpha)
        *alpha = opacity / (255 * (double)count);
}

// ---- what stb_image does not heed; each of these leaves the file at its beginning

// Whether a texel's fourth byte is no alpha: BMP's reserved one, and TGA's without bits of attributes. Of the formats that are read
// TGA alone has a second byte of 0 or 1.
static bool is_opaque(FILE *file)
{
    uint8_t head[34] = {0};
    const size_t got = fread(head, 1, sizeof head, file);
    rewind(file);
    if (memcmp(head, "BM", 2) == 0)
        return bytes_word(head + 14, 4, false) >= 40 && bytes_word(head + 28, 2, false) == 32 &&
               bytes_word(head + 30, 4, false) == 0;
    return got >= 18 && head[1] <= 1 && (head[17] & 15) == 0;
}

// Behind blanks and comments; 0 where there is none.
static int pnm_number(FILE *file)
{
    int c, number = 0;
    for (c = getc(file); isspace(c) || c == '#'; c = getc(file))
        if (c == '#')
            while (c != '\n' && c != '\r' && c != EOF)
                c = getc(file);
    for (; isdigit(c) && number < 100000; c = getc(file))
        number = 10 * number + c - '0';
    return number;
}

// What stands for 1 in a PNM, else 255. NULL, or why it is not read.
static const char *check_pnm(FILE *file, int *most)
{
    const bool pnm = getc(file) == 'P';
    const int kind = getc(file);
    *most = 255;
    if (pnm && (kind == '5' || kind == '6')) {
        pnm_number(file);
        pnm_number(file);
        *most = pnm_number(file);
    }
    rewind(file);
    if (pnm && isdigit(kind) && kind != '5' && kind != '6')
        return "it is a PNM in text, of bits or of any kind (PAM), which is not read";
    return *most > 255 ? "it is a PNM of 16 bits, which is not read" // stb_image (2.27) reads behind what it has of one
           : *most < 1 ? "it is a PNM without a greatest value"
                       : NULL;
}

// Feeds a part of a PNG's data to what knows their checksum.
static bool png_data(z_stream *stream, uint8_t *bytes, size_t size)
{
    uint8_t out[4096];
    int status;
    stream->next_in = bytes;
    stream->avail_in = (uInt)size;
    do {
        stream->next_out = out;
        stream->avail_out = sizeof out;
        status = inflate(stream, Z_NO_FLUSH);
    } while (status == Z_OK && stream->avail_out == 0);
    return status == Z_OK || status == Z_BUF_ERROR || status == Z_STREAM_END;
}

// Checks the parts of a PNG from its first on. NULL, or what is wrong.
static const char *check_parts(FILE *file, z_stream *stream)
{
    uint8_t head[8], part[4096];
    while (fread(head, 1, 8, file) == 8) {
        const bool data = memcmp(head + 4, "IDAT", 4) == 0;
        uLong sum = crc32(0, head + 4, 4);
        size_t got;
        for (uint64_t left = bytes_word(head, 4, true); left > 0; left -= got) {
            got = fread(part, 1, left < sizeof part ? left : sizeof part, file);
            if (got == 0)
                return "it is cut short";
            sum = crc32(sum, part, (uInt)got);
            if (data && !png_data(stream, part, got))
                return "its data are damaged";
        }
        if (fread(part, 1, 4, file) != 4)
            return "it is cut short";
        if (bytes_word(part, 4, true) != sum)
            return "it is damaged: the checksum of a part is wrong";
        if (memcmp(head + 4, "IEND", 4) == 0)
            return NULL;
    }
    return "it is cut short";
}

// NULL, or what is wrong with a PNG.
static const char *check_png(FILE *file)
{
    uint8_t head[8] = {0};
    z_stream stream = {0};
    const char *wrong = NULL;
    if (fread(head, 1, 8, file) == 8 && memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0 && inflateInit(&stream) == Z_OK) {
        wrong = check_parts(file, &stream);
        inflateEnd(&stream);
    }
    rewind(file);
    return wrong;
}

// ---- textures of 8 bits

// Closes the file.
static bool mean_of_stream(FILE *file, const char *name, double *alpha, double mean[3], struct error *error)
{
    int width = 0, height = 0, channels, most;
    double unused;
    struct source source = {file, false};
    const char *pnm = check_pnm(file, &most), *wrong = pnm ? pnm : check_png(file);
    if (!alpha && is_opaque(file))
        alpha = &unused;
    stbi_uc *data = wrong ? NULL : stbi_load_from_callbacks(&source_callbacks, &source, &width, &height, &channels, 4);
    fclose(file);
    if (wrong)
        return picture_refuse(error, name, 0, wrong, pnm ? "convert it to PNG, or to a PGM or PPM of 8 bits" : NULL);
    bool done = picture_complete(data, width, height, source.overrun, name, error);
    if (done) {
        mean_of(data, (size_t)width * (size_t)height, most, alpha, mean);
        done = isfinite(mean[0] + mean[1] + mean[2]) ||
               picture_refuse(error, name, 0, "a value is above the greatest that its header says", NULL);
    }
    stbi_image_free(data);
    return done;
}

bool picture_mean(const char *path, double mean[3], struct error *error)
{
    struct stat status;
    enum format format;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return error_set_at(error, ERROR_INPUT, path, 0, "there is no such texture");
    if (!format_of(path, &format, error))
        return false;
    if (format != FORMAT_OTHER)
        return mean_of_radiances(path, mean, error);
    FILE *stream = path_stream(path, error);
    return stream && mean_of_stream(stream, path, NULL, mean, error);
}

bool picture_mean_memory(const void *bytes, size_t size, const char *name, double *alpha, double mean[3],
                         struct error *error)
{
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, size, "rb");
    return stream ? mean_of_stream(stream, name, alpha, mean, error)
                  : error_set_errno(error, "read the texture of", name);
}
