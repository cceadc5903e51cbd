// SPDX-License-Identifier: MIT
// Fragments and the tree wide4: that all trees over the same fragments find the same hits, bit for bit, over whole
// triangles those that were found before there were fragments; that steps are those of a plain walk; the builders, on any
// number of threads; and the check of trees from files.
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "mesh_support.h"
#include "trees/fragments.h"
#include "geometry/parallel.h"
#include "bench/ray_sets.h"
#include "geometry/scale.h"
#include "trees/tree.h"
#include "trace_rays.h"

enum { CHUNK = 2048, TREES = 3 };

static const uint32_t kinds[TREES] = {TREE_BINARY, TREE_KD16, TREE_WIDE4};

static bool full;

// The same mesh under all trees, whole or split.
struct fixture {
    struct test_mesh mesh;
    struct fragment_list fragments;
    struct tree trees[TREES];
    struct scene_view views[TREES];
    float pad;
};

static struct scene_grid grid_of(const struct test_mesh *mesh, float pad)
{
    return scene_grid_make(mesh->low, mesh->high, pad);
}

static struct fragment_list split(const struct test_mesh *mesh, float pad, uint32_t threads)
{
    const struct scene_grid grid = grid_of(mesh, pad);
    struct fragment_list list;
    struct error error;
    if (!fragments_make(mesh->triangles, mesh->count, pad, &grid, threads, &list, &error))
        fail_msg("%s", error.message);
    return list;
}

static struct tree build(const struct test_mesh *mesh, const struct scene_tree_options *how,
                         const struct fragment_list *fragments, float pad, uint32_t threads)
{
    struct error error = {0};
    struct tree tree;
    const struct tree_build_options options = {.tree = *how,
                                               .threads = threads,
                                               .pad = pad,
                                               .fragments = fragments->items,
                                               .fragment_count = fragments->count};
    if (!tree_build(mesh->triangles, mesh->count, &options, &tree, &error) ||
        !tree_validate(&tree, mesh->triangles, mesh->count, pad, &error))
        fail_msg("%s", error.message);
    return tree;
}

static void fixture_make(struct fixture *fixture, bool into_fragments)
{
    const struct test_mesh *mesh = &fixture->mesh;
    fixture->pad = scene_box_pad(mesh->low, mesh->high);
    fixture->fragments = into_fragments ? split(mesh, fixture->pad, 0) : (struct fragment_list){0};
    for (int i = 0; i < TREES; ++i) {
        const struct scene_tree_options how = {.kind = kinds[i]};
        fixture->trees[i] = build(mesh, &how, &fixture->fragments, fixture->pad, 0);
        fixture->views[i] = (struct scene_view){.box_pad = fixture->pad};
        tree_view(&fixture->trees[i], mesh->low, mesh->high, &fixture->views[i]);
    }
    print_message("  %u triangles, %u fragments\n", mesh->count, fixture->fragments.count);
}

// Leaves the mesh.
static void fixture_finish(struct fixture *fixture)
{
    for (int i = 0; i < TREES; ++i)
        tree_finish(&fixture->trees[i]);
    free(fixture->fragments.items);
}

// ---- the same hits

struct way_case {
    const char *name;
    trace_function *trace;
    struct trace_options options;
};

static const struct way_case way_cases[] = {
    {"vector", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, false, false}},
    {"scalar", trace_rays_scalar, {TRAVERSAL_WHILE_WHILE, false, false}},
    {"far first", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, true, false}},
    {"speculative", trace_rays_vector, {TRAVERSAL_SPECULATIVE, false, false}},
    {"voted", trace_rays_vector, {TRAVERSAL_VOTED, false, false}},
    {"voted, far first, scalar", trace_rays_scalar, {TRAVERSAL_VOTED, true, false}},
    {"any hit", trace_rays_vector, {TRAVERSAL_WHILE_WHILE, false, true}},
    {"voted, any hit", trace_rays_vector, {TRAVERSAL_VOTED, false, true}},
};
enum { WAYS = sizeof way_cases / sizeof *way_cases };

struct batch {
    const struct way_case *way;
    const struct scene_view *scene;
    const struct ray_record *rays;
    uint32_t count;
    struct hit *hits;
};

static void trace_chunk(void *context, uint32_t chunk)
{
    const struct batch *batch = context;
    const uint32_t first = chunk * CHUNK, left = batch->count - first;
    batch->way->trace(batch->scene, &batch->way->options, batch->rays + first, left < CHUNK ? left : CHUNK,
                      batch->hits + first);
}

static void trace(const struct way_case *way, const struct scene_view *scene, const struct ray_record *rays,
                  uint32_t count, struct hit *hits)
{
    struct batch batch = {way, scene, rays, count, hits};
    parallel_for(0, (count + CHUNK - 1) / CHUNK, trace_chunk, &batch);
}

static void assert_same(const struct way_case *way, const char *tree, const char *what, const struct hit *hits,
                        const struct hit *expected, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const bool same = way->options.any
                              ? (hits[i].id == HIT_NONE) == (expected[i].id == HIT_NONE)
                              : f32_bits(hits[i].t) == f32_bits(expected[i].t) && hits[i].id == expected[i].id;
        if (!same)
            fail_msg("%s, %s, %s, ray %u: t %.9g id %u against t %.9g id %u", tree, way->name, what, i,
                     (double)hits[i].t, hits[i].id, (double)expected[i].t, expected[i].id);
    }
}

// Returns how many rays hit.
static uint32_t check_rays(const struct fixture *fixture, const char *what, const struct ray_record *rays,
                           uint32_t count)
{
    struct hit *expected = malloc(count * sizeof *expected), *hits = malloc(count * sizeof *hits);
    uint32_t met = 0;
    assert_true(expected && hits);
    trace(&way_cases[0], &fixture->views[0], rays, count, expected);
    for (int tree = 1; tree < TREES; ++tree)
        for (int way = 0; way < (kinds[tree] == TREE_WIDE4 ? WAYS : 1); ++way) {
            trace(&way_cases[way], &fixture->views[tree], rays, count, hits);
            assert_same(&way_cases[way], tree_kinds[kinds[tree]].name, what, hits, expected, count);
        }
    for (uint32_t i = 0; i < count; ++i)
        met += expected[i].id != HIT_NONE;
    free(expected);
    free(hits);
    return met;
}

static void check_ray_sets(const struct fixture *fixture, const struct ray_sets *sets)
{
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
        assert_true(check_rays(fixture, sets->sets[kind].name, sets->sets[kind].rays, sets->count) > sets->count / 100);
}

enum { IN_PLANE, EDGE_ON, TO_VERTEX, ALONG_AXIS, FROM_AFAR, RAY_KINDS };
static const char *const ray_kinds[RAY_KINDS] = {"in a plane", "edge-on", "through a vertex", "along an axis",
                                                 "from afar"};

// A ray that arithmetic can get wrong, aimed at triangle `i`.
static void adversarial_ray(const struct fixture *fixture, int kind, uint64_t *random, uint32_t i,
                            struct ray_record *ray)
{
    const struct test_mesh *mesh = &fixture->mesh;
    const float *corners = &mesh->corners[9 * (size_t)(i * 7919u % mesh->count)];
    float reach = 0, to[3], along[3];
    const float a = 1.5f * random_signed(random), b = 1.5f * random_signed(random);
    const uint32_t axis_along = i % 3;
    for (int axis = 0; axis < 3; ++axis) {
        const float v0 = corners[axis], e1 = corners[3 + axis] - v0, e2 = corners[6 + axis] - v0;
        reach = fmaxf(reach, mesh->high[axis] - mesh->low[axis]);
        to[axis] = kind == IN_PLANE ? v0 + fabsf(a) * e1 + fabsf(b) * e2 : v0;
        along[axis] = kind == EDGE_ON ? e1 : a * e1 + b * e2;
    }
    const float distance = kind == FROM_AFAR ? reach * (55.0f + 45.0f * random_signed(random)) : 1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        if (kind == TO_VERTEX)
            along[axis] = reach * random_signed(random);
        else if (kind == FROM_AFAR)
            along[axis] = random_signed(random);
        else if (kind == ALONG_AXIS)
            along[axis] = (uint32_t)axis != axis_along ? copysignf(0.0f, a) : i % 2 ? -reach : reach;
        ray->origin[axis] = to[axis] - along[axis] * distance;
        ray->direction[axis] = i % 4 == 0 ? to[axis] - ray->origin[axis] : along[axis];
    }
    ray->t_max = i % 11 == 0 ? 1.0f : i % 13 == 0 ? INFINITY : 1e30f;
}

static void check_adversarial(const struct fixture *fixture, uint32_t count)
{
    struct ray_record *rays = calloc(count, sizeof *rays);
    uint64_t random = 11;
    assert_non_null(rays);
    for (int kind = 0; kind < RAY_KINDS; ++kind) {
        for (uint32_t i = 0; i < count; ++i)
            adversarial_ray(fixture, kind, &random, i, &rays[i]);
        const uint32_t met = check_rays(fixture, ray_kinds[kind], rays, count);
        assert_true(met > 0 || fixture->mesh.count == 1);
        print_message("  %-18s %u rays, %u hit: none differs\n", ray_kinds[kind], count, met);
    }
    free(rays);
}

static void check_mesh(struct test_mesh *mesh, const struct ray_sets *sets, uint32_t adversarial)
{
    for (int into_fragments = 0; into_fragments < 2; ++into_fragments) {
        struct fixture fixture = {.mesh = *mesh};
        fixture_make(&fixture, into_fragments);
        if (sets)
            check_ray_sets(&fixture, sets);
        check_adversarial(&fixture, adversarial);
        fixture_finish(&fixture);
    }
    test_mesh_finish(mesh);
}

static struct ray_sets make_sets(const struct test_mesh *mesh, const struct ray_set_view *view, uint32_t side)
{
    struct ray_sets sets;
    struct error error;
    const struct ray_mesh rays = test_mesh_rays(mesh);
    if (!ray_sets_make(&rays, view, side, 0, &sets, &error))
        fail_msg("%s", error.message);
    return sets;
}

static void test_procedural_mesh(void **state)
{
    struct test_mesh mesh;
    (void)state;
    assert_true(test_mesh_procedural(&mesh));
    const struct ray_set_view view = ray_set_outside_view(mesh.low, mesh.high);
    struct ray_sets sets = make_sets(&mesh, &view, 32 / COARSER);
    check_mesh(&mesh, &sets, full ? 1u << 20 : 3000 / FEWER);
    ray_sets_finish(&sets);
}

static void test_sponza(void **state)
{
    struct test_mesh mesh;
    (void)state;
    if (!full || !test_mesh_sponza(&mesh)) {
        print_message("with --full, and sponza.ply.xz in $WARPSTUDY_SHARED_SCENES\n");
        skip();
    }
    struct ray_sets sets = make_sets(&mesh, &ray_set_sponza_view, 1024);
    check_mesh(&mesh, &sets, 1u << 20);
    ray_sets_finish(&sets);
}

// By kind: one triangle; long slivers across one another, which splitting cuts most; the same far from where they were
// modelled; and small triangles close together above one so large that they are finer than a step of the grid.
enum { DETAIL = 3, SMALL_MESHES };

static float small_corner(int kind, uint32_t i, const float *corners, uint64_t *random)
{
    static const float one[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, large[9] = {-4000, -4000, 0, 4000, -4000, 0, 0, 4000, 0};
    if (kind == 0)
        return one[i];
    if (kind == DETAIL)
        return i < 9        ? large[i]
               : i % 9 >= 3 ? corners[i - 3] + 0.02f * random_signed(random)
                            : 10 + 0.2f * random_signed(random);
    if (i % 9 >= 6)
        return corners[i - 3] + 0.01f * random_signed(random);
    return (kind == 2 ? 4000.0f : 0.0f) + 10.0f * random_signed(random);
}

static void small_mesh(int kind, struct test_mesh *mesh)
{
    const uint32_t count = kind == 0 ? 1 : 200;
    float *corners = malloc(9 * (size_t)count * sizeof *corners);
    uint64_t random = 5;
    assert_non_null(corners);
    for (uint32_t i = 0; i < 9 * count; ++i)
        corners[i] = small_corner(kind, i, corners, &random);
    assert_true(test_mesh_from_corners(mesh, corners, count));
}

static void test_small_meshes(void **state)
{
    (void)state;
    for (int kind = 0; kind < SMALL_MESHES; ++kind) {
        struct test_mesh mesh;
        small_mesh(kind, &mesh);
        check_mesh(&mesh, NULL, full ? 1u << 20 : 2000 / FEWER);
    }
}

// Nodes hold floats where the grid is too coarse, and nowhere else; over fragments never.
static void test_forms(void **state)
{
    const struct scene_tree_options how = {.kind = TREE_WIDE4};
    (void)state;
    for (int kind = 0; kind <= SMALL_MESHES; ++kind) {
        struct test_mesh mesh;
        if (kind < SMALL_MESHES)
            small_mesh(kind, &mesh);
        else
            assert_true(test_mesh_procedural(&mesh));
        const float pad = scene_box_pad(mesh.low, mesh.high);
        struct fragment_list none = {0}, list = split(&mesh, pad, 1);
        struct tree whole = build(&mesh, &how, &none, pad, 1), split = build(&mesh, &how, &list, pad, 1);
        assert_int_equal(wide4_has_floats(whole.nodes), kind == DETAIL);
        assert_false(wide4_has_floats(split.nodes));
        tree_finish(&whole);
        tree_finish(&split);
        free(list.items);
        test_mesh_finish(&mesh);
    }
}

// Whatever its signs, no ray meets an empty child of a node in floats, nor a box that is behind it.
static void test_empty_floats(void **state)
{
    uint64_t random = 5;
    (void)state;
    for (int i = 0; i < 200000; ++i) {
        const float reach = i % 3 == 0 ? 1.0f : i % 3 == 1 ? 1e8f : 1e-3f;
        struct ray ray;
        struct walk walk;
        struct pending_child stack[STACK_ENTRIES];
        struct wide4_float_node node = {.children = 0x03020100u};
        ray.origin =
            vec3_make(reach * random_signed(&random), reach * random_signed(&random), reach * random_signed(&random));
        ray.direction = vec3_make(random_signed(&random), random_signed(&random), random_signed(&random));
        if (i % 5 == 0)
            ray.direction = vec3_make(i % 2 ? 1.0f : 0.0f, 0.0f, i % 2 ? 0.0f : -1.0f);
        const struct box_ray box = box_ray_make(&ray);
        wide4_float_begin(&walk, stack, NULL, &box, 1e30f);
        const float along[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
        const float from[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
        for (int axis = 0; axis < 3; ++axis) {
            const float near = along[axis] > 0 ? -reach : reach, behind = from[axis] + near;
            node.low[axis][0] = node.high[axis][0] = wide4_float_empty(axis);
            node.low[axis][1] = fminf(behind, behind + near);
            node.high[axis][1] = fmaxf(behind, behind + near);
        }
        assert_int_equal(wide4_float_key(&walk, &node.low[0][0], &node.high[0][0], node.children, 0), WIDE4_NONE);
        assert_int_equal(wide4_float_key(&walk, &node.low[0][1], &node.high[0][1], node.children, 1), WIDE4_NONE);
    }
}

// With an extent of 2^47, products with the inverse of a direction would leave the range of floats.
static void test_extent(void **state)
{
    static const float sizes[] = {0x1p45f, 0x1p47f, -0x1p47f, INFINITY};
    (void)state;
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind)
        for (int i = 0; i < 4; ++i) {
            struct triangle triangle = {.v1 = {sizes[i], 0, 0}, .v2 = {0, 1, 0}};
            const struct tree_build_options options = {.tree = {.kind = kind}, .threads = 1, .pad = 1};
            struct error error = {0};
            struct tree tree;
            const bool built = tree_build(&triangle, 1, &options, &tree, &error);
            assert_int_equal(built, i == 0);
            assert_true(built || (error.kind == ERROR_INPUT && strstr(error.message, "too large")));
            tree_finish(&tree);
        }
}

static void test_no_triangles(void **state)
{
    const struct test_mesh mesh = {0};
    const struct fragment_list none = {0};
    const struct scene_tree_options how = {.kind = TREE_WIDE4};
    struct tree tree = build(&mesh, &how, &none, 0, 1);
    struct scene_view view = {0};
    struct hit hit;
    (void)state;
    tree_view(&tree, mesh.low, mesh.high, &view);
    for (int i = 0; i < 3; ++i) {
        const struct ray_record ray = {
            .origin = {0, 0, i == 2 ? -1e30f : -2}, .direction = {0, 0, i ? 1 : 1e-20f}, .t_max = 1e30f};
        for (int way = 0; way < WAYS; ++way) {
            way_cases[way].trace(&view, &way_cases[way].options, &ray, 1, &hit);
            assert_int_equal(hit.id, HIT_NONE);
        }
    }
    tree_finish(&tree);
}

// ---- fragments

// What a step of the grid stands for: 32768 of 1/65536 each from 1/2 on, then as many of 1/32768 each.
static double plain_number(uint32_t step)
{
    return step < 32768 ? 0.5 + step / 65536.0 : 1 + (step - 32768) / 32768.0;
}

static bool is_inside(const struct fragment *fragment, const struct scene_grid *grid, const float point[3])
{
    const double zero[3] = {grid->zero.x, grid->zero.y, grid->zero.z};
    const double span[3] = {grid->span.x, grid->span.y, grid->span.z};
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
        const double place = (point[axis] - zero[axis]) / span[axis];
        inside = inside && place >= plain_number(fragment->box[axis] & 0xFFFFu) &&
                 place <= plain_number(fragment->box[axis] >> 16);
    }
    return inside;
}

// Every point of a triangle lies in one of its fragments, and they are sorted, as images are checked to have them.
static void check_fragments(const struct test_mesh *mesh)
{
    uint64_t random = 17;
    const float pad = scene_box_pad(mesh->low, mesh->high);
    const struct scene_grid grid = grid_of(mesh, pad);
    struct fragment_list list = split(mesh, pad, 0);
    assert_in_range(list.count, mesh->count, 2 * mesh->count);
    for (uint32_t i = 0, next; i < list.count; i = next) {
        const float *corners = &mesh->corners[9 * (size_t)list.items[i].triangle];
        for (next = i; next < list.count && list.items[next].triangle == list.items[i].triangle; ++next)
            if (next > 0)
                assert_true(fragment_compare(&list.items[next - 1], &list.items[next]) < 0);
        for (int k = 0; k < 32; ++k) {
            const float a = fabsf(random_signed(&random)), b = (1 - a) * fabsf(random_signed(&random));
            bool inside = false;
            float point[3];
            for (int axis = 0; axis < 3; ++axis)
                point[axis] = (1 - a - b) * corners[axis] + a * corners[3 + axis] + b * corners[6 + axis];
            for (uint32_t f = i; f < next && !inside; ++f)
                inside = is_inside(&list.items[f], &grid, point);
            assert_true(inside);
        }
    }
    print_message("  %u triangles, %u fragments\n", mesh->count, list.count);
    free(list.items);
}

static void test_fragments(void **state)
{
    struct test_mesh mesh;
    (void)state;
    for (int kind = 0; kind < SMALL_MESHES; ++kind) {
        small_mesh(kind, &mesh);
        check_fragments(&mesh);
        test_mesh_finish(&mesh);
    }
    assert_true(test_mesh_procedural(&mesh));
    check_fragments(&mesh);
    test_mesh_finish(&mesh);
}

static void test_threads(void **state)
{
    struct test_mesh mesh;
    static const uint32_t threads[] = {2, 5};
    (void)state;
    assert_true(test_mesh_procedural(&mesh));
    const float pad = scene_box_pad(mesh.low, mesh.high);
    struct fragment_list list = split(&mesh, pad, 1);
    const struct scene_tree_options how = {.kind = TREE_WIDE4}, as_split = {.kind = TREE_WIDE4, .as_split = 1};
    struct tree one = build(&mesh, &how, &list, pad, 1), worse = build(&mesh, &as_split, &list, pad, 1);
    assert_true(worse.facts.sah_cost > one.facts.sah_cost);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
        struct fragment_list other_list = split(&mesh, pad, threads[i]);
        struct tree other = build(&mesh, &how, &list, pad, threads[i]);
        assert_int_equal(list.count, other_list.count);
        assert_memory_equal(list.items, other_list.items, list.count * sizeof *list.items);
        assert_int_equal(one.node_count, other.node_count);
        assert_memory_equal(one.nodes, other.nodes, one.node_count * WIDE4_PIECE);
        tree_finish(&other);
        free(other_list.items);
    }
    tree_finish(&one);
    tree_finish(&worse);
    free(list.items);
    test_mesh_finish(&mesh);
}

// ---- memory

struct memory_case {
    const char *name;
    uint32_t kind, bytes; // TREE_*, or TREE_KINDS: fragments; a triangle
};

static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

// In a process of its own with so much more memory: 0 where it is enough, 1 where the builder says that it is not.
static int build_within(const struct memory_case *what, const struct test_mesh *mesh, size_t bytes)
{
    const float pad = scene_box_pad(mesh->low, mesh->high);
    const struct scene_grid grid = grid_of(mesh, pad);
    const struct tree_build_options options = {.tree = {.kind = what->kind}, .threads = 1, .pad = pad};
    struct fragment_list list;
    struct error error = {0};
    struct tree tree;
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        mallopt(M_MMAP_THRESHOLD, 1 << 14); // little of what is free by now serves
        malloc_trim(0);
        const struct rlimit limit = {address_space() + bytes, RLIM_INFINITY};
        setrlimit(RLIMIT_AS, &limit);
        const bool done = what->kind == TREE_KINDS
                              ? fragments_make(mesh->triangles, mesh->count, pad, &grid, 1, &list, &error)
                              : tree_build(mesh->triangles, mesh->count, &options, &tree, &error);
        _exit(done ? 0 : strstr(error.message, "not enough memory") ? 1 : 2);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Half a mebibyte is left for what does not grow with the scene.
static void test_memory(void **state)
{
    const struct memory_case cases[] = {{"fragments", TREE_KINDS, FRAGMENT_BUILD_BYTES},
                                        {"binary", TREE_BINARY, tree_kinds[TREE_BINARY].build_bytes},
                                        {"wide4", TREE_WIDE4, tree_kinds[TREE_WIDE4].build_bytes}};
    struct test_mesh mesh;
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    print_message("sanitizers reserve all of the address space\n");
    skip();
#endif
    assert_true(test_mesh_procedural(&mesh));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const size_t most = (size_t)cases[i].bytes * mesh.count + (1 << 19);
        print_message("  %s: within %zu KiB\n", cases[i].name, most >> 10);
        assert_int_equal(build_within(&cases[i], &mesh, most), 0);
        assert_int_equal(build_within(&cases[i], &mesh, most / 3), 1);
    }
    test_mesh_finish(&mesh);
}

// ---- steps, by a walk that is written anew

struct plain_child {
    int32_t key; // see wide4.h
    uint32_t byte;
};

struct plain_walk {
    const struct scene_view *view;
    const struct ray_record *ray;
    struct box_ray box;
    double t;
    uint64_t steps, tests;
};

// In double precision: the t of a place of the grid, and the margin that is allowed for where triangles are whole.
static double plain_time(const struct plain_walk *walk, int axis, uint32_t step, double side)
{
    const double zero[3] = {walk->view->grid_zero.x, walk->view->grid_zero.y, walk->view->grid_zero.z};
    const double span[3] = {walk->view->grid_span.x, walk->view->grid_span.y, walk->view->grid_span.z};
    const double inverse[3] = {walk->box.inverse.x, walk->box.inverse.y, walk->box.inverse.z};
    const double shift[3] = {walk->box.shift.x, walk->box.shift.y, walk->box.shift.z};
    const double scale = span[axis] * inverse[axis], constant = zero[axis] * inverse[axis] + shift[axis];
    const double margin = walk->view->split ? 0 : (fabs(scale) + fabs(constant)) * 0x1p-22;
    return plain_number(step) * scale + constant + side * margin;
}

static bool plain_meets(const struct plain_walk *walk, const struct wide4_node *node, uint32_t child, int32_t *key)
{
    double near = -INFINITY, behind = 0, far = INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t ends = node->ends[axis][child];
        const bool down = (axis == 0 ? walk->box.inverse.x : axis == 1 ? walk->box.inverse.y : walk->box.inverse.z) < 0;
        const double time = plain_time(walk, axis, down ? ends >> 16 : ends & 0xFFFFu, -1);
        near = fmax(near, time);
        behind = fmin(behind, time);
        far = fmin(far, plain_time(walk, axis, down ? ends & 0xFFFFu : ends >> 16, 1));
    }
    *key =
        (int32_t)((f32_bits((float)(near < 0 ? behind : near)) & 0xFFFFFF00u) | (node->children >> 8 * child & 0xFFu));
    return near <= far && far >= 0 && *key <= (int32_t)(f32_bits((float)walk->t) | 0xFFu);
}

static void plain_leaf(struct plain_walk *walk, uint32_t place, uint32_t count)
{
    struct ray ray;
    struct walk at;
    struct pending_child stack[STACK_ENTRIES];
    struct box_ray box = walk->box;
    struct hit hit = {.t = (float)walk->t, .slot = HIT_NONE};
    ray.origin = vec3_make(walk->ray->origin[0], walk->ray->origin[1], walk->ray->origin[2]);
    if (walk->view->split)
        box.shift = fragment_shift(walk->view->grid_zero, ray.origin, box.inverse);
    wide4_begin(&at, stack, walk->view, &box, hit.t);
    ray.direction = vec3_make(walk->ray->direction[0], walk->ray->direction[1], walk->ray->direction[2]);
    for (uint32_t i = 0; i < count; ++i)
        wide4_test(&at, walk->view, walk->view->split, place + i * WIDE4_PIECES, &ray, &box, &hit);
    walk->t = (double)hit.t;
    walk->tests += count;
}

// Depth first, nearest first.
static void plain_node(struct plain_walk *walk, uint32_t place)
{
    const struct wide4_node *node = (const void *)((const char *)walk->view->nodes + (size_t)place * WIDE4_PIECE);
    struct plain_child children[4];
    uint32_t count = 0;
    ++walk->steps;
    for (uint32_t c = 0; c < 4; ++c) {
        int32_t key;
        if (!plain_meets(walk, node, c, &key))
            continue;
        uint32_t at = count++;
        for (; at > 0 && children[at - 1].key > key; --at)
            children[at] = children[at - 1];
        children[at] = (struct plain_child){key, node->children >> 8 * c & 0xFFu};
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t to = node->base + (children[i].byte & WIDE4_OFFSET);
        if (children[i].key > (int32_t)(f32_bits((float)walk->t) | 0xFFu))
            continue;
        if (children[i].byte & WIDE4_LEAF)
            plain_leaf(walk, to, children[i].byte & WIDE4_PAIR ? 2 : 1);
        else
            plain_node(walk, to);
    }
}

// Its arithmetic is not that of kernels: entries that lie within a hair of one another may change an order.
static void test_steps(void **state)
{
    struct test_mesh mesh;
    uint64_t plain[2] = {0}, counted[2] = {0};
    uint32_t different = 0;
    (void)state;
    assert_true(test_mesh_procedural(&mesh));
    const struct ray_set_view view = ray_set_outside_view(mesh.low, mesh.high);
    struct ray_sets sets = make_sets(&mesh, &view, 32 / COARSER);
    struct fixture fixture = {.mesh = mesh};
    fixture_make(&fixture, true);
    const struct scene_view *wide = &fixture.views[2];
    for (uint32_t i = 0; i < sets.count; ++i) {
        const struct ray_record *record = &sets.sets[1].rays[i];
        const struct trace_options options = {TRAVERSAL_WHILE_WHILE, false, false};
        struct ray ray;
        struct hit hit;
        ray.origin = vec3_make(record->origin[0], record->origin[1], record->origin[2]);
        ray.direction = vec3_make(record->direction[0], record->direction[1], record->direction[2]);
        struct plain_walk walk = {.view = wide, .ray = record, .box = box_ray_make(&ray), .t = (double)record->t_max};
        plain_node(&walk, 0);
        const struct trace_work work = trace_rays_counted(wide, &options, record, 1, &hit);
        plain[0] += walk.steps;
        plain[1] += walk.tests;
        counted[0] += work.nodes;
        counted[1] += work.triangles;
        different += walk.steps != work.nodes || walk.tests != work.triangles;
    }
    print_message("  %u rays: %llu steps and %llu tests, by a plain walk %llu and %llu; of %u rays they differ\n",
                  sets.count, (unsigned long long)counted[0], (unsigned long long)counted[1],
                  (unsigned long long)plain[0], (unsigned long long)plain[1], different);
    assert_true(counted[0] > sets.count);
    assert_true(different <= sets.count / 1000);
    fixture_finish(&fixture);
    ray_sets_finish(&sets);
    test_mesh_finish(&mesh);
}

// ---- damage

struct damaged {
    struct test_mesh mesh;
    struct fragment_list fragments;
    struct tree tree;
    float pad;
};

static bool valid(const struct damaged *damaged)
{
    struct error error;
    return tree_validate(&damaged->tree, damaged->mesh.triangles, damaged->mesh.count, damaged->pad, &error);
}

enum form { WHOLE, FRAGMENTS, FLOATS, FORMS };

static void damaged_make(struct damaged *damaged, enum form form)
{
    static const float centre[3] = {1, 2, 3};
    const struct scene_tree_options how = {.kind = TREE_WIDE4};
    if (form == FLOATS)
        small_mesh(DETAIL, &damaged->mesh);
    else
        assert_true(test_mesh_sphere(&damaged->mesh, centre, 2));
    damaged->pad = scene_box_pad(damaged->mesh.low, damaged->mesh.high);
    damaged->fragments = form == FRAGMENTS ? split(&damaged->mesh, damaged->pad, 1) : (struct fragment_list){0};
    damaged->tree = build(&damaged->mesh, &how, &damaged->fragments, damaged->pad, 1);
}

static void damaged_finish(struct damaged *damaged)
{
    tree_finish(&damaged->tree);
    free(damaged->fragments.items);
    test_mesh_finish(&damaged->mesh);
}

static void assert_refused(const struct damaged *damaged, uint32_t *word, uint32_t bad)
{
    const uint32_t kept = *word;
    *word = bad;
    assert_false(valid(damaged));
    *word = kept;
}

static void check_damaged_ends(const struct damaged *damaged)
{
    struct wide4_node *root = damaged->tree.owned[0];
    for (int axis = 0; axis < 3; ++axis)
        for (int c = 0; c < 4; ++c) {
            uint32_t *ends = &root->ends[axis][c];
            if (*ends == WIDE4_EMPTY)
                continue;
            assert_refused(damaged, ends, *ends + 1); // the lower end within
            assert_refused(damaged, ends, *ends - 0x10000u);
            assert_refused(damaged, ends, *ends & 0x7FFFFFFFu);
            assert_refused(damaged, ends, WIDE4_EMPTY);
        }
}

static void check_damaged_floats(const struct damaged *damaged)
{
    struct wide4_float_node *root = damaged->tree.owned[0];
    for (int axis = 0; axis < 3; ++axis)
        for (int c = 0; c < 4; ++c)
            for (int side = 0; side < 2; ++side) {
                float *end = side ? &root->high[axis][c] : &root->low[axis][c];
                uint32_t *word = (uint32_t *)(void *)end;
                if (root->low[axis][c] > root->high[axis][c])
                    continue;
                assert_refused(damaged, word, f32_bits(nextafterf(*end, side ? -INFINITY : INFINITY)));
                assert_refused(damaged, word, f32_bits(side ? INFINITY : -INFINITY));
                assert_refused(damaged, word, f32_bits(NAN));
            }
}

static void check_damage(enum form form)
{
    struct damaged damaged;
    damaged_make(&damaged, form);
    struct wide4_node *root = damaged.tree.owned[0];
    const uint32_t kept = root->children;
    assert_refused(&damaged, &root->base, 0);
    assert_refused(&damaged, &root->base, root->base + 1);
    assert_refused(&damaged, &root->base, root->base + WIDE4_PIECES);
    assert_refused(&damaged, &root->base, (uint32_t)damaged.tree.node_count);
    assert_refused(&damaged, &root->base, UINT32_MAX);
    assert_refused(&damaged, &root->children, kept ^ 4);
    assert_refused(&damaged, &root->children, kept ^ WIDE4_LEAF);
    assert_refused(&damaged, &root->children, kept ^ WIDE4_PAIR);
    assert_refused(&damaged, &root->children, (kept & 0xFFFF0000u) | (kept & 0xFFu) << 8 | (kept & 0xFFu));
    assert_refused(&damaged, &root->form, 1 - root->form);
    assert_refused(&damaged, &root->form, 2);
    (form == FLOATS ? check_damaged_floats : check_damaged_ends)(&damaged);
    const uint64_t pieces = damaged.tree.node_count;
    for (uint64_t less = 1; less <= 4; ++less) {
        damaged.tree.node_count = pieces - less;
        assert_false(valid(&damaged));
    }
    damaged.tree.node_count = 0;
    assert_false(valid(&damaged));
    damaged.tree.node_count = pieces;
    assert_true(valid(&damaged));
    damaged_finish(&damaged);
}

// A walk ends whatever passes the check, and stays within the nodes (under the sanitizers).
static void check_random_damage(enum form form)
{
    struct damaged damaged;
    uint64_t random = 23;
    uint32_t refused = 0;
    const uint32_t trials = 3000;
    damaged_make(&damaged, form);
    uint32_t *words = damaged.tree.owned[0];
    const uint32_t count = (uint32_t)damaged.tree.node_count * 4;
    for (uint32_t i = 0; i < trials; ++i) {
        uint32_t *word = &words[random_below(&random, count)];
        const uint32_t kept = *word;
        *word ^= 1u << random_below(&random, 32);
        if (valid(&damaged)) {
            struct scene_view view = {.box_pad = damaged.pad};
            const struct ray_record ray = {.origin = {1, 2, 3}, .direction = {0.2f, 0.3f, -1}, .t_max = 1e30f};
            struct hit hit;
            tree_view(&damaged.tree, damaged.mesh.low, damaged.mesh.high, &view);
            way_cases[0].trace(&view, &way_cases[0].options, &ray, 1, &hit);
            assert_int_not_equal(hit.id, HIT_NONE);
        } else {
            ++refused;
        }
        *word = kept;
    }
    assert_true(refused > trials / 2);
    damaged_finish(&damaged);
}

static void test_damage(void **state)
{
    (void)state;
    for (int form = 0; form < FORMS; ++form) {
        check_damage((enum form)form);
        check_random_damage((enum form)form);
    }
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_meshes), cmocka_unit_test(test_no_triangles),    cmocka_unit_test(test_forms),
        cmocka_unit_test(test_empty_floats), cmocka_unit_test(test_extent),          cmocka_unit_test(test_fragments),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_memory),          cmocka_unit_test(test_steps),
        cmocka_unit_test(test_damage),       cmocka_unit_test(test_procedural_mesh), cmocka_unit_test(test_sponza),
    };
    full = getenv("WARPSTUDY_FULL_TESTS") || (count > 1 && strcmp(words[1], "--full") == 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
