// SPDX-License-Identifier: MIT
#include "report/papers/sql_rows.h"

#include "store/tables.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

void sql_rows_text(struct sql_rows *rows, const char *text)
{
    *ARENA_ADD(&rows->memory, rows->cells, rows->count) = text ? arena_format(&rows->memory, "%s", text) : NULL;
}

void sql_rows_texts(struct sql_rows *rows, size_t count, const char *const *texts)
{
    for (size_t i = 0; i < count; ++i)
        sql_rows_text(rows, texts[i]);
}

void sql_rows_number(struct sql_rows *rows, double value)
{
    *ARENA_ADD(&rows->memory, rows->cells, rows->count) =
        isnan(value) ? NULL : arena_format(&rows->memory, "%.15g", value);
}

bool sql_rows_load(struct store *store, struct sql_rows *list, bool done, struct error *error)
{
    for (struct sql_rows *rows = list; rows->table; ++rows) {
        size_t columns = 1; // at least
        while (rows->columns[columns])
            ++columns;
        assert(!done || rows->count % columns == 0);
        done = done &&
               store_load_table(store, rows->table, rows->columns, columns, rows->cells, rows->count / columns, error);
        arena_free(&rows->memory);
    }
    return done;
}

static bool mentions(const char *sql, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = sql; (at = strcasestr(at, word)); at += length) {
        const char before = at == sql ? ' ' : at[-1], after = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) && after != '_')
            return true;
    }
    return false;
}

bool sql_rows_named(const struct sql_rows *list, const char *sql)
{
    while (list->table && !mentions(sql, list->table))
        ++list;
    return list->table;
}
