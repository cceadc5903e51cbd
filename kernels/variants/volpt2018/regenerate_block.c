// SPDX-License-Identifier: MIT
#include "variants/volpt2018/regenerate_schedule.h"

REGENERATE_VARIANT(regenerate_block,
                   "persistent kernel: the lanes of a block take new paths once all of theirs have ended");
