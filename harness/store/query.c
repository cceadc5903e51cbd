// SPDX-License-Identifier: MIT
#include "store/query.h"

#include <stdlib.h>

#include "base/memory.h"
#include "store/reading.h"
#include "store/store_handle.h"

// Bytes as hexadecimal digits: no text holds a zero byte, and few bytes are text.
static char *hexadecimal(sqlite3_stmt *statement, int column)
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char *bytes = sqlite3_column_blob(statement, column);
    const size_t count = (size_t)sqlite3_column_bytes(statement, column);
    char *text = memory_new(2 * count + 1, 1);
    for (size_t i = 0; i < 2 * count; ++i)
        text[i] = digits[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    return text;
}

static struct store_value value_of(sqlite3_stmt *statement, int column, char **kept)
{
    struct store_value value = {0};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: return value;
    case SQLITE_INTEGER:
        value.type = STORE_INTEGER;
        value.integer = sqlite3_column_int64(statement, column);
        value.real = (double)value.integer;
        break;
    case SQLITE_FLOAT:
        value.type = STORE_REAL;
        value.real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_BLOB:
        value.type = STORE_TEXT;
        free(*kept);
        value.text = *kept = hexadecimal(statement, column);
        return value;
    default: value.type = STORE_TEXT; break;
    }
    value.text = (const char *)sqlite3_column_text(statement, column);
    if (!value.text)
        value.text = "";
    return value;
}

static bool visit_rows(struct sql *db, const char *sql, sqlite3_stmt *statement,
                       bool (*visit)(void *, const struct store_row *), void *context, struct error *error)
{
    const int columns = sqlite3_column_count(statement);
    struct store_value *values = memory_new((size_t)columns, sizeof *values);
    const char **names = memory_new((size_t)columns, sizeof *names);
    char **kept = memory_new((size_t)columns, sizeof *kept); // texts that SQLite does not hold
    for (int i = 0; i < columns; ++i)
        names[i] = sqlite3_column_name(statement, i);
    int code = SQLITE_DONE;
    bool more = true;
    while (more && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < columns; ++i)
            values[i] = value_of(statement, i, &kept[i]);
        more = visit(context, &(struct store_row){(size_t)columns, names, values});
    }
    const bool done = code == SQLITE_ROW || code == SQLITE_DONE || store_query_failed(db, sql, error);
    for (int i = 0; i < columns; ++i)
        free(kept[i]);
    free(kept);
    free(values);
    free(names);
    return done;
}

bool store_query(struct store *store, const char *sql, const char *const *bindings,
                 bool (*visit)(void *context, const struct store_row *), void *context, struct error *error)
{
    sqlite3_stmt *statement = store_prepare_reading(&store->db, sql, error);
    const bool done = statement && store_bind_all(statement, bindings, error) &&
                      visit_rows(&store->db, sql, statement, visit, context, error);
    sqlite3_finalize(statement);
    return done;
}

bool store_take_integer(void *context, const struct store_row *row)
{
    *(int64_t *)context = row->values[0].integer;
    return false;
}
