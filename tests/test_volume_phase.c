// SPDX-License-Identifier: MIT
// Directions after collisions: against Henyey and Greenstein's distribution, and single scattering in a slab against
// numerical integration.
#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "scene_support.h"

#include "volume/extend.h"

static const double asymmetries[] = {-0.99, -0.6, -1e-3, 1e-6, 0.2, 0.5, 0.85, 0.99};
enum { ASYMMETRIES = sizeof asymmetries / sizeof *asymmetries };

// Probability of a cosine up to c.
static double distribution(double g, double c)
{
    if (fabs(g) < 1e-5)
        return (1 + c) / 2; // but for g / 2
    return (1 - g * g) / (2 * g) * (1 / sqrt(1 + g * g - 2 * g * c) - 1 / (1 + g));
}

TEST(cosines_are_distributed_as_they_should)
{
    enum { COUNT = 1 << 16 };
    for (int k = 0; k < ASYMMETRIES; ++k) {
        const double g = asymmetries[k];
        double mean = 0, worst = 0;
        for (int i = 0; i < COUNT; ++i) {
            const float u = ((float)i + 0.5f) / (float)COUNT;
            const double cosine = (double)deflection_cosine((float)g, u);
            mean += cosine / COUNT;
            // A rounded cosine stands for as much probability as the density there makes of it.
            const double rounding = 2.4e-7 * (1 - g * g) / (2 * pow(1 + g * g - 2 * g * cosine, 1.5));
            worst = fmax(worst, fabs(distribution(g, cosine) - (double)u) - rounding);
        }
        print_message("g = %g: mean cosine %.6f, at most %.1e off the distribution, but for rounding\n", g, mean,
                      worst);
        assert_true(fabs(mean - g) < 2e-5 && worst < 2e-4);
    }
}

TEST(directions_turn_by_that_cosine)
{
    static const float poles[] = {-1, 1};
    for (int k = 0; k < 1000; ++k) {
        const struct pair pair = path_pair((uint64_t)k, 0), at = path_pair((uint64_t)k, 1);
        struct vec3 along = isotropic_direction(pair);
        if (k < 2)
            along = vec3_make(0, 0, poles[k]);
        const float cosine = fmaf(2, at.u, -1);
        double across[2] = {0, 0};
        for (int i = 0; i < 16; ++i) { // all around: the mean is `along`
            const struct vec3 d = direction_about(along, cosine, (float)i / 16);
            assert_true(fabs((double)vec3_dot(d, d) - 1) < 1e-6 && fabs((double)(vec3_dot(d, along) - cosine)) < 2e-6);
            const struct vec3 rest = vec3_fma(along, -cosine, d);
            across[0] += (double)rest.x;
            across[1] += (double)rest.z;
        }
        assert_true(fabs(across[0]) < 1e-5 && fabs(across[1]) < 1e-5);
    }
}

// ---- single scattering

static const double edges[3] = {0.5, 0.5, 0.2}; // of the slab, about the origin

static double way_out(const double from[3], const double direction[3])
{
    double leave = INFINITY;
    for (int i = 0; i < 3; ++i)
        if (direction[i] != 0)
            leave = fmin(leave, (copysign(edges[i], direction[i]) - from[i]) / direction[i]);
    return leave;
}

// Light that reaches a ray down through (x, y) after one collision, by the midpoint rule in depth, angle and turn.
static double integrate(double x, double y, double density, double albedo, double g)
{
    enum { DEPTHS = 48, COSINES = 400, TURNS = 48 };
    double sum = 0;
    for (int i = 0; i < DEPTHS; ++i) {
        const double depth = 2 * edges[2] * (i + 0.5) / DEPTHS;
        const double from[3] = {x, y, edges[2] - depth};
        for (int j = 0; j < COSINES; ++j) {
            const double cosine = 2 * (j + 0.5) / COSINES - 1, sine = sqrt(1 - cosine * cosine);
            const double phase = (1 - g * g) / (4 * M_PI * pow(1 + g * g - 2 * g * cosine, 1.5));
            for (int k = 0; k < TURNS; ++k) {
                const double turn = 2 * M_PI * (k + 0.5) / TURNS;
                const double d[3] = {sine * cos(turn), sine * sin(turn), -cosine};
                sum += phase * exp(-density * (depth + way_out(from, d)));
            }
        }
    }
    return density * albedo * sum * 2 * edges[2] / DEPTHS * 2 / COSINES * 2 * M_PI / TURNS;
}

TEST(single_scattering_is_the_integral)
{
    enum { PATHS = 400000, ONE_COLLISION = 4 }; // extensions: in, collision, out, away
    static const double gs[] = {0, 0.7, -0.5};
    for (int k = 0; k < 3; ++k) {
        struct scene *scene =
            scene_well(folder_file("slab.yaml",
                                   "volume: {size: [10, 10, 4], density: 3, albedo: 0.6, asymmetry: %g}\n"
                                   "cameras: {main: {eye: [0, 0, 2], at: [0, 0, 0]}}\n"
                                   "environment: {constant: 1}\n",
                                   gs[k]));
        uint32_t bad_values[BAD_VALUES] = {0};
        struct frame_args frame = frame_over(scene, 1, 1, 9999);
        frame.bad_values = bad_values;
        frame.seed = 3;
        double sum = 0, squares = 0;
        for (uint32_t id = 0; id < PATHS; ++id) {
            struct path path = path_begin_numbered(&frame, id);
            path.ray.origin = vec3_make(0.2f, -0.3f, 1.5f);
            path.ray.direction = vec3_make(0, 0, -1);
            path.place = VOLUME_BEFORE;
            while (extend(&frame, &path, 1))
                ;
            const double light = path.bounce == ONE_COLLISION ? (double)path.weight.x : 0;
            sum += light;
            squares += light * light;
        }
        const double mean = sum / PATHS, error = sqrt((squares / PATHS - mean * mean) / PATHS);
        const double expected = integrate(0.2, -0.3, 3, 0.6, gs[k]);
        print_message("g = %g: %.5f, expected %.5f +- %.5f\n", gs[k], mean, expected, error);
        assert_true(error < 0.005 * expected && fabs(mean - expected) < 4 * error);
        scene_close(scene);
    }
}
