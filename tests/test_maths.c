// SPDX-License-Identifier: MIT
// The elementary functions against the C library in double precision.
#include "lib/maths.h"

#include "check.h"

static double worst;

static void note(double got, double want)
{
    const double error = fabs(got - want);
    if (!(error <= worst))
        worst = error;
}

TEST(test_sincos)
{
    worst = 0;
    for (int i = -1000000; i <= 1000000; ++i) {
        const float u = (float)i * 1e-6f;
        float sine, cosine;
        sincos_turns(u, &sine, &cosine);
        note(sine, sin(2.0 * M_PI * (double)u));
        note(cosine, cos(2.0 * M_PI * (double)u));
    }
    print_message("sincos_turns: worst error %.3g\n", worst);
    assert_true(worst < 3e-7);
}

TEST(test_arctangent)
{
    worst = 0;
    for (int i = 0; i < 1000000; ++i) {
        const double angle = -M_PI + 2.0 * M_PI * (i + 0.5) / 1000000.0, radius = 0.001 + i % 977;
        const float x = (float)(radius * cos(angle)), y = (float)(radius * sin(angle));
        note(arctangent2(y, x), atan2((double)y, (double)x));
    }
    print_message("arctangent2: worst error %.3g\n", worst);
    assert_true(worst < 4e-7);
    assert_true(arctangent2(0.0f, 0.0f) == 0.0f);
    worst = 0;
    for (int i = -1000000; i <= 1000000; ++i)
        note(arccosine((float)i * 1e-6f), acos((double)((float)i * 1e-6f)));
    print_message("arccosine: worst error %.3g\n", worst);
    assert_true(worst < 5e-7);
    assert_true(arccosine(1.5f) == 0.0f);
}

TEST(test_power)
{
    double relative = 0;
    for (int i = 1; i <= 1000; ++i)
        for (int j = 0; j <= 200; ++j) {
            const float x = (float)i * 1e-3f, y = (float)j * 0.5f;
            const double want = pow((double)x, (double)y), got = (double)power_unit(x, y);
            if (want > 1e-30)
                relative = fmax(relative, fabs(got / want - 1.0));
        }
    print_message("power_unit: worst relative error %.3g for exponents to 100\n", relative);
    assert_true(relative < 3e-5);
    assert_true(power_unit(0.0f, 2.0f) == 0.0f && power_unit(0.0f, 0.0f) == 1.0f && power_unit(1.0f, 50.0f) == 1.0f);
    assert_true(exponential2(-200.0f) == 0.0f && exponential2(10.0f) == 1024.0f && logarithm2(8.0f) == 3.0f);
}

// Over every number that tracking takes it of, and over all magnitudes.
TEST(test_logarithm)
{
    double relative = 0;
    for (uint32_t i = 1; i < 1u << 24; ++i)
        relative = fmax(relative, fabs((double)logarithm((float)i * 0x1p-24f) / log((double)i * 0x1p-24) - 1));
    for (int i = -125; i < 127; ++i)
        for (float x = 1.0f; x < 2.0f; x += 0.001f)
            if (i || x > 1.0f)
                relative = fmax(relative, fabs((double)logarithm(ldexpf(x, i)) / log(ldexp((double)x, i)) - 1));
    print_message("logarithm: worst relative error %.3g\n", relative);
    assert_true(relative < 4e-7);
    assert_true(logarithm(1.0f) == 0.0f);
}
