// SPDX-License-Identifier: MIT
#include "scene/fragments.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "scene/bvh_split.h"
#include "scene/bvh_tree.h"
#include "scene/parallel.h"

enum {
    OBJECT_BINS = 64,
    PLANES = 32,       // spatial bins of an axis
    TASK_GRAIN = 4096, // a part of at most this many references is finished by one thread
    SPLIT_DEPTH = 48   // below this nothing is split
};

static const float least_overlap = 1e-6f; // of the root's area: where two sides overlap less, none are looked for
static const float least_gain = 0.999f;   // of the best object split's cost: what a spatial split must stay below

// What a node of the tree would hold.
struct part {
    struct reference *references;
    uint32_t count, depth;
    uint32_t spare; // references that splitting below may add
};

struct plane {
    float cost, place; // cost: INFINITY where there is none
    int axis;
    struct box boxes[2];
    uint32_t counts[2];
};

struct splitter {
    const struct triangle *triangles;
    float root_area;
    struct part *parts, *next; // of a level, and of the next
    struct reference *done;    // fragments with exact boxes, in any order
    _Atomic uint32_t done_count;
    atomic_bool no_memory;
};

// ---- clipping

static void add_point(struct box *box, const float point[3])
{
    tree_box_add(box->low, box->high, point, point);
}

static float area_of(const struct box *box)
{
    for (int axis = 0; axis < 3; ++axis)
        if (!(box->low[axis] <= box->high[axis]))
            return 0.0f;
    return tree_half_area(box->low, box->high);
}

static void box_meet(struct box *box, const float low[3], const float high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        box->low[axis] = fmaxf(box->low[axis], low[axis]);
        box->high[axis] = fminf(box->high[axis], high[axis]);
    }
}

// Where the edge from `a` to `b` crosses a plane, a unit in the last place wide.
static void add_crossing(struct box sides[2], const float a[3], const float b[3], int axis, float place)
{
    const double t = ((double)place - (double)a[axis]) / ((double)b[axis] - (double)a[axis]);
    float low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        const float point = (float)((double)a[i] + t * ((double)b[i] - (double)a[i]));
        const float more = i == axis ? 0.0f : fabsf(point) * 0x1p-23f;
        low[i] = (i == axis ? place : point) - more;
        high[i] = (i == axis ? place : point) + more;
    }
    for (int side = 0; side < 2; ++side)
        tree_box_add(sides[side].low, sides[side].high, low, high);
}

// The reference below and above a plane that crosses its box.
static void clip(const struct splitter *splitter, const struct reference *from, int axis, float place,
                 struct reference to[2])
{
    const struct triangle *triangle = &splitter->triangles[from->triangle];
    const float corners[3][3] = {{triangle->v0.x, triangle->v0.y, triangle->v0.z},
                                 {triangle->v1.x, triangle->v1.y, triangle->v1.z},
                                 {triangle->v2.x, triangle->v2.y, triangle->v2.z}};
    struct box sides[2] = {box_empty(), box_empty()};
    for (int i = 0; i < 3; ++i) {
        const float *a = corners[i], *b = corners[(i + 1) % 3];
        if (a[axis] <= place)
            add_point(&sides[0], a);
        if (a[axis] >= place)
            add_point(&sides[1], a);
        if ((a[axis] < place && b[axis] > place) || (a[axis] > place && b[axis] < place))
            add_crossing(sides, a, b, axis, place);
    }
    sides[0].high[axis] = fminf(sides[0].high[axis], place);
    sides[1].low[axis] = fmaxf(sides[1].low[axis], place);
    for (int side = 0; side < 2; ++side) {
        struct box *box = &sides[side];
        box_meet(box, from->low, from->high);
        to[side] = *from;
        for (int i = 0; i < 3; ++i) { // rounding may have turned an end round, of what is flat
            to[side].low[i] = fminf(box->low[i], box->high[i]);
            to[side].high[i] = fmaxf(box->low[i], box->high[i]);
        }
    }
}

// ---- spatial splits

struct spatial_bin {
    struct box box;
    uint32_t begin, end; // references that begin and end in it
};

static uint32_t bin_at(float place, float low, float scale, uint32_t bins)
{
    const float bin = (place - low) * scale;
    return bin <= 0 ? 0 : bin >= (float)(bins - 1) ? bins - 1 : (uint32_t)bin;
}

static float bin_place(const struct box *box, int axis, uint32_t bin, uint32_t bins)
{
    return box->low[axis] + (box->high[axis] - box->low[axis]) * (float)bin / (float)bins;
}

static void fill_bins(const struct splitter *splitter, const struct part *part, const struct box *box, int axis,
                      uint32_t bins, struct spatial_bin *to)
{
    const float scale = (float)bins / (box->high[axis] - box->low[axis]);
    for (uint32_t i = 0; i < bins; ++i)
        to[i] = (struct spatial_bin){.box = box_empty()};
    for (uint32_t i = 0; i < part->count; ++i) {
        struct reference rest = part->references[i], sides[2];
        const uint32_t first = bin_at(rest.low[axis], box->low[axis], scale, bins);
        const uint32_t own_last = bin_at(rest.high[axis], box->low[axis], scale, bins);
        const uint32_t last = own_last < first ? first : own_last;
        for (uint32_t bin = first; bin < last; ++bin) {
            clip(splitter, &rest, axis, bin_place(box, axis, bin + 1, bins), sides);
            tree_box_add(to[bin].box.low, to[bin].box.high, sides[0].low, sides[0].high);
            rest = sides[1];
        }
        tree_box_add(to[last].box.low, to[last].box.high, rest.low, rest.high);
        ++to[first].begin;
        ++to[last].end;
    }
}

static void consider_planes(const struct spatial_bin *from, const struct box *box, int axis, uint32_t bins,
                            uint32_t count, struct plane *best)
{
    struct box rights[PLANES], left = box_empty(), right = box_empty();
    uint32_t on_left = 0, on_right = count;
    for (uint32_t i = bins - 1; i > 0; --i) {
        tree_box_add(right.low, right.high, from[i].box.low, from[i].box.high);
        rights[i] = right;
    }
    for (uint32_t i = 1; i < bins; ++i) {
        tree_box_add(left.low, left.high, from[i - 1].box.low, from[i - 1].box.high);
        on_left += from[i - 1].begin;
        on_right -= from[i - 1].end;
        if (on_left == 0 || on_right == 0 || (on_left == count && on_right == count))
            continue;
        const float cost = area_of(&left) * (float)on_left + area_of(&rights[i]) * (float)on_right;
        if (cost < best->cost)
            *best = (struct plane){cost, bin_place(box, axis, i, bins), axis, {left, rights[i]}, {on_left, on_right}};
    }
}

static struct plane best_plane(const struct splitter *splitter, const struct part *part, const struct box *box)
{
    struct plane best = {.cost = INFINITY};
    struct spatial_bin bins[PLANES];
    const uint32_t count = part->count > 8 ? PLANES : PLANES / 2;
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = box->high[axis] - box->low[axis];
        if (!(extent > 1e-5f * fmaxf(fabsf(box->low[axis]), fabsf(box->high[axis])) && extent < INFINITY))
            continue;
        fill_bins(splitter, part, box, axis, count, bins);
        consider_planes(bins, box, axis, count, part->count, &best);
    }
    return best;
}

// ---- children

static bool children_alloc(struct splitter *splitter, struct part children[2], uint32_t most, uint32_t depth)
{
    for (int side = 0; side < 2; ++side)
        children[side] = (struct part){.references = malloc(most * sizeof(struct reference)), .depth = depth};
    if (children[0].references && children[1].references)
        return true;
    free(children[0].references);
    free(children[1].references);
    atomic_store(&splitter->no_memory, true);
    return false;
}

static float cost_with(const struct box *a, uint32_t a_count, const struct box *b, uint32_t b_count)
{
    return area_of(a) * (float)a_count + area_of(b) * (float)b_count;
}

// Gives a reference on both sides of the plane to one of them, or to both what is theirs, whichever costs least.
static void share_out(const struct splitter *splitter, const struct reference *reference, struct plane *plane,
                      struct part children[2])
{
    struct box whole[2] = {plane->boxes[0], plane->boxes[1]};
    uint32_t *counts = plane->counts;
    for (int side = 0; side < 2; ++side)
        tree_box_add(whole[side].low, whole[side].high, reference->low, reference->high);
    const float split = cost_with(&plane->boxes[0], counts[0], &plane->boxes[1], counts[1]);
    const float left = cost_with(&whole[0], counts[0], &plane->boxes[1], counts[1] - 1);
    const float right = cost_with(&plane->boxes[0], counts[0] - 1, &whole[1], counts[1]);
    if ((split <= left && split <= right) || counts[0] <= 1 || counts[1] <= 1) {
        struct reference sides[2];
        clip(splitter, reference, plane->axis, plane->place, sides);
        for (int side = 0; side < 2; ++side)
            children[side].references[children[side].count++] = sides[side];
        return;
    }
    const int side = left <= right ? 0 : 1;
    plane->boxes[side] = whole[side];
    --counts[1 - side];
    children[side].references[children[side].count++] = *reference;
}

// False where it would make too many references, or none on one side.
static bool split_spatially(struct splitter *splitter, const struct part *part, struct plane *plane,
                            struct part children[2])
{
    if (!children_alloc(splitter, children, part->count, part->depth + 1))
        return false;
    for (uint32_t i = 0; i < part->count; ++i) {
        const struct reference *reference = &part->references[i];
        if (reference->high[plane->axis] <= plane->place)
            children[0].references[children[0].count++] = *reference;
        else if (reference->low[plane->axis] >= plane->place)
            children[1].references[children[1].count++] = *reference;
        else
            share_out(splitter, reference, plane, children);
    }
    const uint32_t left = children[0].count, right = children[1].count;
    if (left > 0 && right > 0 && (left < part->count || right < part->count) &&
        left + right - part->count <= part->spare)
        return true;
    free(children[0].references);
    free(children[1].references);
    return false;
}

static bool split_list(struct splitter *splitter, const struct part *part, uint32_t left, struct part children[2])
{
    if (!children_alloc(splitter, children, part->count, part->depth + 1))
        return false;
    children[0].count = left;
    children[1].count = part->count - left;
    memcpy(children[0].references, part->references, left * sizeof *part->references);
    memcpy(children[1].references, part->references + left, children[1].count * sizeof *part->references);
    return true;
}

// What is spare goes to either side by its references.
static void hand_on_spare(const struct part *part, struct part children[2])
{
    const uint32_t sum = children[0].count + children[1].count, spare = part->spare - (sum - part->count);
    children[0].spare = (uint32_t)((uint64_t)spare * children[0].count / sum);
    children[1].spare = spare - children[0].spare;
}

// ---- parts

static bool one_triangle(const struct part *part)
{
    for (uint32_t i = 1; i < part->count; ++i)
        if (part->references[i].triangle != part->references[0].triangle)
            return false;
    return true;
}

static void finish_all(struct splitter *splitter, const struct part *part)
{
    const uint32_t first = atomic_fetch_add(&splitter->done_count, part->count);
    memcpy(&splitter->done[first], part->references, part->count * sizeof *part->references);
}

static void finish_united(struct splitter *splitter, const struct part *part)
{
    struct reference united = part->references[0];
    for (uint32_t i = 1; i < part->count; ++i)
        tree_box_add(united.low, united.high, part->references[i].low, part->references[i].high);
    splitter->done[atomic_fetch_add(&splitter->done_count, 1)] = united;
}

static bool overlap_is_large(const struct splitter *splitter, const struct part *part, uint32_t left)
{
    struct box sides[2], centres;
    split_bounds(part->references, left, &sides[0], &centres);
    split_bounds(part->references + left, part->count - left, &sides[1], &centres);
    box_meet(&sides[0], sides[1].low, sides[1].high);
    return area_of(&sides[0]) > least_overlap * splitter->root_area;
}

static bool split_part(struct splitter *splitter, struct part *part, struct part children[2])
{
    struct box box, centres;
    split_bounds(part->references, part->count, &box, &centres);
    const struct split split = split_find(part->references, part->count, &centres, OBJECT_BINS);
    const bool found = split.cost < INFINITY;
    const uint32_t left = found ? split_apply(part->references, part->count, &split) : part->count / 2;
    if (!found || overlap_is_large(splitter, part, left)) {
        struct plane plane = best_plane(splitter, part, &box);
        if (plane.cost < split.cost * least_gain && split_spatially(splitter, part, &plane, children))
            return true;
    }
    return !atomic_load(&splitter->no_memory) && split_list(splitter, part, left, children);
}

// Gives the children, or finishes a part of one triangle, or one below which nothing can be split. Takes the part's
// references.
static bool open_part(struct splitter *splitter, struct part *part, struct part children[2])
{
    bool opened = false;
    if (one_triangle(part))
        finish_united(splitter, part);
    else if (part->spare == 0 || part->depth >= SPLIT_DEPTH)
        finish_all(splitter, part);
    else
        opened = split_part(splitter, part, children);
    if (opened)
        hand_on_spare(part, children);
    free(part->references);
    part->references = NULL;
    return opened;
}

static void open_all(struct splitter *splitter, struct part *part)
{
    struct part children[2];
    if (!open_part(splitter, part, children))
        return;
    open_all(splitter, &children[0]);
    open_all(splitter, &children[1]);
}

static void run_task(void *context, uint32_t i)
{
    struct splitter *splitter = context;
    struct part *children = &splitter->next[2 * (size_t)i];
    if (splitter->parts[i].count <= TASK_GRAIN)
        open_all(splitter, &splitter->parts[i]);
    else if (open_part(splitter, &splitter->parts[i], children))
        return;
    children[0].references = children[1].references = NULL;
}

// Level by level: each task splits one part, so that the tasks of the next level can run at once.
static void run_levels(struct splitter *splitter, struct part root, uint32_t threads)
{
    uint32_t count = 1;
    splitter->parts = malloc(sizeof *splitter->parts);
    if (splitter->parts)
        splitter->parts[0] = root;
    else
        free(root.references);
    while (splitter->parts && count > 0) {
        splitter->next = malloc(2 * (size_t)count * sizeof *splitter->next);
        if (!splitter->next)
            break;
        parallel_for(threads, count, run_task, splitter);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < 2 * count; ++i)
            if (splitter->next[i].references)
                splitter->next[kept++] = splitter->next[i];
        free(splitter->parts);
        splitter->parts = splitter->next;
        count = kept;
    }
    if (count > 0)
        atomic_store(&splitter->no_memory, true);
    for (uint32_t i = 0; splitter->parts && i < count; ++i)
        free(splitter->parts[i].references);
    free(splitter->parts);
}

// ---- the list

static int compare_items(const void *a, const void *b)
{
    return fragment_compare(a, b);
}

// On the grid, widened, sorted; what became equal there is kept once.
static bool write_list(const struct splitter *splitter, float pad, const struct scene_grid *grid,
                       struct fragment_list *list)
{
    const uint32_t count = splitter->done_count;
    list->items = malloc(((size_t)count + 1) * sizeof *list->items);
    if (!list->items)
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        const struct reference *from = &splitter->done[i];
        list->items[i].triangle = from->triangle;
        scene_grid_box(grid, vec3_make(from->low[0] - pad, from->low[1] - pad, from->low[2] - pad),
                       vec3_make(from->high[0] + pad, from->high[1] + pad, from->high[2] + pad), list->items[i].box);
    }
    qsort(list->items, count, sizeof *list->items, compare_items);
    for (uint32_t i = 0; i < count; ++i)
        if (i == 0 || fragment_compare(&list->items[list->count - 1], &list->items[i]) != 0)
            list->items[list->count++] = list->items[i];
    return true;
}

static struct part root_part(const struct triangle *triangles, uint32_t count, struct box *box)
{
    struct part root = {
        .references = malloc(((size_t)count + 1) * sizeof *root.references), .count = count, .spare = count};
    struct box centres;
    for (uint32_t i = 0; root.references && i < count; ++i) {
        struct vec3 low, high;
        triangle_box(&triangles[i], 0.0f, &low, &high);
        root.references[i] =
            (struct reference){.low = {low.x, low.y, low.z}, .triangle = i, .high = {high.x, high.y, high.z}};
    }
    if (root.references)
        split_bounds(root.references, count, box, &centres);
    return root;
}

bool fragments_make(const struct triangle *triangles, uint32_t count, float pad, const struct scene_grid *grid,
                    uint32_t threads, struct fragment_list *list, struct error *error)
{
    struct splitter splitter = {.triangles = triangles,
                                .done = malloc((2 * (size_t)count + 1) * sizeof *splitter.done)};
    struct box box = box_empty();
    struct part root = root_part(triangles, count, &box);
    bool done = splitter.done && root.references;
    *list = (struct fragment_list){0};
    splitter.root_area = area_of(&box);
    if (done && count > 0)
        run_levels(&splitter, root, threads);
    else
        free(root.references);
    done = done && !atomic_load(&splitter.no_memory) && write_list(&splitter, pad, grid, list);
    free(splitter.done);
    return done || error_set(error, ERROR_SYSTEM, "not enough memory for the fragments of %u triangles", count);
}
