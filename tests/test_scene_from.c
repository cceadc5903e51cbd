// SPDX-License-Identifier: MIT
// Scenes that are from another file, and materials with a texture.
#include "check.h"
#include "folder_support.h"
#include "scene/scene.h"
#include "scene/scene_cache.h"
#include "scene/scene_read.h"

static const char *folder;

#define CAMERA "cameras:\n  main: {eye: [0, 0, 5], at: [0, 0, 0]}\n"
#define BOX "title: Inner\nstands_for: other\nobjects:\n  - {shape: box}\n" CAMERA
#define FROM                                                                                                           \
    "title: Outer\nstands_for: Kitchen\noriginal: true\nfrom: {file: inner/box.yaml, obtain: \"fetch it into\"}\n"

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    folder_write_text(folder, name, text);
}

static struct hash key_of(const char *name)
{
    struct scene_file file;
    struct hash key;
    assert_true(scene_file_read(&file, path_of(name), &why));
    assert_true(scene_cache_key(&file, false, false, &key, &why));
    scene_file_finish(&file);
    return key;
}

TEST(its_words_are_the_outer_files)
{
    write_text("inner/box.yaml", BOX);
    write_text("outer.yaml", FROM);
    struct scene *scene = made(scene_open(&(struct scene_request){.name = path_of("outer.yaml"), .threads = 1}, &why));
    assert_string_equal(scene_facts(scene)->title, "Outer");
    assert_string_equal(scene_facts(scene)->stands_for, "Kitchen");
    assert_int_equal(scene_facts(scene)->triangles, 12);
    struct hash content = scene_facts(scene)->content;
    scene_close(scene);
    scene = scene_open(&(struct scene_request){.name = path_of("inner/box.yaml"), .threads = 1}, &why);
    assert_memory_equal(&scene_facts(scene)->content, &content, sizeof content);
    scene_close(scene);
    struct scene_file file;
    assert_true(scene_file_read(&file, path_of("outer.yaml"), &why));
    assert_true(file.original && file.camera_count == 1);
    scene_file_finish(&file);
}

TEST(either_file_changes_the_key)
{
    write_text("inner/box.yaml", BOX);
    write_text("outer.yaml", FROM);
    const struct hash first = key_of("outer.yaml");
    write_text("outer.yaml", FROM "summary: more\n");
    const struct hash second = key_of("outer.yaml");
    write_text("inner/box.yaml", BOX "summary: more\n");
    const struct hash third = key_of("outer.yaml");
    assert_memory_not_equal(&first, &second, sizeof first);
    assert_memory_not_equal(&second, &third, sizeof second);
}

TEST(missing_file_leaves_the_words)
{
    struct scene_file file;
    char wanted[300];
    write_text("outer.yaml", FROM);
    remove(path_of("inner/box.yaml"));
    need(scene_file_read(&file, path_of("outer.yaml"), &why));
    assert_string_equal(file.stands_for, "Kitchen");
    assert_int_equal(file.object_count, 0);
    scene_file_finish(&file);
    refused(scene_open(&(struct scene_request){.name = path_of("outer.yaml"), .threads = 1}, &why), "", "");
    snprintf(wanted, sizeof wanted, "fetch it into %s/inner", folder);
    assert_string_equal(why.remedy, wanted);
    assert_int_equal(why.line, 4);
}

TEST(bad_use_is_explained)
{
    static const struct {
        const char *text, *message;
        int line;
    } cases[] = {
        {FROM "objects: []\n", "no contents of its own", 5},
        {"from: {}\n", "names no file", 1},
        {"from: {fil: a}\n", "did you mean 'file'", 1},
        {"from: {file: inner/chain.yaml}\n", "is from another file itself", 1},
        {"from: {file: inner/bad.yaml}\n", "did you mean 'objects'", 1},
    };
    write_text("inner/box.yaml", BOX);
    write_text("inner/chain.yaml", "from: {file: box.yaml}\n");
    write_text("inner/bad.yaml", "object: []\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct scene_file file;
        write_text("outer.yaml", cases[i].text);
        refused(scene_file_read(&file, path_of("outer.yaml"), &why), "", "");
        scene_file_finish(&file);
        if (!strstr(why.message, cases[i].message) && !strstr(why.remedy, cases[i].message))
            fail_msg("%s-> %s (%s)", cases[i].text, why.message, why.remedy);
        assert_int_equal(why.line, cases[i].line);
        assert_true(why.remedy[0]);
    }
}

// Two texels, white and black: the mean of their linear values is 1/2.
TEST(texture_is_a_factor)
{
    static const char scene_text[] = "materials:\n  a: {diffuse: [0.8, 0.4, 0.2], texture: two.ppm}\n"
                                     "objects:\n  - {shape: box, material: a}\n" CAMERA;
    folder_write(folder, "two.ppm", "P6 2 1 255\n\xff\xff\xff\0\0", 17);
    write_text("textured.yaml", scene_text);
    struct scene *scene =
        made(scene_open(&(struct scene_request){.name = path_of("textured.yaml"), .threads = 1}, &why));
    const struct material *material = scene_host_view(scene)->materials;
    assert_float_equal(material->diffuse.x, 0.4, 1e-6);
    assert_float_equal(material->diffuse.z, 0.1, 1e-6);
    scene_close(scene);
    write_text("two.ppm", "P6 2");
    refused(scene_open(&(struct scene_request){.name = path_of("textured.yaml"), .threads = 1}, &why),
            "textured.yaml:2 uses it", "");
    remove(path_of("two.ppm"));
    refused(scene_open(&(struct scene_request){.name = path_of("textured.yaml"), .threads = 1}, &why),
            "no file two.ppm", "");
    assert_int_equal(why.line, 2);
}

static int set_up(void **state)
{
    char command[128];
    folder = folder_new();
    if (setenv("WARPSTUDY_DATA", folder, 1) || setenv("WARPSTUDY_CACHE", folder, 1))
        return -1;
    snprintf(command, sizeof command, "mkdir '%s/inner'", folder);
    return system(command);
}

TEST_GROUP(set_up, NULL)
