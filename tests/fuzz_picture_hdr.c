// SPDX-License-Identifier: MIT
// Fuzz target: a picture of Radiance's, whose first two bytes are put before the input. What is read is finite and not
// negative, or else the error is that of an input.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "import/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct picture *picture)
{
    for (size_t i = 0, count = (size_t)picture->width * picture->height; i < count; ++i) {
        const struct vec3 v = picture->texels[i];
        if (!(v.x >= 0 && v.y >= 0 && v.z >= 0 && isfinite(v.x + v.y + v.z)))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[40];
    struct picture picture;
    struct error error = {0};
    const int file = memfd_create("picture", 0);
    if (file < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, "#?", 2) == 2 && write(file, data, size) == (ssize_t)size) {
        if (picture_read(&picture, path, &error))
            check(&picture);
        else if (error_exit_code(&error) != 2 || !error.message[0])
            abort();
        picture_finish(&picture);
    }
    close(file);
    return 0;
}
