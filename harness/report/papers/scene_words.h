// SPDX-License-Identifier: MIT
// What a heading says of a scene, from its file: nothing is built for it.
#pragma once

#include <stdbool.h>

struct scene_words {
    char title[128], stands_for[64], camera[64]; // "" where the file is not to be found
    bool fitted, original, known;                // known: the scene file was found
};

// `scene`: a name or a path, `camera` "" = the scene's first. Where the file is not to be found, the camera is as
// given.
struct scene_words scene_words(const char *scene, const char *camera);
