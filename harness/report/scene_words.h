// SPDX-License-Identifier: MIT
// What a heading says of a scene, from its file: nothing is built for it.
#pragma once

#include "report/table.h"

// Fills the panel's scene_title, stands_for, fitted, known and camera ("" = the scene's first). `scene`: a name or a
// path. Where the file is not to be found, the texts stay empty and the camera is as given.
void scene_words(const char *scene, const char *camera, struct report_panel *panel);
