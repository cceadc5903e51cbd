// SPDX-License-Identifier: MIT
#include "trial/policy.h"

#include <math.h>
#include <stdio.h>

struct policy policy_default(void)
{
    return (struct policy){.warmups = 2,
                           .min_repetitions = 10,
                           .max_repetitions = 1000,
                           .relative_ci = 0.01,
                           .max_seconds = 10,
                           .max_temperature = 75,
                           .gate_seconds = 120};
}

struct policy policy_once(void)
{
    return (struct policy){.warmups = 0,
                           .min_repetitions = 1,
                           .max_repetitions = 1,
                           .relative_ci = 0,
                           .max_seconds = INFINITY,
                           .max_temperature = INFINITY,
                           .gate_seconds = 0,
                           .shared_device = true};
}

void policy_format(const struct policy *policy, char *text, size_t size)
{
    snprintf(text, size,
             "warmups=%u min_repetitions=%u max_repetitions=%u relative_ci=%.17g max_seconds=%.17g "
             "max_temperature=%.17g gate_seconds=%.17g shared_device=%d",
             policy->warmups, policy->min_repetitions, policy->max_repetitions, policy->relative_ci,
             policy->max_seconds, policy->max_temperature, policy->gate_seconds, policy->shared_device);
}

double policy_student_t95(double degrees)
{
    static const double exact[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281};
    const double z = 1.959964, z2 = z * z, d = degrees;
    if (d < 11) // a fraction counts as the next lower degree, which is on the safe side
        return exact[d < 1 ? 0 : (size_t)d - 1];
    // The Cornish-Fisher expansion about the normal quantile: 0.0002 off at 11 degrees.
    return z * (1 + (z2 + 1) / (4 * d) + ((5 * z2 + 16) * z2 + 3) / (96 * d * d) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * d * d * d));
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
    return policy_student_t95(independent - 1) * deviation / sqrt(independent) / mean;
}

const char *policy_stop(const struct policy *policy, const double *seconds, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += seconds[i];
    const uint32_t block = policy->min_repetitions ? policy->min_repetitions : 1;
    if (count >= policy->max_repetitions)
        return "max_repetitions";
    if (count < block || count % block != 0)
        return NULL;
    if (policy_relative_ci(seconds, count) <= policy->relative_ci)
        return "relative_ci";
    return sum >= policy->max_seconds ? "max_seconds" : NULL;
}
