// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "import/picture_formats.h"

const char picture_smaller[] = "make it at most 16384 texels along each side";

bool picture_refuse(struct error *error, const char *path, int line, const char *why, const char *remedy)
{
    error_set_at(error, ERROR_INPUT, path, line, "cannot read the picture: %s", why);
    return remedy ? error_remedy(error, "%s", remedy) : false;
}

bool picture_values_make(struct picture_values *picture, int64_t width, int64_t height, const char *path,
                         struct error *error)
{
    char why[100];
    if (width < 1 || height < 1)
        return picture_refuse(error, path, 0, "it is empty", NULL);
    if (width > PICTURE_MAX || height > PICTURE_MAX) {
        snprintf(why, sizeof why, "it is %lld x %lld texels, more than %d along a side", (long long)width,
                 (long long)height, PICTURE_MAX);
        return picture_refuse(error, path, 0, why, picture_smaller);
    }
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    picture->values = calloc((size_t)(width * height), 3 * sizeof *picture->values);
    return picture->values || error_set(error, ERROR_SYSTEM, "no memory for the picture %s", path);
}
