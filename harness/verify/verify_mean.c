// SPDX-License-Identifier: MIT
// Estimates that need not be equal, only right: means over frames of several seeds.
#include <math.h>

#include "verify/verify.h"

static bool brightness(const struct verify *verify, const char *device, const struct variant *variant,
                       const struct trial_spec *spec, uint32_t frame, double *radiance, struct error *error)
{
    struct verify_case row = {.variant = variant, .parameters = spec->parameters};
    struct trial_spec one = *spec;
    struct verify_result result;
    one.parameters.seed = row.parameters.seed = (spec->parameters.seed + frame) & INT32_MAX;
    snprintf(one.device, sizeof one.device, "%s", device);
    snprintf(one.variant, sizeof one.variant, "%s", variant->name);
    if (!verify_run(verify->executor, &one, &row, &result, error))
        return false;
    *radiance = (double)result.totals.radiance;
    verify_result_finish(&result);
    return true;
}

bool verify_mean(const struct verify *verify, const struct trial_spec *spec, const struct verify_case *row,
                 const struct parameters *mean, double *sigmas, struct error *error)
{
    const struct variant *reference = variant_find(verify->estimator->reference);
    struct trial_spec plain = *spec;
    double sum = 0, squares = 0;
    plain.parameters = *mean;
    for (uint32_t i = 0; i < VERIFY_FRAMES; ++i) {
        double found, wanted;
        if (!brightness(verify, verify->device, row->variant, spec, i, &found, error) ||
            !brightness(verify, verify->against, reference, &plain, i, &wanted, error))
            return false;
        sum += found - wanted;
        squares += (found - wanted) * (found - wanted);
    }
    const double variance = (squares - sum * sum / VERIFY_FRAMES) / (VERIFY_FRAMES - 1) / VERIFY_FRAMES;
    *sigmas = variance > 0 ? fabs(sum / VERIFY_FRAMES) / sqrt(variance) : sum == 0 ? 0 : INFINITY;
    return true;
}
