// SPDX-License-Identifier: MIT
// The scenes of an executor. Sweeps go through their trials in random order, so that the next one mostly wants another
// scene, or another tree over it: a few stay open, and more where they are small; on the device as long as they take up
// little of its memory.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trees/kd_facts.h"
#include "trees/wide_facts.h"
#include "trial/execute.h"
#include "trial/executor.h"
#include "volume/grid.h"

// More than a few where all together are small: of these bytes most are mapped files.
enum { SCENES_FEW = 12, SCENES_MOST = 128, SMALL_BYTES = 1 << 30 };
enum { MEMORY_SHARE = 8 }; // they may take up one part in so many of the device's memory

struct kept_scene {
    struct kept_scene *next; // that was used before this one
    char name[TRIAL_TEXT];
    struct scene_tree_options tree;
    struct scene *scene;
    bool uploaded, counted;
    struct bounce_counts tree_counts; // once it is counted
    struct scene_on_device on_device;
};

static void release(struct executor *executor, struct kept_scene *kept)
{
    if (kept->uploaded)
        scene_release(executor->device, &kept->on_device);
    kept->uploaded = false;
}

static void close_kept(struct executor *executor, struct kept_scene *kept)
{
    release(executor, kept);
    scene_close(kept->scene);
    free(kept);
}

void executor_release_scenes(struct executor *executor)
{
    for (struct kept_scene *kept = executor->scenes; kept; kept = kept->next)
        release(executor, kept);
}

void executor_close_scenes(struct executor *executor)
{
    for (struct kept_scene *kept = executor->scenes, *next; kept; kept = next) {
        next = kept->next;
        close_kept(executor, kept);
    }
    executor->scenes = NULL;
}

// Moves it to the front, where it is there.
static struct kept_scene *scenes_find(struct executor *executor, const char *name, struct scene_tree_options tree)
{
    for (struct kept_scene **place = &executor->scenes; *place; place = &(*place)->next) {
        struct kept_scene *kept = *place;
        if (strcmp(kept->name, name) || !scene_tree_options_equal(&kept->tree, &tree))
            continue;
        *place = kept->next;
        kept->next = executor->scenes;
        return executor->scenes = kept;
    }
    return NULL;
}

// Closes those that were not used for longest.
static void limit(struct executor *executor)
{
    struct kept_scene **place = &executor->scenes;
    uint64_t bytes = 0;
    for (int kept = 1; *place && (kept < SCENES_FEW || (kept < SCENES_MOST && bytes <= SMALL_BYTES)); ++kept) {
        bytes += scene_facts((*place)->scene)->image_bytes;
        place = &(*place)->next;
    }
    while (*place) {
        struct kept_scene *oldest = *place;
        *place = oldest->next;
        close_kept(executor, oldest);
    }
}

const struct scene *execute_scene(struct executor *executor, const struct trial_spec *spec, struct error *error)
{
    const struct scene_tree_options tree = execute_tree_options(&spec->parameters);
    struct kept_scene *kept = scenes_find(executor, spec->scene, tree);
    if (kept)
        return kept->scene;
    limit(executor);
    kept = memory_new(1, sizeof *kept);
    const struct scene_request request = {.name = spec->scene,
                                          .tree = tree,
                                          .progress = executor->progress,
                                          .progress_context = executor->progress_context};
    *kept = (struct kept_scene){.next = executor->scenes, .tree = tree, .scene = scene_open(&request, error)};
    memcpy(kept->name, spec->scene, sizeof kept->name);
    if (!kept->scene) {
        free(kept);
        return NULL;
    }
    executor->scenes = kept;
    return kept->scene;
}

// Takes others off the device until this one, the first of the list, fits beside those that stay.
static void make_room(struct executor *executor, bool alone)
{
    const uint64_t room = executor->device->ops->properties(executor->device)->memory / MEMORY_SHARE;
    uint64_t used = scene_facts(executor->scenes->scene)->image_bytes;
    for (struct kept_scene *kept = executor->scenes->next; kept; kept = kept->next) {
        used += kept->uploaded ? scene_facts(kept->scene)->image_bytes : 0;
        if (alone || used > room)
            release(executor, kept);
    }
}

bool executor_upload_scene(struct executor *executor, const struct trial_spec *spec, struct executor_scene *scene,
                           struct error *error)
{
    uint32_t width, height;
    execute_light_table(&spec->parameters, &width, &height);
    if (!execute_scene(executor, spec, error))
        return false;
    struct kept_scene *kept = executor->scenes;
    const struct variant *variant = variant_find(spec->variant);
    if (!variant->estimator->suits(&spec->parameters, scene_facts(kept->scene), error))
        return false;
    make_room(executor, width > 0); // the table is as large as many scenes
    if (!kept->uploaded)
        kept->uploaded = scene_upload(kept->scene, executor->device, &kept->on_device, error);
    *scene = (struct executor_scene){kept->scene, &kept->on_device.view, &kept->on_device.structure};
    return kept->uploaded &&
           (spec->parameters.grid_loads != GRID_LOADS_TEXTURE ||
            scene_upload_texture(executor->device, &kept->on_device, error)) &&
           scene_upload_cdf(kept->scene, executor->device, width, height, &kept->on_device, error);
}

static bool count_tree(struct kept_scene *kept, struct error *error)
{
    const struct tree *tree = scene_tree(kept->scene);
    struct kd_facts facts;
    struct wide_facts wide;
    if (tree_kinds[tree->layout]->traced) {
        kept->tree_counts = (struct bounce_counts){.tree_bytes = kept->on_device.structure.bytes};
        return true;
    }
    if (!kd_facts_make(tree, &facts, error))
        return false;
    wide_facts_make(tree, &wide);
    kept->tree_counts = (struct bounce_counts){.tree_nodes = tree->node_count,
                                               .tree_children = wide.children,
                                               .tree_assigned = wide.least,
                                               .tree_depth = tree->facts.depth,
                                               .tree_bytes = facts.bytes,
                                               .tree_leaves = tree->facts.leaves,
                                               .tree_crowded = facts.crowded,
                                               .tree_packed = facts.packed,
                                               .node_distance = facts.node_distance,
                                               .triangle_gap = facts.triangle_gap};
    return true;
}

const struct bounce_counts *executor_tree_counts(struct executor *executor, struct error *error)
{
    struct kept_scene *kept = executor->scenes;
    kept->counted = kept->counted || count_tree(kept, error);
    return kept->counted ? &kept->tree_counts : NULL;
}
