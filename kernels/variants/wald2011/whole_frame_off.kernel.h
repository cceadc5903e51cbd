// SPDX-License-Identifier: MIT
// W-WF-CTRL: the control of section 4.2: one launch per bounce as in whole_frame, compaction disabled.
#pragma once

#include "variants/wald2011/list.h"

KERNEL(whole_frame_off_bounce, struct list_args)
{
    list_bounce(args);
}
