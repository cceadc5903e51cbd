// SPDX-License-Identifier: MIT
// Heterogeneous volumes: look-ups against a plain implementation in double precision, transmittance against ray marching.
#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "measure_support.h"
#include "scene_support.h"
#include "volume/extend.h"

enum { SIZE_X = 19, SIZE_Y = 10, SIZE_Z = 26, VOXELS = SIZE_X * SIZE_Y * SIZE_Z, BRICKS = 3 * 2 * 4 };

static const char *folder;
static const char *const stores[] = {"8", "16", "float"};
static const char *const interpolations[] = {"nearest", "trilinear"};
static const char *const majorants[] = {"box", "bricks"};

// ---- a scene

static uint32_t noise_state = 1;

static double noise(void) // in [0, 1)
{
    noise_state = noise_state * 1664525u + 1013904223u;
    return (noise_state >> 8) * 0x1p-24;
}

// Blobs: smooth, with empty parts and rough ones.
static double blob(int x, int y, int z)
{
    const double a = hypot(hypot(x - 6.0, y - 4.0), z - 8.0), b = hypot(hypot(x - 13.0, y - 6.0), z - 19.0);
    return fmax(0, 1 - a / 6) + fmax(0, 1 - b / 5) * noise();
}

static void write_scene(const char *name, const char *store, const char *albedo, const char *more)
{
    char text[1000];
    snprintf(text, sizeof text,
             "volume: {file: blobs.raw, type: float32, size: [%d, %d, %d], spacing: [1, 2, 0.7], density: 30, "
             "store: %s, %s%s}\n"
             "cameras: {main: {eye: [0.7, 0.4, 1.5], at: [0, 0, 0], fov: 36}, inside: {eye: [0.1, 0, 0], at: [0, 0.1, "
             "0.2]}}\n"
             "environment: {constant: [0.3, 1, 7]}\n",
             SIZE_X, SIZE_Y, SIZE_Z, store, albedo, more);
    folder_write(folder, name, text, strlen(text));
}

static struct scene *open_scene(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return scene_well(path);
}

enum { WIDTH = 64, HEIGHT = 64 };

static struct frame_args frame_of(const struct scene *scene, int interpolation, int majorant)
{
    struct frame_args frame = frame_over(scene, WIDTH, HEIGHT, 99999);
    frame.config.interpolation = interpolation;
    frame.config.majorant = majorant;
    return frame;
}

// ---- a second implementation, in double precision

static double stored(const struct volume_view *volume, const int at[3])
{
    const size_t i = ((size_t)at[2] * volume->size[1] + (size_t)at[1]) * volume->size[0] + (size_t)at[0];
    return volume->density_bits == 8    ? ((const uint8_t *)volume->density)[i]
           : volume->density_bits == 16 ? ((const uint16_t *)volume->density)[i]
                                        : (double)((const float *)volume->density)[i];
}

static int clamped(int i, uint32_t count)
{
    return i < 0 ? 0 : i >= (int)count ? (int)count - 1 : i;
}

// Of a point in units of voxels from the box's corner; as a share of the largest.
static double own_density(const struct volume_view *volume, const double p[3], bool trilinear)
{
    double sum = 0;
    for (int corner = 0; corner < (trilinear ? 8 : 1); ++corner) {
        double weight = 1;
        int at[3];
        for (int i = 0; i < 3; ++i) {
            const double low = floor(p[i] - 0.5), along = p[i] - 0.5 - low;
            const int bit = corner >> i & 1;
            at[i] = clamped(trilinear ? (int)low + bit : (int)floor(p[i]), volume->size[i]);
            weight *= !trilinear ? 1 : bit ? along : 1 - along;
        }
        sum += weight * stored(volume, at);
    }
    return sum / (double)volume->density_top;
}

static void to_voxels(const struct volume_view *volume, const double p[3], double voxels[3])
{
    const double low[3] = {(double)volume->low.x, (double)volume->low.y, (double)volume->low.z};
    const double high[3] = {(double)volume->high.x, (double)volume->high.y, (double)volume->high.z};
    for (int i = 0; i < 3; ++i)
        voxels[i] = (p[i] - low[i]) / (high[i] - low[i]) * volume->size[i];
}

TEST(lookups_are_those_of_a_plain_implementation)
{
    for (int s = 0; s < 3; ++s)
        for (int t = 0; t < 2; ++t) {
            char name[40];
            snprintf(name, sizeof name, "black-%s.yaml", stores[s]);
            struct scene *scene = open_scene(name);
            const struct frame_args frame = frame_of(scene, t, 0);
            const struct volume_view *volume = &frame.scene.volume;
            double worst = 0;
            int apart = 0;
            for (int i = 0; i < 20000; ++i) {
                const struct vec3 p =
                    vec3_make((float)(2 * noise() - 1) * volume->high.x, (float)(2 * noise() - 1) * volume->high.y,
                              (float)(2 * noise() - 1) * volume->high.z);
                double voxels[3];
                to_voxels(volume, (double[]){(double)p.x, (double)p.y, (double)p.z}, voxels);
                const double ours = (double)(density_at(&frame, p) / volume->density_top);
                const double off = fabs(ours - own_density(volume, voxels, t));
                apart += off > 1e-5;
                worst = off <= 1e-5 ? fmax(worst, off) : worst;
            }
            print_message("%s, %s: at most %.1e apart, but for %d of 20000 points\n", stores[s], interpolations[t],
                          worst, apart);
            assert_true(apart <= (t ? 0 : 2)); // the nearest of two that are equally near
            scene_close(scene);
        }
}

// ---- transmittance

// Where a ray enters and leaves the box.
static bool span_of(const struct volume_view *volume, const double o[3], const double d[3], double *enter,
                    double *leave)
{
    const double low[3] = {(double)volume->low.x, (double)volume->low.y, (double)volume->low.z};
    *enter = 0;
    *leave = INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double a = (low[i] - o[i]) / d[i], b = (-low[i] - o[i]) / d[i];
        *enter = fmax(*enter, fmin(a, b));
        *leave = fmin(*leave, fmax(a, b));
    }
    return *enter < *leave;
}

enum { MARCH_STEPS = 200, MARCHED = 3 * WIDTH * HEIGHT };

static double own_transmittance(const struct volume_view *volume, const struct ray *ray, bool trilinear)
{
    const double o[3] = {(double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z};
    const double d[3] = {(double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z};
    double enter, leave, depth = 0;
    if (!span_of(volume, o, d, &enter, &leave))
        return 1;
    const double step = (leave - enter) / MARCH_STEPS;
    for (int i = 0; i < MARCH_STEPS; ++i) {
        double p[3], voxels[3];
        for (int k = 0; k < 3; ++k)
            p[k] = o[k] + (enter + (i + 0.5) * step) * d[k];
        to_voxels(volume, p, voxels);
        depth += step * (double)volume->majorant * own_density(volume, voxels, trilinear);
    }
    return exp(-depth);
}

static void check_transmittance(const struct frame_args *frame, bool trilinear, const char *what)
{
    double expected = 0, variance = 0;
    uint64_t through = 0;
    for (uint32_t id = 0; id < MARCHED; ++id) {
        struct path path = path_begin_numbered(frame, id);
        const double t = own_transmittance(&frame->scene.volume, &path.ray, trilinear);
        expected += t;
        variance += t * (1 - t);
        while (extend(frame, &path, 1))
            ;
        through += path.weight.x == 0.3f; // of the environment
    }
    print_message("%s: %.4f let through, expected %.4f +- %.4f\n", what, (double)through / MARCHED, expected / MARCHED,
                  sqrt(variance) / MARCHED);
    assert_true(variance > 0 && fabs((double)through - expected) < 4 * sqrt(variance));
}

// Every store, interpolation and majorant: 12 cases.
struct option {
    int store, interpolation, majorant;
};

static struct option option_of(int i)
{
    return (struct option){i % 3, i / 3 % 2, i / 6};
}

TEST(transmittance_is_that_of_ray_marching)
{
    for (int i = 0; i < 12; ++i) {
        const struct option o = option_of(i);
        char name[40], what[80];
        snprintf(name, sizeof name, "black-%s.yaml", stores[o.store]);
        snprintf(what, sizeof what, "%s, %s, %s", stores[o.store], interpolations[o.interpolation],
                 majorants[o.majorant]);
        struct scene *scene = open_scene(name);
        const struct frame_args frame = frame_of(scene, o.interpolation, o.majorant);
        check_transmittance(&frame, o.interpolation, what);
        scene_close(scene);
    }
}

// ---- majorants

struct estimate {
    double mean, variance; // variance: of the mean
};

static struct estimate radiance_of(const struct frame_args *frame, uint32_t paths)
{
    double sum = 0, squares = 0;
    for (uint32_t id = 0; id < paths; ++id) {
        struct path path = path_begin_numbered(frame, id);
        while (extend(frame, &path, 1))
            ;
        sum += (double)path.weight.y;
        squares += (double)path.weight.y * (double)path.weight.y;
    }
    const double mean = sum / paths;
    return (struct estimate){mean, (squares / paths - mean * mean) / paths};
}

// Scattering many times, seen from outside or from within, in bricks as in the whole box.
TEST(bricks_change_no_mean)
{
    struct scene *scene = open_scene("grey.yaml");
    for (int i = 0; i < 4; ++i) {
        struct frame_args box = frame_of(scene, i % 2, 0);
        if (i >= 2)
            assert_true(scene_camera(scene, "inside", WIDTH, HEIGHT, &box.camera, &why));
        struct frame_args bricks = box;
        bricks.config.majorant = MAJORANT_BRICKS;
        bricks.seed = 7;
        const struct estimate a = radiance_of(&box, 60000), b = radiance_of(&bricks, 60000);
        const double sigma = sqrt(a.variance + b.variance);
        print_message("%s, from %s: %.4f in the box, %.4f in bricks, +- %.4f\n", interpolations[i % 2],
                      i < 2 ? "outside" : "inside", a.mean, b.mean, sigma);
        assert_true(sigma < 0.01 * a.mean && fabs(a.mean - b.mean) < 4 * sigma);
    }
    scene_close(scene);
}

// What the tests above would see of majorants that are too small.
TEST(too_small_a_majorant_shows)
{
    struct scene *scene = open_scene("black-16.yaml");
    struct frame_args frame = frame_of(scene, 1, 1);
    const struct estimate right = radiance_of(&frame, 50000);
    float small[BRICKS];
    for (int i = 0; i < BRICKS; ++i)
        small[i] = frame.scene.volume.bricks[i] / 8;
    frame.scene.volume.bricks = small;
    const struct estimate wrong = radiance_of(&frame, 50000);
    assert_true(wrong.mean - right.mean > 8 * sqrt(right.variance + wrong.variance));
    scene_close(scene);
}

// Each holds the largest density in it and around it.
TEST(bricks_bound_their_voxels)
{
    struct scene *scene = open_scene("grey.yaml");
    const struct volume_view *volume = &scene_host_view(scene)->volume;
    double largest[BRICKS] = {0};
    for (int x = 0; x < SIZE_X; ++x)
        for (int y = 0; y < SIZE_Y; ++y)
            for (int z = 0; z < SIZE_Z; ++z)
                for (int near = 0; near < 27; ++near) {
                    const int i = x + near % 3 - 1, j = y + near / 3 % 3 - 1, k = z + near / 9 - 1;
                    if (i < 0 || j < 0 || k < 0 || i >= SIZE_X || j >= SIZE_Y || k >= SIZE_Z)
                        continue;
                    double *brick = &largest[(k / 8 * 2 + j / 8) * 3 + i / 8];
                    *brick = fmax(*brick, stored(volume, (int[]){x, y, z}));
                }
    for (int i = 0; i < BRICKS; ++i)
        assert_true((double)volume->bricks[i] == largest[i]);
    scene_close(scene);
}

// ---- as trials

// Lit from everywhere alike, what absorbs nothing is not seen, however dense where.
TEST(furnace_is_its_radiance_bit_for_bit)
{
    const float radiance[3] = {0.3f, 1, 7};
    for (int k = 0; k < 24; ++k) {
        const struct option o = option_of(k % 12);
        char path[256], settings[100];
        snprintf(path, sizeof path, "%s/%s-%s.yaml", folder, k < 12 ? "white" : "forward", stores[o.store]);
        snprintf(settings, sizeof settings, "spp=2 interpolation=%s majorant=%s", interpolations[o.interpolation],
                 majorants[o.majorant]);
        struct measurement measurement = measure(path, "volume_naive", settings);
        for (size_t i = 0; i < 3 * 24 * 16; ++i)
            assert_true(measurement.film[i] == 2 * (int64_t)((double)radiance[i % 3] * 0x1p32));
        const struct bounce_counts counts = measure_sum(&measurement);
        assert_int_equal(counts.deaths[DEATH_MISS], 2 * 24 * 16);
        assert_true(counts.active_paths > 4 * 24 * 16 && counts.lookups > counts.active_paths / 8);
        measurement_finish(&measurement);
    }
}

TEST(options_change_paths_and_schedules_do_not)
{
    static const char *const settings[] = {"", "interpolation=trilinear", "majorant=bricks",
                                           "interpolation=trilinear majorant=bricks"};
    uint64_t hashes[4], lookups[4];
    char path[256], queued_settings[200];
    snprintf(path, sizeof path, "%s/forward-16.yaml", folder);
    for (int i = 0; i < 4; ++i) {
        struct measurement naive = measure(path, "volume_naive", settings[i]);
        snprintf(queued_settings, sizeof queued_settings, "%s tickets=atomic multiprocessors=1", settings[i]);
        struct measurement queued = measure(path, "regenerate_thread", queued_settings);
        assert_true(naive.path_hash == queued.path_hash && hash_equal(naive.image, queued.image));
        hashes[i] = naive.path_hash;
        lookups[i] = measure_sum(&naive).lookups;
        measurement_finish(&naive);
        measurement_finish(&queued);
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j)
            assert_true(hashes[i] != hashes[j]);
    assert_true(lookups[2] < lookups[0] && lookups[3] < lookups[1]);
}

static int open_all(void **state)
{
    static float values[VOXELS];
    folder = folder_new();
    for (int i = 0; i < VOXELS; ++i)
        values[i] = (float)blob(i % SIZE_X, i / SIZE_X % SIZE_Y, i / SIZE_X / SIZE_Y);
    folder_write(folder, "blobs.raw", values, sizeof values);
    for (int s = 0; s < 3; ++s) {
        char name[40];
        snprintf(name, sizeof name, "black-%s.yaml", stores[s]);
        write_scene(name, stores[s], "albedo: 0", "");
        snprintf(name, sizeof name, "white-%s.yaml", stores[s]);
        write_scene(name, stores[s], "albedo: 1", "");
        snprintf(name, sizeof name, "forward-%s.yaml", stores[s]);
        write_scene(name, stores[s], "albedo: 1", ", asymmetry: 0.7");
    }
    write_scene("grey.yaml", "16", "albedo: 0.8", "");
    return measure_open(state);
}

TEST_GROUP(open_all, measure_close)
