// SPDX-License-Identifier: MIT
#include "tree_support.h"

#include "check.h"
#include "base/random.h"
#include "geometry/parallel.h"
#include "geometry/scale.h"

// ---- ways

struct way way_make(uint32_t number)
{
    static trace_function *const builds[] = {trace_rays_vector, trace_rays_scalar, trace_rays_counted};
    static const uint32_t loops[] = {TRAVERSAL_WHILE_WHILE, TRAVERSAL_SPECULATIVE, TRAVERSAL_VOTED};
    const uint32_t order = number / 9 % 3;
    return (struct way){.trace = builds[number % 3],
                        .options = {.traversal = loops[number / 3 % 3], .far_first = order == 1, .any = order == 2},
                        .kd_step = number % 6,
                        .kd_stack = number / 6 % 3};
}

struct batch {
    const struct way *way;
    const struct scene_view *view;
    const struct ray_record *rays;
    uint32_t count;
    struct hit *hits;
};

enum { CHUNK = 2048 };

static void trace_chunk(void *context, uint32_t chunk)
{
    const struct batch *batch = context;
    const uint32_t first = chunk * CHUNK, left = batch->count - first;
    batch->way->trace(batch->view, &batch->way->options, batch->rays + first, left < CHUNK ? left : CHUNK,
                      batch->hits + first);
}

static void trace_way(const struct scene_view *view, const struct way *way, const struct ray_record *rays,
                      uint32_t count, struct hit *hits)
{
    struct scene_view walked = *view;
    walked.kd_step = way->kd_step;
    walked.kd_stack = way->kd_stack;
    struct batch batch = {way, &walked, rays, count, hits};
    parallel_for(count > CHUNK ? 0 : 1, (count + CHUNK - 1) / CHUNK, trace_chunk, &batch);
}

void trace_plain(const struct scene_view *view, const struct ray_record *rays, uint32_t count, struct hit *hits)
{
    const struct way way = way_make(0);
    trace_way(view, &way, rays, count, hits);
}

static bool is_same(const struct way *way, const struct hit *hit, const struct hit *expected)
{
    if (way->options.any)
        return (hit->id == HIT_NONE) == (expected->id == HIT_NONE) && hit->t >= expected->t;
    return f32_bits(hit->t) == f32_bits(expected->t) && hit->id == expected->id;
}

void check_way(const struct scene_view *view, const struct way *way, const struct ray_record *rays, uint32_t count,
               const struct hit *expected, const char *what)
{
    struct hit *hits = malloc(count * sizeof *hits);
    assert_non_null(hits);
    trace_way(view, way, rays, count, hits);
    for (uint32_t i = 0; i < count; ++i)
        if (!is_same(way, &hits[i], &expected[i]))
            fail_msg(
                "%s, %s, loop %u%s%s, step %u, stack %u, triangle test %u, ray %u: t %.9g id %u against t %.9g id %u",
                what,
                way->trace == trace_rays_vector   ? "vector"
                : way->trace == trace_rays_scalar ? "scalar"
                                                  : "counted",
                way->options.traversal, way->options.far_first ? ", far first" : "", way->options.any ? ", any" : "",
                way->kd_step, way->kd_stack, view->triangle_test, i, (double)hits[i].t, hits[i].id,
                (double)expected[i].t, expected[i].id);
    free(hits);
}

// ---- options

enum { OPTION_WORDS = sizeof(struct scene_tree_options) / sizeof(uint32_t) };

// What may be combined: one row of each list, the first being the default.
static const struct scene_tree_options builders[] = {
    {0}, {.leaf_size = 1}, {.leaf_size = 3, .bins = 256}, {.leaf_size = 15, .bins = 4}};
static const struct scene_tree_options reinsertions[] = {{0}, {.as_split = 1}};
static const struct scene_tree_options splits[] = {{0}, {.split = 1}};
static const struct scene_tree_options orders[] = {{0}, {.order = 1}};
static const struct scene_tree_options widths[] = {{0}, {.tree_width = 1}, {.tree_width = 2}};
static const struct scene_tree_options child_orders[] = {{0},
                                                         {.child_order = CHILD_ORDER_OCTANT},
                                                         {.child_order = CHILD_ORDER_GREEDY},
                                                         {.child_order = CHILD_ORDER_DISTANCE}};
static const struct scene_tree_options alignments[] = {{0}, {.node_align = 1}};
static const struct scene_tree_options stacks[] = {{0}, {.tree_stack = TREE_STACK_GROUPS}};
static const struct scene_tree_options levels[] = {
    {0}, {.levels = 1, .top = TREE_BINARY}, {.levels = 1, .top = TREE_WIDE}};

#define LIST(rows)                                                                                                     \
    {                                                                                                                  \
        rows, sizeof rows / sizeof *rows                                                                               \
    }
static const struct {
    const struct scene_tree_options *rows;
    uint32_t count;
} lists[] = {LIST(builders),     LIST(reinsertions), LIST(splits), LIST(orders), LIST(widths),
             LIST(child_orders), LIST(alignments),   LIST(stacks), LIST(levels)};
enum { LISTS = sizeof lists / sizeof *lists };

static uint32_t *word_of(struct scene_tree_options *options, uint32_t i)
{
    return (uint32_t *)options + i;
}

// `options` with what the row sets, or without it.
static struct scene_tree_options with_row(const struct scene_tree_options *options,
                                          const struct scene_tree_options *row, bool with)
{
    struct scene_tree_options result = *options, from = *row;
    for (uint32_t i = 0; i < OPTION_WORDS; ++i)
        if (*word_of(&from, i))
            *word_of(&result, i) = with ? *word_of(&from, i) : 0;
    return result;
}

static bool settles_alike(const struct scene_tree_options *a, const struct scene_tree_options *b)
{
    struct scene_tree_options settled_a, settled_b;
    return tree_settle(a, &settled_a, &why) && tree_settle(b, &settled_b, &why) &&
           memcmp(&settled_a, &settled_b, sizeof settled_a) == 0;
}

// Whether the tree, or the walk over it, is another with the row. What only devices and walks know is not seen in the settled
// options: orders of kd-trees, and of wide trees the stack and sorting by distance.
static bool is_used(const struct scene_tree_options *options, const struct scene_tree_options *row)
{
    const struct scene_tree_options without = with_row(options, row, false);
    if (row->order)
        return tree_kinds[options->kind]->image == TREE_KD16;
    if (row->tree_stack || row->child_order == CHILD_ORDER_DISTANCE) {
        struct scene_tree_options none = without, octant = without;
        none.child_order = none.tree_stack = octant.tree_stack = 0;
        octant.child_order = CHILD_ORDER_OCTANT;
        none.child_order = CHILD_ORDER_NONE;
        return !settles_alike(&none, &octant);
    }
    return !settles_alike(options, &without);
}

// The combination of that number; false where nothing of it but defaults is used, or there is no such tree.
static bool case_make(uint32_t kind, uint32_t number, struct scene_tree_options *options)
{
    static const struct scene_tree_options none;
    struct scene_tree_options settled;
    struct error error = {0};
    const struct scene_tree_options *rows[LISTS];
    *options = (struct scene_tree_options){.kind = kind};
    for (int i = 0; i < LISTS; number /= lists[i++].count) {
        rows[i] = &lists[i].rows[number % lists[i].count];
        *options = with_row(options, rows[i], true);
    }
    if (!tree_settle(options, &settled, &error)) {
        assert_true(error.message[0] && error.remedy[0]);
        return false;
    }
    for (int i = 0; i < LISTS; ++i)
        if (memcmp(rows[i], &none, sizeof none) != 0 && !is_used(options, rows[i]))
            return false;
    return true;
}

uint32_t tree_cases(uint32_t kind, void (*visit)(void *context, const struct scene_tree_options *options),
                    void *context)
{
    uint32_t all = 1, count = 0;
    if (tree_kinds[kind]->traced) // the device's own: it has no walk
        return 0;
    for (int i = 0; i < LISTS; ++i)
        all *= lists[i].count;
    for (uint32_t number = 0; number < all; ++number) {
        struct scene_tree_options options;
        if (!case_make(kind, number, &options))
            continue;
        visit(context, &options);
        ++count;
    }
    return count;
}

void describe_tree(const struct scene_tree_options *options, char *text, size_t size)
{
    struct scene_tree_options copy = *options;
    int length = snprintf(text, size, "%s", tree_name(options->kind));
    copy.kind = 0;
    for (uint32_t i = 0; i < OPTION_WORDS; ++i)
        if (*word_of(&copy, i) && length < (int)size)
            length += snprintf(text + length, size - (size_t)length, " %u=%u", i, *word_of(&copy, i));
}

// ---- trees

void arrange(const struct tree *tree, const float low[3], const float high[3], const struct scene_view *view,
             struct arranged *arranged)
{
    void *places[TREE_BLOCKS];
    need(tree_arrange(tree, arranged->blocks, &why));
    for (int i = 0; i < TREE_BLOCKS; ++i)
        places[i] = (void *)(uintptr_t)arranged->blocks[i].bytes;
    arranged->view = *view;
    tree_view_blocks(tree, places, low, high, &arranged->view);
}

void arranged_finish(struct arranged *arranged)
{
    for (int i = 0; i < TREE_BLOCKS; ++i)
        free(arranged->blocks[i].owned);
}

struct fragment_list fragments_of(const struct test_mesh *mesh, uint32_t threads)
{
    const float pad = scene_box_pad(mesh->low, mesh->high);
    const struct scene_grid grid = scene_grid_make(mesh->low, mesh->high, pad);
    struct fragment_list list;
    need(fragments_make(mesh->triangles, mesh->count, pad, &grid, threads, &list, &why));
    return list;
}

void build(const struct test_mesh *mesh, const struct scene_tree_options *options, uint32_t threads,
           struct built *built)
{
    *built = (struct built){.mesh = mesh, .pad = scene_box_pad(mesh->low, mesh->high)};
    if (options->split)
        built->fragments = fragments_of(mesh, threads);
    const struct tree_build_options how = {.tree = *options,
                                           .threads = threads,
                                           .pad = built->pad,
                                           .fragments = built->fragments.items,
                                           .fragment_count = built->fragments.count};
    need(tree_build(mesh->triangles, mesh->count, &how, &built->tree, &why) &&
         tree_validate(&built->tree, mesh->triangles, mesh->count, built->pad, &why));
    assert_true(built->tree.facts.depth < TREE_STACK);
    arrange(&built->tree, mesh->low, mesh->high, &(struct scene_view){.box_pad = built->pad}, &built->arranged);
}

void built_finish(struct built *built)
{
    arranged_finish(&built->arranged);
    tree_finish(&built->tree);
    free(built->fragments.items);
}
