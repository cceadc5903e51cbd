// SPDX-License-Identifier: MIT
// The volume estimator against formulas and against a second implementation: free paths drawn by inversion, in double
// precision, with random numbers of its own.
#include <math.h>

#include "check.h"
#include "base/random.h"
#include "folder_support.h"
#include "measure_support.h"
#include "scene_support.h"
#include "volume/extend.h"

enum { WIDTH = 100, HEIGHT = 100, CAP = 100000 };

static void follow(const struct frame_args *frame, struct path *path)
{
    while (extend(frame, path, 1))
        ;
}

// ---- transmittance

struct line {
    double origin[3], direction[3];
};

static struct line line_of(const struct ray *ray)
{
    const struct vec3 o = ray->origin, d = ray->direction;
    return (struct line){{(double)o.x, (double)o.y, (double)o.z}, {(double)d.x, (double)d.y, (double)d.z}};
}

// Where a line enters and leaves a box; false where it passes by.
static bool cross_box(const struct line *line, const double low[3], const double high[3], double *enter, double *leave)
{
    *enter = 0;
    *leave = INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double a = (low[i] - line->origin[i]) / line->direction[i];
        const double b = (high[i] - line->origin[i]) / line->direction[i];
        *enter = fmax(*enter, fmin(a, b));
        *leave = fmin(*leave, fmax(a, b));
    }
    return *enter < *leave;
}

// Through layers across z, each of a density of its own, that absorb all they catch.
static void check_transmittance(const struct frame_args *frame, const double *layers, int count, uint32_t paths)
{
    const struct volume_view *volume = &frame->scene.volume;
    const double low[3] = {(double)volume->low.x, (double)volume->low.y, (double)volume->low.z};
    const double high[3] = {(double)volume->high.x, (double)volume->high.y, (double)volume->high.z};
    double expected = 0, variance = 0;
    uint64_t through = 0;
    for (uint32_t id = 0; id < paths; ++id) {
        struct path path = path_begin_numbered(frame, id);
        const struct line line = line_of(&path.ray);
        double enter, leave, depth = 0;
        for (int layer = 0; layer < count; ++layer) {
            const double bottom[3] = {low[0], low[1], low[2] + (high[2] - low[2]) * layer / count};
            const double top[3] = {high[0], high[1], low[2] + (high[2] - low[2]) * (layer + 1) / count};
            if (cross_box(&line, bottom, top, &enter, &leave))
                depth += layers[layer] * (leave - enter);
        }
        follow(frame, &path);
        through += path.weight.x == 1.0f;
        expected += exp(-depth);
        variance += exp(-depth) * (1 - exp(-depth));
    }
    print_message("transmittance: %.5f, expected %.5f +- %.5f\n", (double)through / paths, expected / paths,
                  sqrt(variance) / paths);
    assert_true(variance > 0 && fabs((double)through - expected) < 4 * sqrt(variance));
}

TEST(slab_lets_through_the_exponential)
{
    struct scene *scene =
        scene_well(folder_file("volume.yaml", "volume: {size: [16, 16, 5], density: 6, albedo: 0}\n"
                                              "cameras: {main: {eye: [0.1, 0.2, 2], at: [0, 0, 0], fov: 20}}\n"
                                              "environment: {constant: 1}\n"));
    const struct frame_args frame = frame_over(scene, WIDTH, HEIGHT, CAP - 1);
    check_transmittance(&frame, (double[]){6}, 1, 1000000);
    scene_close(scene);
}

// Of other densities than the largest, which built-in scenes do not have: most collisions are none.
TEST(layers_let_through_their_product)
{
    struct scene *scene =
        scene_well(folder_file("volume.yaml", "volume: {size: [8, 8, 4], density: 10, albedo: 0}\n"
                                              "cameras: {main: {eye: [0.3, 0.2, 2], at: [0, 0, 0], fov: 25}}\n"
                                              "environment: {constant: 1}\n"));
    struct frame_args frame = frame_over(scene, WIDTH, HEIGHT, CAP - 1);
    static const uint8_t layers[4] = {51, 0, 255, 102};
    uint32_t density[8 * 8 * 4 / 4];
    for (int i = 0; i < 8 * 8 * 4 / 4; ++i)
        density[i] = 0x01010101u * layers[i / 16];
    frame.scene.volume.density = density;
    check_transmittance(&frame, (double[]){2, 0, 10, 4}, 4, 1000000);
    scene_close(scene);
}

// ---- path lengths

static uint64_t own_state;

static struct line own_camera_ray(const struct frame_args *frame, uint32_t pixel)
{
    const struct camera *c = &frame->camera;
    const uint32_t row = pixel / WIDTH;
    const double x = 2 * (pixel % WIDTH + random_fraction(&own_state)) / WIDTH - 1,
                 y = 1 - 2 * (row + random_fraction(&own_state)) / HEIGHT;
    struct line line = {.origin = {(double)c->position.x, (double)c->position.y, (double)c->position.z}};
    line.direction[0] = (double)c->forward.x + x * (double)c->right.x + y * (double)c->up.x;
    line.direction[1] = (double)c->forward.y + x * (double)c->right.y + y * (double)c->up.y;
    line.direction[2] = (double)c->forward.z + x * (double)c->right.z + y * (double)c->up.z;
    double length = 0;
    for (int i = 0; i < 3; ++i)
        length += line.direction[i] * line.direction[i];
    for (int i = 0; i < 3; ++i)
        line.direction[i] /= sqrt(length);
    return line;
}

static void advance(struct line *line, double distance)
{
    for (int i = 0; i < 3; ++i)
        line->origin[i] += distance * line->direction[i];
}

// Collisions of a path through a cube of edge 1 about the origin.
static uint32_t own_collisions(struct line line, double density)
{
    const double low[3] = {-0.5, -0.5, -0.5}, high[3] = {0.5, 0.5, 0.5};
    double enter, leave;
    uint32_t collisions = 0;
    if (!cross_box(&line, low, high, &enter, &leave))
        return 0;
    advance(&line, enter);
    for (;; ++collisions) {
        const double distance = -log(1 - random_fraction(&own_state)) / density;
        cross_box(&line, low, high, &enter, &leave);
        if (distance >= leave)
            return collisions;
        advance(&line, distance);
        const double z = 2 * random_fraction(&own_state) - 1, turn = 2 * M_PI * random_fraction(&own_state);
        line.direction[0] = sqrt(1 - z * z) * cos(turn);
        line.direction[1] = sqrt(1 - z * z) * sin(turn);
        line.direction[2] = z;
    }
}

enum { PATHS = 1000000, LENGTHS = 96 };

static int length_bin(uint32_t collisions)
{
    return collisions < 32 ? (int)collisions : 32 + (int)fmin(8 * log2(collisions / 32.0), LENGTHS - 33);
}

static void own_lengths(const struct frame_args *frame, double density, double bins[LENGTHS])
{
    memset(bins, 0, LENGTHS * sizeof *bins);
    own_state = 88172645463325252ull;
    for (uint32_t id = 0; id < PATHS; ++id)
        bins[length_bin(own_collisions(own_camera_ray(frame, id % frame->pixel_count), density))] += 1;
}

// How far two histograms of as many paths are apart: chi-square as a standard normal number (Wilson and Hilferty), over
// bins joined until each expects 20 paths.
static double distance_of(const double a[LENGTHS], const double b[LENGTHS])
{
    double chi = 0, low = 0, high = 0;
    int degrees = -1;
    for (int i = 0; i < LENGTHS; ++i) {
        low += a[i];
        high += b[i];
        if (low + high < 40)
            continue;
        chi += (low - high) * (low - high) / (low + high);
        ++degrees;
        low = high = 0;
    }
    const double part = 2.0 / (9.0 * degrees);
    return (cbrt(chi / degrees) - (1 - part)) / sqrt(part);
}

// A path that enters takes an extension to enter, one a collision, one to leave and one to see the light.
TEST(path_lengths_are_those_of_a_second_implementation)
{
    struct scene *scene =
        scene_well(folder_file("volume.yaml", "volume: {size: 20, density: 10}\n"
                                              "cameras: {main: {eye: [0.7, 0.4, 1.5], at: [0, 0, 0], fov: 40}}\n"
                                              "environment: {constant: 1}\n"));
    const struct frame_args frame = frame_over(scene, WIDTH, HEIGHT, CAP - 1);
    static double ours[LENGTHS], same[LENGTHS], denser[LENGTHS];
    for (uint32_t id = 0; id < PATHS; ++id) {
        struct path path = path_begin_numbered(&frame, id);
        follow(&frame, &path);
        assert_true(path.bounce == 1 || path.bounce >= 3);
        ours[length_bin(path.bounce == 1 ? 0 : path.bounce - 3)] += 1;
    }
    own_lengths(&frame, 10, same);
    own_lengths(&frame, 10.2, denser);
    print_message("path lengths: %.2f standard deviations apart, at a density 2 %% off %.2f\n", distance_of(ours, same),
                  distance_of(ours, denser));
    assert_true(distance_of(ours, same) < 3.09); // p > 0.001
    assert_true(distance_of(ours, denser) > 3.09);
    scene_close(scene);
}

// ---- as trials

// Lit from everywhere alike, a medium that absorbs nothing is not seen at all: from outside, a face, a corner, or within.
TEST(furnace_is_its_radiance_bit_for_bit)
{
    static const char *const eyes[] = {"[0.7, 0.4, 1.5]", "[0, 0, 0.5]", "[0.5, 0.5, 0.5]", "[0.1, 0.2, 0.1]"};
    for (size_t k = 0; k < sizeof eyes / sizeof *eyes; ++k) {
        const char *path = folder_file("furnace.yaml",
                                       "volume: {size: 10, density: 20}\n"
                                       "cameras: {main: {eye: %s, at: [0, 0, 0], fov: 40}}\n"
                                       "environment: {constant: [0.3, 1, 7]}\n",
                                       eyes[k]);
        struct measurement measurement = measure(path, "regenerate_thread", "spp=3");
        const float radiance[3] = {0.3f, 1, 7};
        for (size_t i = 0; i < 3 * 24 * 16; ++i)
            assert_true(measurement.film[i] == 3 * (int64_t)((double)radiance[i % 3] * 0x1p32));
        struct bounce_counts counts = measure_sum(&measurement);
        assert_int_equal(counts.deaths[DEATH_MISS], 3 * 24 * 16);
        assert_int_equal(counts.deaths[DEATH_DEPTH] + counts.deaths[DEATH_ABSORB], 0);
        assert_true(counts.lookups > 3 * 24 * 16 && measurement.cut_paths == 0);
        measurement_finish(&measurement);
        measurement = measure(path, "volume_naive", "spp=3 path_cap=4"); // one collision at most
        counts = measure_sum(&measurement);
        assert_true(counts.deaths[DEATH_DEPTH] > 0 && counts.deaths[DEATH_DEPTH] == measurement.cut_paths);
        measurement_finish(&measurement);
    }
}

// Whatever lane a path runs on, and beside whatever others.
TEST(regeneration_changes_no_path)
{
    static const char *const settings[] = {
        "",
        "tickets=atomic",
        "block=96 multiprocessors=1 resident_blocks=1",
        "block=20 multiprocessors=2 resident_blocks=1 tickets=atomic",
        "warp_width=8 multiprocessors=1",
        "warp_width=64 multiprocessors=1 resident_blocks=2 tickets=atomic",
        "threads=1 multiprocessors=1 resident_blocks=1",
        "threads=16 multiprocessors=1 resident_blocks=1",
        "lane_order=seeded multiprocessors=1 resident_blocks=1 tickets=atomic",
    };
    struct measurement reference = measure("fog", "volume_naive", "spp=2");
    const struct bounce_counts expected = measure_sum(&reference);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
        char text[200];
        snprintf(text, sizeof text, "spp=2 %s", settings[i]);
        struct measurement measurement = measure("fog", "regenerate_thread", text);
        const struct bounce_counts counts = measure_sum(&measurement);
        assert_true(hash_equal(measurement.image, reference.image) && measurement.path_hash == reference.path_hash);
        assert_int_equal(counts.active_paths, expected.active_paths);
        assert_int_equal(counts.lookups, expected.lookups);
        assert_int_equal(counts.begun, 2 * 24 * 16);
        assert_true((counts.atomics > 0) == (strstr(settings[i], "tickets=atomic") != NULL));
        assert_int_equal(counts.live_lanes * 2, counts.active_paths); // counted by bounce and in the totals
        measurement_finish(&measurement);
    }
    measurement_finish(&reference);
}

static bool same_schedule(struct bounce_counts a, struct bounce_counts b)
{
    return a.live_warps == b.live_warps && a.mixed_warps == b.mixed_warps && a.active_warps == b.active_warps;
}

// The machine that is modelled decides how full the warps are, not the one that models it.
TEST(utilisation_does_not_depend_on_the_host)
{
    struct bounce_counts counts[4];
    static const char *const settings[4] = {"threads=1 multiprocessors=2 resident_blocks=1",
                                            "threads=16 multiprocessors=2 resident_blocks=1",
                                            "threads=2 lane_order=reversed multiprocessors=2 resident_blocks=1",
                                            "threads=1 multiprocessors=1 resident_blocks=1"};
    for (int i = 0; i < 4; ++i) {
        struct measurement measurement = measure("fog", "regenerate_thread", settings[i]);
        counts[i] = measure_sum(&measurement);
        measurement_finish(&measurement);
    }
    assert_true(counts[0].mixed_warps > 0);
    assert_true(same_schedule(counts[0], counts[1]) && same_schedule(counts[0], counts[2]));
    assert_false(same_schedule(counts[0], counts[3]));
}

// Of the naive kernel the paths of a warp begin together, so their lengths tell what it does in each extension.
TEST(warps_part_where_lengths_differ)
{
    enum { LANES = 32 };
    struct measurement measurement = measure("fog", "volume_naive", "spp=1");
    const struct bounce_counts counts = measure_sum(&measurement);
    const uint32_t pixels = measurement.film_width * measurement.film_height;
    uint64_t extensions = 0, partial = 0, parted = 0;
    assert_int_equal(pixels % LANES, 0);
    for (const uint32_t *first = measurement.path_length; first < measurement.path_length + pixels; first += LANES)
        for (uint32_t done = 0, alive = LANES, ended; alive > 0; ++done, alive -= ended) {
            ended = 0;
            for (int lane = 0; lane < LANES; ++lane)
                ended += first[lane] == done + 1;
            extensions += alive;
            partial += alive < LANES;
            parted += ended > 0 && ended < alive;
        }
    assert_int_equal(counts.active_paths, 2 * extensions); // counted by bounce and in the totals
    assert_true(parted > 0 && partial > 0);
    assert_int_equal(counts.partial_warps, partial);
    assert_int_equal(counts.parted_warps, parted);
    measurement_finish(&measurement);
}

// ---- what may be in a file

TEST(mistakes_in_a_volume_are_errors)
{
    static const char *const texts[] = {
        "volume: {size: [1, 2.5, 3]}",
        "volume: {size: 0}",
        "volume: {density: 0}",
        "volume: {albedo: 1.5}",
        "volume: {size: 1024}",
        "volume: {size: 4, layer: {from: 2, voxels: 3}}",
        "volume: {}\nobjects: [{shape: box}]",
        "volume: {size: 4, layer: {voxels: 0}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        const char *path =
            folder_file("volume.yaml", "%s\ncameras: {main: {eye: [0, 0, 2], at: [0, 0, 0]}}\n", texts[i]);
        assert_null(scene_open(&(struct scene_request){.name = path}, &why));
    }
}

TEST_GROUP(measure_open, measure_close)
