// SPDX-License-Identifier: MIT
#include "trial/policy.h"

#include <math.h>
#include <stdio.h>

struct policy policy_default(void)
{
    return (struct policy){
        .warmups = 2, .min_repetitions = 10, .max_repetitions = 1000, .relative_ci = 0.01, .max_seconds = 10};
}

struct policy policy_once(void)
{
    return (struct policy){
        .warmups = 0, .min_repetitions = 1, .max_repetitions = 1, .relative_ci = 0, .max_seconds = INFINITY};
}

void policy_format(const struct policy *policy, char *text, size_t size)
{
    snprintf(text, size, "warmups=%u min_repetitions=%u max_repetitions=%u relative_ci=%.17g max_seconds=%.17g",
             policy->warmups, policy->min_repetitions, policy->max_repetitions, policy->relative_ci,
             policy->max_seconds);
}

// Student's t for 95 %, two-sided, by the Cornish-Fisher expansion about the normal quantile (1 % high at 3 degrees).
static double student_t95(double degrees)
{
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees);
}

double policy_relative_ci(const double *seconds, size_t count)
{
    if (count < 3)
        return INFINITY;
    double mean = 0, squares = 0, products = 0;
    for (size_t i = 0; i < count; ++i)
        mean += seconds[i] / (double)count;
    for (size_t i = 0; i < count; ++i) {
        const double off = seconds[i] - mean;
        squares += off * off;
        if (i)
            products += off * (seconds[i - 1] - mean);
    }
    if (!(squares > 0) || !(mean > 0))
        return squares > 0 ? INFINITY : 0;
    const double correlation = fmin(fmax(products / squares, 0), 0.99);
    const double independent = fmax((double)count * (1 - correlation) / (1 + correlation), 2);
    const double deviation = sqrt(squares / (double)(count - 1));
    return student_t95(independent - 1) * deviation / sqrt(independent) / mean;
}

const char *policy_stop(const struct policy *policy, const double *seconds, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += seconds[i];
    const uint32_t block = policy->min_repetitions ? policy->min_repetitions : 1;
    if (count >= policy->max_repetitions)
        return "max_repetitions";
    if (count >= block && count % block == 0 && policy_relative_ci(seconds, count) <= policy->relative_ci)
        return "relative_ci";
    return sum >= policy->max_seconds ? "max_seconds" : NULL;
}
