// SPDX-License-Identifier: MIT
#include "frame/estimator.h"

bool estimator_uses(const struct estimator *estimator, const struct parameter *parameter)
{
    return parameter_set_has(&estimator->parameters, parameter);
}

bool estimator_alone(const struct estimator *estimator, const struct parameters *parameters, struct parameters *mean)
{
    return !estimator->alone || estimator->alone(parameters, mean);
}
