// SPDX-License-Identifier: MIT
// What a query may do, and what is said of views and counts; what the views derive is in tests/claims/views_*.yaml.
#include "plan/experiment.h"
#include "store/attempt.h"
#include "store/tables.h"
#include "views_support.h"

#include "frame/counts.h"

// Three variants, the last of which makes another image, and the first with another number of bounces.
static int fill_store(void **state)
{
    const struct {
        const char *variant;
        int64_t max_bounces;
    } rows[] = {{"naive", 3}, {"whole_frame", 3}, {"tiled_shared", 3}, {"naive", 4}};
    open_empty(state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct trial_row plan = {
            .ordinal = 7, .point = 3, .collections = 31, .spec = {"open", "", "", "emulator", parameters_default()}};
        const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
        char key[HASH_TEXT];
        int64_t trial;
        snprintf(plan.spec.variant, sizeof plan.spec.variant, "%s", rows[i].variant);
        plan.spec.parameters.max_bounces = rows[i].max_bounces;
        need(store_trial(store, run, &plan, &provenance, &trial, key, &why));
        finish(trial, &(struct measurement){.image = {i == 2 ? 10 : 9, 1}, .path_hash = 77});
    }
    return 0;
}

TEST(lists_members)
{
    check("SELECT experiment, study, label, run, point, ordinal, collections, device FROM experiment_trial JOIN "
          "trial_record AS t ON t.id = trial WHERE max_bounces = 4",
          "t s one 1 3 7 31 emulator");
}

// What is to be measured again is no witness.
TEST(verifies_what_stands)
{
    int64_t count;
    check("SELECT variants, images, agree FROM verification WHERE max_bounces = 3", "3 2 0");
    need(store_redo(store, "variant = 'tiled_shared'", UINT32_MAX, &count, &why));
    check("SELECT variants, images, agree FROM verification WHERE max_bounces = 3", "2 1 1");
    check("SELECT done FROM progress", "3"); // of four
}

static char *read_definitions(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../docs/metrics.md", getenv("WARPSTUDY_PAPERS"));
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (!stream || !text || !fread(text, 1, (1 << 16) - 1, stream))
        fail_msg("cannot read %s", path);
    fclose(stream);
    return text;
}

struct definitions {
    const char *text;
    int count;
};

// Every metric stands in docs/metrics.md, in the section that its source names.
static bool is_defined(void *context, const struct store_row *row)
{
    struct definitions *definitions = context;
    char heading[32], name[96];
    int section = 0;
    if (sscanf(row->values[1].text, "docs/metrics.md %d", &section) != 1)
        fail_msg("%s comes from %s", row->values[0].text, row->values[1].text);
    snprintf(heading, sizeof heading, "\n## %d ", section);
    snprintf(name, sizeof name, "`%s`", row->values[0].text);
    const char *begin = strstr(definitions->text, heading), *end = begin ? strstr(begin + 1, "\n## ") : NULL;
    const char *place = begin ? strstr(begin, name) : NULL;
    if (!place || (end && place > end))
        fail_msg("docs/metrics.md %d does not define %s", section, name);
    ++definitions->count;
    return true;
}

TEST(explains_every_column)
{
    check("SELECT count(*) FROM metric WHERE unit IS NULL OR direction IS NULL OR meaning = ''", "0");
    char *text = read_definitions();
    struct definitions definitions = {text, 0};
    need(store_query(store, "SELECT name, source FROM metric WHERE expression = ''", NULL, is_defined, &definitions,
                     &why));
    assert_true(definitions.count > 40);
    free(text);
    check("SELECT count(*) FROM metric WHERE name = 'simd_efficiency'", "2"); // the model's and the hardware's
    check("SELECT unit, direction, expression FROM metric WHERE name = 'l2_hit_rate'",
          "% higher lts__t_sector_hit_rate.pct");
    check("SELECT group_concat(name) FROM pragma_table_info('table2') WHERE name IN ('saved', 'util', 'cum_paths') AND "
          "name NOT IN "
          "(SELECT name FROM metric)",
          "-");
}

// The line of the table that names the count says of it what counts.def says.
TEST(documents_every_count)
{
    char *text = read_definitions();
    const char *table = strstr(text, "| name | class | unit | meaning |");
    assert_non_null(table);
    for (size_t i = 0; i < COUNT_WORDS; ++i) {
        const struct count_word *word = &count_words()[i];
        char name[64], rest[512];
        snprintf(name, sizeof name, "`%s`", word->name);
        snprintf(rest, sizeof rest, " | %s | %s | %s |\n", count_class_names[word->class], word->unit, word->meaning);
        const char *place = strstr(table, name), *end = place ? strchr(place, '\n') + 1 : NULL;
        if (!place || end - place < (long)strlen(rest) || strncmp(end - strlen(rest), rest, strlen(rest)) != 0)
            fail_msg("docs/metrics.md 11 does not say of %s:%s", word->name, rest);
    }
    free(text);
}

static const char *const writes[] = {
    "DELETE FROM attempt",
    "UPDATE run SET label = 'x'",
    "INSERT INTO meta VALUES ('a', 'b')",
    "CREATE TABLE x (y)",
    "CREATE TEMP TABLE x (y)",
    "DROP TABLE attempt",
    "ATTACH '/tmp/x.db' AS x",
    "DETACH main",
    "PRAGMA user_version = 7",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA writable_schema = 1",
    "VACUUM",
    "VACUUM INTO '/tmp/x.db'",
    "REINDEX",
    "ANALYZE",
    "BEGIN",
    "SELECT 1; DELETE FROM attempt",
    "SELECT load_extension('x')",
    "WITH x AS (SELECT 1) DELETE FROM attempt",
    "",
    "-- nothing",
    "SELECT",
    "SELECT nothing FROM trial",
    "SELECT \"naive\"",
    "SELECT * FROM trial WHERE variant = :missing",
    "DELETE FROM attempt RETURNING id",
};

TEST(only_reads)
{
    for (size_t i = 0; i < sizeof writes / sizeof *writes; ++i) {
        char text[512];
        why = (struct error){0};
        if (store_query(store, writes[i], NULL, take_row, text, &why))
            fail_msg("accepted: %s", writes[i]);
        if (!why.remedy[0] || error_exit_code(&why) != 2)
            fail_msg("%s says %s", writes[i], why.message);
    }
    check("SELECT count(*) > 0 FROM attempt", "1");
    check("SELECT 1 -- and no more\n;;", "1");
    check("WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n", "15");
    check("PRAGMA user_version", "6");
}

TEST(binds)
{
    const char *const bindings[] = {"n INTEGER", "3", "v", "naive", "r", "1.50", "z", "007", "u", "unused", NULL};
    assert_string_equal(first_row("SELECT count(*) FROM trial WHERE max_bounces + 0 = :n AND variant = :v", bindings),
                        "1");
    assert_string_equal(first_row("SELECT typeof(:n), :r, :v, :z", bindings), "integer 1.50 naive 007");
}

TEST(loads_tables)
{
    const char *const columns[] = {"bounce", "active_paths"}, *const cells[] = {"0", "983", "1", NULL};
    need(store_load_table(store, "published_table2", columns, 2, cells, 2, &why));
    need(store_load_table(store, "published_table2", columns, 2, cells, 2, &why));
    check("SELECT count(*), sum(active_paths) FROM published_table2", "2 983");
    check("SELECT count(*) FROM sqlite_schema WHERE name = 'published_table2'", "0"); // never in the file
}

TEST_GROUP(fill_store, close_all)
