// SPDX-License-Identifier: MIT
// Images and counts against what is known without tracing: furnaces with an analytic radiance, scenes whose survival
// geometry dictates, and two estimators of one integral that must agree.
#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "measure_support.h"

#include "surface/path.h"

static struct trial_spec spec_of(const char *scene, const char *camera, const char *settings)
{
    struct trial_spec spec = {.variant = "naive", .device = "emulator", .parameters = parameters_default()};
    snprintf(spec.scene, sizeof spec.scene, "%s", scene);
    snprintf(spec.camera, sizeof spec.camera, "%s", camera);
    char text[256];
    snprintf(text, sizeof text, "width=96 height=64 %s", settings);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest));) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        if (!strcmp(word, "variant"))
            snprintf(spec.variant, sizeof spec.variant, "%s", equals + 1);
        else
            need(parameter_set(&spec.parameters, parameter_find(word), equals + 1, &why));
    }
    return spec;
}

static struct measurement measured(const struct trial_spec *spec, enum collection collection)
{
    const struct execute_request request = {
        .spec = spec, .collection = collection, .policy = policy_once(), .keep_film = true};
    struct measurement measurement = {0};
    need(execute(executor, &request, &measurement, &why));
    return measurement;
}

static double film_value(const struct measurement *measurement, size_t index, double spp)
{
    return (double)measurement->film[index] * 0x1p-32 / spp;
}

static double film_mean(const struct measurement *measurement, double spp)
{
    const size_t count = 3 * (size_t)measurement->film_width * measurement->film_height;
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += film_value(measurement, i, spp);
    return sum / (double)count;
}

// Mean over the image and its standard error, from independent seeds.
static void mean_over_seeds(const char *scene, const char *camera, const char *settings, int seeds, double *mean,
                            double *error)
{
    double sum = 0, squares = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        char text[256];
        snprintf(text, sizeof text, "%s seed=%d", settings, seed);
        const struct trial_spec spec = spec_of(scene, camera, text);
        struct measurement measurement = measured(&spec, COLLECTION_FRAME);
        const double value = film_mean(&measurement, (double)spec.parameters.spp);
        sum += value;
        squares += value * value;
        measurement_finish(&measurement);
    }
    *mean = sum / seeds;
    *error = sqrt(fmax(squares / seeds - *mean * *mean, 0) / (seeds - 1));
}

static void sum_counts(const struct measurement *measurement, uint64_t paths[COUNT_BINS + 1],
                       uint64_t deaths[DEATH_CAUSES], int64_t max_bounces)
{
    memset(paths, 0, (COUNT_BINS + 1) * sizeof *paths);
    memset(deaths, 0, DEATH_CAUSES * sizeof *deaths);
    for (size_t i = 0; i < measurement->count_count; ++i) {
        const struct measured_counts *row = &measurement->counts[i];
        if ((int64_t)row->bounce > max_bounces)
            continue;
        paths[row->bounce] += row->counts.active_paths;
        for (int cause = 0; cause < DEATH_CAUSES; ++cause)
            deaths[cause] += row->counts.deaths[cause];
    }
}

// Every pixel of a closed emitter of radiance 1 and albedo 1/2: the sum of 2^-b over the bounces seen.
TEST(test_closed_furnace)
{
    for (int bounces = 0; bounces <= 8; bounces += 4) {
        char settings[128];
        snprintf(settings, sizeof settings, "materials=scene roulette=none lighting=hits max_bounces=%d", bounces);
        const struct trial_spec spec = spec_of("furnace", "", settings);
        struct measurement measurement = measured(&spec, COLLECTION_FRAME);
        for (size_t i = 0; i < 3 * 96 * 64; ++i)
            assert_true(fabs(film_value(&measurement, i, 1) - (2.0 - ldexp(1.0, -bounces))) < 1e-9);
        measurement_finish(&measurement);

        double mean, error;
        snprintf(settings, sizeof settings, "materials=scene roulette=none width=48 height=32 max_bounces=%d spp=4",
                 bounces);
        mean_over_seeds("furnace", "", settings, 8, &mean, &error);
        const double want = 2.0 - ldexp(1.0, -(bounces + 1));
        print_message("closed furnace, B = %d: %.5f +- %.5f, analytic %.5f\n", bounces, mean, error, want);
        assert_true(error > 0 && error < 0.02 && fabs(mean - want) < 4 * error);
    }
}

// A closed sphere of radiance 1 and albedo 1/2, as an object or as an instance.
static void write_furnace(const char *path, double radius, const double centre[3], bool instanced)
{
    char text[512];
    snprintf(text, sizeof text,
             "materials:\n  w: {kind: lambert, diffuse: 0.5, emission: 1}\n%s"
             "  %s- {shape: sphere, radius: %.17g, segments: 64, inward: true, material: w%s"
             "position: [%.17g, %.17g, %.17g]}\ncameras:\n  main: {eye: [%.17g, %.17g, %.17g], "
             "direction: [0.3, 0.2, 1], fov: 60}\n",
             instanced ? "parts:\n  ball:\n" : "objects:\n", instanced ? "  " : "", radius,
             instanced ? "}\ninstances:\n  - {of: ball, " : ", ", centre[0], centre[1], centre[2], centre[0], centre[1],
             centre[2]);
    folder_write_text(NULL, path, text);
}

// Whatever its size, and up to 10,000 radii from the origin: no path leaves it, in any tree, and light that is sampled is
// neither lost nor blocked by what it comes from. Far from the origin there is too much of it, since points are rounded off the
// facet that they are on, which then seems to light itself: 0.07 to 0.13 of 1.75 at 10,000 radii, a tenth of that at 1,000.
TEST(test_furnace_anywhere)
{
    static const struct {
        double radius, far[3]; // in radii
    } places[] = {{1, {0, 0, 0}}, {0.01, {5800, -5700, 5800}}, {1, {10000, 0, 0}}, {1000, {-3700, 7100, 2000}}};
    static const char *const trees[] = {"",
                                        "tree=wide",
                                        "tree=kd16",
                                        "tree=wide4",
                                        "splits=spatial",
                                        "tree=kd16 splits=spatial",
                                        "tree=wide4 splits=spatial traversal=voted",
                                        "instances=two_level",
                                        "instances=two_level tree=wide"};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        const double r = places[i].radius, *far = places[i].far, centre[3] = {r * far[0], r * far[1], r * far[2]};
        // Files of their own: an executor keeps a scene by its name.
        const char *const paths[] = {folder_file("furnace.yaml", "%s", ""), folder_file("instanced.yaml", "%s", "")};
        for (int instanced = 0; instanced < 2; ++instanced)
            write_furnace(paths[instanced], r, centre, instanced);
        for (size_t k = 0; k < sizeof trees / sizeof *trees; ++k) {
            char settings[192];
            snprintf(settings, sizeof settings, "materials=scene roulette=none lighting=hits max_bounces=4 spp=4 %s",
                     trees[k]);
            const struct trial_spec spec = spec_of(paths[strstr(trees[k], "two_level") != NULL], "", settings);
            struct measurement measurement = measured(&spec, COLLECTION_FRAME);
            const double mean = film_mean(&measurement, 4);
            if (!(fabs(mean / 1.9375 - 1) < 1e-6))
                fail_msg("radius %g at %g %g %g, %s: %.9f for 1.9375", r, centre[0], centre[1], centre[2], trees[k],
                         mean);
            measurement_finish(&measurement);
        }
        double mean, error;
        mean_over_seeds(paths[0], "", "materials=scene roulette=none width=48 height=32 max_bounces=1 spp=4", 8, &mean,
                        &error);
        const double distance = sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
        print_message("radius %g, %g radii from the origin: light sampled %.5f +- %.5f, analytic 1.75\n", r, distance,
                      mean, error);
        assert_true(error > 0 && error < 0.02 && mean - 1.75 > -4 * error &&
                    mean - 1.75 < 4 * error + 1.5e-5 * distance);
    }
}

TEST(test_open_furnace)
{
    const struct trial_spec hits = spec_of("furnace_sky", "close", "materials=scene lighting=hits max_bounces=3");
    struct measurement measurement = measured(&hits, COLLECTION_COUNTS);
    uint64_t paths[COUNT_BINS + 1], deaths[DEATH_CAUSES];
    sum_counts(&measurement, paths, deaths, 3);
    assert_int_equal(paths[0], 96 * 64);
    assert_int_equal(paths[1], 96 * 64);
    assert_int_equal(paths[2], 0); // a convex body sends nothing back to itself
    for (size_t i = 0; i < 3 * 96 * 64; ++i)
        assert_true(film_value(&measurement, i, 1) == 0.5);
    measurement_finish(&measurement);
    double mean, error;
    mean_over_seeds("furnace_sky", "close", "materials=scene max_bounces=3 spp=4", 8, &mean, &error);
    print_message("open furnace: %.5f +- %.5f, analytic 0.5\n", mean, error);
    assert_true(error > 0 && error < 0.01 && fabs(mean - 0.5) < 4 * error);
}

// Over a plane under the sky: a path reaches bounce 1 exactly where its camera ray meets the plane, and none reaches
// bounce 2.
TEST(test_plane)
{
    const char *const cameras[] = {"down", "level"};
    for (int c = 0; c < 2; ++c) {
        const struct trial_spec spec = spec_of("plane_sky", cameras[c], "");
        struct frame_args frame = {.width = 96, .height = 64, .seed = 1};
        assert_true(scene_camera(execute_scene(executor, &spec, &why), cameras[c], 96, 64, &frame.camera, &why));
        uint64_t expected = 0;
        for (uint32_t pixel = 0; pixel < 96 * 64; ++pixel) {
            const struct path path = path_begin(&frame, (pixel % 96) | (pixel / 96) << 16, frame.sample);
            const double t = -(double)path.ray.origin.y / (double)path.ray.direction.y;
            const double x = (double)path.ray.origin.x + t * (double)path.ray.direction.x;
            const double z = (double)path.ray.origin.z + t * (double)path.ray.direction.z;
            expected += t > 0 && fabs(x) <= 500 && fabs(z) <= 500;
        }
        struct measurement measurement = measured(&spec, COLLECTION_COUNTS);
        uint64_t paths[COUNT_BINS + 1], deaths[DEATH_CAUSES];
        sum_counts(&measurement, paths, deaths, 8);
        print_message("plane, camera %s: %llu of 6144 reach it\n", cameras[c], (unsigned long long)paths[1]);
        assert_int_equal(paths[0], 96 * 64);
        assert_int_equal(paths[1], expected);
        assert_int_equal(paths[2], 0);
        assert_int_equal(deaths[DEATH_MISS], 96 * 64);
        measurement_finish(&measurement);
    }
}

TEST(test_closed_box)
{
    const struct trial_spec spec = spec_of("closed_box", "", "max_bounces=32 roulette=none width=192 height=128");
    struct measurement measurement = measured(&spec, COLLECTION_COUNTS);
    uint64_t paths[COUNT_BINS + 1], deaths[DEATH_CAUSES];
    sum_counts(&measurement, paths, deaths, 32);
    for (int bounce = 0; bounce <= 32; ++bounce)
        assert_int_equal(paths[bounce], 192 * 128);
    assert_int_equal(deaths[DEATH_DEPTH], 192 * 128);
    measurement_finish(&measurement);
}

// Every path dies once, of one cause; the extensions of the paths add up to the active paths of the bounces.
TEST(test_bookkeeping)
{
    const char *const settings[] = {"materials=scene roulette=yocto max_bounces=12", "roulette=weight5 max_bounces=20",
                                    "materials=scene spp=3 seed=2 sampler=padded variant=tiled_shared"};
    for (int i = 0; i < 3; ++i) {
        const struct trial_spec spec = spec_of("materials", "", settings[i]);
        struct measurement measurement = measured(&spec, COLLECTION_COUNTS);
        uint64_t paths[COUNT_BINS + 1], deaths[DEATH_CAUSES], died = 0, extensions = 0, lengths = 0;
        sum_counts(&measurement, paths, deaths, spec.parameters.max_bounces);
        for (int cause = 0; cause < DEATH_CAUSES; ++cause)
            died += deaths[cause];
        for (int bounce = 0; bounce < COUNT_BINS; ++bounce)
            extensions += paths[bounce];
        for (int pixel = 0; pixel < 96 * 64; ++pixel)
            lengths += measurement.path_length[pixel];
        assert_int_equal(died, 96 * 64 * spec.parameters.spp);
        if (spec.parameters.spp == 1)
            assert_int_equal(lengths, extensions);
        if (i == 0)
            assert_true(deaths[DEATH_ROULETTE] > 0);
        measurement_finish(&measurement);
    }
}

// A lamp under a sky, and a floor and spheres of all materials but glass between them: paths choose between both
// lights.
static const char two_lights[] =
    "materials:\n"
    "  lamp: {kind: lambert, diffuse: 0.3, emission: [9, 8, 6]}\n"
    "  coat: {kind: carpaint}\n"
    "  gloss: {kind: blinn, exponent: 30}\n"
    "  mirror: {kind: chrome}\n"
    "objects:\n"
    "  - {shape: plane, size: [9, 9]}\n"
    "  - {shape: quad, corner: [-1, 2.5, -1], edge1: [2, 0, 0], edge2: [0, 0, 2], material: lamp}\n"
    "  - {shape: quad, corner: [-1.5, 3, -1], edge1: [2, 0, 0], edge2: [0, 0, 1], material: lamp}\n"
    "  - {shape: sphere, radius: 0.6, segments: 32, position: [-1.3, 0.6, 0], material: coat}\n"
    "  - {shape: sphere, radius: 0.6, segments: 32, position: [0, 0.6, 0], material: gloss}\n"
    "  - {shape: sphere, radius: 0.6, segments: 32, position: [1.3, 0.6, 0], material: mirror}\n"
    "cameras:\n"
    "  main: {eye: [0, 2, 4], at: [0, 0.5, 0], fov: 45}\n"
    "environment: {sky: {sun_elevation: 30}, intensity: 0.5}\n";

// Light sampling with B bounces estimates the same integral as chance hits and the mixture of both with B + 1: every
// light is reached by one more segment. (With many bounces the one more is too little to see.) So does a search of any
// table.
TEST(test_estimators_agree)
{
    const char *lamp_and_sky = folder_file("lights.yaml", "%s", two_lights);
    const struct {
        const char *scene, *common, *other;
        int direct, bounces, spp;
        double tightest; // relative error that the test must reach to mean something
    } rows[] = {{"cornell", "", "lighting=hits", 2, 3, 12, 0.03},
                {"open", "", "lighting=hits", 2, 3, 2, 0.025},
                {"materials", "materials=scene", "lighting=hits", 24, 24, 8, 0.02},
                {"cornell", "roulette=yocto", "lighting=hits", 12, 13, 12, 0.03},
                {"cornell", "", "lighting=mix", 2, 3, 12, 0.01},
                {"cornell", "roulette=yocto", "lighting=mix", 7, 8, 12, 0.01},
                {"open", "", "lighting=mix", 2, 3, 2, 0.02},
                {"materials", "materials=scene", "lighting=mix", 24, 24, 8, 0.01},
                {"closed_box", "", "lighting=mix", 3, 4, 12, 0.02},
                {lamp_and_sky, "materials=scene", "lighting=mix", 24, 24, 12, 0.01},
                {lamp_and_sky, "materials=scene", "lighting=mix light_search=cdf", 24, 24, 12, 0.01},
                {"open", "", "light_search=cdf", 2, 2, 4, 0.01},
                {"open", "sampler=padded", "light_search=cdf_large", 2, 2, 4, 0.01},
                {"materials", "materials=scene", "light_search=cdf", 4, 4, 8, 0.005}};
    struct {
        char settings[128];
        double mean, error;
    } known[sizeof rows / sizeof *rows]; // by light sampling, where a row before asks for the same
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char direct[128], other[128];
        size_t same = 0;
        snprintf(direct, sizeof direct, "%s max_bounces=%d spp=%d", rows[i].common, rows[i].direct, rows[i].spp);
        snprintf(other, sizeof other, "%s max_bounces=%d spp=%d %s", rows[i].common, rows[i].bounces, rows[i].spp,
                 rows[i].other);
        snprintf(known[i].settings, sizeof known[i].settings, "%s", direct);
        while (same < i && (strcmp(rows[same].scene, rows[i].scene) || strcmp(known[same].settings, direct)))
            ++same;
        if (same == i)
            mean_over_seeds(rows[i].scene, "", direct, 8, &known[i].mean, &known[i].error);
        else
            known[i] = known[same];
        const double a = known[i].mean, a_error = known[i].error;
        double b, b_error;
        mean_over_seeds(rows[i].scene, "", other, 8, &b, &b_error);
        const double both = sqrt(a_error * a_error + b_error * b_error);
        print_message("%s %s: light sampling %.5f +- %.5f, %s %.5f +- %.5f\n", rows[i].scene, rows[i].common, a,
                      a_error, rows[i].other, b, b_error);
        assert_true(both < rows[i].tightest * a);
        assert_true(fabs(a - b) < 4 * both);
    }
}

// The mixture in the closed furnace, which consists of thousands of lights: each direction meets one of them, whose density
// is summed over all. Two segments see what light sampling sees at the first.
TEST(test_mixture_of_many_lights)
{
    double mean, error;
    mean_over_seeds("furnace", "", "materials=scene roulette=none lighting=mix max_bounces=1 width=16 height=12", 8,
                    &mean, &error);
    print_message("mixture of many lights: %.5f +- %.5f, analytic 1.5\n", mean, error);
    assert_true(error > 0 && error < 0.015 && fabs(mean - 1.5) < 4 * error);
}

// Each path's radiance fits the film, but not what 1100 of them bring together: 1.1e9 is more than 2^30.
TEST(test_film_overflow)
{
    const char *scene =
        folder_file("bright.yaml",
                    "cameras:\n  main: {eye: [0, 0, 0], at: [0, 0, 1], fov: 40}\nenvironment: {constant: 1e6}\n"
                    "materials:\n  grey: {kind: lambert, diffuse: [0.5, 0.5, 0.5]}\n"
                    "objects:\n  - {shape: sphere, radius: 1, segments: 16, position: [0, 0, -9], material: grey}\n");
    for (int spp = 1000; spp <= 1100; spp += 100) {
        char settings[64];
        snprintf(settings, sizeof settings, "spp=%d max_bounces=0 width=4 height=4", spp);
        const struct trial_spec spec = spec_of(scene, "", settings);
        const struct execute_request request = {.spec = &spec, .collection = COLLECTION_FRAME, .policy = policy_once()};
        struct measurement measurement = {0};
        struct error error = {0};
        assert_int_equal(execute(executor, &request, &measurement, &error), spp == 1000);
        assert_true(spp == 1000 ||
                    (error.kind == ERROR_FAILED && strstr(error.message, "more radiance") && error.remedy[0]));
        measurement_finish(&measurement);
    }
}

// A cap on resident blocks limits the launch's grid, never below what there is to do, and changes nothing that is
// computed.
TEST(test_resident_blocks)
{
    const char *const variants[] = {"naive", "tiled_global", "tiled_shared"};
    for (int v = 0; v < 3; ++v) {
        struct hash image = {0};
        uint64_t paths = 0;
        const int64_t caps[] = {PARAMETER_AUTO, 1, 3, 64};
        const uint32_t shares = v ? 2 * 64 / 4 : 96; // blocks of 64 pixels, tiles of 64 x 4
        for (int i = 0; i < 4; ++i) {
            struct trial_spec spec = spec_of("open", "", "max_bounces=3 multiprocessors=2");
            snprintf(spec.variant, sizeof spec.variant, "%s", variants[v]);
            spec.parameters.resident_blocks = caps[i];
            struct measurement measurement = measured(&spec, COLLECTION_COUNTS);
            const uint32_t most = caps[i] == PARAMETER_AUTO ? UINT32_MAX : 2 * (uint32_t)caps[i];
            assert_int_equal(measurement.launch_count, 1);
            assert_int_equal(measurement.launches[0].grid, most < shares ? most : shares);
            assert_true(i == 0 || (hash_equal(measurement.image, image) && measurement.path_hash == paths));
            image = measurement.image;
            paths = measurement.path_hash;
            measurement_finish(&measurement);
        }
    }
}

TEST_GROUP(measure_open, measure_close)
