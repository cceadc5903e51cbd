// SPDX-License-Identifier: MIT
// An image of a volume in tiles: a launch and a copy for each, and a film of a tile's pixels.
#include "check.h"
#include "measure_support.h"

enum { PIXELS = MEASURE_WIDTH * MEASURE_HEIGHT };

TEST(tiles_are_launches_with_a_copy_each)
{
    struct measurement measurement = measure("fog", "volume_naive", "spp=2 tiles=4 tile_download=wait");
    assert_int_equal(measure_launches(&measurement, "volume_naive"), 16);
    assert_int_equal(measurement.repetitions[0].readbacks, 16);
    measurement_finish(&measurement);
    measurement = measure("fog", "volume_naive", "spp=2 tiles=64 tile_download=overlap"); // most tiles have no pixel
    assert_int_equal(measure_launches(&measurement, "volume_naive"), PIXELS);
    assert_int_equal(measurement.repetitions[0].readbacks, 0);
    measurement_finish(&measurement);
    assert_false(measure_try("fog", "stream_block", "tile_streams=2", &measurement, &why)); // ordered tickets
    measurement_finish(&measurement);
}

// Of the image, or of as many pixels as the largest tile has, for each stream: 24 bytes a pixel.
TEST(film_of_a_tile_is_as_large_as_its_pixels)
{
    static const struct {
        const char *settings;
        uint64_t pixels;
    } films[] = {{"tiles=3", 20 * 13},
                 {"tiles=1 tile_film=tile", 20 * 13},
                 {"tiles=3 tile_film=tile", 7 * 5},
                 {"tiles=4 tile_streams=2 tile_film=tile", 2 * 5 * 4}};
    for (size_t i = 0; i < sizeof films / sizeof *films; ++i) {
        char settings[100];
        snprintf(settings, sizeof settings, "width=20 height=13 %s", films[i].settings);
        struct measurement measurement = measure("fog", "volume_naive", settings);
        assert_int_equal(measure_sum(&measurement).film_bytes, 24 * films[i].pixels);
        measurement_finish(&measurement);
    }
    struct measurement measurement;
    assert_false(measure_try("fog", "volume_naive", "tile_film=tile tile_download=overlap", &measurement, &why));
    measurement_finish(&measurement);
}

TEST_GROUP(measure_open, measure_close)
