// SPDX-License-Identifier: MIT
// What has run of each variant, and whether anything was missed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/verify.h"

void verify_coverage_finish(struct verify_coverage *coverage)
{
    free(coverage->values);
    *coverage = (struct verify_coverage){0};
}

static struct verify_value *cover_value(struct verify_coverage *coverage, const struct variant *variant,
                                        const struct parameter *parameter, int64_t value)
{
    for (size_t i = 0; i < coverage->count; ++i) {
        struct verify_value *row = &coverage->values[i];
        if (row->variant == variant && row->parameter == parameter && row->value == value)
            return row;
    }
    struct verify_value *row = ARRAY_ADD(coverage->values, coverage->count);
    *row = (struct verify_value){.variant = variant, .parameter = parameter, .value = value};
    return row;
}

static size_t variant_index(const struct variant *variant)
{
    size_t index = 0;
    while (variant_table[index] && variant_table[index] != variant && index < VERIFY_VARIANTS - 1)
        ++index;
    return index;
}

void verify_cover(struct verify_coverage *coverage, const struct verify_case *row, const char *reason)
{
    const struct parameters standard = parameters_default();
    if (reason)
        coverage->variants[variant_index(row->variant)].skipped += 1;
    else
        coverage->variants[variant_index(row->variant)].cases += 1;
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        const int64_t value = parameter_get(&row->parameters, parameter);
        if (parameter->role != PARAMETER_SCHEDULE || !variant_uses(row->variant, parameter) ||
            value == parameter_get(&standard, parameter))
            continue;
        struct verify_value *found = cover_value(coverage, row->variant, parameter, value);
        found->ran |= !reason;
        if (reason)
            snprintf(found->reason, sizeof found->reason, "%.190s", reason);
    }
}

// ---- whether anything was missed

struct pairing {
    const struct verify_value *missed;
    const struct parameter *other;
    struct parameters parameters;
    const struct device_properties *properties;
};

static bool is_refused(const struct pairing *pairing)
{
    char reason[512];
    const struct variant *variant = pairing->missed->variant;
    return pairing->parameters.block > pairing->properties->max_block ||
           (variant->supports && !variant->supports(&pairing->parameters, pairing->properties, reason, sizeof reason));
}

static bool pair_is_refused(void *context, int64_t value)
{
    struct pairing pairing = *(const struct pairing *)context;
    memcpy((char *)&pairing.parameters + pairing.other->offset, &value, sizeof value);
    return is_refused(&pairing);
}

// Whether the variant takes the value neither alone nor with any one value of another parameter.
static bool refused_with_all(struct executor *executor, const struct trial_spec *spec, const struct verify_value *value,
                             bool *refused, struct error *error)
{
    struct pairing pairing = {.missed = value, .parameters = spec->parameters};
    memcpy((char *)&pairing.parameters + value->parameter->offset, &value->value, sizeof value->value);
    pairing.properties = execute_device(executor, spec, error);
    if (!pairing.properties)
        return false;
    *refused = is_refused(&pairing);
    for (size_t i = 0; *refused && i < parameter_count; ++i) {
        pairing.other = &parameter_table[i];
        if (pairing.other != value->parameter && pairing.other->role == PARAMETER_SCHEDULE &&
            variant_uses(value->variant, pairing.other))
            *refused = verify_values(pairing.other, pair_is_refused, &pairing);
    }
    return true;
}

static bool check_wanted(const struct verify_options *options, const struct verify_coverage *coverage,
                         struct error *error)
{
    bool any = false;
    for (size_t i = 0; i < options->variant_count; ++i) {
        const struct variant *variant = variant_find(options->variants[i]);
        if (coverage->variants[variant_index(variant)].cases)
            continue;
        if (!variant->estimator->reference)
            return error_set(error, ERROR_FAILED, "no case of %s was run: it computes '%s', which has no reference",
                             variant->name, variant->estimator->name);
        return error_set(error, ERROR_FAILED, "no case of %s was run: all were skipped", variant->name);
    }
    for (size_t i = 0; variant_table[i]; ++i)
        any |= coverage->variants[variant_index(variant_table[i])].cases > 0;
    return any || error_set(error, ERROR_FAILED, "no case was run: all were skipped");
}

bool verify_complete(struct executor *executor, const struct verify_options *options, const struct trial_spec *spec,
                     const struct verify_coverage *coverage,
                     void (*missed)(void *context, const struct verify_value *, bool refused), void *context,
                     struct error *error)
{
    size_t count = 0;
    if (!check_wanted(options, coverage, error))
        return false;
    for (size_t i = 0; i < coverage->count; ++i) {
        bool refused = false;
        if (coverage->values[i].ran)
            continue;
        if (!refused_with_all(executor, spec, &coverage->values[i], &refused, error))
            return false;
        missed(context, &coverage->values[i], refused);
        count += !refused;
    }
    return !count ||
           error_set(error, ERROR_FAILED, "%zu values were skipped in every case, though they could have run", count);
}
