// SPDX-License-Identifier: MIT
// The three triangle tests: each against a reference in double, and all three on the same rays. That by each of them every tree
// finds the same hits: test_trees.c.
#include <math.h>

#include "check.h"
#include "base/random.h"
#include "geometry/affine.h"
#include "tree_support.h"

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

TEST(each_test_agrees_with_a_reference_in_double)
{
    uint64_t random = 3;
    uint32_t hits = 0;
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

TEST(a_triangle_without_area_is_never_met)
{
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

// ---- all tests

// Rays at random meet edges hardly ever.
TEST(all_tests_meet_what_random_rays_meet)
{
    enum { RAYS = 1000 / COARSER };
    static const float centre[3] = {3, -1, 0.5f};
    static struct hit hits[3][RAYS];
    static struct ray_record rays[RAYS];
    struct test_mesh mesh;
    struct built built;
    uint64_t random = 9;
    uint32_t differ = 0, far = 0, met = 0;
    assert_true(test_mesh_sphere(&mesh, centre, 2));
    for (uint32_t i = 0; i < RAYS; ++i) {
        const float *corner = &mesh.corners[9 * (size_t)(i * 7919u % mesh.count)];
        rays[i].t_max = 1e30f;
        for (int axis = 0; axis < 3; ++axis) {
            const float away = 3 * random_signed(&random);
            rays[i].origin[axis] = corner[axis] + away;
            rays[i].direction[axis] = 0.03f * random_signed(&random) - away;
        }
    }
    for (uint32_t test = 0; test < 3; ++test) {
        const uint32_t affine = test == TRIANGLE_TEST_AFFINE;
        build(&mesh, &(struct scene_tree_options){.kind = TREE_KD16, .affine = affine}, 1, &built);
        built.arranged.view.triangle_test = test;
        trace_plain(&built.arranged.view, rays, RAYS, hits[test]);
        built_finish(&built);
    }
    for (uint32_t i = 0; i < RAYS; ++i)
        for (uint32_t test = 1; test < 3; ++test) {
            const struct hit *a = &hits[0][i], *b = &hits[test][i];
            met += a->id != HIT_NONE;
            differ += (a->id == HIT_NONE) != (b->id == HIT_NONE);
            far += a->id == b->id && fabsf(a->t - b->t) > 1e-5f * a->t;
        }
    assert_true(met > RAYS);
    if (differ > 2 || far > RAYS / 100)
        fail_msg("of %u hits %u differ, %u are farther apart than 1e-5", met, differ, far);
    test_mesh_finish(&mesh);
}
