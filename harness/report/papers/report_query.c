// SPDX-License-Identifier: MIT
#include "report/papers/report_query.h"

#include <math.h>
#include <string.h>

struct report_bindings report_bind(const struct report_options *options)
{
    return (struct report_bindings){{"all INTEGER", options->all ? "1" : "0", "run", options->run ? options->run : "",
                                     "scene", options->scene ? options->scene : "", NULL}};
}

const struct store_value *row_value(const struct store_row *row, const char *name)
{
    for (size_t i = 0; name[0] && i < row->count; ++i)
        if (!strcmp(row->names[i], name))
            return &row->values[i];
    return NULL;
}

double row_number(const struct store_row *row, const char *name)
{
    const struct store_value *value = row_value(row, name);
    if (!value || value->type == STORE_NULL || value->type == STORE_TEXT)
        return NAN;
    return value->type == STORE_INTEGER ? (double)value->integer : value->real;
}

const char *row_text(const struct store_row *row, const char *name)
{
    const struct store_value *value = row_value(row, name);
    return value && value->type != STORE_NULL ? value->text : "";
}
