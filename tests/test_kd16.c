// SPDX-License-Identifier: MIT
// The kd-tree of 16-byte nodes: that rays find in it what they find in the binary tree, bit for bit, on the ray sets and
// on rays and meshes made to trip it; its builder, its limits, and the check of a tree from a file.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "mesh_support.h"
#include "trees/kd16_tree.h"
#include "geometry/parallel.h"
#include "bench/ray_sets.h"
#include "geometry/scale.h"
#include "trace_rays.h"

enum { CHUNK = 2048 };

static bool full;

// The same mesh under both trees.
struct fixture {
    struct test_mesh mesh;
    struct test_scene binary;
    struct tree tree;
    struct scene_view kd;
};

static void build(const struct test_mesh *mesh, float pad, uint32_t threads, struct tree *tree)
{
    struct error error = {0};
    const struct tree_build_options options = {.tree = {.kind = TREE_KD16}, .threads = threads, .pad = pad};
    if (!tree_build(mesh->triangles, mesh->count, &options, tree, &error) ||
        !tree_validate(tree, mesh->triangles, mesh->count, pad, &error))
        fail_msg("%s", error.message);
}

static void fixture_make(struct fixture *fixture)
{
    const struct test_mesh *mesh = &fixture->mesh;
    const float pad = scene_box_pad(mesh->low, mesh->high);
    const struct bvh_options options = {.leaf_size = 4, .bins = 32, .pad = pad};
    assert_true(test_scene_make(mesh, &options, &fixture->binary));
    build(mesh, pad, 0, &fixture->tree);
    fixture->kd = (struct scene_view){.box_pad = pad};
    tree_view(&fixture->tree, mesh->low, mesh->high, &fixture->kd);
    print_message("  %u triangles: %llu nodes, depth %u, %llu references, %llu chains, cost %.1f\n", mesh->count,
                  (unsigned long long)fixture->tree.node_count, fixture->tree.facts.depth,
                  (unsigned long long)fixture->tree.reference_count, (unsigned long long)fixture->tree.facts.chains,
                  fixture->tree.facts.sah_cost);
}

static void fixture_finish(struct fixture *fixture)
{
    tree_finish(&fixture->tree);
    test_scene_finish(&fixture->binary);
    test_mesh_finish(&fixture->mesh);
}

static void make_mesh(struct test_mesh *mesh, const float *corners, uint32_t count)
{
    float *copy = malloc(9 * (size_t)count * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, corners, 9 * (size_t)count * sizeof *copy);
    assert_true(test_mesh_from_corners(mesh, copy, count));
}

// ---- the same hits

struct way_case {
    const char *name;
    trace_function *trace;
    struct trace_options options;
};

static const struct way_case way_cases[] = {
    {"vector", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, false, false}},
    {"scalar", trace_rays_scalar, {TRAVERSAL_WHILE_WHILE, false, false}},
    {"counted", trace_rays_counted, {TRAVERSAL_SPECULATIVE, false, false}},
    {"far first", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, true, false}},
    {"speculative, far first", trace_rays_vector, {TRAVERSAL_SPECULATIVE, true, false}},
    {"any hit", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, false, true}},
    {"speculative, any hit", trace_rays_vector, {TRAVERSAL_SPECULATIVE, false, true}},
};
enum { WAYS = sizeof way_cases / sizeof *way_cases };

struct batch {
    const struct way_case *way;
    const struct scene_view *scene;
    const struct ray_record *rays;
    uint32_t count;
    struct hit *hits;
};

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

// Returns how many rays hit.
static uint32_t check_rays(const struct fixture *fixture, const char *what, const struct ray_record *rays,
                           uint32_t count)
{
    struct hit *expected = malloc(count * sizeof *expected), *hits = malloc(count * sizeof *hits);
    uint32_t met = 0;
    assert_true(expected && hits);
    trace(&way_cases[0], &fixture->binary.view, rays, count, expected);
    for (int way = 0; way < WAYS; ++way) {
        trace(&way_cases[way], &fixture->kd, rays, count, hits);
        for (uint32_t i = 0; i < count; ++i) {
            const bool same = way_cases[way].options.any
                                  ? (hits[i].id == HIT_NONE) == (expected[i].id == HIT_NONE)
                                  : f32_bits(hits[i].t) == f32_bits(expected[i].t) && hits[i].id == expected[i].id;
            if (!same)
                fail_msg("%s, %s, ray %u: t %.9g id %u against t %.9g id %u", way_cases[way].name, what, i,
                         (double)hits[i].t, hits[i].id, (double)expected[i].t, expected[i].id);
        }
    }
    for (uint32_t i = 0; i < count; ++i)
        met += expected[i].id != HIT_NONE;
    free(expected);
    free(hits);
    return met;
}

static void check_ray_sets(const struct fixture *fixture, const struct ray_set_view *view, uint32_t side)
{
    struct ray_sets sets;
    struct error error;
    const struct ray_mesh rays = test_mesh_rays(&fixture->mesh);
    if (!ray_sets_make(&rays, view, side, 0, &sets, &error))
        fail_msg("%s", error.message);
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        const uint32_t met = check_rays(fixture, sets.sets[kind].name, sets.sets[kind].rays, sets.count);
        assert_true(met > sets.count / 100);
        print_message("  %-18s %u rays, %u hit: none differs\n", sets.sets[kind].name, sets.count, met);
    }
    ray_sets_finish(&sets);
}

// A ray from, to or along what the tree's planes are made of: through a vertex, in a plane of a triangle's box (widened
// or not), along an axis, with zeros of both signs, ending where something begins.
static void adversarial_ray(const struct fixture *fixture, uint64_t *random, uint32_t i, struct ray_record *ray)
{
    const struct test_mesh *mesh = &fixture->mesh;
    const float *corners = &mesh->corners[9 * (size_t)(i * 7919u % mesh->count)];
    const float reach = 1.0f + fabsf(mesh->high[0] - mesh->low[0]);
    float to[3];
    for (int axis = 0; axis < 3; ++axis) {
        const float a = corners[3 * (i % 3) + (uint32_t)axis], b = corners[3 * ((i + 1) % 3) + (uint32_t)axis];
        to[axis] = i % 4 == 0 ? 0.5f * a + 0.5f * b : a;
        ray->origin[axis] = to[axis];
        ray->direction[axis] = copysignf(0.0f, random_signed(random));
    }
    const uint32_t along = i / 3 % 3, other = (along + 1) % 3;
    if (i % 5 < 2) { // along an axis
        ray->origin[along] += i % 2 ? reach : -reach;
        ray->direction[along] = i % 2 ? -1.0f : 1.0f;
    } else if (i % 5 == 2) { // in a plane across an axis
        ray->origin[along] += reach * random_signed(random);
        ray->origin[other] += reach * random_signed(random);
        ray->direction[along] = to[along] - ray->origin[along];
        ray->direction[other] = to[other] - ray->origin[other];
    } else {
        for (int axis = 0; axis < 3; ++axis) {
            ray->origin[axis] = i % 5 == 3 ? to[axis] + reach * random_signed(random) : to[axis];
            ray->direction[axis] = i % 5 == 3 ? to[axis] - ray->origin[axis] : random_signed(random);
        }
    }
    if (i % 7 == 0)
        ray->origin[other] += i % 2 ? fixture->kd.box_pad : -fixture->kd.box_pad;
    ray->t_max = i % 11 == 0 ? 1.0f : i % 13 == 0 ? INFINITY : 1e30f;
}

static void check_adversarial(const struct fixture *fixture, uint32_t count)
{
    struct ray_record *rays = calloc(count, sizeof *rays);
    uint64_t random = 11;
    assert_non_null(rays);
    for (uint32_t i = 0; i < count; ++i)
        adversarial_ray(fixture, &random, i, &rays[i]);
    const uint32_t met = check_rays(fixture, "adversarial", rays, count);
    print_message("  adversarial        %u rays, %u hit: none differs\n", count, met);
    free(rays);
}

static void test_procedural_mesh(void **state)
{
    struct fixture fixture;
    (void)state;
    assert_true(test_mesh_procedural(&fixture.mesh));
    fixture_make(&fixture);
    const struct ray_set_view view = ray_set_outside_view(fixture.mesh.low, fixture.mesh.high);
    check_ray_sets(&fixture, &view, 128 / COARSER);
    check_adversarial(&fixture, 200000 / FEWER);
    fixture_finish(&fixture);
}

static void test_sponza(void **state)
{
    struct fixture fixture;
    (void)state;
    if (FEWER > 1) {
        print_message("left to the build without sanitizers\n");
        skip();
    }
    if (!test_mesh_sponza(&fixture.mesh)) {
        print_message("sponza.ply.xz is not there: set WARPSTUDY_SHARED_SCENES to its folder\n");
        skip();
    }
    fixture_make(&fixture);
    check_ray_sets(&fixture, &ray_set_sponza_view, full ? 1024 : 128 / COARSER);
    check_adversarial(&fixture, 50000 / FEWER);
    fixture_finish(&fixture);
}

// The fans at the poles are what no plane separates.
static void test_sphere(void **state)
{
    static const float centre[3] = {100, -30, 7};
    struct fixture fixture;
    (void)state;
    assert_true(test_mesh_sphere(&fixture.mesh, centre, 5));
    fixture_make(&fixture);
    check_adversarial(&fixture, 100000 / FEWER);
    fixture_finish(&fixture);
}

// ---- meshes that leave the builder no choice

static void check_small(const float *corners, uint32_t count)
{
    struct fixture fixture;
    make_mesh(&fixture.mesh, corners, count);
    fixture_make(&fixture);
    check_adversarial(&fixture, 20000 / FEWER);
    fixture_finish(&fixture);
}

static void test_small_meshes(void **state)
{
    static const float one[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float far_apart[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 900, 900, 900, 901, 900, 900, 900, 901, 901};
    float same[9 * 100], flat[9 * 64], needles[9 * 64];
    (void)state;
    check_small(one, 1);
    check_small(far_apart, 2);
    for (uint32_t i = 0; i < 100; ++i)
        memcpy(&same[9 * (size_t)i], one, sizeof one);
    for (uint32_t i = 0; i < 64; ++i) {
        const float x = (float)(i % 8), z = (float)(i / 8);
        const float quad[9] = {x, 2, z, x + 1, 2, z, x, 2, z + 1}, needle[9] = {-50, x, z, 50, x, z, 50, x + 1e-6f, z};
        memcpy(&flat[9 * (size_t)i], quad, sizeof quad);
        memcpy(&needles[9 * (size_t)i], needle, sizeof needle);
    }
    check_small(same, 100);
    check_small(flat, 64);
    check_small(needles, 64);
}

static void test_chain(void **state)
{
    struct fixture fixture;
    float same[9 * 100];
    (void)state;
    for (uint32_t i = 0; i < 900; ++i)
        same[i] = i % 9 == 3 || i % 9 == 7 ? 1 : 0;
    make_mesh(&fixture.mesh, same, 100);
    fixture_make(&fixture);
    assert_int_equal(fixture.tree.facts.chains, 1);
    const struct kd16_node *nodes = fixture.tree.nodes;
    uint32_t index = 0, held = 0;
    while (!kd16_is_leaf(&nodes[index]) || kd16_leaf_count(&nodes[index]) == 0)
        ++index;
    for (uint32_t link = index; held += kd16_leaf_count(&nodes[link]), nodes[link].right; link = nodes[link].right)
        assert_int_equal(kd16_leaf_count(&nodes[link]), KD16_LEAF_MAX);
    assert_int_equal(held, 100);
    // All at the same t: the least id wins, from whichever link of the chain.
    const struct ray_record ray = {.origin = {0.25f, 0.25f, -2}, .direction = {0, 0, 1}, .t_max = 1e30f};
    struct hit hit;
    trace(&way_cases[0], &fixture.kd, &ray, 1, &hit);
    assert_true(hit.id == 0 && hit.t == 2.0f);
    fixture_finish(&fixture);
}

static void test_no_triangles(void **state)
{
    struct tree tree;
    struct test_mesh mesh = {0};
    const float none[3] = {0, 0, 0};
    const struct ray_record ray = {.origin = {0, 0, -2}, .direction = {0, 0, 1}, .t_max = 1e30f};
    struct hit hit;
    (void)state;
    build(&mesh, 0, 1, &tree);
    struct scene_view view = {0};
    tree_view(&tree, none, none, &view);
    trace(&way_cases[0], &view, &ray, 1, &hit);
    assert_int_equal(hit.id, HIT_NONE);
    tree_finish(&tree);
}

// ---- builder

static void test_threads(void **state)
{
    struct test_mesh mesh;
    struct tree one, other;
    static const uint32_t threads[] = {2, 3, 16};
    (void)state;
    assert_true(test_mesh_procedural(&mesh));
    build(&mesh, 0x1p-14f, 1, &one);
    assert_true(COARSER > 1 || (mesh.count >= 1 << 15 && mesh.count < 1 << 16));
    assert_true(one.facts.depth <= 8 + 13 * 15 / 10);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
        build(&mesh, 0x1p-14f, threads[i], &other);
        assert_int_equal(one.node_count, other.node_count);
        assert_int_equal(one.reference_count, other.reference_count);
        assert_memory_equal(one.nodes, other.nodes, one.node_count * sizeof(struct kd16_node));
        assert_memory_equal(one.references, other.references, one.reference_count * sizeof *one.references);
        tree_finish(&other);
    }
    tree_finish(&one);
    test_mesh_finish(&mesh);
}

static void test_limits(void **state)
{
    struct test_mesh mesh;
    struct tree tree;
    (void)state;
    assert_true(test_mesh_procedural(&mesh));
    build(&mesh, 0x1p-14f, 0, &tree);
    const uint64_t nodes = tree.node_count, references = tree.reference_count;
    tree_finish(&tree);
    for (int less = 0; less < 2; ++less)
        for (int what = 0; what < 2; ++what) {
            struct error error = {0};
            struct tree_build_options options = {.tree = {.kind = TREE_KD16}, .pad = 0x1p-14f};
            if (what)
                options.references_most = references - (uint64_t)less;
            else
                options.nodes_most = nodes - (uint64_t)less;
            const bool built = tree_build(mesh.triangles, mesh.count, &options, &tree, &error);
            // On its way the builder may hold more references than in the end: parts are split one after another.
            if (!less && !what)
                assert_true(built);
            if (less) {
                assert_false(built);
                assert_int_equal(error.kind, ERROR_UNSUPPORTED);
                assert_non_null(strstr(error.message, what ? "references to triangles" : "nodes"));
                assert_non_null(strstr(error.remedy, "tree=binary"));
            }
            tree_finish(&tree);
        }
    test_mesh_finish(&mesh);
}

// ---- damage

struct damaged {
    struct test_mesh mesh;
    struct tree tree;
    struct kd16_node *nodes;
};

static bool valid(const struct damaged *damaged)
{
    struct error error;
    return tree_validate(&damaged->tree, damaged->mesh.triangles, damaged->mesh.count, 0x1p-14f, &error);
}

static void assert_refused(const struct damaged *damaged, uint32_t *word, uint32_t bad)
{
    const uint32_t good = *word;
    *word = bad;
    assert_false(valid(damaged));
    *word = good;
    assert_true(valid(damaged));
}

static void test_damage(void **state)
{
    struct damaged damaged;
    static const float centre[3] = {0, 0, 0};
    (void)state;
    assert_true(test_mesh_sphere(&damaged.mesh, centre, 1));
    build(&damaged.mesh, 0x1p-14f, 1, &damaged.tree);
    struct kd16_node *nodes = damaged.nodes = damaged.tree.owned[0];
    uint32_t leaf = 0, *references = damaged.tree.owned[1];
    while (!kd16_is_leaf(&nodes[leaf]) || kd16_leaf_count(&nodes[leaf]) < 2)
        ++leaf;
    const uint32_t count = (uint32_t)damaged.tree.node_count;
    assert_refused(&damaged, &nodes[0].head, nodes[0].head | 3u << KD16_AXIS);
    assert_refused(&damaged, &nodes[0].right, 0);
    assert_refused(&damaged, &nodes[0].right, count);
    assert_refused(&damaged, &nodes[0].right, nodes[0].right + 1);
    assert_refused(&damaged, &nodes[leaf].head, nodes[leaf].head & ~(uint32_t)KD16_IS_LEAF);
    assert_refused(&damaged, &nodes[leaf].head, nodes[leaf].head - (1u << KD16_COUNT)); // a triangle less
    assert_refused(&damaged, &nodes[leaf].right, leaf);
    assert_refused(&damaged, &nodes[leaf].right, leaf + 1);
    assert_refused(&damaged, &nodes[leaf].first, (uint32_t)damaged.tree.reference_count);
    assert_refused(&damaged, &references[nodes[leaf].first], damaged.mesh.count);
    assert_refused(&damaged, &references[nodes[leaf].first], references[nodes[leaf].first + 1]);
    const float split = nodes[0].split;
    nodes[0].split = NAN;
    assert_false(valid(&damaged));
    nodes[0].split = split + 0.25f;
    assert_false(valid(&damaged));
    nodes[0].split = split;
    --damaged.tree.node_count;
    assert_false(valid(&damaged));
    damaged.tree.node_count = 0;
    assert_false(valid(&damaged));
    tree_finish(&damaged.tree);
    test_mesh_finish(&damaged.mesh);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_meshes), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_no_triangles), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_damage),
        cmocka_unit_test(test_sphere),       cmocka_unit_test(test_procedural_mesh),
        cmocka_unit_test(test_sponza),
    };
    full = getenv("WARPSTUDY_FULL_TESTS") || (count > 1 && strcmp(words[1], "--full") == 0);
    return cmocka_run_group_tests_name("kd16", tests, NULL, NULL);
}
