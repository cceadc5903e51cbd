// SPDX-License-Identifier: MIT
// Text as each format writes it: nothing in it is taken for markup. NULL is no text.
#pragma once

#include <stddef.h>
#include <stdio.h>

enum { TEXT_WIDTH = 120 }; // columns of a page of text

// Words broken over lines of TEXT_WIDTH; lines after the first are indented by `indent`, and the first begins in
// column `column`. A line with a command is never broken. Ends with a newline.
void text_wrapped(const char *text, size_t column, size_t indent, FILE *stream);

void markdown_text(const char *text, FILE *stream);
// A sentence; a command in it, from `warpstudy ` or `sudo ` on, is marked as code.
void markdown_sentence(const char *text, FILE *stream);

// A field of CSV after RFC 4180: quoted where it has to be.
void csv_text(const char *text, FILE *stream);

void html_text(const char *text, FILE *stream);
// ` NAME="TEXT"`; nothing where the text is empty.
void html_attribute(const char *name, const char *text, FILE *stream);
void html_sentence(const char *text, FILE *stream);

// Every character is one that pdflatex has.
void latex_text(const char *text, FILE *stream);
// In a comment, up to the end of the line.
void latex_comment(const char *text, FILE *stream);
