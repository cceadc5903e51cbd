// SPDX-License-Identifier: MIT
#include "report/paper_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

void paper_rows_add(struct paper_rows *rows, const char *const *cells)
{
    for (size_t i = 0; i < rows->columns; ++i)
        *ARRAY_ADD(rows->cells, rows->count) = memory_copy(cells[i]);
}

void paper_rows_finish(struct paper_rows *rows)
{
    for (size_t i = 0; i < rows->count; ++i)
        free(rows->cells[i]);
    free(rows->cells);
}

const char *paper_rows_number(double value, char text[40])
{
    snprintf(text, 40, "%.17g", value);
    return isnan(value) ? NULL : text;
}
