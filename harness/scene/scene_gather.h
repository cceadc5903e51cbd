// SPDX-License-Identifier: MIT
// The first half of a build: triangles and materials of all objects, in order.
#pragma once

#include "trees/two_levels.h"
#include "scene/scene_build.h"
#include "scene/scene_image.h"
#include "geometry/soup.h"

struct scene_parts {
    struct soup soup;           // triangles' materials index the two arrays below
    struct material *materials; // only those in use
    struct image_name *names;
    uint32_t material_count, material_capacity;
    // Of a scene with instances, or to be in two levels: what they are of, its first what stands in the scene itself, and
    // where; transforms as instances have them.
    struct object_range *objects;
    struct placement *placements;
    uint32_t object_count, placement_count;
};

bool scene_gather(struct scene_parts *parts, const struct scene_file *file, const struct scene_build_options *options,
                  struct error *error);
void scene_parts_finish(struct scene_parts *parts);
