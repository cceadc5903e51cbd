// SPDX-License-Identifier: MIT
#include "store/kept.h"

#include <ctype.h>
#include <string.h>

#include "sql/statement.h"
#include "store/shared.h"
#include "store/store_handle.h"

void store_share(struct store *store, struct store_shared *shared)
{
    store->shared = shared;
    store->scripts_shared = false;
}

// ---- tables in the place of the program's own views

// They are in a database of their own, which outlasts the study that they were made for: unless something is left out, they are
// the same for all, but for those of a study's scripts where a report has no other. What is made after it was forgotten is of
// other rows, and is not shared.
bool kept_forget(struct store *store, struct error *error)
{
    const bool done = !store->kept_version || sql_exec(&store->db, "DETACH kept", "forget tables", error);
    store->kept_version = 0;
    store_share(store, NULL);
    return done;
}

// Tables that views of this study read already stay, whatever another process has stored since.
static bool open_kept(struct store *store, struct error *error)
{
    static const char readers[] =
        "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'view' AND instr(sql, ' FROM kept.')";
    int64_t version = 0, read = 0;
    if (!sql_integer(&store->db, sql_prepare(&store->db, "PRAGMA data_version", error), 0, &version, error) ||
        !sql_integer(&store->db, sql_prepare(&store->db, readers, error), 0, &read, error) ||
        (store->kept_version && store->kept_version != version && !read && !kept_forget(store, error)))
        return false;
    if (store->kept_version)
        return true;
    store->kept_version = version;
    return sql_exec(&store->db, "ATTACH 'file:kept?mode=memory' AS kept", "keep tables", error);
}

// ---- views that are evaluated once

// The next of the views in a list that is still one, and not in another list: those of the program, in an order in which none
// reads a later one; besides these all that scripts made.
#define PROGRAM_VIEWS                                                                                                  \
    "residency counted_setting launch_capacity bounce_time frame_seconds frame_waves frame_quality frame_parts "       \
    "pipeline_round timeline_part "
// Views of scripts that are the same for every study, unless runs are chosen: kept as long as those.
#define COMMON_VIEWS " differs repeated setting_counts "
static const char next_sql[] =
    "SELECT v.name FROM temp.sqlite_schema AS v, (SELECT instr(' " PROGRAM_VIEWS "', ' ' || name || ' ') AS place, "
    "name AS of FROM temp.sqlite_schema) AS k ON k.of = v.name "
    "WHERE v.type = 'view' AND instr(%Q, ' ' || v.name || ' ') AND NOT instr(%Q, ' ' || v.name || ' ') AND "
    "NOT instr(v.sql, ' FROM kept.') AND (k.place OR "
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

// While views are kept, the medians of an attempt's repetitions are an aggregate of the program's: a tenth of the steps that the
// view's ntile() halves take, which work in any SQLite (views_times.sql). The mean of the middle two is the same number.
static bool take_medians(struct sql *db, struct error *error)
{
    static const char halves[] = "CASE count(*) % 2 WHEN 1 THEN max(iif(half = 1, figure, NULL))\n"
                                 "               ELSE (max(iif(half = 1, figure, NULL)) + min(iif(half = 2, figure, "
                                 "NULL))) / 2 END";
    char *view;
    return sql_text(db, error, &view,
                    "SELECT 'TEMP ' || substr(replace(replace(replace(sql, %Q, 'median(figure)'), "
                    "', ntile(2) OVER (ORDER BY host_seconds) AS half', ''), "
                    "', ntile(2) OVER (ORDER BY sm_mhz) AS half', ''), 8) "
                    "FROM temp.sqlite_schema WHERE name = 'replicate_time'",
                    halves) &&
           sql_script(db, error, "DROP VIEW temp.replicate_time; CREATE %z", view);
}

static bool make_kept(struct sql *db, const char *name, struct error *error)
{
    char *view;
    return (strcmp(name, "frame_seconds") != 0 || take_medians(db, error)) &&
           sql_text(db, error, &view, "SELECT substr(sql, 13) FROM temp.sqlite_schema WHERE name = %Q", name) &&
           sql_script(db, error, "CREATE TABLE kept.%z", view) && index_table(db, "kept", name, error);
}

#define ATTACH_PART "ATTACH 'file:part?mode=memory' AS part"

// INSERT ... SELECT into an empty table of the same columns copies rows unchanged, in a fifth of the time of CREATE TABLE AS.
static bool copy_table(struct sql *db, const char *from, const char *to, const char *name, struct error *error)
{
    return sql_script(db, error,
                      "CREATE TABLE %s.%s AS SELECT * FROM %s.%s LIMIT 0; INSERT INTO %s.%s SELECT * FROM %s.%s", to,
                      name, from, name, to, name, from, name);
}

// As another connection made it.
static bool copy_kept(struct sql *db, const struct shared_view *view, struct error *error)
{
    return sql_exec(db, ATTACH_PART, "share tables", error) &&
           (sqlite3_deserialize(db->connection, "part", view->image, view->size, view->size,
                                SQLITE_DESERIALIZE_READONLY) == SQLITE_OK ||
            sql_failed(db, "share tables", error)) &&
           copy_table(db, "part", "kept", view->name, error) && sql_exec(db, "DETACH part", "share tables", error) &&
           index_table(db, "kept", view->name, error);
}

static bool make_shared(struct store *store, const char *name, struct error *error)
{
    struct sql *db = &store->db;
    unsigned char *image = NULL;
    sqlite3_int64 size = 0;
    const bool done = make_kept(db, name, error) && sql_exec(db, ATTACH_PART, "share tables", error) &&
                      copy_table(db, "kept", "part", name, error);
    if (done)
        image = sqlite3_serialize(db->connection, "part", &size, 0);
    shared_made(store->shared, name, image, size);
    return done && sql_exec(db, "DETACH part", "share tables", error);
}

// A view of a table in the place of one of the program, which begins CREATE VIEW NAME. busy: another connection is making
// the table, and nothing was done.
static bool keep_program_view(struct store *store, const char *name, bool *busy, struct error *error)
{
    struct sql *db = &store->db;
    struct shared_view copy = {.name = NULL};
    char *there = NULL;
    if (!sql_text(db, error, &there, "SELECT 1 FROM kept.sqlite_schema WHERE name = %Q", name))
        return false;
    bool made = there != NULL;
    sqlite3_free(there);
    if (!made && !store->shared) {
        made = make_kept(db, name, error);
    } else if (!made) {
        const enum shared_state state = shared_take(store->shared, name, &copy);
        if ((*busy = state == SHARED_BUSY))
            return true;
        made = state == SHARED_THERE ? copy_kept(db, &copy, error) : make_shared(store, name, error);
    }
    return made &&
           sql_script(db, error, "DROP VIEW temp.%s; CREATE TEMP VIEW %s AS SELECT * FROM kept.%s", name, name, name);
}

static bool keep_view(struct store *store, const char *name, bool *busy, struct error *error)
{
    char *word = sqlite3_mprintf(" %s ", name);
    const bool common = !store->run_chosen && strstr(COMMON_VIEWS, word);
    const bool lasting = store->reading && (common || store->scripts_shared || strstr(" " PROGRAM_VIEWS, word));
    sqlite3_free(word);
    return lasting ? open_kept(store, error) && keep_program_view(store, name, busy, error)
                   : keep_script_view(&store->db, name, error);
}

// Whether a view reads one of those in a list, " NAME " each.
static bool reads_any(struct sql *db, const char *view, const char *list, bool *reads, struct error *error)
{
    char *names = sqlite3_mprintf(" %s ", view);
    const bool done = note_all(db, "", &names, error);
    size_t length;
    *reads = false;
    for (const char *at = next_word(list, 0); *at; at = next_word(at, length)) {
        char *word = sqlite3_mprintf(" %.*s ", (int)(length = word_length(at)), at);
        *reads = *reads || strstr(names, word);
        sqlite3_free(word);
    }
    sqlite3_free(names);
    return done;
}

// Keeps the view; one that another connection is making, or that reads such a one, is added to those for later.
static bool keep_or_leave(struct store *store, const char *name, char **later, struct error *error)
{
    bool busy = false;
    const bool done = (!**later || reads_any(&store->db, name, *later, &busy, error)) &&
                      (busy || keep_view(store, name, &busy, error));
    if (busy)
        *later = sqlite3_mprintf("%z %s ", *later, name);
    return done;
}

bool store_keep_views(struct store *store, const char *sql, struct error *error)
{
    char *read = sqlite3_mprintf(""), *later = sqlite3_mprintf(""), *name = NULL;
    store->tables_made = true;
    bool done = note_all(&store->db, sql, &read, error);
    while (done && (done = sql_text(&store->db, error, &name, next_sql, read, later)) && (name || *later)) {
        if (name) {
            done = keep_or_leave(store, name, &later, error);
        } else {
            if (store->shared)
                shared_wait(store->shared, later);
            *later = '\0';
        }
        sqlite3_free(name);
    }
    sqlite3_free(later);
    sqlite3_free(read);
    return done;
}
