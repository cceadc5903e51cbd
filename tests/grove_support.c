// SPDX-License-Identifier: MIT
#include "check.h"
#include "folder_support.h"
#include "grove_support.h"

static const char *folder;

struct scene *open_text(const char *text, struct scene_tree_options tree, struct error *error)
{
    char path[256];
    snprintf(path, sizeof path, "%s/grove.yaml", folder);
    folder_write_text(folder, "grove.yaml", text);
    return scene_open(&(struct scene_request){.name = path, .tree = tree, .threads = 1}, error);
}

struct scene *open_well(const char *text, struct scene_tree_options tree)
{
    return made(open_text(text, tree, &why));
}

int grove_begin(void **state)
{
    folder = folder_new();
    return setenv("WARPSTUDY_CACHE", folder, 1);
}
