// SPDX-License-Identifier: MIT
// Radiance HDR and OpenEXR: every form of their lines and every word of their headers, from bytes written here by the formats'
// definitions; the rarer forms of OpenEXR as its own library writes them.
#include <unistd.h>

#include "check.h"
#include "folder_support.h"
#include "exr_support.h"
#include "import/picture.h"

static char path[] = "/tmp/warpstudy-picture-XXXXXX";
static unsigned char bytes[1 << 16];
static size_t length;

static void begin(void)
{
    length = 0;
}

static void add(const void *from, size_t size)
{
    assert_true(length + size <= sizeof bytes);
    if (size > 0)
        memcpy(bytes + length, from, size);
    length += size;
}

static void save(void)
{
    folder_write(NULL, path, bytes, length);
}

static struct picture read_well(uint32_t width, uint32_t height)
{
    struct picture picture;
    need(picture_read(&picture, path, &why));
    assert_int_equal(picture.width, width);
    assert_int_equal(picture.height, height);
    return picture;
}

// `words` are in the message, `remedy` in the remedy, and the message does not say what is not so.
static void unreadable(const char *words, const char *remedy, int line)
{
    struct picture picture;
    refused(picture_read(&picture, path, &why), words, remedy ? remedy : "");
    assert_int_equal(why.kind, ERROR_INPUT);
    assert_string_equal(why.file, path);
    assert_true(!line || why.line == line);
}

static void is(struct vec3 value, double x, double y, double z, double tolerance)
{
    assert_float_equal(value.x, x, tolerance);
    assert_float_equal(value.y, y, tolerance);
    assert_float_equal(value.z, z, tolerance);
}

// ---- Radiance HDR

#define ONE "\x80\x80\x80\x81"
#define TWO "\x80\x80\x80\x82"
#define FOUR "\x80\x80\x80\x83"

static void hdr(const char *variables, const char *size, const void *data, size_t data_size)
{
    begin();
    add("#?RADIANCE\n", 11);
    add("FORMAT=32-bit_rle_rgbe\n", 23);
    add(variables, strlen(variables));
    add("\n", 1);
    add(size, strlen(size));
    add("\n", 1);
    add(data, data_size);
    save();
}

#define HDR(variables, size, data) hdr(variables, size, data, sizeof data - 1)

static void one_texel_is(const char *variables, const char *data, double x, double y, double z, double tolerance)
{
    hdr(variables, "-Y 1 +X 1", data, 4);
    struct picture picture = read_well(1, 1);
    is(picture.texels[0], x, y, z, tolerance);
    picture_finish(&picture);
}

TEST(exposures_and_corrections_divide)
{
    one_texel_is("EXPOSURE=4\n", ONE, 0.25, 0.25, 0.25, 0);
    one_texel_is("EXPOSURE= 4\nSOFTWARE=x\nEXPOSURE=.5 \n", ONE, 0.5, 0.5, 0.5, 0);
    one_texel_is("\tEXPOSURE=8\n# EXPOSURE=8\nEXPOSURED=8\nGAMMA=1.0\n", ONE, 1, 1, 1, 0); // the tab: another picture's
    one_texel_is("COLORCORR= 2 1 .5\nCOLORCORR=2 1 1\nEXPOSURE=2\r\n", ONE, 0.125, 0.5, 1, 0);
    one_texel_is("", "\x80\x40\x20\x00", 0, 0, 0, 0); // an exponent of 0 is black
    one_texel_is("", "\x80\x40\x20\x21", 0x1p-96, 0x1p-97, 0x1p-98, 0);
}

// Matrices as published: Rec. 2020 by ITU-R BT.2087; Radiance's own primaries keep their white, and Rec. 709's their values.
TEST(primaries_are_converted)
{
    one_texel_is("PRIMARIES= .708 .292 .17 .797 .131 .046 .3127 .329\n", "\x80\x80\x40\x80", 0.51825, 0.50207, 0.22028,
                 1e-4);
    one_texel_is("PRIMARIES=.64 .33 .29 .6 .15 .06 .3333 .3333\n", ONE, 1, 1, 1, 2e-5);
    one_texel_is("PRIMARIES=0.640 0.330 0.300 0.600 0.150 0.060 0.313 0.329\n", "\x80\x01\x02\x81", 1, 1 / 128.0,
                 2 / 128.0, 0);
    HDR("PRIMARIES= .708 .292 .17 .797 .131 .046 .3127 .329\n", "-Y 1 +X 1", "\x00\x80\x00\x81");
    unreadable("values below 0, as of primaries wider than Rec. 709's, are 37.", "within linear Rec. 709", 0);
}

TEST(lines_of_every_kind_are_read)
{
    HDR("", "-Y 6 +X 8",
        "\2\2\0\x08\x88\x80\x88\x80\x88\x80\x88\x81"                         // new runs
        TWO TWO TWO TWO TWO TWO TWO ONE                                      // flat
            ONE "\1\1\1\7"                                                   // an old run
        "\2\2\0\x08\x08\x80\x80\x80\x80\x80\x80\x80\x80\x88\x80\x84\x80\x04" // new ones again, some bytes flat
        "\x80\x80\x80\x80\x87\x82\1\x81"                                     //
        "\2\2\x80\x81" TWO "\1\1\1\2" ONE "\1\1\1\1" TWO TWO                 // begins nearly as new runs do
        "\2\x80\2\x81" TWO TWO TWO TWO TWO TWO ONE);
    struct picture picture = read_well(8, 6);
    static const char wanted[] = "11111111"
                                 "22222221"
                                 "11111111"
                                 "22222221"
                                 "?2221122"
                                 "?2222221";
    for (int i = 0; i < 48; ++i)
        if (wanted[i] != '?')
            is(picture.texels[i], wanted[i] - '0', wanted[i] - '0', wanted[i] - '0', 0);
    is(picture.texels[32], 2 / 128.0, 2 / 128.0, 1, 0);
    is(picture.texels[40], 2 / 128.0, 1, 2 / 128.0, 0);
    picture_finish(&picture);
    HDR("", "-Y 1 +X 300", ONE "\1\1\1\x2a\1\1\1\1" TWO); // 1 + 42 + 256 + 1
    picture = read_well(300, 1);
    for (int i = 0; i < 300; ++i)
        is(picture.texels[i], i < 299 ? 1 : 2, i < 299 ? 1 : 2, i < 299 ? 1 : 2, 0);
    picture_finish(&picture);
    HDR("", "-Y 1 +X 3", "\2\2\0\3" ONE TWO); // too short for runs: a texel
    picture = read_well(3, 1);
    is(picture.texels[0], 2 * 0x1p-133, 2 * 0x1p-133, 0, 0);
    picture_finish(&picture);
}

TEST(orientations_are_applied)
{
    static const char *const cases[][2] = {
        {"-Y 2 +X 3 ", "123456"}, {"+Y 2 +X 3", "456123"}, {"-Y 2 -X 3", "321654"}, {"+Y 2 -X 3", "654321"},
        {"+X 3 -Y 2", "135246"},  {"-X 3 -Y 2", "531642"}, {"+X 3 +Y 2", "246135"}, {"-X 3 +Y 2", "642531"},
    };
    for (size_t i = 0; i < 8; ++i) {
        HDR("", cases[i][0], "\x20\0\0\x83\x40\0\0\x83\x60\0\0\x83\x80\0\0\x83\xa0\0\0\x83\xc0\0\0\x83");
        struct picture picture = read_well(3, 2);
        for (int k = 0; k < 6; ++k)
            is(picture.texels[k], cases[i][1][k] - '0', 0, 0, 0);
        picture_finish(&picture);
    }
}

TEST(bad_hdr_files_are_refused)
{
    static const struct {
        const char *variables, *size, *words, *remedy;
        int line;
    } cases[] = {
        {"EXPOSURE=0\n", "-Y 1 +X 1", "exposure", "correct that line", 3},
        {"EXPOSURE=\n", "-Y 1 +X 1", "numbers", "correct that line", 3},
        {"COLORCORR=1 2\n", "-Y 1 +X 1", "numbers", "correct that line", 3},
        {"COLORCORR=1 -1 1\n", "-Y 1 +X 1", "colour correction", "correct that line", 3},
        {"PRIMARIES=0 0 0 0 0 0 0 0\n", "-Y 1 +X 1", "span no colours", "remove", 3},
        {"PRIMARIES=1 0 0 1 0 0 .3333 .3333\n", "-Y 1 +X 1", "CIE XYZ", "Rec. 709", 3},
        {"SOFTWARE=x\nGAMMA=2.2\n", "-Y 1 +X 1", "not linear", "GAMMA=1", 4},
        {"FORMAT=32-bit_rle_xyze\n", "-Y 1 +X 1", "CIE XYZ", "ra_xyze -r", 3},
        {"FORMAT=Radiance_spectra\n", "-Y 1 +X 1", "no format of RGB", "32-bit_rle_rgbe", 3},
        {"EXPOSURE=1e-13\n", "-Y 1 +X 1", "texel (0, 0) is brighter than 1e12", "at most 1e12", 0},
        {"", "-Y 1 +X 20000", "it is 20000 x 1 texels", "at most 16384", 0},
        {"", "+X 99999 -Y 1", "it is 99999 x 1 texels", "at most 16384", 0},
        {"", "-Y 1 -Y 1", "no size", NULL, 4},
        {"", "-Y 1 +X 1 x", "no size", NULL, 4},
        {"", "-Y 0 +X 1", "empty", NULL, 0},
        {"", "-Y 2 +X 1", "cut short", NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        HDR(cases[i].variables, cases[i].size, ONE);
        unreadable(cases[i].words, cases[i].remedy, cases[i].line);
    }
    begin();
    add("#?RGBE\n\n-Y 1 +X 1\n" ONE, 22);
    save();
    unreadable("no line FORMAT", "add FORMAT", 0);
    HDR("", "-Y 2 +X 2", ONE TWO "\1\1\1\1" TWO);
    unreadable("scan line 2 of 2 is damaged: a run before any texel", NULL, 0);
    HDR("", "-Y 1 +X 4", ONE "\1\1\1\4");
    unreadable("a run beyond its end", NULL, 0);
    HDR("", "-Y 1 +X 8", "\2\2\0\x08\x89\x80");
    unreadable("a run beyond its end", NULL, 0);
    HDR("", "-Y 1 +X 8", "\2\2\0\x09\x89\x80");
    unreadable("another length", NULL, 0);
    HDR("", "-Y 1 +X 8", "\2\2\0\x08\x88\x80\x88\x80\x88\x80\x07");
    unreadable("scan line 1 of 1 is cut short", NULL, 0);
}

// ---- OpenEXR, uncompressed, of floats

struct exr {
    const char *channels;    // in the order of the alphabet, a blank between names
    int data[4], display[4]; // windows: left, top, right, bottom
    const char *attributes;  // more of them
    size_t attributes_size;
    float values[5]; // of the channels, in their order
    bool ramp;       // adds x + 16 y
};

static void add_attribute(const char *name, const char *type, const void *value, int size)
{
    add(name, strlen(name) + 1);
    add(type, strlen(type) + 1);
    add(&size, 4);
    add(value, (size_t)size);
}

static size_t channel_list(const char *names, unsigned char *list)
{
    unsigned char *at = list;
    for (const char *name = names; *name; name += strspn(name, " ")) {
        static const unsigned char rest[16] = {2, [8] = 1, [12] = 1}; // float; every texel has one
        const size_t size = strcspn(name, " ");
        memcpy(at, name, size);
        at[size] = 0;
        memcpy(at + size + 1, rest, sizeof rest);
        at += size + 1 + sizeof rest;
        name += size;
    }
    *at++ = 0;
    return (size_t)(at - list);
}

static int channel_count(const char *names)
{
    int count = 1;
    for (; *names; ++names)
        count += *names == ' ';
    return count;
}

static void add_lines(const struct exr *exr)
{
    const int width = exr->data[2] - exr->data[0] + 1, height = exr->data[3] - exr->data[1] + 1;
    const int channels = channel_count(exr->channels), size = 4 * width * channels;
    for (int y = 0; y < height; ++y) {
        const uint64_t place = length + 8 * (size_t)(height - y) + (size_t)y * (8 + (size_t)size);
        add(&place, 8);
    }
    for (int y = exr->data[1]; y <= exr->data[3]; ++y) {
        add(&y, 4);
        add(&size, 4);
        for (int c = 0; c < channels; ++c)
            for (int x = exr->data[0]; x <= exr->data[2]; ++x) {
                const float value = exr->values[c] + (exr->ramp ? (float)(x + 16 * y) : 0.0f);
                add(&value, 4);
            }
    }
}

static void write_exr(struct exr exr)
{
    static const float one = 1, none[2];
    unsigned char list[512];
    const bool same = exr.display[2] == 0 && exr.display[3] == 0;
    begin();
    add("\x76\x2f\x31\x01\2\0\0\0", 8);
    add_attribute("channels", "chlist", list, (int)channel_list(exr.channels, list));
    add_attribute("compression", "compression", "", 1);
    add_attribute("dataWindow", "box2i", exr.data, 16);
    add_attribute("displayWindow", "box2i", same ? exr.data : exr.display, 16);
    add_attribute("lineOrder", "lineOrder", "", 1);
    add_attribute("pixelAspectRatio", "float", &one, 4);
    add_attribute("screenWindowCenter", "v2f", none, 8);
    add_attribute("screenWindowWidth", "float", &one, 4);
    add(exr.attributes, exr.attributes_size);
    add("", 1);
    add_lines(&exr);
    save();
}

#define WINDOW                                                                                                         \
    {                                                                                                                  \
        0, 0, 1, 0                                                                                                     \
    } // two texels

static void expect_colour(struct exr exr, double x, double y, double z, double tolerance)
{
    write_exr(exr);
    struct picture picture = read_well(2, 1);
    is(picture.texels[0], x, y, z, tolerance);
    is(picture.texels[1], x, y, z, tolerance);
    picture_finish(&picture);
}

TEST(floats_are_exact)
{
    expect_colour((struct exr){"B G R", WINDOW, .values = {1e5f, 1e-8f, 0x1p-140f}}, 0x1p-140, (double)1e-8f, 1e5, 0);
    expect_colour((struct exr){"A B G R Z", WINDOW, .values = {0, 3, 2, 1}}, 1, 2, 3, 0);
    expect_colour((struct exr){"Y", WINDOW, .values = {1e5f}}, 1e5, 1e5, 1e5, 0);
    expect_colour((struct exr){"A Y diffuse.R", WINDOW, .values = {0, 2}}, 2, 2, 2, 0);
    expect_colour((struct exr){"B G R", WINDOW, .values = {100, 100, -1}}, 0, 100, 100, 0);
    write_exr((struct exr){"B G R", WINDOW, .values = {1, 1, -1}});
    unreadable("values below 0", "negative", 0);
    write_exr((struct exr){"B G R", WINDOW, .values = {1, 1, 1e13f}});
    unreadable("texel (0, 0) is brighter than 1e12", "at most 1e12", 0);
    write_exr((struct exr){"B G R", WINDOW, .values = {1, INFINITY, 1}});
    unreadable("texel (0, 0) is not finite", "at most 1e12", 0);
}

TEST(windows_are_applied)
{
    // Data beyond the frame on the left and below, none on the right.
    const struct exr exr = {"B G R", {-2, 1, 1, 4}, {0, 0, 3, 2}, .ramp = true};
    write_exr(exr);
    struct picture picture = read_well(4, 3);
    for (int i = 0; i < 12; ++i) {
        const int x = i % 4, y = i / 4, wanted = x < 2 && y > 0 ? x + 16 * y : 0;
        is(picture.texels[i], wanted, wanted, wanted, 0);
    }
    picture_finish(&picture);
    struct exr map = {"B G R", {2, 1, 5, 2}, {0, 0, 9, 9}, .ramp = true};
    map.attributes = "envmap\0envmap\0\1\0\0\0\0"; // of latitude and longitude from -z: the data window is the map
    map.attributes_size = 7 + 7 + 4 + 1;
    write_exr(map);
    picture = read_well(4, 2);
    for (int i = 0; i < 8; ++i)
        assert_true(picture.texels[i].y == (float)(2 + (i + 1) % 4 + 16 * (1 + i / 4))); // from +x, not from -z
    picture_finish(&picture);
    write_exr((struct exr){"B G R", WINDOW, .display = {0, 0, 19999, 9}});
    unreadable("it is 20000 x 10 texels", "at most 16384", 0);
}

// Attributes of eight numbers, or of two.
static void expect_in(const float *numbers, int count, const float values[4], double x, double y, double z)
{
    unsigned char kept[200];
    begin();
    if (count == 8)
        add_attribute("chromaticities", "chromaticities", numbers, 32);
    else
        add_attribute("adoptedNeutral", "v2f", numbers, 8);
    memcpy(kept, bytes, length);
    struct exr exr = {"B G R", WINDOW, .attributes = (const char *)kept, .attributes_size = length};
    memcpy(exr.values, values, 4 * sizeof *values);
    if (x >= 0) {
        expect_colour(exr, x, y, z, 5e-4);
        return;
    }
    write_exr(exr);
    unreadable(y > 0 ? "CIE XYZ" : "span no colours", NULL, 0);
}

// Matrices as published: that of the Academy's AP0 is OpenColorIO's, with Bradford's adaptation of its white. What is neutral is white.
TEST(chromaticities_are_converted)
{
    static const float rec2020[8] = {.708f, .292f, .17f, .797f, .131f, .046f, .3127f, .329f};
    static const float p3[8] = {.68f, .32f, .265f, .69f, .15f, .06f, .3127f, .329f};
    static const float ap0[8] = {.7347f, .2653f, 0, 1, .0001f, -.077f, .32168f, .33767f};
    static const float rec709[8] = {.64f, .33f, .3f, .6f, .15f, .06f, .3127f, .329f};
    static const float xyz[8] = {1, 0, 0, 1, 0, 0, 1 / 3.0f, 1 / 3.0f}, equal[2] = {1 / 3.0f, 1 / 3.0f};
    expect_in(rec2020, 8, (const float[4]){.25f, .5f, .5f}, 0.51825, 0.50207, 0.22028);
    expect_in(p3, 8, (const float[4]){.25f, .5f, .5f}, 0.5, 0.5, 0.22543);
    expect_in(ap0, 8, (const float[4]){.3f, .5f, .4f}, 0.32534, 0.54690, 0.26787);
    expect_in(ap0, 8, (const float[4]){1, 1, 1}, 1, 1, 1);
    expect_in(rec709, 8, (const float[4]){.3f, .5f, .4f}, .4, .5, .3);
    expect_in(equal, 2, (const float[4]){.9088427f, .9483008f, 1.2047843f}, 1, 1, 1);
    expect_in(xyz, 8, (const float[4]){1, 1, 1}, -1, 1, 0);
    expect_in((const float[8]){0}, 8, (const float[4]){1, 1, 1}, -1, 0, 0);
}

TEST(pictures_without_colours_are_refused)
{
    static const char *const channels[] = {"Z", "ViewLayer.Combined.B ViewLayer.Combined.G ViewLayer.Combined.R",
                                           "G R"};
    static const char *const words[] = {"but Z", "ViewLayer.Combined.B, ViewLayer.Combined.G, ViewLayer.", "but G, R"};
    for (int i = 0; i < 3; ++i) {
        write_exr((struct exr){channels[i], WINDOW, .ramp = false});
        unreadable(words[i], "channels called R, G and B", 0);
    }
    write_exr((struct exr){"B G R", WINDOW, .attributes = "envmap\0envmap\0\1\0\0\0\1", .attributes_size = 19});
    unreadable("cube map", "exrenvmap -l", 0);
    write_exr((struct exr){"BY RY Y", WINDOW, .ramp = false});
    unreadable("luminance and chroma are not halves", "R, G and B", 0);
    exr_write(path, EXR_DEEP);
    unreadable("but R (deep)", "R, G and B", 0);
    write_exr((struct exr){"B G R", {0, 0, 99, 9}, .values = {1, 1, 1}});
    length -= 300;
    save();
    unreadable("cannot read the picture", NULL, 0);
}

TEST(forms_of_the_library_are_read)
{
    static const struct {
        enum exr_form form;
        double share; // of a value, that it may be off
    } forms[] = {{EXR_TILES, 0}, {EXR_PARTS, 0}, {EXR_DWA, 0.02}, {EXR_LUMINANCE_CHROMA, 0.002}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
        exr_write(path, forms[i].form);
        struct picture picture = read_well(EXR_WIDTH, EXR_HEIGHT);
        for (int k = 0; k < EXR_WIDTH * EXR_HEIGHT; ++k) {
            const double x = k % EXR_WIDTH + 1, y = (int)(k / EXR_WIDTH) + 1;
            const bool grey = forms[i].form == EXR_LUMINANCE_CHROMA;
            is(picture.texels[k], grey ? y : x, y, grey ? y : 0.5, forms[i].share * (x > y ? x : y));
        }
        picture_finish(&picture);
    }
}

// ---- textures

// High dynamic range is linear: no curve, no limit to a texel, and the mean a reflectance.
TEST(textures_of_radiances_keep_their_values)
{
    double mean[3];
    HDR("EXPOSURE=4\n", "-Y 1 +X 2", TWO "\x80\0\0\x81");
    need(picture_mean(path, mean, &why));
    assert_true(mean[0] == 0.375 && mean[1] == 0.25 && mean[2] == 0.25);
    write_exr((struct exr){"B G R", WINDOW, .values = {0.25f, 0.5f, 1}});
    need(picture_mean(path, mean, &why));
    assert_true(mean[0] == 1 && mean[1] == 0.5 && mean[2] == 0.25);
    HDR("", "-Y 1 +X 2", FOUR ONE);
    refused(picture_mean(path, mean, &why), "above 1", "");
    refused(picture_mean_memory("P6 1 2 255\n\1\1\1\1\1", 16, "m.glb", NULL, mean, &why), "cut short", "");
    need(picture_mean_memory("P6 1 2 255\n\xff\xff\xff\xff\xff\xff", 17, "m.glb", NULL, mean, &why));
    refused(picture_mean_memory("P6 1 1 65535\n\xff\xff\xff\xff\xff\xff", 19, "m.glb", NULL, mean, &why), "16 bits",
            "");
    assert_true(mean[0] == 1);
    begin();
    add("P6 20000 1 255\n", 15);
    save();
    refused(picture_mean(path, mean, &why), "too large", "at most 16384");
}

static int open_file(void **state)
{
    const int file = mkstemp(path);
    return file < 0 || close(file) != 0;
}

static int remove_file(void **state)
{
    return unlink(path);
}

TEST_GROUP(open_file, remove_file)
