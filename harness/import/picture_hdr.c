// SPDX-License-Identifier: MIT
// Radiance's pictures, as its file formats and colour library have them (https://www.radiance-online.org): a header of text, then scan
// lines, each flat, with the old runs or with the new ones, whatever those before it are.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "import/picture_formats.h"

struct hdr {
    const char *path;
    struct error *error;
    FILE *stream;
    char *text; // the line of the header that is read
    size_t room;
    int line;
    bool rgbe;
    double divisors[3]; // of red, green and blue: products of all exposures and colour corrections
    double to_rec709[3][3];
};

static bool picture_hdr_refuse(const struct hdr *hdr, int line, const char *why, const char *remedy)
{
    picture_refuse(hdr->error, hdr->path, line, why, remedy);
    return false;
}

// ---- header

static bool next_line(struct hdr *hdr)
{
    const ssize_t got = getline(&hdr->text, &hdr->room, hdr->stream);
    if (got <= 0 || hdr->text[got - 1] != '\n')
        return picture_hdr_refuse(hdr, 0, "it is cut short: its header has no end", NULL);
    ++hdr->line;
    hdr->text[strcspn(hdr->text, "\r\n")] = '\0';
    return true;
}

// So many finite numbers and nothing else.
static bool read_numbers(const char *text, int count, double *values)
{
    char *end;
    for (int i = 0; i < count; ++i, text = end) {
        values[i] = strtod(text, &end);
        if (end == text || !isfinite(values[i]))
            return false;
    }
    return text[strspn(text, " \t")] == '\0';
}

static bool divide_radiance(struct hdr *hdr, double red, double green, double blue)
{
    const double factors[3] = {red, green, blue};
    for (int c = 0; c < 3; ++c) {
        hdr->divisors[c] *= factors[c];
        if (!(factors[c] > 0 && hdr->divisors[c] >= 1e-30 && hdr->divisors[c] <= 1e30))
            return picture_hdr_refuse(hdr, hdr->line, "this exposure or colour correction is out of bounds",
                                      "correct that line");
    }
    return true;
}

// These variables of a header say what values mean. Indented ones belong to the pictures that this one was made from.
static bool apply_variable(struct hdr *hdr)
{
    static const char *const names[] = {"EXPOSURE=", "COLORCORR=", "PRIMARIES=", "GAMMA=", "FORMAT="};
    static const int counts[] = {1, 3, 8, 1, 0};
    double v[8];
    size_t i = 0;
    while (i < 5 && strncmp(hdr->text, names[i], strlen(names[i])) != 0)
        ++i;
    if (i == 5)
        return true;
    const char *value = hdr->text + strlen(names[i]);
    if (counts[i] && !read_numbers(value, counts[i], v))
        return picture_hdr_refuse(hdr, hdr->line, "the numbers of this line are not those that its name needs",
                                  "correct that line");
    switch (i) {
    case 0: return divide_radiance(hdr, v[0], v[0], v[0]);
    case 1: return divide_radiance(hdr, v[0], v[1], v[2]);
    case 2: return picture_to_rec709(v, hdr->to_rec709, hdr->path, hdr->line, hdr->error);
    case 3: return v[0] == 1 || picture_hdr_refuse(hdr, hdr->line, "its values are not linear", "save it with GAMMA=1");
    default: break;
    }
    value += strspn(value, " \t");
    hdr->rgbe = strncmp(value, "32-bit_rle_rgbe", 15) == 0;
    if (strncmp(value, "32-bit_rle_xyze", 15) == 0)
        return picture_hdr_refuse(hdr, hdr->line, "it holds CIE XYZ",
                                  "convert it: ra_xyze -r -p .64 .33 .3 .6 .15 .06 .3127 .329 OLD.hdr NEW.hdr");
    return hdr->rgbe ||
           picture_hdr_refuse(hdr, hdr->line, "this is no format of RGB", "save it with FORMAT=32-bit_rle_rgbe");
}

static bool read_header(struct hdr *hdr)
{
    do {
        if (!next_line(hdr) || !apply_variable(hdr))
            return false;
    } while (hdr->text[0]);
    return hdr->rgbe ||
           picture_hdr_refuse(hdr, 0, "its header has no line FORMAT", "add FORMAT=32-bit_rle_rgbe to its header");
}

// ---- scan lines

struct scan {
    bool columns, right_to_left, upwards;
    uint32_t lines, texels; // of each line
};

static bool read_resolution(struct hdr *hdr, struct picture_values *picture, struct scan *scan)
{
    char sign[2], axis[2];
    long long size[2];
    int end = 0;
    if (!next_line(hdr))
        return false;
    if (sscanf(hdr->text, "%c%c %9lld %c%c %9lld %n", &sign[0], &axis[0], &size[0], &sign[1], &axis[1], &size[1],
               &end) != 6 ||
        hdr->text[end] || !((axis[0] == 'X' && axis[1] == 'Y') || (axis[0] == 'Y' && axis[1] == 'X')) ||
        !strchr("+-", sign[0]) || !strchr("+-", sign[1]))
        return picture_hdr_refuse(hdr, hdr->line, "this is no size, such as -Y 512 +X 1024", NULL);
    const int x = axis[0] == 'X' ? 0 : 1;
    if (!picture_values_make(picture, size[x], size[1 - x], hdr->path, hdr->error))
        return false;
    *scan = (struct scan){x == 0, sign[x] == '-', sign[1 - x] == '+', (uint32_t)size[0], (uint32_t)size[1]};
    return true;
}

static bool read_texel(FILE *stream, unsigned char texel[4])
{
    return fread_unlocked(texel, 1, 4, stream) == 4;
}

// Texels as they are, and {1, 1, 1, n}: the one before n times again, n 256-fold in each such run that follows another. The first four
// bytes are read already. What is wrong, or NULL.
static const char *read_old_runs(FILE *stream, unsigned char (*texels)[4], uint32_t count)
{
    unsigned shift = 0;
    for (uint32_t at = 0, reads = 0; at < count; ++reads) {
        if (reads > 0 && !read_texel(stream, texels[at]))
            return "cut short";
        if (texels[at][0] != 1 || texels[at][1] != 1 || texels[at][2] != 1) {
            ++at;
            shift = 0;
            continue;
        }
        const uint64_t times = shift < 32 ? (uint64_t)texels[at][3] << shift : 0;
        if (at == 0 || times > count - at)
            return at == 0 ? "damaged: a run before any texel" : "damaged: a run beyond its end";
        for (uint64_t i = 0; i < times; ++i, ++at)
            memcpy(texels[at], texels[at - 1], 4);
        shift += 8;
    }
    return NULL;
}

// One channel after the other, in runs of one value and of several.
static const char *read_new_runs(FILE *stream, unsigned char (*texels)[4], uint32_t count)
{
    for (int c = 0; c < 4; ++c)
        for (uint32_t at = 0; at < count;) {
            const int code = getc_unlocked(stream), run = code > 128;
            uint32_t length = (uint32_t)code & (run ? 127 : 255);
            int value = run ? getc_unlocked(stream) : 0;
            if (code == EOF || value == EOF)
                return "cut short";
            if (length > count - at)
                return "damaged: a run beyond its end";
            for (; length > 0; --length) {
                if (!run && (value = getc_unlocked(stream)) == EOF)
                    return "cut short";
                texels[at++][c] = (unsigned char)value;
            }
        }
    return NULL;
}

static const char *read_line(FILE *stream, unsigned char (*texels)[4], uint32_t count)
{
    enum { NEW_RUNS_MIN = 8 }; // shorter lines never have them
    if (!read_texel(stream, texels[0]))
        return "cut short";
    const unsigned char *first = texels[0];
    if (count < NEW_RUNS_MIN || first[0] != 2 || first[1] != 2 || first[2] > 127)
        return read_old_runs(stream, texels, count);
    if ((uint32_t)(first[2] << 8 | first[3]) != count)
        return "damaged: of another length than the header says";
    return read_new_runs(stream, texels, count);
}

static void store_texel(const struct hdr *hdr, const unsigned char texel[4], float *to)
{
    double from[3];
    for (int c = 0; c < 3; ++c)
        from[c] = texel[3] ? ldexp(texel[c], texel[3] - 136) / hdr->divisors[c] : 0;
    for (int c = 0; c < 3; ++c) {
        const double *row = hdr->to_rec709[c];
        const double value = row[0] * from[0] + row[1] * from[1] + row[2] * from[2];
        to[c] = (float)fmax(fmin(value, (double)FLT_MAX), -(double)FLT_MAX);
    }
}

static bool read_lines(struct hdr *hdr, struct picture_values *picture, const struct scan *scan)
{
    unsigned char(*texels)[4] = memory_new(scan->texels, sizeof *texels);
    const char *wrong = NULL;
    for (uint32_t line = 0; !wrong && line < scan->lines; ++line) {
        char why[100];
        wrong = read_line(hdr->stream, texels, scan->texels);
        if (wrong) {
            snprintf(why, sizeof why, "scan line %u of %u is %s", line + 1, scan->lines, wrong);
            picture_hdr_refuse(hdr, 0, why, NULL);
        }
        for (uint32_t i = 0; !wrong && i < scan->texels; ++i) {
            uint32_t x = scan->columns ? line : i, y = scan->columns ? i : line;
            x = scan->right_to_left ? picture->width - 1 - x : x;
            y = scan->upwards ? picture->height - 1 - y : y;
            store_texel(hdr, texels[i], picture->values + 3 * ((size_t)y * picture->width + x));
        }
    }
    free(texels);
    return !wrong;
}

bool picture_hdr_read(struct picture_values *picture, const char *path, struct error *error)
{
    struct scan scan;
    struct hdr hdr = {.path = path,
                      .error = error,
                      .stream = path_stream(path, error),
                      .divisors = {1, 1, 1},
                      .to_rec709 = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (!hdr.stream)
        return false;
    const bool done = read_header(&hdr) && read_resolution(&hdr, picture, &scan) && read_lines(&hdr, picture, &scan);
    free(hdr.text);
    fclose(hdr.stream);
    return done;
}
