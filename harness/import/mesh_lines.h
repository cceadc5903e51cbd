// SPDX-License-Identifier: MIT
// The lines of Wavefront's texts, OBJ and MTL: without a byte order mark, comments and blanks around them, and with those
// that a backslash at the end continues.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct mesh_lines {
    const char *at, *end; // what is left
    char *text;           // the line, which may be changed
    int number;           // of its first part, from 1
    int parts;            // lines of the file that it takes
    size_t room;
    bool plain; // lines end where they end: no backslash continues one
};

// Of a text with a zero behind it, and none within.
struct mesh_lines mesh_lines_make(const char *text, size_t size);
// The next line that is not empty; false at the end.
bool mesh_lines_next(struct mesh_lines *lines);
void mesh_lines_finish(struct mesh_lines *lines);

// Takes the next word off a text; NULL where there is none.
char *mesh_word(char **text);
// The same, which must be a decimal number. False where it is none.
bool mesh_word_number(char **text, double *number);
