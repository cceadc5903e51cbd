// SPDX-License-Identifier: MIT
// In place of kernels/lib/platform.h for count_operations.cpp: `float` counts what is done with it.
#pragma once

#include <cmath>
#include <cstdint>

#define DEVICE static inline __attribute__((unused))

struct operations {
    int mul, addsub, div;
};
static operations done;

struct counted {
    float value;
    counted(float from = 0) : value(from)
    {
    }
};

static inline counted operator*(counted a, counted b)
{
    return ++done.mul, counted(a.value * b.value);
}
static inline counted operator+(counted a, counted b)
{
    return ++done.addsub, counted(a.value + b.value);
}
static inline counted operator-(counted a, counted b)
{
    return ++done.addsub, counted(a.value - b.value);
}
static inline counted operator/(counted a, counted b)
{
    return ++done.div, counted(a.value / b.value);
}
static inline counted operator-(counted a)
{
    return counted(-a.value);
} // a change of sign is part of what follows
static inline counted fmaf(counted a, counted b, counted c)
{
    return ++done.mul, ++done.addsub, counted(std::fma(a.value, b.value, c.value));
}
static inline bool operator<(counted a, counted b)
{
    return a.value < b.value;
}
static inline bool operator>(counted a, counted b)
{
    return a.value > b.value;
}
static inline bool operator<=(counted a, counted b)
{
    return a.value <= b.value;
}
static inline bool operator>=(counted a, counted b)
{
    return a.value >= b.value;
}
static inline bool operator==(counted a, counted b)
{
    return a.value == b.value;
}
static inline counted sqrtf(counted a)
{
    return counted(std::sqrt(a.value));
}
static inline counted minimum_f32(counted a, counted b)
{
    return a < b ? a : b;
}
static inline counted maximum_f32(counted a, counted b)
{
    return a > b ? a : b;
}

#define float counted
