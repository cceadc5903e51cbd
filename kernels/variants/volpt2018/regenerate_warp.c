// SPDX-License-Identifier: MIT
#include "variants/volpt2018/regenerate_schedule.h"

REGENERATE_VARIANT(regenerate_warp,
                   "persistent kernel: the lanes of a warp take new paths once all of theirs have ended");
