// SPDX-License-Identifier: MIT
// Directions after a collision: all equally likely.
#pragma once

#include "lib/environment.h"
#include "volume/path.h"

DEVICE struct vec3 phase_direction(struct pair pair)
{
    const float y = fmaf(-2.0f, pair.u, 1.0f);
    return polar_direction(pair.v, y, sqrtf(maximum_f32(1.0f - y * y, 0.0f)));
}
