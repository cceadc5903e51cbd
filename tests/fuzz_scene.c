// SPDX-License-Identifier: MIT
// Fuzz target: the bytes are a scene file. It is read and, kept small, built; whatever comes out must be a valid image.
#include <stdlib.h>

#include "scene/scene_build.h"
#include "scene/volume.h"
#include "scene/scene_read.h"
#include "scene/scene_image_check.h"

enum { MOST_VOXELS = 1 << 18 }; // that are built; more only take longer

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct scene_file file;
    const struct scene_build_options options = {.triangle_limit = 2000, .threads = 1};
    setenv("WARPSTUDY_DATA", "/nowhere", 1); // no mesh is found: their readers are not ours
    if (scene_file_parse(&file, "/nowhere/fuzz.yaml", (const char *)data, size, &error)) {
        uint64_t image_size;
        void *image = volume_voxels(file.volume.size) > MOST_VOXELS
                          ? NULL
                          : scene_build(&file, "fuzz", &options, &image_size, &error);
        if (image && !image_validate(image, image_size, IMAGE_CONTENT, &error)) {
            fprintf(stderr, "%s\n", error.message);
            abort();
        }
        free(image);
    }
    scene_file_finish(&file);
    return 0;
}
