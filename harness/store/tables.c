// SPDX-License-Identifier: MIT
#include "store/tables.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sql/statement.h"
#include "store/embedded.h"
#include "store/reading.h"
#include "store/schema.h"
#include "store/store_handle.h"

// ---- from rows

// Length of the name of "NAME" or "NAME TEXT".
static int name_length(const char *column)
{
    return (int)strcspn(column, " ");
}

static void bind_cell(sqlite3_stmt *insert, int index, const char *column, const char *text)
{
    if (text && column[name_length(column)])
        sqlite3_bind_text(insert, index, text, -1, SQLITE_STATIC);
    else if (text)
        store_bind_like_number(insert, index, text);
}

bool store_load_table(struct store *store, const char *table, const char *const *columns, size_t column_count,
                      const char *const *cells, size_t row_count, struct error *error)
{
    char *list = sqlite3_mprintf(""), *marks = sqlite3_mprintf("");
    for (size_t i = 0; i < column_count; ++i) {
        const int length = name_length(columns[i]);
        list = sqlite3_mprintf("%z%s\"%.*w\"%s", list, i ? ", " : "", length, columns[i], columns[i] + length);
        marks = sqlite3_mprintf("%z%s", marks, i ? ", ?" : "?");
    }
    sqlite3_stmt *insert = NULL;
    store->tables_made = true;
    if (sql_script(&store->db, error, "DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" (%z)", table, table,
                   list))
        insert = sql_make(&store->db, error, "INSERT INTO temp.\"%w\" VALUES (%s)", table, marks);
    bool done = insert != NULL;
    for (size_t row = 0; done && row < row_count; ++row) {
        sqlite3_clear_bindings(insert);
        for (size_t i = 0; i < column_count; ++i)
            bind_cell(insert, (int)i + 1, columns[i], cells[row * column_count + i]);
        done = sql_run(&store->db, insert, error);
    }
    sqlite3_finalize(insert);
    sqlite3_free(marks);
    return done;
}

// ---- from a script

// What a script of tables may do besides reading.
static int authorize_temporary(void *unused, int action, const char *first, const char *second, const char *database,
                               const char *trigger)
{
    const bool temporary = database && !strcmp(database, "temp");
    switch (action) {
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TEMP_INDEX: return SQLITE_OK;
    case SQLITE_REINDEX:
    case SQLITE_INSERT: return temporary ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE: return temporary && !strcmp(first, "sqlite_temp_master") ? SQLITE_OK : SQLITE_DENY;
    default: return store_authorize_reading(unused, action, first, second, database, trigger);
    }
}

// Whether a statement begins so. (Some that make nothing, such as VACUUM, need nobody's leave.)
static bool begins_create(const char *statement)
{
    for (; statement[0] == '-' || isspace((unsigned char)statement[0]); ++statement)
        if (statement[0] == '-')
            statement += strcspn(statement, "\n");
    return !strncmp(statement, "CREATE ", 7);
}

static bool make_one(struct sql *db, const char *statement, const char **rest, const char *const *bindings,
                     struct error *error)
{
    sqlite3_stmt *made = NULL;
    sqlite3_set_authorizer(db->connection, authorize_temporary, NULL);
    const int code = sqlite3_prepare_v2(db->connection, statement, -1, &made, rest);
    bool done = code == SQLITE_OK || store_query_failed(db, statement, error);
    sqlite3_set_authorizer(db->connection, NULL, NULL);
    if (done && made && !begins_create(statement))
        done = error_set(error, ERROR_INPUT, "this makes neither table, view nor index: %.60s", statement);
    if (done && made)
        done = store_bind_all(made, bindings, error) &&
               (sqlite3_step(made) == SQLITE_DONE || store_query_failed(db, statement, error));
    sqlite3_finalize(made);
    return done;
}

bool store_make_tables(struct store *store, const char *script, const char *path, const char *const *bindings,
                       struct error *error)
{
    store->tables_made = true;
    while (script[strspn(script, " \t\r\n")]) {
        if (!make_one(&store->db, script, &script, bindings, error)) {
            snprintf(error->file, sizeof error->file, "%s", path);
            return false;
        }
    }
    return true;
}

bool store_forget_tables(struct store *store, struct error *error)
{
    sql_forget_statements(&store->db);
    if (!store->tables_made)
        return true;
    store->tables_made = false;
    return schema_views(&store->db, store->reading, error);
}

// ---- tables in the place of the program's own views

static bool number_of(struct sql *db, const char *sql, int64_t *number, struct error *error)
{
    sqlite3_stmt *statement = sql_make(db, error, "%s", sql);
    const bool done = statement && sql_integer(db, statement, 0, number, error);
    sqlite3_finalize(statement);
    return done;
}

// They are in a database of their own, which outlasts the study that they were made for: unless something is left out, they are the same
// for all.
static bool forget_kept(struct store *store, struct error *error)
{
    const bool done = !store->kept_version || sql_exec(&store->db, "DETACH kept", "forget tables", error);
    store->kept_version = 0;
    return done;
}

static bool open_kept(struct store *store, struct error *error)
{
    int64_t version = 0;
    if (!number_of(&store->db, "PRAGMA data_version", &version, error) ||
        (store->kept_version != version && !forget_kept(store, error)))
        return false;
    if (!store->kept_version && !sql_exec(&store->db, "ATTACH 'file:kept?mode=memory' AS kept", "keep tables", error))
        return false;
    store->kept_version = version;
    return true;
}

// ---- programs

bool store_prefer_programs(struct store *store, const char *study, const char *run, struct error *error)
{
    store->tables_made = true;
    // Of one program's results none outranks another's.
    static const char alone[] =
        "CREATE TEMP TABLE outranked (trial); CREATE TEMP TABLE other_program (trial, program);";
    int64_t left_out = 0, programs = 0;
    if (!number_of(&store->db, "SELECT count(DISTINCT harness) FROM trial_record", &programs, error) ||
        !sql_script(&store->db, error, "CREATE TEMP TABLE preferred_for AS SELECT %Q AS study, %d AS chosen", study,
                    run && run[0]) ||
        !sql_exec(&store->db, programs > 1 ? store_prefer_sql : alone, "choose among programs", error) ||
        !number_of(&store->db, "SELECT EXISTS (SELECT 1 FROM temp.outranked)", &left_out, error))
        return false;
    const bool other = left_out || store->outranked;
    store->run_chosen = run && run[0];
    store->outranked = left_out;
    return !other || forget_kept(store, error);
}

// ---- views that are evaluated once

// The next of the views in a list that is still one: those of the program, in an order in which none reads a later one;
// besides these all that scripts made.
#define PROGRAM_VIEWS                                                                                                  \
    "residency counted_setting launch_capacity bounce_time frame_seconds frame_waves frame_quality frame_parts "       \
    "pipeline_round timeline_part "
// Views of scripts that are the same for every study, unless runs are chosen: kept as long as those.
#define SHARED_VIEWS " differs repeated setting_counts "
static const char next_sql[] =
    "SELECT v.name FROM temp.sqlite_schema AS v, (SELECT instr(' " PROGRAM_VIEWS "', ' ' || name || ' ') AS place, "
    "name AS of FROM temp.sqlite_schema) AS k ON k.of = v.name "
    "WHERE v.type = 'view' AND instr(%Q, ' ' || v.name || ' ') AND NOT instr(v.sql, ' FROM kept.') AND (k.place OR "
    "v.name NOT IN (SELECT name FROM temp.catalogue) AND v.name NOT IN ('trial_record', 'bounce_counts')) "
    "ORDER BY k.place = 0, k.place, v.rowid";

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        ++length;
    return length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && !sqlite3_strnicmp(text, word, (int)length);
}

// The start of the next word after one of that length; the end of the text where there is none.
static const char *next_word(const char *text, size_t length)
{
    text += length;
    while (*text && !word_length(text))
        ++text;
    return text;
}

// Whether the text defines the name itself: NAME AS (, or NAME AS MATERIALIZED (.
static bool defines(const char *text, const char *name, size_t name_size)
{
    size_t length;
    for (; (length = word_length(text)) || *text; text = next_word(text, length)) {
        if (length != name_size || memcmp(text, name, length) != 0)
            continue;
        const char *after = text + length + strspn(text + length, " \n");
        if (!is_word(after, word_length(after), "AS"))
            continue;
        after += 2 + strspn(after + 2, " \n");
        if (*after == '(' || is_word(after, word_length(after), "MATERIALIZED"))
            return true;
    }
    return false;
}

// Adds what stands after FROM and JOIN, and is not there yet: " NAME " each.
static void note_sources(const char *text, char **names)
{
    size_t length;
    for (const char *at = text; (length = word_length(at)) || *at; at = next_word(at, length)) {
        if (!is_word(at, length, "FROM") && !is_word(at, length, "JOIN"))
            continue;
        const char *name = at + length + strspn(at + length, " \n");
        if (!sqlite3_strnicmp(name, "temp.", 5))
            name += 5;
        const size_t size = word_length(name);
        char *noted = sqlite3_mprintf(" %.*s ", (int)size, name);
        if (size && name[size] != '.' && !strstr(*names, noted) && !defines(text, name, size))
            *names = sqlite3_mprintf("%z%s", *names, noted);
        sqlite3_free(noted);
    }
}

// Names of all that a query reads, through views too, and perhaps of more. Taken from the texts: SQLite would first put the
// text of each view in the place of its name, again and again; that took five times as long as all else in judging a claim.
static bool note_all(struct sql *db, const char *sql, char **names, struct error *error)
{
    bool done = true;
    note_sources(sql, names);
    for (size_t at = 0; done && (*names)[at];) {
        const size_t start = at + strspn(*names + at, " "), length = strcspn(*names + start, " ");
        char *view = NULL;
        done = sql_text(db, error, &view, "SELECT sql FROM temp.sqlite_schema WHERE type = 'view' AND name = '%.*q'",
                        (int)length, *names + start);
        at = start + length + strspn(*names + start + length, " ");
        if (view)
            note_sources(view, names);
        sqlite3_free(view);
    }
    return done;
}

// In its first column and in these the views that read such a table look for rows.
static bool index_table(struct sql *db, const char *schema, const char *name, struct error *error)
{
    char *indices;
    return sql_text(db, error, &indices,
                    "SELECT group_concat(printf('CREATE INDEX %s.kept_%%s_%%s ON %%s (%%s)', %Q, name, %Q, name), ';') "
                    "FROM pragma_table_info(%Q, %Q) WHERE cid = 0 OR name IN ('setting', 'spec', 'work')",
                    schema, name, name, name, schema) &&
           sql_script(db, error, "%z", indices);
}

// A table in the place of a view of a script.
static bool keep_script_view(struct sql *db, const char *name, struct error *error)
{
    char *view;
    return sql_text(db, error, &view, "SELECT substr(sql, 13) FROM temp.sqlite_schema WHERE name = %Q", name) &&
           sql_script(db, error, "DROP VIEW temp.%s; CREATE TEMP TABLE %z", name, view) &&
           index_table(db, "temp", name, error);
}

// A view of a table in the place of one of the program. It begins CREATE VIEW NAME.
static bool keep_program_view(struct sql *db, const char *name, struct error *error)
{
    char *view, *there = NULL;
    if (!sql_text(db, error, &there, "SELECT 1 FROM kept.sqlite_schema WHERE name = %Q", name))
        return false;
    const bool made =
        there || (sql_text(db, error, &view, "SELECT substr(sql, 13) FROM temp.sqlite_schema WHERE name = %Q", name) &&
                  sql_script(db, error, "CREATE TABLE kept.%z", view) && index_table(db, "kept", name, error));
    sqlite3_free(there);
    return made &&
           sql_script(db, error, "DROP VIEW temp.%s; CREATE TEMP VIEW %s AS SELECT * FROM kept.%s", name, name, name);
}

static bool keep_view(struct store *store, const char *name, struct error *error)
{
    char *word = sqlite3_mprintf(" %s ", name);
    const bool shared = !store->run_chosen && strstr(SHARED_VIEWS, word);
    const bool lasting = store->reading && (shared || strstr(" " PROGRAM_VIEWS, word));
    sqlite3_free(word);
    return lasting ? open_kept(store, error) && keep_program_view(&store->db, name, error)
                   : keep_script_view(&store->db, name, error);
}

bool store_keep_views(struct store *store, const char *sql, struct error *error)
{
    char *read = sqlite3_mprintf(""), *name = NULL;
    store->tables_made = true;
    bool done = note_all(&store->db, sql, &read, error);
    while (done && (done = sql_text(&store->db, error, &name, next_sql, read)) && name &&
           (done = keep_view(store, name, error)))
        sqlite3_free(name);
    sqlite3_free(done ? NULL : name);
    sqlite3_free(read);
    return done;
}
