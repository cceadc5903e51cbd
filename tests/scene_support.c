// SPDX-License-Identifier: MIT
#include "scene_support.h"

#include "build_facts.h"
#include "check.h"
#include "folder_support.h"

const char *cache;

int scenes_begin(void **state)
{
    cache = folder_new();
    return setenv("WARPSTUDY_CACHE", cache, 1) || setenv("WARPSTUDY_SCENES", WARPSTUDY_SOURCE "/scenes", 1);
}

struct scene *scene_well(const char *name)
{
    return made(scene_open(&(struct scene_request){.name = name}, &why));
}

struct frame_args frame_over(const struct scene *scene, uint32_t width, uint32_t height, uint32_t max_bounces)
{
    struct frame_args frame = {.scene = *scene_host_view(scene), .seed = 1, .max_bounces = max_bounces};
    frame.width = width;
    frame.height = height;
    frame.pixel_count = width * height;
    need(scene_camera(scene, "", width, height, &frame.camera, &why));
    return frame;
}
