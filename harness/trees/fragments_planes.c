// SPDX-License-Identifier: MIT
#include "trees/fragments_planes.h"

#include <math.h>

// Of an axis, by references. More bins for few of them make trees no better: with 32 from nine references on, and 16 below,
// that of Sponza costs 36.68 instead of 36.62, that of the dragon 26.59 instead of 26.63, for half as much time again.
static uint32_t bins_for(uint32_t count)
{
    return count > 32 ? PLANES : count > 8 ? PLANES / 2 : PLANES / 4;
}

struct corners {
    float4 at[3];
};

static struct corners corners_of(const struct triangle *triangle)
{
    return (struct corners){{{triangle->v0.x, triangle->v0.y, triangle->v0.z, 0.0f},
                             {triangle->v1.x, triangle->v1.y, triangle->v1.z, 0.0f},
                             {triangle->v2.x, triangle->v2.y, triangle->v2.z, 0.0f}}};
}

static void box_add_point(struct box4 *box, float4 point)
{
    *box = box4_both(*box, (struct box4){point, point});
}

// ---- clipping

// Where the edge from `a` to `b` crosses a plane, a unit in the last place wide.
static struct box4 crossing(float4 a, float4 b, int axis, float place)
{
    const double t = ((double)place - (double)a[axis]) / ((double)b[axis] - (double)a[axis]);
    struct box4 box = {float4_splat(0), float4_splat(0)};
    for (int i = 0; i < 3; ++i) {
        const float point = (float)((double)a[i] + t * ((double)b[i] - (double)a[i]));
        const float more = fabsf(point) * 0x1p-23f;
        box.low[i] = i == axis ? place : point - more;
        box.high[i] = i == axis ? place : point + more;
    }
    return box;
}

bool plane_clip(const struct triangle *triangles, const struct reference *from, int axis, float place,
                struct reference to[2])
{
    const struct corners corners = corners_of(&triangles[from->triangle]);
    struct box4 sides[2] = {box4_empty(), box4_empty()};
    for (int i = 0; i < 3; ++i) {
        const float4 a = corners.at[i], b = corners.at[(i + 1) % 3];
        if (a[axis] <= place)
            box_add_point(&sides[0], a);
        if (a[axis] >= place)
            box_add_point(&sides[1], a);
        if ((a[axis] < place && b[axis] > place) || (a[axis] > place && b[axis] < place)) {
            const struct box4 met = crossing(a, b, axis, place);
            sides[0] = box4_both(sides[0], met);
            sides[1] = box4_both(sides[1], met);
        }
    }
    for (int side = 0; side < 2; ++side) {
        sides[side] = box4_common(sides[side], reference_box(from));
        if (box4_is_empty(sides[side]))
            return false;
    }
    for (int side = 0; side < 2; ++side) {
        to[side] = *from;
        float4_store(sides[side].low, to[side].low);
        float4_store(sides[side].high, to[side].high);
    }
    return true;
}

// ---- bins

struct bin {
    struct box4 box;
    uint32_t begin, end; // references that begin and end in it
};

// An axis of the box and its bins; `scale` is 0 where it is not split.
struct axis_bins {
    float low, scale;
    float places[PLANES + 1]; // the bins' limits
    struct bin bins[PLANES];
};

static void bins_begin(struct axis_bins *axis, float low, float high, uint32_t bins)
{
    const float extent = high - low;
    const bool splits = extent > 1e-5f * fmaxf(fabsf(low), fabsf(high)) && extent < INFINITY;
    axis->low = low;
    axis->scale = splits ? (float)bins / extent : 0.0f;
    for (uint32_t i = 0; splits && i < bins; ++i) {
        axis->places[i] = low + extent * (float)i / (float)bins;
        axis->bins[i] = (struct bin){.box = box4_empty()};
    }
    axis->places[bins] = high;
}

static uint32_t bin_at(const struct axis_bins *axis, float place, uint32_t bins)
{
    const float bin = (place - axis->low) * axis->scale;
    return bin <= 0 ? 0 : bin >= (float)(bins - 1) ? bins - 1 : (uint32_t)bin;
}

static void exchange_corners(float4 *a, float4 *b)
{
    const float4 kept = *a;
    *a = *b;
    *b = kept;
}

static void sort_corners(struct corners *corners, int axis)
{
    float4 *at = corners->at;
    if (at[0][axis] > at[1][axis])
        exchange_corners(&at[0], &at[1]);
    if (at[1][axis] > at[2][axis])
        exchange_corners(&at[1], &at[2]);
    if (at[0][axis] > at[1][axis])
        exchange_corners(&at[0], &at[1]);
}

// The point of an edge at `place`, or the end of the edge that is nearer to it. Not rounded outwards: costs do not need it.
static float4 edge_at(float4 low, float4 high, int axis, float place)
{
    if (place <= low[axis])
        return low;
    if (place >= high[axis])
        return high;
    return low + (high - low) * float4_splat((place - low[axis]) / (high[axis] - low[axis]));
}

static void bin_add(struct bin *bin, struct box4 piece, struct box4 within)
{
    const struct box4 box = box4_common(piece, within);
    if (!box4_is_empty(box))
        bin->box = box4_both(bin->box, box);
}

// Walks along the axis from bin to bin: a piece lies between where two limits cut the triangle, with the corners between
// them.
static void add_pieces(struct axis_bins *axis, int along, struct corners corners, struct box4 within, uint32_t first,
                       uint32_t last)
{
    sort_corners(&corners, along);
    const float4 low = corners.at[0], middle = corners.at[1], high = corners.at[2];
    struct box4 cut = {low, low};
    bool passed = false;
    for (uint32_t bin = first; bin < last; ++bin) {
        const float place = axis->places[bin + 1];
        const bool passes = place >= middle[along];
        struct box4 piece = cut;
        const float4 far = edge_at(low, high, along, place);
        const float4 near = passes ? edge_at(middle, high, along, place) : edge_at(low, middle, along, place);
        cut = (struct box4){float4_min(far, near), float4_max(far, near)};
        piece = box4_both(piece, cut);
        if (passes && !passed)
            box_add_point(&piece, middle);
        passed = passes;
        bin_add(&axis->bins[bin], piece, within);
    }
    box_add_point(&cut, high);
    if (!passed)
        box_add_point(&cut, middle);
    bin_add(&axis->bins[last], cut, within);
}

static void add_reference(struct axis_bins axes[3], const struct triangle *triangles, const struct reference *reference,
                          uint32_t bins)
{
    const struct box4 box = reference_box(reference);
    for (int along = 0; along < 3; ++along) {
        struct axis_bins *axis = &axes[along];
        if (axis->scale == 0.0f)
            continue;
        const uint32_t first = bin_at(axis, reference->low[along], bins);
        const uint32_t last = bin_at(axis, reference->high[along], bins);
        if (first < last)
            add_pieces(axis, along, corners_of(&triangles[reference->triangle]), box, first, last);
        else
            axis->bins[last].box = box4_both(axis->bins[last].box, box);
        ++axis->bins[first].begin;
        ++axis->bins[last].end;
    }
}

static void consider_planes(const struct axis_bins *axis, int along, uint32_t bins, uint32_t count, struct plane *best)
{
    const struct bin *from = axis->bins;
    struct box4 rights[PLANES], left = box4_empty(), right = box4_empty();
    uint32_t on_left = 0, on_right = count;
    for (uint32_t i = bins - 1; i > 0; --i) {
        right = box4_both(right, from[i].box);
        rights[i] = right;
    }
    for (uint32_t i = 1; i < bins; ++i) {
        left = box4_both(left, from[i - 1].box);
        on_left += from[i - 1].begin;
        on_right -= from[i - 1].end;
        if (on_left == 0 || on_right == 0 || (on_left == count && on_right == count))
            continue;
        const float cost = box4_area(left) * (float)on_left + box4_area(rights[i]) * (float)on_right;
        if (cost < best->cost)
            *best = (struct plane){cost, axis->places[i], along, {left, rights[i]}, {on_left, on_right}};
    }
}

struct plane plane_find(const struct triangle *triangles, const struct reference *references, uint32_t count,
                        const struct box4 *box)
{
    struct plane best = {.cost = INFINITY};
    struct axis_bins axes[3];
    const uint32_t bins = bins_for(count);
    for (int along = 0; along < 3; ++along)
        bins_begin(&axes[along], box->low[along], box->high[along], bins);
    for (uint32_t i = 0; i < count; ++i)
        add_reference(axes, triangles, &references[i], bins);
    for (int along = 0; along < 3; ++along)
        if (axes[along].scale > 0.0f)
            consider_planes(&axes[along], along, bins, count, &best);
    return best;
}
