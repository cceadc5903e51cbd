// SPDX-License-Identifier: MIT
// The boundary of a volume: against Snell's and Fresnel's laws, against the formulas of Walter et al. (2007) integrated in
// double precision, and against a second tracer that draws facets another way.
#include <math.h>

#include "check.h"
#include "base/random.h"
#include "folder_support.h"
#include "measure_support.h"
#include "scene_support.h"
#include "volume/extend.h"

// ---- scenes

static const char *file_of(const char *volume, const char *eye, const char *radiance)
{
    return folder_file("boundary.yaml",
                       "volume: {%s}\ncameras: {main: {eye: %s, at: [0, 0, 0], fov: 40}}\n"
                       "environment: {constant: %s}\n",
                       volume, eye, radiance);
}

static struct scene *open_volume(const char *volume, struct frame_args *frame)
{
    struct scene *scene = scene_well(file_of(volume, "[0.7, 0.4, 1.5]", "1"));
    *frame = frame_over(scene, 16, 16, 99999);
    frame->config.boundary = BOUNDARY_DIELECTRIC;
    frame->seed = 5;
    return scene;
}

static struct path path_along(const struct frame_args *frame, uint32_t id, struct vec3 origin, struct vec3 direction)
{
    struct path path = path_begin_numbered(frame, id);
    path.ray.origin = origin;
    path.ray.direction = direction;
    path.place = VOLUME_BEFORE;
    return path;
}

// ---- smooth

// In through the face, out through the opposite one: by Snell's law inside, and in the old direction behind it.
TEST(smooth_slab_refracts_by_snells_law)
{
    struct frame_args frame;
    struct scene *scene = open_volume("size: [10, 10, 1], density: 1e-6, boundary: {ior: 1.5}", &frame);
    const double angle = 0.6, inner = asin(sin(angle) / 1.5);
    uint32_t through = 0, back = 0;
    for (int axis = 0; axis < 2; ++axis) // inclined in x, then in y
        for (uint32_t id = 0; id < 1000; ++id) {
            const float across = (float)sin(angle), down = (float)-cos(angle);
            const struct vec3 d = vec3_make(axis ? 0 : across, axis ? across : 0, down);
            struct path path = path_along(&frame, id, vec3_fma(d, -0.5f, vec3_make(0, 0, 0.05f)), d);
            assert_true(extend(&frame, &path, 1));
            if (path.place == VOLUME_BEHIND) { // turned back
                assert_true(fabsf(path.ray.direction.z + down) < 1e-6f);
                ++back;
                continue;
            }
            assert_true(fabs(fabs((double)path.ray.direction.z) - cos(inner)) < 1e-6);
            while (path.place == VOLUME_INSIDE)
                assert_true(extend(&frame, &path, 1));
            assert_true(fabsf(fabsf(path.ray.direction.z) + down) < 1e-6f);
            assert_true(fabsf((axis ? path.ray.direction.y : path.ray.direction.x) - across) < 1e-6f);
            ++through;
        }
    assert_true(through > 1500 && back > 20);
    scene_close(scene);
}

// With absorption alone: light that is reflected back and forth between the faces makes two geometric series.
TEST(absorbing_slab_lets_through_what_fresnel_says)
{
    enum { PATHS = 400000 };
    struct frame_args frame;
    struct scene *scene =
        open_volume("size: [10, 10, 1], density: 8, albedo: 0, boundary: {ior: 2.5}", &frame); // 0.1 thick
    const double fresnel = pow(1.5 / 3.5, 2), pass = exp(-0.8), once = fresnel * pass * fresnel * pass;
    const double through = pow(1 - fresnel, 2) * pass / (1 - once);
    const double back = fresnel + fresnel * pow(1 - fresnel, 2) * pass * pass / (1 - once);
    double counted[2] = {0, 0};
    for (uint32_t id = 0; id < PATHS; ++id) {
        struct path path = path_along(&frame, id, vec3_make(0.1f, -0.2f, 1), vec3_make(0, 0, -1));
        while (extend(&frame, &path, 1))
            ;
        assert_true(path.weight.x == 1.0f || path.weight.x == 0.0f);
        if (path.weight.x > 0)
            counted[path.ray.direction.z > 0] += 1;
    }
    const double expected[2] = {through, back};
    for (int i = 0; i < 2; ++i) {
        const double error = sqrt(expected[i] * (1 - expected[i]) / PATHS);
        print_message("%s: %.5f, expected %.5f +- %.5f\n", i ? "reflected" : "transmitted", counted[i] / PATHS,
                      expected[i], error);
        assert_true(fabs(counted[i] / PATHS - expected[i]) < 4 * error);
    }
    scene_close(scene);
}

// Beyond the critical angle all light stays inside, at whichever face.
TEST(total_reflection_keeps_paths_inside)
{
    struct frame_args frame;
    struct scene *scene = open_volume("size: 1, density: 1e-6, boundary: {ior: 2}", &frame);
    const float c = 0.57735f; // 55 degrees from every face's normal; the critical angle is 30
    for (int octant = 0; octant < 8; ++octant) {
        struct path path = path_along(&frame, (uint32_t)octant, vec3_make(0.1f, -0.2f, 0.3f),
                                      vec3_make(octant & 1 ? c : -c, octant & 2 ? c : -c, octant & 4 ? c : -c));
        path.place = VOLUME_INSIDE;
        for (int i = 0; i < 1000; ++i) {
            assert_true(extend(&frame, &path, 1) && path.place == VOLUME_INSIDE);
            const struct vec3 p = path.ray.origin;
            assert_true(fabsf(p.x) <= 0.5f && fabsf(p.y) <= 0.5f && fabsf(p.z) <= 0.5f);
        }
    }
    scene_close(scene);
}

// ---- one facet: Walter et al. (2007), with their equations' numbers; i is where light comes from, o where it goes

static double shadow(double alpha, double cosine) // 34
{
    const double tangent2 = 1 / (cosine * cosine) - 1;
    return 2 / (1 + sqrt(1 + alpha * alpha * tangent2));
}

static double normals(double alpha, double cosine) // 33
{
    const double square = cosine * cosine, tangent2 = 1 / square - 1;
    return alpha * alpha / (M_PI * square * square * pow(alpha * alpha + tangent2, 2));
}

static double fresnel_of(double c, double eta) // 22
{
    const double g2 = eta * eta - 1 + c * c, g = sqrt(fmax(g2, 0));
    if (g2 < 0)
        return 1;
    return 0.5 * pow((g - c) / (g + c), 2) * (1 + pow((c * (g + c) - 1) / (c * (g - c) + 1), 2));
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The bidirectional scattering function times the cosine of o: 20, 21, with 23. eta: index on the other side over that of i.
static double scattered_share(double alpha, double eta, const double i[3], const double o[3])
{
    double h[3]; // 13; 16, turned to the side of i
    for (int k = 0; k < 3; ++k)
        h[k] = o[2] > 0 ? i[k] + o[k] : -(i[k] + eta * o[k]);
    const double length = sqrt(dot(h, h)) * (h[2] < 0 ? -1 : 1);
    for (int k = 0; k < 3; ++k)
        h[k] /= length;
    const double ih = dot(i, h), oh = dot(o, h);
    if (ih <= 0 || oh * o[2] <= 0)
        return 0;
    const double facets = shadow(alpha, i[2]) * shadow(alpha, fabs(o[2])) * normals(alpha, h[2]);
    if (o[2] > 0)
        return fresnel_of(ih, eta) * facets / (4 * i[2]);
    return ih * -oh / i[2] * eta * eta * (1 - fresnel_of(ih, eta)) * facets / pow(ih + eta * oh, 2);
}

enum { COSINES = 10, TURNS = 6, BINS = 2 * COSINES * TURNS }; // of both hemispheres

static int bin_of(const double o[3])
{
    const int row = (int)fmin((o[2] + 1) * COSINES, 2 * COSINES - 1);
    const int column = (int)fmin((atan2(o[1], o[0]) / (2 * M_PI) + 0.5) * TURNS, TURNS - 1);
    return row * TURNS + column;
}

static void integrate_bins(double alpha, double eta, const double i[3], double bins[BINS])
{
    enum { STEPS = 40 };
    for (int bin = 0; bin < BINS; ++bin) {
        bins[bin] = 0;
        for (int j = 0; j < STEPS * STEPS; ++j) {
            const double z = (bin / TURNS + (j / STEPS + 0.5) / STEPS) / COSINES - 1, sine = sqrt(1 - z * z);
            const double turn = 2 * M_PI * ((bin % TURNS + (j % STEPS + 0.5) / STEPS) / TURNS - 0.5);
            const double o[3] = {sine * cos(turn), sine * sin(turn), z};
            bins[bin] += scattered_share(alpha, eta, i, o);
        }
        bins[bin] *= 2 * M_PI / TURNS / COSINES / (STEPS * STEPS);
    }
}

// Where draws go, by their weights.
TEST(rough_boundary_scatters_as_its_function_says)
{
    enum { DRAWS = 200000 };
    static const struct {
        double alpha, eta, cosine;
    } cases[] = {{0.25, 1.5, 0.9}, {0.6, 1.5, 0.5}, {0.6, 1 / 1.5, 0.7}, {1, 1 / 1.5, 0.95}, {0.5, 1.33, 0.15}};
    uint64_t random = 88172645463325252ull;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const double z = cases[k].cosine, i[3] = {sqrt(1 - z * z), 0, z}, alpha = cases[k].alpha, eta = cases[k].eta;
        double expected[BINS], sums[BINS] = {0}, squares[BINS] = {0}, total = 0, wanted = 0, worst = 0;
        integrate_bins(alpha, eta, i, expected);
        for (int n = 0; n < DRAWS; ++n) {
            const struct pair facet = {(float)random_fraction(&random), (float)random_fraction(&random)};
            const struct scattered s = dielectric_scatter((float)alpha, (float)eta, vec3_make((float)i[0], 0, (float)z),
                                                          facet, (float)random_fraction(&random));
            assert_true(s.weight >= 0 && s.weight <= 1.000001f);
            const double o[3] = {(double)s.direction.x, (double)s.direction.y, (double)s.direction.z};
            assert_true(fabs(dot(o, o) - 1) < 1e-5 && (s.weight == 0 || s.through == (o[2] < 0)));
            sums[bin_of(o)] += (double)s.weight;
            squares[bin_of(o)] += (double)(s.weight * s.weight);
        }
        for (int bin = 0; bin < BINS; ++bin) {
            const double mean = sums[bin] / DRAWS, error = sqrt(fmax(squares[bin] / DRAWS, expected[bin]) / DRAWS);
            total += mean;
            wanted += expected[bin];
            if (expected[bin] > 1e-3)
                worst = fmax(worst, fabs(mean - expected[bin]) / error);
        }
        print_message("alpha %.2f, index %.2f, cosine %.2f: %.4f of the light, expected %.4f; in %d directions at most "
                      "%.2f standard deviations off\n",
                      alpha, eta, z, total, wanted, (int)BINS, worst);
        assert_true(fabs(total - wanted) < 0.004 && worst < 4.5);
    }
}

// ---- all of it: a second tracer of a cube, which draws facets by D |m . n| (35, 36) and weighs them by 41

static void own_scatter(double alpha, double ior, int axis, bool *inside, double d[3], double *weight, uint64_t *random)
{
    const double side = d[axis] > 0 ? -1 : 1,
                 eta = *inside ? 1 / ior : ior; // as Snell's law has it: behind over before
    const double wo[3] = {-d[(axis + 1) % 3], -d[(axis + 2) % 3], -d[axis] * side};
    const double u = random_fraction(random), angle = atan(alpha * sqrt(u / (1 - u))),
                 turn = 2 * M_PI * random_fraction(random);
    const double m[3] = {sin(angle) * cos(turn), sin(angle) * sin(turn), cos(angle)};
    const double c = dot(wo, m);
    if (c <= 0) {
        *weight = 0;
        return;
    }
    const bool through = random_fraction(random) >= fresnel_of(c, eta);
    const double g = through ? c / eta - sqrt(1 + (c * c - 1) / (eta * eta)) : 2 * c; // 40; 39
    double wi[3];
    for (int k = 0; k < 3; ++k)
        wi[k] = g * m[k] - (through ? wo[k] / eta : wo[k]);
    if (through != (wi[2] < 0)) {
        *weight = 0;
        return;
    }
    *weight *= c * shadow(alpha, wo[2]) * shadow(alpha, fabs(wi[2])) / (wo[2] * m[2]);
    d[(axis + 1) % 3] = wi[0];
    d[(axis + 2) % 3] = wi[1];
    d[axis] = wi[2] * side;
    *inside = *inside != through;
}

static double own_leave(const double o[3], const double d[3], int *axis)
{
    double leave = INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double distance = (copysign(0.5, d[i]) - o[i]) / d[i];
        if (distance < leave)
            leave = distance, *axis = i;
    }
    return leave;
}

// What a path that enters the face at z = 0.5 brings, under a radiance of 1.
static double own_path(double density, double albedo, double alpha, double ior, uint64_t *random)
{
    double o[3] = {0.1, -0.2, 0.5}, d[3] = {0.48, 0.36, -0.8}, weight = 1;
    bool inside = false;
    int axis = 2;
    own_scatter(alpha, ior, axis, &inside, d, &weight, random);
    while (inside && weight > 0) {
        const double distance = -log(1 - random_fraction(random)) / density, leave = own_leave(o, d, &axis);
        for (int i = 0; i < 3; ++i)
            o[i] += fmin(distance, leave) * d[i];
        if (distance < leave) {
            const double z = 2 * random_fraction(random) - 1, turn = 2 * M_PI * random_fraction(random);
            d[0] = sqrt(1 - z * z) * cos(turn);
            d[1] = sqrt(1 - z * z) * sin(turn);
            d[2] = z;
            weight *= albedo;
        } else {
            own_scatter(alpha, ior, axis, &inside, d, &weight, random);
        }
    }
    return weight;
}

TEST(cube_is_as_a_second_tracer_has_it)
{
    enum { PATHS = 1000000 };
    struct frame_args frame;
    struct scene *scene = open_volume("size: 4, density: 3, albedo: 0.8, boundary: {ior: 1.4, roughness: 0.7}", &frame);
    double ours = 0, theirs = 0, squares = 0;
    uint64_t random = 88172645463325252ull;
    for (uint32_t id = 0; id < PATHS; ++id) {
        const struct vec3 d = vec3_make(0.48f, 0.36f, -0.8f);
        struct path path = path_along(&frame, id, vec3_fma(d, -1, vec3_make(0.1f, -0.2f, 0.5f)), d);
        while (extend(&frame, &path, 1))
            ;
        const double own = own_path(3, 0.8, 0.49, 1.4, &random);
        ours += (double)path.weight.x;
        theirs += own;
        squares += (double)(path.weight.x * path.weight.x) + own * own;
    }
    const double error =
        sqrt(squares / PATHS - (ours * ours + theirs * theirs) / ((double)PATHS * PATHS)) / sqrt(PATHS);
    print_message("cube: %.5f, by the second tracer %.5f; difference %.5f +- %.5f\n", ours / PATHS, theirs / PATHS,
                  (ours - theirs) / PATHS, error);
    assert_true(error < 0.002 && fabs(ours - theirs) / PATHS < 4 * error);
    scene_close(scene);
}

// ---- as trials

// A smooth boundary takes no light, whether the camera is outside or within.
TEST(furnace_keeps_its_radiance)
{
    static const char *const eyes[] = {"[0.7, 0.4, 1.5]", "[0.1, 0.2, 0.1]"};
    for (int i = 0; i < 2; ++i) {
        const char *path = file_of("size: 4, density: 5, boundary: {ior: 1.5}", eyes[i], "[0.3, 1, 7]");
        struct measurement measurement = measure(path, "volume_naive", "spp=2 boundary=dielectric");
        const float radiance[3] = {0.3f, 1, 7};
        for (size_t k = 0; k < (size_t)3 * MEASURE_WIDTH * MEASURE_HEIGHT; ++k)
            assert_true(measurement.film[k] == 2 * (int64_t)((double)radiance[k % 3] * 0x1p32));
        measurement_finish(&measurement);
    }
}

TEST(schemes_agree_behind_a_boundary)
{
    static const char *const schemes[] = {"volume_steps",          "regenerate_thread", "regenerate_warp",
                                          "regenerate_block_part", "stream_device",     "stream_device_local",
                                          "stream_block",          "stream_sort",       "sort_albedo"};
    static const char settings[] = "spp=1 boundary=dielectric";
    struct measurement straight = measure("cloud", "volume_naive", "spp=1");
    struct measurement reference = measure("cloud", "volume_naive", settings);
    assert_false(hash_equal(straight.image, reference.image));
    assert_true(measure_sum(&reference).deaths[DEATH_ABSORB] > 0);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i) {
        struct measurement measurement = measure("cloud", schemes[i], settings);
        if (!hash_equal(measurement.image, reference.image) || measurement.path_hash != reference.path_hash)
            fail_msg("%s: another image", schemes[i]);
        measurement_finish(&measurement);
    }
    measurement_finish(&reference);
    measurement_finish(&straight);
}

// ---- what may be in a file

TEST(mistakes_in_a_boundary_are_errors)
{
    static const char *const texts[] = {"{}",
                                        "{roughness: 0.3}",
                                        "{ior: 1}",
                                        "{ior: 5}",
                                        "{ior: .nan}",
                                        "{ior: 1.5, roughness: 1.5}",
                                        "{ior: 1.5, roughness: -1}",
                                        "1.5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        char volume[100];
        snprintf(volume, sizeof volume, "size: 2, boundary: %s", texts[i]);
        const char *path = file_of(volume, "[0.7, 0.4, 1.5]", "1");
        refused(scene_open(&(struct scene_request){.name = path}, &why), "", "");
        assert_true(why.kind == ERROR_USE && why.line == 1 && why.remedy[0]);
    }
    struct measurement measurement;
    refused(measure_try("fog", "volume_naive", "boundary=dielectric", &measurement, &why), "no boundary", "");
    assert_int_equal(why.kind, ERROR_UNSUPPORTED);
    measurement_finish(&measurement);
}

TEST_GROUP(measure_open, measure_close)
