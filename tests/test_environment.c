// SPDX-License-Identifier: MIT
// What an environment's picture gives along known directions: mapping, mirroring, illuminance.
#include "check.h"
#include "folder_support.h"
#include "scene/environment.h"
#include "scene/scene_read.h"

static const char *folder;

// A Radiance picture: red is 128 + 4 columns, green 128 + 4 rows, and blue 200, or 0 where `dark` says.
static void write_picture(int width, int height, bool (*dark)(double u, double v))
{
    char path[256];
    snprintf(path, sizeof path, "%s/sky.hdr", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", height, width);
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const bool black = dark && dark((column + 0.5) / width, (row + 0.5) / height);
            const unsigned char lit[4] = {(unsigned char)(128 + 4 * column), (unsigned char)(128 + 4 * row), 200, 136};
            assert_int_equal(fwrite(black ? (const unsigned char[4]){0} : lit, 1, 4, file), 4);
        }
    fclose(file);
}

static bool build(struct environment_tables *tables, const char *environment, struct error *error)
{
    char path[256], text[512];
    struct scene_file file;
    *error = (struct error){0};
    snprintf(path, sizeof path, "%s/test.yaml", folder);
    snprintf(text, sizeof text,
             "objects:\n  - {shape: box}\ncameras:\n  main: {eye: [0, 0, 5], at: [0, 0, 0]}\nenvironment: {%s}\n",
             environment);
    const bool done =
        scene_file_parse(&file, path, text, strlen(text), error) && environment_build(tables, &file, error);
    scene_file_finish(&file);
    return done;
}

static void build_well(struct environment_tables *tables, const char *environment)
{
    need(build(tables, environment, &why));
}

static void refuse(const char *environment, const char *part)
{
    struct environment_tables tables = {0};
    refused(build(&tables, environment, &why), "", "");
    if (!strstr(why.message, part) && !strstr(why.remedy, part))
        fail_msg("%s: %s; %s", environment, why.message, why.remedy);
    environment_finish(&tables);
}

static struct vec3 radiance_along(const struct environment_tables *tables, double x, double y, double z)
{
    const double turns = atan2(z, x) / (2 * M_PI), part = acos(y) / M_PI;
    const uint32_t column = (uint32_t)((turns < 0 ? turns + 1 : turns) * tables->map.width);
    return tables->map.texels[(uint32_t)(part * tables->map.height) * tables->map.width + column];
}

// The direction of a point of the square, as pbrt-v4 has it (EqualAreaSquareToSphere, util/math.cpp): z is up.
static void square_to_sphere(double px, double py, double direction[3])
{
    const double u = 2 * px - 1, v = 2 * py - 1, up = fabs(u), vp = fabs(v);
    const double signed_distance = 1 - (up + vp), r = 1 - fabs(signed_distance);
    const double phi = (r == 0 ? 1 : (vp - up) / r + 1) * M_PI / 4;
    direction[0] = copysign(cos(phi), u) * r * sqrt(2 - r * r);
    direction[1] = copysign(sin(phi), v) * r * sqrt(2 - r * r);
    direction[2] = copysign(1 - r * r, signed_distance);
}

enum { SIDE = 24 };

// Every texel is seen along the direction of its centre. pbrt's (x, y, z) is (x, z, y) here.
static void check_directions(const char *environment, bool mirrored, double degrees)
{
    struct environment_tables tables;
    build_well(&tables, environment);
    const double c = cos(degrees * M_PI / 180), s = sin(degrees * M_PI / 180);
    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column) {
            double d[3];
            square_to_sphere((column + 0.5) / SIDE, (row + 0.5) / SIDE, d);
            const double x = d[0], z = mirrored ? -d[1] : d[1];
            const struct vec3 seen = radiance_along(&tables, c * x - s * z, d[2], s * x + c * z);
            assert_float_equal(seen.x, 128 + 4 * column, 0.01);
            assert_float_equal(seen.y, 128 + 4 * row, 0.01);
        }
    environment_finish(&tables);
}

TEST(a_picture_of_equal_areas_is_seen_where_it_says)
{
    write_picture(SIDE, SIDE, NULL);
    check_directions("file: sky.hdr, mapping: equal_area", false, 0);
    check_directions("file: sky.hdr, mapping: equal_area, mirrored: true", true, 0);
    check_directions("file: sky.hdr, mapping: equal_area, mirrored: true, rotation: 90", true, 90);
    // by eye: up is the middle, down a corner, +x the middle of the right edge, +z of the lower one
    struct environment_tables tables;
    build_well(&tables, "file: sky.hdr, mapping: equal_area");
    const struct vec3 up = radiance_along(&tables, 0, 1, 0), x = radiance_along(&tables, 0.999, 0.04, 0.01);
    const struct vec3 z = radiance_along(&tables, 0.01, 0.04, 0.999);
    assert_true(fabsf(up.x - (128 + 2 * SIDE)) < 4 && fabsf(up.y - (128 + 2 * SIDE)) < 4);
    assert_true(x.x == 128 + 4 * (SIDE - 1) && fabsf(x.y - (128 + 2 * SIDE)) < 4);
    assert_true(z.y == 128 + 4 * (SIDE - 1) && fabsf(z.x - (128 + 2 * SIDE)) < 4);
    environment_finish(&tables);
}

static bool is_beside_one(double u, double v)
{
    return (int)(u * SIDE) != 17 || (int)(v * SIDE) != 9;
}

TEST(a_picture_of_equal_areas_keeps_its_light)
{
    struct environment_tables tables;
    write_picture(SIDE, SIDE, is_beside_one);
    build_well(&tables, "file: sky.hdr, mapping: equal_area");
    double sum = 0;
    for (uint32_t row = 0; row < tables.map.height; ++row)
        for (uint32_t column = 0; column < tables.map.width; ++column)
            sum += (double)tables.map.texels[row * tables.map.width + column].z * 2 * M_PI / tables.map.width *
                   (cos(M_PI * row / tables.map.height) - cos(M_PI * (row + 1) / tables.map.height));
    assert_float_equal(sum, 200 * 4 * M_PI / (SIDE * SIDE), 0.005 * sum);
    environment_finish(&tables);
}

TEST(a_picture_in_latitude_and_longitude_can_be_mirrored)
{
    struct environment_tables tables;
    write_picture(8, 4, NULL);
    build_well(&tables, "file: sky.hdr, mapping: latitude_longitude, mirrored: true");
    for (int column = 0; column < 8; ++column) {
        const double azimuth = -2 * M_PI * (column + 0.5) / 8;
        assert_float_equal(radiance_along(&tables, cos(azimuth), 0, sin(azimuth)).x, 128 + 4 * column, 0);
    }
    environment_finish(&tables);
}

// The quadrant x > 0, z > 0 of a picture of equal areas.
static bool is_outside_quadrant(double u, double v)
{
    return u < 0.5 || v < 0.5;
}

TEST(an_illuminance_scales_the_source)
{
    struct environment_tables tables;
    build_well(&tables, "constant: [1, 1, 1], illuminance: 5, intensity: 2");
    assert_float_equal(tables.map.texels[0].x, 10 / M_PI, 1e-6); // a white sky gives pi times its radiance
    environment_finish(&tables);
    // A quadrant of the sky gives pi / 4 times its radiance. Its luminance is a mean, so that one of one value is used.
    write_picture(1, 1, NULL);
    build_well(&tables, "file: sky.hdr, mapping: equal_area, illuminance: 3");
    const double luminance = 0.2126 * 128 + 0.7152 * 128 + 0.0722 * 200;
    assert_float_equal(tables.map.texels[7].z, 200 / luminance * 3 / M_PI, 1e-4);
    environment_finish(&tables);
    write_picture(2, 2, is_outside_quadrant);
    build_well(&tables, "file: sky.hdr, mapping: equal_area, illuminance: 3");
    assert_float_equal(radiance_along(&tables, 0.5, 0.7, 0.5).x, 132 * 12 / M_PI / (luminance + 4 * 0.9278), 1e-3);
    environment_finish(&tables);
}

TEST(what_cannot_be_is_refused)
{
    write_picture(8, 4, NULL);
    refuse("file: sky.hdr, mapping: equal_area", "is square, of at most 8192 texels a side; this has 8 x 4");
    refuse("file: sky.hdr, mapping: equal", "there are: latitude_longitude, equal_area");
    refuse("constant: 1, mapping: equal_area", "there is none");
    refuse("constant: 1, illuminance: 0", "illuminance");
    refuse("sky: {zenith: 0, horizon: 0, sun: 0}, illuminance: 1", "black from above");
}

static int make_folder(void **state)
{
    folder = folder_new();
    return 0;
}

TEST_GROUP(make_folder, NULL)
