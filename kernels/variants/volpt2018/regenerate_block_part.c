// SPDX-License-Identifier: MIT
#include "variants/volpt2018/regenerate_schedule.h"

REGENERATE_VARIANT(
    regenerate_block_part,
    "persistent kernel: after each extension the lanes of a block without a path take new ones together");
