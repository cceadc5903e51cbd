// SPDX-License-Identifier: MIT
// Trees: exact boxes, the same bits on any number of threads, bounded depth on hard inputs; and the check of trees that
// come from files, on damaged ones.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "trees/traverse.h"
#include "mesh_support.h"
#include "geometry/scale.h"

static const struct bvh_options usual = {.leaf_size = 4, .bins = 32, .pad = 0x1p-14f};

static uint64_t random_state = 1;

static float random_float(float scale)
{
    return scale * random_signed(&random_state);
}

static struct triangle triangle_at(struct vec3 position, float size, uint32_t id)
{
    struct triangle triangle;
    memset(&triangle, 0, sizeof triangle);
    triangle.v0 = position;
    triangle.id = id;
    triangle.v1 = vec3_add(position, vec3_make(random_float(size), random_float(size), random_float(size)));
    triangle.v2 = vec3_add(position, vec3_make(random_float(size), random_float(size), random_float(size)));
    return triangle;
}

// ---- trees that were built

struct extent {
    struct vec3 low, high;
};

static void grow(struct extent *extent, const struct vec3 *low, const struct vec3 *high)
{
    extent->low = vec3_make(fminf(extent->low.x, low->x), fminf(extent->low.y, low->y), fminf(extent->low.z, low->z));
    extent->high =
        vec3_make(fmaxf(extent->high.x, high->x), fmaxf(extent->high.y, high->y), fmaxf(extent->high.z, high->z));
}

static struct extent exact_extent(const struct bvh *bvh, const struct triangle *slots,
                                  const struct bvh_options *options, int32_t child, uint32_t depth);

// Returns the exact bound of a node's child, having compared it with the box that the node holds.
static struct extent check_child(const struct bvh *bvh, const struct triangle *slots, const struct bvh_options *options,
                                 const struct bvh_node *node, uint32_t side, uint32_t depth)
{
    const struct extent extent = exact_extent(bvh, slots, options, node->child[side], depth + 1);
    if (node->child[side] >= 0 || bvh_leaf_count(node->child[side]) > 0) {
        assert_true(node->x[side] == extent.low.x && node->x[side + 2] == extent.high.x);
        assert_true(node->y[side] == extent.low.y && node->y[side + 2] == extent.high.y);
        assert_true(node->z[side] == extent.low.z && node->z[side + 2] == extent.high.z);
    }
    return extent;
}

static struct extent exact_extent(const struct bvh *bvh, const struct triangle *slots,
                                  const struct bvh_options *options, int32_t child, uint32_t depth)
{
    struct extent extent = {vec3_splat(INFINITY), vec3_splat(-INFINITY)};
    assert_true(depth <= bvh->depth);
    if (child < 0) {
        assert_true(bvh_leaf_count(child) <= options->leaf_size);
        for (uint32_t i = 0; i < bvh_leaf_count(child); ++i) {
            struct vec3 low, high;
            triangle_box(&slots[bvh_leaf_first(child) + i], options->pad, &low, &high);
            grow(&extent, &low, &high);
        }
        return extent;
    }
    for (uint32_t side = 0; side < 2; ++side) {
        const struct extent below = check_child(bvh, slots, options, &bvh->nodes[child], side, depth);
        grow(&extent, &below.low, &below.high);
    }
    return extent;
}

// Builds, checks everything there is to check, and gives the tree and the triangles in slot order.
static struct triangle *build_checked(const struct triangle *triangles, uint32_t count,
                                      const struct bvh_options *options, struct bvh *bvh)
{
    struct error error;
    if (!bvh_build(triangles, count, options, bvh, &error))
        fail_msg("%s", error.message);
    struct triangle *slots = calloc((size_t)count + 1, sizeof *slots);
    assert_non_null(slots);
    for (uint32_t slot = 0; slot < count; ++slot) {
        assert_true(bvh->order[slot] < count);
        slots[slot] = triangles[bvh->order[slot]];
    }
    assert_true(bvh->depth < TREE_STACK);
    if (!bvh_validate(bvh->nodes, bvh->node_count, slots, count, options->pad, &error))
        fail_msg("%s", error.message);
    exact_extent(bvh, slots, options, 0, 0);
    return slots;
}

static void check_build(const struct triangle *triangles, uint32_t count, const struct bvh_options *options)
{
    struct bvh bvh;
    free(build_checked(triangles, count, options, &bvh));
    bvh_finish(&bvh);
}

static void test_few_triangles(void **state)
{
    struct triangle triangles[40];
    (void)state;
    for (uint32_t i = 0; i < 40; ++i)
        triangles[i] = triangle_at(vec3_make(random_float(1), random_float(1), random_float(1)), 0.5f, i);
    for (uint32_t count = 0; count <= 40; ++count)
        for (uint32_t leaf_size = 1; leaf_size <= BVH_LEAF_MAX; ++leaf_size) {
            struct bvh_options options = usual;
            options.leaf_size = leaf_size;
            check_build(triangles, count, &options);
        }
}

static void test_bad_options(void **state)
{
    static const struct bvh_options bad[] = {{.leaf_size = 0, .bins = 32},
                                             {.leaf_size = 16, .bins = 32},
                                             {.leaf_size = 4, .bins = 3},
                                             {.leaf_size = 4, .bins = 257}};
    struct triangle triangle = triangle_at(vec3_splat(0), 1, 0);
    struct bvh bvh;
    struct error error;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_false(bvh_build(&triangle, 1, &bad[i], &bvh, &error));
        assert_int_equal(error.kind, ERROR_USE);
        assert_null(bvh.nodes);
    }
    assert_false(bvh_build(&triangle, (1u << 27) + 1, &usual, &bvh, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
}

enum { MANY = 20000 };

static struct triangle *many(struct triangle (*make)(uint32_t i))
{
    struct triangle *triangles = malloc(MANY * sizeof *triangles);
    assert_non_null(triangles);
    for (uint32_t i = 0; i < MANY; ++i)
        triangles[i] = make(i);
    return triangles;
}

static struct triangle all_alike(uint32_t i)
{
    struct triangle triangle;
    memset(&triangle, 0, sizeof triangle);
    triangle.id = i;
    triangle.v1.x = triangle.v2.y = 1.0f;
    return triangle;
}

// Centroids alike, sizes not.
static struct triangle concentric(uint32_t i)
{
    struct triangle triangle = all_alike(i);
    const float size = 1.0f + (float)i;
    triangle.v0 = vec3_make(-size, -size, 0.0f);
    triangle.v1 = vec3_make(size, -size, 0.0f);
    triangle.v2 = vec3_make(-size, size, 0.0f);
    return triangle;
}

// Each lies at twice the distance of the last: surface areas ask for a chain of 200 nodes.
static struct triangle receding(uint32_t i)
{
    const float distance = ldexpf(1.0f, (int)(i % 200) - 100);
    return triangle_at(vec3_splat(distance), distance * 0.01f, i);
}

static struct triangle enormous(uint32_t i)
{
    return triangle_at(vec3_make(random_float(3e38f), random_float(3e38f), random_float(3e38f)), 1e30f, i);
}

static struct triangle minute(uint32_t i)
{
    return triangle_at(vec3_make(random_float(1e-40f), random_float(1e-40f), 1.0f), 1e-41f, i);
}

static void test_hard_inputs(void **state)
{
    struct triangle (*const makers[])(uint32_t) = {all_alike, concentric, receding, enormous, minute};
    (void)state;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i) {
        struct triangle *triangles = many(makers[i]);
        struct bvh_options options = usual;
        for (uint32_t bins = 4; bins <= 256; bins *= 8) {
            options.bins = bins;
            options.pad = bins == 32 ? 0.0f : usual.pad;
            check_build(triangles, MANY, &options);
        }
        free(triangles);
    }
}

static void test_thread_counts(void **state)
{
    static const uint32_t counts[] = {2, 3, 8, 0};
    struct test_mesh mesh;
    struct bvh one, other;
    struct error error;
    struct bvh_options options = usual;
    (void)state;
    assert_true(test_mesh_procedural(&mesh));
    options.pad = scene_box_pad(mesh.low, mesh.high);
    options.threads = 1;
    free(build_checked(mesh.triangles, mesh.count, &options, &one));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        options.threads = counts[i];
        assert_true(bvh_build(mesh.triangles, mesh.count, &options, &other, &error));
        assert_int_equal(one.node_count, other.node_count);
        assert_memory_equal(one.nodes, other.nodes, one.node_count * sizeof *one.nodes);
        assert_memory_equal(one.order, other.order, mesh.count * sizeof *one.order);
        assert_true(one.sah_cost == other.sah_cost);
        bvh_finish(&other);
    }
    print_message("  %u triangles: %u nodes, depth %u, cost %.1f\n", mesh.count, one.node_count, one.depth,
                  one.sah_cost);
    bvh_finish(&one);
    test_mesh_finish(&mesh);
}

// ---- damaged trees

struct damaged {
    struct bvh bvh;
    struct triangle *slots;
    uint32_t count;
};

static void damaged_make(struct damaged *damaged, uint32_t count)
{
    struct triangle *triangles = many(receding);
    damaged->count = count;
    for (uint32_t i = 0; i < count; ++i)
        triangles[i] = triangle_at(vec3_make(random_float(1), random_float(1), random_float(1)), 0.1f, i);
    damaged->slots = build_checked(triangles, count, &usual, &damaged->bvh);
    free(triangles);
}

static void damaged_finish(struct damaged *damaged)
{
    bvh_finish(&damaged->bvh);
    free(damaged->slots);
}

static bool accepted(const struct damaged *damaged)
{
    struct error error;
    return bvh_validate(damaged->bvh.nodes, damaged->bvh.node_count, damaged->slots, damaged->count, usual.pad, &error);
}

// The first node with an inner child, and that child's side.
static struct bvh_node *inner_child(const struct damaged *damaged, uint32_t from, uint32_t *side)
{
    for (uint32_t i = from;; ++i)
        for (*side = 0; *side < 2; ++*side)
            if (damaged->bvh.nodes[i].child[*side] >= 0)
                return &damaged->bvh.nodes[i];
}

static struct bvh_node *leaf_child(const struct damaged *damaged, uint32_t *side)
{
    for (uint32_t i = 0;; ++i)
        for (*side = 0; *side < 2; ++*side)
            if (damaged->bvh.nodes[i].child[*side] < 0)
                return &damaged->bvh.nodes[i];
}

static void assert_child_refused(const struct damaged *damaged, int32_t *place, int32_t value)
{
    const int32_t kept = *place;
    *place = value;
    assert_false(accepted(damaged));
    *place = kept;
    assert_true(accepted(damaged));
}

static void test_damaged_indices(void **state)
{
    struct damaged damaged;
    uint32_t side;
    (void)state;
    damaged_make(&damaged, 500);
    struct bvh_node *node = inner_child(&damaged, 3, &side);
    const int32_t own = (int32_t)(node - damaged.bvh.nodes);
    assert_child_refused(&damaged, &node->child[side], own); // a cycle
    assert_child_refused(&damaged, &node->child[side], 0);   // to the root
    assert_child_refused(&damaged, &node->child[side], (int32_t)damaged.bvh.node_count);
    assert_child_refused(&damaged, &node->child[side], INT32_MAX);
    assert_child_refused(&damaged, &node->child[side], node->child[side] + 1); // a shared child
    assert_child_refused(&damaged, &node->child[side], bvh_leaf_make(0, 0));   // a lost subtree
    node = leaf_child(&damaged, &side);
    const uint32_t first = bvh_leaf_first(node->child[side]), size = bvh_leaf_count(node->child[side]);
    assert_child_refused(&damaged, &node->child[side], bvh_leaf_make(first, size - 1)); // a lost triangle
    assert_child_refused(&damaged, &node->child[side], bvh_leaf_make(first, size + 1)); // two leaves with one
    assert_child_refused(&damaged, &node->child[side], bvh_leaf_make(damaged.count, 1));
    assert_child_refused(&damaged, &node->child[side], bvh_leaf_make(damaged.count - 1, 15));
    assert_child_refused(&damaged, &node->child[side], INT32_MIN);
    damaged_finish(&damaged);
}

static void assert_plane_refused(const struct damaged *damaged, float *plane, float value)
{
    const float kept = *plane;
    *plane = value;
    assert_false(accepted(damaged));
    *plane = kept;
}

static void test_damaged_boxes(void **state)
{
    struct damaged damaged;
    struct error error;
    (void)state;
    damaged_make(&damaged, 500);
    for (uint32_t i = 0; i < damaged.bvh.node_count; i += 7) {
        struct bvh_node *node = &damaged.bvh.nodes[i];
        assert_plane_refused(&damaged, &node->x[0], nextafterf(node->x[0], INFINITY));
        assert_plane_refused(&damaged, &node->z[3], nextafterf(node->z[3], -INFINITY));
        assert_plane_refused(&damaged, &node->y[1], NAN);
    }
    assert_true(accepted(&damaged));
    assert_false(bvh_validate(damaged.bvh.nodes, 0, damaged.slots, damaged.count, usual.pad, &error));
    assert_false(
        bvh_validate(damaged.bvh.nodes, damaged.bvh.node_count - 1, damaged.slots, damaged.count, usual.pad, &error));
    assert_false(
        bvh_validate(damaged.bvh.nodes, damaged.bvh.node_count, damaged.slots, damaged.count - 1, usual.pad, &error));
    assert_false(
        bvh_validate(damaged.bvh.nodes, damaged.bvh.node_count, damaged.slots, damaged.count, 2 * usual.pad, &error));
    damaged_finish(&damaged);
}

// A chain of nodes, each with one triangle and the next node: one node too deep for the traversal's stack, and not.
static void test_damaged_depth(void **state)
{
    enum { CHAIN = TREE_STACK };
    _Alignas(64) static struct bvh_node nodes[CHAIN];
    static struct triangle slots[CHAIN + 1];
    struct error error;
    (void)state;
    for (uint32_t i = 0; i <= CHAIN; ++i)
        slots[i] = all_alike(i);
    for (uint32_t i = 0; i < CHAIN; ++i) {
        for (uint32_t side = 0; side < 2; ++side) {
            nodes[i].x[side] = nodes[i].y[side] = nodes[i].z[side] = -1.0f;
            nodes[i].x[side + 2] = nodes[i].y[side + 2] = nodes[i].z[side + 2] = 2.0f;
        }
        nodes[i].child[0] = bvh_leaf_make(i, 1);
        nodes[i].child[1] = (int32_t)i + 1;
    }
    for (uint32_t length = CHAIN - 1; length <= CHAIN; ++length) {
        const int32_t kept = nodes[length - 1].child[1];
        nodes[length - 1].child[1] = bvh_leaf_make(length, 1);
        assert_int_equal(bvh_validate(nodes, length, slots, length + 1, 0.0f, &error), length < TREE_STACK);
        nodes[length - 1].child[1] = kept;
    }
}

// Whatever the bytes: no access out of bounds (under the sanitizers) and an answer.
static void test_damaged_bytes(void **state)
{
    struct damaged damaged;
    uint32_t refused = 0;
    (void)state;
    damaged_make(&damaged, 60);
    const size_t size = damaged.bvh.node_count * sizeof *damaged.bvh.nodes;
    unsigned char *bytes = (unsigned char *)damaged.bvh.nodes, *kept = malloc(size);
    assert_non_null(kept);
    memcpy(kept, bytes, size);
    for (int i = 0; i < 20000; ++i) {
        for (uint32_t k = random_below(&random_state, 4); k < 4; ++k)
            bytes[random_below(&random_state, (uint32_t)size)] = (unsigned char)random_below(&random_state, 256);
        refused += !accepted(&damaged);
        memcpy(bytes, kept, size);
    }
    assert_true(refused > 10000);
    free(kept);
    damaged_finish(&damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_triangles),   cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_hard_inputs),     cmocka_unit_test(test_thread_counts),
        cmocka_unit_test(test_damaged_indices), cmocka_unit_test(test_damaged_boxes),
        cmocka_unit_test(test_damaged_depth),   cmocka_unit_test(test_damaged_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
