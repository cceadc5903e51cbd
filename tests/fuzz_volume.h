// SPDX-License-Identifier: MIT
// What the fuzz targets of volumes share: a file in memory is read as a scene file says, and what is read must be a valid
// image, or else the error that of an input.
#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scene/scene_build.h"
#include "scene/scene_read.h"
#include "scene/scene_image_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_volume_read(const char *path, const char *volume)
{
    char text[400];
    struct scene_file file;
    struct error error = {0};
    uint64_t size;
    const int length = snprintf(
        text, sizeof text, "volume: {file: %s, %s}\ncameras: {main: {eye: [0, 0, 2], at: [0, 0, 0]}}\n", path, volume);
    void *image = NULL;
    if (!scene_file_parse(&file, "/nowhere/fuzz.yaml", text, (size_t)length, &error)) {
        fprintf(stderr, "%s: %s\n", volume, error.message);
        abort();
    }
    image = scene_build(&file, "fuzz", &(struct scene_build_options){.threads = 1}, &size, &error);
    if (!image && (error_exit_code(&error) != 2 || !error.message[0]))
        abort();
    if (image && !image_validate(image, size, IMAGE_CONTENT, &error)) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    free(image);
    scene_file_finish(&file);
}

// `volume`: the keys of a scene file's volume, but for `file`.
static inline void fuzz_volume(const char *volume, const uint8_t *data, size_t size)
{
    char path[40];
    const int file = memfd_create("volume", 0);
    if (file < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, data, size) == (ssize_t)size)
        fuzz_volume_read(path, volume);
    close(file);
}
