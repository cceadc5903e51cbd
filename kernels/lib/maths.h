// SPDX-License-Identifier: MIT
// Elementary functions from correctly rounded operations alone, so that both sides give the same bits. Coefficients are
// the single-precision minimax polynomials of the Cephes library (S. L. Moshier); absolute errors are below 2e-7 unless
// said.
#pragma once

#include "lib/platform.h"

#define PI_F 3.14159265f

// sin and cos of 2 pi u, for |u| <= 1.
DEVICE void sincos_turns(float u, float *sine, float *cosine)
{
    const float quarter = rintf(4.0f * u);
    const float x = fmaf(-0.25f, quarter, u) * 6.28318531f; // exact difference, |x| <= pi/4
    const float z = x * x;
    const float s = fmaf(fmaf(fmaf(-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f) * z, x, x);
    const float c = fmaf(fmaf(fmaf(2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f), z * z,
                         fmaf(-0.5f, z, 1.0f));
    const int32_t quadrant = (int32_t)quarter & 3;
    const float a = (quadrant & 1) ? c : s, b = (quadrant & 1) ? s : c;
    *sine = (quadrant & 2) ? -a : a;
    *cosine = (quadrant == 1 || quadrant == 2) ? -b : b;
}

// Angle of (x, y) in [-pi, pi]; 0 for (0, 0).
DEVICE float arctangent2(float y, float x)
{
    const float ax = fabsf(x), ay = fabsf(y);
    const float large = maximum_f32(ax, ay), small = minimum_f32(ax, ay);
    if (!(large > 0.0f))
        return 0.0f;
    float a = small / large, base = 0.0f;
    if (a > 0.414213562f) { // tan(pi/8)
        a = (a - 1.0f) / (a + 1.0f);
        base = 0.785398163f;
    }
    const float z = a * a;
    const float p =
        fmaf(fmaf(fmaf(8.05374449538e-2f, z, -1.38776856032e-1f), z, 1.99777106478e-1f), z, -3.33329491539e-1f);
    float angle = base + fmaf(p * z, a, a);
    if (ay > ax)
        angle = 1.57079633f - angle;
    if (x < 0.0f)
        angle = PI_F - angle;
    return y < 0.0f ? -angle : angle;
}

// Angle in [0, pi] whose cosine is c; c is clamped to [-1, 1].
DEVICE float arccosine(float c)
{
    const float x = minimum_f32(maximum_f32(c, -1.0f), 1.0f);
    return arctangent2(sqrtf((1.0f - x) * (1.0f + x)), x);
}

// Base-2 logarithm of a positive normal number; relative error below 1e-6 away from 1, absolute below 2e-7 near it.
DEVICE float logarithm2(float x)
{
    uint32_t bits = f32_bits(x);
    int32_t exponent = (int32_t)(bits >> 23) - 127;
    float mantissa = f32_from_bits((bits & 0x007FFFFFu) | 0x3F800000u);
    if (mantissa > 1.41421356f) {
        mantissa *= 0.5f;
        exponent += 1;
    }
    const float t = (mantissa - 1.0f) / (mantissa + 1.0f), z = t * t;
    const float series = fmaf(fmaf(fmaf(fmaf(0.111111111f, z, 0.142857143f), z, 0.2f), z, 0.333333333f), z, 1.0f);
    return fmaf(2.88539008f * t, series, (float)exponent); // 2 / ln 2
}

// Natural logarithm of a positive normal number; relative error below 4e-7, near 1 too.
DEVICE float logarithm(float x)
{
    return 0.693147181f * logarithm2(x);
}

// 2^x, 0 below -126 and clamped above 127; relative error below 3e-7.
DEVICE float exponential2(float x)
{
    if (!(x >= -126.0f))
        return 0.0f;
    const float y = minimum_f32(x, 127.0f);
    const float whole = rintf(y), f = (y - whole) * 0.693147181f;
    const float series =
        fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(1.0f / 720.0f, f, 1.0f / 120.0f), f, 1.0f / 24.0f), f, 1.0f / 6.0f), f, 0.5f), f,
                  1.0f),
             f, 1.0f);
    return series * f32_from_bits((uint32_t)((int32_t)whole + 127) << 23);
}

// x^y for x in [0, 1] and y >= 0.
DEVICE float power_unit(float x, float y)
{
    if (!(x > 1e-30f))
        return y > 0.0f ? 0.0f : 1.0f;
    return exponential2(y * logarithm2(x));
}
