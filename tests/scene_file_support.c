// SPDX-License-Identifier: MIT
#include "check.h"
#include "folder_support.h"
#include "scene/scene_build.h"
#include "scene/scene_image_check.h"
#include "scene_file_support.h"

const char *folder;

void write_bytes(const char *name, const void *bytes, size_t size)
{
    folder_write(folder, name, bytes, size);
}

void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

// Builds a scene file given as text; NULL on failure.
void *build_text(const char *text, uint64_t *size, struct error *error)
{
    char path[256];
    struct scene_file file;
    void *image = NULL;
    *error = (struct error){0};
    snprintf(path, sizeof path, "%s/test.yaml", folder);
    if (scene_file_parse(&file, path, text, strlen(text), error))
        image = scene_build(&file, "test", &(struct scene_build_options){.threads = 1}, size, error);
    scene_file_finish(&file);
    return image;
}

struct scene_view view_of(const void *image)
{
    assert_non_null(image);
    return image_view(image_header(image), image);
}

void *build_well(const char *text)
{
    uint64_t size;
    void *image = made(build_text(text, &size, &why));
    assert_true(image_validate(image, size, IMAGE_CONTENT, &why));
    return image;
}

int set_up(void **state)
{
    folder = folder_new();
    return setenv("WARPSTUDY_DATA", folder, 1);
}
