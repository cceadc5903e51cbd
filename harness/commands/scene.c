// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trees/traverse.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "commands/shared.h"
#include "run/progress.h"
#include "trees/fragments.h"
#include "trees/kd_facts.h"
#include "trees/wide_facts.h"
#include "scene/scene_cache.h"
#include "scene/scene_find.h"
#include "scene/volume_bricks.h"
#include "trial/execute_settings.h"

static struct scene *open_scene(const struct command_line *line, const char *name, bool rebuild, struct error *error)
{
    struct parameters parameters = parameters_default();
    if (!command_set_of(line, TREE_PARAMETERS, &parameters, error))
        return NULL;
    struct progress progress;
    progress_start(&progress, 0, false);
    const struct scene_request request = {.name = name,
                                          .tree = execute_tree_options(&parameters),
                                          .rebuild = rebuild,
                                          .progress = progress_scene,
                                          .progress_context = &progress};
    struct scene *scene = scene_open(&request, error);
    progress_clear(&progress);
    return scene;
}

static void print_names(const struct scene *scene, const char *title, uint64_t count,
                        const char *(*name)(const struct scene *scene, uint32_t index))
{
    enum { SHOWN = 24 };
    printf("  %-12s", title);
    for (uint32_t i = 0; i < count && i < SHOWN; ++i) {
        fputs(i ? ", " : "", stdout);
        utf8_print(name(scene, i), stdout);
    }
    printf(count > SHOWN ? " and %d more\n" : "\n", (int)(count - SHOWN));
}

static double mebibytes(uint64_t bytes)
{
    return (double)bytes / (1 << 20);
}

static void print_references(const struct scene_facts *facts, const struct kd_facts *kd)
{
    const struct tree_facts *tree = &facts->tree_facts;
    const uint64_t parts = facts->fragments ? facts->fragments : facts->triangles;
    const uint64_t more = tree->references - (parts < tree->references ? parts : tree->references);
    printf("              %llu references to %s, %llu of them duplicates; %llu chains of leaves\n",
           (unsigned long long)tree->references, facts->fragments ? "fragments" : "triangles", (unsigned long long)more,
           (unsigned long long)tree->chains);
    printf("              median distance between nodes at the bottom with an ancestor 3 levels above or nearer: %llu "
           "nodes; from a triangle of a leaf to the next: %llu\n",
           (unsigned long long)kd->node_distance, (unsigned long long)kd->triangle_gap);
}

static void print_children(const struct tree *tree)
{
    struct wide_facts wide;
    wide_facts_make(tree, &wide);
    if (!wide.children)
        return;
    printf("              children per node: %.2f on average", (double)wide.children / (double)tree->node_count);
    for (uint32_t n = 1; n <= WIDE_SLOTS; ++n)
        if (wide.nodes[n])
            printf("; %u in %.1f %%", n, 100 * (double)wide.nodes[n] / (double)tree->node_count);
    putchar('\n');
    if (tree->kind == TREE_WIDE)
        printf("              children in slots of least cost: in %.1f %% of the nodes\n",
               100 * (double)wide.least / (double)tree->node_count);
}

// A tree that only a device can build: it is built there, once.
static void print_device_tree(const struct scene *scene)
{
    struct error error = {0};
    struct device *device = device_open("cuda", &(struct device_settings){0}, &error);
    struct device_tracing tracing;
    struct scene_on_device there = {0};
    const bool built =
        device && scene_upload(scene, device, &there, &error) && device->ops->tracing(device, &tracing, &error);
    printf("  tree        %s: ", tree_name(scene_tree(scene)->layout));
    if (built)
        command_print_structure(&there.structure, &tracing, scene_facts(scene)->triangles);
    else
        printf("not built: %.*s\n", (int)strcspn(error.message, "\n"), error.message);
    if (device)
        scene_release(device, &there);
    device_close(device);
}

// In the layout that a device would have.
static void print_tree(const struct scene *scene)
{
    const struct scene_facts *facts = scene_facts(scene);
    const struct tree_kind *kind = tree_kinds[facts->tree.kind];
    const struct tree_facts *tree = &facts->tree_facts;
    const uint64_t parts = facts->fragments ? facts->fragments : facts->triangles;
    struct kd_facts kd;
    struct error error = {0};
    if (tree_kinds[scene_tree(scene)->layout]->traced) {
        print_device_tree(scene);
        return;
    }
    const bool measured = kd_facts_make(scene_tree(scene), &kd, &error);
    if (facts->instances)
        printf("  top level   %s: %llu nodes, depth %u\n", tree_name(facts->tree.top),
               (unsigned long long)tree->top_nodes, tree->top_depth);
    printf("  tree        %s: %llu nodes, %llu leaves of at most %u triangles, depth %u, SAH cost %.2f\n",
           tree_name(scene_tree(scene)->layout), (unsigned long long)tree->nodes, (unsigned long long)tree->leaves,
           tree->leaf_size, tree->depth, tree->sah_cost);
    if (kind->image == TREE_WIDE4)
        printf("              boxes in %s\n", wide4_has_floats(scene_tree(scene)->nodes)
                                                  ? "floats: the grid is too coarse for what the scene has of detail"
                                                  : "steps of the scene's grid");
    if (kind->build_bytes)
        printf("              built in at most %.1f MiB\n", mebibytes((parts + 1) * kind->build_bytes));
    if (kind->image == TREE_KD16 && measured)
        print_references(facts, &kd);
    print_children(scene_tree(scene));
    if (measured)
        printf("              %.1f MiB in addition to the triangles\n", mebibytes(kd.bytes));
    else
        printf("              %s\n", error.message);
}

static void print_surfaces(const struct scene *scene)
{
    const struct scene_facts *facts = scene_facts(scene);
    printf("  triangles   %llu", (unsigned long long)facts->triangles);
    if (facts->dropped_triangles)
        printf(" (%llu without area were dropped)", (unsigned long long)facts->dropped_triangles);
    putchar('\n');
    const uint64_t fine = scene_too_fine(scene);
    if (fine)
        printf("              %llu are too fine for floats at their distance from the origin: move the scene nearer\n",
               (unsigned long long)fine);
    if (facts->instances) {
        const uint64_t bytes = facts->instances * sizeof(struct instance);
        printf("  instances   %llu of %llu parts: %llu triangles in all, %.1f MiB\n",
               (unsigned long long)facts->instances, (unsigned long long)facts->objects,
               (unsigned long long)facts->effective_triangles, (double)bytes / (1 << 20));
    }
    if (facts->fragments)
        printf("  fragments   %llu, %.2f per triangle, %.1f MiB; made in at most %.1f MiB\n",
               (unsigned long long)facts->fragments, (double)facts->fragments / (double)facts->triangles,
               mebibytes(facts->fragments * sizeof(struct fragment)),
               mebibytes((facts->triangles + 1) * FRAGMENT_BUILD_BYTES));
    print_tree(scene);
    printf("  lights      %llu emissive triangles\n", (unsigned long long)facts->lights);
}

static void print_volume(const struct volume_view *volume)
{
    const uint32_t *size = volume->size;
    const uint64_t bricks = volume_brick_count(size);
    uint64_t empty = 0;
    for (uint64_t i = 0; i < bricks; ++i)
        empty += volume->bricks[i] == 0.0f;
    printf("  volume      %u x %u x %u voxels, densities %s, extinction up to %g per scene unit\n", size[0], size[1],
           size[2],
           volume->density_bits == 32   ? "as floats"
           : volume->density_bits == 16 ? "in 16 bits"
                                        : "in 8 bits",
           (double)volume->majorant);
    printf("              bricks of %u x %u x %u voxels: %llu, %.1f %% of them empty\n", BRICK_EDGE, BRICK_EDGE,
           BRICK_EDGE, (unsigned long long)bricks, 100 * (double)empty / (double)bricks);
    if (volume->asymmetry != 0.0f)
        printf("              scatters by Henyey and Greenstein, mean cosine %g\n", (double)volume->asymmetry);
    if (volume->ior != 0.0f)
        printf("              boundary of index %g, alpha %g, by boundary: dielectric\n", (double)volume->ior,
               (double)volume->alpha);
}

static void print_opacity(const struct scene *scene)
{
    const struct scene_view *view = scene_host_view(scene);
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->material_count; ++i)
        count += view->materials[i].kind < MATERIAL_BLEND && view->materials[i].weight > 0.0f;
    if (count)
        printf("              %u with an opacity below 1, by opacity: scene\n", count);
}

static void print_facts(const struct scene *scene)
{
    const struct scene_facts *facts = scene_facts(scene);
    utf8_print(facts->name, stdout);
    fputs(": ", stdout);
    utf8_print(facts->title, stdout);
    putchar('\n');
    if (facts->stands_for[0])
        printf("  stands for  %s%s\n", facts->stands_for,
               facts->fitted ? " (fitted to a published curve: excluded from claims)" : "");
    if (facts->voxels)
        print_volume(&scene_host_view(scene)->volume);
    else
        print_surfaces(scene);
    printf("  box         %g %g %g to %g %g %g\n", (double)facts->box_low[0], (double)facts->box_low[1],
           (double)facts->box_low[2], (double)facts->box_high[0], (double)facts->box_high[1],
           (double)facts->box_high[2]);
    print_names(scene, "cameras", facts->cameras, scene_camera_name);
    if (facts->materials) {
        print_names(scene, "materials", facts->materials, scene_material_name);
        print_opacity(scene);
    }
    printf("  image       %.1f MiB, content %s\n", (double)facts->image_bytes / (1 << 20), facts->content_text);
}

static bool show_scene(const struct command_line *line, bool rebuild, struct error *error)
{
    const double start = clock_seconds();
    struct scene *scene = open_scene(line, line->words[1], rebuild, error);
    if (!scene)
        return false;
    char took[32];
    progress_duration(clock_seconds() - start, took, sizeof took);
    print_facts(scene);
    if (rebuild)
        printf("  built in    %s\n", took);
    scene_close(scene);
    return true;
}

// A packed scene may be written anew; anything else would be lost.
static bool may_replace(const char *path, struct error *error)
{
    struct stat there;
    if (stat(path, &there) || (S_ISREG(there.st_mode) && (there.st_size == 0 || scene_is_packed(path))))
        return true;
    error_set_at(error, ERROR_USE, path, 0, "what is there is no packed scene");
    return error_remedy(error, "give another name, or remove it first");
}

static bool pack(const struct command_line *line, struct error *error)
{
    char name[NAME_MAX + 1];
    struct scene *scene = open_scene(line, line->words[1], false, error);
    if (!scene)
        return false;
    scene_name_of(line->words[1], name,
                  sizeof name); // as it was asked for: what a packed scene calls itself is no file of ours
    char *path = line->word_count > 2 ? memory_copy(line->words[2]) : memory_format("%s.scene", name);
    const bool done = may_replace(path, error) && scene_pack(scene, path, error);
    if (done)
        printf("%s: %.1f MiB\n", path, (double)scene_facts(scene)->image_bytes / (1 << 20));
    free(path);
    scene_close(scene);
    return done;
}

// ---- cache

// What the cache holds of one kind.
struct cached {
    size_t count;
    double mebibytes;
};

static bool walk_entry(const char *folder, const char *name, bool clear, struct cached found[], struct error *error)
{
    const enum scene_cached kind = scene_cache_holds(folder, name);
    char *path = memory_format("%s/%s", folder, name);
    struct stat facts;
    bool done = true;
    if (kind != SCENE_CACHED_NONE && stat(path, &facts) == 0) {
        ++found[kind].count;
        found[kind].mebibytes += mebibytes((uint64_t)facts.st_size);
        if (clear)
            done = unlink(path) == 0 || error_set_errno(error, "remove", path);
        else
            printf("%10.1f MiB  %s%s\n", mebibytes((uint64_t)facts.st_size), name,
                   kind == SCENE_CACHED_LEFT ? "  left by a build that was killed" : "");
    }
    free(path);
    return done;
}

// Lists the cached images and what builds that were killed left of some, or removes them.
static bool walk_cache(const char *folder, bool clear, struct error *error)
{
    DIR *entries = opendir(folder);
    struct cached found[SCENE_CACHED_LEFT + 1] = {{0}};
    bool done = true;
    for (struct dirent *entry; done && entries && (entry = readdir(entries));)
        done = walk_entry(folder, entry->d_name, clear, found, error);
    if (entries)
        closedir(entries);
    if (!done)
        return false;
    const struct cached *images = &found[SCENE_CACHED_IMAGE], *left = &found[SCENE_CACHED_LEFT];
    printf("%s%zu images, %.1f MiB, in %s\n", clear ? "removed " : "", images->count, images->mebibytes, folder);
    if (left->count)
        printf("%s%zu left by builds that were killed, %.1f MiB\n", clear ? "removed " : "", left->count,
               left->mebibytes);
    return true;
}

// Of words and options that the command knows, those that this part of it has no use for.
static bool check_words(const struct command_line *line, size_t most, bool sets, struct error *error)
{
    if (line->word_count > most)
        error_set(error, ERROR_USE, "scene %s: '%.60s' is one argument too many", line->words[0], line->words[most]);
    else if (line->value_count && !sets)
        error_set(error, ERROR_USE, "scene %s takes no --%s", line->words[0], line->values[0].option->name);
    else
        return true;
    return error_remedy(error, "usage: warpstudy scene %s", line->command->arguments);
}

static bool cache(const struct command_line *line, struct error *error)
{
    const char *what = line->word_count > 1 ? line->words[1] : "list";
    if (!check_words(line, 2, false, error))
        return false;
    if (!strcmp(what, "list") || !strcmp(what, "clear")) {
        char *folder = scene_cache_folder();
        const bool done = walk_cache(folder, !strcmp(what, "clear"), error);
        free(folder);
        return done;
    }
    error_set(error, ERROR_USE, "scene cache: there is no '%s'", what);
    return error_remedy(error, "choose list or clear");
}

static bool scene_run(const struct command_line *line, struct error *error)
{
    const char *what = line->words[0];
    if (!strcmp(what, "cache"))
        return cache(line, error);
    if (strcmp(what, "info") && strcmp(what, "build") && strcmp(what, "pack")) {
        error_set(error, ERROR_USE, "scene: there is no '%s'", what);
        return error_near(error, what, (const char *const[]){"info", "build", "pack", "cache", NULL}, NULL);
    }
    if (line->word_count < 2) {
        error_set(error, ERROR_USE, "scene %s: which scene?", what);
        return error_remedy(error, "see warpstudy list scenes");
    }
    if (!check_words(line, strcmp(what, "pack") ? 2 : 3, true, error))
        return false;
    return !strcmp(what, "pack") ? pack(line, error) : show_scene(line, !strcmp(what, "build"), error);
}

const struct command command_scene = {
    .name = "scene",
    .arguments = "info NAME | build NAME | pack NAME [FILE] | cache [list|clear]",
    .summary = "describes, rebuilds or packs a scene; lists or clears the cache of built scenes",
    .details = "--set takes what determines the tree: tree, top_tree, instances, splits, reinsert, leaf_size, bins,\n"
               "tree_width, child_order, node_align, tree_stack, kd_order, triangle_test, optix_build, optix_compact.\n"
               "What a GPU builds by itself (tree=optix) is built there, and its time and memory are shown.\n"
               "A packed scene (NAME.scene) is found like NAME.yaml and needs no other files of the scene.\n"
               "Without FILE it is written to NAME.scene in the working folder.",
    .options =
        {
            {COMMAND_OPTION_SET},
        },
    .least_words = 1,
    .most_words = 3,
    .run = scene_run,
};
