// SPDX-License-Identifier: MIT
// The ray sets and their double-precision reference: equal to brute force, the same on any number of threads, and on
// Sponza, where its file is, the published bytes.
#include <math.h>

#include "check.h"
#include "mesh_support.h"
#include "bench/ray_scene.h"
#include "trees/traverse.h"

struct expected {
    uint64_t rays, ids;
};

static const struct expected sponza_hashes[RAY_SET_KINDS] = {{0x588572c7a027314a, 0x3dd8476f9ac5809f},
                                                             {0x5894f2abe5a05d66, 0xf7aa8873996e68d3},
                                                             {0xc586a64122a4e919, 0x60fdffeb355d4000},
                                                             {0xd0061857553e5d62, 0x16c63600ef684e7b},
                                                             {0x11fb1afea2349eb2, 0x2953699e7dc61c27}};

// A hit among `sample` rays, spread over the set, that brute force does not find.
static void check_brute_force(const struct ray_mesh *mesh, const struct ray_sets *sets, uint32_t sample)
{
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
        for (uint32_t k = 0; k < sample; ++k) {
            const uint32_t i = (uint32_t)((uint64_t)sets->count * k / sample) + k % 7;
            const struct reference_hit *hit = &sets->sets[kind].hits[i % sets->count];
            const struct reference_hit brute = reference_hit_brute(mesh, &sets->sets[kind].rays[i % sets->count]);
            if (brute.t != hit->t || brute.id != hit->id)
                fail_msg("%s, ray %u: t %.17g id %u, brute force %.17g id %u", sets->sets[kind].name, i, hit->t,
                         hit->id, brute.t, brute.id);
        }
}

static void make(const struct test_mesh *mesh, const struct ray_set_view *view, uint32_t side, uint32_t threads,
                 struct ray_sets *sets)
{
    const struct ray_mesh ray_mesh = test_mesh_rays(mesh);
    need(ray_sets_make(&ray_mesh, view, side, threads, sets, &why));
}

TEST(test_procedural_mesh)
{
    struct test_mesh mesh;
    struct ray_sets sets, again;
    assert_true(test_mesh_procedural(&mesh));
    const struct ray_set_view view = ray_set_outside_view(mesh.low, mesh.high);
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    make(&mesh, &view, 64, 1, &sets);
    make(&mesh, &view, 64, 3, &again);
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        assert_int_equal(sets.sets[kind].ray_hash, again.sets[kind].ray_hash);
        assert_int_equal(sets.sets[kind].id_hash, again.sets[kind].id_hash);
    }
    check_brute_force(&ray_mesh, &sets, 200);
    ray_sets_finish(&sets);
    ray_sets_finish(&again);
    test_mesh_finish(&mesh);
}

// Rays along axes, through vertices and along edges, where box tests meet zeros.
TEST(test_reference_on_axes)
{
    struct test_mesh mesh;
    assert_true(test_mesh_procedural(&mesh));
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    struct reference *reference = made(reference_create(&ray_mesh, 0, &why));
    uint32_t hits = 0;
    for (uint32_t i = 0; i < 600; ++i) {
        struct ray_record ray = {.t_max = 1e30f};
        const float *corner = &mesh.corners[9 * (size_t)(i * 7919u % mesh.count) + 3 * (i % 3)];
        memcpy(ray.origin, corner, sizeof ray.origin);
        ray.origin[i / 3 % 3] += i % 2 ? 40.0f : -40.0f;
        ray.direction[i / 3 % 3] = i % 2 ? -1.0f : 1.0f;
        const struct reference_hit hit = reference_hit(reference, &ray), brute = reference_hit_brute(&ray_mesh, &ray);
        assert_true(hit.t == brute.t && hit.id == brute.id);
        hits += hit.id != REFERENCE_MISS;
    }
    assert_true(hits > 500);
    reference_destroy(reference);
    test_mesh_finish(&mesh);
}

TEST(test_no_hits)
{
    struct test_mesh mesh;
    struct ray_sets sets;
    struct error error;
    assert_true(test_mesh_procedural(&mesh));
    struct ray_set_view view = ray_set_outside_view(mesh.low, mesh.high);
    for (int axis = 0; axis < 3; ++axis)
        view.at[axis] = 2.0 * view.eye[axis] - view.at[axis];
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    assert_false(ray_sets_make(&ray_mesh, &view, 16, 0, &sets, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_false(ray_sets_make(&ray_mesh, &view, 100, 0, &sets, &error));
    assert_int_equal(error.kind, ERROR_USE);
    test_mesh_finish(&mesh);
}

TEST(test_sponza)
{
    struct test_mesh mesh;
    struct ray_sets sets;
    if (!test_mesh_sponza(&mesh)) {
        print_message("sponza.ply.xz is not there: set WARPSTUDY_SHARED_SCENES to its folder\n");
        skip();
    }
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    make(&mesh, &ray_set_sponza_view, 1024, 0, &sets);
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        const struct ray_set *set = &sets.sets[kind];
        print_message("  %-18s rays %016llx ids %016llx\n", set->name, (unsigned long long)set->ray_hash,
                      (unsigned long long)set->id_hash);
    }
    check_brute_force(&ray_mesh, &sets, 30);
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        assert_int_equal(sets.sets[kind].ray_hash, sponza_hashes[kind].rays);
        assert_int_equal(sets.sets[kind].id_hash, sponza_hashes[kind].ids);
    }
    ray_sets_finish(&sets);
    test_mesh_finish(&mesh);
}

// A second scene over the first one's triangles: the same triangles, in a tree of the kind that is asked for.
TEST(test_scene_over_mesh)
{
    struct test_mesh mesh;
    struct ray_scene scene;
    assert_true(test_mesh_procedural(&mesh));
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    const struct scene_tree_options options = {.kind = TREE_OPTIX};
    need(ray_scene_over(&scene, &ray_mesh, &options, &why));
    assert_int_equal(scene.mesh.triangle_count, mesh.count);
    assert_memory_equal(scene.corners, mesh.corners, 9 * mesh.count * sizeof *mesh.corners);
    assert_memory_equal(scene.low, mesh.low, sizeof mesh.low);
    assert_memory_equal(scene.high, mesh.high, sizeof mesh.high);
    assert_int_equal(scene.tree.layout, TREE_OPTIX);
    for (uint32_t i = 0; i < mesh.count; ++i) {
        const struct triangle *triangle = &scene.tree.triangles[i];
        assert_memory_equal(&triangle->v2, &mesh.corners[9 * triangle->id + 6], 3 * sizeof *mesh.corners);
    }
    ray_scene_finish(&scene);
    test_mesh_finish(&mesh);
}
