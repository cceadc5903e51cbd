// SPDX-License-Identifier: MIT
#include "variants/volpt2018/regenerate_schedule.h"

REGENERATE_VARIANT(regenerate_thread, "persistent kernel: a lane whose path has ended takes the next one from a queue");
