// SPDX-License-Identifier: MIT
// What docs/scenes.md says of the scenes that are built in for a property: paths walked one by one on the host.
#include "surface/extend.h"

#include <math.h>

#include "check.h"
#include "scene_support.h"
#include "trial/execute_settings.h"

enum { KINDS = MATERIAL_CARPAINT + 1, BOUNCES = 8 };

struct tally {
    uint64_t paths[BOUNCES + 2]; // that begin segment b
    uint64_t hits[KINDS];        // of all segments, by material
    uint64_t missed;             // by camera rays
    double variation;            // of the segments that a pixel needs for its samples: standard deviation over mean
};

static uint32_t walk_path(const struct frame_args *frame, uint32_t pixel, uint32_t sample, struct tally *tally)
{
    uint32_t segments = 0;
    struct path path = path_begin(frame, pixel, sample);
    for (bool alive = true; alive; ++segments) {
        uint32_t material = 0;
        ++tally->paths[path.bounce];
        const struct hit hit = trace_path(frame, &path, 1, &material);
        tally->missed += hit.slot == HIT_NONE && path.bounce == 0;
        if (hit.slot != HIT_NONE)
            ++tally->hits[frame->scene.materials[material].kind];
        alive = shade(frame, &path, &hit, material, 1);
    }
    return segments;
}

static void walk_frame(const struct frame_args *frame, uint32_t samples, struct tally *tally)
{
    const uint32_t pixels = frame->width * frame->height;
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < pixels; ++i) {
        uint32_t segments = 0;
        for (uint32_t sample = 0; sample < samples; ++sample)
            segments += walk_path(frame, i % frame->width | i / frame->width << 16, sample, tally);
        sum += segments;
        squares += (double)segments * segments;
    }
    const double mean = sum / pixels;
    tally->variation = sqrt(squares / pixels - mean * mean) / mean;
}

static struct tally walk_scene(const char *name, const char *const settings[][2], uint32_t width, uint32_t height,
                               uint32_t samples)
{
    struct tally tally = {0};
    struct parameters parameters = parameters_default();
    for (size_t i = 0; settings[i][0]; ++i)
        assert_true(parameter_set(&parameters, parameter_find(settings[i][0]), settings[i][1], &why));
    struct scene *scene = scene_well(name);
    struct frame_args frame = frame_over(scene, width, height, (uint32_t)parameters.max_bounces);
    struct device_constant constants[EXECUTE_CONSTANTS];
    execute_constants(&parameters, constants, &frame.config);
    walk_frame(&frame, samples, &tally);
    scene_close(scene);
    return tally;
}

static double share_of_hits(const struct tally *tally, uint32_t kind)
{
    uint64_t all = 0;
    for (int i = 0; i < KINDS; ++i)
        all += tally->hits[i];
    return (double)tally->hits[kind] / (double)all;
}

// The rules of the CMU report.
static const char *const report[][2] = {
    {"materials", "scene"}, {"lighting", "mix"}, {"roulette", "yocto"}, {"max_bounces", "7"}, {NULL, NULL}};
static const char *const wald[][2] = {{"materials", "lambert07"}, {"max_bounces", "8"}, {NULL, NULL}};

TEST(most_hits_of_the_washroom_are_matte)
{
    const struct tally tally = walk_scene("washroom", report, 96, 54, 1);
    const double matte = share_of_hits(&tally, MATERIAL_LAMBERT);
    print_message("washroom: %.1f %% of all hits are matte\n", 100 * matte);
    assert_true(matte > 0.6 && matte < 0.8);
}

TEST(most_camera_rays_miss_the_balloons)
{
    const struct tally tally = walk_scene("balloons", report, 96, 54, 1);
    const double missed = (double)tally.missed / (96 * 54);
    print_message("balloons: %.1f %% of the camera rays miss\n", 100 * missed);
    assert_true(missed > 0.6 && missed < 0.8);
}

TEST(pixels_of_gondola_and_chandelier_vary_by_half_of_their_mean)
{
    static const char *const names[] = {"gondola", "chandelier"};
    for (int i = 0; i < 2; ++i) {
        const struct tally tally = walk_scene(names[i], report, 96, 54, 32);
        const double missed = (double)tally.missed / (96 * 54 * 32);
        print_message("%s: coefficient of variation %.2f, %.1f %% of the camera rays miss\n", names[i], tally.variation,
                      100 * missed);
        assert_true(tally.variation > 0.52 && tally.variation < 1.2);
        assert_true(missed > 0.5 && missed < 0.9);
    }
}

// As Wald's scenes: all camera rays hit, about 0.54 of the paths are left after bounce 0, then 0.65 to 0.75 of them each
// time, and a sixteenth at the end.
TEST(courtyard_loses_paths_like_an_open_scene)
{
    enum { WIDTH = 160, HEIGHT = 96 };
    const struct tally tally = walk_scene("courtyard", wald, WIDTH, HEIGHT, 1);
    assert_int_equal(tally.paths[1], WIDTH * HEIGHT);
    for (int b = 2; b <= BOUNCES; ++b) {
        const double kept = (double)tally.paths[b] / (double)tally.paths[b - 1];
        print_message("courtyard: %.3f go on to bounce %d\n", kept, b);
        assert_true(b == 2 ? kept > 0.5 && kept < 0.6 : kept > 0.63 && kept < 0.75);
    }
    assert_true(16 * tally.paths[BOUNCES] < tally.paths[0]);
}
