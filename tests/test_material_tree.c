// SPDX-License-Identifier: MIT
// The material tree and the kinds of material that come with it: draws against densities, microfacets against the
// textbook's formulas in double precision, blends against sums and products made here, costs against a recurrence.
#include "surface/extend.h"

#include "check.h"
#include "base/random.h"

enum {
    LAMBERT,
    BLINN,
    PAINT,
    GLASS,
    CHROME,
    GLOSSY,
    METAL,
    SHEET,
    TWO,     // lambert, glossy
    NESTED,  // the same, metal
    MIRRORS, // glass, chrome: no lobe that is not a mirror
    MIXED,   // the nested one, chrome
    ALL,     // the mixed one, all mirrors
    MATERIALS
};

static const struct material materials[MATERIALS] = {
    [LAMBERT] = {.kind = MATERIAL_LAMBERT, .diffuse = {0.7f, 0.5f, 0.2f}, .flops = 1},
    [BLINN] = {.kind = MATERIAL_BLINN, .diffuse = {0.3f, 0.3f, 0.3f}, .specular = {0.4f, 0.4f, 0.4f}, .exponent = 20},
    [PAINT] = {.kind = MATERIAL_CARPAINT,
               .diffuse = {0.5f, 0.1f, 0.1f},
               .specular = {0.2f, 0.2f, 0.2f},
               .exponent = 50,
               .ior = 1.5f},
    [GLASS] = {.kind = MATERIAL_GLASS, .specular = {1, 1, 1}, .ior = 1.5f, .flops = 2},
    [CHROME] = {.kind = MATERIAL_CHROME, .specular = {0.9f, 0.8f, 0.7f}, .flops = 3},
    [GLOSSY] = {.kind = MATERIAL_GLOSSY, .diffuse = {0.6f, 0.4f, 0.3f}, .exponent = 0.25f, .ior = 1.6f, .flops = 4},
    [METAL] = {.kind = MATERIAL_REFLECTIVE, .specular = {0.9f, 0.6f, 0.3f}, .exponent = 0.2f, .flops = 5},
    [SHEET] = {.kind = MATERIAL_TRANSPARENT, .specular = {1, 1, 1}, .ior = 1.5f},
    [TWO] = {.kind = MATERIAL_BLEND, .branches = {LAMBERT, GLOSSY}, .weight = 0.3f},
    [NESTED] = {.kind = MATERIAL_BLEND, .branches = {TWO, METAL}, .weight = 0.25f},
    [MIRRORS] = {.kind = MATERIAL_BLEND_SPECULAR, .branches = {GLASS, CHROME}, .weight = 0.5f},
    [MIXED] = {.kind = MATERIAL_BLEND, .branches = {NESTED, CHROME}, .weight = 0.2f},
    [ALL] = {.kind = MATERIAL_BLEND, .branches = {MIXED, MIRRORS}, .weight = 0.4f},
};

static struct frame_args frame_with(int32_t set)
{
    struct frame_args frame;
    memset(&frame, 0, sizeof frame);
    frame.config.materials = set;
    frame.scene.materials = materials;
    frame.scene.material_count = MATERIALS;
    return frame;
}

static const struct vec3 up = {0, 0, 1};

static struct vec3 direction(double z, double turns)
{
    const double r = sqrt(1 - z * z);
    return vec3_make((float)(r * cos(2 * M_PI * turns)), (float)(r * sin(2 * M_PI * turns)), (float)z);
}

static struct vec3 any_direction(uint64_t *random)
{
    const double z = 0.02 + 0.98 * random_fraction(random);
    return direction(z, random_fraction(random));
}

static struct bsdf_sample draw(const struct frame_args *frame, int material, struct vec3 wo, uint64_t *random,
                               uint32_t *flops)
{
    const float lobe = unit_from_bits((uint32_t)(random_fraction(random) * 0x1p32));
    const float u = unit_from_bits((uint32_t)(random_fraction(random) * 0x1p32));
    const float v = unit_from_bits((uint32_t)(random_fraction(random) * 0x1p32));
    return bsdf_draw(frame, &materials[material], up, wo, true, lobe, u, v, flops);
}

// ---- draws against densities

enum { ROWS = 10, COLUMNS = 16, FINE = 12, DRAWS = 100000 };

// What the density gives a cell of equal rows of height and columns of azimuth, by midpoints.
static double cell_share(const struct frame_args *frame, int material, struct vec3 wo, int row, int column)
{
    double sum = 0;
    for (int i = 0; i < FINE; ++i)
        for (int k = 0; k < FINE; ++k)
            sum +=
                (double)bsdf_density(frame, &materials[material], up, wo,
                                     direction((row + (i + 0.5) / FINE) / ROWS, (column + (k + 0.5) / FINE) / COLUMNS));
    return sum * 2 * M_PI / (ROWS * COLUMNS * FINE * FINE);
}

static void check_histogram(const struct frame_args *frame, int material, struct vec3 wo, uint64_t *random)
{
    int found[ROWS][COLUMNS] = {{0}}, cells = 0;
    double chi = 0;
    uint32_t flops;
    for (int i = 0; i < DRAWS; ++i) {
        const struct bsdf_sample sample = draw(frame, material, wo, random, &flops);
        if (!sample.valid || sample.specular)
            continue;
        const double z = (double)sample.direction.z;
        const double turns = atan2((double)sample.direction.y, (double)sample.direction.x) / (2 * M_PI);
        found[z < 1 ? (int)(z * ROWS) : ROWS - 1][(int)((turns < 0 ? turns + 1 : turns) * COLUMNS) % COLUMNS] += 1;
    }
    for (int row = 0; row < ROWS; ++row)
        for (int column = 0; column < COLUMNS; ++column) {
            const double wanted = DRAWS * cell_share(frame, material, wo, row, column);
            if (wanted < 10)
                continue;
            chi += (found[row][column] - wanted) * (found[row][column] - wanted) / wanted;
            ++cells;
        }
    print_message("material %d, cosine %.2f: chi-square %.1f over %d cells\n", material, (double)wo.z, chi, cells);
    assert_true(cells > 20 && chi < cells + 5 * sqrt(2.0 * cells));
}

TEST(draws_follow_their_density)
{
    const struct frame_args frame = frame_with(MATERIALS_TREE);
    const int tried[] = {GLOSSY, METAL, TWO, NESTED, ALL};
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; ++i)
        for (int tilt = 0; tilt < 2; ++tilt)
            check_histogram(&frame, tried[i], direction(0.9 - 0.5 * tilt, 0.1), &random);
}

// ---- microfacets against the textbook

static double ggx(double alpha, double cosine)
{
    const double tangent2 = (1 - cosine * cosine) / (cosine * cosine), c4 = cosine * cosine * cosine * cosine;
    return alpha * alpha / (M_PI * c4 * pow(alpha * alpha + tangent2, 2));
}

static double smith(double alpha, double cosine)
{
    return 2 / (1 + sqrt(1 + alpha * alpha * (1 - cosine * cosine) / (cosine * cosine)));
}

static double fresnel(double cosine, double index)
{
    const double inner = sqrt(1 - (1 - cosine * cosine) / (index * index));
    const double s = (cosine - index * inner) / (cosine + index * inner);
    const double p = (index * cosine - inner) / (index * cosine + inner);
    return (s * s + p * p) / 2;
}

// Red of glossy or metal as Yocto/GL has it, without the cosine; of glossy's base a thousandth less.
static double wanted_value(const struct material *material, struct vec3 wo, struct vec3 wi)
{
    double half[3] = {(double)wo.x + (double)wi.x, (double)wo.y + (double)wi.y, (double)wo.z + (double)wi.z};
    const double length = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    const double facing = (half[0] * (double)wi.x + half[1] * (double)wi.y + half[2] * (double)wi.z) / length;
    const double alpha = (double)material->exponent, o = (double)wo.z, i = (double)wi.z,
                 base = (double)material->specular.x;
    const double facets = ggx(alpha, half[2] / length) * smith(alpha, o) * smith(alpha, i) / (4 * o * i);
    if (material->kind == MATERIAL_REFLECTIVE)
        return facets * (base + (1 - base) * pow(1 - facing, 5));
    const double ior = (double)material->ior;
    return facets * fresnel(facing, ior) + 0.999 * (double)material->diffuse.x / M_PI * (1 - fresnel(o, ior));
}

TEST(microfacets_are_those_of_the_textbook)
{
    const struct frame_args frame = frame_with(MATERIALS_TREE);
    uint64_t random = 11;
    for (int i = 0; i < 20000; ++i) {
        const struct vec3 wo = any_direction(&random), wi = any_direction(&random);
        struct material material = materials[i % 2 ? GLOSSY : METAL];
        material.exponent = (float)(0.01 + 0.99 * random_fraction(&random));
        const double wanted = wanted_value(&material, wo, wi);
        const double value = (double)bsdf_evaluate(&frame, &material, up, wo, wi).x;
        assert_true(fabs(value - wanted) < 2e-3 * wanted + 1e-6);
    }
}

// ---- reciprocity, energy

TEST(those_without_a_coat_are_reciprocal)
{
    const struct frame_args frame = frame_with(MATERIALS_TREE);
    uint64_t random = 17;
    for (int i = 0; i < 5000; ++i) {
        const struct vec3 wo = any_direction(&random), wi = any_direction(&random);
        struct material coat = materials[GLOSSY];
        coat.diffuse = vec3_splat(0);
        const struct material *const tried[] = {&materials[LAMBERT], &materials[BLINN], &materials[METAL], &coat};
        for (size_t m = 0; m < sizeof tried / sizeof *tried; ++m) {
            const float there = bsdf_evaluate(&frame, tried[m], up, wo, wi).x;
            const float back = bsdf_evaluate(&frame, tried[m], up, wi, wo).x;
            assert_true(fabsf(there - back) <= 1e-3f * there + 1e-6f);
        }
    }
}

// Mean weight of what is drawn is the albedo: at most 1, and that of the evaluated part what uniform directions give.
TEST(no_more_leaves_than_arrives)
{
    const struct frame_args frame = frame_with(MATERIALS_TREE);
    const int tried[] = {GLOSSY, METAL, SHEET, TWO, NESTED, MIRRORS, ALL};
    enum { COUNT = 60000 };
    uint64_t random = 23;
    for (size_t m = 0; m < sizeof tried / sizeof *tried; ++m)
        for (int tilt = 0; tilt < 3; ++tilt) {
            const struct vec3 wo = direction(0.95 - 0.35 * tilt, 0.3);
            double sampled = 0, specular = 0, evaluated = 0;
            for (int i = 0; i < COUNT; ++i) {
                uint32_t flops;
                const struct bsdf_sample sample = draw(&frame, tried[m], wo, &random, &flops);
                if (sample.valid)
                    *(sample.specular ? &specular : &sampled) += (double)sample.weight.x / COUNT;
                const struct vec3 wi = direction(random_fraction(&random), random_fraction(&random));
                evaluated +=
                    (double)(bsdf_evaluate(&frame, &materials[tried[m]], up, wo, wi).x * wi.z) * 2 * M_PI / COUNT;
            }
            print_message("material %d, cosine %.2f: sampled %.4f, evaluated %.4f, specular %.4f\n", tried[m],
                          (double)wo.z, sampled, evaluated, specular);
            assert_true(fabs(sampled - evaluated) < 0.02 && sampled + specular < 1.01);
            assert_true(material_is_specular(&frame, &materials[tried[m]]) == (evaluated == 0.0));
        }
}

// In a white furnace what loses nothing gives back all, draw by draw: mirrors, sheets, white Lambertian surfaces, and any
// blend of them.
TEST(white_blends_lose_nothing)
{
    const struct material white[] = {{.kind = MATERIAL_LAMBERT, .diffuse = {1, 1, 1}},
                                     {.kind = MATERIAL_CHROME, .specular = {1, 1, 1}},
                                     {.kind = MATERIAL_TRANSPARENT, .specular = {1, 1, 1}, .ior = 1.5f},
                                     {.kind = MATERIAL_BLEND, .branches = {0, 1}, .weight = 0.35f},
                                     {.kind = MATERIAL_BLEND, .branches = {3, 2}, .weight = 0.6f}};
    struct frame_args frame = frame_with(MATERIALS_TREE);
    frame.scene.materials = white;
    uint64_t random = 29;
    for (int i = 0; i < 20000; ++i) {
        uint32_t flops;
        const struct bsdf_sample sample =
            bsdf_draw(&frame, &white[4], up, any_direction(&random), true, (float)(random_fraction(&random) * 0.999),
                      (float)(random_fraction(&random) * 0.999), (float)random_fraction(&random), &flops);
        assert_true(sample.valid && sample.weight.x == 1.0f);
        assert_true(fabsf(vec3_dot(sample.direction, sample.direction) - 1.0f) < 1e-5f);
    }
    struct material metal = materials[METAL]; // almost a mirror, almost white: what shadowing takes is little
    metal.exponent = 0.01f;
    metal.specular = vec3_splat(1);
    double sum = 0;
    for (int i = 0; i < 20000; ++i) {
        uint32_t flops;
        const struct bsdf_sample sample =
            bsdf_draw(&frame, &metal, up, direction(0.8, 0), true, 0.5f, (float)random_fraction(&random),
                      (float)random_fraction(&random), &flops);
        sum += sample.valid ? (double)sample.weight.x / 20000 : 0;
    }
    assert_true(sum > 0.99 && sum < 1.001);
}

// ---- blends

static double summed(const struct frame_args *frame, int material, struct vec3 wo, struct vec3 wi, bool density)
{
    const struct material *m = &materials[material];
    if (m->kind < MATERIAL_BLEND)
        return density ? (double)bsdf_density(frame, m, up, wo, wi) : (double)bsdf_evaluate(frame, m, up, wo, wi).y;
    return (1 - (double)m->weight) * summed(frame, (int)m->branches[0], wo, wi, density) +
           (double)m->weight * summed(frame, (int)m->branches[1], wo, wi, density);
}

TEST(a_blend_is_its_weighted_sum)
{
    const struct frame_args frame = frame_with(MATERIALS_TREE);
    uint64_t random = 31;
    for (int i = 0; i < 5000; ++i)
        for (int m = TWO; m < MATERIALS; ++m) {
            const struct vec3 wo = any_direction(&random), wi = any_direction(&random);
            const double value = summed(&frame, m, wo, wi, false), density = summed(&frame, m, wo, wi, true);
            assert_true(fabs((double)bsdf_evaluate(&frame, &materials[m], up, wo, wi).y - value) < 1e-5 * value + 1e-9);
            assert_true(fabs((double)bsdf_density(&frame, &materials[m], up, wo, wi) - density) <
                        1e-5 * density + 1e-9);
        }
}

// Leaves are told by their costs. What is left of the random number is as even as before.
TEST(branches_are_chosen_by_their_weights)
{
    enum { COUNT = 200000, BINS = 16 };
    const struct frame_args frame = frame_with(MATERIALS_TREE);
    const double wanted[] = {0,
                             0.6 * 0.8 * 0.75 * 0.7, // lambert
                             0.4 * 0.5,              // glass
                             0.6 * 0.2 + 0.4 * 0.5,  // chrome
                             0.6 * 0.8 * 0.75 * 0.3, // glossy
                             0.6 * 0.8 * 0.25};      // metal
    int found[6] = {0}, bins[BINS] = {0};
    uint64_t random = 37;
    for (int i = 0; i < COUNT; ++i) {
        float lobe = unit_from_bits((uint32_t)(random_fraction(&random) * 0x1p32));
        const struct material leaf = blend_choose(&frame, &materials[ALL], &lobe);
        assert_true(lobe >= 0.0f && lobe < 1.0f && leaf.flops > 0 && leaf.flops < 6);
        found[leaf.flops] += 1;
        bins[(int)(lobe * BINS)] += 1;
    }
    double chi = 0;
    for (int leaf = 1; leaf < 6; ++leaf) {
        const double sigma = sqrt(wanted[leaf] * (1 - wanted[leaf]) / COUNT);
        assert_true(fabs((double)found[leaf] / COUNT - wanted[leaf]) < 4.5 * sigma);
    }
    for (int i = 0; i < BINS; ++i)
        chi += pow(bins[i] - COUNT / (double)BINS, 2) / (COUNT / (double)BINS);
    assert_true(chi < 45); // 1 in 10,000 for even numbers
    const float ends[] = {0.0f, 1.0f};
    for (int i = 0; i < 2; ++i) { // a weight of 0 or 1 leaves one branch alone
        struct material blend = materials[TWO];
        float lobe = 0.99999994f;
        blend.weight = ends[i];
        assert_int_equal(blend_choose(&frame, &blend, &lobe).kind, i ? MATERIAL_GLOSSY : MATERIAL_LAMBERT);
        lobe = 0.0f;
        assert_int_equal(blend_choose(&frame, &blend, &lobe).kind, i ? MATERIAL_GLOSSY : MATERIAL_LAMBERT);
    }
}

// The deepest blend that kernels must be able to walk: all of its leaves are met once, those of one chain or of a full tree.
TEST(walks_meet_every_leaf)
{
    struct material chain[BLEND_DEPTH + 1], full[BLEND_DEPTH + 1];
    memset(chain, 0, sizeof chain);
    chain[0].kind = MATERIAL_LAMBERT;
    for (uint32_t i = 1; i <= BLEND_DEPTH; ++i)
        chain[i] = (struct material){.kind = MATERIAL_BLEND, .branches = {i - 1, 0}, .weight = 0.5f};
    memcpy(full, chain, sizeof full);
    for (uint32_t i = 1; i <= BLEND_DEPTH; ++i)
        full[i].branches[1] = i - 1;
    const struct material *const trees[] = {chain, full};
    const int leaves[] = {BLEND_DEPTH + 1, 1 << BLEND_DEPTH};
    for (int t = 0; t < 2; ++t) {
        struct frame_args frame = frame_with(MATERIALS_TREE);
        frame.scene.materials = trees[t];
        struct blend_walk walk = blend_begin(&frame, &trees[t][BLEND_DEPTH]);
        double weights = 0;
        int met = 0;
        do {
            assert_int_equal(walk.leaf.kind, MATERIAL_LAMBERT);
            assert_true(walk.waiting <= BLEND_DEPTH);
            weights += (double)walk.weight;
            ++met;
        } while (blend_next(&frame, &walk));
        assert_int_equal(met, leaves[t]);
        assert_true(weights == 1.0);
    }
}

// ---- costs

// The recurrence x -> 0.999 x + 0.001, so many times, shows through where the zero is made a one.
static double after(double x, uint32_t flops)
{
    for (uint32_t i = 0; i < flops; ++i)
        x = 0.999 * x + 0.001;
    return x;
}

TEST(costs_are_spent_and_change_nothing)
{
    struct frame_args frame = frame_with(MATERIALS_TREE);
    const struct vec3 wo = direction(0.7, 0.2), wi = direction(0.5, 0.6);
    for (int m = 0; m < MATERIALS; ++m) {
        struct material free = materials[m];
        free.flops = 0;
        const struct vec3 paid = bsdf_evaluate(&frame, &materials[m], up, wo, wi);
        const struct vec3 plain = bsdf_evaluate(&frame, &free, up, wo, wi);
        assert_memory_equal(&paid, &plain, sizeof paid);
        const struct bsdf_sample a = bsdf_sample_direction(&frame, &materials[m], up, wo, true, 0.3f, 0.4f, 0.5f);
        const struct bsdf_sample b = bsdf_sample_direction(&frame, &free, up, wo, true, 0.3f, 0.4f, 0.5f);
        assert_true(a.valid == b.valid && !memcmp(&a.weight, &b.weight, sizeof a.weight));
    }
    const double plain = (double)bsdf_evaluate(&frame, &materials[ALL], up, wo, wi).x;
    const double drawn = (double)bsdf_sample_direction(&frame, &materials[METAL], up, wo, true, 0, 0.4f, 0.5f).weight.x;
    frame.zero = 1.0f;
    frame.dummy_flops = 100;
    const uint32_t leaves = 1 + 4 + 5 + 3 + 2 + 3; // of the blend
    const double paid = (double)bsdf_evaluate(&frame, &materials[ALL], up, wo, wi).x;
    assert_true(fabs(paid - plain - after(plain, leaves + 100)) < 1e-5);
    const double weight =
        (double)bsdf_sample_direction(&frame, &materials[METAL], up, wo, true, 0, 0.4f, 0.5f).weight.x;
    assert_true(fabs(weight - drawn - after(drawn, materials[METAL].flops + 100)) < 1e-5);
}

// The five kinds that there were are the same to the last bit, and the sets without a tree take no notice of costs.
TEST(the_five_kinds_are_as_before)
{
    const struct frame_args scene = frame_with(MATERIALS_SCENE), tree = frame_with(MATERIALS_TREE);
    uint64_t random = 41;
    for (int i = 0; i < 20000; ++i) {
        const struct material *material = &materials[i % (CHROME + 1)];
        const struct vec3 wo = any_direction(&random), wi = any_direction(&random);
        const struct vec3 a = bsdf_evaluate(&scene, material, up, wo, wi),
                          b = bsdf_evaluate(&tree, material, up, wo, wi);
        assert_memory_equal(&a, &b, sizeof a);
        assert_true(bsdf_density(&scene, material, up, wo, wi) == bsdf_density(&tree, material, up, wo, wi));
        const float lobe = (float)random_fraction(&random), u = (float)random_fraction(&random),
                    v = (float)random_fraction(&random);
        const struct bsdf_sample c = bsdf_sample_direction(&scene, material, up, wo, true, lobe, u, v);
        const struct bsdf_sample d = bsdf_sample_direction(&tree, material, up, wo, true, lobe, u, v);
        assert_true(c.valid == d.valid && c.specular == d.specular);
        assert_memory_equal(&c.direction, &d.direction, sizeof c.direction);
        assert_memory_equal(&c.weight, &d.weight, sizeof c.weight);
    }
}

// Through a sheet: straight on, or mirrored, by Fresnel's share.
TEST(a_sheet_does_not_bend_light)
{
    const struct frame_args frame = frame_with(MATERIALS_TREE);
    enum { COUNT = 50000 };
    const struct vec3 wo = direction(0.5, 0.15);
    uint64_t random = 43;
    int through = 0;
    for (int i = 0; i < COUNT; ++i) {
        uint32_t flops;
        const struct bsdf_sample sample = draw(&frame, SHEET, wo, &random, &flops);
        assert_true(sample.valid && sample.specular);
        const float sign = sample.direction.z < 0 ? -1.0f : 1.0f;
        through += sign < 0;
        assert_true(fabsf(sample.direction.x + wo.x) < 1e-6f && fabsf(sample.direction.z - sign * wo.z) < 1e-6f);
    }
    const double share = 1 - fresnel(0.5, 1.5);
    assert_true(fabs((double)through / COUNT - share) < 4.5 * sqrt(share * (1 - share) / COUNT));
}
