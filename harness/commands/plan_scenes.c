// SPDX-License-Identifier: MIT
#include "commands/plan_scenes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/scene.h"
#include "trial/execute_settings.h"

void built_scenes_finish(struct built_scenes *built)
{
    free(built->items);
}

static bool is_built(const struct built_scenes *built, const char *name, const struct scene_tree_options *tree)
{
    for (size_t i = 0; i < built->count; ++i)
        if (!strcmp(built->items[i].name, name) && scene_tree_options_equal(&built->items[i].tree, tree))
            return true;
    return false;
}

bool built_scenes_add(struct built_scenes *built, const struct trial_spec *spec, struct error *error)
{
    const struct scene_request request = {.name = spec->scene, .tree = execute_tree_options(&spec->parameters)};
    if (is_built(built, spec->scene, &request.tree))
        return true;
    struct scene *scene = scene_open(&request, error);
    if (!scene)
        return false;
    scene_close(scene);
    struct built_scene *item = ARRAY_ADD(built->items, built->count);
    snprintf(item->name, sizeof item->name, "%s", spec->scene);
    item->tree = request.tree;
    return true;
}
