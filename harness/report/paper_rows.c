// SPDX-License-Identifier: MIT
#include "report/paper_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void paper_rows_add(struct paper_rows *rows, const char *const *cells)
{
    if (rows->count == rows->capacity && !rows->failed) {
        const size_t capacity = rows->capacity ? 2 * rows->capacity : 64;
        char **more = realloc(rows->cells, capacity * rows->columns * sizeof *more);
        rows->failed = !more;
        if (more) {
            rows->cells = more;
            rows->capacity = capacity;
        }
    }
    if (rows->failed)
        return;
    char **row = rows->cells + rows->count++ * rows->columns;
    for (size_t i = 0; i < rows->columns; ++i) {
        row[i] = cells[i] ? strdup(cells[i]) : NULL;
        rows->failed = rows->failed || (cells[i] && !row[i]);
    }
}

void paper_rows_finish(struct paper_rows *rows)
{
    for (size_t i = 0; i < rows->count * rows->columns; ++i)
        free(rows->cells[i]);
    free(rows->cells);
}

const char *paper_rows_number(double value, char text[40])
{
    snprintf(text, 40, "%.17g", value);
    return isnan(value) ? NULL : text;
}
