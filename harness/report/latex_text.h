// SPDX-License-Identifier: MIT
// Text inside LaTeX: nothing in it is taken for a command, and every character is one that pdflatex has.
#pragma once

#include <stdio.h>

void latex_text(const char *text, FILE *stream);
// In a comment, up to the end of the line.
void latex_comment(const char *text, FILE *stream);
// About how wide it is printed, in units of the font's size.
double latex_width(const char *text);
