// SPDX-License-Identifier: MIT
// Traversal of the binary tree, and of wide4 over whole triangles and over fragments, against Embree's rtcIntersect1 on the
// five ray sets, one thread, all in turn: the best rate, and the median of the ratios of rounds. Times are the thread's own,
// so that what else runs on the machine disturbs them as little as can be.
//   bench_traversal [--rays N] [--rounds N] [--leaf N] [--bins N]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "embree_support.h"
#include "trees/fragments.h"
#include "bench/ray_sets.h"
#include "geometry/scale.h"
#include "trees/tree.h"
#include "trace_rays.h"

enum { WAYS = 3, ROUNDS_MAX = 99 };

struct way {
    const char *name;
    uint32_t kind;
    bool split;
    struct fragment_list fragments;
    struct tree tree;
    struct scene_view view;
    void *nodes, *triangles; // in huge pages, as on devices
};

struct settings {
    uint32_t rays, rounds, leaf_size, bins;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool make_way(struct way *way, const struct test_mesh *mesh, const struct settings *settings)
{
    struct error error;
    const float pad = scene_box_pad(mesh->low, mesh->high);
    const struct scene_grid grid = scene_grid_make(mesh->low, mesh->high, pad);
    const double start = seconds();
    bool done = !way->split || fragments_make(mesh->triangles, mesh->count, pad, &grid, 0, &way->fragments, &error);
    const double split = seconds();
    const struct tree_build_options options = {
        .tree = {.kind = way->kind, .leaf_size = settings->leaf_size, .bins = settings->bins},
        .pad = pad,
        .fragments = way->fragments.items,
        .fragment_count = way->fragments.count};
    done = done && tree_build(mesh->triangles, mesh->count, &options, &way->tree, &error);
    if (!done) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    struct scene_tree_options settled;
    if (!tree_settle(&options.tree, &settled, &error))
        return false;
    way->nodes = test_pages_copy(way->tree.nodes, way->tree.node_count * tree_node_size(&settled));
    way->triangles = test_pages_copy(way->tree.triangles, way->tree.triangle_count * sizeof *way->tree.triangles);
    if (!way->nodes || !way->triangles)
        return false;
    way->tree.nodes = way->nodes;
    way->tree.triangles = way->triangles;
    way->view.box_pad = pad;
    tree_view(&way->tree, mesh->low, mesh->high, &way->view);
    printf("%-18s split in %.2f s, tree in %.2f s: %llu parts, %llu nodes, depth %u, cost %.1f\n", way->name,
           split - start, seconds() - split, (unsigned long long)way->tree.facts.references,
           (unsigned long long)way->tree.facts.nodes, way->tree.facts.depth, way->tree.facts.sah_cost);
    return true;
}

static void finish_way(struct way *way)
{
    tree_finish(&way->tree);
    free(way->fragments.items);
    free(way->nodes);
    free(way->triangles);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *numbers, uint32_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return count % 2 ? numbers[count / 2] : 0.5 * (numbers[count / 2 - 1] + numbers[count / 2]);
}

static double rate_since(double start, uint32_t rays)
{
    return 1e-6 * (double)rays / (seconds() - start);
}

static void bench_set(const struct settings *settings, const struct ray_set *set, uint32_t count,
                      const struct way ways[WAYS], const struct embree *embree, struct hit *hits)
{
    const uint32_t rays = settings->rays < count ? settings->rays : count;
    const struct trace_options plain = {.traversal = TRAVERSAL_WHILE_WHILE};
    double best[WAYS + 1] = {0}, ratios[WAYS][ROUNDS_MAX];
    for (uint32_t round = 0; round < settings->rounds; ++round) {
        double rates[WAYS + 1];
        for (int way = 0; way < WAYS; ++way) {
            const double start = seconds();
            trace_rays_vector(&ways[way].view, &plain, set->rays, rays, hits);
            rates[way] = rate_since(start, rays);
        }
        const double start = seconds();
        embree_trace(embree, set->rays, rays, hits);
        rates[WAYS] = rate_since(start, rays);
        for (int way = 0; way <= WAYS; ++way)
            best[way] = fmax(best[way], rates[way]);
        for (int way = 0; way < WAYS; ++way)
            ratios[way][round] = rates[way] / rates[WAYS];
    }
    printf("%-18s %8.2f", set->name, best[WAYS]);
    for (int way = 0; way < WAYS; ++way) {
        const struct trace_work work = trace_rays_counted(&ways[way].view, &plain, set->rays, rays, hits);
        printf("  %6.2f %5.2f %5.1f %4.1f", best[way], median(ratios[way], settings->rounds), (double)work.nodes / rays,
               (double)work.triangles / rays);
    }
    putchar('\n');
    fflush(stdout);
}

static uint32_t number(int count, char **words, const char *name, uint32_t otherwise)
{
    for (int i = 1; i + 1 < count; ++i)
        if (strcmp(words[i], name) == 0)
            return (uint32_t)strtoul(words[i + 1], NULL, 10);
    return otherwise;
}

static void bench_all(const struct settings *settings, const struct test_mesh *mesh, const struct ray_set_view *view,
                      struct way ways[WAYS])
{
    struct ray_sets sets;
    struct error error;
    const struct ray_mesh ray_mesh = test_mesh_rays(mesh);
    if (!ray_sets_make(&ray_mesh, view, 1024, 0, &sets, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return;
    }
    struct embree *embree = embree_create(mesh);
    struct hit *hits = malloc(sets.count * sizeof *hits);
    printf("%-18s %8s", "Mrays/s, 1 thread", "Embree");
    for (int way = 0; way < WAYS; ++way)
        printf("  %s: rate, ratio, steps, tests", ways[way].name);
    putchar('\n');
    for (int kind = 0; hits && embree && kind < RAY_SET_KINDS; ++kind)
        bench_set(settings, &sets.sets[kind], sets.count, ways, embree, hits);
    free(hits);
    embree_destroy(embree);
    ray_sets_finish(&sets);
}

int main(int count, char **words)
{
    struct test_mesh mesh;
    struct way ways[WAYS] = {{.name = "binary", .kind = TREE_BINARY},
                             {.name = "wide4", .kind = TREE_WIDE4},
                             {.name = "wide4, split", .kind = TREE_WIDE4, .split = true}};
    const struct settings settings = {.rays = number(count, words, "--rays", 1u << 20),
                                      .rounds = number(count, words, "--rounds", 5),
                                      .leaf_size = number(count, words, "--leaf", 4),
                                      .bins = number(count, words, "--bins", 32)};
    if (settings.rounds < 1 || settings.rounds > ROUNDS_MAX)
        return 1;
    const bool sponza = test_mesh_sponza(&mesh);
    if (!sponza && !test_mesh_procedural(&mesh))
        return 1;
    const struct ray_set_view view = sponza ? ray_set_sponza_view : ray_set_outside_view(mesh.low, mesh.high);
    printf("%s: %u triangles\n", sponza ? "Sponza" : "procedural", mesh.count);
    bool done = true;
    for (int way = 0; done && way < WAYS; ++way)
        done = make_way(&ways[way], &mesh, &settings);
    if (done)
        bench_all(&settings, &mesh, &view, ways);
    for (int way = 0; way < WAYS; ++way)
        finish_way(&ways[way]);
    test_mesh_finish(&mesh);
    return done ? 0 : 1;
}
