// SPDX-License-Identifier: MIT
// Double-precision functions that give the same bits on every x86-64 machine: + - * / and sqrt alone. The C library's
// own choose code by processor, so that a scene built with them could differ from machine to machine.
#pragma once

#include <math.h>

#include "base/random.h"

static const double EXACT_PI = 3.14159265358979323846;

// Sine and cosine of an angle in radians, |angle| < 1e6; absolute error under 1e-15 near zero, 1e-10 at the limit.
void exact_sine_cosine(double angle, double *sine, double *cosine);

static inline double exact_radians(double degrees)
{
    return degrees * (3.14159265358979323846 / 180.0);
}

// Linear value of an sRGB-encoded one, both from 0 to 1.
double exact_linear_from_srgb(double x);

// Counter-based random numbers: the same (seed, index) gives the same number, whatever was drawn before.
struct exact_random {
    uint64_t seed, next;
};

static inline struct exact_random exact_random_make(uint64_t seed, uint64_t stream)
{
    return (struct exact_random){random_mix(random_mix(seed) ^ stream), 0};
}

// Uniform in [0, 1), 2^-53 apart.
static inline double exact_uniform(struct exact_random *random)
{
    return (double)(random_mix(random->seed + random->next++) >> 11) * 0x1p-53;
}

static inline double exact_between(struct exact_random *random, double low, double high)
{
    return low + (high - low) * exact_uniform(random);
}

struct exact_vec {
    double x, y, z;
};

static inline struct exact_vec exact_vec_make(double x, double y, double z)
{
    return (struct exact_vec){x, y, z};
}

static inline struct exact_vec exact_vec_add(struct exact_vec a, struct exact_vec b)
{
    return exact_vec_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline struct exact_vec exact_vec_sub(struct exact_vec a, struct exact_vec b)
{
    return exact_vec_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline struct exact_vec exact_vec_scale(struct exact_vec a, double s)
{
    return exact_vec_make(a.x * s, a.y * s, a.z * s);
}

static inline double exact_vec_dot(struct exact_vec a, struct exact_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct exact_vec exact_vec_cross(struct exact_vec a, struct exact_vec b)
{
    return exact_vec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double exact_vec_length(struct exact_vec a)
{
    return sqrt(exact_vec_dot(a, a));
}

// Unit vector along `a`, or the zero vector where `a` has no length.
static inline struct exact_vec exact_vec_normalize(struct exact_vec a)
{
    const double length = exact_vec_length(a);
    return length > 0 ? exact_vec_scale(a, 1 / length) : exact_vec_make(0, 0, 0);
}

static inline double exact_determinant(const double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Affine map p -> m p + t; rows of m.
struct exact_transform {
    double m[3][3], t[3];
};

struct exact_transform exact_transform_identity(void);
// First `b`, then `a`.
struct exact_transform exact_transform_multiply(const struct exact_transform *a, const struct exact_transform *b);
struct exact_transform exact_transform_scale(double x, double y, double z);
struct exact_transform exact_transform_translate(double x, double y, double z);
// Degrees about x, then y, then z. Positive about y turns z towards x.
struct exact_transform exact_transform_rotate(double x, double y, double z);

static inline struct exact_vec exact_transform_point(const struct exact_transform *a, struct exact_vec p)
{
    return exact_vec_make(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->t[0],
                          a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->t[1],
                          a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->t[2]);
}
