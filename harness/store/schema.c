// SPDX-License-Identifier: MIT
#include "store/store_internal.h"

#include <stdio.h>
#include <string.h>

#include "store/merge.h"
#include "trial/counts.h"

enum { SCHEMA_VERSION = 5 };

static const char *const derived_texts[] = {
    store_views_sql,
    store_views_times_sql,
    store_views_hardware_sql,
    store_views_rounds_sql,
    store_meanings_sql,
    store_catalogue_sql,
    NULL,
};

static bool pragma_value(struct store *store, const char *sql, int64_t *value, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    const bool done =
        sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
    if (done)
        *value = sqlite3_column_int64(statement, 0);
    else
        store_failed(store->db, store->path, "open the database", error);
    sqlite3_finalize(statement);
    return done;
}

bool schema_run_text_of(struct store *store, const char *query, struct error *error)
{
    sqlite3_stmt *find = NULL;
    char *script = NULL;
    int code = sqlite3_prepare_v2(store->db, query, -1, &find, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(find)) == SQLITE_ROW)
        script = sqlite3_mprintf("%s", sqlite3_column_text(find, 0));
    sqlite3_finalize(find);
    const bool done = (code == SQLITE_ROW || store_failed(store->db, store->path, "make the views", error)) &&
                      (!script || store_exec(store, script, "make the views", error));
    sqlite3_free(script);
    return done;
}

// ---- columns that follow from tables of this program

struct column {
    const char *table, *name, *type;
    char standard[80]; // SQL of what stands in rows that were written before the column was there; "" is NULL
};

// Rows of old were made with the default, and nothing was counted. False behind the last column.
static bool column_at(size_t index, struct column *column)
{
    if (index >= parameter_count + COUNT_WORDS)
        return false;
    if (index >= parameter_count) {
        *column =
            (struct column){"bounce_counts", count_words()[index - parameter_count].name, "INTEGER NOT NULL", "0"};
        return true;
    }
    const struct parameter *parameter = &parameter_table[index];
    *column = (struct column){"trial_record", parameter->name, parameter->choices ? "TEXT" : "INTEGER", "NULL"};
    if (!parameter->automatic)
        snprintf(column->standard, sizeof column->standard, parameter->choices ? "'%s'" : "%s", parameter->standard);
    return true;
}

static bool is_there(struct store *store, const char *table, const char *column)
{
    return sqlite3_table_column_metadata(store->db, "main", table, column, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

// New tables have them from the start: each ALTER reads the whole schema anew, a quarter of a second for all of them.
// The places for them are the comments "-- columns: TABLE" of schema.sql. For sqlite3_free.
static char *schema_with_columns(void)
{
    static const char mark[] = "-- columns: ";
    char *script = sqlite3_mprintf("");
    const char *rest = store_schema_sql;
    for (const char *at = strstr(rest, mark); at; at = strstr(rest, mark)) {
        const char *table = at + strlen(mark);
        script = sqlite3_mprintf("%z%.*s", script, (int)(at - rest), rest);
        rest = table + strcspn(table, "\n");
        struct column column;
        for (size_t i = 0; column_at(i, &column); ++i)
            if (!strncmp(table, column.table, (size_t)(rest - table)))
                script = sqlite3_mprintf("%z, \"%w\" %s DEFAULT %s", script, column.name, column.type, column.standard);
    }
    return sqlite3_mprintf("%z%s", script, rest);
}

static bool add_columns(struct store *store, struct error *error)
{
    struct column column;
    bool done = true;
    for (size_t i = 0; done && column_at(i, &column); ++i) {
        if (is_there(store, column.table, column.name))
            continue;
        char *sql = sqlite3_mprintf("ALTER TABLE %s ADD COLUMN \"%w\" %s DEFAULT %s", column.table, column.name,
                                    column.type, column.standard);
        done = store_exec(store, sql, "add a column", error);
        sqlite3_free(sql);
    }
    return done;
}

// The columns that a table lacks, with what is taken for their values: ", 0 AS name". For sqlite3_free.
static char *lacking(struct store *store, const char *table)
{
    struct column column;
    char *list = sqlite3_mprintf("");
    for (size_t i = 0; column_at(i, &column); ++i)
        if (!strcmp(column.table, table) && !is_there(store, table, column.name))
            list = sqlite3_mprintf("%z, %s AS \"%w\"", list, column.standard, column.name);
    return list;
}

// Reading changes no file: a view of the table's name, with all columns, hides it.
static bool show_columns(struct store *store, struct error *error)
{
    static const char *const tables[] = {"trial_record", "bounce_counts", NULL};
    bool done = true;
    for (const char *const *table = tables; done && *table; ++table) {
        char *list = lacking(store, *table);
        char *sql = sqlite3_mprintf("CREATE TEMP VIEW %s AS SELECT *%s FROM main.%s", *table, list, *table);
        done = !list[0] || store_exec(store, sql, "add a column", error);
        sqlite3_free(sql);
        sqlite3_free(list);
    }
    return done;
}

// ---- views

bool schema_views(struct store *store, struct error *error)
{
    // Nothing can be dropped while a statement reads the schema.
    if (!schema_run_text_of(store,
                            "SELECT group_concat('DROP ' || type || ' temp.\"' || name || '\"', ';') "
                            "FROM temp.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
                            error))
        return false;
    for (const char *const *text = derived_texts; *text; ++text)
        if (!store_exec(store, *text, "make the views", error))
            return false;
    return vocabulary_fill(store, error) && (store->mode != STORE_READ || show_columns(store, error));
}

// Whether the file's own copies of the views and of the tables beside them, for other programs, are those of this one.
static bool copies_current(struct store *store, bool *current, struct error *error)
{
    static const char *const differences[] = {
        "SELECT EXISTS (SELECT name, sql FROM temp.sqlite_schema EXCEPT SELECT name, sql FROM main.sqlite_schema)",
        "SELECT EXISTS (SELECT * FROM temp.metric EXCEPT SELECT * FROM main.metric) OR "
        "EXISTS (SELECT * FROM temp.catalogue EXCEPT SELECT * FROM main.catalogue) OR "
        "EXISTS (SELECT * FROM temp.compute_capability EXCEPT SELECT * FROM main.compute_capability)",
    };
    int64_t different = 0;
    for (int i = 0; i < 2 && !different; ++i)
        if (!pragma_value(store, differences[i], &different, error))
            return false;
    *current = !different;
    return true;
}

static bool renew_copies(struct store *store, struct error *error)
{
    return schema_run_text_of(store,
                              "SELECT group_concat('DROP ' || type || ' main.\"' || name || '\"', ';') "
                              "FROM main.sqlite_schema WHERE type = 'view' OR (type = 'table' AND name IN "
                              "(SELECT name FROM temp.sqlite_schema))",
                              error) &&
           schema_run_text_of(store,
                              "SELECT group_concat(sql || iif(type = 'view', '', '; INSERT INTO main.' || name || "
                              "' SELECT * FROM temp.' || name), ';') FROM temp.sqlite_schema WHERE sql NOTNULL",
                              error);
}

// ---- opening

static bool check_version(struct store *store, int64_t version, struct error *error)
{
    if (version == SCHEMA_VERSION)
        return true;
    error_set_at(error, ERROR_INPUT, store->path, 0,
                 "this database has schema version %lld; this program reads only version %d", (long long)version,
                 SCHEMA_VERSION);
    return error_remedy(error, version > SCHEMA_VERSION
                                   ? "use the newer warpstudy that wrote it, or give another database with --db"
                                   : "use the older warpstudy that wrote it, or measure again into another database "
                                     "(--db)");
}

static bool check_tables(struct store *store, struct error *error)
{
    for (const struct merge_table *table = merge_tables; table->name; ++table)
        if (table->how != MERGE_NOT && !is_there(store, table->name, NULL)) {
            error_set_at(error, ERROR_INPUT, store->path, 0, "this database lacks its table '%s'", table->name);
            return error_remedy(error, "restore a copy, or give another database with --db");
        }
    return true;
}

bool schema_check(struct store *store, bool *empty, struct error *error)
{
    int64_t tables, application, version;
    if (!pragma_value(store, "SELECT count(*) FROM sqlite_schema", &tables, error) ||
        !pragma_value(store, "PRAGMA application_id", &application, error) ||
        !pragma_value(store, "PRAGMA user_version", &version, error))
        return false;
    *empty = !tables && !application && !version;
    if (*empty)
        return true;
    if (application != STORE_APPLICATION_ID) {
        error_set_at(error, ERROR_INPUT, store->path, 0, "this is a database, but not one of warpstudy");
        return error_remedy(error, "give another file with --db; this one was left as it is");
    }
    return check_version(store, version, error) && check_tables(store, error);
}

static bool create(struct store *store, struct error *error)
{
    char sql[96];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION_ID,
             SCHEMA_VERSION);
    char *script = schema_with_columns();
    const bool done =
        store_exec(store, script, "make the tables", error) && store_exec(store, sql, "make the tables", error);
    sqlite3_free(script);
    return done;
}

// Another process may have made the tables since they were looked for.
static bool complete(struct store *store, struct error *error)
{
    bool empty;
    return schema_check(store, &empty, error) && (!empty || create(store, error)) && add_columns(store, error) &&
           renew_copies(store, error);
}

static bool columns_current(struct store *store)
{
    struct column column;
    for (size_t i = 0; column_at(i, &column); ++i)
        if (!is_there(store, column.table, column.name))
            return false;
    return true;
}

bool schema_update(struct store *store, bool empty, struct error *error)
{
    bool current = !empty && columns_current(store);
    if (!schema_views(store, error) || (current && !copies_current(store, &current, error)))
        return false;
    if (current)
        return true;
    if (!store_exec(store, "BEGIN IMMEDIATE", "make the tables", error))
        return false;
    if (complete(store, error) && store_exec(store, "COMMIT", "make the tables", error))
        return true;
    store_rollback(store);
    return false;
}
