// SPDX-License-Identifier: MIT
// Surface scattering, by the parameter `materials`: Lambert of albedo 0.7; Wald's five materials behind one switch
// ("uberkernel" shading); blends of these and of more kinds, each with a cost of its own. The first two are compiled
// without the third.
// `n` is the geometric normal turned towards the viewer, `wo` points to the viewer, `wi` to the light; all unit
// vectors.
#pragma once

#include "surface/blend.h"
#include "surface/microfacet.h"

// The material of a triangle as the frame's material set has it; emission stays the scene's.
DEVICE struct material material_of(const struct frame_args *frame, uint32_t index)
{
    struct material material = frame->scene.materials[index];
    if (CONFIG(frame, materials) == MATERIALS_LAMBERT07) {
        material.kind = MATERIAL_LAMBERT;
        material.diffuse = vec3_splat(0.7f);
    }
    return material;
}

// Whether the ray passes: there is nothing to evaluate, and it goes on as it came. Compiled in on request alone.
DEVICE bool material_is_hole(const struct frame_args *frame, const struct material *material)
{
    return CONFIG(frame, opacity) == OPACITY_SCENE && material->kind == MATERIAL_HOLE;
}

// No light sampling can find these: all their light comes from one direction.
DEVICE bool material_is_specular(const struct frame_args *frame, const struct material *material)
{
    if (CONFIG(frame, materials) == MATERIALS_TREE &&
        (material->kind == MATERIAL_TRANSPARENT || material->kind == MATERIAL_BLEND_SPECULAR))
        return true;
    return material->kind == MATERIAL_GLASS || material->kind == MATERIAL_CHROME || material_is_hole(frame, material);
}

// ---- the half-vector lobe: ks c cos^e, Blinn 1977. Its integral with the cosine is ks for a viewer along the normal, and
// less for any other: c = (e + 2) (e + 4) / (8 pi (e + 2^(-e/2))) (F. Giesen, Derivation of Phong and Blinn-Phong BRDF
// Normalization Factors, 2009). The more usual (e + 8) / (8 pi) reflects up to 1.075 ks.

DEVICE float lobe_power(float exponent, struct vec3 n, struct vec3 wo, struct vec3 wi)
{
    return power_unit(1.0f - half_sine2(n, wo, wi), 0.5f * exponent);
}

DEVICE struct vec3 glossy_evaluate(const struct material *material, struct vec3 n, struct vec3 wo, struct vec3 wi)
{
    const float e = material->exponent;
    const float scale = (e + 2.0f) * (e + 4.0f) / (8.0f * PI_F * (e + exponential2(-0.5f * e)));
    return vec3_fma(material->specular, scale * lobe_power(e, n, wo, wi), vec3_scale(material->diffuse, 1.0f / PI_F));
}

// Share of directions drawn from the half-vector lobe.
DEVICE float glossy_share(const struct material *material)
{
    const float diffuse = vec3_luminance(material->diffuse), specular = vec3_luminance(material->specular);
    return diffuse + specular > 0.0f ? specular / (diffuse + specular) : 0.0f;
}

DEVICE float glossy_density(const struct material *material, struct vec3 n, struct vec3 wo, struct vec3 wi, float share)
{
    const float co = vec3_dot(wo, vec3_normalize(vec3_add(wo, wi)));
    float lobe = 0.0f;
    if (co > 1e-6f)
        lobe = (material->exponent + 1.0f) / (2.0f * PI_F) * lobe_power(material->exponent, n, wo, wi) / (4.0f * co);
    return fmaf(share, lobe, (1.0f - share) * maximum_f32(vec3_dot(n, wi), 0.0f) / PI_F);
}

// ---- evaluation and sampling

// Dependent fused multiply-adds on the value, fed back times zero: as many as all materials cost (the dummy arithmetic of
// Wald 2011, section 4.2.5), and `flops` of the material itself.
DEVICE struct vec3 dummy_shading(const struct frame_args *frame, uint32_t flops, struct vec3 value)
{
    float x = value.x;
    for (uint32_t i = 0; i < frame->dummy_flops + flops; ++i)
        x = fmaf(x, 0.999f, 0.001f);
    if (frame->dummy_flops + flops > 0)
        value.x = fmaf(x, frame->zero, value.x);
    return value;
}

DEVICE_ONCE struct vec3 leaf_evaluate(const struct frame_args *frame, const struct material *material, struct vec3 n,
                                      struct vec3 wo, struct vec3 wi)
{
    struct vec3 value = vec3_splat(0.0f);
    switch (material->kind) {
    case MATERIAL_LAMBERT: value = vec3_scale(material->diffuse, 1.0f / PI_F); break;
    case MATERIAL_BLINN: value = glossy_evaluate(material, n, wo, wi); break;
    case MATERIAL_CARPAINT:
        value = vec3_scale(glossy_evaluate(material, n, wo, wi),
                           1.0f - fresnel_dielectric(maximum_f32(vec3_dot(n, wo), 0.0f), material->ior));
        break;
    default:
        if (CONFIG(frame, materials) == MATERIALS_TREE && material_is_rough(material))
            value = microfacet_evaluate(material, n, wo, wi);
        break;
    }
    return value;
}

// BRDF value for light sampling, specular lobes left out; the cosine is not included.
DEVICE_ONCE struct vec3 bsdf_evaluate(const struct frame_args *frame, const struct material *material, struct vec3 n,
                                      struct vec3 wo, struct vec3 wi)
{
    if (CONFIG(frame, materials) != MATERIALS_TREE)
        return dummy_shading(frame, 0, leaf_evaluate(frame, material, n, wo, wi));
    struct blend_walk walk = blend_begin(frame, material);
    struct vec3 sum = vec3_splat(0.0f);
    uint32_t flops = 0;
    do {
        sum = vec3_fma(leaf_evaluate(frame, &walk.leaf, n, wo, wi), walk.weight, sum);
        flops += walk.leaf.flops;
    } while (blend_next(frame, &walk));
    return dummy_shading(frame, flops, sum);
}

DEVICE_ONCE float leaf_density(const struct frame_args *frame, const struct material *material, struct vec3 n,
                               struct vec3 wo, struct vec3 wi)
{
    switch (material->kind) {
    case MATERIAL_LAMBERT: return maximum_f32(vec3_dot(n, wi), 0.0f) / PI_F;
    case MATERIAL_BLINN: return glossy_density(material, n, wo, wi, glossy_share(material));
    case MATERIAL_CARPAINT:
        return (1.0f - fresnel_dielectric(maximum_f32(vec3_dot(n, wo), 0.0f), material->ior)) *
               glossy_density(material, n, wo, wi, glossy_share(material));
    default:
        return CONFIG(frame, materials) == MATERIALS_TREE && material_is_rough(material)
                   ? microfacet_density(material, n, wo, wi)
                   : 0.0f;
    }
}

// Density with which bsdf_draw() draws `wi` from a lobe that is no mirror.
DEVICE_ONCE float bsdf_density(const struct frame_args *frame, const struct material *material, struct vec3 n,
                               struct vec3 wo, struct vec3 wi)
{
    if (CONFIG(frame, materials) != MATERIALS_TREE)
        return leaf_density(frame, material, n, wo, wi);
    struct blend_walk walk = blend_begin(frame, material);
    float sum = 0.0f;
    do
        sum = fmaf(leaf_density(frame, &walk.leaf, n, wo, wi), walk.weight, sum);
    while (blend_next(frame, &walk));
    return sum;
}

DEVICE void sample_lambert(const struct material *material, struct vec3 n, float u, float v, struct bsdf_sample *sample)
{
    sample->direction = cosine_direction(n, u, v);
    sample->weight = material->diffuse;
    sample->specular = false;
    sample->valid = vec3_dot(sample->direction, n) > 0.0f;
}

DEVICE void sample_glossy(const struct material *material, struct vec3 n, struct vec3 wo, float lobe, float u, float v,
                          struct bsdf_sample *sample)
{
    const float share = glossy_share(material);
    if (lobe < share) {
        float sine, cosine;
        sincos_turns(v, &sine, &cosine);
        const float ch = power_unit(1.0f - u, 1.0f / (material->exponent + 1.0f));
        const float sh = sqrtf(maximum_f32(1.0f - ch * ch, 0.0f));
        sample->direction = mirror_direction(basis_direction(n, sh * cosine, sh * sine, ch), wo);
    } else {
        sample->direction = cosine_direction(n, u, v);
    }
    const float cosine = vec3_dot(sample->direction, n);
    const float density = glossy_density(material, n, wo, sample->direction, share);
    sample->specular = false;
    sample->valid = cosine > 0.0f && density > 1e-12f;
    if (sample->valid)
        sample->weight = vec3_scale(glossy_evaluate(material, n, wo, sample->direction), cosine / density);
}

// `entering`: the viewer is on the side that the triangle's own normal points to, which is outside the glass.
DEVICE void sample_glass(const struct material *material, struct vec3 n, struct vec3 wo, bool entering, float lobe,
                         struct bsdf_sample *sample)
{
    const float eta = entering ? material->ior : 1.0f / material->ior;
    const float cosine = minimum_f32(vec3_dot(n, wo), 1.0f);
    sample_mirror(material->specular, n, wo, sample);
    if (lobe < fresnel_dielectric(cosine, eta))
        return;
    sample->direction = refracted_direction(n, wo, cosine, eta);
    sample->valid = vec3_dot(sample->direction, n) < 0.0f;
}

DEVICE void sample_carpaint(const struct material *material, struct vec3 n, struct vec3 wo, float lobe, float u,
                            float v, struct bsdf_sample *sample)
{
    const float coat = fresnel_dielectric(maximum_f32(vec3_dot(n, wo), 0.0f), material->ior);
    if (lobe < coat)
        sample_mirror(vec3_splat(1.0f), n, wo, sample);
    else
        sample_glossy(material, n, wo, (lobe - coat) / (1.0f - coat), u, v, sample);
}

DEVICE_ONCE struct bsdf_sample leaf_draw(const struct frame_args *frame, const struct material *material, struct vec3 n,
                                         struct vec3 wo, bool entering, float lobe, float u, float v)
{
    struct bsdf_sample sample;
    sample.direction = n;
    sample.weight = vec3_splat(0.0f);
    sample.specular = false;
    sample.valid = false;
    switch (material->kind) {
    case MATERIAL_LAMBERT: sample_lambert(material, n, u, v, &sample); break;
    case MATERIAL_BLINN: sample_glossy(material, n, wo, lobe, u, v, &sample); break;
    case MATERIAL_GLASS: sample_glass(material, n, wo, entering, lobe, &sample); break;
    case MATERIAL_CHROME: sample_mirror(material->specular, n, wo, &sample); break;
    case MATERIAL_CARPAINT: sample_carpaint(material, n, wo, lobe, u, v, &sample); break;
    default:
        if (CONFIG(frame, materials) == MATERIALS_TREE && material_is_rough(material))
            sample_microfacet(material, n, wo, lobe, u, v, &sample);
        else if (CONFIG(frame, materials) == MATERIALS_TREE && material->kind == MATERIAL_TRANSPARENT)
            sample_sheet(material, n, wo, lobe, &sample);
        break;
    }
    return sample;
}

// *flops is set to what the material costs besides, where it has a cost of its own.
DEVICE_ONCE struct bsdf_sample bsdf_draw(const struct frame_args *frame, const struct material *material, struct vec3 n,
                                         struct vec3 wo, bool entering, float lobe, float u, float v, uint32_t *flops)
{
    if (CONFIG(frame, materials) != MATERIALS_TREE)
        return leaf_draw(frame, material, n, wo, entering, lobe, u, v);
    const struct material leaf = blend_choose(frame, material, &lobe);
    *flops = leaf.flops;
    return leaf_draw(frame, &leaf, n, wo, entering, lobe, u, v);
}

DEVICE struct bsdf_sample bsdf_sample_direction(const struct frame_args *frame, const struct material *material,
                                                struct vec3 n, struct vec3 wo, bool entering, float lobe, float u,
                                                float v)
{
    uint32_t flops = 0;
    struct bsdf_sample sample = bsdf_draw(frame, material, n, wo, entering, lobe, u, v, &flops);
    sample.weight = dummy_shading(frame, flops, sample.weight);
    return sample;
}
