// SPDX-License-Identifier: MIT
// Building what a plan's rows need of scenes, once each, into the cache.
#pragma once

#include "plan/experiment.h"
#include "trees/tree.h"

struct built_scenes {
    struct built_scene {
        char name[TRIAL_TEXT];
        struct scene_tree_options tree;
    } * items;
    size_t count;
};
void built_scenes_finish(struct built_scenes *built);
// The row's scene with its tree, unless it was among those built before.
bool built_scenes_add(struct built_scenes *built, const struct trial_spec *spec, struct error *error);
