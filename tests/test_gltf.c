// SPDX-License-Identifier: MIT
// What is read from glTF files, corner by corner, and what is said of those that cannot be read.
#include "check.h"
#include "base/memory.h"
#include "mesh_files.h"

// Bytes of the buffer, by what they are.
struct data {
    float places[12];
    uint16_t corners[6];
    uint8_t strip[4], fan[4];
    float moves[12];       // of a morph target: 5 upwards
    uint8_t square[16];    // normalized, four bytes a corner
    int16_t rectangle[16]; // four words a corner
    uint8_t beyond[4], replaced[4];
    float replacements[6];
    uint8_t joints[16];
    float weights[16];
};

static const struct data data = {
    .places = {0, 0, 0, 2, 0, 0, 2, 3, 0, 0, 3, 0},
    .corners = {0, 1, 2, 0, 2, 3},
    .strip = {0, 1, 3, 2},
    .fan = {0, 1, 2, 3},
    .moves = {0, 0, 5, 0, 0, 5, 0, 0, 5, 0, 0, 5},
    .square = {0, 0, 0, 9, 255, 0, 0, 9, 255, 255, 0, 9, 0, 255, 0, 9},
    .rectangle = {0, 0, 0, 9, 2, 0, 0, 9, 2, 3, 0, 9, 0, 3, 0, 9},
    .beyond = {0, 1, 9},
    .replaced = {1, 2},
    .replacements = {4, 0, 0, 4, 3, 0},
    .joints = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0},
    .weights = {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0, 1, 0, 0},
};

#define PART(member) offsetof(struct data, member), sizeof data.member

// Views and accessors, which have one number each.
static const struct {
    size_t offset, size;
    int stride, component;
    const char *type;
    int count;
    bool normalized;
} parts[] = {
    {PART(places), 0, 5126, "VEC3", 4, false},       // 0
    {PART(corners), 0, 5123, "SCALAR", 6, false},    // 1
    {PART(strip), 0, 5121, "SCALAR", 4, false},      // 2
    {PART(fan), 0, 5121, "SCALAR", 4, false},        // 3
    {PART(moves), 0, 5126, "VEC3", 4, false},        // 4
    {PART(square), 4, 5121, "VEC3", 4, true},        // 5
    {PART(rectangle), 8, 5122, "VEC3", 4, false},    // 6
    {PART(beyond), 0, 5121, "SCALAR", 3, false},     // 7
    {PART(joints), 0, 5121, "VEC4", 4, false},       // 8
    {PART(weights), 0, 5126, "VEC4", 4, false},      // 9
    {PART(replaced), 0, 5121, "SCALAR", 2, false},   // 10
    {PART(replacements), 0, 5126, "VEC3", 2, false}, // 11
    {PART(fan), 0, 5121, "SCALAR", 3, false},        // 12: one triangle
};

// And four more accessors: two sparse ones, over the places and over nothing, one that is too long, and one whose values overlap.
static const char more_accessors[] =
    ",{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":4,\"sparse\":{\"count\":2,\"indices\":"
    "{\"bufferView\":10,\"componentType\":5121},\"values\":{\"bufferView\":11}}}"
    ",{\"componentType\":5126,\"type\":\"VEC3\",\"count\":4,\"sparse\":{\"count\":2,\"indices\":"
    "{\"bufferView\":10,\"componentType\":5121},\"values\":{\"bufferView\":11}}}"
    ",{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":5}"
    ",{\"bufferView\":5,\"componentType\":5126,\"type\":\"VEC3\",\"count\":2}";

#define ASSET "{\"asset\":{\"version\":\"2.0\"},"

// A file's text, to be freed: `buffer` is the only one; `rest` what it has besides lists of buffers, views and accessors.
static char *gltf_text(const char *buffer, const char *rest)
{
    char *text;
    size_t size;
    FILE *to = memory_stream(&text, &size);
    fprintf(to, ASSET "\"buffers\":[{%s\"byteLength\":%zu}],\"bufferViews\":[", buffer, sizeof data);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        fprintf(to, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", i ? "," : "", parts[i].offset,
                parts[i].size);
        fprintf(to, parts[i].stride ? ",\"byteStride\":%d}" : "}", parts[i].stride);
    }
    fprintf(to, "],\"accessors\":[");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        fprintf(to, "%s{\"bufferView\":%zu,\"componentType\":%d,\"type\":\"%s\",\"count\":%d,\"normalized\":%s}",
                i ? "," : "", i, parts[i].component, parts[i].type, parts[i].count,
                parts[i].normalized ? "true" : "false");
    fprintf(to, "%s],%s}", more_accessors, rest);
    memory_close(to);
    return text;
}

static void expect(const char *rest, const char *wanted)
{
    char *text = gltf_text("\"uri\":\"data.bin\",", rest);
    free(mesh_files_write_bytes("data.bin", &data, sizeof data));
    mesh_files_expect("x.gltf", text, strlen(text), wanted);
    free(text);
}

#define SCENE "\"scenes\":[{\"nodes\":[0]}],"
#define NODE(more) SCENE "\"nodes\":[{\"mesh\":0" more "}],"
#define MESH(primitive) "\"meshes\":[{\"primitives\":[{" primitive "}]}]"
#define PLACES "\"attributes\":{\"POSITION\":0}"
#define QUAD MESH(PLACES ",\"indices\":1")

TEST(nodes_place_their_meshes)
{
    expect(NODE("") QUAD, RECTANGLE);
    expect("\"nodes\":[{\"mesh\":0}]," QUAD, RECTANGLE); // no scene: all
    expect(NODE(",\"translation\":[1,0,0],\"scale\":[2,2,2]") QUAD, "1 0 0, 5 0 0, 5 6 0; 1 0 0, 5 6 0, 1 6 0");
    expect(NODE(",\"rotation\":[0,0,1,0]") QUAD, "0 0 0, -2 0 0, -2 -3 0; 0 0 0, -2 -3 0, 0 -3 0"); // half a turn
    expect(NODE(",\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,0,0,7,1]") QUAD, // a quarter, and 7 upwards
           "0 0 7, 0 2 7, -3 2 7; 0 0 7, -3 2 7, -3 0 7");
    // A mirror turns the triangles round: their fronts stay outside.
    expect(NODE(",\"scale\":[-1,1,1]") QUAD, "0 0 0, -2 3 0, -2 0 0; 0 0 0, 0 3 0, -2 3 0");
    // First the node's own transform, then that of the one above it, which stands behind it.
    expect("\"scenes\":[{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0,\"translation\":[1,0,0]},"
           "{\"children\":[0],\"scale\":[1,1,2],\"rotation\":[0,0,1,0]}]," QUAD,
           "-1 0 0, -3 0 0, -3 -3 0; -1 0 0, -3 -3 0, -1 -3 0");
    // The scene that is shown is the second, with one of two nodes.
    expect("\"scene\":1,\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},"
           "{\"mesh\":0,\"translation\":[0,0,1]}]," QUAD,
           "0 0 1, 2 0 1, 2 3 1; 0 0 1, 2 3 1, 0 3 1");
    expect(SCENE "\"nodes\":[{\"children\":[1]},{\"children\":[2],\"mesh\":0},{\"children\":[1]}]," QUAD,
           "has two parents");
    expect(SCENE "\"nodes\":[{\"children\":[0],\"mesh\":0}]," QUAD, "nested too deeply, or within itself");
    expect(SCENE "\"nodes\":[{\"children\":[5]}]," QUAD, "a child that is none of 1 nodes");
    expect("\"scenes\":[{\"nodes\":[3]}],\"nodes\":[{\"mesh\":0}]," QUAD, "shows what is none of 1 nodes");
    expect("\"scene\":2,\"scenes\":[{}],\"nodes\":[{\"mesh\":0}]," QUAD, "scenes[2], and has 1 of them");
    expect("\"scenes\":[{}],\"nodes\":[{\"mesh\":0}]," QUAD, "no triangle");
}

TEST(primitives_become_triangles)
{
    expect(NODE("") MESH(PLACES ",\"indices\":2,\"mode\":5"), "0 0 0, 2 0 0, 0 3 0; 2 0 0, 2 3 0, 0 3 0");
    expect(NODE("") MESH(PLACES ",\"indices\":3,\"mode\":6"), "2 0 0, 2 3 0, 0 0 0; 2 3 0, 0 3 0, 0 0 0");
    expect(NODE("") MESH(PLACES ",\"mode\":5"), "0 0 0, 2 0 0, 2 3 0; 2 0 0, 0 3 0, 2 3 0"); // no indices
    expect(NODE("") "\"meshes\":[{\"primitives\":[{" PLACES ",\"mode\":0},{" PLACES ",\"mode\":3},{" PLACES
                    ",\"indices\":1}]}]",
           RECTANGLE);
    expect(NODE("") MESH(PLACES ",\"mode\":0"), "no triangle: 0 vertices, 4 points and 0 lines");
    expect(NODE("") MESH(PLACES ",\"indices\":7"), "refers to vertex 9, and there are 4");
    expect(NODE("") MESH(PLACES ",\"indices\":2"), "no whole number of triangles");
    expect(NODE("") MESH(PLACES ",\"mode\":7"), "a mode that is none");
    expect(NODE("") MESH("\"attributes\":{}"), "no POSITION");
    expect(NODE("") MESH(PLACES ",\"indices\":1,\"material\":0"), "materials[0], and has 0");
    expect(NODE("") "\"meshes\":[{\"primitives\":{}}]", "a member primitives that is of another type");
}

TEST(accessors_are_read_as_declared)
{
    expect(NODE("") MESH(
               "\"attributes\":{\"POSITION\":6},\"indices\":1") ",\"extensionsRequired\":[\"KHR_mesh_quantization\"]",
           RECTANGLE);
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":5},\"indices\":1"), "0 0 0, 1 0 0, 1 1 0; 0 0 0, 1 1 0, 0 1 0");
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":13},\"indices\":1"), "0 0 0, 4 0 0, 4 3 0; 0 0 0, 4 3 0, 0 3 0");
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":14},\"indices\":1"), "0 0 0, 4 0 0, 4 3 0; 0 0 0, 4 3 0, 0 0 0");
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":15},\"indices\":1"), "too short for 5 values");
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":16},\"indices\":1"), "byteStride of 4 for values of 12 bytes");
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":1},\"indices\":1"),
           "an accessor is of SCALAR where it must be VEC3");
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":99},\"indices\":1"), "accessors[99], and has 17");
    expect(NODE("") MESH("\"attributes\":{\"POSITION\":-1},\"indices\":1"), "POSITION is no whole number");
}

#define MORPH(weights)                                                                                                 \
    "\"meshes\":[{" weights "\"primitives\":[{" PLACES                                                                 \
    ",\"indices\":1,\"targets\":[{\"POSITION\":4},{\"NORMAL\":4}]}]}]"
#define RAISED(z) "0 0 " z ", 2 0 " z ", 2 3 " z "; 0 0 " z ", 2 3 " z ", 0 3 " z

TEST(default_weights_and_skins_move_vertices)
{
    expect(NODE("") MORPH(""), RECTANGLE);
    expect(NODE("") MORPH("\"weights\":[1,1],"), RAISED("5"));
    expect(NODE(",\"weights\":[0.5,0]") MORPH("\"weights\":[1,1],"), RAISED("2.5"));
    expect(NODE("") MORPH("\"weights\":[1],"), "1 weights for 2 morph targets");
    // The joints are nodes 1 and 2, the second 8 upwards; the node's own transform does not count.
    static const char skinned[] =
        SCENE "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[5,5,5]},{},{\"translation\":[0,0,8]}],"
              "\"skins\":[{\"joints\":[1,2]}]," MESH(
                  "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":8,\"WEIGHTS_0\":9},\"indices\":1");
    expect(skinned, "0 0 0, 2 0 0, 2 3 4; 0 0 0, 2 3 4, 0 3 8");
    expect(NODE(",\"skin\":0") "\"skins\":[{\"joints\":[0]}]," QUAD, "there is no JOINTS_0");
    expect(NODE(",\"skin\":0") "\"skins\":[{\"joints\":[0]}]," MESH(
               "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":8,\"WEIGHTS_0\":9},\"indices\":1"),
           "follows joint 1 of 1");
}

TEST(extensions_are_used_or_refused)
{
    expect(NODE("") QUAD ",\"extensionsRequired\":[\"VENDOR_geometry\"]",
           "requires the extension VENDOR_geometry, which is not supported");
    expect(NODE("") QUAD ",\"extensionsRequired\":[\"KHR_texture_transform\"],\"extensionsUsed\":[\"ANY\"]", RECTANGLE);
    expect(NODE(",\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}") QUAD,
           "EXT_mesh_gpu_instancing, which is not supported");
    static const char old[] = "{\"asset\":{\"version\":\"1.0\"}}", twice[] = "{\"asset\":{},\"asset\":{}}";
    mesh_files_expect("old.gltf", old, sizeof old - 1, "it is of glTF 1.0; only 2.0 is supported");
    mesh_files_expect("twice.gltf", twice, sizeof twice - 1, "its JSON cannot be read: duplicate object key");
}

// Draco's own encoder made these bytes of the rectangle. Of the node, the corners, the primitive and the materials more is said.
static const char draco[] = ASSET NODE(
    "%s") "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"extensionsUsed\":["
          "\"KHR_draco_mesh_compression\"],\"buffers\":[{\"byteLength\":76,\"uri\":\"data:;base64,"
          "RFJBQ08CAgEAAAACBAEAAQIAAgMBAQAJAwAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAEAAAEBAAAAAAAAAAAAAAEBAAAAAAA=="
          "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":76}],\"accessors\":[{\"componentType\":5126,\"type\":"
          "\"VEC3\",\"count\":4,\"min\":[0,0,0],\"max\":[2,3,0]},{\"componentType\":5123,\"type\":\"SCALAR\","
          "\"count\":%d}]," MESH(PLACES ",\"indices\":1%s,\"extensions\":{\"KHR_draco_mesh_compression\":"
                                        "{\"bufferView\":0,\"attributes\":{\"POSITION\":0}}}") ",\"materials\":[%s]}";

static void expect_draco(const char *node, int corners, const char *wanted)
{
    char *text = memory_format(draco, node, corners, "", "");
    mesh_files_expect("draco.gltf", text, strlen(text), wanted);
    free(text);
}

TEST(draco_is_read_and_compared)
{
    expect_draco("", 6, RECTANGLE);
    expect_draco("", 9, "assimp cannot read it"); // corners, says the accessor
    expect_draco(",\"scale\":[-1,1,1]", 6, "-2 3 0, -2 0 0, 0 0 0; 0 3 0, -2 3 0, 0 0 0");
}

// Materials are what they are of uncompressed files; assimp's order is another.
TEST(draco_keeps_materials)
{
#define COLOUR(name, rgba) "{\"name\":\"" name "\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[" rgba "]}}"
#define OTHER COLOUR("b", "1,1,1,1") ","
    static const struct {
        const char *materials, *wanted;
    } cases[] = {
        {OTHER COLOUR("a", "0.5,0.25,0,0.25"), "a 0.5 0.25 0 1, a 0.5 0.25 0 1"},
        {OTHER "{\"alphaMode\":\"MASK\"}", "default 1 1 1 1, default 1 1 1 1"},
        {COLOUR("a", "1,0,0,1") "," COLOUR("a", "1,1,0,1"), "~several materials \"a\""},
        {COLOUR("a", "1,0,0,1") "," COLOUR("a", "1,0,0,1"), "a 1 0 0 1, a 1 0 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *text = memory_format(draco, "", 6, ",\"material\":1", cases[i].materials);
        mesh_files_write("draco.gltf", text);
        mesh_files_expect_materials("draco.gltf", cases[i].wanted);
        free(text);
    }
}

// Writes numbers of four bytes, the smallest first.
static char *put_word(char *to, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        *to++ = (char)(value >> 8 * i & 255);
    return to;
}

static void expect_binary(uint32_t claimed, size_t cut, const char *wanted)
{
    char *text = gltf_text("", NODE("") QUAD), bytes[8192], *at = bytes;
    const size_t length = (strlen(text) + 3) / 4 * 4, whole = 12 + 8 + length + 8 + sizeof data;
    memset(bytes, ' ', sizeof bytes);
    at = put_word(put_word(put_word(at, 0x46546C67), 2), claimed ? claimed : (uint32_t)whole);
    at = put_word(put_word(at, (uint32_t)length), 0x4E4F534A);
    memcpy(at, text, strlen(text));
    at = put_word(put_word(at + length, sizeof data), 0x004E4942);
    memcpy(at, &data, sizeof data);
    mesh_files_expect("x.glb", bytes, whole - cut, wanted);
    free(text);
}

TEST(buffers_are_found)
{
    static const struct {
        const char *uri, *file, *wanted;
    } cases[] = {
        {"\"uri\":\"my%20buffer.bin\",", "my buffer.bin", RECTANGLE},
        {"\"uri\":\"my buffer.bin\",", "my buffer.bin", RECTANGLE},
        {"\"uri\":\"100%25%c3%a4.bin\",", "100%\xc3\xa4.bin", RECTANGLE},
        {"\"uri\":\"as%20is.bin\",", "as%20is.bin", RECTANGLE},
        {"\"uri\":\"http://example.org/a.bin\",", "a.bin", "refers to http://example.org/a.bin"},
        {"", "a.bin", "buffers[0] has no data"},
        {"\"uri\":\"data:;base64,AAAA\",", "a.bin", "buffers[0] is cut short: 3 of"},
        {"\"uri\":\"data:;base64,AA?A\",", "a.bin", "what is not base64: '?'"},
        {"\"uri\":\"data:,AAAA\",", "a.bin", "not encoded as base64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *text = gltf_text(cases[i].uri, NODE("") QUAD);
        free(mesh_files_write_bytes(cases[i].file, &data, sizeof data));
        mesh_files_expect("uri.gltf", text, strlen(text), cases[i].wanted);
        free(text);
    }
    free(mesh_files_write_bytes("data.bin", &data, sizeof data - 1));
    char *text = gltf_text("\"uri\":\"data.bin\",", NODE("") QUAD);
    mesh_files_expect("short.gltf", text, strlen(text), "buffers[0] is cut short");
    free(text);
    free(mesh_files_write_bytes("data.bin", &data, sizeof data));
    text = gltf_text("\"uri\":\"data.bin\",", NODE("") QUAD);
    char *marked = memory_format("\xEF\xBB\xBF%s", text);
    mesh_files_expect("marked.gltf", marked, strlen(marked), RECTANGLE);
    free(marked);
    free(text);
    expect_binary(0, 0, RECTANGLE);
    expect_binary(0, 4, "cut short");
    expect_binary(24, 4, "cut short: part 1 reaches beyond its end");
}

// m.gltf, with four textures: white and black; nothing; no picture; red, and blue of no alpha.
static void write_material(const char *material)
{
    static const unsigned char halves[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
        0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0xd1, 0x49, 0x20, 0x56, 0x00,
        0x00, 0x00, 0x0b, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0x00, 0x00, 0x02, 0x01, 0x01,
        0x00, 0x32, 0xba, 0x2b, 0x92, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    static const unsigned char clear[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0xf4, 0x22, 0x7f, 0x8a, 0x00, 0x00, 0x00,
        0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x46, 0x00, 0x0e, 0xfa, 0x02, 0xfe,
        0x2a, 0x40, 0x5e, 0xb9, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    free(mesh_files_write_bytes("data.bin", &data, sizeof data));
    free(mesh_files_write_bytes("half way.png", halves, sizeof halves));
    free(mesh_files_write_bytes("clear.png", clear, sizeof clear));
    char *rest = memory_format(
        NODE("") MESH(
            PLACES ",\"indices\":12,\"material\":0") ",\"textures\":[{\"source\":0},{},{\"source\":1},{\"source\":2}],"
                                                     "\"images\":[{\"uri\":\"half%%20way.png\"},{\"uri\":\"data.bin\"},"
                                                     "{\"uri\":\"clear.png\"}],\"materials\":[%s]",
        material);
    char *text = gltf_text("\"uri\":\"data.bin\",", rest);
    mesh_files_write("m.gltf", text);
    free(text);
    free(rest);
}

TEST(materials_are_read)
{
    static const struct {
        const char *materials, *wanted;
    } cases[] = {
        {"{\"name\":\"a\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.25,0.5,0.75,0.25]}}", "a 0.25 0.5 0.75 1"},
        {"{\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,0.25]}}", "default 1 1 1 0.25"},
        {"{\"alphaMode\":\"MASK\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,0.25]}}", "default 1 1 1 0"},
        {"{\"extensions\":{\"KHR_materials_pbrSpecularGlossiness\":{\"diffuseFactor\":[0.5,0.25,0,1]}}}",
         "default 0.5 0.25 0 1, 1 1 1 to 1000"},
        {"{\"extensions\":{\"KHR_materials_pbrSpecularGlossiness\":{\"specularFactor\":[0.5,1,1],"
         "\"glossinessFactor\":0.5,\"specularGlossinessTexture\":{\"index\":3}}}}",
         "default 1 1 1 1, 0.25 0 0.5 to 250"},
        {"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.5,0,1],\"baseColorTexture\":{\"index\":0}}}",
         "default 0.5 0.25 0 1"},
        {"{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":3}}}", "default 0.5 0 0.5 1"},
        {"{\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":3}}}", "default 1 0 0 1"},
        {"{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}}", "~textures[1] has no picture"},
        {"{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":2}}}", "~images[1] is neither PNG nor JPEG"},
        {"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.5]}}", "~baseColorFactor is not 4 numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        write_material(cases[i].materials);
        mesh_files_expect_materials("m.gltf", cases[i].wanted);
    }
}

TEST_GROUP(mesh_files_set_up, NULL)
