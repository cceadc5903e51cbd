// SPDX-License-Identifier: MIT
#include "geometry/corner_blocks.h"

#include <stdlib.h>

#include "lib/morton.h"

enum { BLOCK = 64, CELLS = 1024 };

struct corner_block {
    double centre[3], half[3];
};

struct keyed {
    uint32_t key, corner;
};

static int compare_keys(const void *a, const void *b)
{
    const struct keyed *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->corner > right->corner) - (left->corner < right->corner);
}

static struct vec3 corner_of(const struct triangle *triangles, uint32_t index)
{
    const struct triangle *t = &triangles[index / 3];
    return index % 3 == 0 ? t->v0 : index % 3 == 1 ? t->v1 : t->v2;
}

static void block_extend(double low[3], double high[3], struct vec3 v)
{
    const double place[3] = {(double)v.x, (double)v.y, (double)v.z};
    for (int i = 0; i < 3; ++i) {
        low[i] = place[i] < low[i] ? place[i] : low[i];
        high[i] = place[i] > high[i] ? place[i] : high[i];
    }
}

static uint32_t cell_of(double place, double low, double high)
{
    const double cell = high > low ? (place - low) / (high - low) * (CELLS - 1) : 0;
    return morton_spread((uint32_t)cell);
}

// In Morton order.
static void sort_corners(const struct triangle *triangles, uint32_t count, struct keyed *keyed)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; ++i)
        block_extend(low, high, corner_of(triangles, i));
    for (uint32_t i = 0; i < count; ++i) {
        const struct vec3 v = corner_of(triangles, i);
        keyed[i].corner = i;
        keyed[i].key = cell_of((double)v.x, low[0], high[0]) | cell_of((double)v.y, low[1], high[1]) << 1 |
                       cell_of((double)v.z, low[2], high[2]) << 2;
    }
    qsort(keyed, count, sizeof *keyed, compare_keys);
}

static void measure_block(const struct vec3 *corners, uint32_t count, struct corner_block *block)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; ++i)
        block_extend(low, high, corners[i]);
    for (int i = 0; i < 3; ++i) {
        block->centre[i] = (low[i] + high[i]) / 2;
        block->half[i] = (high[i] - low[i]) / 2;
    }
}

static uint32_t corners_in(const struct corner_blocks *blocks, uint32_t block)
{
    const uint32_t left = blocks->corner_count - block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

bool corner_blocks_make(const struct triangle *triangles, uint32_t count, struct corner_blocks *blocks)
{
    struct keyed *keyed = malloc(3 * (size_t)count * sizeof *keyed);
    blocks->corner_count = 3 * count;
    blocks->block_count = (blocks->corner_count + BLOCK - 1) / BLOCK;
    blocks->corners = malloc(3 * (size_t)count * sizeof *blocks->corners);
    blocks->blocks = malloc(blocks->block_count * sizeof *blocks->blocks);
    const bool enough = keyed && blocks->corners && blocks->blocks;
    if (enough) {
        sort_corners(triangles, blocks->corner_count, keyed);
        for (uint32_t i = 0; i < blocks->corner_count; ++i)
            blocks->corners[i] = corner_of(triangles, keyed[i].corner);
        for (uint32_t i = 0; i < blocks->block_count; ++i)
            measure_block(&blocks->corners[i * (size_t)BLOCK], corners_in(blocks, i), &blocks->blocks[i]);
    }
    free(keyed);
    return enough;
}

void corner_blocks_finish(struct corner_blocks *blocks)
{
    free(blocks->corners);
    free(blocks->blocks);
    *blocks = (struct corner_blocks){0};
}

struct extent {
    double low[3], high[3];
};

static void add_block(const struct corner_blocks *blocks, uint32_t block, const struct exact_transform *transform,
                      struct extent *extent)
{
    for (uint32_t i = 0; i < corners_in(blocks, block); ++i) {
        const struct vec3 v = blocks->corners[(size_t)block * BLOCK + i];
        const struct exact_vec p =
            exact_transform_point(transform, exact_vec_make((double)v.x, (double)v.y, (double)v.z));
        const double place[3] = {p.x, p.y, p.z};
        for (int axis = 0; axis < 3; ++axis) {
            extent->low[axis] = place[axis] < extent->low[axis] ? place[axis] : extent->low[axis];
            extent->high[axis] = place[axis] > extent->high[axis] ? place[axis] : extent->high[axis];
        }
    }
}

// What a block's corners may reach along one axis, with a margin for rounding.
static void block_reach(const struct corner_block *block, const struct exact_transform *transform, int axis,
                        double *low, double *high)
{
    const double *row = transform->m[axis];
    const double middle = row[0] * block->centre[0] + row[1] * block->centre[1] + row[2] * block->centre[2];
    const double half = fabs(row[0]) * block->half[0] + fabs(row[1]) * block->half[1] + fabs(row[2]) * block->half[2];
    const double size = fabs(row[0] * block->centre[0]) + fabs(row[1] * block->centre[1]) +
                        fabs(row[2] * block->centre[2]) + half + fabs(transform->t[axis]);
    *low = middle + transform->t[axis] - half - 1e-13 * size;
    *high = middle + transform->t[axis] + half + 1e-13 * size;
}

// The blocks that may reach farthest come first; few of the others are looked into then.
void corner_blocks_bounds(const struct corner_blocks *blocks, const struct exact_transform *transform,
                          struct vec3 *to_low, struct vec3 *to_high)
{
    struct extent extent = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double lowest[3] = {INFINITY, INFINITY, INFINITY}, highest[3] = {-INFINITY, -INFINITY, -INFINITY}, low, high;
    uint32_t first[6] = {0};
    for (uint32_t i = 0; i < blocks->block_count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            block_reach(&blocks->blocks[i], transform, axis, &low, &high);
            if (low < lowest[axis]) {
                lowest[axis] = low;
                first[axis] = i;
            }
            if (high > highest[axis]) {
                highest[axis] = high;
                first[3 + axis] = i;
            }
        }
    for (int k = 0; k < 6; ++k)
        add_block(blocks, first[k], transform, &extent);
    for (uint32_t i = 0; i < blocks->block_count; ++i) {
        bool may = false;
        for (int axis = 0; axis < 3; ++axis) {
            block_reach(&blocks->blocks[i], transform, axis, &low, &high);
            may = may || low < extent.low[axis] || high > extent.high[axis];
        }
        if (may)
            add_block(blocks, i, transform, &extent);
    }
    *to_low = vec3_make((float)extent.low[0], (float)extent.low[1], (float)extent.low[2]);
    *to_high = vec3_make((float)extent.high[0], (float)extent.high[1], (float)extent.high[2]);
}
