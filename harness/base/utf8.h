// SPDX-License-Identifier: MIT
// Text of unknown origin, character by character: names of scenes, labels and devices may hold anything.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

// The next character, *text behind it; 0 at the end. Bytes that are no UTF-8, control characters, and those that change the
// order in which others are shown, are UTF8_REPLACEMENT; tabs and line ends are blanks.
uint32_t utf8_next(const char **text);

// Of what utf8_next replaces a `?` is left, in place: nothing in the text speaks to a terminal. NULL is no text.
void utf8_line(char *text);
// Prints what utf8_line would leave of a text, with its line ends and tabs.
void utf8_print(const char *text, FILE *stream);
