// SPDX-License-Identifier: MIT
// What a material reflects of the light from one direction, by quadrature over the hemisphere at 20 angles and over the
// bounds of its parameters: at most all of it, and as much as the draws carry. The mirrors' part, which no quadrature
// finds, is Fresnel's formula in double precision.
#include "surface/extend.h"

#include "check.h"
#include "base/random.h"

enum { ANGLES = 20 };

static struct frame_args frame_of(const struct material *materials)
{
    struct frame_args frame;
    memset(&frame, 0, sizeof frame);
    frame.config.materials = MATERIALS_TREE;
    frame.scene.materials = materials;
    return frame;
}

static double fresnel(double cosine, double index)
{
    const double inner = sqrt(1 - (1 - cosine * cosine) / (index * index));
    const double s = (cosine - index * inner) / (cosine + index * inner);
    const double p = (index * cosine - inner) / (index * cosine + inner);
    return (s * s + p * p) / 2;
}

static double mirrored(const struct frame_args *frame, const struct material *material, double cosine)
{
    const double coat = fresnel(cosine, (double)material->ior), tint = (double)material->specular.x;
    const double weight = (double)material->weight;
    switch (material->kind) {
    case MATERIAL_GLASS:
    case MATERIAL_CHROME: return tint;
    case MATERIAL_CARPAINT: return coat;
    case MATERIAL_TRANSPARENT: return coat + (1 - coat) * tint;
    case MATERIAL_BLEND:
        return (1 - weight) * mirrored(frame, &frame->scene.materials[material->branches[0]], cosine) +
               weight * mirrored(frame, &frame->scene.materials[material->branches[1]], cosine);
    default: return 0;
    }
}

// A surface that is turned, so that its normal's length is off by a rounding, and a viewer.
struct view {
    double axes[3][3], cosine; // the last axis is the normal
    struct vec3 normal, viewer;
};

static struct vec3 along(const struct view *view, const double direction[3])
{
    double sum[3];
    for (int i = 0; i < 3; ++i)
        sum[i] = direction[0] * view->axes[0][i] + direction[1] * view->axes[1][i] + direction[2] * view->axes[2][i];
    return vec3_make((float)sum[0], (float)sum[1], (float)sum[2]);
}

static struct view view_at(double cosine)
{
    struct view view = {{{3, 6, -2}, {-6, 2, -3}, {-2, 3, 6}}, cosine, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 9; ++i)
        view.axes[i / 3][i % 3] /= 7;
    view.normal = along(&view, (const double[]){0, 0, 1});
    view.viewer = along(&view, (const double[]){sqrt(1 - cosine * cosine), 0, cosine});
    return view;
}

// On a lattice in the angles of the half vector, close about the normal, where the narrowest lobe is. No two points are at
// the same angle with the normal, so that roundings average out.
static double reflected(const struct frame_args *frame, const struct material *material, const struct view *view)
{
    enum { ROWS = 300, COLUMNS = 48 };
    const double sine = sqrt(1 - view->cosine * view->cosine);
    double sum = 0;
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
        const double t = (i + 0.5) / (ROWS * COLUMNS), angle = M_PI / 2 * t * t * t;
        const double turn = M_PI * (i % COLUMNS + 0.5) / COLUMNS; // the other half is the same
        const double half[3] = {sin(angle) * cos(turn), sin(angle) * sin(turn), cos(angle)};
        const double facing = sine * half[0] + view->cosine * half[2];
        const double light[3] = {2 * facing * half[0] - sine, 2 * facing * half[1],
                                 2 * facing * half[2] - view->cosine};
        if (facing > 0 && light[2] > 0)
            sum += (double)bsdf_evaluate(frame, material, view->normal, view->viewer, along(view, light)).x * light[2] *
                   4 * facing * sin(angle) * 3 * t * t;
    }
    return sum * M_PI * M_PI / (ROWS * COLUMNS);
}

// Mean weight of the draws within five of its standard deviations of what was found without them.
static void check_draws(const struct frame_args *frame, const struct material *material, const struct view *view,
                        double wanted, uint64_t *random)
{
    enum { COUNT = 4000 };
    double sum = 0, squares = 0;
    for (int i = 0; i < COUNT; ++i) {
        const float lobe = unit_from_bits((uint32_t)(random_fraction(random) * 0x1p32));
        const float u = unit_from_bits((uint32_t)(random_fraction(random) * 0x1p32));
        const float v = unit_from_bits((uint32_t)(random_fraction(random) * 0x1p32));
        const struct bsdf_sample sample =
            bsdf_sample_direction(frame, material, view->normal, view->viewer, true, lobe, u, v);
        const double weight = sample.valid ? (double)sample.weight.x : 0;
        sum += weight / COUNT;
        squares += weight * weight / COUNT;
    }
    const double noise = sqrt(fmax(squares - sum * sum, 0) / COUNT);
    if (fabs(sum - wanted) > 5 * noise + 2e-3)
        fail_msg("kind %u, exponent %g, cosine %.3f: draws carry %.5f, wanted %.5f", material->kind,
                 (double)material->exponent, view->cosine, sum, wanted);
}

// The largest of the 20; *first is that of the viewer above the surface.
static double largest(const struct frame_args *frame, const struct material *material, double *first)
{
    double most = 0;
    uint64_t random = 47;
    for (int i = 0; i < ANGLES; ++i) {
        const struct view view = view_at(cos(M_PI / 2 * i / ANGLES));
        const double albedo = reflected(frame, material, &view) + mirrored(frame, material, view.cosine);
        check_draws(frame, material, &view, albedo, &random);
        most = fmax(most, albedo);
        *first = i == 0 ? albedo : *first;
    }
    print_message("kind %u, exponent or alpha %g, index %g, diffuse %g: %.6f, at most %.6f\n", material->kind,
                  (double)material->exponent, (double)material->ior, (double)material->diffuse.x, *first, most);
    return most;
}

static void check_material(const struct frame_args *frame, const struct material *material, bool all_at_first)
{
    double first = 0;
    const double most = largest(frame, material, &first);
    assert_true(most <= 1 + 1e-4); // roundings, and what the lattice leaves
    assert_true(!all_at_first || fabs(first - 1) < 1e-4);
}

static const float exponents[] = {0, 0.1f, 1, 2, 7, 10, 50, 1e3f, 1e5f, 1e6f};
static const float indices[] = {1, 1.1f, 1.33f, 1.5f, 2, 4};
static const float alphas[] = {0.01f, 0.0225f, 0.04f, 0.09f, 0.16f, 0.25f, 0.49f, 1};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

TEST(a_lobe_gives_all_straight_back_and_no_more)
{
    const struct frame_args frame = frame_of(NULL);
    for (size_t e = 0; e < COUNT_OF(exponents); ++e)
        for (int split = 1; split <= 2; ++split) {
            const float specular = 0.5f * (float)split;
            struct material material = {.diffuse = vec3_splat(1 - specular), .specular = vec3_splat(specular)};
            material.exponent = exponents[e];
            material.kind = MATERIAL_BLINN;
            check_material(&frame, &material, true);
            material.kind = MATERIAL_CARPAINT;
            material.ior = indices[(e + (size_t)split) % COUNT_OF(indices)];
            check_material(&frame, &material, true);
        }
}

TEST(microfacets_give_no_more_than_all)
{
    const struct frame_args frame = frame_of(NULL);
    for (size_t a = 0; a < COUNT_OF(alphas); ++a) {
        struct material material = {.kind = MATERIAL_REFLECTIVE, .specular = {1, 1, 1}, .exponent = alphas[a]};
        check_material(&frame, &material, false);
        material = (struct material){.kind = MATERIAL_GLOSSY, .diffuse = {1, 1, 1}, .exponent = alphas[a]};
        for (size_t i = 0; i < COUNT_OF(indices); ++i) {
            material.ior = indices[i];
            check_material(&frame, &material, false);
        }
    }
}

TEST(so_do_the_others_and_their_blends)
{
    const struct material white[] = {
        {.kind = MATERIAL_LAMBERT, .diffuse = {1, 1, 1}},
        {.kind = MATERIAL_CHROME, .specular = {1, 1, 1}},
        {.kind = MATERIAL_GLASS, .specular = {1, 1, 1}, .ior = 4},
        {.kind = MATERIAL_TRANSPARENT, .specular = {1, 1, 1}, .ior = 1.5f},
        {.kind = MATERIAL_BLINN, .specular = {1, 1, 1}, .exponent = 7},
        {.kind = MATERIAL_GLOSSY, .diffuse = {1, 1, 1}, .exponent = 0.09f, .ior = 1.33f},
        {.kind = MATERIAL_BLEND, .branches = {4, 5}, .weight = 0.3f},
        {.kind = MATERIAL_BLEND, .branches = {6, 3}, .weight = 0.1f},
        {.kind = MATERIAL_BLEND, .branches = {0, 7}, .weight = 0.7f},
    };
    const struct frame_args frame = frame_of(white);
    for (size_t i = 0; i < COUNT_OF(white); ++i)
        check_material(&frame, &white[i], white[i].kind < MATERIAL_GLOSSY);
}
