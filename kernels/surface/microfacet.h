// SPDX-License-Identifier: MIT
// Materials of Yocto/GL whose highlight is that of rough microfacets: a dielectric coat over a
// diffuse base, and metal; and a thin sheet of glass. Smith's shadowing is that of both sides apart. A material's alpha is
// the square of its roughness.
#pragma once

#include "lib/microfacet.h"
#include "surface/directions.h"

// Share of the light in the base that comes out again where diffuse is 1. What enters is reckoned by Fresnel at the flat
// surface, but facets reflect more than that does by up to 0.00075 of it (index 1.25, alpha 0.09, 51 degrees): with 1, a
// white base would give back 1.0007 of the light.
#define MICROFACET_BASE 0.999f

DEVICE bool material_is_rough(const struct material *material)
{
    return material->kind == MATERIAL_GLOSSY || material->kind == MATERIAL_REFLECTIVE;
}

// Share of the light that a facet reflects; `cosine` is that of its normal with the light. Of metal by Schlick's formula.
DEVICE struct vec3 microfacet_reflectance(const struct material *material, float cosine)
{
    if (material->kind == MATERIAL_GLOSSY)
        return vec3_splat(fresnel_dielectric(minimum_f32(cosine, 1.0f), material->ior));
    const float x = maximum_f32(1.0f - cosine, 0.0f), x2 = x * x;
    return vec3_fma(vec3_sub(vec3_splat(1.0f), material->specular), x2 * x2 * x, material->specular);
}

// Share of directions drawn from the facets; the rest are drawn from the base.
DEVICE float microfacet_share(const struct material *material, float viewer)
{
    return material->kind == MATERIAL_GLOSSY ? fresnel_dielectric(minimum_f32(viewer, 1.0f), material->ior) : 1.0f;
}

DEVICE struct vec3 microfacet_evaluate(const struct material *material, struct vec3 n, struct vec3 wo, struct vec3 wi)
{
    const float alpha = material->exponent, viewer = vec3_dot(n, wo), light = vec3_dot(n, wi);
    if (!(viewer > 0.0f && light > 0.0f))
        return vec3_splat(0.0f);
    const struct vec3 halfway = vec3_normalize(vec3_add(wo, wi));
    const float facets = microfacet_distribution(alpha, half_sine2(n, wo, wi)) * microfacet_shadowing(alpha, viewer) *
                         microfacet_shadowing(alpha, light);
    struct vec3 value = vec3_scale(microfacet_reflectance(material, vec3_dot(wi, halfway)), facets);
    if (material->kind == MATERIAL_GLOSSY)
        value =
            vec3_fma(material->diffuse, MICROFACET_BASE / PI_F * (1.0f - microfacet_share(material, viewer)), value);
    return value;
}

DEVICE float microfacet_density(const struct material *material, struct vec3 n, struct vec3 wo, struct vec3 wi)
{
    const struct vec3 halfway = vec3_normalize(vec3_add(wo, wi));
    const float share = microfacet_share(material, maximum_f32(vec3_dot(n, wo), 0.0f));
    const float ch = maximum_f32(vec3_dot(n, halfway), 0.0f), co = vec3_dot(wo, halfway);
    float facets = 0.0f;
    if (co > 1e-6f)
        facets = microfacet_distribution(material->exponent, half_sine2(n, wo, wi)) * ch / (4.0f * co);
    return fmaf(share, facets, (1.0f - share) * maximum_f32(vec3_dot(n, wi), 0.0f) / PI_F);
}

DEVICE void sample_microfacet(const struct material *material, struct vec3 n, struct vec3 wo, float lobe, float u,
                              float v, struct bsdf_sample *sample)
{
    const float alpha = material->exponent;
    if (lobe < microfacet_share(material, maximum_f32(vec3_dot(n, wo), 0.0f))) {
        float sine, cosine;
        sincos_turns(v, &sine, &cosine);
        const float ch2 = (1.0f - u) / fmaf(alpha * alpha - 1.0f, u, 1.0f);
        const float ch = sqrtf(ch2), sh = sqrtf(maximum_f32(1.0f - ch2, 0.0f));
        sample->direction = mirror_direction(basis_direction(n, sh * cosine, sh * sine, ch), wo);
    } else {
        sample->direction = cosine_direction(n, u, v);
    }
    const float cosine = vec3_dot(sample->direction, n);
    const float density = microfacet_density(material, n, wo, sample->direction);
    sample->specular = false;
    sample->valid = cosine > 0.0f && density > 1e-12f;
    if (sample->valid)
        sample->weight = vec3_scale(microfacet_evaluate(material, n, wo, sample->direction), cosine / density);
}

// A sheet of glass without thickness: a mirror by Fresnel; all else passes straight through, tinted.
DEVICE void sample_sheet(const struct material *material, struct vec3 n, struct vec3 wo, float lobe,
                         struct bsdf_sample *sample)
{
    sample_mirror(vec3_splat(1.0f), n, wo, sample);
    if (lobe < fresnel_dielectric(minimum_f32(vec3_dot(n, wo), 1.0f), material->ior))
        return;
    sample->direction = vec3_negate(wo);
    sample->weight = material->specular;
    sample->valid = true;
}
