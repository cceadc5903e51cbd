// SPDX-License-Identifier: MIT
// Packed scenes that somebody made up: what they say must agree with what they hold.
#include "check.h"
#include <unistd.h>
#include "folder_support.h"
#include "packed_images.h"
#include "scene_support.h"
#include "scene/scene_image_check.h"
#include "scene/scene_cache.h"

static const struct packed_image *packed(const char *name)
{
    const struct packed_image *images = packed_images();
    setenv("WARPSTUDY_CACHE", cache, 1);
    for (int i = 0; i < PACKED_IMAGES; ++i)
        if (!strcmp(images[i].name, name))
            return &images[i];
    fail_msg("there is no %s", name);
    return NULL;
}

// Changes a copy of an image, puts its checksum right, and tells whether it is valid.
static bool valid_after(const char *name, void (*change)(struct image_header *header, uint32_t way), uint32_t way)
{
    const struct packed_image *image = packed(name);
    char *bytes = aligned_alloc(256, (image->size + 255) / 256 * 256);
    assert_non_null(bytes);
    memcpy(bytes, image->bytes, image->size);
    struct image_header *header = (struct image_header *)bytes;
    change(header, way);
    header->checksum = image_checksum(bytes, image->size);
    const bool valid =
        image_validate(bytes, image->size, IMAGE_CONTENT | IMAGE_TREE, NULL) && image_validate_tree(bytes, bytes, NULL);
    free(bytes);
    return valid;
}

static void change_nothing(struct image_header *header, uint32_t way)
{
}

// Columns and rows of the map and of the grid of cells; the sections are as long as these say.
static const uint32_t maps[][4] = {{6, 0, 4, 0},          {0, 4, 0, 2},          {6, 4, 0, 0},
                                   {0, 0, 4, 2},          {UINT32_MAX, 0, 4, 0}, {6, 0, UINT32_MAX, 0},
                                   {0, UINT32_MAX, 0, 2}, {24, 1, 4, 0},         {UINT32_MAX, 0, UINT32_MAX, 0}};

static void change_map(struct image_header *header, uint32_t way)
{
    const uint32_t *map = maps[way];
    const uint64_t cells = (uint64_t)map[2] * map[3];
    header->map_width = map[0];
    header->map_height = map[1];
    header->cell_width = map[2];
    header->cell_height = map[3];
    header->sections[IMAGE_RADIANCE].count = (uint64_t)map[0] * map[1];
    header->sections[IMAGE_CELL_ALIAS].count = header->sections[IMAGE_CELL_DENSITY].count = cells;
    header->sections[IMAGE_ROW_COSINE].count = cells ? map[3] + 1 : 0;
    header->environment_share = map[0] ? 0.5f : 0.0f;
}

TEST(an_environment_is_all_there_or_none)
{
    assert_true(valid_after("binary", change_nothing, 0));
    for (uint32_t i = 0; i < sizeof maps / sizeof *maps; ++i)
        if (valid_after("binary", change_map, i))
            fail_msg("a map of %u x %u, cells of %u x %u", maps[i][0], maps[i][1], maps[i][2], maps[i][3]);
}

static void change_number(struct image_header *header, uint32_t way)
{
    char *bytes = (char *)header;
    struct image_camera *camera = (struct image_camera *)(bytes + header->sections[IMAGE_CAMERAS].offset);
    struct material *material = (struct material *)(bytes + header->sections[IMAGE_MATERIALS].offset);
    float *radiance = (float *)(bytes + header->sections[IMAGE_RADIANCE].offset);
    float *cosine = (float *)(bytes + header->sections[IMAGE_ROW_COSINE].offset);
    float *light = (float *)(bytes + header->sections[IMAGE_LIGHTS].offset);
    switch (way) {
    case 0: camera->position.x = NAN; break;
    case 1: camera->focus_distance = INFINITY; break;
    case 2: material->exponent = NAN; break;
    case 3: material->flops = 1000001; break;
    case 4: radiance[5] = -1.0f; break;
    case 5: radiance[5] = INFINITY; break;
    case 6: cosine[1] = NAN; break;
    case 7: light[3] = NAN; break;
    case 8: header->light_area = INFINITY; break;
    case 9: header->box_pad *= 2; break;
    case 10: header->diagonal = NAN; break;
    case 11: header->box_high[1] /= 2; break;
    default: header->tree.split = 1; break;
    }
}

// What is not in the content follows from it, so that nobody can give another picture under the same content.
TEST(numbers_are_finite_and_lengths_the_scenes)
{
    for (uint32_t i = 0; i < 13; ++i)
        if (valid_after("binary", change_number, i))
            fail_msg("change %u", i);
}

static void change_volume(struct image_header *header, uint32_t way)
{
    switch (way) {
    case 0: header->volume_size[0] = 0; break;
    case 1: header->volume_size[1] = 0; break;
    case 2: header->volume_size[1] = UINT32_MAX; break;
    case 3: header->box_high[0] = 1e6f; break;
    case 4: header->box_low[1] = -0.4f; break;
    case 5: header->density_bits = 16; break;
    case 6: header->volume_majorant = 9e6f; break;
    default: header->sections[IMAGE_BRICKS].count -= 1; break;
    }
}

TEST(a_volume_is_a_box_of_longest_edge_1)
{
    assert_true(valid_after("volume", change_nothing, 0));
    for (uint32_t i = 0; i < 8; ++i)
        if (valid_after("volume", change_volume, i))
            fail_msg("change %u", i);
}

// Under the content that a header says results are stored: what lies in the image must be that.
TEST(a_packed_scene_is_what_its_content_says)
{
    const struct packed_image *images = packed_images();
    setenv("WARPSTUDY_CACHE", cache, 1);
    char path[128];
    snprintf(path, sizeof path, "%s/other.scene", cache);
    for (int i = 0; i < PACKED_IMAGES; ++i) {
        struct scene_mapping mapping;
        char *bytes = malloc(images[i].size);
        assert_non_null(bytes);
        memcpy(bytes, images[i].bytes, images[i].size);
        struct image_header header = *image_header(bytes);
        folder_write(NULL, path, bytes, images[i].size);
        need(scene_cache_map(path, &mapping, &why));
        scene_mapping_finish(&mapping);
        bytes[header.sections[IMAGE_RADIANCE].offset + 1] ^= 1; // a colour of the sky; all else stays
        header.checksum = image_checksum(bytes, images[i].size);
        memcpy(bytes, &header, sizeof header);
        folder_write(NULL, path, bytes, images[i].size);
        refused(scene_cache_map(path, &mapping, &why), "not what it says", "scene pack");
        free(bytes);
    }
    unlink(path);
}

TEST_GROUP(scenes_begin, NULL)
