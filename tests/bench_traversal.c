// SPDX-License-Identifier: MIT
// Traversal against Embree's rtcIntersect1 on the five ray sets, one thread, the two in turn.
//   bench_traversal [--rays N] [--rounds N] [--leaf N] [--bins N]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "embree_support.h"
#include "mesh_support.h"
#include "scene/ray_sets.h"
#include "scene/scale.h"
#include "trace_rays.h"

struct settings {
    uint32_t rays, rounds;
    struct bvh_options tree;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double keep_best(double best, double start, uint32_t rays)
{
    const double rate = 1e-6 * (double)rays / (seconds() - start);
    return rate > best ? rate : best;
}

static void bench_set(const struct settings *settings, const struct ray_set *set, uint32_t count,
                      const struct test_scene *scene, const struct embree *embree, struct hit *hits)
{
    const uint32_t rays = settings->rays < count ? settings->rays : count;
    const struct trace_options plain = {.traversal = TRAVERSAL_WHILE_WHILE};
    const struct trace_options speculative = {.traversal = TRAVERSAL_SPECULATIVE};
    double best[3] = {0};
    for (uint32_t round = 0; round < settings->rounds; ++round) {
        double start = seconds();
        trace_rays_vector(&scene->view, &plain, set->rays, rays, hits);
        best[0] = keep_best(best[0], start, rays);
        start = seconds();
        embree_trace(embree, set->rays, rays, hits);
        best[2] = keep_best(best[2], start, rays);
        start = seconds();
        trace_rays_vector(&scene->view, &speculative, set->rays, rays, hits);
        best[1] = keep_best(best[1], start, rays);
    }
    const struct trace_work work = trace_rays_counted(&scene->view, &plain, set->rays, rays, hits);
    printf("%-18s %8.2f %8.2f %8.2f %6.2f %8.1f %8.1f\n", set->name, best[0], best[1], best[2], best[0] / best[2],
           (double)work.nodes / rays, (double)work.triangles / rays);
    fflush(stdout);
}

static uint32_t number(int count, char **words, const char *name, uint32_t otherwise)
{
    for (int i = 1; i + 1 < count; ++i)
        if (strcmp(words[i], name) == 0)
            return (uint32_t)strtoul(words[i + 1], NULL, 10);
    return otherwise;
}

int main(int count, char **words)
{
    struct test_mesh mesh;
    struct test_scene scene;
    struct ray_sets sets;
    struct error error;
    struct settings settings = {
        .rays = number(count, words, "--rays", 1u << 20),
        .rounds = number(count, words, "--rounds", 3),
        .tree = {.leaf_size = number(count, words, "--leaf", 4), .bins = number(count, words, "--bins", 32)}};
    const bool sponza = test_mesh_sponza(&mesh);
    if (!sponza && !test_mesh_procedural(&mesh))
        return 1;
    const struct ray_set_view view = sponza ? ray_set_sponza_view : ray_set_outside_view(mesh.low, mesh.high);
    const struct ray_mesh ray_mesh = test_mesh_rays(&mesh);
    settings.tree.pad = scene_box_pad(mesh.low, mesh.high);
    double start = seconds();
    if (!test_scene_make(&mesh, &settings.tree, &scene))
        return 1;
    printf("%s: %u triangles, tree in %.2f s: %u nodes, depth %u, cost %.1f\n", sponza ? "Sponza" : "procedural",
           mesh.count, seconds() - start, scene.bvh.node_count, scene.bvh.depth, scene.bvh.sah_cost);
    start = seconds();
    if (!ray_sets_make(&ray_mesh, &view, 1024, 0, &sets, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("ray sets in %.2f s\n", seconds() - start);
    struct embree *embree = embree_create(&mesh);
    struct hit *hits = malloc(sets.count * sizeof *hits);
    printf("%-18s %8s %8s %8s %6s %8s %8s\n", "Mrays/s, 1 thread", "ww", "spec", "Embree", "ratio", "steps", "tests");
    for (int kind = 0; hits && embree && kind < RAY_SET_KINDS; ++kind)
        bench_set(&settings, &sets.sets[kind], sets.count, &scene, embree, hits);
    free(hits);
    embree_destroy(embree);
    ray_sets_finish(&sets);
    test_scene_finish(&scene);
    test_mesh_finish(&mesh);
    return 0;
}
