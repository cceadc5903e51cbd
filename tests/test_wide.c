// SPDX-License-Identifier: MIT
// Wide trees: hits against the binary tree's, bit for bit, counts of nodes against a plain walk, and the check of images
// on damaged ones. How they are made: test_wide_collapse.c.
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "mesh_support.h"
#include "trees/bvh_tree.h"
#include "geometry/parallel.h"
#include "geometry/scale.h"
#include "trees/tree.h"
#include "trees/wide_collapse.h"
#include "trees/wide_facts.h"
#include "trees/wide_order.h"
#include "trees/wide_write.h"
#include "trace_rays.h"

static uint64_t random_state = 1;

static float random_float(float scale)
{
    return scale * random_signed(&random_state);
}

// ---- arithmetic

// Against the processor's own rounding.
static float rounded(int mode, float a, float b, float c)
{
    volatile float x = a, y = b, z = c;
    fesetround(mode);
    volatile const float result = fmaf(x, y, z);
    fesetround(FE_TONEAREST);
    return result;
}

static void test_directed_rounding(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200000 / FEWER; ++i) {
        const float a = ldexpf(random_float(1), (int)random_below(&random_state, 60) - 30);
        const float b = i % 4 ? ldexpf(random_float(1), (int)random_below(&random_state, 60) - 30)
                              : (float)random_below(&random_state, 256);
        const float c = i % 5   ? ldexpf(random_float(1), (int)random_below(&random_state, 60) - 30)
                        : i % 2 ? -a * b
                                : 0.0f;
        const float down = fmaf_down(a, b, c), up = fmaf_up(a, b, c);
        if (down != rounded(FE_DOWNWARD, a, b, c) || up != rounded(FE_UPWARD, a, b, c))
            fail_msg("fma of %a %a %a: %a and %a", (double)a, (double)b, (double)c, (double)down, (double)up);
    }
}

// ---- hits

struct fixture {
    struct test_mesh mesh;
    struct test_scene binary;
    float pad;
};

static void fixture_make(struct fixture *fixture)
{
    const struct test_mesh *mesh = &fixture->mesh;
    fixture->pad = scene_box_pad(mesh->low, mesh->high);
    const struct bvh_options options = {.leaf_size = 4, .bins = 32, .pad = fixture->pad};
    assert_true(test_scene_make(mesh, &options, &fixture->binary));
}

static void fixture_finish(struct fixture *fixture)
{
    test_scene_finish(&fixture->binary);
    test_mesh_finish(&fixture->mesh);
}

static void build(const struct test_mesh *mesh, const struct scene_tree_options *wanted, float pad, struct tree *tree)
{
    struct error error = {0};
    const struct tree_build_options options = {.tree = *wanted, .pad = pad};
    if (!tree_build(mesh->triangles, mesh->count, &options, tree, &error) ||
        !tree_validate(tree, mesh->triangles, mesh->count, pad, &error))
        fail_msg("%s", error.message);
}

static void describe(const struct scene_tree_options *options, char *text, size_t size)
{
    static const char *const orders[] = {"none", "octant", "greedy", "distance"};
    snprintf(text, size, "%s of %u, order %s, %s, aligned to %d", options->kind == TREE_WIDE ? "wide" : "compressed",
             2u << options->tree_width, orders[options->child_order], options->tree_stack ? "groups" : "children",
             options->node_align ? 128 : 16);
}

// Every combination that there is.
static bool next_options(uint32_t *place, struct scene_tree_options *options)
{
    for (uint32_t i; (i = (*place)++) < 2 * 3 * 4 * 2 * 2;) {
        *options = (struct scene_tree_options){.kind = i / 48 ? TREE_WIDE_COMPRESSED : TREE_WIDE,
                                               .tree_width = i / 16 % 3,
                                               .child_order = i / 4 % 4,
                                               .node_align = i / 2 % 2,
                                               .tree_stack = i % 2};
        struct scene_tree_options settled;
        struct error error;
        const bool twin = options->kind == TREE_WIDE_COMPRESSED && (options->tree_width != 2 || options->node_align);
        if (!twin && tree_settle(options, &settled, &error))
            return true;
    }
    return false;
}

struct way_case {
    trace_function *trace;
    struct trace_options options;
};

static const struct way_case way_cases[] = {
    {trace_rays_vector, {TRAVERSAL_WHILE_WHILE, false, false}},
    {trace_rays_scalar, {TRAVERSAL_SPECULATIVE, false, false}},
    {trace_rays_vector, {TRAVERSAL_SPECULATIVE, true, false}},
    {trace_rays_vector, {TRAVERSAL_WHILE_WHILE, false, true}},
};
enum { WAYS = sizeof way_cases / sizeof *way_cases };

struct batch {
    const struct way_case *way;
    const struct scene_view *scene;
    const struct ray_record *rays;
    uint32_t count;
    struct hit *hits;
};

enum { CHUNK = 1024 };

static void trace_chunk(void *context, uint32_t chunk)
{
    const struct batch *batch = context;
    const uint32_t first = chunk * CHUNK, left = batch->count - first;
    batch->way->trace(batch->scene, &batch->way->options, batch->rays + first, left < CHUNK ? left : CHUNK,
                      batch->hits + first);
}

static void trace(const struct way_case *way, const struct scene_view *scene, const struct ray_record *rays,
                  uint32_t count, struct hit *hits)
{
    struct batch batch = {way, scene, rays, count, hits};
    parallel_for(0, (count + CHUNK - 1) / CHUNK, trace_chunk, &batch);
}

static void check_same(const struct scene_tree_options *options, int way, const struct hit *hits,
                       const struct hit *expected, uint32_t count)
{
    char text[128];
    for (uint32_t i = 0; i < count; ++i) {
        const bool same = way_cases[way].options.any
                              ? (hits[i].id == HIT_NONE) == (expected[i].id == HIT_NONE)
                              : f32_bits(hits[i].t) == f32_bits(expected[i].t) && hits[i].id == expected[i].id;
        describe(options, text, sizeof text);
        if (!same)
            fail_msg("%s, way %d, ray %u: t %.9g id %u against t %.9g id %u", text, way, i, (double)hits[i].t,
                     hits[i].id, (double)expected[i].t, expected[i].id);
    }
}

// ---- a plain walk: recursive, its boxes tested with ray.h or, where compressed, with the processor's rounding

struct plain_walk {
    const struct scene_view *scene;
    const struct ray *ray;
    struct box_ray box;
    struct hit hit;
    uint64_t nodes, triangles;
};

struct plain_child {
    int32_t child;
    uint32_t slot;
    float entry;
    bool met;
};

static void plain_slot(const struct plain_walk *walk, int32_t node, uint32_t s, struct plain_child *to)
{
    const uint32_t width = 2u << walk->scene->tree_width;
    const float *words = (const float *)walk->scene->nodes + 4 * (size_t)node;
    struct vec3 low, high;
    float exit;
    memcpy(&low, (float[3]){words[s], words[2 * width + s], words[4 * width + s]}, sizeof low);
    memcpy(&high, (float[3]){words[width + s], words[3 * width + s], words[5 * width + s]}, sizeof high);
    memcpy(&to->child, &words[6 * width + s], sizeof to->child);
    box_interval(&walk->box, low, high, &to->entry, &exit);
    to->met = to->child != WIDE_EMPTY && to->entry <= fminf(exit, walk->hit.t);
}

static void plain_compressed_slot(const struct plain_walk *walk, int32_t index, uint32_t s, struct plain_child *to)
{
    const struct wide_compressed_node *node = (const struct wide_compressed_node *)walk->scene->nodes + index;
    const float inverse[3] = {walk->box.inverse.x, walk->box.inverse.y, walk->box.inverse.z};
    const float shift[3] = {walk->box.shift.x, walk->box.shift.y, walk->box.shift.z};
    float near = 0.0f, far = walk->hit.t;
    for (int axis = 0; axis < 3; ++axis) {
        const float step = ldexpf(inverse[axis], node->exponent[axis] - 127);
        const bool down = signbit(inverse[axis]);
        const float first = (float)(down ? node->high : node->low)[axis][s];
        const float last = (float)(down ? node->low : node->high)[axis][s];
        near = fmaxf(near, rounded(FE_DOWNWARD, first, step,
                                   rounded(FE_DOWNWARD, node->origin[axis], inverse[axis], shift[axis])));
        far = fminf(far,
                    rounded(FE_UPWARD, last, step, rounded(FE_UPWARD, node->origin[axis], inverse[axis], shift[axis])));
    }
    uint32_t rank = 0;
    for (uint32_t i = 0; i < s; ++i)
        rank += node->inner >> i & 1;
    to->child = node->inner >> s & 1 ? (int32_t)(node->nodes + rank)
                : node->leaf[s]      ? bvh_leaf_make(node->triangles + node->leaf[s] % 32, node->leaf[s] / 32)
                                     : WIDE_EMPTY;
    to->entry = near;
    to->met = to->child != WIDE_EMPTY && near <= far;
}

// The place in the order of visits.
static uint32_t plain_key(const struct plain_walk *walk, int32_t node, uint32_t slot)
{
    const uint32_t width = 2u << walk->scene->tree_width, order = walk->scene->child_order;
    const float direction[3] = {walk->ray->direction.x, walk->ray->direction.y, walk->ray->direction.z};
    uint32_t axes = 0 | 1 << 2 | 2 << 4, key = slot;
    if (width < 8)
        memcpy(&axes, (const float *)walk->scene->nodes + 4 * (size_t)node + 7 * (size_t)width, sizeof axes);
    if (order != CHILD_ORDER_OCTANT && order != CHILD_ORDER_GREEDY)
        return slot;
    for (uint32_t bit = 0; 1u << bit < width; ++bit)
        if (signbit(direction[axes >> 2 * bit & 3]))
            key ^= 1u << bit;
    return key;
}

static bool plain_before(const struct plain_walk *walk, int32_t node, const struct plain_child *a,
                         const struct plain_child *b)
{
    if (walk->scene->child_order == CHILD_ORDER_DISTANCE && a->entry != b->entry)
        return a->entry < b->entry;
    return plain_key(walk, node, a->slot) < plain_key(walk, node, b->slot);
}

static void plain_node(struct plain_walk *walk, int32_t node)
{
    const uint32_t width = 2u << walk->scene->tree_width;
    const bool compressed = walk->scene->tree == TREE_WIDE_COMPRESSED;
    struct plain_child children[WIDE_MOST];
    ++walk->nodes;
    for (uint32_t s = 0; s < width; ++s) {
        children[s].slot = s;
        (compressed ? plain_compressed_slot : plain_slot)(walk, node, s, &children[s]);
    }
    for (uint32_t i = 1; i < width; ++i) // into the order of visits
        for (uint32_t k = i; k > 0 && plain_before(walk, node, &children[k], &children[k - 1]); --k) {
            const struct plain_child other = children[k];
            children[k] = children[k - 1];
            children[k - 1] = other;
        }
    for (uint32_t i = 0; i < width; ++i) {
        const bool culled = walk->scene->tree_stack == TREE_STACK_CHILDREN && children[i].entry > walk->hit.t;
        if (!children[i].met || culled)
            continue;
        if (children[i].child >= 0)
            plain_node(walk, children[i].child);
        else
            walk->triangles +=
                binary_leaf(children[i].child, NULL, walk->scene, walk->ray, &walk->box, false, &walk->hit);
    }
}

static struct trace_work plain_trace(const struct scene_view *scene, const struct ray_record *rays, uint32_t count)
{
    struct trace_work total = {0};
    for (uint32_t i = 0; i < count; ++i) {
        struct ray ray;
        memcpy(&ray.origin, rays[i].origin, sizeof ray.origin);
        memcpy(&ray.direction, rays[i].direction, sizeof ray.direction);
        struct plain_walk walk = {.scene = scene, .ray = &ray, .box = box_ray_make(&ray)};
        walk.hit = (struct hit){.t = rays[i].t_max, .slot = HIT_NONE};
        plain_node(&walk, 0);
        total.nodes += walk.nodes;
        total.triangles += walk.triangles;
    }
    return total;
}

static void check_counts(const struct scene_view *scene, const struct ray_record *rays, uint32_t count,
                         struct hit *hits, const char *what)
{
    const struct trace_options plain = {TRAVERSAL_WHILE_WHILE, false, false};
    const struct trace_work work = trace_rays_counted(scene, &plain, rays, count, hits);
    const struct trace_work expected = plain_trace(scene, rays, count);
    if (work.nodes != expected.nodes || work.triangles != expected.triangles)
        fail_msg("%s: %llu nodes, %llu triangles against %llu, %llu", what, (unsigned long long)work.nodes,
                 (unsigned long long)work.triangles, (unsigned long long)expected.nodes,
                 (unsigned long long)expected.triangles);
}

// ---- all trees, all ways

static void check_tree(const struct fixture *fixture, const struct scene_tree_options *options,
                       const struct ray_record *rays, uint32_t count, const struct hit *expected, struct hit *hits)
{
    struct tree tree;
    char text[128];
    struct scene_view view = {.box_pad = fixture->pad};
    build(&fixture->mesh, options, fixture->pad, &tree);
    tree_view(&tree, fixture->mesh.low, fixture->mesh.high, &view);
    for (int way = 0; way < WAYS; ++way) {
        trace(&way_cases[way], &view, rays, count, hits);
        check_same(options, way, hits, expected, count);
    }
    describe(options, text, sizeof text);
    check_counts(&view, rays, count / 16, hits, text);
    tree_finish(&tree);
}

// Of all trees one in `share`.
static void check_all_trees(const struct fixture *fixture, const struct ray_record *rays, uint32_t count,
                            uint32_t share)
{
    uint32_t made = 0;
    struct hit *expected = malloc(count * sizeof *expected), *hits = malloc(count * sizeof *hits);
    struct scene_tree_options options;
    assert_true(expected && hits);
    trace(&way_cases[0], &fixture->binary.view, rays, count, expected);
    for (uint32_t place = 0; next_options(&place, &options);)
        if (made++ % share == 0)
            check_tree(fixture, &options, rays, count, expected, hits);
    free(expected);
    free(hits);
}

// ---- rays: through and along what triangles and boxes end at

static struct vec3 corner_of(const struct test_mesh *mesh, uint32_t triangle, uint32_t corner)
{
    const float *at = &mesh->corners[9 * (size_t)triangle + 3 * (size_t)(corner % 3)];
    return vec3_make(at[0], at[1], at[2]);
}

static struct vec3 random_vector(float scale)
{
    return vec3_make(random_float(scale), random_float(scale), random_float(scale));
}

enum { RAY_ANY, RAY_VERTEX, RAY_AXIS, RAY_FAR, RAY_IN_PLANE, RAY_EDGE_ON, RAY_PAD, RAY_KINDS };

static struct ray ray_of(const struct fixture *fixture, uint32_t kind, uint32_t i)
{
    const struct test_mesh *mesh = &fixture->mesh;
    const uint32_t triangle = random_below(&random_state, mesh->count);
    const struct vec3 a = corner_of(mesh, triangle, i), b = corner_of(mesh, triangle, i + 1);
    const struct vec3 c = corner_of(mesh, triangle, i + 2);
    const float reach = 1.0f + fabsf(mesh->high[0] - mesh->low[0]);
    struct ray ray = {.origin = vec3_add(a, random_vector(reach)), .direction = random_vector(1)};
    const struct vec3 inside = vec3_add(vec3_scale(a, 0.5f), vec3_add(vec3_scale(b, 0.25f), vec3_scale(c, 0.25f)));
    if (kind == RAY_VERTEX)
        ray.direction = vec3_sub(a, ray.origin);
    if (kind == RAY_AXIS || kind == RAY_PAD) {
        const float d = i % 2 ? 1.0f : -1.0f, zero = i % 4 < 2 ? 0.0f : -0.0f;
        ray.direction = i % 3 == 0   ? vec3_make(d, zero, zero)
                        : i % 3 == 1 ? vec3_make(zero, d, zero)
                                     : vec3_make(zero, zero, d);
        ray.origin = vec3_sub(i % 5 ? a : inside, vec3_scale(ray.direction, i % 7 ? reach : 0.0f));
    }
    if (kind == RAY_PAD)
        ray.origin = vec3_add(ray.origin, vec3_splat(i % 11 < 5 ? fixture->pad : -fixture->pad));
    if (kind == RAY_FAR) {
        ray.origin = vec3_add(a, random_vector(reach * (10.0f + (float)random_below(&random_state, 90))));
        ray.direction = vec3_sub(inside, ray.origin);
    }
    if (kind == RAY_IN_PLANE || kind == RAY_EDGE_ON) {
        const struct vec3 u = vec3_sub(b, a), v = vec3_sub(c, a);
        ray.direction =
            kind == RAY_EDGE_ON ? u : vec3_add(vec3_scale(u, random_float(1)), vec3_scale(v, random_float(1)));
        ray.origin = vec3_sub(kind == RAY_EDGE_ON ? a : inside,
                              vec3_scale(ray.direction, (float)random_below(&random_state, 9)));
    }
    return ray;
}

static void check_rays(struct fixture *fixture, uint32_t count, uint32_t share)
{
    struct ray_record *rays = calloc(count, sizeof *rays);
    assert_non_null(rays);
    for (uint32_t i = 0; i < count; ++i) {
        const struct ray ray = ray_of(fixture, i % RAY_KINDS, i / RAY_KINDS);
        memcpy(rays[i].origin, &ray.origin, sizeof rays[i].origin);
        memcpy(rays[i].direction, &ray.direction, sizeof rays[i].direction);
        rays[i].t_max = i % 13 == 0 ? 1.0f : i % 17 == 0 ? INFINITY : 1e30f;
    }
    check_all_trees(fixture, rays, count, share);
    free(rays);
}

static void test_hits(void **state)
{
    static const float centre[3] = {100, -30, 7};
    struct fixture fixture;
    (void)state;
    assert_true(test_mesh_sphere(&fixture.mesh, centre, 5));
    fixture_make(&fixture);
    check_rays(&fixture, 7000 / FEWER, 1);
    fixture_finish(&fixture);
    assert_true(test_mesh_procedural(&fixture.mesh));
    fixture_make(&fixture);
    check_rays(&fixture, 14000 / FEWER, 9);
    fixture_finish(&fixture);
}

static void test_small_meshes(void **state)
{
    static const uint32_t counts[] = {1, 2, 3, 9, 40};
    (void)state;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        struct fixture fixture;
        float *corners = malloc(9 * counts[k] * sizeof *corners);
        assert_non_null(corners);
        for (uint32_t i = 0; i < 9 * counts[k]; ++i)
            corners[i] = random_float(i % 9 < 3 ? 2.0f : 1.0f);
        assert_true(test_mesh_from_corners(&fixture.mesh, corners, counts[k]));
        fixture_make(&fixture);
        check_rays(&fixture, 350 / COARSER, 1);
        fixture_finish(&fixture);
    }
}

static void test_no_triangles(void **state)
{
    const struct test_mesh mesh = {0};
    const struct ray_record ray = {.origin = {0, 0, -2}, .direction = {0, 0, 1}, .t_max = INFINITY};
    struct scene_tree_options options;
    (void)state;
    for (uint32_t place = 0; next_options(&place, &options);) {
        struct tree tree;
        struct hit hit;
        struct scene_view view = {.box_pad = 1};
        build(&mesh, &options, 1, &tree);
        tree_view(&tree, mesh.low, mesh.high, &view);
        trace(&way_cases[0], &view, &ray, 1, &hit);
        assert_int_equal(hit.id, HIT_NONE);
        tree_finish(&tree);
    }
}

// ---- hard inputs, threads

static struct triangle triangle_from(struct vec3 a, struct vec3 b, struct vec3 c, uint32_t id)
{
    struct triangle triangle = {.id = id};
    triangle.v0 = a;
    triangle.v1 = b;
    triangle.v2 = c;
    return triangle;
}

// Each lies at twice the distance of the last, or all are alike, or one within the other: what makes trees deep.
static void test_deep(void **state)
{
    enum { MANY = 800 };
    static struct triangle triangles[MANY];
    struct scene_tree_options options;
    (void)state;
    for (int which = 0; which < 3; ++which) {
        for (uint32_t i = 0; i < MANY; ++i) {
            const float at = which == 0 ? ldexpf(1.0f, (int)(i % 100) - 60) : 0.0f;
            const float size = which == 2 ? 1.0f + (float)i : which == 0 ? 0.01f * at : 1.0f;
            triangles[i] = triangle_from(vec3_make(at - size, at, 0), vec3_make(at + size, at, 0),
                                         vec3_make(at, at + size, which == 1 ? 0 : size), i);
        }
        for (uint32_t place = 0; next_options(&place, &options);) {
            const struct test_mesh mesh = {.triangles = triangles, .count = MANY};
            struct tree tree;
            build(&mesh, &options, 0x1p-14f, &tree);
            tree_finish(&tree);
        }
    }
}

static void test_threads(void **state)
{
    struct test_mesh mesh;
    (void)state;
    assert_true(test_mesh_procedural(&mesh));
    for (uint32_t kind = TREE_WIDE; kind <= TREE_WIDE_COMPRESSED; ++kind) {
        struct tree one, other;
        struct error error;
        struct tree_build_options options = {
            .tree = {.kind = kind, .tree_width = 2, .child_order = CHILD_ORDER_OCTANT}, .threads = 1, .pad = 0x1p-14f};
        assert_true(tree_build(mesh.triangles, mesh.count, &options, &one, &error));
        options.threads = 3;
        assert_true(tree_build(mesh.triangles, mesh.count, &options, &other, &error));
        assert_int_equal(one.node_count, other.node_count);
        assert_memory_equal(one.nodes, other.nodes, one.node_count * tree_node_size(&options.tree));
        assert_memory_equal(one.triangles, other.triangles, mesh.count * sizeof *one.triangles);
        print_message("  %llu nodes, depth %u, cost %.2f\n", (unsigned long long)one.node_count, one.facts.depth,
                      one.facts.sah_cost);
        tree_finish(&one);
        tree_finish(&other);
    }
    test_mesh_finish(&mesh);
}

static void test_refused_options(void **state)
{
    static const struct scene_tree_options bad[] = {
        {.kind = TREE_WIDE, .tree_width = 3},
        {.kind = TREE_WIDE, .child_order = 4},
        {.kind = TREE_WIDE, .node_align = 2},
        {.kind = TREE_WIDE_COMPRESSED, .tree_stack = 2},
        {.kind = TREE_WIDE, .child_order = CHILD_ORDER_DISTANCE, .tree_stack = TREE_STACK_GROUPS},
        {.kind = TREE_WIDE, .leaf_size = 16}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct scene_tree_options settled;
        struct error error = {0};
        assert_false(tree_settle(&bad[i], &settled, &error));
        assert_true(error.message[0]);
    }
}

// ---- damage

struct damaged {
    struct test_mesh mesh;
    struct tree tree;
    size_t node_bytes;
};

static void damaged_make(struct damaged *damaged, const struct scene_tree_options *options)
{
    static const float centre[3] = {0, 0, 0};
    assert_true(test_mesh_sphere(&damaged->mesh, centre, 1));
    damaged->mesh.count = 80;
    build(&damaged->mesh, options, 0x1p-14f, &damaged->tree);
    struct scene_tree_options settled;
    struct error error;
    assert_true(tree_settle(options, &settled, &error));
    damaged->node_bytes = tree_node_size(&settled);
}

static void damaged_finish(struct damaged *damaged)
{
    tree_finish(&damaged->tree);
    test_mesh_finish(&damaged->mesh);
}

static bool valid(const struct damaged *damaged)
{
    struct error error;
    return tree_validate(&damaged->tree, damaged->mesh.triangles, damaged->mesh.count, 0x1p-14f, &error);
}

static void assert_refused(const struct damaged *damaged, void *place, const void *bad, size_t size)
{
    char good[4];
    memcpy(good, place, size);
    assert_memory_not_equal(good, bad, size);
    memcpy(place, bad, size);
    assert_false(valid(damaged));
    memcpy(place, good, size);
    assert_true(valid(damaged));
}

static void refuse_word(const struct damaged *damaged, void *place, int32_t bad)
{
    assert_refused(damaged, place, &bad, sizeof bad);
}

static void test_damaged_words(void **state)
{
    const struct scene_tree_options options = {.kind = TREE_WIDE, .tree_width = 2};
    struct damaged damaged;
    (void)state;
    damaged_make(&damaged, &options);
    float *words = damaged.tree.owned[0];
    int32_t *children = (int32_t *)words + 48, *leaves = children;
    uint32_t inner = 0, leaf = 0;
    const int32_t unit = (int32_t)damaged.node_bytes / 16, nodes = (int32_t)damaged.tree.node_count;
    while (children[inner] < 0)
        ++inner;
    for (uint32_t i = 0; leaves[leaf] >= 0 || leaves[leaf] == WIDE_EMPTY || bvh_leaf_count(leaves[leaf]) < 2; ++i) {
        leaves = (int32_t *)words + i / 8 * (damaged.node_bytes / 4) + 48;
        leaf = i % 8;
    }
    refuse_word(&damaged, &children[inner], 0);
    refuse_word(&damaged, &children[inner], children[inner] + 1);
    refuse_word(&damaged, &children[inner], children[inner] + unit);
    refuse_word(&damaged, &children[inner], nodes * unit);
    refuse_word(&damaged, &children[inner], INT32_MAX);
    refuse_word(&damaged, &children[inner], WIDE_EMPTY);
    const uint32_t first = bvh_leaf_first(leaves[leaf]), count = bvh_leaf_count(leaves[leaf]);
    refuse_word(&damaged, &leaves[leaf], bvh_leaf_make(first, count - 1));
    refuse_word(&damaged, &leaves[leaf], bvh_leaf_make(first + 1, count));
    refuse_word(&damaged, &leaves[leaf], bvh_leaf_make(first, 0));
    refuse_word(&damaged, &leaves[leaf], bvh_leaf_make(damaged.mesh.count, 1));
    refuse_word(&damaged, &leaves[leaf], INT32_MIN);
    const float inwards = nextafterf(words[inner], INFINITY), not = NAN;
    assert_refused(&damaged, &words[inner], &inwards, sizeof inwards);
    assert_refused(&damaged, &words[inner + 8], &not, sizeof not );
    --damaged.tree.node_count;
    assert_false(valid(&damaged));
    damaged.tree.node_count = 0;
    assert_false(valid(&damaged));
    damaged_finish(&damaged);
}

static void refuse_byte(const struct damaged *damaged, uint8_t *place, uint32_t bad)
{
    const uint8_t byte = (uint8_t)bad;
    assert_refused(damaged, place, &byte, sizeof byte);
}

static void test_damaged_compressed(void **state)
{
    const struct scene_tree_options options = {.kind = TREE_WIDE_COMPRESSED};
    struct damaged damaged;
    uint32_t inner = 0, leaf = 0, held = 0;
    (void)state;
    damaged_make(&damaged, &options);
    struct wide_compressed_node *nodes = damaged.tree.owned[0];
    while (!(nodes[0].inner >> inner & 1))
        ++inner;
    while (nodes[held].leaf[leaf] == 0) {
        leaf = (leaf + 1) % 8;
        held += leaf == 0;
    }
    refuse_word(&damaged, &nodes[0].nodes, 0);
    refuse_word(&damaged, &nodes[0].nodes, (int32_t)damaged.tree.node_count);
    refuse_word(&damaged, &nodes[0].nodes, -1);
    refuse_word(&damaged, &nodes[held].triangles, (int32_t)damaged.mesh.count);
    refuse_word(&damaged, &nodes[held].triangles, -1);
    refuse_byte(&damaged, &nodes[0].inner, nodes[0].inner & ~(1u << inner));
    refuse_byte(&damaged, &nodes[0].leaf[inner], 1u << WIDE_COMPRESSED_COUNT);
    refuse_byte(&damaged, &nodes[held].leaf[leaf], 0);
    refuse_byte(&damaged, &nodes[held].leaf[leaf], 5); // a leaf of no triangles
    refuse_byte(&damaged, &nodes[0].exponent[0], 0);
    refuse_byte(&damaged, &nodes[0].exponent[1], 255);
    refuse_byte(&damaged, &nodes[0].exponent[2], nodes[0].exponent[2] - 1u);
    refuse_byte(&damaged, &nodes[0].low[0][inner], nodes[0].low[0][inner] + 1u);
    refuse_byte(&damaged, &nodes[0].high[1][inner], nodes[0].high[1][inner] - 1u);
    const float beyond = nextafterf(nodes[0].origin[0], INFINITY), not = NAN;
    assert_refused(&damaged, &nodes[0].origin[0], &beyond, sizeof beyond);
    assert_refused(&damaged, &nodes[0].origin[1], &not, sizeof not );
    damaged_finish(&damaged);
}

// Whatever the bytes: an answer, and no access out of bounds (under the sanitizers).
static void test_damaged_bytes(void **state)
{
    (void)state;
    for (uint32_t kind = TREE_WIDE; kind <= TREE_WIDE_COMPRESSED; ++kind) {
        const struct scene_tree_options options = {.kind = kind, .tree_width = 1};
        struct damaged damaged;
        uint32_t refused = 0;
        damaged_make(&damaged, &options);
        const size_t size = damaged.tree.node_count * damaged.node_bytes;
        unsigned char *bytes = damaged.tree.owned[0], *kept = malloc(size);
        assert_non_null(kept);
        memcpy(kept, bytes, size);
        for (int i = 0; i < 4000; ++i) {
            for (uint32_t k = random_below(&random_state, 4); k < 4; ++k)
                bytes[random_below(&random_state, (uint32_t)size)] = (unsigned char)random_below(&random_state, 256);
            refused += !valid(&damaged);
            memcpy(bytes, kept, size);
        }
        assert_true(refused > 1000);
        free(kept);
        damaged_finish(&damaged);
    }
}

// ---- facts

// The least sum of costs of the children from `child` on, over all ways to give each a slot that none before it has.
static int64_t least_from(const struct wide_cost_table *costs, uint32_t child, uint32_t count, uint32_t slots,
                          uint32_t taken)
{
    int64_t least = child == count ? 0 : INT64_MAX;
    for (uint32_t s = 0; s < slots && child < count; ++s)
        if (!(taken >> s & 1)) {
            const int64_t sum = costs->of[child][s] + least_from(costs, child + 1, count, slots, taken | 1u << s);
            least = sum < least ? sum : least;
        }
    return least;
}

// Of a node read word by word: how many children, and whether their slots cost least.
static uint32_t plain_children(const float *words, uint32_t slots, bool *least)
{
    struct wide_children_boxes boxes = {.slots = slots};
    struct wide_cost_table costs;
    uint32_t slot_of[WIDE_MOST], axes;
    int64_t sum = 0;
    for (uint32_t s = 0; s < slots; ++s) {
        int32_t child;
        memcpy(&child, &words[6 * slots + s], sizeof child);
        if (child == WIDE_EMPTY)
            continue;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            boxes.low[boxes.count][axis] = words[2 * axis * slots + s];
            boxes.high[boxes.count][axis] = words[(2 * axis + 1) * slots + s];
        }
        slot_of[boxes.count++] = s;
    }
    memcpy(&axes, &words[7 * slots], sizeof axes);
    wide_costs(axes, &boxes, &costs);
    for (uint32_t c = 0; c < boxes.count; ++c)
        sum += costs.of[c][slot_of[c]];
    *least = sum == least_from(&costs, 0, boxes.count, slots, 0);
    return boxes.count;
}

static void test_facts(void **state)
{
    static const float centre[3] = {1, 2, 3};
    struct fixture fixture;
    struct scene_tree_options options;
    (void)state;
    assert_true(test_mesh_sphere(&fixture.mesh, centre, 3));
    fixture_make(&fixture);
    for (uint32_t place = 0; next_options(&place, &options);) {
        struct tree tree;
        struct wide_facts facts;
        uint64_t sum = 0, children = 0, least = 0;
        build(&fixture.mesh, &options, fixture.pad, &tree);
        wide_facts_make(&tree, &facts);
        assert_int_equal(facts.children, tree.node_count - 1 + tree.facts.leaves);
        for (uint32_t n = 0; n <= WIDE_SLOTS; ++n) {
            sum += facts.nodes[n];
            children += n * facts.nodes[n];
        }
        assert_int_equal(sum, tree.node_count);
        assert_int_equal(children, facts.children);
        if (options.kind == TREE_WIDE && options.child_order == CHILD_ORDER_OCTANT)
            assert_int_equal(facts.least, tree.node_count);
        if (options.kind == TREE_WIDE && options.tree_width < 2) { // of 8 slots there are too many ways
            const size_t bytes = wide_node_bytes(options.tree_width, options.node_align);
            for (uint64_t i = 0; i < tree.node_count; ++i) {
                bool stands;
                sum -= plain_children((const float *)((const char *)tree.nodes + i * bytes), 2u << options.tree_width,
                                      &stands) > 0;
                least += stands;
            }
            assert_int_equal(sum, 0);
            assert_int_equal(facts.least, least);
            assert_true(options.child_order != CHILD_ORDER_NONE || options.tree_width == 0 || least < tree.node_count);
        }
        tree_finish(&tree);
    }
    fixture_finish(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directed_rounding),
        cmocka_unit_test(test_small_meshes),
        cmocka_unit_test(test_no_triangles),
        cmocka_unit_test(test_hits),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_damaged_words),
        cmocka_unit_test(test_damaged_compressed),
        cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
