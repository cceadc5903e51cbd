// SPDX-License-Identifier: MIT
#include "store/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/counts.h"
#include "frame/parameters.h"
#include "sql/statement.h"
#include "store/embedded.h"
#include "store/vocabulary.h"

enum {
    SCHEMA_VERSION = 6,
    APPLICATION_ID = 0x57535459 // "WSTY"
};

// What a query finds: one number.
static bool number_of(struct sql *db, const char *query, int64_t *value, struct error *error)
{
    char *text;
    if (!sql_text(db, error, &text, "%s", query))
        return false;
    *value = text ? strtoll(text, NULL, 10) : 0;
    sqlite3_free(text);
    return true;
}

// Runs the script that a query finds.
static bool run_text_of(struct sql *db, const char *query, struct error *error)
{
    char *script;
    return sql_text(db, error, &script, "%s", query) && (!script || sql_script(db, error, "%z", script));
}

// ---- columns that follow from tables of this program

enum { TABLE_TRIALS, TABLE_COUNTS, TABLE_LAUNCHES, TABLES };
static const char *const tables[TABLES] = {"trial_record", "bounce_counts", "launch"};

struct column {
    int table;
    const char *name, *type;
    char standard[80]; // what stands in rows that were made before there was the column
};

// Column i of those; false where there are no more.
static bool column_at(size_t i, struct column *column)
{
    if (i > parameter_count + COUNT_WORDS)
        return false;
    if (i >= parameter_count) {
        const bool counts = i < parameter_count + COUNT_WORDS;
        *column = (struct column){counts ? TABLE_COUNTS : TABLE_LAUNCHES,
                                  counts ? count_words()[i - parameter_count].name : "more", "INTEGER NOT NULL", "0"};
        return true;
    }
    const struct parameter *row = &parameter_table[i];
    *column = (struct column){TABLE_TRIALS, row->name, row->choices ? "TEXT" : "INTEGER", "NULL"};
    if (!row->automatic)
        snprintf(column->standard, sizeof column->standard, row->choices ? "'%s'" : "%s", row->standard);
    return true;
}

// ---- tables that are newer than some files

// The statements of schema.sql that make them.
static const char *newer_tables(void)
{
    return strstr(store_schema_sql, "-- Tables from here on may be lacking");
}

// The next of these statements from *at on, ";" included, and its table's name; NULL where there is none.
static const char *next_table(const char **at, size_t *length, char name[64])
{
    static const char begin[] = "CREATE TABLE ";
    const char *statement = strstr(*at, begin);
    if (!statement)
        return NULL;
    const char *named = statement + strlen(begin), *end = strstr(statement, ";\n");
    snprintf(name, 64, "%.*s", (int)strcspn(named, " "), named);
    *length = (size_t)(end + 1 - statement);
    *at = end;
    return statement;
}

static bool has_table(struct sql *db, const char *name)
{
    return sqlite3_table_column_metadata(db->connection, "main", name, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

// A script that makes those that the file lacks, in it or, empty, beside it. For sqlite3_free.
static char *lacking_tables(struct sql *db, bool temporary)
{
    char *script = sqlite3_mprintf(""), name[64];
    const char *at = newer_tables(), *statement;
    size_t length;
    while ((statement = next_table(&at, &length, name)))
        if (!has_table(db, name))
            script = sqlite3_mprintf("%zCREATE %sTABLE %.*s", script, temporary ? "TEMP " : "",
                                     (int)(length - strlen("CREATE TABLE ")), statement + strlen("CREATE TABLE "));
    return script;
}

// Columns that the file lacks: a script that adds them, and of each table ", 0 AS name", what is taken for their values.
// Older rows were made with the default, nothing was counted, and a launch stands only for itself.
struct lacking {
    char *script, *columns[TABLES];
};

static struct lacking find_lacking(struct sql *db)
{
    struct lacking lacking = {.script = sqlite3_mprintf("")};
    struct column column;
    for (int i = 0; i < TABLES; ++i)
        lacking.columns[i] = sqlite3_mprintf("");
    for (size_t i = 0; column_at(i, &column); ++i) {
        char **columns = &lacking.columns[column.table];
        const char *table = tables[column.table];
        if (sqlite3_table_column_metadata(db->connection, "main", table, column.name, NULL, NULL, NULL, NULL, NULL) ==
            SQLITE_OK)
            continue;
        *columns = sqlite3_mprintf("%z, %s AS \"%w\"", *columns, column.standard, column.name);
        lacking.script = sqlite3_mprintf("%zALTER TABLE %s ADD COLUMN \"%w\" %s DEFAULT %s;", lacking.script, table,
                                         column.name, column.type, column.standard);
    }
    return lacking;
}

static void forget_lacking(struct lacking *lacking)
{
    sqlite3_free(lacking->script);
    for (int i = 0; i < TABLES; ++i)
        sqlite3_free(lacking->columns[i]);
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
            if (!strncmp(table, tables[column.table], (size_t)(rest - table)))
                script = sqlite3_mprintf("%z, \"%w\" %s DEFAULT %s", script, column.name, column.type, column.standard);
    }
    return sqlite3_mprintf("%z%s", script, rest);
}

static bool add_columns(struct sql *db, struct error *error)
{
    struct lacking lacking = find_lacking(db);
    const bool done = sql_exec(db, lacking.script, "add a column", error);
    forget_lacking(&lacking);
    return done;
}

// Earlier programs let attempts be only of the collections that they knew.
static bool allow_collections(struct sql *db, struct error *error)
{
    static const char list[] = " CHECK (collection IN (''counts'', ''frame'', ''launches'', ''counters'', ''stalls''))";
    int64_t listed;
    char *query =
        sqlite3_mprintf("SELECT count(*) FROM main.sqlite_schema WHERE name = 'attempt' AND instr(sql, '%s')", list);
    const bool known = number_of(db, query, &listed, error);
    sqlite3_free(query);
    if (!known)
        return false;
    if (!listed)
        return true;
    sqlite3_db_config(db->connection, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    const bool done = sql_script(db, error,
                                 "PRAGMA writable_schema = ON; UPDATE main.sqlite_schema SET sql = replace(sql, "
                                 "'%s', '') WHERE name = 'attempt'; PRAGMA writable_schema = RESET",
                                 list);
    sqlite3_db_config(db->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return done;
}

static bool add_tables(struct sql *db, bool temporary, struct error *error)
{
    char *script = lacking_tables(db, temporary);
    const bool done = sql_exec(db, script, "add a table", error);
    sqlite3_free(script);
    return done;
}

// Reading changes no file: a view of the table's name, with all columns, hides it.
static bool show_columns(struct sql *db, struct error *error)
{
    static const char sql[] = "CREATE TEMP VIEW %s AS SELECT *%s FROM main.%s";
    struct lacking lacking = find_lacking(db);
    bool done = true;
    for (int i = 0; done && i < TABLES; ++i)
        done = !*lacking.columns[i] || sql_script(db, error, sql, tables[i], lacking.columns[i], tables[i]);
    forget_lacking(&lacking);
    return done;
}

// ---- views

static bool check_tables(struct sql *db, struct error *error)
{
    char *name;
    if (!sql_text(db, error, &name,
                  "SELECT name FROM temp.catalogue WHERE kind = 'table' AND name NOT IN (SELECT name FROM "
                  "main.sqlite_schema UNION ALL SELECT name FROM temp.sqlite_schema WHERE type = 'table') AND NOT "
                  "instr(%Q, 'CREATE TABLE ' || name || ' (')",
                  newer_tables()))
        return false;
    if (!name)
        return true;
    error_set_at(error, ERROR_INPUT, db->path, 0, "this database lacks its table '%s'", name);
    sqlite3_free(name);
    return error_remedy(error,
                        "restore a copy, without %s-wal and %s-shm beside it, or give another database with --db",
                        db->path, db->path);
}

bool schema_views(struct sql *db, bool reading, struct error *error)
{
    // Nothing can be dropped while a statement reads the schema.
    return run_text_of(db,
                       "SELECT group_concat('DROP ' || type || ' temp.\"' || name || '\"', ';') "
                       "FROM temp.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
                       error) &&
           sql_exec(db, store_views_sql, "make the views", error) && vocabulary_fill(db, error) &&
           (!reading || (check_tables(db, error) && add_tables(db, true, error) && show_columns(db, error)));
}

// Whether the file's own copies of the views and of the tables beside them, for other programs, are those of this one.
static bool copies_current(struct sql *db, bool *current, struct error *error)
{
    static const char *const differences[] = {
        "SELECT EXISTS (SELECT name, sql FROM temp.sqlite_schema EXCEPT SELECT name, sql FROM main.sqlite_schema)",
        "SELECT EXISTS (SELECT * FROM temp.metric EXCEPT SELECT * FROM main.metric) OR "
        "EXISTS (SELECT * FROM temp.catalogue EXCEPT SELECT * FROM main.catalogue) OR "
        "EXISTS (SELECT * FROM temp.compute_capability EXCEPT SELECT * FROM main.compute_capability) OR "
        "EXISTS (SELECT * FROM temp.device_kind EXCEPT SELECT * FROM main.device_kind)",
    };
    int64_t different = 0;
    for (int i = 0; i < 2 && !different; ++i)
        if (!number_of(db, differences[i], &different, error))
            return false;
    *current = !different;
    return true;
}

static bool renew_copies(struct sql *db, struct error *error)
{
    return run_text_of(db,
                       "SELECT group_concat('DROP ' || type || ' main.\"' || name || '\"', ';') "
                       "FROM main.sqlite_schema WHERE type = 'view' OR (type = 'table' AND name IN "
                       "(SELECT name FROM temp.sqlite_schema))",
                       error) &&
           run_text_of(db,
                       "SELECT group_concat(sql || iif(type = 'view', '', '; INSERT INTO main.' || name || "
                       "' SELECT * FROM temp.' || name), ';') FROM temp.sqlite_schema WHERE sql NOTNULL",
                       error);
}

// ---- opening

static bool check_version(struct sql *db, int64_t version, struct error *error)
{
    if (version == SCHEMA_VERSION)
        return true;
    error_set_at(error, ERROR_INPUT, db->path, 0,
                 "this database has schema version %lld; this program reads only version %d", (long long)version,
                 SCHEMA_VERSION);
    return error_remedy(error, version > SCHEMA_VERSION
                                   ? "use the newer warpstudy that wrote it, or give another database with --db"
                                   : "use the older warpstudy that wrote it, or measure again into another database "
                                     "(--db)");
}

bool schema_check(struct sql *db, bool *empty, struct error *error)
{
    int64_t made, application, version;
    if (!number_of(db, "SELECT count(*) FROM sqlite_schema", &made, error) ||
        !number_of(db, "PRAGMA application_id", &application, error) ||
        !number_of(db, "PRAGMA user_version", &version, error))
        return false;
    *empty = !made && !application && !version;
    if (*empty)
        return true;
    if (application != APPLICATION_ID) {
        error_set_at(error, ERROR_INPUT, db->path, 0, "this is a database, but not one of warpstudy");
        return error_remedy(error, "give another file with --db; this one was left as it is");
    }
    return check_version(db, version, error);
}

static bool create_tables(struct sql *db, struct error *error)
{
    char sql[96];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID, SCHEMA_VERSION);
    char *script = schema_with_columns();
    const bool done = sql_exec(db, script, "make the tables", error) && sql_exec(db, sql, "make the tables", error);
    sqlite3_free(script);
    return done;
}

// Another process may have made the tables since they were looked for. In memory no other program reads the copies.
static bool complete_tables(struct sql *db, struct error *error)
{
    bool empty;
    const bool in_memory = !sqlite3_db_filename(db->connection, "main")[0];
    return schema_check(db, &empty, error) && (!empty || create_tables(db, error)) && allow_collections(db, error) &&
           add_tables(db, false, error) && add_columns(db, error) && (in_memory || renew_copies(db, error));
}

bool schema_update(struct sql *db, bool empty, struct error *error)
{
    struct lacking lacking = find_lacking(db);
    char *script = lacking_tables(db, false);
    bool current = !empty && !*lacking.script && !*script;
    sqlite3_free(script);
    forget_lacking(&lacking);
    if (!schema_views(db, false, error) || (!empty && !check_tables(db, error)) ||
        (current && !copies_current(db, &current, error)))
        return false;
    if (current)
        return true;
    if (!sql_exec(db, "BEGIN IMMEDIATE", "make the tables", error))
        return false;
    if (complete_tables(db, error) && sql_exec(db, "COMMIT", "make the tables", error))
        return true;
    sql_rollback(db);
    return false;
}
