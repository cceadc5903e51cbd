// SPDX-License-Identifier: MIT
// Light sampling and its densities against integrals computed another way, and the environment's flat table against a
// linear search.
#include "surface/bsdf.h"
#include "surface/lights.h"

#include "check.h"
#include "geometry/alias.h"
#include "scene/environment_cdf.h"
#include "trial/execute_settings.h"

static struct frame_args frame_plain(void)
{
    struct frame_args frame;
    memset(&frame, 0, sizeof frame);
    frame.width = 64;
    frame.height = 64;
    frame.seed = 7;
    return frame;
}

// What a uniform environment and an emissive triangle send to a plane, by light sampling, against the solid-angle
// integral.
TEST(test_lights)
{
    enum { WIDTH = 32, HEIGHT = 16 };
    static struct vec3 radiance[WIDTH * HEIGHT];
    static struct alias_entry alias[WIDTH * HEIGHT];
    static float density[WIDTH * HEIGHT], cosines[HEIGHT + 1];
    for (int i = 0; i <= HEIGHT; ++i)
        cosines[i] = (float)cos(M_PI * i / HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        radiance[i] = vec3_splat((float)(1 + i % 5));
        alias[i] = (struct alias_entry){1.0f, 0};
        density[i] = (float)(1.0 / (WIDTH * HEIGHT) /
                             (2 * M_PI / WIDTH * (double)(cosines[i / WIDTH] - cosines[i / WIDTH + 1])));
    }
    struct frame_args frame = frame_plain();
    frame.scene.environment = (struct environment){.radiance = radiance,
                                                   .alias = alias,
                                                   .cell_density = density,
                                                   .row_cosine = cosines,
                                                   .width = WIDTH,
                                                   .height = HEIGHT,
                                                   .cell_width = WIDTH,
                                                   .cell_height = HEIGHT};
    frame.scene.environment_share = 1.0f;
    double sampled = 0, exact = 0;
    const uint32_t count = 1 << 18;
    for (uint32_t i = 0; i < count; ++i) {
        struct path path = {.pixel = (i & 511) | (i >> 9) << 16};
        const struct light_sample light = light_sample_direction(&frame, &path, vec3_splat(0.0f), 0.25f);
        if (light.direction.y > 0.0f)
            sampled += (double)(light.radiance.x * light.direction.y / light.density) / count;
    }
    for (int i = 0; i < WIDTH * HEIGHT / 2; ++i) { // integral of cos over a cell: dphi (c0^2 - c1^2) / 2
        const double top = (double)cosines[i / WIDTH], bottom = (double)cosines[i / WIDTH + 1];
        exact += (double)radiance[i].x * 2 * M_PI / WIDTH * (top * top - bottom * bottom) / 2;
    }
    print_message("environment: sampled %.4f, exact %.4f\n", sampled, exact);
    assert_true(fabs(sampled / exact - 1.0) < 0.01);

    static const struct area_light light = {.v0 = {-1, 2, -1}, .e1 = {2, 0, 0}, .e2 = {0, 0, 2}, .radiance = {3, 3, 3}};
    static const struct alias_entry one = {1.0f, 0};
    frame.scene.lights = &light;
    frame.scene.light_alias = &one;
    frame.scene.light_count = 1;
    frame.scene.light_area = 2.0f;
    frame.scene.environment_share = 0.0f;
    sampled = 0;
    for (uint32_t i = 0; i < count; ++i) {
        struct path path = {.pixel = (i & 511) | (i >> 9) << 16};
        const struct light_sample sample = light_sample_direction(&frame, &path, vec3_splat(0.0f), 0.25f);
        if (sample.density > 0.0f)
            sampled += (double)(sample.radiance.x * sample.direction.y / sample.density) / count;
    }
    exact = 0; // midpoint rule over the triangle: L cos cos / r^2 dA
    const int steps = 1000;
    for (int i = 0; i < steps; ++i)
        for (int j = 0; j < steps - i; ++j) {
            const double x = -1 + 2 * (i + 0.5) / steps, z = -1 + 2 * (j + 0.5) / steps;
            const double r2 = x * x + 4 + z * z, cosine = 2 / sqrt(r2);
            const double share = i + j == steps - 1 ? 0.5 : 1.0;
            exact += 3 * cosine * cosine / r2 * 4.0 / steps / steps * share;
        }
    // e1 x e2 = (0, -4, 0): the light shines down
    print_message("area light: sampled %.4f, exact %.4f\n", sampled, exact);
    assert_true(fabs(sampled / exact - 1.0) < 0.01);
}

// A sky of 24 x 12 texels with a small sun, black at both poles and in a column; grids that do and do not divide it.
enum { SKY_WIDTH = 24, SKY_HEIGHT = 12 };
static void make_sky(struct vec3 radiance[SKY_WIDTH * SKY_HEIGHT])
{
    for (int i = 0; i < SKY_WIDTH * SKY_HEIGHT; ++i) {
        const int row = i / SKY_WIDTH, column = i % SKY_WIDTH;
        const bool black = row == 0 || row >= SKY_HEIGHT - 2 || column == 3;
        radiance[i] = vec3_splat(black ? 0.0f : 0.2f + 0.1f * (float)((row + column) % 4));
    }
    radiance[3 * SKY_WIDTH + 17] = vec3_make(900, 800, 700);
}

// Luminance times solid angle of a texel of a grid that divides the sky's, by midpoints.
static double texel_weight(const struct vec3 *radiance, uint32_t width, uint32_t height, uint32_t texel)
{
    const uint32_t row = texel / width * SKY_HEIGHT / height, column = texel % width * SKY_WIDTH / width;
    const struct vec3 v = radiance[row * SKY_WIDTH + column];
    const double top = M_PI * (texel / width) / height, bottom = M_PI * (texel / width + 1) / height;
    return (0.2126 * (double)v.x + 0.7152 * (double)v.y + 0.0722 * (double)v.z) * 2 * M_PI / width * 2 *
           sin((top + bottom) / 2) * sin((bottom - top) / 2);
}

static void check_cdf_entries(const struct environment *sky)
{
    const uint32_t width = sky->cdf_width, height = sky->cdf_height, count = width * height;
    double total = 0;
    for (uint32_t i = 0; i < count; ++i)
        total += texel_weight(sky->radiance, width, height, i);
    for (uint32_t i = 0; i < count; ++i) {
        const double weight = texel_weight(sky->radiance, width, height, i);
        const uint32_t next = i + 1 < count ? sky->cdf[i + 1] : UINT32_MAX;
        assert_true(next >= sky->cdf[i]);
        assert_true((next > sky->cdf[i]) == (weight > 0));
        const double share = (next - sky->cdf[i]) * 0x1p-32; // one number each, and rounding
        assert_true(fabs(share - weight / total) <= 0x1p-31 + count * 0x1p-32 * weight / total + 1e-12);
    }
    assert_int_equal(sky->cdf[0], 0);
}

static void check_cdf_search(const struct environment *sky)
{
    const uint32_t count = sky->cdf_width * sky->cdf_height;
    for (uint32_t i = 0; i < 20000; ++i) {
        const uint32_t edge = sky->cdf[mix32(i) % count];
        const uint32_t u = i % 4 == 0 ? edge : i % 4 == 1 ? edge - 1 : i == 2 ? UINT32_MAX : mix32(i + 77);
        uint32_t linear = 0;
        while (linear + 1 < count && sky->cdf[linear + 1] <= u)
            ++linear;
        assert_int_equal(cdf_search(sky->cdf, count, u), linear);
    }
}

// The two sizes that light_search names take 21 and 27 halvings.
TEST(test_cdf_sizes)
{
    const uint32_t counts[] = {2000u * 1000u, 16384u * 8192u}, expected[] = {21, 27};
    for (int i = 0; i < 2; ++i) {
        struct parameters parameters = parameters_default();
        uint32_t width, height, steps = 0;
        execute_light_table(&parameters, &width, &height);
        assert_true(width == 0 && height == 0);
        parameters.light_search = i + 1;
        execute_light_table(&parameters, &width, &height);
        assert_int_equal(width * height, counts[i]);
        for (uint32_t size = width * height; size > 1; size -= size / 2)
            ++steps;
        assert_int_equal(steps, expected[i]);
        parameters.lighting = LIGHTING_HITS; // samples no light: needs no table
        execute_light_table(&parameters, &width, &height);
        assert_true(width == 0 && height == 0);
    }
}

// The drawn directions' own density is the one asked for afterwards; it sums to 1 over the sphere; and texels are met
// as often as their light says.
static void check_directions(const struct frame_args *frame, uint32_t count)
{
    const struct environment *sky = &frame->scene.environment;
    double solid = 0, met[SKY_WIDTH * SKY_HEIGHT] = {0}, total = 0, integral = 0;
    uint32_t differ = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const struct path path = {.pixel = (i & 1023) | (i >> 10) << 16};
        const struct environment_sample sample = environment_sample_direction(frame, &path);
        const struct grid_cell cell = grid_cell_of(sample.direction, SKY_WIDTH, SKY_HEIGHT);
        assert_true(fabsf(vec3_dot(sample.direction, sample.direction) - 1.0f) < 1e-5f && sample.density > 0.0f);
        differ += !(fabsf(environment_density(frame, sample.direction) / sample.density - 1.0f) < 1e-4f);
        met[cell.row * SKY_WIDTH + cell.column] += 1.0 / count;
        solid += 1.0 / (double)sample.density / count;
    }
    for (uint32_t i = 0; i < SKY_WIDTH * SKY_HEIGHT; ++i)
        total += texel_weight(sky->radiance, SKY_WIDTH, SKY_HEIGHT, i);
    double worst = 0, lit = 0;
    for (uint32_t i = 0; i < SKY_WIDTH * SKY_HEIGHT; ++i) {
        const double share = texel_weight(sky->radiance, SKY_WIDTH, SKY_HEIGHT, i) / total;
        worst = fmax(worst, fabs(met[i] - share) / sqrt((share + 1.0 / count) / count));
        if (share > 0)
            lit += 2 * M_PI / SKY_WIDTH *
                   (cos(M_PI * (i / SKY_WIDTH) / SKY_HEIGHT) - cos(M_PI * (i / SKY_WIDTH + 1) / SKY_HEIGHT));
    }
    for (uint32_t i = 0; i < 960 * 480; ++i) { // midpoints of a finer grid that divides the sky
        const double polar = M_PI * (i / 960 + 0.5) / 480, azimuth = 2 * M_PI * (i % 960 + 0.5) / 960;
        const struct vec3 direction =
            vec3_make((float)(sin(polar) * cos(azimuth)), (float)cos(polar), (float)(sin(polar) * sin(azimuth)));
        integral += (double)environment_density(frame, direction) * sin(polar) * M_PI / 480 * 2 * M_PI / 960;
    }
    print_message(
        "table %u x %u: %u of %u densities differ; integral %.4f; lit %.4f of %.4f sr; worst texel %.2f sigma\n",
        sky->cdf_width, sky->cdf_height, differ, count, integral, solid, lit, worst);
    assert_true(differ < count / 1000 && worst < 5.0);
    assert_true(fabs(integral - 1) < 0.001 && fabs(solid / lit - 1) < 0.05);
}

TEST(test_environment_alias)
{
    enum { CELLS = SKY_WIDTH * SKY_HEIGHT };
    static struct vec3 radiance[CELLS];
    static struct alias_entry alias[CELLS];
    static float density[CELLS], cosines[SKY_HEIGHT + 1];
    double weights[CELLS], total = 0;
    make_sky(radiance);
    for (int i = 0; i <= SKY_HEIGHT; ++i)
        cosines[i] = (float)cos(M_PI * i / SKY_HEIGHT);
    for (uint32_t i = 0; i < CELLS; ++i)
        total += weights[i] = texel_weight(radiance, SKY_WIDTH, SKY_HEIGHT, i);
    for (int i = 0; i < CELLS; ++i)
        density[i] = (float)(weights[i] / total * SKY_WIDTH / (2 * M_PI) /
                             (cos(M_PI * (i / SKY_WIDTH) / SKY_HEIGHT) - cos(M_PI * (i / SKY_WIDTH + 1) / SKY_HEIGHT)));
    assert_true(alias_build(weights, CELLS, alias, &why));
    struct frame_args frame = frame_plain();
    frame.scene.environment = (struct environment){.radiance = radiance,
                                                   .alias = alias,
                                                   .cell_density = density,
                                                   .row_cosine = cosines,
                                                   .width = SKY_WIDTH,
                                                   .height = SKY_HEIGHT,
                                                   .cell_width = SKY_WIDTH,
                                                   .cell_height = SKY_HEIGHT};
    check_directions(&frame, 1 << 19);
}

TEST(test_environment_cdf)
{
    static struct vec3 radiance[SKY_WIDTH * SKY_HEIGHT];
    const uint32_t sizes[][2] = {{24, 12}, {48, 24}, {240, 120}, {2040, 1032}};
    make_sky(radiance);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        struct environment sky = {.radiance = radiance, .width = SKY_WIDTH, .height = SKY_HEIGHT};
        struct environment_cdf cdf;
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        uint32_t *entries = malloc((size_t)width * height * sizeof *entries);
        float *edges = malloc((height / 2 + 1) * sizeof *edges);
        assert_true(entries && edges && environment_cdf_begin(&cdf, &sky, width, height, &why));
        environment_cdf_rows(&cdf, height / 3, height - height / 3, entries + (size_t)height / 3 * width);
        environment_cdf_rows(&cdf, 0, height / 3, entries);
        environment_cdf_half_sine2(&cdf, edges);
        environment_cdf_finish(&cdf);
        sky.cdf = entries;
        sky.cdf_half_sine2 = edges;
        sky.cdf_width = width;
        sky.cdf_height = height;
        check_cdf_entries(&sky);
        if (i < 3)
            check_cdf_search(&sky);
        struct frame_args frame = frame_plain();
        frame.config.light_search = LIGHT_SEARCH_CDF;
        frame.scene.environment = sky;
        check_directions(&frame, 1 << 19);
        free(entries);
        free(edges);
    }
}

// A direction's density against the share of directions drawn near it, for triangles that overlap as seen from a point;
// lights are left out by `source`.
TEST(test_area_density)
{
    static const struct area_light lights[] = {
        {.v0 = {-1, 2, -1}, .e1 = {2, 0, 0}, .e2 = {0, 0, 2}, .radiance = {3, 3, 3}},
        {.v0 = {-1, 3, -1}, .e1 = {3, 0, 0}, .e2 = {0, 0.5f, 3}, .radiance = {1, 1, 1}},
        {.v0 = {-1, 1, -1}, .e1 = {0, 0, 2}, .e2 = {2, 0, 0}, .radiance = {1, 1, 1}}, // faces up: not seen from below
    };
    static struct alias_entry alias[3];
    double areas[3], area = 0;
    for (int i = 0; i < 3; ++i) {
        const struct vec3 cross = vec3_cross(lights[i].e1, lights[i].e2);
        area += areas[i] = (double)sqrtf(vec3_dot(cross, cross)) / 2;
    }
    assert_true(alias_build(areas, 3, alias, &why));
    struct frame_args frame = frame_plain();
    frame.scene.lights = lights;
    frame.scene.light_alias = alias;
    frame.scene.light_count = 3;
    frame.scene.light_area = (float)area;
    const uint32_t count = 1 << 20;
    uint32_t found = 0, near = 0;
    const struct vec3 to = vec3_normalize(vec3_make(-0.2f, 1.0f, -0.3f));
    double expected = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const struct path path = {.pixel = (i & 1023) | (i >> 10) << 16};
        const struct light_sample light = light_sample_direction(&frame, &path, vec3_splat(0.0f), 0.5f);
        if (!(light.density > 0.0f))
            continue;
        ++found;
        near += vec3_dot(light.direction, to) > 0.999f;
        const float alone = area_light_density(&lights[light.source], vec3_splat(0.0f), light.direction);
        const float besides = light_density_besides(&frame, vec3_splat(0.0f), light.direction, light.source);
        const float all = light_density_besides(&frame, vec3_splat(0.0f), light.direction, LIGHT_NONE);
        assert_true(fabsf(all - besides - alone / frame.scene.light_area) <= 1e-5f * all);
        assert_true(light.source != 2 &&
                    (alone == 0.0f || fabsf(alone / frame.scene.light_area / light.density - 1.0f) < 1e-4f));
    }
    struct vec3 s, t;
    basis_make(to, &s, &t);
    const int steps = 400; // uniform over the cap of solid angle 2 pi 0.001
    for (int i = 0; i < steps * steps; ++i) {
        const float z = 1.0f - 0.001f * ((float)(i / steps) + 0.5f) / (float)steps, r = sqrtf(1.0f - z * z);
        const float phi = 6.2831853f * ((float)(i % steps) + 0.5f) / (float)steps;
        const struct vec3 direction = vec3_fma(s, r * cosf(phi), vec3_fma(t, r * sinf(phi), vec3_scale(to, z)));
        expected += (double)light_density_besides(&frame, vec3_splat(0.0f), direction, LIGHT_NONE) / steps / steps * 2 *
                    M_PI * 0.001;
    }
    print_message("area lights: %u of %u found; %.5f of the directions near one, by density %.5f\n", found, count,
                  (double)near / count, expected);
    assert_true(fabs((double)near / count / expected - 1) < 0.04);
    assert_true(fabs((double)found / count - (areas[0] + areas[1]) / area) < 0.003);
}
