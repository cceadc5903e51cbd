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

// Of what utf8_next replaces a `?` is left, in place: nothing in the text speaks to a terminal. text[count] is 0; returns the
// new count, which is no larger. `breaks`: line ends and tabs stay.
size_t utf8_make_safe(char *text, size_t count, bool breaks);
// The same for a text in one line. NULL is no text.
void utf8_line(char *text);
// Prints what utf8_make_safe leaves of a text, with its breaks.
void utf8_print(const char *text, FILE *stream);
