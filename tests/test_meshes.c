// SPDX-License-Identifier: MIT
// What is read from mesh files, corner by corner, and what is said of those that cannot be read.
#include <unistd.h>

#include "check.h"
#include "base/memory.h"
#include "mesh_files.h"
#include "import/mesh_import.h"

// ---- PLY

#define ASCII "ply\nformat ascii 1.0\n"
#define PLACES "property float x\nproperty float y\nproperty float z\n"
#define VERTICES "element vertex 4\n" PLACES
#define FACES(n) "element face " #n "\nproperty list uchar int vertex_indices\n"
#define STRIPS "element tristrips 1\nproperty list int int vertex_indices\n"
#define END "end_header\n"
#define DATA "0 0 0\n2 0 0\n2 3 0\n0 3 0\n"

static const struct {
    const char *text, *wanted;
} ply_texts[] = {
    {ASCII VERTICES FACES(1) END DATA "4 0 1 2 3\n", RECTANGLE},
    {ASCII "format binary_little_endian 1.0\n" VERTICES FACES(1) END DATA "4 0 1 2 3\n", "the format is given twice"},
    {ASCII "element vertex 4\ncomment between\n" PLACES "obj_info more\n" FACES(1) "comment last\n" END DATA
                                                                                   "4 0 1 2 3",
     RECTANGLE},
    {"ply\r\nformat ascii 1.0\r\nelement vertex 3\r\nproperty double z\r\nproperty uchar red\r\nproperty double x\r\n"
     "property list uchar int odd\r\nproperty double y\r\nelement face 1\r\nproperty list uchar uint vertex_index\r\n"
     "end_header\r\n7 255 0 0 0.5\r\n7 255 1 1 9 0.5\r\n7 255 0 2 9 9 1e1\r\n3 0 1 2\r\n",
     "0 0.5 7, 1 0.5 7, 0 10 7"},
    {ASCII "element camera 1\nproperty float f\nproperty list uchar int odd\n" VERTICES FACES(1) END "1.5 2 8 9\n" DATA
                                                                                                     "4 0 1 2 3\n",
     RECTANGLE},
    {ASCII FACES(1) VERTICES END "4 0 1 2 3\n" DATA, RECTANGLE},
    {ASCII VERTICES STRIPS END DATA "4 0 1 3 2\n", "0 0 0, 2 0 0, 0 3 0; 0 3 0, 2 0 0, 2 3 0"},
    {ASCII VERTICES STRIPS END DATA "7 0 1 3 -1 1 2 3\n", "0 0 0, 2 0 0, 0 3 0; 2 0 0, 2 3 0, 0 3 0"},
    // The strip's third triangle is the right way round again; after an odd part the next begins so, too.
    {ASCII "element vertex 5\n" PLACES STRIPS END DATA "4 0 0\n10 0 3 1 2 4 -1 -1 0 1 3\n",
     "0 0 0, 0 3 0, 2 0 0; 2 0 0, 0 3 0, 2 3 0; 2 0 0, 2 3 0, 4 0 0; 0 0 0, 2 0 0, 0 3 0"},
    {ASCII VERTICES FACES(3) END DATA "1 0\n2 0 1\n3 0 1 2\n", "0 0 0, 2 0 0, 2 3 0"},
    // A quad with a corner that points inwards, and a hexagon with two.
    {ASCII "element vertex 4\n" PLACES FACES(1) END "0 0 0\n4 0 0\n1 1 0\n0 4 0\n4 0 1 2 3\n",
     "1 1 0, 0 4 0, 0 0 0; 1 1 0, 0 0 0, 4 0 0"},
    {ASCII VERTICES END DATA, "no triangle: 4 vertices"},
    {ASCII VERTICES "element range_grid 1\nproperty list uchar int vertex_indices\n" END DATA "1 0\n", "no triangle"},
    {ASCII VERTICES FACES(1) END DATA "4 0 1 2 4\n", "face 0 refers to vertex 4, and there are 4, from 0, line 14"},
    {ASCII VERTICES FACES(1) END DATA "4 0 1 2 -1\n", "refers to vertex -1"},
    {ASCII VERTICES FACES(1) END DATA "3 0 1 1.5\n", "refers to vertex 1.5"},
    {ASCII VERTICES FACES(1) END DATA "4 0 1 2 3 4\n", "face 0 has more values than the header says, line 14"},
    {ASCII VERTICES FACES(2) END DATA "3 0 1 2\n", "cut short: it holds 1 of 2 face"},
    {ASCII VERTICES FACES(1) END "0 0 0\n2 0 x\n", "'x' is no number, line 11"},
    {ASCII VERTICES FACES(1) END "0 0 0\n2 0 inf\n", "vertex 1 is (2, 0, inf)"},
    {ASCII "element vertex 4\nproperty float x\nproperty float y\n" FACES(1) END, "no property z"},
    {ASCII VERTICES "element face 1\nproperty list uchar int vertices\n" END DATA "3 0 1 2\n",
     "no list vertex_indices"},
    {ASCII VERTICES VERTICES END, "that element is there already, line 7"},
    {ASCII "element vertex 4\nproperty quad x\n" END, "unknown type, 'quad', line 4"},
    {ASCII "element vertex four\n" END, "the number of them is none, line 3"},
    {ASCII "Created by hand\n" VERTICES FACES(1) END DATA "4 0 1 2 3\n", RECTANGLE}, // with a warning
    {ASCII "elements vertex 4\n" END, "no triangle"},
    {ASCII VERTICES, "no line says end_header"},
    {"ply\nformat binary 1.0\n" END, "binary_little_endian or binary_big_endian, line 2"},
    {"ply\n" VERTICES END, "names no format"},
    {"plywood\n", "no PLY file"},
};

TEST(ply_texts_are_read_or_refused)
{
    for (size_t i = 0; i < sizeof ply_texts / sizeof *ply_texts; ++i)
        mesh_files_expect("text.ply", ply_texts[i].text, strlen(ply_texts[i].text), ply_texts[i].wanted);
}

// A header whose lines end in one of three ways, and data that begin with bytes that look like another ending.
TEST(first_bytes_are_data)
{
    static const char *const endings[] = {"\n", "\r\n", "\r"};
    static const unsigned char corners[] = {3, 0, 1, 2};
    for (int i = 0; i < 6; ++i) {
        char bytes[512], wanted[64];
        uint32_t bits = i < 3 ? 0x3f80000a : 0x3f800a0d; // 1.000001 and 1.0003
        const char *e = endings[i % 3];
        int size = snprintf(bytes, sizeof bytes,
                            "ply%sformat binary_little_endian 1.0%selement vertex 3%sproperty float x%sproperty float "
                            "y%sproperty float z%selement face 1%sproperty list uchar uchar vertex_index%send_header%s",
                            e, e, e, e, e, e, e, e, e);
        float places[9] = {0, 0, 0, 2, 0, 0, 0, 1, 0};
        memcpy(places, &bits, 4);
        memcpy(bytes + size, places, sizeof places);
        memcpy(bytes + size + sizeof places, corners, sizeof corners);
        snprintf(wanted, sizeof wanted, "%g 0 0, 2 0 0, 0 1 0", (double)places[0]);
        mesh_files_expect("first.ply", bytes, (size_t)size + sizeof places + sizeof corners, wanted);
    }
}

// Big-endian numbers of every type, in elements and lists that nobody asked for, too.
TEST(ply_types_are_read)
{
    static const char head[] = "ply\nformat binary_big_endian 1.0\nelement odd 2\nproperty list short double a\n"
                               "property float b\nelement vertex 3\nproperty short x\nproperty double y\n"
                               "property int8 z\nelement face 1\nproperty uint16 flags\n"
                               "property list uint ushort vertex_indices\n" END;
    static const unsigned char data[] = {
        0,    1,    1,    2,    3, 4, 5, 6, 7, 8, 9,    9, 9, 9, 0, 0, 9, 9, 9, 9, // odd
        0xFF, 0xFE, 0,    0,    0, 0, 0, 0, 0, 0, 5,                               // -2 0 5
        0,    2,    0,    0,    0, 0, 0, 0, 0, 0, 0xFB,                            // 2 0 -5
        1,    0,    0x40, 0x08, 0, 0, 0, 0, 0, 0, 0,                               // 256 3 0
        7,    7,    0,    0,    0, 3, 0, 0, 0, 1, 0,    2,
    };
    char bytes[sizeof head + sizeof data];
    memcpy(bytes, head, sizeof head - 1);
    memcpy(bytes + sizeof head - 1, data, sizeof data);
    mesh_files_expect("types.ply", bytes, sizeof head - 1 + sizeof data, "-2 0 5, 2 0 -5, 256 3 0");
    mesh_files_expect("types.ply", bytes, sizeof head - 2 + sizeof data, "cut short: it holds 0 of 1 face");
}

// ---- OBJ

#define CORNERS "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\n"

static const struct {
    const char *text, *wanted;
} obj_texts[] = {
    {CORNERS "f 1 2 3 4\n", RECTANGLE},
    {"# first\nv 0 0 0 # 2\nv 2 0 0#\n", "no number"},
    {"v 0 0 0 # 2\nv\t2 0 0 #\nv 2 3 0 #x\n  v 0 3 0\nf 1 2 3 4 # a quad", RECTANGLE},
    {"\xEF\xBB\xBF" CORNERS "v 9 9 9\nf 1 2 3 4\n", RECTANGLE},
    {"f 1 2 3 4\n" CORNERS, RECTANGLE}, // before its vertices
    {"v 0 0 0\rv 2 0 0\rv 2 3 0\rv 0 3 0\rf 1 2 3 4\r", RECTANGLE},
    {"v 0 0 0\r\nv 2 \\\r\n0 0\r\nv 2 3 0\r\nv 0 3 0\r\nf 1 2 \\\r\n3 \\\r\n4\r\n", RECTANGLE},
    {CORNERS "# a comment \\\nf 1 2 3 4\n", RECTANGLE}, // whose end is that of its line
    {CORNERS "v 7 7 7\nf -5 -4 -3\nv 8 8 8\nf -6//1 -4/2 -3/3/3\n", RECTANGLE},
    {"v 0 0 0 1 0 0\nv 2 0 0 0 1 0\nv 2 3 0 0 0 1 1\nv 0 3 0 1\nf 1 2 3 4\n", RECTANGLE}, // colours
    {CORNERS "p 1 2\nl 1 2 3\nf 1 2 3\n", "0 0 0, 2 0 0, 2 3 0"},
    {CORNERS, "no triangle: 4 vertices, 0 points and 0 lines"},
    {CORNERS "p 1 2\nl 1 2\n", "no triangle: 4 vertices, 2 points and 1 lines"},
    {CORNERS "f 1 2 5\n", "a face refers to vertex 5, and there are 4, from 1, line 5"},
    {CORNERS "f 1 2 0\n", "refers to vertex 0"},
    {CORNERS "f -5 1 2\n", "refers to vertex -5"},
    {CORNERS "f 1 2 99999999999999999999\n", "refers to vertex 99999999999999999999"},
    {CORNERS "\n\nf 1 2 x\n", "'x' is no corner of a face, line 7"},
    {CORNERS "f\n", "face 0 has no vertex"},
    {"v 0 0\n", "fewer than three coordinates, line 1"},
    {"v 0 0 0 0.5\n", "a weight other than 1"},
    {CORNERS "call more.obj\nf 1 2 3\n", "another file"},
};

TEST(obj_texts_are_read_or_refused)
{
    for (size_t i = 0; i < sizeof obj_texts / sizeof *obj_texts; ++i)
        mesh_files_expect("text.obj", obj_texts[i].text, strlen(obj_texts[i].text), obj_texts[i].wanted);
    mesh_files_expect("wide.obj", "v\0 \0", 4, "a zero byte");
}

#define USES(library, material) library CORNERS "usemtl " material "\nf 1 2 3\n"

TEST(libraries_are_found_or_missed)
{
    mesh_files_write("red.mtl", "\xEF\xBB\xBFnewmtl red # one\nKd 1 0 0\n");
    mesh_files_write("blue.mtl", "newmtl blue\nKd 0 0 1\nnewmtl red\nKd 0 1 0\n");
    mesh_files_write("two words.mtl", "newmtl a b#c\nKd 0 0.5 0\nd 0.25\n");
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {USES("mtllib red.mtl\n", "red"), "red 1 0 0 1"},
        {USES("\xEF\xBB\xBFmtllib red.mtl # that\n", "red # it"), "red 1 0 0 1"},
        {USES("mtllib blue.mtl red.mtl\n", "blue"), "blue 0 0 1 1"},
        {USES("mtllib red.mtl blue.mtl\n", "blue"), "blue 0 0 1 1"},
        {USES("mtllib red.mtl blue.mtl\n", "red"), "red 1 0 0 1"}, // the first that holds it
        {USES("mtllib red.mtl\nmtllib blue.mtl\n", "blue"), "blue 0 0 1 1"},
        {USES("mtllib two words.mtl\n", "a b#c"), "a b#c 0 0.5 0 0.25"},
        {USES("mtllib red.mtl\n", "nosuch"), "nosuch? 0.6 0.6 0.6 1"},
        {USES("mtllib nowhere.mtl\n", "red"), "red? 0.6 0.6 0.6 1"},
        {USES("", "red"), "red? 0.6 0.6 0.6 1"},
        {CORNERS "f 1 2 3\nusemtl red\n", "DefaultMaterial 0.6 0.6 0.6 1"},
        {"mtllib red.mtl\n" CORNERS "usemtl red\nf 1 2 3\nusemtl other\nf 1 3 4\nusemtl red\nf 2 3 4\n",
         "red 1 0 0 1, other? 0.6 0.6 0.6 1, red 1 0 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        mesh_files_write("uses.obj", cases[i].text);
        mesh_files_expect_materials("uses.obj", cases[i].wanted);
    }
}

TEST(library_statements_are_read)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"Kd 0.25\n", "a 0.25 0.25 0.25 1"}, // MTL: green and blue are as red
        {"Kd 0.25 0.5 0.75\nTr 0.75 # of it\n", "a 0.25 0.5 0.75 0.25"},
        {"  Kd\t0.25 \\\n0.5 0.75\nd 0.75\nillum 2\nKe 1 1 1\n", "a 0.25 0.5 0.75 0.75"},
        {"Kd 1 1 0.5\nmap_Kd half.ppm\n", "a 0.5 0.5 0.25 1"},
        {"Kd 1 1 0.5\nmap_Kd -clamp on -s 2 2 -o 0.5 -blendu off half.ppm\n", "a 0.5 0.5 0.25 1"},
        {"Kd 1 1 1\nmap_Kd half way.ppm\n", "a 0.5 0.5 0.5 1"},
        {"Kd 0 0 0\nmap_Kd half.ppm\n", "a 0 0 0 1"},
        {"map_Kd a:b.ppm\n", "a 0.3 0.3 0.3 1"},
        {"map_Kd C:\\gone.ppm\n", "a 0.6 0.6 0.6 1"}, // of its author's machine
        {"Kd nan 0.5 inf\n", "~one number, or three, line 2"},
        {"Kd 0x1 0 0\n", "~one number, or three, line 2"},
        {"d nan\n", "~the value is no number, line 2"},
        {"Kd 0.2 0.5\n", "~m.mtl a colour is one number, or three"},
        {"Kd spectral a.rfl 1\n", "~m.mtl colours as spectra or XYZ are not supported"},
        {"\nKd 1 x 0\n", "~one number, or three, line 3"},
        {"d -halo 0.5\n", "~-halo"},
        {"map_Kd -mm 0 2 half.ppm\n", "~this option of a texture is not supported, line 2"},
        {"map_Kd gone.ppm\n", "~gone.ppm"},
    };
    static const unsigned char halves[] = "P6 2 1 255\n\xff\xff\xff\0\0"; // white and black: a mean of 1/2
    free(mesh_files_write_bytes("half.ppm", halves, sizeof halves));
    free(mesh_files_write_bytes("half way.ppm", halves, sizeof halves));
    free(mesh_files_write_bytes("a:b.ppm", halves, sizeof halves));
    mesh_files_write("m.obj", USES("mtllib m.mtl\n", "a"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[256];
        snprintf(text, sizeof text, "newmtl a\n%s", cases[i].text);
        mesh_files_write("m.mtl", text);
        mesh_files_expect_materials("m.obj", cases[i].wanted);
    }
}

// ---- OFF

static const struct {
    const char *text, *wanted;
} off_texts[] = {
    {"OFF\n4 1 0\n" DATA "4 0 1 2 3\n", RECTANGLE},
    {"OFF 4 2 5 # here\n# c\n\n" DATA "# d\n3 0 1 2 255 0 0\n3 0 2 3 0.5 0.5 0.5 # e", RECTANGLE},
    {"STCNOFF\r\n3 1 0\r\n0 0 0 0 0 1 9 9\r\n2 0 0 9\r\n2 3 0\r\n3 0 1 2\r\n", "0 0 0, 2 0 0, 2 3 0"},
    {"OFF\n4 3 0\n" DATA "1 0\n2 0 1\n3 0 1 2\n", "0 0 0, 2 0 0, 2 3 0"},
    {"OFF\n4 1 0\n" DATA "4 0 1 2 9\n", "face 0 refers to vertex 9, and there are 4, from 0, line 7"},
    {"OFF\n4 2 0\n" DATA "3 0 1 2\n", "cut short, or has several on a line: it holds 1 of 2 faces"},
    {"OFF\n4 1 0\n" DATA "4 0 1 2\n", "a face without all of its corners"},
    {"OFF\n4 1 0\n0 0 0 1 1 1\n", "more than three coordinates"},
    {"OFF\n4 1 0\n0 0\n", "without three coordinates, line 3"},
    {"OFF\n4 -1 0\n", "how many vertices and faces"},
    {"4OFF\n4 1 0\n", "only OFF of three dimensions"},
    {"4 1 0\n" DATA "4 0 1 2 3\n", "does not begin with OFF"},
    {"OFF\n4 0 0\n" DATA, "no triangle"},
};

TEST(off_texts_are_read_or_refused)
{
    for (size_t i = 0; i < sizeof off_texts / sizeof *off_texts; ++i)
        mesh_files_expect("text.off", off_texts[i].text, strlen(off_texts[i].text), off_texts[i].wanted);
}

// ---- STL

#define FACET(v) "facet normal 0 0 1\n outer loop\n" v " endloop\nendfacet\n"
#define LOWER FACET("  vertex 0 0 0\n  vertex 2 0 0\n  vertex 2 3 0\n")
#define UPPER FACET("  VERTEX 0 0 0\r\n  vertex 2 3 0 vertex 0 3 0\n")

static const struct {
    const char *text, *wanted;
} stl_texts[] = {
    {"solid a\n" LOWER UPPER "endsolid a\n", RECTANGLE},
    {"solid\nendsolid\nSOLID facet\n" LOWER "endsolid solid\nsolid c\nendsolid c\nsolid d\n" UPPER "endsolid",
     RECTANGLE},
    {"solid C:\\\n" LOWER "endsolid \\\nsolid\n" UPPER "endsolid\n", RECTANGLE}, // no line is continued
    {"solid a facet normal -1.#IND nan x outer loop vertex 0 0 0 vertex 2 0 0 vertex 2 3 0 endloop endfacet endsolid a",
     "0 0 0, 2 0 0, 2 3 0"},
    {"solid a facet normal 0 0 1 outer loop vertex 0 0 0 vertex 2 0 0 vertex 2 3 0 endloop endfacet endsolid a solid b "
     "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 2 3 0 vertex 0 3 0 endloop endfacet endsolid",
     "'facet' stands where STL has solid"},
    {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", "three numbers are missing, line 4"},
    {"solid a\nendsolid a\n", "no triangle"},
    {"solid a\n" LOWER, "cut short: endsolid is missing"},
    {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0", "three numbers are missing, line 5"},
    {"solid a\n" FACET("vertex 0 0 0\nvertex 1 0 0\n") "endsolid a\n", "'endloop' stands where STL has vertex"},
    {"solid a\n" FACET("vertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n") "endsolid a\n",
     "'vertex' stands where STL has endloop"},
    {"solid a\nendsolid a\n" LOWER, "'facet' stands where STL has solid"},
};

static void put(char **to, const void *from, size_t size)
{
    memcpy(*to, from, size);
    *to += size;
}

TEST(stl_files_are_read_or_refused)
{
    for (size_t i = 0; i < sizeof stl_texts / sizeof *stl_texts; ++i)
        mesh_files_expect("text.stl", stl_texts[i].text, strlen(stl_texts[i].text), stl_texts[i].wanted);
    static const char padded[] = "solid\n" LOWER UPPER "endsolid\n\0\0";
    mesh_files_expect("padded.stl", padded, sizeof padded - 1, RECTANGLE);
    static const struct {
        uint32_t count;
        const char *wanted;
    } counts[] = {
        {2, RECTANGLE}, {1, "0 0 0, 2 0 0, 2 3 0"}, {3, "cut short"}, {0, "no triangle"}, {UINT32_MAX, "cut short"}};
    static const float facets[2][12] = {{0, 0, 1, 0, 0, 0, 2, 0, 0, 2, 3, 0}, {0, 0, 1, 0, 0, 0, 2, 3, 0, 0, 3, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        char bytes[84 + 2 * 50] = "solid of a binary file", *to = bytes + 80;
        put(&to, &counts[i].count, 4);
        for (int k = 0; k < 2; ++k) {
            put(&to, facets[k], sizeof facets[k]);
            put(&to, "\x80", 2);
        }
        mesh_files_expect("binary.stl", bytes, sizeof bytes, counts[i].wanted);
    }
}

// ---- by assimp

#define INPUT(semantic, source) "<input semantic=\"" semantic "\" source=\"#" source "\"/>"
#define SOURCE(id, array, count, numbers, stride, params)                                                              \
    "<source id=\"" id "\"><" array " id=\"" id "a\" count=\"" count "\">" numbers "</" array                          \
    "><technique_common><accessor source=\"#" id "a\" count=\"1\" stride=\"" stride "\">" params                       \
    "</accessor></technique_common></source>"

// The rectangle; its shader, its controller and its instance are to be filled in.
static const char collada[] =
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><unit meter=\"1\"/>"
    "<up_axis>Y_UP</up_axis></asset><library_effects><effect id=\"e\"><profile_COMMON><technique "
    "sid=\"c\">%s</technique>"
    "</profile_COMMON></effect></library_effects><library_materials><material id=\"a\" name=\"a\">"
    "<instance_effect url=\"#e\"/></material></library_materials><library_geometries><geometry id=\"g\"><mesh>"
    "<source id=\"p\"><float_array id=\"pa\" count=\"12\">0 0 0 2 0 0 2 3 0 0 3 0</float_array><technique_common>"
    "<accessor source=\"#pa\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
    "type=\"float\"/>"
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\">" INPUT(
        "POSITION",
        "p") "</vertices><triangles material=\"m\" count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
             "<p>0 1 2 0 2 "
             "3</p></triangles></mesh></geometry></library_geometries>%s<library_visual_scenes><visual_scene id=\"s\">"
             "<node id=\"J\" sid=\"J\" type=\"JOINT\"/><node><instance_%s><bind_material><technique_common>"
             "<instance_material symbol=\"m\" "
             "target=\"#a\"/></technique_common></bind_material></instance_%.10s></node>"
             "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
static const char collada_skin[] = "<library_controllers><controller id=\"c\"><skin source=\"#g\">" SOURCE(
    "j", "Name_array", "1", "J", "1", "<param name=\"JOINT\" type=\"name\"/>")
    SOURCE("b", "float_array", "16", "1 0 0 9 0 1 0 0 0 0 1 0 0 0 0 1", "16", "<param name=\"T\" type=\"float4x4\"/>")
        SOURCE("w", "float_array", "1", "1", "1", "<param name=\"WEIGHT\" type=\"float\"/>") "<joints>" INPUT("JOINT",
                                                                                                              "j")
            INPUT("INV_BIND_MATRIX", "b") "</joints><vertex_weights count=\"4\">"
                                          "<input semantic=\"JOINT\" source=\"#j\" offset=\"0\"/><input "
                                          "semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/>"
                                          "<vcount>1 1 1 1</vcount><v>0 0 0 0 0 0 0 "
                                          "0</v></vertex_weights></skin></controller></library_controllers>";

TEST(collada_is_read_or_refused)
{
#define DIFFUSE(shader) "<" shader "><diffuse><color>0.5 0.25 0.75 1</color></diffuse></" shader ">"
    static const struct {
        const char *shader, *wanted;
    } shaders[] = {
        {DIFFUSE("lambert"), "a 0.5 0.25 0.75 1"},
        {"<constant><emission><color>1 1 1 1</color></emission></constant>", "a 0 0 0 1"},
        {"<phong><specular><color>0.5 0 0 1</color></specular><shininess><float>8</float></shininess></phong>",
         "a 0.6 0.6 0.6 1, 0.5 0 0 to 8"},
    };
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; ++i) {
        char wanted[128], *text = memory_format(collada, shaders[i].shader, "", "geometry url=\"#g\"", "geometry");
        snprintf(wanted, sizeof wanted, "%s, %s", shaders[i].wanted, shaders[i].wanted);
        mesh_files_write("m.dae", text);
        mesh_files_expect_materials("m.dae", wanted);
        free(text);
    }
    char *text = memory_format(collada, DIFFUSE("lambert"), collada_skin, "controller url=\"#c\"", "controller");
    mesh_files_expect("skin.dae", text, strlen(text), "it is bent by a skin, which is read from glTF alone");
    free(text);
}

#define AXIS(name, axis, sign)                                                                                         \
    "P: \"" name "\", \"int\", \"Integer\", \"\"," axis "\nP: \"" name "Sign\", \"int\", \"Integer\", \"\"," sign "\n"
#define UNIT(size) "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\"," size "\n"

// The rectangle; settings, objects and connections are to be filled in.
static const char fbx[] =
    "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n"
    "GlobalSettings:  {\nVersion: 1000\nProperties70:  {\n%s}\n}\nObjects:  {\n"
    "Geometry: 1000, \"Geometry::\", \"Mesh\" {\nVertices: *12 {\na: 0,0,0,2,0,0,2,3,0,0,3,0\n}\n"
    "PolygonVertexIndex: *6 {\na: 0,1,-3,0,2,-4\n}\nGeometryVersion: 124\n}\n"
    "Model: 2000, \"Model::M\", \"Mesh\" {\nVersion: 232\n}\n%s}\n"
    "Connections:  {\nC: \"OO\",2000,0\nC: \"OO\",1000,2000\n%s}\n";

TEST(fbx_is_turned_and_scaled)
{
    static const struct {
        const char *settings, *wanted;
    } cases[] = {
        {UNIT("100"), RECTANGLE},
        {"", "0 0 0, 0.02 0 0, 0.02 0.03 0; 0 0 0, 0.02 0.03 0, 0 0.03 0"}, // centimetres
        {AXIS("UpAxis", "2", "1") AXIS("FrontAxis", "1", "-1") AXIS("CoordAxis", "0", "1") UNIT("100"),
         "0 0 0, 2 0 0, 2 0 -3; 0 0 0, 2 0 -3, 0 0 -3"},
        {AXIS("FrontAxis", "2", "-1"), "no right-handed three"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *text = memory_format(fbx, cases[i].settings, "", "");
        mesh_files_expect("m.fbx", text, strlen(text), cases[i].wanted);
        free(text);
    }
}

// ---- what is left out

// Reads a file with stderr in another, whose text must hold `wanted`.
static void expect_warning(const char *name, const char *text, const char *wanted)
{
    char said[1024] = "";
    struct mesh_data mesh;
    char *path = mesh_files_write_bytes(name, text, strlen(text));
    FILE *into = tmpfile();
    assert_non_null(into);
    fflush(stderr);
    const int stderr_before = dup(STDERR_FILENO);
    dup2(fileno(into), STDERR_FILENO);
    const bool done = mesh_import(&mesh, path, "m", true, &why);
    dup2(stderr_before, STDERR_FILENO);
    close(stderr_before);
    assert_true(done);
    rewind(into);
    said[fread(said, 1, sizeof said - 1, into)] = '\0';
    fclose(into);
    if (!strstr(said, wanted))
        print_message("wanted: %s\n  said: %s\n", wanted, said);
    assert_true(strstr(said, "warpstudy: warning: ") && strstr(said, path) && strstr(said, wanted));
    mesh_finish(&mesh);
    free(path);
}

TEST(what_is_left_out_is_told)
{
    expect_warning("w.ply", ASCII VERTICES FACES(2) END DATA "1 0\n3 0 1 2\n", "1 points and 0 lines are left out");
    expect_warning("w.ply", ASCII VERTICES FACES(1) "element edge 2\nproperty int vertex1\n" END DATA "3 0 1 2\n0\n1\n",
                   "0 points and 2 lines are left out");
    expect_warning("w.ply",
                   ASCII VERTICES FACES(1) "element range_grid 1\nproperty list uchar int vertex_indices\n" END DATA
                                           "3 0 1 2\n1 0\n",
                   "its 1 range_grid, which refer to vertices, are left out");
    expect_warning("w.ply", ASCII VERTICES FACES(1) END DATA "3 0 1 2\n3 0 2 3\n",
                   "8 bytes follow what the header says");
    expect_warning("w.ply",
                   ASCII VERTICES
                   "element face 1\nproperty list uchar int vertex_indices\nproperty int material_index\n" END DATA
                   "3 0 1 2 7\n",
                   "the material_index of its faces is left out");
    expect_warning("w.obj", CORNERS "p 1 2\nl 1 2\nf 1 2 3\n", "2 points and 1 lines are left out");
    expect_warning("w.obj", CORNERS "f 1 2 3\nwhat 1\n", "left out: 1, the first is line 6");
    expect_warning("w.obj", CORNERS "f 1 2 3\nsurf 0 1 0 1 1 2 3 4\n", "1 free-form curves and surfaces");
    expect_warning("w.obj", "mtllib nowhere.mtl\n" CORNERS "f 1 2 3\n", "there is no material library");
    char *text = memory_format(
        fbx, "",
        "Geometry: 1001, \"Geometry::S\", \"Shape\" {\nIndexes: *1 {\na: 0\n}\nVertices: *3 {\na: 0,0,5\n}\n"
        "Normals: *3 {\na: 0,0,0\n}\n}\nDeformer: 3000, \"Deformer::B\", \"BlendShape\" {\nVersion: 100\n}\n"
        "Deformer: 3001, \"SubDeformer::C\", \"BlendShapeChannel\" {\nVersion: 100\nDeformPercent: 0\n"
        "FullWeights: *1 {\na: 100\n}\n}\n",
        "C: \"OO\",3000,1000\nC: \"OO\",3001,3000\nC: \"OO\",1001,3001\n");
    expect_warning("w.fbx", text, "its morph targets are left out");
    free(text);
    expect_warning("w.off", "OFF\n4 1 0\n" DATA "3 0 1 2\n3 0 2 3\n", "line 8 and those behind it are left out");
}

// ---- polygons

// Twice the area of triangles in the plane z = 0; all turn left.
static double area_of(const struct mesh_data *mesh)
{
    double sum = 0;
    for (uint64_t i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *t = &mesh->indices[3 * i];
        const struct exact_vec a = mesh->vertices[t[0]], b = mesh->vertices[t[1]], c = mesh->vertices[t[2]];
        const double area = exact_vec_cross(exact_vec_sub(b, a), exact_vec_sub(c, a)).z;
        assert_true(area >= 0);
        sum += area;
    }
    return sum;
}

// Stars of 2n corners, whose area is n r R sin(pi / n); in two orders and from every corner.
TEST(concave_polygons_keep_their_area)
{
    for (int n = 3; n <= 12; ++n)
        for (int first = 0; first < 2 * n; ++first) {
            char *text, *path;
            size_t size;
            struct mesh_data mesh;
            FILE *to = memory_stream(&text, &size);
            fprintf(to, ASCII "element vertex %d\n" PLACES FACES(1) END, 2 * n);
            for (int i = 0; i < 2 * n; ++i) {
                const double angle = EXACT_PI * (i + first) / n, r = (i + first) % 2 ? 0.25 : 1;
                fprintf(to, "%.17g %.17g 0\n", r * cos(angle), r * sin(angle));
            }
            fprintf(to, "%d", 2 * n);
            for (int i = 0; i < 2 * n; ++i)
                fprintf(to, " %d", i);
            memory_close(to);
            path = mesh_files_write_bytes("star.ply", text, size);
            assert_true(mesh_import(&mesh, path, "m", true, &why));
            assert_int_equal(mesh.triangle_count, 2 * n - 2);
            assert_float_equal(area_of(&mesh), 2 * n * 0.25 * sin(EXACT_PI / n), 1e-12);
            mesh_finish(&mesh);
            free(text);
            free(path);
        }
}

TEST_GROUP(mesh_files_set_up, NULL)
