// SPDX-License-Identifier: MIT
#include "check.h"
#include <unistd.h>
#include "folder_support.h"
#include "merge_support.h"

static char names[4][96];
const char *a, *b, *into, *other;

int name_databases(void **state)
{
    static const char *const stems[] = {"a", "b", "into", "other"};
    const char *folder = folder_new();
    for (int i = 0; i < 4; ++i)
        snprintf(names[i], sizeof names[i], "%s/%s.db", folder, stems[i]);
    a = names[0], b = names[1], into = names[2], other = names[3];
    return 0;
}

struct store *open_file(const char *path, enum store_mode mode)
{
    return made(store_open(path, mode, &why));
}

void exec(struct store *store, const char *sql)
{
    need(sql_exec(&store->db, sql, "change", &why));
}

// ---- sources

// What no function of report_support.h makes, for the last attempt and run.
static const char rare_rows[] =
    "INSERT INTO card (uuid, node, ordinal) SELECT 'GPU of ' || label, 'node', 0 FROM run;"
    "INSERT INTO card (uuid, node, ordinal) VALUES ('GPU', 'node', 1);"
    "INSERT INTO attempt_card SELECT id, 1 + id % 2 FROM attempt WHERE status = 'done';"
    "INSERT INTO device_tree SELECT max(id), 'OptiX 9.0', 20, 1, 100, 300, 0.002 FROM attempt;"
    "INSERT INTO condition VALUES ((SELECT max(id) FROM attempt), 'before', 40, 300, 1980, 2600, 0, 0);"
    "INSERT INTO launch_time VALUES ((SELECT max(attempt) FROM launch), 1, 0, 12345);"
    "INSERT INTO lockstep VALUES ((SELECT max(id) FROM attempt), 0, 0, 0, 10, 200, 5, 100, 3);"
    "INSERT INTO entry_lanes VALUES ((SELECT max(id) FROM attempt), 31, 3, 10, 200, 5, 100);"
    "INSERT INTO metric_name (name) VALUES ('achieved_occupancy');"
    "INSERT INTO metric_value VALUES ((SELECT max(id) FROM attempt), -1, (SELECT max(id) FROM metric_name), 0.5);"
    "INSERT INTO site_count VALUES ((SELECT max(id) FROM attempt), 0, 1, 2, 3, 4);"
    "INSERT INTO stall_reason (name) VALUES ('waits');"
    "INSERT INTO source_file (name) VALUES ('extend.h');"
    "INSERT INTO stall VALUES ((SELECT max(id) FROM attempt), 0, (SELECT max(id) FROM kernel), "
    "(SELECT max(id) FROM stall_reason), 99);"
    "INSERT INTO stall_line VALUES ((SELECT max(id) FROM attempt), (SELECT max(id) FROM kernel), "
    "(SELECT max(id) FROM source_file), 12, (SELECT max(id) FROM stall_reason), 98);"
    "INSERT INTO timeline_sample VALUES ((SELECT max(id) FROM attempt), 0, 0, -1000, 2000, 500, 400, 300, 2400, 9000, "
    "40, 90, 8);"
    "INSERT INTO timeline_launch VALUES ((SELECT max(id) FROM attempt), 0, 0, 0, 7000);"
    "INSERT INTO environment VALUES ((SELECT max(id) FROM run), 'host', 'here');"
    "INSERT INTO derived VALUES ((SELECT max(id) FROM run), 0, 'fill', 0.25);"
    "INSERT INTO film SELECT min(id), 8, 8, x'89504e' FROM attempt;"
    "INSERT INTO picture VALUES ('open', 'c', '', 8, 8, 1, 'i', x'89504e');";

struct made on_gpu(const char *variant, int32_t replicate)
{
    struct made made = made_fairy(variant, fairy_warps);
    made.device = "cuda";
    made.replicate = replicate;
    return made;
}

void add_trial(struct store *store, int64_t run, const struct made *made, double seconds)
{
    const double frames[] = {seconds, seconds * 1.01, seconds * 0.99};
    const int64_t trial = made_asked(store, run, made, 1 << COLLECTION_COUNTS | 1 << COLLECTION_FRAME);
    made_counts(store, run, trial, made);
    made_frames(store, run, trial, made, frames, 3, 100);
}

// Two replicates of a variant, with a failure, and a row in every table. `kernels` decides what numbers names have.
void make_source(const char *path, const char *label, const char *variant, const char *kernels)
{
    unlink(path);
    struct store *store = open_file(path, STORE_WRITE);
    const int64_t run = made_run(store, label);
    exec(store, kernels);
    for (int r = 0; r < 2; ++r) {
        const struct made made = on_gpu(variant, r);
        add_trial(store, run, &made, 0.1 + 0.001 * r);
    }
    struct made made = on_gpu(variant, 0);
    made.max_bounces = 1;
    made_failed(store, run, made_asked(store, run, &made, 1 << COLLECTION_STALLS), COLLECTION_STALLS, ATTEMPT_KILLED,
                "the machine was switched off");
    const struct measured_launch row = {.bounce = 0, .seconds = 0.05};
    made_launches(store, run, made_asked(store, run, &made, 1 << COLLECTION_LAUNCHES), &made, &row, 1, 0.001, 100);
    exec(store, rare_rows);
    store_close(store);
}

void make_sources(void)
{
    make_source(a, "on a", "naive", "INSERT INTO kernel (name) VALUES ('first of a')");
    make_source(b, "on b", "whole_frame", "INSERT INTO kernel (name) VALUES ('b1'), ('b2'), ('kernel')");
}

struct merge_counts merge(const char *target, const char *source)
{
    struct merge_counts counts;
    struct store *to = open_file(target, STORE_WRITE), *from = open_file(source, STORE_READ);
    need(store_merge_begin(to, &why) && store_merge(to, from, &counts, &why) && store_merge_end(to, &why));
    store_close(from);
    store_close(to);
    return counts;
}

// ---- files as SQLite alone sees them

sqlite3 *files; // the merged one, and the sources as a and b

void open_files(void)
{
    char sql[512];
    assert_int_equal(sqlite3_open(into, &files), SQLITE_OK);
    snprintf(sql, sizeof sql, "ATTACH '%s' AS a; ATTACH '%s' AS b", a, b);
    assert_int_equal(sqlite3_exec(files, sql, NULL, NULL, NULL), SQLITE_OK);
}

char *ask(const char *sql)
{
    static char text[8192];
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(files, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(files), sql);
    strcpy(text, "no row");
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
        snprintf(text, sizeof text, "%s", sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
}

void check(const char *sql, const char *wanted)
{
    const char *got = ask(sql);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s, not %s: %s", got, wanted, sql);
}

#define BASE(column) "substr(" column ", 1, instr(" column " || '@', '@') - 1)"
#define RUN "(SELECT label || started FROM %s.run WHERE id = x.%s)"

// What a column says, without numbers that only its file knows; "" for those numbers.
static char *meaning(const char *schema, const char *table, const char *column)
{
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT \"table\" FROM pragma_foreign_key_list('%s') WHERE \"from\" = '%s'", table,
             column);
    const char *parent = ask(sql);
    if (!strcmp(column, "id") || !strcmp(column, "origin"))
        return sqlite3_mprintf("''");
    if (!strcmp(parent, "run"))
        return sqlite3_mprintf(RUN, schema, column);
    if (!strcmp(parent, "trial_record"))
        return sqlite3_mprintf("(SELECT " BASE("key") " FROM %s.trial_record WHERE id = x.%s)", schema, column);
    if (!strcmp(parent, "attempt"))
        return sqlite3_mprintf("(SELECT x1.collection || x1.number || t.key || r.label FROM %s.attempt AS x1 "
                               "JOIN %s.trial_record AS t ON t.id = x1.trial JOIN %s.run AS r ON r.id = x1.run "
                               "WHERE x1.id = x.%s)",
                               schema, schema, schema, column);
    if (!strcmp(parent, "card"))
        return sqlite3_mprintf("(SELECT uuid || node || ordinal FROM %s.card WHERE id = x.%s)", schema, column);
    if (!strcmp(parent, "experiment"))
        return sqlite3_mprintf("(SELECT hash || path FROM %s.experiment WHERE id = x.%s)", schema, column);
    if (strcmp(parent, "no row") != 0)
        return sqlite3_mprintf("(SELECT name FROM %s.%s WHERE id = x.%s)", schema, parent, column);
    return sqlite3_mprintf(!strcmp(column, "key") || !strcmp(column, "setting") ? "quote(" BASE("x.%s") ")"
                                                                                : "quote(x.%.0s%s)",
                           column, column);
}

// A query for every row of the table as one text.
static char *lines(const char *schema, const char *table)
{
    char columns[4096], *sql = sqlite3_mprintf("SELECT ''"), sql_columns[128], *next;
    snprintf(sql_columns, sizeof sql_columns, "SELECT group_concat(name, ' ') FROM pragma_table_info('%s', 'main')",
             table);
    snprintf(columns, sizeof columns, "%s", ask(sql_columns));
    for (char *column = strtok_r(columns, " ", &next); column; column = strtok_r(NULL, " ", &next)) {
        char *text = meaning(schema, table, column);
        sql = sqlite3_mprintf("%z || '|' || %z", sql, text);
    }
    return sqlite3_mprintf("%z AS line FROM %s.%s AS x%s", sql, schema, table,
                           strcmp(table, "environment") != 0 ? "" : " WHERE name <> 'origin'");
}

// Rows of these that both have are one; of all others each file has its own.
static bool is_shared(const char *table)
{
    return strstr(" card experiment kernel metric_name stall_reason source_file long_text picture ", table);
}

static void assert_union(const char *table)
{
    char *one = lines("a", table), *two = lines("b", table), *both = lines("main", table);
    char *sql = sqlite3_mprintf("SELECT count(*) || ' of ' || (SELECT count(*) FROM (%s)) FROM (%s %s %s)", both, one,
                                is_shared(table) ? "UNION" : "UNION ALL", two);
    char *missing = sqlite3_mprintf("SELECT line FROM (%s UNION %s) EXCEPT %s", one, two, both);
    char *rows =
        sqlite3_mprintf("SELECT min((SELECT count(*) FROM a.%s), (SELECT count(*) FROM b.%s)) > 0", table, table);
    check(rows, "1"); // else the test says nothing of this table
    long long wanted, got;
    assert_int_equal(sscanf(ask(sql), "%lld of %lld", &wanted, &got), 2);
    if (wanted != got)
        fail_msg("%s has %lld rows, not %lld", table, got, wanted);
    if (strcmp(ask(missing), "no row") != 0)
        fail_msg("%s lacks %s", table, ask(missing));
    sqlite3_free(sql);
    sqlite3_free(missing);
    sqlite3_free(rows);
    sqlite3_free(one);
    sqlite3_free(two);
    sqlite3_free(both);
}

// Every table of the file but those that the program makes anew: a new one is neither lost nor forgotten here.
void assert_tables(void)
{
    char tables[4096], *next;
    snprintf(
        tables, sizeof tables, "%s",
        ask("SELECT group_concat(name, ' ') FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND "
            "name NOT IN ('meta', 'metric', 'compute_capability', 'variant_trait', 'device_kind', 'step_weight', "
            "'catalogue')"));
    size_t count = 0;
    for (char *table = strtok_r(tables, " ", &next); table; table = strtok_r(NULL, " ", &next), ++count)
        assert_union(table);
    assert_true(count >= 25);
}

void hash_of(const char *path, char text[HASH_TEXT])
{
    struct hash hash;
    need(hash_file(path, &hash, &why));
    hash_text(hash, text);
}
