// SPDX-License-Identifier: MIT
// Text inside HTML: nothing in it is taken for markup, in an element or in an attribute's quotes.
#pragma once

#include <stdio.h>

void html_text(const char *text, FILE *stream);
// ` NAME="TEXT"`; nothing where the text is empty.
void html_attribute(const char *name, const char *text, FILE *stream);
// A sentence of notes; a command in it, from `warpstudy ` on, is marked as code.
void html_sentence(const char *text, FILE *stream);
// A name as part of an id or file name: other characters than letters, digits and `-_.` become `_`.
void html_name(const char *text, FILE *stream);
