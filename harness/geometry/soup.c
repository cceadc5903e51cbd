// SPDX-License-Identifier: MIT
#include "geometry/soup.h"

#include <stdlib.h>

#include "base/memory.h"

void soup_init(struct soup *soup, uint64_t limit, struct error *error)
{
    *soup = (struct soup){.limit = limit && limit < SOUP_MAX ? limit : SOUP_MAX,
                          .transform = exact_transform_identity(),
                          .what = "the scene",
                          .error = error};
}

void soup_finish(struct soup *soup)
{
    free(soup->triangles);
    soup->triangles = NULL;
    soup->count = soup->capacity = 0;
}

// Triangles that are dropped count too: else a scene could keep the builder busy without end.
static bool soup_grow(struct soup *soup)
{
    if (soup->count + soup->dropped >= soup->limit) {
        error_set(soup->error, ERROR_INPUT, "%s: the scene has more than %llu triangles", soup->what,
                  (unsigned long long)soup->limit);
        return error_remedy(soup->error, "take out objects, or give shapes fewer segments, cells or leaves");
    }
    if (soup->count < soup->capacity)
        return true;
    const uint64_t capacity = soup->capacity ? soup->capacity * 2 : 4096;
    if (!memory_resize(&soup->triangles, capacity, sizeof *soup->triangles, soup->error, "for %llu triangles",
                       (unsigned long long)capacity))
        return false;
    soup->capacity = capacity;
    return true;
}

// Farther out, float32 areas overflow.
static bool in_reach(struct vec3 v)
{
    return fabsf(v.x) <= 1e8f && fabsf(v.y) <= 1e8f && fabsf(v.z) <= 1e8f;
}

static struct vec3 soup_vertex(const struct exact_transform *transform, struct exact_vec p)
{
    const struct exact_vec q = exact_transform_point(transform, p);
    return vec3_make((float)q.x, (float)q.y, (float)q.z);
}

// Whether the normal can be told and normalised in float32. Without fused operations a degenerate triangle's cross
// product is exactly 0; with them, as kernels compute it, it may be a rounding error that points anywhere.
static bool has_area(struct vec3 a, struct vec3 b)
{
    const struct vec3 plain = vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    const struct vec3 fused = vec3_cross(a, b);
    return plain.x * plain.x + plain.y * plain.y + plain.z * plain.z > 1e-36f && vec3_dot(fused, fused) > 1e-36f;
}

static bool soup_add_corners(struct soup *soup, struct vec3 v0, struct vec3 v1, struct vec3 v2, uint32_t material)
{
    if (!in_reach(v0) || !in_reach(v1) || !in_reach(v2)) {
        error_set(soup->error, ERROR_INPUT, "%s: a vertex is not finite or lies farther out than 1e8 units",
                  soup->what);
        return error_remedy(soup->error, "lower its position, scale or size, or choose a smaller unit of length");
    }
    if (!soup_grow(soup))
        return false;
    struct triangle triangle = {.v0 = v0, .v1 = v1, .v2 = v2, .material = material};
    if (!has_area(vec3_sub(v1, v0), vec3_sub(v2, v0))) {
        ++soup->dropped;
        return true;
    }
    triangle.id = (uint32_t)soup->count;
    soup->triangles[soup->count++] = triangle;
    return true;
}

bool soup_triangle(struct soup *soup, struct exact_vec a, struct exact_vec b, struct exact_vec c)
{
    const struct exact_transform *transform = &soup->transform;
    return soup_add_corners(soup, soup_vertex(transform, a), soup_vertex(transform, b), soup_vertex(transform, c),
                            soup->material);
}

static struct exact_vec exact_of(struct vec3 v)
{
    return exact_vec_make((double)v.x, (double)v.y, (double)v.z);
}

bool soup_placed(struct soup *soup, const struct triangle *from, const struct exact_transform *transform)
{
    return soup_add_corners(soup, soup_vertex(transform, exact_of(from->v0)),
                            soup_vertex(transform, exact_of(from->v1)), soup_vertex(transform, exact_of(from->v2)),
                            from->material);
}

bool soup_quad(struct soup *soup, struct exact_vec a, struct exact_vec b, struct exact_vec c, struct exact_vec d)
{
    return soup_triangle(soup, a, b, c) && soup_triangle(soup, a, c, d);
}
