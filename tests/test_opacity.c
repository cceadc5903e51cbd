// SPDX-License-Identifier: MIT
// Surfaces that rays pass: k layers let (1 - a)^k of the light through, a white ball with holes is a furnace still, light that
// is sampled is what paths hit, and every variant and tree renders the same.
#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "measure_support.h"

static const char pierced[] = "materials=scene roulette=none opacity=scene";

static void assert_mean(const char *scene, const char *settings, int spp, double wanted)
{
    double mean, error;
    measure_mean(scene, pierced, settings, spp, &mean, &error);
    print_message("%s: %.5f +- %.5f, analytic %.5f\n", settings, mean, error, wanted);
    assert_true(error > 0 && error < 0.02 && fabs(mean - wanted) < 4 * error);
}

// ---- transmittance

// k black quads, of which each stops 0.3 of the rays, between the camera and a sky of radiance 1.
TEST(layers_multiply)
{
    for (int k = 1; k <= 4; ++k) {
        char text[1024] = "materials:\n  veil: {diffuse: 0, opacity: 0.3}\nobjects:\n";
        for (int i = 0; i < k; ++i)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "  - {shape: quad, corner: [-9, -9, %d], edge1: [18, 0, 0], edge2: [0, 18, 0], material: veil}\n",
                     -i - 2);
        strcat(text, "cameras:\n  main: {eye: [0, 0, 0], at: [0.1, 0.2, -1]}\nenvironment: {constant: 1}\n");
        const char *path = folder_file("veils.yaml", "%s", text);
        static const char *const rules[] = {"", "sampler=padded", "lighting=hits", "lighting=mix"};
        for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r)
            assert_mean(path, rules[r], 16, pow(0.7, k));
        char few[32];
        snprintf(few, sizeof few, "max_bounces=%d", k - 1); // a path that passes has made an extension
        struct measurement measurement =
            measure(path, "naive", strcat(strcpy(text, "materials=scene opacity=scene "), few));
        for (size_t i = 0; i < 3 * (size_t)measurement.film_width * measurement.film_height; ++i)
            assert_true(measurement.film[i] == 0);
        measurement_finish(&measurement);
    }
}

// A floor of reflectance 1/2 within k black balls, each of which stops 0.4 of the rays, under a sky of radiance 1: half of
// what comes through, by shadow rays that pass as by paths that do. The camera is within the balls.
TEST(shadow_rays_pass)
{
    for (int k = 0; k <= 3; ++k) {
        char text[1024] = "materials:\n  veil: {diffuse: 0, opacity: 0.4}\n  floor: {diffuse: 0.5}\nobjects:\n"
                          "  - {shape: plane, material: floor}\n";
        for (int i = 0; i < k; ++i)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "  - {shape: sphere, radius: %d, segments: 16, material: veil}\n", i + 2);
        strcat(text, "cameras:\n  main: {eye: [0, 1, 0.1], at: [0, 0, 0], fov: 20}\nenvironment: {constant: 1}\n");
        const char *path = folder_file("balls.yaml", "%s", text);
        assert_mean(path, "lighting=direct", 64, 0.5 * pow(0.6, k));
        assert_mean(path, "lighting=direct traversal=voted", 64, 0.5 * pow(0.6, k));
        if (k > 0) {
            assert_mean(path, "lighting=hits", 16, 0.5 * pow(0.6, k));
            assert_mean(path, "lighting=mix", 16, 0.5 * pow(0.6, k));
        }
    }
}

// What shadow rays find with B bounces paths hit with B + 1: of a lamp behind three leaves. The camera sees the floor alone:
// light that camera rays meet is the same with both.
TEST(sampled_light_is_hit_light)
{
    const char *path = folder_file(
        "lamp.yaml", "materials:\n  leaf: {diffuse: 0.6, opacity: 0.5}\n  lamp: {diffuse: 0, emission: 8}\n"
                     "objects:\n  - {shape: plane, size: [4, 4]}\n"
                     "  - {shape: quad, corner: [-2, 2, -2], edge1: [4, 0, 0], edge2: [0, 0, 4], material: lamp}\n"
                     "  - {shape: plane, size: [2, 2], position: [0, 0.5, 0], rotation: [10, 0, 5], material: leaf}\n"
                     "  - {shape: plane, size: [2, 2], position: [0, 1, 0], rotation: [0, 0, 8], material: leaf}\n"
                     "  - {shape: plane, size: [2, 2], position: [0, 1.5, 0], rotation: [7, 0, 0], material: leaf}\n"
                     "cameras:\n  main: {eye: [0, 0.3, 0.3], at: [0, 0, 0]}\n");
    for (int bounces = 2; bounces <= 4; ++bounces) {
        char direct[64], hits[64];
        double light, light_error, hit, hit_error;
        snprintf(direct, sizeof direct, "max_bounces=%d", bounces);
        snprintf(hits, sizeof hits, "max_bounces=%d lighting=hits", bounces + 1);
        measure_mean(path, pierced, direct, 64, &light, &light_error);
        measure_mean(path, pierced, hits, 64, &hit, &hit_error);
        const double both = sqrt(light_error * light_error + hit_error * hit_error);
        print_message("B = %d: light sampling %.5f +- %.5f, hits %.5f +- %.5f\n", bounces, light, light_error, hit,
                      hit_error);
        assert_true(both < 0.03 * light && fabs(light - hit) < 4 * both);
    }
}

// A white ball with holes in a white sky cannot be seen, within or without, whatever the kind of its surface.
TEST(a_white_ball_with_holes_is_a_furnace)
{
    static const char *const kinds[] = {"diffuse: 1", "kind: chrome, specular: 1", "kind: glass"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        const char *path =
            folder_file("ball.yaml",
                        "materials:\n  white: {%s, opacity: 0.5}\nobjects:\n  - {shape: sphere, material: white}\n"
                        "cameras:\n  main: {eye: [0, 0, 3], at: [0, 0, 0]}\nenvironment: {constant: 1}\n",
                        kinds[k]);
        struct measurement measurement =
            measure(path, "naive", "materials=scene roulette=none opacity=scene lighting=hits max_bounces=200 spp=4");
        for (size_t i = 0; i < 3 * (size_t)measurement.film_width * measurement.film_height; ++i)
            assert_true(fabs((double)measurement.film[i] * 0x1p-32 / 4 - 1) < 1e-6);
        measurement_finish(&measurement);
    }
}

// ---- schedules and trees

TEST(every_variant_and_tree_renders_it)
{
    static const char *const rules[] = {"opacity=scene max_bounces=5",
                                        "opacity=scene materials=scene lighting=mix roulette=yocto spp=2",
                                        "opacity=scene materials=tree sampler=padded roulette=thread"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r)
        for (size_t v = 0; variant_table[v]; ++v)
            if (variant_table[v]->estimator == &estimator_surface && strcmp(variant_table[v]->name, "naive") != 0)
                measure_alike("foliage", variant_table[v]->name, rules[r], rules[r]);
    static const char *const ways[] = {"tree=kd16",         "tree=wide",       "tree=wide_compressed",
                                       "tree=wide4",        "traversal=voted", "traversal=speculative",
                                       "far_first=yes",     "warp_width=8",    "lane_order=reversed",
                                       "tree=kd16 block=32"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; ++w) {
        char text[128];
        snprintf(text, sizeof text, "opacity=scene max_bounces=5 %s", ways[w]);
        measure_alike("foliage", w % 2 ? "naive" : "pool_refill", text, "opacity=scene max_bounces=5");
    }
}

// Only where it is asked for, and only of scenes that have it.
TEST(opacity_is_asked_for)
{
    assert_false(hash_equal(measure_image("foliage", ""), measure_image("foliage", "opacity=scene")));
    assert_true(
        hash_equal(measure_image("grove", "materials=scene"), measure_image("grove", "materials=scene opacity=scene")));
    assert_true(hash_equal(measure_image("glass_tree", "materials=tree"),
                           measure_image("glass_tree", "materials=tree opacity=scene")));
    assert_true(hash_equal(measure_image("glass_tree", ""), measure_image("glass_tree", "opacity=scene")));
}

TEST_GROUP(measure_open, measure_close)
