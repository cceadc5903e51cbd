// SPDX-License-Identifier: MIT
#include "frame/pixel_table.h"

#include <stdlib.h>

#include "base/random.h"

struct morton_pixel {
    uint32_t code, pixel;
};

static uint32_t morton_spread(uint32_t x)
{
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

static int compare_codes(const void *a, const void *b)
{
    const uint32_t left = ((const struct morton_pixel *)a)->code, right = ((const struct morton_pixel *)b)->code;
    return (left > right) - (left < right);
}

uint32_t *pixel_table_morton(uint32_t width, uint32_t height)
{
    const size_t count = (size_t)width * height;
    struct morton_pixel *pixels = malloc(count * sizeof *pixels);
    uint32_t *table = malloc(count * sizeof *table);
    if (pixels && table) {
        for (uint32_t y = 0; y < height; ++y)
            for (uint32_t x = 0; x < width; ++x)
                pixels[(size_t)y * width + x] =
                    (struct morton_pixel){morton_spread(x) | morton_spread(y) << 1, y * width + x};
        qsort(pixels, count, sizeof *pixels, compare_codes);
        for (size_t i = 0; i < count; ++i)
            table[i] = pixels[i].pixel;
    }
    free(pixels);
    if (!pixels) {
        free(table);
        return NULL;
    }
    return table;
}

uint32_t *pixel_table_random(uint32_t width, uint32_t height)
{
    const uint32_t count = width * height;
    uint32_t *table = malloc((size_t)count * sizeof *table);
    if (table)
        random_order(1, table, count, 0);
    return table;
}
