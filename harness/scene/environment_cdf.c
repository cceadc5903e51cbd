// SPDX-License-Identifier: MIT
#include "scene/environment_cdf.h"

#include <stdlib.h>

#include "scene/environment.h"
#include "geometry/exact_math.h"
#include "geometry/parallel.h"

enum { ROWS_TOGETHER = 128 };
static const double SPAN = 4294967295.0; // all entries lie in [0, 2^32 - 1]

// Rows of the table that are worked on together. Where they share rows of the map's texels, each of those is integrated
// once: 0.4 s in place of 2.5 s for 16384 x 8192 entries over the built-in sky.
struct rows {
    struct environment_cdf *cdf;
    uint32_t first;
    double *strips;       // NULL: none
    uint32_t strips_from; // of the map
    uint32_t *entries;
};

static void weigh_rows(const struct rows *rows, uint32_t row, double *weights)
{
    const struct environment_cdf *cdf = rows->cdf;
    environment_weigh_row(cdf->map, cdf->width, cdf->height, row, rows->strips, rows->strips_from, weights);
}

static void weigh_one(void *context, uint32_t i)
{
    const struct rows *rows = context;
    struct environment_cdf *cdf = rows->cdf;
    const uint32_t row = rows->first + i;
    double weights[ENVIRONMENT_CDF_WIDTH], sum = 0;
    uint64_t lit = 0;
    weigh_rows(rows, row, weights);
    for (uint32_t column = 0; column < cdf->width; ++column) {
        sum += weights[column];
        lit += weights[column] > 0;
    }
    cdf->row_weight[row + 1] = sum;
    cdf->row_lit[row + 1] = lit;
}

// Each texel gets its share of what is left when every texel with light has been given one number. Sums begin at the
// row's start and end, in the same order of additions, at the next row's: so entries never fall.
static void write_one(void *context, uint32_t i)
{
    const struct rows *rows = context;
    const struct environment_cdf *cdf = rows->cdf;
    const uint32_t row = rows->first + i;
    const double total = cdf->row_weight[cdf->height], shared = SPAN - (double)cdf->row_lit[cdf->height];
    double weights[ENVIRONMENT_CDF_WIDTH], sum = 0;
    uint64_t lit = cdf->row_lit[row];
    uint32_t *entries = rows->entries + (size_t)i * cdf->width;
    weigh_rows(rows, row, weights);
    for (uint32_t column = 0; column < cdf->width; ++column) {
        entries[column] = (uint32_t)((uint64_t)((cdf->row_weight[row] + sum) / total * shared) + lit);
        sum += weights[column];
        lit += weights[column] > 0;
    }
}

static void strips_of_one(void *context, uint32_t i)
{
    const struct rows *rows = context;
    const struct environment_cdf *cdf = rows->cdf;
    environment_strips(cdf->map, cdf->width, rows->strips_from + i, rows->strips + (size_t)i * cdf->width);
}

// Calls the body for each of so many rows. Without memory for strips it takes longer.
static void for_rows(struct rows *rows, uint32_t count, void (*body)(void *context, uint32_t i))
{
    const struct environment_cdf *cdf = rows->cdf;
    uint32_t unused, end;
    environment_texel_rows(cdf->map, cdf->height, rows->first, &rows->strips_from, &unused);
    environment_texel_rows(cdf->map, cdf->height, rows->first + count - 1, &unused, &end);
    const uint32_t texel_rows = end - rows->strips_from;
    rows->strips = texel_rows < count ? malloc((size_t)texel_rows * cdf->width * sizeof *rows->strips) : NULL;
    if (rows->strips)
        parallel_for(0, texel_rows, strips_of_one, rows);
    parallel_for(0, count, body, rows);
    free(rows->strips);
}

bool environment_cdf_begin(struct environment_cdf *cdf, const struct environment *map, uint32_t width, uint32_t height,
                           struct error *error)
{
    *cdf = (struct environment_cdf){.map = map, .width = width, .height = height};
    cdf->row_weight = calloc((size_t)height + 1, sizeof *cdf->row_weight);
    cdf->row_lit = calloc((size_t)height + 1, sizeof *cdf->row_lit);
    if (!cdf->row_weight || !cdf->row_lit)
        return error_memory(error, "for the environment's table");
    for (uint32_t first = 0; first < height; first += ROWS_TOGETHER) {
        struct rows rows = {.cdf = cdf, .first = first};
        for_rows(&rows, height - first < ROWS_TOGETHER ? height - first : ROWS_TOGETHER, weigh_one);
    }
    for (uint32_t row = 0; row < height; ++row) {
        cdf->row_weight[row + 1] += cdf->row_weight[row];
        cdf->row_lit[row + 1] += cdf->row_lit[row];
    }
    return true;
}

void environment_cdf_rows(struct environment_cdf *cdf, uint32_t first, uint32_t count, uint32_t *entries)
{
    struct rows rows = {.cdf = cdf, .first = first, .entries = entries};
    for_rows(&rows, count, write_one);
}

void environment_cdf_half_sine2(const struct environment_cdf *cdf, float *values)
{
    for (uint32_t row = 0; row <= cdf->height / 2; ++row) {
        double sine, cosine;
        exact_sine_cosine(EXACT_PI * row / (2.0 * cdf->height), &sine, &cosine);
        values[row] = (float)(sine * sine);
    }
}

void environment_cdf_finish(struct environment_cdf *cdf)
{
    free(cdf->row_weight);
    free(cdf->row_lit);
    *cdf = (struct environment_cdf){0};
}
