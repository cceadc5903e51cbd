// SPDX-License-Identifier: MIT
// A ray that starts on a triangle does not meet it again, at whatever distance from the origin, and by whatever test.
#include "check.h"
#include "geometry/affine.h"
#include "geometry/exact_math.h"
#include "geometry/scale.h"

#include "surface/node.h"

enum { TESTS = 3, MOST_CORNERS = 32 };
static const char *const test_names[TESTS] = {"watertight", "moeller_trumbore", "affine"};

// Triangles of a shape about one unit in size, as corners.
struct shape {
    const char *name;
    void (*corners)(double corners[MOST_CORNERS][3], int *count);
};

static void add_triangle(double to[MOST_CORNERS][3], int *count, const double corners[9])
{
    memcpy(to[*count], corners, 9 * sizeof *corners);
    *count += 3;
}

static void plane_corners(double to[MOST_CORNERS][3], int *count)
{
    add_triangle(to, count, (double[]){-1, -0.3, -1, 1, 0.1, -1, 1, 0.4, 1});
    add_triangle(to, count, (double[]){-1, 0, -1, 1, 0, -1, 1, 0, 1});
}

// Facets of a sphere of 64 segments, near its equator and at its pole.
static void sphere_corners(double to[MOST_CORNERS][3], int *count)
{
    const double step = 3.14159265358979 / 32;
    for (int ring = 0; ring < 2; ++ring) {
        double corner[9];
        for (int i = 0; i < 3; ++i) {
            const double polar = (ring ? 15 : 0) * step + (i == 0 ? 0 : step), round = 5 * step + (i == 2 ? step : 0);
            corner[3 * i] = sin(polar) * cos(round);
            corner[3 * i + 1] = cos(polar);
            corner[3 * i + 2] = sin(polar) * sin(round);
        }
        add_triangle(to, count, corner);
    }
}

static void fold_corners(double to[MOST_CORNERS][3], int *count)
{
    add_triangle(to, count, (double[]){0, 0, 0, 1, 0.2, 0.3, 0.4, 0.9, 0.1});
    add_triangle(to, count, (double[]){0, 0, 0, 1, 0.2, 0.3, 0.4, 0.9, 0.101});
}

static void corner_corners(double to[MOST_CORNERS][3], int *count)
{
    add_triangle(to, count, (double[]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    add_triangle(to, count, (double[]){0, 0, 0, 0, 0, 1, 1, 0, 0});
    add_triangle(to, count, (double[]){0, 0, 0, 0.1, 0.7, 0.7, 0.7, -0.1, 0.7});
}

static const struct shape shapes[] = {
    {"plane", plane_corners}, {"sphere", sphere_corners}, {"fold", fold_corners}, {"corner", corner_corners}};

// One triangle as a scene: flat, or as the only one of an instance, which `to_world` places.
struct alone {
    struct scene_view view;
    struct triangle triangle;
    struct affine_map map;
    struct instance instance;
    uint32_t instance_of;
};

static struct vec3 rounded(const double v[3])
{
    return vec3_make((float)v[0], (float)v[1], (float)v[2]);
}

static void alone_make(struct alone *alone, double corners[3][3], const double position[3], bool instanced)
{
    memset(alone, 0, sizeof *alone);
    double placed[3][3];
    for (int i = 0; i < 3; ++i)
        for (int axis = 0; axis < 3; ++axis)
            placed[i][axis] = corners[i][axis] + (instanced ? 0 : position[axis]);
    alone->triangle.v0 = rounded(placed[0]);
    alone->triangle.v1 = rounded(placed[1]);
    alone->triangle.v2 = rounded(placed[2]);
    affine_map_make(&alone->triangle, &alone->map);
    alone->view.triangles = &alone->triangle;
    alone->view.maps = &alone->map;
    struct vec3 low, high;
    triangle_box(&alone->triangle, 0, &low, &high);
    alone->view.box_pad = scene_box_pad((float[]){low.x, low.y, low.z}, (float[]){high.x, high.y, high.z});
    if (!instanced)
        return;
    // A turn by a quarter about z, and twice the size.
    alone->instance.to_object[0] = vec3_make(0, 0.5f, 0);
    alone->instance.to_object[1] = vec3_make(-0.5f, 0, 0);
    alone->instance.to_object[2] = vec3_make(0, 0, 0.5f);
    alone->instance.to_world[0] = vec3_make(0, -2, 0);
    alone->instance.to_world[1] = vec3_make(2, 0, 0);
    alone->instance.to_world[2] = vec3_make(0, 0, 2);
    alone->instance.position = rounded(position);
    alone->instance.pad = alone->view.box_pad + vec3_reach(alone->instance.position) * 0x1p-20f;
    alone->view.instances = &alone->instance;
    alone->view.instance_of = &alone->instance_of;
    alone->view.instance_shift = 31;
}

static bool alone_meets(const struct alone *alone, const struct ray *ray, struct hit *hit)
{
    struct ray there = *ray;
    struct box_ray box = box_ray_make(ray);
    *hit = (struct hit){1e30f, HIT_NONE, HIT_NONE};
    if (alone->view.instances) { // as trees/levels.h has it
        there.origin = instance_turn(alone->instance.to_object, vec3_sub(ray->origin, alone->instance.position));
        there.direction = instance_turn(alone->instance.to_object, ray->direction);
        box = box_ray_make(&there);
        box.pad = alone->instance.pad;
    }
    triangle_test(&alone->view, 0, TRIANGLES_WHOLE, 0, &there, &box, hit);
    return hit->slot != HIT_NONE;
}

static struct vec3 random_vector(struct exact_random *random)
{
    for (;;) {
        const struct vec3 v = vec3_make((float)exact_between(random, -1, 1), (float)exact_between(random, -1, 1),
                                        (float)exact_between(random, -1, 1));
        if (vec3_dot(v, v) <= 1 && vec3_dot(v, v) > 1e-4f)
            return vec3_normalize(v);
    }
}

// A ray towards a random point of the triangle, seldom near its edges, from so far away.
static struct ray random_ray(const struct alone *alone, double away, struct exact_random *random)
{
    const struct placed_triangle t = scene_placed_triangle(&alone->view, 0);
    const float root = sqrtf((float)exact_uniform(random)), a = 1 - root, b = root * (float)exact_uniform(random);
    const struct vec3 to = vec3_fma(t.e1, a, vec3_fma(t.e2, b, t.v0));
    struct ray ray;
    ray.direction = random_vector(random);
    ray.origin = vec3_fma(ray.direction, -(float)away, to);
    return ray;
}

// Directions on both sides, every other one all but along the triangle.
static struct vec3 random_leave(struct vec3 normal, uint32_t i, struct exact_random *random)
{
    const struct vec3 v = random_vector(random);
    if (i % 2)
        return v;
    const float along = (float)exact_between(random, -1e-3, 1e-3) - vec3_dot(v, normal);
    return vec3_normalize(vec3_fma(normal, along, v));
}

static uint32_t leave_often(const struct alone *alone, double size, double reach, uint64_t seed, const char *what)
{
    const struct frame_args frame = {.scene = alone->view};
    struct exact_random random = exact_random_make(5, seed);
    uint32_t left = 0;
    for (uint32_t i = 0; i < 200; ++i) {
        const double away[] = {size, 100 * size, reach};
        const struct ray ray = random_ray(alone, away[i % 3], &random);
        struct hit hit, again;
        if (!alone_meets(alone, &ray, &hit))
            continue;
        const struct surface surface = surface_at(&frame, &(struct path){.ray = ray}, &hit);
        assert_true(surface.through > 0 && isfinite(surface.through));
        for (uint32_t k = 0; k < 16; ++k) {
            const struct vec3 direction = random_leave(surface.normal, k, &random);
            const struct ray next = {surface_leave(&surface, direction, true), direction};
            ++left;
            if (alone_meets(alone, &next, &again))
                fail_msg("%s: ray %u, %u meets its triangle again at %g; through %g", what, i, k, (double)again.t,
                         (double)surface.through);
        }
    }
    return left;
}

TEST(no_ray_meets_the_triangle_that_it_left)
{
    static const double directions[][3] = {{1, 0, 0}, {0.58, 0.57, -0.58}, {-0.37, 0.71, 0.2}};
    static const double shares[] = {1, 1e-2, 1e-4}; // of the size in the distance
    uint32_t left = 0, cases = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        double corners[MOST_CORNERS][3];
        int count = 0;
        shapes[s].corners(corners, &count);
        for (uint32_t i = 0; i < 11 * 3 * 3 * 2 * TESTS * (uint32_t)(count / 3); ++i) {
            const double reach = 1e-3 * pow(10, i % 11);
            const double size = reach * shares[i / 11 % 3], *direction = directions[i / 33 % 3];
            const bool instanced = i / 99 % 2;
            const uint32_t test = i / 198 % TESTS, first = 3 * (i / 198 / TESTS);
            double sized[3][3], position[3];
            for (int axis = 0; axis < 3; ++axis) {
                position[axis] = reach * direction[axis];
                for (int k = 0; k < 3; ++k)
                    sized[k][axis] = size * corners[first + (uint32_t)k][axis];
            }
            struct alone alone;
            char what[128];
            snprintf(what, sizeof what, "%s %u, %g in size at %g by %s%s", shapes[s].name, first / 3, size, reach,
                     test_names[test], instanced ? ", instanced" : "");
            alone_make(&alone, sized, position, instanced);
            alone.view.triangle_test = test;
            left += leave_often(&alone, size, reach, i, what);
            ++cases;
        }
    }
    print_message("%u rays left %u triangles\n", left, cases);
    assert_true(left > 1000000);
}
