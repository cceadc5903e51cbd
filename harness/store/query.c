// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_internal.h"

static bool reading_pragma(const char *name, const char *argument)
{
    static const char *const plain[] = {"application_id", "user_version", "journal_mode",   "page_count",   "page_size",
                                        "freelist_count", "encoding",     "schema_version", "foreign_keys", NULL};
    static const char *const with_argument[] = {
        "table_info",       "table_xinfo", "table_list",      "index_list",        "index_info", "index_xinfo",
        "foreign_key_list", "quick_check", "integrity_check", "foreign_key_check", NULL};
    for (size_t i = 0; with_argument[i]; ++i)
        if (!sqlite3_stricmp(name, with_argument[i]))
            return true;
    for (size_t i = 0; !argument && plain[i]; ++i)
        if (!sqlite3_stricmp(name, plain[i]))
            return true;
    return false;
}

int store_authorize_reading(void *unused, int action, const char *first, const char *second, const char *database,
                            const char *trigger)
{
    (void)unused, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return sqlite3_stricmp(second, "load_extension") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA: return reading_pragma(first, second) ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

static bool query_failed(struct store *store, const char *sql, struct error *error)
{
    const int code = sqlite3_errcode(store->db) & 0xff;
    if (code == SQLITE_AUTH) {
        error_set(error, ERROR_USE, "a query may only read: %s", sqlite3_errmsg(store->db));
        return error_remedy(error, "write one SELECT statement");
    }
    if (code != SQLITE_ERROR)
        return store_failed(store->db, store->path, "run the query", error);
    const int offset = sqlite3_error_offset(store->db);
    char place[32] = "";
    int line = 1;
    for (int i = 0; i < offset && sql[i]; ++i)
        line += sql[i] == '\n';
    if (offset >= 0 && line > 1)
        snprintf(place, sizeof place, " (line %d)", line);
    error_set(error, ERROR_USE, "the query is not valid: %s%s", sqlite3_errmsg(store->db), place);
    return error_remedy(error, "text stands in 'single quotes'; docs/schema.md lists tables, views and columns");
}

// One statement that only reads, or NULL and an error.
static sqlite3_stmt *prepare_reading(struct store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    sqlite3_set_authorizer(store->db, store_authorize_reading, NULL);
    const int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, &rest);
    if (code != SQLITE_OK)
        query_failed(store, sql, error);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    if (code != SQLITE_OK)
        return NULL;
    const char *wrong = !statement                          ? "there is no statement in the query"
                        : !sqlite3_stmt_readonly(statement) ? "a query may only read"
                        : rest[strspn(rest, " \t\r\n;")] != '\0'
                            ? "a query is one statement; there is more after the first"
                            : NULL;
    if (!wrong)
        return statement;
    sqlite3_finalize(statement);
    error_set(error, ERROR_USE, "%s", wrong);
    error_remedy(error, "write one SELECT statement");
    return NULL;
}

// Text that a number would print as is bound as that number: it compares right with columns of any type.
static void bind_like_number(sqlite3_stmt *statement, int index, const char *text)
{
    char canonical[64], *end;
    const long long integer = strtoll(text, &end, 10);
    snprintf(canonical, sizeof canonical, "%lld", integer);
    if (!strcmp(canonical, text)) {
        sqlite3_bind_int64(statement, index, integer);
        return;
    }
    const double real = strtod(text, &end);
    if (*text && !*end && !strpbrk(text, "xXnN") && strpbrk(text, ".eE") && !isspace((unsigned char)*text))
        sqlite3_bind_double(statement, index, real);
    else
        sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

static bool bind_all(sqlite3_stmt *statement, const char *const *bindings, struct error *error)
{
    const int count = sqlite3_bind_parameter_count(statement);
    for (int i = 1; i <= count; ++i) {
        const char *name = sqlite3_bind_parameter_name(statement, i);
        const char *const *pair = bindings;
        while (name && pair && pair[0] && pair[1] && strcmp(pair[0], name + 1) != 0)
            pair += 2;
        if (!name || !pair || !pair[0] || !pair[1]) {
            error_set(error, ERROR_USE, "the query's parameter %s has no value", name ? name : "?");
            return error_remedy(error, "give it as NAME=VALUE; parameters are written :name");
        }
        bind_like_number(statement, i, pair[1]);
    }
    return true;
}

static struct store_value value_of(sqlite3_stmt *statement, int column)
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
    default: value.type = STORE_TEXT; break;
    }
    value.text = (const char *)sqlite3_column_text(statement, column);
    if (!value.text)
        value.text = "";
    return value;
}

static bool visit_rows(struct store *store, const char *sql, sqlite3_stmt *statement,
                       bool (*visit)(void *, const struct store_row *), void *context, struct error *error)
{
    const int columns = sqlite3_column_count(statement);
    struct store_value *values = calloc((size_t)columns + 1, sizeof *values);
    const char **names = calloc((size_t)columns + 1, sizeof *names);
    bool more = values && names, done = more || error_set(error, ERROR_SYSTEM, "no memory for the query");
    for (int i = 0; more && i < columns; ++i)
        names[i] = sqlite3_column_name(statement, i);
    int code = SQLITE_DONE;
    while (more && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < columns; ++i)
            values[i] = value_of(statement, i);
        more = visit(context, &(struct store_row){(size_t)columns, names, values});
    }
    if (done && code != SQLITE_ROW && code != SQLITE_DONE)
        done = query_failed(store, sql, error);
    free(values);
    free(names);
    return done;
}

bool store_query(struct store *store, const char *sql, const char *const *bindings,
                 bool (*visit)(void *context, const struct store_row *), void *context, struct error *error)
{
    sqlite3_stmt *statement = prepare_reading(store, sql, error);
    const bool done =
        statement && bind_all(statement, bindings, error) && visit_rows(store, sql, statement, visit, context, error);
    sqlite3_finalize(statement);
    return done;
}

// ---- redo
// ----------------------------------------------------------------------------------------------------------------

static bool supersede(struct store *store, sqlite3_stmt *trials, int64_t *count, struct error *error)
{
    int code;
    while ((code = sqlite3_step(trials)) == SQLITE_ROW) {
        sqlite3_stmt *update = store_prepare(
            store, "UPDATE attempt SET superseded = 1 WHERE trial = ? AND NOT superseded AND status <> 'running'",
            error);
        store_bind_integer(update, 1, sqlite3_column_int64(trials, 0));
        if (!store_run(store, update, error))
            return false;
        *count += sqlite3_changes64(store->db) > 0;
    }
    return code == SQLITE_DONE || store_failed(store->db, store->path, "find the trials", error);
}

bool store_redo(struct store *store, const char *where, int64_t *count, struct error *error)
{
    *count = 0;
    char *sql = sqlite3_mprintf("SELECT id FROM (SELECT id FROM trial WHERE (%s\n)) ORDER BY id", where);
    sqlite3_stmt *trials = sql ? prepare_reading(store, sql, error) : NULL;
    sqlite3_free(sql);
    if (!trials || !store_begin(store, error)) {
        sqlite3_finalize(trials);
        return false;
    }
    const bool done = supersede(store, trials, count, error);
    sqlite3_finalize(trials);
    if (done)
        return store_commit(store, error);
    store_rollback(store);
    return false;
}

// ---- tables of a report
// -------------------------------------------------------------------------------------------------------

// Length of the name of "NAME" or "NAME TEXT".
static int name_length(const char *column)
{
    return (int)strcspn(column, " ");
}

static char *column_list(const char *const *columns, size_t count)
{
    char *list = sqlite3_mprintf("");
    for (size_t i = 0; i < count; ++i)
        list = sqlite3_mprintf("%z%s\"%.*w\"%s", list, i ? ", " : "", name_length(columns[i]), columns[i],
                               columns[i] + name_length(columns[i]));
    return list;
}

static void bind_cell(sqlite3_stmt *insert, int index, const char *column, const char *text)
{
    if (text && column[name_length(column)])
        sqlite3_bind_text(insert, index, text, -1, SQLITE_STATIC);
    else if (text)
        bind_like_number(insert, index, text);
}

static bool fill_table(struct store *store, const char *table, const char *const *names, size_t columns,
                       const char *const *cells, size_t rows, struct error *error)
{
    char *marks = sqlite3_mprintf("?");
    for (size_t i = 1; i < columns; ++i)
        marks = sqlite3_mprintf("%z, ?", marks);
    char *sql = sqlite3_mprintf("INSERT INTO temp.\"%w\" VALUES (%z)", table, marks);
    sqlite3_stmt *insert = NULL;
    bool done = sql && sqlite3_prepare_v2(store->db, sql, -1, &insert, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    for (size_t row = 0; done && row < rows; ++row) {
        sqlite3_clear_bindings(insert);
        for (size_t i = 0; i < columns; ++i)
            bind_cell(insert, (int)i + 1, names[i], cells[row * columns + i]);
        done = sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    if (!done)
        store_failed(store->db, store->path, "load a table", error);
    sqlite3_finalize(insert);
    return done;
}

bool store_load_table(struct store *store, const char *table, const char *const *columns, size_t column_count,
                      const char *const *cells, size_t row_count, struct error *error)
{
    char *list = column_list(columns, column_count);
    char *sql = sqlite3_mprintf("DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" (%z)", table, table, list);
    const bool made = sql && store_exec(store, sql, "load a table", error);
    sqlite3_free(sql);
    return made && fill_table(store, table, columns, column_count, cells, row_count, error);
}

// What a script of tables may do besides reading.
static int authorize_temporary(void *unused, int action, const char *first, const char *second, const char *database,
                               const char *trigger)
{
    const bool temporary = database && !strcmp(database, "temp");
    switch (action) {
    case SQLITE_CREATE_TEMP_TABLE: return SQLITE_OK;
    case SQLITE_INSERT: return temporary ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE: return temporary && !strcmp(first, "sqlite_temp_master") ? SQLITE_OK : SQLITE_DENY;
    default: return store_authorize_reading(unused, action, first, second, database, trigger);
    }
}

// The table that a statement begins to make; "" where it does something else.
static void table_made(const char *statement, char name[80])
{
    name[0] = '\0';
    for (; statement[0] == '-' || isspace((unsigned char)statement[0]); ++statement)
        if (statement[0] == '-')
            statement += strcspn(statement, "\n");
    sscanf(statement, "CREATE TEMP TABLE %79[a-z0-9_] AS", name);
}

static bool make_table(struct store *store, const char *statement, const char **rest, const char *const *bindings,
                       struct error *error)
{
    char name[80], drop[120];
    sqlite3_stmt *made = NULL;
    table_made(statement, name);
    snprintf(drop, sizeof drop, "DROP TABLE IF EXISTS temp.\"%s\"", name);
    if (name[0] && !store_exec(store, drop, "make a table", error))
        return false;
    sqlite3_set_authorizer(store->db, authorize_temporary, NULL);
    const int code = sqlite3_prepare_v2(store->db, statement, -1, &made, rest);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    bool done = code == SQLITE_OK;
    if (done && made && !name[0])
        done = error_set(error, ERROR_INPUT, "not a CREATE TEMP TABLE: %.60s", statement);
    else if (!done)
        query_failed(store, statement, error);
    if (done && made)
        done = bind_all(made, bindings, error) &&
               (sqlite3_step(made) == SQLITE_DONE || query_failed(store, statement, error));
    sqlite3_finalize(made);
    return done;
}

bool store_make_tables(struct store *store, const char *script, const char *path, const char *const *bindings,
                       struct error *error)
{
    while (script[strspn(script, " \t\r\n")]) {
        if (!make_table(store, script, &script, bindings, error)) {
            snprintf(error->file, sizeof error->file, "%s", path);
            return false;
        }
    }
    return true;
}
