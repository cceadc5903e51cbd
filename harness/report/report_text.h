// SPDX-License-Identifier: MIT
// Text as each format writes it.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Words broken over lines of REPORT_WIDTH; lines after the first are indented by `indent`, and the first begins in
// column `column`. A line with a command is never broken. Ends with a newline.
void report_put_wrapped(const char *text, size_t column, size_t indent, FILE *stream);
// Without what the format would read as markup.
void report_put_markdown(const char *text, FILE *stream);
// A field of CSV after RFC 4180: quoted where it has to be.
void report_put_csv(const char *text, FILE *stream);
