// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
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

bool store_query_failed(struct store *store, const char *sql, struct error *error)
{
    const int code = sqlite3_errcode(store->db) & 0xff;
    // What a function or a table of pragmas may not do comes as an error like any other.
    if (code == SQLITE_AUTH || strstr(sqlite3_errmsg(store->db), "not authorized")) {
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
    return error_remedy(error, "text stands in 'single quotes'; %s lists tables, views and columns",
                        path_shipped("docs/schema.md"));
}

// Whether nothing but blanks and comments follows.
static bool ends(struct store *store, const char *rest)
{
    sqlite3_stmt *next = NULL;
    int code = SQLITE_OK;
    while (code == SQLITE_OK && !next && *rest)
        code = sqlite3_prepare_v2(store->db, rest, -1, &next, &rest);
    const bool none = code == SQLITE_OK && !next;
    sqlite3_finalize(next);
    return none;
}

// One statement that only reads, or NULL and an error.
static sqlite3_stmt *prepare_reading(struct store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    sqlite3_set_authorizer(store->db, store_authorize_reading, NULL);
    const int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, &rest);
    if (code != SQLITE_OK)
        store_query_failed(store, sql, error);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    if (code != SQLITE_OK)
        return NULL;
    const char *wrong = !statement                          ? "there is no statement in the query"
                        : !sqlite3_stmt_readonly(statement) ? "a query may only read"
                        : !ends(store, rest)                ? "a query is one statement; there is more after the first"
                                                            : NULL;
    if (!wrong)
        return statement;
    sqlite3_finalize(statement);
    error_set(error, ERROR_USE, "%s", wrong);
    error_remedy(error, "write one SELECT statement");
    return NULL;
}

void store_bind_like_number(sqlite3_stmt *statement, int index, const char *text)
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

bool store_bind_all(sqlite3_stmt *statement, const char *const *bindings, struct error *error)
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
        store_bind_like_number(statement, i, pair[1]);
    }
    return true;
}

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

static bool visit_rows(struct store *store, const char *sql, sqlite3_stmt *statement,
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
    const bool done = code == SQLITE_ROW || code == SQLITE_DONE || store_query_failed(store, sql, error);
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
    sqlite3_stmt *statement = prepare_reading(store, sql, error);
    const bool done = statement && store_bind_all(statement, bindings, error) &&
                      visit_rows(store, sql, statement, visit, context, error);
    sqlite3_finalize(statement);
    return done;
}

// ---- redo

// `collections`: their names.
static bool supersede(struct store *store, sqlite3_stmt *trials, const char *collections, int64_t *count,
                      struct error *error)
{
    int code;
    while ((code = sqlite3_step(trials)) == SQLITE_ROW) {
        if (!store_do(
                store, error,
                "UPDATE attempt SET superseded = 1 WHERE trial = ?1 AND instr(?2, collection) AND NOT superseded AND "
                "status <> 'running'",
                INTEGER(sqlite3_column_int64(trials, 0)), TEXT(collections)))
            return false;
        *count += sqlite3_changes64(store->db) > 0;
    }
    return code == SQLITE_DONE || store_failed(store->db, store->path, "find the trials", error);
}

bool store_redo(struct store *store, const char *where, uint32_t collections, int64_t *count, struct error *error)
{
    char names[128] = "";
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        if (collections >> kind & 1)
            strcat(strcat(names, " "), collection_names[kind]);
    *count = 0;
    char *sql = sqlite3_mprintf("SELECT id FROM (SELECT id FROM trial WHERE (%s\n)) ORDER BY id", where);
    sqlite3_stmt *trials = sql ? prepare_reading(store, sql, error) : NULL;
    sqlite3_free(sql);
    const bool begun = trials && store_begin(store, error),
               done = begun && supersede(store, trials, names, count, error);
    sqlite3_finalize(trials);
    return begun && store_end(store, done, error);
}
