// SPDX-License-Identifier: MIT
// Of every kind of tree: that it is the same on any number of threads, that no input makes it deeper than walks can go, what
// it says of scenes and options out of bounds, and rays whose hits are known beforehand.
#include "check.h"
#include "base/random.h"
#include "geometry/scale.h"
#include "tree_support.h"

static uint32_t ways_of(const struct scene_tree_options *options)
{
    return tree_kinds[options->kind]->image == TREE_KD16 ? KD_WAYS : WAYS;
}

static void visit_all(void (*visit)(void *context, const struct scene_tree_options *options), void *context)
{
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind)
        assert_true(tree_kinds[kind]->traced || tree_cases(kind, visit, context) > 0);
}

// ---- no triangle, one, and a closed mesh

static void check_none(void *context, const struct scene_tree_options *options)
{
    const struct test_mesh *mesh = context;
    struct built built;
    char what[128];
    struct ray_record rays[3] = {{{0, 0, -2}, 0, {0, 0, 1}, 1e30f},
                                 {{0, 0, -2}, 0, {0, 0, 1e-20f}, INFINITY},
                                 {{0, 0, -1e30f}, 0, {0, 0, 1}, 1e30f}};
    struct hit none[3];
    if (options->levels)
        return;
    for (int i = 0; i < 3; ++i)
        none[i] = (struct hit){.t = rays[i].t_max, .id = HIT_NONE};
    describe_tree(options, what, sizeof what);
    build(mesh, options, 1, &built);
    for (uint32_t i = 0; i < ways_of(options); ++i) {
        const struct way way = way_make(i);
        check_way(&built.arranged.view, &way, rays, 3, none, what);
    }
    built_finish(&built);
}

TEST(no_triangles)
{
    struct test_mesh mesh = {0};
    visit_all(check_none, &mesh);
}

// Rays that hit, end at the hit or just before, start on the triangle, and run in its plane.
static void check_one(void *context, const struct scene_tree_options *options)
{
    static const struct {
        struct ray_record ray;
        struct hit hit;
    } cases[] = {{{{0.25f, 0.25f, -2}, 0, {0, 0, 1}, 1e30f}, {.t = 2, .id = 0}},
                 {{{0.25f, 0.25f, -2}, 0, {0, 0, 1}, 2}, {.t = 2, .id = 0}},
                 {{{0.25f, 0.25f, -2}, 0, {0, 0, 1}, 1.999f}, {.t = 1.999f, .id = HIT_NONE}},
                 {{{0.25f, 0.25f, 0}, 0, {0, 0, 1}, INFINITY}, {.t = INFINITY, .id = HIT_NONE}},
                 {{{0.25f, 0.25f, 0}, 0, {1, 0, 0}, INFINITY}, {.t = INFINITY, .id = HIT_NONE}}};
    struct built built;
    char what[128];
    if (options->levels || options->split) // through fragments, rays in planes of triangles hit
        return;
    describe_tree(options, what, sizeof what);
    build(context, options, 1, &built);
    for (uint32_t i = 0; i < ways_of(options); ++i)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
            const struct way way = way_make(i);
            check_way(&built.arranged.view, &way, &cases[k].ray, 1, &cases[k].hit, what);
        }
    built_finish(&built);
}

TEST(one_triangle)
{
    struct test_mesh mesh;
    small_mesh_make(MESH_ONE, &mesh);
    visit_all(check_one, &mesh);
    test_mesh_finish(&mesh);
}

// From inside a closed mesh every ray hits, also those aimed at vertices and at points on edges.
static void check_closed(const float centre[3], float radius)
{
    enum { RANDOM = 5000 / FEWER };
    struct test_mesh mesh;
    uint64_t random = 3;
    assert_true(test_mesh_sphere(&mesh, centre, radius));
    const uint32_t count = RANDOM + 6 * mesh.count;
    struct ray_record *rays = calloc(count, sizeof *rays);
    struct hit *hits = malloc(count * sizeof *hits);
    assert_true(rays && hits);
    for (uint32_t i = 0; i < count; ++i) {
        const float *corners = &mesh.corners[9 * (size_t)(i / 6 % mesh.count)];
        const uint32_t from = i % 3, to = (from + 1) % 3;
        rays[i].t_max = 1e30f;
        for (int axis = 0; axis < 3; ++axis) {
            const float a = corners[3 * from + axis], b = i % 6 < 3 ? a : corners[3 * to + axis];
            rays[i].origin[axis] = centre[axis] + 0.4f * radius * random_signed(&random);
            rays[i].direction[axis] = i < RANDOM ? random_signed(&random) : 0.5f * a + 0.5f * b - rays[i].origin[axis];
        }
    }
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind) {
        struct built built;
        if (tree_kinds[kind]->traced)
            continue;
        build(&mesh, &(struct scene_tree_options){.kind = kind}, 1, &built);
        trace_plain(&built.arranged.view, rays, count, hits);
        for (uint32_t i = 0; i < count; ++i)
            if (hits[i].id == HIT_NONE)
                fail_msg("%s: ray %u leaves a closed sphere of radius %g about (%g ...)", tree_name(kind), i,
                         (double)radius, (double)centre[0]);
        built_finish(&built);
    }
    free(rays);
    free(hits);
    test_mesh_finish(&mesh);
}

TEST(closed_meshes)
{
    static const float origin[3] = {0, 0, 0}, off[3] = {100, -30, 7}, far[3] = {5000, 1000, -2000};
    check_closed(origin, 1.0f);
    check_closed(origin, 1000.0f);
    check_closed(off, 5.0f);
    check_closed(far, 3.0f);
}

// ---- builders

// Alike, each within the next, each at twice the distance of the last, all but without extent: what makes trees deep.
enum { ALIKE, CONCENTRIC, RECEDING, MINUTE, DEEP_MESHES };

static void deep_triangle(int which, uint32_t i, float corners[9])
{
    const float at = which == RECEDING ? ldexpf(1.0f, (int)(i % 100) - 60)
                     : which == MINUTE ? 1e-40f * (float)(i % 97)
                                       : 0;
    const float size = which == CONCENTRIC ? 1.0f + (float)i
                       : which == RECEDING ? 0.01f * at
                       : which == MINUTE   ? 1e-41f
                                           : 1.0f;
    const float from[9] = {at - size, at, 0, at + size, at, 0, at, at + size, which == ALIKE ? 0 : size};
    memcpy(corners, from, sizeof from);
}

struct sweep {
    struct test_mesh mesh;
    uint32_t number, share;
};

static void check_depth(void *context, const struct scene_tree_options *options)
{
    struct sweep *sweep = context;
    struct built built;
    if (sweep->number++ % sweep->share || options->levels)
        return;
    build(&sweep->mesh, options, 1, &built); // which fails a tree that is too deep
    built_finish(&built);
}

TEST(no_input_makes_trees_too_deep)
{
    enum { COUNT = 6000 };
    for (int which = 0; which < DEEP_MESHES; ++which) {
        float *corners = malloc(9 * COUNT * sizeof *corners);
        struct sweep sweep = {.share = 7};
        assert_non_null(corners);
        for (uint32_t i = 0; i < COUNT; ++i)
            deep_triangle(which, i, &corners[9 * (size_t)i]);
        assert_true(test_mesh_from_corners(&sweep.mesh, corners, COUNT));
        visit_all(check_depth, &sweep);
        test_mesh_finish(&sweep.mesh);
    }
}

static void same_tree(const struct tree *one, const struct tree *other)
{
    struct scene_tree_options settled;
    assert_true(tree_settle(&one->options, &settled, &why));
    assert_int_equal(one->node_count, other->node_count);
    assert_memory_equal(one->nodes, other->nodes, one->node_count * tree_node_size(&settled));
    assert_int_equal(one->reference_count, other->reference_count);
    if (one->reference_count)
        assert_memory_equal(one->references, other->references, one->reference_count * sizeof *one->references);
    assert_memory_equal(one->triangles, other->triangles, one->triangle_count * sizeof *one->triangles);
    assert_memory_equal(&one->facts, &other->facts, sizeof one->facts);
}

// Also that reinsertion is worth its time.
static void check_threads(void *context, const struct scene_tree_options *options)
{
    struct sweep *sweep = context;
    struct built one, other;
    if (tree_kinds[options->kind]->image != options->kind || options->levels || sweep->number++ % sweep->share)
        return;
    build(&sweep->mesh, options, 1, &one);
    build(&sweep->mesh, options, 3 + 13 * (sweep->number % 2), &other);
    assert_int_equal(one.fragments.count, other.fragments.count);
    if (options->split)
        assert_memory_equal(one.fragments.items, other.fragments.items,
                            one.fragments.count * sizeof *one.fragments.items);
    same_tree(&one.tree, &other.tree);
    built_finish(&other);
    if (tree_kinds[options->kind]->reinserts && !options->as_split) {
        struct scene_tree_options as_split = *options;
        as_split.as_split = 1;
        build(&sweep->mesh, &as_split, 1, &other);
        assert_true(other.tree.facts.sah_cost > one.tree.facts.sah_cost);
        built_finish(&other);
    }
    built_finish(&one);
}

TEST(trees_do_not_depend_on_threads)
{
    struct sweep sweep = {.share = 1};
    assert_true(test_mesh_procedural(&sweep.mesh));
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind) {
        sweep.number = 0;
        sweep.share = tree_kinds[kind]->own_order ? 29 : 1; // these have more options
        tree_cases(kind, check_threads, &sweep);
    }
    test_mesh_finish(&sweep.mesh);
}

// ---- bounds

// With an extent of 2^47, products with the inverse of a direction would leave the range of floats.
TEST(too_large_scenes_are_refused)
{
    static const float sizes[] = {0x1p45f, 0x1p47f, -0x1p47f, INFINITY};
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind)
        for (int i = 0; i < 4; ++i) {
            struct triangle triangle = {.v1 = {sizes[i], 0, 0}, .v2 = {0, 1, 0}};
            const struct tree_build_options options = {.tree = {.kind = kind}, .threads = 1, .pad = 1};
            struct tree tree;
            const bool built = tree_build(&triangle, 1, &options, &tree, &why);
            assert_int_equal(built, i == 0);
            assert_true(built || (why.kind == ERROR_INPUT && strstr(why.message, "too large")));
            tree_finish(&tree);
        }
}

TEST(options_out_of_bounds_are_refused)
{
    static const struct scene_tree_options bad[] = {
        {.kind = TREE_KINDS},
        {.kind = TREE_WIDE, .tree_width = 3},
        {.kind = TREE_WIDE, .child_order = 4},
        {.kind = TREE_WIDE, .node_align = 2},
        {.kind = TREE_WIDE_COMPRESSED, .tree_stack = 2},
        {.kind = TREE_WIDE, .child_order = CHILD_ORDER_DISTANCE, .tree_stack = TREE_STACK_GROUPS},
        {.kind = TREE_WIDE, .leaf_size = 16},
        {.bins = 3},
        {.bins = 257},
        {.kind = TREE_WIDE, .split = 1},
        {.kind = TREE_KD_AOS, .split = 1},
        {.kind = TREE_KD16, .levels = 1},
        {.kind = TREE_BINARY, .levels = 1, .split = 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct scene_tree_options settled;
        refused(tree_settle(&bad[i], &settled, &why), "", "");
        assert_true(why.message[0]);
    }
}
