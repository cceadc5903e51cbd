// SPDX-License-Identifier: MIT
// Quality of the trees of boxes over scenes: expected cost, time to build, memory, and what rays in fact read.
//   bench_trees [SCENE|MESH_FILE...]     default: cornell and open; --all: every scene whose files are there
// Times are of the processor, all threads together, relative to those of the binary tree. Rays: the set diffuse1.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/ray_scene.h"
#include "geometry/scale.h"
#include "trace_rays.h"
#include "scene/scene_find.h"

enum { SIDE = 128 };

struct row {
    const char *name;
    struct scene_tree_options options;
    bool split;
};

static const struct row rows[] = {
    {"binary", {.kind = TREE_BINARY, .as_split = 1}, false},
    {"binary, reinserted", {.kind = TREE_BINARY}, false},
    {"binary, fragments", {.kind = TREE_BINARY}, true},
    {"wide", {.kind = TREE_WIDE, .tree_width = 2}, false},
    {"wide4", {.kind = TREE_WIDE4}, false},
    {"wide4, fragments", {.kind = TREE_WIDE4}, true},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double mebibytes(const struct tree *tree, const struct scene_tree_options *settled)
{
    const uint64_t triangles = tree_kinds[tree->kind]->own_order ? tree->triangle_count : 0;
    return (double)(tree->node_count * tree_node_size(settled) + triangles * sizeof(struct triangle) +
                    tree->reference_count * sizeof(uint32_t) + tree->fragment_count * sizeof(struct fragment)) /
           (1 << 20);
}

static bool bench_row(const struct row *row, const struct ray_scene *scene, const struct ray_set *set, uint32_t rays,
                      double *binary, struct error *error)
{
    const struct tree *from = &scene->tree;
    const uint32_t count = (uint32_t)from->triangle_count;
    const float pad = scene_box_pad(scene->low, scene->high);
    const struct scene_grid grid = scene_grid_make(scene->low, scene->high, pad);
    const struct trace_options plain = {.traversal = TRAVERSAL_WHILE_WHILE};
    struct fragment_list fragments = {0};
    struct scene_tree_options settled;
    struct tree tree = {0};
    const double start = seconds();
    bool done = !row->split || fragments_make(from->triangles, count, pad, &grid, 0, &fragments, error);
    const struct tree_build_options options = {
        .tree = row->options, .pad = pad, .fragments = fragments.items, .fragment_count = fragments.count};
    done = done && tree_build(from->triangles, count, &options, &tree, error) &&
           tree_settle(&row->options, &settled, error);
    const double took = seconds() - start;
    struct hit *hits = malloc(rays * sizeof *hits);
    if (done && hits) {
        struct scene_view view = {.box_pad = pad};
        tree_view(&tree, scene->low, scene->high, &view);
        const struct trace_work work = trace_rays_counted(&view, &plain, set->rays, rays, hits);
        *binary = *binary > 0 ? *binary : took;
        printf("  %-20s %8.2f %8.2f %9.1f %9.3f %9.2f %9.2f%s\n", row->name, tree.facts.sah_cost, took / *binary,
               mebibytes(&tree, &settled), row->split ? (double)fragments.count / count : 1.0,
               (double)work.nodes / rays, (double)work.triangles / rays,
               view.tree == TREE_WIDE4_FLOAT ? "  boxes in floats" : "");
        fflush(stdout);
    }
    free(hits);
    tree_finish(&tree);
    free(fragments.items);
    return done;
}

static bool bench_scene(const struct ray_scene *scene, struct error *error)
{
    const struct ray_set_view view = ray_scene_view(scene);
    struct ray_sets sets;
    double binary = 0;
    bool done = ray_sets_make(&scene->mesh, &view, SIDE, 0, &sets, error);
    if (!done)
        return false;
    printf("%s: %llu triangles\n", scene->title, (unsigned long long)scene->tree.triangle_count);
    printf("  %-20s %8s %8s %9s %9s %9s %9s\n", "tree", "SAH cost", "time", "MiB", "fragments", "nodes", "tests");
    printf("  %-20s %8s %8s %9s %9s %9s %9s\n", "", "", "x binary", "", "/triangle", "/ray", "/ray");
    for (size_t i = 0; done && i < sizeof rows / sizeof *rows; ++i)
        done = bench_row(&rows[i], scene, &sets.sets[RAY_SET_DIFFUSE1], sets.count, &binary, error);
    ray_sets_finish(&sets);
    return done;
}

// wide4 keeps the triangles in the scene's own order.
static void bench_name(const char *name)
{
    const struct scene_tree_options plain = {.kind = TREE_WIDE4};
    const struct scene_request request = {.name = name, .tree = plain};
    struct ray_scene scene;
    struct error error = {0};
    const bool mesh = strchr(name, '/') && !strstr(name, ".yaml");
    const bool opened =
        mesh ? ray_scene_from_mesh(&scene, name, &plain, &error) : ray_scene_from_scene(&scene, &request, &error);
    if (!opened || !bench_scene(&scene, &error))
        printf("%s: skipped: %s\n", name, error.message);
    if (opened)
        ray_scene_finish(&scene);
}

static void visit(void *context, const struct scene_listing *listing)
{
    if (listing->missing)
        printf("%s: skipped: %s\n", listing->name, listing->missing);
    else
        bench_name(listing->name);
}

int main(int count, char **words)
{
    struct error error = {0};
    if (count == 2 && !strcmp(words[1], "--all")) {
        const bool listed = scene_list(visit, NULL, &error);
        if (!listed)
            fprintf(stderr, "%s\n", error.message);
        return listed ? 0 : 1;
    }
    for (int i = 1; i < count; ++i)
        bench_name(words[i]);
    if (count == 1) {
        bench_name("cornell");
        bench_name("open");
    }
    return 0;
}
