// SPDX-License-Identifier: MIT
// Scenes with trees of materials, whole: every variant renders what naive does, estimators of one integral agree, a white
// furnace has its analytic radiance, and what `materials: scene` cannot render it refuses.
#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "measure_support.h"

// A room whose materials are of all kinds, in trees. `flops`: what each leaf costs besides.
static const char *room_file(int flops)
{
    static const char *const leaves[] = {"plain: {kind: lambert, diffuse: [0.7, 0.6, 0.4]",
                                         "shiny: {kind: blinn, exponent: 30",
                                         "paint: {kind: carpaint",
                                         "clear: {kind: glass",
                                         "mirror: {kind: chrome",
                                         "coat: {kind: glossy, roughness: 0.4",
                                         "metal: {kind: reflective, roughness: 0.4",
                                         "pane: {kind: transparent, specular: [0.9, 0.8, 0.9]"};
    const char *path = folder_file("room.yaml", "%s", "");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("materials:\n", file);
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; ++i)
        fprintf(file, flops ? "  %s, flops: %d}\n" : "  %s}\n", leaves[i], flops);
    fputs("  worn: {kind: blend, of: [plain, coat], weight: 0.3}\n"
          "  wet: {kind: blend, of: [worn, mirror], weight: 0.2}\n"
          "  brushed: {kind: blend, of: [metal, shiny], weight: 0.4}\n"
          "  window: {kind: blend, of: [pane, clear], weight: 0.5}\n"
          "  dusty: {kind: blend, of: [window, plain], weight: 0.1}\n"
          "  deep: {kind: blend, of: [wet, brushed], weight: 0.5}\n"
          "  lamp: {kind: blend, of: [plain, shiny], emission: [6, 5, 4]}\n"
          "objects:\n"
          "  - {shape: room, size: [4, 3, 4], material: wet, ends: brushed, floor: deep, ceiling: plain}\n"
          "  - {shape: quad, corner: [-1, 2.9, -1], edge1: [2, 0, 0], edge2: [0, 0, 2], material: lamp}\n"
          "  - {shape: sphere, radius: 0.5, segments: 24, position: [-1, 0.6, 0], material: window}\n"
          "  - {shape: sphere, radius: 0.5, segments: 24, position: [0.2, 0.6, -0.5], material: dusty}\n"
          "  - {shape: box, size: 0.7, position: [1.2, 0, 0], rotation: 25, material: metal}\n"
          "  - {shape: box, size: 0.5, position: [0.3, 0, 1], material: coat}\n"
          "  - {shape: quad, corner: [-1, 0.3, 1], edge1: [0.8, 0, 0], edge2: [0, 0.8, 0], material: pane}\n"
          "  - {shape: sphere, radius: 0.3, segments: 24, position: [1, 1.5, -1], material: paint}\n"
          "cameras:\n"
          "  main: {eye: [0, 1.4, 1.9], at: [0, 1, -1], fov: 70}\n",
          file);
    assert_int_equal(fclose(file), 0);
    return path;
}

// ---- every variant

TEST(every_variant_renders_them)
{
    const char *room = room_file(0);
    static const char *const rules[] = {"materials=tree max_bounces=3",
                                        "materials=tree max_bounces=4 lighting=mix roulette=yocto spp=2"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r)
        for (size_t v = 0; variant_table[v]; ++v)
            if (variant_table[v]->estimator == &estimator_surface && strcmp(variant_table[v]->name, "naive") != 0)
                measure_alike(room, variant_table[v]->name, rules[r], rules[r]);
    static const char *const queues[] = {"tickets=atomic", "queues=matte", "queues=merged", "ray_sort=material",
                                         "extend_over=rays"};
    for (size_t q = 0; q < sizeof queues / sizeof *queues; ++q) {
        char text[128];
        snprintf(text, sizeof text, "materials=tree max_bounces=4 lighting=mix pool=100 %s", queues[q]);
        measure_alike(room, "three_stage", text, "materials=tree max_bounces=4 lighting=mix");
    }
}

// Of each kind that waits in a queue its own kernel is launched, and of no other set of materials.
TEST(each_kind_has_its_queue)
{
    static const char *const kernels[] = {"matte", "glossy", "coated", "microfacet", "metal", "mixed"};
    const char *room = room_file(0);
    static const char *const sets[] = {"materials=lambert07", "materials=tree"};
    for (int set = 0; set < 2; ++set) {
        char text[96];
        snprintf(text, sizeof text, "lighting=mix max_bounces=3 %s", sets[set]);
        struct measurement measurement = measure(room, "three_stage", text);
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
            char name[64];
            size_t launches = 0;
            snprintf(name, sizeof name, "three_stage_%s", kernels[k]);
            for (size_t i = 0; i < measurement.launch_count; ++i)
                launches += !strcmp(measurement.launches[i].kernel, name);
            const bool there = set ? strcmp(kernels[k], "glossy") != 0 : k == 0; // no blinn is a root of a tree
            if ((launches > 0) != there)
                fail_msg("%s, %s: %zu launches", sets[set], name, launches);
        }
        measurement_finish(&measurement);
    }
}

// ---- images

TEST(costs_and_larger_kernels_change_no_image)
{
    const char *cheap = room_file(0), *dear = room_file(50);
    assert_true(hash_equal(measure_image(cheap, "materials=tree"), measure_image(dear, "materials=tree")));
    static const char *const rules[] = {"lighting=direct", "lighting=mix"};
    for (int i = 0; i < 2; ++i) {
        char scene[64], tree[64];
        snprintf(scene, sizeof scene, "materials=scene %s", rules[i]);
        snprintf(tree, sizeof tree, "materials=tree %s", rules[i]);
        assert_true(hash_equal(measure_image("materials", scene), measure_image("materials", tree)));
    }
}

TEST(what_a_set_does_not_have_it_refuses)
{
    const char *const scenes[] = {
        room_file(0),
        folder_file("costly.yaml", "materials: {a: {flops: 5}}\nobjects:\n  - {shape: box, material: a}\n"
                                   "cameras:\n  main: {eye: [0, 1, 3], at: [0, 0, 0]}\nenvironment: {constant: 1}\n")};
    for (int i = 0; i < 2; ++i) {
        struct measurement measurement;
        refused(measure_try(scenes[i], "naive", "materials=scene", &measurement, &why), "", "materials: tree");
        assert_int_equal(why.kind, ERROR_UNSUPPORTED);
        measurement_finish(&measurement);
        assert_true(measure_try(scenes[i], "naive", "materials=lambert07", &measurement, &why));
        measurement_finish(&measurement);
    }
}

// ---- integrals

// Light sampling, chance hits and the mixture of both estimate one integral. (A path that sees a light by itself sees it
// one bounce later than light sampling does: with many bounces that is too little to see.)
TEST(estimators_agree)
{
    const char *room = room_file(0);
    double direct, direct_error;
    measure_mean(room, "materials=tree roulette=none", "max_bounces=24", 16, &direct, &direct_error);
    static const char *const others[] = {"max_bounces=24 lighting=hits", "max_bounces=24 lighting=mix"};
    for (int i = 0; i < 2; ++i) {
        double other, error;
        measure_mean(room, "materials=tree roulette=none", others[i], i ? 16 : 32, &other, &error);
        const double both = sqrt(direct_error * direct_error + error * error);
        print_message("light sampling %.5f +- %.5f, %s %.5f +- %.5f\n", direct, direct_error, others[i], other, error);
        assert_true(both < 0.03 * direct && fabs(direct - other) < 4 * both);
    }
}

// Within a sphere that emits 1 and reflects 1/2 by a blend of 0.3 and 0.8: the sum of 2^-b over the bounces seen.
TEST(a_blended_furnace_is_analytic)
{
    double mean, error;
    const char *path =
        folder_file("furnace.yaml", "materials:\n  dark: {diffuse: 0.3}\n  light: {diffuse: 0.8}\n"
                                    "  half: {kind: blend, of: [dark, light], weight: 0.4, emission: 1}\n"
                                    "objects:\n  - {shape: sphere, segments: 16, inward: true, material: half}\n"
                                    "cameras:\n  main: {eye: [0.1, 0, 0], at: [0, 0, 1]}\n");
    measure_mean(path, "materials=tree roulette=none", "lighting=hits max_bounces=4", 8, &mean, &error);
    print_message("blended furnace: %.5f +- %.5f, analytic %.5f\n", mean, error, 2 - ldexp(1, -4));
    assert_true(error > 0 && error < 0.01 && fabs(mean - (2 - ldexp(1, -4))) < 4 * error);
}

// ---- the scene of many materials

TEST(the_cabin_is_evenly_hit)
{
    struct measurement measurement =
        measure("cabin", "naive", "width=64 height=36 materials=tree max_bounces=7 lighting=mix roulette=yocto");
    uint64_t hits[COUNT_MATERIALS] = {0}, least = UINT64_MAX, most = 0, misses = 0;
    int materials = 0;
    for (size_t i = 0; i < measurement.count_count; ++i) {
        const struct bounce_counts *counts = &measurement.counts[i].counts;
        misses += counts->deaths[DEATH_MISS];
        for (int m = 0; m < COUNT_MATERIALS && measurement.counts[i].bounce != MEASURED_TOTALS; ++m)
            hits[m] += counts->hits[m];
    }
    for (int m = 0; m < COUNT_MATERIALS; ++m) {
        if (!hits[m])
            continue;
        print_message("material %d: %llu hits\n", m, (unsigned long long)hits[m]);
        least = hits[m] < least ? hits[m] : least;
        most = hits[m] > most ? hits[m] : most;
        ++materials;
    }
    assert_true(materials >= 5 && most <= 2 * least && misses == 0);
    measurement_finish(&measurement);
}

TEST_GROUP(measure_open, measure_close)
