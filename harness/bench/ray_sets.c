// SPDX-License-Identifier: MIT
#include "bench/ray_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "geometry/parallel.h"

enum { SIDE_MAX = 4096, CHUNK = 4096, KEY_BITS = 10 };

static const float t_far = 1e30f;
static const double offset_share = 1e-5; // of the box's diagonal, by which origins leave their surface

const struct ray_set_view ray_set_sponza_view = {
    .eye = {-115, 18, -4}, .at = {20, 42, 6}, .up = {0, 1, 0}, .half = 0.65};

static const char *const set_names[RAY_SET_KINDS] = {"primary", "diffuse1", "diffuse2", "diffuse1-sorted",
                                                     "diffuse1-shuffled"};

// ---- vectors in double, in the order of operations that the hashes rest on

struct vector {
    double x, y, z;
};

static struct vector vector_of(const double v[3])
{
    return (struct vector){v[0], v[1], v[2]};
}

static struct vector vector_of_floats(const float v[3])
{
    return (struct vector){(double)v[0], (double)v[1], (double)v[2]};
}

static struct vector ray_sets_add(struct vector a, struct vector b)
{
    return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static struct vector ray_sets_subtract(struct vector a, struct vector b)
{
    return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static struct vector scale(struct vector a, double s)
{
    return (struct vector){a.x * s, a.y * s, a.z * s};
}

static double ray_sets_dot(struct vector a, struct vector b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static struct vector ray_sets_cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static struct vector normalize(struct vector a)
{
    const double length = sqrt(ray_sets_dot(a, a));
    return (struct vector){a.x / length, a.y / length, a.z / length};
}

static struct ray_record record(struct vector origin, struct vector direction)
{
    return (struct ray_record){.origin = {(float)origin.x, (float)origin.y, (float)origin.z},
                               .direction = {(float)direction.x, (float)direction.y, (float)direction.z},
                               .t_max = t_far};
}

// ---- random numbers

static double u01(uint64_t seed, uint64_t j, uint64_t k)
{
    return (double)(random_mix(random_mix(seed * 0x100000001B3u + j) + k) >> 40) * 0x1p-24;
}

// ---- primary

static uint32_t even_bits(uint32_t x)
{
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < 16; ++bit)
        result |= (x >> (2 * bit) & 1u) << bit;
    return result;
}

static void make_primary(const struct ray_set_view *view, uint32_t side, struct ray_record *rays)
{
    const struct vector eye = vector_of(view->eye);
    const struct vector forward = normalize(ray_sets_subtract(vector_of(view->at), eye));
    const struct vector right = normalize(ray_sets_cross(forward, vector_of(view->up)));
    const struct vector up = ray_sets_cross(right, forward);
    const double size = (double)side;
    for (uint32_t i = 0; i < side * side; ++i) {
        const double sx = ((even_bits(i) + 0.5) / size * 2.0 - 1.0) * view->half;
        const double sy = (1.0 - (even_bits(i >> 1) + 0.5) / size * 2.0) * view->half;
        rays[i] = record(eye, normalize(ray_sets_add(forward, ray_sets_add(scale(right, sx), scale(up, sy)))));
    }
}

struct ray_set_view ray_set_outside_view(const float low[3], const float high[3])
{
    const double way[3] = {1.0, 0.5, 1.0};
    struct ray_set_view view = {.up = {0, 1, 0}, .half = 0.5};
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        square += ((double)high[axis] - (double)low[axis]) * ((double)high[axis] - (double)low[axis]);
    for (int axis = 0; axis < 3; ++axis) {
        view.at[axis] = 0.5 * ((double)low[axis] + (double)high[axis]);
        view.eye[axis] = view.at[axis] + way[axis] / 1.5 * 1.2 * sqrt(square);
    }
    return view;
}

// ---- diffuse

struct generation {
    const struct ray_mesh *mesh;
    const struct ray_record *from_rays;
    const struct reference_hit *from_hits;
    const uint32_t *hitting; // rays that hit something, ascending
    uint32_t hitting_count, count;
    uint64_t seed;
    double offset;
    struct ray_record *rays;
};

// Unit normal of a triangle, on the side that `direction` comes from.
static struct vector facing_normal(const struct ray_mesh *mesh, uint32_t id, struct vector direction)
{
    const float *corners = &mesh->corners[9 * (size_t)id];
    const struct vector v0 = vector_of_floats(corners);
    const struct vector normal = normalize(ray_sets_cross(ray_sets_subtract(vector_of_floats(corners + 3), v0),
                                                          ray_sets_subtract(vector_of_floats(corners + 6), v0)));
    return ray_sets_dot(normal, direction) > 0.0 ? scale(normal, -1.0) : normal;
}

// A cosine-distributed direction about `normal`.
static struct vector diffuse_direction(struct vector normal, uint64_t seed, uint64_t j)
{
    struct vector s;
    double square;
    uint64_t k = 0;
    do {
        s.x = u01(seed, j, k) * 2.0 - 1.0;
        s.y = u01(seed, j, k + 1) * 2.0 - 1.0;
        s.z = u01(seed, j, k + 2) * 2.0 - 1.0;
        square = ray_sets_dot(s, s);
        k += 3;
    } while (square > 1.0 || square < 1e-6);
    const struct vector sum = ray_sets_add(normal, normalize(s));
    return ray_sets_dot(sum, sum) < 1e-6 ? normal : normalize(sum);
}

static void make_diffuse_chunk(void *context, uint32_t chunk)
{
    const struct generation *generation = context;
    const uint32_t first = chunk * CHUNK, left = generation->count - first;
    for (uint32_t r = first; r < first + (left < CHUNK ? left : CHUNK); ++r) {
        // Ray j comes from ray j mod count of the set before, where that hit: so ray r of this set has this j.
        const uint32_t i = generation->hitting[r % generation->hitting_count];
        const uint64_t j = (uint64_t)(r / generation->hitting_count) * generation->count + i;
        const struct ray_record *from = &generation->from_rays[i];
        const struct reference_hit *hit = &generation->from_hits[i];
        const struct vector direction = vector_of_floats(from->direction);
        const struct vector normal = facing_normal(generation->mesh, hit->id, direction);
        const struct vector point = ray_sets_add(ray_sets_add(vector_of_floats(from->origin), scale(direction, hit->t)),
                                                 scale(normal, generation->offset));
        generation->rays[r] = record(point, diffuse_direction(normal, generation->seed, j));
    }
}

static double diagonal(const struct ray_mesh *mesh)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t c = 0; c < 9 * (size_t)mesh->triangle_count; ++c) {
        low[c % 3] = fmin(low[c % 3], (double)mesh->corners[c]);
        high[c % 3] = fmax(high[c % 3], (double)mesh->corners[c]);
    }
    const struct vector size = ray_sets_subtract(vector_of(high), vector_of(low));
    return sqrt(ray_sets_dot(size, size));
}

static bool make_diffuse(const struct ray_mesh *mesh, const struct ray_set *from, uint32_t count, uint64_t seed,
                         uint32_t threads, struct ray_record *rays, struct error *error)
{
    uint32_t *hitting = memory_try(count, sizeof *hitting, error, "for %u rays", count), hitting_count = 0;
    if (!hitting)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (from->hits[i].id != REFERENCE_MISS)
            hitting[hitting_count++] = i;
    struct generation generation = {.mesh = mesh,
                                    .from_rays = from->rays,
                                    .from_hits = from->hits,
                                    .hitting = hitting,
                                    .hitting_count = hitting_count,
                                    .count = count,
                                    .seed = seed,
                                    .offset = offset_share * diagonal(mesh),
                                    .rays = rays};
    if (hitting_count > 0)
        parallel_for(threads, (count + CHUNK - 1) / CHUNK, make_diffuse_chunk, &generation);
    free(hitting);
    return hitting_count > 0 || error_set(error, ERROR_INPUT, "no %s ray hits the mesh", from->name);
}

// ---- orders

struct keyed {
    uint64_t key;
    uint32_t index;
};

static uint64_t quantize(double x, double low, double high)
{
    const double cells = (double)(1 << KEY_BITS), cell = high > low ? (x - low) / (high - low) * cells : 0.0;
    return (uint64_t)(cell < 0.0 ? 0.0 : cell >= cells ? cells - 1.0 : cell);
}

static uint64_t curve_key(const struct ray_record *ray, const float low[3], const float high[3])
{
    uint64_t cells[6], key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        cells[axis] = quantize((double)ray->origin[axis], (double)low[axis], (double)high[axis]);
        cells[axis + 3] = quantize((double)ray->direction[axis], -1.0, 1.0);
    }
    for (int level = KEY_BITS - 1; level >= 0; --level)
        for (int i = 0; i < 6; ++i)
            key = key << 1 | (cells[i] >> level & 1u);
    return key;
}

static int compare_keyed(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool order_sorted(const struct ray_record *rays, uint32_t count, uint32_t *order, struct error *error)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    struct keyed *keyed = memory_try(count, sizeof *keyed, error, "to sort %u rays", count);
    if (!keyed)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = fminf(low[axis], rays[i].origin[axis]);
            high[axis] = fmaxf(high[axis], rays[i].origin[axis]);
        }
    for (uint32_t i = 0; i < count; ++i)
        keyed[i] = (struct keyed){curve_key(&rays[i], low, high), i};
    qsort(keyed, count, sizeof *keyed, compare_keyed);
    for (uint32_t i = 0; i < count; ++i)
        order[i] = keyed[i].index;
    free(keyed);
    return true;
}

static void order_shuffled(uint32_t count, uint32_t *order)
{
    for (uint32_t i = 0; i < count; ++i)
        order[i] = i;
    for (uint32_t i = count - 1; i >= 1; --i) {
        const uint32_t j = (uint32_t)(random_mix(0xABCDEFu + (uint64_t)i) % ((uint64_t)i + 1)), swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
}

static bool make_reordered(struct ray_sets *sets, struct error *error)
{
    const struct ray_set *from = &sets->sets[RAY_SET_DIFFUSE1];
    uint32_t *order = memory_try(sets->count, sizeof *order, error, "to reorder %u rays", sets->count);
    bool done = order != NULL;
    for (int kind = RAY_SET_DIFFUSE1_SORTED; done && kind <= RAY_SET_DIFFUSE1_SHUFFLED; ++kind) {
        struct ray_set *set = &sets->sets[kind];
        if (kind == RAY_SET_DIFFUSE1_SORTED)
            done = order_sorted(from->rays, sets->count, order, error);
        else
            order_shuffled(sets->count, order);
        for (uint32_t i = 0; done && i < sets->count; ++i) {
            set->rays[i] = from->rays[order[i]];
            set->hits[i] = from->hits[order[i]];
        }
    }
    free(order);
    return done;
}

// ---- sets

static const uint64_t fnv_basis = 1469598103934665603u, fnv_prime = 0x100000001B3u;

static void hash_set(struct ray_set *set, uint32_t count)
{
    const unsigned char *bytes = (const unsigned char *)set->rays;
    set->ray_hash = set->id_hash = fnv_basis;
    for (size_t i = 0; i < count * sizeof *set->rays; ++i)
        set->ray_hash = (set->ray_hash ^ bytes[i]) * fnv_prime;
    for (uint32_t i = 0; i < count; ++i)
        set->id_hash = (set->id_hash ^ set->hits[i].id) * fnv_prime;
}

static bool ray_sets_allocate(struct ray_sets *sets, struct error *error)
{
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        struct ray_set *set = &sets->sets[kind];
        set->name = set_names[kind];
        set->rays = malloc(sets->count * sizeof *set->rays);
        set->hits = malloc(sets->count * sizeof *set->hits);
        if (!set->rays || !set->hits)
            return error_memory(error, "for %u rays", sets->count);
    }
    return true;
}

static bool ray_sets_fill(const struct reference *reference, const struct ray_mesh *mesh,
                          const struct ray_set_view *view, uint32_t side, uint32_t threads, struct ray_sets *sets,
                          struct error *error)
{
    make_primary(view, side, sets->sets[RAY_SET_PRIMARY].rays);
    for (int kind = RAY_SET_PRIMARY; kind <= RAY_SET_DIFFUSE2; ++kind) {
        struct ray_set *set = &sets->sets[kind];
        if (kind > RAY_SET_PRIMARY &&
            !make_diffuse(mesh, set - 1, sets->count, (uint64_t)kind, threads, set->rays, error))
            return false;
        reference_hits(reference, set->rays, sets->count, threads, set->hits);
    }
    return make_reordered(sets, error);
}

bool ray_sets_make(const struct ray_mesh *mesh, const struct ray_set_view *view, uint32_t side, uint32_t threads,
                   struct ray_sets *sets, struct error *error)
{
    memset(sets, 0, sizeof *sets);
    if (side < 1 || side > SIDE_MAX || (side & (side - 1)) != 0)
        return error_set(error, ERROR_USE, "%u pixels a side is not a power of two up to %d", side, SIDE_MAX);
    sets->count = side * side;
    struct reference *reference = reference_create(mesh, threads, error);
    const bool done =
        reference && ray_sets_allocate(sets, error) && ray_sets_fill(reference, mesh, view, side, threads, sets, error);
    for (int kind = 0; done && kind < RAY_SET_KINDS; ++kind)
        hash_set(&sets->sets[kind], sets->count);
    reference_destroy(reference);
    if (!done)
        ray_sets_finish(sets);
    return done;
}

void ray_sets_finish(struct ray_sets *sets)
{
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        free(sets->sets[kind].rays);
        free(sets->sets[kind].hits);
    }
    memset(sets, 0, sizeof *sets);
}
