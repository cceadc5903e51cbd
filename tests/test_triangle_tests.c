// SPDX-License-Identifier: MIT
// The three triangle tests: each against a reference in double; all three on the same rays; and that by each of them
// every tree finds the same hits, bit for bit, also on rays made to trip it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "mesh_support.h"
#include "geometry/affine.h"
#include "geometry/scale.h"
#include "trees/tree.h"
#include "trace_rays.h"

static struct vec3 random_vector(uint64_t *state, float scale)
{
    const float x = random_signed(state), y = random_signed(state), z = random_signed(state);
    return vec3_scale(vec3_make(x, y, z), scale);
}

// ---- one triangle, one ray

// By Cramer's rule: origin + t direction = v0 + u (v1 - v0) + v (v2 - v0).
static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
}

static void to_double(struct vec3 from, double to[3])
{
    to[0] = (double)from.x;
    to[1] = (double)from.y;
    to[2] = (double)from.z;
}

static void meet_exactly(const struct triangle *triangle, const struct ray *ray, double *t, double *u, double *v)
{
    double v0[3], first[3], second[3], origin[3], away[3], from[3];
    to_double(triangle->v0, v0);
    to_double(triangle->v1, first);
    to_double(triangle->v2, second);
    to_double(ray->origin, origin);
    to_double(ray->direction, away);
    for (int i = 0; i < 3; ++i) {
        first[i] -= v0[i];
        second[i] -= v0[i];
        away[i] = -away[i];
        from[i] = origin[i] - v0[i];
    }
    const double all = determinant(first, second, away);
    *u = determinant(from, second, away) / all;
    *v = determinant(first, from, away) / all;
    *t = determinant(first, second, from) / all;
}

// 0 where it misses.
static float meet_by(int test, const struct triangle *triangle, const struct ray *ray)
{
    float t = 0;
    if (test == TRIANGLE_TEST_WATERTIGHT) {
        const struct box_ray box = box_ray_make(ray);
        return meet_watertight(triangle->v0, triangle->v1, triangle->v2, ray->origin, ray->direction, box.across,
                               box.upward, &t)
                   ? t
                   : 0;
    }
    if (test == TRIANGLE_TEST_MOELLER_TRUMBORE)
        return moeller_trumbore_meets(triangle, ray, &t) ? t : 0;
    struct triangle_record record = {.triangle = *triangle};
    affine_map_make(triangle, &record.map);
    float other = 0;
    struct scene_view scene = {.triangles = (const struct triangle *)(const void *)&record};
    const bool met = affine_meets(&scene, 0, TRIANGLES_RECORDS, ray, 1e30f, &t);
    scene.affine_order = AFFINE_ORDER_Z_FIRST;
    const bool met_too = affine_meets(&scene, 0, TRIANGLES_RECORDS, ray, 1e30f, &other);
    assert_true(met_too == (met && t > 0));
    assert_true(!met_too || f32_bits(t) == f32_bits(other));
    return met ? t : 0;
}

static void each_test_agrees_with_a_reference_in_double(void **state)
{
    uint64_t random = 3;
    uint32_t hits = 0;
    (void)state;
    for (uint32_t i = 0; i < 200000; ++i) {
        struct triangle triangle = {0};
        struct ray ray;
        double t, u, v;
        triangle.v0 = random_vector(&random, 10);
        triangle.v1 = vec3_add(triangle.v0, random_vector(&random, i % 2 ? 3.0f : 0.1f));
        triangle.v2 = vec3_add(triangle.v0, random_vector(&random, i % 2 ? 3.0f : 0.1f));
        ray.origin = random_vector(&random, 10);
        ray.direction = vec3_add(vec3_sub(triangle.v0, ray.origin), random_vector(&random, i % 2 ? 3.0f : 0.1f));
        meet_exactly(&triangle, &ray, &t, &u, &v);
        const struct vec3 normal = vec3_normalize(triangle_cross(&triangle));
        const float across = fabsf(vec3_dot(normal, vec3_normalize(ray.direction)));
        const double inside = fmin(fmin(u, v), 1 - u - v); // in units of the triangle
        if (!(across > 0.1f) || fabs(inside) < 0.05 ||
            vec3_dot(triangle_cross(&triangle), triangle_cross(&triangle)) < (i % 2 ? 0.1f : 1e-7f))
            continue; // near its edge or edge on, or all but a line
        for (int test = 0; test < 3; ++test) {
            const float found = meet_by(test, &triangle, &ray);
            if (inside < 0 || t < 0) {
                if (found > 0)
                    fail_msg("test %d, ray %u: t %.9g, in double t %.9g u %.9g v %.9g", test, i, (double)found, t, u,
                             v);
                continue;
            }
            hits += test == 0;
            if (!(fabs((double)found - t) <= 1e-4 * t))
                fail_msg("test %d, ray %u: t %.9g, in double %.9g", test, i, (double)found, t);
        }
    }
    assert_true(hits > 3000);
}

static void a_triangle_without_area_is_never_met(void **state)
{
    (void)state;
    struct affine_map map;
    const struct triangle line = {.v0 = {0, 0, 0}, .v1 = {1, 1, 1}, .v2 = {3, 3, 3}};
    const struct triangle tiny = {.v0 = {0, 0, 0}, .v1 = {1e-30f, 0, 0}, .v2 = {0, 1e-30f, 0}};
    const struct triangle *const both[] = {&line, &tiny};
    for (int i = 0; i < 2; ++i) {
        affine_map_make(both[i], &map);
        const unsigned char zero[sizeof map] = {0};
        assert_memory_equal(&map, zero, sizeof map);
        const struct ray ray = {.origin = {0, 0, -1}, .direction = {0, 0, 1}};
        assert_true(!(meet_by(TRIANGLE_TEST_AFFINE, both[i], &ray) > 0));
    }
}

// ---- trees

enum { RAYS = 2000 / COARSER };

static struct {
    struct test_mesh mesh;
    float pad;
    struct ray_record rays[RAYS];
} scene;

// Even ones through the mesh at random, odd ones through corners, along axes or in planes.
static void make_rays(void)
{
    uint64_t random = 9;
    for (uint32_t i = 0; i < RAYS; ++i) {
        const float *corner = &scene.mesh.corners[9 * (size_t)(i * 7919u % scene.mesh.count) + 3 * (i % 3)];
        const uint32_t along = i / 2 % 3;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const float away = 3 * random_signed(&random), aside = 0.03f * random_signed(&random);
            const bool still = i % 2 && i % 4 == 1 && axis != along;
            scene.rays[i].origin[axis] = still ? corner[axis] : corner[axis] + away;
            scene.rays[i].direction[axis] = still ? 0.0f : -away + (i % 2 ? 0.0f : aside);
        }
        scene.rays[i].t_max = i % 7 == 3 ? 1.0f : 1e30f;
    }
}

static int set_up(void **state)
{
    static const float centre[3] = {3, -1, 0.5f};
    (void)state;
    if (!test_mesh_sphere(&scene.mesh, centre, 2))
        return -1;
    scene.pad = scene_box_pad(scene.mesh.low, scene.mesh.high);
    make_rays();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_mesh_finish(&scene.mesh);
    return 0;
}

static void trace_with(uint32_t kind, uint32_t test, uint32_t order, const struct trace_options *way, struct hit *hits)
{
    struct error error = {0};
    struct tree tree;
    struct tree_block blocks[TREE_BLOCKS];
    void *places[TREE_BLOCKS];
    const struct tree_build_options options = {
        .tree = {.kind = kind, .affine = test == TRIANGLE_TEST_AFFINE, .order = order}, .pad = scene.pad};
    struct scene_view view = {.box_pad = scene.pad, .triangle_test = test, .affine_order = order};
    if (!tree_build(scene.mesh.triangles, scene.mesh.count, &options, &tree, &error) ||
        !tree_arrange(&tree, blocks, &error))
        fail_msg("%s", error.message);
    for (int i = 0; i < TREE_BLOCKS; ++i)
        places[i] = (void *)(uintptr_t)blocks[i].bytes;
    tree_view_blocks(&tree, places, scene.mesh.low, scene.mesh.high, &view);
    trace_rays_scalar(&view, way, scene.rays, RAYS, hits);
    for (int i = 0; i < TREE_BLOCKS; ++i)
        free(blocks[i].owned);
    tree_finish(&tree);
}

static void by_each_test_all_trees_find_the_same_hits(void **state)
{
    static struct hit expected[RAYS], hits[RAYS];
    static const struct trace_options ways[] = {{TRAVERSAL_WHILE_WHILE, false, false},
                                                {TRAVERSAL_WHILE_WHILE, true, false},
                                                {TRAVERSAL_SPECULATIVE, false, false}};
    (void)state;
    for (uint32_t test = 0; test < 3; ++test) {
        uint32_t met = 0;
        trace_with(TREE_BINARY, test, 0, &ways[0], expected);
        for (uint32_t i = 0; i < RAYS; ++i)
            met += expected[i].id != HIT_NONE;
        assert_true(met > RAYS / 2 && met < RAYS);
        for (uint32_t kind = 0; kind < TREE_KINDS; ++kind)
            for (uint32_t order = kind == TREE_WIDE4 && test != TRIANGLE_TEST_WATERTIGHT ? 2 : 0; order < 2; ++order)
                for (size_t way = 0; way < sizeof ways / sizeof *ways; ++way) {
                    trace_with(kind, test, order, &ways[way], hits);
                    for (uint32_t i = 0; i < RAYS; ++i)
                        if (f32_bits(hits[i].t) != f32_bits(expected[i].t) || hits[i].id != expected[i].id)
                            fail_msg("test %u, tree %u, order %u, way %zu, ray %u: t %.9g id %u against t %.9g id %u",
                                     test, kind, order, way, i, (double)hits[i].t, hits[i].id, (double)expected[i].t,
                                     expected[i].id);
                }
    }
}

// Rays at random meet edges hardly ever.
static void all_tests_meet_what_random_rays_meet(void **state)
{
    static struct hit hits[3][RAYS];
    static const struct trace_options way = {TRAVERSAL_WHILE_WHILE, false, false};
    uint32_t differ = 0, far = 0, met = 0;
    (void)state;
    for (uint32_t test = 0; test < 3; ++test)
        trace_with(TREE_KD16, test, 0, &way, hits[test]);
    for (uint32_t i = 0; i < RAYS; i += 2)
        for (uint32_t test = 1; test < 3; ++test) {
            const struct hit *a = &hits[0][i], *b = &hits[test][i];
            met += a->id != HIT_NONE;
            differ += (a->id == HIT_NONE) != (b->id == HIT_NONE);
            far += a->id == b->id && fabsf(a->t - b->t) > 1e-5f * a->t;
        }
    assert_true(met > RAYS / 2);
    if (differ > 2 || far > RAYS / 200)
        fail_msg("of %u hits %u differ, %u are farther apart than 1e-5", met, differ, far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_test_agrees_with_a_reference_in_double),
        cmocka_unit_test(a_triangle_without_area_is_never_met),
        cmocka_unit_test(by_each_test_all_trees_find_the_same_hits),
        cmocka_unit_test(all_tests_meet_what_random_rays_meet),
    };
    return cmocka_run_group_tests_name("triangle_tests", tests, set_up, tear_down);
}
