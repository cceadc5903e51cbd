// SPDX-License-Identifier: MIT
// Fragments and the tree wide4: when its nodes hold floats, that fragments cover their triangles, that steps are those of a
// plain walk, and the memory that builders take. What wide4 has in common with other trees: test_trees.c, test_builders.c,
// test_tree_damage.c.
#include <float.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "base/random.h"
#include "bench/ray_sets.h"
#include "geometry/scale.h"
#include "tree_support.h"

// Nodes hold floats where the grid is too coarse, and nowhere else; over fragments never.
TEST(test_forms)
{
    for (uint32_t which = 0; which <= SMALL_MESHES; ++which)
        for (uint32_t split = 0; split < 2; ++split) {
            struct test_mesh mesh;
            struct built built;
            if (which < SMALL_MESHES)
                small_mesh_make(which, &mesh);
            else
                assert_true(test_mesh_procedural(&mesh));
            build(&mesh, &(struct scene_tree_options){.kind = TREE_WIDE4, .split = split}, 1, &built);
            assert_int_equal(wide4_has_floats(built.tree.nodes), which == MESH_DETAIL && !split);
            built_finish(&built);
            test_mesh_finish(&mesh);
        }
}

// Whatever its signs, no ray meets an empty child of a node in floats, nor a box that is behind it.
TEST(test_empty_floats)
{
    const uint32_t beyond = wide4_farthest(FLT_MAX);
    uint64_t random = 5;
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
        assert_true(wide4_float_key(&walk, &node.low[0][0], &node.high[0][0], node.children, 0) > beyond);
        assert_true(wide4_float_key(&walk, &node.low[0][1], &node.high[0][1], node.children, 1) > beyond);
    }
}

// A child's key is the one that a comparison of its box's entry and exit would choose, for entries from 0 on and exits of any sign.
TEST(test_keys)
{
    static const uint32_t corners[] = {0, 1, 0xFF, 0x007FFFFF, 0x00800000, 0x3F800000, 0x3F8000FF, 0x7F7FFFFF};
    const uint32_t bytes = 0x83C20100u;
    uint64_t random = 9;
    for (uint32_t i = 0; i < 1000000; ++i) {
        uint32_t near = (uint32_t)(random_next(&random) >> 33), far = (uint32_t)(random_next(&random) >> 32);
        if (i % 2)
            near = corners[i / 2 % 8], far = corners[i / 16 % 8] | (i / 128 % 2) << 31;
        if (i % 4 == 2)
            far = near ^ 1u;
        if (near > 0x7F800000u || (far & 0x7FFFFFFFu) > 0x7F800000u || (near == 0x7F800000u && far == near))
            continue; // no numbers, or a difference that is none
        const uint32_t child = i / 256 % 4, key = wide4_key_of((int32_t)near, (int32_t)far, bytes, child);
        if ((int32_t)near <= (int32_t)far)
            assert_int_equal(key, (near & 0xFFFFFF00u) | (bytes >> 8 * child & 0xFFu));
        else
            assert_true(key > wide4_farthest(FLT_MAX));
    }
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
    const struct scene_grid grid = scene_grid_make(mesh->low, mesh->high, pad);
    struct fragment_list list = fragments_of(mesh, 0);
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

TEST(test_fragments)
{
    struct test_mesh mesh;
    for (uint32_t which = 0; which < SMALL_MESHES; ++which) {
        small_mesh_make(which, &mesh);
        check_fragments(&mesh);
        test_mesh_finish(&mesh);
    }
    assert_true(test_mesh_procedural(&mesh));
    check_fragments(&mesh);
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
    const struct scene_grid grid = scene_grid_make(mesh->low, mesh->high, pad);
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
        _exit(done ? 0 : strstr(error.message, "no memory") ? 1 : 2);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Half a mebibyte is left for what does not grow with the scene.
TEST(test_memory)
{
    const struct memory_case cases[] = {{"fragments", TREE_KINDS, FRAGMENT_BUILD_BYTES},
                                        {"binary", TREE_BINARY, tree_kinds[TREE_BINARY]->build_bytes},
                                        {"wide4", TREE_WIDE4, tree_kinds[TREE_WIDE4]->build_bytes}};
    struct test_mesh mesh;
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
    uint32_t key; // see wide4_stack.h
    uint32_t byte;
};

struct plain_walk {
    const struct scene_view *view;
    const struct ray_record *ray;
    struct box_ray box;
    double t;
    uint64_t steps, tests, never_visited; // children met that lie beyond the hit by the time of their turn
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

static bool plain_meets(const struct plain_walk *walk, const struct wide4_node *node, uint32_t child, uint32_t *key)
{
    double near = 0, far = INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t ends = node->ends[axis][child];
        const bool down = (axis == 0 ? walk->box.inverse.x : axis == 1 ? walk->box.inverse.y : walk->box.inverse.z) < 0;
        near = fmax(near, plain_time(walk, axis, down ? ends >> 16 : ends & 0xFFFFu, -1));
        far = fmin(far, plain_time(walk, axis, down ? ends & 0xFFFFu : ends >> 16, 1));
    }
    *key = (f32_bits((float)near) & 0xFFFFFF00u) | (node->children >> 8 * child & 0xFFu);
    return near <= far && *key <= (f32_bits((float)walk->t) | 0xFFu);
}

static void plain_leaf(struct plain_walk *walk, uint32_t place, uint32_t count)
{
    const struct ray ray = record_ray(walk->ray);
    struct walk at;
    struct pending_child stack[STACK_ENTRIES];
    struct box_ray box = walk->box;
    struct hit hit = {.t = (float)walk->t, .slot = HIT_NONE};
    if (walk->view->split)
        box.shift = fragment_shift(walk->view->grid_zero, ray.origin, box.inverse);
    wide4_begin(&at, stack, walk->view, &box, hit.t);
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
        uint32_t key;
        if (!plain_meets(walk, node, c, &key))
            continue;
        uint32_t at = count++;
        for (; at > 0 && children[at - 1].key > key; --at)
            children[at] = children[at - 1];
        children[at] = (struct plain_child){key, node->children >> 8 * c & 0xFFu};
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t to = node->base + (children[i].byte & WIDE4_OFFSET);
        if (children[i].key > (f32_bits((float)walk->t) | 0xFFu)) {
            ++walk->never_visited;
            continue;
        }
        if (children[i].byte & WIDE4_LEAF)
            plain_leaf(walk, to, children[i].byte & WIDE4_PAIR ? 2 : 1);
        else
            plain_node(walk, to);
    }
}

// Its arithmetic is not that of kernels: entries that lie within a hair of one another may change an order.
TEST(test_steps)
{
    struct test_mesh mesh;
    uint64_t plain[2] = {0}, counted[2] = {0}, left = 0;
    uint32_t different = 0;
    assert_true(test_mesh_procedural(&mesh));
    const struct ray_set_view view = ray_set_outside_view(mesh.low, mesh.high);
    const struct ray_mesh rays = test_mesh_rays(&mesh);
    struct ray_sets sets;
    need(ray_sets_make(&rays, &view, 32 / COARSER, 0, &sets, &why));
    struct built built;
    build(&mesh, &(struct scene_tree_options){.kind = TREE_WIDE4, .split = 1}, 1, &built);
    const struct scene_view *wide = &built.arranged.view;
    for (uint32_t i = 0; i < sets.count; ++i) {
        const struct ray_record *record = &sets.sets[1].rays[i];
        const struct trace_options options = {TRAVERSAL_WHILE_WHILE, false, false};
        const struct ray ray = record_ray(record);
        struct hit hit;
        struct plain_walk walk = {.view = wide, .ray = record, .box = box_ray_make(&ray), .t = (double)record->t_max};
        plain_node(&walk, 0);
        const struct trace_work work = trace_rays_counted(wide, &options, record, 1, &hit);
        plain[0] += walk.steps;
        plain[1] += walk.tests;
        counted[0] += work.nodes;
        counted[1] += work.triangles;
        left += walk.never_visited;
        different +=
            walk.steps != work.nodes || walk.tests != work.triangles || walk.never_visited != work.never_visited;
    }
    print_message("  %u rays: %llu steps and %llu tests, by a plain walk %llu and %llu; of %u rays they differ\n",
                  sets.count, (unsigned long long)counted[0], (unsigned long long)counted[1],
                  (unsigned long long)plain[0], (unsigned long long)plain[1], different);
    assert_true(counted[0] > sets.count && left > sets.count / 10);
    assert_true(different <= sets.count / 1000);
    built_finish(&built);
    ray_sets_finish(&sets);
    test_mesh_finish(&mesh);
}
