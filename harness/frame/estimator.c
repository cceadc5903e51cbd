// SPDX-License-Identifier: MIT
#include "frame/estimator.h"

#include <string.h>

bool estimator_heeds(const struct estimator *estimator, const struct parameter *parameter)
{
    for (const char *const *name = estimator->parameters; *name; ++name)
        if (!strcmp(*name, parameter->name))
            return true;
    return false;
}

bool estimator_alone(const struct estimator *estimator, const struct parameters *parameters, struct parameters *mean)
{
    return !estimator->alone || estimator->alone(parameters, mean);
}
