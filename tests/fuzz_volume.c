// SPDX-License-Identifier: MIT
// Fuzz target: the first byte says how, the rest are the bytes of a volume's file: raw, a member of a tar archive, or NIfTI,
// gzipped or not. What is read must be a valid image.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scene/scene_build.h"
#include "scene/scene_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const volumes[] = {
    "type: uint8, size: [3, 2, 2]",
    "type: int16, order: big, offset: 3, size: [3, 2, 2], window: [0, 100], store: 16",
    "type: float32, size: [3, 2, 1], store: float",
    "member: a/b.dat, type: int8, size: [3, 2, 2], window: [-10, 10]",
    "format: nifti, window: [-100, 1000], store: float",
    "format: nifti, member: a/b.dat",
};

static void read_volume(const char *path, const char *volume)
{
    char text[400];
    struct scene_file file;
    struct error error = {0};
    uint64_t size;
    const int length = snprintf(
        text, sizeof text, "volume: {file: %s, %s}\ncameras: {main: {eye: [0, 0, 2], at: [0, 0, 0]}}\n", path, volume);
    void *image = NULL;
    if (!scene_file_parse(&file, "/nowhere/fuzz.yaml", text, (size_t)length, &error))
        abort();
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[40];
    const int file = size ? memfd_create("volume", 0) : -1;
    if (file < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, data + 1, size - 1) == (ssize_t)(size - 1))
        read_volume(path, volumes[data[0] % (sizeof volumes / sizeof *volumes)]);
    close(file);
    return 0;
}
