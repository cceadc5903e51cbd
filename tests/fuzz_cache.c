// SPDX-License-Identifier: MIT
// Fuzz target: the bytes are a packed scene image. With its length, version and checksum put right it is checked, and what
// passes is used: rays must stay inside it.
#include <stdlib.h>
#include <string.h>

#include "trees/traverse.h"
#include "scene/scene_image_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void trace(const struct scene_view *view, struct vec3 direction)
{
    const struct ray ray = {vec3_make(0.1f, 0.2f, 5), vec3_normalize(direction)};
    struct traversal_work work = traversal_work_none();
    const struct hit hit = traverse(view, &ray, 1e30f, TRAVERSAL_CLOSEST, TRAVERSAL_WHILE_WHILE, false, 1, 0, &work);
    struct triangle copy;
    if (hit.slot == HIT_NONE)
        return;
    const uint32_t place = view->instances ? hit.slot - scene_instance(view, hit.slot)->slots : hit.slot;
    if (place >= view->triangle_count || scene_triangle(view, hit.slot, &copy)->material >= view->material_count)
        abort();
}

static void use(const void *image)
{
    const struct image_header *header = image_header(image);
    const struct tree tree = image_tree(image, image);
    struct scene_view view = image_view(header, image);
    tree_view(&tree, header->box_low, header->box_high, &view);
    for (int i = 0; i < 16 && !view.volume.density; ++i)
        trace(&view, vec3_make((float)(i % 4) * 0.1f - 0.15f, (float)(i / 4) * 0.1f - 0.15f, -1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *image = NULL;
    if (posix_memalign((void **)&image, 256, size ? size : 1) != 0)
        return 0;
    memcpy(image, data, size);
    if (size >= sizeof(struct image_header)) {
        const uint64_t length = size;
        const uint32_t version = IMAGE_VERSION;
        memcpy(image + offsetof(struct image_header, size), &length, sizeof length);
        memcpy(image + offsetof(struct image_header, version), &version, sizeof version);
        const struct hash checksum = image_checksum(image, size);
        memcpy(image + offsetof(struct image_header, checksum), &checksum, sizeof checksum);
    }
    if (image_validate(image, size, IMAGE_CONTENT | IMAGE_TREE, NULL) && image_validate_tree(image, image, NULL))
        use(image);
    free(image);
    return 0;
}
