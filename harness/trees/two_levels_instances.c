// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/corner_blocks.h"
#include "trees/two_levels.h"
#include "geometry/parallel.h"
#include "geometry/scale.h"

// ---- transforms

// Of a matrix that is not singular, by its cofactors.
static void invert_matrix(const double m[3][3], double inverse[3][3])
{
    const double factor = 1 / exact_determinant(m);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[i][j] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) * factor + 0.0;
        }
}

// The greatest sum of the magnitudes in a row: by how much a box about the origin may grow.
static double transform_growth(const double m[3][3])
{
    double most = 0;
    for (int i = 0; i < 3; ++i) {
        const double sum = fabs(m[i][0]) + fabs(m[i][1]) + fabs(m[i][2]);
        most = sum > most ? sum : most;
    }
    return most;
}

enum { WORST_STRETCH = 10000 }; // that float32 leaves a few digits of

bool levels_placeable(const struct exact_transform *to_world, const char **why)
{
    double inverse[3][3];
    for (int i = 0; i < 3; ++i) {
        *why = "is not finite, or moves it farther out than 1e8 units";
        if (!(fabs(to_world->t[i]) <= 1e8))
            return false;
        for (int j = 0; j < 3; ++j)
            if (!(fabs(to_world->m[i][j]) <= 1e6))
                return false;
    }
    *why = "is singular: it flattens the part, or makes it smaller than 1e-6 times its size";
    const double volume = exact_determinant(to_world->m), size = transform_growth(to_world->m);
    if (!(size > 1e-6) || !(fabs(volume) > 1e-9 * size * size * size))
        return false;
    *why = "stretches the part more than 10000 times as much along one direction as along another";
    invert_matrix(to_world->m, inverse);
    return size * transform_growth((const double(*)[3])inverse) <= WORST_STRETCH;
}

// By way of memory: gcc 12 at -O2 and above vectorizes (double)(float)x to nothing.
static double round_to_float(double x)
{
    volatile float rounded = (float)x;
    return (double)rounded;
}

struct exact_transform levels_round(const struct exact_transform *to_world)
{
    struct exact_transform rounded;
    double inverse[3][3];
    invert_matrix(to_world->m, inverse);
    for (int i = 0; i < 3; ++i) {
        rounded.t[i] = round_to_float(to_world->t[i]);
        for (int j = 0; j < 3; ++j)
            inverse[i][j] = round_to_float(inverse[i][j]);
    }
    invert_matrix((const double(*)[3])inverse, rounded.m);
    return rounded;
}

static bool is_identity(const struct exact_transform *transform)
{
    const struct exact_transform identity = exact_transform_identity();
    for (int i = 0; i < 3; ++i) {
        if (transform->t[i] != 0)
            return false;
        for (int j = 0; j < 3; ++j)
            if (transform->m[i][j] != identity.m[i][j])
                return false;
    }
    return true;
}

// ---- places

struct placing {
    const struct levels *levels;
    const struct placement *placements;
    struct corner_blocks *corners; // by object
    struct instance *instances;
};

static void place_one(void *context, uint32_t index)
{
    const struct placing *placing = context;
    const struct placement *from = &placing->placements[index];
    struct instance *to = &placing->instances[index];
    double inverse[3][3];
    invert_matrix(from->to_world.m, inverse);
    to->object = from->object;
    to->identity = is_identity(&from->to_world);
    to->position = vec3_from(from->to_world.t);
    corner_blocks_bounds(&placing->corners[from->object], &from->to_world, &to->low, &to->high);
    for (int i = 0; i < 3; ++i) {
        to->to_object[i] = vec3_from(inverse[i]);
        to->to_world[i] = vec3_from(from->to_world.m[i]);
    }
}

bool levels_place(const struct levels *levels, const struct placement *placements, uint32_t count, uint32_t threads,
                  struct instance **instances, struct error *error)
{
    struct placing placing = {.levels = levels,
                              .placements = placements,
                              .corners = calloc((size_t)levels->object_count + 1, sizeof *placing.corners)};
    bool enough = placing.corners != NULL;
    *instances = placing.instances = aligned_alloc(64, ((size_t)count + 1) * sizeof **instances);
    for (uint32_t i = 0; enough && i < levels->object_count; ++i) {
        const struct object_range *object = &levels->objects[i];
        enough = corner_blocks_make(levels->triangles + object->first, object->count, &placing.corners[i]);
    }
    enough = enough && *instances;
    if (enough) {
        memset(*instances, 0, ((size_t)count + 1) * sizeof **instances);
        parallel_for(threads, count, place_one, &placing);
    }
    for (uint32_t i = 0; placing.corners && i < levels->object_count; ++i)
        corner_blocks_finish(&placing.corners[i]);
    free(placing.corners);
    return enough || error_memory(error, "for %u instances", count);
}

// The pad covers the rounding of tests of a ray from anywhere in the scene: in an object's units that of the scene, but not
// less than that of a scene that is the object alone.
static void set_pads(const struct placement *placements, float pad, struct object_range *objects, uint32_t object_count,
                     const struct triangle *triangles, uint32_t count)
{
    for (uint32_t k = 0; k < object_count; ++k) {
        float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
        for (uint32_t i = 0; i < objects[k].count; ++i) {
            const struct triangle *t = &triangles[objects[k].first + i];
            const struct vec3 corners[3] = {t->v0, t->v1, t->v2};
            for (int c = 0; c < 3; ++c) {
                const float place[3] = {corners[c].x, corners[c].y, corners[c].z};
                for (int axis = 0; axis < 3; ++axis) {
                    low[axis] = fminf(low[axis], place[axis]);
                    high[axis] = fmaxf(high[axis], place[axis]);
                }
            }
        }
        objects[k].pad = scene_box_pad(low, high);
    }
    for (uint32_t i = 0; i < count; ++i) {
        struct object_range *object = &objects[placements[i].object];
        double inverse[3][3];
        invert_matrix(placements[i].to_world.m, inverse);
        object->pad = fmaxf(object->pad, (float)((double)pad * transform_growth((const double(*)[3])inverse)));
    }
}

void levels_widen(const struct placement *placements, float pad, struct object_range *objects, uint32_t object_count,
                  const struct triangle *triangles, struct instance *instances, uint32_t count)
{
    set_pads(placements, pad, objects, object_count, triangles, count);
    for (uint32_t i = 0; i < count; ++i) {
        struct instance *to = &instances[i];
        double inverse[3][3];
        invert_matrix(placements[i].to_world.m, inverse);
        // Rounding in the object's space is that much larger in the world where the transform stretches.
        const double stretch =
            transform_growth(placements[i].to_world.m) * transform_growth((const double(*)[3])inverse);
        const float by = (float)((double)pad * ((1 + stretch) / 2));
        to->pad = objects[to->object].pad;
        to->low = vec3_make(to->low.x - by, to->low.y - by, to->low.z - by);
        to->high = vec3_make(to->high.x + by, to->high.y + by, to->high.z + by);
    }
}

// ---- numbers

uint64_t levels_effective(const struct object_range *objects, const struct instance *instances, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += objects[instances[i].object].count;
    return sum;
}

static uint64_t runs_of(const struct object_range *objects, const struct instance *instances, uint32_t count,
                        uint32_t shift)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += ((uint64_t)objects[instances[i].object].count + ((uint64_t)1 << shift) - 1) >> shift;
    return sum;
}

// The slots of an instance begin at a multiple of 2^shift: the finest with at most sixteen runs an instance and no more slots
// than 32 bits name, so that large parts and small ones can be in one scene.
static bool choose_shift(const struct object_range *objects, const struct instance *instances, uint32_t count,
                         uint32_t *shift)
{
    const uint64_t slots = (uint64_t)UINT32_MAX;
    for (*shift = 0; *shift < 28; ++*shift) {
        const uint64_t runs = runs_of(objects, instances, count, *shift);
        if (runs <= 16 * (uint64_t)count + 1024)
            return runs << *shift <= slots;
    }
    return false;
}

bool levels_number(const struct object_range *objects, struct instance *instances, uint32_t count, uint32_t **runs,
                   uint32_t *run_count, uint32_t *shift, struct error *error)
{
    *runs = NULL;
    if (!choose_shift(objects, instances, count, shift)) {
        error_set(error, ERROR_INPUT, "the instances have %llu triangles together, more than 32 bits can number",
                  (unsigned long long)levels_effective(objects, instances, count));
        return error_remedy(error, "take out instances, or give their parts fewer triangles");
    }
    *run_count = (uint32_t)runs_of(objects, instances, count, *shift);
    *runs = memory_try((size_t)*run_count + 1, sizeof **runs, error, "for %u instances", count);
    if (!*runs)
        return false;
    uint32_t ids = 0, run = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const struct object_range *object = &objects[instances[i].object];
        const uint32_t mine = (uint32_t)(((uint64_t)object->count + (1u << *shift) - 1) >> *shift);
        instances[i].ids = ids - object->first;
        instances[i].slots = (run << *shift) - object->first;
        for (uint32_t k = 0; k < mine; ++k)
            (*runs)[run + k] = i;
        run += mine;
        ids += object->count;
    }
    return true;
}

// ---- checking

static bool levels_damaged(struct error *error, const char *why)
{
    return error_set(error, ERROR_INPUT, "the scene image is damaged: %s", why);
}

static bool is_finite(struct vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// That one way and back comes out where it began, and that an identity is one.
static bool check_matrices(const struct instance *instance)
{
    const struct vec3 *o = instance->to_object, *w = instance->to_world;
    if (!is_finite(instance->position) || !is_finite(instance->low) || !is_finite(instance->high))
        return false;
    for (int i = 0; i < 3; ++i) {
        if (!is_finite(o[i]) || !is_finite(w[i]))
            return false;
        const double row[3] = {(double)o[i].x, (double)o[i].y, (double)o[i].z};
        const double product[3] = {row[0] * (double)w[0].x + row[1] * (double)w[1].x + row[2] * (double)w[2].x,
                                   row[0] * (double)w[0].y + row[1] * (double)w[1].y + row[2] * (double)w[2].y,
                                   row[0] * (double)w[0].z + row[1] * (double)w[1].z + row[2] * (double)w[2].z};
        for (int j = 0; j < 3; ++j)
            if (!(fabs(product[j] - (i == j)) < 0.01) || (instance->identity && row[j] != (i == j)))
                return false;
    }
    const struct vec3 p = instance->position;
    return instance->identity <= 1 && (!instance->identity || (p.x == 0 && p.y == 0 && p.z == 0));
}

static bool check_numbers(const struct levels *levels, struct error *error)
{
    struct instance *copies = calloc((size_t)levels->instance_count + 1, sizeof *copies);
    uint32_t *runs = NULL, run_count = 0, shift = 0;
    if (!copies)
        return error_memory(error, "to check %u instances", levels->instance_count);
    memcpy(copies, levels->instances, levels->instance_count * sizeof *copies);
    bool same = levels_number(levels->objects, copies, levels->instance_count, &runs, &run_count, &shift, error) &&
                shift == levels->instance_shift && run_count == levels->run_count &&
                memcmp(runs, levels->instance_of, run_count * sizeof *runs) == 0;
    for (uint32_t i = 0; same && i < levels->instance_count; ++i)
        same = copies[i].slots == levels->instances[i].slots && copies[i].ids == levels->instances[i].ids;
    free(copies);
    free(runs);
    return same || levels_damaged(error, "its instances are numbered in another way");
}

bool levels_check(const struct levels *levels, struct error *error)
{
    uint64_t next = 0;
    if (levels->instance_count == 0 || levels->instance_count > INSTANCES_MAX)
        return levels_damaged(error, "it has no instances, or too many");
    for (uint32_t i = 0; i < levels->object_count; ++i) {
        const struct object_range *object = &levels->objects[i];
        if (object->first != next || object->count == 0 || !(object->pad >= 0 && isfinite(object->pad)))
            return levels_damaged(error, "its objects are no parts of its triangles");
        next += object->count;
    }
    if (next != levels->triangle_count)
        return levels_damaged(error, "its objects are no parts of its triangles");
    for (uint32_t i = 0; i < levels->instance_count; ++i) {
        const struct instance *instance = &levels->instances[i];
        if (instance->object >= levels->object_count)
            return levels_damaged(error, "an instance is of no object");
        if (!check_matrices(instance))
            return levels_damaged(error, "an instance has no transform");
        if (instance->pad != levels->objects[instance->object].pad || !(instance->low.x <= instance->high.x) ||
            !(instance->low.y <= instance->high.y) || !(instance->low.z <= instance->high.z))
            return levels_damaged(error, "an instance has no box");
    }
    return check_numbers(levels, error);
}
