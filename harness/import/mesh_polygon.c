// SPDX-License-Identifier: MIT
// A convex polygon is a fan. From any other, ears are cut: corners whose triangle holds no other corner.
#include "import/mesh_polygon.h"

#include <stdlib.h>

#include "base/memory.h"

static const uint64_t STEPS_MAX = (uint64_t)1 << 30; // some seconds

struct corner {
    double x, y; // in the plane that the polygon fills most of
    size_t before, after;
    bool reflex;
};

struct ears {
    struct corner *corners;
    size_t left;
    uint64_t steps;
};

// Newell's: twice the area's vector, also of polygons that are not flat.
static struct exact_vec polygon_normal(const struct exact_vec *vertices, const uint32_t *corners, size_t count)
{
    struct exact_vec sum = {0, 0, 0};
    const struct exact_vec origin = vertices[corners[0]];
    for (size_t i = 1; i + 1 < count; ++i)
        sum = exact_vec_add(sum, exact_vec_cross(exact_vec_sub(vertices[corners[i]], origin),
                                                 exact_vec_sub(vertices[corners[i + 1]], origin)));
    return sum;
}

// Corners, counter-clockwise, in the plane of two axes.
static void project_polygon(const struct exact_vec *vertices, const uint32_t *from, size_t count,
                            struct corner *corners)
{
    const struct exact_vec n = polygon_normal(vertices, from, count);
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
    const double sign = (axis == 0 ? n.x : axis == 1 ? n.y : n.z) < 0 ? -1 : 1;
    for (size_t i = 0; i < count; ++i) {
        const struct exact_vec p = exact_vec_sub(vertices[from[i]], vertices[from[0]]);
        corners[i].x = axis == 0 ? p.y : axis == 1 ? p.z : p.x;
        corners[i].y = sign * (axis == 0 ? p.z : axis == 1 ? p.x : p.y);
        corners[i].before = i > 0 ? i - 1 : count - 1;
        corners[i].after = i + 1 < count ? i + 1 : 0;
    }
}

static double side_of(const struct corner *a, const struct corner *b, const struct corner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static double corner_turn(const struct ears *ears, size_t at)
{
    const struct corner *c = &ears->corners[at];
    return side_of(&ears->corners[c->before], c, &ears->corners[c->after]);
}

static bool same_place(const struct corner *a, const struct corner *b)
{
    return a->x == b->x && a->y == b->y;
}

static bool is_ear(struct ears *ears, size_t at)
{
    const struct corner *b = &ears->corners[at], *a = &ears->corners[b->before], *c = &ears->corners[b->after];
    if (!(corner_turn(ears, at) > 0))
        return false;
    for (size_t i = c->after; i != b->before; i = ears->corners[i].after) {
        const struct corner *p = &ears->corners[i];
        ++ears->steps;
        if (p->reflex && !same_place(p, a) && !same_place(p, b) && !same_place(p, c) && side_of(a, b, p) >= 0 &&
            side_of(b, c, p) >= 0 && side_of(c, a, p) >= 0)
            return false;
    }
    return true;
}

// The next ear from a corner on; the corner itself where there is none, as in polygons that cross themselves.
static size_t find_ear(struct ears *ears, size_t from)
{
    size_t at = from;
    for (size_t i = 0; i < ears->left && ears->steps < STEPS_MAX; ++i, at = ears->corners[at].after)
        if (is_ear(ears, at))
            return at;
    return from;
}

static bool cut_ears(struct ears *ears, const uint32_t *from, uint32_t *triangles)
{
    size_t at = 0;
    while (ears->left >= 3) {
        at = find_ear(ears, at);
        if (ears->steps >= STEPS_MAX)
            return false;
        const size_t before = ears->corners[at].before, after = ears->corners[at].after;
        *triangles++ = from[before];
        *triangles++ = from[at];
        *triangles++ = from[after];
        ears->corners[before].after = after;
        ears->corners[after].before = before;
        ears->corners[before].reflex = corner_turn(ears, before) <= 0;
        ears->corners[after].reflex = corner_turn(ears, after) <= 0;
        --ears->left;
        at = after;
    }
    return true;
}

// From corner `first` on.
static void make_fan(const uint32_t *corners, size_t count, size_t first, uint32_t *triangles)
{
    for (size_t i = 1; i + 1 < count; ++i) {
        *triangles++ = corners[first];
        *triangles++ = corners[(first + i) % count];
        *triangles++ = corners[(first + i + 1) % count];
    }
}

bool mesh_polygon_split(const struct exact_vec *vertices, const uint32_t *corners, size_t count, uint32_t *triangles)
{
    if (count == 3) {
        make_fan(corners, count, 0, triangles);
        return true;
    }
    struct ears ears = {.corners = memory_new(count, sizeof *ears.corners), .left = count};
    size_t inward = 0, last = 0;
    project_polygon(vertices, corners, count, ears.corners);
    for (size_t i = 0; i < count; ++i) {
        const double turned = corner_turn(&ears, i);
        ears.corners[i].reflex = turned <= 0;
        if (turned < 0) {
            ++inward;
            last = i;
        }
    }
    bool done = true;
    if (inward == 0 || (inward == 1 && count == 4))
        make_fan(corners, count, last, triangles);
    else
        done = cut_ears(&ears, corners, triangles);
    free(ears.corners);
    return done;
}
