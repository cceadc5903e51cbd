// SPDX-License-Identifier: MIT
#include "scene/detail.h"

#include <stdlib.h>

#include "trees/hit_point.h"

#include "base/memory.h"

static float longest_edge(const struct triangle *t)
{
    const struct vec3 a = vec3_sub(t->v1, t->v0), b = vec3_sub(t->v2, t->v1), c = vec3_sub(t->v0, t->v2);
    return sqrtf(fmaxf(vec3_dot(a, a), fmaxf(vec3_dot(b, b), vec3_dot(c, c))));
}

static float farthest_corner(const struct triangle *t)
{
    return fmaxf(vec3_reach(t->v0), fmaxf(vec3_reach(t->v1), vec3_reach(t->v2)));
}

static bool edge_too_fine(float edge, float reach)
{
    return edge < OFFSET_SHARE * reach;
}

// The least factor by which an instance's transform, whose inverse's rows are given, changes a length, or less.
static float least_scale(const struct vec3 to_object[3])
{
    float squares = 0;
    for (int i = 0; i < 3; ++i)
        squares += vec3_dot(to_object[i], to_object[i]);
    return 1 / sqrtf(squares);
}

// Triangles of all instances of which one is too fine where its instance stands.
static uint64_t too_fine_instances(const struct levels *levels)
{
    float *least = memory_new(levels->object_count, sizeof *least);
    uint64_t fine = 0;
    for (uint32_t k = 0; k < levels->object_count; ++k) {
        least[k] = INFINITY;
        for (uint32_t i = 0; i < levels->objects[k].count; ++i)
            least[k] = fminf(least[k], longest_edge(&levels->triangles[levels->objects[k].first + i]));
    }
    for (uint32_t i = 0; i < levels->instance_count; ++i) {
        const struct instance *instance = &levels->instances[i];
        const float edge = least[instance->object] * least_scale(instance->to_object);
        if (edge_too_fine(edge, vec3_reach(instance->position)))
            fine += levels->objects[instance->object].count;
    }
    free(least);
    return fine;
}

uint64_t detail_too_fine(const struct levels *levels)
{
    uint64_t fine = levels->instances ? too_fine_instances(levels) : 0;
    for (uint32_t i = 0; i < levels->triangle_count; ++i) {
        const struct triangle *t = &levels->triangles[i];
        fine += edge_too_fine(longest_edge(t), farthest_corner(t));
    }
    return fine;
}
