// SPDX-License-Identifier: MIT
#include "report/scene_words.h"

#include <stdio.h>

#include "scene/scene_file.h"
#include "scene/scene_find.h"

void scene_words(const char *scene, const char *camera, struct report_panel *panel)
{
    char path[512];
    struct error ignored = {0}; // a heading may lack what the file would have said
    snprintf(panel->camera, sizeof panel->camera, "%s", camera);
    if (!scene[0] || !scene_find(scene, path, sizeof path, &ignored))
        return;
    struct scene_file file;
    if (scene_file_read(&file, path, &ignored)) {
        snprintf(panel->scene_title, sizeof panel->scene_title, "%s", file.title);
        snprintf(panel->stands_for, sizeof panel->stands_for, "%s", file.stands_for);
        panel->fitted = file.fitted;
        panel->known = true;
        if (!camera[0] && file.camera_count)
            snprintf(panel->camera, sizeof panel->camera, "%s", file.cameras[0].name);
    }
    scene_file_finish(&file);
}
