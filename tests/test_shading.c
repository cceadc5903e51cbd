// SPDX-License-Identifier: MIT
// Scattering against integrals computed another way, random numbers against what uniform numbers do,
// and the maps from places to pixels against a count of pixels.
#include "surface/extend.h"
#include "lib/place.h"

#include "check.h"
#include "base/random.h"

static struct frame_args frame_with(int32_t materials)
{
    struct frame_args frame;
    memset(&frame, 0, sizeof frame);
    frame.config.materials = materials;
    frame.width = 64;
    frame.height = 64;
    frame.seed = 7;
    return frame;
}

static const struct material materials[] = {
    {.kind = MATERIAL_LAMBERT, .diffuse = {0.7f, 0.5f, 0.2f}},
    {.kind = MATERIAL_BLINN, .diffuse = {0.3f, 0.3f, 0.3f}, .specular = {0.4f, 0.4f, 0.4f}, .exponent = 20.0f},
    {.kind = MATERIAL_CARPAINT,
     .diffuse = {0.5f, 0.1f, 0.1f},
     .specular = {0.2f, 0.2f, 0.2f},
     .exponent = 50.0f,
     .ior = 1.5f},
    {.kind = MATERIAL_GLASS, .specular = {1, 1, 1}, .ior = 1.5f},
    {.kind = MATERIAL_CHROME, .specular = {0.9f, 0.8f, 0.7f}},
};

// Albedo of the part that light sampling sees, by uniform directions over the hemisphere.
static double albedo_by_evaluation(const struct frame_args *frame, const struct material *material, struct vec3 n,
                                   struct vec3 wo, uint64_t *random, int count)
{
    struct vec3 s, t;
    basis_make(n, &s, &t);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        const float z = (float)random_fraction(random), phi = (float)(2 * M_PI * random_fraction(random)),
                    r = sqrtf(1 - z * z);
        const struct vec3 wi = vec3_fma(s, r * cosf(phi), vec3_fma(t, r * sinf(phi), vec3_scale(n, z)));
        sum += (double)(bsdf_evaluate(frame, material, n, wo, wi).x * z) * 2 * M_PI;
    }
    return sum / count;
}

static double albedo_by_sampling(const struct frame_args *frame, const struct material *material, struct vec3 n,
                                 struct vec3 wo, uint64_t *random, int count, double *specular)
{
    double sum = 0;
    *specular = 0;
    for (int i = 0; i < count; ++i) {
        const struct bsdf_sample sample =
            bsdf_sample_direction(frame, material, n, wo, true, (float)random_fraction(random),
                                  (float)random_fraction(random), (float)random_fraction(random));
        if (!sample.valid)
            continue;
        assert_true(fabsf(vec3_dot(sample.direction, sample.direction) - 1.0f) < 1e-5f);
        *(sample.specular ? specular : &sum) += (double)sample.weight.x;
    }
    *specular /= count;
    return sum / count;
}

TEST(test_scattering)
{
    const struct frame_args frame = frame_with(MATERIALS_SCENE);
    const struct vec3 n = vec3_normalize(vec3_make(0.3f, -0.9f, 0.2f));
    uint64_t random = 1;
    for (size_t m = 0; m < sizeof materials / sizeof *materials; ++m)
        for (int tilt = 0; tilt < 3; ++tilt) {
            struct vec3 s, t;
            basis_make(n, &s, &t);
            const float z = 0.95f - 0.35f * (float)tilt;
            const struct vec3 wo = vec3_fma(s, sqrtf(1 - z * z), vec3_scale(n, z));
            double specular;
            const double sampled = albedo_by_sampling(&frame, &materials[m], n, wo, &random, 400000, &specular);
            const double evaluated = albedo_by_evaluation(&frame, &materials[m], n, wo, &random, 400000);
            print_message("material %u, cosine %.2f: sampled %.4f, evaluated %.4f, specular %.4f\n", materials[m].kind,
                          (double)z, sampled, evaluated, specular);
            assert_true(fabs(sampled - evaluated) < 0.01);
            assert_true(sampled + specular < 1.02);
            assert_true(material_is_specular(&frame, &materials[m]) == (evaluated == 0.0));
        }
}

// Snell's law and the Fresnel equations at normal incidence and at the critical angle.
TEST(test_glass)
{
    const struct frame_args frame = frame_with(MATERIALS_SCENE);
    const struct vec3 n = vec3_make(0, 0, 1);
    assert_true(fabsf(fresnel_dielectric(1.0f, 1.5f) - 0.04f) < 1e-6f);
    assert_true(fresnel_dielectric(0.5f, 1.0f / 1.5f) == 1.0f);
    for (int i = 1; i < 20; ++i) {
        const float z = (float)i / 20.0f, x = sqrtf(1 - z * z);
        const struct bsdf_sample through =
            bsdf_sample_direction(&frame, &materials[3], n, vec3_make(x, 0, z), true, 0.99999f, 0.5f, 0.5f);
        assert_true(through.valid && through.specular);
        assert_true(through.direction.z < 0.0f && fabsf(-through.direction.x * 1.5f - x) < 1e-5f);
        const struct bsdf_sample mirror =
            bsdf_sample_direction(&frame, &materials[3], n, vec3_make(x, 0, z), true, 0.0f, 0.5f, 0.5f);
        assert_true(fabsf(mirror.direction.x + x) < 1e-5f && fabsf(mirror.direction.z - z) < 1e-5f);
    }
}

TEST(test_random)
{
    for (int32_t sampler = 0; sampler < 2; ++sampler) {
        struct frame_args frame = frame_with(0);
        frame.config.sampler = sampler;
        double sum = 0, squares = 0, product = 0;
        uint32_t bins[64] = {0};
        const uint32_t count = 1 << 20;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t pixel = (i & 1023) | (i >> 10) << 16, generator = generator_begin(frame.seed, pixel);
            const double a = (double)random_unit(&frame, pixel, 3, generator, 2, DIMENSION_DIRECTION_U);
            const double b = (double)random_unit(&frame, pixel, 3, generator, 2, DIMENSION_DIRECTION_V);
            assert_true(a >= 0.0 && a < 1.0);
            sum += a;
            squares += a * a;
            product += (a - 0.5) * (b - 0.5);
            ++bins[(int)(a * 64)];
        }
        double chi = 0;
        for (int i = 0; i < 64; ++i)
            chi += (bins[i] - count / 64.0) * (bins[i] - count / 64.0) / (count / 64.0);
        print_message("sampler %d: mean %.5f, variance %.5f, chi-square %.1f of 63\n", sampler, sum / count,
                      squares / count - sum / count * sum / count, chi);
        assert_true(fabs(sum / count - 0.5) < 0.0015 && fabs(squares / count - 1.0 / 3.0) < 0.0015);
        assert_true(chi < 110.0); // 1 in 5000 for true uniform numbers
        assert_true(fabs(product / count) < 0.0004);
    }
    // Padded replication: the samples of one pixel are a shifted Halton sequence, so 16 of them fill 16 equal cells.
    struct frame_args frame = frame_with(0);
    frame.config.sampler = SAMPLER_PADDED;
    uint32_t cells = 0;
    for (uint32_t sample = 0; sample < 16; ++sample) {
        float u = random_unit(&frame, 5, sample, 77, 0, DIMENSION_LIGHT_KIND) -
                  random_unit(&frame, 5, 0, 77, 0, DIMENSION_LIGHT_KIND);
        u = u < 0.0f ? u + 1.0f : u;
        cells |= 1u << ((uint32_t)(u * 16.0f + 0.01f) & 15u);
    }
    assert_int_equal(cells, 0xFFFF);
}

TEST(test_places)
{
    const uint32_t sizes[][2] = {{64, 64}, {1, 1}, {7, 3}, {8, 4}, {13, 29}, {640, 384}, {33, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int32_t order = PIXEL_ORDER_TILE; order <= PIXEL_ORDER_ROW; ++order) {
            struct frame_args frame = frame_with(0);
            frame.config.pixel_order = order;
            frame.width = sizes[i][0];
            frame.height = sizes[i][1];
            const uint32_t count = frame.width * frame.height;
            uint8_t *seen = calloc(count, 1);
            assert_non_null(seen);
            for (uint32_t place = 0; place < count; ++place) {
                const uint32_t pixel = place_pixel(&frame, place), x = pixel & 0xFFFF, y = pixel >> 16;
                assert_true(x < frame.width && y < frame.height);
                ++seen[y * frame.width + x];
            }
            for (uint32_t pixel = 0; pixel < count; ++pixel)
                assert_int_equal(seen[pixel], 1);
            free(seen);
        }
    struct frame_args frame = frame_with(0); // a warp is 8 x 4 pixels: lanes 0..31 stay within the first tile
    for (uint32_t place = 0; place < 32; ++place)
        assert_int_equal(place_pixel(&frame, place), (place % 8) | (place / 8) << 16);
}

TEST(test_film)
{
    int64_t fixed;
    assert_true(film_quantise(1.0f, &fixed) && fixed == (int64_t)1 << 32);
    assert_true(film_quantise(-0.5f, &fixed) && fixed == -((int64_t)1 << 31));
    assert_true(film_quantise(0x1p-33f, &fixed) && fixed == 0); // ties to even
    assert_true(film_quantise(0x1.8p-32f, &fixed) && fixed == 2);
    assert_false(film_quantise(NAN, &fixed));
    assert_false(film_quantise(INFINITY, &fixed));
    assert_false(film_quantise(2e9f, &fixed));
}

// Depth of field: every ray of a pixel starts on the lens and passes through that pixel's patch of the plane in focus;
// the lens points fill the disc evenly. With aperture 0 all rays start at the eye.
TEST(test_lens)
{
    struct frame_args frame = frame_with(0);
    const float focus = 4.0f;
    frame.camera = (struct camera){.position = {1, 2, 3},
                                   .forward = {0, 0, -1},
                                   .right = {0.5f, 0, 0},
                                   .up = {0, 0.4f, 0},
                                   .lens_right = {1, 0, 0},
                                   .lens_up = {0, 1, 0},
                                   .lens_radius = 0.2f,
                                   .focus_distance = focus};
    double squares = 0;
    const uint32_t count = 4096;
    for (uint32_t sample = 0; sample < count; ++sample) {
        frame.sample = sample;
        const uint32_t x = sample % 64, y = sample / 64;
        const struct path path = path_begin(&frame, x | y << 16, frame.sample);
        const double lx = (double)path.ray.origin.x - 1, ly = (double)path.ray.origin.y - 2;
        assert_true(lx * lx + ly * ly <= 0.2 * 0.2 + 1e-6 && path.ray.origin.z == 3.0f);
        squares += (lx * lx + ly * ly) / count;
        const double t = (double)focus / -(double)path.ray.direction.z;
        const double px = lx + t * (double)path.ray.direction.x, py = ly + t * (double)path.ray.direction.y;
        const double film_x = (px / (double)focus / 0.5 + 1) / 2 * 64, film_y = (1 - py / (double)focus / 0.4) / 2 * 64;
        assert_true(film_x > x - 1e-4 && film_x < x + 1 + 1e-4);
        assert_true(film_y > y - 1e-4 && film_y < y + 1 + 1e-4);
    }
    print_message("lens: mean square radius %.5f, of an even disc %.5f\n", squares, 0.2 * 0.2 / 2);
    assert_true(fabs(squares / (0.2 * 0.2 / 2) - 1) < 0.04);
    frame.camera.lens_radius = 0;
    const struct path pinhole = path_begin(&frame, 5 | 7 << 16, frame.sample);
    assert_true(pinhole.ray.origin.x == 1 && pinhole.ray.origin.y == 2 && pinhole.ray.origin.z == 3);
}

// A state comes back as it was stored, its padding is read and written with it, and no other slot is touched.
static void check_path_memory(int32_t bytes, int32_t layout)
{
    enum { SLOTS = 5, SLOT = 3, MOST_WORDS = 32 };
    uint32_t state[SLOTS * MOST_WORDS], before[SLOTS * MOST_WORDS], folded = 0;
    struct path_radiance radiance[SLOTS] = {{0, 0, 0, 0}};
    struct frame_args frame = frame_with(0);
    frame.config.path_bytes = bytes;
    frame.config.path_layout = layout;
    const uint32_t words = (uint32_t)bytes / 4;
    const struct path_memory memory = {state, radiance, SLOTS};
    for (uint32_t i = 0; i < SLOTS * MOST_WORDS; ++i)
        before[i] = state[i] = mix32(i);
    for (uint32_t word = 12; word < words; ++word)
        folded ^= state[layout == PATH_LAYOUT_SOA ? word * SLOTS + SLOT : SLOT * words + word];
    assert_int_equal(path_load(&frame, &memory, SLOT).padding, folded);

    const struct path path = {.ray = {{1, 2, 3}, {4, 5, 6}},
                              .weight = {7, 8, 9},
                              .generator = 10,
                              .pixel = 11,
                              .bounce = 12,
                              .after_specular = true,
                              .radiance = {13, 14, 15},
                              .padding = 16};
    path_store(&frame, &memory, SLOT, &path);
    const struct path again = path_load(&frame, &memory, SLOT);
    assert_memory_equal(&again.ray, &path.ray, sizeof path.ray);
    assert_memory_equal(&again.weight, &path.weight, sizeof path.weight);
    assert_memory_equal(&again.radiance, &path.radiance, sizeof path.radiance);
    assert_true(again.generator == 10 && again.pixel == 11 && again.bounce == 12 && again.after_specular);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < SLOTS * MOST_WORDS; ++i) {
        const uint32_t slot = layout == PATH_LAYOUT_SOA ? i % SLOTS : i / words;
        const bool inside = i < SLOTS * words && slot == SLOT;
        assert_true(inside || state[i] == before[i]);
        changed += state[i] != before[i];
    }
    assert_int_equal(changed, words);
}

TEST(test_path_memory)
{
    const int32_t bytes[] = {48, 64, 88, 104, 128};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; ++i)
        for (int32_t layout = PATH_LAYOUT_AOS; layout <= PATH_LAYOUT_SOA; ++layout)
            check_path_memory(bytes[i], layout);
}

// Words of a path beyond the 2^32nd, as 250 million paths have them.
TEST(test_path_memory_of_many)
{
    enum { SLOTS = 250000000, BYTES = 88 };
    const struct path_memory memory = {NULL, NULL, SLOTS};
    struct frame_args frame = frame_with(0);
    frame.config.path_bytes = BYTES;
    frame.config.path_layout = PATH_LAYOUT_AOS;
    assert_true(path_word_index(&frame, &memory, SLOTS - 1, 21) == 5499999999ull);
    frame.config.path_layout = PATH_LAYOUT_SOA;
    assert_true(path_word_index(&frame, &memory, SLOTS - 2, 21) == 5499999998ull);
}

// Mean of cos^2 / density over what is drawn is the integral of cos^2 over the hemisphere, where the density is that of
// the draws and no direction is left out.
TEST(test_scattering_density)
{
    const struct vec3 n = vec3_normalize(vec3_make(-0.2f, 0.5f, 0.7f));
    const struct frame_args frame = frame_with(MATERIALS_SCENE);
    uint64_t random = 5;
    uint32_t flops = 0;
    const int count = 400000;
    for (size_t m = 0; m < 3; ++m)
        for (int tilt = 0; tilt < 3; ++tilt) {
            struct vec3 s, t;
            basis_make(n, &s, &t);
            const float z = 0.95f - 0.35f * (float)tilt;
            const struct vec3 wo = vec3_fma(s, sqrtf(1 - z * z), vec3_scale(n, z));
            double sum = 0;
            for (int i = 0; i < count; ++i) {
                const struct bsdf_sample sample =
                    bsdf_draw(&frame, &materials[m], n, wo, true, (float)random_fraction(&random),
                              (float)random_fraction(&random), (float)random_fraction(&random), &flops);
                const float cosine = vec3_dot(sample.direction, n);
                if (sample.valid && !sample.specular)
                    sum += (double)(cosine * cosine / bsdf_density(&frame, &materials[m], n, wo, sample.direction)) /
                           count;
            }
            print_message("material %u, cosine %.2f: %.4f, 2 pi / 3 = %.4f\n", materials[m].kind, (double)z, sum,
                          2 * M_PI / 3);
            assert_true(fabs(sum / (2 * M_PI / 3) - 1) < 0.01);
        }
    assert_true(bsdf_density(&frame, &materials[3], n, n, n) == 0.0f &&
                bsdf_density(&frame, &materials[4], n, n, n) == 0.0f);
}

// RR-YOCTO: nothing before bounce 4, then the survivors' share is the largest weight, 0.99 at most, and what they carry
// makes up for the others.
TEST(test_roulette)
{
    struct frame_args frame = frame_with(0);
    frame.config.roulette = ROULETTE_YOCTO;
    const uint32_t count = 1 << 18;
    for (uint32_t bounce = 0; bounce < 8; ++bounce)
        for (int heavy = 0; heavy < 2; ++heavy) {
            const struct vec3 weight = heavy ? vec3_make(0.1f, 3.0f, 0.2f) : vec3_make(0.1f, 0.4f, 0.2f);
            const double chance = bounce < 4 ? 1.0 : heavy ? 0.99 : 0.4;
            double lived = 0, carried = 0;
            for (uint32_t i = 0; i < count; ++i) {
                struct path path = {.pixel = (i & 511) | (i >> 9) << 16, .bounce = bounce, .weight = weight};
                const bool lives = roulette(&frame, &path);
                lived += (double)lives / count;
                carried += lives ? (double)path.weight.y / count : 0;
            }
            assert_true(bounce < 4 ? lived > 1 - 1e-9 : fabs(lived - chance) < 0.005);
            assert_true(fabs(carried / (double)weight.y - 1) < 0.01);
        }
}
