// SPDX-License-Identifier: MIT
#include "trees/tree_upload.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool copy_up(struct device *device, const struct tree_block *block, void **there, struct error *error)
{
    *there = NULL;
    return block->size == 0 || ((*there = device->ops->alloc(device, block->size, error)) &&
                                device->ops->upload(device, NULL, *there, block->bytes, block->size, error));
}

static void list_parts(const struct levels *levels, struct device_part *parts, struct device_copy *copies)
{
    for (uint32_t i = 0; i < levels->object_count; ++i)
        parts[i] = (struct device_part){levels->objects[i].first, levels->objects[i].count};
    for (uint32_t i = 0; i < levels->instance_count; ++i) {
        const struct instance *from = &levels->instances[i];
        const float position[] = {from->position.x, from->position.y, from->position.z};
        copies[i].part = from->object;
        for (int row = 0; row < 3; ++row)
            memcpy(copies[i].to_world[row],
                   (float[]){from->to_world[row].x, from->to_world[row].y, from->to_world[row].z, position[row]},
                   sizeof copies[i].to_world[row]);
    }
}

// Puts the device's own tree over the triangles, which are there, in the place of nodes.
static bool build_traced(const struct tree *tree, const struct levels *levels, struct device *device,
                         void *blocks[TREE_BLOCKS], struct device_structure *structure, struct error *error)
{
    if (!device->ops->create_structure) {
        error_set(error, ERROR_UNSUPPORTED, "tree: %s is a GPU's own, and this device has none",
                  tree_name(tree->layout));
        return error_remedy(error, "choose device: cuda, or another tree");
    }
    struct device_structure_input input = {.corners = blocks[TREE_TRIANGLES],
                                           .count = (uint32_t)tree->triangle_count,
                                           .stride = sizeof(struct triangle) / 3,
                                           .part_count = tree->options.levels ? levels->object_count : 0,
                                           .copy_count = tree->options.levels ? levels->instance_count : 0,
                                           .kind = (enum choice_optix_build)tree->options.optix_build,
                                           .compact = tree->options.optix_compact != 0};
    struct device_part *parts = memory_new(input.part_count + 1, sizeof *parts);
    struct device_copy *copies = memory_new(input.copy_count + 1, sizeof *copies);
    if (tree->options.levels)
        list_parts(levels, parts, copies);
    input.parts = parts;
    input.copies = copies;
    const bool done = device->ops->create_structure(device, &input, structure, error);
    blocks[TREE_NODES] = structure->memory;
    free(parts);
    free(copies);
    return done;
}

bool tree_upload(const struct tree *tree, const struct levels *levels, const float low[3], const float high[3],
                 struct device *device, void *blocks[TREE_BLOCKS], struct scene_view *view,
                 struct device_structure *structure, struct error *error)
{
    struct tree_block from[TREE_BLOCKS];
    bool done = tree_arrange(tree, from, error);
    for (int i = 0; done && i < TREE_BLOCKS; ++i)
        done = copy_up(device, &from[i], &blocks[i], error);
    for (int i = 0; i < TREE_BLOCKS; ++i)
        free(from[i].owned);
    const bool traced = tree_kinds[tree->layout]->traced;
    *structure = (struct device_structure){0};
    if (!done || (traced && !build_traced(tree, levels, device, blocks, structure, error)))
        return false;
    tree_view_blocks(tree, blocks, low, high, view);
    if (traced)
        view->nodes = (const void *)(uintptr_t)structure->handle;
    return true;
}
