// SPDX-License-Identifier: MIT
// The environment light: directions drawn from it by luminance times solid angle (Wald 2011,
// section 4.2.5).
#pragma once

#include "lib/environment.h"
#include "surface/path.h"

// A direction and the probability per steradian with which it is drawn.
struct environment_sample {
    struct vec3 direction;
    float density;
};

// ---- by alias table

DEVICE uint32_t alias_choose(const struct alias_entry *table, uint32_t count, float u, float v)
{
    uint32_t cell = (uint32_t)(u * (float)count);
    cell = cell < count ? cell : count - 1;
    return v < table[cell].probability ? cell : table[cell].alias;
}

// A cell of the grid, then a direction uniform over its solid angle.
DEVICE struct environment_sample sample_alias(const struct frame_args *frame, const struct path *path)
{
    const struct environment *environment = &frame->scene.environment;
    const uint32_t cells = environment->cell_width * environment->cell_height;
    const uint32_t cell = alias_choose(environment->alias, cells, path_random(frame, path, DIMENSION_LIGHT_CELL),
                                       path_random(frame, path, DIMENSION_LIGHT_ALIAS));
    const uint32_t row = cell / environment->cell_width, column = cell - row * environment->cell_width;
    const float turns = ((float)column + path_random(frame, path, DIMENSION_LIGHT_U)) / (float)environment->cell_width;
    const float top = environment->row_cosine[row], bottom = environment->row_cosine[row + 1];
    const float y = fmaf(path_random(frame, path, DIMENSION_LIGHT_V), bottom - top, top);
    struct environment_sample sample;
    sample.direction = polar_direction(turns, y, sqrtf(maximum_f32(1.0f - y * y, 0.0f)));
    sample.density = environment->cell_density[cell];
    return sample;
}

// ---- by binary search of a flat table

// The last texel that begins at or before `u`. The number of halvings depends on `count` alone, 21 for 2,000,000 texels
// and 27 for 2^27, and each reads one word: no lane leaves early.
DEVICE uint32_t cdf_search(const uint32_t *cdf, uint32_t count, uint32_t u)
{
    uint32_t first = 0;
    for (uint32_t size = count; size > 1u; size -= size / 2u)
        first += cdf[first + size / 2u] <= u ? size / 2u : 0u;
    return first;
}

// A row's edges as sin^2 of half the angle from the nearer pole, which keeps its digits where a cosine loses them.
DEVICE uint32_t cdf_row_edge(const struct environment *environment, uint32_t row)
{
    return 2u * row >= environment->cdf_height ? environment->cdf_height - 1u - row : row;
}

// From the neighbouring entries; a texel without light has none.
DEVICE float cdf_density(const struct environment *environment, uint32_t texel, uint32_t row)
{
    const uint32_t last = environment->cdf_width * environment->cdf_height - 1u;
    const uint32_t next = texel < last ? environment->cdf[texel + 1u] : 0xFFFFFFFFu;
    const float probability = (float)(next - environment->cdf[texel]) * 2.3283064365386963e-10f; // 2^-32
    const uint32_t edge = cdf_row_edge(environment, row);
    const float band = environment->cdf_half_sine2[edge + 1u] - environment->cdf_half_sine2[edge];
    return probability * (float)environment->cdf_width / (4.0f * PI_F * band);
}

// 32 random bits: a number has 24.
DEVICE uint32_t cdf_random(const struct frame_args *frame, const struct path *path)
{
    const uint32_t high = (uint32_t)(path_random(frame, path, DIMENSION_LIGHT_CELL) * 16777216.0f);
    return high << 8 | (uint32_t)(path_random(frame, path, DIMENSION_LIGHT_ALIAS) * 256.0f);
}

DEVICE struct environment_sample sample_cdf(const struct frame_args *frame, const struct path *path)
{
    const struct environment *environment = &frame->scene.environment;
    const uint32_t width = environment->cdf_width;
    const uint32_t texel = cdf_search(environment->cdf, width * environment->cdf_height, cdf_random(frame, path));
    const uint32_t row = texel / width, column = texel - row * width, edge = cdf_row_edge(environment, row);
    const float turns = ((float)column + path_random(frame, path, DIMENSION_LIGHT_U)) / (float)width;
    const float near = environment->cdf_half_sine2[edge], far = environment->cdf_half_sine2[edge + 1u];
    const float sine2 = fmaf(path_random(frame, path, DIMENSION_LIGHT_V), far - near, near);
    const float y = fmaf(-2.0f, sine2, 1.0f), radius = 2.0f * sqrtf(sine2 * (1.0f - sine2));
    struct environment_sample sample;
    sample.direction = polar_direction(turns, edge == row ? y : -y, radius);
    sample.density = cdf_density(environment, texel, row);
    return sample;
}

// ---- either

// There must be an environment.
DEVICE struct environment_sample environment_sample_direction(const struct frame_args *frame, const struct path *path)
{
    return CONFIG(frame, light_search) == LIGHT_SEARCH_ALIAS ? sample_alias(frame, path) : sample_cdf(frame, path);
}

// Density with which environment_sample_direction() draws `direction`.
DEVICE float environment_density(const struct frame_args *frame, struct vec3 direction)
{
    const struct environment *environment = &frame->scene.environment;
    if (CONFIG(frame, light_search) == LIGHT_SEARCH_ALIAS) {
        const struct grid_cell cell = grid_cell_of(direction, environment->cell_width, environment->cell_height);
        return environment->cell_density[cell.row * environment->cell_width + cell.column];
    }
    const struct grid_cell texel = grid_cell_of(direction, environment->cdf_width, environment->cdf_height);
    return cdf_density(environment, texel.row * environment->cdf_width + texel.column, texel.row);
}
