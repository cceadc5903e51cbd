// SPDX-License-Identifier: MIT
#include "trial/variant.h"

#include <string.h>

#define KERNEL_ENTRY(variant, kernel)
#define VARIANT(stem, kernels) extern const struct variant variant_##stem;
#include "variants.def"
#undef VARIANT

const struct variant *const variant_table[] = {
#define VARIANT(stem, kernels) &variant_##stem,
#include "variants.def"
#undef VARIANT
    NULL,
};

const struct variant *variant_find(const char *name)
{
    for (const struct variant *const *variant = variant_table; *variant; ++variant)
        if (!strcmp((*variant)->name, name))
            return *variant;
    return NULL;
}

bool variant_uses(const struct variant *variant, const struct parameter *parameter)
{
    if (parameter->role != PARAMETER_SCHEDULE)
        return true;
    for (const char *const *name = variant->parameters; *name; ++name)
        if (!strcmp(*name, parameter->name))
            return true;
    return false;
}
