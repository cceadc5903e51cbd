// SPDX-License-Identifier: MIT
// Tables that nothing measures yet, in all formats; what the papers say, in the database.
#include <math.h>

#include "check.h"
#include "ask_support.h"
#include "folder_support.h"
#include "published_support.h"
#include "report/papers/paper_store.h"
#include "report/write/escape.h"
#include "report_support.h"

// ---- the paper's half alone

// A table as one format writes it, to be freed.
static char *written(const char *paper_id, const char *table_id, void (*write)(const struct document *, FILE *))
{
    const struct report_options options = {NULL, NULL, false};
    struct paper *paper = made(paper_load(paper_id, &why));
    struct report_table *table =
        made(report_table_build(NULL, paper, paper_table_find(paper, table_id), &options, &why));
    char *text = table_render(table, write);
    report_table_free(table);
    paper_free(paper);
    return text;
}

static int count_words(const char *text, const char *words)
{
    int count = 0;
    for (; (text = strstr(text, words)); text += strlen(words))
        ++count;
    return count;
}

static void expect_words(const char *text, const char *words)
{
    if (!strstr(text, words)) {
        fputs(text, stderr);
        fail_msg("no '%s' in the text above", words);
    }
}

TEST(test_text)
{
    char *text = written("frolov2015", "listing1", doc_write_text);
    expect_words(text, "paper: V.A. Frolov, V.A. Galaktionov, 2015; GPU not stated\n"); // no size, no bounces
    expect_words(text, "[F E 2 B 1 0 D 3 F-M1]");
    assert_int_equal(count_words(text, "not measured^a"), 30);
    expect_words(text, "^a: not measured: needs a scene");
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        assert_true(strcspn(line, "\n") <= TEXT_WIDTH);
    free(text);
}

TEST(test_markdown)
{
    char *text = written("frolov2015", "listing1", doc_write_markdown);
    expect_words(text,
                 "\n| step | pool | paper | queue | paper | queue without dots | paper | event | paper |\n"
                 "|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
                 "| 1 | not measured<sup>a</sup> | X X X X X X X X | not measured<sup>a</sup> | F E A B 6 7 ... |");
    expect_words(text, "\n| 7 | not measured<sup>a</sup> | F E 2 B 1 0 D 2 \\[F E 2 B 1 0 D 3 F-M1\\] | ");
    free(text);
}

TEST(test_csv)
{
    char *text = written("frolov2015", "listing1", NULL);
    expect_words(text, "panel,step,pool,pool_paper,pool_printed,pool_misprint,pool_flags,queue,");
    expect_words(text, "\r\n1,10,,F E 2 B X X D 3,F E 2 B X X D 2,F-M1,not_measured,,,,,not_measured,,,,,,,"
                       "\"D,3 -> X,X\",\"D,2 -> X,X\",F-M1,not_measured,");
    assert_int_equal(count_words(text, "\r\n"), 12);
    free(text);
}

// Every such table: a row for each published one, nothing measured, no cell without a number or words of the paper.
static bool check_paper(void *context, const char *id)
{
    const struct report_options options = {NULL, NULL, false};
    struct paper *paper = made(paper_load(id, &why));
    for (size_t i = 0; paper && i < paper->table_count; ++i) {
        if (paper->tables[i].sql)
            continue;
        struct report_table *table = made(report_table_build(NULL, paper, &paper->tables[i], &options, &why));
        if (!table)
            return false;
        assert_int_equal(table->panel_count, 1);
        assert_true(report_published_only(table));
        const bool could_be = strstr(paper->tables[i].missing, "not measured") == paper->tables[i].missing;
        const char *wanted = could_be ? "not_measured" : "not_implemented";
        assert_int_equal(table->panels[0].row_count, table->published->row_count);
        for (size_t j = 0; j < table->panels[0].row_count * table->definition->column_count; ++j) {
            const size_t columns = table->definition->column_count;
            const struct report_cell *cell = &table->panels[0].rows[j / columns].cells[j % columns];
            const struct published_cell *printed = &table->published->cells[j];
            assert_true(isnan(cell->value) && isnan(cell->ratio) && isnan(cell->low));
            assert_string_equal(cell->flags, printed->printed ? wanted : "");
            assert_true(cell->printed == (printed->printed ? printed : NULL));
            *(int *)context += printed->printed != NULL;
        }
        report_table_free(table);
    }
    paper_free(paper);
    return true;
}

TEST(test_all)
{
    int cells = 0;
    struct paper_names papers;
    assert_true(paper_names(&papers, &why));
    for (size_t i = 0; i < papers.count; ++i)
        assert_true(check_paper(&cells, papers.list[i]));
    assert_int_equal(cells, 30 + 32 + 16); // listing, order and tests of frolov
}

// ---- in the database

struct scratch {
    char database[100], papers[100];
};

static void shell(const char *format, const char *a, const char *b)
{
    char command[1200];
    snprintf(command, sizeof command, format, a, b);
    assert_int_equal(system(command), 0);
}

// A database with one run, and a copy of the papers for those who want to change it.
static void scratch_make(struct scratch *scratch)
{
    char root[400];
    const char *folder = folder_new();
    snprintf(scratch->database, sizeof scratch->database, "%s/made up.db", folder);
    snprintf(scratch->papers, sizeof scratch->papers, "%s/papers", folder);
    need(paper_root(root, sizeof root, &why));
    shell("cp -r '%s' '%s'", root, scratch->papers);
    struct store *store = made(store_open(scratch->database, STORE_WRITE, &why));
    made_run(store, "night"); // without one, the file would not stay
    store_close(store);
}

static struct store *open_loaded(const struct scratch *scratch)
{
    struct store *store = made(store_open(scratch->database, STORE_READ, &why));
    need(papers_load(store, NULL, &why));
    return store;
}

static void file_hash(const char *path, char text[HASH_TEXT])
{
    struct hash hash;
    need(hash_file(path, &hash, &why));
    hash_text(hash, text);
}

static void expect_asked(struct store *store, const char *sql, const char *wanted)
{
    const char *found = ask(store, sql);
    if (strcmp(found, wanted) != 0)
        fail_msg("%s: %s, not %s", sql, found, wanted);
}

static void expect_papers(struct store *store)
{
    expect_asked(store, "SELECT group_concat(id) FROM (SELECT id FROM paper ORDER BY id)",
                 "cmu2023,frolov2015,kdtree2015,volpt2018,wald2011");
    expect_asked(store, "SELECT year FROM paper WHERE id = 'wald2011'", "2011");
    expect_asked(store, "SELECT year FROM paper WHERE id = 'volpt2018'", "NULL");
    // Table 2 of Wald adds up with its corrected values: 250,138 warps.
    expect_asked(store,
                 "SELECT CAST(sum(value) AS INTEGER) FROM published WHERE paper = 'wald2011' AND item = 'table2' AND "
                 "column = 'naive_warps'",
                 "250138");
    expect_asked(store,
                 "SELECT printed || ' ' || corrected || ' ' || misprint || ' ' || unit || ' ' || half FROM published "
                 "WHERE paper = 'wald2011' AND item = 'table2' AND row = '2' AND column = 'compacted_warps_cumulative'",
                 "38 78 W-M1 warps 500.0");
    expect_asked(store, "SELECT typeof(value) || typeof(half) FROM published WHERE item = 'listing1'", "nullnull");
    expect_asked(store, "SELECT count(*) FROM (SELECT DISTINCT typeof(value) FROM published)", "2");
    expect_asked(
        store,
        "SELECT value FROM fact WHERE paper = 'volpt2018' AND section = 'external' AND name = 'scenes.artifix.grid'",
        "128, 87, 128");
    expect_asked(store,
                 "SELECT printed FROM published WHERE paper = 'volpt2018' AND item = 'table42' AND row = '64x64' AND "
                 "column = 'regenerationSK'",
                 "98.40");
    expect_asked(store,
                 "SELECT value FROM fact WHERE paper = 'frolov2015' AND section = 'quoted' AND name = 'Q06.measured'",
                 "no");
    expect_asked(store, "SELECT verified FROM quotation WHERE paper = 'volpt2018' AND id = 'Q07'",
                 "true of cgg-logo and ad only");
    expect_asked(store, "SELECT count(*) FROM quotation", "59"); // 27 + 13 + 8 + 4 + 7
    expect_asked(store, "SELECT count(*) FROM misprint", "42");  // 13 + 4 + 10 + 4 + 11
    expect_asked(store, "SELECT count(*) FROM choice", "45");    // 14 + 10 + 9 + 4 + 8
    expect_asked(store, "SELECT count(*) FROM published WHERE misprint NOT IN (SELECT id FROM misprint)", "0");
}

TEST(test_read)
{
    struct scratch scratch;
    char before[HASH_TEXT], after[HASH_TEXT];
    scratch_make(&scratch);
    file_hash(scratch.database, before);
    struct store *store = open_loaded(&scratch);
    expect_papers(store);
    expect_asked(store, "SELECT count(*) FROM main.sqlite_schema WHERE name IN ('paper', 'published', 'claim')", "0");
    need(papers_load(store, NULL, &why)); // again, in place of them
    expect_papers(store);
    store_close(store);
    file_hash(scratch.database, after);
    assert_string_equal(before, after);
    unsetenv("WARPSTUDY_PAPERS");
}

// They are loaded where the query asks for one of them.
TEST(test_mentioned)
{
    static const char there[] = "SELECT count(*) FROM temp.sqlite_schema WHERE name = 'paper'";
    struct scratch scratch;
    scratch_make(&scratch);
    struct store *store = made(store_open(scratch.database, STORE_READ, &why));
    need(papers_load(store, "SELECT published_table2, \"claims\" FROM facts", &why));
    expect_asked(store, there, "0");
    need(papers_load(store, "SELECT * FROM Misprint", &why));
    expect_asked(store, there, "1");
    store_close(store);
    unsetenv("WARPSTUDY_PAPERS");
}

TEST(test_changed)
{
    struct scratch scratch;
    scratch_make(&scratch);
    shell("sed -i 's/mega: 0.0147/mega: 0.0741/' '%s/cmu2023/published.yaml'%s", scratch.papers, "");
    shell("rm -r '%s/kdtree2015'%s", scratch.papers, "");
    setenv("WARPSTUDY_PAPERS", scratch.papers, 1);
    struct store *store = open_loaded(&scratch);
    expect_asked(store,
                 "SELECT value FROM published WHERE paper = 'cmu2023' AND item = 'table2' AND row = 'Dragon' AND "
                 "column = 'mega'",
                 "0.0741");
    expect_asked(store, "SELECT count(*) FROM choice WHERE paper = 'kdtree2015'", "0");
    expect_asked(store, "SELECT count(*) FROM paper", "4");
    store_close(store);
    unsetenv("WARPSTUDY_PAPERS");
}

// Of damaged or missing papers there are no rows, and no half of them.
TEST(test_damaged)
{
    struct scratch scratch;
    scratch_make(&scratch);
    shell("sed -i 's/mega: 0.0147/mega: fast/' '%s/cmu2023/published.yaml'%s", scratch.papers, "");
    setenv("WARPSTUDY_PAPERS", scratch.papers, 1);
    struct store *store = made(store_open(scratch.database, STORE_READ, &why));
    assert_false(papers_load(store, NULL, &why));
    expect_words(why.message, "'fast' is not a number");
    expect_words(why.file, "cmu2023/published.yaml");
    expect_asked(store, "SELECT count(*) FROM published", "0");
    error_clear(&why);
    setenv("WARPSTUDY_PAPERS", "/nowhere", 1);
    assert_false(papers_load(store, NULL, &why));
    expect_words(why.message, "/nowhere");
    expect_asked(store, "SELECT count(*) FROM paper", "0");
    store_close(store);
    unsetenv("WARPSTUDY_PAPERS");
}
