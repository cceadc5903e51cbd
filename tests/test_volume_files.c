// SPDX-License-Identifier: MIT
// Files of volumes: what they give, and what is said of bad ones.
#include "check.h"
#include "folder_support.h"
#include <zlib.h>

#include "scene/scene_build.h"
#include "scene/scene_read.h"
#include "scene/scene_image_check.h"

static const char *folder;

// ---- files

static void path_of(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
}

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    folder_write(folder, name, bytes, size);
}

static void write_gzip(const char *name, const void *bytes, size_t size)
{
    char path[256];
    path_of(name, path);
    gzFile file = gzopen(path, "wb");
    assert_true(file && gzwrite(file, bytes, (unsigned)size) == (int)size && gzclose(file) == Z_OK);
}

// Cuts the last bytes off.
static void copy_cut(const char *from, const char *to, size_t less)
{
    static char bytes[1 << 16];
    char path[256];
    path_of(from, path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    write_bytes(to, bytes, size - less);
}

static void *build(const char *volume, struct error *error)
{
    char path[256], text[1000];
    struct scene_file file;
    uint64_t size;
    void *image = NULL;
    *error = (struct error){0};
    path_of("test.yaml", path);
    snprintf(text, sizeof text, "volume: %s\ncameras: {main: {eye: [0, 0, 2], at: [0, 0, 0]}}\n", volume);
    if (scene_file_parse(&file, path, text, strlen(text), error))
        image = scene_build(&file, "test", &(struct scene_build_options){.threads = 1}, &size, error);
    if (image && !image_validate(image, size, IMAGE_CONTENT, error)) {
        free(image);
        image = NULL;
    }
    scene_file_finish(&file);
    return image;
}

// ---- what files give

enum { COUNT = 3 * 2 * 2 };
static const int16_t shorts[COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1000};

// That the densities are those of `shorts` in the window [0, 1000], stored as floats, but for `off`.
static void expect_values(const char *volume, double off)
{
    void *image = made(build(volume, &why));
    const struct image_header *header = image_header(image);
    const float *density = image_section(image, IMAGE_DENSITY);
    assert_true(header->volume_size[0] == 3 && header->volume_size[1] == 2 && header->volume_size[2] == 2);
    assert_true(header->density_bits == 32 && fabs((double)header->volume_majorant - 8) <= 8 * off);
    for (int i = 0; i < COUNT; ++i)
        assert_true(fabs((double)(density[i] - (float)(shorts[i] / 1000.0))) <= off);
    free(image);
}

static void expect_shorts(const char *volume)
{
    expect_values(volume, 0);
}

#define STORED "density: 8, store: float"

TEST(types_and_orders_are_read)
{
    unsigned char big[2 * COUNT + 5] = {9, 9, 9, 9, 9};
    float reals[COUNT];
    uint16_t words[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        big[5 + 2 * i] = (unsigned char)(shorts[i] >> 8);
        big[6 + 2 * i] = (unsigned char)shorts[i];
        reals[i] = shorts[i];
        words[i] = (uint16_t)(shorts[i] + 40000);
    }
    write_bytes("little.raw", shorts, sizeof shorts);
    write_bytes("big.raw", big, sizeof big);
    write_bytes("real.raw", reals, sizeof reals);
    write_bytes("word.raw", words, sizeof words);
    write_gzip("little.raw.gz", shorts, sizeof shorts);
    expect_shorts("{file: little.raw, type: int16, size: [3, 2, 2], " STORED "}");
    expect_shorts("{file: little.raw.gz, type: int16, size: [3, 2, 2], " STORED "}");
    expect_shorts("{file: big.raw, type: int16, order: big, offset: 5, size: [3, 2, 2], " STORED "}");
    expect_shorts("{file: real.raw, type: float32, size: [3, 2, 2], " STORED "}");
    expect_shorts("{file: word.raw, type: uint16, window: [40000, 41000], size: [3, 2, 2], " STORED "}");
}

// Of 32 and 64 bits, far from 0, where neighbouring floats are up to a thousandth of the window apart.
TEST(wide_types_are_read)
{
    static const struct {
        const char *name, *keys;
        int bytes;
        double first, step; // values are so far apart
    } types[] = {{"uint32", "window: [3000000000, 3001000000]", 4, 3e9, 1000},
                 {"int32", "window: [-2000000000, -1999000000]", 4, -2e9, 1000},
                 {"uint64", "spacing: 1", 8, 0, 0x1p54}, // up to 1.8e19
                 {"int64", "window: [-900000000000, -899000000000]", 8, -9e11, 1e6},
                 {"float64", "window: [-0.5, 999.5]", 8, -0.5, 1}};
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
        for (int big = 0; big < 2; ++big) {
            unsigned char bytes[8 * COUNT];
            char volume[300];
            for (int i = 0; i < COUNT; ++i) {
                const double value = types[t].first + types[t].step * shorts[i];
                uint64_t word = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
                if (!strcmp(types[t].name, "float64"))
                    memcpy(&word, &value, sizeof word);
                for (int b = 0; b < types[t].bytes; ++b)
                    bytes[types[t].bytes * i + (big ? types[t].bytes - 1 - b : b)] = (unsigned char)(word >> 8 * b);
            }
            write_bytes("wide.raw", bytes, (size_t)types[t].bytes * COUNT);
            snprintf(volume, sizeof volume, "{file: wide.raw, type: %s, order: %s, %s, size: [3, 2, 2], " STORED "}",
                     types[t].name, big ? "big" : "little", types[t].keys);
            expect_values(volume, 0.001);
        }
}

TEST(stores_round_to_their_steps)
{
    static const int8_t bytes[4] = {-128, 0, 1, 127};
    write_bytes("signed.raw", bytes, sizeof bytes);
    void *image = made(build("{file: signed.raw, type: int8, size: [4, 1, 1], window: [-128, 127], density: 2}", &why));
    const uint8_t *narrow = image_section(image, IMAGE_DENSITY);
    assert_true(narrow[0] == 0 && narrow[1] == 128 && narrow[2] == 129 && narrow[3] == 255);
    free(image);
    image = made(build("{file: signed.raw, type: int8, size: [4, 1, 1], window: [-128, 127], store: 16}", &why));
    const uint16_t *wide = image_section(image, IMAGE_DENSITY);
    assert_true(wide[0] == 0 && wide[1] == 128 * 257 && wide[2] == 129 * 257 && wide[3] == 65535);
    assert_true(image_header(image)->density_top == 65535);
    free(image);
}

TEST(transfer_function_gives_density_and_albedo)
{
    static const uint8_t bytes[5] = {0, 25, 50, 75, 100};
    write_bytes("ramp.raw", bytes, sizeof bytes);
    void *image = build("{file: ramp.raw, type: uint8, size: [5, 1, 1], window: [0, 100], density: 10, store: float, "
                        "spacing: [1, 2.5, 1], transfer: [{at: 0.25, density: 0, albedo: 0}, "
                        "{at: 0.75, density: 0.5, albedo: [1, 0.2, 0.4]}]}",
                        &why);
    assert_non_null(image);
    const struct image_header *header = image_header(image);
    const float *density = image_section(image, IMAGE_DENSITY);
    const uint32_t *albedo = image_section(image, IMAGE_ALBEDO);
    assert_true(header->volume_majorant == 5 && header->density_top == 1); // half of the scene's density is the most
    assert_true(density[0] == 0 && density[1] == 0 && density[2] == 0.5f && density[3] == 1 && density[4] == 1);
    assert_true(albedo[1] == 0 && albedo[2] == (128 | 26 << 8 | 51 << 16) && albedo[4] == (255 | 51 << 8 | 102 << 16));
    assert_true(header->box_high[0] == 0.5f && header->box_high[1] == 0.25f && header->box_high[2] == 0.1f);
    free(image);
}

// In brain, skull and air; a crop is the part that it names, and a voxel's noise stays its own.
TEST(shapes_are_empty_around)
{
    void *whole = build("{shape: head, size: [40, 30, 20], window: [0, 1], store: float}", &why);
    void *part = build("{shape: head, size: [40, 30, 20], window: [0, 1], store: float, "
                       "crop: {from: [10, 5, 2], voxels: [7, 6, 5]}}",
                       &why);
    assert_true(whole && part);
    const float *density = image_section(whole, IMAGE_DENSITY), *kept = image_section(part, IMAGE_DENSITY);
    const double most = (double)image_header(whole)->volume_majorant;
    uint32_t empty = 0;
    for (int i = 0; i < 40 * 30 * 20; ++i)
        empty += density[i] == 0;
    assert_true(empty > 40 * 30 * 20 / 3 && density[0] == 0);
    assert_true(fabs((double)density[(10 * 30 + 15) * 40 + 20] * most - 0.36) < 0.021);
    assert_true(fabs((double)density[(18 * 30 + 15) * 40 + 20] * most - 0.92) < 0.021);
    const double scale = most / (double)image_header(part)->volume_majorant;
    for (int z = 0; z < 5; ++z)
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 7; ++x) {
                const float expected = density[((z + 2) * 30 + y + 5) * 40 + x + 10];
                assert_true(fabs((double)expected * scale - (double)kept[(z * 6 + y) * 7 + x]) < 1e-6);
            }
    free(whole);
    free(part);
}

// ---- NIfTI

static void put(unsigned char *to, uint64_t value, int bytes, bool big)
{
    for (int i = 0; i < bytes; ++i)
        to[big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

static uint64_t bits_of(double value, int bytes)
{
    const float narrow = (float)value;
    uint64_t bits = 0;
    memcpy(&bits, bytes == 4 ? (const void *)&narrow : (const void *)&value, (size_t)bytes);
    return bits;
}

// Places of fields by the format's documents, not by the headers that the reader includes.
static size_t nifti(unsigned char *to, int version, bool big, double slope, double intercept)
{
    const size_t offset = version == 1 ? 352 : 544;
    const int real = version == 1 ? 4 : 8, whole = version == 1 ? 2 : 8;
    memset(to, 0, offset);
    put(to, version == 1 ? 348 : 540, 4, big);
    memcpy(to + (version == 1 ? 344 : 4), version == 1 ? "n+1\0" : "n+2\0\r\n\032\n", version == 1 ? 4 : 8);
    const int sizes[8] = {3, 3, 2, 2, 1, 1, 1, 1};
    const double spacing[4] = {1, 2, 3, 4};
    for (int i = 0; i < 8; ++i)
        put(to + (version == 1 ? 40 : 16) + whole * i, (uint64_t)sizes[i], whole, big);
    for (int i = 0; i < 4; ++i)
        put(to + (version == 1 ? 76 : 104) + real * i, bits_of(spacing[i], real), real, big);
    put(to + (version == 1 ? 70 : 12), 4, 2, big); // int16
    if (version == 1)
        put(to + 108, bits_of(352, 4), 4, big);
    else
        put(to + 168, 544, 8, big);
    put(to + (version == 1 ? 112 : 176), bits_of(slope, real), real, big);
    put(to + (version == 1 ? 116 : 184), bits_of(intercept, real), real, big);
    for (int i = 0; i < COUNT; ++i)
        put(to + offset + 2 * i, (uint16_t)shorts[i], 2, big);
    return offset + 2 * COUNT;
}

TEST(both_versions_of_nifti_are_read)
{
    static unsigned char bytes[1000];
    for (int version = 1; version <= 2; ++version)
        for (int big = 0; big < 2; ++big) {
            size_t size = nifti(bytes, version, big, 0, 0);
            write_bytes("scan.nii", bytes, size);
            write_gzip("scan.nii.gz", bytes, size);
            expect_shorts("{file: scan.nii, format: nifti, " STORED "}");
            expect_shorts("{file: scan.nii.gz, format: nifti, " STORED "}");
            size = nifti(bytes, version, big, 2, -50); // its values are twice as far apart, and less by 50
            write_bytes("scaled.nii", bytes, size);
            expect_shorts("{file: scaled.nii, format: nifti, window: [-50, 1950], " STORED "}");
            size = nifti(bytes, version, big, 2, NAN); // no number: none
            write_bytes("scaled.nii", bytes, size);
            expect_shorts("{file: scaled.nii, format: nifti, window: [0, 2000], " STORED "}");
            size = nifti(bytes, version, big, NAN, version == 1 ? NAN : 3);
            write_bytes("scaled.nii", bytes, size);
            expect_shorts("{file: scaled.nii, format: nifti, " STORED "}");
        }
    void *image = build("{file: scan.nii, format: nifti, " STORED "}", &why);
    const struct image_header *header = image_header(image); // edges 6, 6, 8
    assert_true(header->box_high[0] == 0.375f && header->box_high[1] == 0.375f && header->box_high[2] == 0.5f);
    free(image);
}

TEST(types_of_nifti_are_read)
{
    static const struct {
        int code, bytes; // as in nifti1.h
        bool real;
    } types[] = {{16, 4, true}, {8, 4, false}, {768, 4, false}, {64, 8, true}, {1024, 8, false}, {1280, 8, false}};
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
        for (int big = 0; big < 2; ++big) {
            unsigned char bytes[1000];
            const size_t offset = nifti(bytes, 1 + big, big, 0, 0) - 2 * COUNT;
            put(bytes + (big ? 12 : 70), (uint64_t)types[t].code, 2, big);
            for (int i = 0; i < COUNT; ++i)
                put(bytes + offset + types[t].bytes * i,
                    types[t].real ? bits_of(shorts[i], types[t].bytes) : (uint64_t)shorts[i], types[t].bytes, big);
            write_bytes("typed.nii", bytes, offset + (size_t)types[t].bytes * COUNT);
            expect_shorts("{file: typed.nii, format: nifti, " STORED "}");
        }
}

// ---- what is said of bad ones

static void expect_error(const char *volume, const char *words)
{
    refused(build(volume, &why), words, "");
    assert_true(why.remedy[0] && why.file[0]);
    assert_int_equal(error_exit_code(&why), 2);
}

TEST(mistakes_in_keys_are_errors)
{
    expect_error("{type: int16}", "keys of a file, but no file");
    expect_error("{window: [0, 1]}", "keys of a file or a shape, but neither");
    expect_error("{shape: head, file: little.raw, type: int16, size: [3, 2, 2]}", "a file and a shape");
    expect_error("{shape: hand, size: 10}", "hand");
    expect_error("{shape: head, size: 10, crop: {from: [0, 0, 5], voxels: [10, 10, 6]}}", "ends at voxel (10, 10, 11)");
    expect_error("{shape: head, size: 10, crop: {from: [0, 0, 0.5]}}", "0.5 voxels: not a whole number");
    expect_error("{shape: head, size: 10, window: [2, 3]}", "every voxel is empty");
    expect_error("{file: little.raw}", "does not say what it holds");
    expect_error("{file: little.raw, type: int16}", "does not say what it holds");
    expect_error("{file: little.raw, type: int12, size: [3, 2, 2]}", "int12");
    expect_error("{file: scan.nii, format: nifti, size: 3}", "says itself");
    expect_error("{file: missing.raw, type: int16, size: [3, 2, 2]}", "there is no file missing.raw");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], spacing: [1, 0, 1]}", "spacing: 0");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], spacing: [1000, 0.001, 1], window: [0, 1]}",
                 "edge along y is 6.66667e-07 times");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], window: [5, 5]}", "the window is empty");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], density: 0}", "density: 0");
    expect_error("{file: little.raw, type: int16, size: [4096, 4096, 4096]}", "the volume has 68719476736 voxels");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 1e30]}", "size");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], transfer: []}", "of 0 points");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], transfer: [{at: 1}, {at: 0.5}]}", "follows");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], transfer: [{at: 1, density: -1}]}", "density: -1");
    expect_error("{size: 4, asymmetry: 1}", "asymmetry: 1");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], layer: {from: 2, voxels: 3}}", "layer ends");
}

TEST(files_of_another_size_are_errors)
{
    copy_cut("little.raw", "short.raw", 1);
    copy_cut("little.raw.gz", "short.raw.gz", 6);
    copy_cut("scan.nii", "short.nii", 3);
    copy_cut("scan.nii", "header.nii", 300);
    expect_error("{file: short.raw, type: int16, size: [3, 2, 2]}", "it ends at byte 23; 3 x 2 x 2 voxels");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 2], offset: 1000}", "it ends at byte 24");
    expect_error("{file: little.raw, type: int16, size: [3, 2, 1]}", "goes on behind its 3 x 2 x 1 voxels");
    expect_error("{file: little.raw, type: uint8, size: [3, 2, 2]}", "goes on behind");
    expect_error("{file: short.raw.gz, type: int16, size: [3, 2, 2]}", "cut short");
    expect_error("{file: short.nii, format: nifti}", "it ends at byte");
    expect_error("{file: header.nii, format: nifti}", "no NIfTI file");
    expect_error("{file: little.raw, format: nifti}", "no NIfTI file");
}

TEST(values_that_are_no_densities_are_errors)
{
    float reals[4] = {0, 1, NAN, 2};
    write_bytes("nan.raw", reals, sizeof reals);
    reals[2] = INFINITY;
    write_bytes("infinite.raw", reals, sizeof reals);
    reals[2] = 2e30f;
    write_bytes("far.raw", reals, sizeof reals);
    reals[2] = -0.5f;
    write_bytes("negative.raw", reals, sizeof reals);
    memset(reals, 0, sizeof reals);
    write_bytes("empty.raw", reals, sizeof reals);
#define REALS "type: float32, size: [2, 2, 1]"
    expect_error("{file: nan.raw, " REALS "}", "voxel (0, 1, 0) has the value nan");
    expect_error("{file: infinite.raw, " REALS "}", "voxel (0, 1, 0) has the value inf");
    expect_error("{file: far.raw, " REALS "}", "voxel (0, 1, 0) has the value 2e+30");
    expect_error("{file: negative.raw, " REALS "}", "voxel (0, 1, 0) has the density -0.5");
    expect_error("{file: empty.raw, " REALS "}", "every voxel is empty");
    expect_error("{file: negative.raw, " REALS ", window: [3, 4]}", "every voxel is empty");
    expect_error("{file: negative.raw, " REALS ", window: [0, 1], transfer: [{at: 0, density: 0}]}",
                 "every voxel is empty");
}

TEST(bad_nifti_headers_are_errors)
{
    static unsigned char bytes[1000];
    static const struct {
        size_t at;
        uint64_t value;
        int size;
        const char *words;
    } faults[] = {
        {40, 2, 2, "one volume"},
        {42, 0, 2, "one volume"},
        {42, 0xFFFF, 2, "one volume"},
        {48, 5, 2, "one volume"},
        {70, 128, 2, "type"},
        {80, 0, 4, "spacing"},
        {84, 0x7FC00000, 4, "spacing"},
        {108, 0, 4, "begin"},
        {108, 0x7F800000, 4, "begin"},
        {344, 0x31, 1, "no NIfTI file"},
        {42, 32767, 2, "4096"},
        {112, 0x7F800000, 4, "beyond 1e30"},
        {112, 0x7F000000, 4, "beyond 1e30"},
        {116, 0xFF800000, 4, "beyond 1e30"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        const size_t size = nifti(bytes, 1, false, 1, 0);
        if (faults[i].at == 48)
            put(bytes + 40, 4, 2, false); // a fourth dimension
        put(bytes + faults[i].at, faults[i].value, faults[i].size, false);
        write_bytes("bad.nii", bytes, size);
        expect_error("{file: bad.nii, format: nifti}", faults[i].words);
    }
}

static int open_all(void **state)
{
    folder = folder_new();
    return 0;
}

TEST_GROUP(open_all, NULL)
