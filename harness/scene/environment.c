// SPDX-License-Identifier: MIT
#include "scene/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/alias.h"
#include "geometry/parallel.h"

enum { SKY_WIDTH = 512, SKY_HEIGHT = 256 };

static bool make_map(struct picture *map, uint32_t width, uint32_t height, struct error *error)
{
    *map = (struct picture){.width = width, .height = height};
    map->texels = memory_try((size_t)width * height, sizeof *map->texels, error, "for the environment");
    return map->texels != NULL;
}

// ---- built-in sky

static double smooth_step(double low, double high, double x)
{
    const double t = x <= low ? 0 : x >= high ? 1 : (x - low) / (high - low);
    return t * t * (3 - 2 * t);
}

struct sun {
    struct exact_vec direction;
    double inner, outer; // cosines of the angles where its edge ends and begins
};

static struct sun sun_make(const struct scene_sky *sky)
{
    struct sun sun;
    double sa, ca, se, ce, unused;
    exact_sine_cosine(exact_radians(sky->sun_azimuth), &sa, &ca);
    exact_sine_cosine(exact_radians(sky->sun_elevation), &se, &ce);
    sun.direction = exact_vec_make(ca * ce, se, sa * ce);
    exact_sine_cosine(exact_radians(sky->sun_radius), &unused, &sun.outer);
    exact_sine_cosine(exact_radians(sky->sun_radius / 2), &unused, &sun.inner);
    return sun;
}

static struct vec3 sky_radiance(const struct scene_sky *sky, const struct sun *sun, struct exact_vec direction)
{
    const double up = smooth_step(0, 1, direction.y), below = smooth_step(0, 0.05, -direction.y);
    const double disc = smooth_step(sun->outer, sun->inner, exact_vec_dot(direction, sun->direction));
    double value[3];
    for (int c = 0; c < 3; ++c) {
        value[c] = sky->horizon[c] + (sky->zenith[c] - sky->horizon[c]) * up;
        value[c] += (sky->ground[c] - value[c]) * below;
        value[c] += sky->sun[c] * disc;
    }
    return vec3_from(value);
}

static bool make_sky(struct picture *map, const struct scene_sky *sky, struct error *error)
{
    if (!make_map(map, SKY_WIDTH, SKY_HEIGHT, error))
        return false;
    const struct sun sun = sun_make(sky);
    for (uint32_t row = 0; row < SKY_HEIGHT; ++row) {
        double st, ct;
        exact_sine_cosine(EXACT_PI * (row + 0.5) / SKY_HEIGHT, &st, &ct);
        for (uint32_t column = 0; column < SKY_WIDTH; ++column) {
            double sp, cp;
            exact_sine_cosine(2 * EXACT_PI * (column + 0.5) / SKY_WIDTH, &sp, &cp);
            map->texels[row * SKY_WIDTH + column] = sky_radiance(sky, &sun, exact_vec_make(st * cp, ct, st * sp));
        }
    }
    return true;
}

// ---- integrals over the map

// Integral of luminance over a strip of texel row `row` between two azimuths given in turns, per unit of height.
static double texel_strip(const struct environment *map, uint32_t row, double from, double to)
{
    const double w = map->width;
    double sum = 0;
    for (uint32_t column = (uint32_t)(from * w); column < map->width && column < to * w; ++column) {
        const double low = column / w > from ? column / w : from, high = (column + 1) / w < to ? (column + 1) / w : to;
        const struct vec3 v = map->radiance[(size_t)row * map->width + column];
        if (high > low)
            sum += (0.2126 * (double)v.x + 0.7152 * (double)v.y + 0.0722 * (double)v.z) * (high - low);
    }
    return sum;
}

// cos(pi part) for part in [0, 1].
static double environment_cosine(double part)
{
    double s, c;
    exact_sine_cosine(EXACT_PI * part, &s, &c);
    return part == 0 ? 1 : part == 1 ? -1 : c;
}

// ---- pictures of equal areas

enum { RESAMPLED_WIDTH = 1024, SAMPLES = 12 }; // columns at least; samples along a texel's side at most

// Clarberg's octahedral mapping of the sphere onto a square (Fast Equal-Area Mapping of the (Hemi)Sphere using SIMD,
// 2008), as pbrt-v4 has it with y for its z: in the picture's middle is +y, in its corners -y, at the right edge's
// middle +x, at the lower edge's +z. Pure arithmetic, so that every machine gives the same bits.
static size_t equal_area_texel(uint32_t side, double y, double turns)
{
    const double r = sqrt(1 - fabs(y));
    const int quadrant = (int)(4 * turns);
    const double along = 4 * turns - quadrant;
    const bool left = quadrant == 1 || quadrant == 2, upper = quadrant >= 2, back = quadrant == 1 || quadrant == 3;
    const double t = back ? 1 - along : along; // angle to the x axis over a right one
    const double u = y < 0 ? 1 - r * t : r * (1 - t), v = y < 0 ? 1 - r * (1 - t) : r * t;
    const uint32_t column = (uint32_t)((left ? 1 - u : 1 + u) / 2 * side);
    const uint32_t row = (uint32_t)((upper ? 1 - v : 1 + v) / 2 * side);
    return (size_t)(row < side ? row : side - 1) * side + (column < side ? column : side - 1);
}

struct resampling {
    const struct picture *from;
    struct picture *to;
    int samples; // along a texel's side
};

// Each texel is a mean over its solid angle: samples are equally spaced in azimuth and y.
static struct vec3 resample_texel(const struct resampling *resampling, double top, double bottom, uint32_t column)
{
    const struct picture *from = resampling->from;
    const int samples = resampling->samples;
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < samples; ++i) {
        const double y = top + (bottom - top) * (i + 0.5) / samples;
        for (int k = 0; k < samples; ++k) {
            const double turns = (column + (k + 0.5) / samples) / resampling->to->width;
            const struct vec3 v = from->texels[equal_area_texel(from->width, y, turns)];
            sum[0] += (double)v.x;
            sum[1] += (double)v.y;
            sum[2] += (double)v.z;
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        sum[axis] *= 1.0 / (samples * samples);
    return vec3_from(sum);
}

static void resample_row(void *context, uint32_t row)
{
    const struct resampling *resampling = context;
    const struct picture *to = resampling->to;
    const double top = environment_cosine((double)row / to->height);
    const double bottom = environment_cosine((double)(row + 1) / to->height);
    for (uint32_t column = 0; column < to->width; ++column)
        to->texels[(size_t)row * to->width + column] = resample_texel(resampling, top, bottom, column);
}

// To latitude and longitude. Of a side of 1024, the light of a single texel is kept to 0.9 % (root mean square; 11 % at
// worst), in 2.6 s of one thread. With 8 and 16 samples: 1.7 % and 0.6 %, 1.2 s and 4.5 s.
static bool resample_map(struct picture *map, const char *path, struct error *error)
{
    if (map->width != map->height || map->width > PICTURE_MAX / 2) {
        error_set_at(error, ERROR_INPUT, path, 0,
                     "a picture of equal areas is square, of at most %d texels a side; this has %u x %u",
                     PICTURE_MAX / 2, map->width, map->height);
        return error_remedy(error, "if it is in latitude and longitude, remove `mapping: equal_area`");
    }
    const uint32_t times = (RESAMPLED_WIDTH / 2 + map->width - 1) / map->width;
    struct picture to;
    struct resampling resampling = {map, &to, times < 4 ? SAMPLES / (int)times : 4};
    if (!make_map(&to, 2 * times * map->width, times * map->width, error))
        return false;
    parallel_for(0, to.height, resample_row, &resampling);
    picture_finish(map);
    *map = to;
    return true;
}

// ---- the map

static bool read_file(struct picture *map, const struct scene_file *file, struct error *error)
{
    char path[1024];
    const struct scene_environment *environment = &file->environment;
    if (!scene_file_locate(file, environment->file, environment->package, environment->line, path, sizeof path, error))
        return false;
    if (picture_read(map, path, error) &&
        (environment->mapping != MAPPING_EQUAL_AREA || resample_map(map, path, error)))
        return true;
    scene_file_add_use(file, environment->line, environment->package,
                       "save the picture anew as Radiance HDR or OpenEXR", error);
    return false;
}

static bool make_source(struct picture *map, const struct scene_file *file, struct error *error)
{
    const struct scene_environment *environment = &file->environment;
    switch (environment->kind) {
    case ENVIRONMENT_FILE: return read_file(map, file, error);
    case ENVIRONMENT_SKY: return make_sky(map, &environment->sky, error);
    case ENVIRONMENT_CONSTANT:
        if (!make_map(map, 1, 1, error))
            return false;
        map->texels[0] = vec3_from(environment->constant);
        return true;
    case ENVIRONMENT_NONE: break;
    }
    return true;
}

// Luminance times the cosine to +y, over the upper half.
static double illuminance_of(const struct picture *map)
{
    const struct environment view = {.radiance = map->texels, .width = map->width, .height = map->height};
    double sum = 0;
    for (uint32_t row = 0; row < map->height; ++row) {
        const double high = environment_cosine((double)row / map->height);
        const double low = environment_cosine((double)(row + 1) / map->height);
        if (high > 0)
            sum += EXACT_PI * texel_strip(&view, row, 0, 1) * (high * high - (low > 0 ? low * low : 0));
    }
    return sum;
}

// What radiances are multiplied with.
static bool factor_of(const struct picture *map, const struct scene_file *file, double *factor, struct error *error)
{
    const struct scene_environment *environment = &file->environment;
    *factor = environment->intensity;
    if (environment->illuminance == 0)
        return true;
    *factor *= environment->illuminance / illuminance_of(map);
    if (*factor <= 1e18)
        return true;
    error_set_at(error, ERROR_USE, file->path, environment->line,
                 "the environment is black from above: no factor gives it an illuminance");
    return error_remedy(error, "remove `illuminance`");
}

// Turning about y moves whole columns, so that texels stay what the file holds.
static bool turn_and_scale(struct picture *map, const struct scene_file *file, struct error *error)
{
    const struct scene_environment *environment = &file->environment;
    double factor;
    if (!factor_of(map, file, &factor, error))
        return false;
    const double turns = environment->rotation / 360 - floor(environment->rotation / 360);
    const uint32_t shift = (uint32_t)floor(turns * map->width + 0.5) % map->width;
    struct vec3 *line = memory_new(map->width, sizeof *line);
    for (uint32_t row = 0; row < map->height; ++row) {
        struct vec3 *texels = map->texels + (size_t)row * map->width;
        for (uint32_t column = 0; column < map->width; ++column)
            line[((environment->mirrored ? map->width - 1 - column : column) + shift) % map->width] =
                vec3_scale(texels[column], (float)factor);
        memcpy(texels, line, map->width * sizeof *line);
    }
    free(line);
    return true;
}

// ---- sampling tables

void environment_strips(const struct environment *map, uint32_t width, uint32_t texel_row, double *strips)
{
    for (uint32_t c = 0; c < width; ++c)
        strips[c] = texel_strip(map, texel_row, (double)c / width, (double)(c + 1) / width);
}

void environment_texel_rows(const struct environment *map, uint32_t height, uint32_t row, uint32_t *from, uint32_t *to)
{
    const double h = map->height, top = (double)row / height, bottom = (double)(row + 1) / height;
    *from = *to = (uint32_t)(top * h);
    while (*to < map->height && *to < bottom * h)
        ++*to;
}

void environment_weigh_row(const struct environment *map, uint32_t width, uint32_t height, uint32_t row,
                           const double *strips, uint32_t strips_from, double *weights)
{
    const double h = map->height, top = (double)row / height, bottom = (double)(row + 1) / height;
    uint32_t from, to;
    environment_texel_rows(map, height, row, &from, &to);
    memset(weights, 0, width * sizeof *weights);
    for (uint32_t r = from; r < to; ++r) {
        const double low = r / h > top ? r / h : top, high = (r + 1) / h < bottom ? (r + 1) / h : bottom;
        if (high <= low)
            continue;
        const double band = 2 * EXACT_PI * (environment_cosine(low) - environment_cosine(high));
        const double *known = strips ? strips + (size_t)(r - strips_from) * width : NULL;
        for (uint32_t c = 0; c < width; ++c)
            weights[c] += band * (known ? known[c] : texel_strip(map, r, (double)c / width, (double)(c + 1) / width));
    }
}

static bool fill_tables(struct environment_tables *tables, double *weights, struct error *error)
{
    const uint32_t width = tables->cell_width, height = tables->cell_height, count = width * height;
    const struct environment map = {
        .radiance = tables->map.texels, .width = tables->map.width, .height = tables->map.height};
    double sum = 0;
    for (uint32_t row = 0; row <= height; ++row)
        tables->row_cosine[row] = (float)environment_cosine((double)row / height);
    for (uint32_t row = 0; row < height; ++row)
        environment_weigh_row(&map, width, height, row, NULL, 0, weights + (size_t)row * width);
    for (uint32_t i = 0; i < count; ++i)
        sum += weights[i];
    if (!(sum > 0)) { // black: as if there were none
        tables->cell_width = tables->cell_height = 0;
        picture_finish(&tables->map);
        return true;
    }
    for (uint32_t row = 0; row < height; ++row) {
        const double band = environment_cosine((double)row / height) - environment_cosine((double)(row + 1) / height);
        const double angle = 2 * EXACT_PI / width * band;
        for (size_t i = (size_t)row * width; i < (size_t)(row + 1) * width; ++i)
            tables->cell_density[i] = (float)(weights[i] / sum / angle);
    }
    return alias_build(weights, count, tables->alias, error);
}

static bool build_tables(struct environment_tables *tables, const uint64_t cells[2], struct error *error)
{
    const size_t count = (size_t)(cells[0] * cells[1]);
    tables->cell_width = (uint32_t)cells[0];
    tables->cell_height = (uint32_t)cells[1];
    tables->alias = calloc(count, sizeof *tables->alias);
    tables->cell_density = calloc(count, sizeof *tables->cell_density);
    tables->row_cosine = calloc(cells[1] + 1, sizeof *tables->row_cosine);
    double *weights = calloc(count, sizeof *weights);
    bool done = tables->alias && tables->cell_density && tables->row_cosine && weights;
    if (done)
        done = fill_tables(tables, weights, error);
    else
        error_memory(error, "for the environment");
    free(weights);
    return done;
}

bool environment_build(struct environment_tables *tables, const struct scene_file *file, struct error *error)
{
    *tables = (struct environment_tables){0};
    const struct scene_environment *environment = &file->environment;
    if (environment->kind == ENVIRONMENT_NONE)
        return true;
    return make_source(&tables->map, file, error) && turn_and_scale(&tables->map, file, error) &&
           build_tables(tables, environment->cells, error);
}

void environment_finish(struct environment_tables *tables)
{
    picture_finish(&tables->map);
    free(tables->alias);
    free(tables->cell_density);
    free(tables->row_cosine);
    *tables = (struct environment_tables){0};
}
