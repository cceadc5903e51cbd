// SPDX-License-Identifier: MIT
// What a stream leads to: a terminal of some width, which may show colours, or something else.
#pragma once

#include <stdbool.h>

// Columns of the terminal that a descriptor leads to; 80 where it does not say; 0: it is no terminal.
int terminal_width(int descriptor);
// Whether colours may be written to it: a terminal, not a dumb one, and NO_COLOR is not set (or empty).
bool terminal_colours(int descriptor);
