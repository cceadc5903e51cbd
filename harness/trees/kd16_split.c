// SPDX-License-Identifier: MIT
// Exact: the ends of all boxes along an axis are sorted and swept.
#include "trees/kd16_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RADIX_BITS = 11, RADIX = 1 << RADIX_BITS, RADIX_PASSES = 3, INSERTION_MAX = 48 };

// In units of a step to the next node: of a triangle's test; and what a cell without triangles makes of a plane's cost.
static const double triangle_cost = 1.0, empty_bonus = 0.8;

double kd16_area(const struct kd16_box *box)
{
    const double x = (double)box->high[0] - (double)box->low[0], y = (double)box->high[1] - (double)box->low[1],
                 z = (double)box->high[2] - (double)box->low[2];
    return x * y + y * z + z * x;
}

double kd16_leaf_cost(uint32_t count)
{
    return triangle_cost * count;
}

// ---- sorting

// Whole numbers ordered like the floats whose bits they stand for.
static uint32_t key_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static float value_of(uint32_t key)
{
    const uint32_t bits = key >> 31 ? key & 0x7FFFFFFFu : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void sort_few(uint32_t *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const uint32_t moved = keys[i];
        uint32_t j = i;
        for (; j > 0 && keys[j - 1] > moved; --j)
            keys[j] = keys[j - 1];
        keys[j] = moved;
    }
}

static void sort_pass(const uint32_t *from, uint32_t *to, uint32_t count, uint32_t shift)
{
    uint32_t places[RADIX] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        ++places[from[i] >> shift & (RADIX - 1)];
    for (uint32_t digit = 0; digit < RADIX; ++digit) {
        const uint32_t size = places[digit];
        places[digit] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < count; ++i)
        to[places[from[i] >> shift & (RADIX - 1)]++] = from[i];
}

// `other` has as much room.
static void sort_keys(uint32_t *keys, uint32_t *other, uint32_t count)
{
    if (count <= INSERTION_MAX) {
        sort_few(keys, count);
        return;
    }
    sort_pass(keys, other, count, 0);
    sort_pass(other, keys, count, RADIX_BITS);
    sort_pass(keys, other, count, 2 * RADIX_BITS);
    memcpy(keys, other, count * sizeof *keys);
}

// ---- the sweep

struct sweep {
    const struct kd16_box *cell;
    uint32_t axis, count;
    double across, around, area; // of the cell: area of the face across the axis, half the face's girth, whole area
};

static struct sweep sweep_make(const struct kd16_box *cell, uint32_t axis, uint32_t count)
{
    const uint32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double du = (double)cell->high[u] - (double)cell->low[u], dv = (double)cell->high[v] - (double)cell->low[v];
    return (struct sweep){cell, axis, count, du * dv, du + dv, kd16_area(cell)};
}

static void consider_plane(const struct sweep *sweep, float position, uint32_t left, uint32_t right,
                           struct kd16_plane *best)
{
    const float low = sweep->cell->low[sweep->axis], high = sweep->cell->high[sweep->axis];
    if (!(position > low && position < high))
        return;
    const double left_area = sweep->across + sweep->around * ((double)position - (double)low);
    const double right_area = sweep->across + sweep->around * ((double)high - (double)position);
    double cost = 1 + triangle_cost * (left_area * left + right_area * right) / sweep->area;
    if (left == 0 || right == 0)
        cost *= empty_bonus;
    if (cost < best->cost)
        *best = (struct kd16_plane){cost, sweep->axis, position};
}

// Begins and ends are sorted. Left of a plane is what begins before it, right what ends behind it.
static void sweep_axis(const struct sweep *sweep, const uint32_t *begins, const uint32_t *ends, struct kd16_plane *best)
{
    uint32_t begun = 0, ended = 0;
    while (ended < sweep->count) {
        const uint32_t key = begun < sweep->count && begins[begun] < ends[ended] ? begins[begun] : ends[ended];
        while (ended < sweep->count && ends[ended] == key)
            ++ended;
        consider_plane(sweep, value_of(key), begun, sweep->count - ended, best);
        while (begun < sweep->count && begins[begun] == key)
            ++begun;
    }
}

bool kd16_best_plane(const struct kd16_box *boxes, const uint32_t *triangles, uint32_t count,
                     const struct kd16_box *cell, struct kd16_plane *best)
{
    uint32_t *begins = malloc(3 * (size_t)count * sizeof *begins);
    *best = (struct kd16_plane){.cost = INFINITY};
    if (!begins)
        return false;
    uint32_t *ends = begins + count, *other = ends + count;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const struct sweep sweep = sweep_make(cell, axis, count);
        if (!(sweep.area > 0))
            break;
        for (uint32_t i = 0; i < count; ++i) {
            begins[i] = key_of(boxes[triangles[i]].low[axis]);
            ends[i] = key_of(boxes[triangles[i]].high[axis]);
        }
        sort_keys(begins, other, count);
        sort_keys(ends, other, count);
        sweep_axis(&sweep, begins, ends, best);
    }
    free(begins);
    return true;
}
