// SPDX-License-Identifier: MIT
// The meshes and rays of tree_support.h: apart, for tests that run kernels on the emulator and trace nothing themselves.
#include "tree_support.h"

#include <math.h>

#include "check.h"
#include "base/random.h"

// ---- meshes

static float random_float(uint64_t *random, float scale)
{
    return scale * random_signed(random);
}

// A coordinate of triangle i / 9, those before it in `corners`.
static float small_corner(uint32_t which, uint32_t i, const float *corners, uint64_t *random)
{
    static const float one[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, large[9] = {-4000, -4000, 0, 4000, -4000, 0, 0, 4000, 0};
    static const float two[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 900, 900, 900, 901, 900, 900, 900, 901, 901};
    const float x = (float)(i / 9 % 8), z = (float)(i / 72);
    const float flat[9] = {x, 2, z, x + 1, 2, z, x, 2, z + 1}, needle[9] = {-50, x, z, 50, x, z, 50, x + 1e-6f, z};
    switch (which) {
    case MESH_TWO: return two[i];
    case MESH_SOUP: return random_float(random, i % 9 < 3 ? 2.0f : 1.0f);
    case MESH_FLAT: return flat[i % 9];
    case MESH_NEEDLES: return needle[i % 9];
    case MESH_SLIVERS:
    case MESH_FAR:
        if (i % 9 >= 6)
            return corners[i - 3] + random_float(random, 0.01f);
        return (which == MESH_FAR ? 4000.0f : 0.0f) + random_float(random, 10.0f);
    case MESH_DETAIL:
        if (i < 9)
            return large[i];
        return i % 9 >= 3 ? corners[i - 3] + random_float(random, 0.02f) : 10 + random_float(random, 0.2f);
    default: return one[i % 9];
    }
}

void small_mesh_make(uint32_t which, struct test_mesh *mesh)
{
    static const uint32_t counts[SMALL_MESHES] = {1, 2, 40, 100, 64, 64, 200, 200, 200};
    static const float centre[3] = {100, -30, 7};
    uint64_t random = 5;
    if (which == MESH_SPHERE) {
        assert_true(test_mesh_sphere(mesh, centre, 5));
        return;
    }
    const uint32_t count = counts[which];
    float *corners = malloc(9 * (size_t)count * sizeof *corners);
    assert_non_null(corners);
    for (uint32_t i = 0; i < 9 * count; ++i)
        corners[i] = small_corner(which, i, corners, &random);
    assert_true(test_mesh_from_corners(mesh, corners, count));
}

// ---- rays

static struct vec3 random_vector(uint64_t *random, float scale)
{
    const float x = random_float(random, scale), y = random_float(random, scale);
    return vec3_make(x, y, random_float(random, scale));
}

// `d` along axis i, or by another choice in the plane across it; zeros of either sign.
static struct vec3 across_axes(float d, float e, uint32_t i)
{
    const float zero = i % 4 < 2 ? 0.0f : -0.0f;
    return i % 3 == 0 ? vec3_make(d, e, zero) : i % 3 == 1 ? vec3_make(zero, d, e) : vec3_make(e, zero, d);
}

enum { RAY_ANY, RAY_TO, RAY_FROM, RAY_AXIS, RAY_PAD, RAY_ACROSS, RAY_FAR, RAY_IN_PLANE, RAY_EDGE_ON, RAY_KINDS };

static struct ray hard_ray(const struct test_mesh *mesh, float pad, uint32_t kind, uint32_t i, uint64_t *random)
{
    const struct triangle *triangle = &mesh->triangles[random_below(random, mesh->count)];
    const struct vec3 corners[3] = {triangle->v0, triangle->v1, triangle->v2};
    const struct vec3 a = corners[i % 3], b = corners[(i + 1) % 3], c = corners[(i + 2) % 3];
    const struct vec3 u = vec3_sub(b, a), v = vec3_sub(c, a);
    const struct vec3 inside = vec3_add(a, vec3_scale(vec3_add(u, v), 0.25f)), edge = vec3_scale(vec3_add(a, b), 0.5f);
    const struct vec3 to = i % 5 == 0 ? inside : i % 4 == 0 ? edge : a;
    const float reach = 1.0f + fabsf(mesh->high[0] - mesh->low[0]), zero = random_float(random, 1) < 0 ? -0.0f : 0.0f;
    struct ray ray = {.origin = vec3_add(a, random_vector(random, reach)), .direction = random_vector(random, 1)};
    if (kind == RAY_FAR)
        ray.origin = vec3_add(a, random_vector(random, reach * (10.0f + (float)random_below(random, 90))));
    if (kind == RAY_FROM)
        ray.origin = to;
    if (kind == RAY_TO || kind == RAY_FAR)
        ray.direction = vec3_sub(to, ray.origin);
    if (kind == RAY_AXIS || kind == RAY_PAD || kind == RAY_ACROSS) {
        ray.direction = across_axes(i % 2 ? 1.0f : -1.0f, kind == RAY_ACROSS ? random_float(random, 1) : zero, i);
        ray.origin = vec3_sub(to, vec3_scale(ray.direction, i % 7 ? reach : 0.0f));
    }
    if (kind == RAY_PAD)
        ray.origin = vec3_add(ray.origin, vec3_splat(i % 11 < 5 ? pad : -pad));
    if (kind == RAY_IN_PLANE || kind == RAY_EDGE_ON) {
        const struct vec3 aside =
            vec3_add(vec3_scale(u, random_float(random, 1)), vec3_scale(v, random_float(random, 1)));
        ray.direction = kind == RAY_EDGE_ON ? u : aside;
        ray.origin =
            vec3_sub(kind == RAY_EDGE_ON ? a : inside, vec3_scale(ray.direction, (float)random_below(random, 9)));
    }
    return ray;
}

void hard_rays(const struct test_mesh *mesh, float pad, struct ray_record *rays, uint32_t count)
{
    uint64_t random = 11;
    for (uint32_t i = 0; i < count; ++i) {
        const struct ray ray = hard_ray(mesh, pad, i % RAY_KINDS, i / RAY_KINDS, &random);
        memcpy(rays[i].origin, &ray.origin, sizeof rays[i].origin);
        memcpy(rays[i].direction, &ray.direction, sizeof rays[i].direction);
        rays[i].t_min = 0;
        rays[i].t_max = i % 13 == 0 ? 1.0f : i % 17 == 0 ? INFINITY : 1e30f;
    }
}

struct ray record_ray(const struct ray_record *record)
{
    struct ray ray;
    memcpy(&ray.origin, record->origin, sizeof ray.origin);
    memcpy(&ray.direction, record->direction, sizeof ray.direction);
    return ray;
}
