// SPDX-License-Identifier: MIT
// Words as a shell reads them.
#pragma once

#include <stddef.h>
#include <stdio.h>

// The word, quoted where it has to be: 'a b'.
void shell_put(const char *word, FILE *stream);
// The same as text, cut where there is no room.
void shell_word(const char *word, char *text, size_t size);
