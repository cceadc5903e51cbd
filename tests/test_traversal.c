// SPDX-License-Identifier: MIT
// That the hit does not depend on tree, order, traversal or build, bit for bit, and that it is the right one. On a mesh
// made here always; on Sponza where its file is, with fewer rays unless WARPSTUDY_FULL_TESTS is set or --full is given.
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
#include "geometry/parallel.h"
#include "bench/ray_sets.h"
#include "geometry/scale.h"
#include "trace_rays.h"
#ifdef WARPSTUDY_HAVE_EMBREE
#include "embree_support.h"
#endif

enum { CHUNK = 2048 };

static bool full;

// ---- tracing on all cores

struct batch {
    trace_function *trace;
    const struct scene_view *scene;
    struct trace_options options;
    const struct ray_record *rays;
    uint32_t count;
    struct hit *hits;
};

static void trace_chunk(void *context, uint32_t chunk)
{
    const struct batch *batch = context;
    const uint32_t first = chunk * CHUNK, left = batch->count - first;
    batch->trace(batch->scene, &batch->options, batch->rays + first, left < CHUNK ? left : CHUNK, batch->hits + first);
}

// For free().
static struct hit *trace_set(trace_function *trace, const struct scene_view *scene, struct trace_options options,
                             const struct ray_set *set, uint32_t count)
{
    struct hit *hits = malloc(count * sizeof *hits);
    struct batch batch = {trace, scene, options, set->rays, count, hits};
    assert_non_null(hits);
    parallel_for(0, (count + CHUNK - 1) / CHUNK, trace_chunk, &batch);
    return hits;
}

// ---- equality

static void assert_same_hits(const char *what, const char *set, const struct hit *a, const struct hit *b,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if (f32_bits(a[i].t) != f32_bits(b[i].t) || a[i].id != b[i].id)
            fail_msg("%s, %s, ray %u: t %.9g id %u against t %.9g id %u", what, set, i, (double)a[i].t, a[i].id,
                     (double)b[i].t, b[i].id);
}

struct tree_case {
    const char *name;
    uint32_t leaf_size, bins;
};

static const struct tree_case tree_cases[] = {
    {"leaf size 1", 1, 32}, {"leaf size 2", 2, 32},   {"leaf size 8", 8, 32},
    {"4 bins", 4, 4},       {"leaf size 15", 15, 16}, {"256 bins", 3, 256},
};

struct way_case {
    const char *name;
    trace_function *trace;
    struct trace_options options;
};

static const struct way_case way_cases[] = {
    {"vector", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, false, false}},
    {"scalar", trace_rays_scalar, {TRAVERSAL_WHILE_WHILE, false, false}},
    {"counted", trace_rays_counted, {TRAVERSAL_WHILE_WHILE, false, false}},
    {"far first", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, true, false}},
    {"speculative", trace_rays_vector, {TRAVERSAL_SPECULATIVE, false, false}},
    {"speculative, far first, scalar", trace_rays_scalar, {TRAVERSAL_SPECULATIVE, true, false}},
};

enum { TREE_CASES = sizeof tree_cases / sizeof *tree_cases, WAY_CASES = sizeof way_cases / sizeof *way_cases };

static const struct trace_options plain = {TRAVERSAL_WHILE_WHILE, false, false};

struct fixture {
    struct test_mesh mesh;
    struct test_scene scene; // leaf size 4, 32 bins
    struct ray_sets sets;
    float pad;
};

static struct bvh_options tree_options(const struct fixture *fixture, uint32_t leaf_size, uint32_t bins)
{
    return (struct bvh_options){.leaf_size = leaf_size, .bins = bins, .pad = fixture->pad};
}

static void fixture_make(struct fixture *fixture, const struct ray_set_view *view, uint32_t side)
{
    struct error error;
    const struct ray_mesh rays = test_mesh_rays(&fixture->mesh);
    fixture->pad = scene_box_pad(fixture->mesh.low, fixture->mesh.high);
    const struct bvh_options options = tree_options(fixture, 4, 32);
    assert_true(test_scene_make(&fixture->mesh, &options, &fixture->scene));
    if (!ray_sets_make(&rays, view, side, 0, &fixture->sets, &error))
        fail_msg("%s", error.message);
}

static void fixture_finish(struct fixture *fixture)
{
    ray_sets_finish(&fixture->sets);
    test_scene_finish(&fixture->scene);
    test_mesh_finish(&fixture->mesh);
}

static void check_ways(const struct fixture *fixture)
{
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        const struct ray_set *set = &fixture->sets.sets[kind];
        struct hit *expected = trace_set(trace_rays_vector, &fixture->scene.view, plain, set, fixture->sets.count);
        for (int way = 0; way < WAY_CASES; ++way) {
            struct hit *hits =
                trace_set(way_cases[way].trace, &fixture->scene.view, way_cases[way].options, set, fixture->sets.count);
            assert_same_hits(way_cases[way].name, set->name, hits, expected, fixture->sets.count);
            free(hits);
        }
        free(expected);
    }
}

static void check_against_scene(const struct fixture *fixture, const struct test_scene *scene, const char *what)
{
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        const struct ray_set *set = &fixture->sets.sets[kind];
        struct hit *expected = trace_set(trace_rays_vector, &fixture->scene.view, plain, set, fixture->sets.count);
        struct hit *hits = trace_set(trace_rays_vector, &scene->view, plain, set, fixture->sets.count);
        assert_same_hits(what, set->name, hits, expected, fixture->sets.count);
        free(hits);
        free(expected);
    }
}

static void check_trees(const struct fixture *fixture)
{
    for (int i = 0; i < TREE_CASES; ++i) {
        struct test_scene scene;
        const struct bvh_options options = tree_options(fixture, tree_cases[i].leaf_size, tree_cases[i].bins);
        assert_true(test_scene_make(&fixture->mesh, &options, &scene));
        check_against_scene(fixture, &scene, tree_cases[i].name);
        test_scene_finish(&scene);
    }
}

// The builder sees the triangles in another order; ids are kept.
static void check_shuffled_triangles(const struct fixture *fixture)
{
    struct test_mesh shuffled = fixture->mesh;
    struct test_scene scene;
    const struct bvh_options options = tree_options(fixture, 4, 32);
    uint64_t state = 1;
    shuffled.triangles = malloc(shuffled.count * sizeof *shuffled.triangles);
    assert_non_null(shuffled.triangles);
    memcpy(shuffled.triangles, fixture->mesh.triangles, shuffled.count * sizeof *shuffled.triangles);
    for (uint32_t i = shuffled.count - 1; i > 0; --i) {
        const uint32_t j = random_below(&state, i + 1);
        const struct triangle swapped = shuffled.triangles[i];
        shuffled.triangles[i] = shuffled.triangles[j];
        shuffled.triangles[j] = swapped;
    }
    assert_true(test_scene_make(&shuffled, &options, &scene));
    check_against_scene(fixture, &scene, "shuffled triangles");
    test_scene_finish(&scene);
    free(shuffled.triangles);
}

// ---- truth

struct differences {
    uint32_t hit_or_miss, far_t, id;
};

static void add_difference(struct differences *differences, const struct hit *hit, double t, uint32_t id)
{
    const bool was_hit = hit->id != HIT_NONE, is_hit = id != HIT_NONE;
    differences->id += hit->id != id;
    if (was_hit != is_hit)
        ++differences->hit_or_miss;
    else if (is_hit && fabs((double)hit->t - t) > 1e-5 * t)
        ++differences->far_t;
}

static struct differences against_reference(const struct ray_set *set, const struct hit *hits, uint32_t count)
{
    struct differences differences = {0, 0, 0};
    for (uint32_t i = 0; i < count; ++i)
        add_difference(&differences, &hits[i], set->hits[i].t, set->hits[i].id);
    return differences;
}

static void report(const char *against, const char *set, const struct differences *differences, uint32_t count)
{
    print_message("  %-18s of %u against %-9s: %u in hit or miss, %u in t, %u in triangle\n", set, count, against,
                  differences->hit_or_miss, differences->far_t, differences->id);
}

static void check_reference(const struct fixture *fixture)
{
    const uint32_t count = fixture->sets.count;
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        const struct ray_set *set = &fixture->sets.sets[kind];
        struct hit *hits = trace_set(trace_rays_vector, &fixture->scene.view, plain, set, count);
        const struct differences differences = against_reference(set, hits, count);
        free(hits);
        report("reference", set->name, &differences, count);
        assert_int_equal(differences.hit_or_miss, 0);
        assert_true(differences.far_t <= count / 10000 + 1);
    }
}

static void check_any_hit(const struct fixture *fixture)
{
    const struct trace_options ways[2] = {{TRAVERSAL_WHILE_WHILE, false, true}, {TRAVERSAL_SPECULATIVE, false, true}};
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
        for (int way = 0; way < 2; ++way) {
            const struct ray_set *set = &fixture->sets.sets[kind];
            struct hit *closest = trace_set(trace_rays_vector, &fixture->scene.view, plain, set, fixture->sets.count);
            struct hit *any = trace_set(trace_rays_vector, &fixture->scene.view, ways[way], set, fixture->sets.count);
            for (uint32_t i = 0; i < fixture->sets.count; ++i)
                if ((closest[i].id == HIT_NONE) != (any[i].id == HIT_NONE) || any[i].t < closest[i].t)
                    fail_msg("any hit, %s, ray %u: id %u, closest %u", set->name, i, any[i].id, closest[i].id);
            free(closest);
            free(any);
        }
}

#ifdef WARPSTUDY_HAVE_EMBREE
struct embree_batch {
    const struct embree *embree;
    const struct ray_set *set;
    uint32_t count;
    struct hit *hits;
};

static void embree_chunk(void *context, uint32_t chunk)
{
    const struct embree_batch *batch = context;
    const uint32_t first = chunk * CHUNK, left = batch->count - first;
    embree_trace(batch->embree, batch->set->rays + first, left < CHUNK ? left : CHUNK, batch->hits + first);
}

static void check_embree(const struct fixture *fixture)
{
    const uint32_t count = fixture->sets.count;
    struct embree *embree = embree_create(&fixture->mesh);
    struct hit *theirs = malloc(count * sizeof *theirs);
    assert_non_null(embree);
    assert_non_null(theirs);
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        struct embree_batch batch = {embree, &fixture->sets.sets[kind], count, theirs};
        struct differences differences = {0, 0, 0};
        struct hit *hits = trace_set(trace_rays_vector, &fixture->scene.view, plain, batch.set, count);
        parallel_for(0, (count + CHUNK - 1) / CHUNK, embree_chunk, &batch);
        for (uint32_t i = 0; i < count; ++i)
            add_difference(&differences, &hits[i], (double)theirs[i].t, theirs[i].id);
        free(hits);
        report("Embree", batch.set->name, &differences, count);
        // Embree itself may slip through an edge now and then.
        assert_true(differences.hit_or_miss + differences.far_t <= count / 10000 + 1);
    }
    free(theirs);
    embree_destroy(embree);
}
#else
static void check_embree(const struct fixture *fixture)
{
    (void)fixture;
    print_message("  built without Embree: not compared with it\n");
}
#endif

// ---- tests

static void check_all(struct fixture *fixture)
{
    check_reference(fixture);
    check_embree(fixture);
    check_ways(fixture);
    check_any_hit(fixture);
    check_trees(fixture);
    check_shuffled_triangles(fixture);
}

static void test_procedural_mesh(void **state)
{
    struct fixture fixture;
    (void)state;
    assert_true(test_mesh_procedural(&fixture.mesh));
    const struct ray_set_view view = ray_set_outside_view(fixture.mesh.low, fixture.mesh.high);
    fixture_make(&fixture, &view, 128);
    check_all(&fixture);
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
    fixture_make(&fixture, &ray_set_sponza_view, full ? 1024 : 256);
    check_all(&fixture);
    fixture_finish(&fixture);
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

static void test_two_box_bodies(void **state)
{
    uint64_t random = 7;
    uint32_t outcomes[4] = {0};
    (void)state;
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

// Rays that miss, that start on a surface, that run in a triangle's plane, that end before the hit.
static void test_single_triangle(void **state)
{
    struct test_mesh mesh;
    struct test_scene scene;
    struct hit hit;
    const struct bvh_options options = {.leaf_size = 4, .bins = 32, .pad = 0x1p-20f};
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    struct ray_record ray = {.origin = {0.25f, 0.25f, -2}, .direction = {0, 0, 1}, .t_max = 1e30f};
    (void)state;
    float *copy = malloc(sizeof corners);
    assert_non_null(copy);
    memcpy(copy, corners, sizeof corners);
    assert_true(test_mesh_from_corners(&mesh, copy, 1));
    assert_true(test_scene_make(&mesh, &options, &scene));
    trace_rays_vector(&scene.view, &plain, &ray, 1, &hit);
    assert_int_equal(hit.id, 0);
    assert_int_equal(hit.slot, 0);
    assert_true(hit.t == 2.0f);
    ray.t_max = 2.0f; // the end is included
    trace_rays_vector(&scene.view, &plain, &ray, 1, &hit);
    assert_int_equal(hit.id, 0);
    ray.t_max = 1.999f;
    trace_rays_vector(&scene.view, &plain, &ray, 1, &hit);
    assert_int_equal(hit.id, HIT_NONE);
    assert_true(hit.t == 1.999f);
    ray.t_max = INFINITY;
    ray.origin[2] = 0.0f; // the start is not
    trace_rays_vector(&scene.view, &plain, &ray, 1, &hit);
    assert_int_equal(hit.id, HIT_NONE);
    ray.direction[0] = 1.0f; // in the plane
    ray.direction[2] = 0.0f;
    trace_rays_vector(&scene.view, &plain, &ray, 1, &hit);
    assert_int_equal(hit.id, HIT_NONE);
    test_scene_finish(&scene);
    test_mesh_finish(&mesh);
}

// From inside a closed mesh every ray hits, also those aimed at vertices and at points on edges.
static void check_closed(const float centre[3], float radius)
{
    enum { RANDOM = 100000 / FEWER };
    struct test_mesh mesh;
    struct test_scene scene;
    uint64_t random = 3;
    assert_true(test_mesh_sphere(&mesh, centre, radius));
    const struct bvh_options options = {.leaf_size = 4, .bins = 32, .pad = scene_box_pad(mesh.low, mesh.high)};
    const uint32_t count = RANDOM + 6 * mesh.count;
    struct ray_record *rays = calloc(count, sizeof *rays);
    struct hit *hits = malloc(count * sizeof *hits);
    assert_true(test_scene_make(&mesh, &options, &scene) && rays && hits);
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
    trace_rays_vector(&scene.view, &plain, rays, count, hits);
    for (uint32_t i = 0; i < count; ++i)
        if (hits[i].id == HIT_NONE)
            fail_msg("ray %u leaves a closed sphere of radius %g about (%g ...)", i, (double)radius, (double)centre[0]);
    free(rays);
    free(hits);
    test_scene_finish(&scene);
    test_mesh_finish(&mesh);
}

static void test_closed_mesh(void **state)
{
    static const float origin[3] = {0, 0, 0}, off[3] = {100, -30, 7}, far[3] = {5000, 1000, -2000};
    (void)state;
    check_closed(origin, 1.0f);
    check_closed(origin, 1000.0f);
    check_closed(off, 5.0f);
    check_closed(far, 3.0f);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_box_bodies), cmocka_unit_test(test_single_triangle),
        cmocka_unit_test(test_closed_mesh),    cmocka_unit_test(test_procedural_mesh),
        cmocka_unit_test(test_sponza),
    };
    full = getenv("WARPSTUDY_FULL_TESTS") || (count > 1 && strcmp(words[1], "--full") == 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
