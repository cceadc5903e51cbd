// SPDX-License-Identifier: MIT
// Time that goes by.
#pragma once

// Seconds of a clock that never jumps and that nobody slews (CLOCK_MONOTONIC_RAW), since some moment of its own.
double clock_seconds(void);
