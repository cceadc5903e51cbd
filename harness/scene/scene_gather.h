// SPDX-License-Identifier: MIT
// The first half of a build: triangles and materials of all objects, in order.
#pragma once

#include "trees/two_levels.h"
#include "scene/scene_build_options.h"
#include "scene/scene_file.h"
#include "scene/scene_image.h"
#include "geometry/soup.h"

struct scene_parts {
    struct soup soup;           // triangles' materials index the two arrays below
    struct material *materials; // only those in use
    struct image_name *names;
    size_t material_count, name_count; // the same
    // With instances, or in two levels: the objects, of which the first is the scene's own, and where they are placed;
    // transforms are rounded as instances store them.
    struct object_range *objects;
    struct placement *placements;
    uint32_t object_count, placement_count;
};

bool scene_gather(struct scene_parts *parts, const struct scene_file *file, const struct scene_build_options *options,
                  struct error *error);
void scene_parts_finish(struct scene_parts *parts);
