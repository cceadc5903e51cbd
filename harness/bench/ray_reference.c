// SPDX-License-Identifier: MIT
#include "bench/ray_reference.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "trees/traverse.h"
#include "trees/bvh.h"
#include "geometry/parallel.h"
#include "geometry/scale.h"

enum { LEAF_SIZE = 4, BINS = 32, CHUNK = 1024 };

struct reference {
    struct ray_mesh mesh;
    struct bvh bvh;
    double slack; // added to the far end of every interval, in units of t
};

struct double_ray {
    double origin[3], direction[3], inverse[3];
};

// ---- triangle

static void ray_reference_subtract(const double a[3], const double b[3], double result[3])
{
    for (int axis = 0; axis < 3; ++axis)
        result[axis] = a[axis] - b[axis];
}

static void ray_reference_cross(const double a[3], const double b[3], double result[3])
{
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
}

static double ray_reference_dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void test_triangle(const struct ray_mesh *mesh, uint32_t id, const struct double_ray *ray,
                          struct reference_hit *hit)
{
    const float *corners = &mesh->corners[9 * (size_t)id];
    double v[3][3], e1[3], e2[3], p[3], q[3], s[3];
    for (int i = 0; i < 9; ++i)
        v[i / 3][i % 3] = (double)corners[i];
    ray_reference_subtract(v[1], v[0], e1);
    ray_reference_subtract(v[2], v[0], e2);
    ray_reference_cross(ray->direction, e2, p);
    const double determinant = ray_reference_dot(e1, p);
    if (determinant == 0.0)
        return;
    const double inverse = 1.0 / determinant;
    ray_reference_subtract(ray->origin, v[0], s);
    const double u = ray_reference_dot(s, p) * inverse;
    if (u < 0.0 || u > 1.0)
        return;
    ray_reference_cross(s, e1, q);
    const double w = ray_reference_dot(ray->direction, q) * inverse;
    if (w < 0.0 || u + w > 1.0)
        return;
    const double t = ray_reference_dot(e2, q) * inverse;
    if (t > 0.0 && (t < hit->t || (t == hit->t && id < hit->id)))
        *hit = (struct reference_hit){t, id};
}

// ---- tree

// Finite, so that a plane through the origin gives 0 and not NaN.
static double inverse_of(double d)
{
    return 1.0 / (fabs(d) < 1e-300 ? copysign(1e-300, d) : d);
}

static struct double_ray double_ray_make(const struct ray_record *record)
{
    struct double_ray ray;
    for (int axis = 0; axis < 3; ++axis) {
        ray.origin[axis] = (double)record->origin[axis];
        ray.direction[axis] = (double)record->direction[axis];
        ray.inverse[axis] = inverse_of(ray.direction[axis]);
    }
    return ray;
}

// Where the ray enters a child's box, or INFINITY where it misses it or enters beyond `t`.
static double enter(const struct bvh_node *node, uint32_t side, const struct double_ray *ray, double t, double slack)
{
    const float *const planes[3] = {node->x, node->y, node->z};
    double entry = 0.0, exit = t;
    for (int axis = 0; axis < 3; ++axis) {
        const double t0 = ((double)planes[axis][side] - ray->origin[axis]) * ray->inverse[axis];
        const double t1 = ((double)planes[axis][side + 2] - ray->origin[axis]) * ray->inverse[axis];
        const double near = t0 < t1 ? t0 : t1, far = t0 < t1 ? t1 : t0;
        entry = near > entry ? near : entry;
        exit = far < exit ? far : exit;
    }
    return entry <= exit + slack ? entry : INFINITY;
}

static void test_leaf(const struct reference *reference, int32_t leaf, const struct double_ray *ray,
                      struct reference_hit *hit)
{
    for (uint32_t i = 0; i < bvh_leaf_count(leaf); ++i)
        test_triangle(&reference->mesh, reference->bvh.order[bvh_leaf_first(leaf) + i], ray, hit);
}

struct reference_hit reference_hit(const struct reference *reference, const struct ray_record *record)
{
    const struct double_ray ray = double_ray_make(record);
    struct reference_hit hit = {INFINITY, REFERENCE_MISS};
    int32_t stack[TREE_STACK];
    double entries[TREE_STACK];
    uint32_t depth = 0;
    stack[depth] = 0;
    entries[depth++] = 0.0;
    while (depth > 0) {
        const int32_t current = stack[--depth];
        if (entries[depth] > hit.t + reference->slack)
            continue;
        if (current < 0) {
            test_leaf(reference, current, &ray, &hit);
            continue;
        }
        const struct bvh_node *node = &reference->bvh.nodes[current];
        const double entry[2] = {enter(node, 0, &ray, hit.t, reference->slack),
                                 enter(node, 1, &ray, hit.t, reference->slack)};
        const uint32_t nearer = entry[1] < entry[0];
        for (uint32_t side = 2; side-- > 0;) {
            const uint32_t child = side ^ nearer;
            if (entry[child] < INFINITY) {
                stack[depth] = node->child[child];
                entries[depth++] = entry[child];
            }
        }
    }
    return hit;
}

struct reference_hit reference_hit_brute(const struct ray_mesh *mesh, const struct ray_record *record)
{
    const struct double_ray ray = double_ray_make(record);
    struct reference_hit hit = {INFINITY, REFERENCE_MISS};
    for (uint32_t id = 0; id < mesh->triangle_count; ++id)
        test_triangle(mesh, id, &ray, &hit);
    return hit;
}

// The tree is built over float32 edges; the widening of its boxes covers their rounding.
static struct triangle *tree_triangles(const struct ray_mesh *mesh, float low[3], float high[3])
{
    struct triangle *triangles = calloc((size_t)mesh->triangle_count + 1, sizeof *triangles);
    for (uint32_t i = 0; triangles && i < mesh->triangle_count; ++i) {
        const float *corners = &mesh->corners[9 * (size_t)i];
        triangles[i].v0 = vec3_make(corners[0], corners[1], corners[2]);
        triangles[i].v1 = vec3_make(corners[3], corners[4], corners[5]);
        triangles[i].v2 = vec3_make(corners[6], corners[7], corners[8]);
        for (int c = 0; c < 9; ++c) {
            low[c % 3] = fminf(low[c % 3], corners[c]);
            high[c % 3] = fmaxf(high[c % 3], corners[c]);
        }
    }
    return triangles;
}

struct reference *reference_create(const struct ray_mesh *mesh, uint32_t threads, struct error *error)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    struct reference *reference = memory_new(1, sizeof *reference);
    struct triangle *triangles = tree_triangles(mesh, low, high);
    bool done = triangles != NULL;
    if (!done)
        error_memory(error, "for the reference over %u triangles", mesh->triangle_count);
    if (done) {
        const struct bvh_options options = {
            .leaf_size = LEAF_SIZE, .bins = BINS, .threads = threads, .pad = scene_box_pad(low, high)};
        reference->mesh = *mesh;
        reference->slack = (double)options.pad;
        done = bvh_build(triangles, mesh->triangle_count, &options, &reference->bvh, error);
    }
    free(triangles);
    if (!done) {
        reference_destroy(reference);
        return NULL;
    }
    return reference;
}

void reference_destroy(struct reference *reference)
{
    if (reference)
        bvh_finish(&reference->bvh);
    free(reference);
}

// ---- many rays

struct batch {
    const struct reference *reference;
    const struct ray_record *rays;
    uint32_t count;
    struct reference_hit *hits;
};

static void trace_chunk(void *context, uint32_t chunk)
{
    const struct batch *batch = context;
    const uint32_t first = chunk * CHUNK, left = batch->count - first;
    for (uint32_t i = first; i < first + (left < CHUNK ? left : CHUNK); ++i)
        batch->hits[i] = reference_hit(batch->reference, &batch->rays[i]);
}

void reference_hits(const struct reference *reference, const struct ray_record *rays, uint32_t count, uint32_t threads,
                    struct reference_hit *hits)
{
    struct batch batch = {reference, rays, count, hits};
    parallel_for(threads, (count + CHUNK - 1) / CHUNK, trace_chunk, &batch);
}
