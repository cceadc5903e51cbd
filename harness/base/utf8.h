// SPDX-License-Identifier: MIT
// Text of unknown origin, character by character: names of scenes, labels and devices may hold anything.
#pragma once

#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

// The next character, *text behind it; 0 at the end. Bytes that are no UTF-8, control characters, and those that change the
// order in which others are shown, are UTF8_REPLACEMENT; tabs and line ends are blanks.
uint32_t utf8_next(const char **text);
