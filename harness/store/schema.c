// SPDX-License-Identifier: MIT
#include "store/store_internal.h"

#include <stdio.h>
#include <string.h>

#include "store/merge.h"
#include "trial/counts.h"

const char *const schema_steps[] = {
    NULL,               // 0 -> 1: schema.sql
    store_schema_2_sql, // 1 -> 2
    store_schema_3_sql, // 2 -> 3
    store_schema_4_sql, // 3 -> 4
};
const int schema_version = sizeof schema_steps / sizeof *schema_steps;

const char *const schema_derived[] = {store_views_sql,
                                      store_views_times_sql,
                                      store_views_hardware_sql,
                                      store_views_rounds_sql,
                                      store_meanings_sql,
                                      store_catalogue_sql,
                                      NULL};
const char *const schema_views[] = {store_views_sql, store_views_times_sql, store_views_hardware_sql,
                                    store_views_rounds_sql, NULL};

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

// ---- columns that follow from tables of this program, and that of a launch's stage

static size_t column_count(void)
{
    return parameter_count + COUNT_WORDS + 1;
}

// What stands in rows that were written before a column was there: they were made with the default, and nothing was
// counted.
static char *column_definition(size_t index, const char **table, const char **name)
{
    if (index == parameter_count + COUNT_WORDS) {
        *table = "launch";
        *name = "stage";
        return sqlite3_mprintf("TEXT NOT NULL DEFAULT ''");
    }
    if (index >= parameter_count) {
        *table = "bounce_counts";
        *name = count_words()[index - parameter_count].name;
        return sqlite3_mprintf("INTEGER NOT NULL DEFAULT 0");
    }
    const struct parameter *parameter = &parameter_table[index];
    *table = "trial_record";
    *name = parameter->name;
    if (parameter->automatic)
        return sqlite3_mprintf("INTEGER");
    return parameter->choices ? sqlite3_mprintf("TEXT DEFAULT %Q", parameter->standard)
                              : sqlite3_mprintf("INTEGER DEFAULT %s", parameter->standard);
}

static bool columns_missing(struct store *store, size_t *missing, size_t *first, struct error *error)
{
    *missing = 0;
    for (size_t i = 0; i < column_count(); ++i) {
        char sql[256];
        int64_t there;
        const char *table, *name;
        sqlite3_free(column_definition(i, &table, &name));
        snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'", table, name);
        if (!pragma_value(store, sql, &there, error))
            return false;
        if (!there && !(*missing)++)
            *first = i;
    }
    return true;
}

static bool views_current(struct store *store, bool *current, struct error *error)
{
    char hash[HASH_TEXT], sql[160];
    int64_t count;
    if (!vocabulary_hash(hash, error))
        return false;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM meta WHERE name = 'views' AND value = '%s'", hash);
    const bool done = pragma_value(store, sql, &count, error);
    *current = done && count == 1;
    return done;
}

static bool check_version(struct store *store, int64_t version, struct error *error)
{
    if (version >= 1 && version <= schema_version)
        return true;
    if (version < 1) {
        error_set_at(error, ERROR_INPUT, store->path, 0, "this database has schema version %lld, which never was",
                     (long long)version);
        return error_remedy(error, "restore a copy, or give another database with --db");
    }
    error_set_at(error, ERROR_INPUT, store->path, 0,
                 "this database has schema version %lld; this program knows up to %d", (long long)version,
                 schema_version);
    return error_remedy(error, "use the newer warpstudy that wrote it, or give another database with --db");
}

bool schema_complete(struct store *store, struct error *error)
{
    for (const struct merge_table *table = merge_tables; table->name; ++table) {
        char sql[256];
        int64_t there; // temporary ones are the program's own, in place of those that are made anew with the views
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM (SELECT type, name FROM main.sqlite_schema UNION ALL SELECT type, name FROM "
                 "temp.sqlite_schema) WHERE type = 'table' AND name = '%s'",
                 table->name);
        if (!pragma_value(store, sql, &there, error))
            return false;
        if (there)
            continue;
        error_set_at(error, ERROR_INPUT, store->path, 0, "this database lacks its table '%s'", table->name);
        return error_remedy(error, "restore a copy, or give another database with --db");
    }
    return true;
}

bool schema_inspect(struct store *store, enum schema_state *state, struct error *error)
{
    int64_t tables, application, version;
    if (!pragma_value(store, "SELECT count(*) FROM sqlite_schema", &tables, error) ||
        !pragma_value(store, "PRAGMA application_id", &application, error) ||
        !pragma_value(store, "PRAGMA user_version", &version, error))
        return false;
    *state = SCHEMA_EMPTY;
    if (!tables && !application && !version)
        return true;
    if (application != STORE_APPLICATION_ID) {
        error_set_at(error, ERROR_INPUT, store->path, 0, "this is a database, but not one of warpstudy");
        return error_remedy(error, "give another file with --db; this one was left as it is");
    }
    size_t missing, first;
    bool views;
    if (!check_version(store, version, error))
        return false;
    *state = SCHEMA_OLDER;
    if (version < schema_version)
        return true;
    if (!columns_missing(store, &missing, &first, error) || !views_current(store, &views, error))
        return false;
    if (!missing)
        *state = views ? SCHEMA_CURRENT : SCHEMA_OTHER_VIEWS;
    return true;
}

static bool add_column(struct store *store, size_t index, struct error *error)
{
    const char *table, *name;
    char *definition = column_definition(index, &table, &name);
    char *sql = definition ? sqlite3_mprintf("ALTER TABLE %s ADD COLUMN \"%w\" %s", table, name, definition) : NULL;
    const bool done = sql && store_exec(store, sql, "add a column", error);
    sqlite3_free(sql);
    sqlite3_free(definition);
    return done;
}

static bool add_columns(struct store *store, struct error *error)
{
    size_t missing, next = 0;
    do {
        if (!columns_missing(store, &missing, &next, error))
            return false;
        if (missing && !add_column(store, next, error))
            return false;
    } while (missing > 1);
    return true;
}

static bool drop_views(struct store *store, struct error *error)
{
    sqlite3_stmt *list = NULL;
    char *sql = sqlite3_mprintf("");
    if (sqlite3_prepare_v2(store->db, "SELECT name FROM sqlite_schema WHERE type = 'view'", -1, &list, NULL) ==
        SQLITE_OK)
        while (sql && sqlite3_step(list) == SQLITE_ROW)
            sql = sqlite3_mprintf("%z DROP VIEW \"%w\";", sql, sqlite3_column_text(list, 0));
    sqlite3_finalize(list);
    const bool done = sql && store_exec(store, sql, "renew the views", error);
    sqlite3_free(sql);
    return done;
}

static bool renew_views(struct store *store, struct error *error)
{
    char hash[HASH_TEXT], sql[160];
    if (!vocabulary_hash(hash, error) || !drop_views(store, error))
        return false;
    for (const char *const *text = schema_derived; *text; ++text)
        if (!store_exec(store, *text, "make the views", error))
            return false;
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO meta VALUES ('views', '%s')", hash);
    return vocabulary_fill(store, error) && store_exec(store, sql, "make the views", error);
}

// ---- temporary views

// How a line of those texts begins that makes or drops something, and how where it shall be temporary.
static const struct {
    const char *lasting, *temporary;
} beginnings[] = {
    {"CREATE VIEW ", "CREATE TEMP VIEW "},
    {"CREATE TABLE ", "CREATE TEMP TABLE "},
    {"DROP TABLE IF EXISTS ", "DROP TABLE IF EXISTS temp."},
};

static void append_line(sqlite3_str *sql, const char *line, size_t length)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i) {
        const size_t begun = strlen(beginnings[i].lasting);
        if (strncmp(line, beginnings[i].lasting, begun) != 0)
            continue;
        sqlite3_str_appendall(sql, beginnings[i].temporary);
        sqlite3_str_append(sql, line + begun, (int)(length - begun));
        return;
    }
    sqlite3_str_append(sql, line, (int)length);
}

bool schema_temporary(struct store *store, const char *const *texts, struct error *error)
{
    bool done = true;
    for (; done && *texts; ++texts) {
        sqlite3_str *sql = sqlite3_str_new(store->db);
        for (const char *line = *texts; *line;) {
            size_t length = strcspn(line, "\n");
            length += line[length] == '\n';
            append_line(sql, line, length);
            line += length;
        }
        char *text = sqlite3_str_finish(sql);
        done = text ? store_exec(store, text, "make the views", error) : error_set(error, ERROR_SYSTEM, "no memory");
        sqlite3_free(text);
    }
    return done;
}

bool schema_migrate(struct store *store, const char *const *steps, int count, struct error *error)
{
    int64_t version;
    if (!pragma_value(store, "PRAGMA user_version", &version, error))
        return false;
    for (; version < count; ++version) {
        const char *step = version ? steps[version] : store_schema_sql;
        if (!store_exec(store, step, "migrate the database", error))
            return false;
        if (!version)
            version = count - 1; // schema.sql is the newest version
    }
    char sql[96];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION_ID, count);
    return store_exec(store, sql, "migrate the database", error);
}

enum { VERSION_SPECS = 4 }; // from here on specs and work hold what differs from the default

bool schema_update(struct store *store, struct error *error)
{
    int64_t before;
    if (!store_exec(store, "BEGIN IMMEDIATE", "migrate the database", error))
        return false;
    if (pragma_value(store, "PRAGMA user_version", &before, error) &&
        schema_migrate(store, schema_steps, schema_version, error) && add_columns(store, error) &&
        (!before || before >= VERSION_SPECS || trial_keys_renew(store, error)) && renew_views(store, error) &&
        store_exec(store, "COMMIT", "migrate the database", error))
        return true;
    store_rollback(store);
    return false;
}
