// SPDX-License-Identifier: MIT
// The C side of platform.h once more, for check-parameters: a kernel that reads the option `x` wants a symbol option_x. To be
// included before all else.
#pragma once

#include "lib/platform_c.h"

#define CONFIG_FIELD(name) extern int32_t option_##name;
#include "lib/config.def"
#undef CONFIG_FIELD

#undef CONFIG
#define CONFIG(frame, field) ((void)(frame), option_##field)
