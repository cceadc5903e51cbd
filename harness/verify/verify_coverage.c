// SPDX-License-Identifier: MIT
// What has run of each variant, and whether anything was missed.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/verify.h"
#include "trial/executor.h"

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

// Whether the variant takes the value alone or with any one value of another parameter.
static bool takes_value(const struct verify_value *value, const struct trial_spec *standard,
                        const struct device_properties *properties)
{
    struct trial_spec spec = *standard;
    snprintf(spec.variant, sizeof spec.variant, "%s", value->variant->name);
    memcpy((char *)&spec.parameters + value->parameter->offset, &value->value, sizeof value->value);
    bool taken = executor_variant(properties, &spec, NULL) != NULL;
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *other = &parameter_table[i];
        struct trial_spec pair = spec;
        if (other == value->parameter || other->role != PARAMETER_SCHEDULE || !variant_uses(value->variant, other))
            continue;
        int64_t *place_of = (int64_t *)((char *)&pair.parameters + other->offset);
        for (size_t place = 0; !taken && verify_next_value(other, &place, place_of);)
            taken = executor_variant(properties, &pair, NULL) != NULL;
    }
    return taken;
}

static bool check_wanted(const struct verify *verify, struct error *error)
{
    bool any = false;
    for (size_t i = 0; i < verify->variant_count; ++i) {
        const struct variant *variant = variant_find(verify->variants[i]);
        if (verify->coverage.variants[variant_index(variant)].cases)
            continue;
        if (!variant->estimator->reference)
            return error_set(error, ERROR_FAILED, "no case of %s was run: it computes '%s', which has no reference",
                             variant->name, variant->estimator->name);
        return error_set(error, ERROR_FAILED, "no case of %s was run: all were skipped", variant->name);
    }
    for (size_t i = 0; variant_table[i]; ++i)
        any |= verify->coverage.variants[variant_index(variant_table[i])].cases > 0;
    return any || error_set(error, ERROR_FAILED, "no case was run: all were skipped");
}

bool verify_complete(struct verify *verify, const struct trial_spec *spec, struct error *error)
{
    size_t missed = 0;
    const struct device_properties *properties =
        check_wanted(verify, error) ? execute_device(verify->executor, spec, error) : NULL;
    for (size_t i = 0; properties && i < verify->coverage.count; ++i) {
        struct verify_value *value = &verify->coverage.values[i];
        const bool cannot = properties->no_cooperation && value->variant->persistent;
        value->refused = !value->ran && (cannot || !takes_value(value, spec, properties));
        value->missed = !value->ran && !value->refused;
        missed += value->missed;
    }
    if (missed)
        error_set(error, ERROR_FAILED, "%zu values were skipped in every case, though they could have run", missed);
    return properties && !missed;
}
