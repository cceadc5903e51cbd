// SPDX-License-Identifier: MIT
// Scene files, meshes and pictures: what they give, and what is said of bad ones.
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#include <OpenEXR/ImfCRgbaFile.h>

#include "folder_support.h"
#include "base/hash.h"
#include "base/image.h"
#include "import/mesh_import.h"
#include "scene/scene.h"
#include "import/picture.h"
#include "scene/scene_build.h"
#include "scene/scene_image.h"
#include "scene/scene_read.h"
#include "scene/scene_image_check.h"

static const char *folder;

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

// Builds a scene file given as text; NULL on failure.
static void *build(const char *text, uint64_t *size, struct error *error)
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

#define CAMERA "cameras:\n  main: {eye: [0, 0, 5], at: [0, 0, 0]}\n"

static struct scene_view view_of(const void *image)
{
    assert_non_null(image);
    return image_view(image_header(image), image);
}

static void *build_well(const char *text)
{
    uint64_t size;
    struct error error;
    void *image = build(text, &size, &error);
    if (!image)
        print_message("%s:%d: %s\n", error.file, error.line, error.message);
    assert_non_null(image);
    assert_true(image_validate(image, size, IMAGE_CONTENT, &error));
    return image;
}

// ---- bad scene files

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
    {"materials:\n  a: {of: [default, default]}\n", "add kind: blend", 2},
    {"materials:\n  a: {weight: 0.5}\n", "only a blend has one", 2},
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
    {"objects:\n  - {shape: box, on: ground}\n", "no earlier object", 2},
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

static void bad_scene_files_are_explained(void **state)
{
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; ++i) {
        uint64_t size;
        struct error error;
        const struct bad *bad = &bad_files[i];
        void *image = build(bad->text, &size, &error);
        if (image || (!strstr(error.message, bad->message) && !strstr(error.remedy, bad->message)) ||
            (bad->line && error.line != bad->line) || error.line == 0 || !error.remedy[0])
            print_message("%s-> %s:%d: %s (%s)\n", bad->text, error.file, error.line, error.message, error.remedy);
        assert_null(image);
        assert_true(strstr(error.message, bad->message) || strstr(error.remedy, bad->message));
        assert_true(!bad->line || error.line == bad->line);
        assert_non_null(strstr(error.file, "/test.yaml"));
        assert_true(error.line > 0 && error.remedy[0]);
        assert_int_equal(error_exit_code(&error), 2);
    }
}

static void aliases_may_be_used(void **state)
{
    void *image = build_well("objects:\n  - &b {shape: box}\n  - *b\n" CAMERA);
    assert_int_equal(image_header(image)->sections[IMAGE_TRIANGLES].count, 24);
    free(image);
}

static void deep_nesting_is_refused(void **state)
{
    enum { DEPTH = 10000 }; // libyaml takes the square of the time
    uint64_t size;
    struct error error;
    char *text = malloc(DEPTH + 16);
    memcpy(text, "objects: ", 9);
    memset(text + 9, '[', DEPTH);
    text[DEPTH + 9] = '\0';
    assert_null(build(text, &size, &error));
    free(text);
}

// ---- meshes

static const char square_obj[] = "mtllib square.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 0\n"
                                 "usemtl red\nf 1 2 3 4\nusemtl shiny\nf 1 2 5\n";
static const char square_mtl[] = "newmtl red\nKd 0.5 0.1 0.1\nnewmtl shiny\nKd 0.2 0.2 0.2\nKs 0.6 0.6 0.6\nNs 30\n";
static const char square_off[] = "OFF\n4 2 0\n0 0 0\n2 0 0\n2 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
static const char square_ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n2 0 0\n2 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
// A node moved by (0, 0, 7); the buffer holds the three vertices of a triangle.
static const char triangle_gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0,\"translation\":[0,0,7]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"buffers\":[{\"uri\":\"triangle.bin\",\"byteLength\":36}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,1,0]}]}";

#define MESH_SCENE(file, more)                                                                                         \
    "materials: {blue: {diffuse: [0, 0, 0.5]}}\nmeshes:\n  m: {file: " file more                                       \
    "}\nobjects:\n  - {mesh: m, position: [1, 0, 0]}\n" CAMERA

static void meshes_of_every_format_are_read(void **state)
{
    static const char *const scenes[] = {MESH_SCENE("square.obj", ""), MESH_SCENE("square.off", ""),
                                         MESH_SCENE("square.ply", "")};
    write_text("square.obj", square_obj);
    write_text("square.mtl", square_mtl);
    write_text("square.off", square_off);
    write_text("square.ply", square_ply);
    for (size_t i = 0; i < 3; ++i) {
        void *image = build_well(scenes[i]);
        const struct image_header *header = image_header(image);
        assert_int_equal(image_header(image)->sections[IMAGE_TRIANGLES].count, 2);
        assert_int_equal(header->dropped_triangles, i == 0);
        assert_true(header->box_low[0] == 1 && header->box_high[0] == 3 && header->box_high[1] == 1);
        free(image);
    }
}

static void gltf_nodes_are_applied(void **state)
{
    static const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    write_text("triangle.gltf", triangle_gltf);
    write_bytes("triangle.bin", vertices, sizeof vertices);
    void *image = build_well(MESH_SCENE("triangle.gltf", ""));
    assert_int_equal(image_header(image)->sections[IMAGE_TRIANGLES].count, 1);
    assert_true(image_header(image)->box_low[2] == 7 && image_header(image)->box_low[0] == 1);
    free(image);
}

static void mesh_materials_are_taken_or_replaced(void **state)
{
    write_text("square.obj", square_obj);
    write_text("square.mtl", square_mtl);
    void *own = build_well(MESH_SCENE("square.obj", ""));
    assert_float_equal(view_of(own).materials[0].diffuse.x, 0.5, 1e-6);
    assert_string_equal(((const struct image_name *)image_section(own, IMAGE_MATERIAL_NAMES))->text, "m.red");
    void *one = build_well(MESH_SCENE("square.obj", ", material: blue"));
    void *renamed = build_well(MESH_SCENE("square.obj", ", materials: {red: blue}"));
    assert_float_equal(view_of(one).materials[0].diffuse.z, 0.5, 1e-6);
    assert_float_equal(view_of(renamed).materials[0].diffuse.x, 0, 1e-6);
    uint64_t size;
    struct error error;
    assert_null(build(MESH_SCENE("square.obj", ", materials: {rot: blue}"), &size, &error));
    assert_non_null(strstr(error.message, "no material \"rot\""));
    free(own);
    free(one);
    free(renamed);
    write_text("square.mtl", "newmtl red\nKd 0.5\n"); // shiny is gone
    assert_null(build(MESH_SCENE("square.obj", ""), &size, &error));
    assert_non_null(strstr(error.message, "uses the material \"shiny\", which no material library of its file holds"));
    assert_true(error.line == 3 && strstr(error.remedy, "materials: {\"shiny\": NAME}"));
    free(build_well(MESH_SCENE("square.obj", ", material: blue")));
    free(build_well(MESH_SCENE("square.obj", ", materials: {shiny: blue}")));
}

static void meshes_are_fitted(void **state)
{
    write_text("square.off", square_off);
    void *image = build_well(MESH_SCENE("square.off", ", size: [4, 3, 1], orient: [0, 1, 0, 1, 0, 0, 0, 0, 1]"));
    const struct image_header *header = image_header(image);
    assert_true(header->box_low[0] == -1 && header->box_high[0] == 3 && header->box_low[1] == 0 &&
                header->box_high[1] == 3);
    free(image);
}

static void bad_meshes_are_explained(void **state)
{
    static const struct {
        const char *name, *text, *message;
    } bad[] = {
        {"bad.off", "OFF\n4 2 0\n0 0 0\n2 0", "mesh \"m\""},
        {"bad.off", "OFF\n3 1 0\n0 0 0\n2 0 0\n2 nan 0\n3 0 1 2\n", "mesh \"m\""},
        {"bad.ply",
         "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 nan\n2 1 0\n3 0 1 2\n",
         "vertex 1 is"},
        {"bad.obj", "v 0 0 0\nv 1 0 0\n", "mesh \"m\""},
        {"bad.obj", "this is no mesh\n", "mesh \"m\""},
        {"bad.obj", "", "mesh \"m\""},
        {"bad.gltf", "{\"asset\":", "mesh \"m\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        char text[512];
        uint64_t size;
        struct error error;
        write_text(bad[i].name, bad[i].text);
        snprintf(text, sizeof text, "meshes:\n  m: {file: %s}\nobjects:\n  - {mesh: m}\n" CAMERA, bad[i].name);
        void *image = build(text, &size, &error);
        if (image || !strstr(error.message, bad[i].message))
            print_message("%s: %s %s\n", bad[i].name, bad[i].text, error.message);
        assert_null(image);
        assert_non_null(strstr(error.message, bad[i].message));
        assert_non_null(strstr(error.file, bad[i].name));
        assert_non_null(strstr(error.message, "test.yaml:2 uses it"));
        assert_non_null(strstr(error.remedy, "export the mesh anew"));
    }
}

// Nothing that a mesh file holds may end the program. Whether it was read; an error explains itself.
static bool import_survives(const char *name, const void *bytes, size_t size)
{
    char path[256];
    struct mesh_data mesh;
    struct error error = {0};
    write_bytes(name, bytes, size);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const bool done = mesh_import(&mesh, path, "m", true, &error);
    if (!done)
        assert_true(error.message[0] && strncmp(error.file, folder, strlen(folder)) == 0);
    for (uint64_t i = 0; done && i < 3 * mesh.triangle_count; ++i)
        assert_true(mesh.indices[i] < mesh.vertex_count);
    mesh_finish(&mesh);
    return done;
}

// A binary PLY that promises 3000 vertices and as many triangles, and the size that it should have.
static size_t promised_ply(char *bytes, size_t capacity)
{
    const int header = snprintf(bytes, capacity,
                                "ply\nformat binary_little_endian 1.0\nelement vertex 3000\nproperty float x\n"
                                "property float y\nproperty float z\nelement face 3000\n"
                                "property list uchar int vertex_indices\nend_header\n");
    char *to = bytes + header;
    for (int i = 0; i < 3000; ++i, to += 12)
        memcpy(to, (float[3]){(float)(i % 7), (float)(i % 11), (float)(i % 13)}, 12);
    for (int i = 0; i < 3000; ++i, to += 13) {
        *to = 3;
        memcpy(to + 1, (int32_t[3]){i, (i + 1) % 3000, (i + 2) % 3000}, 12);
    }
    return (size_t)(to - bytes);
}

static const char *const mesh_endings[] = {"ply", "obj", "off", "gltf", "glb", "stl",  "ifc",
                                           "dae", "3ds", "fbx", "x",    "ac",  "blend"};

static void meshes_cut_short_are_errors(void **state)
{
    static char ply[100000];
    const size_t size = promised_ply(ply, sizeof ply);
    assert_true(import_survives("whole.ply", ply, size));
    for (size_t part = 0; part < 16; ++part)
        assert_false(import_survives("cut.ply", ply, size * part / 16));
    static const char ascii[] = "ply\nformat ascii 1.0\nelement vertex 3000\nproperty float x\nproperty float y\n"
                                "property float z\nelement face 3000\nproperty list uchar int vertex_indices\n"
                                "end_header\n0 0 0\n1 0 0\n0 1";
    assert_false(import_survives("cut.ply", ascii, sizeof ascii - 1));
    write_text("triangle.bin", "short");
    assert_false(import_survives("short.gltf", triangle_gltf, sizeof triangle_gltf - 1));
    for (size_t i = 0; i < sizeof triangle_gltf - 1; i += 7)
        assert_false(import_survives("cut.gltf", triangle_gltf, i));
    for (size_t i = 0; i < sizeof square_off - 1; i += 3)
        import_survives("cut.off", square_off, i);
    for (size_t i = 0; i < sizeof square_obj - 1; i += 3)
        import_survives("cut.obj", square_obj, i);
}

static void no_mesh_file_ends_the_program(void **state)
{
    enum { LONGEST = 1000, NOISE = 4, MUTATIONS = 50 };
    static const struct {
        const char *name, *text;
    } sound[] = {{"x.obj", square_obj}, {"x.off", square_off}, {"x.ply", square_ply}, {"x.gltf", triangle_gltf}};
    static const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    struct exact_random random = exact_random_make(11, 0);
    unsigned char bytes[LONGEST];
    int read = 0;
    setenv("WARPSTUDY_MESH_SECONDS", "0.5", 1); // some keep the library busy without end
    for (size_t i = 0; i < NOISE * sizeof mesh_endings / sizeof mesh_endings[0]; ++i) {
        char name[32];
        snprintf(name, sizeof name, "noise.%s", mesh_endings[i / NOISE]);
        for (size_t k = 0; k < LONGEST; ++k)
            bytes[k] = (unsigned char)exact_between(&random, 0, 256);
        assert_false(import_survives(name, bytes, (size_t)exact_between(&random, 0, LONGEST)));
    }
    write_text("square.mtl", square_mtl);
    write_bytes("triangle.bin", vertices, sizeof vertices);
    for (size_t i = 0; i < MUTATIONS * sizeof sound / sizeof sound[0]; ++i) {
        const size_t which = i % (sizeof sound / sizeof sound[0]), size = strlen(sound[which].text);
        memcpy(bytes, sound[which].text, size);
        for (int k = (int)exact_between(&random, 1, 6); k > 0; --k) {
            const size_t at = (size_t)exact_between(&random, 0, (double)size);
            bytes[at] = k % 2 ? (unsigned char)exact_between(&random, 0, 256)
                              : (unsigned char)"0123456789-.e \n"[(int)exact_between(&random, 0, 15)];
        }
        read += import_survives(sound[which].name, bytes, size);
    }
    unsetenv("WARPSTUDY_MESH_SECONDS");
    assert_true(read > 0);
}

// The branches of a blend in use stay, though no triangle has them, and are renumbered with it.
static void branches_of_blends_stay(void **state)
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
static void opacities_are_stored_as_what_passes(void **state)
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
        struct error error = {0};
        struct image_header *header = image;
        struct material *materials = (struct material *)((char *)image + header->sections[IMAGE_MATERIALS].offset);
        assert_true(materials[0].weight == 0.75f && materials[1].weight == 0.0f);
        materials[0].weight = changes[i].share;
        materials[0].emission.y = changes[i].emission;
        header->checksum = image_checksum(image, header->size);
        assert_int_equal(image_validate(image, header->size, IMAGE_CONTENT, &error), !changes[i].message);
        assert_true(!changes[i].message || strstr(error.message, changes[i].message));
        free(image);
    }
}

// An image whose blends lead in a circle, or out of it, is refused: a kernel would not come back.
static void damaged_blends_are_refused(void **state)
{
    static const struct {
        uint32_t material, branch, to;
    } damages[] = {{1, 0, 1}, {1, 1, 2}, {2, 0, 2}, {2, 1, 0xFFFFFFFFu}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
        void *image =
            build_well("materials:\n  b: {kind: blend, of: [default, default]}\n"
                       "  c: {kind: blend, of: [b, default]}\nobjects:\n  - {shape: box, material: c}\n" CAMERA);
        struct error error = {0};
        struct image_header *header = image;
        struct material *materials = (struct material *)((char *)image + header->sections[IMAGE_MATERIALS].offset);
        materials[damages[i].material].branches[damages[i].branch] = damages[i].to;
        header->checksum = image_checksum(image, header->size);
        assert_false(image_validate(image, header->size, IMAGE_CONTENT, &error));
        assert_non_null(strstr(error.message, "a blend has no end"));
        free(image);
    }
}

// An image with vertices so far out, or a box so large, that a walk's arithmetic would leave the range of floats.
static void images_out_of_reach_are_refused(void **state)
{
    for (int i = 0; i < 3; ++i) {
        void *image = build_well("objects:\n  - {shape: box}\n" CAMERA);
        struct error error = {0};
        struct image_header *header = image;
        struct triangle *triangles = (struct triangle *)((char *)image + header->sections[IMAGE_TRIANGLES].offset);
        *(i == 0 ? &triangles[3].v1.y : i == 1 ? &triangles[0].v2.z : &header->box_high[1]) = i == 0 ? 0x1p46f : NAN;
        header->checksum = image_checksum(image, header->size);
        assert_false(image_validate(image, header->size, IMAGE_CONTENT, &error));
        assert_non_null(strstr(error.message, "out of bounds"));
        free(image);
    }
}

// A mesh that takes some hundred times as long as it may.
static void endless_reading_is_stopped(void **state)
{
    enum { LINES = 100000 };
    static const char triangle[] = "0 0 0 1 0 0 0 1 0\n";
    char path[256], *text = malloc(LINES * sizeof triangle), *end = text;
    struct mesh_data mesh;
    struct error error = {0};
    assert_non_null(text);
    for (int i = 0; i < LINES; ++i)
        end = stpcpy(end, triangle);
    write_text("endless.raw", text);
    free(text);
    snprintf(path, sizeof path, "%s/endless.raw", folder);
    setenv("WARPSTUDY_MESH_SECONDS", "0.001", 1);
    assert_false(mesh_import(&mesh, path, "m", true, &error));
    unsetenv("WARPSTUDY_MESH_SECONDS");
    assert_non_null(strstr(error.message, "takes longer than 0.001 seconds"));
    assert_non_null(strstr(error.remedy, "WARPSTUDY_MESH_SECONDS"));
}

// A material library that is a pipe nobody writes to.
static void no_pipe_is_waited_for(void **state)
{
    char path[256];
    struct mesh_data mesh;
    struct error error = {0};
    snprintf(path, sizeof path, "%s/pipe.mtl", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    write_text("pipe.obj", "mtllib pipe.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    snprintf(path, sizeof path, "%s/pipe.obj", folder);
    assert_false(mesh_import(&mesh, path, "m", true, &error));
    assert_non_null(strstr(error.message, "this is a pipe"));
    assert_non_null(strstr(error.file, "pipe.mtl"));
}

// ---- pictures

static void texture_gives_its_mean_colour(void **state)
{
    // Two texels, white and black: the mean of their linear values is 1/2, times Kd.
    static const char obj[] = "mtllib tex.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl t\nf 1/1 2/1 3/1\n";
    static const unsigned char ppm[] = "P6 2 1 255\n\xff\xff\xff\0\0";
    write_text("tex.obj", obj);
    write_text("tex.mtl", "newmtl t\nKd 0.8 0.4 0.2\nmap_Kd tex.ppm\n");
    write_bytes("tex.ppm", ppm, sizeof ppm); // the terminator is the last byte
    void *image = build_well(MESH_SCENE("tex.obj", ""));
    const struct material *material = view_of(image).materials;
    assert_float_equal(material->diffuse.x, 0.4, 1e-6);
    assert_float_equal(material->diffuse.z, 0.1, 1e-6);
    free(image);
    uint64_t size;
    struct error error;
    write_text("tex.mtl", "newmtl t\nKd 0.8 0.4 0.2\nmap_Kd gone.png\n");
    assert_null(build(MESH_SCENE("tex.obj", ""), &size, &error));
    assert_non_null(strstr(error.file, "gone.png"));
    write_text("tex.ppm", "P6 2");
    write_text("tex.mtl", "newmtl t\nmap_Kd tex.ppm\n");
    assert_null(build(MESH_SCENE("tex.obj", ""), &size, &error));
    write_text("tex.mtl", "newmtl t\nKd 0.8 0.4 0.2\nmap_Kd /home/somebody/else.png\n");
    free(build_well(MESH_SCENE("tex.obj", "")));
}

#define ENVIRONMENT_SCENE(file) "objects:\n  - {shape: box}\n" CAMERA "environment: {file: " file ", cells: [4, 2]}\n"

static void hdr_environment_is_read(void **state)
{
    // Two texels, radiance 1 and 2.
    static const unsigned char hdr[] =
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x80\x80\x80\x81\x80\x80\x80\x82";
    write_bytes("two.hdr", hdr, sizeof hdr - 1);
    void *image = build_well(ENVIRONMENT_SCENE("two.hdr"));
    const struct environment e = view_of(image).environment;
    assert_true(e.width == 2 && e.height == 1 && e.cell_width == 4 && e.cell_height == 2);
    assert_true(e.radiance[0].x == 1 && e.radiance[1].y == 2);
    assert_float_equal(e.cell_density[0] * 2, e.cell_density[3], 1e-6); // half the radiance, half the density
    free(image);
    uint64_t size;
    struct error error;
    write_bytes("cut.hdr", hdr, sizeof hdr - 4);
    assert_null(build(ENVIRONMENT_SCENE("cut.hdr"), &size, &error));
    assert_non_null(strstr(error.message, "cut short"));
    write_bytes("cut.hdr", hdr, 20);
    assert_null(build(ENVIRONMENT_SCENE("cut.hdr"), &size, &error));
    assert_non_null(strstr(error.file, "cut.hdr"));
    write_text("none.hdr", "no picture");
    assert_null(build(ENVIRONMENT_SCENE("none.hdr"), &size, &error));
    assert_non_null(strstr(error.message, "neither Radiance HDR nor OpenEXR"));
}

static void write_exr(const char *name, float value)
{
    char path[256];
    ImfRgba texels[8];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (int i = 0; i < 8; ++i) {
        ImfFloatToHalf(i == 5 ? value : (float)i, &texels[i].r);
        texels[i].g = texels[i].b = texels[i].a = texels[i].r;
    }
    ImfHeader *header = ImfNewHeader();
    ImfHeaderSetDisplayWindow(header, 0, 0, 3, 1);
    ImfHeaderSetDataWindow(header, 0, 0, 3, 1);
    ImfOutputFile *file = ImfOpenOutputFile(path, header, IMF_WRITE_RGBA);
    assert_non_null(file);
    assert_true(ImfOutputSetFrameBuffer(file, texels, 1, 4) && ImfOutputWritePixels(file, 2));
    ImfCloseOutputFile(file);
    ImfDeleteHeader(header);
}

static void exr_environment_is_read(void **state)
{
    write_exr("eight.exr", 5);
    void *image = build_well(ENVIRONMENT_SCENE("eight.exr"));
    const struct environment e = view_of(image).environment;
    assert_true(e.width == 4 && e.height == 2);
    for (int i = 0; i < 8; ++i)
        assert_true(e.radiance[i].x == (float)i);
    free(image);
    uint64_t size;
    struct error error;
    write_exr("nan.exr", NAN);
    assert_null(build(ENVIRONMENT_SCENE("nan.exr"), &size, &error));
    assert_non_null(strstr(error.message, "texel (1, 1) is not finite"));
    write_text("cut.exr", "\x76\x2f\x31\x01\x02");
    assert_null(build(ENVIRONMENT_SCENE("cut.exr"), &size, &error));
    assert_non_null(strstr(error.file, "cut.exr"));
}

static void rotation_turns_the_map(void **state)
{
    write_exr("eight.exr", 5);
    void *image = build_well("objects:\n  - {shape: box}\n" CAMERA
                             "environment: {file: eight.exr, rotation: 90, intensity: 2}\n");
    const struct environment e = view_of(image).environment;
    assert_true(e.radiance[1].x == 0 && e.radiance[2].x == 2 && e.radiance[0].x == 6);
    free(image);
}

// ---- images

enum { IMAGE_SIDE = 96 };
static const char *const image_endings[] = {"png", "exr", "hdr"};

static void noise_image(float radiance[IMAGE_SIDE * IMAGE_SIDE * 3], uint64_t stream)
{
    struct exact_random random = exact_random_make(5, stream);
    for (int i = 0; i < IMAGE_SIDE * IMAGE_SIDE * 3; ++i)
        radiance[i] = (float)exact_uniform(&random);
}

static size_t size_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (size_t)status.st_size;
}

static struct hash hash_of(const char *path)
{
    struct hash hash;
    assert_true(hash_file(path, &hash, NULL));
    return hash;
}

static int files_in(const char *path)
{
    int count = 0;
    DIR *entries = opendir(path);
    assert_non_null(entries);
    while (readdir(entries))
        ++count;
    closedir(entries);
    return count;
}

static void set_file_limit(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// Wherever writing stops, the older image stays as it was and nothing else is left.
static void image_that_finds_no_room_leaves_the_old_one(void **state)
{
    static float old[IMAGE_SIDE * IMAGE_SIDE * 3], new[IMAGE_SIDE * IMAGE_SIDE * 3];
    noise_image(old, 0);
    noise_image(new, 1);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < 3; ++i) {
        char path[256];
        struct error error = {0};
        snprintf(path, sizeof path, "%s/image.%s", folder, image_endings[i]);
        assert_true(image_write(path, new, IMAGE_SIDE, IMAGE_SIDE, 0, &error));
        const size_t size = size_of(path);
        assert_true(image_write(path, old, IMAGE_SIDE, IMAGE_SIDE, 0, &error));
        const struct hash before = hash_of(path);
        const int files = files_in(folder);
        const size_t limits[] = {0, 1, 100, 500, 4096, size / 3, size / 2, size - 4097, size - 100, size - 1};
        for (size_t k = 0; k < sizeof limits / sizeof limits[0]; ++k) {
            set_file_limit(limits[k]);
            const bool done = image_write(path, new, IMAGE_SIDE, IMAGE_SIDE, 0, &error);
            set_file_limit(RLIM_INFINITY);
            assert_false(done);
            assert_true(error.message[0] && error.remedy[0] && error_exit_code(&error) == 2);
            assert_true(hash_equal(hash_of(path), before));
            assert_int_equal(files_in(folder), files);
        }
        set_file_limit(size);
        assert_true(image_write(path, new, IMAGE_SIDE, IMAGE_SIDE, 0, &error));
        set_file_limit(RLIM_INFINITY);
        assert_int_equal(size_of(path), size);
    }
    signal(SIGXFSZ, SIG_DFL);
}

enum { NO_MOUNT = 77 };

// In a child, on a file system of 16 KiB that only it sees: 0 where the error is the right one.
static int fill_disk(void)
{
    static float radiance[IMAGE_SIDE * IMAGE_SIDE * 3];
    char place[256], path[300];
    snprintf(place, sizeof place, "%s/tiny", folder);
    if ((unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) || mkdir(place, 0700) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount("tiny", place, "tmpfs", 0, "size=16k") != 0)
        return NO_MOUNT;
    noise_image(radiance, 2);
    for (size_t i = 0; i < 3; ++i) {
        struct error error = {0};
        snprintf(path, sizeof path, "%s/image.%s", place, image_endings[i]);
        if (image_write(path, radiance, IMAGE_SIDE, IMAGE_SIDE, 0, &error) || files_in(place) != 2)
            return 1;
        if (!strstr(error.message, "No space left") || !strstr(error.remedy, "free some space"))
            return 2;
    }
    return 0;
}

static void full_disk_is_told(void **state)
{
    int status;
    const pid_t child = fork();
    if (child == 0)
        _exit(fill_disk());
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MOUNT) {
        print_message("skipped: no small file system may be mounted here\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static void image_without_a_folder_is_an_error(void **state)
{
    static const float radiance[3] = {1, 1, 1};
    for (size_t i = 0; i < 3; ++i) {
        char path[256];
        struct error error = {0};
        snprintf(path, sizeof path, "%s/nowhere/image.%s", folder, image_endings[i]);
        assert_false(image_write(path, radiance, 1, 1, 0, &error));
        assert_true(strstr(error.message, "nowhere") && strstr(error.remedy, "folder exists"));
    }
}

static void lights_are_found(void **state)
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

static int set_up(void **state)
{
    folder = folder_new();
    return setenv("WARPSTUDY_DATA", folder, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_scene_files_are_explained),
        cmocka_unit_test(aliases_may_be_used),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(meshes_of_every_format_are_read),
        cmocka_unit_test(gltf_nodes_are_applied),
        cmocka_unit_test(mesh_materials_are_taken_or_replaced),
        cmocka_unit_test(branches_of_blends_stay),
        cmocka_unit_test(opacities_are_stored_as_what_passes),
        cmocka_unit_test(damaged_blends_are_refused),
        cmocka_unit_test(images_out_of_reach_are_refused),
        cmocka_unit_test(meshes_are_fitted),
        cmocka_unit_test(bad_meshes_are_explained),
        cmocka_unit_test(meshes_cut_short_are_errors),
        cmocka_unit_test(no_mesh_file_ends_the_program),
        cmocka_unit_test(endless_reading_is_stopped),
        cmocka_unit_test(no_pipe_is_waited_for),
        cmocka_unit_test(texture_gives_its_mean_colour),
        cmocka_unit_test(hdr_environment_is_read),
        cmocka_unit_test(exr_environment_is_read),
        cmocka_unit_test(rotation_turns_the_map),
        cmocka_unit_test(lights_are_found),
        cmocka_unit_test(image_that_finds_no_room_leaves_the_old_one),
        cmocka_unit_test(full_disk_is_told),
        cmocka_unit_test(image_without_a_folder_is_an_error),
    };
    return cmocka_run_group_tests_name("scene files", tests, set_up, NULL);
}
