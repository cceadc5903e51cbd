// SPDX-License-Identifier: MIT
// Instances: what is said of bad ones and of damaged content.
#include "check.h"
#include "scene/scene_image_check.h"
#include "scene/scene_read.h"
#include "scene/scene_build.h"
#include "grove_support.h"

TEST(bad_instances_are_refused)
{
    static const struct {
        const char *text, *words, *remedy;
    } cases[] = {
        {"  - {of: elm}\n", "elm", "oak"},
        {"  - {position: [1, 2, 3]}\n", "names no part", "of:"},
        {"  - {of: oak, scale: [1, 0, 1]}\n", "scale", ""},
        {"  - {of: oak, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]}\n", "singular", "matrix"},
        {"  - {of: oak, matrix: [1, 0, 0, .nan, 0, 1, 0, 0, 0, 0, 1, 0]}\n", "matrix", ""},
        {"  - {of: oak, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}\n", "matrix", ""},
        {"  - {of: oak, matrix: [1, 0, 0, 5e8, 0, 1, 0, 0, 0, 0, 1, 0]}\n", "farther out", "position"},
        {"  - {of: oak, scale: [1e-9, 1e-9, 1e-9]}\n", "singular", "scale"},
        {"  - {of: oak, scale: [100, 0.001, 1]}\n", "stretches", "scale"},
        {"  - {of: oak, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], scale: 2}\n", "besides", "either"},
        {"  - {of: oak, sizes: [1, 2]}\n", "scattered", "count"},
        {"  - {of: oak, count: 9, sizes: [2, 1]}\n", "sizes: from 2 to 1", "smaller number first"},
        {"  - {of: oak, count: 9, inner: 10, outer: 2}\n", "inner, 10, is more than outer, 2", "raise outer"},
        {"  - {of: oak, matrix: [1, 0]}\n", "2 values where 12", "[xx, xy, xz, x, yx"},
        {"  - {of: oak, count: 4000000}\n  - {of: oak, count: 4000000}\n", "instances", "count"},
        {"  - {of: oak, on: hill}\n", "hill", "terrain"},
        {"  - {of: oak, colour: red}\n", "colour", ""},
        {"  - {of: stone}\n", "\"oak\" has no instance", "of: oak"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[4096];
        snprintf(text, sizeof text, "%s%sinstances:\n%s%s", OAK, GROUND, cases[i].text,
                 strstr(cases[i].words, "\"oak\"") ? CAMERA : "  - {of: oak}\n  - {of: stone}\n" CAMERA);
        refused(open_text(text, two_level, &why), cases[i].words, cases[i].remedy);
        assert_int_not_equal(why.line, 0);
    }
}

TEST(what_has_no_two_levels_is_refused)
{
    const struct scene_tree_options kd = {.kind = TREE_KD16, .levels = 1}, split = {.levels = 1, .split = 1};
    refused(open_text(GROVE, kd, &why), "kd16", "binary or wide");
    refused(open_text(GROVE, split, &why), "", "splits: whole");
    struct scene_file file;
    uint64_t size;
    const struct scene_build_options few = {.triangle_limit = 2000};
    need(scene_file_parse(&file, "grove.yaml", GROVE, strlen(GROVE), &why));
    refused(scene_build(&file, "grove", &few, &size, &why), "", "instances=two_level");
    scene_file_finish(&file);
    refused(open_text("parts:\n  none: []\ninstances:\n  - {of: none}\n" CAMERA, two_level, &why), "holds no triangle",
            "");
}

// More triangles together than 32 bits number.
TEST(too_many_triangles_are_refused)
{
    enum { COUNT = 1 << 17 };
    const struct object_range object = {.count = 1 << 16};
    struct instance *instances = calloc(COUNT, sizeof *instances);
    uint32_t *runs, run_count, shift;
    assert_non_null(instances);
    refused(levels_number(&object, instances, COUNT, &runs, &run_count, &shift, &why), "8589934592 triangles", "");
    need(levels_number(&object, instances, COUNT / 4, &runs, &run_count, &shift, &why));
    for (uint32_t i = 0; i < COUNT / 4; ++i) // first and last triangle of each
        assert_true(runs[instances[i].slots >> shift] == i && runs[(instances[i].slots + 65535u) >> shift] == i &&
                    instances[i].ids == i << 16);
    free(runs);
    free(instances);
}

// ---- damaged content

static bool valid(char *content, uint64_t size, struct error *error)
{
    ((struct image_header *)(void *)content)->checksum = image_checksum(content, size);
    return image_validate(content, size, IMAGE_CONTENT, error);
}

TEST(damaged_content_is_refused)
{
    enum { INSTANCE = sizeof(struct instance) / 4, NOT_A_NUMBER = 0x7FC00000, INFINITE = 0x7F800000, TEN = 0x41200000 };
    static const struct {
        enum image_section section;
        uint32_t word, value;
    } cases[] = {{IMAGE_INSTANCES, INSTANCE, NOT_A_NUMBER},      // to_object
                 {IMAGE_INSTANCES, INSTANCE + 9, INFINITE},      // position
                 {IMAGE_INSTANCES, INSTANCE + 12, NOT_A_NUMBER}, // low
                 {IMAGE_INSTANCES, INSTANCE + 15, 3},            // object
                 {IMAGE_INSTANCES, INSTANCE + 15, UINT32_MAX},
                 {IMAGE_INSTANCES, INSTANCE + 19, NOT_A_NUMBER}, // pad
                 {IMAGE_INSTANCES, INSTANCE + 20, TEN},          // to_world: another matrix
                 {IMAGE_INSTANCES, INSTANCE + 29, 1},            // slots
                 {IMAGE_INSTANCES, INSTANCE + 30, 1},            // ids
                 {IMAGE_INSTANCES, INSTANCE + 31, 1},            // said to be an identity
                 {IMAGE_INSTANCE_OF, 0, 1},
                 {IMAGE_INSTANCE_OF, 2, UINT32_MAX},
                 {IMAGE_OBJECTS, 0, 1},
                 {IMAGE_OBJECTS, 1, 0},
                 {IMAGE_OBJECTS, 5, UINT32_MAX}};
    struct scene_file file;
    uint64_t size;
    assert_true(scene_file_parse(&file, "grove.yaml", GROVE, strlen(GROVE), &why));
    char *content =
        scene_build(&file, "grove", &(struct scene_build_options){.levels = true, .threads = 1}, &size, &why);
    assert_true(content && valid(content, size, &why));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *section = content + image_header(content)->sections[cases[i].section].offset;
        uint32_t *place = (uint32_t *)(void *)section + cases[i].word;
        const uint32_t kept = *place;
        assert_true(kept != cases[i].value);
        *place = cases[i].value;
        if (valid(content, size, &why))
            fail_msg("section %d, word %u as %08x is accepted", cases[i].section, cases[i].word, cases[i].value);
        *place = kept;
    }
    assert_true(valid(content, size, &why));
    free(content);
    scene_file_finish(&file);
}

// The same on every machine.
TEST(the_grove_is_the_recorded_one)
{
    struct scene *scene = made(scene_open(&(struct scene_request){.name = "grove", .tree = two_level}, &why));
    assert_string_equal(scene_facts(scene)->content_text, "84a615b2e58af50e5900ffd37afc1c48");
    assert_int_equal(scene_facts(scene)->effective_triangles, 17080);
    scene_close(scene);
}

TEST_GROUP(grove_begin, NULL)
