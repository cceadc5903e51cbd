// SPDX-License-Identifier: MIT
// Meshes of scene files: what they give, and what is said of bad ones.
#include "check.h"
#include "import/mesh_import.h"
#include "scene/scene_image_check.h"
#include "scene_file_support.h"

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

TEST(meshes_of_every_format_are_read)
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

TEST(gltf_nodes_are_applied)
{
    static const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    write_text("triangle.gltf", triangle_gltf);
    write_bytes("triangle.bin", vertices, sizeof vertices);
    void *image = build_well(MESH_SCENE("triangle.gltf", ""));
    assert_int_equal(image_header(image)->sections[IMAGE_TRIANGLES].count, 1);
    assert_true(image_header(image)->box_low[2] == 7 && image_header(image)->box_low[0] == 1);
    free(image);
}

TEST(mesh_materials_are_taken_or_replaced)
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
    refused(build_text(MESH_SCENE("square.obj", ", materials: {rot: blue}"), &size, &why), "no material \"rot\"", "");
    free(own);
    free(one);
    free(renamed);
    write_text("square.mtl", "newmtl red\nKd 0.5\n"); // shiny is gone
    refused(build_text(MESH_SCENE("square.obj", ""), &size, &why),
            "uses the material \"shiny\", which no material library of its file holds", "materials: {\"shiny\": NAME}");
    assert_int_equal(why.line, 3);
    free(build_well(MESH_SCENE("square.obj", ", material: blue")));
    free(build_well(MESH_SCENE("square.obj", ", materials: {shiny: blue}")));
}

TEST(meshes_are_fitted)
{
    write_text("square.off", square_off);
    void *image = build_well(MESH_SCENE("square.off", ", size: [4, 3, 1], orient: [0, 1, 0, 1, 0, 0, 0, 0, 1]"));
    const struct image_header *header = image_header(image);
    assert_true(header->box_low[0] == -1 && header->box_high[0] == 3 && header->box_low[1] == 0 &&
                header->box_high[1] == 3);
    free(image);
    // What is dropped has no size.
    write_text("far.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 99 0 0\nf 1 2 3\nf 4 4 4\n");
    image = build_well(MESH_SCENE("far.obj", ", fit: 4"));
    header = image_header(image);
    assert_true(header->box_low[0] == -1 && header->box_high[0] == 3 && header->box_high[1] == 2);
    free(image);
    uint64_t size;
    write_text("far.obj", "v 0 0 0\nv 2 0 0\nf 1 2 2\n");
    refused(build_text(MESH_SCENE("far.obj", ", fit: 4"), &size, &why), "no triangle", "");
}

TEST(bad_meshes_are_explained)
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
        {"bad.dae", // nodes alone, of which assimp would make a mesh
         "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><library_visual_scenes>"
         "<visual_scene id=\"s\"><node id=\"a\"><node id=\"b\"><translate>0 0 1</translate></node></node>"
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
         "it holds no triangle"},
        {"bad.dae",
         "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><library_controllers>"
         "<controller id=\"c\"><morph source=\"#g\"/></controller></library_controllers><library_visual_scenes>"
         "<visual_scene id=\"s\"/></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
         "it is bent by a morph"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        char text[512];
        uint64_t size;
        write_text(bad[i].name, bad[i].text);
        snprintf(text, sizeof text, "meshes:\n  m: {file: %s}\nobjects:\n  - {mesh: m}\n" CAMERA, bad[i].name);
        refused(build_text(text, &size, &why), bad[i].message, "export the mesh anew");
        assert_non_null(strstr(why.file, bad[i].name));
        assert_non_null(strstr(why.message, "test.yaml:2 uses it"));
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

TEST(meshes_cut_short_are_errors)
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

TEST(no_mesh_file_ends_the_program)
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

TEST_GROUP(set_up, NULL)
