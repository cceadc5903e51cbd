// SPDX-License-Identifier: MIT
// A kernel that does nothing: with it the harness measures and tests itself.
#pragma once

#include "lib/frame.h"

struct null_args {
    struct frame_args frame;
};

KERNEL(null_touch, struct null_args)
{
    (void)args;
}
