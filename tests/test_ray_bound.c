// SPDX-License-Identifier: MIT
// Rays that are cut after some rounds and finished by whole warps hit what they hit in one traversal, bit for bit.
#include "base/memory.h"
#include "bench/ray_tracer.h"

#include "check.h"
#include "tree_support.h"

enum { RAYS = 1500 / FEWER, FEW_RAYS = 64, SLAT_RAYS = 4, SLATS = 60000 };

struct case_of {
    int64_t splits, warp_width;
    uint32_t rounds, rows; // as in struct ray_bound
};

// Traces the rays; where they are bounded, three times and then the last of them twice, so that both lists are used again, for
// fewer. `cut`: of all. False where nodes must hold floats.
static bool trace(const struct ray_mesh *mesh, const struct ray_record *rays, uint32_t count, const struct case_of *the,
                  struct ray_output *hits, uint32_t *cut)
{
    struct error error = {0};
    struct ray_scene scene;
    struct ray_tracer tracer = {.parameters = parameters_default(),
                                .bound = {.rounds = the->rounds, .rows = the->rows}};
    const uint32_t last = (count + 3) / 4;
    double seconds;
    tracer.parameters.tree = TREE_WIDE4;
    tracer.parameters.traversal = TRAVERSAL_VOTED;
    tracer.parameters.splits = the->splits;
    tracer.parameters.warp_width = the->warp_width;
    const struct scene_tree_options options = execute_tree_options(&tracer.parameters);
    const bool done =
        ray_scene_over(&scene, mesh, &options, &error) && ray_tracer_open(&tracer, "emulator", &error) &&
        ray_tracer_prepare(&tracer, &scene, count, &error) &&
        ray_tracer_time(&tracer, (const struct ray_input *)rays, count, the->rounds ? 3 : 1, &seconds, hits, &error) &&
        (the->rounds == 0 || (ray_bound_cut(&tracer.bound, cut, &error) &&
                              ray_tracer_time(&tracer, (const struct ray_input *)rays + count - last, last, 2, &seconds,
                                              hits + count - last, &error)));
    if (!done && (error.kind != ERROR_UNSUPPORTED || scene.view.tree != TREE_WIDE4_FLOAT))
        fail_msg("%s", error.message);
    ray_tracer_finish(&tracer);
    ray_scene_finish(&scene);
    return done;
}

// Returns how many were cut.
static uint32_t check_case(const struct ray_mesh *mesh, const struct ray_record *rays, uint32_t count,
                           const struct case_of *the)
{
    struct ray_output *expected = memory_new(count, sizeof *expected), *hits = memory_new(count, sizeof *hits);
    struct case_of plain = *the;
    uint32_t cut = 0;
    plain.rounds = 0;
    trace(mesh, rays, count, &plain, expected, NULL);
    if (trace(mesh, rays, count, the, hits, &cut))
        for (uint32_t i = 0; i < count; ++i)
            if (memcmp(&hits[i], &expected[i], sizeof hits[i]) != 0)
                fail_msg("splits %d, %d lanes, %u rounds, %u rows, ray %u: t %.9g id %u, without a bound %.9g %u",
                         (int)the->splits, (int)the->warp_width, the->rounds, the->rows, i, (double)hits[i].t,
                         hits[i].id, (double)expected[i].t, expected[i].id);
    free(expected);
    free(hits);
    return cut;
}

// Returns how many the first case cut, after one round.
static uint32_t check_cases(const struct ray_mesh *mesh, const struct ray_record *rays, uint32_t count)
{
    static const struct case_of cases[] = {
        {SPLITS_SPATIAL, 32, 1, 0}, {SPLITS_SPATIAL, 32, 12, 0}, {SPLITS_SPATIAL, 32, 2, 1}, {SPLITS_SPATIAL, 8, 2, 40},
        {SPLITS_SPATIAL, 1, 1, 0},  {SPLITS_WHOLE, 32, 1, 0},    {SPLITS_WHOLE, 32, 5, 0},   {SPLITS_WHOLE, 64, 2, 3},
    };
    const uint32_t cut = check_case(mesh, rays, count, &cases[0]);
    for (size_t c = 1; c < sizeof cases / sizeof *cases; ++c)
        check_case(mesh, rays, count, &cases[c]);
    return cut;
}

TEST(bounded_rays_hit_the_same)
{
    struct test_mesh mesh;
    static struct ray_record rays[RAYS];
    assert_true(test_mesh_procedural(&mesh));
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    hard_rays(&mesh, 0x1p-14f, rays, RAYS);
    assert_true(check_cases(&ray_mesh, rays, RAYS) > RAYS / 4);
    test_mesh_finish(&mesh);
}

TEST(bounded_rays_over_small_meshes)
{
    for (uint32_t which = 0; which < SMALL_MESHES; ++which) {
        struct test_mesh mesh;
        struct ray_record rays[FEW_RAYS];
        small_mesh_make(which, &mesh);
        const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
        hard_rays(&mesh, 0x1p-14f, rays, FEW_RAYS);
        check_cases(&ray_mesh, rays, FEW_RAYS);
        test_mesh_finish(&mesh);
    }
}

// Rays that enter the boxes of all slats, meet none, and then hit the one triangle behind them: more nodes and leaves wait than
// a warp's lists hold.
TEST(lists_that_run_full)
{
    struct test_mesh mesh;
    struct ray_record rays[SLAT_RAYS];
    struct ray_output hits[SLAT_RAYS];
    uint32_t cut = 0;
    float *corners = malloc(sizeof *corners * 9 * (SLATS + 1));
    for (uint32_t k = 0; k < SLATS; ++k) {
        const float z = (float)k / SLATS, slat[9] = {0, 0, z, 1, 1, z, 1, 0.999f, z};
        memcpy(corners + 9 * (size_t)k, slat, sizeof slat);
    }
    const float behind[9] = {-9, -9, 2, 9, -9, 2, 0, 9, 2};
    memcpy(corners + 9 * (size_t)SLATS, behind, sizeof behind);
    assert_true(test_mesh_from_corners(&mesh, corners, SLATS + 1));
    for (uint32_t i = 0; i < SLAT_RAYS; ++i)
        rays[i] =
            (struct ray_record){.origin = {0.5f, 0.3f - 0.002f * (float)i, -1}, .direction = {0, 0, 1}, .t_max = 1e30f};
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    for (int64_t width = 32; width <= 64; width *= 2) {
        const struct case_of the = {SPLITS_WHOLE, width, 3, 0};
        assert_true(trace(&ray_mesh, rays, SLAT_RAYS, &the, hits, &cut));
        assert_int_equal(cut, SLAT_RAYS);
        for (uint32_t i = 0; i < SLAT_RAYS; ++i) {
            assert_int_equal(hits[i].id, SLATS);
            assert_float_equal(hits[i].t, 3.0f, 0);
        }
    }
    test_mesh_finish(&mesh);
}
