// SPDX-License-Identifier: MIT
#include "geometry/exact_math.h"

// Taylor series on [-pi/4, pi/4]: the first term left out is under 2^-60 of the result.
static double sine_series(double x)
{
    const double y = x * x;
    double sum = 1;
    for (int i = 10; i >= 1; --i)
        sum = 1 - y / (2.0 * i * (2.0 * i + 1.0)) * sum;
    return x * sum;
}

static double cosine_series(double x)
{
    const double y = x * x;
    double sum = 1;
    for (int i = 10; i >= 1; --i)
        sum = 1 - y / ((2.0 * i - 1.0) * 2.0 * i) * sum;
    return sum;
}

void exact_sine_cosine(double angle, double *sine, double *cosine)
{
    // pi/2 as a value of 33 bits and the rest, so that turns * high is exact.
    const double high = 1.57079632673412561417, low = 6.07710050650619224932e-11;
    const double turns = floor(angle * 0.63661977236758134308 + 0.5);
    const double rest = (angle - turns * high) - turns * low;
    const double s = sine_series(rest), c = cosine_series(rest);
    const int quadrant = (int)(turns - 4 * floor(turns / 4));
    *sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
    *cosine = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
}

// x^2.4 for x in [0, 1], as the sRGB curve needs it.
static double exact_power_2_4(double x)
{
    if (x <= 0)
        return 0;
    double root = 1; // fifth root by Newton's method, from above
    for (int i = 0; i < 64; ++i) {
        const double fourth = root * root * root * root;
        root = (4 * root + x / fourth) / 5;
    }
    return x * x * root * root;
}

double exact_linear_from_srgb(double x)
{
    return x <= 0.04045 ? x / 12.92 : exact_power_2_4((x + 0.055) / 1.055);
}

struct exact_transform exact_transform_identity(void)
{
    return exact_transform_scale(1, 1, 1);
}

struct exact_transform exact_transform_multiply(const struct exact_transform *a, const struct exact_transform *b)
{
    struct exact_transform product;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            product.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        product.t[i] = a->m[i][0] * b->t[0] + a->m[i][1] * b->t[1] + a->m[i][2] * b->t[2] + a->t[i];
    }
    return product;
}

struct exact_transform exact_transform_scale(double x, double y, double z)
{
    return (struct exact_transform){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}, {0, 0, 0}};
}

struct exact_transform exact_transform_translate(double x, double y, double z)
{
    return (struct exact_transform){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {x, y, z}};
}

struct exact_transform exact_transform_rotate(double x, double y, double z)
{
    double s, c;
    exact_sine_cosine(exact_radians(x), &s, &c);
    const struct exact_transform about_x = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}, {0, 0, 0}};
    exact_sine_cosine(exact_radians(y), &s, &c);
    const struct exact_transform about_y = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}, {0, 0, 0}};
    exact_sine_cosine(exact_radians(z), &s, &c);
    const struct exact_transform about_z = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, {0, 0, 0}};
    const struct exact_transform first = exact_transform_multiply(&about_y, &about_x);
    return exact_transform_multiply(&about_z, &first);
}
