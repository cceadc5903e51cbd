// SPDX-License-Identifier: MIT
// Pictures of scenes: renders for contact sheets, and small films of attempts.
#pragma once

#include <stdint.h>

#include "store/store.h"

// A render of a scene, for contact sheets.
struct store_picture {
    const char *scene, *scene_content, *camera; // camera: '' is the scene's first
    const char *materials;                      // value of that parameter, "" of volumes; ignored by store_put_picture
    int32_t width, height, spp;
    const char *image; // hash of its film
    const void *jpeg;
    size_t size; // of jpeg, in bytes
};
// Replaces one of the same scene, content, camera, size and paths per pixel.
bool store_put_picture(struct store *store, const struct store_picture *picture, struct error *error);
// Renders first, then films of attempts, each in the order in which they were stored, until `visit` returns false. Pointers are
// valid until it returns.
bool store_each_picture(struct store *store, bool (*visit)(void *context, const struct store_picture *), void *context,
                        struct error *error);
