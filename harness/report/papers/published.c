// SPDX-License-Identifier: MIT
#include "report/papers/published.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

const struct published_table *published_table(const struct published *published, const char *id)
{
    return ARRAY_FIND(published->tables, published->table_count, id);
}

const struct published_column *published_column(const struct published_table *table, const char *column)
{
    return ARRAY_FIND(table->columns, table->column_count, column);
}

const struct published_cell *published_cell(const struct published_table *table, const char *row_key,
                                            const char *column)
{
    const struct published_column *found = published_column(table, column);
    for (size_t i = 0; found && i < table->row_count; ++i)
        if (!strcmp(table->row_keys[i], row_key))
            return &table->cells[i * table->column_count + (size_t)(found - table->columns)];
    return NULL;
}

const struct published_misprint *published_misprint(const struct published *published, const char *id)
{
    return ARRAY_FIND(published->misprints, published->misprint_count, id);
}

const struct published_quote *published_quote(const struct published *published, const char *id)
{
    return ARRAY_FIND(published->quotes, published->quote_count, id);
}

const struct published_choice *published_choice(const struct published *published, const char *id)
{
    return ARRAY_FIND(published->choices, published->choice_count, id);
}

const struct published_fact *published_fact(const struct published *published, const char *section, const char *name)
{
    for (size_t i = 0; i < published->fact_count; ++i)
        if (!strcmp(published->facts[i].section, section) && !strcmp(published->facts[i].name, name))
            return &published->facts[i];
    return NULL;
}

void published_text(const struct published_column *column, const char *number, char *text, size_t size)
{
    if (column->text) {
        snprintf(text, size, "%s", number);
        return;
    }
    const size_t digits = strspn(number, "0123456789");
    size_t used = 0;
    for (size_t i = 0; number[i] && used + 3 < size; ++i) {
        if (i > 0 && i < digits && (digits - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = number[i];
    }
    snprintf(text + used, size - used, "%s", column->suffix);
}
