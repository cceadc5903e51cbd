// SPDX-License-Identifier: MIT
// The binary tree: exact boxes, bounded depth on hard inputs, and the test of two boxes at once. What it has in common with
// other trees: test_trees.c, test_builders.c, test_tree_damage.c.
#include <math.h>

#include "check.h"
#include "base/random.h"
#include "trees/traverse.h"
#include "tree_support.h"

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

// Whether it is a tree over the triangles in these slots.
static bool valid_over(const struct bvh_node *nodes, uint32_t node_count, const struct triangle *slots, uint32_t count,
                       float pad, struct error *error)
{
    struct triangle *numbered = calloc((size_t)count + 1, sizeof *numbered);
    assert_non_null(numbered);
    for (uint32_t i = 0; i < count; ++i) {
        numbered[i] = slots[i];
        numbered[i].id = i;
    }
    const struct tree tree = {.nodes = nodes, .node_count = node_count, .triangles = numbered, .triangle_count = count};
    const bool valid = tree_validate(&tree, numbered, count, pad, error);
    free(numbered);
    return valid;
}

// Builds, checks everything there is to check, and gives the tree and the triangles in slot order.
static struct triangle *build_checked(const struct triangle *triangles, uint32_t count,
                                      const struct bvh_options *options, struct bvh *bvh)
{
    need(bvh_build(triangles, count, options, bvh, &why));
    struct triangle *slots = calloc((size_t)count + 1, sizeof *slots);
    assert_non_null(slots);
    for (uint32_t slot = 0; slot < count; ++slot) {
        assert_true(bvh->order[slot] < count);
        slots[slot] = triangles[bvh->order[slot]];
    }
    assert_true(bvh->depth < TREE_STACK);
    need(valid_over(bvh->nodes, bvh->node_count, slots, count, options->pad, &why));
    exact_extent(bvh, slots, options, 0, 0);
    return slots;
}

static void check_build(const struct triangle *triangles, uint32_t count, const struct bvh_options *options)
{
    struct bvh bvh;
    free(build_checked(triangles, count, options, &bvh));
    bvh_finish(&bvh);
}

TEST(test_few_triangles)
{
    struct triangle triangles[40];
    for (uint32_t i = 0; i < 40; ++i)
        triangles[i] = triangle_at(vec3_make(random_float(1), random_float(1), random_float(1)), 0.5f, i);
    for (uint32_t count = 0; count <= 40; ++count)
        for (uint32_t leaf_size = 1; leaf_size <= BVH_LEAF_MAX; ++leaf_size) {
            struct bvh_options options = usual;
            options.leaf_size = leaf_size;
            check_build(triangles, count, &options);
        }
}

TEST(test_bad_options)
{
    static const struct bvh_options bad[] = {{.leaf_size = 0, .bins = 32},
                                             {.leaf_size = 16, .bins = 32},
                                             {.leaf_size = 4, .bins = 3},
                                             {.leaf_size = 4, .bins = 257}};
    struct triangle triangle = triangle_at(vec3_splat(0), 1, 0);
    struct bvh bvh;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        refused(bvh_build(&triangle, 1, &bad[i], &bvh, &why), "", "");
        assert_int_equal(why.kind, ERROR_USE);
        assert_null(bvh.nodes);
    }
    refused(bvh_build(&triangle, (1u << 27) + 1, &usual, &bvh, &why), "", "");
    assert_int_equal(why.kind, ERROR_INPUT);
}

// Whatever the leaf size and bins, with a pad and without; also where all triangles lie farther out than a scene may.
TEST(test_meshes)
{
    for (uint32_t which = 0; which <= SMALL_MESHES; ++which) {
        struct test_mesh mesh;
        struct bvh_options options = usual;
        if (which < SMALL_MESHES)
            small_mesh_make(which, &mesh);
        else
            assert_true(test_mesh_procedural(&mesh));
        for (uint32_t bins = 4; bins <= 256; bins *= 8) {
            options.bins = bins;
            options.pad = bins == 32 ? 0.0f : usual.pad;
            check_build(mesh.triangles, mesh.count, &options);
        }
        for (uint32_t i = 0; i < mesh.count; ++i) {
            mesh.triangles[i].v0 = vec3_make(random_float(3e38f), random_float(3e38f), random_float(3e38f));
            mesh.triangles[i].v1 = vec3_add(mesh.triangles[i].v0, vec3_splat(random_float(1e30f)));
        }
        check_build(mesh.triangles, mesh.count, &usual);
        test_mesh_finish(&mesh);
    }
}

// A chain of nodes, each with one triangle and the next node: one node too deep for the traversal's stack, and not.
TEST(test_deep_chain)
{
    enum { CHAIN = TREE_STACK };
    _Alignas(64) static struct bvh_node nodes[CHAIN];
    static struct triangle slots[CHAIN + 1];
    for (uint32_t i = 0; i <= CHAIN; ++i)
        slots[i] = (struct triangle){.id = i, .v1 = {1, 0, 0}, .v2 = {0, 1, 0}};
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
        assert_int_equal(valid_over(nodes, length, slots, length + 1, 0.0f, &why), length < TREE_STACK);
        nodes[length - 1].child[1] = kept;
    }
}

// Boxes of random size, some flat; rays of random direction, some along an axis.
static void random_case(uint64_t *state, struct bvh_node *node, struct ray *ray)
{
    float *const planes[3] = {node->x, node->y, node->z};
    float direction[3];
    for (int axis = 0; axis < 3; ++axis) {
        for (int child = 0; child < 2; ++child) {
            const float centre = 2.0f * random_signed(state), half = fabsf(2.0f * random_signed(state));
            const bool flat = random_signed(state) > 0.8f;
            planes[axis][child] = flat ? centre : centre - half;
            planes[axis][child + 2] = flat ? centre : centre + half;
        }
        direction[axis] = random_signed(state) > 0.8f ? copysignf(0.0f, random_signed(state)) : random_signed(state);
    }
    ray->origin = vec3_make(3.0f * random_signed(state), 3.0f * random_signed(state), 3.0f * random_signed(state));
    if (random_signed(state) > 0.8f)
        ray->origin.x = node->x[0];
    ray->direction = vec3_make(direction[0], direction[1], direction[2]);
}

TEST(test_two_box_bodies)
{
    uint64_t random = 7;
    uint32_t outcomes[4] = {0};
    for (int i = 0; i < 300000; ++i) {
        _Alignas(64) struct bvh_node node;
        struct ray ray;
        float scalar_entry[2], vector_entry[2];
        random_case(&random, &node, &ray);
        const struct box_ray box = box_ray_make(&ray);
        const float t_best = i % 2 ? 1e30f : fabsf(8.0f * random_signed(&random));
        const uint32_t scalar = two_box_test_scalar(&node, &box, t_best, scalar_entry);
        const uint32_t vector = two_box_test_vector(&node, &box, t_best, vector_entry);
        assert_int_equal(scalar, vector);
        for (int child = 0; child < 2; ++child)
            if (scalar >> child & 1u) // -0 and +0 may come out either way
                assert_int_equal(f32_bits(scalar_entry[child] + 0.0f), f32_bits(vector_entry[child] + 0.0f));
        ++outcomes[scalar];
    }
    for (int i = 0; i < 4; ++i)
        assert_true(outcomes[i] > 1000);
}
