// SPDX-License-Identifier: MIT
#include "report/papers/scene_words.h"

#include <stdio.h>

#include "scene/scene_read.h"
#include "scene/scene_find.h"

struct scene_words scene_words(const char *scene, const char *camera)
{
    struct scene_words words = {.known = false};
    char path[512];
    struct error ignored = {0}; // a heading may lack what the file would have said
    snprintf(words.camera, sizeof words.camera, "%s", camera);
    if (!scene[0] || !scene_find(scene, path, sizeof path, &ignored))
        return words;
    struct scene_file file;
    if (scene_file_read(&file, path, &ignored)) {
        snprintf(words.title, sizeof words.title, "%s", file.title);
        snprintf(words.stands_for, sizeof words.stands_for, "%s", file.stands_for);
        words.fitted = file.fitted;
        words.original = file.original;
        words.known = true;
        if (!camera[0] && file.camera_count)
            snprintf(words.camera, sizeof words.camera, "%s", file.cameras[0].name);
    }
    scene_file_finish(&file);
    return words;
}
