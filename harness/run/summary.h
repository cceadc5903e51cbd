// SPDX-License-Identifier: MIT
// What a run says in the end: for someone who reads it in the morning.
#pragma once

#include "plan/run_options.h"
#include "run/sweep.h"

// `reason`: complete, until, interrupted or error, of all sweeps together; `total`: their tallies, summed.
void summary_print(const struct sweep *sweeps, size_t count, const struct tally *total,
                   const struct run_options *options, const char *reason, double seconds);
// Why this sweep ended, where all of them ended for `reason`.
const char *summary_reason(const struct sweep *sweep, const char *reason);
