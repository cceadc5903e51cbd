// SPDX-License-Identifier: MIT
// Scene files: what they give, and what is said of bad ones.
#include "check.h"
#include <sys/stat.h>
#include "import/mesh_import.h"
#include "scene/scene_image_check.h"
#include "scene_file_support.h"

struct bad {
    const char *text, *message; // part of the message or the remedy
    int line;                   // 0 = any
};

static const struct bad bad_files[] = {
    {"", "empty", 1},
    {"[1, 2]", "must be a mapping", 1},
    {"titel: x\n", "did you mean 'title'", 1},
    {"title: [x]\n", "must be a single value", 1},
    {"title: a\ntitle: b\n", "given twice", 2},
    {"title: a\nsummary: b\ntitle: c\n", "first is in line 1", 3},
    {"materials:\n  a: {}\n  b: {}\n  a: {}\n", "first is in line 2", 4},
    {"materials:\n  a: {exponent: {x: 1}}\n", "exponent must be a single value, not a mapping", 2},
    {"materials:\n  a: {diffuse: [1, 1]}\n", "write diffuse: [x, y, z]", 2},
    {"objects: []\ncameras:\n  a:\n    eye: [0, 0, 0]\n    at: [0, 0, 1]\n    fov: 171\n",
     "choose a number from 1 to 170 (fov: vertical, degrees)", 6},
    {"title: a\n  b: c\n", "not YAML", 2},
    {"a: {b: [", "not YAML", 0},
    {"fitted: perhaps\n", "unknown fitted", 1},
    {"objects: []\n", "cameras must be a mapping", 0},
    {"objects: []\n" CAMERA, "no triangle", 0},
    {"objects: []\ncameras: {}\n", "no camera", 2},
    {"objects: []\ncameras:\n  a: {eye: [0, 0, 0]}\n", "needs eye, and at", 3},
    {"objects: []\ncameras:\n  a: {eye: [0, 0, 0], at: [0, 0, 0]}\n", "one point", 3},
    {"objects: []\ncameras:\n  a: {eye: [0, 0, 0], at: [0, 1, 0]}\n", "along its own up", 3},
    {"objects: []\ncameras:\n  a: {eye: [0, 0, 0], at: [0, 0, 1], fov: 180}\n", "out of bounds", 3},
    {"objects: []\ncameras:\n  a: {eye: [0, 0, 0], at: [0, 0, .nan]}\n", "not a number", 3},
    {"objects: []\ncameras:\n  a: {eye: [0, 0, 1e300], at: [0, 0, 0]}\n", "out of bounds", 3},
    {"objects: []\ncameras:\n  a: {eye: [0, 0], at: [0, 0, 0]}\n", "2 values where 3", 3},
    {"objects: []\ncameras:\n  a: {eye: [0, 0, 0], direction: [0, 0, 1], aperture: 0.1}\n", "add focus: DISTANCE", 3},
    {"volume: {}\nmaterials: {a: {}}\n" CAMERA, "a volume, which stands alone", 2},
    {"meshes: {}\nvolume: {}\n" CAMERA, "remove this, or `volume`", 1},
    {"materials: {a: {kind: lambet}}\n", "did you mean 'lambert'", 1},
    {"materials: {a: {emission: -1}}\n", "out of bounds", 1},
    {"materials: {a: {diffuse: 1.5}}\n", "out of bounds", 1},
    {"materials: {a: {kind: blinn, diffuse: 0.7, specular: 0.7}}\n", "over 1", 1},
    {"materials: {a: {}, a: {}}\n", "given twice", 1},
    {"materials: {a: {kind: glossy, roughness: 0.01}}\n", "choose a number from 0.1 to 1", 1},
    {"materials: {a: {flops: 0.5}}\n", "not a whole number", 1},
    {"materials: {a: {flops: 1e7}}\n", "out of bounds", 1},
    {"materials: {a: {kind: blend}}\n", "a blend is of two materials", 1},
    {"materials: {a: {kind: blend, of: [default]}}\n", "write of: [NAME, NAME]", 1},
    {"materials: {a: {kind: blend, of: default}}\n", "a blend is of two materials", 1},
    {"materials: {a: {kind: blend, of: [default, [x]]}}\n", "of must be a single value", 1},
    {"materials:\n  a: {kind: blend, of: [default, b]}\n  b: {}\n", "no material of that name stands before it", 2},
    {"materials:\n  a: {kind: blend, of: [default, a]}\n", "so that none can contain itself", 2},
    {"materials:\n  a: {kind: blend, of: [default, default], weight: 1.5}\n", "out of bounds", 2},
    {"materials:\n  a: {kind: blend, of: [default, default], flops: 5}\n", "give flops to its materials", 2},
    {"materials:\n  a: {emission: 1}\n  b: {kind: blend, of: [a, default]}\n", "give the emission to the blend itself",
     3},
    {"materials:\n  a: {of: [default, default]}\n", "lambert uses no `of`", 2},
    {"materials:\n  a: {weight: 0.5}\n", "a kind that uses it: blend", 2},
    {"materials:\n  a: {kind: glass,\n   roughness: 0.5}\n", "a kind that uses it: glossy, reflective", 3},
    {"materials:\n  a: {kind: chrome, diffuse: 0}\n", "chrome uses no `diffuse`", 2},
    {"materials:\n  a: {kind: blend, of: [default, default], ior: 2}\n", "blend uses no `ior`", 2},
    {"materials:\n  a: {opacity: 1.5}\n", "out of bounds", 2},
    {"materials:\n  a: {opacity: 0.5, emission: [0, 1, 0]}\n", "its opacity is below 1, but it emits light", 2},
    {"materials:\n  a: {opacity: 0.5}\n  b: {kind: blend, of: [a, default]}\n", "has an opacity below 1", 3},
    {"materials:\n  a: {kind: blend, of: [default, default], opacity: 0.5}\n", "a blend has no opacity", 2},
    {"materials:\n  a: {kind: blend, of: [default, default]}\n  b: {kind: blend, of: [a, a]}\n"
     "  c: {kind: blend, of: [b, a]}\n  d: {kind: blend, of: [default, c]}\n  e: {kind: blend, of: [d, d]}\n"
     "  f: {kind: blend, of: [e, default]}\n  g: {kind: blend, of: [f, f]}\n  h: {kind: blend, of: [g, a]}\n"
     "  i: {kind: blend, of: [default, h]}\n",
     "more than 8 blends within one another", 10},
    {"objects:\n  - {shape: bax}\n", "did you mean 'box'", 2},
    {"objects:\n  - {position: [0, 0, 0]}\n", "needs a mesh or a shape", 2},
    {"objects:\n  - {shape: box, sice: 1}\n", "did you mean 'size'", 2},
    {"objects:\n  - {shape: box, material: red}\n", "unknown material", 2},
    {"objects:\n  - {shape: sphere, segments: 1e9}\n", "out of bounds", 2},
    {"objects:\n  - {shape: sphere, segments: 8.5}\n", "not a whole number", 2},
    {"objects:\n  - {shape: trees, rotation: 5}\n", "cannot be rotated", 2},
    {"objects:\n  - {shape: trees, height: [6, 4]}\n", "height: from 6 to 4", 2},
    {"objects:\n  - {shape: grass, height: [0.2, 0.1]}\n", "write the smaller number first", 2},
    {"objects:\n  - {shape: trees, inner: 3, outer: 2}\n", "inner, 3, is more than outer, 2", 2},
    {"objects:\n  - {shape: grass, inner: 12}\n", "raise outer, which is 10", 2},
    {"objects:\n  - {shape: box, on: ground}\n", "no earlier object", 2},
    {"objects:\n  - {shape: terrain, name: a}\n  - {shape: terrain, name: a}\n  - {shape: box, on: a}\n",
     "two objects, in lines 2 and 3", 4},
    {"objects:\n  - {mesh: a}\n", "unknown mesh", 2},
    {"meshes:\n  a: {}\nobjects: []\n", "has no file", 2},
    {"meshes:\n  a: {file: none.obj, package: libcgal-demo}\nobjects:\n  - {mesh: a}\n" CAMERA, "scripts/get-scenes",
     2},
    {"meshes:\n  a: {file: none.obj, obtain: a place}\nobjects:\n  - {mesh: a}\n" CAMERA,
     "get it from a place and put it at", 2},
    {"objects: []\n" CAMERA "environment: {}\n", "needs one of", 4},
    {"objects: []\n" CAMERA "environment: {constant: 1, sky: {}}\n", "needs one of", 4},
    {"objects: []\n" CAMERA "environment: {sky: {son: 1}}\n", "did you mean 'sun'", 4},
    {"objects:\n  - {shape: box}\n" CAMERA "environment: {file: none.hdr}\n", "no file none.hdr", 0},
    {"objects:\n  - {shape: box, scale: 1e6, position: [1e8, 1e8, 1e8]}\n" CAMERA, "farther out", 2},
};

TEST(bad_scene_files_are_explained)
{
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; ++i) {
        uint64_t size;
        const struct bad *bad = &bad_files[i];
        refused(build_text(bad->text, &size, &why), "", "");
        if ((!strstr(why.message, bad->message) && !strstr(why.remedy, bad->message)) ||
            (bad->line && why.line != bad->line) || why.line <= 0 || !why.remedy[0])
            fail_msg("%s-> %s:%d: %s (%s)", bad->text, why.file, why.line, why.message, why.remedy);
        assert_non_null(strstr(why.file, "/test.yaml"));
        assert_int_equal(error_exit_code(&why), 2);
    }
}

TEST(aliases_may_be_used)
{
    void *image = build_well("objects:\n  - &b {shape: box}\n  - *b\n" CAMERA);
    assert_int_equal(image_header(image)->sections[IMAGE_TRIANGLES].count, 24);
    free(image);
}

TEST(deep_nesting_is_refused)
{
    enum { DEPTH = 10000 }; // libyaml takes the square of the time
    uint64_t size;
    char *text = malloc(DEPTH + 16);
    memcpy(text, "objects: ", 9);
    memset(text + 9, '[', DEPTH);
    text[DEPTH + 9] = '\0';
    assert_null(build_text(text, &size, &why));
    free(text);
}

// The branches of a blend in use stay, though no triangle has them, and are renumbered with it.
TEST(branches_of_blends_stay)
{
    void *image = build_well("materials:\n  unused: {}\n  a: {diffuse: 0.25}\n  idle: {}\n  m: {kind: chrome}\n"
                             "  b: {kind: blend, of: [a, m], weight: 0.25}\n  c: {kind: blend, of: [m, m]}\n"
                             "  d: {kind: blend, of: [b, c]}\nobjects:\n  - {shape: box, material: d}\n" CAMERA);
    const struct scene_view view = view_of(image);
    const struct material *m = view.materials;
    assert_int_equal(view.material_count, 5); // a, m, b, c, d
    assert_true(m[2].kind == MATERIAL_BLEND && m[2].branches[0] == 0 && m[2].branches[1] == 1 && m[2].weight == 0.25f);
    assert_true(m[3].kind == MATERIAL_BLEND_SPECULAR && m[3].branches[0] == 1 && m[3].branches[1] == 1);
    assert_true(m[4].kind == MATERIAL_BLEND && m[4].branches[0] == 2 && m[4].branches[1] == 3);
    assert_float_equal(m[0].diffuse.x, 0.25, 1e-6);
    free(image);
}

// What is stored is the share that passes, so that a scene without opacities is what it was before there were any. An image
// with another share, or a light of which rays pass some, is refused.
TEST(opacities_are_stored_as_what_passes)
{
    static const struct {
        float share, emission;
        const char *message; // NULL: sound
    } changes[] = {{0.5f, 0, NULL},
                   {-0.25f, 0, "a material's number is out of bounds"},
                   {1.5f, 0, "a material's number is out of bounds"},
                   {NAN, 0, "a material's number is out of bounds"},
                   {0.5f, 1, "a material that rays pass emits light"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        void *image = build_well("materials:\n  a: {opacity: 0.25}\n  b: {kind: chrome}\nobjects:\n"
                                 "  - {shape: box, material: a}\n  - {shape: box, material: b}\n" CAMERA);
        struct image_header *header = image;
        struct material *materials = (struct material *)((char *)image + header->sections[IMAGE_MATERIALS].offset);
        assert_true(materials[0].weight == 0.75f && materials[1].weight == 0.0f);
        materials[0].weight = changes[i].share;
        materials[0].emission.y = changes[i].emission;
        header->checksum = image_checksum(image, header->size);
        if (changes[i].message)
            refused(image_validate(image, header->size, IMAGE_CONTENT, &why), changes[i].message, "");
        else
            need(image_validate(image, header->size, IMAGE_CONTENT, &why));
        free(image);
    }
}

// An image whose blends lead in a circle, or out of it, is refused: a kernel would not come back.
TEST(damaged_blends_are_refused)
{
    static const struct {
        uint32_t material, branch, to;
    } damages[] = {{1, 0, 1}, {1, 1, 2}, {2, 0, 2}, {2, 1, 0xFFFFFFFFu}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
        void *image =
            build_well("materials:\n  b: {kind: blend, of: [default, default]}\n"
                       "  c: {kind: blend, of: [b, default]}\nobjects:\n  - {shape: box, material: c}\n" CAMERA);
        struct image_header *header = image;
        struct material *materials = (struct material *)((char *)image + header->sections[IMAGE_MATERIALS].offset);
        materials[damages[i].material].branches[damages[i].branch] = damages[i].to;
        header->checksum = image_checksum(image, header->size);
        refused(image_validate(image, header->size, IMAGE_CONTENT, &why), "a blend has no end", "");
        free(image);
    }
}

// An image with vertices so far out, or a box so large, that a walk's arithmetic would leave the range of floats.
TEST(images_out_of_reach_are_refused)
{
    for (int i = 0; i < 3; ++i) {
        void *image = build_well("objects:\n  - {shape: box}\n" CAMERA);
        struct image_header *header = image;
        struct triangle *triangles = (struct triangle *)((char *)image + header->sections[IMAGE_TRIANGLES].offset);
        *(i == 0 ? &triangles[3].v1.y : i == 1 ? &triangles[0].v2.z : &header->box_high[1]) = i == 0 ? 0x1p46f : NAN;
        header->checksum = image_checksum(image, header->size);
        refused(image_validate(image, header->size, IMAGE_CONTENT, &why), "out of bounds", "");
        free(image);
    }
}

// A mesh that takes some hundred times as long as it may.
TEST(endless_reading_is_stopped)
{
    enum { LINES = 100000 };
    static const char triangle[] = "0 0 0 1 0 0 0 1 0\n";
    char path[256], *text = malloc(LINES * sizeof triangle), *end = text;
    struct mesh_data mesh;
    assert_non_null(text);
    for (int i = 0; i < LINES; ++i)
        end = stpcpy(end, triangle);
    write_text("endless.raw", text);
    free(text);
    snprintf(path, sizeof path, "%s/endless.raw", folder);
    setenv("WARPSTUDY_MESH_SECONDS", "0.001", 1);
    refused(mesh_import(&mesh, path, "m", true, &why), "takes longer than 0.001 seconds", "WARPSTUDY_MESH_SECONDS");
    unsetenv("WARPSTUDY_MESH_SECONDS");
}

// A material library that is a pipe nobody writes to.
TEST(no_pipe_is_waited_for)
{
    char path[256];
    struct mesh_data mesh;
    snprintf(path, sizeof path, "%s/pipe.mtl", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    write_text("pipe.obj", "mtllib pipe.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    snprintf(path, sizeof path, "%s/pipe.obj", folder);
    refused(mesh_import(&mesh, path, "m", true, &why), "this is a pipe", "");
    assert_non_null(strstr(why.file, "pipe.mtl"));
}

TEST(lights_are_found)
{
    void *image = build_well("materials: {lamp: {emission: [1, 2, 3]}}\nobjects:\n  - {shape: box}\n"
                             "  - {shape: plane, size: [3, 2], material: lamp}\n" CAMERA);
    const struct scene_view view = view_of(image);
    assert_int_equal(view.light_count, 2);
    assert_float_equal(view.light_area, 6, 1e-5);
    assert_true(view.lights[0].radiance.z == 3 && view.environment_share == 0);
    free(image);
    image = build_well("materials: {lamp: {emission: 1}}\nobjects:\n  - {shape: box, material: lamp}\n" CAMERA
                       "environment: {constant: 1}\n");
    assert_true(view_of(image).environment_share == 0.5f);
    free(image);
    image = build_well("objects:\n  - {shape: box}\n" CAMERA
                       "environment: {constant: 0}\n"); // black: as if there were none
    assert_true(view_of(image).environment_share == 0 && view_of(image).environment.width == 0);
    free(image);
}

TEST_GROUP(set_up, NULL)
