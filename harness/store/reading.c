// SPDX-License-Identifier: MIT
#include "store/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

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

bool store_query_failed(struct sql *db, const char *sql, struct error *error)
{
    const int code = sqlite3_errcode(db->connection) & 0xff;
    // What a function or a table of pragmas may not do comes as an error like any other.
    if (code == SQLITE_AUTH || strstr(sqlite3_errmsg(db->connection), "not authorized")) {
        error_set(error, ERROR_USE, "a query may only read: %s", sqlite3_errmsg(db->connection));
        return error_remedy(error, "write one SELECT statement");
    }
    if (code != SQLITE_ERROR)
        return sql_failed(db, "run the query", error);
    const int offset = sqlite3_error_offset(db->connection);
    char place[32] = "";
    int line = 1;
    for (int i = 0; i < offset && sql[i]; ++i)
        line += sql[i] == '\n';
    if (offset >= 0 && line > 1)
        snprintf(place, sizeof place, " (line %d)", line);
    error_set(error, ERROR_USE, "the query is not valid: %s%s", sqlite3_errmsg(db->connection), place);
    return error_remedy(error, "text stands in 'single quotes'; %s lists tables, views and columns",
                        path_shipped("docs/schema.md"));
}

// Whether nothing but blanks and comments follows.
static bool query_ends(struct sql *db, const char *rest)
{
    sqlite3_stmt *next = NULL;
    int code = SQLITE_OK;
    while (code == SQLITE_OK && !next && *rest)
        code = sqlite3_prepare_v2(db->connection, rest, -1, &next, &rest);
    const bool none = code == SQLITE_OK && !next;
    sqlite3_finalize(next);
    return none;
}

sqlite3_stmt *store_prepare_reading(struct sql *db, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    sqlite3_set_authorizer(db->connection, store_authorize_reading, NULL);
    const int code = sqlite3_prepare_v2(db->connection, sql, -1, &statement, &rest);
    if (code != SQLITE_OK)
        store_query_failed(db, sql, error);
    sqlite3_set_authorizer(db->connection, NULL, NULL);
    if (code != SQLITE_OK)
        return NULL;
    const char *wrong = !statement                          ? "there is no statement in the query"
                        : !sqlite3_stmt_readonly(statement) ? "a query may only read"
                        : !query_ends(db, rest)             ? "a query is one statement; there is more after the first"
                                                            : NULL;
    if (!wrong)
        return statement;
    sqlite3_finalize(statement);
    error_set(error, ERROR_USE, "%s", wrong);
    error_remedy(error, "write one SELECT statement");
    return NULL;
}

// Whether a binding's name, NAME or "NAME INTEGER", is that of a parameter.
static bool is_named(const char *name, const char *parameter)
{
    const size_t length = strcspn(name, " ");
    return !strncmp(name, parameter, length) && !parameter[length];
}

bool store_bind_all(sqlite3_stmt *statement, const char *const *bindings, struct error *error)
{
    const int count = sqlite3_bind_parameter_count(statement);
    for (int i = 1; i <= count; ++i) {
        const char *name = sqlite3_bind_parameter_name(statement, i);
        const char *const *pair = bindings;
        while (name && pair && pair[0] && pair[1] && !is_named(pair[0], name + 1))
            pair += 2;
        if (!name || !pair || !pair[0] || !pair[1]) {
            error_set(error, ERROR_USE, "the query's parameter %s has no value", name ? name : "?");
            return error_remedy(error, "write the value itself; a report's queries may use :run, :scene and :all");
        }
        if (strchr(pair[0], ' '))
            sqlite3_bind_int64(statement, i, strtoll(pair[1], NULL, 10));
        else
            sqlite3_bind_text(statement, i, pair[1], -1, SQLITE_TRANSIENT);
    }
    return true;
}
