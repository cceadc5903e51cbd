// SPDX-License-Identifier: MIT
#include "frame/variant.h"

#include <string.h>

#include "source_hashes.h" // made at build time: HOST_SOURCE_<variant>

#define KERNEL_ENTRY(variant, kernel)
#define VARIANT(folder, stem, kernels) extern const struct variant variant_##stem;
#include "variants.def"
#undef VARIANT

const struct variant *const variant_table[] = {
#define VARIANT(folder, stem, kernels) &variant_##stem,
#include "variants.def"
#undef VARIANT
    NULL,
};

static const char *const sources[] = {
#define VARIANT(folder, stem, kernels) HOST_SOURCE_##stem,
#include "variants.def"
#undef VARIANT
};

const char *variant_source(const struct variant *variant)
{
    for (size_t i = 0; variant_table[i]; ++i)
        if (variant_table[i] == variant)
            return sources[i];
    return "";
}

const struct variant *variant_find(const char *name)
{
    for (const struct variant *const *variant = variant_table; *variant; ++variant)
        if (!strcmp((*variant)->name, name))
            return *variant;
    return NULL;
}

bool variant_check(const char *name, struct error *error)
{
    const char *names[256] = {NULL};
    for (size_t i = 0; variant_table[i] && i < 255; ++i)
        names[i] = variant_table[i]->name;
    if (variant_find(name))
        return true;
    error_set(error, ERROR_USE, "unknown variant '%s'", name);
    return error_near(error, name, names, "see warpstudy list variants");
}

bool variant_uses(const struct variant *variant, const struct parameter *parameter)
{
    if (parameter->role == PARAMETER_MACHINE)
        return true;
    if (parameter->role != PARAMETER_SCHEDULE)
        return estimator_uses(variant->estimator, parameter);
    return parameter_set_has(&variant->parameters, parameter);
}
