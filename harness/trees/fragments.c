// SPDX-License-Identifier: MIT
#include "trees/fragments.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "trees/fragments_planes.h"
#include "geometry/parallel.h"

enum {
    OBJECT_BINS = 64,
    TASK_GRAIN = 4096, // a part of at most this many references is finished by one thread
    SPLIT_DEPTH = 48   // below this nothing is split
};

static const float least_overlap = 1e-6f; // of the root's area: where two sides overlap less, no planes are looked for
static const float least_gain = 0.999f;   // of the best object split's cost: what a spatial split must stay below

// What a node of the tree would hold: references from `first` on, with room behind them for those that splitting may
// add.
struct part {
    uint32_t first, count, spare, depth;
};

struct splitter {
    const struct triangle *triangles;
    const struct scene_grid *grid;
    float pad, root_area;
    struct reference *references; // twice as many as triangles; each part has a stretch of its own
    struct part *parts, *next;    // of a level, and of the next; of no references: none
    struct fragment *done;        // in any order
    _Atomic uint32_t done_count;
};

static struct reference *references_of(const struct splitter *splitter, const struct part *part)
{
    return splitter->references + part->first;
}

static void exchange_references(struct reference *a, struct reference *b)
{
    const struct reference kept = *a;
    *a = *b;
    *b = kept;
}

// ---- spatial splits

// References of two sides and, between them, of both, in one list with room behind it.
struct sorting {
    struct reference *references;
    uint32_t left, right; // where those on both sides, then those on the right side begin
    uint32_t count, most;
};

static struct sorting sort_by_plane(struct reference *references, uint32_t count, const struct plane *plane)
{
    uint32_t left = 0, right = count;
    for (uint32_t i = 0; i < right;) {
        if (references[i].high[plane->axis] <= plane->place)
            exchange_references(&references[left++], &references[i++]);
        else if (references[i].low[plane->axis] >= plane->place)
            exchange_references(&references[i], &references[--right]);
        else
            ++i;
    }
    return (struct sorting){references, left, right, count, count};
}

static float cost_with(const struct box4 *a, uint32_t a_count, const struct box4 *b, uint32_t b_count)
{
    return box4_area(*a) * (float)a_count + box4_area(*b) * (float)b_count;
}

// Gives the first of those on both sides to one of them, or to both what is theirs, whichever costs least.
static void share_out(const struct splitter *splitter, struct sorting *sorting, struct plane *plane)
{
    struct reference *reference = &sorting->references[sorting->left], sides[2];
    const struct box4 box = reference_box(reference);
    const struct box4 whole[2] = {box4_both(plane->boxes[0], box), box4_both(plane->boxes[1], box)};
    uint32_t *counts = plane->counts;
    const float split = cost_with(&plane->boxes[0], counts[0], &plane->boxes[1], counts[1]);
    const float left = cost_with(&whole[0], counts[0], &plane->boxes[1], counts[1] - 1);
    const float right = cost_with(&plane->boxes[0], counts[0] - 1, &whole[1], counts[1]);
    if (((split <= left && split <= right) || counts[0] <= 1 || counts[1] <= 1) && sorting->count < sorting->most &&
        plane_clip(splitter->triangles, reference, plane->axis, plane->place, sides)) {
        *reference = sides[0];
        ++sorting->left;
        sorting->references[sorting->count++] = sides[1];
        return;
    }
    const int side = left <= right ? 0 : 1;
    plane->boxes[side] = whole[side];
    counts[1 - side] -= counts[1 - side] > 0;
    if (side == 0)
        ++sorting->left;
    else
        exchange_references(reference, &sorting->references[--sorting->right]);
}

// Gives how many references are on the left side, and sets how many there are now; 0 where all stay on one side, as they
// were but for their order.
static uint32_t split_spatially(const struct splitter *splitter, const struct part *part, struct plane *plane,
                                uint32_t *count)
{
    struct sorting sorting = sort_by_plane(references_of(splitter, part), part->count, plane);
    sorting.most += part->spare;
    while (sorting.left < sorting.right)
        share_out(splitter, &sorting, plane);
    *count = sorting.count;
    return sorting.left < sorting.count ? sorting.left : 0;
}

// ---- object splits

static bool overlap_is_large(const struct splitter *splitter, const struct reference *references, uint32_t left,
                             uint32_t count)
{
    struct box4 sides[2] = {box4_empty(), box4_empty()};
    for (uint32_t i = 0; i < count; ++i) {
        struct box4 *side = &sides[i < left ? 0 : 1];
        *side = box4_both(*side, reference_box(&references[i]));
    }
    return box4_area(box4_common(sides[0], sides[1])) > least_overlap * splitter->root_area;
}

// Where nothing tells the references apart, half of them.
static uint32_t split_objects(struct reference *references, uint32_t count, const struct box4 *centres, float *cost)
{
    const struct split split = split_find(references, count, centres, OBJECT_BINS);
    *cost = split.cost;
    return split.cost < INFINITY ? split_apply(references, count, &split) : count / 2;
}

// Puts those of the left side first; returns how many they are, and sets how many there are now.
static uint32_t split_references(const struct splitter *splitter, const struct part *part, uint32_t *count)
{
    struct reference *references = references_of(splitter, part);
    struct box4 box, centres;
    float cost;
    split_bounds(references, part->count, &box, &centres);
    const uint32_t left = split_objects(references, part->count, &centres, &cost);
    *count = part->count;
    if (cost < INFINITY && !overlap_is_large(splitter, references, left, part->count))
        return left;
    struct plane plane = plane_find(splitter->triangles, references, part->count, &box);
    if (!(plane.cost < cost * least_gain))
        return left;
    const uint32_t spatial = split_spatially(splitter, part, &plane, count);
    return spatial ? spatial : split_objects(references, part->count, &centres, &cost);
}

// ---- parts

static bool one_triangle(const struct reference *references, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i)
        if (references[i].triangle != references[0].triangle)
            return false;
    return true;
}

// On the grid, widened.
static void finish_fragments(struct splitter *splitter, const struct reference *references, uint32_t count)
{
    const uint32_t first = atomic_fetch_add(&splitter->done_count, count);
    const float pad = splitter->pad;
    for (uint32_t i = 0; i < count; ++i) {
        const float *low = references[i].low, *high = references[i].high;
        splitter->done[first + i].triangle = references[i].triangle;
        scene_grid_box(splitter->grid, vec3_make(low[0] - pad, low[1] - pad, low[2] - pad),
                       vec3_make(high[0] + pad, high[1] + pad, high[2] + pad), splitter->done[first + i].box);
    }
}

static void finish_united(struct splitter *splitter, const struct reference *references, uint32_t count)
{
    struct reference united = references[0];
    struct box4 box = box4_empty();
    for (uint32_t i = 0; i < count; ++i)
        box = box4_both(box, reference_box(&references[i]));
    float4_store(box.low, united.low);
    float4_store(box.high, united.high);
    finish_fragments(splitter, &united, 1);
}

// Gives the children, or finishes a part of one triangle, or one below which nothing can be split. What is spare goes to
// either child by its references.
static bool open_part(struct splitter *splitter, const struct part *part, struct part children[2])
{
    struct reference *references = references_of(splitter, part);
    uint32_t count;
    if (one_triangle(references, part->count)) {
        finish_united(splitter, references, part->count);
        return false;
    }
    if (part->spare == 0 || part->depth >= SPLIT_DEPTH) {
        finish_fragments(splitter, references, part->count);
        return false;
    }
    const uint32_t left = split_references(splitter, part, &count), right = count - left;
    const uint32_t spare = part->spare - (count - part->count), spare_left = (uint32_t)((uint64_t)spare * left / count);
    const uint32_t first = left + spare_left;
    memmove(references + first, references + left, right * sizeof *references);
    children[0] = (struct part){part->first, left, spare_left, part->depth + 1};
    children[1] = (struct part){part->first + first, right, spare - spare_left, part->depth + 1};
    return true;
}

static void open_all(struct splitter *splitter, const struct part *part)
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
    const struct part *part = &splitter->parts[i];
    struct part *children = &splitter->next[2 * (size_t)i];
    children[0].count = children[1].count = 0;
    if (part->count <= TASK_GRAIN)
        open_all(splitter, part);
    else
        open_part(splitter, part, children);
}

// Level by level: each task splits one part, so that the tasks of the next level can run at once.
static void run_levels(struct splitter *splitter, uint32_t count, uint32_t threads)
{
    uint32_t tasks = 1;
    splitter->parts[0] = (struct part){.count = count, .spare = count};
    while (tasks > 0) {
        parallel_for(threads, tasks, run_task, splitter);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < 2 * tasks; ++i)
            if (splitter->next[i].count > 0)
                splitter->parts[kept++] = splitter->next[i];
        tasks = kept;
    }
}

// ---- the list

// By triangle: `ends[i]` is where those of triangle i end.
static void sort_by_triangle(const struct splitter *splitter, struct fragment *to, uint32_t *ends, uint32_t triangles)
{
    const struct fragment *from = splitter->done;
    const uint32_t count = splitter->done_count;
    uint32_t end = 0;
    for (uint32_t i = 0; i < count; ++i)
        ++ends[from[i].triangle];
    for (uint32_t i = 0; i < triangles; ++i) {
        const uint32_t own = ends[i];
        ends[i] = end;
        end += own;
    }
    for (uint32_t i = 0; i < count; ++i)
        to[ends[from[i].triangle]++] = from[i];
}

// Those of one triangle are few.
static void sort_boxes(struct fragment *items, const uint32_t *ends, uint32_t triangles)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < triangles; ++i) {
        if (ends[i] - first > 1)
            qsort(items + first, ends[i] - first, sizeof *items, fragment_compare);
        first = ends[i];
    }
}

// Sorted; what became equal on the grid is kept once.
static bool write_list(const struct splitter *splitter, uint32_t triangles, struct fragment_list *list)
{
    const uint32_t count = splitter->done_count;
    uint32_t *ends = calloc((size_t)triangles + 1, sizeof *ends);
    list->items = malloc(((size_t)count + 1) * sizeof *list->items);
    const bool enough = ends && list->items;
    if (enough) {
        sort_by_triangle(splitter, list->items, ends, triangles);
        sort_boxes(list->items, ends, triangles);
        for (uint32_t i = 0; i < count; ++i)
            if (i == 0 || fragment_compare(&list->items[list->count - 1], &list->items[i]) != 0)
                list->items[list->count++] = list->items[i];
    } else {
        free(list->items);
        list->items = NULL;
    }
    free(ends);
    return enough;
}

static void make_references(struct splitter *splitter, uint32_t count)
{
    struct box4 box = box4_empty();
    for (uint32_t i = 0; i < count; ++i) {
        struct vec3 low, high;
        triangle_box(&splitter->triangles[i], 0.0f, &low, &high);
        splitter->references[i] =
            (struct reference){.low = {low.x, low.y, low.z}, .triangle = i, .high = {high.x, high.y, high.z}};
        box = box4_both(box, reference_box(&splitter->references[i]));
    }
    splitter->root_area = box4_area(box);
}

bool fragments_make(const struct triangle *triangles, uint32_t count, float pad, const struct scene_grid *grid,
                    uint32_t threads, struct fragment_list *list, struct error *error)
{
    const size_t most = 2 * (size_t)count;
    // A level has at most this many parts of more than TASK_GRAIN references, each with two children.
    const size_t parts = 2 * (most / TASK_GRAIN + 1);
    struct splitter splitter = {.triangles = triangles,
                                .grid = grid,
                                .pad = pad,
                                .references = malloc((most + 1) * sizeof *splitter.references),
                                .parts = malloc(parts * sizeof *splitter.parts),
                                .next = malloc(2 * parts * sizeof *splitter.next),
                                .done = calloc(most + 1, sizeof *splitter.done)};
    bool done = splitter.references && splitter.parts && splitter.next && splitter.done;
    *list = (struct fragment_list){0};
    if (done) {
        make_references(&splitter, count);
        if (count > 0)
            run_levels(&splitter, count, threads);
    }
    free(splitter.references);
    free(splitter.parts);
    free(splitter.next);
    done = done && write_list(&splitter, count, list);
    free(splitter.done);
    return done || error_memory(error, "for the fragments of %u triangles", count);
}
